//! Time-stepping with adaptive step length.
//!
//! An interval of smooth motion between two impacts or jumps of a force is called an *arc*. Within an arc,
//! the error of a step is estimated from the accelerations in the previous steps
//! ([`SmoothArc::error`](arc::SmoothArc::error)), without further evaluations. The next step length follows
//! from the error.
//!
//! Across an impact, the estimate has the magnitude of the velocity jump for any step length. The step is
//! then halved until the impact changes the position by no more than the tolerance, or until the smallest
//! step length is reached. A new arc starts after the impact. Long steps are therefore not taken across
//! impacts, and impacts that are too small to matter are not located. The adjustment of the step length
//! follows Studer, Leine, Glocker (2008), "Step size adjustment and extrapolation for time-stepping schemes
//! in non-smooth dynamics", Int. J. Numer. Meth. Engng 76.
//!
//! A rejected step does not change the state.

mod arc;
mod interpolation;
mod settings;

pub use self::settings::AdaptiveSettings;

use self::arc::{ErrorConstants, SmoothArc};
use self::interpolation::LastStep;
use super::TimeStepping;
use super::goal::Goal;
use crate::detection::ContactKey;
use crate::integrator::{FitError, Weights, larger};
use crate::model::{NonSmoothDynamicalSystem, Refusal};
use crate::nonsmooth_problem::{InteractionEntry, SystemEntry};
use crate::settings_error::SettingsError;
use crate::simulation::{EventError, SimulationError, StepReport};
use crate::state::State;

/// Safety factor: ratio of the step length to the length at which the error would equal the tolerance.
const SAFETY: f64 = 0.9;
/// Maximum ratio of a step length to the length of the previous accepted step.
const GROWTH: f64 = 4.0;
/// Minimum ratio of a step length to the length of the step that has just been rejected.
const SHRINKAGE: f64 = 0.1;
/// Maximum ratio of a step length to the length of the step that has just been rejected.
const HALF: f64 = 0.5;

/// Report of an adaptive step.
#[derive(Clone, Copy, Debug)]
pub struct AdaptiveReport<'a> {
    /// Report of the accepted step.
    pub step: StepReport<'a>,
    /// Number of longer trial steps that were rejected before this step was accepted.
    pub refused: usize,
    /// `true` if the error of the step is within the tolerances. Otherwise the step contains an impact or a
    /// jump of a force, and was accepted because it is short enough.
    pub is_smooth: bool,
}

/// Time-stepping with adaptive step length. Steps are long while the motion is smooth, and short across
/// impacts.
///
/// The steps of a [`TimeStepping`] simulation can end [at any time](TimeStepping::step_to) within its time
/// grid. Adaptive steps ignore the points of the grid, but end at user events.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::prelude::*;
///
/// let mut model = NonSmoothDynamicalSystem::new();
/// let ball = LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0])
///     .with_constant_external_force(vec![-9.81]);
/// let ball = model.add_system(ball)?;
/// let floor = LagrangianLinearRelation::new(array![[1.0]]);
/// model.add_interaction([ball], floor, NewtonImpact::new(0.5)?)?;
/// let grid = TimeDiscretisation::uniform(0.0, 0.5, 0.5)?;
/// let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
/// let mut state = simulation.initial_state(&model)?;
///
/// let mut adaptive = AdaptiveStepping::new(AdaptiveSettings::of_tolerance(1e-4))?;
/// let mut impacts = Vec::new();
/// while state.t < 0.5 {
///     let report = adaptive.step(&mut simulation, &model, &mut state, 0.5)?;
///     impacts.extend((!report.is_smooth).then_some(report.step.t));
/// }
/// assert_eq!(impacts.len(), 1);
/// assert!((impacts[0] - f64::sqrt(2.0 / 9.81)).abs() < 1e-4, "where it meets the floor");
/// // Interpolation within the last step.
/// let v = adaptive.velocity_at(&state, ball, 0.499).expect("within the step");
/// assert!((v[0] - (state.v(ball)[0] + 9.81e-3)).abs() < 1e-9);
/// # Ok::<(), siconos_kernel::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct AdaptiveStepping {
    settings: AdaptiveSettings,
    /// Length of the next step, before it is limited.
    h: f64,
    arc: SmoothArc,
    last: LastStep,
    /// Nonzero multipliers of the last step of the arc: `true` for each row of the model whose multiplier was
    /// nonzero.
    pattern: Vec<bool>,
    /// Detected contacts with nonzero multipliers in the last step of the arc.
    pressed: Vec<ContactKey>,
    /// Length and error of the last rejected trial step; `None` after a step that is accepted at its first
    /// trial.
    last_refusal: Option<(f64, f64)>,
    taken: usize,
    refused: usize,
}

/// Result of the acceptance test of a step.
struct StepTest {
    /// Error of velocities and positions, relative to the tolerance.
    error: f64,
    /// Error of positions, relative to the tolerance, if the change of velocity is taken to be an impact.
    error_of_jump: f64,
    /// `true` if a multiplier changed from zero to nonzero or back.
    is_switch: bool,
    order: f64,
}

impl AdaptiveStepping {
    /// Creates an adaptive stepper with the given settings.
    ///
    /// # Errors
    ///
    /// As for [`AdaptiveSettings::validate`].
    pub fn new(settings: AdaptiveSettings) -> Result<Self, SettingsError> {
        settings.validate()?;
        Ok(Self {
            settings,
            h: settings.first_step,
            arc: SmoothArc::default(),
            last: LastStep::default(),
            pattern: Vec::new(),
            pressed: Vec::new(),
            last_refusal: None,
            taken: 0,
            refused: 0,
        })
    }

    /// Returns the settings.
    #[must_use]
    pub fn settings(&self) -> &AdaptiveSettings {
        &self.settings
    }

    /// Returns the number of accepted steps and the number of rejected steps. The cost is proportional to
    /// their sum.
    #[must_use]
    pub fn steps(&self) -> (usize, usize) {
        (self.taken, self.refused)
    }

    /// Takes one step, which ends no later than `until` \[s\] or the next user event, whichever comes first.
    ///
    /// If the state is not the unchanged result of the last step (it was set by hand, the model has changed,
    /// or another simulation computed it), the error estimate is reset and the step length restarts at
    /// [`first_step`](AdaptiveSettings::first_step).
    ///
    /// If user events are scheduled at the first grid point, the first call only reports these events, as
    /// [`TimeStepping::step`] does.
    ///
    /// A trial step that fails (no convergence, a singular matrix, a force that is not finite) is rejected
    /// and repeated with half the length, until the smallest step length is reached.
    ///
    /// # Errors
    ///
    /// If `until` is not finite or not later than the time of the state: [`SimulationError::NotAhead`]. If a
    /// system has an integrator that requires steps of equal length (SchatzmanPaoli, ModalExact,
    /// D1MinusLinear): [`SimulationError::Fit`]. If the step is not within the time grid:
    /// [`EventError::OutsideGrid`]. Otherwise as for [`TimeStepping::step`]. The state is then unchanged.
    pub fn step<'a>(
        &mut self,
        simulation: &'a mut TimeStepping,
        model: &NonSmoothDynamicalSystem,
        state: &mut State,
        until: f64,
    ) -> Result<AdaptiveReport<'a>, SimulationError> {
        if !(until.is_finite() && until > state.t) {
            return Err(SimulationError::NotAhead { now: state.t, t: until });
        }
        if let Some(system) = simulation.first_of_even_steps() {
            let refusal = Refusal::new("adaptive steps", "use MoreauJean");
            return Err(FitError::of_system(system.id, system.scheme.is.name, refusal).into());
        }
        if simulation.events.starts(state.t) {
            let step = simulation.take_start(model, state)?;
            return Ok(AdaptiveReport { step, refused: 0, is_smooth: true });
        }
        if !self.last.ends_at(model, state) {
            self.arc.begin();
            self.last_refusal = None;
            self.h = self.settings.first_step;
        }
        let limit = simulation.next_event_of_user(state.t)?.map_or(until, |event| event.min(until));
        let wished = self.h.min(self.settings.largest_step);
        let mut length = wished;
        let mut to = self.end(state.t, length, limit);
        let mut refused = 0;
        let stale = simulation.begin_transaction(state);
        let verdict = loop {
            let h = to - state.t;
            let is_short = length <= self.settings.smallest_step || to == state.t.next_up();
            length = match simulation.iterate(model, state, Goal::Time(to)) {
                Ok(_) => {
                    let verdict = self.judge(simulation, state, (h, model.time_scale()));
                    let is_harmless = verdict.error_of_jump <= 1.0 && verdict.is_jump(h, self.last_refusal);
                    if verdict.error <= 1.0 || is_harmless || is_short {
                        break verdict;
                    }
                    self.last_refusal = Some((h, verdict.error));
                    h * verdict.factor().clamp(SHRINKAGE, HALF)
                }
                Err(error) if !is_short && error.is_of_step_length() => h * HALF,
                Err(error) => {
                    simulation.undo(model, state, stale);
                    return Err(error);
                }
            };
            refused += 1;
            to = self.end(state.t, length, limit);
        };
        self.refused += refused;
        self.taken += 1;
        let is_smooth = verdict.error <= 1.0;
        let h = to - state.t;
        if refused == 0 || !is_smooth {
            self.last_refusal = None;
        }
        let is_cut = refused == 0 && self.end(state.t, wished, f64::INFINITY) != to;
        self.take_in(simulation, state, is_smooth);
        self.h = match (is_smooth, refused) {
            // Only a step without rejected trials is followed by a longer step, because otherwise the longer
            // step would probably be rejected as well.
            (true, 0) if is_cut => wished,
            (true, 0) => h * verdict.factor().clamp(HALF, GROWTH),
            (true, _) => h * verdict.factor().clamp(HALF, 1.0),
            (false, _) => h,
        }
        .max(self.settings.smallest_step);
        let step = simulation.commit(state);
        self.last.end(model, state);
        Ok(AdaptiveReport { step, refused, is_smooth })
    }

    /// Takes steps to the time `until` \[s\], and calls `observer` after each step.
    ///
    /// # Errors
    ///
    /// As for [`step`](Self::step).
    pub fn run(
        &mut self,
        simulation: &mut TimeStepping,
        model: &NonSmoothDynamicalSystem,
        state: &mut State,
        until: f64,
        mut observer: impl FnMut(&Self, &AdaptiveReport<'_>, &State),
    ) -> Result<(), SimulationError> {
        while state.t < until {
            let report = self.step(simulation, model, state, until)?;
            observer(self, &report, state);
        }
        Ok(())
    }

    /// Returns the end of a step that starts at `t` and has about the length `h`. The end is later than `t`,
    /// and leaves no short remainder before `limit`.
    fn end(&self, t: f64, h: f64, limit: f64) -> f64 {
        let h = h.max(self.settings.smallest_step);
        let end = match (limit - t) / h {
            pieces if pieces <= 1.0 + 1e-9 => limit,
            pieces if pieces < 2.0 => t + HALF * (limit - t),
            _ => t + h,
        };
        if end > t { end } else { t.next_up() }
    }

    /// Estimates the error of a computed step from the arc.
    fn judge(&mut self, simulation: &TimeStepping, state: &State, (h, time_scale): (f64, f64)) -> StepTest {
        let (tables, work) = (&simulation.tables, &simulation.work);
        let middle = state.t + HALF * h;
        let mut verdict = StepTest { error: 0.0, error_of_jump: 0.0, is_switch: false, order: 3.0 };
        for entry in tables.systems.iter() {
            let constants = error_constants(entry);
            if constants.second != 0.0 {
                verdict.order = 2.0;
            }
            for (k, dof) in entry.dofs.range().enumerate() {
                let (v_k, v) = (state.v[dof], work.v[dof]);
                let Some([of_rate, of_position]) = self.arc.error((middle, h), dof, (v - v_k) / h, constants)
                else {
                    continue;
                };
                let scale = if entry.is_first_order() { 1.0 } else { time_scale };
                let tolerance = self.tolerance(v_k * scale, v * scale);
                verdict.error = larger(verdict.error, of_rate * scale / tolerance);
                // In a vector space, position k of a system belongs to velocity k.
                let place = entry.positions.range().start + k;
                let size = match entry.space.is_vector() {
                    true if entry.is_first_order() => None,
                    true => Some((state.q[place], work.q[place])),
                    false => simulation.kinematics.magnitude(entry.dofs.at(k)).map(|size| (size, size)),
                };
                if let Some((before, after)) = size {
                    let tolerance = self.tolerance(before, after);
                    verdict.error = larger(verdict.error, of_position / tolerance);
                    verdict.error_of_jump = larger(verdict.error_of_jump, h * (v - v_k).abs() / tolerance);
                } else {
                    verdict.error_of_jump = f64::INFINITY;
                }
            }
        }
        // The impulse of a contact that closes within this step can follow in the next step. The overlap is
        // therefore an error of this step.
        for ((_, before), (_, after)) in tables.gaps(&state.y[0]).zip(tables.gaps(&work.y)) {
            let deeper = (-after).max(0.0) - (-before).max(0.0);
            verdict.error = larger(verdict.error, deeper / self.tolerance(before, after));
        }
        let declared = &work.lambda[..tables.declared_rows()];
        if self.arc.steps() == 0 || self.pattern.len() != declared.len() {
            self.note_pattern(simulation);
        } else {
            let mut rows = self.pattern.iter().zip(declared);
            verdict.is_switch = rows.any(|(was, lambda)| *was != (*lambda != 0.0))
                || !pressed(simulation).eq(self.pressed.iter().copied());
        }
        verdict
    }

    fn tolerance(&self, before: f64, after: f64) -> f64 {
        self.settings.absolute_tolerance
            + self.settings.relative_tolerance * before.abs().max(after.abs())
            + f64::MIN_POSITIVE
    }

    /// Adds an accepted step to the arc, or starts a new arc after it.
    fn take_in(&mut self, simulation: &TimeStepping, state: &State, is_smooth: bool) {
        let work = &simulation.work;
        self.last.begin(&simulation.tables, state, is_smooth);
        if !is_smooth {
            return self.arc.begin();
        }
        let h = work.h;
        let rates = work.v.iter().zip(&state.v).map(|(v, v_k)| (v - v_k) / h);
        self.arc.push(work.t_k + HALF * h, rates);
        self.note_pattern(simulation);
    }

    /// Stores the nonzero multipliers of a step.
    fn note_pattern(&mut self, simulation: &TimeStepping) {
        let declared = &simulation.work.lambda[..simulation.tables.declared_rows()];
        self.pattern.clear();
        self.pattern.extend(declared.iter().map(|lambda| *lambda != 0.0));
        self.pressed.clear();
        self.pressed.extend(pressed(simulation));
    }
}

impl StepTest {
    /// Returns `true` if velocities jump in the step. The test compares the error with the error of a longer
    /// trial step: the error due to a kink decreases with the step length, but not the error due to a jump.
    fn is_jump(&self, h: f64, longer: Option<(f64, f64)>) -> bool {
        self.is_switch && longer.is_some_and(|(length, error)| self.error > error * (h / length).sqrt())
    }

    /// Returns the factor by which the step length should be multiplied.
    fn factor(&self) -> f64 {
        // If the error is NaN or infinite, only a much shorter step is reasonable.
        if self.error.is_nan() { 0.0 } else { SAFETY * self.error.powf(-1.0 / self.order) }
    }
}

/// Returns the constants of the local error of the theta scheme of a system. For first-order systems, they
/// include the error of the input, and for Lagrangian systems the error of the forces of first-order systems.
fn error_constants(entry: &SystemEntry) -> ErrorConstants {
    let scheme = &entry.scheme;
    let off_centre = |part: f64| (part - HALF).abs();
    let Weights { theta, gamma, .. } = scheme.weights;
    let second = match scheme.is_first_order() {
        true => off_centre(theta).max(off_centre(gamma)),
        false if entry.is_driven => HALF,
        false => off_centre(theta),
    };
    ErrorConstants { second }
}

/// Iterates over the keys of the detected contacts with nonzero multipliers.
fn pressed(simulation: &TimeStepping) -> impl Iterator<Item = ContactKey> + '_ {
    let has_reaction = |entry: &&InteractionEntry| {
        simulation.work.lambda[entry.rows.range()].iter().any(|lambda| *lambda != 0.0)
    };
    simulation.tables.detected().iter().filter(has_reaction).filter_map(|entry| entry.id.contact())
}

impl TimeStepping {
    /// Returns the first system with a scheme that requires steps of equal length.
    fn first_of_even_steps(&self) -> Option<&SystemEntry> {
        let has_some = self.work.has_two_step || self.half_explicit.is_some();
        let systems = has_some.then(|| self.tables.systems.iter());
        systems
            .into_iter()
            .flatten()
            .find(|system| system.scheme.is.has_equal_steps || system.is_half_explicit())
    }

    /// Returns the time of the next user event after `t`.
    fn next_event_of_user(&mut self, t: f64) -> Result<Option<f64>, EventError> {
        Ok(self.events.next_of_user(t)?.filter(|&event| event > t))
    }
}
