//! Sets that are shifted, scaled and rotated.

use ndarray::{Array2, ArrayView2};

use super::error::{check_orthogonal, check_positive};
use super::{ConvexSet, ConvexSetError};
use crate::engine::{check_finite, check_length};
use crate::error::ProblemError;
use crate::info::Status;

/// Set after a similarity transformation: $\lbrace c + s R y : y \in C \rbrace$ with a shift c, a factor s >
/// 0 and an orthogonal matrix R. The projection applies the inverse transformation to the point, projects
/// onto C, and transforms the result.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::cone::{ConvexSet, Interval, TransformedSet};
///
/// // The square between -1 and 1, rotated by 45 degrees, twice as large, around (3, 0).
/// let half = 0.5_f64.sqrt();
/// let square = Interval::new(&[-1.0, -1.0], &[1.0, 1.0])?;
/// let diamond = TransformedSet::new(square, 2)
///     .rotated(array![[half, -half], [half, half]].view())?
///     .scaled(2.0)?
///     .shifted(&[3.0, 0.0])?;
/// let mut x = [9.0, 0.0];
/// diamond.project(&mut x);
/// assert!((x[0] - (3.0 + 8.0_f64.sqrt())).abs() < 1e-14);
/// # Ok::<(), siconos_numerics::cone::ConvexSetError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TransformedSet<S> {
    set: S,
    shift: Vec<f64>,
    scale: f64,
    rotation: Option<Array2<f64>>,
}

impl<S: ConvexSet> TransformedSet<S> {
    /// Wraps a set of points with n components. The initial transformation is the identity.
    pub fn new(set: S, n: usize) -> Self {
        Self { set, shift: vec![0.0; n], scale: 1.0, rotation: None }
    }

    /// Shifts the set by a vector, after the earlier transformations.
    ///
    /// # Errors
    ///
    /// If the length differs, or if a value is not finite ([`ConvexSetError::Problem`]).
    pub fn shifted(mut self, by: &[f64]) -> Result<Self, ConvexSetError> {
        check_length("a shift", self.shift.len(), by.len())?;
        check_finite("a shift", by)?;
        self.shift.iter_mut().zip(by).for_each(|(shift, by)| *shift += by);
        Ok(self)
    }

    /// Scales the set about the origin by a positive factor, after the earlier transformations.
    ///
    /// # Errors
    ///
    /// If the factor is not positive ([`ConvexSetError::NotPositive`]).
    pub fn scaled(mut self, factor: f64) -> Result<Self, ConvexSetError> {
        check_positive("factor", factor)?;
        self.scale *= factor;
        self.shift.iter_mut().for_each(|shift| *shift *= factor);
        Ok(self)
    }

    /// Rotates or reflects the set about the origin, after the earlier transformations: x becomes R x.
    ///
    /// # Errors
    ///
    /// If R is not orthogonal ([`ConvexSetError::NotOrthogonal`]), or if its shape differs
    /// ([`ConvexSetError::Problem`]).
    pub fn rotated(mut self, r: ArrayView2<'_, f64>) -> Result<Self, ConvexSetError> {
        let n = self.shift.len();
        if r.nrows() != r.ncols() {
            return Err(ProblemError::NotSquare { rows: r.nrows(), columns: r.ncols() }.into());
        }
        check_length("R", n, r.ncols())?;
        check_orthogonal("R", r)?;
        self.shift = r.dot(&ndarray::ArrayView1::from(&self.shift)).to_vec();
        self.rotation = Some(match &self.rotation {
            Some(before) => r.dot(before),
            None => r.to_owned(),
        });
        Ok(self)
    }
}

impl<S: ConvexSet> ConvexSet for TransformedSet<S> {
    fn project(&self, x: &mut [f64]) {
        let _reported = self.try_project(x);
    }

    fn try_project(&self, x: &mut [f64]) -> Status {
        x.iter_mut().zip(&self.shift).for_each(|(x, shift)| *x = (*x - shift) / self.scale);
        let status = match &self.rotation {
            None => self.set.try_project(x),
            Some(rotation) => {
                let product = |matrix: ArrayView2<'_, f64>, x: &[f64]| -> Vec<f64> {
                    matrix.rows().into_iter().map(|row| row.iter().zip(x).map(|(r, x)| r * x).sum()).collect()
                };
                let mut turned = product(rotation.t(), x);
                let status = self.set.try_project(&mut turned);
                x.copy_from_slice(&product(rotation.view(), &turned));
                status
            }
        };
        x.iter_mut().zip(&self.shift).for_each(|(x, shift)| *x = *x * self.scale + shift);
        status
    }
}
