//! Matrices and vectors of the one-step problem.

use siconos_numerics::SolveInfo;

use super::{InputOutput, Kinematics, StepWorkspace, TimeStepping};
use crate::index::RowIndex;
use crate::nonsmooth_problem::{Assembly, Coefficients, ImposedVariables, Tables};
use crate::simulation::SimulationError;
use crate::state::State;

/// Returns the coefficients of all relations at their last evaluation.
pub(super) fn coefficients<'a>(
    kinematics: &'a Kinematics,
    input_output: &'a InputOutput,
) -> Coefficients<'a> {
    let (input, values) = (&input_output.input[..], Some(&input_output.values));
    Coefficients { input, values, ..kinematics.coefficients() }
}

impl TimeStepping {
    /// Assembles and solves the one-step problems of the islands that have not converged. Writes lambda of
    /// all systems and y of first-order systems.
    pub(super) fn solve_problem(&mut self, state: &State) -> Result<SolveInfo, SimulationError> {
        self.assemble_matrices();
        self.problem
            .describe_laws(&self.tables, state.at(), self.work.end(state), self.work.h)
            .map_err(|(interaction, source)| self.bounds_error(interaction, source))?;
        let [mut lambda, mut y] = [&mut self.work.lambda, &mut self.work.y].map(std::mem::take);
        let (tables, kinematics, input_output, work, unconverged) =
            (&self.tables, &self.kinematics, &self.input_output, &self.work, &self.unconverged);
        let vectors = ProblemVectors { tables, kinematics, input_output, work, state };
        let first = work.newton_iterations == 1;
        let _span = tracing::trace_span!("solve").entered();
        let solved = self.problem.solve(
            &self.threads,
            |island| !first && unconverged.is_settled(island),
            #[inline(always)]
            |row, lambda| vectors.of(row, lambda),
            (&mut lambda, &mut y),
        );
        (self.work.lambda, self.work.y) = (lambda, y);
        solved.map_err(|source| self.one_step_error(state, source))
    }

    pub(super) fn problem_vectors<'a>(&'a self, state: &'a State) -> ProblemVectors<'a> {
        let Self { tables, kinematics, input_output, work, .. } = self;
        ProblemVectors { tables, kinematics, input_output, work, state }
    }

    /// Assembles the matrices of the islands that have not converged.
    fn assemble_matrices(&mut self) {
        let is_known = self.work.h_assembled == self.work.h && self.nonlinearities.is_constant();
        if is_known && !self.problem.has_posed() {
            self.work.matrix_valid = true;
            return;
        }
        let _span = tracing::trace_span!("assembly").entered();
        let (first, unconverged) = (self.work.newton_iterations == 1, &self.unconverged);
        let coefficients = coefficients(&self.kinematics, &self.input_output);
        let is_held = |island| !first && unconverged.is_settled(island);
        let from = Assembly {
            tables: &self.tables,
            threads: &self.threads,
            delassus: &mut self.delassus,
            systems: &mut self.systems,
            coefficients,
            h: self.work.h,
        };
        self.problem.assemble(from, is_known, is_held);
        (self.work.matrix_valid, self.work.h_assembled) = (true, self.work.h);
    }
}

/// Data for the vectors of the one-step problem.
pub(super) struct ProblemVectors<'a> {
    pub(super) tables: &'a Tables,
    pub(super) kinematics: &'a Kinematics,
    pub(super) input_output: &'a InputOutput,
    pub(super) work: &'a StepWorkspace,
    pub(super) state: &'a State,
}

impl ProblemVectors<'_> {
    /// Returns the constant term of w of a row, and the initial guess for lambda. In the first iteration, the
    /// guess is the value of the last step; in later iterations, it is `lambda`.
    // Inlined, because this function is called for every row in every step.
    #[inline(always)]
    pub(super) fn of(&self, row: RowIndex, lambda: f64) -> (f64, f64) {
        let Self { tables, work, state, .. } = self;
        let (entry, place) = (&tables.rows[row], row.index());
        let is_first = work.newton_iterations == 1;
        let kind = tables.kind(entry.kind);
        if let Some(weights) = kind.weights() {
            let states = (&work.v_free[..], &state.v[..]);
            let q = self.input_output.free_output(tables, row, &self.kinematics.jacobian, states);
            let lambda = if is_first { state.lambda[0][place] } else { work.force[place] };
            return (q, weights.scale(work.h) * lambda);
        }
        let guess = if is_first { state.lambda[1][place] } else { lambda };
        let free = self.kinematics.velocity(tables, row, &work.v_free);
        let y_dot = state.y[1][place];
        if let ImposedVariables::Spring { spring, theta } = kind.holds {
            return (self.of_spring(row, spring, theta, free), guess);
        }
        if let ImposedVariables::Positions { theta } = kind.holds {
            let of_force = tables.interactions[entry.interaction].compliant_part(row, &state.lambda[0]);
            let gap = state.y[0][place] - of_force;
            let mut q = free + (gap + work.h * (1.0 - theta) * y_dot) / (work.h * theta);
            if entry.restitution != 0.0 {
                // The position of a two-step scheme at the previous step is y_{k-1} = y_k - h H u_k.
                let mean = self.kinematics.row(tables, row).times(&work.mean_velocity);
                q += entry.restitution * (gap / work.h - mean);
            }
            return (q, guess);
        }
        (free + entry.restitution * y_dot + work.added_speeds.of(place), guess)
    }
}
