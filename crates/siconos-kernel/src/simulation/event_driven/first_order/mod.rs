//! Event detection for first-order systems: modes, the guards that end them, and the choice of the next one.
//!
//! $$ M \dot x = f(x, t) + B \lambda, \qquad y = h(x, t) + D \lambda, \qquad 0 \le y \perp \lambda \ge 0 $$
//!
//! As plain text: M x' = f(x, t) + B lambda, y = h(x, t) + D lambda, y and lambda nonnegative and orthogonal;
//! some rows may be equalities y = 0 with lambda of any sign. Covered are
//!
//! * linear complementarity systems of relative degree 0, with a P-matrix D (Acary, Brogliato 2008, section
//!   7.1), and with a positive semidefinite one as far as the sets of active constraints that are met have
//!   one solution;
//! * sweeping processes and differential variational inequalities on $\lbrace x : h(x, t) \ge 0 \rbrace$: D =
//!   0, relative degree 1, with lambda from the derivative of the active constraints (reduction of the
//!   index);
//! * both at once, row by row or combination by combination.
//!
//! Where a set moves by e(t), its derivative would bring the rounding of differences into f, which error
//! control cannot take. With constant matrices it is not needed: the integration carries z with
//! $\dot z = \dot x$ but for what pushes along $M^{-1} B$, and x is z put onto the active constraints along
//! these directions, [`FirstOrderModes::complete`].
//!
//! A [mode](Mode) is a set of active constraints. Its guards are lambda of these and y of the others, which
//! must not fall below zero. The next mode is one whose guards do not become negative just after: what is
//! zero is judged by how it changes, as the theory asks ("lexicographically"; van der Schaft, Schumacher
//! 2000, section 4). Where there is none because the state violates $h \ge 0$, the state jumps first.

mod check;
mod choice;
mod data;
mod elimination;
mod error;
mod jump;
mod layout;
mod magnitudes;
mod mode;
mod motion;
mod probe;
mod system;
#[cfg(test)]
mod tests;
mod time_derivative;

use siconos_numerics::SolveInfo;
use siconos_numerics::ode::OdeSettings;

pub use error::ModeError;
pub(super) use motion::FirstOrderMotion;
pub(crate) use system::FirstOrderSystem;

use self::data::Data;
use self::magnitudes::Magnitudes;
use self::mode::Mode;
use super::outcome::NOTHING_TO_SOLVE;
use super::problems::Problems;
use crate::error::SimulationError;
use crate::model::{NonSmoothDynamicalSystem, Parameters};
use crate::state::State;

/// Newton steps of the projection onto the active constraints.
const PROJECTIONS: usize = 3;

/// What [`FirstOrderModes::settle`] has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settled {
    /// Whether x has jumped; that it was put back onto active constraints, by no more than the errors of the
    /// integration, is no jump.
    pub(crate) jumped: bool,
    /// Whether the set of active constraints is another.
    pub(crate) changed: bool,
}

/// The first-order systems of a model as a hybrid system: the present mode, and how to find the next one.
#[derive(Debug)]
pub(crate) struct FirstOrderModes {
    data: Data,
    mode: Mode,
    /// A mode that is being tried.
    trial: Mode,
    has_mode: bool,
    /// By row: guards that are zero at the beginning of the mode, and those of them of which no sign can be
    /// seen just after.
    is_zero: Vec<bool>,
    is_silent: Vec<bool>,
    /// By row: how far below zero a guard may be before that is an event, whatever it was before.
    margins: Vec<f64>,
    /// Of jumps, and of the choice of a mode.
    problems: Problems,
    /// What their solvers told since the last event.
    impact_solve: SolveInfo,
    acceleration_solve: SolveInfo,
    /// By row, the impulse of the last jump.
    jump_impulse: Vec<f64>,
    /// How the motion is integrated.
    integration: OdeSettings,
    /// Impulses.
    sigma: Vec<f64>,
    /// Magnitudes of the states, for sizes.
    magnitudes: Magnitudes,
    /// x put onto the active constraints.
    completed: Vec<f64>,
    error: Option<SimulationError>,
}

impl FirstOrderModes {
    /// Lays out the model.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Unsupported`] and [`SimulationError::UnsupportedSystem`] for what cannot be
    /// followed by events, with what would do.
    pub(crate) fn new(model: &NonSmoothDynamicalSystem) -> Result<Self, SimulationError> {
        check::kinds(model)?;
        let mut data = Data::new(model)?;
        check::matrices(model, &mut data)?;
        let (rows, states) = (data.rows(), data.states());
        let integration = OdeSettings::default();
        let mut magnitudes = Magnitudes::new(states);
        magnitudes.set_resolution(&integration);
        Ok(Self {
            data,
            mode: Mode::default(),
            trial: Mode::default(),
            has_mode: false,
            is_zero: vec![false; rows],
            is_silent: vec![false; rows],
            margins: vec![0.0; rows],
            problems: Problems::default(),
            impact_solve: NOTHING_TO_SOLVE,
            acceleration_solve: NOTHING_TO_SOLVE,
            jump_impulse: vec![0.0; rows],
            integration,
            sigma: vec![0.0; rows],
            magnitudes,
            completed: vec![0.0; states],
            error: None,
        })
    }

    /// The number of states.
    pub(crate) fn dimension(&self) -> usize {
        self.data.states()
    }

    /// The two problems with their solvers.
    pub(super) fn problems(&mut self) -> &mut Problems {
        &mut self.problems
    }

    /// Sets how the motion is integrated; by default with the default settings.
    pub(crate) fn set_integration(&mut self, settings: &OdeSettings) {
        self.integration.clone_from(settings);
        self.magnitudes.set_resolution(settings);
    }

    /// What the solvers told of jump and choice at the last call of [`settle`](Self::settle); nothing to
    /// solve where they were not asked.
    pub(crate) fn solves(&self) -> (SolveInfo, SolveInfo) {
        (self.impact_solve, self.acceleration_solve)
    }

    /// By row, the impulse of the jump at the last call of [`settle`](Self::settle); zero where there was
    /// none.
    pub(crate) fn jump_impulse(&self) -> &[f64] {
        &self.jump_impulse
    }

    /// Writes $B \sigma$ for the impulse of the last jump.
    pub(crate) fn reaction_into(&self, out: &mut [f64]) {
        self.data.reaction_into(&self.jump_impulse, out);
    }

    /// By row, whether the constraint is active: whether lambda may differ from zero.
    pub(crate) fn is_active(&self) -> &[bool] {
        if self.has_mode { &self.mode.is_active } else { &self.is_silent }
    }

    /// Writes the states of a [`State`] to x.
    pub(crate) fn read(&mut self, state: &State, x: &mut [f64]) {
        self.data.parameters.copy_from(&state.parameters);
        x.copy_from_slice(&state.v[..x.len()]);
    }

    /// The parameters that the functions of the model are evaluated with.
    pub(crate) fn parameters(&mut self) -> &mut Parameters {
        &mut self.data.parameters
    }

    /// Sets the time \[s\] at which functions of the model may next have a kink or a jump, infinite if at
    /// none: an event at which the driver stops. Up to the next call they are not evaluated there or later,
    /// but as their limits from the left. To be set before [`settle`](Self::settle) begins the motion towards
    /// it.
    pub(crate) fn set_horizon(&mut self, t: f64) {
        self.data.set_horizon(t);
    }

    /// Makes the state of what an integration of [`system`](Self::system) has come to: puts x onto the active
    /// constraints. To be called before anything else is done with that x; a second time it changes nothing.
    ///
    /// # Errors
    ///
    /// What the functions of the model return that is not finite.
    pub(crate) fn complete(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        t: f64,
        x: &mut [f64],
    ) -> Result<(), SimulationError> {
        Ok(self.project(model, t, x)?)
    }

    /// Writes x, put back onto the active constraints, with y and lambda to a [`State`].
    ///
    /// # Errors
    ///
    /// What the functions of the model return that is not finite.
    pub(crate) fn write(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        t: f64,
        x: &[f64],
        state: &mut State,
    ) -> Result<(), SimulationError> {
        let target = &mut state.v[..x.len()];
        target.copy_from_slice(x);
        self.project(model, t, target)?;
        state.y[0].copy_from_slice(&self.mode.y);
        state.lambda[0].copy_from_slice(&self.mode.lambda);
        self.data.take_back_outputs(&mut state.y[0]);
        self.data.take_back_multipliers(&mut state.lambda[0]);
        for (row, y) in state.y[0].iter_mut().enumerate() {
            if self.mode.is_active[row] {
                *y = 0.0;
            }
        }
        Ok(())
    }

    /// Chooses the mode at (t, x), where the guards `fired` are zero; a state that no mode can go on from
    /// jumps. An x that comes from the integration has to be [complete](Self::complete), which is done here
    /// where guards have fired.
    ///
    /// `fired` are indices of the guards of [`system`](Self::system): those above the number of rows are of
    /// guards that have fallen clearly below zero.
    ///
    /// # Errors
    ///
    /// [`ModeError`] within [`SimulationError::Mode`].
    pub(crate) fn settle(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        t: f64,
        x: &mut [f64],
        fired: &[usize],
    ) -> Result<Settled, SimulationError> {
        self.begin_event();
        if self.has_mode && !fired.is_empty() {
            self.project(model, t, x)?;
        }
        self.data.begin(model, t, x)?;
        self.data.evaluate(model, t, x, true)?;
        self.data.check_finite(t)?;
        let before = if self.has_mode { self.mode.is_active.clone() } else { Vec::new() };
        let jumped = self.choose_with_jump(model, t, x, fired)?;
        std::mem::swap(&mut self.mode, &mut self.trial);
        self.has_mode = true;
        self.project(model, t, x)?;
        let mut lambda = self.mode.lambda.clone();
        self.data.take_back_multipliers(&mut lambda);
        self.data.check_affine(model, t, &lambda)?;
        self.data.take_back_multipliers(&mut self.jump_impulse);
        self.set_margins(model.time_scale(), x);
        let changed = before != self.mode.is_active;
        Ok(Settled { jumped, changed })
    }

    /// Forgets what the last event did.
    pub(crate) fn begin_event(&mut self) {
        (self.impact_solve, self.acceleration_solve) = (NOTHING_TO_SOLVE, NOTHING_TO_SOLVE);
        self.jump_impulse.fill(0.0);
    }

    /// f and guards of the present mode.
    pub(crate) fn system<'a>(&'a mut self, model: &'a NonSmoothDynamicalSystem) -> FirstOrderSystem<'a> {
        FirstOrderSystem { modes: self, model }
    }

    /// The first error that a callback of the system has met since the last call.
    pub(crate) fn take_error(&mut self) -> Option<SimulationError> {
        self.error.take()
    }

    /// Evaluates the present mode, with or without what the motion of the constraints in time does.
    fn evaluate(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        t: f64,
        x: &[f64],
        with_rates: bool,
    ) -> Result<(), ModeError> {
        self.data.evaluate(model, t, x, with_rates && self.mode.needs_rates())?;
        if self.data.matrices_vary {
            self.mode.factor(&self.data).map_err(|source| ModeError::SingularMode { t, source })?;
        }
        self.mode.evaluate(&self.data, with_rates);
        Ok(())
    }

    /// Evaluates the present mode where the integration is at x.
    fn evaluate_carried(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        t: f64,
        x: &[f64],
        with_rates: bool,
    ) -> Result<(), ModeError> {
        if self.data.matrices_vary {
            return self.evaluate(model, t, x, true);
        }
        let mut completed = std::mem::take(&mut self.completed);
        completed.copy_from_slice(x);
        let done = self
            .put_onto(model, t, &mut completed)
            .and_then(|()| self.evaluate(model, t, &completed, with_rates));
        self.completed = completed;
        done
    }

    /// Puts x onto the active constraints that hold no lambda, and evaluates the mode there.
    fn project(&mut self, model: &NonSmoothDynamicalSystem, t: f64, x: &mut [f64]) -> Result<(), ModeError> {
        self.put_onto(model, t, x)?;
        self.evaluate(model, t, x, true)
    }

    fn put_onto(&mut self, model: &NonSmoothDynamicalSystem, t: f64, x: &mut [f64]) -> Result<(), ModeError> {
        if !self.mode.needs_rates() {
            return Ok(());
        }
        // Once is enough for what is linear, but for rounding.
        for _ in 0..PROJECTIONS {
            self.data.evaluate(model, t, x, false)?;
            if self.data.matrices_vary {
                self.mode.factor(&self.data).map_err(|source| ModeError::SingularMode { t, source })?;
            }
            self.mode.impulses(&self.data, &mut self.sigma);
            let mut moved = false;
            for (place, x) in x.iter_mut().enumerate() {
                let rows = self.sigma.iter().enumerate();
                let step: f64 = rows.map(|(row, sigma)| sigma * self.data.input(row)[place]).sum();
                moved |= step.abs() > 2.0 * f64::EPSILON * x.abs();
                *x += step;
            }
            if !moved {
                break;
            }
        }
        Ok(())
    }
}
