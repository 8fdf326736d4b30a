//! Convex polytopes: points, segments and polyhedra, as vertices, edges and faces.

use siconos_kernel::engine::vector::{add, cross, difference, length, scaled, unit};

use super::hull::Hull;

/// Face of a polyhedron.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Face {
    /// Outward unit normal.
    pub(crate) normal: [f64; 3],
    /// Vertices, counterclockwise as seen from outside.
    pub(crate) vertices: Vec<u32>,
    /// Edges; edge k connects vertex k with the next vertex.
    pub(crate) edges: Vec<u32>,
}

/// Convex polytope. A point has one vertex, a segment two vertices and one edge, a polyhedron also faces.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Polytope {
    pub(crate) vertices: Vec<[f64; 3]>,
    pub(crate) edges: Vec<[u32; 2]>,
    pub(crate) faces: Vec<Face>,
    /// Unit vectors along the edges, one for each set of parallel edges.
    pub(crate) directions: Vec<[f64; 3]>,
}

/// Sine of the largest angle between edges that count as parallel.
const PARALLEL: f64 = 1e-12;

impl Polytope {
    pub(crate) fn point() -> Self {
        Self { vertices: vec![[0.0; 3]], edges: Vec::new(), faces: Vec::new(), directions: Vec::new() }
    }

    /// Creates a segment along z, centred at the origin.
    pub(crate) fn segment(length: f64) -> Self {
        let half = 0.5 * length;
        Self { directions: vec![[0.0, 0.0, 1.0]], ..Self::line([[0.0, 0.0, -half], [0.0, 0.0, half]]) }
    }

    /// Creates a segment without the direction of its edge.
    pub(crate) fn line(ends: [[f64; 3]; 2]) -> Self {
        Self { vertices: ends.to_vec(), edges: vec![[0, 1]], faces: Vec::new(), directions: Vec::new() }
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

    /// Creates a polyhedron from its faces: outward normals, and corners in counterclockwise order. Faces can
    /// be missing.
    pub(crate) fn of_faces(vertices: Vec<[f64; 3]>, outlines: Vec<([f64; 3], Vec<u32>)>) -> Self {
        let mut polytope = Self { vertices, edges: Vec::new(), faces: Vec::new(), directions: Vec::new() };
        for (normal, corners) in outlines {
            let next = corners.iter().cycle().skip(1);
            let edges = corners.iter().zip(next).map(|(&a, &b)| polytope.edge(a, b)).collect();
            polytope.faces.push(Face { normal, vertices: corners, edges });
        }
        for edge in &polytope.edges {
            let [a, b] = edge.map(|end| polytope.vertices[end as usize]);
            let Some(along) = unit(difference(b, a)) else { continue };
            if polytope.directions.iter().all(|known| length(cross(along, *known)) > PARALLEL) {
                polytope.directions.push(along);
            }
        }
        polytope
    }

    /// Returns the index of the edge between two vertices, which is added if it is new.
    fn edge(&mut self, a: u32, b: u32) -> u32 {
        let ends = [a.min(b), a.max(b)];
        let known = self.edges.iter().position(|edge| *edge == ends);
        known.unwrap_or_else(|| {
            self.edges.push(ends);
            self.edges.len() - 1
        }) as u32
    }

    /// Returns the largest distance of a vertex from the origin.
    pub(crate) fn reach(&self) -> f64 {
        self.vertices.iter().fold(0.0, |reach, vertex| reach.max(length(*vertex)))
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
