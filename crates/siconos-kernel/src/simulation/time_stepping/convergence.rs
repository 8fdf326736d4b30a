//! The error of Newton's loop, island by island, and the impulses that it compares.

use super::{Configuration, ContactJacobian, Kinematics, StepWork, TimeStepping};
use crate::index::{RowPlace, Table};
use crate::integrator::{Impulses, ROUNDINGS, Response, SystemWork, larger};
use crate::nonsmooth_problem::{Block, BlockPlace, Tables, UnitaryPlace};
use crate::simulation::Residuals;
use crate::state::State;

/// A contact velocity that changes by more than the tolerance beside its own terms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Suspect {
    island: BlockPlace,
    row: RowPlace,
    change: f64,
    relative: f64,
}

/// How far an island is from solving its equations.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct IslandError {
    /// The largest of all.
    pub(super) largest: f64,
    /// The residuals of first-order systems, and the part of the Newton step that was taken.
    pub(super) first_order: Residuals,
}

/// An error that does not fall in so many iterations has come to what the functions of the model are exact
/// to.
const STAGNATION: usize = 3;

/// The largest multiple of the tolerance that is taken for that.
const LARGEST_ROUNDING: f64 = 1e3;

/// Fraction of the error of the one-step problem below which a change of a contact velocity is irrelevant.
const IRRELEVANT: f64 = 1e-3;

/// The smallest error of an island in this step, and how many iterations it is old.
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

    /// Whether an error above the tolerance is one that no iteration makes smaller: Newton's method gains
    /// digits in every iteration until the rounding of functions, or of differences, takes them.
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
    /// Measures the islands that Newton's loop works on; leaves Jacobians and impulses at the new position.
    pub(super) fn measure_islands(&mut self, state: &State) {
        // Where everything is linear one iteration is exact.
        let islands = self.problem.islands();
        self.unsettled.settle(&self.tables, islands, |island| islands.at(island).is_affine);
        for &island in &self.unsettled.islands {
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
        for &island in &self.unsettled.islands {
            self.work.best_errors[island].note(self.work.island_errors[island].largest, is_first);
        }
    }

    /// Holds the islands that have converged.
    pub(super) fn settle_islands(&mut self) {
        let (work, tolerance) = (&self.work, self.newton.tolerance);
        let has_converged = |island| work.has_converged(island, tolerance);
        self.unsettled.settle(&self.tables, self.problem.islands(), has_converged);
    }

    /// The change of each active contact velocity of Lagrangian systems when the Jacobian is that at the new
    /// position, relative to its own terms; and the impulses there.
    fn compare_contacts(&mut self, state: &State) {
        let (tables, work, members) = (&self.tables, &mut self.work, &self.unsettled.members);
        // With the Jacobian that the problem was solved with ..
        for_each_active_row(tables, members, |at| {
            work.y_dot[at.index()] = self.kinematics.velocity(tables, at, &work.v);
        });
        for &block in &self.unsettled.blocks {
            let dofs = tables.blocks[block].dofs.range();
            work.impulse_before[dofs.clone()].copy_from_slice(&work.impulse[dofs.clone()]);
            work.impulse[dofs.clone()].fill(0.0);
            work.impulse_terms[dofs].fill(0.0);
        }
        // .. and with the one at the new position.
        if self.newton.contact_jacobian == ContactJacobian::AtEnd {
            let end = Configuration { at: work.end(state), q: &work.q };
            let curved = &self.unsettled.curved;
            let middle = Configuration { at: work.middle(state), q: &state.q };
            self.kinematics.evaluate_iterate(tables, &self.threads, curved, end, middle);
        }
        self.load_springs(state);
        let (tables, islands, work) = (&self.tables, self.problem.islands(), &mut self.work);
        let members = &self.unsettled.members;
        add_impulses(tables, &self.kinematics, members, &work.lambda, &mut work.impulse);
        let tolerance = self.newton.tolerance;
        work.suspects.clear();
        if !self.unsettled.curved.is_empty() {
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
            // A NaN goes on as well.
            if relative <= tolerance {
                work.island_errors[island].add(relative);
            } else {
                work.suspects.push(Suspect { island, row: at, change, relative });
            }
        });
    }

    /// Adds the changes that are larger than the tolerance. In an island whose other errors may be final,
    /// changes are ignored that are rounding compared with its motion: where nothing moves along a row, as
    /// across the plane of a mechanism, its own terms are rounding as well. So are changes far below the
    /// error that the one-step problem leaves: solved again from a point within its tolerance, it moves such
    /// rows for ever.
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

    /// The residuals of the equations of motion of Lagrangian systems, degree of freedom by degree of
    /// freedom.
    fn compare_motions(&mut self, state: &State) {
        let mut errors = std::mem::take(&mut self.work.block_errors);
        let (tables, work, blocks) = (&self.tables, &self.work, &self.unsettled.blocks);
        let own = |place: BlockPlace| Some([place.up_to(place.next()).range()]);
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
                    SystemWork::Nonlinear(nonlinear) => {
                        let times = work.times(entry.theta, state);
                        nonlinear.evaluate(times, &work.q[positions], v, v_k);
                        nonlinear.equation_rows(times, v_k, impulses).largest_error()
                    }
                    SystemWork::Body(body) if !body.is_exact() || impulses.before != impulses.now => {
                        let times = work.times(entry.theta, state);
                        if !body.is_affine() {
                            body.evaluate(times, &work.q[positions], v, v_k);
                        }
                        body.equation_rows(times, (v, v_k), impulses).largest_error()
                    }
                    // The equation holds exactly for the impulse before.
                    SystemWork::Linear(linear) if impulses.before != impulses.now => {
                        linear.equation_rows((v, v_k), impulses).largest_error()
                    }
                    SystemWork::TwoStep(linear) if impulses.before != impulses.now => {
                        linear.equation_rows((v, v_k), impulses).largest_error()
                    }
                    SystemWork::Linear(_)
                    | SystemWork::TwoStep(_)
                    | SystemWork::HalfExplicit(_)
                    | SystemWork::Body(_)
                    | SystemWork::FirstOrder(_) => 0.0,
                };
            },
        );
        for &place in blocks {
            self.work.island_errors[self.problem.islands().of_block(place)].add(errors[place.index()]);
        }
        self.work.block_errors = errors;
    }
}

/// Writes how fast each degree of freedom of an island is with the energy of the fastest.
pub(super) fn measure_speeds(
    tables: &Tables,
    systems: &Table<Block, SystemWork>,
    blocks: &[BlockPlace],
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

impl StepWork {
    /// Returns `true` if the error of an island is within the tolerance, or does not decrease any more.
    pub(super) fn has_converged(&self, island: BlockPlace, tolerance: f64) -> bool {
        let IslandError { largest, first_order } = self.island_errors[island];
        let is_final = || self.best_errors[island].is_final(largest, tolerance);
        first_order.taken == 1.0 && (largest <= tolerance || is_final())
    }
}

/// Adds $J^T \lambda$ of the active rows.
pub(super) fn add_impulses(
    tables: &Tables,
    kinematics: &Kinematics,
    members: &[UnitaryPlace],
    lambda: &[f64],
    impulse: &mut [f64],
) {
    for_each_active_row(tables, members, |at| {
        let lambda = lambda[at.index()];
        if lambda != 0.0 {
            kinematics.acting_row(tables, at).add_to(lambda, impulse);
        }
    });
}

/// Of Lagrangian interactions.
fn for_each_active_row(tables: &Tables, members: &[UnitaryPlace], mut action: impl FnMut(RowPlace)) {
    for &place in members {
        let unitary = &tables.unitary[place];
        if tables.kind_of(unitary).weights().is_none() {
            unitary.rows.iter().for_each(&mut action);
        }
    }
}
