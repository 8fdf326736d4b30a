//! The error measure of Newton's loop, and the impulses that it compares.

use siconos_numerics::linalg::norm;

use super::{Kinematics, TimeStepping, Which};
use crate::error::SimulationError;
use crate::integrator::SystemWork;
use crate::model::{DynamicalSystem, NonSmoothDynamicalSystem};
use crate::nonsmooth_problem::Tables;
use crate::simulation::newton::larger;
use crate::state::State;

impl TimeStepping {
    /// The error measure of Newton's loop; leaves Jacobians and impulses at the new position.
    pub(super) fn newton_error(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &State,
    ) -> Result<f64, SimulationError> {
        let members = self.index_set.members();
        // Contact velocities with the Jacobian that the problem was solved with ..
        for_each_active_row(&self.tables, members, |interaction, row| {
            self.work.y_dot[row] = self.kinematics.velocity(&self.tables, interaction, row, &self.work.v);
        });
        std::mem::swap(&mut self.work.impulse, &mut self.work.impulse_before);
        // .. and with the one at the new position.
        self.kinematics.evaluate(model, &self.tables, Which::Variable, self.work.end(state), &self.work.q)?;
        let work = &mut self.work;
        add_impulses(&self.tables, &self.kinematics, members, &work.lambda, &mut work.impulse);
        let mut change = 0.0_f64;
        for_each_active_row(&self.tables, members, |interaction, row| {
            let velocity = self.kinematics.velocity(&self.tables, interaction, row, &work.v);
            let scale = self.kinematics.velocity_scale(&self.tables, interaction, row, &work.v);
            change = larger(change, (velocity - work.y_dot[row]).abs() / scale.max(f64::MIN_POSITIVE));
        });

        if self.work.has_first_order {
            self.take_newton_step(model, state)?;
        }
        let work = &mut self.work;
        let (mut residual, mut scale) = (0.0_f64, norm(&work.impulse));
        for (block, system_work) in self.tables.blocks.iter().zip(&mut self.systems) {
            let entry = &self.tables.systems[block.systems.start];
            let (positions, dofs) = (entry.positions.clone(), entry.dofs.clone());
            match (model.system(entry.id)?, system_work) {
                (_, SystemWork::FirstOrder(_)) => {}
                (DynamicalSystem::Lagrangian(system), SystemWork::Nonlinear(nonlinear)) => {
                    let times = work.times(entry.scheme.theta(), state);
                    let (q, v) = (&work.q[positions], &work.v[dofs.clone()]);
                    nonlinear.evaluate(system, times, q, v, &state.v[dofs.clone()]);
                    residual += distance_squared(nonlinear.residual(), &work.impulse[dofs]);
                    scale += nonlinear.magnitude(work.h);
                }
                // A linear system solves its equation for the old impulse exactly.
                (_, _) => {
                    residual += distance_squared(&work.impulse_before[dofs.clone()], &work.impulse[dofs]);
                }
            }
        }
        let second_order = larger(residual.sqrt() / scale.max(f64::MIN_POSITIVE), change);
        Ok(larger(second_order, work.residuals.largest()))
    }
}

/// Overwrites `impulse` with the sum of $J^T \lambda$ over the active rows.
pub(super) fn add_impulses(
    tables: &Tables,
    kinematics: &Kinematics,
    members: &[usize],
    lambda: &[f64],
    impulse: &mut [f64],
) {
    impulse.fill(0.0);
    for_each_active_row(tables, members, |interaction, row| {
        let j = kinematics.row(tables, interaction, row);
        for leg in tables.legs_of(interaction) {
            for (p, x) in impulse[leg.dofs.clone()].iter_mut().zip(&j[leg.columns.clone()]) {
                *p += lambda[row] * x;
            }
        }
    });
}

/// Of Lagrangian interactions.
fn for_each_active_row(tables: &Tables, members: &[usize], mut action: impl FnMut(usize, usize)) {
    for &place in members {
        let unitary = &tables.unitary[place];
        if tables.interactions[unitary.interaction].is_first_order() {
            continue;
        }
        for row in unitary.rows.clone() {
            action(unitary.interaction, row);
        }
    }
}

pub(super) fn distance_squared(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum()
}
