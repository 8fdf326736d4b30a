//! The initial value problem: one step after the other.

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
    /// The stopping measure at which the problem of a step counts as solved, without a unit. Default 1e-12,
    /// above 0.
    pub tolerance: f64,
    /// The largest number of iterations of each method that is tried in a step. Default 10 000.
    pub max_iterations: usize,
}

impl Default for DviSettings {
    fn default() -> Self {
        Self { tolerance: 1e-12, max_iterations: 10_000 }
    }
}

/// A step, as it ended.
#[must_use = "a step that was not solved is reported here, and nowhere else"]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DviStep<'a> {
    /// $u_{k+1}$, m numbers.
    pub u: &'a [f64],
    /// $w = G(t_{k+1}, x_{k+1}) + F(u_{k+1})$, m numbers.
    pub w: &'a [f64],
    /// How the problem of the step was solved. Where the status is no success, x and u are the best iterate;
    /// where numbers overflow, the status is [`Breakdown`](Status::Breakdown), x as it was and u 0.
    pub info: SolveInfo,
}

/// The time-stepping scheme of Pang and Stewart for the [initial value problem](Dvi),
///
/// $$ x_{k+1} = x_k + h \bigl( f(t_k, \theta x_{k+1} + (1 - \theta) x_k) + B(t_k, x_k) u_{k+1} \bigr), \qquad
///    u_{k+1} \in \mathrm{SOL}\bigl(K, G(t_{k+1}, x_{k+1}) + F(\cdot)\bigr). $$
///
/// As plain text: x' = x + h (f(t, theta x' + (1 - theta) x) + B(t, x) u'), with u' a solution of the
/// inequality at the end of the step. With theta = 0 the smooth part is explicit; the inequality is implicit
/// in x' and u' for every theta.
///
/// - Where the problem is [affine](Dvi::is_affine), x' is eliminated, and u' solves the inequality with the
///   matrix $M = D + h C (I - h \theta A)^{-1} B$: by [`lcp::Auto`](siconos_numerics::lcp::Auto) over the
///   orthant, [`relay::Auto`](siconos_numerics::relay::Auto) over a box,
///   [`avi::Auto`](siconos_numerics::avi::Auto) over a polyhedron, and
///   [`vi::Extragradient`](siconos_numerics::vi::Extragradient) over a set known by its projection. In steady
///   state a step allocates nothing but what a solver or LAPACK does (over 24 states).
/// - Otherwise x' and u' are unknowns of a variational inequality over $R^n \times K$, which goes to
///   [`vi::Newton`](siconos_numerics::vi::Newton), over a polyhedron with the multipliers of its
///   inequalities; over a set known by its projection x' is a function of u', by Newton's method, and u' goes
///   to [`vi::Extragradient`](siconos_numerics::vi::Extragradient).
///
/// $x^h$ converges uniformly, along a subsequence, and $u^h$ weakly only, under the conditions that
/// [`DviReport`](super::DviReport) lists. The u of a step times h is what
/// [`MeasureEuler`](siconos_kernel::integrator::MeasureEuler) calls sigma.
///
/// **A solved step is no proof of a limit.** The status of a step speaks of the inequality of that step. With
/// theta > 0 that inequality has the matrix $M = D + h C B + h^2 \theta C A B + \dots$ (as plain text: D + h
/// C B + h^2 theta C A B + ..), and may have a solution for every h although the differential problem has
/// none with a function u. So it is with D = 0 and C B = 0, a relative degree r of two or more: where y = G
/// comes to 0 at a speed, x has to jump, and u is a measure (r = 2) or a derivative of one (r of 3 or more).
/// What the steps then do as h goes to 0:
///
/// - r = 2, theta = 1: u grows as 1 / h in two steps; h u, the jump, stays. x follows the motion with an
///   impact without rebound, but not uniformly: it jumps within those steps.
/// - r = 2, theta = 1/2: x rebounds with any speed up to that with which it came, as the boundary happens to
///   lie within a step. There is no limit.
/// - r of 3 or more, theta = 1: x itself grows without bound.
/// - theta = 0: M = 0, and a step that needs u has the status
///   [`NoSolution`](siconos_numerics::Status::NoSolution).
///
/// [`DviReport`](super::DviReport) says [`NotCovered`](super::DviConclusion::NotCovered) of all of these.
/// Systems of relative degree r are for
/// [`HigherOrderSweeping`](crate::higher_order::HigherOrderSweeping), mechanical ones with impacts
/// for [`MoreauJean`](siconos_kernel::integrator::MoreauJean).
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
    /// The state at the beginning of a step.
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

/// The end of [`DviStepper::solve`].
#[must_use = "a step that was not solved is reported here, and nowhere else"]
#[derive(Clone, Debug, PartialEq)]
pub struct DviRun {
    /// The steps up to the end, or to the first that was not solved, which is the last one then, with its
    /// best iterate.
    pub solution: DviSolution,
    /// The information of the last step.
    pub info: SolveInfo,
}

impl DviStepper<'static> {
    /// As [`new`](DviStepper::new), of a problem that the stepper keeps.
    ///
    /// # Errors
    ///
    /// As [`new`](DviStepper::new).
    pub fn owning(dvi: Dvi, theta: f64, settings: DviSettings) -> Result<Self, DviError> {
        Self::of(Cow::Owned(dvi), theta, settings)
    }
}

impl<'a> DviStepper<'a> {
    /// Makes the scheme with theta in \[0, 1\].
    ///
    /// # Errors
    ///
    /// [`DviError::Settings`]: theta outside of \[0, 1\], a tolerance that is not above 0, no iteration.
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

    /// Forgets what is carried from step to step beside x and [u](Self::u): the next step has the bits of one
    /// of a stepper made anew with this u as its guess.
    ///
    /// # Errors
    ///
    /// None that [`new`](Self::new) has not told of before.
    pub fn forget(&mut self) -> Result<(), DviError> {
        self.scheme = Scheme::new(&self.dvi, &self.settings)?;
        Ok(())
    }

    /// The problem.
    #[must_use]
    pub fn dvi(&self) -> &Dvi {
        &self.dvi
    }

    /// The u of the last step, which is the guess of the next one; zeros before the first.
    #[must_use]
    pub fn u(&self) -> &[f64] {
        &self.u
    }

    /// The value $w = G + F$ of the last step; zeros before the first.
    #[must_use]
    pub fn w(&self) -> &[f64] {
        &self.w
    }

    /// Sets the guess of the next step.
    ///
    /// # Errors
    ///
    /// [`DviError::Model`]: another number of components, a number that is not finite.
    pub fn set_u(&mut self, u: &[f64]) -> Result<(), DviError> {
        check_shape("u", (self.u.len(), 1), (u.len(), 1))?;
        check_finite("u", u)?;
        self.u.copy_from_slice(u);
        Ok(())
    }

    /// Moves `x` from the time t \[s\] over a step h \[s\].
    ///
    /// # Errors
    ///
    /// [`DviError::Settings`]: h not above 0, t not finite. [`DviError::Model`]: x of another length or not
    /// finite. [`ModelError::NotFiniteAt`](siconos_kernel::ModelError::NotFiniteAt): a function of the user.
    /// [`DviError::SingularStep`]. In each case x is as it was. That the step has no solution, or none was
    /// found, is a [status](DviStep::info).
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
        // What overflows is no solution, whatever a measure says.
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

    /// Takes so many equal steps from `x0` over `(t0, t_end)` \[s\], and ends at the first that is not
    /// solved.
    ///
    /// # Errors
    ///
    /// Those of [`step`](Self::step); [`DviError::Settings`] without a step.
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

/// The step of an interval in so many equal parts.
pub(super) fn step_of((t0, t_end): (f64, f64), steps: usize) -> Result<f64, SettingsError> {
    check_number("t0", t0, f64::is_finite, "finite")?;
    check_number("t_end", t_end, |t_end| t_end.is_finite() && t_end > t0, "finite and after t0")?;
    check_number("steps", steps as f64, |steps| steps >= 1.0, "at least 1")?;
    let h = (t_end - t0) / steps as f64;
    check_positive("h", h)?;
    Ok(h)
}

/// The time of node k.
pub(super) fn node(t0: f64, h: f64, k: usize) -> f64 {
    t0 + k as f64 * h
}
