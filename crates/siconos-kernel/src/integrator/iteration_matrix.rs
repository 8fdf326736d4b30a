//! The factorised iteration matrix of one system.

use ndarray::Array2;
use siconos_numerics::linalg::{DenseLu, Matrix, SingularMatrix};

/// $W$, factorised: the inverse of a diagonal, or LU factors.
#[derive(Clone, Debug)]
pub(super) enum IterationMatrix {
    Diagonal(Vec<f64>),
    Dense(DenseLu),
}

impl IterationMatrix {
    /// Factorises $W = M + \alpha C + \beta K$ of a linear system.
    pub(super) fn factor(
        mass: &Matrix,
        damping: Option<(f64, &Matrix)>,
        stiffness: Option<(f64, &Matrix)>,
    ) -> Result<Self, SingularMatrix> {
        let terms = || std::iter::once((1.0, mass)).chain(damping).chain(stiffness);
        let diagonals: Option<Vec<_>> = terms()
            .map(|(factor, matrix)| match matrix {
                Matrix::Diagonal(diagonal) => Some((factor, diagonal)),
                _ => None,
            })
            .collect();
        if let Some(diagonals) = diagonals {
            let mut w = vec![0.0; mass.rows()];
            for (factor, diagonal) in diagonals {
                for (w, d) in w.iter_mut().zip(diagonal) {
                    *w += factor * d;
                }
            }
            return Self::invert_diagonal(w);
        }
        let mut w = Array2::zeros((mass.rows(), mass.rows()));
        for (factor, matrix) in terms() {
            w.scaled_add(factor, &matrix.view().to_dense());
        }
        let mut lu = DenseLu::default();
        lu.factor(w.view())?;
        Ok(Self::Dense(lu))
    }

    /// Factorises a dense matrix in the memory of the last one.
    pub(super) fn refactor(&mut self, w: &Array2<f64>) -> Result<(), SingularMatrix> {
        if let Self::Diagonal(_) = self {
            *self = Self::Dense(DenseLu::default());
        }
        match self {
            Self::Dense(lu) => lu.factor(w.view()),
            Self::Diagonal(_) => Ok(()),
        }
    }

    fn invert_diagonal(mut w: Vec<f64>) -> Result<Self, SingularMatrix> {
        let threshold = w.iter().fold(0.0_f64, |m, x| m.max(x.abs())) * f64::MIN_POSITIVE.sqrt();
        for (column, w) in w.iter_mut().enumerate() {
            if w.abs() <= threshold || w.is_nan() {
                return Err(SingularMatrix::Pivot { column, pivot: *w });
            }
            *w = 1.0 / *w;
        }
        Ok(Self::Diagonal(w))
    }

    /// Overwrites `b` with $W^{-1} b$.
    pub(super) fn solve(&self, b: &mut [f64]) {
        match self {
            Self::Diagonal(inverse) => {
                for (b, w) in b.iter_mut().zip(inverse) {
                    *b *= w;
                }
            }
            Self::Dense(lu) => lu.solve(b),
        }
    }
}
