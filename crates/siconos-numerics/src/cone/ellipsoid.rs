//! Ellipsoids.

use ndarray::{Array2, ArrayView2};
use siconos_linalg::symmetric_eigen;

use super::error::check_symmetric;
use super::{ConvexSet, ConvexSetError};
use crate::engine::check_finite;

/// Newton's method for the secular equation ends if a step is below this fraction of tau.
const LAST_STEP: f64 = 1e-15;
/// Maximum number of Newton steps. Far fewer are needed in practice, because the method converges
/// quadratically from one side.
const MOST_STEPS: usize = 100;

/// Ellipsoid $\lbrace x : (x - c)^T Q (x - c) \le 1 \rbrace$ with Q symmetric positive definite.
///
/// In the principal axes, with half lengths $a_i$, the nearest point to y has the coordinates
/// $y_i / (1 + \tau / a_i^2)$, where $\tau > 0$ is chosen so that this point is on the surface. $\tau$ is the
/// root of the secular equation $1 = \lVert (a_i y_i / (a_i^2 + \tau))_i \rVert$. Newton's method is applied
/// to the reciprocals of both sides. It then converges from $\tau = 0$ without overshooting (Hebden 1973;
/// More and Sorensen 1983, "Computing a trust region step", SIAM Journal on Scientific and Statistical
/// Computing 4, section 3).
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::cone::{ConvexSet, Ellipsoid};
///
/// // Half axes 2 and 1.
/// let ellipse = Ellipsoid::new(vec![0.0, 0.0], array![[0.25, 0.0], [0.0, 1.0]].view())?;
/// let mut x = [5.0, 0.0];
/// ellipse.project(&mut x);
/// assert!((x[0] - 2.0).abs() < 1e-14 && x[1] == 0.0);
/// # Ok::<(), siconos_numerics::cone::ConvexSetError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Ellipsoid {
    centre: Vec<f64>,
    /// Principal axes, one per column.
    axes: Array2<f64>,
    /// Half lengths of the axes, in descending order.
    halves: Vec<f64>,
}

impl Ellipsoid {
    /// Creates the ellipsoid with the centre c, which has n entries, and the `n x n` matrix Q.
    ///
    /// # Errors
    ///
    /// If the shapes differ or a value is not finite ([`ConvexSetError::Problem`]), if Q is not symmetric
    /// positive definite ([`ConvexSetError::NotPositiveDefinite`]), or if its eigenvalues cannot be computed
    /// ([`ConvexSetError::Spectrum`]).
    pub fn new(centre: Vec<f64>, q: ArrayView2<'_, f64>) -> Result<Self, ConvexSetError> {
        let n = centre.len();
        check_finite("the centre", &centre)?;
        check_symmetric("Q", q, n)?;
        let eigen = symmetric_eigen(q)?;
        if let Some(value) = eigen.values.iter().find(|value| **value <= 0.0) {
            let why = format!("it has the eigenvalue {value}");
            return Err(ConvexSetError::NotPositiveDefinite { what: "Q", why });
        }
        let halves = eigen.values.iter().map(|value| 1.0 / value.sqrt()).collect();
        Ok(Self { centre, axes: eigen.vectors, halves })
    }

    /// Returns the half lengths of the principal axes, in descending order.
    #[must_use]
    pub fn half_axes(&self) -> &[f64] {
        &self.halves
    }
}

impl ConvexSet for Ellipsoid {
    fn project(&self, x: &mut [f64]) {
        x.iter_mut().zip(&self.centre).for_each(|(x, c)| *x -= c);
        let mut y: Vec<f64> = self
            .axes
            .columns()
            .into_iter()
            .map(|axis| axis.iter().zip(&*x).map(|(a, x)| a * x).sum())
            .collect();
        if let Some(tau) = secular_root(&self.halves, &y) {
            for (y, a) in y.iter_mut().zip(&self.halves) {
                *y /= 1.0 + tau / a / a;
            }
            for (x, row) in x.iter_mut().zip(self.axes.rows()) {
                *x = row.iter().zip(&y).map(|(a, y)| a * y).sum();
            }
        }
        x.iter_mut().zip(&self.centre).for_each(|(x, c)| *x += c);
    }
}

/// Returns the root tau for the projection of y, or `None` if y is inside the ellipsoid.
fn secular_root(halves: &[f64], y: &[f64]) -> Option<f64> {
    let mut tau = 0.0;
    for _ in 0..MOST_STEPS {
        // Compute the length of s with s_i = a_i y_i / (a_i^2 + tau), and half the derivative of its square.
        let (mut square, mut slope) = (0.0, 0.0);
        for (a, y) in halves.iter().zip(y) {
            let s = (y / a) / (1.0 + tau / a / a);
            square += s * s;
            slope -= s * s / (a * a + tau);
        }
        let length = square.sqrt();
        if length <= 1.0 {
            return (tau > 0.0).then_some(tau);
        }
        // Newton step for the equation 1 / length = 1.
        let step = square * (1.0 - length) / slope;
        tau += step;
        if step <= LAST_STEP * tau {
            return Some(tau);
        }
    }
    Some(tau)
}
