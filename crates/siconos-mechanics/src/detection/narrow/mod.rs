//! Narrow phase: contact points of two shapes.
//!
//! All tolerances are fractions of the sizes of the shapes, so the results do not depend on units.

mod closest;
mod half_space;
mod mesh;
#[cfg(test)]
mod mesh_tests;
mod newton;
mod patch;
mod planar;
#[cfg(test)]
mod planar_tests;
mod polyhedra;
mod polyline;
mod reduction;
mod rim;
mod round;
#[cfg(test)]
mod round_tests;
mod separating_axis;
mod separation;
mod solid;
mod support;
#[cfg(test)]
mod tests;
mod thin;

use siconos_kernel::engine::vector::{add, difference, dot, scaled};

use self::patch::Patch;
use self::reduction::reduce;
use self::round::Side;
use self::thin::Thin;
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
pub(super) const EDGE: u32 = 1 << 30;
const FACE: u32 = 1 << 31;

/// Number of an edge as a feature. Vertices have their index as number.
fn edge_feature(edge: u32) -> u32 {
    edge | EDGE
}

/// Number of a face as a feature.
fn face_feature(face: usize) -> u32 {
    face as u32 | FACE
}

/// Distance below which polytopes get the normal of a separating axis, as a fraction of the size: the
/// direction of a shorter distance is a rounding error.
const RESOLVED: f64 = 1e-9;

/// Tolerance of gaps, as a fraction of the size.
const ROUNDING: f64 = 1e-13;

/// Maximum number of contact points of a pair. Pairs with a curved solid can have one more: their lowest
/// point.
pub(crate) const MOST_POINTS: usize = 8;

impl Touch {
    /// Creates the contact of two core points at the distance `gap` along the normal. The shapes consist of
    /// all points within `radii` of their cores.
    pub(super) fn of_cores(
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
    let (radii, sizes) = ([a.radius, b.radius], [a.size, b.size]);
    match (&a.core, &b.core) {
        (PlacedCore::Solid(solid), _) => return solid::touches(solid, a.size, b, reach, found),
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
            polytopes([a, b], [x, y], reach, found);
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
        (PlacedCore::Polytope(_) | PlacedCore::Round(_), PlacedCore::Mesh(mesh)) => {
            return mesh::touches(a, mesh, reach, found);
        }
        // Meshes are surfaces of fixed and driven bodies, as half-spaces are.
        (PlacedCore::Mesh(_), PlacedCore::Mesh(_) | PlacedCore::HalfSpace(_) | PlacedCore::Polygon(_))
        | (PlacedCore::HalfSpace(_) | PlacedCore::Polygon(_), PlacedCore::Mesh(_)) => {}
        // Polygons move in the plane, and solids in space.
        (PlacedCore::Round(_), PlacedCore::Polygon(_)) | (PlacedCore::Polygon(_), PlacedCore::Round(_)) => {}
        (PlacedCore::Polytope(_) | PlacedCore::Polygon(_), PlacedCore::Polyline(line)) => {
            return polyline::touches(a, line, reach, found);
        }
        // Polylines are walls of fixed and driven bodies in the plane.
        (
            PlacedCore::HalfSpace(_) | PlacedCore::Round(_) | PlacedCore::Mesh(_) | PlacedCore::Polyline(_),
            PlacedCore::Polyline(_),
        ) => {}
        (PlacedCore::Polygon(x), PlacedCore::Polygon(y)) => planar::polygons(x, y, radii, reach, found),
        (PlacedCore::Polytope(x), PlacedCore::Polygon(y)) => {
            planar::disc(x.vertices[0], y, radii, reach, found);
        }
        (
            PlacedCore::HalfSpace(_) | PlacedCore::Polygon(_) | PlacedCore::Polyline(_) | PlacedCore::Mesh(_),
            _,
        )
        | (PlacedCore::Polytope(_) | PlacedCore::Round(_), PlacedCore::Solid(_)) => {
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

/// Keeps the smallest gap of each pair of features.
pub(super) fn drop_duplicates(found: &mut Vec<Touch>, first: usize) {
    found[first..].sort_by(|a, b| a.features.cmp(&b.features).then(a.gap.total_cmp(&b.gap)));
    retain_from(found, first, |kept, touch| {
        kept.last().is_none_or(|last| last.features != touch.features).then_some(touch)
    });
}

/// Replaces each contact from index `first` by the result of `keep`, and removes it if the result is `None`.
/// `keep` receives the contacts from this index that were kept before, and the contact.
fn retain_from(found: &mut Vec<Touch>, first: usize, mut keep: impl FnMut(&[Touch], Touch) -> Option<Touch>) {
    let mut kept = first;
    for k in first..found.len() {
        if let Some(touch) = keep(&found[first..kept], found[k]) {
            found[kept] = touch;
            kept += 1;
        }
    }
    found.truncate(kept);
}

/// Appends the contacts of two shapes from their cores.
fn polytopes(shapes: [&PlacedShape; 2], [a, b]: [&Polytope; 2], reach: f64, found: &mut Vec<Touch>) {
    let [radii, sizes] = [shapes.map(|own| own.radius), shapes.map(|own| own.size)];
    let (around, size) = (reach + radii[0] + radii[1], sizes[0].max(sizes[1]));
    let closest = if a.faces.is_empty() && b.faces.is_empty() {
        Some(thin::closest(Thin::new(a, shapes[0]), Thin::new(b, shapes[1]), size))
    } else {
        polyhedra::closest(a, b, radii, size, around)
    };
    let Some(closest) = closest.filter(|own| own.gap <= reach) else { return };
    let first = found.len();
    Patch { normal: closest.normal, radii, size: sizes[0].min(sizes[1]), reach }.add(a, b, found);
    closest.complete(2.0 * ROUNDING * size, first, found);
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
