//! The second-order cone.

use super::error::check_positive;
use super::{CircularCone, ConvexSet, ConvexSetError};

/// Second-order cone $\lbrace (N, x) : \lVert x \rVert \le \mu N \rbrace$. It is Coulomb's cone if $\mu$ is a
/// coefficient of friction, and the Lorentz cone if $\mu = 1$.
///
/// ```
/// use siconos_numerics::cone::{ConvexSet, SecondOrderCone};
///
/// let mut x = [0.0, 2.0, 0.0];
/// SecondOrderCone::new(3, 1.0)?.project(&mut x);
/// assert_eq!(x, [1.0, 1.0, 0.0]);
/// # Ok::<(), siconos_numerics::cone::ConvexSetError>(())
/// ```
#[doc(alias("ice cream cone", "Lorentz cone", "friction cone"))]
#[derive(Clone, Debug, PartialEq)]
pub struct SecondOrderCone(CircularCone);

impl SecondOrderCone {
    /// Creates the cone with the coefficient $\mu$, which must be positive. The dimension is the number of
    /// components of a point, including N.
    ///
    /// # Errors
    ///
    /// If the coefficient or the dimension is not positive ([`ConvexSetError::NotPositive`]).
    pub fn new(dimension: usize, coefficient: f64) -> Result<Self, ConvexSetError> {
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
