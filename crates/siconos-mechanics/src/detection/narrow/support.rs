//! Support maps: convex sets given by their farthest points.

use siconos_kernel::engine::vector::{add, difference, dot, scaled};

use crate::detection::placed::PlacedRound;
use crate::shape::polytope::{Face, Polytope};
use crate::shape::round::Branch;

/// Point of a convex set that is farthest along a direction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SupportPoint {
    /// Number of the vertex of a polytope, 0 for a curved surface.
    pub(super) number: u32,
    pub(super) point: [f64; 3],
}

/// Convex set.
pub(super) trait SupportMap {
    /// Returns the point that is farthest along a direction of any length except 0, relative to an origin.
    fn farthest_from(&self, origin: [f64; 3], direction: [f64; 3]) -> SupportPoint;

    /// Returns the point that is farthest along a direction of any length except 0.
    fn farthest(&self, direction: [f64; 3]) -> SupportPoint {
        self.farthest_from([0.0; 3], direction)
    }

    /// Calls `each` with the branches of the support function at a unit vector, relative to an origin.
    /// Branches that are below the support function by more than `below` can be missing.
    fn branches_from(&self, origin: [f64; 3], direction: [f64; 3], below: f64, each: &mut dyn FnMut(Branch));

    /// Returns a point inside.
    fn centre(&self) -> [f64; 3];

    /// Returns the flat faces.
    fn faces(&self) -> &[Face];

    /// Returns the unit vectors of a frame of the set, if it has one.
    fn frame(&self) -> Option<[[f64; 3]; 3]>;
}

impl SupportMap for Polytope {
    fn farthest_from(&self, origin: [f64; 3], direction: [f64; 3]) -> SupportPoint {
        let (number, point) = super::extreme(self, direction, self.vertices[0]);
        SupportPoint { number, point: difference(point, origin) }
    }

    fn branches_from(&self, origin: [f64; 3], direction: [f64; 3], below: f64, each: &mut dyn FnMut(Branch)) {
        let (_, highest) = super::extreme(self, direction, self.vertices[0]);
        for vertex in &self.vertices {
            if dot(direction, difference(highest, *vertex)) <= below {
                each(Branch { point: difference(*vertex, origin), hessian: [[0.0; 3]; 3] });
            }
        }
    }

    fn centre(&self) -> [f64; 3] {
        let sum = self.vertices.iter().fold([0.0; 3], |sum, vertex| add(sum, *vertex));
        scaled(1.0 / self.vertices.len() as f64, sum)
    }

    fn faces(&self) -> &[Face] {
        &self.faces
    }

    fn frame(&self) -> Option<[[f64; 3]; 3]> {
        None
    }
}

impl SupportMap for PlacedRound {
    fn farthest_from(&self, origin: [f64; 3], direction: [f64; 3]) -> SupportPoint {
        SupportPoint { number: 0, point: Self::farthest_from(self, origin, direction) }
    }

    fn branches_from(&self, origin: [f64; 3], direction: [f64; 3], _: f64, each: &mut dyn FnMut(Branch)) {
        self.branches(origin, direction).into_iter().flatten().for_each(each);
    }

    fn centre(&self) -> [f64; 3] {
        self.centre
    }

    fn faces(&self) -> &[Face] {
        &self.caps.faces
    }

    fn frame(&self) -> Option<[[f64; 3]; 3]> {
        Some(self.axes)
    }
}

/// Convex set whose points are relative to an origin and then translated. Coordinates relative to a near
/// origin have smaller rounding errors.
#[derive(Clone, Copy)]
pub(super) struct Translated<'a> {
    pub(super) set: &'a dyn SupportMap,
    pub(super) origin: [f64; 3],
    pub(super) by: [f64; 3],
}

impl SupportMap for Translated<'_> {
    fn farthest_from(&self, origin: [f64; 3], direction: [f64; 3]) -> SupportPoint {
        let SupportPoint { number, point } = self.set.farthest_from(self.origin, direction);
        SupportPoint { number, point: add(point, difference(self.by, origin)) }
    }

    fn branches_from(&self, origin: [f64; 3], direction: [f64; 3], below: f64, each: &mut dyn FnMut(Branch)) {
        self.set.branches_from(self.origin, direction, below, &mut |Branch { point, hessian }| {
            each(Branch { point: add(point, difference(self.by, origin)), hessian });
        });
    }

    fn centre(&self) -> [f64; 3] {
        add(difference(self.set.centre(), self.origin), self.by)
    }

    fn faces(&self) -> &[Face] {
        self.set.faces()
    }

    fn frame(&self) -> Option<[[f64; 3]; 3]> {
        self.set.frame()
    }
}
