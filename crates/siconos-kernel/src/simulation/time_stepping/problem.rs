//! The one-step problem of a step: what is prepared once per step length, its matrix, its vector.

use super::{TimeStepping, singular};
use crate::error::SimulationError;
use crate::integrator::SystemWork;
use crate::model::{DynamicalSystem, NonSmoothDynamicalSystem};
use crate::nonsmooth_problem::ContactKind;
use crate::state::State;

impl TimeStepping {
    /// When the step length is new: factorises W of the linear systems, and computes the Delassus blocks of a linear
    /// model.
    pub(super) fn prepare_linear_systems(
        &mut self,
        model: &NonSmoothDynamicalSystem,
    ) -> Result<(), SimulationError> {
        let work = &self.work;
        if work.h_prepared == work.h {
            return Ok(());
        }
        // Some may succeed before one fails.
        self.work.h_prepared = f64::NAN;
        let work = &self.work;
        for (entry, system_work) in self.tables.systems.iter().zip(&mut self.systems) {
            if let (DynamicalSystem::LagrangianLinear(system), SystemWork::Linear(linear)) =
                (model.system(entry.id)?, system_work)
            {
                linear
                    .prepare(system, work.times(entry.integrator.theta))
                    .map_err(|source| singular(entry.id, work.step, work.t_k, source))?;
            }
        }
        if self.linear {
            let all = 0..self.tables.unitary.len();
            self.delassus.solve_rows(&self.tables, &self.systems, &self.kinematics.jacobian, all.clone());
            self.delassus.compute_blocks(&self.tables, &self.kinematics.jacobian, work.h, all, |_| true);
            self.work.matrix_valid = false;
        }
        self.work.h_prepared = self.work.h;
        Ok(())
    }

    pub(super) fn assemble_matrix(&mut self) {
        let members = self.index_set.members();
        if !self.linear {
            let jacobian = &self.kinematics.jacobian;
            self.delassus.solve_rows(&self.tables, &self.systems, jacobian, members.iter().copied());
            let wanted = |b: usize| members.binary_search(&b).is_ok();
            self.delassus.compute_blocks(
                &self.tables,
                jacobian,
                self.work.h,
                members.iter().copied(),
                wanted,
            );
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
        let [y, y_dot] = &state.y;
        let [force, lambda] = &state.lambda;
        let guess = if work.newton_iterations == 1 { lambda } else { &work.lambda };
        let mut k = 0;
        for &place in self.index_set.members() {
            let unitary = &self.tables.unitary[place];
            let entry = &self.tables.interactions[unitary.interaction];
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
                };
                self.problem.z[k] = guess[row];
                k += 1;
            }
        }
    }
}
