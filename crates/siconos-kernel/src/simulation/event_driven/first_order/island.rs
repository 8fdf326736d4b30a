//! Current mode of one island.

use std::sync::Arc;

use siconos_numerics::SolveInfo;
use siconos_ode::OdeSettings;

use super::ModeError;
use super::data::IslandData;
use super::magnitudes::Magnitudes;
use super::mode::Mode;
use super::probe::ZERO;
use crate::nonsmooth_problem::NOTHING_TO_SOLVE;
use crate::simulation::SimulationError;
use crate::simulation::event_driven::problems::Problems;
use crate::state::State;

/// Maximum number of Newton steps of the projection onto the active constraints.
const PROJECTIONS: usize = 3;

/// Systems that are connected by interactions, with their current mode and the data for the choice of the
/// next mode. The methods take the states of the island only, in the order of the model.
#[derive(Debug)]
pub(super) struct Island {
    pub(super) data: IslandData,
    /// Settings of the integration.
    pub(super) integration: Arc<OdeSettings>,
    pub(super) mode: Mode,
    /// Candidate for the next mode.
    pub(super) trial: Mode,
    pub(super) has_mode: bool,
    /// Guards that fired at the current event. Each row has two guards: the first has the index of the row,
    /// and the index of the second is larger by the number of rows. The second guard fires if the guarded
    /// value falls below zero by the margin of the row.
    pub(super) fired: Vec<usize>,
    /// `true` for each row whose guard is zero at the start of the interval of motion.
    pub(super) is_zero: Vec<bool>,
    /// `true` for each row whose guard is zero and has an unknown sign just after the start of the interval.
    pub(super) is_silent: Vec<bool>,
    /// Distance below zero at which the second guard of a row fires.
    pub(super) margins: Vec<f64>,
    /// Impulse of the last jump, by row.
    pub(super) jump_impulse: Vec<f64>,
    /// Workspace for impulses.
    pub(super) sigma: Vec<f64>,
    /// Magnitudes of the states and of their rates.
    pub(super) magnitudes: Magnitudes,
    /// Result of the solver for the jump and, in `acceleration_solve`, for the choice of the mode at the last
    /// event.
    pub(super) impact_solve: SolveInfo,
    pub(super) acceleration_solve: SolveInfo,
    /// States of the island.
    x: Vec<f64>,
    sizes: Vec<f64>,
}

impl Island {
    pub(super) fn new(data: IslandData, integration: &Arc<OdeSettings>) -> Self {
        let (rows, states) = (data.rows(), data.states());
        let mut magnitudes = Magnitudes::new(states);
        magnitudes.set_resolution(integration, &data.state_places);
        Self {
            data,
            integration: Arc::clone(integration),
            mode: Mode::default(),
            trial: Mode::default(),
            has_mode: false,
            fired: Vec::new(),
            is_zero: vec![false; rows],
            is_silent: vec![false; rows],
            margins: vec![0.0; rows],
            jump_impulse: vec![0.0; rows],
            sigma: vec![0.0; rows],
            magnitudes,
            impact_solve: NOTHING_TO_SOLVE,
            acceleration_solve: NOTHING_TO_SOLVE,
            x: vec![0.0; states],
            sizes: vec![0.0; rows],
        }
    }

    /// Clears the results of the last event.
    pub(super) fn begin_event(&mut self) {
        (self.impact_solve, self.acceleration_solve) = (NOTHING_TO_SOLVE, NOTHING_TO_SOLVE);
        self.jump_impulse.fill(0.0);
    }

    /// Calls `work` with the states of the island, which are copied from the states `x` of the model.
    pub(super) fn with_states<T>(&mut self, x: &[f64], work: impl FnOnce(&mut Self, &mut [f64]) -> T) -> T {
        let mut own = std::mem::take(&mut self.x);
        own.iter_mut().zip(&self.data.state_places).for_each(|(own, &place)| *own = x[place]);
        let done = work(self, &mut own);
        self.x = own;
        done
    }

    /// Calls `work` with the states of the island, and copies the changed states back to the states of the
    /// model.
    pub(super) fn move_states<T>(
        &mut self,
        x: &mut [f64],
        work: impl FnOnce(&mut Self, &mut [f64]) -> T,
    ) -> T {
        let done = self.with_states(x, work);
        self.x.iter().zip(&self.data.state_places).for_each(|(own, &place)| x[place] = *own);
        done
    }

    /// Chooses the mode at (t, x). If no mode can continue from there, the state jumps. Returns `true` if the
    /// state has jumped.
    pub(super) fn choose_mode(
        &mut self,
        problems: &mut Problems,
        t: f64,
        x: &mut [f64],
    ) -> Result<bool, SimulationError> {
        if self.has_mode && !self.fired.is_empty() {
            self.project(t, x)?;
        }
        self.data.begin(t, x)?;
        self.data.evaluate(t, x, true)?;
        self.data.check_finite(t)?;
        let jumped = self.choose_with_jump(problems, t, x)?;
        std::mem::swap(&mut self.mode, &mut self.trial);
        self.has_mode = true;
        self.project(t, x)?;
        self.sigma.copy_from_slice(&self.mode.lambda);
        self.data.units.take_back_unknowns(&mut self.sigma);
        self.data.check_affine(t, &self.sigma)?;
        self.data.units.take_back_unknowns(&mut self.jump_impulse);
        self.set_margins(x);
        Ok(jumped)
    }

    /// Returns `true` if the mode continues at (t, x) after an event in other islands. This is the case if no
    /// guard has reached zero since the interval of motion began. Updates the list of zero guards, because
    /// the integration restarts.
    pub(super) fn goes_on(&mut self, t: f64, x: &[f64]) -> Result<bool, ModeError> {
        if !self.has_mode {
            return Ok(false);
        }
        self.mode.evaluate_at(&mut self.data, t, x, true)?;
        self.data.check_finite(t)?;
        self.measure(x);
        self.mode.guard_sizes(&self.data, &self.magnitudes, &mut self.sizes);
        for row in 0..self.data.rows() {
            let is_zero = !self.data.is_equality[row] && self.mode.guard(row) <= ZERO * self.sizes[row];
            if is_zero && !self.is_zero[row] {
                return Ok(false);
            }
            self.is_zero[row] = is_zero;
        }
        Ok(true)
    }

    /// Returns the two guards of a row.
    pub(super) fn guards(&self, row: usize) -> (f64, f64) {
        if self.data.is_equality[row] {
            return (1.0, 1.0);
        }
        let value = self.mode.guard(row);
        // A silent guard is replaced by a constant, because its value is only rounding error.
        (if self.is_silent[row] { 1.0 } else { value }, value + self.margins[row])
    }

    /// Writes the current mode at its last evaluation (y, lambda and the active set) and the impulse of the
    /// last jump to `state`.
    pub(super) fn write(&mut self, state: &mut State) {
        let Self { data, mode, jump_impulse, .. } = self;
        // `mode.y` and `mode.lambda` can be changed in place, because they are recomputed before their next
        // use.
        data.units.take_back_rows(&mut mode.y);
        data.units.take_back_unknowns(&mut mode.lambda);
        for (row, &place) in data.row_places.iter().enumerate() {
            state.closed[place] = mode.is_active[row];
            state.y[0][place] = if mode.is_active[row] { 0.0 } else { mode.y[row] };
            state.lambda[0][place] = mode.lambda[row];
            state.lambda[1][place] = jump_impulse[row];
        }
    }

    /// Evaluates the current mode at the state of the integrator, and replaces x by its projection onto the
    /// active constraints.
    pub(super) fn evaluate_carried(
        &mut self,
        t: f64,
        x: &mut [f64],
        with_rates: bool,
    ) -> Result<(), ModeError> {
        if self.data.matrices_vary {
            return self.mode.evaluate_at(&mut self.data, t, x, true);
        }
        self.put_onto(t, x)?;
        self.mode.evaluate_at(&mut self.data, t, x, with_rates)
    }

    /// Projects x onto the active constraints that do not determine lambda directly, and evaluates the mode
    /// at the projected state.
    pub(super) fn project(&mut self, t: f64, x: &mut [f64]) -> Result<(), ModeError> {
        self.put_onto(t, x)?;
        self.mode.evaluate_at(&mut self.data, t, x, true)
    }

    fn put_onto(&mut self, t: f64, x: &mut [f64]) -> Result<(), ModeError> {
        if !self.mode.needs_rates() {
            return Ok(());
        }
        // One step is enough for linear constraints, up to rounding error.
        for _ in 0..PROJECTIONS {
            self.data.evaluate(t, x, false)?;
            self.mode.follow(&self.data, t)?;
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
