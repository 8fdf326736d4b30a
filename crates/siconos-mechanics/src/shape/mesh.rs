//! Surfaces of triangles, and the directions in which their edges and vertices can touch other bodies.

use std::collections::BTreeMap;

use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy};
use siconos_kernel::engine::vector::{cross, difference, dot, length, unit};

use super::extent::Extent;
use super::polytope::Polytope;
use super::{ShapeError, check_finite};

/// Maximum number of vertices, edges or triangles. Features have 30 bits.
const MOST: usize = 1 << 30;

/// Surface of triangles that touches other bodies on its outer side.
#[derive(Clone)]
pub(crate) struct Mesh {
    /// Triangles in the frame of the mesh, each with its outer face only. Edge 0 of a triangle connects its
    /// corners 0 and 1, edge 1 the corners 1 and 2, and edge 2 the corners 2 and 0.
    pub(crate) pieces: Vec<Polytope>,
    vertices: Vec<[f64; 3]>,
    corners: Vec<[u32; 3]>,
    /// Edges of each triangle.
    edges: Vec<[u32; 3]>,
    /// Ends of each edge, and the third corners of its triangles.
    sides: Vec<Side>,
    /// Neighbours of each vertex.
    neighbours: Vec<Vec<u32>>,
    tree: Bvh,
    pub(crate) extent: Extent,
}

#[derive(Clone, Debug)]
struct Side {
    ends: [u32; 2],
    opposite: Vec<u32>,
}

/// Edge that belongs to one triangle only.
pub(super) struct OpenEdge {
    pub(super) triangle: usize,
    pub(super) ends: [usize; 2],
}

/// Feature of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Feature {
    Vertex(u32),
    Edge(u32),
    Face(u32),
}

impl std::fmt::Debug for Mesh {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mesh").field("triangles", &self.corners.len()).finish_non_exhaustive()
    }
}

impl PartialEq for Mesh {
    fn eq(&self, other: &Self) -> bool {
        (&self.vertices, &self.corners) == (&other.vertices, &other.corners)
    }
}

impl Mesh {
    /// Creates a mesh. Triangles are counterclockwise as seen from the outer side.
    pub(crate) fn new(vertices: &[[f64; 3]], triangles: &[[usize; 3]]) -> Result<Self, ShapeError> {
        check_finite("triangle mesh", vertices)?;
        if triangles.is_empty() || triangles.len().max(vertices.len()) >= MOST {
            return Err(ShapeError::MeshSize { triangles: triangles.len(), vertices: vertices.len() });
        }
        let mut pieces = Vec::with_capacity(triangles.len());
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&index) = corners.iter().find(|index| **index >= vertices.len()) {
                return Err(ShapeError::MeshIndex { triangle, index, vertices: vertices.len() });
            }
            let points = corners.map(|corner| vertices[corner]);
            let normal = normal(points).ok_or(ShapeError::FlatTriangle { triangle })?;
            pieces.push(Polytope::of_faces(points.to_vec(), vec![(normal, vec![0, 1, 2])]));
        }
        let corners: Vec<[u32; 3]> = triangles.iter().map(|own| own.map(|corner| corner as u32)).collect();
        let mut sides: Vec<Side> = Vec::new();
        let mut by_ends: BTreeMap<[u32; 2], u32> = BTreeMap::new();
        let mut directed: BTreeMap<[u32; 2], usize> = BTreeMap::new();
        let mut edges = Vec::with_capacity(triangles.len());
        for (triangle, corners) in corners.iter().enumerate() {
            let mut own = [0; 3];
            for (k, edge) in own.iter_mut().enumerate() {
                let ends = [corners[k], corners[(k + 1) % 3]];
                if let Some(other) = directed.insert(ends, triangle) {
                    return Err(ShapeError::MeshOrientation { triangles: [other, triangle] });
                }
                let number =
                    by_ends.entry([ends[0].min(ends[1]), ends[0].max(ends[1])]).or_insert_with(|| {
                        sides.push(Side { ends, opposite: Vec::new() });
                        sides.len() as u32 - 1
                    });
                sides[*number as usize].opposite.push(corners[(k + 2) % 3]);
                *edge = *number;
            }
            edges.push(own);
        }
        let mut neighbours = vec![Vec::new(); vertices.len()];
        for Side { ends: [a, b], .. } in &sides {
            neighbours[*a as usize].push(*b);
            neighbours[*b as usize].push(*a);
        }
        let corner = |[x, y, z]: [f64; 3]| Vector::new(x, y, z);
        let leaves: Vec<Aabb> = pieces
            .iter()
            .map(|piece: &Polytope| Aabb::from_points(piece.vertices.iter().map(|point| corner(*point))))
            .collect();
        let used = triangles.iter().flatten().map(|corner| vertices[*corner]);
        Ok(Self {
            pieces,
            extent: Extent::of(used),
            vertices: vertices.to_vec(),
            corners,
            edges,
            sides,
            neighbours,
            tree: Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves),
        })
    }

    /// Returns the first edge that belongs to one triangle only.
    pub(super) fn open_edge(&self) -> Option<OpenEdge> {
        let edge = self.sides.iter().position(|side| side.opposite.len() == 1)?;
        let triangle = self.edges.iter().position(|own| own.contains(&(edge as u32)))?;
        Some(OpenEdge { triangle, ends: self.sides[edge].ends.map(|end| end as usize) })
    }

    /// Calls `each` with the triangles whose bounds overlap the given bounds in the frame of the mesh.
    pub(crate) fn near(&self, [low, high]: [[f64; 3]; 2], mut each: impl FnMut(usize)) {
        let corner = |[x, y, z]: [f64; 3]| Vector::new(x, y, z);
        let bounds = Aabb::new(corner(low), corner(high));
        self.tree.intersect_aabb(&bounds).for_each(|triangle| each(triangle as usize));
    }

    /// Returns the vertex of the mesh at a corner of a triangle.
    pub(crate) fn vertex_of(&self, triangle: usize, corner: u32) -> Feature {
        Feature::Vertex(self.corners[triangle][corner as usize])
    }

    /// Returns the edge of the mesh from an edge of a triangle.
    pub(crate) fn edge_of(&self, triangle: usize, edge: u32) -> Feature {
        Feature::Edge(self.edges[triangle][edge as usize])
    }

    /// Returns `true` if no neighbour of an edge or a vertex is above its plane with the given unit normal.
    /// Another body can then touch it with this normal. `error` is the error of the normal.
    pub(crate) fn is_exposed(&self, feature: Feature, normal: [f64; 3], error: f64) -> bool {
        let is_below = |from: u32, to: u32| {
            let along = difference(self.vertices[to as usize], self.vertices[from as usize]);
            dot(normal, along) <= error * length(along)
        };
        match feature {
            Feature::Vertex(own) => self.neighbours[own as usize].iter().all(|other| is_below(own, *other)),
            Feature::Edge(own) => {
                let Side { ends: [a, _], opposite } = &self.sides[own as usize];
                opposite.iter().all(|other| is_below(*a, *other))
            }
            Feature::Face(own) => {
                let face = &self.pieces[own as usize].faces[0];
                dot(normal, face.normal) > 0.0 && length(cross(normal, face.normal)) <= error
            }
        }
    }
}

/// Returns the unit normal of a triangle; `None` if its area is a rounding error.
fn normal([a, b, c]: [[f64; 3]; 3]) -> Option<[f64; 3]> {
    let (u, v) = (difference(b, a), difference(c, a));
    let across = cross(u, v);
    let is_flat = length(across) <= 16.0 * f64::EPSILON * length(u) * length(v);
    if is_flat { None } else { unit(across) }
}
