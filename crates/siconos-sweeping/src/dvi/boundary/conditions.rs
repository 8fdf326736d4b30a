//! Boundary conditions, and the checks that are made before the problem is solved.

use std::fmt;

use ndarray::{Array2, Axis, concatenate};
use siconos_linalg::{DenseLu, singular_values, symmetric_eigen};

use super::super::DviError;
use siconos_kernel::ModelError;
use siconos_kernel::analysis::AnalysisError;
use siconos_kernel::engine::{check_finite, check_shape};
use siconos_kernel::engine::{frobenius, row_column_scaling, scaled};

/// Boundary conditions $M x(t_0) + N x(T) = b$, which are n equations for n states.
///
/// ```
/// use ndarray::Array2;
/// use siconos_sweeping::dvi::Boundary;
///
/// // Periodic: x(0) - x(T) = 0.
/// let periodic = Boundary { m: Array2::eye(2), n: -Array2::<f64>::eye(2), b: vec![0.0; 2] };
/// assert_eq!(periodic.b.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Boundary {
    /// M, n x n.
    pub m: Array2<f64>,
    /// N, n x n.
    pub n: Array2<f64>,
    /// b, n entries.
    pub b: Vec<f64>,
}

/// Violated assumption of the existence theorem of Pang and Stewart. The assumptions are only sufficient, so
/// the problem can still have a solution.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BoundaryWarning {
    /// M + N is singular.
    SingularSum {
        /// Vector v with (M + N) v = 0; its largest entry has magnitude 1.
        vector: Vec<f64>,
    },
    /// The interval is too long: $\exp(T \psi) \ge 1 + 1 / \lVert (M + N)^{-1} N \rVert$.
    LongInterval {
        /// $\exp(T \psi)$.
        growth: f64,
        /// Upper bound that the theorem requires for `growth`.
        bound: f64,
    },
}

impl fmt::Display for BoundaryWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SingularSum { vector } => write!(
                f,
                "M + N is singular, (M + N) v = 0 with v = {vector:.3?}: the existence theorem, which is only sufficient, \
                 does not apply"
            ),
            Self::LongInterval { growth, bound } => write!(
                f,
                "exp(T psi) = {growth:e} is not below 1 + 1 / |(M + N)^-1 N| = {bound:e}: the existence theorem, which is \
                 only sufficient, does not apply"
            ),
        }
    }
}

impl Boundary {
    pub(in super::super) fn check(&self, n: usize) -> Result<(), DviError> {
        check_shape("M of the boundary", (n, n), self.m.dim())?;
        check_shape("N of the boundary", (n, n), self.n.dim())?;
        check_shape("b of the boundary", (n, 1), (self.b.len(), 1))?;
        check_finite("M of the boundary", &self.m)?;
        check_finite("N of the boundary", &self.n)?;
        check_finite("b of the boundary", &self.b)?;
        // A state has one unit at both ends of the interval, so M and N are scaled together.
        let size = self.m.mapv(f64::abs) + self.n.mapv(f64::abs);
        let (rows, columns) = row_column_scaling(&size);
        let both = concatenate![Axis(1), scaled(&self.m, &rows, &columns), scaled(&self.n, &rows, &columns)];
        match null_vector(&both)? {
            None => Ok(()),
            Some(vector) => Err(DviError::DependentConditions { vector: largest_one(vector, &rows) }),
        }
    }

    /// Returns the violated assumptions of the existence theorem. The unit of psi is 1/s.
    pub(in super::super) fn warnings(
        &self,
        length: f64,
        psi: Option<f64>,
    ) -> Result<Vec<BoundaryWarning>, DviError> {
        let sum = &self.m + &self.n;
        let size = self.m.mapv(f64::abs) + self.n.mapv(f64::abs);
        let (rows, columns) = row_column_scaling(&size);
        let transposed = scaled(&sum, &rows, &columns).reversed_axes();
        if let Some(vector) = null_vector(&transposed.as_standard_layout().into_owned())? {
            return Ok(vec![BoundaryWarning::SingularSum { vector: largest_one(vector, &columns) }]);
        }
        let Some(psi) = psi else { return Ok(Vec::new()) };
        let mut lu = DenseLu::default();
        let mut image = self.n.clone();
        if lu.factor_in_any_units(sum.view()).is_ok() {
            for mut column in image.columns_mut() {
                let mut solved = column.to_vec();
                lu.solve(&mut solved);
                column.assign(&ndarray::ArrayView1::from(&solved));
            }
        }
        let norm = spectrum(singular_values(image.view()))?.first().copied().unwrap_or_default();
        let (growth, bound) = ((length * psi).exp(), 1.0 + norm.recip());
        let is_long = growth >= bound;
        Ok(is_long.then_some(BoundaryWarning::LongInterval { growth, bound }).into_iter().collect())
    }
}

fn spectrum<T>(found: Result<T, siconos_linalg::SpectrumError>) -> Result<T, DviError> {
    let of = "the boundary conditions";
    found.map_err(|source| AnalysisError::Spectrum { of, source }.into())
}

/// Returns a vector v with $v^T A = 0$ up to rounding, or `None` if there is none. The entries of A must be
/// near 1, and A must not have more rows than columns.
fn null_vector(a: &Array2<f64>) -> Result<Option<Vec<f64>>, DviError> {
    let values = spectrum(singular_values(a.view()))?;
    let smallest = values.last().copied().ok_or(ModelError::Empty { what: "boundary" })?;
    let noise = 4.0 * a.nrows() as f64 * f64::EPSILON * frobenius(a);
    if smallest > noise {
        return Ok(None);
    }
    let eigen = spectrum(symmetric_eigen(a.dot(&a.t()).view()))?;
    Ok(Some(eigen.vectors.column(0).to_vec()))
}

/// Converts a vector to the units of the data, and scales it so that its largest entry has magnitude 1.
fn largest_one(mut vector: Vec<f64>, scales: &[f64]) -> Vec<f64> {
    vector.iter_mut().zip(scales).for_each(|(v, scale)| *v *= scale);
    let largest = vector.iter().fold(0.0_f64, |a, v| if v.abs() > a.abs() { *v } else { a });
    if largest != 0.0 {
        vector.iter_mut().for_each(|v| *v /= largest);
    }
    vector
}
