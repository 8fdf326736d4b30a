//! Computations of a step for the relations of first-order systems.

use super::{CoefficientSelection, Iterate, TimeStepping};
use crate::integrator::Scheme;
use crate::model::ModelError;
use crate::model::RelationId;
use crate::nonsmooth_problem::{InteractionIndex, Islands, Tables};
use crate::simulation::SimulationError;
use crate::state::State;

/// Interactions of first-order systems, in two lists. The first list contains the interactions in islands for
/// which one Newton iteration is exact; the second contains all others.
#[derive(Clone, Debug, Default)]
pub(super) struct FirstOrderInteractions {
    affine: Vec<InteractionIndex>,
    nonlinear: Vec<InteractionIndex>,
}

impl FirstOrderInteractions {
    /// Finds the interactions of first-order systems in a model. These interactions are always active, and
    /// their islands do not change.
    pub(super) fn new(tables: &Tables, islands: &Islands) -> Self {
        let entries = tables.interactions.entries().filter(|(_, entry)| entry.is_first_order());
        let (affine, nonlinear) = entries.map(|(place, _)| place).partition(|&place: &InteractionIndex| {
            islands.at(islands.of_interaction(tables, place)).is_affine
        });
        Self { affine, nonlinear }
    }

    /// Returns both lists.
    pub(super) fn each(&self) -> [&[InteractionIndex]; 2] {
        [&self.affine, &self.nonlinear]
    }
}

impl TimeStepping {
    /// Evaluates the relations at the iterate, before the free motion: h, g, the known terms of the inputs,
    /// and the matrices that may have changed.
    pub(super) fn evaluate_relations(&mut self, state: &State, first: bool) {
        // In the first iteration, this list contains all interactions.
        let all = &self.unconverged.first_order[..];
        if first && self.has_explicit_input {
            // Compute r_k from the values in the state.
            let at = Iterate::standing(state.at(), &state.v, &state.lambda[0]);
            let jacobian = &mut self.kinematics.jacobian;
            self.input_output.matrices(
                &self.tables,
                &self.threads,
                CoefficientSelection::Variable,
                all,
                at,
                jacobian,
            );
            self.input_output.functions(&self.tables, &self.threads, all, at);
            self.input_output.keep_inputs(&self.tables, all);
        }
        // In later iterations, the relations have already been evaluated at the iterate.
        if first {
            let work = &mut self.work;
            let at = Iterate {
                end: state.at().time(work.t_kp1),
                ..Iterate::standing(state.at(), &state.v, &state.lambda[0])
            };
            if !self.nonlinearities.is_constant() {
                let jacobian = &mut self.kinematics.jacobian;
                self.input_output.matrices(
                    &self.tables,
                    &self.threads,
                    CoefficientSelection::Variable,
                    all,
                    at,
                    jacobian,
                );
            }
            let FirstOrderInteractions { affine, nonlinear } = &self.first_order;
            let times = (at.begin, at.end);
            self.input_output.offsets(
                &self.tables,
                &self.threads,
                CoefficientSelection::Variable,
                affine,
                times,
            );
            if !nonlinear.is_empty() {
                self.input_output.functions(&self.tables, &self.threads, nonlinear, at);
                self.input_output.begin_iterates(&self.tables, nonlinear);
                work.v_before.copy_from_slice(&work.v);
                work.force_before.copy_from_slice(&state.lambda[0]);
            }
        }
        if !self.is_affine() || self.has_explicit_input {
            let unconverged = &self.unconverged;
            let (blocks, interactions) = (&unconverged.blocks, &unconverged.first_order);
            self.input_output.update_known(&self.tables, blocks, interactions, self.work.h);
        }
    }

    /// Computes y and r at the end of the step. In a linear island, y is w of the one-step problem.
    #[inline(always)]
    pub(super) fn end_of_first_order(&mut self) -> Result<(), SimulationError> {
        let (tables, work) = (&self.tables, &mut self.work);
        let FirstOrderInteractions { affine, nonlinear } = &self.first_order;
        self.input_output.add_linear_inputs(tables, affine, work.h, &work.force, &mut work.impulse);
        self.input_output.write_outputs(tables, nonlinear, &mut work.y);
        self.input_output.add_evaluated_inputs(tables, nonlinear, work.h, &mut work.impulse);
        if self.has_explicit_input {
            for block in tables.blocks.places() {
                self.input_output.add_input_before(tables, block, work.h, &mut work.impulse);
            }
        }
        for &place in affine.iter().chain(nonlinear) {
            for row in tables.interactions[place].rows.range() {
                work.lambda[row] = work.h * work.force[row];
            }
        }
        // If the iteration was stopped before convergence, the last r has not been checked.
        self.check_finite("integral of r", |work| &work.impulse)
    }

    pub(super) fn bounds_error(&self, relation: RelationId, source: ModelError) -> SimulationError {
        SimulationError::Bounds { relation, step: self.work.step, t: self.work.t_k, source }
    }
}

/// Returns `true` if the input r at the beginning of a step has a nonzero weight in the step.
pub(super) fn explicit_input(scheme: Scheme) -> bool {
    scheme.is_first_order() && scheme.weights.theta_r != 1.0
}

impl super::StepWorkspace {
    /// Computes lambda of first-order systems from the unknowns of the one-step problem.
    pub(super) fn update_multipliers(&mut self, tables: &Tables) {
        for entry in tables.interactions.iter() {
            if let Some(weights) = tables.kind(entry.kind).weights() {
                let scale = weights.scale(self.h);
                for row in entry.rows.range() {
                    self.force[row] = self.lambda[row] / scale;
                }
            }
        }
    }
}
