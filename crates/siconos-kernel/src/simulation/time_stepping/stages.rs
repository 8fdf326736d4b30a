//! Stages of a step, one public method each. The last stage, `next_step`, is in `end.rs`.

use super::convergence::{ActingRows, IslandError};
use super::goal::{Goal, StepInterval};
use super::problem::coefficients;
use super::resting::{LARGEST_RESOLUTION, RestingContacts};
use super::work::{Stage, StepWorkspace};
use super::{Configuration, TimeStepping, UnconvergedIslands};
use crate::integrator::larger;
use crate::model::NonSmoothDynamicalSystem;
use crate::nonsmooth_problem::{Assembly, NOTHING_TO_SOLVE, UnitaryEntry};
use crate::simulation::{NewtonProgress, Residuals, SimulationError};
use crate::state::{State, StepStamp};

impl TimeStepping {
    /// Begins a step at the time of the state. Returns `false` at the end of the time discretisation.
    ///
    /// If an earlier step was begun but not ended by [`next_step`](Self::next_step), it is discarded.
    ///
    /// # Errors
    ///
    /// If the state belongs to another model or is not at a grid point, if the model cannot be simulated, or
    /// if a W is singular: [`SimulationError`].
    pub fn begin_step(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &mut State,
    ) -> Result<bool, SimulationError> {
        self.forget_waking();
        let has_begun = self.begin(model, state, Goal::NextPoint);
        if has_begun.is_err() {
            state.drop_detected_rows();
            self.undo_waking(state);
        }
        has_begun
    }

    /// Begins a step from the time of the state to `goal`. Returns `false` at the end of the grid.
    // Inlined like the functions below, because the cost of a call is noticeable in the step of a small
    // model.
    #[inline(always)]
    pub(super) fn begin(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &mut State,
        goal: Goal,
    ) -> Result<bool, SimulationError> {
        self.work.stage = Stage::Idle;
        self.synchronise(model, state)?;
        let Some(StepInterval { step, to, h }) = goal.from(state, self.discretisation())? else {
            return Ok(false);
        };
        let work = &mut self.work;
        (work.step, work.t_k, work.t_kp1, work.h) = (step, state.t, to, h);
        if self.detected.is_some() {
            self.wake_bodies(model, state);
            self.detect_contacts(model, state)?;
        }
        self.begin_iterate(state);
        if !self.nonlinearities.is_constant() {
            // No state is recorded for the relations, because they are evaluated at iterates until the step
            // ends.
            self.work.relations_of = StepStamp::default();
        }
        if self.work.has_two_step {
            self.work.begin_two_step(&self.tables, state);
        }
        self.unconverged.extrapolated.clear();
        self.unconverged.look_at(&self.tables);
        // An affine model has one iteration, in which no island is frozen.
        if !self.is_affine() || self.unconverged.is_stale() {
            self.begin_islands();
        }
        self.prepare_constant_blocks(state)?;
        self.work.stage = Stage::Begun;
        Ok(true)
    }

    /// Starts the iteration at the predicted positions.
    #[inline(always)]
    pub(super) fn begin_iterate(&mut self, state: &State) {
        if !self.stiffened.is_empty() {
            self.relax_bodies();
        }
        let work = &mut self.work;
        work.newton_iterations = 0;
        work.falls_short = false;
        if !self.nonlinearities.is_affine() {
            work.v.copy_from_slice(&state.v);
            let target = (&mut work.displacement[..], &mut work.q[..]);
            self.tables.advance(&state.q, target, &state.v, &state.v, work.h);
        }
        if let Some(projector) = &mut self.projector {
            projector.begin_step();
        }
    }

    /// Starts the Newton iteration with all islands unconverged.
    #[inline(never)]
    pub(super) fn begin_islands(&mut self) {
        self.unconverged.begin(&self.tables, self.problem.islands(), self.index_set.members());
        self.work.island_errors.fill(IslandError::default());
        if let Some(sleeper) = &self.sleeper {
            self.unconverged.freeze(&self.tables, self.problem.islands(), |island| sleeper.holds(island));
        }
    }

    /// Selects the index set I_1 from the predicted gaps, before or after
    /// [`compute_free_step`](Self::compute_free_step). The rounding error of a gap depends on the free
    /// velocities, which are computed first if necessary.
    ///
    /// # Errors
    ///
    /// If the stage is called out of order: [`SimulationError::OutOfOrder`]. Otherwise as for
    /// [`compute_free_step`](Self::compute_free_step).
    pub fn update_index_sets(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &State,
    ) -> Result<(), SimulationError> {
        self.expect("update_index_sets", &[Stage::Begun, Stage::FreeOnly], model, state)?;
        let is_free = self.work.stage == Stage::FreeOnly;
        if !is_free {
            self.move_freely(state)?;
            self.check_finite("free velocity", |work| &work.v_free)?;
        }
        self.choose_active_set(state);
        self.work.stage = if is_free { Stage::FreeStep } else { Stage::IndexSets };
        Ok(())
    }

    /// Implements [`update_index_sets`](Self::update_index_sets) after the free step.
    #[inline(always)]
    pub(super) fn choose_active_set(&mut self, state: &State) {
        let [y, y_dot, _] = &state.y;
        let (v_free, h) = (&self.work.v_free[..], self.work.h);
        self.kinematics.measure(&self.tables, &state.q);
        // Fast path: most gaps exceed the rounding error of any gap and the largest gap of a contact at rest.
        let (largest, largest_speed) = match self.nonlinearities.is_constant() && self.tables.has_gaps {
            true => (
                self.kinematics.largest_squared_rounding(&state.q, v_free, h),
                LARGEST_RESOLUTION * self.kinematics.largest_fall((&state.v, v_free)),
            ),
            false => (f64::INFINITY, f64::INFINITY),
        };
        let rest = RestingContacts {
            problem: &self.problem,
            tables: &self.tables,
            kinematics: &self.kinematics,
            state,
            v_free,
            h,
            largest_speed,
        };
        let is_closed = |unitary: &UnitaryEntry, gap: f64| {
            (gap * gap <= largest && gap <= rest.rounding(unitary.first_row())) || rest.includes(unitary)
        };
        let held = self.sleeper.as_ref().map_or(&[][..], |sleeper| sleeper.held_interactions());
        let has_changed = self.index_set.update(&self.tables, h, (y, y_dot), held, is_closed);
        self.work.added_speeds.clear();
        rest.close(self.index_set.members(), &mut self.work.added_speeds);
        self.follow_index_set(has_changed);
    }

    /// Updates the one-step problems after a change of the index set.
    #[inline(always)]
    pub(super) fn follow_index_set(&mut self, has_changed: bool) {
        if has_changed {
            let (removed, added) = self.index_set.change();
            self.problem.change_members(&self.tables, removed, added);
            self.work.matrix_valid = false;
        }
        if !self.renewed.is_empty() {
            self.problem.renew_members(&self.tables, &mut self.renewed);
            self.work.matrix_valid = false;
        }
        if has_changed && !self.is_affine() {
            self.begin_islands();
        } else if has_changed {
            self.unconverged.take_members(self.index_set.members());
        }
    }

    /// Computes the velocities without reactions of contacts and joints. The velocities of linear systems are
    /// computed only in the first Newton iteration.
    ///
    /// # Errors
    ///
    /// If the stage is called out of order: [`SimulationError::OutOfOrder`]. If a W is singular or a value is
    /// not finite: another [`SimulationError`].
    pub fn compute_free_step(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &State,
    ) -> Result<(), SimulationError> {
        let stages = [Stage::Begun, Stage::IndexSets, Stage::Updated];
        self.expect("compute_free_step", &stages, model, state)?;
        if self.work.stage == Stage::IndexSets {
            // `update_index_sets` has already computed the free velocities.
            self.work.stage = Stage::FreeStep;
            return Ok(());
        }
        let is_first = self.work.stage == Stage::Begun;
        self.move_freely(state)?;
        if is_first {
            self.check_finite("free velocity", |work| &work.v_free)?;
            self.work.stage = Stage::FreeOnly;
        }
        Ok(())
    }

    /// Implements [`compute_free_step`](Self::compute_free_step) without the check of the call order.
    #[inline(always)]
    pub(super) fn move_freely(&mut self, state: &State) -> Result<(), SimulationError> {
        let first = self.work.newton_iterations == 0;
        self.work.newton_iterations += 1;
        if self.work.has_first_order {
            self.evaluate_relations(state, first);
        }
        self.free_motion(state, first)?;
        self.work.stage = Stage::FreeStep;
        Ok(())
    }

    /// Assembles and solves the one-step problem of the index set I_1.
    ///
    /// # Errors
    ///
    /// If the stage is called out of order: [`SimulationError::OutOfOrder`]. If the solver fails, or does not
    /// converge under the policy [`OnNonConvergence::Fail`](crate::simulation::OnNonConvergence::Fail):
    /// another [`SimulationError`].
    pub fn compute_one_step_ns_problem(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &State,
    ) -> Result<(), SimulationError> {
        self.expect("compute_one_step_ns_problem", &[Stage::FreeStep], model, state)?;
        self.solve_contacts(state)
    }

    /// Implements [`compute_one_step_ns_problem`](Self::compute_one_step_ns_problem) without the check of the
    /// call order.
    #[inline(always)]
    pub(super) fn solve_contacts(&mut self, state: &State) -> Result<(), SimulationError> {
        let first = self.work.newton_iterations == 1;
        if first && !self.nonlinearities.is_constant() {
            let q = if self.jacobian_at_beginning() { &state.q } else { &self.work.q };
            let curved = &self.unconverged.curved;
            let end = Configuration { at: self.work.end(state), q };
            let middle = Configuration { at: self.work.middle(state), q: &state.q };
            self.kinematics.evaluate_iterate(&self.tables, &self.threads, curved, end, middle);
            if !self.unconverged.extrapolated.is_empty() {
                self.evaluate_extrapolated(state);
            }
            self.measure_springs(state);
        }
        if !first && self.unconverged.members.is_empty() {
            // The islands that have not converged have no active contacts.
            self.work.stage = Stage::Solved;
            return Ok(());
        }
        if first {
            self.work.lambda.fill(0.0);
        }
        let solved = match self.index_set.members() {
            // Without active contacts, the velocity equals the free velocity, which `update` checks.
            [] => NOTHING_TO_SOLVE,
            _ => {
                self.check_finite("free velocity", |work| &work.v_free)?;
                match self.solve_problem(state)? {
                    // Obstacles on both sides of a body can overlap it, and no velocity removes both
                    // overlaps.
                    solved if !solved.status.is_success() && self.work.added_speeds.drop_removing() => {
                        self.solve_problem(state)?
                    }
                    solved => solved,
                }
            }
        };
        let members = self.index_set.members().len();
        tracing::trace!(members, status = %solved.status, iterations = solved.iterations, error = solved.error, "solved");
        self.work.solve = solved;
        self.work.is_restarted = !solved.status.is_success() && self.extrapolate_unsolved_loops(state);
        if !self.work.is_restarted {
            self.report_solver_failure(solved)?;
        }
        self.work.stage = Stage::Solved;
        Ok(())
    }

    /// Computes velocities and positions from lambda, and the error of the Newton iteration. If the iteration
    /// has converged, [positions are projected](crate::integrator::Projection).
    ///
    /// The step restarts in two cases: if contacts join the active set after the projection, and near a
    /// [singular configuration](crate::simulation::NewtonSettings#singular-configurations-of-closed-loops) of
    /// a closed loop of joints. The returned progress is then not converged, and another iteration must
    /// follow.
    ///
    /// # Errors
    ///
    /// If the stage is called out of order: [`SimulationError::OutOfOrder`]. If a value is not finite:
    /// another [`SimulationError`]. Under the policy
    /// [`OnNonConvergence::Fail`](crate::simulation::OnNonConvergence::Fail), also
    /// [`SimulationError::SingularLoop`] and [`SimulationError::NotProjected`].
    pub fn update(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &State,
    ) -> Result<NewtonProgress, SimulationError> {
        self.expect("update", &[Stage::Solved], model, state)?;
        self.apply_reactions(state)
    }

    /// Implements [`update`](Self::update) without the check of the call order.
    #[inline(always)]
    pub(super) fn apply_reactions(&mut self, state: &State) -> Result<NewtonProgress, SimulationError> {
        if std::mem::take(&mut self.work.is_restarted) {
            self.restart(state);
            self.work.stage = Stage::Updated;
            return Ok(self.newton_progress());
        }
        let work = &mut self.work;
        let UnconvergedIslands { blocks, members, .. } = &self.unconverged;
        if work.newton_iterations == 1 {
            work.v.copy_from_slice(&work.v_free);
            work.impulse.fill(0.0);
        } else {
            for &block in blocks {
                let dofs = self.tables.blocks[block].dofs.range();
                work.v[dofs.clone()].copy_from_slice(&work.v_free[dofs.clone()]);
                work.impulse[dofs].fill(0.0);
            }
        }
        let has_mixed = self.problem.has_mixed();
        for &place in members {
            if has_mixed && self.problem.is_mixed(place) {
                continue;
            }
            for at in self.tables.unitary[place].rows.iter() {
                let lambda = work.lambda[at.index()];
                if lambda != 0.0 {
                    self.delassus.response(&self.tables, at).add_to(lambda, &mut work.v);
                }
            }
        }
        if has_mixed {
            let StepWorkspace { v, displacement, lambda, h, newton_iterations, .. } = &mut *work;
            let coefficients = coefficients(&self.kinematics, &self.input_output);
            let is_held = |island| *newton_iterations > 1 && self.unconverged.is_settled(island);
            let from = Assembly {
                tables: &self.tables,
                threads: &self.threads,
                delassus: &mut self.delassus,
                systems: &mut self.systems,
                coefficients,
                h: *h,
            };
            self.problem.add_motion(from, lambda, (displacement, v), is_held);
        }
        // The values of frozen islands do not change.
        let h = work.h;
        if self.tables.has_positions() {
            let StepWorkspace { q, v, displacement, .. } = &mut *work;
            self.tables.advance(&state.q, (displacement, q), v, &state.v, h);
            let acting = ActingRows {
                tables: &self.tables,
                kinematics: &self.kinematics,
                input_output: &self.input_output,
                h,
            };
            acting.add_impulses(members, &work.lambda, &mut work.impulse);
        }
        if work.has_first_order {
            work.update_multipliers(&self.tables);
        }
        if self.half_explicit.is_some() {
            self.step_half_explicit(state)?;
        }
        self.check_finite("velocity", |work| &work.v)?;
        if !self.is_affine() {
            self.measure_islands(state);
            if self.restart_at_singular_loops(state)? {
                self.work.stage = Stage::Updated;
                return Ok(self.newton_progress());
            }
            self.settle_islands();
        }
        if let Some(energy) = &mut self.energy {
            let acting = ActingRows {
                tables: &self.tables,
                kinematics: &self.kinematics,
                input_output: &self.input_output,
                h,
            };
            energy.measure_reactions(acting, self.index_set.members(), &self.work, state);
        }
        let mut progress = self.newton_progress();
        if progress.converged && self.projector.is_some() {
            self.project(state)?;
            if self.take_in_overlapping(state) {
                progress = NewtonProgress { iterations: 0, converged: false, ..progress };
            }
        }
        if !self.is_affine() {
            let NewtonProgress { iterations, error, first_order: Residuals { x, y, r, taken }, .. } =
                progress;
            tracing::trace!(iterations, error, x, y, r, taken, "Newton");
        }
        self.work.stage = Stage::Updated;
        Ok(progress)
    }

    /// Returns the progress of the Newton iteration, with the largest error of all islands.
    pub(super) fn newton_progress(&self) -> NewtonProgress {
        let iterations = self.work.newton_iterations;
        let (mut error, mut first_order) = (0.0, Residuals::default());
        if self.is_affine() {
            return NewtonProgress { iterations, error, first_order, converged: true };
        }
        for island in self.work.island_errors.iter() {
            error = larger(error, island.largest);
            first_order = first_order.worse(island.first_order);
        }
        NewtonProgress { iterations, error, first_order, converged: self.unconverged.islands.is_empty() }
    }
}
