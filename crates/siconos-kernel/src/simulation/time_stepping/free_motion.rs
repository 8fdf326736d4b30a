//! The motion without the unknown reactions: what is prepared once per step length, and what in every iteration.

use siconos_numerics::linalg::SingularMatrix;

use super::TimeStepping;
use crate::error::SimulationError;
use crate::integrator::{BlockSystems, FactorError, Refactor, SystemWork};
use crate::model::{DynamicalSystem, DynamicalSystemId, NonSmoothDynamicalSystem};
use crate::nonsmooth_problem::{Block, Coefficients};
use crate::state::State;

impl TimeStepping {
    /// When the step length is new: factorises W where it depends on nothing else, and computes the Delassus blocks of a
    /// model that is constant.
    pub(super) fn prepare_constant_blocks(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &State,
    ) -> Result<(), SimulationError> {
        if self.work.h_prepared == self.work.h {
            return Ok(());
        }
        // Some may succeed before one fails.
        self.work.h_prepared = f64::NAN;
        for place in 0..self.tables.blocks.len() {
            let block = &self.tables.blocks[place];
            let entry = &self.tables.systems[block.systems.start];
            let times = self.work.times(entry.scheme.theta());
            match (&mut self.systems[place], model.system(entry.id)?) {
                (SystemWork::Linear(linear), DynamicalSystem::LagrangianLinear(system)) => {
                    linear.prepare(system, times).map_err(|source| {
                        let reciprocal = linear.reciprocal_condition();
                        self.work.singular(entry.id, source, reciprocal)
                    })?;
                }
                (SystemWork::FirstOrder(work), _) if work.refactor() == Refactor::WithStepLength => {
                    let x = &state.v[block.dofs.clone()];
                    work.assemble(self.tables.systems_of(model, block), times, x, x);
                    let factored = work.factor(times.h);
                    self.factored(place, factored)?;
                }
                (_, _) => {}
            }
        }
        if self.constant {
            let (h, all) = (self.work.h, 0..self.tables.unitary.len());
            let coefficients = Coefficients {
                jacobian: &self.kinematics.jacobian,
                input: &self.input_output.input,
                values: &self.input_output.values,
            };
            self.delassus.solve_rows(&self.tables, &mut self.systems, coefficients, h, all.clone());
            self.delassus.compute_blocks(&self.tables, coefficients, h, all, |_| true);
            self.work.matrix_valid = false;
        }
        self.work.h_prepared = self.work.h;
        Ok(())
    }

    /// Writes the velocities and states without the unknown reactions; of linear systems only in the first iteration.
    pub(super) fn free_motion(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &State,
        first: bool,
    ) -> Result<(), SimulationError> {
        for place in 0..self.tables.blocks.len() {
            let block = &self.tables.blocks[place];
            let entry = &self.tables.systems[block.systems.start];
            let (dofs, positions) = (block.dofs.clone(), entry.positions.clone());
            let work = &mut self.work;
            let times = work.times(entry.scheme.theta());
            let v_free = &mut work.v_free[dofs.clone()];
            match &mut self.systems[place] {
                SystemWork::Linear(linear) => {
                    if first && let DynamicalSystem::LagrangianLinear(system) = model.system(entry.id)? {
                        let (q_k, v_k) = (&state.q[positions], &state.v[dofs]);
                        linear.free_velocity(system, times, q_k, v_k, v_free);
                    }
                }
                SystemWork::Nonlinear(nonlinear) => {
                    let DynamicalSystem::Lagrangian(system) = model.system(entry.id)? else { continue };
                    if first {
                        let (q_k, v_k) = (&state.q[positions.clone()], &state.v[dofs.clone()]);
                        nonlinear.begin(system, work.t_k, q_k, v_k);
                        nonlinear.evaluate(system, times, &work.q[positions], &work.v[dofs], v_k);
                    }
                    if let Err(source) = nonlinear.free_velocity(system, times, v_free) {
                        let reciprocal = nonlinear.reciprocal_condition();
                        return Err(work.singular(entry.id, source, reciprocal));
                    }
                }
                SystemWork::FirstOrder(_) => self.free_state(model, state, place, first)?,
            }
        }
        Ok(())
    }

    /// The free state of one block of first-order systems.
    fn free_state(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &State,
        place: usize,
        first: bool,
    ) -> Result<(), SimulationError> {
        let block = &self.tables.blocks[place];
        let dofs = block.dofs.clone();
        let SystemWork::FirstOrder(systems_work) = &mut self.systems[place] else { return Ok(()) };
        let times = self.work.times(self.tables.systems[block.systems.start].scheme.theta());
        let systems = self.tables.systems_of(model, block);
        let x_k = &state.v[dofs.clone()];
        let x = if self.affine { x_k } else { &self.work.v[dofs.clone()] };
        let anew = match systems_work.refactor() {
            Refactor::WithStepLength => false,
            Refactor::InEveryStep => first,
            Refactor::InEveryIteration => true,
        };
        if anew {
            systems_work.assemble(systems, times, x, x_k);
            let scheme = *systems_work.scheme();
            for &interaction in &block.coupling {
                let k = &self.input_output.values[interaction].k;
                let factor = times.h * scheme.theta_r * scheme.gamma;
                systems_work.subtract_k(factor, k, self.input_output.places(interaction));
            }
            let factored = systems_work.factor(times.h);
            self.factored(place, factored)?;
        }
        let SystemWork::FirstOrder(systems_work) = &mut self.systems[place] else { return Ok(()) };
        if !self.affine {
            if first {
                systems_work.begin(systems, times.t_k, x_k);
            }
            systems_work.residual(systems, times, x, x_k);
        }
        let known = &self.input_output.known[dofs.clone()];
        systems_work.free_state(systems, times, (x, x_k), known, &mut self.work.v_free[dofs]);
        Ok(())
    }

    /// Names the first system of a block whose W is singular.
    fn factored(&self, place: usize, factored: Result<(), FactorError>) -> Result<(), SimulationError> {
        let block: &Block = &self.tables.blocks[place];
        let system = self.tables.systems[block.systems.start].id;
        factored.map_err(|error| match error {
            FactorError::Singular(source) => {
                let reciprocal = match &self.systems[place] {
                    SystemWork::FirstOrder(work) => siconos_numerics::linalg::reciprocal_condition(work.w()),
                    SystemWork::Linear(_) | SystemWork::Nonlinear(_) => f64::NAN,
                };
                self.work.singular(system, source, reciprocal)
            }
            FactorError::Exponential(source) => {
                let work = &self.work;
                SimulationError::Hold { system, step: work.step, t: work.t_k, h: work.h, source }
            }
        })
    }
}

impl super::StepWork {
    /// The error for a singular W of a system.
    pub(super) fn singular(
        &self,
        system: DynamicalSystemId,
        source: SingularMatrix,
        reciprocal_condition: f64,
    ) -> SimulationError {
        let (step, t, h) = (self.step, self.t_k, self.h);
        SimulationError::SingularIterationMatrix { system, step, t, h, reciprocal_condition, source }
    }
}

impl crate::nonsmooth_problem::Tables {
    /// The systems of a block.
    pub(super) fn systems_of<'a>(
        &'a self,
        model: &'a NonSmoothDynamicalSystem,
        block: &Block,
    ) -> BlockSystems<'a> {
        BlockSystems { model, entries: &self.systems[block.systems.clone()] }
    }
}
