//! Shapes at the poses of a step.

use std::sync::Arc;

use siconos_kernel::engine::vector::{AXES, add, difference, dot, scaled};

use crate::pose::Pose;
use crate::shape::mesh::{Feature, Mesh};
use crate::shape::polytope::Polytope;
use crate::shape::round::{Branch, Facing, Round};
use crate::shape::solid::Solid;
use crate::shape::{Core, Polygon, Polyline, Shape};

/// Shape in the inertial frame.
#[derive(Clone, Debug)]
pub(crate) struct PlacedShape {
    pub(crate) core: PlacedCore,
    pub(crate) radius: f64,
    /// Axes of the frame of the shape.
    pub(crate) axes: [[f64; 3]; 3],
    /// Largest distance of a point from the middle of the shape; infinite for a half-space.
    pub(crate) size: f64,
    /// Lower and upper bounds of the coordinates.
    pub(crate) bounds: [[f64; 3]; 2],
}

#[derive(Clone, Debug)]
pub(crate) enum PlacedCore {
    HalfSpace(Plane),
    Polytope(Polytope),
    Polygon(Polygon),
    Polyline(Polyline),
    Round(PlacedRound),
    Mesh(PlacedMesh),
    Solid(PlacedSolid),
}

/// Solid inside a closed mesh in the inertial frame.
#[derive(Clone, Debug)]
pub(crate) struct PlacedSolid {
    solid: Arc<Solid>,
    pose: Pose,
    /// Convex pieces of the solid.
    pub(crate) pieces: Vec<PlacedShape>,
}

impl PlacedSolid {
    /// Returns the number of the first feature of a piece.
    pub(crate) fn first_feature(&self, piece: usize) -> u32 {
        self.solid.first_feature[piece]
    }

    /// Returns `true` if another body can touch a piece at a point with an outward unit normal.
    pub(crate) fn is_exposed(&self, piece: usize, point: [f64; 3], normal: [f64; 3]) -> bool {
        self.solid.is_exposed(piece, self.pose.local(point), self.pose.orientation.rotate_back(normal))
    }
}

/// Triangle mesh in the inertial frame.
#[derive(Clone, Debug)]
pub(crate) struct PlacedMesh {
    mesh: Arc<Mesh>,
    pose: Pose,
    /// Triangles of the mesh.
    pub(crate) pieces: Vec<Polytope>,
}

impl PlacedMesh {
    /// Calls `each` with the triangles whose bounds overlap the given bounds, enlarged by `reach`.
    pub(crate) fn near(&self, [low, high]: [[f64; 3]; 2], reach: f64, each: impl FnMut(usize)) {
        if !reach.is_finite() {
            return (0..self.pieces.len()).for_each(each);
        }
        let centre = self.pose.local(scaled(0.5, add(low, high)));
        let half = scaled(0.5, difference(high, low));
        let mut around = [reach; 3];
        for (axis, half) in AXES.into_iter().zip(half) {
            let turned = self.pose.orientation.rotate_back(axis);
            (0..3).for_each(|i| around[i] += half * turned[i].abs());
        }
        self.mesh.near([difference(centre, around), add(centre, around)], each);
    }

    /// Returns a vertex of the mesh from a corner of a triangle.
    pub(crate) fn vertex(&self, triangle: usize, corner: u32) -> Feature {
        self.mesh.vertex_of(triangle, corner)
    }

    /// Returns an edge of the mesh from an edge of a triangle.
    pub(crate) fn edge(&self, triangle: usize, edge: u32) -> Feature {
        self.mesh.edge_of(triangle, edge)
    }

    /// Returns `true` if a feature can touch another body with this unit normal.
    /// `error` is the error of the normal.
    pub(crate) fn is_exposed(&self, feature: Feature, normal: [f64; 3], error: f64) -> bool {
        self.mesh.is_exposed(feature, self.pose.orientation.rotate_back(normal), error)
    }
}

/// Solid with a curved surface in the inertial frame.
#[derive(Clone, Debug)]
pub(crate) struct PlacedRound {
    solid: Round,
    pub(crate) centre: [f64; 3],
    /// Coordinate axes of the solid.
    pub(crate) axes: [[f64; 3]; 3],
    /// Octagons inscribed in the flat faces.
    pub(crate) caps: Polytope,
}

impl PlacedRound {
    fn local(&self, direction: [f64; 3]) -> [f64; 3] {
        self.axes.map(|axis| dot(axis, direction))
    }

    fn point(&self, local: [f64; 3]) -> [f64; 3] {
        add(self.centre, self.rotated(local))
    }

    fn rotated(&self, local: [f64; 3]) -> [f64; 3] {
        let terms = self.axes.iter().zip(local);
        terms.fold([0.0; 3], |sum, (axis, x)| add(sum, scaled(x, *axis)))
    }

    /// Returns the distance at which a ray enters the solid, and the outward normal there.
    pub(crate) fn hit(&self, origin: [f64; 3], direction: [f64; 3]) -> Option<(f64, [f64; 3])> {
        let (distance, normal) =
            self.solid.hit(self.local(difference(origin, self.centre)), self.local(direction))?;
        Some((distance, self.rotated(normal)))
    }

    /// Returns the point that is farthest along a direction.
    pub(crate) fn farthest(&self, direction: [f64; 3]) -> [f64; 3] {
        self.point(self.solid.farthest(self.local(direction)))
    }

    /// Returns the point that is farthest along a direction, relative to an origin. Its rounding error does
    /// not depend on the distance from the origin of the inertial frame.
    pub(crate) fn farthest_from(&self, origin: [f64; 3], direction: [f64; 3]) -> [f64; 3] {
        add(difference(self.centre, origin), self.rotated(self.solid.farthest(self.local(direction))))
    }

    /// Returns the branches of the support function at a unit vector, relative to an origin.
    pub(crate) fn branches(&self, origin: [f64; 3], direction: [f64; 3]) -> [Option<Branch>; 2] {
        let centre = difference(self.centre, origin);
        self.solid.branches(self.local(direction)).map(|branch| {
            branch.map(|Branch { point, hessian }| {
                let rows = hessian.map(|row| self.rotated(row));
                let column = |i: usize| self.rotated(rows.map(|row| row[i]));
                let hessian = [0, 1, 2].map(column);
                Branch { point: add(centre, self.rotated(point)), hessian }
            })
        })
    }

    /// Returns the part of the surface that is close to the support plane with an outward unit normal.
    pub(crate) fn facing(&self, outward: [f64; 3]) -> Facing {
        match self.solid.facing(self.local(outward)) {
            Facing::Line(ends) => Facing::Line(ends.map(|end| self.point(end))),
            other => other,
        }
    }
}

/// Boundary of a half-space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane {
    pub(crate) point: [f64; 3],
    pub(crate) normal: [f64; 3],
}

impl PlacedShape {
    pub(crate) fn new(shape: &Shape, pose: &Pose) -> Self {
        let core = match shape.core() {
            Core::HalfSpace(normal) => PlacedCore::HalfSpace(Plane { point: pose.position, normal: *normal }),
            Core::Polytope(core) => PlacedCore::Polytope((**core).clone()),
            Core::Polygon(core) => PlacedCore::Polygon((**core).clone()),
            Core::Polyline(core) => PlacedCore::Polyline((**core).clone()),
            Core::Round(core) => PlacedCore::Round(PlacedRound {
                solid: core.solid,
                centre: [0.0; 3],
                axes: [[0.0; 3]; 3],
                caps: core.caps.clone(),
            }),
            Core::Mesh(mesh) => PlacedCore::Mesh(PlacedMesh {
                mesh: Arc::clone(mesh),
                pose: *pose,
                pieces: mesh.pieces.clone(),
            }),
            Core::Solid(solid) => PlacedCore::Solid(PlacedSolid {
                solid: Arc::clone(solid),
                pose: *pose,
                pieces: solid.decomposition.pieces.iter().map(|piece| Self::new(piece, pose)).collect(),
            }),
        };
        let (radius, size) = (shape.radius(), shape.size());
        let mut placed = Self { core, radius, axes: AXES, size, bounds: [[0.0; 3]; 2] };
        placed.place(shape, pose);
        placed
    }

    /// Moves the shape to a pose.
    pub(crate) fn place(&mut self, shape: &Shape, pose: &Pose) {
        let rotate = |x: [f64; 3]| pose.orientation.rotate(x);
        self.axes = AXES.map(rotate);
        match (&mut self.core, shape.core()) {
            (PlacedCore::HalfSpace(plane), Core::HalfSpace(normal)) => {
                *plane = Plane { point: pose.position, normal: rotate(*normal) };
                self.bounds = [[f64::NEG_INFINITY; 3], [f64::INFINITY; 3]];
            }
            (PlacedCore::Polytope(own), Core::Polytope(core)) => {
                own.move_from(core, rotate, pose.position);
                self.bounds = bounds(own.vertices.iter().copied(), self.radius);
            }
            (PlacedCore::Polygon(own), Core::Polygon(core)) => {
                let [cosine, sine, _] = rotate([1.0, 0.0, 0.0]);
                own.move_from(core, sine, cosine, [pose.position[0], pose.position[1]]);
                self.bounds = bounds(own.corners().iter().map(|[x, y]| [*x, *y, 0.0]), self.radius);
            }
            (PlacedCore::Polyline(own), Core::Polyline(core)) => {
                let [cosine, sine, _] = rotate([1.0, 0.0, 0.0]);
                own.move_from(core, sine, cosine, [pose.position[0], pose.position[1]]);
                let corners = own.pieces.iter().flat_map(Polygon::corners);
                self.bounds = bounds(corners.map(|[x, y]| [*x, *y, 0.0]), self.radius);
            }
            (PlacedCore::Round(own), Core::Round(core)) => {
                own.centre = pose.position;
                own.axes = self.axes;
                own.caps.move_from(&core.caps, rotate, pose.position);
                let ends = AXES.iter().flat_map(|axis| [*axis, scaled(-1.0, *axis)]);
                self.bounds = bounds(ends.map(|axis| own.farthest(axis)), self.radius);
            }
            (PlacedCore::Mesh(own), Core::Mesh(mesh)) => {
                own.pose = *pose;
                for (piece, from) in own.pieces.iter_mut().zip(&mesh.pieces) {
                    piece.move_from(from, rotate, pose.position);
                }
                self.bounds = bounds(own.pieces.iter().flat_map(|piece| piece.vertices.iter().copied()), 0.0);
            }
            (PlacedCore::Solid(own), Core::Solid(solid)) => {
                own.pose = *pose;
                for (piece, from) in own.pieces.iter_mut().zip(&solid.decomposition.pieces) {
                    piece.place(from, pose);
                }
                self.bounds = bounds(own.pieces.iter().flat_map(|piece| piece.bounds), 0.0);
            }
            _ => unreachable!("the core of a shape does not change"),
        }
    }
}

fn bounds(points: impl Iterator<Item = [f64; 3]>, radius: f64) -> [[f64; 3]; 2] {
    let mut bounds = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    for point in points {
        let [low, high] = &mut bounds;
        for axis in 0..3 {
            low[axis] = low[axis].min(point[axis]);
            high[axis] = high[axis].max(point[axis]);
        }
    }
    let [low, high] = bounds;
    [add(low, scaled(-1.0, [radius; 3])), add(high, [radius; 3])]
}
