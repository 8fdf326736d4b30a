//! Reduction of the contact points of a pair.

use siconos_kernel::engine::vector::{difference, dot};

use super::Touch;

/// Keeps at most `most` of the contact points from index `first`: the point with the smallest gap, and then
/// always the point that is farthest from the points that are kept. Ties are decided by the features, so the
/// result does not depend on the order of the points. The points are then ordered by their features.
pub(super) fn reduce(found: &mut Vec<Touch>, first: usize, most: usize) {
    if found.len() - first <= most {
        return;
    }
    let own = &mut found[first..];
    own.sort_by(|a, b| a.gap.total_cmp(&b.gap).then(a.features.cmp(&b.features)));
    for kept in 1..most {
        let distance = |touch: &Touch| {
            let to = |other: &Touch| {
                let apart = difference(touch.points[0], other.points[0]);
                dot(apart, apart)
            };
            own[..kept].iter().map(to).fold(f64::INFINITY, f64::min)
        };
        let farther = |a: &usize, b: &usize| {
            distance(&own[*a]).total_cmp(&distance(&own[*b])).then(own[*b].features.cmp(&own[*a].features))
        };
        if let Some(next) = (kept..own.len()).max_by(farther) {
            own.swap(kept, next);
        }
    }
    found.truncate(first + most);
    found[first..].sort_by_key(|touch| touch.features);
}
