//! Convex polytopes: points, segments and polyhedra, as vertices, edges and faces.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use siconos_kernel::engine::vector::{add, cross, difference, dot, length, scaled, unit};

use super::extent::Extent;
use super::hull::Hull;
use super::surface::Outline;

/// Face of a polyhedron.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Face {
    /// Outward unit normal.
    pub(crate) normal: [f64; 3],
    /// Vertices, counterclockwise as seen from outside.
    pub(crate) vertices: Vec<u32>,
    /// Edges; edge k connects vertex k with the next vertex.
    pub(crate) edges: Vec<u32>,
    /// `true` if the face is a disc whose rim contains the vertices.
    pub(crate) is_disc: bool,
}

/// Convex polytope. A point has one vertex, a segment two vertices and one edge, a polyhedron also faces.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Polytope {
    pub(crate) vertices: Vec<[f64; 3]>,
    pub(crate) edges: Vec<[u32; 2]>,
    pub(crate) faces: Vec<Face>,
    /// Unit vectors along the edges, one for each set of parallel edges.
    pub(crate) directions: Vec<[f64; 3]>,
    /// Lengths before a rotation or translation.
    pub(crate) extent: Extent,
}

/// Sine of the largest angle between edges that count as parallel.
const PARALLEL: f64 = 1e-12;

/// Axis along which edges of common polyhedra have different components.
const SKEW: [f64; 3] = [0.267, 0.535, 0.802];

/// Largest difference of the components of parallel edges along an axis.
const NEAR: f64 = 2.0 * PARALLEL;

impl Polytope {
    pub(crate) fn point() -> Self {
        Self::of_faces(vec![[0.0; 3]], Vec::new())
    }

    /// Creates a segment along z, centred at the origin.
    pub(crate) fn segment(length: f64) -> Self {
        let half = 0.5 * length;
        Self { directions: vec![[0.0, 0.0, 1.0]], ..Self::line([[0.0, 0.0, -half], [0.0, 0.0, half]]) }
    }

    /// Creates a segment without the direction of its edge.
    pub(crate) fn line(ends: [[f64; 3]; 2]) -> Self {
        Self { edges: vec![[0, 1]], ..Self::of_faces(ends.to_vec(), Vec::new()) }
    }

    /// Creates a cuboid with edges along the axes, centred at the origin.
    pub(crate) fn cuboid(sides: [f64; 3]) -> Self {
        let half = scaled(0.5, sides);
        let vertices =
            (0..8_u32).map(|corner| [0, 1, 2].map(|axis| half[axis] * sign(corner, axis))).collect();
        let mut faces = Vec::with_capacity(6);
        for axis in 0..3 {
            for outward in [-1.0, 1.0] {
                let [b, c] = [1_u32 << ((axis + 1) % 3), 1 << ((axis + 2) % 3)];
                let first = if outward > 0.0 { 1 << axis } else { 0 };
                // Counterclockwise as seen from the positive side of the axis.
                let mut corners = vec![first, first + b, first + b + c, first + c];
                if outward < 0.0 {
                    corners.reverse();
                }
                let mut normal = [0.0; 3];
                normal[axis] = outward;
                faces.push((normal, corners));
            }
        }
        Self::of_faces(vertices, faces)
    }

    /// Creates the polyhedron of a hull.
    pub(crate) fn of_hull(hull: Hull) -> Self {
        Self::of_faces(hull.vertices, hull.faces)
    }

    /// Creates a right prism about the z-axis, centred at the origin. Its base is a regular polygon with the
    /// first corner on the x-axis.
    pub(crate) fn prism(sides: usize, radius: f64, length: f64) -> Self {
        let count = sides as u32;
        let azimuth = |k: f64| (2.0 * PI * k / sides as f64).sin_cos();
        let corner = |k: u32, z: f64| {
            let (sine, cosine) = azimuth(f64::from(k));
            [radius * cosine, radius * sine, z]
        };
        let ring = |z: f64| (0..count).map(move |k| corner(k, z));
        let vertices = ring(-0.5 * length).chain(ring(0.5 * length)).collect();
        let bases =
            [([0.0, 0.0, -1.0], (0..count).rev().collect()), ([0.0, 0.0, 1.0], (count..2 * count).collect())];
        let walls = (0..count).map(|k| {
            let (sine, cosine) = azimuth(f64::from(k) + 0.5);
            let next = (k + 1) % count;
            ([cosine, sine, 0.0], vec![k, next, count + next, count + k])
        });
        Self::of_faces(vertices, bases.into_iter().chain(walls).collect())
    }

    /// Creates a polyhedron from its faces: outward normals, and corners in counterclockwise order. Faces can
    /// be missing.
    pub(crate) fn of_faces(vertices: Vec<[f64; 3]>, outlines: Vec<Outline>) -> Self {
        let mut edges = Vec::new();
        let mut numbers = BTreeMap::new();
        let mut number = |a: u32, b: u32| {
            let ends = [a.min(b), a.max(b)];
            *numbers.entry(ends).or_insert_with(|| {
                edges.push(ends);
                edges.len() as u32 - 1
            })
        };
        let faces = outlines.into_iter().map(|(normal, corners)| {
            let next = corners.iter().cycle().skip(1);
            let edges = corners.iter().zip(next).map(|(&a, &b)| number(a, b)).collect();
            Face { normal, vertices: corners, edges, is_disc: false }
        });
        let faces = faces.collect();
        let directions = edges.iter().filter_map(|edge: &[u32; 2]| {
            let [a, b] = edge.map(|end| vertices[end as usize]);
            unit(difference(b, a))
        });
        let directions = without_parallel(directions.collect());
        let extent = Extent::of(vertices.iter().copied());
        Self { vertices, edges, faces, directions, extent }
    }

    /// Returns `true` if a point is above or below the first face, in the direction of its normal.
    pub(crate) fn is_over_first_face(&self, point: [f64; 3]) -> bool {
        let Some(face) = self.faces.first() else { return false };
        let next = face.vertices.iter().cycle().skip(1);
        face.vertices.iter().zip(next).all(|(&a, &b)| {
            let [a, b] = [a, b].map(|corner| self.vertices[corner as usize]);
            dot(face.normal, cross(difference(b, a), difference(point, a))) >= 0.0
        })
    }

    /// Sets the polytope to a rotated and translated polytope with the same features.
    pub(crate) fn move_from(&mut self, from: &Self, rotate: impl Fn([f64; 3]) -> [f64; 3], by: [f64; 3]) {
        for (own, vertex) in self.vertices.iter_mut().zip(&from.vertices) {
            *own = add(by, rotate(*vertex));
        }
        for (own, face) in self.faces.iter_mut().zip(&from.faces) {
            own.normal = rotate(face.normal);
        }
        for (own, along) in self.directions.iter_mut().zip(&from.directions) {
            *own = rotate(*along);
        }
    }
}

/// Returns the sign of a coordinate of a corner of a cuboid.
fn sign(corner: u32, axis: usize) -> f64 {
    if corner & (1 << axis) == 0 { -1.0 } else { 1.0 }
}

/// Returns the first of each set of parallel unit vectors.
fn without_parallel(directions: Vec<[f64; 3]>) -> Vec<[f64; 3]> {
    // Parallel vectors have nearly equal components along any axis, so only few pairs have to be compared.
    let along = |index: usize| dot(SKEW, directions[index]).abs();
    let mut order: Vec<usize> = (0..directions.len()).collect();
    order.sort_by(|a, b| along(*a).total_cmp(&along(*b)));
    let mut is_first = vec![true; directions.len()];
    for (k, &own) in order.iter().enumerate() {
        for &other in order[k + 1..].iter().take_while(|other| along(**other) - along(own) <= NEAR) {
            if length(cross(directions[own], directions[other])) <= PARALLEL {
                is_first[own.max(other)] = false;
            }
        }
    }
    directions
        .into_iter()
        .zip(is_first)
        .filter_map(|(direction, is_first)| is_first.then_some(direction))
        .collect()
}
