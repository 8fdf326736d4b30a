//! The second-order cone.

use super::error::check_positive;
use super::{CircularCone, ConvexSet, SetError};

/// The second-order cone $\lbrace (N, x) : \lVert x \rVert \le \mu N \rbrace$: with a coefficient of friction
/// $\mu$ Coulomb's cone, with $\mu = 1$ that of Lorentz.
///
/// ```
/// use siconos_numerics::cone::{ConvexSet, SecondOrderCone};
///
/// let mut x = [0.0, 2.0, 0.0];
/// SecondOrderCone::new(3, 1.0)?.project(&mut x);
/// assert_eq!(x, [1.0, 1.0, 0.0]);
/// # Ok::<(), siconos_numerics::cone::SetError>(())
/// ```
#[doc(alias("ice cream cone", "Lorentz cone", "friction cone"))]
#[derive(Clone, Debug, PartialEq)]
pub struct SecondOrderCone(CircularCone);

impl SecondOrderCone {
    /// The number of components, N included, and the coefficient $\mu$, above 0.
    ///
    /// # Errors
    ///
    /// [`SetError::NotPositive`].
    pub fn new(dimension: usize, coefficient: f64) -> Result<Self, SetError> {
        check_positive("coefficient", coefficient)?;
        check_positive("dimension", dimension as f64)?;
        Ok(Self(CircularCone::single(coefficient, dimension)))
    }
}

impl ConvexSet for SecondOrderCone {
    fn project(&self, x: &mut [f64]) {
        self.0.project(x);
    }
}
