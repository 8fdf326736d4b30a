//! Steps whose length follows the motion.
//!
//! On a smooth arc the error of a step is estimated from the rates of the steps before
//! ([`Arc::error`](arc::Arc::error)), which costs no evaluation; the next length follows from it. Across an
//! impact the estimate is of the size of the jump at any length: the step is halved until the time for which
//! the motion is on the wrong side of the impact moves the position by no more than its tolerance (or the
//! smallest step is reached), and a new arc begins behind it. So a long step is never taken across an impact,
//! and impacts that are too small to matter are not located (step size adjustment as in Studer, Leine,
//! Glocker 2008, "Step size adjustment and extrapolation for time-stepping schemes in non-smooth dynamics",
//! Int. J. Numer. Meth. Engng 76).
//!
//! A refused step is never handed over to the state, so the next try starts from the same bits.

mod arc;
mod interpolation;
mod settings;

pub use self::settings::AdaptiveSettings;

use self::arc::{Arc, ErrorConstants};
use self::interpolation::LastStep;
use super::TimeStepping;
use super::goal::Goal;
use crate::integrator::{FitError, Scheme, Weights, larger};
use crate::model::{NonSmoothDynamicalSystem, Refusal};
use crate::nonsmooth_problem::SystemEntry;
use crate::settings_error::SettingsError;
use crate::simulation::{EventError, SimulationError, StepReport};
use crate::state::State;

/// A step is made to have nine tenths of the error that would do.
const SAFETY: f64 = 0.9;
/// By what the length of a step may change from one to the next, and by what it changes at least where a step
/// is refused.
const GROWTH: f64 = 4.0;
const SHRINKAGE: f64 = 0.1;
const HALF: f64 = 0.5;

/// The account of an adaptive step.
#[derive(Clone, Copy, Debug)]
pub struct AdaptiveReport<'a> {
    /// The account of the step that was taken.
    pub step: StepReport<'a>,
    /// How many longer ones were refused before it.
    pub refused: usize,
    /// Whether the motion is smooth over the step, as far as the tolerances can tell. If not, there is an
    /// impact in it, or a jump of a rate, and it was taken for being short enough.
    pub is_smooth: bool,
}

/// Takes steps of a [`TimeStepping`] simulation whose length follows the motion: long on smooth arcs, short
/// across impacts.
///
/// Steps go [to any time](TimeStepping::step_to) within the grid of the simulation, whose points do not
/// matter. They end at the events of the user.
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
/// // Output between the ends of the last step.
/// let v = adaptive.velocity_at(&state, ball, 0.499).expect("within the step");
/// assert!((v[0] - (state.v(ball)[0] + 9.81e-3)).abs() < 1e-9);
/// # Ok::<(), siconos_kernel::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct AdaptiveStepping {
    settings: AdaptiveSettings,
    /// The length that the next step should have.
    h: f64,
    arc: Arc,
    last: LastStep,
    /// By row, whether there was a multiplier in the last step of the arc.
    pattern: Vec<bool>,
    /// Length and error of the last step that was refused, as long as it has not been gone past.
    last_refusal: Option<(f64, f64)>,
    taken: usize,
    refused: usize,
}

/// What is thought of a step before it is taken.
struct Verdict {
    /// The error over the tolerance: of velocities and positions, and what an impact in the step would do to
    /// positions.
    error: f64,
    error_of_jump: f64,
    /// Whether multipliers have come or gone.
    is_switch: bool,
    order: f64,
}

impl AdaptiveStepping {
    /// Begins with these settings.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] as for [`AdaptiveSettings::validate`].
    pub fn new(settings: AdaptiveSettings) -> Result<Self, SettingsError> {
        settings.validate()?;
        Ok(Self {
            settings,
            h: settings.first_step,
            arc: Arc::default(),
            last: LastStep::default(),
            pattern: Vec::new(),
            last_refusal: None,
            taken: 0,
            refused: 0,
        })
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &AdaptiveSettings {
        &self.settings
    }

    /// The numbers of steps that were taken and refused. Their sum is the work.
    #[must_use]
    pub fn steps(&self) -> (usize, usize) {
        (self.taken, self.refused)
    }

    /// Takes one step, at most to the time `until` \[s\] and to the next event of the user.
    ///
    /// A state that is not as the last step left it (set by hand, a changed model, another simulation) begins
    /// a new arc with the first step of the settings.
    ///
    /// # Errors
    ///
    /// [`SimulationError::NotAhead`] where `until` is not later than the state;
    /// [`SimulationError::Fit`] for a system whose integrator needs steps of one length
    /// (SchatzmanPaoli, ModalExact, D1MinusLinear); [`EventError::OutsideGrid`]; otherwise as
    /// [`TimeStepping::step`]. The state is then as it was. A step that fails (no convergence, a singular
    /// matrix, a force that is not finite) is refused and tried with half the length, down to the smallest
    /// step.
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
            let refusal = Refusal::new("steps whose length follows the motion", "take MoreauJean");
            return Err(FitError::of_system(system.id, system.scheme.is.name, refusal).into());
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
            // Where a step was just refused, the next one may be too.
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

    /// Takes steps to the time `until` \[s\], showing each to an observer.
    ///
    /// # Errors
    ///
    /// As for [`step`](Self::step), of the step that failed.
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

    /// The end of a step of about the length `h`: no short piece is left before the limit, and the time moves
    /// on.
    fn end(&self, t: f64, h: f64, limit: f64) -> f64 {
        let h = h.max(self.settings.smallest_step);
        let end = match (limit - t) / h {
            pieces if pieces <= 1.0 + 1e-9 => limit,
            pieces if pieces < 2.0 => t + HALF * (limit - t),
            _ => t + h,
        };
        if end > t { end } else { t.next_up() }
    }

    /// Compares the step that has been computed with what the arc lets expect.
    fn judge(&mut self, simulation: &TimeStepping, state: &State, (h, time_scale): (f64, f64)) -> Verdict {
        let (tables, work) = (&simulation.tables, &simulation.work);
        let middle = state.t + HALF * h;
        let mut verdict = Verdict { error: 0.0, error_of_jump: 0.0, is_switch: false, order: 3.0 };
        for entry in tables.systems.iter() {
            let constants = error_constants(&entry.scheme);
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
                // Of vectors each position belongs to a velocity.
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
        // A contact that closes within the step may have its impulse in the next one only.
        for ((_, before), (_, after)) in tables.gaps(&state.y[0]).zip(tables.gaps(&work.y)) {
            let deeper = (-after).max(0.0) - (-before).max(0.0);
            verdict.error = larger(verdict.error, deeper / self.tolerance(before, after));
        }
        let multipliers = work.lambda.iter().map(|&lambda| lambda != 0.0);
        if self.arc.steps() == 0 || self.pattern.len() != work.lambda.len() {
            self.pattern.clear();
            self.pattern.extend(multipliers);
        } else {
            verdict.is_switch = self.pattern.iter().copied().zip(multipliers).any(|(was, is)| was != is);
        }
        verdict
    }

    fn tolerance(&self, before: f64, after: f64) -> f64 {
        self.settings.absolute_tolerance
            + self.settings.relative_tolerance * before.abs().max(after.abs())
            + f64::MIN_POSITIVE
    }

    /// Takes the step that is about to be taken into the arc, or begins a new one behind it.
    fn take_in(&mut self, simulation: &TimeStepping, state: &State, is_smooth: bool) {
        let work = &simulation.work;
        self.last.begin(&simulation.tables, state, is_smooth);
        if !is_smooth {
            return self.arc.begin();
        }
        let h = work.h;
        let rates = work.v.iter().zip(&state.v).map(|(v, v_k)| (v - v_k) / h);
        self.arc.push(work.t_k + HALF * h, rates);
        for (was, lambda) in self.pattern.iter_mut().zip(&work.lambda) {
            *was = *lambda != 0.0;
        }
    }
}

impl Verdict {
    /// Whether velocities jump in the step, for all that this and a longer try can tell: the error of a kink
    /// falls with the length, that of a jump does not.
    fn is_jump(&self, h: f64, longer: Option<(f64, f64)>) -> bool {
        self.is_switch && longer.is_some_and(|(length, error)| self.error > error * (h / length).sqrt())
    }

    /// By what the length should be multiplied.
    fn factor(&self) -> f64 {
        // Of a NaN, as of what is infinite, nothing is known but that it is too much.
        if self.error.is_nan() { 0.0 } else { SAFETY * self.error.powf(-1.0 / self.order) }
    }
}

/// The theta scheme of a system beside the trapezoidal rule; with the input of a first-order system, where
/// that is taken.
fn error_constants(scheme: &Scheme) -> ErrorConstants {
    let off_centre = |part: f64| (part - HALF).abs();
    let Weights { theta, gamma, .. } = scheme.weights;
    let second = match scheme.is_first_order() {
        true => off_centre(theta).max(off_centre(gamma)),
        false => off_centre(theta),
    };
    ErrorConstants { second }
}

impl TimeStepping {
    /// The first system whose scheme is for steps of one length.
    fn first_of_even_steps(&self) -> Option<&SystemEntry> {
        let has_some = self.work.has_two_step || self.half_explicit.is_some();
        let systems = has_some.then(|| self.tables.systems.iter());
        systems
            .into_iter()
            .flatten()
            .find(|system| system.scheme.is.has_equal_steps || system.is_half_explicit())
    }

    /// The time of the next event of the user after a time.
    fn next_event_of_user(&mut self, t: f64) -> Result<Option<f64>, EventError> {
        Ok(self.events.next_of_user(t)?.filter(|&event| event > t))
    }
}
