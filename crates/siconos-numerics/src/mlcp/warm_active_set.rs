//! Active sets of the last solutions, which are tried first.

use super::active_set::ActiveSet;
use crate::box_constraints::AcceptanceTest;
use serde::{Deserialize, Serialize};

use super::{EliminationSettings, Mlcp, MlcpMethod, MlcpProblem, MlcpRow};
use crate::engine::check_solve;
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{Attempt, SolveInfo, Status};
use crate::method::{Guarantee, Limits, Method, MethodDescription, Solver};
use crate::own_response;

/// Settings of [`WarmActiveSet`] with an inner method that is chosen at run time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WarmActiveSetSettings {
    /// Tolerance on the [`error`](super::error). Must be positive. Default: as in [`EliminationSettings`].
    pub tolerance: f64,
    /// Maximum number of iterations of the inner method. Default: as in [`EliminationSettings`].
    pub max_iterations: usize,
    /// Inner method, for problems that no stored active set solves. Its tolerance and its iteration limit are
    /// set to the values above. Default: [`MlcpMethod::Elimination`].
    pub inner: Box<MlcpMethod>,
}

impl Default for WarmActiveSetSettings {
    fn default() -> Self {
        let inner = EliminationSettings::default();
        Self {
            tolerance: inner.tolerance,
            max_iterations: inner.max_iterations,
            inner: Box::new(MlcpMethod::Elimination(inner)),
        }
    }
}

/// Warm start with the active sets of the last solutions. Each set is tried by solving one linear system. If
/// none of the sets yields a solution, an inner solver runs.
///
/// **Problem.** [`MlcpProblem`](super::MlcpProblem) in the storage formats that the inner solver accepts.
///
/// **Method.** (1) For each stored active set $\alpha$ of a problem of this size, the most recent first:
/// solve $w_i = 0$ in the equality rows and in $\alpha$, $z_i = 0$ elsewhere, with one step of refinement.
/// Stop if the point is a solution up to rounding: its error is at most 1e-13 (or the tolerance, if that is
/// less), or every row is satisfied up to a few units in the last place. If the matrix and the active set are
/// the same as in the last call, the factors of that call are reused. If no active set is stored, the set
/// $\lbrace i : z_i > 0 \rbrace$ of the initial guess is tried unless it is empty. (2) Otherwise run the
/// inner solver and store the active set of its solution: the rows with $d_i z_i > w_i$, with the $d_i$ of
/// [`error`](super::error). In time-stepping the active set mostly stays the same.
///
/// **Guarantee.** As for the inner solver, because a point is accepted only if its error is small enough. If
/// a problem has several solutions, a solution with a stored active set is preferred to the solution that the
/// inner solver would find.
///
/// **Result.** After (1): `Converged` or `AtRoundingLevel`, with 0 iterations. After (2): the result of the
/// inner solver.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::mlcp::{Elimination, MlcpProblem, MlcpRow, WarmActiveSet};
///
/// let rows = [MlcpRow::Equality, MlcpRow::Complementarity];
/// let m = array![[2.0, 1.0], [1.0, 3.0]];
/// let mut solver = WarmActiveSet::new(Box::new(Elimination::default()));
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let first = solver.solve(&MlcpProblem::new(&m, &[2.0, -4.0], &rows)?, &mut z, &mut w)?;
/// let second = solver.solve(&MlcpProblem::new(&m, &[2.0, -5.0], &rows)?, &mut z, &mut w)?;
/// assert!(first.iterations > 0 && second.iterations == 0 && second.status.is_success());
/// assert!((z[1] - 2.4).abs() < 1e-14);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_MLCP_DIRECT_ENUM (107)")]
#[doc(alias = "SICONOS_MLCP_DIRECT_FB (113)")]
#[doc(alias = "SICONOS_MLCP_DIRECT")]
#[derive(Debug)]
pub struct WarmActiveSet {
    inner: Box<dyn Solver<Class = Mlcp>>,
    history: History,
    trial: Trial,
    /// Active set of the initial guess.
    active: Vec<bool>,
}

/// Number of stored active sets.
const REMEMBERED: usize = 3;

/// Active sets of the last solutions.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    /// Stored active sets, the most recent first.
    sets: Vec<Vec<bool>>,
    /// Active set of the last solution, before it is stored.
    new: Vec<bool>,
}

impl History {
    /// Returns the sets for problems of size `n`.
    pub(super) fn of_size(&self, n: usize) -> impl Iterator<Item = &[bool]> {
        self.sets.iter().map(Vec::as_slice).filter(move |set| set.len() == n)
    }

    /// Stores the active set of a solution as the most recent set. A set that is already stored is moved to
    /// the front.
    pub(super) fn remember(&mut self, problem: &MlcpProblem<'_>, z: &[f64], w: &[f64]) {
        let Self { sets, new } = self;
        write_active(problem, z, w, new);
        let place = sets.iter().position(|set| set == new).unwrap_or_else(|| {
            if sets.len() < REMEMBERED {
                sets.push(Vec::new());
            }
            let last = sets.len() - 1;
            sets[last].clone_from(new);
            last
        });
        self.sets[..=place].rotate_right(1);
    }
}

/// Writes to `active` which rows are active at a solution: the equality rows, and the rows with
/// d_i z_i > w_i, where d_i is the factor of the [`error`](super::error).
pub(super) fn write_active(problem: &MlcpProblem<'_>, z: &[f64], w: &[f64], active: &mut Vec<bool>) {
    active.clear();
    active.resize(z.len(), false);
    let rows = problem.rows();
    own_response::for_each(problem.m(), |i, d| active[i] = rows[i] == MlcpRow::Equality || d * z[i] > w[i]);
}

/// Trial of an active set, with its workspace.
#[derive(Clone, Debug, Default)]
pub(super) struct Trial {
    basis: ActiveSet,
    point: Vec<f64>,
    test: AcceptanceTest,
}

impl Trial {
    /// Computes the point of an active set and its error. The point is written to `z` only if it is a
    /// solution up to rounding. A test with a loose tolerance would accept a set that is only nearly right,
    /// for example if a small negative impulse was set to 0, in every time step.
    pub(super) fn solve(
        &mut self,
        problem: &MlcpProblem<'_>,
        set: impl Fn(usize) -> bool,
        tolerance: f64,
        z: &mut [f64],
        w: &mut [f64],
    ) -> SolveInfo {
        self.point.clear();
        self.point.resize(z.len(), 0.0);
        let (status, error) = match self.basis.point(problem, set, &mut self.point, w) {
            Ok(()) => {
                let exact = tolerance.min(EXACT);
                let tested = self.test.of_point(problem, &self.point, w);
                (tested.status(exact), tested.error)
            }
            Err(_) => (Status::Breakdown, f64::NAN),
        };
        let status = if status.is_success() && error <= tolerance { Status::Converged } else { status };
        if status.is_success() {
            z.copy_from_slice(&self.point);
        }
        SolveInfo { status, iterations: 0, error }
    }
}

/// Maximum error of a point that counts as exact up to rounding.
const EXACT: f64 = 1e-13;

impl WarmActiveSet {
    /// Creates a solver with an inner method.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range.
    pub fn from_settings(settings: WarmActiveSetSettings) -> Result<Self, SettingsError> {
        let WarmActiveSetSettings { tolerance, max_iterations, mut inner } = settings;
        inner.set_tolerance(tolerance);
        inner.set_max_iterations(max_iterations);
        Ok(Self::new(inner.build()?))
    }

    /// Creates a solver around an inner solver.
    #[must_use]
    pub fn new(inner: Box<dyn Solver<Class = Mlcp>>) -> Self {
        Self { inner, history: History::default(), trial: Trial::default(), active: Vec::new() }
    }
}

/// Description of the method, for tables and the command-line tool.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "warm-active-set",
    siconos: "DIRECT_ENUM (107), DIRECT_FB (113)",
    guarantee: Guarantee::in_words("as the inner solver"),
    storage: "as the inner solver",
    reference: "",
};

impl Solver for WarmActiveSet {
    type Class = Mlcp;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        self.inner.limits()
    }

    fn supports(&self, problem: &MlcpProblem<'_>) -> Result<(), Unsupported> {
        self.inner.supports(problem)
    }

    fn solve(
        &mut self,
        problem: &MlcpProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        check_solve(problem.q(), z, w)?;
        self.supports(problem)?;
        // (1)
        let (tolerance, rows) = (self.inner.tolerance(), problem.rows());
        let Self { inner, history, trial, active } = self;
        let mut last = None;
        let found = history.of_size(z.len()).position(|set| {
            let info = trial.solve(problem, |i| set[i], tolerance, z, w);
            last = Some(info);
            info.status.is_success()
        });
        if let (Some(place), Some(info)) = (found, last) {
            if place > 0 {
                history.remember(problem, z, w);
            }
            return Ok(info);
        }
        let is_active = |(z, row): (&f64, &MlcpRow)| *row == MlcpRow::Complementarity && *z > 0.0;
        if last.is_none() && z.iter().zip(rows).any(is_active) {
            active.clear();
            active.extend(z.iter().map(|z| *z > 0.0));
            let info = trial.solve(problem, |i| active[i], tolerance, z, w);
            if info.status.is_success() {
                history.remember(problem, z, w);
                return Ok(info);
            }
        }
        // (2)
        let info = inner.solve(problem, z, w)?;
        if info.status.is_success() {
            history.remember(problem, z, w);
        }
        Ok(info)
    }

    fn trace(&self) -> &[Attempt] {
        self.inner.trace()
    }
}
