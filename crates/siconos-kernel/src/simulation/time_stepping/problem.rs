//! The one-step problem of a step: its matrix, its vector.

use super::TimeStepping;
use crate::nonsmooth_problem::{Coefficients, ContactKind};
use crate::state::State;

impl TimeStepping {
    pub(super) fn assemble_matrix(&mut self) {
        let members = self.index_set.members();
        if !self.constant {
            let (h, members) = (self.work.h, members.iter().copied());
            let coefficients = Coefficients {
                jacobian: &self.kinematics.jacobian,
                input: &self.input_output.input,
                values: &self.input_output.values,
            };
            self.delassus.solve_rows(&self.tables, &mut self.systems, coefficients, h, members.clone());
            let chosen = self.index_set.members();
            let wanted = |b: usize| chosen.binary_search(&b).is_ok();
            self.delassus.compute_blocks(&self.tables, coefficients, h, members, wanted);
            self.work.matrix_valid = false;
        }
        if !self.work.matrix_valid {
            self.problem.assemble(&self.tables, &self.delassus, members);
            self.work.matrix_valid = true;
        }
    }

    /// The constant part of w, and lambda of the last step (or iteration) as the guess.
    pub(super) fn assemble_vector(&mut self, state: &State) {
        let work = &self.work;
        let [y, y_dot, _] = &state.y;
        let [force, lambda, _] = &state.lambda;
        let guess = if work.newton_iterations == 1 { lambda } else { &work.lambda };
        let mut k = 0;
        for &place in self.index_set.members() {
            let unitary = &self.tables.unitary[place];
            let entry = &self.tables.interactions[unitary.interaction];
            if let ContactKind::FirstOrder(scheme) = entry.kind {
                let guess = if work.newton_iterations == 1 { force } else { &work.force };
                let scale = scheme.scale(work.h);
                for row in unitary.rows.clone() {
                    let (place, states) = ((unitary.interaction, row), (&work.v_free[..], &state.v[..]));
                    let jacobian = &self.kinematics.jacobian;
                    self.problem.q[k] = self.input_output.free_output(&self.tables, place, jacobian, states);
                    self.problem.z[k] = scale * guess[row];
                    k += 1;
                }
                continue;
            }
            for row in unitary.rows.clone() {
                let free = self.kinematics.velocity(&self.tables, unitary.interaction, row, &work.v_free);
                self.problem.q[k] = match entry.kind {
                    ContactKind::Bilateral => free,
                    ContactKind::Unilateral { restitution, .. } => free + restitution * y_dot[row],
                    ContactKind::Frictional { law, .. } => {
                        let is_normal = row == unitary.rows.start;
                        let e = if is_normal { law.restitution() } else { law.tangential_restitution() };
                        free + e * y_dot[row]
                    }
                    ContactKind::Compliant { theta, .. } => {
                        let gap = y[row] - entry.compliant_part(row, force);
                        free + (gap + work.h * (1.0 - theta) * y_dot[row]) / (work.h * theta)
                    }
                    ContactKind::FirstOrder(_) => unreachable!("handled above"),
                };
                self.problem.z[k] = guess[row];
                k += 1;
            }
        }
    }
}
