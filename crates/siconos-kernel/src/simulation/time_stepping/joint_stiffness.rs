//! Geometric stiffness of joint reactions in W.
//!
//! In the body frame, the reaction P of a joint at a point a of a body has the moment $a \times R^T P$. The
//! derivative of this moment with respect to the rotation is a stiffness of magnitude
//! $\lvert a \rvert \lvert P \rvert$. If $h^2 \lvert a \rvert \lvert P \rvert$ is not small compared with the
//! moments of inertia, as for light links that carry a heavy load, the Newton iteration without the stiffness
//! converges linearly or diverges. The equations of the step are the same with and without the stiffness.
//!
//! The force at a common point of two bodies does not couple the rotation of one body to the motion of the
//! other body. The stiffness therefore belongs to the W of each body. The geometric stiffness of other joint
//! equations, for example of equal directions, is neglected.

use super::TimeStepping;
use crate::integrator::{FactorError, SystemWorkspace};
use crate::nonsmooth_problem::BlockIndex;
use crate::simulation::SimulationError;
use crate::state::State;

impl TimeStepping {
    /// Computes the geometric stiffness at the iterate for each body that
    /// [yields](crate::integrator::BodyWorkspace::yields_to) to the reaction of a joint. The reactions are
    /// taken from the last iteration, and in the first iteration from the last step. A body that rotates by
    /// less than the tolerance of the Newton iteration has no stiffness, because its moments change by less
    /// than the tolerance.
    pub(super) fn stiffen_bodies(&mut self, state: &State, first: bool) {
        if self.jacobian_at_beginning() {
            return;
        }
        let is_in_middle = self.joints_react_in_middle();
        let (islands, tolerance) = (self.problem.islands(), self.newton.tolerance);
        let Self { tables, kinematics, systems, work, unconverged, stiffened, .. } = self;
        let (multipliers, per_impulse) = if first { (&state.lambda[2], work.h) } else { (&work.lambda, 1.0) };
        // Rotation of the body from the start of the step to the position at which the reaction acts, divided
        // by the angular velocity at the end of the step.
        let rotation = |block: BlockIndex| {
            let theta = tables.systems[tables.blocks[block].systems.start()].theta;
            if is_in_middle { 0.5 * work.h * theta } else { work.h * theta }
        };
        let is_held = |block: BlockIndex| !first && unconverged.is_settled(islands.of_block(block));
        let joints = || {
            kinematics.common_points().filter_map(|(place, anchors)| {
                let entry = &tables.interactions[place];
                let first_row = entry.rows.start().index();
                let is_joint = !entry.is_gone() && tables.kind(entry.kind).is_joint;
                let follows_bodies = is_joint && !unconverged.is_extrapolated(place);
                follows_bodies.then(|| {
                    let impulse: [f64; 3] = std::array::from_fn(|i| per_impulse * multipliers[first_row + i]);
                    (tables.incidences_of(place).iter().zip(anchors), impulse)
                })
            })
        };
        for &block in stiffened.iter().filter(|&&block| !is_held(block)) {
            if let SystemWorkspace::Body(body) = &mut systems[block] {
                body.begin_stiffness();
            }
        }
        for (bodies, impulse) in joints() {
            let size: f64 = impulse.iter().map(|x| x.abs()).sum();
            for (incidence, anchor) in bodies {
                let (block, omega) = (incidence.block, &work.v[incidence.dofs.range()][3..]);
                if let SystemWorkspace::Body(body) = &mut systems[block]
                    && body.yields_to(anchor, rotation(block) * size)
                    && omega.iter().any(|omega| work.h * omega.abs() > tolerance)
                    && !body.is_stiffened()
                    && !is_held(block)
                {
                    body.begin_stiffness();
                    stiffened.push(block);
                }
            }
        }
        if stiffened.is_empty() {
            return;
        }
        for (bodies, impulse) in joints() {
            for ((incidence, anchor), sign) in bodies.zip([1.0, -1.0]) {
                let block = incidence.block;
                if let SystemWorkspace::Body(body) = &mut systems[block]
                    && body.is_stiffened()
                    && !is_held(block)
                {
                    let force = impulse.map(|x| sign * rotation(block) * x);
                    body.add_stiffness(&work.q[incidence.positions.range()], anchor, force);
                }
            }
        }
        for &block in stiffened.iter().filter(|&&block| !is_held(block)) {
            if let SystemWorkspace::Body(body) = &mut systems[block] {
                body.end_stiffness();
            }
        }
    }

    /// Removes the geometric stiffness of the last step from W.
    pub(super) fn relax_bodies(&mut self) {
        for block in self.stiffened.drain(..) {
            if let SystemWorkspace::Body(body) = &mut self.systems[block] {
                body.relax();
            }
        }
    }

    /// Removes the geometric stiffness from W at the iterate of a step that has converged, because positions
    /// are projected with W without the stiffness.
    pub(super) fn relax_bodies_at_iterate(&mut self, state: &State) -> Result<(), SimulationError> {
        while let Some(block) = self.stiffened.pop() {
            let entry = &self.tables.systems[self.tables.blocks[block].systems.start()];
            let times = self.work.times(entry.theta, state);
            if let SystemWorkspace::Body(body) = &mut self.systems[block] {
                body.relax_at_iterate(times, &state.v[entry.dofs.range()])
                    .map_err(|source| self.work.not_factored(entry.id, FactorError::Singular(source)))?;
            }
        }
        Ok(())
    }
}
