//! Class of the one-step problem, determined by the laws of an island.

use crate::model::{NewtonImpactFriction, NonSmoothLaw, RowLaw};

/// Class of a one-step problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProblemClass {
    /// Linear complementarity.
    Complementarity,
    /// Linear complementarity with equalities.
    Mixed,
    /// Unknowns with lower and upper bounds.
    Box,
    /// Unknowns in a polyhedron.
    Polyhedron,
    /// Unknowns in second-order cones.
    Cones,
    /// Only contacts with friction, all with `size` components, and either all or none with rolling friction.
    Contact { size: usize, rolling: bool },
    /// Friction together with other laws, or contacts with different numbers of components.
    Mechanical,
    /// Combination of laws that no class supports.
    None,
}

impl ProblemClass {
    /// Returns the class of a problem with a single interaction.
    pub(crate) fn of(law: &NonSmoothLaw, posing: FrictionForm) -> Self {
        match (law.description().rows, law.friction()) {
            (RowLaw::Friction, Some(law)) if posing == FrictionForm::Cones => {
                Self::Contact { size: law.size(), rolling: law.mu_rolling().is_some() }
            }
            (RowLaw::Complementarity | RowLaw::Friction, _) => Self::Complementarity,
            (RowLaw::Equality | RowLaw::Mixed, _) => Self::Mixed,
            (RowLaw::Box, _) => Self::Box,
            (RowLaw::Polyhedron, _) => Self::Polyhedron,
            (RowLaw::Cones, _) => Self::Cones,
        }
    }

    /// Returns the smallest class that includes both classes.
    pub(crate) fn join(self, other: Self) -> Self {
        let rank = |class| match class {
            Self::Complementarity => Some(0),
            Self::Mixed => Some(1),
            Self::Box => Some(2),
            Self::Polyhedron => Some(3),
            _ => None,
        };
        match (self, other) {
            (a, b) if a == b => a,
            (Self::Cones, Self::Complementarity) | (Self::Complementarity, Self::Cones) => Self::Cones,
            (Self::Cones | Self::None, _) | (_, Self::Cones | Self::None) => Self::None,
            (a, b) => match (rank(a), rank(b)) {
                (Some(x), Some(y)) => {
                    if x > y {
                        a
                    } else {
                        b
                    }
                }
                _ if a == Self::Polyhedron || b == Self::Polyhedron => Self::None,
                _ => Self::Mechanical,
            },
        }
    }
}

/// Form in which the friction laws of an island enter the one-step problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FrictionForm {
    /// All rows of each contact, normal and tangential.
    Cones,
    /// Only the normal row of each contact, for an island in which all coefficients of friction and all
    /// cohesions are zero. The tangential reactions are then zero, and the problem is a linear
    /// complementarity problem.
    NormalRows,
}

impl FrictionForm {
    /// Returns the form that the laws of an island permit.
    pub(super) fn of<'a>(mut laws: impl Iterator<Item = &'a NonSmoothLaw>) -> Self {
        let needs_cone = |law: &NewtonImpactFriction| {
            law.mu() != 0.0 || law.mu_rolling().unwrap_or(0.0) != 0.0 || law.cohesion() != 0.0
        };
        match laws.any(|law| law.friction().is_some_and(needs_cone)) {
            true => Self::Cones,
            false => Self::NormalRows,
        }
    }
}
