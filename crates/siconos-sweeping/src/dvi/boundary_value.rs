//! Boundary value problem, solved for all steps simultaneously.

use serde::{Deserialize, Serialize};
use siconos_numerics::engine::semismooth_newton::{SemismoothNewton, SemismoothNewtonSettings};
use siconos_numerics::ncp_function::NcpFunction;
use siconos_numerics::{SolveInfo, SolverError, Status};

use super::boundary::conditions::{Boundary, BoundaryWarning};
use super::boundary::grids::{of_guess, prolong, to_solution};
use super::boundary::layout::Layout;
use super::boundary::system::{StepsSystem, Task};
use super::initial_value::step_of;
use super::{Dvi, DviError, DviSolution};
use siconos_kernel::engine::{check_finite, check_number, check_positive, check_shape};

/// Settings of [`solve_boundary_value`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BoundarySettings {
    /// Implicitness parameter theta of f. Default: 1. Must be in \[0, 1\].
    pub theta: f64,
    /// Maximum residual of a solution. Each residual is relative to the sizes of the terms in all equations
    /// of the same type. Default: 1e-12. Must be positive.
    pub tolerance: f64,
    /// Maximum number of Newton steps per grid. Default: 200. Must be at least 1.
    pub max_iterations: usize,
    /// Minimum number of steps of a coarser grid. If Newton's method stalls, coarser grids are solved to
    /// obtain a better initial guess. A value above the number of steps disables this. Default: 8. Must be at
    /// least 1.
    pub coarsest: usize,
    /// Constant psi \[1/s\] of the existence theorem (Pang and Stewart 2008, section 8), which depends on the
    /// problem. If it is `None`, the length of the interval is not checked. Default: `None`.
    pub psi: Option<f64>,
    /// Initial guess of Newton's method; zeros if it is `None`. Default: `None`.
    #[serde(skip)]
    pub guess: Option<DviSolution>,
}

impl Default for BoundarySettings {
    fn default() -> Self {
        Self { theta: 1.0, tolerance: 1e-12, max_iterations: 200, coarsest: 8, psi: None, guess: None }
    }
}

/// Result of [`solve_boundary_value`].
#[must_use = "an unsolved problem is reported only here"]
#[derive(Clone, Debug, PartialEq)]
pub struct BoundarySolution {
    /// x and u over the grid; the best iterate if the status is not a success.
    pub solution: DviSolution,
    /// Result of Newton's method on the requested grid.
    pub info: SolveInfo,
    /// Violated assumptions of the existence theorem.
    pub warnings: Vec<BoundaryWarning>,
    /// Number of steps and solver result of each grid, in the order in which the grids were solved.
    pub grids: Vec<(usize, SolveInfo)>,
}

/// Maximum number of Newton steps with the minimum function or the natural map; most problems need only a
/// few. It is also the memory length of the nonmonotone line search, so a step is shortened only if its merit
/// exceeds all previous merits. Full steps find the active sets sooner, because they cross kinks at which the
/// merit rises temporarily (Grippo, Lampariello, Lucidi 1986).
const NATURAL_STEPS: usize = 50;

/// Solves $x' = f + B u$, $u \in \mathrm{SOL}(K, G + F)$ with $M x(t_0) + N x(T) = b$ over `(t0, T)` \[s\] in
/// `steps` equal steps,
///
/// $$ x_{k+1} = x_k + h \bigl( f(t_k, \theta x_{k+1} + (1 - \theta) x_k) + B(t_k, x_k) u_{k+1} \bigr), \quad
///    u_{k+1} \in \mathrm{SOL}\bigl(K, G(t_{k+1}, x_{k+1}) + F\bigr), \quad M x_0 + N x_N = b. $$
///
/// As plain text: all steps of [`DviStepper`](super::DviStepper) are solved simultaneously, together with the
/// conditions at both ends. If x contains a costate and K is a box, the equations are the optimality
/// conditions of an optimal control problem with bounds on the control. Siconos models with the option
/// `isBVP` have this form.
///
/// **Method.** A semismooth Newton method solves for all x and u.
///
/// 1. The variational inequality of each step is written as equations: the minimum function for box
///    constraints, the Karush-Kuhn-Tucker conditions for a polyhedron, and the natural map $u - P_K(u - w)$
///    for a set given by its projection.
/// 2. The matrix is block bidiagonal with a border, and is factorised by sparse LU: time and memory grow in
///    proportion to the number of steps. Unknowns and equations are scaled by units that are derived from the
///    data.
/// 3. If the method stalls, it restarts with the Fischer-Burmeister function. From the resulting point it
///    continues with the equations of step 1.
/// 4. If this also stalls, the problem is solved on a sequence of grids, from the coarsest to the finest. The
///    solution on each grid is the initial guess on the next finer grid.
///
/// If there are at least 200 steps and no initial guess is given, a grid with a fifth of the steps is solved
/// first. The number of Newton steps therefore does not grow with the number of steps.
///
/// **Result.** If the status is `Converged`, no residual exceeds the tolerance. Each residual is relative to
/// the sizes of the terms in all equations of the same type. With any other status, the result is the best
/// iterate.
///
/// ```
/// use ndarray::array;
/// use siconos_sweeping::dvi::{
///     Boundary, BoundarySettings, Dvi, DviSet, StateMap, ViMap, solve_boundary_value,
/// };
///
/// // Minimise the integral of x^2 + u^2 with |u| <= 1:
/// // x' = u, p' = -x, u = proj of -p; x(0) = 1, p(2) = 0.
/// let control = Dvi::new(
///     StateMap::linear(array![[0.0, 0.0], [-1.0, 0.0]]),
///     array![[1.0], [0.0]],
///     StateMap::linear(array![[0.0, 1.0]]),
///     ViMap::Linear(array![[1.0]]),
///     DviSet::Box { lower: vec![-1.0], upper: vec![1.0] },
/// )?;
/// let boundary = Boundary {
///     m: array![[1.0, 0.0], [0.0, 0.0]],
///     n: array![[0.0, 0.0], [0.0, 1.0]],
///     b: vec![1.0, 0.0],
/// };
/// let found = solve_boundary_value(&control, &boundary, (0.0, 2.0), 200, &BoundarySettings::default())?;
/// assert!(found.info.status.is_success());
/// // The bounds are inactive: x = cosh(2 - t) / cosh 2.
/// let end = found.solution.x(200);
/// assert!((end[0] - 1.0 / 2.0_f64.cosh()).abs() < 0.01 && end[1].abs() < 1e-12);
/// # Ok::<(), siconos_sweeping::dvi::DviError>(())
/// ```
///
/// # Errors
///
/// If the rank of \[M N\] is below n ([`DviError::DependentConditions`]); if shapes are wrong or entries are
/// not finite ([`DviError::Model`]); if theta is outside of \[0, 1\], the number of steps is 0, or the
/// interval ends before it begins ([`DviError::Settings`]); or if a user function or its derivative is not
/// finite at the initial guess ([`ModelError::NotFiniteAt`](siconos_kernel::ModelError::NotFiniteAt)).
///
/// Reference: J.-S. Pang, D. Stewart (2008), "Differential variational inequalities", Mathematical
/// Programming 113, 345-424, section 8; U. Ascher, R. Mattheij, R. Russell (1995), "Numerical solution of
/// boundary value problems for ordinary differential equations", for the matrix.
#[doc(alias = "isBVP")]
#[doc(alias = "BVP")]
pub fn solve_boundary_value(
    dvi: &Dvi,
    boundary: &Boundary,
    (t0, t_end): (f64, f64),
    steps: usize,
    settings: &BoundarySettings,
) -> Result<BoundarySolution, DviError> {
    check_number("theta", settings.theta, |theta| (0.0..=1.0).contains(&theta), "between 0 and 1")?;
    check_positive("tolerance", settings.tolerance)?;
    check_number("max_iterations", settings.max_iterations as f64, |count| count >= 1.0, "at least 1")?;
    check_number("coarsest", settings.coarsest as f64, |steps| steps >= 1.0, "at least 1")?;
    if let Some(psi) = settings.psi {
        check_number("psi", psi, |psi| psi.is_finite() && psi >= 0.0, "finite and nonnegative")?;
    }
    if let Some(guess) = &settings.guess {
        check_shape("guess", (dvi.states(), dvi.inputs()), (guess.states(), guess.inputs()))?;
        check_finite("guess", guess.numbers())?;
    }
    step_of((t0, t_end), steps)?;
    boundary.check(dvi.states())?;
    let warnings = boundary.warnings(t_end - t0, settings.psi)?;
    let problem = Problem { dvi, boundary, t0, t_end, settings };
    let mut grids = Vec::new();

    let mut z = problem.first_guess(steps, &mut grids)?;
    let mut info = problem.solve(steps, &mut z)?;
    grids.push((steps, info));
    if !info.status.is_success() {
        let ladder: Vec<usize> =
            std::iter::successors(Some(steps.div_ceil(2)), |steps| Some(steps.div_ceil(2)))
                .take_while(|fewer| *fewer >= settings.coarsest && *fewer < steps)
                .collect();
        let mut last: Option<(Vec<f64>, usize)> = None;
        for fewer in ladder.into_iter().rev() {
            let mut point = problem.guess_after(last, fewer)?;
            let info = problem.solve(fewer, &mut point)?;
            grids.push((fewer, info));
            last = Some((point, fewer));
        }
        if last.is_some() {
            let mut again = problem.guess_after(last, steps)?;
            let second = problem.solve(steps, &mut again)?;
            grids.push((steps, second));
            if second.status.is_success() || second.error < info.error || info.error.is_nan() {
                (z, info) = (again, second);
            }
        }
    }
    let h = problem.step(steps)?;
    let solution = to_solution(&z, Layout::new(dvi, steps), (t0, h));
    Ok(BoundarySolution { solution, info, warnings, grids })
}

/// Minimum number of steps at which a grid with `REFINEMENT` times fewer steps is solved first.
const NESTED: usize = 200;
/// Ratio of the number of steps of a grid to the number of steps of the next coarser grid.
const REFINEMENT: usize = 5;

struct Problem<'a> {
    dvi: &'a Dvi,
    boundary: &'a Boundary,
    t0: f64,
    t_end: f64,
    settings: &'a BoundarySettings,
}

impl Problem<'_> {
    fn step(&self, steps: usize) -> Result<f64, DviError> {
        Ok(step_of((self.t0, self.t_end), steps)?)
    }

    fn guess(&self, steps: usize) -> Result<Vec<f64>, DviError> {
        let layout = Layout::new(self.dvi, steps);
        Ok(of_guess(self.settings.guess.as_ref(), layout, (self.t0, self.step(steps)?)))
    }

    /// Returns the initial guess of the user. If there is none and the grid has at least [`NESTED`] steps,
    /// the problem is first solved on a coarser grid, and a successful solution is interpolated. Newton's
    /// method then changes only the steps near switches, so the number of Newton steps does not grow with the
    /// number of steps (nested iteration; Deuflhard 2004, "Newton methods for nonlinear problems", chapter
    /// 8).
    fn first_guess(&self, steps: usize, grids: &mut Vec<(usize, SolveInfo)>) -> Result<Vec<f64>, DviError> {
        if steps < NESTED || self.settings.guess.is_some() {
            return self.guess(steps);
        }
        let fewer = steps.div_ceil(REFINEMENT);
        let mut point = self.first_guess(fewer, grids)?;
        let info = self.solve(fewer, &mut point)?;
        grids.push((fewer, info));
        self.guess_after(info.status.is_success().then_some((point, fewer)), steps)
    }

    /// Returns the initial guess on a grid. It is interpolated from `last`, the unknowns on a coarser grid,
    /// if there is one.
    fn guess_after(&self, last: Option<(Vec<f64>, usize)>, steps: usize) -> Result<Vec<f64>, DviError> {
        match last {
            None => self.guess(steps),
            Some((point, fewer)) => {
                Ok(prolong(&point, Layout::new(self.dvi, fewer), Layout::new(self.dvi, steps)))
            }
        }
    }

    /// Solves the problem on one grid. On entry z is the initial guess, in the units of the user.
    fn solve(&self, steps: usize, z: &mut [f64]) -> Result<SolveInfo, DviError> {
        let Self { dvi, boundary, t0, settings, .. } = *self;
        let layout = Layout::new(dvi, steps);
        let task = Task { dvi, boundary, theta: settings.theta, t0, h: self.step(steps)?, layout };
        let mut system = StepsSystem::new(task, z)?;
        system.scale(z);
        let attempts = [
            (NcpFunction::Minimum, settings.max_iterations.min(NATURAL_STEPS), NATURAL_STEPS),
            (NcpFunction::FischerBurmeister, settings.max_iterations, 1),
            (NcpFunction::Minimum, settings.max_iterations.min(NATURAL_STEPS), NATURAL_STEPS),
        ];
        let mut best = SolveInfo { status: Status::NotFound, iterations: 0, error: f64::NAN };
        let (start, mut trial) = (z.to_vec(), z.to_vec());
        for (number, (function, max_iterations, memory)) in attempts.into_iter().enumerate() {
            if number == 1 {
                trial.copy_from_slice(&start);
            }
            system.set_function(function);
            let newton = SemismoothNewtonSettings {
                tolerance: settings.tolerance,
                max_iterations,
                memory,
                ..SemismoothNewtonSettings::default()
            };
            let mut newton = SemismoothNewton::new(newton).map_err(SolverError::from)?;
            let info = solve_to_the_end(&mut newton, &mut system, &mut trial, settings.tolerance);
            let iterations = best.iterations + info.iterations;
            if info.status.is_success() || info.error < best.error || best.error.is_nan() {
                z.copy_from_slice(&trial);
                best = info;
            }
            best.iterations = iterations;
            if best.status.is_success() {
                break;
            }
        }
        system.unscale(z);
        Ok(best)
    }
}

/// Repeats Newton's method until the error is small relative to the terms at the solution itself.
fn solve_to_the_end(
    newton: &mut SemismoothNewton,
    system: &mut StepsSystem<'_>,
    z: &mut [f64],
    tolerance: f64,
) -> SolveInfo {
    let (mut iterations, mut phi) = (0, vec![0.0; z.len()]);
    for _ in 0..LARGEST_RETURNS {
        let info = newton.solve(system, z);
        iterations += info.iterations;
        let info = SolveInfo { iterations, ..info };
        if !info.status.is_success() {
            return info;
        }
        match system.error_at(z, &mut phi) {
            Ok(error) if error <= tolerance => return SolveInfo { error, ..info },
            Ok(_) => {}
            Err(_) => return SolveInfo { status: Status::Breakdown, error: f64::NAN, ..info },
        }
    }
    SolveInfo { status: Status::Stalled, iterations, error: f64::NAN }
}

/// Maximum number of runs of Newton's method. The error of a run is relative to the terms at its first
/// iterate. From the second run on, these terms are close to the terms at the solution.
const LARGEST_RETURNS: usize = 8;
