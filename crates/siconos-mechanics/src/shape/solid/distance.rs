//! Distances of points from a closed mesh.

use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhNode};
use parry3d_f64::query::PointQuery;
use parry3d_f64::shape::Triangle;
use siconos_kernel::engine::vector::{cross, difference, dot, length};

use super::lump::Lump;

/// Closed mesh with a tree of its triangles.
pub(super) struct Boundary {
    triangles: Vec<[[f64; 3]; 3]>,
    tree: Bvh,
}

impl Boundary {
    pub(super) fn new(lump: &Lump) -> Self {
        let triangles: Vec<_> = (0..lump.triangles.len()).map(|triangle| lump.corners(triangle)).collect();
        let leaves: Vec<Aabb> = triangles.iter().map(|own| Aabb::from_points(own.map(vector))).collect();
        Self { triangles, tree: Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves) }
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

    /// Returns `true` if a point that is not on the surface is inside: the solid angle of the surface is then
    /// 4 pi (van Oosterom and Strackee, 1983).
    pub(super) fn is_inside(&self, point: [f64; 3]) -> bool {
        winding_number(self.triangles.iter().copied(), point) > 0.5
    }
}

/// Returns the number of times that triangles wind around a point.
pub(super) fn winding_number(triangles: impl Iterator<Item = [[f64; 3]; 3]>, point: [f64; 3]) -> f64 {
    let solid_angle = |corners: [[f64; 3]; 3]| {
        let [a, b, c] = corners.map(|corner| difference(corner, point));
        let [x, y, z] = [a, b, c].map(length);
        let across = dot(a, cross(b, c));
        let along = x * y * z + dot(a, b) * z + dot(b, c) * x + dot(c, a) * y;
        2.0 * across.atan2(along)
    };
    triangles.map(solid_angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

fn vector([x, y, z]: [f64; 3]) -> Vector {
    Vector::new(x, y, z)
}
