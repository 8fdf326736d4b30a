//! Conditions for the convergence of backward Euler.

use std::fmt;

use ndarray::{Array1, ArrayView2};

use super::passivity::check_nonnegative_definite;
use super::{
    AnalysisError, InitialCondition, LinearSystem, Minimality, PProperty, PositiveRealness, RelativeDegree,
    StorageCheck, check_storage, one_step_matrix, p_property, sample_positive_realness,
};

/// Data that the convergence conditions need in addition to the matrices A, B, C and D.
#[derive(Clone, Copy, Debug)]
pub struct ConvergenceData<'a> {
    /// Initial state, n entries.
    pub x0: &'a Array1<f64>,
    /// Constant e of $y = C x + D \lambda + e$, m entries; `None` means 0.
    pub offset: Option<&'a Array1<f64>>,
    /// Storage matrix P, n x n, for the proof of passivity.
    pub storage: Option<ArrayView2<'a, f64>>,
    /// Step length \[s\] for which the P property of the one-step matrix is also tested.
    pub step: Option<f64>,
}

impl<'a> ConvergenceData<'a> {
    /// Creates data that contain only an initial state.
    #[must_use]
    pub fn new(x0: &'a Array1<f64>) -> Self {
        Self { x0, offset: None, storage: None, step: None }
    }
}

/// Conclusion on the convergence of backward Euler, drawn from all conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConvergenceConclusion {
    /// The system is minimal and passive with the given storage matrix, and the initial state is consistent.
    /// Backward Euler has solutions for all sufficiently small steps, and a subsequence of these numerical
    /// solutions converges weakly to a solution of the system.
    Converges,
    /// D is nonnegative definite and the initial state is consistent, but passivity or minimality is not
    /// proved. Backward Euler converges in the sense of `Converges` provided that its steps have solutions
    /// that stay bounded as h goes to 0; this was not checked.
    ConvergesIfBounded,
    /// The convergence theorem does not apply to this system and initial state. This does not prove
    /// divergence.
    NotCovered,
}

/// Check of the conditions under which backward Euler converges (Camlibel, Heemels and Schumacher 2002,
/// "Consistency of a time-stepping method for a class of piecewise-linear networks", IEEE Transactions on
/// Circuits and Systems I 49). The scheme is
///
/// $$ x_{k+1} = x_k + h (A x_{k+1} + B \lambda_{k+1}), \quad y_{k+1} = C x_{k+1} + D \lambda_{k+1}, \quad
///    0 \le y_{k+1} \perp \lambda_{k+1} \ge 0 $$
///
/// (as plain text: x_(k+1) = x_k + h (A x_(k+1) + B lambda_(k+1)), y_(k+1) = C x_(k+1) + D lambda_(k+1), 0 <=
/// y_(k+1) complementary to lambda_(k+1) >= 0), and the conditions are:
///
/// - D is nonnegative definite; or (A, B, C) is controllable and observable and (A, B, C, D) is positive
///   real;
/// - if the relative degree is 1, $C x_0 \ge 0$, so that the state does not jump at the start.
///
/// The second alternative of the first condition implies that D is nonnegative definite, and also that the
/// steps have bounded solutions. A nonnegative definite D alone does not imply bounded solutions: for x' =
/// -lambda, y = x, D = 0, no step from x < 0 has a solution. [`ConvergenceConclusion`] therefore
/// distinguishes the two cases.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::analysis::{ConvergenceConclusion, ConvergenceData, ConvergenceReport, LinearSystem};
///
/// // A capacitor of 1 F is discharged by a resistor of 1 Ohm. An ideal diode keeps its voltage nonnegative.
/// let rc = LinearSystem::new(array![[-1.0]], array![[1.0]], array![[1.0]], array![[0.0]])?;
/// let (x0, p) = (array![2.0], array![[1.0]]);
/// let data = ConvergenceData { storage: Some(p.view()), ..ConvergenceData::new(&x0) };
/// let report = ConvergenceReport::of(&rc, &data)?;
/// assert_eq!(report.conclusion(), ConvergenceConclusion::Converges);
/// println!("{report}");
/// # Ok::<(), siconos_kernel::analysis::AnalysisError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ConvergenceReport {
    /// Relative degree of each row of y, the order of the lowest derivative that contains lambda.
    pub relative_degree: RelativeDegree,
    /// `Ok` with the smallest scaled eigenvalue of $D + D^T$ if D is nonnegative definite, otherwise `Err`
    /// with a vector v for which $v^T D v < 0$.
    pub nonnegative_d: Result<f64, Vec<f64>>,
    /// Controllability and observability.
    pub minimality: Minimality,
    /// Result of the check of the given storage matrix; `None` if no matrix was given.
    pub storage: Option<StorageCheck>,
    /// Test of positive realness at sampled frequencies. It can refute passivity but not prove it.
    pub samples: PositiveRealness,
    /// Consistency of the initial state, which shows whether the motion can start without a jump.
    pub initial_condition: InitialCondition,
    /// Step length \[s\] and P property of the one-step matrix for this length; `None` if no step length was
    /// given.
    pub one_step: Option<(f64, PProperty)>,
}

impl ConvergenceReport {
    /// Checks all conditions of the convergence theorem. If a step length is given, also tests the P property
    /// of the one-step matrix.
    ///
    /// # Errors
    ///
    /// [`AnalysisError`] if a vector or matrix has the wrong size or is not finite, the step length is out of
    /// range, $I - h A$ is singular, or eigenvalues cannot be computed.
    pub fn of(system: &LinearSystem, data: &ConvergenceData<'_>) -> Result<Self, AnalysisError> {
        let relative_degree = RelativeDegree::of(system)?;
        let initial_condition = InitialCondition::of(system, &relative_degree, data.x0, data.offset)?;
        let storage = data.storage.map(|p| check_storage(system, p)).transpose()?;
        let one_step = match data.step {
            None => None,
            Some(h) => Some((h, p_property(one_step_matrix(system, h, 1.0)?.view())?)),
        };
        Ok(Self {
            nonnegative_d: check_nonnegative_definite(system.d())?,
            minimality: Minimality::of(system)?,
            samples: sample_positive_realness(system)?,
            relative_degree,
            storage,
            initial_condition,
            one_step,
        })
    }

    /// Returns the conclusion drawn from all conditions.
    #[must_use]
    pub fn conclusion(&self) -> ConvergenceConclusion {
        let passive = matches!(self.storage, Some(StorageCheck::Proved { .. }));
        if !self.initial_condition.holds() || self.nonnegative_d.is_err() {
            ConvergenceConclusion::NotCovered
        } else if passive && self.minimality.holds() {
            ConvergenceConclusion::Converges
        } else {
            ConvergenceConclusion::ConvergesIfBounded
        }
    }
}

impl fmt::Display for ConvergenceReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}.", self.relative_degree)?;
        match &self.nonnegative_d {
            Ok(_) => writeln!(f, "D is nonnegative definite.")?,
            Err(_) => writeln!(f, "D is not nonnegative definite, so the system is not passive.")?,
        }
        writeln!(f, "{}.", self.minimality)?;
        if let Some(storage) = &self.storage {
            writeln!(f, "{storage}.")?;
        }
        writeln!(f, "{}.", self.samples)?;
        writeln!(f, "{}.", self.initial_condition)?;
        if let Some((h, verdict)) = &self.one_step {
            writeln!(f, "the matrix of a step of {h:e} s is {verdict}.")?;
        }
        match self.conclusion() {
            ConvergenceConclusion::Converges => write!(
                f,
                "backward Euler converges: the system is minimal and passive, and the initial state is \
                 consistent."
            ),
            ConvergenceConclusion::ConvergesIfBounded => write!(
                f,
                "backward Euler converges if its steps have solutions that stay bounded; passivity of a minimal state, \
                 which would guarantee this, is not proved."
            ),
            ConvergenceConclusion::NotCovered => {
                write!(
                    f,
                    "the convergence result for backward Euler does not cover this system from this start."
                )
            }
        }
    }
}
