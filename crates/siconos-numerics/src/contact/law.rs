//! Laws of contact problems: the cones of the reactions, and the shift of De Saxce.

use std::ops::Range;

use siconos_linalg::norm;

use crate::cone::CircularCone;
use crate::engine::check_length;
use crate::error::{ProblemError, Unsupported};

/// Law that relates the velocity and the reaction of every block of unknowns. It borrows its coefficients.
///
/// Block $i$ of the reaction is in the cone $K_i$. Block $i$ of the velocity is in the dual cone $K_i^{\ast}$
/// after the shift $s_i$ has been added to its first component. The reaction and the shifted velocity are
/// orthogonal:
///
/// $$ K_i^{\ast} \ni u_i + s_i(u_i) e_N \perp r_i \in K_i. $$
///
/// As plain text: u + s(u) e_N is in K*, r is in K, and the two are perpendicular.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ContactLaw<'a> {
    /// Coulomb friction in blocks (N, T) or (N, T1, T2). The cone is $\lVert r_T \rVert \le \mu r_N$, and the
    /// shift is $s = \mu \lVert u_T \rVert$. With infinite $\mu$, a contact either opens (r = 0) or sticks (u
    /// = 0).
    Coulomb {
        /// Number of components per block: 2 or 3.
        dimension: usize,
        /// Coefficients of friction \[-\], one per contact; infinity is allowed.
        mu: &'a [f64],
    },
    /// Rolling friction in blocks (N, T, R) or (N, T1, T2, R1, R2). In addition to the cone of Coulomb
    /// friction, the rolling moment satisfies $\lVert r_R \rVert \le \mu_r r_N$. The shift is
    /// $s = \mu \lVert u_T \rVert + \mu_r \lVert u_R \rVert$.
    Rolling {
        /// Number of components per block: 3 or 5.
        dimension: usize,
        /// Coefficients of friction \[-\], one per contact; infinity is allowed.
        mu: &'a [f64],
        /// Coefficients of rolling friction \[m\], one per contact; all must be finite.
        mu_rolling: &'a [f64],
    },
    /// Second-order cones $\lVert \bar r \rVert \le \tau r_0$ of any sizes, without a shift.
    SecondOrder {
        /// Index of the first unknown of each cone. The last entry is the number of unknowns.
        starts: &'a [usize],
        /// Slopes $\tau$ of the cones \[-\], one per cone; the standard cone has slope 1.
        tau: &'a [f64],
    },
}

impl<'a> ContactLaw<'a> {
    /// Checks the coefficients, the number of components per block, and the partition of the unknowns into
    /// cones.
    pub(crate) fn check(&self) -> Result<(), ProblemError> {
        match *self {
            Self::Coulomb { dimension, mu } => {
                check_dimension(dimension, &[2, 3])?;
                check_friction(mu)
            }
            Self::Rolling { dimension, mu, mu_rolling } => {
                check_dimension(dimension, &[3, 5])?;
                check_length("mu_rolling", mu.len(), mu_rolling.len())?;
                check_friction(mu)?;
                check_coefficients("mu_rolling", mu_rolling)
            }
            Self::SecondOrder { starts, tau } => {
                check_length("starts", tau.len() + 1, starts.len())?;
                if starts[0] != 0 || starts.windows(2).any(|pair| pair[0] >= pair[1]) {
                    return Err(ProblemError::ConePartition);
                }
                check_coefficients("tau", tau)
            }
        }
    }

    /// Returns the coefficients of friction \[-\], one per contact, or `None` for second-order cones.
    #[must_use]
    pub fn mu(&self) -> Option<&'a [f64]> {
        match *self {
            Self::Coulomb { mu, .. } | Self::Rolling { mu, .. } => Some(mu),
            Self::SecondOrder { .. } => None,
        }
    }

    /// Returns the coefficients of rolling friction \[m\], one per contact, or `None` for laws without
    /// rolling friction.
    #[must_use]
    pub fn mu_rolling(&self) -> Option<&'a [f64]> {
        match *self {
            Self::Rolling { mu_rolling, .. } => Some(mu_rolling),
            Self::Coulomb { .. } | Self::SecondOrder { .. } => None,
        }
    }

    /// Returns the number of blocks, that is, of contacts or cones.
    #[must_use]
    pub fn blocks(&self) -> usize {
        match self {
            Self::Coulomb { mu, .. } | Self::Rolling { mu, .. } => mu.len(),
            Self::SecondOrder { tau, .. } => tau.len(),
        }
    }

    /// Returns the number of unknowns, summed over all blocks.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Self::Coulomb { dimension, mu } | Self::Rolling { dimension, mu, .. } => dimension * mu.len(),
            Self::SecondOrder { starts, .. } => starts.last().copied().unwrap_or(0),
        }
    }

    /// Returns the number of components per block, or `None` if blocks differ in size.
    #[must_use]
    pub fn uniform_dimension(&self) -> Option<usize> {
        match self {
            Self::Coulomb { dimension, .. } | Self::Rolling { dimension, .. } => Some(*dimension),
            Self::SecondOrder { starts, .. } => {
                let first = starts.get(1).copied()?;
                starts.iter().enumerate().all(|(i, &start)| start == i * first).then_some(first)
            }
        }
    }

    /// Returns the indices of the unknowns of a block.
    #[inline]
    #[must_use]
    pub fn range(&self, block: usize) -> Range<usize> {
        match self {
            Self::Coulomb { dimension, .. } | Self::Rolling { dimension, .. } => {
                block * dimension..(block + 1) * dimension
            }
            Self::SecondOrder { starts, .. } => starts[block]..starts[block + 1],
        }
    }

    /// Returns the block to which an unknown belongs.
    pub(crate) fn block_of(&self, row: usize) -> usize {
        match self {
            Self::Coulomb { dimension, .. } | Self::Rolling { dimension, .. } => row / dimension,
            Self::SecondOrder { starts, .. } => starts.partition_point(|start| *start <= row) - 1,
        }
    }

    /// Returns the indices of the unknowns of a block that are translational. These are all unknowns of the
    /// block except its rolling components.
    #[inline]
    pub(crate) fn rows_of_velocity(&self, block: usize) -> Range<usize> {
        let range = self.range(block);
        match self {
            Self::Rolling { dimension, .. } => range.start..range.start + dimension.div_ceil(2),
            _ => range,
        }
    }

    /// Returns `true` if at least one contact has infinite friction.
    pub(crate) fn has_infinite_friction(&self) -> bool {
        match self {
            Self::Coulomb { mu, .. } | Self::Rolling { mu, .. } => mu.iter().any(|mu| mu.is_infinite()),
            Self::SecondOrder { .. } => false,
        }
    }

    /// Returns the cone of the reaction of a block.
    #[inline]
    pub(crate) fn cone(&self, block: usize) -> CircularCone {
        match *self {
            Self::Coulomb { dimension, mu } => CircularCone::single(mu[block], dimension),
            Self::Rolling { dimension, mu, mu_rolling } => {
                CircularCone::double(mu[block], mu_rolling[block], dimension)
            }
            Self::SecondOrder { starts, tau } => {
                CircularCone::single(tau[block], starts[block + 1] - starts[block])
            }
        }
    }

    /// Returns `true` if a block with a zero reaction and the velocity `u` satisfies the law.
    pub(crate) fn is_open(&self, block: usize, u: &[f64]) -> bool {
        match self {
            Self::SecondOrder { tau, .. } => tau[block] * norm(&u[1..]) <= u[0],
            _ => u[0] >= 0.0,
        }
    }

    /// Returns `true` if the law shifts velocities. This holds for all laws except second-order cones.
    #[must_use]
    pub fn has_shift(&self) -> bool {
        !matches!(self, Self::SecondOrder { .. })
    }

    /// Returns the shift $s(u)$ of a block \[m/s\].
    #[inline]
    #[must_use]
    pub fn shift(&self, block: usize, u: &[f64]) -> f64 {
        match self {
            Self::Coulomb { dimension: 2, mu } => mu[block] * u[1].abs(),
            Self::Coulomb { mu, .. } => mu[block] * (u[1] * u[1] + u[2] * u[2]).sqrt(),
            Self::Rolling { .. } => {
                let cone = self.cone(block);
                cone.parts().iter().map(|part| part.coefficient * norm(&u[part.range.clone()])).sum()
            }
            Self::SecondOrder { .. } => 0.0,
        }
    }

    /// Writes the gradient of the shift to `gradient`. If the shift is not differentiable at `u`, writes 0,
    /// which is an element of the subdifferential.
    pub(crate) fn shift_gradient(&self, block: usize, u: &[f64], gradient: &mut [f64]) {
        gradient.fill(0.0);
        if !self.has_shift() {
            return;
        }
        for part in self.cone(block).parts() {
            let length = norm(&u[part.range.clone()]);
            if length > 0.0 {
                for i in part.range.clone() {
                    gradient[i] = part.coefficient * u[i] / length;
                }
            }
        }
    }

    /// Replaces the reaction of a block by the nearest point of its cone. With infinite friction, a reaction
    /// with $r_N \le 0$ becomes 0, and any other reaction remains unchanged.
    #[inline]
    pub fn project(&self, block: usize, r: &mut [f64]) {
        match (*self, r) {
            (Self::Coulomb { mu, .. }, &mut [ref mut n, ref mut t]) => project_plane(mu[block], n, t),
            (Self::Coulomb { mu, .. }, &mut [ref mut n, ref mut s, ref mut t]) => {
                project_space(mu[block], n, s, t);
            }
            (_, r) => self.cone(block).project(r),
        }
    }

    /// Replaces the reaction of every block by the nearest point of its cone.
    pub fn project_all(&self, r: &mut [f64]) {
        (0..self.blocks()).for_each(|block| self.project(block, &mut r[self.range(block)]));
    }
}

#[inline]
fn project_plane(mu: f64, n: &mut f64, t: &mut f64) {
    let length = t.abs();
    if mu * length <= -*n || (mu == f64::INFINITY && *n <= 0.0) {
        (*n, *t) = (0.0, 0.0);
    } else if length > mu * *n {
        *n = (mu * length + *n) / (1.0 + mu * mu);
        *t = (mu * *n).copysign(*t);
    }
}

#[inline]
fn project_space(mu: f64, n: &mut f64, s: &mut f64, t: &mut f64) {
    let length = (*s * *s + *t * *t).sqrt();
    if mu * length <= -*n || (mu == f64::INFINITY && *n <= 0.0) {
        (*n, *s, *t) = (0.0, 0.0, 0.0);
    } else if length > mu * *n {
        *n = (mu * length + *n) / (1.0 + mu * mu);
        let factor = mu * *n / length;
        *s *= factor;
        *t *= factor;
    }
}

/// Returns an error if a coefficient of friction is infinite.
pub(super) fn refuse_infinite_friction(
    solver: &'static str,
    law: &ContactLaw<'_>,
) -> Result<(), Unsupported> {
    if law.has_infinite_friction() {
        let takes = "finite coefficients of friction";
        return Err(Unsupported { solver, found: "infinite friction", takes });
    }
    Ok(())
}

fn check_dimension(dimension: usize, possible: &'static [usize]) -> Result<(), ProblemError> {
    if possible.contains(&dimension) {
        Ok(())
    } else {
        Err(ProblemError::ContactDimension { dimension, possible })
    }
}

/// Returns an error if a coefficient of friction is negative or NaN. Infinite coefficients are allowed.
fn check_friction(mu: &[f64]) -> Result<(), ProblemError> {
    match mu.iter().position(|&x| x.is_nan() || x < 0.0) {
        None => Ok(()),
        Some(contact) => Err(ProblemError::Coefficient { what: "mu", contact, value: mu[contact] }),
    }
}

/// Returns an error if a value is negative or not finite. `what` names the coefficient in the error.
fn check_coefficients(what: &'static str, values: &[f64]) -> Result<(), ProblemError> {
    match values.iter().position(|&x| !(x.is_finite() && x >= 0.0)) {
        None => Ok(()),
        Some(contact) => Err(ProblemError::Coefficient { what, contact, value: values[contact] }),
    }
}
