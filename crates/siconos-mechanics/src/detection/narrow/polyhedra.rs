//! Closest points of two polytopes of which one has faces.

use siconos_kernel::engine::vector::{add, difference, dot, length, scaled, unit};

use super::closest::{ClosestPoints, closest_points, of_segments};
use super::separating_axis::{Axis, AxisOf, best_edges, best_face, separation};
use super::support::SupportMap;
use super::thin::foot;
use super::{RESOLVED, ROUNDING, Touch, edge_feature, extreme, face_feature};
use crate::shape::polytope::Polytope;

/// Returns the contact at the closest points of two polytopes; `None` if their distance exceeds `around`.
pub(super) fn closest(a: &Polytope, b: &Polytope, radii: [f64; 2], size: f64, around: f64) -> Option<Touch> {
    let rounding = ROUNDING * size;
    let centres = unit(difference(a.centre(), b.centre()));
    if centres.is_some_and(|along| separation(a, b, along) > around) {
        return None;
    }
    let mut axis = best_face(a, b, rounding)?;
    if axis.separation <= rounding {
        axis = best_edges(a, b, axis, rounding);
    }
    if axis.separation > around {
        return None;
    }
    if axis.separation > rounding
        && let Some(nearest) = at_closest_points(a, b, &axis, radii, size)
    {
        return Some(nearest);
    }
    Some(at_axis(a, b, &best_edges(a, b, axis, rounding), radii))
}

/// Returns the contact at the closest points, or at the normal of a face if the distance is its separation;
/// `None` if the distance is not resolved, or is a separation of edges.
fn at_closest_points(a: &Polytope, b: &Polytope, axis: &Axis, radii: [f64; 2], size: f64) -> Option<Touch> {
    let tolerance = |nearest: &ClosestPoints| ROUNDING * size + 1e-12 * nearest.distance;
    let is_resolved = |nearest: &ClosestPoints| nearest.distance > RESOLVED * size;
    let is_of_face = |nearest: &ClosestPoints| nearest.distance - axis.separation <= tolerance(nearest);
    // The separation along a normal does not exceed the distance.
    let is_accurate = |nearest: &ClosestPoints| {
        let attained = separation(a, b, nearest.normal(a, b));
        is_of_face(nearest) || nearest.distance - attained <= 10.0 * tolerance(nearest)
    };
    let accurate = |nearest: ClosestPoints| Some(nearest).filter(is_resolved).filter(is_accurate);
    let nearest = closest_points(a, b).and_then(accurate).or_else(|| accurate(of_vertices(a, b)))?;
    if is_of_face(&nearest) {
        return Some(at_axis(a, b, axis, radii));
    }
    Some(Touch::of_cores(nearest.points, nearest.normal(a, b), nearest.distance, radii, nearest.features))
}

/// Returns the closest points of all vertices and edges, except for pairs of edges. It is accurate for
/// needles and plates.
fn of_vertices(a: &Polytope, b: &Polytope) -> ClosestPoints {
    let mut best =
        ClosestPoints { points: [a.vertices[0], b.vertices[0]], distance: f64::INFINITY, features: [0; 2] };
    for (side, own, other) in [(0, a, b), (1, b, a)] {
        for (vertex, &point) in own.vertices.iter().enumerate() {
            for (edge, ends) in other.edges.iter().enumerate() {
                let (foot, on_edge) = foot(point, ends.map(|end| other.vertices[end as usize]));
                let distance = length(difference(point, foot));
                if distance < best.distance {
                    let feature = on_edge.map_or(edge_feature(edge as u32), |end| ends[end]);
                    best =
                        ClosestPoints { points: [point, foot], distance, features: [vertex as u32, feature] };
                    if side == 1 {
                        best.points.reverse();
                        best.features.reverse();
                    }
                }
            }
        }
    }
    best
}

/// Returns the contact at the points of both cores that attain the separation along an axis.
fn at_axis(a: &Polytope, b: &Polytope, axis: &Axis, radii: [f64; 2]) -> Touch {
    let (points, features) = axis_witness(a, b, axis);
    Touch::of_cores(points, axis.normal, axis.separation, radii, features)
}

/// Returns the points of both cores that attain the separation along an axis.
fn axis_witness(a: &Polytope, b: &Polytope, axis: &Axis) -> ([[f64; 3]; 2], [u32; 2]) {
    match axis.of {
        AxisOf::FaceOfSecond(face) => {
            let base = b.vertices[b.faces[face].vertices[0] as usize];
            let (vertex, point) = extreme(a, scaled(-1.0, axis.normal), base);
            let foot = add(point, scaled(-axis.separation, axis.normal));
            ([point, foot], [vertex, face_feature(face)])
        }
        AxisOf::FaceOfFirst(face) => {
            let base = a.vertices[a.faces[face].vertices[0] as usize];
            let (vertex, point) = extreme(b, axis.normal, base);
            let foot = add(point, scaled(axis.separation, axis.normal));
            ([foot, point], [face_feature(face), vertex])
        }
        AxisOf::Edges([d, e]) => {
            let lowest = Support::of(a, d, scaled(-1.0, axis.normal));
            let highest = Support::of(b, e, axis.normal);
            (of_segments(lowest.ends, highest.ends), [lowest.feature, highest.feature])
        }
    }
}

/// Edge of a polytope that is farthest along a normal. If a vertex is farther than all edges of a direction,
/// both ends are this vertex.
struct Support {
    ends: [[f64; 3]; 2],
    feature: u32,
}

impl Support {
    fn of(polytope: &Polytope, direction: [f64; 3], normal: [f64; 3]) -> Self {
        let base = polytope.vertices[0];
        let height = |p: [f64; 3]| dot(normal, difference(p, base));
        let (vertex, highest) = extreme(polytope, normal, base);
        let mut best = (f64::NEG_INFINITY, Self { ends: [highest; 2], feature: vertex });
        for (index, edge) in polytope.edges.iter().enumerate() {
            let ends = edge.map(|vertex| polytope.vertices[vertex as usize]);
            let along = difference(ends[1], ends[0]);
            let is_parallel = dot(along, direction).abs() > (1.0 - 1e-9) * length(along);
            let lower = height(ends[0]).min(height(ends[1]));
            if is_parallel && lower > best.0 && height(highest) - lower <= 1e-9 * length(along) {
                best = (lower, Self { ends, feature: edge_feature(index as u32) });
            }
        }
        best.1
    }
}
