//! Error of the Newton iteration in each island, and the impulses from which it is computed.

use super::{Configuration, ContactJacobian, InputOutput, Kinematics, StepWorkspace, TimeStepping};
use crate::index::{RowIndex, Table};
use crate::integrator::{Impulses, ROUNDINGS, Response, SystemWorkspace, larger};
use crate::nonsmooth_problem::{Block, BlockIndex, Tables, UnitaryIndex};
use crate::simulation::Residuals;
use crate::state::State;

/// Contact velocity whose relative change in an iteration exceeds the tolerance. The change is relative to
/// the terms of the velocity.
#[derive(Clone, Copy, Debug)]
pub(super) struct VelocityChange {
    island: BlockIndex,
    row: RowIndex,
    change: f64,
    relative: f64,
}

/// Error of an island.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct IslandError {
    /// Largest error of the island.
    pub(super) largest: f64,
    /// Residuals of first-order systems, and the fraction of the Newton step that was taken.
    pub(super) first_order: Residuals,
}

/// Number of iterations without a decrease of the error after which the remaining error is attributed to the
/// limited accuracy of the functions of the model.
const STAGNATION: usize = 3;

/// Maximum error that is attributed to the limited accuracy of the functions of the model, as a multiple of
/// the tolerance.
const LARGEST_ROUNDING: f64 = 1e3;

/// Changes of contact velocities below this fraction of the error of the one-step problem are ignored.
const IRRELEVANT: f64 = 1e-3;

/// Smallest error of an island in this step, and the number of iterations since it was reached.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BestError {
    error: f64,
    age: usize,
}

impl BestError {
    fn note(&mut self, error: f64, is_first: bool) {
        let age = if is_first || error < self.error { 0 } else { self.age + 1 };
        *self = if age == 0 { Self { error, age } } else { Self { age, ..*self } };
    }

    /// Returns `true` if the error exceeds the tolerance but cannot be reduced further. Newton's method
    /// reduces the error in every iteration until the rounding errors of functions or of differences
    /// dominate.
    fn is_final(&self, error: f64, tolerance: f64) -> bool {
        self.age >= STAGNATION && error <= LARGEST_ROUNDING * tolerance
    }
}

impl IslandError {
    fn add(&mut self, error: f64) {
        self.largest = larger(self.largest, error);
    }
}

impl TimeStepping {
    /// Computes the errors of the islands that have not converged. Evaluates Jacobians and impulses at the
    /// new position.
    pub(super) fn measure_islands(&mut self, state: &State) {
        // Linear islands are exact after one iteration.
        let islands = self.problem.islands();
        self.unconverged.freeze(&self.tables, islands, |island| islands.at(island).is_affine);
        for &island in &self.unconverged.islands {
            self.work.island_errors[island] = IslandError::default();
        }
        self.compare_contacts(state);
        if self.work.has_first_order {
            self.take_newton_steps(state);
        }
        self.compare_motions(state);
        if !self.work.suspects.is_empty() {
            self.judge_suspects(state);
        }
        let is_first = self.work.newton_iterations == 1;
        for &island in &self.unconverged.islands {
            self.work.best_errors[island].note(self.work.island_errors[island].largest, is_first);
        }
    }

    /// Freezes the islands that have converged.
    pub(super) fn settle_islands(&mut self) {
        let (work, tolerance) = (&self.work, self.newton.tolerance);
        let has_converged = |island| work.has_converged(island, tolerance);
        self.unconverged.freeze(&self.tables, self.problem.islands(), has_converged);
    }

    /// Computes the changes of the active contact velocities of Lagrangian systems that result from
    /// evaluating the Jacobian at the new position. Each change is relative to the terms of the velocity.
    /// Also computes the impulses at the new position.
    fn compare_contacts(&mut self, state: &State) {
        let (tables, work, members) = (&self.tables, &mut self.work, &self.unconverged.members);
        // Compute the velocities with the Jacobian of the one-step problem.
        for_each_active_row(tables, members, |at| {
            work.y_dot[at.index()] = self.kinematics.velocity(tables, at, &work.v);
        });
        for &block in &self.unconverged.blocks {
            let dofs = tables.blocks[block].dofs.range();
            work.impulse_before[dofs.clone()].copy_from_slice(&work.impulse[dofs.clone()]);
            work.impulse[dofs.clone()].fill(0.0);
            work.impulse_terms[dofs].fill(0.0);
        }
        // Evaluate the Jacobian at the new position.
        if self.newton.contact_jacobian == ContactJacobian::AtEnd {
            let end = Configuration { at: work.end(state), q: &work.q };
            let curved = &self.unconverged.curved;
            let middle = Configuration { at: work.middle(state), q: &state.q };
            self.kinematics.evaluate_iterate(tables, &self.threads, curved, end, middle);
        }
        self.load_springs(state);
        let (tables, islands, work) = (&self.tables, self.problem.islands(), &mut self.work);
        let members = &self.unconverged.members;
        let (kinematics, input_output, h) = (&self.kinematics, &self.input_output, work.h);
        let acting = ActingRows { tables, kinematics, input_output, h };
        acting.add_impulses(members, &work.lambda, &mut work.impulse);
        let tolerance = self.newton.tolerance;
        work.suspects.clear();
        if !self.unconverged.curved.is_empty() {
            work.suspects.reserve(tables.rows.len());
        }
        for_each_active_row(tables, members, |at| {
            let row = at.index();
            let acting = self.kinematics.acting_row(tables, at);
            acting.add_magnitudes_to(work.lambda[row], &mut work.impulse_terms);
            let velocity = self.kinematics.velocity(tables, at, &work.v);
            let scale = self.kinematics.velocity_scale(tables, at, &work.v);
            let change = (velocity - work.y_dot[row]).abs();
            let is_rounding = change <= ROUNDINGS * f64::EPSILON * scale;
            let relative = if is_rounding { 0.0 } else { change / scale.max(f64::MIN_POSITIVE) };
            let island = islands.of_interaction(tables, tables.rows[at].interaction);
            // The comparison is false for NaN, which is therefore examined like a large change.
            if relative <= tolerance {
                work.island_errors[island].add(relative);
            } else {
                work.suspects.push(VelocityChange { island, row: at, change, relative });
            }
        });
    }

    /// Adds the changes of contact velocities above the tolerance to the errors of the islands. If the other
    /// errors of an island are at most [`LARGEST_ROUNDING`] times the tolerance, two kinds of changes are
    /// ignored:
    ///
    /// - Changes that are rounding errors compared with the motion of the island. If nothing moves in the
    ///   direction of a row, for example normal to the plane of a planar mechanism, the terms of the row are
    ///   rounding errors as well.
    /// - Changes far below the error of the one-step problem. Every new solution within the tolerance of the
    ///   solver changes these rows, so they would never converge.
    #[cold]
    fn judge_suspects(&mut self, state: &State) {
        let (tables, islands, work) = (&self.tables, self.problem.islands(), &mut self.work);
        work.suspects.sort_unstable_by_key(|suspect| suspect.island);
        for of_island in work.suspects.chunk_by(|a, b| a.island == b.island) {
            let island = of_island[0].island;
            if work.island_errors[island].largest > LARGEST_ROUNDING * self.newton.tolerance {
                of_island.iter().for_each(|suspect| work.island_errors[island].add(suspect.relative));
                continue;
            }
            let left_by_solver = IRRELEVANT * self.problem.error_of(island).min(self.newton.tolerance);
            let rounding = left_by_solver.max(ROUNDINGS * f64::EPSILON);
            let blocks = &islands.at(island).blocks;
            measure_speeds(tables, &self.systems, blocks, (&work.v, &state.v), &mut work.speeds);
            for suspect in of_island {
                let scale = self.kinematics.row(tables, suspect.row).magnitude(&work.speeds);
                let is_rounding = suspect.change <= rounding * scale;
                work.island_errors[island].add(if is_rounding { 0.0 } else { suspect.relative });
            }
        }
    }

    /// Computes the residuals of the equations of motion of Lagrangian systems, for each degree of freedom.
    fn compare_motions(&mut self, state: &State) {
        let mut errors = std::mem::take(&mut self.work.block_errors);
        let (tables, work, blocks) = (&self.tables, &self.work, &self.unconverged.blocks);
        let own = |place: BlockIndex| Some([place.up_to(place.next()).range()]);
        self.threads.each(
            &mut self.systems,
            [&mut errors[..]],
            blocks,
            own,
            |place, system_work, [error]| {
                let block = &tables.blocks[place];
                let entry = &tables.systems[block.systems.start()];
                let (positions, dofs) = (entry.positions.range(), entry.dofs.range());
                let (v, v_k) = (&work.v[dofs.clone()], &state.v[dofs.clone()]);
                let impulses = Impulses {
                    before: &work.impulse_before[dofs.clone()],
                    now: &work.impulse[dofs.clone()],
                    terms: &work.impulse_terms[dofs],
                };
                error[0] = match system_work {
                    SystemWorkspace::Nonlinear(nonlinear) => {
                        let times = work.times(entry.theta, state);
                        nonlinear.evaluate(times, &work.q[positions], v, v_k);
                        nonlinear.equation_rows(times, v_k, impulses).largest_error()
                    }
                    SystemWorkspace::Body(body) if !body.is_exact() || impulses.before != impulses.now => {
                        let times = work.times(entry.theta, state);
                        if !body.is_affine() {
                            body.evaluate(times, &work.q[positions], v, v_k);
                        }
                        body.equation_rows(times, (v, v_k), impulses).largest_error()
                    }
                    // The equation of motion holds exactly for the impulses `impulses.before`.
                    SystemWorkspace::Linear(linear) if impulses.before != impulses.now => {
                        linear.equation_rows((v, v_k), impulses).largest_error()
                    }
                    SystemWorkspace::TwoStep(linear) if impulses.before != impulses.now => {
                        linear.equation_rows((v, v_k), impulses).largest_error()
                    }
                    SystemWorkspace::Linear(_)
                    | SystemWorkspace::TwoStep(_)
                    | SystemWorkspace::HalfExplicit(_)
                    | SystemWorkspace::Body(_)
                    | SystemWorkspace::FirstOrder(_) => 0.0,
                };
            },
        );
        for &place in blocks {
            self.work.island_errors[self.problem.islands().of_block(place)].add(errors[place.index()]);
        }
        self.work.block_errors = errors;
    }
}

/// Computes the largest kinetic energy of any degree of freedom of an island. Writes to `speeds`, for each
/// degree of freedom, the speed at which it would have this kinetic energy.
pub(super) fn measure_speeds(
    tables: &Tables,
    systems: &Table<Block, SystemWorkspace>,
    blocks: &[BlockIndex],
    (v, v_k): (&[f64], &[f64]),
    speeds: &mut [f64],
) {
    let mut energy = 0.0;
    for &block in blocks {
        let dofs = tables.blocks[block].dofs.range();
        let inertia = &mut speeds[dofs.clone()];
        systems[block].matrix().0.diagonal_into(inertia);
        for ((inertia, v), v_k) in inertia.iter().zip(&v[dofs.clone()]).zip(&v_k[dofs]) {
            energy = larger(energy, inertia.abs() * v.abs().max(v_k.abs()).powi(2));
        }
    }
    for &block in blocks {
        let speeds = speeds[tables.blocks[block].dofs.range()].iter_mut();
        speeds.for_each(|inertia| {
            let speed = (energy / inertia.abs()).sqrt();
            *inertia = if speed < f64::INFINITY { speed } else { 0.0 };
        });
    }
}

impl StepWorkspace {
    /// Returns `true` if the error of an island is within the tolerance or cannot be reduced further.
    pub(super) fn has_converged(&self, island: BlockIndex, tolerance: f64) -> bool {
        let IslandError { largest, first_order } = self.island_errors[island];
        let is_final = || self.best_errors[island].is_final(largest, tolerance);
        first_order.taken == 1.0 && (largest <= tolerance || is_final())
    }
}

/// Rows along which the unknowns of a step of length `h` act.
#[derive(Clone, Copy)]
pub(super) struct ActingRows<'a> {
    pub(super) tables: &'a Tables,
    pub(super) kinematics: &'a Kinematics,
    pub(super) input_output: &'a InputOutput,
    pub(super) h: f64,
}

impl ActingRows<'_> {
    /// Adds the impulses of `members` to `impulse`: $J^T \lambda$ of Lagrangian interactions, and
    /// $h B \lambda$ of mixed interactions. `lambda` contains the unknowns of the one-step problem.
    pub(super) fn add_impulses(self, members: &[UnitaryIndex], lambda: &[f64], impulse: &mut [f64]) {
        let Self { tables, kinematics, input_output, h } = self;
        for_each_active_row(tables, members, |at| {
            let lambda = lambda[at.index()];
            if lambda != 0.0 {
                kinematics.acting_row(tables, at).add_to(lambda, impulse);
            }
        });
        if !tables.has_mixed {
            return;
        }
        for unitary in members.iter().map(|&place| &tables.unitary[place]) {
            if let Some(factor) = tables.factor_of_mixed(unitary.interaction, h) {
                for at in unitary.rows.iter() {
                    tables.row(&input_output.input, at).add_to(factor * lambda[at.index()], impulse);
                }
            }
        }
    }
}

/// Calls `action` for each active row of Lagrangian interactions.
fn for_each_active_row(tables: &Tables, members: &[UnitaryIndex], mut action: impl FnMut(RowIndex)) {
    for &place in members {
        let unitary = &tables.unitary[place];
        if tables.kind_of(unitary).weights().is_none() {
            unitary.rows.iter().for_each(&mut action);
        }
    }
}
