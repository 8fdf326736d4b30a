//! Projection of positions onto joints and contacts at the end of a step ([`Projection`]).
//!
//! The equations of joints and the gaps of contacts are satisfied by the iteration
//!
//! ```text
//! repeat        y = h(q),  q <- q + W^-1 J^T tau,  0 = y + J W^-1 J^T tau           of equalities,
//!                                                 0 <= y + J W^-1 J^T tau _|_ tau >= 0   of contacts
//! until y is rounding
//! ```
//!
//! Each island has its own iteration. J is evaluated at each q, and W is the matrix of the last iteration of
//! the step. If the projection pushes other contacts into overlap, it is repeated with these contacts. For
//! example, if one end of a body with a small moment of inertia is moved out of an overlap, its other end
//! moves in by the same distance.

mod overlap;

use self::overlap::is_direct_contact;
use super::{Configuration, Kinematics, Motion, StepWorkspace, TimeStepping, UnconvergedIslands};
use crate::index::{RowIndex, Table};
use crate::integrator::{Projection, larger};
use crate::nonsmooth_problem::{
    Assembly, Block, BlockIndex, Coefficients, InteractionIndex, OneStepNonSmoothProblem, Tables,
    UnitaryIndex,
};
use crate::simulation::SimulationError;
use crate::state::State;

/// Maximum number of iterations. Each iteration reduces the error by a factor of the order of the step
/// length, and one iteration usually suffices.
const MOST_ITERATIONS: usize = 20;

/// Compliance of contacts, as a fraction of the inverse of the effective mass at the contact. If a rigid body
/// touches at more points than it has degrees of freedom, the gaps are dependent, and rounding errors make
/// them inconsistent. Rigid contacts would then have no solution. A compliant contact leaves this fraction
/// of its gap, which the next iteration removes.
const SOFTNESS: f64 = 1.0 / (1_u64 << 20) as f64;

/// Compliance of joints, as a fraction of the inverse of the effective mass at the joint. It is small
/// compared with the compliance of contacts. If a joint and a contact share the correction of an overlap, the
/// ratio of the shares is therefore the same for a duplicated joint as for a single joint.
const SOFTNESS_OF_JOINTS: f64 = 1.0 / (1_u64 << 30) as f64;

/// Maximum error that is attributed to rounding if it no longer decreases, as a multiple of the estimated
/// rounding error. User functions can be less accurate than the estimate.
const LARGEST_ROUNDING: f64 = 1024.0;

/// Problem and workspace of the projection of positions.
#[derive(Debug)]
pub(super) struct Projector {
    problem: OneStepNonSmoothProblem,
    /// Model version (`epoch`) for which the problem was set up.
    epoch: Option<u64>,
    /// `true` if there are contacts with `Projection::Combined`.
    takes_overlapping: bool,
    /// `true` if contacts with an impulse are imposed as equalities.
    holds_contacts: bool,
    /// `true` if there are contacts with `Projection::Direct`.
    has_direct_contacts: bool,
    /// `true` if the positions of the step have been projected.
    is_done: bool,
    /// `true` if the projection has changed positions in this step.
    has_displaced: bool,
    members: Vec<UnitaryIndex>,
    before: Vec<UnitaryIndex>,
    overlapping: Vec<UnitaryIndex>,
    /// Contacts outside the index set that the projection has pushed into overlap.
    pushed: Vec<UnitaryIndex>,
    has_moved: bool,
    /// All gaps at the end of the step before the projection.
    gaps_before: Vec<f64>,
    /// Unitary relations that are imposed as equalities: joints, and contacts with an impulse.
    held: Vec<UnitaryIndex>,
    unconverged: Vec<BlockIndex>,
    curved: Vec<InteractionIndex>,
    /// Error of each island, as a multiple of the rounding error.
    errors: Table<Block, f64>,
    /// `true` for each island that has not converged.
    is_unconverged: Table<Block, bool>,
    /// Multipliers, by row.
    multipliers: Vec<f64>,
    gaps: Vec<f64>,
    /// Positions before the projection.
    q_before: Vec<f64>,
    roundings: Vec<f64>,
    displacement: Vec<f64>,
    positions: Vec<f64>,
}

impl Projector {
    pub(super) fn new() -> Result<Self, SimulationError> {
        Ok(Self {
            problem: OneStepNonSmoothProblem::of_positions()?,
            epoch: None,
            takes_overlapping: false,
            holds_contacts: true,
            has_direct_contacts: false,
            is_done: false,
            has_displaced: false,
            members: Vec::new(),
            before: Vec::new(),
            overlapping: Vec::new(),
            pushed: Vec::new(),
            has_moved: false,
            gaps_before: Vec::new(),
            held: Vec::new(),
            unconverged: Vec::new(),
            curved: Vec::new(),
            errors: Table::default(),
            is_unconverged: Table::default(),
            multipliers: Vec::new(),
            gaps: Vec::new(),
            q_before: Vec::new(),
            roundings: Vec::new(),
            displacement: Vec::new(),
            positions: Vec::new(),
        })
    }

    /// Records that a step has begun or has been restarted.
    pub(super) fn begin_step(&mut self) {
        (self.is_done, self.has_displaced) = (false, false);
    }

    /// Returns `true` if the projection has changed positions in this step.
    pub(super) fn has_displaced(&self) -> bool {
        self.has_displaced
    }

    /// Sets up the problem again if the model has changed.
    fn fit(&mut self, tables: &Tables) {
        if self.epoch == Some(tables.epoch) {
            return;
        }
        self.epoch = Some(tables.epoch);
        self.problem.begin(tables);
        self.members.clear();
        let is_in_turn = |unitary| tables.kind_of(unitary).projection == Some(Projection::Combined);
        self.takes_overlapping = tables.unitary.iter().any(is_in_turn);
        self.has_direct_contacts = tables.unitary.iter().any(|unitary| is_direct_contact(tables, unitary));
        self.errors = tables.blocks.iter().map(|_| 0.0).collect();
        self.is_unconverged = tables.blocks.iter().map(|_| false).collect();
        for by_row in [&mut self.multipliers, &mut self.gaps, &mut self.roundings, &mut self.gaps_before] {
            by_row.resize(tables.rows.len(), 0.0);
        }
        self.displacement.resize(tables.dofs, 0.0);
        self.positions.resize(tables.positions, 0.0);
    }

    /// Selects the relations to project, and among them the relations that are imposed as equalities. The
    /// joints of a closed loop at a singular configuration are not projected in this step.
    fn choose(
        &mut self,
        tables: &Tables,
        unconverged: &UnconvergedIslands,
        active: &[UnitaryIndex],
        lambda: &[f64],
    ) {
        std::mem::swap(&mut self.members, &mut self.before);
        let projection = |member: UnitaryIndex| tables.kind_of(&tables.unitary[member]).projection;
        let is_member = |member: &UnitaryIndex| {
            let joint = tables.unitary[*member].interaction;
            projection(*member).is_some() && !unconverged.is_extrapolated(joint)
        };
        self.members.clear();
        self.members.extend(active.iter().copied().filter(is_member));
        if !self.pushed.is_empty() {
            self.members.extend_from_slice(&self.pushed);
            self.members.sort_unstable();
        }
        self.held.clear();
        self.held.extend(self.members.iter().copied().filter(|&member| {
            let row = tables.unitary[member].first_row();
            let has_impulse = projection(member) == Some(Projection::Combined) && lambda[row.index()] > 0.0;
            !tables.rows[row].has_gap || self.holds_contacts && has_impulse
        }));
        if self.members != self.before {
            self.problem.change_members(tables, &self.before, &self.members);
        }
        let held = &self.held;
        self.problem.describe_positions(|member| held.binary_search(&member).is_ok());
        self.unconverged.clear();
        self.unconverged.extend_from_slice(self.problem.islands().active());
        for &island in &self.unconverged {
            self.errors[island] = f64::INFINITY;
            self.is_unconverged[island] = true;
        }
    }

    /// Projects the positions of the iterate. If the projection fails, returns the row with the largest
    /// violation and its y, or `None` if a solver failed.
    ///
    /// A body with more contacts than degrees of freedom cannot keep all of them closed. If contacts with an
    /// impulse cannot end with y = 0, they satisfy the condition of the other contacts.
    fn project(&mut self, of: &mut TimeStepping, state: &State) -> Result<(), Option<(RowIndex, f64)>> {
        self.fit(&of.tables);
        self.holds_contacts = self.takes_overlapping;
        if !self.holds_contacts {
            return self.project_members(of, state);
        }
        self.q_before.clone_from(&of.work.q);
        self.project_members(of, state).or_else(|_| {
            of.work.q.copy_from_slice(&self.q_before);
            self.holds_contacts = false;
            self.project_members(of, state)
        })
    }

    fn project_members(
        &mut self,
        of: &mut TimeStepping,
        state: &State,
    ) -> Result<(), Option<(RowIndex, f64)>> {
        self.pushed.clear();
        if self.has_direct_contacts {
            evaluate_gaps(of, state);
            self.gaps_before.copy_from_slice(&of.work.y);
        }
        for _ in 0..MOST_ITERATIONS {
            self.choose(&of.tables, &of.unconverged, of.index_set.members(), &of.work.lambda);
            self.has_moved = false;
            self.move_out(of, state)?;
            if !self.has_direct_contacts || !self.find_pushed(of, state) {
                break;
            }
        }
        Ok(())
    }

    /// Moves positions until all selected relations are satisfied.
    fn move_out(&mut self, of: &mut TimeStepping, state: &State) -> Result<(), Option<(RowIndex, f64)>> {
        for _ in 0..MOST_ITERATIONS {
            let stuck = self.measure(of, state);
            if stuck.is_some() {
                return Err(stuck);
            }
            if self.unconverged.is_empty() {
                return Ok(());
            }
            // Rounding errors can also make duplicated joints inconsistent.
            if !(self.solve(of, 0.0) || self.solve(of, SOFTNESS_OF_JOINTS)) {
                return Err(None);
            }
            self.displace(of);
            (self.has_moved, self.has_displaced) = (true, true);
        }
        let worst = self.measure(of, state);
        if self.unconverged.is_empty() { Ok(()) } else { Err(worst) }
    }

    /// Evaluates the rows of the islands that have not converged, and removes converged islands from the
    /// list. Returns the row with the largest error of an island whose error is large and no longer
    /// decreases.
    fn measure(&mut self, of: &mut TimeStepping, state: &State) -> Option<(RowIndex, f64)> {
        let TimeStepping { tables, kinematics, work, threads, .. } = of;
        let (tables, end) = (&*tables, work.end(state));
        let (islands, mut stuck) = (self.problem.islands(), None);
        let interactions = self.unconverged.iter().flat_map(|&island| &islands.at(island).interactions);
        self.curved.clear();
        self.curved.extend(interactions.copied().filter(|&place| !tables.interactions[place].constant));
        self.curved.sort_unstable();
        kinematics.evaluate_some(tables, threads, &self.curved, Configuration { at: end, q: &work.q });
        let Self { unconverged, errors, is_unconverged, held, roundings, .. } = self;
        unconverged.retain(|&island| {
            let (mut worst, is_first) = ((None, 0.0, 0.0), errors[island] == f64::INFINITY);
            for &interaction in &islands.at(island).interactions {
                let at = Motion { at: end, q: &work.q, v: &work.v, lambda: &work.force };
                kinematics.output(tables, interaction, at, (&mut work.y, &mut work.y_dot));
            }
            for &member in &islands.at(island).members {
                let is_held = held.binary_search(&member).is_ok();
                let unitary = &tables.unitary[member];
                let count = if tables.rows[unitary.first_row()].has_gap { 1 } else { unitary.rows.len() };
                for row in unitary.rows.iter().take(count) {
                    let y = work.y[row.index()];
                    let off = if is_held { y.abs() } else { larger(-y, 0.0) };
                    let rounding = &mut roundings[row.index()];
                    if is_first {
                        *rounding = rounding_of(tables, kinematics, row, state, work);
                    }
                    let error = off / *rounding;
                    if error > worst.2 || error.is_nan() {
                        worst = (Some(row), y, error);
                    }
                }
            }
            let (row, y, error) = worst;
            let before = std::mem::replace(&mut errors[island], error);
            let falls = error < 0.5 * before;
            if !falls && (error > LARGEST_ROUNDING || error.is_nan()) {
                stuck = stuck.or(row.map(|row| (row, y)));
            }
            is_unconverged[island] = (error > 1.0 && falls) || error.is_nan();
            is_unconverged[island]
        });
        stuck
    }

    /// Solves for the multipliers of the islands that have not converged, with the given compliance of
    /// joints. Returns `true` if the solvers converged.
    fn solve(&mut self, of: &mut TimeStepping, softness_of_joints: f64) -> bool {
        let TimeStepping { tables, kinematics, delassus, systems, work, threads, .. } = of;
        let coefficients = Coefficients {
            softness: SOFTNESS,
            softness_of_joints,
            ..Coefficients::of_jacobian(&kinematics.jacobian)
        };
        let is_unconverged = &self.is_unconverged;
        let is_held = |island: BlockIndex| !is_unconverged[island];
        let from = Assembly { tables, threads, delassus, systems, coefficients, h: work.h };
        self.problem.assemble(from, false, is_held);
        let y = &work.y;
        let vectors = |row: RowIndex, _| (y[row.index()], 0.0);
        let solved = self.problem.solve(threads, is_held, vectors, (&mut self.multipliers, &mut self.gaps));
        solved.is_ok_and(|info| info.status.is_success())
    }

    /// Moves the positions of the islands that have not converged.
    fn displace(&mut self, of: &mut TimeStepping) {
        let TimeStepping { tables, delassus, work, .. } = of;
        for &island in &self.unconverged {
            let blocks = &self.problem.islands().at(island).blocks;
            blocks.iter().for_each(|&block| self.displacement[tables.blocks[block].dofs.range()].fill(0.0));
            for &row in self.problem.rows_of(island) {
                let response = delassus.response(tables, row);
                response.add_to(self.multipliers[row.index()], &mut self.displacement);
            }
            for &block in blocks {
                tables.displace(block, &self.displacement, (&mut self.positions, &mut work.q));
            }
        }
    }
}

/// Writes y of all rows at the positions of the iterate to `work.y`.
fn evaluate_gaps(of: &mut TimeStepping, state: &State) {
    let TimeStepping { tables, kinematics, work, threads, .. } = of;
    let at = Motion { at: work.end(state), q: &work.q, v: &work.v, lambda: &work.force };
    kinematics.outputs(tables, threads, at, (&mut work.y, &mut work.y_dot));
}

/// Returns the rounding error of y of a row: the larger of the rounding errors at the beginning and the end
/// of the step, because the positions at one end can be close to zero.
fn rounding_of(
    tables: &Tables,
    kinematics: &Kinematics,
    row: RowIndex,
    state: &State,
    work: &StepWorkspace,
) -> f64 {
    let at = |q: &[f64]| kinematics.moved_gap_rounding(tables, row, work.t_kp1, q, &work.v_free, work.h);
    at(&state.q).max(at(&work.q))
}

impl TimeStepping {
    /// Projects the positions of the iterate, if an integrator requires the projection and it has not been
    /// done in this step.
    #[inline(never)]
    pub(super) fn project(&mut self, state: &State) -> Result<(), SimulationError> {
        if self.projector.as_ref().is_some_and(|projector| !projector.is_done) {
            self.relax_bodies_at_iterate(state)?;
        }
        let Some(mut projector) = self.projector.take_if(|projector| !projector.is_done) else {
            return Ok(());
        };
        let projected = projector.project(self, state);
        projector.is_done = true;
        self.projector = Some(projector);
        projected.or_else(|worst| self.report_projection_failure(worst))
    }

    fn report_projection_failure(&mut self, worst: Option<(RowIndex, f64)>) -> Result<(), SimulationError> {
        self.work.falls_short = true;
        let (step, t) = (self.work.step, self.work.t_k);
        let off = worst.map(|(row, y)| {
            let entry = &self.tables.interactions[self.tables.rows[row].interaction];
            (entry.id, entry.rows.index_of(row), y)
        });
        self.go_on_after(SimulationError::NotProjected { step, t, off })
    }

    /// Prepares the projection for other detected contacts.
    pub(super) fn expect_other_contacts(&mut self) -> Result<(), SimulationError> {
        if self.tables.has_projections && self.projector.is_none() {
            self.projector = Some(Box::new(Projector::new()?));
        }
        self.projector.iter_mut().for_each(|projector| projector.epoch = None);
        Ok(())
    }

    /// Creates or removes the projector, as the model requires.
    pub(super) fn fit_projector(&mut self, tables: &Tables) -> Result<(), SimulationError> {
        match (&self.projector, tables.has_projections) {
            (None, true) => self.projector = Some(Box::new(Projector::new()?)),
            (Some(_), false) => self.projector = None,
            _ => {}
        }
        Ok(())
    }
}
