//! Reduction of the contact points of a pair.

use siconos_kernel::engine::vector::{cross, difference, dot, length};

use super::{MOST_POINTS, Touch};

/// Relative difference below which two gaps or two distances count as equal. At rest they differ by rounding
/// errors, which must not decide which points are kept.
const EQUAL: f64 = 1e-6;

/// Sine of the largest angle between normals of a common plane of contact.
const SAME_PLANE: f64 = 1e-6;

/// Keeps at most `most` of the contact points from index `first`: the point with the smallest gap, and then
/// always the point that is farthest from the points that are kept. If several points count as equal, the
/// point whose features have the smallest numbers is kept, so the result does not depend on the order of the
/// points. The points are then ordered by their features.
pub(super) fn reduce(found: &mut Vec<Touch>, first: usize, most: usize) {
    if found.len() - first <= most {
        return;
    }
    let own = &mut found[first..];
    own.sort_by_key(|touch| touch.features);
    let apart = |a: &Touch, b: &Touch| length(difference(a.points[0], b.points[0]));
    let extent = own.iter().map(|touch| apart(touch, &own[0])).fold(0.0, f64::max);
    let least = own.iter().map(|touch| touch.gap).fold(f64::INFINITY, f64::min);
    let deepest = own.iter().position(|touch| touch.gap <= least + EQUAL * extent);
    bring_forward(own, 0, deepest);
    for kept in 1..most {
        let (chosen, others) = own.split_at(kept);
        let distance =
            |touch: &Touch| chosen.iter().map(|other| apart(touch, other)).fold(f64::INFINITY, f64::min);
        let farthest = others.iter().map(distance).fold(0.0, f64::max);
        let next = others.iter().position(|touch| distance(touch) >= farthest - EQUAL * extent);
        bring_forward(own, kept, next.map(|next| kept + next));
    }
    found.truncate(first + most);
    found[first..].sort_by_key(|touch| touch.features);
}

/// Moves the element at index `from` to index `to`; the elements between them move back by one.
fn bring_forward(own: &mut [Touch], to: usize, from: Option<usize>) {
    if let Some(from) = from {
        own[to..=from].rotate_right(1);
    }
}

/// Distance of points that count as equal, as a fraction of the size.
pub(super) const SAME_POINT: f64 = 1e-9;

/// Returns `true` if two contacts have equal points on the first shape, except for a tolerance.
pub(super) fn is_same_point(a: &Touch, b: &Touch, size: f64) -> bool {
    length(difference(a.points[0], b.points[0])) <= SAME_POINT * size
}

/// Returns `true` if two contacts have equal normals, except for a tolerance.
pub(super) fn is_same_plane(a: &Touch, b: &Touch) -> bool {
    dot(a.normal, b.normal) > 0.0 && length(cross(a.normal, b.normal)) <= SAME_PLANE
}

/// Reduces the contacts of each plane of contact.
pub(super) fn reduce_planes(found: &mut Vec<Touch>, first: usize) {
    let mut done = first;
    while found.len() - done > 1 {
        let of_plane = found[done];
        // Other planes come first. The sort allocates no memory; features are different.
        found[done..].sort_unstable_by_key(|touch| (is_same_plane(touch, &of_plane), touch.features));
        let others = found[done..].iter().filter(|touch| !is_same_plane(touch, &of_plane)).count();
        reduce(found, done + others, MOST_POINTS);
        found[done..].rotate_left(others);
        done = found.len() - others;
    }
    found[first..].sort_unstable_by_key(|touch| touch.features);
}
