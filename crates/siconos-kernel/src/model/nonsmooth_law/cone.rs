//! Multipliers in polyhedra and in second-order cones.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, s};
use serde::{Deserialize, Serialize};
use siconos_numerics::lcp::{LcpProblem, infeasibility_certificate};

use crate::error::{ModelError, check_finite, check_shape};

/// $-y \in N_P(\lambda)$ with the polyhedron $P = \lbrace \lambda : H \lambda \ge k \rbrace$.
///
/// As plain text: lambda lies in P = {H lambda >= k}, and -y in the normal cone to P there. Each block of
/// `H.ncols()` components has its own copy of the polyhedron.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::model::NormalCone;
///
/// // The triangle lambda_1 >= 0, lambda_2 >= 0, lambda_1 + lambda_2 <= 1.
/// let h = array![[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]];
/// let law = NormalCone::new(h, vec![0.0, 0.0, -1.0])?;
/// assert_eq!(law.size(), 2);
/// # Ok::<(), siconos_kernel::ModelError>(())
/// ```
#[doc(alias = "NormalConeNSL")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedPolyhedron")]
pub struct NormalCone {
    h: Array2<f64>,
    k: Vec<f64>,
}

/// A polyhedron as a file has it.
#[derive(Deserialize)]
struct UncheckedPolyhedron {
    h: Array2<f64>,
    k: Vec<f64>,
}

impl TryFrom<UncheckedPolyhedron> for NormalCone {
    type Error = ModelError;

    fn try_from(data: UncheckedPolyhedron) -> Result<Self, ModelError> {
        Self::new(data.h, data.k)
    }
}

impl NormalCone {
    /// The law with `p` inequalities: H is `p x m`, k has `p` entries.
    ///
    /// # Errors
    ///
    /// [`ModelError::Empty`] without any component, [`ModelError::WrongShape`], [`ModelError::NotFinite`].
    pub fn new(h: Array2<f64>, k: impl Into<Array1<f64>>) -> Result<Self, ModelError> {
        if h.ncols() == 0 {
            return Err(ModelError::Empty { what: "normal cone" });
        }
        let k = k.into().to_vec();
        check_shape("k", (h.nrows(), 1), (k.len(), 1))?;
        check_finite("H", &h)?;
        check_finite("k", &k)?;
        Ok(Self { h: h.as_standard_layout().into_owned(), k })
    }

    /// Whether the polyhedron is bounded: no direction d other than 0 has H d >= 0. It is said to be only
    /// where that is proved, by a certificate of Farkas for every coordinate and sign.
    #[must_use]
    pub fn is_bounded(&self) -> bool {
        let (m, n) = self.h.dim();
        let size = (m + 1).max(2 * n);
        // Rows and columns of a size of 1: directions and inequalities have no unit.
        let largest = |x: ArrayView1<'_, f64>| x.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        let scale = |x: f64| if x > 0.0 { 1.0 / x } else { 1.0 };
        let mut h = self.h.clone();
        for mut column in h.columns_mut() {
            let factor = scale(largest(column.view()));
            column *= factor;
        }
        for mut row in h.rows_mut() {
            let factor = scale(largest(row.view()));
            row *= factor;
        }
        (0..n).all(|j| {
            [1.0, -1.0].into_iter().all(|sign| {
                // d = a - b with a, b >= 0; H d >= 0 and sign d_j >= 1 have no solution.
                let mut program = Array2::zeros((size, size));
                program.slice_mut(s![..m, ..n]).assign(&h);
                program.slice_mut(s![..m, n..2 * n]).assign(&(-&h));
                (program[[m, j]], program[[m, n + j]]) = (sign, -sign);
                let mut q = vec![0.0; size];
                q[m] = -1.0;
                LcpProblem::new(&program, &q)
                    .is_ok_and(|problem| infeasibility_certificate(&problem).is_some())
            })
        })
    }

    /// The number of components of a block.
    #[must_use]
    pub fn size(&self) -> usize {
        self.h.ncols()
    }

    /// H, `p x m`.
    #[must_use]
    pub fn h(&self) -> ArrayView2<'_, f64> {
        self.h.view()
    }

    /// k, `p` entries.
    #[must_use]
    pub fn k(&self) -> &[f64] {
        &self.k
    }
}

/// $K^* \ni y \perp \lambda \in K$ with a product K of second-order cones
/// $\lVert \bar\lambda \rVert \le \lambda_0$.
///
/// As plain text: lambda lies in K, y in the dual cone, and they are orthogonal. A cone of one component is
/// the half-line $\lambda \ge 0$, so that a product of such is the nonnegative orthant. These cones are their
/// own duals.
///
/// ```
/// use siconos_kernel::model::ConeComplementarity;
///
/// // One cone in space, one half-line.
/// let law = ConeComplementarity::second_order([3, 1])?;
/// assert_eq!((law.size(), law.cones()), (4, &[3, 1][..]));
/// # Ok::<(), siconos_kernel::ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<usize>", into = "Vec<usize>")]
pub struct ConeComplementarity {
    sizes: Vec<usize>,
}

impl TryFrom<Vec<usize>> for ConeComplementarity {
    type Error = ModelError;

    fn try_from(sizes: Vec<usize>) -> Result<Self, ModelError> {
        Self::second_order(sizes)
    }
}

impl From<ConeComplementarity> for Vec<usize> {
    fn from(law: ConeComplementarity) -> Self {
        law.sizes
    }
}

impl ConeComplementarity {
    /// The product of second-order cones of the given sizes, in this order.
    ///
    /// # Errors
    ///
    /// [`ModelError::Empty`] without a cone, or when one is of size 0.
    pub fn second_order(sizes: impl Into<Vec<usize>>) -> Result<Self, ModelError> {
        let sizes = sizes.into();
        if sizes.is_empty() || sizes.contains(&0) {
            return Err(ModelError::Empty { what: "cone" });
        }
        Ok(Self { sizes })
    }

    /// The number of components of a block.
    #[must_use]
    pub fn size(&self) -> usize {
        // A file may say anything; no relation is as large as what does not fit.
        self.sizes.iter().fold(0, |sum: usize, size| sum.saturating_add(*size))
    }

    /// The sizes of the cones.
    #[must_use]
    pub fn cones(&self) -> &[usize] {
        &self.sizes
    }
}
