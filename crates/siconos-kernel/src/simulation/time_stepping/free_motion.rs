//! Motion without the unknown reactions. Data that depend only on the step length are prepared once per step
//! length.

use super::{InputOutput, StepWorkspace, TimeStepping};
use crate::integrator::{Coupling, FactorError, FirstOrderWorkspace, Refactor, StepTimes, SystemWorkspace};
use crate::model::DynamicalSystemId;
use crate::nonsmooth_problem::{Block, BlockIndex, Islands, Tables};
use crate::simulation::SimulationError;
use crate::state::State;

impl TimeStepping {
    /// Factorises the matrices W that depend only on the step length. Skips blocks with a valid factorisation
    /// for this step length.
    pub(super) fn prepare_constant_blocks(&mut self, state: &State) -> Result<(), SimulationError> {
        if self.work.h_prepared != self.work.h {
            let blocks = self.tables.blocks.entries();
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
            let entry = &self.tables.systems[block.systems.start()];
            let times = self.work.times(entry.theta, state);
            let (system_work, x) = (&mut self.systems[place], &state.v[block.dofs.range()]);
            if let Err(error) = system_work.prepare(times, x) {
                return Err(self.work.not_factored(entry.id, error));
            }
            if block.is_steady {
                let acceleration = &mut self.work.steady_acceleration[block.dofs.range()];
                system_work.steady_acceleration_into(times.begin, acceleration);
            }
            // The block remains in the list if its factorisation fails.
            self.unprepared.pop();
        }
        Ok(())
    }

    /// Writes the velocities and states that result without the unknown reactions. Linear systems are
    /// computed only in the first iteration.
    #[inline(always)]
    pub(super) fn free_motion(&mut self, state: &State, first: bool) -> Result<(), SimulationError> {
        if self.kinematics.has_common_points() {
            self.stiffen_bodies(state, first);
        }
        let mut v_free = std::mem::take(&mut self.work.v_free);
        let blocks = if first { &self.unconverged.unsteady } else { &self.unconverged.blocks };
        if first {
            let steady = state.v.iter().zip(&self.work.steady_acceleration);
            v_free.iter_mut().zip(steady).for_each(|(x, (v_k, a))| *x = v_k + self.work.h * a);
        }
        let (tables, islands) = (&self.tables, self.problem.islands());
        let motion =
            FreeMotion { tables, islands, input_output: &self.input_output, work: &self.work, state, first };
        let dofs = |place: BlockIndex| Some([tables.blocks[place].dofs.range()]);
        let mut moved = self.threads.try_each(
            &mut self.systems,
            [&mut v_free[..]],
            blocks,
            dofs,
            #[inline(always)]
            |place, system_work, [v_free]| {
                motion.move_block(place, system_work, v_free).map_err(|error| (place, error))
            },
        );
        if first {
            for &place in self.stiffened.iter().filter(|&&place| tables.blocks[place].is_steady) {
                let v_free = &mut v_free[tables.blocks[place].dofs.range()];
                let own = motion.move_block(place, &mut self.systems[place], v_free);
                moved = moved.and(own.map_err(|error| (place, error)));
            }
        }
        for &block in self.held_blocks() {
            v_free[self.tables.blocks[block].dofs.range()].fill(0.0);
        }
        self.work.v_free = v_free;
        moved.map_err(|(place, error)| {
            let system = self.tables.systems[self.tables.blocks[place].systems.start()].id;
            self.work.not_factored(system, error)
        })
    }
}

/// Data on which the free motion depends.
struct FreeMotion<'a> {
    tables: &'a Tables,
    islands: &'a Islands,
    input_output: &'a InputOutput,
    work: &'a StepWorkspace,
    state: &'a State,
    first: bool,
}

impl FreeMotion<'_> {
    #[inline(always)]
    fn move_block(
        &self,
        place: BlockIndex,
        system_work: &mut SystemWorkspace,
        v_free: &mut [f64],
    ) -> Result<(), FactorError> {
        let Self { tables, work, state, first, .. } = *self;
        let block = &tables.blocks[place];
        let entry = &tables.systems[block.systems.start()];
        let (dofs, positions) = (block.dofs.range(), entry.positions.range());
        let times = work.times(entry.theta, state);
        let v_k = &state.v[dofs.clone()];
        match system_work {
            SystemWorkspace::Linear(linear) => {
                if first {
                    linear.free_velocity(times, &state.q[positions], v_k, v_free);
                }
                Ok(())
            }
            SystemWorkspace::TwoStep(two_step) if first => {
                let is_first = state.known_mean_velocity(dofs.clone()).is_none();
                let motion = (&state.q[positions], &work.mean_velocity[dofs]);
                two_step.free_velocity(times, motion, is_first, v_free)
            }
            SystemWorkspace::TwoStep(_) => Ok(()),
            SystemWorkspace::HalfExplicit(_) => {
                if first {
                    v_free.copy_from_slice(v_k);
                }
                Ok(())
            }
            SystemWorkspace::Nonlinear(nonlinear) => {
                if first {
                    nonlinear.begin(times.begin, &state.q[positions.clone()], v_k);
                    nonlinear.evaluate(times, &work.q[positions], &work.v[dofs], v_k);
                }
                nonlinear.free_velocity(times, v_free).map_err(FactorError::Singular)
            }
            SystemWorkspace::Body(body) => {
                if !first && body.is_exact() {
                    return Ok(());
                }
                let v = &work.v[dofs];
                // If the forces do not depend on the state, only the angular velocity changes between
                // iterations.
                if first || body.is_affine() {
                    let at = if body.is_affine() { v_k } else { v };
                    body.begin(times.begin, &state.q[positions.clone()], v_k);
                    body.evaluate(times, &work.q[positions], at, v_k);
                }
                body.free_velocity(times, (v, v_k), v_free).map_err(FactorError::Singular)
            }
            SystemWorkspace::FirstOrder(systems_work) => {
                let affine = self.islands.at(self.islands.of_block(place)).is_affine;
                let iteration = Iteration { x_k: v_k, times, affine, first };
                let x = if affine { v_k } else { &work.v[dofs] };
                free_state(systems_work, block, iteration, self.input_output, x, v_free)
            }
        }
    }
}

/// Data of a step and of a Newton iteration for a block of first-order systems.
#[derive(Clone, Copy)]
struct Iteration<'a> {
    x_k: &'a [f64],
    times: StepTimes<'a>,
    affine: bool,
    first: bool,
}

/// Writes the free state of one block of first-order systems to `x_p`, starting from the iterate x.
fn free_state(
    systems_work: &mut FirstOrderWorkspace,
    block: &Block,
    iteration: Iteration<'_>,
    input_output: &InputOutput,
    x: &[f64],
    x_p: &mut [f64],
) -> Result<(), FactorError> {
    let Iteration { x_k, times, affine, first } = iteration;
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
    let known = &input_output.known[block.dofs.range()];
    match affine {
        true => systems_work.affine_free_state(times, x_k, known, x_p),
        false => systems_work.free_state(times, (x, x_k), known, x_p),
    }
    Ok(())
}

/// Discards the stored forces at the beginning of the next step.
pub(super) fn forget_forces(systems: &mut [SystemWorkspace]) {
    systems.iter_mut().for_each(SystemWorkspace::forget_forces);
}

impl StepWorkspace {
    /// Returns the error for a block whose W cannot be factorised. The error names the first system of the
    /// block.
    pub(super) fn not_factored(&self, system: DynamicalSystemId, error: FactorError) -> SimulationError {
        let (step, t, h) = (self.step, self.t_k, self.h);
        match error {
            FactorError::Singular(source) => {
                SimulationError::SingularIterationMatrix { system, step, t, h, source }
            }
            FactorError::Exponential(source) => SimulationError::Hold { system, step, t, h, source },
        }
    }
}
