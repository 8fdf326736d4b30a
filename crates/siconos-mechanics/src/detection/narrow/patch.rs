//! Contact patch of two polytopes: the corners of the overlap of two faces, or of a face and a segment.
//!
//! Both faces are projected along the normal of the contact. The gap at a corner of their overlap is the
//! distance of both planes along the normal. Corners are named by the features that make them: a vertex of
//! one face over the other face, or the crossing of two edges.

use siconos_kernel::engine::vector::{add, cross, difference, dot, length, scaled};

use super::rim::Disc;
use super::{Touch, edge_feature, face_feature};
use crate::shape::polytope::{Face, Polytope};

/// Cosine of the largest angle between the normal of a contact and the normal of a face in a patch.
const STEEP: f64 = 0.1;

/// Distance from an outline at which a corner counts as inside, as a fraction of the size.
const INSIDE: f64 = 1e-9;

/// Sine of the largest angle between segments that touch at two points.
const NEARLY_PARALLEL: f64 = 0.1;

/// Data of a patch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch {
    /// Normal from the second polytope to the first.
    pub(super) normal: [f64; 3],
    pub(super) radii: [f64; 2],
    /// Size of the smaller polytope.
    pub(super) size: f64,
    /// Maximum gap.
    pub(super) reach: f64,
}

/// Side of a patch: a face, or a segment.
#[derive(Clone, Copy)]
struct Outline<'a> {
    polytope: &'a Polytope,
    /// Face and its index; `None` for a segment.
    face: Option<(usize, &'a Face)>,
}

impl<'a> Outline<'a> {
    /// Returns the face whose normal is closest to `outward`, or the segment.
    fn of(polytope: &'a Polytope, outward: [f64; 3]) -> Option<Self> {
        let faces = polytope.faces.iter().enumerate();
        let best = faces.max_by(|(_, a), (_, b)| dot(outward, a.normal).total_cmp(&dot(outward, b.normal)));
        match best {
            Some((_, face)) if dot(outward, face.normal) < STEEP => None,
            Some(best) => Some(Self { polytope, face: Some(best) }),
            None if polytope.edges.len() == 1 => Some(Self { polytope, face: None }),
            None => None,
        }
    }

    fn vertices(self) -> &'a [u32] {
        self.face.map_or(&[0, 1], |(_, face)| &face.vertices)
    }

    fn edges(self) -> &'a [u32] {
        self.face.map_or(&[0], |(_, face)| &face.edges)
    }

    /// Returns the disc whose rim contains the corners of the face.
    fn disc(self) -> Option<Disc> {
        let (_, face) = self.face.filter(|(_, face)| face.is_disc)?;
        Some(Disc::of(self.polytope, face))
    }

    fn point(self, vertex: u32) -> [f64; 3] {
        self.polytope.vertices[vertex as usize]
    }

    /// Returns the ends of side k.
    fn side(self, k: usize) -> [[f64; 3]; 2] {
        let vertices = self.vertices();
        [self.point(vertices[k]), self.point(vertices[(k + 1) % vertices.len()])]
    }

    /// Returns the distance along `direction` from a point to the plane of the face, if the projection of the
    /// point along it is inside the face. `up` is the direction from which the outline is counterclockwise.
    fn distance_over(
        self,
        point: [f64; 3],
        direction: [f64; 3],
        up: [f64; 3],
        tolerance: f64,
    ) -> Option<f64> {
        let (_, face) = self.face?;
        let is_inside = |k: usize| {
            let [a, b] = self.side(k);
            let inward = cross(up, difference(b, a));
            dot(inward, difference(point, a)) >= -tolerance * length(inward)
        };
        let is_over = match self.disc() {
            Some(disc) => disc.is_over(point, direction, tolerance),
            None => (0..face.vertices.len()).all(is_inside),
        };
        if !is_over {
            return None;
        }
        let base = self.point(face.vertices[0]);
        Some(dot(face.normal, difference(base, point)) / dot(face.normal, direction))
    }
}

impl Patch {
    /// Appends the contact points of a patch.
    pub(super) fn add(self, a: &Polytope, b: &Polytope, found: &mut Vec<Touch>) {
        let down = scaled(-1.0, self.normal);
        let (Some(x), Some(y)) = (Outline::of(a, down), Outline::of(b, self.normal)) else { return };
        match (x.face, y.face) {
            (None, None) => self.add_segments(x, y, found),
            _ => self.add_faces(x, y, found),
        }
    }

    fn push(self, points: [[f64; 3]; 2], gap: f64, features: [u32; 2], found: &mut Vec<Touch>) {
        let touch = Touch::of_cores(points, self.normal, gap, self.radii, features);
        if touch.gap <= self.reach {
            found.push(touch);
        }
    }

    fn add_faces(self, x: Outline<'_>, y: Outline<'_>, found: &mut Vec<Touch>) {
        let (up, down, tolerance) = (self.normal, scaled(-1.0, self.normal), INSIDE * self.size);
        let mut corners: Vec<[f64; 3]> = Vec::new();
        let is_new = |corners: &[[f64; 3]], point: [f64; 3]| {
            let across = |other: &[f64; 3]| length(cross(up, difference(point, *other)));
            corners.iter().all(|other| across(other) > tolerance)
        };
        for &vertex in x.vertices() {
            let point = x.point(vertex);
            if let (Some(gap), Some((face, _))) = (y.distance_over(point, down, up, tolerance), y.face) {
                let other = add(point, scaled(gap, down));
                corners.push(point);
                self.push([point, other], gap, [vertex, face_feature(face)], found);
            }
        }
        for &vertex in y.vertices() {
            let point = y.point(vertex);
            if let (Some(gap), Some((face, _))) = (x.distance_over(point, up, down, tolerance), x.face)
                && is_new(&corners, point)
            {
                let other = add(point, scaled(gap, up));
                corners.push(point);
                self.push([other, point], gap, [face_feature(face), vertex], found);
            }
        }
        crossings_of_outlines(x, y, up, tolerance, &mut |points, features| {
            if is_new(&corners, points[0]) {
                corners.push(points[0]);
                let gap = dot(up, difference(points[0], points[1]));
                self.push(points, gap, features.map(edge_feature), found);
            }
        });
    }

    /// Appends the ends of the overlap of two segments that are nearly parallel.
    fn add_segments(self, x: Outline<'_>, y: Outline<'_>, found: &mut Vec<Touch>) {
        let (own, other) = (x.side(0), y.side(0));
        let (along, along_other) = (difference(own[1], own[0]), difference(other[1], other[0]));
        let lengths = length(along) * length(along_other);
        if length(cross(along, along_other)) > NEARLY_PARALLEL * lengths {
            return;
        }
        let foot = |point: [f64; 3], [a, b]: [[f64; 3]; 2]| {
            let along = difference(b, a);
            let t = dot(along, difference(point, a)) / dot(along, along);
            // Ends that are opposite to each other are inside except for rounding.
            let inside = t.clamp(0.0, 1.0);
            let is_inside = (t - inside).abs() * length(along) <= INSIDE * self.size;
            is_inside.then(|| add(a, scaled(inside, along)))
        };
        let gap = |points: [[f64; 3]; 2]| dot(self.normal, difference(points[0], points[1]));
        let mut ends: Vec<[f64; 3]> = Vec::new();
        for (vertex, &point) in own.iter().enumerate() {
            if let Some(other) = foot(point, other) {
                ends.push(point);
                self.push([point, other], gap([point, other]), [vertex as u32, edge_feature(0)], found);
            }
        }
        for (vertex, &point) in other.iter().enumerate() {
            let Some(own) = foot(point, own) else { continue };
            if ends.iter().all(|end| length(difference(*end, own)) > INSIDE * self.size) {
                self.push([own, point], gap([own, point]), [edge_feature(0), vertex as u32], found);
            }
        }
    }
}

/// Calls `add` with the points of two outlines whose projections along `up` cross, and the edges that contain
/// them. The first and second edge of a disc stand for the two crossings of its rim.
fn crossings_of_outlines(
    x: Outline<'_>,
    y: Outline<'_>,
    up: [f64; 3],
    tolerance: f64,
    add: &mut dyn FnMut([[f64; 3]; 2], [u32; 2]),
) {
    match (x.disc(), y.disc()) {
        (None, None) => {
            for (k, &edge) in x.edges().iter().enumerate() {
                for (l, &other) in y.edges().iter().enumerate() {
                    if let Some(points) = crossing(x.side(k), y.side(l), up) {
                        add(points, [edge, other]);
                    }
                }
            }
        }
        (Some(disc), None) => {
            for (l, &other) in y.edges().iter().enumerate() {
                for (points, &edge) in disc.crossings(y.side(l), up).into_iter().zip(x.edges()) {
                    points.into_iter().for_each(|points| add(points, [edge, other]));
                }
            }
        }
        (None, Some(_)) => {
            let mut exchanged = |[p, q]: [[f64; 3]; 2], [edge, other]: [u32; 2]| add([q, p], [other, edge]);
            crossings_of_outlines(y, x, up, tolerance, &mut exchanged);
        }
        (Some(disc), Some(other)) => {
            let common = disc.common(other, up, tolerance).into_iter();
            for (points, (&edge, &other)) in common.zip(x.edges().iter().zip(y.edges())) {
                points.into_iter().for_each(|points| add(points, [edge, other]));
            }
        }
    }
}

/// Returns the points of two segments that cross if they are projected along `up`.
fn crossing([a, b]: [[f64; 3]; 2], [c, d]: [[f64; 3]; 2], up: [f64; 3]) -> Option<[[f64; 3]; 2]> {
    let (u, v, w) = (difference(b, a), difference(d, c), difference(c, a));
    let determinant = dot(up, cross(u, v));
    let scale = length(u) * length(v);
    if determinant.abs() <= 1e-10 * scale {
        return None;
    }
    let s = dot(up, cross(w, v)) / determinant;
    let t = dot(up, cross(w, u)) / determinant;
    let is_within = |x: f64| (0.0..=1.0).contains(&x);
    (is_within(s) && is_within(t)).then(|| [add(a, scaled(s, u)), add(c, scaled(t, v))])
}
