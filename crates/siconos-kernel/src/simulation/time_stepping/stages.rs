//! The single steps of time-stepping, one public method each.

use siconos_numerics::SolverError;
use siconos_numerics::linalg::{SingularMatrix, norm};

use super::work::Stage;
use super::{Kinematics, Motion, OnNonConvergence, StepReport, TimeStepping, Which};
use crate::error::SimulationError;
use crate::integrator::SystemWork;
use crate::model::{DynamicalSystem, DynamicalSystemId, NonSmoothDynamicalSystem};
use crate::nonsmooth_problem::{ContactKind, Tables};
use crate::simulation::NewtonProgress;
use crate::state::State;

impl TimeStepping {
    /// Begins the step from the time of the state; false at the end of the time discretisation.
    ///
    /// A step begun and not ended by [`next_step`](Self::next_step) is forgotten.
    ///
    /// # Errors
    ///
    /// A state of another model or off the grid; a model that cannot be simulated; a singular W.
    pub fn begin_step(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &mut State,
    ) -> Result<bool, SimulationError> {
        self.work.stage = Stage::Idle;
        self.synchronise(model, state)?;
        let k = state.step;
        let (Some(t_k), Some(t_kp1), Some(h)) =
            (self.discretisation.time(k), self.discretisation.time(k + 1), self.discretisation.step_length(k))
        else {
            return Ok(false);
        };
        if t_k != state.t {
            return Err(SimulationError::OtherTime { t: state.t, step: k, expected: t_k });
        }
        let work = &mut self.work;
        (work.step, work.t_k, work.t_kp1, work.h) = (k + 1, t_k, t_kp1, h);
        (work.newton_iterations, work.newton_error) = (0, 0.0);
        for ((q, q_k), v_k) in work.q.iter_mut().zip(&state.q).zip(&state.v) {
            *q = q_k + h * v_k;
        }
        work.v.copy_from_slice(&state.v);
        self.prepare_linear_systems(model)?;
        self.work.stage = Stage::Begun;
        Ok(true)
    }

    /// Chooses I_1 from the predicted gaps.
    ///
    /// # Errors
    ///
    /// [`SimulationError::OutOfOrder`].
    pub fn update_index_sets(
        &mut self,
        _model: &NonSmoothDynamicalSystem,
        state: &State,
    ) -> Result<(), SimulationError> {
        self.expect("update_index_sets", &[Stage::Begun])?;
        let [y, y_dot] = &state.y;
        if self.index_set.update(&self.tables, self.work.h, y, y_dot) {
            self.problem.set_members(&self.tables, self.index_set.members());
            self.work.matrix_valid = false;
        }
        self.work.stage = Stage::IndexSets;
        Ok(())
    }

    /// Computes the velocities without contacts; of linear systems only in the first Newton iteration.
    ///
    /// # Errors
    ///
    /// [`SimulationError::OutOfOrder`], a singular W, a value that is not finite.
    pub fn compute_free_step(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &State,
    ) -> Result<(), SimulationError> {
        self.expect("compute_free_step", &[Stage::IndexSets, Stage::Updated])?;
        let first = self.work.newton_iterations == 0;
        self.work.newton_iterations += 1;
        let work = &mut self.work;
        for (entry, system_work) in self.tables.systems.iter().zip(&mut self.systems) {
            let dofs = entry.dofs.clone();
            let times = work.times(entry.integrator.theta);
            let (q_k, v_k) = (&state.q[dofs.clone()], &state.v[dofs.clone()]);
            let v_free = &mut work.v_free[dofs.clone()];
            match (model.system(entry.id)?, system_work) {
                (DynamicalSystem::LagrangianLinear(system), SystemWork::Linear(linear)) => {
                    if first {
                        linear.free_velocity(system, times, q_k, v_k, v_free);
                    }
                }
                (DynamicalSystem::Lagrangian(system), SystemWork::Nonlinear(nonlinear)) => {
                    if first {
                        nonlinear.begin(system, work.t_k, q_k, v_k);
                        nonlinear.evaluate(system, times, &work.q[dofs.clone()], &work.v[dofs], v_k);
                    }
                    nonlinear
                        .free_velocity(system, times, v_free)
                        .map_err(|source| singular(entry.id, work.step, work.t_k, source))?;
                }
                // Tables and model agree in `synchronise`.
                (_, _) => {}
            }
        }
        self.check_finite("free velocity", |work| &work.v_free)?;
        if first && !self.linear {
            self.kinematics.evaluate(model, &self.tables, Which::Variable, self.work.t_kp1, &self.work.q)?;
        }
        self.work.stage = Stage::FreeStep;
        Ok(())
    }

    /// Assembles and solves the problem of I_1.
    ///
    /// # Errors
    ///
    /// [`SimulationError::OutOfOrder`]; an error of the solver; under the policy
    /// [`OnNonConvergence::Fail`], a solver that does not converge.
    pub fn compute_one_step_ns_problem(
        &mut self,
        _model: &NonSmoothDynamicalSystem,
        state: &State,
    ) -> Result<(), SimulationError> {
        self.expect("compute_one_step_ns_problem", &[Stage::FreeStep])?;
        self.work.lambda.fill(0.0);
        if !self.index_set.members().is_empty() {
            self.assemble_matrix();
            self.assemble_vector(state);
        }
        let solved = self.problem.solve().map_err(|source: SolverError| self.one_step_error(source))?;
        self.work.solve = solved;
        self.report_solver_failure()?;
        let mut z = self.problem.z.iter();
        for &place in self.index_set.members() {
            for (lambda, z) in self.work.lambda[self.tables.unitary[place].rows.clone()].iter_mut().zip(&mut z) {
                *lambda = *z;
            }
        }
        self.work.stage = Stage::Solved;
        Ok(())
    }

    /// Computes velocities and positions from lambda, and the error of Newton's loop.
    ///
    /// # Errors
    ///
    /// [`SimulationError::OutOfOrder`], a value that is not finite.
    pub fn update(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &State,
    ) -> Result<NewtonProgress, SimulationError> {
        self.expect("update", &[Stage::Solved])?;
        let work = &mut self.work;
        work.v.copy_from_slice(&work.v_free);
        for &place in self.index_set.members() {
            let unitary = &self.tables.unitary[place];
            for row in unitary.rows.clone() {
                let lambda = work.lambda[row];
                let w_h = self.delassus.w_h_row(&self.tables, unitary.interaction, row);
                for leg in self.tables.legs_of(unitary.interaction) {
                    for (v, x) in work.v[leg.dofs.clone()].iter_mut().zip(&w_h[leg.columns.clone()]) {
                        *v += lambda * x;
                    }
                }
            }
        }
        for entry in &self.tables.systems {
            let (h, theta) = (work.h, entry.integrator.theta);
            for i in entry.dofs.clone() {
                work.q[i] = state.q[i] + h * (theta * work.v[i] + (1.0 - theta) * state.v[i]);
            }
        }
        add_impulses(&self.tables, &self.kinematics, self.index_set.members(), &work.lambda, &mut work.impulse);
        self.check_finite("velocity", |work| &work.v)?;
        if !self.linear {
            self.work.newton_error = self.newton_error(model, state)?;
        }
        self.work.stage = Stage::Updated;
        let error = self.work.newton_error;
        Ok(NewtonProgress {
            iterations: self.work.newton_iterations,
            error,
            converged: error <= self.newton.tolerance,
        })
    }

    /// Ends the step: the state takes over the iterate.
    ///
    /// # Errors
    ///
    /// [`SimulationError::OutOfOrder`], a gap that is not finite.
    pub fn next_step(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &mut State,
    ) -> Result<StepReport<'_>, SimulationError> {
        self.expect("next_step", &[Stage::Updated])?;
        let work = &mut self.work;
        if work.has_compliance {
            for entry in &self.tables.interactions {
                if let ContactKind::Compliant { .. } = entry.kind {
                    for row in entry.rows.clone() {
                        work.force[row] = work.lambda[row] / work.h;
                    }
                }
            }
        }
        let at = Motion { t: work.t_kp1, q: &work.q, v: &work.v, lambda: &work.force };
        self.kinematics.outputs(model, &self.tables, at, &mut work.y, &mut work.y_dot)?;
        self.check_outputs_finite()?;

        // From here on nothing can fail.
        let work = &mut self.work;
        for (entry, system_work) in self.tables.systems.iter().zip(&mut self.systems) {
            if let SystemWork::Linear(linear) = system_work {
                linear.keep_force(work.t_kp1);
            }
            debug_assert!(entry.dofs.end <= state.q.len(), "tables and state agree");
        }
        let [y, y_dot] = &mut state.y;
        let [force, lambda] = &mut state.lambda;
        std::mem::swap(&mut state.q, &mut work.q);
        std::mem::swap(&mut state.v, &mut work.v);
        std::mem::swap(&mut state.impulse, &mut work.impulse);
        std::mem::swap(y, &mut work.y);
        std::mem::swap(y_dot, &mut work.y_dot);
        std::mem::swap(lambda, &mut work.lambda);
        if work.has_compliance {
            force.copy_from_slice(&work.force);
        }
        state.t = work.t_kp1;
        state.step = work.step;
        work.stage = Stage::Idle;
        Ok(StepReport {
            step: work.step,
            t: work.t_kp1,
            h: work.h,
            active: self.index_set.names(),
            solve: work.solve,
            error: work.solve.error,
            newton_iterations: work.newton_iterations,
            newton_error: work.newton_error,
        })
    }

    /// When the step length is new: factorises W of the linear systems, and computes the Delassus blocks of a linear
    /// model.
    fn prepare_linear_systems(&mut self, model: &NonSmoothDynamicalSystem) -> Result<(), SimulationError> {
        let work = &self.work;
        if work.h_prepared == work.h {
            return Ok(());
        }
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

    fn assemble_matrix(&mut self) {
        let members = self.index_set.members();
        if !self.linear {
            let jacobian = &self.kinematics.jacobian;
            self.delassus.solve_rows(&self.tables, &self.systems, jacobian, members.iter().copied());
            let wanted = |b: usize| members.binary_search(&b).is_ok();
            self.delassus.compute_blocks(&self.tables, jacobian, self.work.h, members.iter().copied(), wanted);
            self.work.matrix_valid = false;
        }
        if !self.work.matrix_valid {
            self.problem.assemble(&self.tables, &self.delassus, members);
            self.work.matrix_valid = true;
        }
    }

    /// The constant part of w, and lambda of the last step (or iteration) as the guess.
    fn assemble_vector(&mut self, state: &State) {
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

    /// The error measure of Newton's loop; leaves Jacobians and impulses at the new position.
    fn newton_error(&mut self, model: &NonSmoothDynamicalSystem, state: &State) -> Result<f64, SimulationError> {
        let members = self.index_set.members();
        // Contact velocities with the Jacobian that the problem was solved with ..
        for_each_active_row(&self.tables, members, |interaction, row| {
            self.work.y_dot[row] = self.kinematics.velocity(&self.tables, interaction, row, &self.work.v);
        });
        std::mem::swap(&mut self.work.impulse, &mut self.work.impulse_before);
        // .. and with the one at the new position.
        self.kinematics.evaluate(model, &self.tables, Which::Variable, self.work.t_kp1, &self.work.q)?;
        let work = &mut self.work;
        add_impulses(&self.tables, &self.kinematics, members, &work.lambda, &mut work.impulse);
        let (mut change, mut largest) = (0.0_f64, 1.0_f64);
        for_each_active_row(&self.tables, members, |interaction, row| {
            let velocity = self.kinematics.velocity(&self.tables, interaction, row, &work.v);
            change = larger(change, (velocity - work.y_dot[row]).abs());
            largest = largest.max(velocity.abs());
        });

        let (mut residual, mut momentum) = (0.0_f64, 0.0_f64);
        for (entry, system_work) in self.tables.systems.iter().zip(&mut self.systems) {
            let dofs = entry.dofs.clone();
            match (model.system(entry.id)?, system_work) {
                (DynamicalSystem::Lagrangian(system), SystemWork::Nonlinear(nonlinear)) => {
                    let times = work.times(entry.integrator.theta);
                    let (q, v) = (&work.q[dofs.clone()], &work.v[dofs.clone()]);
                    nonlinear.evaluate(system, times, q, v, &state.v[dofs.clone()]);
                    residual += distance_squared(nonlinear.residual(), &work.impulse[dofs]);
                    momentum = momentum.max(nonlinear.momentum());
                }
                // A linear system solves its equation for the old impulse exactly.
                (_, _) => residual += distance_squared(&work.impulse_before[dofs.clone()], &work.impulse[dofs]),
            }
        }
        let scale = momentum.max(norm(&work.impulse)).max(1.0);
        Ok(larger(residual.sqrt() / scale, change / largest))
    }

    fn report_solver_failure(&self) -> Result<(), SimulationError> {
        let (info, work) = (self.work.solve, &self.work);
        if info.status.is_success() {
            return Ok(());
        }
        let (step, t) = (work.step, work.t_k);
        match self.on_non_convergence {
            OnNonConvergence::Continue => Ok(()),
            OnNonConvergence::Warn => {
                tracing::warn!(step, t, status = %info.status, error = info.error, "the one-step problem did not converge");
                Ok(())
            }
            OnNonConvergence::Fail => Err(SimulationError::NotConverged {
                step,
                t,
                status: info.status,
                iterations: info.iterations,
                error: info.error,
            }),
        }
    }

    pub(super) fn report_newton_failure(&self, newton: NewtonProgress) -> Result<(), SimulationError> {
        let NewtonProgress { iterations, error, .. } = newton;
        let (step, t) = (self.work.step, self.work.t_k);
        match self.on_non_convergence {
            OnNonConvergence::Continue => Ok(()),
            OnNonConvergence::Warn => {
                tracing::warn!(step, t, iterations, error, "Newton's loop did not converge");
                Ok(())
            }
            OnNonConvergence::Fail => Err(SimulationError::NewtonNotConverged { step, t, iterations, error }),
        }
    }

    fn check_finite(
        &self,
        what: &'static str,
        of: impl Fn(&super::StepWork) -> &[f64],
    ) -> Result<(), SimulationError> {
        let x = of(&self.work);
        let Some(place) = x.iter().position(|x| !x.is_finite()) else { return Ok(()) };
        let entry = self.tables.systems.iter().find(|entry| entry.dofs.contains(&place));
        entry.map_or(Ok(()), |entry| {
            Err(SimulationError::NotFinite {
                system: entry.id,
                what,
                index: place - entry.dofs.start,
                value: x[place],
                step: self.work.step,
                t: self.work.t_k,
            })
        })
    }

    fn check_outputs_finite(&self) -> Result<(), SimulationError> {
        for (what, x) in [("y", &self.work.y), ("velocity of y", &self.work.y_dot)] {
            let Some(place) = x.iter().position(|x| !x.is_finite()) else { continue };
            if let Some(entry) = self.tables.interactions.iter().find(|entry| entry.rows.contains(&place)) {
                return Err(SimulationError::NotFiniteOutput {
                    interaction: entry.id,
                    what,
                    index: place - entry.rows.start,
                    value: x[place],
                    step: self.work.step,
                    t: self.work.t_k,
                });
            }
        }
        Ok(())
    }
}

/// Overwrites `impulse` with the sum of $J^T \lambda$ over the active rows.
fn add_impulses(tables: &Tables, kinematics: &Kinematics, members: &[usize], lambda: &[f64], impulse: &mut [f64]) {
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

fn for_each_active_row(tables: &Tables, members: &[usize], mut action: impl FnMut(usize, usize)) {
    for &place in members {
        let unitary = &tables.unitary[place];
        for row in unitary.rows.clone() {
            action(unitary.interaction, row);
        }
    }
}

fn distance_squared(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum()
}

/// The larger of two numbers, NaN if one is: `f64::max` would hide it.
fn larger(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}

fn singular(system: DynamicalSystemId, step: usize, t: f64, source: SingularMatrix) -> SimulationError {
    SimulationError::SingularIterationMatrix { system, step, t, source }
}
