//! Planes and extents of points.

use siconos_kernel::engine::vector::{add, cross, difference, dot, length, scaled, unit};

/// Returns the thickness of a layer that contains points: the extent perpendicular to two directions in which
/// the points are spread. It is 0 if the points lie on a line.
pub(super) fn thickness(points: &[[f64; 3]]) -> f64 {
    normal(points).map_or(0.0, |normal| {
        let along = points.iter().map(|p| dot(normal, difference(*p, points[0])));
        let [low, high] = along.fold([0.0_f64; 2], |[low, high], x| [low.min(x), high.max(x)]);
        high - low
    })
}

/// Returns a unit vector perpendicular to two directions in which points are spread. Only a rotation about
/// the first direction, in which the points are spread most, is sensitive to errors of the points.
pub(super) fn normal(points: &[[f64; 3]]) -> Option<[f64; 3]> {
    let base = *points.first()?;
    let first = add(base, farthest(points, |p| difference(p, base))?);
    let along = farthest(points, |p| difference(p, first))?;
    let (last, along) = (add(first, along), unit(along)?);
    let across = |p: [f64; 3]| {
        let [near, far] = [difference(p, first), difference(p, last)];
        let from = if dot(near, near) < dot(far, far) { near } else { far };
        difference(from, scaled(dot(along, from), along))
    };
    unit(cross(along, farthest(points, across)?))
}

/// Returns the longest vector of points.
fn farthest(points: &[[f64; 3]], vector: impl Fn([f64; 3]) -> [f64; 3]) -> Option<[f64; 3]> {
    points.iter().map(|p| vector(*p)).max_by(|a, b| length(*a).total_cmp(&length(*b)))
}
