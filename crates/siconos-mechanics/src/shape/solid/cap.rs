//! Triangles that close a cut in the plane of the cut.

use std::collections::BTreeMap;

use siconos_kernel::engine::vector::{dot, perpendiculars};
use spade::handles::{FixedFaceHandle, InnerTag, PossiblyOuterTag};
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};

/// Directed sides in a plane that bound a region, each with the number of times that it occurs in excess of
/// the opposite side.
pub(super) type Outline = BTreeMap<[u32; 2], i32>;

/// Vertex of the triangulation, with the index of its point.
struct Corner {
    at: Point2<f64>,
    index: u32,
}

impl spade::HasPosition for Corner {
    type Scalar = f64;

    fn position(&self) -> Point2<f64> {
        self.at
    }
}

type Triangles = ConstrainedDelaunayTriangulation<Corner>;

/// Returns the triangles of the region on the left of an outline as seen from the tip of the normal,
/// counterclockwise; `None` if the outline crosses itself or contains another side's interior point.
///
/// The region consists of the triangles of a constrained Delaunay triangulation with winding number 1. The
/// winding number changes at the sides of the outline only, so it is exact, and all sides of the outline are
/// sides of triangles.
pub(super) fn triangles(points: &[[f64; 3]], normal: [f64; 3], outline: &Outline) -> Option<Vec<[u32; 3]>> {
    let [u, v] = perpendiculars(normal);
    let (mut plane, mut handles) = (Triangles::new(), BTreeMap::new());
    for index in outline.keys().flatten() {
        if !handles.contains_key(index) {
            let point = points[*index as usize];
            let at = Point2::new(flushed(dot(u, point)), flushed(dot(v, point)));
            handles.insert(*index, plane.insert(Corner { at, index: *index }).ok()?);
        }
    }
    if plane.num_vertices() != handles.len() {
        return None;
    }
    for [a, b] in outline.keys() {
        let (a, b) = (handles[a], handles[b]);
        if !plane.exists_constraint(a, b) {
            plane.try_add_constraint(a, b);
        }
        if !plane.exists_constraint(a, b) {
            return None;
        }
    }
    let winding = winding_numbers(&plane, outline)?;
    let inside = plane.inner_faces().filter(|face| winding.get(&face.fix().index()) == Some(&1));
    Some(inside.map(|face| face.vertices().map(|vertex| vertex.data().index)).collect())
}

/// Returns the winding number of each face of a triangulation; `None` if a winding number is neither 0 nor 1.
fn winding_numbers(plane: &Triangles, outline: &Outline) -> Option<BTreeMap<usize, i32>> {
    let outer = plane.outer_face().fix();
    let mut winding = BTreeMap::from([(outer.index(), 0)]);
    let net = |a: u32, b: u32| {
        let of = |side: [u32; 2]| outline.get(&side).copied().unwrap_or(0);
        of([a, b]) - of([b, a])
    };
    let mut open: Vec<FixedFaceHandle<PossiblyOuterTag>> = Vec::new();
    let enter = |winding: &mut BTreeMap<usize, i32>, open: &mut Vec<_>, edge: Edge| {
        let Edge { face, number } = edge;
        match winding.get(&face.index()) {
            Some(known) => *known == number,
            None => {
                winding.insert(face.index(), number);
                open.push(face);
                (0..=1).contains(&number)
            }
        }
    };
    for edge in plane.convex_hull() {
        // The outer face is on the left.
        let [a, b] = edge.vertices().map(|vertex| vertex.data().index);
        let next = Edge { face: edge.rev().face().fix(), number: -net(a, b) };
        if !enter(&mut winding, &mut open, next) {
            return None;
        }
    }
    while let Some(face) = open.pop() {
        let number = winding[&face.index()];
        let inner: FixedFaceHandle<InnerTag> = plane.face(face).as_inner()?.fix();
        for edge in plane.face(inner).adjacent_edges() {
            let [a, b] = edge.vertices().map(|vertex| vertex.data().index);
            let next = Edge { face: edge.rev().face().fix(), number: number - net(a, b) };
            if !enter(&mut winding, &mut open, next) {
                return None;
            }
        }
    }
    Some(winding)
}

/// Face behind an edge, with its winding number.
struct Edge {
    face: FixedFaceHandle<PossiblyOuterTag>,
    number: i32,
}

/// Returns 0 for a coordinate that is too small for a triangulation.
fn flushed(x: f64) -> f64 {
    if x.abs() < spade::MIN_ALLOWED_VALUE { 0.0 } else { x }
}
