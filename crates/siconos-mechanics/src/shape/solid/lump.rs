//! Closed surfaces of triangles that are cut into convex pieces.

use std::collections::BTreeMap;

use siconos_kernel::engine::Partition;
use siconos_kernel::engine::vector::{cross, difference, dot};

use crate::shape::quickhull;
use crate::shape::surface::sides;

/// Solid inside a closed surface of triangles, which are counterclockwise as seen from outside.
#[derive(Clone, Debug)]
pub(super) struct Lump {
    pub(super) points: Vec<[f64; 3]>,
    pub(super) triangles: Vec<[u32; 3]>,
}

impl Lump {
    /// Creates a solid from triangles, and drops points that belong to no triangle.
    pub(super) fn new(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> Self {
        let mut is_used = vec![false; points.len()];
        triangles.iter().flatten().for_each(|corner| is_used[*corner as usize] = true);
        let (mut kept, mut number) = (Vec::new(), vec![0; points.len()]);
        for (index, point) in points.iter().enumerate().filter(|(index, _)| is_used[*index]) {
            number[index] = kept.len() as u32;
            kept.push(*point);
        }
        let triangles = triangles.iter().map(|own| own.map(|corner| number[corner as usize])).collect();
        Self { points: kept, triangles }
    }

    /// Returns the corners of a triangle.
    pub(super) fn corners(&self, triangle: usize) -> [[f64; 3]; 3] {
        self.triangles[triangle].map(|corner| self.points[corner as usize])
    }

    /// Returns the volume, as the integral of the flux over the triangles.
    pub(super) fn volume(&self) -> f64 {
        volume(&self.points, &self.triangles)
    }

    /// Returns the volume of the convex hull; `None` if the points lie in a plane.
    pub(super) fn hull_volume(&self) -> Option<f64> {
        Some(volume(&self.points, &quickhull::triangles(&self.points)?))
    }

    /// Returns the solids inside surfaces that have no common point. A surface with a negative volume is the
    /// boundary of a void, and remains with all others.
    pub(super) fn components(self) -> Vec<Self> {
        let mut parts: BTreeMap<usize, Vec<[u32; 3]>> = BTreeMap::new();
        let root = component_of_points(self.points.len(), &self.triangles);
        for triangle in &self.triangles {
            parts.entry(root[triangle[0] as usize]).or_default().push(*triangle);
        }
        if parts.len() < 2 {
            return vec![self];
        }
        let lumps: Vec<Self> = parts.values().map(|triangles| Self::new(&self.points, triangles)).collect();
        if lumps.iter().all(|lump| lump.volume() > 0.0) { lumps } else { vec![self] }
    }

    /// Returns the triangles at each side of a triangle, in the direction of the side.
    pub(super) fn triangles_at_sides(&self) -> BTreeMap<[u32; 2], Vec<usize>> {
        let mut at_side: BTreeMap<[u32; 2], Vec<usize>> = BTreeMap::new();
        for (index, triangle) in self.triangles.iter().enumerate() {
            sides(triangle).for_each(|side| at_side.entry(side).or_default().push(index));
        }
        at_side
    }
}

/// Returns the volume inside triangles.
fn volume(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> f64 {
    let Some(&base) = points.first() else { return 0.0 };
    let of_triangle = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|corner| difference(points[corner as usize], base));
        dot(a, cross(b, c)) / 6.0
    };
    triangles.iter().map(of_triangle).sum()
}

/// Returns a number for each point that is the same for points that triangles connect.
pub(super) fn component_of_points(points: usize, triangles: &[[u32; 3]]) -> Vec<usize> {
    let mut partition = Partition::new(points);
    triangles.iter().for_each(|corners| partition.join(corners.map(|corner| corner as usize)));
    (0..points).map(|point| partition.root(point)).collect()
}
