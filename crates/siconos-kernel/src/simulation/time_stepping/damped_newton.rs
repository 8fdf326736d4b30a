//! Newton steps of first-order systems, with their residuals and their damping.

use super::convergence::IslandError;
use super::{CoefficientSelection, InputOutput, Iterate, StepWorkspace, TimeStepping};
use crate::index::Table;
use crate::integrator::{Inputs, SystemWorkspace, larger};
use crate::nonsmooth_problem::{Block, BlockIndex, InteractionIndex, Island, Tables};
use crate::simulation::newton::halve;
use crate::simulation::{NewtonDamping, Residuals};
use crate::state::State;
use crate::threads::Threads;

/// Minimum length of a damped Newton step, as a fraction of the full step.
const SMALLEST_PART: f64 = 1.0 / 64.0;

/// Required relative decrease of the error in a full Newton step. A damped step of length tau requires tau
/// times this decrease.
const DECREASE: f64 = 0.1;

impl TimeStepping {
    /// Takes the full or damped Newton step of each island of first-order systems, and evaluates the
    /// relations and matrices at the new iterate.
    pub(super) fn take_newton_steps(&mut self, state: &State) {
        let (work, unconverged) = (&self.work, &self.unconverged);
        let jacobian = &self.kinematics.jacobian;
        self.input_output.linearise(&self.tables, jacobian, &unconverged.first_order, &work.v, &work.force);
        let (blocks, interactions) = (&unconverged.blocks, &unconverged.first_order);
        let iterate = FirstOrderIterate { tables: &self.tables, threads: &self.threads, work, state };
        iterate.evaluate(blocks, &mut self.systems, interactions, &mut self.input_output);
        for place in 0..self.unconverged.islands.len() {
            let island = self.unconverged.islands[place];
            if self.problem.islands().at(island).blocks.iter().any(|&block| self.is_first_order_block(block))
            {
                self.take_newton_step(state, island);
            }
        }
        let work = &mut self.work;
        work.v_before.copy_from_slice(&work.v);
        work.force_before.copy_from_slice(&work.force);
        let at = work.iterate(state);
        let interactions = &self.unconverged.first_order;
        let jacobian = &mut self.kinematics.jacobian;
        self.input_output.matrices(
            &self.tables,
            &self.threads,
            CoefficientSelection::Variable,
            interactions,
            at,
            jacobian,
        );
    }

    fn is_first_order_block(&self, block: BlockIndex) -> bool {
        matches!(self.systems[block], SystemWorkspace::FirstOrder(_))
    }

    /// Takes the Newton step of one island. Without damping, and in an island that also contains Lagrangian
    /// systems, it is the full step.
    fn take_newton_step(&mut self, state: &State, island: BlockIndex) {
        let blocks = &self.problem.islands().at(island).blocks;
        let backtracks = self.newton.damping == NewtonDamping::Backtracking
            && self.work.newton_iterations > 1
            && blocks.iter().all(|&block| self.is_first_order_block(block));
        let mut taken = 1.0;
        let mut residuals = self.first_order_residuals(state, island);
        if backtracks {
            self.work.merits[island].weigh();
        }
        while backtracks && taken > SMALLEST_PART && !self.work.merits[island].falls(DECREASE * taken) {
            taken *= 0.5;
            let (tables, work) = (&self.tables, &mut self.work);
            let Island { blocks, interactions, .. } = self.problem.islands().at(island);
            for &block in blocks {
                let dofs = tables.blocks[block].dofs.range();
                halve(&mut work.v[dofs.clone()], &work.v_before[dofs]);
            }
            for &interaction in interactions {
                let rows = tables.interactions[interaction].rows.range();
                halve(&mut work.force[rows.clone()], &work.force_before[rows]);
            }
            self.input_output.halve(tables, interactions);
            let iterate = FirstOrderIterate { tables, threads: &self.threads, work, state };
            iterate.evaluate(blocks, &mut self.systems, interactions, &mut self.input_output);
            residuals = self.first_order_residuals(state, island);
        }
        self.work.merits[island].accept();
        let residuals = Residuals { taken, ..residuals };
        let error = &mut self.work.island_errors[island];
        *error = IslandError { largest: larger(error.largest, residuals.largest()), first_order: residuals };
        let interactions = &self.problem.islands().at(island).interactions;
        self.input_output.accept_linearised(&self.tables, interactions);
    }

    /// Returns the three residuals of an island at the iterate in `work`, at which the relations and systems
    /// have been evaluated.
    fn first_order_residuals(&mut self, state: &State, island: BlockIndex) -> Residuals {
        let Island { blocks, interactions, .. } = self.problem.islands().at(island);
        let work = &mut self.work;
        let records = self.newton.damping == NewtonDamping::Backtracking;
        let merit = &mut work.merits[island];
        merit.trial.clear();
        let mut record = |residual: f64, terms: f64| {
            if records {
                merit.trial.push(Size { residual: residual.abs(), terms });
            }
        };
        let (y, r) =
            self.input_output.residuals(&self.tables, &self.kinematics.jacobian, interactions, &mut record);
        for &block in blocks {
            let dofs = self.tables.blocks[block].dofs.range();
            work.input[dofs.clone()].fill(0.0);
            // The terms of Lagrangian systems have been computed with their contacts.
            if let SystemWorkspace::FirstOrder(_) = self.systems[block] {
                work.impulse_terms[dofs].fill(0.0);
            }
        }
        self.input_output.add_linearised_inputs(&self.tables, interactions, work.h, &mut work.input);
        self.input_output.add_input_terms(&self.tables, interactions, work.h, &mut work.impulse_terms);
        let mut x_residual = 0.0;
        for &place in blocks {
            let SystemWorkspace::FirstOrder(systems_work) = &mut self.systems[place] else { continue };
            if systems_work.is_held() {
                continue;
            }
            let block = &self.tables.blocks[place];
            self.input_output.add_input_before(&self.tables, place, work.h, &mut work.input);
            let dofs = block.dofs.range();
            let (x, x_k) = (&work.v[dofs.clone()], &state.v[dofs.clone()]);
            let inputs = Inputs { sum: &work.input[dofs.clone()], terms: &work.impulse_terms[dofs] };
            let rows = systems_work.equation_rows(work.h, (x, x_k), inputs);
            x_residual = larger(x_residual, rows.largest_error());
            if records {
                let sizes = rows.errors();
                work.merits[island].trial.extend(sizes.map(|(residual, terms)| Size { residual, terms }));
            }
        }
        Residuals { x: x_residual, y, r, taken: 1.0 }
    }
}

/// Iterate of first-order systems.
struct FirstOrderIterate<'a> {
    tables: &'a Tables,
    threads: &'a Threads,
    work: &'a StepWorkspace,
    state: &'a State,
}

impl FirstOrderIterate<'_> {
    /// Evaluates h, g and the residuals of some blocks and interactions.
    fn evaluate(
        &self,
        blocks: &[BlockIndex],
        systems: &mut Table<Block, SystemWorkspace>,
        interactions: &[InteractionIndex],
        input_output: &mut InputOutput,
    ) {
        let Self { tables, threads, work, state } = self;
        input_output.functions(tables, threads, interactions, work.iterate(state));
        threads.each(
            systems,
            [],
            blocks,
            |_| Some([]),
            |place, systems_work, []| {
                let block = &tables.blocks[place];
                let times = work.times(tables.systems[block.systems.start()].theta, state);
                if let SystemWorkspace::FirstOrder(systems_work) = systems_work
                    && !systems_work.is_held()
                {
                    let dofs = block.dofs.range();
                    systems_work.residual(times, &work.v[dofs.clone()], &state.v[dofs]);
                }
            },
        );
    }
}

/// Residual, and the sum of the magnitudes of its terms.
#[derive(Clone, Copy, Debug)]
struct Size {
    residual: f64,
    terms: f64,
}

/// Data of the acceptance test of a damped Newton step. All residuals before and after the step are divided
/// by the same magnitudes of terms.
///
/// With separate magnitudes for each iterate, a diverging iteration would pass the test, because the
/// magnitudes grow with the iterate.
#[derive(Clone, Debug, Default)]
pub(super) struct Merit {
    before: Vec<Size>,
    trial: Vec<Size>,
    weights: Vec<f64>,
}

impl Merit {
    /// Sets the common magnitude of each residual to the larger of its values before the step and after the
    /// full step.
    fn weigh(&mut self) {
        self.weights.clear();
        let pairs = self.before.iter().zip(&self.trial);
        self.weights.extend(pairs.map(|(before, trial)| before.terms.max(trial.terms)));
    }

    /// Returns `true` if the largest residual of the trial step is at most `1 - part` times the largest
    /// residual before the step. Returns `false` if it is NaN.
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

impl StepWorkspace {
    /// Returns the iterate of first-order systems.
    pub(super) fn iterate<'a>(&'a self, state: &'a State) -> Iterate<'a> {
        Iterate { begin: state.at(), end: self.end(state), x_k: &state.v, x: &self.v, lambda: &self.force }
    }
}
