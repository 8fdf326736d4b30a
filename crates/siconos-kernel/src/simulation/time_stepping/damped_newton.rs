//! The residuals of first-order systems after a Newton step, and how much of the step is taken.

use siconos_numerics::linalg::norm;

use super::convergence::distance_squared;
use super::{Iterate, TimeStepping, Which};
use crate::error::SimulationError;
use crate::integrator::SystemWork;
use crate::model::NonSmoothDynamicalSystem;
use crate::simulation::newton::larger;
use crate::simulation::{Damping, Residuals};
use crate::state::State;

/// The smallest part of a step that is tried.
const SMALLEST_PART: f64 = 1.0 / 64.0;

/// The error measure has to fall by this much of the part of the step that is taken.
const DECREASE: f64 = 0.1;

impl TimeStepping {
    /// Takes the Newton step, or a part of it, and leaves everything evaluated at the new iterate.
    pub(super) fn take_newton_step(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &State,
    ) -> Result<(), SimulationError> {
        let damped = self.newton.damping == Damping::Backtracking;
        let backtracks = damped && self.work.newton_iterations > 1;
        self.input_output.linearise(&self.tables, &self.work.v, &self.work.force);
        let mut taken = 1.0;
        let mut residuals = self.first_order_residuals(model, state)?;
        if backtracks {
            self.work.merit.weigh();
        }
        while backtracks && taken > SMALLEST_PART && !self.work.merit.falls(DECREASE * taken) {
            taken *= 0.5;
            let work = &mut self.work;
            for entry in self.tables.systems.iter().filter(|entry| entry.is_first_order()) {
                halve(&mut work.v[entry.dofs.clone()], &work.v_before[entry.dofs.clone()]);
            }
            halve(&mut work.force, &work.force_before);
            self.input_output.halve();
            residuals = self.first_order_residuals(model, state)?;
        }
        self.work.merit.accept();
        self.work.residuals = Residuals { taken, ..residuals };
        self.input_output.accept_linearised();
        let work = &mut self.work;
        work.v_before.copy_from_slice(&work.v);
        work.force_before.copy_from_slice(&work.force);
        let at = work.iterate(state);
        let jacobian = &mut self.kinematics.jacobian;
        self.input_output.matrices(model, &self.tables, Which::Variable, at, jacobian)
    }

    /// The three residuals at the iterate in work, where h and g are evaluated.
    fn first_order_residuals(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &State,
    ) -> Result<Residuals, SimulationError> {
        let at = self.work.iterate(state);
        self.input_output.functions(model, &self.tables, at)?;
        let work = &mut self.work;
        let records = self.newton.damping == Damping::Backtracking;
        let merit = &mut work.merit;
        merit.trial.clear();
        let mut record = |residual: f64, terms: f64| {
            if records {
                merit.trial.push(Size { residual: residual.abs(), terms });
            }
        };
        let (y, r) = self.input_output.residuals(&self.tables, &mut record);
        work.input.fill(0.0);
        self.input_output.add_linearised_inputs(&self.tables, work.h, &mut work.input);
        let mut x_residual = 0.0;
        for (block, system_work) in self.tables.blocks.iter().zip(&mut self.systems) {
            let SystemWork::FirstOrder(systems_work) = system_work else { continue };
            if systems_work.is_held() {
                continue;
            }
            let dofs = block.dofs.clone();
            let times = work.times(self.tables.systems[block.systems.start].scheme.theta(), state);
            let systems = self.tables.systems_of(model, block);
            let (x, x_k, input) = (&work.v[dofs.clone()], &state.v[dofs.clone()], &work.input[dofs.clone()]);
            let free = systems_work.residual(systems, times, x, x_k);
            let residual = distance_squared(free, input).sqrt();
            let scale = systems_work.magnitude(times.h, x) + norm(input);
            x_residual = larger(x_residual, residual / scale.max(f64::MIN_POSITIVE));
            if records {
                work.merit.trial.push(Size { residual, terms: scale });
            }
        }
        Ok(Residuals { x: x_residual, y, r, taken: 1.0 })
    }
}

/// A residual and the size of its terms.
#[derive(Clone, Copy, Debug)]
struct Size {
    residual: f64,
    terms: f64,
}

/// What tells whether a part of a step is an improvement: all residuals, measured before and after by the same terms.
///
/// Each by its own terms would call a loop that runs away an improvement: the terms grow with the iterate.
#[derive(Clone, Debug, Default)]
pub(super) struct Merit {
    before: Vec<Size>,
    trial: Vec<Size>,
    weights: Vec<f64>,
}

impl Merit {
    /// Takes the larger terms of those before and of the full step.
    fn weigh(&mut self) {
        self.weights.clear();
        let pairs = self.before.iter().zip(&self.trial);
        self.weights.extend(pairs.map(|(before, trial)| before.terms.max(trial.terms)));
    }

    /// Whether the largest residual of the trial is below that before by this part of it; a NaN never is.
    fn falls(&self, part: f64) -> bool {
        let largest = |sizes: &[Size]| {
            let relative = |(size, weight): (&Size, &f64)| size.residual / weight.max(f64::MIN_POSITIVE);
            sizes.iter().zip(&self.weights).map(relative).fold(0.0, larger)
        };
        largest(&self.trial) <= (1.0 - part) * largest(&self.before)
    }

    fn accept(&mut self) {
        std::mem::swap(&mut self.before, &mut self.trial);
    }
}

impl super::StepWork {
    /// The iterate of first-order systems.
    pub(super) fn iterate<'a>(&'a self, state: &'a State) -> Iterate<'a> {
        Iterate { begin: state.at(), end: self.end(state), x_k: &state.v, x: &self.v, lambda: &self.force }
    }
}

/// Goes half of the way back.
fn halve(x: &mut [f64], before: &[f64]) {
    for (x, before) in x.iter_mut().zip(before) {
        *x = 0.5 * (*x + before);
    }
}
