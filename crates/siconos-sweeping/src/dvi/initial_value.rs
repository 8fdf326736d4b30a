//! Initial value problems, solved by time stepping.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use siconos_numerics::{SolveInfo, Status};

use super::affine_step::AffineStep;
use super::general_step::GeneralStep;
use super::step_task::{Iterate, StepTask};
use super::{Dvi, DviError, DviSolution};
use siconos_kernel::SettingsError;
use siconos_kernel::engine::{check_finite, check_number, check_positive, check_shape};

/// Settings of [`DviStepper`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DviSettings {
    /// Maximum relative error of the one-step problem \[1\]. Default: 1e-12. Must be positive.
    pub tolerance: f64,
    /// Maximum number of iterations per solver in a step. Default: 10 000. Must be at least 1.
    pub max_iterations: usize,
}

impl Default for DviSettings {
    fn default() -> Self {
        Self { tolerance: 1e-12, max_iterations: 10_000 }
    }
}

/// Result of a step.
#[must_use = "an unsolved step is reported only here"]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DviStep<'a> {
    /// $u_{k+1}$, m entries.
    pub u: &'a [f64],
    /// $w = G(t_{k+1}, x_{k+1}) + F(u_{k+1})$, m entries.
    pub w: &'a [f64],
    /// Result of the solver. If the status is not a success, x and u are the best iterate. If values
    /// overflow, the status is [`Breakdown`](Status::Breakdown), x is unchanged and u is 0.
    pub info: SolveInfo,
}

/// Time-stepping scheme of Pang and Stewart for the [initial value problem](Dvi),
///
/// $$ x_{k+1} = x_k + h \bigl( f(t_k, \theta x_{k+1} + (1 - \theta) x_k) + B(t_k, x_k) u_{k+1} \bigr), \qquad
///    u_{k+1} \in \mathrm{SOL}\bigl(K, G(t_{k+1}, x_{k+1}) + F(\cdot)\bigr). $$
///
/// As plain text: x' = x + h (f(t, theta x' + (1 - theta) x) + B(t, x) u'), where u' solves the inequality at
/// the end of the step. With theta = 0, f is explicit. The inequality is implicit in x' and u' for every
/// theta.
///
/// - If the problem is [affine](Dvi::is_affine), x' is eliminated, and u' solves the inequality with the
///   matrix $M = D + h C (I - h \theta A)^{-1} B$. The solver is [`lcp::Auto`](siconos_numerics::lcp::Auto)
///   over the orthant, [`relay::Auto`](siconos_numerics::relay::Auto) over a box,
///   [`avi::Auto`](siconos_numerics::avi::Auto) over a polyhedron, and
///   [`vi::Extragradient`](siconos_numerics::vi::Extragradient) over a set given by its projection. After the
///   first steps, no memory is allocated, except inside a solver and, with more than 24 states, inside
///   LAPACK.
/// - Otherwise x' and u' are the unknowns of a variational inequality over $R^n \times K$, which is solved by
///   [`vi::Newton`](siconos_numerics::vi::Newton). If K is a polyhedron, the multipliers of its inequalities
///   are additional unknowns. If K is given by its projection,
///   [`vi::Extragradient`](siconos_numerics::vi::Extragradient) solves for u', and Newton's method computes
///   x' as a function of u'.
///
/// As h goes to 0, a subsequence of $x^h$ converges uniformly, and a subsequence of $u^h$ converges weakly,
/// under the conditions that [`DviReport`](super::DviReport) lists. The product h u of a step is called sigma
/// in [`MeasureEuler`](siconos_kernel::integrator::MeasureEuler).
///
/// **A solved step does not prove that a limit exists.** The status of a step refers only to the inequality
/// of this step. With theta > 0 the inequality has the matrix $M = D + h C B + h^2 \theta C A B + \dots$ (as
/// plain text: D + h C B + h^2 theta C A B + ..). The inequality can have a solution for every h although no
/// function u solves the differential problem. This happens if D = 0 and C B = 0, that is, if the relative
/// degree r is two or more: when y = G reaches 0 with a nonzero velocity, x has to jump, and u is a measure
/// (r = 2) or a derivative of a measure (r of 3 or more). As h goes to 0, the steps then behave as follows:
///
/// - r = 2, theta = 1: u grows as 1 / h in two steps, and the jump h u stays finite. x converges to the
///   motion with an impact without rebound, but not uniformly: within these two steps, x jumps.
/// - r = 2, theta = 1/2: x rebounds. The velocity of the rebound is between 0 and the velocity of approach,
///   and depends on the position of the impact within the step. The steps do not converge.
/// - r of 3 or more, theta = 1: x itself grows without bound.
/// - theta = 0: M = 0, and a step that needs u has the status
///   [`NoSolution`](siconos_numerics::Status::NoSolution).
///
/// [`DviReport`](super::DviReport) reports [`NotCovered`](super::DviConclusion::NotCovered) in all of these
/// cases. Use [`HigherOrderSweeping`](crate::higher_order::HigherOrderSweeping) for systems of relative
/// degree r, and [`MoreauJean`](siconos_kernel::integrator::MoreauJean) for mechanical systems with impacts.
///
/// ```
/// use ndarray::array;
/// use siconos_sweeping::dvi::{Dvi, DviSet, DviSettings, DviStepper, StateMap, ViMap};
///
/// // Dry friction: x' = 1/2 + u, u in -Sgn x.
/// let friction = Dvi::new(
///     StateMap::linear(array![[0.0]]).with_offset(vec![0.5]),
///     array![[1.0]],
///     StateMap::linear(array![[1.0]]),
///     ViMap::Linear(array![[0.0]]),
///     DviSet::Box { lower: vec![-1.0], upper: vec![1.0] },
/// )?;
/// let mut stepper = DviStepper::new(&friction, 1.0, DviSettings::default())?;
/// let mut x = [1.0];
/// for k in 0..30 {
///     let step = stepper.step(0.1 * f64::from(k), 0.1, &mut x)?;
///     assert!(step.info.status.is_success());
/// }
/// assert!(x[0].abs() < 1e-15 && (stepper.u()[0] + 0.5).abs() < 1e-15);
/// # Ok::<(), siconos_sweeping::dvi::DviError>(())
/// ```
///
/// Reference: J.-S. Pang, D. Stewart (2008), "Differential variational inequalities", Mathematical
/// Programming 113, 345-424, section 7.
#[derive(Debug)]
pub struct DviStepper<'a> {
    dvi: Cow<'a, Dvi>,
    theta: f64,
    settings: DviSettings,
    /// State at the start of a step.
    start: Vec<f64>,
    u: Vec<f64>,
    w: Vec<f64>,
    scheme: Scheme,
}

#[derive(Debug)]
enum Scheme {
    Affine(Box<AffineStep>),
    General(Box<GeneralStep>),
}

impl Scheme {
    fn new(dvi: &Dvi, settings: &DviSettings) -> Result<Self, DviError> {
        Ok(match dvi.is_affine() {
            true => Self::Affine(Box::new(AffineStep::new(dvi, settings)?)),
            false => Self::General(Box::new(GeneralStep::new(dvi, settings)?)),
        })
    }
}

/// Result of [`DviStepper::solve`].
#[must_use = "an unsolved step is reported only here"]
#[derive(Clone, Debug, PartialEq)]
pub struct DviRun {
    /// Solution on the whole interval. If a step was not solved, the solution ends with this step and
    /// contains its best iterate.
    pub solution: DviSolution,
    /// Solver result of the last step.
    pub info: SolveInfo,
}

impl DviStepper<'static> {
    /// Creates the scheme like [`new`](DviStepper::new), but takes ownership of the problem.
    ///
    /// # Errors
    ///
    /// See [`new`](DviStepper::new).
    pub fn owning(dvi: Dvi, theta: f64, settings: DviSettings) -> Result<Self, DviError> {
        Self::of(Cow::Owned(dvi), theta, settings)
    }
}

impl<'a> DviStepper<'a> {
    /// Creates the scheme with theta in \[0, 1\].
    ///
    /// # Errors
    ///
    /// If theta is outside \[0, 1\], if the tolerance is not positive, or if `max_iterations` is 0
    /// ([`DviError::Settings`]).
    pub fn new(dvi: &'a Dvi, theta: f64, settings: DviSettings) -> Result<Self, DviError> {
        Self::of(Cow::Borrowed(dvi), theta, settings)
    }

    fn of(dvi: Cow<'a, Dvi>, theta: f64, settings: DviSettings) -> Result<Self, DviError> {
        check_number("theta", theta, |theta| (0.0..=1.0).contains(&theta), "between 0 and 1")?;
        check_positive("tolerance", settings.tolerance)?;
        check_number("max_iterations", settings.max_iterations as f64, |count| count >= 1.0, "at least 1")?;
        let (n, m) = (dvi.states(), dvi.inputs());
        let scheme = Scheme::new(&dvi, &settings)?;
        Ok(Self { dvi, theta, settings, start: vec![0.0; n], u: vec![0.0; m], w: vec![0.0; m], scheme })
    }

    /// Discards all data that are carried from step to step, except x and [u](Self::u). The next step is then
    /// bit-identical to a step of a new stepper with this u as its initial guess.
    ///
    /// # Errors
    ///
    /// If the scheme cannot be created. (In this case, [`new`](Self::new) has already failed.)
    pub fn forget(&mut self) -> Result<(), DviError> {
        self.scheme = Scheme::new(&self.dvi, &self.settings)?;
        Ok(())
    }

    /// Returns the problem.
    #[must_use]
    pub fn dvi(&self) -> &Dvi {
        &self.dvi
    }

    /// Returns the u of the last step, which is the initial guess of the next step; zeros before the first
    /// step.
    #[must_use]
    pub fn u(&self) -> &[f64] {
        &self.u
    }

    /// Returns $w = G + F$ of the last step; zeros before the first step.
    #[must_use]
    pub fn w(&self) -> &[f64] {
        &self.w
    }

    /// Sets the initial guess of u for the next step.
    ///
    /// # Errors
    ///
    /// If `u` does not have m components, or if an entry is not finite ([`DviError::Model`]).
    pub fn set_u(&mut self, u: &[f64]) -> Result<(), DviError> {
        check_shape("u", (self.u.len(), 1), (u.len(), 1))?;
        check_finite("u", u)?;
        self.u.copy_from_slice(u);
        Ok(())
    }

    /// Advances `x` from the time t \[s\] by a step h \[s\].
    ///
    /// # Errors
    ///
    /// If h is not positive or t is not finite ([`DviError::Settings`]); if x has a wrong length or is not
    /// finite ([`DviError::Model`]); if a user function writes a value that is not finite
    /// ([`ModelError::NotFiniteAt`](siconos_kernel::ModelError::NotFiniteAt)); or if the matrix of the step
    /// is singular ([`DviError::SingularStep`]). In each case x is unchanged. A step that has no solution is
    /// not an error; see the [status](DviStep::info).
    pub fn step(&mut self, t: f64, h: f64, x: &mut [f64]) -> Result<DviStep<'_>, DviError> {
        check_number("t", t, f64::is_finite, "finite")?;
        check_positive("h", h)?;
        check_shape("x", (self.dvi.states(), 1), (x.len(), 1))?;
        check_finite("x", &*x)?;
        self.start.copy_from_slice(x);
        let Self { dvi, theta, start, u, w, scheme, .. } = self;
        let task = StepTask { dvi, theta: *theta, t, h, x: start };
        let to = Iterate { x, u, w };
        let info = match scheme {
            Scheme::Affine(step) => step.step(task, to),
            Scheme::General(step) => step.step(task, to),
        };
        // If values overflow, the step is not solved, even if the solver reports a small error.
        let is_finite = x.iter().chain(&self.u).chain(&self.w).all(|number| number.is_finite());
        if info.is_err() || !is_finite {
            x.copy_from_slice(&self.start);
        }
        if !is_finite {
            self.u.fill(0.0);
        }
        let info = match is_finite {
            true => info?,
            false => SolveInfo { status: Status::Breakdown, ..info? },
        };
        Ok(DviStep { u: &self.u, w: &self.w, info })
    }

    /// Takes `steps` equal steps from `x0` over `(t0, t_end)` \[s\], and stops after the first step that is
    /// not solved.
    ///
    /// # Errors
    ///
    /// If the number of steps is 0 or `t_end` is not after t0 ([`DviError::Settings`]). For the other errors,
    /// see [`step`](Self::step).
    pub fn solve(&mut self, x0: &[f64], (t0, t_end): (f64, f64), steps: usize) -> Result<DviRun, DviError> {
        let h = step_of((t0, t_end), steps)?;
        let mut x = x0.to_vec();
        let mut solution = DviSolution::new(t0, x0, self.dvi.inputs());
        let mut info = SolveInfo { status: Status::Converged, iterations: 0, error: 0.0 };
        for k in 0..steps {
            let step = self.step(node(t0, h, k), h, &mut x)?;
            info = step.info;
            solution.push(node(t0, h, k + 1), &x, step.u);
            if !info.status.is_success() {
                break;
            }
        }
        Ok(DviRun { solution, info })
    }
}

/// Returns the length of each step if an interval is divided into equal steps.
pub(super) fn step_of((t0, t_end): (f64, f64), steps: usize) -> Result<f64, SettingsError> {
    check_number("t0", t0, f64::is_finite, "finite")?;
    check_number("t_end", t_end, |t_end| t_end.is_finite() && t_end > t0, "finite and after t0")?;
    check_number("steps", steps as f64, |steps| steps >= 1.0, "at least 1")?;
    let h = (t_end - t0) / steps as f64;
    check_positive("h", h)?;
    Ok(h)
}

/// Returns the time of node k of a grid of equal steps.
pub(super) fn node(t0: f64, h: f64, k: usize) -> f64 {
    t0 + k as f64 * h
}
