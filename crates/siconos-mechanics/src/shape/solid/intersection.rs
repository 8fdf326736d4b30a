//! Search for triangles of a closed mesh that intersect each other.

use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy};

use super::lump::Lump;
use super::overlap::{Triangle, overlap};

/// Returns the first pair of triangles of a mesh that overlap by more than `depth`.
pub(super) fn intersection(mesh: &Lump, depth: f64) -> Option<[usize; 2]> {
    let triangle = |index: usize| Triangle { corners: mesh.triangles[index], points: mesh.corners(index) };
    let bounds = |index: usize| Aabb::from_points(mesh.corners(index).map(|[x, y, z]| Vector::new(x, y, z)));
    let leaves: Vec<Aabb> = (0..mesh.triangles.len()).map(bounds).collect();
    let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves);
    leaves.iter().enumerate().find_map(|(index, bounds)| {
        let own = triangle(index);
        let later = tree.intersect_aabb(bounds).map(|other| other as usize).filter(|other| *other > index);
        let other = later.filter(|other| overlap(&own, &triangle(*other), depth)).min()?;
        Some([index, other])
    })
}
