//! Distances of points from a closed mesh.

use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhNode};
use parry3d_f64::query::PointQuery;
use parry3d_f64::shape::Triangle;

use super::lump::Lump;
use super::winding::Winding;

/// Closed mesh with trees of its triangles.
pub(super) struct Boundary {
    triangles: Vec<[[f64; 3]; 3]>,
    tree: Bvh,
    winding: Winding,
}

impl Boundary {
    pub(super) fn new(lump: &Lump) -> Self {
        let triangles: Vec<_> = (0..lump.triangles.len()).map(|triangle| lump.corners(triangle)).collect();
        let leaves: Vec<Aabb> = triangles.iter().map(|own| Aabb::from_points(own.map(vector))).collect();
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves);
        Self { winding: Winding::new(triangles.clone()), triangles, tree }
    }

    /// Returns the distance of a point from the surface.
    pub(super) fn distance(&self, point: [f64; 3]) -> f64 {
        let point = vector(point);
        let to_node = |node: &BvhNode, _| node.aabb().distance_to_local_point(point, true);
        let to_triangle = |index: u32, _| {
            let [a, b, c] = self.triangles[index as usize].map(vector);
            Some(Triangle::new(a, b, c).distance_to_local_point(point, true))
        };
        self.tree
            .find_best(f64::INFINITY, to_node, to_triangle)
            .map_or(f64::INFINITY, |(_, distance)| distance)
    }

    /// Returns `true` if a point that is not on the surface is inside.
    pub(super) fn is_inside(&self, point: [f64; 3]) -> bool {
        self.winding.is_inside(point)
    }
}

fn vector([x, y, z]: [f64; 3]) -> Vector {
    Vector::new(x, y, z)
}
