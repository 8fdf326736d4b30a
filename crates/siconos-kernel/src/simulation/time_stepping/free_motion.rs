//! The motion without the unknown reactions: what is prepared once per step length, and what in every
//! iteration.

use super::{InputOutput, StepWork, TimeStepping};
use crate::error::SimulationError;
use crate::integrator::{Coupling, FactorError, FirstOrderWork, Refactor, StepTimes, SystemWork};
use crate::model::DynamicalSystemId;
use crate::nonsmooth_problem::Block;
use crate::state::State;

impl TimeStepping {
    /// Factorises W where it depends on nothing but the step length, of what is new or where that is.
    pub(super) fn prepare_constant_blocks(&mut self, state: &State) -> Result<(), SimulationError> {
        if self.work.h_prepared != self.work.h {
            let blocks = self.tables.blocks.iter().enumerate();
            let dependent = blocks.filter(|(_, block)| block.has_step_length && !block.is_gone());
            self.unprepared.retain(|&place| !self.tables.blocks[place].has_step_length);
            self.unprepared.extend(dependent.map(|(place, _)| place));
            self.work.h_prepared = self.work.h;
        }
        while let Some(&place) = self.unprepared.last() {
            let block = &self.tables.blocks[place];
            if block.is_gone() {
                self.unprepared.pop();
                continue;
            }
            let entry = &self.tables.systems[block.systems.start];
            let times = self.work.times(entry.scheme.theta(), state);
            let (system_work, x) = (&mut self.systems[place], &state.v[block.dofs.clone()]);
            if let Err(error) = system_work.prepare(times, x) {
                return Err(self.work.not_factored(entry.id, system_work, error));
            }
            // Those that follow an error are still to be prepared.
            self.unprepared.pop();
        }
        Ok(())
    }

    /// Writes the velocities and states without the unknown reactions; of linear systems only in the first
    /// iteration.
    pub(super) fn free_motion(&mut self, state: &State, first: bool) -> Result<(), SimulationError> {
        let work = &mut self.work;
        for &place in &self.unsettled.blocks {
            let (block, system_work) = (&self.tables.blocks[place], &mut self.systems[place]);
            let entry = &self.tables.systems[block.systems.start];
            let (dofs, positions) = (block.dofs.clone(), entry.positions.clone());
            let times = work.times(entry.scheme.theta(), state);
            let moved = match system_work {
                SystemWork::Linear(linear) => {
                    if first {
                        let (q_k, v_k) = (&state.q[positions], &state.v[dofs.clone()]);
                        linear.free_velocity(times, q_k, v_k, &mut work.v_free[dofs]);
                    }
                    Ok(())
                }
                SystemWork::Nonlinear(nonlinear) => {
                    if first {
                        let (q_k, v_k) = (&state.q[positions.clone()], &state.v[dofs.clone()]);
                        nonlinear.begin(times.begin, q_k, v_k);
                        nonlinear.evaluate(times, &work.q[positions], &work.v[dofs.clone()], v_k);
                    }
                    nonlinear.free_velocity(times, &mut work.v_free[dofs]).map_err(FactorError::Singular)
                }
                SystemWork::FirstOrder(systems_work) => {
                    let affine = self.problem.islands().at(self.problem.islands().of_block(place)).is_affine;
                    let iteration = Iteration { x_k: &state.v[dofs], times, affine, first };
                    free_state(systems_work, block, iteration, &self.input_output, work)
                }
            };
            moved.map_err(|error| work.not_factored(entry.id, system_work, error))?;
        }
        Ok(())
    }
}

/// The step and the Newton iteration as a block of first-order systems sees them.
#[derive(Clone, Copy)]
struct Iteration<'a> {
    x_k: &'a [f64],
    times: StepTimes<'a>,
    affine: bool,
    first: bool,
}

/// Writes the free state of one block of first-order systems.
fn free_state(
    systems_work: &mut FirstOrderWork,
    block: &Block,
    iteration: Iteration<'_>,
    input_output: &InputOutput,
    work: &mut StepWork,
) -> Result<(), FactorError> {
    let Iteration { x_k, times, affine, first } = iteration;
    let dofs = block.dofs.clone();
    let x = if affine { x_k } else { &work.v[dofs.clone()] };
    let anew = match systems_work.refactor() {
        Refactor::WithStepLength => false,
        Refactor::InEveryStep => first,
        Refactor::InEveryIteration => true,
    };
    if anew {
        let couplings = block.coupling.iter().map(|&interaction| Coupling {
            k: &input_output.values[interaction].k,
            places: input_output.places(interaction),
        });
        systems_work.factor(times, (x, x_k), couplings)?;
    }
    if !affine {
        if first {
            systems_work.begin(times.begin, x_k);
        }
        systems_work.residual(times, x, x_k);
    }
    let (known, x_p) = (&input_output.known[dofs.clone()], &mut work.v_free[dofs]);
    match affine {
        true => systems_work.affine_free_state(times, x_k, known, x_p),
        false => systems_work.free_state(times, (x, x_k), known, x_p),
    }
    Ok(())
}

impl StepWork {
    /// The error for a block, under the name of its first system, whose W cannot be factorised.
    fn not_factored(
        &self,
        system: DynamicalSystemId,
        system_work: &SystemWork,
        error: FactorError,
    ) -> SimulationError {
        let (step, t, h) = (self.step, self.t_k, self.h);
        match error {
            FactorError::Singular(source) => {
                let reciprocal_condition = system_work.reciprocal_condition();
                SimulationError::SingularIterationMatrix { system, step, t, h, reciprocal_condition, source }
            }
            FactorError::Exponential(source) => SimulationError::Hold { system, step, t, h, source },
        }
    }
}
