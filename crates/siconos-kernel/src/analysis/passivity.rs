//! Passivity with a given storage function.

use std::fmt;

use ndarray::{Array2, ArrayView2, Axis, concatenate, s};
use siconos_linalg::{MatrixRef, symmetric_eigen};

use super::equilibration::{frobenius, scaled, symmetric_scaling};
use super::error::spectrum_of;
use super::{AnalysisError, LinearSystem};
use crate::model::{check_finite, check_shape};

/// Result of the check of a storage matrix P.
#[derive(Clone, Debug, PartialEq)]
pub enum StorageCheck {
    /// P is symmetric and positive definite, and the matrix inequality holds up to rounding: the system is
    /// passive with the storage function $\frac12 x^T P x$.
    Proved {
        /// Smallest eigenvalue of the negated matrix of the inequality, after scaling to entries near 1. The
        /// margin is 0 up to rounding if the system is lossless in some direction.
        margin: f64,
        /// Smallest eigenvalue of P scaled to a unit diagonal.
        storage_margin: f64,
    },
    /// P is symmetric and positive definite, but does not satisfy the matrix inequality. Another P might
    /// still prove passivity.
    Refuted {
        /// State x followed by lambda, n + m entries in total, for which the storage function grows faster
        /// than the supplied power $y^T \lambda$ permits. The vector is scaled to a largest magnitude of 1.
        direction: Vec<f64>,
        /// Largest eigenvalue of the matrix of the inequality, after scaling to entries near 1.
        excess: f64,
    },
    /// P is not symmetric.
    NotSymmetric,
    /// P is not positive definite, or its smallest eigenvalue is within the rounding error.
    NotPositiveDefinite {
        /// Diagonal entry of P that is not positive. If all are positive: smallest eigenvalue of P after
        /// scaling to a unit diagonal.
        value: f64,
        /// Vector x, n entries, with $x^T P x \le 0$ up to rounding. It is scaled to a largest magnitude of
        /// 1.
        direction: Vec<f64>,
    },
}

impl fmt::Display for StorageCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Proved { margin, .. } => {
                write!(f, "passive with the given storage, proved up to rounding (margin {margin:.1e})")
            }
            Self::Refuted { excess, .. } => write!(
                f,
                "not passive with the given storage (excess {excess:.1e}); another storage could still show that it is"
            ),
            Self::NotSymmetric => write!(f, "the given matrix is not a storage matrix: it is not symmetric"),
            Self::NotPositiveDefinite { value, .. } => {
                write!(
                    f,
                    "the given matrix is not a storage matrix: it is not positive definite ({value:.1e})"
                )
            }
        }
    }
}

/// Checks $P = P^T > 0$ and the matrix inequality of passivity (the Kalman-Yakubovich-Popov lemma),
///
/// $$ \begin{bmatrix} A^T P + P A & P B - C^T \cr B^T P - C & -(D + D^T) \end{bmatrix} \le 0. $$
///
/// As plain text: [A^T P + P A, P B - C^T; B^T P - C, -(D + D^T)] <= 0. `p` is n x n; its unit is energy over
/// x squared if y lambda is a power. For a circuit with capacitor voltages and inductor currents as states,
/// P = diag(C, L).
///
/// **Meaning.** The inequality implies $\frac{d}{dt} \frac12 x^T P x \le y^T \lambda$ along all motions: the
/// system is passive (Brogliato, Lozano, Maschke, Egeland 2007, sections 3.1 and 4.3), its transfer function
/// is positive real and D is nonnegative definite. These are the assumptions of Camlibel, Heemels and
/// Schumacher 2002. If the inequality fails, only this P is refuted, not passivity. Finding a P is a
/// semidefinite program, which this function does not solve.
///
/// **Tolerance.** The matrix is scaled symmetrically so that the sizes of its entries (the sums of the
/// magnitudes of their terms) are near 1. Its largest eigenvalue may exceed 0 by the bound of the rounding
/// error, which is $2 (n + m) \varepsilon$ times the Frobenius norm of the scaled matrix of sizes. The result
/// does not depend on units.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::analysis::{LinearSystem, StorageCheck, check_storage};
///
/// // A capacitor (2 F) and a resistor (1 / 3 Ohm) in parallel, fed by the current lambda: y is the voltage.
/// let rc = LinearSystem::new(array![[-1.5]], array![[0.5]], array![[1.0]], array![[0.0]])?;
/// assert!(matches!(check_storage(&rc, array![[2.0]].view())?, StorageCheck::Proved { .. }));
/// assert!(matches!(check_storage(&rc, array![[1.0]].view())?, StorageCheck::Refuted { .. }));
/// # Ok::<(), siconos_kernel::analysis::AnalysisError>(())
/// ```
///
/// # Errors
///
/// [`AnalysisError::Model`] if P has the wrong size or is not finite; [`AnalysisError::Spectrum`] if products
/// overflow or the eigenvalues cannot be computed.
#[doc(alias("LMI", "dissipativity", "KYP"))]
pub fn check_storage(system: &LinearSystem, p: ArrayView2<'_, f64>) -> Result<StorageCheck, AnalysisError> {
    let n = system.states();
    check_shape("p", (n, n), p.dim())?;
    check_finite("p", p)?;
    if !MatrixRef::from(p).is_symmetric() {
        return Ok(StorageCheck::NotSymmetric);
    }
    let storage_margin = match definiteness(p)? {
        Definiteness::Positive(margin) => margin,
        Definiteness::Not(value, direction) => {
            return Ok(StorageCheck::NotPositiveDefinite { value, direction });
        }
    };
    let (a, b, c, d) = (system.a(), system.b(), system.c(), system.d());
    let magnitude = |x: ArrayView2<'_, f64>| x.mapv(f64::abs);
    let pa = p.dot(&a);
    let pb = p.dot(&b);
    let pa_size = magnitude(p).dot(&magnitude(a));
    let pb_size = magnitude(p).dot(&magnitude(b));
    let matrix = symmetric_blocks(&(&pa + &pa.t()), &(&pb - &c.t()), &-(&d + &d.t()));
    let size = symmetric_blocks(
        &(&pa_size + &pa_size.t()),
        &(&pb_size + &magnitude(c).t()),
        &(&magnitude(d) + &magnitude(d).t()),
    );
    Ok(match largest_eigenvalue(&matrix, &size, "the matrix inequality of passivity")? {
        Sign::Nonpositive(largest) => StorageCheck::Proved { margin: -largest, storage_margin },
        Sign::Positive(excess, direction) => StorageCheck::Refuted { direction, excess },
    })
}

/// Checks that D is nonnegative definite, $v^T D v \ge 0$ for all v.
///
/// Returns `Ok` with the smallest eigenvalue of $D + D^T$ after scaling to entries near 1. If $v^T D v$ is
/// negative by more than the rounding error for some v, returns `Err` with this v, scaled to a largest
/// magnitude of 1.
///
/// The condition is necessary for passivity. The entries of D can have different units, for example V/A and
/// A/V, because row i and column i are scaled with the same factor.
///
/// # Errors
///
/// The outer result is an [`AnalysisError`] if the eigenvalues cannot be computed, or if D is not square or
/// not finite.
pub fn check_nonnegative_definite(d: ArrayView2<'_, f64>) -> Result<Result<f64, Vec<f64>>, AnalysisError> {
    check_shape("d", (d.nrows(), d.nrows()), d.dim())?;
    check_finite("d", d)?;
    let size = d.mapv(f64::abs);
    Ok(match largest_eigenvalue(&-(&d + &d.t()), &(&size + &size.t()), "D + D^T")? {
        Sign::Nonpositive(largest) => Ok(-largest),
        Sign::Positive(_, direction) => Err(direction),
    })
}

/// Checks that $v^T D v > 0$ for all v other than 0, with a margin above the rounding error.
///
/// Returns `Ok` with the smallest eigenvalue of $D + D^T$ after scaling to entries near 1. If the check
/// fails, returns `Err` with a vector v for which $v^T D v \le 0$ up to rounding, scaled to a largest
/// magnitude of 1. `size` contains, for each entry of D, the sum of the magnitudes of its terms.
pub fn check_positive_definite(
    d: &Array2<f64>,
    size: &Array2<f64>,
) -> Result<Result<f64, Vec<f64>>, AnalysisError> {
    let (sum, size) = (d + &d.t(), size + &size.t());
    let scale = symmetric_scaling(&size);
    let norm = frobenius(&scaled(&size, &scale, &scale));
    let eigen = symmetric_eigen(scaled(&sum, &scale, &scale).view()).map_err(spectrum_of("D + D^T"))?;
    let smallest = eigen.values.first().copied().unwrap_or_default();
    if smallest > 2.0 * d.nrows() as f64 * f64::EPSILON * norm {
        return Ok(Ok(smallest));
    }
    Ok(Err(in_units(eigen.vectors.column(0).iter(), &scale)))
}

enum Sign {
    /// Largest eigenvalue, which is at most 0 up to rounding.
    Nonpositive(f64),
    /// Largest eigenvalue, and its eigenvector in the units of the data.
    Positive(f64, Vec<f64>),
}

/// Returns the largest eigenvalue of a symmetric matrix, and its sign up to rounding. `size` contains, for
/// each entry of the matrix, the sum of the magnitudes of its terms.
fn largest_eigenvalue(
    matrix: &Array2<f64>,
    size: &Array2<f64>,
    what: &'static str,
) -> Result<Sign, AnalysisError> {
    let scale = symmetric_scaling(size);
    let norm = frobenius(&scaled(size, &scale, &scale));
    let eigen = symmetric_eigen(scaled(matrix, &scale, &scale).view()).map_err(spectrum_of(what))?;
    let last = eigen.values.len().checked_sub(1);
    let Some(last) = last else { return Ok(Sign::Nonpositive(0.0)) };
    let largest = eigen.values[last];
    let tolerance = 2.0 * matrix.nrows() as f64 * f64::EPSILON * norm;
    if largest <= tolerance {
        return Ok(Sign::Nonpositive(largest));
    }
    Ok(Sign::Positive(largest, in_units(eigen.vectors.column(last).iter(), &scale)))
}

enum Definiteness {
    Positive(f64),
    Not(f64, Vec<f64>),
}

/// Scales a symmetric matrix to a unit diagonal and checks that its smallest eigenvalue exceeds the rounding
/// error.
fn definiteness(p: ArrayView2<'_, f64>) -> Result<Definiteness, AnalysisError> {
    let n = p.nrows();
    if let Some((i, &value)) = p.diag().indexed_iter().find(|(_, x)| **x <= 0.0) {
        let mut direction = vec![0.0; n];
        direction[i] = 1.0;
        return Ok(Definiteness::Not(value, direction));
    }
    let scale: Vec<f64> = p.diag().iter().map(|x| x.sqrt().recip()).collect();
    let eigen = symmetric_eigen(scaled(&p.to_owned(), &scale, &scale).view()).map_err(spectrum_of("P"))?;
    // A positive definite matrix with a unit diagonal has off-diagonal entries of magnitude below 1 and a
    // norm of at most n.
    if eigen.values[0] > 4.0 * (n * n) as f64 * f64::EPSILON {
        return Ok(Definiteness::Positive(eigen.values[0]));
    }
    Ok(Definiteness::Not(eigen.values[0], in_units(eigen.vectors.column(0).iter(), &scale)))
}

/// Converts a vector to the units of the data, and scales it to a largest magnitude of 1.
fn in_units<'a>(vector: impl Iterator<Item = &'a f64>, scale: &[f64]) -> Vec<f64> {
    let mut direction: Vec<f64> = vector.zip(scale).map(|(x, d)| x * d).collect();
    let largest = direction.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    if largest > 0.0 {
        direction.iter_mut().for_each(|x| *x /= largest);
    }
    direction
}

/// Assembles the matrix [Q, S; S^T, R].
fn symmetric_blocks(q: &Array2<f64>, s: &Array2<f64>, r: &Array2<f64>) -> Array2<f64> {
    let (n, m) = s.dim();
    let mut all = Array2::zeros((n + m, n + m));
    all.slice_mut(s![..n, ..]).assign(&concatenate![Axis(1), *q, *s]);
    all.slice_mut(s![n.., ..]).assign(&concatenate![Axis(1), s.t(), *r]);
    all
}
