//! Contacts of convex bodies with triangle meshes.
//!
//! Each triangle is a convex body of its own. The normal of its contact is that of the mesh only if the edge
//! or the vertex that touches is exposed along it. If a neighbour is higher, as at an edge in a plane, the
//! normal of the triangle is used instead, so inner edges make no contacts of their own.
//!
//! The depth of an overlap with one triangle can be large where a small displacement along the normal of
//! another contact removes the overlap, as for a corner below a ridge. Such contacts are dropped. The rule
//! needs a contact with the right normal: a body whose centre is behind all triangles near it has none.

use siconos_kernel::engine::vector::{add, cross, difference, dot, length, scaled};

use super::patch::Patch;
use super::reduction::{SAME_POINT, is_same_plane, is_same_point, reduce_planes};
use super::round::{self, Side};
use super::support::SupportMap;
use super::{
    EDGE, FACE, ROUNDING, Touch, drop_duplicates, edge_feature, face_feature, polyhedra, retain_from,
};
use crate::detection::placed::{PlacedCore, PlacedMesh, PlacedRound, PlacedShape};
use crate::shape::mesh::Feature;
use crate::shape::polytope::Polytope;

/// Error of the normals of polytopes.
const POLYHEDRAL: f64 = 1e-9;

/// Error of the normals of curved solids.
const CURVED: f64 = 1e-6;

/// Difference of depths from which a contact with a triangle is dropped, as a fraction of the size. The small
/// overlaps of bodies at rest do not change their contact points.
const DEEPER: f64 = 1e-3;

/// Appends the contacts of a convex body with a mesh.
pub(super) fn touches(a: &PlacedShape, mesh: &PlacedMesh, reach: f64, found: &mut Vec<Touch>) {
    let first = found.len();
    let mut deep = Vec::new();
    mesh.near(a.bounds, reach, |triangle| {
        let from = found.len();
        of_triangle(a, mesh, triangle, reach, found);
        name(mesh, triangle, from, found);
        let own = (from..).zip(&found[from..]).filter(|(_, touch)| -touch.gap > DEEPER * a.size);
        deep.extend(own.map(|(index, _)| DeepOverlap { index, triangle }));
    });
    drop_deeper(a, mesh, deep, first, found);
    drop_duplicates(found, first);
    drop_repeated(a.size, found, first);
    reduce_planes(found, first);
}

/// Contact with a triangle, given by its index, whose depth exceeds [`DEEPER`].
struct DeepOverlap {
    index: usize,
    triangle: usize,
}

/// Drops the overlaps from index `first` that a smaller displacement along the normal of another contact
/// removes: the triangle is below the plane of the other contact, and the depth of the body below this plane
/// is smaller.
fn drop_deeper(
    a: &PlacedShape,
    mesh: &PlacedMesh,
    mut deep: Vec<DeepOverlap>,
    first: usize,
    found: &mut Vec<Touch>,
) {
    let core: &dyn SupportMap = match &a.core {
        PlacedCore::Polytope(core) => core,
        PlacedCore::Round(core) => core,
        _ => return,
    };
    let (margin, rounding) = (DEEPER * a.size, SAME_POINT * a.size);
    let depth = |other: &Touch| {
        let lowest = core.farthest(scaled(-1.0, other.normal)).point;
        a.radius - dot(other.normal, difference(lowest, other.points[1]))
    };
    deep.retain(|DeepOverlap { index, triangle }| {
        let least = -found[*index].gap - margin;
        found[first..].iter().any(|other| {
            let height = |vertex: &[f64; 3]| dot(other.normal, difference(*vertex, other.points[1]));
            -other.gap < least
                && mesh.pieces[*triangle].vertices.iter().all(|vertex| height(vertex) <= rounding)
                && depth(other) < least
        })
    });
    let mut indices = first..;
    retain_from(found, first, |_, touch| {
        let own = indices.next();
        (!deep.iter().any(|dropped| Some(dropped.index) == own)).then_some(touch)
    });
}

/// Appends the contacts of a convex body with a triangle, if the centre of the body is on its outer side.
/// Features of the triangle have its own numbers.
fn of_triangle(a: &PlacedShape, mesh: &PlacedMesh, triangle: usize, reach: f64, found: &mut Vec<Touch>) {
    let piece = &mesh.pieces[triangle];
    let is_in_front = |centre| dot(piece.faces[0].normal, difference(centre, piece.vertices[0])) > 0.0;
    match &a.core {
        PlacedCore::Polytope(core) if !is_in_front(core.centre()) => {}
        PlacedCore::Round(core) if !is_in_front(core.centre) => {}
        PlacedCore::Polytope(core) => of_polytope(core, a, mesh, triangle, reach, found),
        PlacedCore::Round(core) => of_round(core, a, mesh, triangle, reach, found),
        PlacedCore::HalfSpace(_)
        | PlacedCore::Polygon(_)
        | PlacedCore::Polyline(_)
        | PlacedCore::Mesh(_)
        | PlacedCore::Solid(_) => {}
    }
}

fn of_polytope(
    core: &Polytope,
    a: &PlacedShape,
    mesh: &PlacedMesh,
    triangle: usize,
    reach: f64,
    found: &mut Vec<Touch>,
) {
    let piece = &mesh.pieces[triangle];
    let (radii, sizes) = ([a.radius, 0.0], [a.size, piece.extent.size]);
    let size = sizes[0].max(sizes[1]);
    let closest = polyhedra::closest(core, piece, radii, size, reach + a.radius);
    let Some(closest) = closest.filter(|own| own.gap <= reach) else { return };
    let first = found.len();
    let patch = |normal| Patch { normal, radii, size: sizes[0].min(sizes[1]), reach };
    if mesh.is_exposed(feature(mesh, triangle, closest.features[1]), closest.normal, POLYHEDRAL) {
        patch(closest.normal).add(core, piece, found);
        return closest.complete(2.0 * ROUNDING * size, first, found);
    }
    patch(piece.faces[0].normal).add(core, piece, found);
}

fn of_round(
    core: &PlacedRound,
    a: &PlacedShape,
    mesh: &PlacedMesh,
    triangle: usize,
    reach: f64,
    found: &mut Vec<Touch>,
) {
    let (piece, first) = (&mesh.pieces[triangle], found.len());
    let sizes = [a.size, piece.extent.size];
    round::convex([Side::Round(core), Side::Polytope(piece)], [a.radius, 0.0], sizes, reach, found);
    let has_closest = found.len() > first;
    retain_from(found, first, |_, touch| {
        let at = feature(mesh, triangle, feature_at(piece, &touch, a.size));
        mesh.is_exposed(at, touch.normal, CURVED).then_some(touch)
    });
    if has_closest && found.len() == first {
        of_points(core, piece, reach, found);
    }
}

/// Appends the contacts of points of a solid that are above a triangle: the lowest point, the apex and the
/// points of rims.
fn of_points(core: &PlacedRound, piece: &Polytope, reach: f64, found: &mut Vec<Touch>) {
    let normal = piece.faces[0].normal;
    let lowest = (face_feature(round::CURVED), core.farthest(scaled(-1.0, normal)));
    let apex = (round::APEX, core.farthest(core.axes[2]));
    let of_rims = (0..).zip(core.caps.vertices.iter().copied());
    for (number, point) in [lowest, apex].into_iter().chain(of_rims) {
        let gap = dot(normal, difference(point, piece.vertices[0]));
        if gap <= reach && piece.is_over_first_face(point) {
            let points = [point, add(point, scaled(-gap, normal))];
            found.push(Touch { points, normal, gap, features: [number, face_feature(0)] });
        }
    }
}

/// Returns the number of the feature of a triangle that contains the point of a contact. The normal of the
/// contact can have an error.
fn feature_at(piece: &Polytope, touch: &Touch, size: f64) -> u32 {
    let (face, corners, point) = (&piece.faces[0], &piece.vertices, touch.points[1]);
    if dot(touch.normal, face.normal) > 0.0 && length(cross(touch.normal, face.normal)) <= CURVED {
        return face_feature(0);
    }
    let from = |corner: u32| length(difference(point, corners[corner as usize]));
    let nearest = (0..3).min_by(|a, b| from(*a).total_cmp(&from(*b))).unwrap_or(0);
    if from(nearest) <= CURVED * size {
        return nearest;
    }
    let height = |k: u32| {
        let [a, b] = [k, (k + 1) % 3].map(|corner| corners[corner as usize]);
        let side = difference(b, a);
        length(cross(side, difference(point, a))) / length(side)
    };
    edge_feature((0..3).min_by(|a, b| height(*a).total_cmp(&height(*b))).unwrap_or(0))
}

/// Returns the feature of the mesh from the number of a feature of a triangle.
fn feature(mesh: &PlacedMesh, triangle: usize, number: u32) -> Feature {
    match number & (EDGE | FACE) {
        0 => mesh.vertex(triangle, number),
        EDGE => mesh.edge(triangle, number & !EDGE),
        _ => Feature::Face(triangle as u32),
    }
}

/// Replaces the features of a triangle by those of the mesh.
fn name(mesh: &PlacedMesh, triangle: usize, first: usize, found: &mut [Touch]) {
    for touch in &mut found[first..] {
        touch.features[1] = match feature(mesh, triangle, touch.features[1]) {
            Feature::Vertex(vertex) => vertex,
            Feature::Edge(edge) => edge_feature(edge),
            Feature::Face(face) => face_feature(face as usize),
        };
    }
}

/// Removes contacts of a point on the common edge of two triangles of a plane, except for the first.
fn drop_repeated(size: f64, found: &mut Vec<Touch>, first: usize) {
    let is_on_face = |touch: &Touch| touch.features[1] & FACE != 0;
    retain_from(found, first, |kept, own| {
        let repeats = |other: &Touch| {
            is_on_face(other)
                && other.features[0] == own.features[0]
                && is_same_point(other, &own, size)
                && is_same_plane(other, &own)
        };
        (!(is_on_face(&own) && kept.iter().any(repeats))).then_some(own)
    });
}
