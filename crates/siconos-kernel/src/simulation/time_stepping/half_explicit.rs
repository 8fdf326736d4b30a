//! The step of systems whose scheme is half-explicit, [`D1MinusLinear`]: forces at the beginning, forces at
//! the end, impact.
//!
//! It is taken once, beside Newton's loop of the others, with which these systems share no interaction.

use siconos_numerics::SolveInfo;

use super::{Kinematics, Motion, OnNonConvergence, StepWork, TimeStepping};
use crate::error::SimulationError;
use crate::index::{RowPlace, Table};
use crate::integrator::{D1MinusLinear, FactorError, ForceLevel, ROUNDINGS, Response, SystemWork};
use crate::model::At;
use crate::model::relation::ConvectiveScratch;
use crate::nonsmooth_problem::{
    Block, BlockPlace, Coefficients, ContactKind, InteractionPlace, NOTHING_TO_SOLVE,
    OneStepNonSmoothProblem, Tables, UnitaryEntry, UnitaryPlace, together,
};
use crate::simulation::kinematics::RESTING;
use crate::state::State;

/// The problems of a step and their memory.
#[derive(Debug)]
pub(super) struct HalfExplicit {
    forces: OneStepNonSmoothProblem,
    impacts: OneStepNonSmoothProblem,
    /// The change of the model that all of this is for.
    epoch: Option<u64>,
    blocks: Vec<BlockPlace>,
    contacts: Vec<UnitaryPlace>,
    curved: Vec<(InteractionPlace, ConvectiveScratch)>,
    interactions: Vec<InteractionPlace>,
    members: Vec<UnitaryPlace>,
    /// By unitary relation, whether it was closed at the beginning.
    was_closed: Table<UnitaryEntry, bool>,
    /// By island of the impact, whether a contact of it has closed.
    has_closed: Table<Block, bool>,
    /// The point at the end of the step, over all degrees of freedom.
    q: Vec<f64>,
    v: Vec<f64>,
    predicted: Vec<f64>,
    displacement: Vec<f64>,
    /// What the accelerations at one end add to the velocity.
    gain: Vec<f64>,
    impulse: Vec<f64>,
    /// By row: the constant part of a problem, its unknowns, forces and impulses.
    constant: Vec<f64>,
    z: Vec<f64>,
    w: Vec<f64>,
    force: Vec<f64>,
    percussion: Vec<f64>,
    convective: Vec<f64>,
    /// The rows along which the forces act, where these are not those that they hold for.
    acting: Vec<f64>,
    solve: SolveInfo,
}

/// Where a problem of forces is posed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Beginning,
    Final,
}

impl HalfExplicit {
    pub(super) fn new() -> Result<Self, SimulationError> {
        Ok(Self {
            forces: OneStepNonSmoothProblem::of_contacts()?,
            impacts: OneStepNonSmoothProblem::of_contacts()?,
            epoch: None,
            blocks: Vec::new(),
            contacts: Vec::new(),
            curved: Vec::new(),
            interactions: Vec::new(),
            members: Vec::new(),
            was_closed: Table::default(),
            has_closed: Table::default(),
            q: Vec::new(),
            v: Vec::new(),
            predicted: Vec::new(),
            displacement: Vec::new(),
            gain: Vec::new(),
            impulse: Vec::new(),
            constant: Vec::new(),
            z: Vec::new(),
            w: Vec::new(),
            force: Vec::new(),
            percussion: Vec::new(),
            convective: Vec::new(),
            acting: Vec::new(),
            solve: NOTHING_TO_SOLVE,
        })
    }

    /// Finds the systems and contacts of a model that has changed.
    fn fit(&mut self, tables: &Tables) {
        if self.epoch == Some(tables.epoch) {
            return;
        }
        self.epoch = Some(tables.epoch);
        [&mut self.forces, &mut self.impacts].into_iter().for_each(|problem| problem.begin(tables));
        let blocks = tables.blocks.entries().filter(|(_, block)| !block.is_gone());
        self.blocks.clear();
        self.blocks.extend(
            blocks
                .filter(|(_, block)| tables.systems[block.systems.start()].is_half_explicit())
                .map(|(place, _)| place),
        );
        self.contacts.clear();
        let unitary = tables.unitary.entries();
        self.contacts.extend(
            unitary.filter(|(_, it)| scheme_of(tables, it.interaction).is_some()).map(|(place, _)| place),
        );
        self.interactions.clear();
        self.interactions.extend(self.contacts.iter().map(|&contact| tables.unitary[contact].interaction));
        self.interactions.dedup();
        self.curved.clear();
        self.curved.extend(self.interactions.iter().filter_map(|&place| {
            let entry = &tables.interactions[place];
            let scratch = || ConvectiveScratch::new(entry.rows.len(), entry.columns());
            (!entry.constant).then(|| (place, scratch()))
        }));
        self.was_closed = tables.unitary.iter().map(|_| false).collect();
        self.has_closed = tables.blocks.iter().map(|_| false).collect();
        self.q.resize(tables.positions, 0.0);
        let Self { v, predicted, displacement, gain, impulse, .. } = self;
        for by_dof in [v, predicted, displacement, gain, impulse] {
            by_dof.resize(tables.dofs, 0.0);
        }
        let Self { constant, z, w, force, percussion, convective, .. } = self;
        for by_row in [constant, z, w, force, percussion, convective] {
            by_row.resize(tables.rows.len(), 0.0);
        }
    }

    /// Takes the step, for [`write`](Self::write).
    fn step(&mut self, of: &mut TimeStepping, state: &State) -> Result<(), SimulationError> {
        self.fit(&of.tables);
        self.solve = NOTHING_TO_SOLVE;
        let begin = state.at();
        self.v.copy_from_slice(&state.v);
        self.accelerate(of, (begin, &state.q, &state.v))?;
        self.choose_lasting(of, state);
        self.add_forces(of, state, End::Beginning)?;
        self.advance(&of.tables, state, of.work.h);

        let end = of.work.end(state);
        let (q, predicted) = (std::mem::take(&mut self.q), std::mem::take(&mut self.predicted));
        let accelerated = self.accelerate(of, (end, &q, &predicted));
        (self.q, self.predicted) = (q, predicted);
        accelerated?;
        self.choose_closed(of, state);
        self.add_forces(of, state, End::Final)?;
        self.impinge(of, state)
    }

    /// Writes what the accelerations at a point, without the forces of contacts, add to the velocity in half
    /// a step, and adds it.
    fn accelerate(
        &mut self,
        of: &mut TimeStepping,
        (at, q, v): (At<'_>, &[f64], &[f64]),
    ) -> Result<(), SimulationError> {
        let TimeStepping { tables, systems, work, .. } = of;
        for &place in &self.blocks {
            let entry = &tables.systems[tables.blocks[place].systems.start()];
            let (positions, dofs) = (entry.positions.range(), entry.dofs.range());
            let system_work = &mut systems[place];
            let SystemWork::HalfExplicit(mass) = system_work else { continue };
            if let Err(error) = mass.factor(at.parameters(), &q[positions.clone()]) {
                return Err(work.not_factored(entry.id, system_work, FactorError::Singular(error)));
            }
            let gain = &mut self.gain[dofs.clone()];
            mass.forces_into((at, &q[positions], &v[dofs.clone()]), gain);
            mass.respond(gain);
            gain.iter_mut().for_each(|gain| *gain *= 0.5 * work.h);
            self.v[dofs.clone()].iter_mut().zip(gain).for_each(|(v, gain)| *v += *gain);
        }
        Ok(())
    }

    /// Chooses the contacts that are closed at the beginning and last.
    fn choose_lasting(&mut self, of: &mut TimeStepping, state: &State) {
        let Self { members, was_closed, contacts, v, gain, .. } = self;
        let [y, y_dot, _] = &state.y;
        let free = (&v[..], &gain[..], of.work.h);
        let pressed = [&state.lambda[1][..], &state.lambda[2]];
        let point = Point { t: state.t, q: &state.q, v: &state.v, y, y_dot, free, pressed };
        members.clear();
        for &contact in &*contacts {
            was_closed[contact] = point.is_closed(&of.tables, &of.kinematics, contact);
            if was_closed[contact] && point.lasts(&of.tables, &of.kinematics, contact) {
                members.push(contact);
            }
        }
    }

    /// Moves positions, along the mean of the velocity at the beginning and of that predicted at the end.
    fn advance(&mut self, tables: &Tables, state: &State, h: f64) {
        for &place in &self.blocks {
            let entry = &tables.systems[tables.blocks[place].systems.start()];
            for dof in entry.dofs.range() {
                let v_k = state.v[dof];
                self.predicted[dof] = v_k + 2.0 * (self.v[dof] - v_k);
                self.displacement[dof] = 0.5 * h * (v_k + self.predicted[dof]);
            }
            let (positions, displacement) = (entry.positions.range(), &self.displacement[entry.dofs.range()]);
            entry.space.advance(&state.q[positions.clone()], displacement, &mut self.q[positions]);
        }
    }

    /// Evaluates the relations at the end, and chooses the contacts that are closed there and last, in
    /// islands in which none has closed; all that are closed are members of the impact.
    fn choose_closed(&mut self, of: &mut TimeStepping, state: &State) {
        self.evaluate_relations(of, End::Final, state);
        let TimeStepping { tables, kinematics, work, .. } = of;
        let motion = Motion { at: work.end(state), q: &self.q, v: &self.predicted, lambda: &work.force };
        for &place in &self.interactions {
            kinematics.output(tables, place, motion, (&mut work.y, &mut work.y_dot));
        }
        let free = (&self.v[..], &self.gain[..], work.h);
        let pressed = [&state.lambda[1][..], &self.force];
        let (y, y_dot) = (&work.y[..], &work.y_dot[..]);
        let point = Point { t: work.t_kp1, q: &self.q, v: &self.predicted, y, y_dot, free, pressed };
        self.members.clear();
        let is_closed = |&contact: &UnitaryPlace| point.is_closed(tables, kinematics, contact);
        self.members.extend(self.contacts.iter().copied().filter(is_closed));
        self.impacts.set_members(tables, &self.members);
        let islands = self.impacts.islands();
        self.has_closed.fill(false);
        for &member in &self.members {
            if !self.was_closed[member] {
                self.has_closed[islands.of_member(member)] = true;
            }
        }
        let has_closed = &self.has_closed;
        self.members.retain(|&member| {
            !has_closed[islands.of_member(member)] && point.lasts(tables, kinematics, member)
        });
    }

    /// Evaluates the Jacobians for the problems at one end of the step. At the beginning forces act along
    /// those there, and at velocity level hold for those where the velocity at the beginning would lead to.
    fn evaluate_relations(&mut self, of: &mut TimeStepping, end: End, state: &State) {
        let TimeStepping { tables, kinematics, work, threads, .. } = of;
        let mut evaluate = |place: &InteractionPlace, at: (At<'_>, &[f64])| {
            kinematics.evaluate_some(tables, threads, std::slice::from_ref(place), at);
        };
        self.acting.clear();
        if end == End::Final {
            self.curved.iter().for_each(|(place, _)| evaluate(place, (work.end(state), &self.q)));
            return;
        }
        self.curved.iter().for_each(|(place, _)| evaluate(place, (state.at(), &state.q)));
        let is_of_velocity = |place: InteractionPlace| level_of(tables, place) == ForceLevel::Velocity;
        if !self.curved.iter().any(|(place, _)| is_of_velocity(*place)) {
            return;
        }
        self.acting.extend_from_slice(&kinematics.jacobian);
        for &place in &self.blocks {
            let entry = &tables.systems[tables.blocks[place].systems.start()];
            let (positions, dofs) = (entry.positions.range(), entry.dofs.range());
            let displacement = &mut self.displacement[dofs.clone()];
            displacement.iter_mut().zip(&state.v[dofs]).for_each(|(to, v)| *to = work.h * v);
            entry.space.advance(&state.q[positions.clone()], displacement, &mut self.q[positions]);
        }
        for (place, _) in self.curved.iter().filter(|(place, _)| is_of_velocity(*place)) {
            let at = (work.end(state), &self.q[..]);
            kinematics.evaluate_some(tables, threads, std::slice::from_ref(place), at);
        }
    }

    /// Solves for the forces of the members at one end of the step, and adds what they do to the velocity in
    /// half a step.
    fn add_forces(&mut self, of: &mut TimeStepping, state: &State, end: End) -> Result<(), SimulationError> {
        self.pose_forces(of, state, end);
        let Self { forces, members, constant, z, w, force, v, acting, .. } = self;
        let TimeStepping { tables, kinematics, delassus, systems, work, threads, .. } = of;
        let coefficients =
            Coefficients { reaction: acting, ..Coefficients::of_jacobian(&kinematics.jacobian) };
        let solved = forces.solve_over(
            (tables, threads),
            members,
            (delassus, systems, coefficients),
            (state.at(), work.end(state), work.h),
            |row, _| (constant[row.index()], state.lambda[2][row.index()]),
            (z, w),
        );
        let info = solved.map_err(|unsolved| unsolved.at(work.step, work.t_k))?;
        force.fill(0.0);
        for &member in &*members {
            for row in tables.unitary[member].rows.iter() {
                force[row.index()] = z[row.index()];
                delassus.response(tables, row).add_to(0.5 * work.h * z[row.index()], v);
            }
        }
        self.note(of, info)
    }

    /// Writes the constant parts of the problem of forces: the accelerations of the gaps of the members
    /// without them, or the velocities that they are to change, by the time in which they do.
    fn pose_forces(&mut self, of: &mut TimeStepping, state: &State, end: End) {
        if end == End::Beginning {
            self.evaluate_relations(of, end, state);
        }
        let TimeStepping { tables, kinematics, work, .. } = of;
        let (h, tables) = (work.h, &*tables);
        let (at, q, v) = match end {
            End::Beginning => (state.at(), &state.q[..], &state.v[..]),
            End::Final => (work.end(state), &self.q[..], &self.predicted[..]),
        };
        for (place, scratch) in &mut self.curved {
            if level_of(tables, *place) == ForceLevel::Acceleration {
                let rows = tables.interactions[*place].rows.range();
                kinematics.convective(tables, *place, (at, q, v), scratch, &mut self.convective[rows]);
            }
        }
        for &member in &self.members {
            let unitary = &tables.unitary[member];
            for row in unitary.rows.iter() {
                let gain = || kinematics.row(tables, row).times(&self.gain);
                self.constant[row.index()] = match (level_of(tables, unitary.interaction), end) {
                    (ForceLevel::Acceleration, _) => 2.0 * gain() / h + self.convective[row.index()],
                    (ForceLevel::Velocity, End::Beginning) => {
                        (kinematics.velocity(tables, row, &state.v) + 2.0 * gain()) / h
                    }
                    (ForceLevel::Velocity, End::Final) => 2.0 * kinematics.velocity(tables, row, &self.v) / h,
                };
            }
        }
    }

    /// The impact of all contacts that are closed at the end.
    fn impinge(&mut self, of: &mut TimeStepping, state: &State) -> Result<(), SimulationError> {
        self.members.clear();
        self.members.extend_from_slice(self.impacts.members());
        let TimeStepping { tables, kinematics, .. } = of;
        for &member in &self.members {
            for row in tables.unitary[member].rows.iter() {
                let before = kinematics.velocity(tables, row, &self.v);
                self.constant[row.index()] = before + tables.rows[row].restitution * before;
            }
        }
        let Self { impacts, members, constant, z, w, .. } = self;
        let TimeStepping { tables, kinematics, delassus, systems, work, threads, .. } = of;
        let coefficients = Coefficients::of_jacobian(&kinematics.jacobian);
        let solved = impacts.solve_over(
            (tables, threads),
            members,
            (delassus, systems, coefficients),
            (state.at(), work.end(state), work.h),
            |row, _| (constant[row.index()], 0.0),
            (z, w),
        );
        let info = solved.map_err(|unsolved| unsolved.at(work.step, work.t_k))?;
        self.percussion.fill(0.0);
        self.impulse.fill(0.0);
        for &member in &self.members {
            for row in tables.unitary[member].rows.iter() {
                let percussion = self.z[row.index()];
                self.percussion[row.index()] = percussion;
                delassus.response(tables, row).add_to(percussion, &mut self.v);
                kinematics.row(tables, row).add_to(percussion, &mut self.impulse);
            }
        }
        self.note(of, info)
    }

    /// Takes note of what a solver has told.
    fn note(&mut self, of: &TimeStepping, info: SolveInfo) -> Result<(), SimulationError> {
        self.solve = together(self.solve, info);
        let (step, t) = (of.work.step, of.work.t_k);
        let SolveInfo { status, iterations, error } = info;
        match (status.is_success(), of.on_non_convergence) {
            (false, OnNonConvergence::Fail) => {
                Err(SimulationError::NotConverged { step, t, status, iterations, error })
            }
            (false, OnNonConvergence::Warn) => {
                tracing::warn!(step, t, %status, error, "the one-step problem did not converge");
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Writes the end of the step into the iterate.
    fn write(&self, tables: &Tables, work: &mut StepWork) {
        for &place in &self.blocks {
            let entry = &tables.systems[tables.blocks[place].systems.start()];
            let (positions, dofs) = (entry.positions.range(), entry.dofs.range());
            work.q[positions.clone()].copy_from_slice(&self.q[positions]);
            work.v[dofs.clone()].copy_from_slice(&self.v[dofs.clone()]);
            work.impulse[dofs.clone()].copy_from_slice(&self.impulse[dofs]);
        }
        for &contact in &self.contacts {
            for row in tables.unitary[contact].rows.range() {
                work.lambda[row] = self.percussion[row];
            }
        }
        work.solve = together(work.solve, self.solve);
    }

    /// Writes the forces at the end of the step into the state.
    pub(super) fn write_forces(&self, tables: &Tables, state: &mut State) {
        for &contact in &self.contacts {
            let rows = tables.unitary[contact].rows.range();
            state.lambda[2][rows.clone()].copy_from_slice(&self.force[rows]);
        }
    }
}

/// A point of the motion, with the outputs there.
struct Point<'a> {
    t: f64,
    q: &'a [f64],
    v: &'a [f64],
    y: &'a [f64],
    y_dot: &'a [f64],
    /// The velocity with half a step of the forces there but for those of contacts, what these add to it, and
    /// the length of the step: they tell how exactly the outputs are known.
    free: (&'a [f64], &'a [f64], f64),
    /// Impulses and forces of contacts up to there.
    pressed: [&'a [f64]; 2],
}

impl Point<'_> {
    fn is_closed(&self, tables: &Tables, kinematics: &Kinematics, contact: UnitaryPlace) -> bool {
        let row = tables.unitary[contact].first_row();
        let threshold = |scheme: D1MinusLinear| match scheme.gap_threshold {
            Some(threshold) => threshold,
            None => {
                let (v, _, h) = self.free;
                let rounding = kinematics.moved_gap_rounding(tables, row, (self.t, self.q), (v, h));
                rounding.max(h * self.resting_speed(tables, kinematics, row))
            }
        };
        is_within(tables, row, self.y[row.index()], threshold)
    }

    /// Whether a closed contact does not open.
    fn lasts(&self, tables: &Tables, kinematics: &Kinematics, contact: UnitaryPlace) -> bool {
        let row = tables.unitary[contact].first_row();
        let threshold = |scheme: D1MinusLinear| match (scheme.forces, scheme.velocity_threshold) {
            (ForceLevel::Velocity, _) => f64::INFINITY,
            (_, Some(threshold)) => threshold,
            (_, None) => {
                let [own, free] = [self.v, self.free.0].map(|v| kinematics.velocity_scale(tables, row, v));
                let rounding = ROUNDINGS * f64::EPSILON * (own + free);
                rounding.max(self.resting_speed(tables, kinematics, row))
            }
        };
        is_within(tables, row, self.y_dot[row.index()], threshold)
    }

    /// The speed that is rounding of a contact which has pressed.
    fn resting_speed(&self, tables: &Tables, kinematics: &Kinematics, row: RowPlace) -> f64 {
        if self.pressed.iter().all(|by_row| by_row[row.index()] <= 0.0) {
            return 0.0;
        }
        let (_, gain, _) = self.free;
        2.0 * RESTING * kinematics.row(tables, row).magnitude(gain)
    }
}

/// Whether a value of a row is at most a threshold of its scheme; always of an equality.
fn is_within(tables: &Tables, row: RowPlace, value: f64, threshold: impl Fn(D1MinusLinear) -> f64) -> bool {
    match *tables.kind(tables.rows[row].kind) {
        ContactKind::HalfExplicit { equality: false, scheme } => value <= threshold(scheme),
        _ => true,
    }
}

fn scheme_of(tables: &Tables, interaction: InteractionPlace) -> Option<D1MinusLinear> {
    match *tables.kind(tables.interactions[interaction].kind) {
        ContactKind::HalfExplicit { scheme, .. } => Some(scheme),
        _ => None,
    }
}

fn level_of(tables: &Tables, interaction: InteractionPlace) -> ForceLevel {
    scheme_of(tables, interaction).unwrap_or_default().forces
}

impl TimeStepping {
    /// Takes the step of half-explicit systems in the first iteration of Newton's loop, and writes it into
    /// the iterate.
    pub(super) fn step_half_explicit(&mut self, state: &State) -> Result<(), SimulationError> {
        let Some(mut half_explicit) = self.half_explicit.take() else { return Ok(()) };
        let stepped = match self.work.newton_iterations {
            1 => half_explicit.step(self, state),
            _ => Ok(()),
        };
        half_explicit.write(&self.tables, &mut self.work);
        self.half_explicit = Some(half_explicit);
        stepped
    }

    /// Makes what half-explicit systems need, where there are some.
    pub(super) fn fit_half_explicit(&mut self, tables: &Tables) -> Result<(), SimulationError> {
        match (&self.half_explicit, tables.has_half_explicit) {
            (None, true) => self.half_explicit = Some(Box::new(HalfExplicit::new()?)),
            (Some(_), false) => self.half_explicit = None,
            _ => {}
        }
        Ok(())
    }
}
