//! Affine functions of the state, and linear models with a multiplier.

use ndarray::{Array1, Array2};

use super::LinearFlow;
use super::switched::Mode;

/// Affine function $x \mapsto M x + o$.
#[derive(Clone, Debug, PartialEq)]
pub struct Affine {
    /// $M$, with one row for each value.
    pub matrix: Array2<f64>,
    /// $o$.
    pub offset: Array1<f64>,
}

impl Affine {
    /// Creates the function from its matrix and its offset.
    ///
    /// # Panics
    ///
    /// If the number of entries of the offset differs from the number of rows of the matrix.
    #[track_caller]
    #[must_use]
    pub fn new(matrix: Array2<f64>, offset: Array1<f64>) -> Self {
        assert_eq!(matrix.nrows(), offset.len(), "one offset per row");
        Self { matrix, offset }
    }

    /// Creates a linear function; its offset is 0.
    #[must_use]
    pub fn linear(matrix: Array2<f64>) -> Self {
        let offset = Array1::zeros(matrix.nrows());
        Self { matrix, offset }
    }

    /// Creates a constant function of a state with `n` entries.
    #[must_use]
    pub fn constant(offset: Array1<f64>, n: usize) -> Self {
        Self { matrix: Array2::zeros((offset.len(), n)), offset }
    }

    /// Creates a function of a state with `n` entries whose value has no entries.
    #[must_use]
    pub fn none(n: usize) -> Self {
        Self::constant(Array1::zeros(0), n)
    }

    /// Returns the value at `x`.
    #[must_use]
    pub fn value(&self, x: &Array1<f64>) -> Array1<f64> {
        self.matrix.dot(x) + &self.offset
    }
}

/// Linear model $x' = A x + B \lambda$, $y = C x + D \lambda$ with an initial state. A time-stepping scheme
/// can build its model from these data. The law between $y$ and $\lambda$ is defined by the type that returns
/// the model.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearModel {
    /// $A$, n by n.
    pub a: Array2<f64>,
    /// $B$, n by m.
    pub b: Array2<f64>,
    /// $C$, m by n.
    pub c: Array2<f64>,
    /// $D$, m by m.
    pub d: Array2<f64>,
    /// State at $t = 0$. It may be inconsistent with the law.
    pub x0: Array1<f64>,
}

impl LinearModel {
    /// Returns a mode in which the multiplier is the affine function `lambda` of the state. The flow of the
    /// mode is $x' = A x + B \lambda(x)$, and its output is $y = C x + D \lambda(x)$.
    #[must_use]
    pub fn mode(&self, name: &'static str, lambda: Affine, guards: Affine, equalities: Affine) -> Mode {
        let flow = LinearFlow::new(&self.a + &self.b.dot(&lambda.matrix), self.b.dot(&lambda.offset));
        let y = Affine::new(&self.c + &self.d.dot(&lambda.matrix), self.d.dot(&lambda.offset));
        Mode { name, flow, lambda, y, guards, equalities }
    }
}
