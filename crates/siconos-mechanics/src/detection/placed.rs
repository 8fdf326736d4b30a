//! Shapes at the poses of a step.

use siconos_kernel::engine::vector::{add, scaled};

use crate::pose::Pose;
use crate::shape::polytope::Polytope;
use crate::shape::{Core, Polygon, Shape};

/// Shape in the inertial frame.
#[derive(Clone, Debug)]
pub(crate) struct PlacedShape {
    pub(crate) core: PlacedCore,
    pub(crate) radius: f64,
    /// Largest distance of a point from the origin of the shape; infinite for a half-space.
    pub(crate) size: f64,
    /// Lower and upper bounds of the coordinates.
    pub(crate) bounds: [[f64; 3]; 2],
}

#[derive(Clone, Debug)]
pub(crate) enum PlacedCore {
    HalfSpace(Plane),
    Polytope(Polytope),
    Polygon(Polygon),
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
        };
        let mut placed = Self { core, radius: shape.radius(), size: shape.reach(), bounds: [[0.0; 3]; 2] };
        placed.place(shape, pose);
        placed
    }

    /// Moves the shape to a pose.
    pub(crate) fn place(&mut self, shape: &Shape, pose: &Pose) {
        let rotate = |x: [f64; 3]| pose.orientation.rotate(x);
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
