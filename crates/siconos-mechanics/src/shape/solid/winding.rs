//! Winding numbers of a closed mesh around points.
//!
//! The winding number is the sum of the solid angles of the triangles (van Oosterom and Strackee, 1983),
//! divided by 4 pi. Triangles that are far from the point count as a dipole (Barill, Dickson, Schmidt, Levin
//! and Jacobson, 2018).

use std::f64::consts::PI;

use siconos_kernel::engine::vector::{add, cross, difference, dot, length, scaled};

use super::middle;
use crate::shape::surface::area_vector;

type Corners = [[f64; 3]; 3];

/// Maximum number of triangles of a leaf.
const LEAF: usize = 4;

/// Distance from the centre of a node from which the node counts as a dipole, as a multiple of its radius.
const FAR: f64 = 2.0;

/// Largest error of the approximation. The solid angles are added if the result is less certain.
const ERROR: f64 = 0.25;

/// Closed mesh with a tree of dipoles.
pub(super) struct Winding {
    triangles: Vec<Corners>,
    /// Nodes in depth-first order.
    nodes: Vec<Node>,
}

/// Set of consecutive triangles.
struct Node {
    first: usize,
    count: usize,
    /// Mean of the middles of the triangles, weighted with their areas.
    centre: [f64; 3],
    /// Sum of the area vectors of the triangles, whose lengths are twice the areas.
    doubled: [f64; 3],
    /// Largest distance of a corner from the centre.
    radius: f64,
    /// Index of the node after all nodes below this one.
    next: usize,
}

impl Winding {
    /// Creates the tree of a closed mesh.
    pub(super) fn new(triangles: Vec<Corners>) -> Self {
        let count = triangles.len();
        let mut tree = Self { triangles, nodes: Vec::new() };
        tree.add(0, count);
        tree
    }

    /// Returns `true` if a point that is not on the surface is inside: the winding number is then 1.
    pub(super) fn is_inside(&self, point: [f64; 3]) -> bool {
        let near = self.approximate(point);
        let is_certain = (near - 0.5).abs() > ERROR;
        let number = if is_certain { near } else { winding_number(self.triangles.iter().copied(), point) };
        number > 0.5
    }

    /// Adds the node of a range of triangles, followed by the nodes below it.
    fn add(&mut self, first: usize, count: usize) {
        let own = &mut self.triangles[first..first + count];
        let own_node = Node::new(first, own);
        let index = self.nodes.len();
        self.nodes.push(own_node);
        if count > LEAF {
            let half = count / 2;
            split(own, half);
            self.add(first, half);
            self.add(first + half, count - half);
        }
        self.nodes[index].next = self.nodes.len();
    }

    /// Returns the winding number with an error that is much smaller than 1.
    fn approximate(&self, point: [f64; 3]) -> f64 {
        let (mut sum, mut index) = (0.0, 0);
        while let Some(node) = self.nodes.get(index) {
            let along = difference(node.centre, point);
            let distance = length(along);
            if distance > FAR * node.radius {
                sum += 0.5 * dot(node.doubled, along) / (4.0 * PI * distance.powi(3));
                index = node.next;
                continue;
            }
            if node.next == index + 1 {
                let own = &self.triangles[node.first..node.first + node.count];
                sum += winding_number(own.iter().copied(), point);
            }
            index += 1;
        }
        sum
    }
}

impl Node {
    fn new(first: usize, triangles: &[Corners]) -> Self {
        let (mut doubled, mut moment, mut areas) = ([0.0; 3], [0.0; 3], 0.0);
        for corners in triangles {
            let own = area_vector(*corners);
            doubled = add(doubled, own);
            moment = add(moment, scaled(length(own), middle(corners)));
            areas += length(own);
        }
        let centre = scaled(1.0 / areas, moment);
        let distances = triangles.iter().flatten().map(|corner| length(difference(*corner, centre)));
        let radius = distances.fold(0.0, f64::max);
        Self { first, count: triangles.len(), centre, doubled, radius, next: 0 }
    }
}

/// Reorders triangles so that the middles of the first `half` are lower along the axis of largest extent.
fn split(triangles: &mut [Corners], half: usize) {
    let middles: Vec<[f64; 3]> = triangles.iter().map(|own| middle(own)).collect();
    let [low, high] = super::bounds(&middles);
    let extent = difference(high, low);
    let axis = (0..3).fold(0, |best, axis| if extent[axis] > extent[best] { axis } else { best });
    triangles.select_nth_unstable_by(half, |a, b| middle(a)[axis].total_cmp(&middle(b)[axis]));
}

/// Returns the number of times that triangles wind around a point.
pub(super) fn winding_number(triangles: impl Iterator<Item = Corners>, point: [f64; 3]) -> f64 {
    let solid_angle = |corners: Corners| {
        let [a, b, c] = corners.map(|corner| difference(corner, point));
        let [x, y, z] = [a, b, c].map(length);
        let across = dot(a, cross(b, c));
        let along = x * y * z + dot(a, b) * z + dot(b, c) * x + dot(c, a) * y;
        2.0 * across.atan2(along)
    };
    triangles.map(solid_angle).sum::<f64>() / (4.0 * PI)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Surface of a torus with waves.
    fn waves([along, around]: [usize; 2]) -> Vec<Corners> {
        let point = |i: usize, j: usize| {
            let [x, y] =
                [(i, along), (j, around)].map(|(k, count)| 2.0 * PI * (k % count) as f64 / count as f64);
            let r = 0.3 + 0.1 * (5.0 * x).sin() * (3.0 * y).cos();
            let from_axis = 1.0 + r * y.cos();
            [from_axis * x.cos(), from_axis * x.sin(), r * y.sin()]
        };
        let quads = (0..along).flat_map(|i| (0..around).map(move |j| (i, j)));
        let triangles = quads.flat_map(|(i, j)| {
            let [a, b, c, d] = [point(i, j), point(i + 1, j), point(i + 1, j + 1), point(i, j + 1)];
            [[a, b, c], [a, c, d]]
        });
        triangles.collect()
    }

    #[test]
    fn dipoles_agree_with_the_sum_of_solid_angles() {
        let triangles = waves([40, 20]);
        let tree = Winding::new(triangles.clone());
        assert!(tree.nodes.len() > triangles.len() / LEAF);
        let (mut inside, mut largest) = (0, 0.0_f64);
        for k in 0..400 {
            let [x, y, z] =
                [0.7548776662, 0.5698402910, 0.4301597090].map(|step| (step * f64::from(k)).fract());
            let point = [3.0 * x - 1.5, 3.0 * y - 1.5, z - 0.5];
            let exact = winding_number(triangles.iter().copied(), point);
            largest = largest.max((tree.approximate(point) - exact).abs());
            assert_eq!(tree.is_inside(point), exact > 0.5, "{point:?}");
            inside += usize::from(exact > 0.5);
        }
        assert!(inside > 50 && largest > 0.0 && largest < 0.5 * ERROR, "{inside} {largest:e}");
    }
}
