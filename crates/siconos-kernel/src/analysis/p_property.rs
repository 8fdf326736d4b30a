//! P property of a matrix: every linear complementarity problem with the matrix has exactly one solution.

use std::fmt;

use ndarray::{Array2, ArrayView2};
use siconos_linalg::{DenseLu, MatrixRef};
use siconos_numerics::lcp::MatrixProperties;

use super::{AnalysisError, LinearSystem};
use crate::model::{ModelError, check_finite, check_shape};
use crate::settings_error::SettingsError;

/// Maximum number of rows for which all $2^n - 1$ principal minors are computed.
pub const LARGEST_WITH_ALL_MINORS: usize = 20;

/// Result of [`p_property`].
#[derive(Clone, Debug, PartialEq)]
pub enum PProperty {
    /// All principal minors are positive: the complementarity problem has exactly one solution for every q
    /// (Samelson, Thrall, Wesler 1958; Cottle, Pang, Stone 1992, theorem 3.3.7).
    PMatrix {
        /// Smallest quotient of a pivot of the recursive test and the diagonal entry of the matrix in the
        /// same row; dimensionless.
        margin: f64,
    },
    /// A principal minor is not positive: for some q the complementarity problem has no solution or more than
    /// one.
    NotPMatrix {
        /// Row and column indices of this minor, ascending.
        index_set: Vec<usize>,
        /// Value of this minor, zero or negative; infinite if it overflows, 0 if it underflows.
        minor: f64,
    },
    /// A principal minor is zero up to rounding, and no minor is certainly negative. To working precision the
    /// matrix does not have the P property.
    Undecided {
        /// Row and column indices of this minor, ascending.
        index_set: Vec<usize>,
        /// Computed value of this minor.
        minor: f64,
        /// Bound of the rounding error of this minor, which exceeds the magnitude of the minor.
        rounding: f64,
    },
    /// The matrix has too many rows to compute all minors. It is a P-matrix, because it satisfies a
    /// sufficient condition.
    SufficientOnly(SufficientReason),
    /// The matrix has too many rows to compute all minors. Its diagonal is positive, but it satisfies neither
    /// of the sufficient conditions.
    Unknown,
}

/// Sufficient condition for the P property of a large matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SufficientReason {
    /// The symmetric part is positive definite (Cottle, Pang, Stone 1992, 3.1).
    Definite,
    /// The diagonal is positive and exceeds the sum of the magnitudes of the other entries in each row
    /// (Cottle, Pang, Stone 1992, 3.3).
    DiagonallyDominant,
}

impl PProperty {
    /// Returns `true` if the matrix is proved to be a P-matrix.
    #[must_use]
    pub fn is_proved(&self) -> bool {
        matches!(self, Self::PMatrix { .. } | Self::SufficientOnly(_))
    }
}

impl fmt::Display for PProperty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PMatrix { margin } => write!(
                f,
                "a P-matrix, since all principal minors are positive (margin {margin:.1e}): one solution for all data"
            ),
            Self::NotPMatrix { index_set, minor } => {
                write!(f, "not a P-matrix: the principal minor of rows {index_set:?} is {minor:e}")
            }
            Self::Undecided { index_set, minor, .. } => write!(
                f,
                "not a P-matrix to working precision: the principal minor of rows {index_set:?} is {minor:.1e}, which is at \
                 rounding level"
            ),
            Self::SufficientOnly(SufficientReason::Definite) => {
                write!(
                    f,
                    "a P-matrix, since its symmetric part is positive definite: one solution for all data"
                )
            }
            Self::SufficientOnly(SufficientReason::DiagonallyDominant) => {
                write!(
                    f,
                    "a P-matrix, since it is diagonally dominant with a positive diagonal: one solution for all data"
                )
            }
            Self::Unknown => {
                write!(
                    f,
                    "undecided: too large for all principal minors, and neither definite nor diagonally dominant"
                )
            }
        }
    }
}

/// Tests the P property of a square matrix.
///
/// For up to 20 rows, the recursive test of Tsatsomeros and Li is used (2000, "A recursive test for
/// P-matrices"): M is a P-matrix if $m_{11} > 0$ and both M without its first row and column and the Schur
/// complement of $m_{11}$ are P-matrices. Each of the $2^n - 1$ pivots is a quotient of two principal minors.
/// A bound of the rounding error is computed for each entry, so the sign of a pivot is either certain or
/// known to be uncertain. The result does not change if rows and columns are multiplied by positive factors.
/// The computing time doubles with each additional row; for 20 rows it is a fraction of a second.
///
/// For more than 20 rows, only sufficient conditions and the signs of the diagonal entries are checked.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::analysis::{PProperty, p_property};
///
/// assert!(p_property(array![[1.0, -3.0], [2.0, 1.0]].view())?.is_proved());
/// let not = p_property(array![[1.0, 2.0], [2.0, 1.0]].view())?;
/// assert_eq!(not, PProperty::NotPMatrix { index_set: vec![0, 1], minor: -3.0 });
/// # Ok::<(), siconos_kernel::ModelError>(())
/// ```
///
/// # Errors
///
/// [`ModelError::WrongShape`] if the matrix is not square, [`ModelError::NotFinite`] if an entry is not
/// finite, [`ModelError::Empty`] if it has no rows.
#[doc(alias("P-matrix", "principal minors"))]
pub fn p_property(m: ArrayView2<'_, f64>) -> Result<PProperty, ModelError> {
    let n = m.nrows();
    check_shape("m", (n, n), m.dim())?;
    check_finite("m", m)?;
    if n == 0 {
        return Err(ModelError::Empty { what: "m" });
    }
    if n > LARGEST_WITH_ALL_MINORS {
        return Ok(of_large(m));
    }
    let mut search = MinorSearch {
        levels: (0..n).map(|depth| vec![BoundedValue::default(); (n - depth) * (n - depth)]).collect(),
        diagonal: m.diag().to_vec(),
        chosen: Vec::with_capacity(n),
        margin: f64::INFINITY,
        doubtful: None,
    };
    for (entry, value) in search.levels[0].iter_mut().zip(m) {
        *entry = BoundedValue { value: *value, error: 0.0 };
    }
    let failed = search.descend(0, n, 0, BoundedValue { value: 1.0, error: 0.0 });
    Ok(match (failed, search.doubtful) {
        (Some(failed), _) => failed,
        (None, Some(doubtful)) => doubtful,
        (None, None) => PProperty::PMatrix { margin: search.margin },
    })
}

fn of_large(m: ArrayView2<'_, f64>) -> PProperty {
    if let Some((i, &minor)) = m.diag().indexed_iter().find(|(_, x)| **x <= 0.0) {
        return PProperty::NotPMatrix { index_set: vec![i], minor };
    }
    let m = MatrixRef::from(m);
    let facts = MatrixProperties::of(m);
    if facts.has_definite_symmetric_part(m) {
        PProperty::SufficientOnly(SufficientReason::Definite)
    } else if facts.positive_diagonal && facts.diagonally_dominant {
        PProperty::SufficientOnly(SufficientReason::DiagonallyDominant)
    } else {
        PProperty::Unknown
    }
}

/// A value with a bound of its rounding error.
#[derive(Clone, Copy, Debug, Default)]
struct BoundedValue {
    value: f64,
    error: f64,
}

impl BoundedValue {
    /// Returns self - a b / p for a p that is certainly positive.
    fn minus_quotient(self, a: Self, b: Self, p: Self) -> Self {
        const EPSILON: f64 = f64::EPSILON;
        let term = a.value * b.value / p.value;
        let value = self.value - term;
        let magnitude = (a.value.abs() + a.error) * (b.value.abs() + b.error) / (p.value - p.error);
        if magnitude == 0.0 {
            return self;
        }
        let inherited = (magnitude - term.abs()).max(0.0);
        Self { value, error: self.error + inherited + EPSILON * (4.0 * magnitude + value.abs()) }
    }

    fn times(self, other: Self) -> Self {
        let value = self.value * other.value;
        let error = self.error * (other.value.abs() + other.error) + self.value.abs() * other.error;
        Self { value, error: error + f64::EPSILON * value.abs() }
    }
}

/// Depth-first search over all index sets in lexicographic order.
struct MinorSearch {
    /// Schur complement at each depth of the search, in row-major order.
    levels: Vec<Vec<BoundedValue>>,
    diagonal: Vec<f64>,
    /// Current index set, ascending.
    chosen: Vec<usize>,
    margin: f64,
    doubtful: Option<PProperty>,
}

impl MinorSearch {
    /// Extends the current index set by each row of the Schur complement at `depth` in turn, and recurses.
    /// The complement has `size` rows; its row 0 belongs to row `first` of the matrix. `minor` is the
    /// principal minor of the current index set. Returns the first principal minor found that is certainly
    /// not positive.
    fn descend(&mut self, depth: usize, size: usize, first: usize, minor: BoundedValue) -> Option<PProperty> {
        for i in 0..size {
            let pivot = self.levels[depth][i * size + i];
            self.chosen.push(first + i);
            let next_minor = minor.times(pivot);
            if pivot.value <= pivot.error {
                let index_set = self.chosen.clone();
                if pivot.value < -pivot.error || pivot.error == 0.0 {
                    return Some(PProperty::NotPMatrix { index_set, minor: next_minor.value });
                }
                if self.doubtful.is_none() {
                    let rounding = next_minor.error;
                    self.doubtful =
                        Some(PProperty::Undecided { index_set, minor: next_minor.value, rounding });
                }
            } else {
                self.margin = self.margin.min(pivot.value / self.diagonal[first + i]);
                let left = size - i - 1;
                if left > 0 {
                    self.eliminate(depth, size, i);
                    let failed = self.descend(depth + 1, left, first + i + 1, next_minor);
                    if failed.is_some() {
                        return failed;
                    }
                }
            }
            self.chosen.pop();
        }
        None
    }

    /// Writes the Schur complement of pivot i to the next depth, restricted to the rows and columns after i.
    fn eliminate(&mut self, depth: usize, size: usize, i: usize) {
        let (above, below) = self.levels.split_at_mut(depth + 1);
        let (from, to) = (&above[depth], &mut below[0]);
        let pivot_row = &from[i * size..(i + 1) * size];
        let left = size - i - 1;
        for (row, target) in from[(i + 1) * size..].chunks_exact(size).zip(to.chunks_exact_mut(left)) {
            for (j, target) in target.iter_mut().enumerate() {
                let column = i + 1 + j;
                *target = row[column].minus_quotient(row[i], pivot_row[column], pivot_row[i]);
            }
        }
    }
}

/// Returns the matrix of the complementarity problem of one implicit step, $h C (I - h \theta A)^{-1} B + D$
/// (h C (I - h theta A)^-1 B + D). Lambda is fully implicit. With `theta = 1`, the step is backward Euler.
///
/// `h` is the step length \[s\], finite and positive; `theta` is between 0 and 1.
///
/// # Errors
///
/// [`AnalysisError::Settings`] if h or theta is out of range, [`AnalysisError::SingularIterationMatrix`] if
/// $I - h \theta A$ is singular.
pub fn one_step_matrix(system: &LinearSystem, h: f64, theta: f64) -> Result<Array2<f64>, AnalysisError> {
    if !(h > 0.0 && h.is_finite()) {
        return Err(SettingsError::OutOfRange { name: "h", value: h, must_be: "finite and positive" }.into());
    }
    if !(0.0..=1.0).contains(&theta) {
        return Err(
            SettingsError::OutOfRange { name: "theta", value: theta, must_be: "between 0 and 1" }.into()
        );
    }
    let step = h * theta;
    let w = Array2::eye(system.states()) - &(&system.a() * step);
    let mut lu = DenseLu::default();
    lu.factor(w.view()).map_err(|source| AnalysisError::SingularIterationMatrix { step, source })?;
    let mut x = Array2::zeros(system.b().dim());
    for (mut x, b) in x.columns_mut().into_iter().zip(system.b().columns()) {
        let mut column = b.to_vec();
        lu.solve(&mut column);
        x.iter_mut().zip(column).for_each(|(x, value)| *x = value);
    }
    Ok(system.c().dot(&x) * h + system.d())
}
