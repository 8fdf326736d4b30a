//! Narrow phase: contact points of two shapes.
//!
//! All tolerances are fractions of the sizes of the shapes, so the results do not depend on units.

mod closest;
mod half_space;
mod patch;
mod planar;
mod reduction;
mod round;
#[cfg(test)]
mod round_tests;
mod separating_axis;
mod separation;
mod support;
#[cfg(test)]
mod tests;

use siconos_kernel::engine::vector::{add, difference, dot, length, scaled};

use self::closest::closest_points;
use self::patch::Patch;
use self::reduction::reduce;
use self::round::Side;
use self::separating_axis::{Axis, AxisOf, best_axis};
use super::placed::{PlacedCore, PlacedShape};
use crate::shape::polytope::Polytope;

/// Contact point of two shapes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Touch {
    /// Points of both shapes.
    pub(crate) points: [[f64; 3]; 2],
    /// Unit normal from the second shape to the first.
    pub(crate) normal: [f64; 3],
    pub(crate) gap: f64,
    /// Numbers of the features that touch.
    pub(crate) features: [u32; 2],
}

/// Bits that distinguish edges and faces from vertices in the number of a feature.
const EDGE: u32 = 1 << 30;
const FACE: u32 = 1 << 31;

/// Number of an edge as a feature. Vertices have their index as number.
fn edge_feature(edge: u32) -> u32 {
    edge | EDGE
}

/// Number of a face as a feature.
fn face_feature(face: usize) -> u32 {
    face as u32 | FACE
}

/// Separation above which distances of polytopes are computed, as a fraction of the size. Closer polytopes
/// get the normal of a separating axis: the direction of a shorter distance is a rounding error.
const RESOLVED: f64 = 1e-9;

/// Tolerance of gaps, as a fraction of the size.
const ROUNDING: f64 = 1e-13;

/// Maximum number of contact points of a pair. Pairs with a curved solid can have one more: their lowest
/// point.
pub(crate) const MOST_POINTS: usize = 8;

impl Touch {
    /// Creates the contact of two core points at the distance `gap` along the normal. The shapes consist of
    /// all points within `radii` of their cores.
    fn of_cores(
        points: [[f64; 3]; 2],
        normal: [f64; 3],
        gap: f64,
        radii: [f64; 2],
        features: [u32; 2],
    ) -> Self {
        let [a, b] = points;
        let [r, s] = radii;
        let points = [add(a, scaled(-r, normal)), add(b, scaled(s, normal))];
        Self { points, normal, gap: gap - (r + s), features }
    }

    /// Completes the contacts from index `first` of a patch with the closest points, unless the smallest gap
    /// of the patch exceeds theirs by less than a tolerance.
    fn complete(self, tolerance: f64, first: usize, found: &mut Vec<Self>) {
        // A corner that is outside the other face within the tolerance can be deeper than the separation.
        for touch in found[first..].iter_mut().filter(|touch| touch.gap < self.gap) {
            touch.gap = self.gap;
            touch.points[1] = add(touch.points[0], scaled(-touch.gap, touch.normal));
        }
        if !found[first..].iter().any(|touch| touch.gap <= self.gap + tolerance) {
            found.push(self);
        }
    }

    /// Exchanges both shapes.
    fn exchanged(self) -> Self {
        let ([a, b], [x, y]) = (self.points, self.features);
        Self { points: [b, a], normal: scaled(-1.0, self.normal), features: [y, x], ..self }
    }
}

/// Appends the contact points of two shapes with gaps of at most `reach` to `found`.
pub(crate) fn touches(a: &PlacedShape, b: &PlacedShape, reach: f64, found: &mut Vec<Touch>) {
    let first = found.len();
    let (radii, sizes) = ([a.radius, b.radius], [size(a), size(b)]);
    match (&a.core, &b.core) {
        (PlacedCore::Polytope(core), PlacedCore::HalfSpace(plane)) => {
            half_space::touches((0..).zip(core.vertices.iter().copied()), a.radius, plane, reach, found);
        }
        (PlacedCore::Polygon(core), PlacedCore::HalfSpace(plane)) => {
            let corners = core.corners().iter().map(|[x, y]| [*x, *y, 0.0]);
            half_space::touches((0..).zip(corners), a.radius, plane, reach, found);
        }
        (PlacedCore::Round(core), PlacedCore::HalfSpace(plane)) => {
            round::on_half_space(core, sizes[0], plane, reach, found);
        }
        (PlacedCore::Polytope(x), PlacedCore::Polytope(y)) => {
            polytopes(x, y, radii, sizes, reach, found);
        }
        (PlacedCore::Round(x), PlacedCore::Round(y)) => {
            round::convex([Side::Round(x), Side::Round(y)], radii, sizes, reach, found);
        }
        (PlacedCore::Round(x), PlacedCore::Polytope(y)) => {
            round::convex([Side::Round(x), Side::Polytope(y)], radii, sizes, reach, found);
        }
        (PlacedCore::Polytope(x), PlacedCore::Round(y)) => {
            round::convex([Side::Polytope(x), Side::Round(y)], radii, sizes, reach, found);
        }
        // Polygons move in the plane, and solids in space.
        (PlacedCore::Round(_), PlacedCore::Polygon(_)) | (PlacedCore::Polygon(_), PlacedCore::Round(_)) => {}
        (PlacedCore::Polygon(x), PlacedCore::Polygon(y)) => planar::polygons(x, y, reach, found),
        (PlacedCore::Polytope(x), PlacedCore::Polygon(y)) => {
            planar::disc(x.vertices[0], a.radius, y, reach, found);
        }
        (PlacedCore::HalfSpace(_) | PlacedCore::Polygon(_), _) => {
            if !matches!(b.core, PlacedCore::HalfSpace(_)) {
                touches(b, a, reach, found);
                found[first..].iter_mut().for_each(|touch| *touch = touch.exchanged());
            }
            return;
        }
    }
    drop_duplicates(found, first);
    let is_curved = [a, b].iter().any(|own| matches!(own.core, PlacedCore::Round(_)));
    reduce(found, first, MOST_POINTS + usize::from(is_curved));
}

/// Returns the length of which tolerances are fractions.
fn size(shape: &PlacedShape) -> f64 {
    match &shape.core {
        PlacedCore::Polytope(core) => core.extent.size + shape.radius,
        PlacedCore::Polygon(core) => core.extent().size,
        PlacedCore::Round(_) | PlacedCore::HalfSpace(_) => shape.size,
    }
}

/// Keeps the smallest gap of each pair of features.
fn drop_duplicates(found: &mut Vec<Touch>, first: usize) {
    found[first..].sort_by(|a, b| a.features.cmp(&b.features).then(a.gap.total_cmp(&b.gap)));
    let mut kept = first;
    for k in first..found.len() {
        if k == first || found[k].features != found[kept - 1].features {
            found[kept] = found[k];
            kept += 1;
        }
    }
    found.truncate(kept);
}

fn polytopes(
    a: &Polytope,
    b: &Polytope,
    radii: [f64; 2],
    sizes: [f64; 2],
    reach: f64,
    found: &mut Vec<Touch>,
) {
    let (around, size) = (reach + radii[0] + radii[1], sizes[0].max(sizes[1]));
    if let ([p], [q]) = (&a.vertices[..], &b.vertices[..]) {
        let apart = difference(*p, *q);
        let distance = length(apart);
        if distance <= around {
            let normal = if distance > 0.0 { scaled(1.0 / distance, apart) } else { [0.0, 0.0, 1.0] };
            found.push(Touch::of_cores([*p, *q], normal, distance, radii, [0, 0]));
        }
        return;
    }
    let axis = best_axis(a, b, around, ROUNDING * size);
    if axis.as_ref().is_some_and(|axis| axis.separation > around) {
        return;
    }
    let is_apart = axis.as_ref().is_none_or(|axis| axis.separation > RESOLVED * size);
    let nearest = if is_apart { closest_points(a, b) } else { None };
    // The distance exceeds the separation along all axes if the closest features are vertices.
    let is_longer = |distance: f64| {
        axis.as_ref().is_none_or(|axis| distance - axis.separation > ROUNDING * size + 1e-12 * distance)
    };
    let closest = match (nearest, &axis) {
        (Some(points), _) if is_longer(points.distance) => {
            Touch::of_cores(points.points, points.normal(a, b), points.distance, radii, points.features)
        }
        (_, Some(axis)) => {
            let (points, features) = axis_witness(a, b, axis);
            Touch::of_cores(points, axis.normal, axis.separation, radii, features)
        }
        (Some(points), None) => {
            Touch::of_cores(points.points, [0.0, 0.0, 1.0], points.distance, radii, points.features)
        }
        (None, None) => {
            // Cores without faces that meet: two points, or a point on a segment.
            let points = [a.vertices[0], b.vertices[0]];
            Touch::of_cores(points, [0.0, 0.0, 1.0], 0.0, radii, [0, 0])
        }
    };
    if closest.gap > reach {
        return;
    }
    let first = found.len();
    Patch { normal: closest.normal, radii, size: sizes[0].min(sizes[1]), reach }.add(a, b, found);
    closest.complete(2.0 * ROUNDING * size, first, found);
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
            (closest::of_segments(lowest.ends, highest.ends), [lowest.feature, highest.feature])
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

/// Returns the vertex that is farthest along a direction, and its index.
fn extreme(polytope: &Polytope, direction: [f64; 3], base: [f64; 3]) -> (u32, [f64; 3]) {
    let mut best = (0, f64::NEG_INFINITY);
    for (index, vertex) in polytope.vertices.iter().enumerate() {
        let along = dot(direction, difference(*vertex, base));
        if along > best.1 {
            best = (index, along);
        }
    }
    (best.0 as u32, polytope.vertices[best.0])
}
