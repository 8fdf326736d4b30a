//! The simplex.

use super::error::check_positive;
use super::{ConvexSet, ConvexSetError};

/// Simplex $\lbrace x \ge 0 : \sum_i x_i = s \rbrace$. Its points describe mixtures or, if s = 1,
/// probabilities.
///
/// The projection is $\max(x_i - \tau, 0)$ with the $\tau$ for which the sum is s. The algorithm computes
/// $\tau$ from the remaining components, drops the components that do not exceed $\tau$, and repeats these
/// two steps until no component is dropped (Michelot 1986, "A finite algorithm for finding the projection of
/// a point onto the canonical simplex of R^n", Journal of Optimization Theory and Applications 50, 195-200).
///
/// ```
/// use siconos_numerics::cone::{ConvexSet, Simplex};
///
/// let mut x = [0.75, 0.75, -3.0];
/// Simplex::new(1.0)?.project(&mut x);
/// assert_eq!(x, [0.5, 0.5, 0.0]);
/// # Ok::<(), siconos_numerics::cone::ConvexSetError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simplex {
    sum: f64,
}

impl Simplex {
    /// Creates the simplex with the sum s, which must be positive.
    ///
    /// # Errors
    ///
    /// If the sum is not positive ([`ConvexSetError::NotPositive`]).
    pub fn new(sum: f64) -> Result<Self, ConvexSetError> {
        check_positive("sum", sum)?;
        Ok(Self { sum })
    }
}

impl ConvexSet for Simplex {
    fn project(&self, x: &mut [f64]) {
        let (mut tau, mut left) = (f64::NEG_INFINITY, usize::MAX);
        loop {
            let kept = || x.iter().filter(|x| **x > tau);
            let count = kept().count();
            // Rounding can drop all components. The largest component is then the whole sum.
            if count == left || count == 0 {
                break;
            }
            left = count;
            // Tau is computed relative to the largest component, so that no digit of the sum is lost if the
            // point is far from the simplex.
            let largest = kept().fold(f64::NEG_INFINITY, |largest, x| largest.max(*x));
            tau = largest + (kept().map(|x| x - largest).sum::<f64>() - self.sum) / count as f64;
        }
        // This form of the comparison preserves NaN.
        x.iter_mut().for_each(|x| *x = if *x <= tau { 0.0 } else { *x - tau });
    }
}
