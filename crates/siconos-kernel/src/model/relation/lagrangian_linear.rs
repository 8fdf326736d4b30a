//! Linear relations of Lagrangian systems.

use ndarray::{Array1, Array2};
use siconos_linalg::{Csc, Matrix};

use crate::model::origin::Origin;
use crate::model::parts::{HasParts, PartList};
use crate::model::{ModelError, check_finite, check_matrix, check_shape};

/// Linear relation $y = H q + b + D \lambda$, $p = H^T \lambda$. H is `m x N`, with one column for each
/// degree of freedom of the systems of the interaction, concatenated.
///
/// With D, the contact is compliant: $\lambda$ is a force, D is the compliance (1/stiffness, \[m/N\]), and
/// the relation holds at the end of the step.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::model::LagrangianLinearRelation;
///
/// // The gap between two beads of radius 0.1 on a line.
/// let gap = LagrangianLinearRelation::new(array![[-1.0, 1.0]]).with_offset(vec![-0.2]);
/// assert_eq!((gap.h().rows(), gap.h().columns()), (1, 2));
/// ```
#[doc(alias = "LagrangianLinearTIR")]
#[doc(alias = "LagrangianCompliantLinearTIR")]
#[derive(Clone, Debug)]
pub struct LagrangianLinearRelation {
    h: Matrix,
    /// Transpose of H without its zeros; `None` if H is not sparse.
    rows: Option<Box<Csc>>,
    b: Option<Array1<f64>>,
    d: Option<Box<Array2<f64>>>,
}

impl LagrangianLinearRelation {
    /// Creates the relation $y = H q$, with H in any storage. If H has many columns and few nonzero entries,
    /// only the nonzero entries are stored. A contact between two nodes of a mesh therefore costs as much as
    /// a contact between two balls.
    ///
    /// Shapes and finiteness are checked when the interaction is added to a model.
    #[must_use]
    pub fn new(h: impl Into<Matrix>) -> Self {
        let h = h.into();
        Self { rows: sparse_rows(&h).map(Box::new), h, b: None, d: None }
    }

    /// Adds the offset b, `m` entries.
    #[must_use]
    pub fn with_offset(mut self, b: impl Into<Array1<f64>>) -> Self {
        self.b = Some(b.into());
        self
    }

    /// Makes the contact compliant with the matrix D, `m x m`.
    #[must_use]
    pub fn with_compliance(mut self, d: Array2<f64>) -> Self {
        self.d = Some(Box::new(d.as_standard_layout().into_owned()));
        self
    }

    /// Returns the matrix H.
    #[must_use]
    pub fn h(&self) -> &Matrix {
        &self.h
    }

    /// Returns the transpose of H without its zeros, or `None` if H is not sparse.
    pub(crate) fn sparse_rows(&self) -> Option<&Csc> {
        self.rows.as_deref()
    }

    /// Writes the entries of H row by row. If H is sparse, writes only the entries in
    /// [`sparse_rows`](Self::sparse_rows).
    pub(crate) fn rows_into(&self, out: &mut [f64]) {
        match (&self.rows, &self.h) {
            (Some(rows), _) => out.copy_from_slice(rows.values()),
            (None, Matrix::Dense(h)) => out.iter_mut().zip(h).for_each(|(out, h)| *out = *h),
            (None, other) => out.iter_mut().zip(&other.view().to_dense()).for_each(|(out, h)| *out = *h),
        }
    }

    /// Returns the offset b, if any.
    #[must_use]
    pub fn offset(&self) -> Option<&Array1<f64>> {
        self.b.as_ref()
    }

    /// Returns the compliance D, if any.
    #[must_use]
    pub fn compliance(&self) -> Option<&Array2<f64>> {
        self.d.as_deref()
    }

    pub(super) fn check(&self, columns: usize) -> Result<(), ModelError> {
        let m = self.h.rows();
        check_matrix("H", (m, columns), &self.h)?;
        if let Some(b) = &self.b {
            check_shape("b", (m, 1), (b.len(), 1))?;
            check_finite("b", b)?;
        }
        if let Some(d) = &self.d {
            check_shape("D", (m, m), d.dim())?;
            check_finite("D", d.as_ref())?;
        }
        Ok(())
    }
}

impl HasParts for LagrangianLinearRelation {
    fn parts(&self) -> PartList<'_> {
        let mut parts = PartList::of("LagrangianLinearRelation");
        parts.count("size", self.h.rows());
        parts.matrix("H", &self.h);
        self.b.iter().for_each(|b| parts.vector("b", b));
        self.d.iter().for_each(|d| parts.dense("D", d.view()));
        parts
    }

    fn origins_mut(&mut self) -> Vec<&mut Origin> {
        Vec::new()
    }
}

/// Number of columns below which H is stored with its zeros.
const FEW_COLUMNS: usize = 16;

/// Maximum fraction of nonzero entries for which sparse products take less time than dense products.
const SPARSE: f64 = 0.25;

/// Returns the transpose of a matrix without its zeros, or `None` if the matrix is not sparse.
fn sparse_rows(h: &Matrix) -> Option<Csc> {
    if h.columns() < FEW_COLUMNS {
        return None;
    }
    let by_columns = Csc::from_matrix(h.view());
    let is_sparse = by_columns.entries() as f64 <= SPARSE * (h.rows() * h.columns()) as f64;
    is_sparse.then(|| {
        let mut rows = Csc::default();
        rows.copy_transposed(&by_columns);
        rows
    })
}
