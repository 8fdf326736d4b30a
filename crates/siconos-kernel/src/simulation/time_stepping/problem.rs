//! The one-step problem of a step: its matrices, its vectors.

use super::{InputOutput, Kinematics, TimeStepping};
use crate::index::RowPlace;
use crate::nonsmooth_problem::{Coefficients, ContactKind};
use crate::state::State;

/// The coefficients of all relations as they were evaluated last.
pub(super) fn coefficients<'a>(
    kinematics: &'a Kinematics,
    input_output: &'a InputOutput,
) -> Coefficients<'a> {
    let (input, values) = (&input_output.input[..], Some(&input_output.values));
    Coefficients { jacobian: &kinematics.jacobian, input, values }
}

impl TimeStepping {
    /// The matrices of the islands that Newton's loop works on.
    pub(super) fn assemble_matrices(&mut self) {
        let is_known = self.work.matrix_valid && self.work.h_assembled == self.work.h;
        if is_known && self.nonlinearities.is_constant() {
            return;
        }
        let (first, unsettled) = (self.work.newton_iterations == 1, &self.unsettled);
        let coefficients = coefficients(&self.kinematics, &self.input_output);
        let is_held = |island| !first && unsettled.is_settled(island);
        let from = (&mut self.systems, coefficients);
        self.problem.assemble(&self.tables, &mut self.delassus, from, self.work.h, is_held);
        (self.work.matrix_valid, self.work.h_assembled) = (true, self.work.h);
    }

    /// The constant part of w, and lambda of the last step (or iteration) as the guess. The rows of islands
    /// that are held are those of the last problem: it has been solved for them.
    pub(super) fn assemble_vectors(&mut self, state: &State) {
        let (tables, h, first) = (&self.tables, self.work.h, self.work.newton_iterations == 1);
        let (mut q, mut z) = (std::mem::take(&mut self.problem.q), std::mem::take(&mut self.problem.z));
        for &island in self.problem.islands().active() {
            if !first && self.unsettled.is_settled(island) {
                continue;
            }
            for &at in self.problem.rows_of(island) {
                let row = at.index();
                q[row] = self.constant_part(at, state);
                z[row] = match (tables.kind(tables.rows[at].kind), first) {
                    (ContactKind::FirstOrder(scheme), true) => scheme.scale(h) * state.lambda[0][row],
                    (ContactKind::FirstOrder(scheme), false) => scheme.scale(h) * self.work.force[row],
                    (_, true) => state.lambda[1][row],
                    (_, false) => self.work.lambda[row],
                };
            }
        }
        (self.problem.q, self.problem.z) = (q, z);
    }

    /// The constant part of one row of an interaction.
    #[inline]
    fn constant_part(&self, at: RowPlace, state: &State) -> f64 {
        let (tables, work) = (&self.tables, &self.work);
        let (entry, row) = (&tables.rows[at], at.index());
        let kind = tables.kind(entry.kind);
        if let ContactKind::FirstOrder(_) = kind {
            let states = (&work.v_free[..], &state.v[..]);
            return self.input_output.free_output(tables, at, &self.kinematics.jacobian, states);
        }
        let free = self.kinematics.velocity(tables, at, &work.v_free);
        let y_dot = state.y[1][row];
        if let ContactKind::Compliant { theta, .. } = kind {
            let of_force = tables.interactions[entry.interaction].compliant_part(at, &state.lambda[0]);
            let gap = state.y[0][row] - of_force;
            return free + (gap + work.h * (1.0 - theta) * y_dot) / (work.h * theta);
        }
        free + entry.restitution * y_dot
    }
}
