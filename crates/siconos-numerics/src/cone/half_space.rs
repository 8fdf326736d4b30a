//! Half-spaces.

use siconos_linalg::{add_scaled, dot};

use super::{ConvexSet, ConvexSetError};
use crate::engine::check_finite;
use crate::error::ProblemError;

/// Half-space $\lbrace x : a^T x \ge b \rbrace$ (plain text: a . x >= b).
///
/// ```
/// use siconos_numerics::cone::{ConvexSet, HalfSpace};
///
/// let above = HalfSpace::new(vec![1.0, 1.0], 2.0)?;
/// let mut x = [0.0, 0.0];
/// above.project(&mut x);
/// assert_eq!(x, [1.0, 1.0]);
/// # Ok::<(), siconos_numerics::cone::ConvexSetError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct HalfSpace {
    a: Vec<f64>,
    b: f64,
    /// Normal a divided by its squared length, computed without overflow.
    dual: Vec<f64>,
}

impl HalfSpace {
    /// Creates the half-space with the inward normal a and the bound b.
    ///
    /// # Errors
    ///
    /// If a = 0 ([`ConvexSetError::ZeroRow`]), or if a value is not finite ([`ConvexSetError::Problem`]).
    pub fn new(a: Vec<f64>, b: f64) -> Result<Self, ConvexSetError> {
        check_finite("a", &a)?;
        if !b.is_finite() {
            return Err(ProblemError::NotFinite { what: "b", index: 0, value: b }.into());
        }
        let largest = a.iter().fold(0.0_f64, |largest, a| largest.max(a.abs()));
        if largest == 0.0 {
            return Err(ConvexSetError::ZeroRow { what: "a", row: 0 });
        }
        let unit: Vec<f64> = a.iter().map(|a| a / largest).collect();
        let square = dot(&unit, &unit);
        let dual = unit.iter().map(|unit| unit / square / largest).collect();
        Ok(Self { a, b, dual })
    }
}

impl ConvexSet for HalfSpace {
    fn project(&self, x: &mut [f64]) {
        let missing = self.b - dot(&self.a, x);
        if missing > 0.0 {
            add_scaled(missing, &self.dual, x);
        }
    }
}
