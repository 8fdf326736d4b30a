//! Moreau's catching-up algorithm.

mod adaptive;
mod metric;
mod perturbation;
mod polyhedral;
mod projected;
mod report;
mod settings;

use ndarray::{Array2, ArrayView2, ArrayViewMut2};
use siconos_numerics::Status;
use siconos_numerics::engine::fixed_point::FixedPoint;

use self::metric::Metric;
use self::perturbation::Perturbation;
use self::polyhedral::{PolyhedralStep, Problem};
use self::projected::StepMap;
use super::{MovingSet, SweepingError};
use siconos_kernel::engine::{check_finite, check_positive, check_shape};

pub use adaptive::{AdaptiveProgress, AdaptiveSettings, AdaptiveStep, SweepingTrajectory};
pub use report::SweepingReport;
pub use settings::CatchingUpSettings;

/// Growth factor of the state, relative to the first iterate, above which the outer iterations have diverged.
const MOST_GROWTH: f64 = 1e12;

/// Moreau's catching-up algorithm for the sweeping process
///
/// $$ -(dx + f(t, x)  dt) \in N_{K(t)}(x(t^+)), \qquad
/// x_{k+1} = \mathrm{prox}(K(t_{k+1}), x_k - h f(t_{k+1}, x_{k+1})). $$
///
/// As plain text: -(dx + f(t, x) dt) is in the normal cone of K(t) at x, and x_{k+1} is the nearest point of
/// K(t_{k+1}) to x_k - h f(t_{k+1}, x_{k+1}). The state can jump where the set jumps. It can also jump at the
/// start, where it is allowed to be outside the set.
///
/// In the norm of a [metric](Self::with_metric) P the normal cone is $P^{-1} N_K$. A linear complementarity
/// system $\dot x = -f + B \lambda$, $0 \le C x \perp \lambda \ge 0$ with $P B = C^T$ is such a process;
/// [`of`](Self::of) creates it.
///
/// Without f, a step is one projection. With f, the solver depends on the set:
///
/// - If the set is a [polyhedron](MovingSet::inequalities) and f is linear, a step is an affine problem for
///   the multipliers of the active faces
///   ([`PolyhedronActiveSet`](siconos_numerics::cone::PolyhedronActiveSet)). If f is nonlinear, a step is a
///   sequence of such affine problems (the Josephy-Newton method).
/// - For other sets, the extragradient method solves the step. It needs only projections onto the set, and
///   converges if I + h f is monotone.
/// - If the set K(t, u) depends on the state, a fixed-point iteration finds u. It converges if the
///   [contraction factor](SweepingReport::contraction) in the report is below 1 (Kunze and Monteiro Marques
///   1998). [`with_state_at_start`](Self::with_state_at_start) avoids this iteration: it evaluates f and the
///   set at $x_k$, so that a step is one projection.
///
/// If the motion of the set is Lipschitz continuous, the error is at most of order $\sqrt h$ in general
/// (Moreau 1977), and of order h in most cases.
///
/// ```
/// use siconos_sweeping::{CatchingUp, MovingFrame};
/// use siconos_numerics::cone::Ball;
///
/// // A disc moves to the right and drags a point along: the tractrix.
/// let disc = MovingFrame::translated(2, Ball::new(vec![0.0, 0.0], 1.0)?, |t, centre| centre[0] = t);
/// let (mut sweep, mut u) = (CatchingUp::new(disc), [0.0, -1.0]);
/// let h = 1e-3;
/// for k in 0..1000 {
///     let report = sweep.step(h * f64::from(k), h, &mut u)?;
///     assert!(report.status.is_success());
/// }
/// let exact = [1.0 - 1.0_f64.tanh(), -1.0 / 1.0_f64.cosh()];
/// assert!((u[0] - exact[0]).abs() < 2e-4 && (u[1] - exact[1]).abs() < 2e-4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// References: J. J. Moreau (1977), "Evolution problem associated with a moving convex set in a Hilbert
/// space", Journal of Differential Equations 26, 347-374. M. Kunze, M. D. P. Monteiro Marques (1998), "On
/// parabolic quasi-variational inequalities and state-dependent sweeping processes", Topological Methods in
/// Nonlinear Analysis 12, 179-191.
#[doc(alias("sweeping process", "prox"))]
#[derive(Debug)]
pub struct CatchingUp<S> {
    set: S,
    settings: CatchingUpSettings,
    perturbation: Option<Perturbation>,
    metric: Option<Metric>,
    polyhedral: PolyhedralStep,
    projected: FixedPoint,
    /// `true` if each step evaluates f and the set at the state at the start of the step.
    is_explicit: bool,
    /// End of an explicit step, without the reaction of the set.
    free: Vec<f64>,
    /// State at which the set is evaluated.
    state: Vec<f64>,
    guess: Vec<f64>,
    memory: Vec<f64>,
    reaction: Vec<f64>,
    /// State after one step (`whole`) and state after two half steps (`halves`), for adaptive steps.
    whole: Vec<f64>,
    halves: Vec<f64>,
}

impl<S: MovingSet> CatchingUp<S> {
    /// Creates the algorithm for a set, with default settings.
    #[must_use]
    pub fn new(set: S) -> Self {
        let n = set.dimension();
        Self {
            set,
            settings: CatchingUpSettings::default(),
            perturbation: None,
            metric: None,
            polyhedral: PolyhedralStep::default(),
            projected: CatchingUpSettings::default().extragradient(),
            is_explicit: false,
            free: vec![0.0; n],
            state: vec![0.0; n],
            guess: vec![0.0; n],
            memory: vec![0.0; n],
            reaction: vec![0.0; n],
            whole: Vec::new(),
            halves: Vec::new(),
        }
    }

    /// Sets the tolerance and the maximum numbers of iterations.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range ([`SweepingError::Settings`]).
    pub fn with_settings(mut self, settings: CatchingUpSettings) -> Result<Self, SweepingError> {
        settings.check()?;
        self.projected = settings.extragradient();
        self.settings = settings;
        Ok(self)
    }

    /// Sets f. The function `(t, x, f)` writes the value of f \[unit of x per s\].
    #[must_use]
    pub fn with_perturbation(mut self, f: impl Fn(f64, &[f64], &mut [f64]) + Send + Sync + 'static) -> Self {
        self.perturbation = Some(Perturbation::new(f));
        self.polyhedral = PolyhedralStep::default();
        self
    }

    /// Sets f = A x + g(t), where A is an n x n matrix \[1/s\] and the function `(t, g)` writes g \[unit of x
    /// per s\]. On entry g is 0.
    ///
    /// # Errors
    ///
    /// If A has the wrong shape or is not finite ([`SweepingError::Model`]).
    pub fn with_linear_perturbation(
        mut self,
        a: Array2<f64>,
        g: impl Fn(f64, &mut [f64]) + Send + Sync + 'static,
    ) -> Result<Self, SweepingError> {
        let n = self.set.dimension();
        check_shape("A of a perturbation", (n, n), a.dim())?;
        check_finite("A of a perturbation", &a)?;
        self.perturbation = Some(Perturbation::linear(a, g));
        self.polyhedral = PolyhedralStep::default();
        Ok(self)
    }

    /// Sets the derivative of f. The function `(t, x, J)` writes the n x n matrix df/dx to J, which is 0 on
    /// entry. By default, df/dx is computed by finite differences. Only polyhedral sets use the derivative.
    /// Call this method after [`with_perturbation`](Self::with_perturbation).
    #[must_use]
    pub fn with_jacobian(
        mut self,
        jacobian: impl Fn(f64, &[f64], ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        self.perturbation = self.perturbation.map(|f| f.with_derivative(jacobian));
        self
    }

    /// Replaces the Euclidean norm by the norm $\sqrt{x^T P x}$, where P is an n x n symmetric positive
    /// definite matrix.
    ///
    /// # Errors
    ///
    /// If P is not an n x n symmetric positive definite matrix ([`SweepingError::Set`]).
    pub fn with_metric(mut self, p: ArrayView2<'_, f64>) -> Result<Self, SweepingError> {
        self.metric = Some(Metric::given(p, self.set.dimension())?);
        self.polyhedral = PolyhedralStep::default();
        Ok(self)
    }

    /// Evaluates f and the set at the state at the start of each step:
    ///
    /// $$ x_{k+1} = \mathrm{prox}(K(t_{k+1}, x_k), x_k - h f(t_{k+1}, x_k)). $$
    ///
    /// As plain text: x_{k+1} is the nearest point of K(t_{k+1}, x_k) to x_k - h f(t_{k+1}, x_k). A step is
    /// then one projection and needs no derivative of f. The order of the error is unchanged if the step is
    /// short compared with the time scales of f and of the set along the motion.
    ///
    /// ```
    /// use siconos_sweeping::{CatchingUp, MovingPolyhedron};
    ///
    /// // Two discs of diameter 1 in the plane move to the origin; their distance is linearised.
    /// let apart = MovingPolyhedron::by_rows_of_state(4, |_t, q, rows| {
    ///     let (x, y) = (q[2] - q[0], q[3] - q[1]);
    ///     let distance = x.hypot(y);
    ///     let (x, y) = (x / distance, y / distance);
    ///     rows.push(0, [(0, -x), (1, -y), (2, x), (3, y)], 1.0);
    /// })?;
    /// let mut sweep =
    ///     CatchingUp::new(apart).with_perturbation(|_t, q, f| f.copy_from_slice(q)).with_state_at_start();
    /// let mut q = [-3.0, 0.0, 2.0, 0.0];
    /// for k in 0..2000 {
    ///     assert!(sweep.step(0.01 * f64::from(k), 0.01, &mut q)?.status.is_success());
    /// }
    /// assert!((q[0] + 0.5).abs() < 1e-6 && (q[2] - 0.5).abs() < 1e-6);
    /// # Ok::<(), siconos_sweeping::SweepingError>(())
    /// ```
    #[must_use]
    pub fn with_state_at_start(mut self) -> Self {
        self.is_explicit = true;
        self
    }

    /// Returns the set.
    #[must_use]
    pub fn set(&self) -> &S {
        &self.set
    }

    /// Returns the multipliers of the inequalities in the last step, or an empty slice if the set is not a
    /// polyhedron.
    #[must_use]
    pub fn multipliers(&self) -> &[f64] {
        self.polyhedral.multipliers()
    }

    /// Returns the reaction of the set in the last step, $x_{k+1} - x_k + h f$, which is the change of the
    /// state minus the contribution -h f of the perturbation. The reaction is an inward normal of the set.
    #[must_use]
    pub fn reaction(&self) -> &[f64] {
        &self.reaction
    }

    /// Projects the state u onto the set at time t. This is the jump of a process that starts outside the
    /// set.
    ///
    /// # Errors
    ///
    /// See [`step`](Self::step).
    pub fn begin(&mut self, t: f64, u: &mut [f64]) -> Result<SweepingReport, SweepingError> {
        self.check(t, u)?;
        self.move_to(t, 0.0, u)
    }

    /// Takes a step from t to t + h \[s\]. On entry u is the state at t; on return u is the state at t + h.
    /// If the status of the report is not a success, u is the best iterate.
    ///
    /// # Errors
    ///
    /// If h is not positive, if a time or a state is not finite, if the set is empty, if a user function
    /// writes a value that is not finite, or if I + h df/dx is singular. On error the state is unchanged.
    pub fn step(&mut self, t: f64, h: f64, u: &mut [f64]) -> Result<SweepingReport, SweepingError> {
        check_positive("h", h)?;
        self.check(t + h, u)?;
        self.move_to(t + h, h, u)
    }

    /// Discards the active set and the factors. Apart from the state, no other data are carried from one step
    /// to the next. The next step is therefore bit-identical to a step of a new `CatchingUp`, and a run can
    /// be stored and resumed with bit-identical results.
    ///
    /// ```
    /// use siconos_sweeping::{CatchingUp, MovingPolyhedron};
    ///
    /// let floor = MovingPolyhedron::by_rows(1, |t, rows| rows.push(0, [(0, 1.0)], t))?;
    /// let (mut sweep, mut x) = (CatchingUp::new(floor), [0.0]);
    /// assert!(sweep.step(0.0, 0.5, &mut x)?.status.is_success());
    /// sweep.forget();
    /// assert!(sweep.multipliers().is_empty() && x == [0.5]);
    /// # Ok::<(), siconos_sweeping::SweepingError>(())
    /// ```
    pub fn forget(&mut self) {
        self.polyhedral = PolyhedralStep::default();
        self.projected = self.settings.extragradient();
    }

    fn check(&self, t: f64, u: &[f64]) -> Result<(), SweepingError> {
        check_finite("t", [&t])?;
        check_shape("u", (self.set.dimension(), 1), (u.len(), 1))?;
        Ok(check_finite("u", u)?)
    }

    fn move_to(&mut self, t: f64, h: f64, u: &mut [f64]) -> Result<SweepingReport, SweepingError> {
        let mut report =
            SweepingReport { status: Status::MaxIterations, outer: 0, inner: 0, contraction: None };
        self.guess.copy_from_slice(u);
        self.state.copy_from_slice(u);
        let (mut before, mut first) = (f64::INFINITY, 0.0);
        while report.outer < self.settings.max_outer {
            report.outer += 1;
            let (status, iterations) = self.solve(t, h, u)?;
            report.inner += iterations;
            report.status = status;
            let (mut change, mut size) = (0.0_f64, 0.0_f64);
            for (guess, state) in self.guess.iter().zip(&self.state) {
                change = change.max((guess - state).abs());
                size = size.max(guess.abs());
            }
            if self.is_explicit || !self.set.depends_on_state() {
                break;
            }
            if before.is_finite() && before > 0.0 {
                report.contraction = Some(change / before);
            }
            before = change;
            first = if report.outer == 1 { size } else { first };
            self.state.copy_from_slice(&self.guess);
            if change <= self.settings.tolerance * size || !status.is_success() {
                break;
            }
            report.status = Status::MaxIterations;
            if !change.is_finite() || size > MOST_GROWTH * first {
                report.status = Status::Breakdown;
                break;
            }
        }
        self.finish(t, h, u)?;
        Ok(report)
    }

    /// Solves the one-step problem with the set evaluated at `state`, and writes the solution to `guess`.
    fn solve(&mut self, t: f64, h: f64, u: &[f64]) -> Result<(Status, usize), SweepingError> {
        let mut perturbation = self.perturbation.as_ref().filter(|_| h > 0.0);
        let mut u = u;
        if let Some(f) = perturbation.filter(|_| self.is_explicit) {
            f.write(t, u, &mut self.free)?;
            self.free.iter_mut().zip(u).for_each(|(free, u)| *free = u - h * *free);
            (u, perturbation) = (&self.free, None);
        }
        let tolerance = self.settings.tolerance;
        let metric = self.metric.as_ref();
        if let Some(rows) = self.set.inequalities(t, &self.state).map_err(|error| error.at(t))? {
            let problem = Problem { t, h, u, perturbation, metric, rows, tolerance };
            return self.polyhedral.solve(&problem, &mut self.guess);
        }
        if perturbation.is_none() && metric.is_none() {
            self.guess.copy_from_slice(u);
            let projection =
                self.set.project(t, &self.state, &mut self.guess).map_err(|error| error.at(t))?;
            return Ok((projection.status, projection.iterations));
        }
        let map = StepMap {
            set: &mut self.set,
            t,
            h,
            u,
            state: &self.state,
            perturbation,
            metric: metric.and_then(Metric::matrix),
            memory: &mut self.memory,
            error: None,
            status: Status::Converged,
        };
        projected::solve(&mut self.projected, map, &mut self.guess)
    }

    /// Copies the solution to the state, and computes the reaction.
    fn finish(&mut self, t: f64, h: f64, u: &mut [f64]) -> Result<(), SweepingError> {
        self.reaction.fill(0.0);
        if let Some(f) = self.perturbation.as_ref().filter(|_| h > 0.0) {
            f.write(t, if self.is_explicit { u } else { &self.guess }, &mut self.reaction)?;
        }
        for ((reaction, new), u) in self.reaction.iter_mut().zip(&self.guess).zip(u) {
            *reaction = new - *u + h * *reaction;
            *u = *new;
        }
        Ok(())
    }
}
