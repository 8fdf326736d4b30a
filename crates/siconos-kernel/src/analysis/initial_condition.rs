//! Test of the consistency of an initial state x0. From a consistent state, the motion starts without a jump.

use std::fmt;

use ndarray::Array1;
use siconos_numerics::lcp::{LcpProblem, infeasibility_certificate};

use super::{AnalysisError, LinearSystem, RelativeDegree};
use crate::model::{ModelError, check_finite, check_shape};

/// Row of y that is negative at the start and does not depend on lambda.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViolatedRow {
    /// Index of the row of y.
    pub row: usize,
    /// Value $y_j = (C x_0 + e)_j < 0$, in the unit of y.
    pub value: f64,
}

/// Consistency of a state x0 with the constraint $y \ge 0$.
///
/// - A row of y with relative degree 1 or more does not contain lambda, so $y_j = (C x_0 + e)_j \ge 0$ is
///   required. A row that violates this condition is listed in `violated`, and proves that the state must
///   jump. If all rows have relative degree 1, this is the condition on the initial state in the convergence
///   theorem of backward Euler (Camlibel, Heemels, Schumacher 2002).
/// - Rows that contain lambda can be inconsistent in combination: no $\lambda \ge 0$ satisfies
///   $C x_0 + e + D \lambda \ge 0$. In this case, `combination` contains an $s \ge 0$ with $D^T s \le 0$ and
///   $s^T (C x_0 + e) < 0$. The existence of this s proves the inconsistency (Farkas' lemma). For a passive
///   system, the converse also holds: if a suitable lambda exists, the state need not jump (Camlibel,
///   Heemels, van der Schaft, Schumacher 2002, "Switched networks and complementarity").
///
/// For rows of relative degree 2 and more, $y_j \ge 0$ is only necessary: a derivative of y can still have to
/// jump.
#[derive(Clone, Debug, PartialEq)]
pub struct InitialCondition {
    /// Output $C x_0 + e$, in the unit of y. Entries within the rounding error are set to 0.
    pub output: Vec<f64>,
    /// Indices of the rows that must be nonnegative, because their coupled relative degree is not 0.
    pub checked: Vec<usize>,
    /// Rows whose value is negative by more than rounding error.
    pub violated: Vec<ViolatedRow>,
    /// Coefficients s of a combination of rows for which $s^T y < 0$ for every $\lambda \ge 0$. The largest
    /// coefficient is 1. `None` if no combination with this property was found.
    pub combination: Option<Vec<f64>>,
}

impl InitialCondition {
    /// Checks that the output $C x_0 + e$ of the initial state `x0` is consistent with $y \ge 0$. `offset` is
    /// e; `None` means e = 0.
    ///
    /// A component of $C x_0 + e$ counts as negative if it is below $-2 (n + 1) \varepsilon$ times the
    /// corresponding component of $|C| |x_0| + |e|$.
    ///
    /// ```
    /// use ndarray::{Array1, array};
    /// use siconos_kernel::analysis::{InitialCondition, LinearSystem, RelativeDegree};
    ///
    /// // x' = lambda, y = x: if the state starts below 0, it must jump.
    /// let stop = LinearSystem::new(array![[0.0]], array![[1.0]], array![[1.0]], array![[0.0]])?;
    /// let degree = RelativeDegree::of(&stop)?;
    /// let start = InitialCondition::of(&stop, &degree, &array![-0.5], None)?;
    /// assert_eq!(start.violated[0].value, -0.5);
    /// assert!(!start.holds());
    /// # Ok::<(), siconos_kernel::analysis::AnalysisError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AnalysisError::Model`] if the size of x0 or e does not match the system, a value is not finite, or
    /// the output overflows.
    pub fn of(
        system: &LinearSystem,
        degree: &RelativeDegree,
        x0: &Array1<f64>,
        offset: Option<&Array1<f64>>,
    ) -> Result<Self, AnalysisError> {
        let (n, m) = (system.states(), system.multipliers());
        check_shape("x0", (n, 1), (x0.len(), 1))?;
        check_shape("degree.per_row_coupled", (m, 1), (degree.per_row_coupled.len(), 1))?;
        check_finite("x0", x0)?;
        let mut output = system.c().dot(x0);
        let mut size = system.c().mapv(f64::abs).dot(&x0.mapv(f64::abs));
        if let Some(offset) = offset {
            check_shape("offset", (m, 1), (offset.len(), 1))?;
            check_finite("offset", offset)?;
            output += offset;
            size += &offset.mapv(f64::abs);
        }
        check_finite("C x0 + e", &output)?;
        let rounding = 2.0 * (n + 1) as f64 * f64::EPSILON;
        // An output within the rounding error must not count as a violation.
        output.zip_mut_with(&size, |y, size| {
            if y.abs() <= rounding * size {
                *y = 0.0;
            }
        });
        let checked: Vec<usize> = (0..m).filter(|&j| degree.per_row_coupled[j] != Some(0)).collect();
        let violated = checked
            .iter()
            .filter(|&&row| output[row] < 0.0)
            .map(|&row| ViolatedRow { row, value: output[row] })
            .collect();
        let output = output.to_vec();
        let d = system.d().as_standard_layout().into_owned();
        let problem = LcpProblem::new(&d, &output).map_err(|_| ModelError::WrongShape {
            what: "d",
            expected_rows: m,
            expected_columns: m,
            rows: d.nrows(),
            columns: d.ncols(),
        })?;
        let combination = infeasibility_certificate(&problem).map(|mut s| {
            let largest = s.iter().copied().fold(0.0, f64::max);
            s.iter_mut().for_each(|x| *x /= largest);
            s
        });
        Ok(Self { output, checked, violated, combination })
    }

    /// Returns `true` if no violation of the constraint was found.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.violated.is_empty() && self.combination.is_none()
    }
}

impl fmt::Display for InitialCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.holds() {
            return match self.checked.len() {
                0 => write!(f, "the initial state is consistent: lambda acts on every row of y"),
                count => {
                    write!(f, "the initial state is consistent: y >= 0 in all {count} rows without lambda")
                }
            };
        }
        write!(f, "the initial state is not consistent and must jump: ")?;
        for (k, violated) in self.violated.iter().enumerate() {
            let comma = if k == 0 { "" } else { ", " };
            write!(f, "{comma}y[{}] = {:e} < 0", violated.row, violated.value)?;
        }
        if self.violated.is_empty()
            && let Some(s) = &self.combination
        {
            write!(f, "no lambda >= 0 gives y >= 0 in the rows")?;
            for (row, _) in s.iter().enumerate().filter(|(_, x)| **x > 0.0) {
                write!(f, " {row}")?;
            }
            write!(f, " together")?;
        }
        Ok(())
    }
}
