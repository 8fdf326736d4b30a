//! Adapter between an [`OdeSystem`](super::OdeSystem) and the solvers of the crate `differential-equations`.
//!
//! The crate calls f with `&self`, but an [`OdeSystem`](super::OdeSystem) is passed with `&mut` in each step.
//! A `RefCell`, which exists during one call of the crate, connects the two. The adapter also records data
//! that the crate does not report: the slopes of the stages, and the first value of f that is not finite.

use std::cell::RefCell;

use differential_equations::dae::{AlgebraicNumericalMethod, DAE};
use differential_equations::interpolate::Interpolation;
use differential_equations::linalg::Matrix;
use differential_equations::ode::{ODE, OrdinaryNumericalMethod};
use differential_equations::stats::Evals;
use differential_equations::traits::State;

use super::OdeError;
use super::right_hand_side::{NotFinite, RightHandSide};
use super::segment::Unit;
use super::state::Values;
use super::stepper::Start;

/// Number of recorded slopes. For DOPRI5, they belong to the stages after the first. For DOP853, the last two
/// belong to the last stage and to the result, both at the end of the step.
pub(super) const SLOPES: usize = 6;

/// Data recorded during calls of `differential-equations`. The workspace is reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes {
    /// Slopes of the stages.
    pub(super) slopes: [Vec<f64>; SLOPES],
    /// States at which the last and the second to last of the recorded slopes were evaluated.
    pub(super) stages: [Vec<f64>; 2],
    /// Slope at the end of the step. It comes from the evaluation with the index `end_call`, or from the last
    /// evaluation if `end_call` is `None`.
    pub(super) last: Vec<f64>,
    /// Infinity norm of the last Jacobian (largest row sum of magnitudes), an upper bound on its spectral
    /// radius.
    pub(super) jacobian_norm: f64,
    /// Mass matrix, stored row by row; empty if there is none.
    pub(super) mass: Vec<f64>,
    x: Vec<f64>,
    scratch: Vec<f64>,
    jacobian: Vec<f64>,
}

impl Notes {
    pub(super) fn reset(&mut self, n: usize) {
        let vectors = self.slopes.iter_mut().chain(&mut self.stages);
        for vector in vectors.chain([&mut self.last, &mut self.x, &mut self.scratch]) {
            vector.clear();
            vector.resize(n, 0.0);
        }
    }
}

/// Reason why the result of a call of `differential-equations` is discarded.
#[derive(Clone, Debug)]
pub(super) enum Failure {
    NotFinite(NotFinite),
    Error(OdeError),
}

/// Data that are available during a call of `differential-equations`.
pub(super) struct Call<'a, 'b> {
    pub(super) rhs: &'a mut RightHandSide<'b>,
    pub(super) notes: &'a mut Notes,
    /// State and slope at the start of the step.
    pub(super) start: (&'a [f64], &'a [f64]),
    /// Unit of the states and slopes that are passed to `differential-equations`.
    pub(super) unit: Unit,
    /// Times \[s\]: the start of the step (`t`), the difference between the time of the integrator and the
    /// time of the solver (`shift`), and the end of the step, beyond which f is not evaluated (`end`).
    pub(super) t: f64,
    pub(super) shift: f64,
    pub(super) end: f64,
    /// `true` if the next evaluation of f is at the start of the step, where its value is known.
    pub(super) asks_for_start: bool,
    /// Number of evaluations of f so far (`calls`), and index of the evaluation that gives f at the end of
    /// the step (`end_call`; `None` for the last evaluation).
    pub(super) calls: usize,
    pub(super) end_call: Option<usize>,
    pub(super) failure: Option<Failure>,
}

impl<'a, 'b> Call<'a, 'b> {
    pub(super) fn new(
        rhs: &'a mut RightHandSide<'b>,
        notes: &'a mut Notes,
        start: Start<'a>,
        end_call: Option<usize>,
    ) -> Self {
        let Start { t, end, x, f, .. } = start;
        Self {
            rhs,
            notes,
            start: (x, f),
            unit: Unit::default(),
            t,
            shift: 0.0,
            end,
            asks_for_start: false,
            calls: 0,
            end_call,
            failure: None,
        }
    }

    /// Evaluates f for `differential-equations`, which represents states and slopes in the unit `unit`.
    fn compute_f(&mut self, t: f64, x: &[f64], f: &mut [f64]) {
        if self.unit == Unit::default() {
            return self.answer(t, x, f);
        }
        let mut own = std::mem::take(&mut self.notes.x);
        own.clear();
        own.extend(x.iter().map(|x| self.unit.restored(*x)));
        self.answer(t, &own, f);
        self.notes.x = own;
        f.iter_mut().for_each(|f| *f = self.unit.scaled(*f));
    }

    fn answer(&mut self, t: f64, x: &[f64], f: &mut [f64]) {
        if std::mem::take(&mut self.asks_for_start) {
            f.copy_from_slice(self.start.1);
            return;
        }
        if self.failure.is_none() {
            match self.rhs.f((t + self.shift).min(self.end), x, f) {
                Ok(()) => self.note(x, f),
                Err(not_finite) => self.failure = Some(Failure::NotFinite(not_finite)),
            }
        }
        if self.failure.is_some() {
            f.fill(f64::NAN);
        }
    }

    fn note(&mut self, x: &[f64], f: &[f64]) {
        let call = self.calls;
        self.calls += 1;
        if self.end_call.is_none_or(|end| call == end) {
            self.notes.last.copy_from_slice(f);
        }
        let place = match self.end_call {
            Some(SLOPES) => Some(call),
            Some(end) => (call + SLOPES).checked_sub(end + 1).filter(|place| place + 2 >= SLOPES),
            None => None,
        };
        if let Some(place) = place.filter(|place| *place < SLOPES) {
            self.notes.slopes[place].copy_from_slice(f);
            if let Some(stage) = (place + 2).checked_sub(SLOPES) {
                self.notes.stages[stage].copy_from_slice(x);
            }
        }
    }

    /// Computes the Jacobian at the start of the step.
    fn compute_jacobian(&mut self, matrix: &mut Matrix<f64>) {
        let n = self.start.0.len();
        let Notes { x, scratch, jacobian, jacobian_norm, .. } = &mut *self.notes;
        x.copy_from_slice(self.start.0);
        jacobian.clear();
        jacobian.resize(n * n, 0.0);
        if let Err(error) = self.rhs.jacobian(self.t, x, self.start.1, scratch, jacobian) {
            self.failure = Some(Failure::Error(error));
        }
        *jacobian_norm = 0.0;
        for entries in jacobian.chunks(n.max(1)) {
            *jacobian_norm = jacobian_norm.max(entries.iter().copied().map(f64::abs).sum());
        }
        fill(matrix, jacobian);
    }
}

/// Copies a square matrix that is stored row by row.
fn fill(matrix: &mut Matrix<f64>, values: &[f64]) {
    let columns = matrix.ncols();
    for (index, value) in values.iter().enumerate() {
        matrix[(index / columns, index % columns)] = *value;
    }
}

/// System with the interface that `differential-equations` requires.
pub(super) struct Callback<'a, 'b>(pub(super) RefCell<Call<'a, 'b>>);

impl ODE<f64, Values> for Callback<'_, '_> {
    fn diff(&self, t: f64, x: &Values, f: &mut Values) {
        self.0.borrow_mut().compute_f(t, x.as_slice(), f.as_mut_slice());
    }

    fn jacobian(&self, _t: f64, _x: &Values, j: &mut Matrix<f64>) {
        self.0.borrow_mut().compute_jacobian(j);
    }
}

impl DAE<f64, Values> for Callback<'_, '_> {
    fn diff(&self, t: f64, x: &Values, f: &mut Values) {
        ODE::diff(self, t, x, f);
    }

    fn mass(&self, m: &mut Matrix<f64>) {
        fill(m, &self.0.borrow().notes.mass);
    }

    fn jacobian(&self, t: f64, x: &Values, j: &mut Matrix<f64>) {
        ODE::jacobian(self, t, x, j);
    }
}

/// Failure of a solver of `differential-equations`. The solver must be created again.
#[derive(Clone, Copy, Debug)]
pub(super) struct GaveUp;

/// Solver of `differential-equations` as a trait object, because the type of its Radau5 cannot be named here.
pub(super) trait Solver: Send + Sync {
    /// Starts the solver at its own time 0.
    fn init(&mut self, callback: &Callback<'_, '_>, x: &Values) -> Result<(), GaveUp>;
    /// Tries one step.
    fn step(&mut self, callback: &Callback<'_, '_>) -> Result<Evals, GaveUp>;
    fn t(&self) -> f64;
    fn x(&self) -> &[f64];
    fn h(&self) -> f64;
    fn set_h(&mut self, h: f64);
    /// Returns the start of the last step.
    fn t_before(&self) -> f64;
    /// Writes the state at a time of the solver within the last step. Returns `false` if the time is outside
    /// the step.
    fn interpolate(&mut self, t: f64, x: &mut [f64]) -> bool;
}

/// Result of a trial step of a solver of `differential-equations`.
#[derive(Debug)]
pub(super) enum Attempt {
    /// The solver could not start.
    CannotBegin,
    NotFinite(NotFinite),
    GaveUp,
    /// A step was tried. `before` is its start on the time scale of the solver.
    Tried {
        before: f64,
        evaluations: Evals,
    },
}

/// Tries a step of length `h`. If `begins` is `true`, the solver is initialised at the start of the step;
/// otherwise it continues from its last step. Unless the result is `Tried`, the solver must be discarded.
pub(super) fn attempt(
    solver: &mut dyn Solver,
    mut call: Call<'_, '_>,
    h: f64,
    begins: bool,
) -> Result<Attempt, OdeError> {
    let (t, unit) = (call.t, call.unit);
    call.asks_for_start = begins;
    let mut x = Values::from_slice(call.start.0);
    x.map_components_mut(|_, value| *value = unit.scaled(*value));
    let callback = Callback(RefCell::new(call));
    if begins && solver.init(&callback, &x).is_err() {
        return Ok(Attempt::CannotBegin);
    }
    let before = solver.t();
    callback.0.borrow_mut().shift = t - before;
    solver.set_h(h);
    let outcome = solver.step(&callback);
    match callback.0.into_inner().failure {
        Some(Failure::NotFinite(at)) => return Ok(Attempt::NotFinite(at)),
        Some(Failure::Error(error)) => return Err(error),
        None => {}
    }
    Ok(match outcome {
        Ok(evaluations) => Attempt::Tried { before, evaluations },
        Err(GaveUp) => Attempt::GaveUp,
    })
}

/// End time given to the solver, which therefore never stops by itself.
const NEVER: f64 = f64::INFINITY;

/// Solver for x' = f.
pub(super) struct Explicit<S>(pub(super) S);

/// Solver for M x' = f.
pub(super) struct WithMass<S>(pub(super) S);

impl<S> Solver for Explicit<S>
where
    S: OrdinaryNumericalMethod<f64, Values> + Interpolation<f64, Values> + Send + Sync,
{
    fn init(&mut self, callback: &Callback<'_, '_>, x: &Values) -> Result<(), GaveUp> {
        self.0.init(callback, 0.0, NEVER, x).map(|_| ()).map_err(|_| GaveUp)
    }

    fn step(&mut self, callback: &Callback<'_, '_>) -> Result<Evals, GaveUp> {
        self.0.step(callback).map_err(|_| GaveUp)
    }

    fn t(&self) -> f64 {
        self.0.t()
    }

    fn x(&self) -> &[f64] {
        self.0.y().as_slice()
    }

    fn h(&self) -> f64 {
        self.0.h()
    }

    fn set_h(&mut self, h: f64) {
        self.0.set_h(h);
    }

    fn t_before(&self) -> f64 {
        self.0.t_prev()
    }

    fn interpolate(&mut self, t: f64, x: &mut [f64]) -> bool {
        copy(self.0.interpolate(t), x)
    }
}

impl<S> Solver for WithMass<S>
where
    S: AlgebraicNumericalMethod<f64, Values> + Interpolation<f64, Values> + Send + Sync,
{
    fn init(&mut self, callback: &Callback<'_, '_>, x: &Values) -> Result<(), GaveUp> {
        self.0.init(callback, 0.0, NEVER, x).map(|_| ()).map_err(|_| GaveUp)
    }

    fn step(&mut self, callback: &Callback<'_, '_>) -> Result<Evals, GaveUp> {
        self.0.step(callback).map_err(|_| GaveUp)
    }

    fn t(&self) -> f64 {
        self.0.t()
    }

    fn x(&self) -> &[f64] {
        self.0.y().as_slice()
    }

    fn h(&self) -> f64 {
        self.0.h()
    }

    fn set_h(&mut self, h: f64) {
        self.0.set_h(h);
    }

    fn t_before(&self) -> f64 {
        self.0.t_prev()
    }

    fn interpolate(&mut self, t: f64, x: &mut [f64]) -> bool {
        copy(self.0.interpolate(t), x)
    }
}

fn copy<E>(state: Result<Values, E>, x: &mut [f64]) -> bool {
    match state {
        Ok(state) if state.len() == x.len() => {
            x.copy_from_slice(state.as_slice());
            true
        }
        _ => false,
    }
}
