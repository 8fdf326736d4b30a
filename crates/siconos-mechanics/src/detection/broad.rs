//! Broad phase: pairs of shapes whose bounds overlap.

use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhWorkspace};

/// Fraction of its extent by which the bounds of a shape in the tree are enlarged, so that the tree does not
/// change in every step.
const LOOSE: f64 = 0.05;

/// Tree of the bounds of shapes.
#[derive(Clone, Default)]
pub(crate) struct BroadPhase {
    tree: Bvh,
    workspace: BvhWorkspace,
    pairs: Vec<[u32; 2]>,
}

impl std::fmt::Debug for BroadPhase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BroadPhase").field("pairs", &self.pairs.len()).finish_non_exhaustive()
    }
}

impl BroadPhase {
    /// Removes a shape.
    pub(crate) fn remove(&mut self, index: u32) {
        self.tree.remove(index);
    }

    /// Returns the pairs of shapes whose bounds overlap, ordered by both indices; the smaller index is the
    /// first. Bounds that are not finite are ignored. The result does not depend on earlier calls.
    pub(crate) fn pairs(&mut self, bounds: &[[[f64; 3]; 2]]) -> &[[u32; 2]] {
        let Self { tree, workspace, pairs } = self;
        for (index, [low, high]) in bounds.iter().enumerate() {
            if low.iter().chain(high).all(|x| x.is_finite()) {
                let corner = |[x, y, z]: [f64; 3]| Vector::new(x, y, z);
                let extent = (0..3).map(|axis| high[axis] - low[axis]).fold(0.0, f64::max);
                let own = Aabb::new(corner(*low), corner(*high));
                tree.insert_or_update_partially(own, index as u32, LOOSE * extent);
            }
        }
        tree.refit(workspace);
        tree.optimize_incremental(workspace);
        pairs.clear();
        tree.traverse_bvtt_single_tree::<false>(workspace, &mut |a, b| {
            // The bounds in the tree are enlarged, by amounts that depend on earlier steps.
            if overlap(&bounds[a as usize], &bounds[b as usize]) {
                pairs.push([a.min(b), a.max(b)]);
            }
        });
        pairs.sort_unstable();
        pairs
    }
}

/// Returns `true` if two bounds overlap.
pub(crate) fn overlap([low, high]: &[[f64; 3]; 2], [from, to]: &[[f64; 3]; 2]) -> bool {
    (0..3).all(|axis| low[axis] <= to[axis] && from[axis] <= high[axis])
}
