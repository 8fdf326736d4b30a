//! Closest points of points and segments.

use siconos_kernel::engine::vector::{add, cross, difference, dot, length, scaled, unit};

use super::{ROUNDING, Touch, edge_feature};
use crate::detection::placed::PlacedShape;
use crate::shape::polytope::Polytope;

/// Sine of the largest angle between segments that count as parallel.
const PARALLEL: f64 = 1e-10;

/// Length of the shortest vector that gives the normal of cores that meet. Frames have axes of length 1, and
/// the distance of the centres is a fraction of the size.
const SIGNIFICANT: f64 = 1e-3;

/// Point or segment with a radius.
#[derive(Clone, Copy)]
pub(super) struct Thin {
    /// Ends of the segment. They are equal for a point.
    ends: [[f64; 3]; 2],
    radius: f64,
    /// Axes of the frame of the body.
    axes: [[f64; 3]; 3],
}

/// Points of two segments.
#[derive(Clone, Copy)]
struct Pair {
    points: [[f64; 3]; 2],
    features: [u32; 2],
}

impl Thin {
    /// Creates the segment between the first and the last vertex.
    pub(super) fn new(core: &Polytope, placed: &PlacedShape) -> Self {
        let last = core.vertices.len() - 1;
        Self { ends: [core.vertices[0], core.vertices[last]], radius: placed.radius, axes: placed.axes }
    }

    fn centre(self) -> [f64; 3] {
        add(self.ends[0], scaled(0.5, self.along()))
    }

    fn along(self) -> [f64; 3] {
        difference(self.ends[1], self.ends[0])
    }

    /// Returns the closest point of the segment to a point, and its feature.
    fn foot(self, point: [f64; 3]) -> ([f64; 3], u32) {
        let (foot, end) = foot(point, self.ends);
        (foot, end.map_or(edge_feature(0), |end| end as u32))
    }
}

/// Returns the point of a segment that is closest to a point, and the index of the end if it is an end.
pub(super) fn foot(point: [f64; 3], ends: [[f64; 3]; 2]) -> ([f64; 3], Option<usize>) {
    let along = difference(ends[1], ends[0]);
    let (t, all) = (dot(along, difference(point, ends[0])), dot(along, along));
    if t <= 0.0 {
        (ends[0], Some(0))
    } else if t >= all {
        (ends[1], Some(1))
    } else {
        (add(ends[0], scaled(t / all, along)), None)
    }
}

/// Returns the contact of two points or segments with radii at their closest points.
pub(super) fn closest(a: Thin, b: Thin, size: f64) -> Touch {
    let Pair { points, features } = closest_points(a, b);
    let apart = difference(points[0], points[1]);
    let distance = length(apart);
    let is_meeting = distance <= ROUNDING * size;
    let normal = if is_meeting { None } else { normal([a, b], apart, features) };
    let normal = normal.unwrap_or_else(|| meeting_normal(a, b, size));
    Touch::of_cores(points, normal, if is_meeting { 0.0 } else { distance }, [a.radius, b.radius], features)
}

fn closest_points(a: Thin, b: Thin) -> Pair {
    let from_a = [0, 1].map(|end: u32| {
        let point = a.ends[end as usize];
        let (foot, feature) = b.foot(point);
        Pair { points: [point, foot], features: [end, feature] }
    });
    let from_b = [0, 1].map(|end: u32| {
        let point = b.ends[end as usize];
        let (foot, feature) = a.foot(point);
        Pair { points: [foot, point], features: [feature, end] }
    });
    let squared = |pair: &Pair| {
        let apart = difference(pair.points[0], pair.points[1]);
        dot(apart, apart)
    };
    let all = crossing(a, b).into_iter().chain(from_a).chain(from_b);
    let least = |best: Pair, pair: Pair| if squared(&pair) < squared(&best) { pair } else { best };
    all.reduce(least).unwrap_or(from_a[0])
}

/// Returns the closest points of two lines, if they are inside both segments.
fn crossing(a: Thin, b: Thin) -> Option<Pair> {
    let (u, v, w) = (a.along(), b.along(), difference(b.ends[0], a.ends[0]));
    let across = cross(u, v);
    let squared = dot(across, across);
    if squared <= PARALLEL * PARALLEL * dot(u, u) * dot(v, v) {
        return None;
    }
    let [s, t] = [v, u].map(|along| dot(cross(w, along), across) / squared);
    let is_inside = [s, t].iter().all(|x| (0.0..=1.0).contains(x));
    let points = [add(a.ends[0], scaled(s, u)), add(b.ends[0], scaled(t, v))];
    is_inside.then_some(Pair { points, features: [edge_feature(0); 2] })
}

/// Returns the normal of two closest points from the difference of the points. It is perpendicular to
/// segments that contain a point in their interior.
fn normal(sides: [Thin; 2], apart: [f64; 3], features: [u32; 2]) -> Option<[f64; 3]> {
    let mut inside = (0..2).filter(|side| features[*side] == edge_feature(0)).map(|side| sides[side].along());
    match (inside.next(), inside.next()) {
        (Some(u), Some(v)) => {
            unit(cross(u, v)).map(|normal| scaled(1.0_f64.copysign(dot(normal, apart)), normal))
        }
        (Some(along), None) => unit(difference(apart, scaled(dot(apart, along) / dot(along, along), along))),
        _ => unit(apart),
    }
}

/// Returns a normal of two cores that meet. It is perpendicular to the segments, rotates with the bodies, and
/// has the opposite direction if the bodies are exchanged, unless they are equal.
fn meeting_normal(a: Thin, b: Thin, size: f64) -> [f64; 3] {
    let [u, v] = [a, b].map(|own| unit(own.along()));
    let across = u.zip(v).map(|(u, v)| cross(u, v)).filter(|across| length(*across) > PARALLEL);
    if let Some(normal) = across.and_then(unit) {
        return normal;
    }
    let along = u.or(v).unwrap_or([0.0; 3]);
    let across = |vector: [f64; 3]| difference(vector, scaled(dot(vector, along), along));
    let centres = scaled(1.0 / size, difference(a.centre(), b.centre()));
    let axes = || a.axes.into_iter().zip(b.axes);
    let of_frames = axes().map(|(x, y)| difference(x, y));
    let of_centres = axes().map(|(x, y)| cross(centres, add(x, y)));
    let mut candidates = of_frames.chain(of_centres).map(across);
    if let Some(normal) = candidates.find(|vector| length(*vector) > SIGNIFICANT).and_then(unit) {
        return normal;
    }
    // Both bodies have one centre and one frame.
    let is_smaller =
        |own: Thin, other: Thin| [length(own.along()), own.radius] < [length(other.along()), other.radius];
    let sign = if is_smaller(a, b) { -1.0 } else { 1.0 };
    scaled(sign, unit(across(a.axes[0])).unwrap_or(a.axes[1]))
}
