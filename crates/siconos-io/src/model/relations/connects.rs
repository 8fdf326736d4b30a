//! Systems that a relation can connect.

use super::super::systems::{Naming, System};
use super::body_space::BodySpace;

/// Systems that a relation can connect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Connects {
    Lagrangian,
    FirstOrder,
    SpatialBodies,
    /// Bodies in space, or planar bodies.
    Bodies,
}

impl Connects {
    /// Returns `true` if the relation can connect this system.
    pub(super) fn accepts(self, system: &System) -> bool {
        match self {
            Self::Lagrangian => system.naming == Some(Naming::Positions),
            Self::FirstOrder => system.naming == Some(Naming::States),
            Self::SpatialBodies => system.naming == Some(Naming::Body),
            Self::Bodies => BodySpace::of(system).is_some(),
        }
    }

    /// Describes the systems for messages.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Lagrangian => "Lagrangian systems",
            Self::FirstOrder => "first-order systems",
            Self::SpatialBodies => "rigid bodies of the family `newton_euler`",
            Self::Bodies => "rigid bodies of the family `newton_euler` or `planar_body`",
        }
    }

    /// Returns a body in space and a planar body if the relation connects bodies of both kinds, which must
    /// not be connected.
    pub(super) fn mixed<'s>(self, systems: &[Option<&'s System>]) -> Option<[&'s System; 2]> {
        let first = |space: BodySpace| {
            systems.iter().flatten().copied().find(|system| BodySpace::of(system) == Some(space))
        };
        let both = || Some([first(BodySpace::Spatial)?, first(BodySpace::Planar)?]);
        if self == Self::Bodies { both() } else { None }
    }
}
