//! Whether a motion can start at x0 without a jump of the state.

use std::fmt;

use ndarray::Array1;
use siconos_numerics::lcp::{LcpProblem, infeasibility_certificate};

use super::{AnalysisError, LinearSystem, RelativeDegree};
use crate::model::{ModelError, check_finite, check_shape};

/// A row whose y is negative at the start although lambda does not act on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViolatedRow {
    /// The row of y.
    pub row: usize,
    /// Its value $y_j = (C x_0 + e)_j < 0$, in the unit of y: it is violated by as much.
    pub value: f64,
}

/// What the constraint $y \ge 0$ says about a state x0.
///
/// - A row of relative degree 1 or more has no lambda in y: its $y_j = (C x_0 + e)_j$ must be $\ge 0$. A row
///   that is not is in `violated`, and the state has to jump: this is proved. For a system all of whose rows
///   have relative degree 1 it is the condition under which backward Euler converges (Camlibel, Heemels,
///   Schumacher 2002).
/// - Rows with lambda can forbid a start together: then no $\lambda \ge 0$ has $C x_0 + e + D \lambda \ge 0$.
///   `combination` holds $s \ge 0$ with $D^T s \le 0$ and $s^T (C x_0 + e) < 0$, which proves it (Farkas'
///   lemma). For a passive system the converse holds as well: where such a lambda exists, the state need not
///   jump (Camlibel, Heemels, van der Schaft, Schumacher 2002, "Switched networks and complementarity", for
///   passive systems).
///
/// For rows of relative degree 2 and more $y_j \ge 0$ is necessary only: the derivative of y may still have
/// to jump.
#[derive(Clone, Debug, PartialEq)]
pub struct InitialCondition {
    /// $C x_0 + e$, in the unit of y.
    pub output: Vec<f64>,
    /// The rows that had to be nonnegative: relative degree, with coupling, not 0.
    pub checked: Vec<usize>,
    /// The rows that are negative beyond rounding.
    pub violated: Vec<ViolatedRow>,
    /// A combination of rows that no lambda satisfies, scaled to a largest entry of 1; `None` when none was
    /// found.
    pub combination: Option<Vec<f64>>,
}

impl InitialCondition {
    /// Looks at $C x_0 + e$; `offset` is e, 0 when `None`.
    ///
    /// Negative beyond rounding means below $-2 (n + 1) \varepsilon$ times $|C| |x_0| + |e|$.
    ///
    /// ```
    /// use ndarray::{Array1, array};
    /// use siconos_kernel::analysis::{InitialCondition, LinearSystem, RelativeDegree};
    ///
    /// // x' = lambda, y = x: a start below 0 must jump.
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
    /// [`AnalysisError::Model`] when x0 or e have another size than the system, or are not finite, or the
    /// output overflows.
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
        // What is only rounding must not make up a proof.
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

    /// Whether nothing was found against a start at x0.
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
        write!(f, "the initial state is not consistent, it has to jump: ")?;
        for (k, violated) in self.violated.iter().enumerate() {
            let comma = if k == 0 { "" } else { ", " };
            write!(f, "{comma}y[{}] = {:e} < 0", violated.row, violated.value)?;
        }
        if self.violated.is_empty()
            && let Some(s) = &self.combination
        {
            write!(f, "no lambda >= 0 makes y >= 0 in the rows")?;
            for (row, _) in s.iter().enumerate().filter(|(_, x)| **x > 0.0) {
                write!(f, " {row}")?;
            }
            write!(f, " together")?;
        }
        Ok(())
    }
}
