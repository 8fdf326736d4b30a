//! Spaces in which bodies move: three-dimensional space, or the plane z = 0.

use siconos_expression::{Expression, Scope, parse_number};

use super::super::positions::Space;
use super::super::systems::{Naming, System};
use super::super::values::{length, sized};
use crate::document::{Diagnostics, Value};

/// Space in which a body moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum BodySpace {
    Spatial,
    Planar,
}

impl BodySpace {
    /// Returns the space of a body, or `None` if the system is not a body. A Lagrangian system with three
    /// coordinates is a planar body, as in the kernel. If the number of coordinates is unknown, the system
    /// has an error that is already reported.
    pub(super) fn of(system: &System) -> Option<Self> {
        let coordinates = &system.coordinates;
        match system.naming? {
            Naming::Body => Some(Self::Spatial),
            Naming::Positions => {
                let is_planar = coordinates.space == Space::Vector
                    && coordinates.size().is_none_or(|size| size == PLANAR_COORDINATES);
                is_planar.then_some(Self::Planar)
            }
            Naming::States => None,
        }
    }

    /// Returns the number of components of a vector.
    pub(super) fn dimension(self) -> usize {
        match self {
            Self::Spatial => 3,
            Self::Planar => 2,
        }
    }

    /// Reads a point or a direction of a joint: three numbers, or two in the plane, where the third one is 0
    /// by default.
    pub(super) fn vector(
        self,
        value: &Value<'_>,
        scope: &Scope,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Option<Vec<Expression>> {
        let size = if length(value) == Some(3) { 3 } else { self.dimension() };
        let mut entries = sized(value, size, scope, diagnostics)?;
        if size == 2 {
            entries.push(parse_number("0", scope).ok()?);
        }
        Some(entries)
    }

    /// Returns the normal of the plane; `None` in space.
    pub(super) fn normal(self, scope: &Scope) -> Option<Vec<Expression>> {
        let entries = || ["0", "0", "1"].into_iter().map(|entry| parse_number(entry, scope).ok()).collect();
        if self == Self::Planar { entries() } else { None }
    }
}

/// Number of coordinates of a planar body: x, y and angle.
const PLANAR_COORDINATES: usize = 3;
