//! Polyhedra.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, s};
use serde::{Deserialize, Serialize};
use siconos_linalg::power_of_two_below;

use super::ConvexSetError;
use crate::engine::{check_finite, check_length};
use crate::lcp::{LcpProblem, infeasibility_certificate};

/// Polyhedron $\lbrace x : H x \ge k \rbrace$ (plain text: H x >= k).
///
/// Its [projection](super::ConvexSet::project) solves the dual problem.
/// [`PolyhedronProjection`](super::PolyhedronProjection) keeps the workspace of the solver between
/// projections and reports their outcome. An [empty](Self::emptiness) polyhedron has no nearest point; in
/// this case, the projection leaves the point unchanged.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::cone::{ConvexSet, Polyhedron};
///
/// // The triangle x_1 >= 0, x_2 >= 0, x_1 + x_2 <= 1.
/// let triangle = Polyhedron::new(array![[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], vec![0.0, 0.0, -1.0])?;
/// let mut x = [2.0, 1.0];
/// triangle.project(&mut x);
/// assert_eq!(x, [1.0, 0.0]);
/// assert!(triangle.is_bounded() && triangle.emptiness().is_none());
/// # Ok::<(), siconos_numerics::cone::ConvexSetError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Polyhedron {
    h: Array2<f64>,
    k: Vec<f64>,
}

/// Polyhedron as stored in a file.
#[derive(Deserialize)]
struct Unchecked {
    h: Array2<f64>,
    k: Vec<f64>,
}

impl TryFrom<Unchecked> for Polyhedron {
    type Error = ConvexSetError;

    fn try_from(data: Unchecked) -> Result<Self, ConvexSetError> {
        Self::new(data.h, data.k)
    }
}

impl Polyhedron {
    /// Creates the polyhedron of p inequalities in n unknowns. H is `p x n`, and k has p entries.
    ///
    /// # Errors
    ///
    /// If the lengths differ or a value is not finite ([`ConvexSetError::Problem`]), or if a row of H is zero
    /// ([`ConvexSetError::ZeroRow`]).
    pub fn new(h: Array2<f64>, k: impl Into<Array1<f64>>) -> Result<Self, ConvexSetError> {
        let k = k.into().to_vec();
        check_length("k", h.nrows(), k.len())?;
        let h = h.as_standard_layout().into_owned();
        check_finite("H", h.as_slice().unwrap_or_default())?;
        check_finite("k", &k)?;
        match h.rows().into_iter().position(|row| row.iter().all(|entry| *entry == 0.0)) {
            Some(row) => Err(ConvexSetError::ZeroRow { what: "H", row }),
            None => Ok(Self { h, k }),
        }
    }

    /// Returns the `p x n` matrix H.
    #[must_use]
    pub fn h(&self) -> ArrayView2<'_, f64> {
        self.h.view()
    }

    /// Returns k, which has p entries.
    #[must_use]
    pub fn k(&self) -> &[f64] {
        &self.k
    }

    /// Returns the number of unknowns, n.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.h.ncols()
    }

    /// Returns a proof that no point satisfies all inequalities, or `None` if no proof is found. The proof is
    /// a vector y with $y \ge 0$, $H^T y = 0$ and $k^T y > 0$ (Farkas; plain text: y >= 0, H^T y = 0, k . y >
    /// 0), within rounding errors. The largest entry of y is 1.
    #[must_use]
    pub fn emptiness(&self) -> Option<Vec<f64>> {
        let (p, n) = self.h.dim();
        let size = p.max(2 * n);
        // Write x = a - b with a, b >= 0. The rows are scaled. Rows 0 >= 0 are added to make the matrix
        // square.
        let scales: Vec<f64> = self.h.rows().into_iter().map(unit_factor).collect();
        let mut program = Array2::zeros((size, size));
        program.slice_mut(s![..p, ..n]).assign(&self.h);
        program.slice_mut(s![..p, n..2 * n]).assign(&(-&self.h));
        let mut q = vec![0.0; size];
        for ((i, scale), k) in scales.iter().enumerate().zip(&self.k) {
            program.row_mut(i).mapv_inplace(|x| x * scale);
            q[i] = -k * scale;
        }
        let problem = LcpProblem::new(&program, &q).ok()?;
        let proof = infeasibility_certificate(&problem)?;
        let mut factors: Vec<f64> = proof.iter().zip(&scales).map(|(y, scale)| y * scale).collect();
        let largest = factors.iter().fold(0.0_f64, |largest, y| largest.max(*y));
        factors.iter_mut().for_each(|y| *y /= largest);
        Some(factors)
    }

    /// Returns `true` if the polyhedron is proved to be bounded, which means that H d >= 0 only for d = 0.
    /// The proof consists of a Farkas certificate for every coordinate and sign.
    #[must_use]
    pub fn is_bounded(&self) -> bool {
        let (m, n) = self.h.dim();
        let size = (m + 1).max(2 * n);
        // Scale rows and columns so that their largest entries are near 1. This is possible because
        // directions and inequalities have no unit.
        let mut h = self.h.clone();
        for mut column in h.columns_mut() {
            let factor = unit_factor(column.view());
            column *= factor;
        }
        for mut row in h.rows_mut() {
            let factor = unit_factor(row.view());
            row *= factor;
        }
        (0..n).all(|j| {
            [1.0, -1.0].into_iter().all(|sign| {
                // Write d = a - b with a, b >= 0. Prove that H d >= 0 and sign d_j >= 1 have no solution.
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
}

/// Returns the power of 2 that scales the largest entry to near 1, or 1 if all entries are 0.
fn unit_factor(entries: ArrayView1<'_, f64>) -> f64 {
    let largest = entries.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    1.0 / power_of_two_below(largest)
}
