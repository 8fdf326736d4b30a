//! Integration of positions and velocities by the generalised-alpha and half-explicit methods, with root
//! finding on the dense output of each step. The interface matches [`siconos_ode::Integrator`].

use siconos_ode::{
    Advance, GuardScanner, InitialStep, IntegratorState, OdeError, RootLocation, ScannedInterval, Statistics,
};

use super::super::lagrangian::{AlphaStep, HalfExplicitStep, LagrangianModes};
use super::dense::{DEGREE, StepEnd, StepPath};
use super::{ConstraintLevel, HalfExplicit, NewmarkAlpha};
use crate::simulation::SimulationError;

/// Order of the half-explicit method.
const ORDER: u32 = 4;

/// Minimum ratio of the next step length to the last step length.
const SHRINK: f64 = 0.2;
/// Maximum ratio of the next step length to the last step length.
const GROW: f64 = 5.0;

/// Safety factor: ratio of the next step length to the length that the error estimate allows.
const SAFETY: f64 = 0.9;

/// Integration method with its settings and workspace.
#[derive(Debug)]
enum Method {
    NewmarkAlpha { settings: NewmarkAlpha, step: AlphaStep },
    HalfExplicit { settings: HalfExplicit, step: HalfExplicitStep, middle: Vec<f64>, whole: Vec<f64> },
}

/// Outcome of a trial step, with the proposed length of the next trial step.
#[derive(Clone, Copy, Debug)]
enum StepOutcome {
    Accepted { next: f64 },
    Rejected { next: f64 },
}

/// Integrator that takes single steps and stops at roots of the guards.
#[derive(Debug)]
pub(in super::super) struct SmoothIntegration {
    method: Method,
    location: RootLocation,
    max_steps: usize,
    /// `true` if the method imposes $y = 0$ on the held contacts in each step.
    keeps_positions: bool,
    watch: GuardScanner,
    statistics: Statistics,
    /// Current time, which can be within the last step.
    t: f64,
    /// State at the current time.
    x: Vec<f64>,
    /// Times of the start and the end of the last step.
    step: (f64, f64),
    /// State and acceleration at the start of the last step.
    start: StepEnd,
    /// State and acceleration at the end of the last step.
    end: StepEnd,
    /// Workspace for the state and acceleration at the end of the next step.
    next: StepEnd,
    way: StepPath,
    /// Time up to which the guards have been scanned.
    scanned: f64,
    /// Earliest root, if it has been found and is later than the current time.
    root: Option<f64>,
    /// Proposed length of the next step; `None` before the first step.
    h: Option<f64>,
}

impl SmoothIntegration {
    pub(super) fn of_newmark_alpha(settings: &NewmarkAlpha) -> Self {
        let method = Method::NewmarkAlpha { step: AlphaStep::default(), settings: settings.clone() };
        let keeps_positions = settings.level == ConstraintLevel::Position;
        Self { keeps_positions, ..Self::new(method, settings.location, settings.max_steps) }
    }

    pub(super) fn of_half_explicit(settings: &HalfExplicit) -> Self {
        let method = Method::HalfExplicit {
            settings: settings.clone(),
            step: HalfExplicitStep::default(),
            middle: Vec::new(),
            whole: Vec::new(),
        };
        Self::new(method, settings.location, settings.max_steps)
    }

    fn new(method: Method, location: RootLocation, max_steps: usize) -> Self {
        Self {
            method,
            location,
            max_steps,
            keeps_positions: false,
            watch: GuardScanner::default(),
            statistics: Statistics::default(),
            t: 0.0,
            x: Vec::new(),
            step: (0.0, 0.0),
            start: StepEnd::default(),
            end: StepEnd::default(),
            next: StepEnd::default(),
            way: StepPath::default(),
            scanned: 0.0,
            root: None,
            h: None,
        }
    }

    /// Restarts at the time `t` and the state `x` = (q, v).
    pub(super) fn restart(&mut self, t: f64, x: &[f64]) -> Result<(), OdeError> {
        if !t.is_finite() {
            return Err(OdeError::Time { what: "t", value: t });
        }
        if let Some(index) = x.iter().position(|value| !value.is_finite()) {
            return Err(OdeError::State { index, value: x[index] });
        }
        self.x.clear();
        self.x.extend_from_slice(x);
        self.end.x.clear();
        self.end.x.extend_from_slice(x);
        (self.t, self.step, self.h) = (t, (t, t), None);
        (self.scanned, self.root) = (t, None);
        Ok(())
    }

    /// Writes to `carried` the data that are kept across a restart at the current time.
    pub(super) fn save_into(&self, carried: &mut IntegratorState) {
        self.watch.save_into(self.t, &mut carried.fired);
        carried.statistics = self.statistics;
    }

    pub(super) fn recall(&mut self, t: f64, carried: &IntegratorState) {
        self.watch.recall(t, &carried.fired);
        self.statistics = carried.statistics;
    }

    pub(super) fn x(&self) -> &[f64] {
        &self.x
    }

    pub(super) fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// Integrates to `t_out` or to the earliest root of the guards. No step passes `t_critical`.
    pub(super) fn advance_within(
        &mut self,
        modes: &mut LagrangianModes,
        t_out: f64,
        t_critical: f64,
    ) -> Result<Advance<'_>, SimulationError> {
        if t_out == self.t {
            return Ok(Advance::Reached { t: t_out });
        }
        if self.h.is_none() {
            self.begin(modes, t_critical)?;
        }
        let mut trials = 0;
        loop {
            self.scan(modes, t_critical)?;
            if let Some(t) = self.root.filter(|t| *t <= t_out) {
                self.root = None;
                self.move_to(t);
                return Ok(Advance::Roots { t, fired: self.watch.fired() });
            }
            if t_out <= self.step.1 {
                self.move_to(t_out);
                return Ok(Advance::Reached { t: t_out });
            }
            if let Some(answer) = self.take_step(modes, t_critical, &mut trials)? {
                self.move_to(self.step.1);
                return Ok(answer);
            }
        }
    }

    /// Evaluates guards and accelerations at the current state, and chooses the length of the first step.
    fn begin(&mut self, modes: &mut LagrangianModes, t_critical: f64) -> Result<(), SimulationError> {
        let t = self.t;
        let (states, dofs) = modes.dimensions();
        for knot in [&mut self.start, &mut self.end, &mut self.next] {
            knot.resize(states, dofs);
        }
        self.way.begin(modes.space(), dofs);
        let watched = self.watch.restart(modes, &mut self.statistics, t, &self.end.x);
        watched.map_err(|source| SimulationError::Integration { t, source })?;
        modes.accelerations(t, &self.end.x, &mut self.end.a)?;
        self.statistics.f_evaluations += 1;
        check_finite(t, &self.end)?;
        let h = match &mut self.method {
            Method::NewmarkAlpha { settings, step } => {
                self.statistics.f_evaluations += 2;
                step.begin(modes, settings, t, &self.end.x, &self.end.a);
                settings.h
            }
            Method::HalfExplicit { settings, middle, whole, step } => {
                let n = self.end.x.len();
                for vector in [&mut *middle, &mut *whole] {
                    vector.clear();
                    vector.resize(n, 0.0);
                }
                step.begin(modes);
                let longest = settings.h_max.min(t_critical - t);
                let StepEnd { x, a } = &self.end;
                let (positions, space) = (states - dofs, self.way.space());
                let (q, v) = self.end.halves();
                space.rate(q, v, &mut whole[..positions]);
                whole[positions..].copy_from_slice(a);
                let start = InitialStep { t, x, f: whole, order: f64::from(ORDER), longest };
                let at = &mut self.start.x;
                let evaluate = |t: f64, x: &[f64], f: &mut [f64]| {
                    self.statistics.f_evaluations += 1;
                    at.copy_from_slice(x);
                    // A step along a straight line leaves the configuration space of rotations, so restore
                    // the positions.
                    space.restore(&mut at[..positions]);
                    let (rates, accelerations) = f.split_at_mut(positions);
                    let (q, v) = at.split_at(positions);
                    space.rate(q, v, rates);
                    modes.accelerations(t, at, accelerations).is_ok() && f.iter().all(|f| f.is_finite())
                };
                let scratch = (&mut middle[..], &mut self.next.x[..]);
                let proposed = || start.length(|i| settings.weight(x[i]), scratch, evaluate);
                settings.h_initial.map_or_else(proposed, |h| h.min(longest))
            }
        };
        self.h = Some(h);
        Ok(())
    }

    /// Searches for the earliest root of the guards in the part of the last step that has not been scanned.
    fn scan(&mut self, modes: &mut LagrangianModes, t_critical: f64) -> Result<(), SimulationError> {
        let (from, to) = (self.scanned, self.step.1);
        if to <= from || self.root.is_some() {
            return Ok(());
        }
        let (step, knots) = (self.step, (&self.start, &self.end));
        let stretch = ScannedInterval { from, to, is_end: to == t_critical, step, degree: DEGREE };
        let way = &self.way;
        let dense = |t: f64, x: &mut [f64]| state_at(step, knots, way, t, x);
        let root = self.watch.scan(modes, self.location, &mut self.statistics, &stretch, dense);
        self.root = root.map_err(|source| SimulationError::Integration { t: from, source })?;
        self.scanned = self.root.unwrap_or(to);
        Ok(())
    }

    fn move_to(&mut self, t: f64) {
        state_at(self.step, (&self.start, &self.end), &self.way, t, &mut self.x);
        self.t = t;
    }

    /// Takes one step. Returns the reason if no step is accepted.
    fn take_step(
        &mut self,
        modes: &mut LagrangianModes,
        t_critical: f64,
        trials: &mut usize,
    ) -> Result<Option<Advance<'static>>, SimulationError> {
        let t = self.step.1;
        let left = t_critical - t;
        let wanted = self.h.unwrap_or(left);
        let mut failure = None;
        let mut h = wanted;
        let mut is_first = true;
        loop {
            // If the step nearly reaches `t_critical`, extend it to `t_critical`.
            let hits = 1.01 * h >= left;
            if hits {
                h = left;
            } else if 2.0 * h > left {
                // Two steps of equal length are better than one full step and one very short step.
                h = 0.5 * left;
            }
            let is_cut = h < wanted;
            let end = if hits { t_critical } else { t + h };
            if end <= t || h.is_nan() || (!hits && h < 4.0 * f64::EPSILON * t.abs()) {
                self.h = Some(wanted);
                return failure.map_or(Ok(Some(Advance::StepTooSmall { t, h })), Err);
            }
            if *trials >= self.max_steps {
                self.h = Some(h);
                return Ok(Some(Advance::MaxSteps { t }));
            }
            *trials += 1;
            match self.try_step(modes, t, h, end) {
                Ok(StepOutcome::Accepted { next }) => {
                    self.statistics.steps += 1;
                    std::mem::swap(&mut self.start, &mut self.end);
                    std::mem::swap(&mut self.end, &mut self.next);
                    self.step = (t, end);
                    // A step that was shortened to end at `t_critical` must not shorten the following steps.
                    self.h = Some(if is_cut && is_first { next.max(wanted) } else { next });
                    self.project(modes)?;
                    self.way.lead(&self.start, &self.end);
                    return Ok(None);
                }
                Ok(StepOutcome::Rejected { next }) => h = next,
                Err(error) => {
                    // A stage may be outside the domain of the model. A shorter step stays closer to its
                    // start.
                    failure = Some(error);
                    h *= 0.25;
                }
            }
            self.statistics.rejected_steps += 1;
            is_first = false;
        }
    }

    /// Projects the end of the last step onto the held contacts if the drift is too large, and restarts the
    /// method from the projected state.
    fn project(&mut self, modes: &mut LagrangianModes) -> Result<(), SimulationError> {
        let (t, StepEnd { x, a }) = (self.step.1, &mut self.end);
        if self.keeps_positions || !modes.project_drift(t, x)? {
            return Ok(());
        }
        modes.accelerations(t, x, a)?;
        self.statistics.f_evaluations += 1;
        if let Method::NewmarkAlpha { settings, step } = &mut self.method {
            self.statistics.f_evaluations += 2;
            step.begin(modes, settings, t, x, a);
        }
        Ok(())
    }

    fn try_step(
        &mut self,
        modes: &mut LagrangianModes,
        t: f64,
        h: f64,
        end: f64,
    ) -> Result<StepOutcome, SimulationError> {
        let (start, next) = (&self.end, &mut self.next);
        let trial = match &mut self.method {
            Method::NewmarkAlpha { settings, step } => {
                let from = (&start.x[..], &start.a[..]);
                let to = (&mut next.x[..], &mut next.a[..]);
                if step.advance(modes, settings, (end, h), from, to, &mut self.statistics)? {
                    StepOutcome::Accepted { next: settings.h.min(2.0 * h) }
                } else {
                    return Ok(StepOutcome::Rejected { next: 0.5 * h });
                }
            }
            Method::HalfExplicit { settings, step, middle, whole } => {
                let half = 0.5 * h;
                step.advance(modes, (t, h), &start.x, whole)?;
                step.advance(modes, (t, half), &start.x, middle)?;
                step.advance(modes, (t + half, half), middle, &mut next.x)?;
                self.statistics.f_evaluations += 3 * HalfExplicitStep::STAGES;
                let part = 1.0 / f64::from(2_u32.pow(ORDER) - 1);
                let (q, v) = next.halves();
                let (coarse_q, coarse_v) = whole.split_at(q.len());
                let positions = self.way.between(q, coarse_q);
                let velocities = v.iter().zip(coarse_v).map(|(v, coarse)| (*v, v - coarse));
                let differences = positions.chain(velocities);
                let error = settings.norm(differences.map(|(x, difference)| (x, part * difference)));
                if error.is_nan() {
                    check_finite(end, next)?;
                    return Ok(StepOutcome::Rejected { next: SHRINK * h });
                }
                let factor = (SAFETY * error.powf(-1.0 / f64::from(ORDER + 1))).clamp(SHRINK, GROW);
                if error > 1.0 {
                    return Ok(StepOutcome::Rejected { next: h * factor.min(SAFETY) });
                }
                modes.accelerations(end, &next.x, &mut next.a)?;
                self.statistics.f_evaluations += 1;
                StepOutcome::Accepted { next: (h * factor).min(settings.h_max) }
            }
        };
        check_finite(end, &self.next)?;
        Ok(trial)
    }
}

/// Returns an error if a state or an acceleration is not finite.
fn check_finite(t: f64, knot: &StepEnd) -> Result<(), SimulationError> {
    let mut values = knot.x.iter().chain(&knot.a).copied().enumerate();
    let Some((place, value)) = values.find(|(_, value)| !value.is_finite()) else {
        return Ok(());
    };
    // The right-hand side f contains the rates of the positions and the accelerations. Errors use indices in
    // f.
    let (states, dofs) = (knot.x.len(), knot.a.len());
    let index = match place {
        place if place < states - dofs => place,
        place if place < states => place - (states - dofs),
        place => place - dofs,
    };
    let source = OdeError::RightHandSide { index, value, t };
    Err(SimulationError::Integration { t, source })
}

/// Writes to `x` the state at the time `t` within a step.
fn state_at(
    (first, last): (f64, f64),
    (start, end): (&StepEnd, &StepEnd),
    way: &StepPath,
    t: f64,
    x: &mut [f64],
) {
    if t >= last {
        x.copy_from_slice(&end.x);
    } else {
        way.interpolate(last - first, (start, end), (t - first) / (last - first), x);
    }
}
