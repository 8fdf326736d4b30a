//! The law of one block.

use crate::contact::ContactLaw;
use crate::engine::check_length;
use crate::error::ProblemError;

/// Law between block $w_i$ (velocities) and block $z_i$ (impulses).
///
/// ```
/// use siconos_numerics::gmp::MechanicalLaw;
///
/// let stop = MechanicalLaw::Relay { lower: vec![0.0], upper: vec![f64::INFINITY] };
/// assert_eq!(stop.size(), 1);
/// ```
#[derive(Debug, PartialEq)]
#[non_exhaustive]
pub enum MechanicalLaw {
    /// $w = 0$, $z$ free: a bilateral constraint.
    Equality {
        /// The number of equations.
        size: usize,
    },
    /// $0 \le w \perp z \ge 0$, that is 0 <= w perp z >= 0, component by component.
    Complementarity {
        /// The number of pairs.
        size: usize,
    },
    /// $l \le z \le u$ and $-w \in N_{[l, u]}(z)$: w >= 0 if z = l, w <= 0 if z = u, and w = 0 in between.
    Relay {
        /// Lower bounds; minus infinity for an unknown without a lower bound.
        lower: Vec<f64>,
        /// Upper bounds; infinity for an unknown without an upper bound.
        upper: Vec<f64>,
    },
    /// Coulomb friction in the plane, components (N, T).
    Friction2 {
        /// The coefficient of friction \[-\].
        mu: f64,
    },
    /// Coulomb friction in space, components (N, T1, T2).
    Friction3 {
        /// The coefficient of friction \[-\].
        mu: f64,
    },
    /// Rolling friction in the plane, components (N, T, R).
    Rolling3 {
        /// The coefficient of friction \[-\].
        mu: f64,
        /// The coefficient of rolling friction \[m\].
        mu_rolling: f64,
    },
    /// Rolling friction in space, components (N, T1, T2, R1, R2).
    Rolling5 {
        /// The coefficient of friction \[-\].
        mu: f64,
        /// The coefficient of rolling friction \[m\].
        mu_rolling: f64,
    },
}

impl Clone for MechanicalLaw {
    fn clone(&self) -> Self {
        match self {
            Self::Equality { size } => Self::Equality { size: *size },
            Self::Complementarity { size } => Self::Complementarity { size: *size },
            Self::Relay { lower, upper } => Self::Relay { lower: lower.clone(), upper: upper.clone() },
            Self::Friction2 { mu } => Self::Friction2 { mu: *mu },
            Self::Friction3 { mu } => Self::Friction3 { mu: *mu },
            Self::Rolling3 { mu, mu_rolling } => Self::Rolling3 { mu: *mu, mu_rolling: *mu_rolling },
            Self::Rolling5 { mu, mu_rolling } => Self::Rolling5 { mu: *mu, mu_rolling: *mu_rolling },
        }
    }

    /// Reuses the memory of the bounds, unlike a derived implementation. Each time step overwrites the laws
    /// of the previous time step.
    fn clone_from(&mut self, source: &Self) {
        match (self, source) {
            (Self::Relay { lower, upper }, Self::Relay { lower: from, upper: to }) => {
                lower.clone_from(from);
                upper.clone_from(to);
            }
            (law, source) => *law = source.clone(),
        }
    }
}

impl MechanicalLaw {
    /// Returns the number of unknowns of the block.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Self::Equality { size } | Self::Complementarity { size } => *size,
            Self::Relay { lower, .. } => lower.len(),
            Self::Friction2 { .. } => 2,
            Self::Friction3 { .. } | Self::Rolling3 { .. } => 3,
            Self::Rolling5 { .. } => 5,
        }
    }

    /// Returns the law of friction if the block has one.
    pub(crate) fn friction(&self) -> Option<ContactLaw<'_>> {
        let one = std::slice::from_ref;
        match self {
            Self::Friction2 { mu } => Some(ContactLaw::Coulomb { dimension: 2, mu: one(mu) }),
            Self::Friction3 { mu } => Some(ContactLaw::Coulomb { dimension: 3, mu: one(mu) }),
            Self::Rolling3 { mu, mu_rolling } => {
                Some(ContactLaw::Rolling { dimension: 3, mu: one(mu), mu_rolling: one(mu_rolling) })
            }
            Self::Rolling5 { mu, mu_rolling } => {
                Some(ContactLaw::Rolling { dimension: 5, mu: one(mu), mu_rolling: one(mu_rolling) })
            }
            Self::Equality { .. } | Self::Complementarity { .. } | Self::Relay { .. } => None,
        }
    }

    /// Checks the bounds and coefficients of block `block`, which has the first unknown `first`.
    pub(crate) fn check(&self, block: usize, first: usize) -> Result<(), ProblemError> {
        match self {
            Self::Equality { .. } | Self::Complementarity { .. } => Ok(()),
            Self::Relay { lower, upper } => {
                check_length("upper", lower.len(), upper.len())?;
                crate::cone::Interval::new(lower, upper).map(|_| ()).map_err(|error| match error {
                    ProblemError::Bounds { index, lower, upper } => {
                        ProblemError::Bounds { index: first + index, lower, upper }
                    }
                    other => other,
                })
            }
            Self::Friction2 { mu } | Self::Friction3 { mu } => check_coefficient("mu", block, *mu),
            Self::Rolling3 { mu, mu_rolling } | Self::Rolling5 { mu, mu_rolling } => {
                check_coefficient("mu", block, *mu)?;
                check_coefficient("mu_rolling", block, *mu_rolling)
            }
        }
    }
}

fn check_coefficient(what: &'static str, contact: usize, value: f64) -> Result<(), ProblemError> {
    if value.is_finite() && value >= 0.0 {
        Ok(())
    } else {
        Err(ProblemError::Coefficient { what, contact, value })
    }
}
