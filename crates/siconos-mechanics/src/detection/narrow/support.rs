//! Support maps: convex sets given by their farthest points.

use siconos_kernel::engine::vector::{add, scaled};

use crate::detection::placed::PlacedRound;
use crate::shape::polytope::{Face, Polytope};

/// Point of a convex set that is farthest along a direction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SupportPoint {
    /// Number of the vertex of a polytope, 0 for a curved surface.
    pub(super) number: u32,
    pub(super) point: [f64; 3],
}

/// Convex set.
pub(super) trait SupportMap {
    /// Returns the point that is farthest along a direction of any length except 0.
    fn farthest(&self, direction: [f64; 3]) -> SupportPoint;

    /// Returns a point inside.
    fn centre(&self) -> [f64; 3];

    /// Returns the flat faces.
    fn faces(&self) -> &[Face];

    /// Returns the unit vectors of a frame of the set, if it has one.
    fn frame(&self) -> Option<[[f64; 3]; 3]>;
}

impl SupportMap for Polytope {
    fn farthest(&self, direction: [f64; 3]) -> SupportPoint {
        let (number, point) = super::extreme(self, direction, self.vertices[0]);
        SupportPoint { number, point }
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
    fn farthest(&self, direction: [f64; 3]) -> SupportPoint {
        SupportPoint { number: 0, point: Self::farthest(self, direction) }
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

/// Convex set that is translated.
pub(super) struct Translated<'a> {
    pub(super) set: &'a dyn SupportMap,
    pub(super) by: [f64; 3],
}

impl SupportMap for Translated<'_> {
    fn farthest(&self, direction: [f64; 3]) -> SupportPoint {
        let SupportPoint { number, point } = self.set.farthest(direction);
        SupportPoint { number, point: add(point, self.by) }
    }

    fn centre(&self) -> [f64; 3] {
        add(self.set.centre(), self.by)
    }

    fn faces(&self) -> &[Face] {
        self.set.faces()
    }

    fn frame(&self) -> Option<[[f64; 3]; 3]> {
        self.set.frame()
    }
}
