//! The one-step problem of a step: its matrix, its vector.

use super::TimeStepping;
use crate::nonsmooth_problem::{Coefficients, ContactKind, Tables};
use crate::state::State;

impl TimeStepping {
    pub(super) fn assemble_matrix(&mut self) {
        let members = self.index_set.members();
        if !self.constant {
            // Those of constant sets are known, and those of sets that are held stay what they were.
            let varies = |place: usize| !self.set_is_constant[set_of(&self.tables, place)];
            let (h, chosen) = (self.work.h, self.unsettled.members.iter().copied());
            let chosen = chosen.filter(|&place| varies(place));
            let coefficients = Coefficients {
                jacobian: &self.kinematics.jacobian,
                input: &self.input_output.input,
                values: &self.input_output.values,
            };
            self.delassus.solve_rows(&self.tables, &mut self.systems, coefficients, h, chosen.clone());
            let wanted = |b: usize| members.binary_search(&b).is_ok();
            self.delassus.compute_blocks(&self.tables, coefficients, h, chosen, wanted);
            self.work.matrix_valid = false;
        }
        if !self.work.matrix_valid {
            let (first, unsettled) = (self.work.newton_iterations == 1, &self.unsettled);
            self.problem.assemble(&self.tables, &self.delassus, |set| !first && unsettled.is_settled(set));
            self.work.matrix_valid = true;
        }
    }

    /// The constant part of w, and lambda of the last step (or iteration) as the guess. The rows of sets that
    /// are held are those of the last problem: it has been solved for them.
    pub(super) fn assemble_vector(&mut self, state: &State) {
        let first = self.work.newton_iterations == 1;
        let mut k = 0;
        for &place in self.index_set.members() {
            let unitary = &self.tables.unitary[place];
            let entry = &self.tables.interactions[unitary.interaction];
            let is_held = !first && self.unsettled.is_settled(entry.set);
            for row in unitary.rows.clone() {
                if !is_held {
                    let part = self.constant_part(unitary.interaction, (row, unitary.rows.start), state);
                    self.work.constant_part[row] = part;
                }
                self.problem.q[k] = self.work.constant_part[row];
                self.problem.z[k] = match (entry.kind, first) {
                    (ContactKind::FirstOrder(scheme), true) => {
                        scheme.scale(self.work.h) * state.lambda[0][row]
                    }
                    (ContactKind::FirstOrder(scheme), false) => {
                        scheme.scale(self.work.h) * self.work.force[row]
                    }
                    (_, true) => state.lambda[1][row],
                    (_, false) => self.work.lambda[row],
                };
                k += 1;
            }
        }
    }

    /// The constant part of one row of a unitary relation whose first row is given beside it.
    #[inline]
    fn constant_part(&self, interaction: usize, (row, first_row): (usize, usize), state: &State) -> f64 {
        let (tables, work) = (&self.tables, &self.work);
        let entry = &tables.interactions[interaction];
        if let ContactKind::FirstOrder(_) = entry.kind {
            let (place, states) = ((interaction, row), (&work.v_free[..], &state.v[..]));
            return self.input_output.free_output(tables, place, &self.kinematics.jacobian, states);
        }
        let free = self.kinematics.velocity(tables, interaction, row, &work.v_free);
        let y_dot = state.y[1][row];
        match entry.kind {
            ContactKind::Bilateral | ContactKind::FirstOrder(_) => free,
            ContactKind::Unilateral { restitution, .. } => free + restitution * y_dot,
            ContactKind::Frictional { law, .. } => {
                let is_normal = row == first_row;
                let e = if is_normal { law.restitution() } else { law.tangential_restitution() };
                free + e * y_dot
            }
            ContactKind::Compliant { theta, .. } => {
                let gap = state.y[0][row] - entry.compliant_part(row, &state.lambda[0]);
                free + (gap + work.h * (1.0 - theta) * y_dot) / (work.h * theta)
            }
        }
    }
}

/// The connected set of a unitary relation.
fn set_of(tables: &Tables, place: usize) -> usize {
    tables.interactions[tables.unitary[place].interaction].set
}
