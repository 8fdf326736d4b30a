//! The four matrices of a linear complementarity system.

use ndarray::{Array2, ArrayView2};

use crate::model::{ModelError, check_finite, check_shape};

/// Linear system $\dot x = A x + B \lambda$, $y = C x + D \lambda$ (x' = A x + B lambda, y = C x + D lambda)
/// with n states and m pairs of y and lambda. A and B already include the inverse of the mass matrix.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::analysis::{LinearSystem, RelativeDegree};
///
/// // A unit mass on a unilateral constraint: y is its height, lambda the force.
/// let mass = LinearSystem::new(array![[0.0, 1.0], [0.0, 0.0]], array![[0.0], [1.0]], array![[1.0, 0.0]], array![[0.0]])?;
/// assert_eq!(RelativeDegree::of(&mass)?.uniform, Some(2));
/// # Ok::<(), siconos_kernel::analysis::AnalysisError>(())
/// ```
#[doc(alias = "FirstOrderLinearTIDS")]
#[derive(Clone, Debug, PartialEq)]
pub struct LinearSystem {
    a: Array2<f64>,
    b: Array2<f64>,
    c: Array2<f64>,
    d: Array2<f64>,
}

impl LinearSystem {
    /// Adds a compliance \[y / lambda\] of each multiplier to the diagonal of D.
    pub(crate) fn with_compliance(mut self, compliance: &[f64]) -> Self {
        self.d.diag_mut().iter_mut().zip(compliance).for_each(|(d, own)| *d += own);
        self
    }

    /// Creates a system from `a`, n x n \[1/s\]; `b`, n x m \[x / (lambda s)\]; `c`, m x n \[y / x\];
    /// `d`, m x m \[y / lambda\].
    ///
    /// # Errors
    ///
    /// [`ModelError::Empty`] if the system lacks states or multipliers; [`ModelError::WrongShape`] or
    /// [`ModelError::NotFinite`] if a matrix has the wrong shape or an entry that is not finite.
    pub fn new(a: Array2<f64>, b: Array2<f64>, c: Array2<f64>, d: Array2<f64>) -> Result<Self, ModelError> {
        let (n, m) = (a.nrows(), b.ncols());
        for (what, size) in [("a", n), ("b", m)] {
            if size == 0 {
                return Err(ModelError::Empty { what });
            }
        }
        for (what, matrix, shape) in
            [("a", &a, (n, n)), ("b", &b, (n, m)), ("c", &c, (m, n)), ("d", &d, (m, m))]
        {
            check_shape(what, shape, matrix.dim())?;
            check_finite(what, matrix)?;
        }
        Ok(Self { a, b, c, d })
    }

    /// Returns n, the number of states.
    #[must_use]
    pub fn states(&self) -> usize {
        self.a.nrows()
    }

    /// Returns m, the number of pairs of y and lambda.
    #[must_use]
    pub fn multipliers(&self) -> usize {
        self.b.ncols()
    }

    /// Returns $A$, n x n \[1/s\].
    #[must_use]
    pub fn a(&self) -> ArrayView2<'_, f64> {
        self.a.view()
    }

    /// Returns $B$, n x m.
    #[must_use]
    pub fn b(&self) -> ArrayView2<'_, f64> {
        self.b.view()
    }

    /// Returns $C$, m x n.
    #[must_use]
    pub fn c(&self) -> ArrayView2<'_, f64> {
        self.c.view()
    }

    /// Returns $D$, m x m.
    #[must_use]
    pub fn d(&self) -> ArrayView2<'_, f64> {
        self.d.view()
    }
}
