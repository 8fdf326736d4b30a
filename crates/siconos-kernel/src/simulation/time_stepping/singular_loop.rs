//! Steps that end near a singular configuration of a closed loop of joints.
//!
//! At a singular configuration, such as a flat parallelogram, the rows of the joints of a loop are linearly
//! dependent, and two branches of motion meet. If a step ends close to a singular configuration, the
//! equations of the step have a second solution on the other branch. The matrix of the Newton iteration lacks
//! the derivative of $J(q) v$ with respect to q, so the iteration can diverge from the solution on the
//! original branch and converge to the other one. The work of the joint impulses then has the magnitude of
//! the kinetic energy. Over a step that stays on its branch, this work is only of order 3 in h.
//!
//! The step is then repeated by the midpoint rule, with the Jacobian J of the joints at the midpoint of the
//! step, which is extrapolated from the beginning of the step: $q = q_k + h v_k / 2$. The joints require
//! $J (v_k + v_{k+1}) / 2 = 0$ and react along J, so their impulses do no work. J need not have full rank: if
//! the velocities at the beginning are consistent, the right-hand side vanishes in the direction in which J
//! is singular. Near a singular configuration, the equations of redundant joints can be inconsistent, and the
//! one-step problem then has no solution. In this case, the step is also repeated by the midpoint rule.

use super::convergence::measure_speeds;
use super::{Configuration, TimeStepping};
use crate::index::RowIndex;
use crate::integrator::larger;
use crate::nonsmooth_problem::{BlockIndex, UnitaryEntry};
use crate::simulation::SimulationError;
use crate::state::State;

/// Number of iterations that suffice for convergence far from singular configurations.
const USUAL_ITERATIONS: usize = 4;

/// Maximum work of the joint impulses in a step that stays on its branch, as a fraction of the sum of the
/// magnitudes of its terms. In these steps, the fraction is about the square of the rotation \[rad\] in the
/// step. In a step to another branch, it is of the order of 1.
const LARGEST_WORK: f64 = 1.0 / 16.0;

/// Factor by which [`TimeStepping::joint_velocity`] increases the maximum work of the joint impulses, for
/// steps whose initial velocities do not satisfy the joints.
const WORK_PER_VELOCITY: f64 = 8.0;

/// Maximum velocity error of the joints at the beginning of a step by the midpoint rule, relative to the
/// magnitude of its terms if each degree of freedom had the largest kinetic energy in the island. The
/// midpoint rule adds about the square of the rotation in the step, and reverses the initial velocity error.
/// The next ordinary step removes the error, and with it a fraction of the energy that equals the square of
/// this ratio. A loop therefore cannot stay near a singular configuration for many steps.
const LARGEST_VELOCITY: f64 = 1.0 / 1024.0;

impl TimeStepping {
    /// Restarts the step with the midpoint rule for islands in which the Newton iteration converges to
    /// another branch or does not converge. Returns `true` if the step has been restarted.
    pub(super) fn restart_at_singular_loops(&mut self, state: &State) -> Result<bool, SimulationError> {
        if self.work.newton_iterations <= USUAL_ITERATIONS || !self.joints_react_in_middle() {
            return Ok(false);
        }
        let is_last = self.work.newton_iterations >= self.newton.max_iterations;
        let mut restarts = false;
        for place in 0..self.unconverged.islands.len() {
            let island = self.unconverged.islands[place];
            let has_converged = self.work.has_converged(island, self.newton.tolerance);
            if (!has_converged && !is_last) || self.free_joints(island).next().is_none() {
                continue;
            }
            let velocity = self.joint_velocity(island, state);
            let largest_work = LARGEST_WORK.max(WORK_PER_VELOCITY * velocity);
            if !has_converged || self.joint_work(island, state) > largest_work {
                if velocity <= LARGEST_VELOCITY {
                    self.extrapolate_joints(island);
                    restarts = true;
                } else if has_converged {
                    self.report_singular_loop(island)?;
                }
            }
        }
        if restarts {
            self.restart(state);
        }
        Ok(restarts)
    }

    /// Selects the midpoint rule for the islands whose one-step problems have no solution, if all of them
    /// have joints and consistent velocities at the beginning of the step. Returns `true` if the midpoint
    /// rule was selected; the caller must then [restart](Self::restart) the step.
    #[cold]
    pub(super) fn extrapolate_unsolved_loops(&mut self, state: &State) -> bool {
        let unsolved = self.problem.unsolved().to_vec();
        let may_restart = self.joints_react_in_middle()
            && unsolved.iter().all(|&island| {
                self.free_joints(island).next().is_some()
                    && self.joint_velocity(island, state) <= LARGEST_VELOCITY
            });
        if may_restart {
            unsolved.into_iter().for_each(|island| self.extrapolate_joints(island));
        }
        may_restart
    }

    fn extrapolate_joints(&mut self, island: BlockIndex) {
        let joints: Vec<_> = self.free_joints(island).map(|joint| joint.interaction).collect();
        self.unconverged.extrapolate(joints.into_iter());
    }

    /// Restarts the step. The midpoint rule is used for the selected joints.
    pub(super) fn restart(&mut self, state: &State) {
        let (step, t) = (self.work.step, self.work.t_k);
        tracing::debug!(step, t, "a closed loop of joints passes through a singular configuration");
        self.begin_iterate(state);
        self.begin_islands();
    }

    fn report_singular_loop(&mut self, island: BlockIndex) -> Result<(), SimulationError> {
        self.work.falls_short = true;
        let Some(joint) = self.free_joints(island).next() else { return Ok(()) };
        let joint = self.tables.interactions[joint.interaction].id;
        self.go_on_after(SimulationError::SingularLoop { step: self.work.step, t: self.work.t_k, joint })
    }

    /// Returns the magnitude of the work of the joint impulses of an island over the step, divided by the sum
    /// of the magnitudes of the terms of this work.
    fn joint_work(&mut self, island: BlockIndex, state: &State) -> f64 {
        let mut impulse = std::mem::take(&mut self.work.joint_impulse);
        let (tables, work) = (&self.tables, &self.work);
        let systems = || {
            let blocks = self.problem.islands().at(island).blocks.iter();
            blocks.flat_map(|&block| &tables.systems[tables.blocks[block].systems])
        };
        systems().for_each(|entry| impulse[entry.dofs.range()].fill(0.0));
        for row in self.free_joints(island).flat_map(|unitary| unitary.rows.iter()) {
            self.kinematics.acting_row(tables, row).add_to(work.lambda[row.index()], &mut impulse);
        }
        let (mut sum, mut magnitude) = (0.0, 0.0);
        for entry in systems() {
            for dof in entry.dofs.range() {
                let done = impulse[dof] * (entry.theta * work.v[dof] + (1.0 - entry.theta) * state.v[dof]);
                sum += done;
                magnitude += done.abs();
            }
        }
        self.work.joint_impulse = impulse;
        if magnitude == 0.0 { 0.0 } else { sum.abs() / magnitude }
    }

    /// Returns the largest velocity error in the joints of an island at the beginning of the step, relative
    /// to the magnitude of its terms if each degree of freedom had the largest kinetic energy in the island.
    fn joint_velocity(&mut self, island: BlockIndex, state: &State) -> f64 {
        let blocks = &self.problem.islands().at(island).blocks;
        let (work, v_k) = (&mut self.work, &state.v);
        measure_speeds(&self.tables, &self.systems, blocks, (&work.v, v_k), &mut work.speeds);
        let rows = self.free_joints(island).flat_map(|joint| joint.rows.iter());
        let of_row = |row: RowIndex| {
            let scale = self.kinematics.row(&self.tables, row).magnitude(&self.work.speeds);
            let velocity = state.y[1][row.index()].abs();
            if velocity == 0.0 { 0.0 } else { velocity / scale }
        };
        rows.map(of_row).fold(0.0, larger)
    }

    /// Returns the joints of an island that have neither constant Jacobians nor Jacobians evaluated by the
    /// midpoint rule.
    fn free_joints(&self, island: BlockIndex) -> impl Iterator<Item = &UnitaryEntry> {
        let members =
            self.problem.islands().at(island).members.iter().map(|&member| &self.tables.unitary[member]);
        members.filter(|unitary| {
            let place = unitary.interaction;
            self.tables.kind_of(unitary).is_joint
                && !self.tables.interactions[place].constant
                && !self.unconverged.is_extrapolated(place)
        })
    }

    /// Evaluates the Jacobians of joints at the extrapolated midpoint of the step. The laws of these joints
    /// then contain the mean velocity of the step.
    pub(super) fn evaluate_extrapolated(&mut self, state: &State) {
        let Self { tables, kinematics, threads, unconverged, work, .. } = self;
        work.q_middle.resize(state.q.len(), 0.0);
        let target = (&mut work.displacement[..], &mut work.q_middle[..]);
        tables.advance(&state.q, target, &state.v, &state.v, 0.5 * work.h);
        let middle = Configuration { at: work.middle(state), q: &work.q_middle };
        kinematics.evaluate_iterate(tables, threads, &unconverged.extrapolated, middle, middle);
        for &joint in &unconverged.extrapolated {
            for row in tables.interactions[joint].rows.iter() {
                work.added_speeds.set(row, kinematics.velocity(tables, row, &state.v));
            }
        }
    }
}
