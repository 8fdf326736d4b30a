//! Linear relations of Lagrangian systems.

use ndarray::{Array1, Array2};

use crate::error::{ModelError, check_finite, check_shape};
use crate::model::fingerprint::Fingerprint;

/// $y = H q + b + D \lambda$, $p = H^T \lambda$, with H `m x N` over all degrees of freedom of the
/// interaction's systems, one system after the other.
///
/// With D the contact is compliant: $\lambda$ is then a force, D the compliance (1/stiffness, \[m/N\]), and y
/// is held against it at the end of the step.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::model::LagrangianLinearRelation;
///
/// // The gap between two beads of radius 0.1 on a line.
/// let gap = LagrangianLinearRelation::new(array![[-1.0, 1.0]]).with_offset(vec![-0.2]);
/// assert_eq!(gap.h().dim(), (1, 2));
/// ```
#[doc(alias = "LagrangianLinearTIR")]
#[doc(alias = "LagrangianCompliantLinearTIR")]
#[derive(Clone, Debug)]
pub struct LagrangianLinearRelation {
    h: Array2<f64>,
    b: Option<Array1<f64>>,
    d: Option<Array2<f64>>,
}

impl LagrangianLinearRelation {
    /// $y = H q$.
    ///
    /// Shapes and finiteness are checked when the interaction is added to a model.
    #[must_use]
    pub fn new(h: Array2<f64>) -> Self {
        Self { h: h.as_standard_layout().into_owned(), b: None, d: None }
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
        self.d = Some(d.as_standard_layout().into_owned());
        self
    }

    /// The matrix H.
    #[must_use]
    pub fn h(&self) -> &Array2<f64> {
        &self.h
    }

    /// The offset b, if any.
    #[must_use]
    pub fn offset(&self) -> Option<&Array1<f64>> {
        self.b.as_ref()
    }

    /// The compliance D, if any.
    #[must_use]
    pub fn compliance(&self) -> Option<&Array2<f64>> {
        self.d.as_ref()
    }

    pub(super) fn fingerprint(&self, of: &mut Fingerprint) {
        of.name("LagrangianLinearRelation");
        of.dense(self.h.view());
        of.option(self.b.as_ref(), Fingerprint::vector);
        of.option(self.d.as_ref(), |of, d| of.dense(d.view()));
    }

    pub(super) fn check(&self, columns: usize) -> Result<(), ModelError> {
        let m = self.h.nrows();
        check_shape("H", (m, columns), self.h.dim())?;
        check_finite("H", &self.h)?;
        if let Some(b) = &self.b {
            check_shape("b", (m, 1), (b.len(), 1))?;
            check_finite("b", b)?;
        }
        if let Some(d) = &self.d {
            check_shape("D", (m, m), d.dim())?;
            check_finite("D", d)?;
        }
        Ok(())
    }
}
