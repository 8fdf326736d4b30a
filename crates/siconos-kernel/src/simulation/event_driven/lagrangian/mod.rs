//! Lagrangian systems with contacts: the bilateral smooth dynamics between events, and the problems at events.

mod alpha_step;
mod events;
mod half_explicit_step;
mod hold;
mod impact;
mod point;
mod projection;
mod smooth;

use siconos_numerics::{SolveInfo, Status};

pub(super) use self::alpha_step::AlphaStep;
pub(super) use self::half_explicit_step::HalfExplicitStep;
use self::point::Point;
use super::EventDrivenSettings;
use super::modes::OutcomeRef;
use crate::error::SimulationError;
use crate::integrator::{LagrangianRef, MassWork, MoreauJean, Scheme};
use crate::model::relation::ConvectiveScratch;
use crate::model::{NonSmoothDynamicalSystem, NonSmoothLaw};
use crate::nonsmooth_problem::{
    BilateralSystem, ContactKind, Delassus, OneStepNonSmoothProblem, OneStepSolver, Tables,
};
use crate::simulation::UnitaryRelation;
use crate::simulation::kinematics::{Kinematics, Which};
use crate::state::State;

/// The name under which combinations are refused.
const NAME: &str = "EventDriven";

/// A unitary relation as the event-driven scheme sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Constraint {
    /// In all index sets, always.
    Bilateral,
    Unilateral {
        restitution: f64,
    },
}

/// Tolerances of the index sets.
#[derive(Clone, Copy, Debug)]
struct Tolerances {
    gap: f64,
    velocity: f64,
    acceleration: f64,
}

/// Everything that lives from event to event.
#[derive(Debug)]
pub(super) struct LagrangianModes {
    tables: Tables,
    masses: Vec<MassWork>,
    kinematics: Kinematics,
    convective: Vec<ConvectiveScratch>,
    delassus: Delassus,
    problem: OneStepNonSmoothProblem,
    /// By unitary relation.
    constraints: Vec<Constraint>,
    /// The index sets I_1 and I_2, by unitary relation.
    touching: Vec<bool>,
    closed: Vec<bool>,
    /// The members of I_2 whose rows are independent: what f holds closed.
    held: BilateralSystem,
    /// The place of each unitary relation among the held ones.
    held_place: Vec<Option<usize>>,
    /// By unitary relation: the band in which its guard begins as zero.
    bands: Vec<Option<f64>>,
    /// Whether masses and Jacobians are constant, so that the matrix of the held contacts is too.
    constant: bool,
    /// Whether the matrix of the held contacts has been factorised, where it is constant.
    is_factorised: bool,
    tolerances: Tolerances,
    /// The point that is worked on, and the one that is evaluated for f and the guards.
    point: Point,
    trial: Point,
    members: Vec<usize>,
    /// Which of the closed contacts carry a load of their own.
    independence: Independence,
    /// What the last event did.
    pub(super) outcome: Outcome,
    error: Option<SimulationError>,
}

/// Work arrays of the choice among contacts that carry the same load.
#[derive(Debug, Default)]
struct Independence {
    /// Contact and row, of all rows in turn.
    rows: Vec<(usize, usize)>,
    order: Vec<usize>,
    is_independent: Vec<bool>,
}

/// What an event did.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    /// Unitary relations that impinged.
    pub(super) impacts: Vec<UnitaryRelation>,
    /// The same as places in the table.
    pub(super) impact_places: Vec<usize>,
    /// Those that left I_2.
    pub(super) released: Vec<UnitaryRelation>,
    /// Those for which neither acceleration and force nor their derivatives decide.
    pub(super) undetermined: Vec<UnitaryRelation>,
    /// I_2.
    pub(super) closed: Vec<UnitaryRelation>,
    pub(super) impact_solve: SolveInfo,
    pub(super) acceleration_solve: SolveInfo,
}

/// What a solver tells of a problem without unknowns.
pub(super) const NOTHING_TO_SOLVE: SolveInfo =
    SolveInfo { status: Status::Converged, iterations: 0, error: 0.0 };

impl Outcome {
    /// With room for so many contacts.
    fn new(contacts: usize) -> Self {
        let room = || Vec::with_capacity(contacts);
        Self {
            impacts: room(),
            impact_places: Vec::with_capacity(contacts),
            released: room(),
            undetermined: room(),
            closed: room(),
            impact_solve: NOTHING_TO_SOLVE,
            acceleration_solve: NOTHING_TO_SOLVE,
        }
    }
}

impl Outcome {
    /// The parts that a report shows.
    pub(super) fn view(&self) -> OutcomeRef<'_> {
        OutcomeRef {
            impacts: &self.impacts,
            released: &self.released,
            undetermined: &self.undetermined,
            closed: &self.closed,
            impact_solve: self.impact_solve,
            acceleration_solve: self.acceleration_solve,
        }
    }
}

impl LagrangianModes {
    /// Lays out a model; refuses what this scheme cannot carry.
    pub(super) fn new(
        model: &NonSmoothDynamicalSystem,
        solver: OneStepSolver,
        settings: &EventDrivenSettings,
        output_step: f64,
    ) -> Result<Self, SimulationError> {
        let mut modes = Self::lay_out(model, settings, output_step)?;
        modes.problem = OneStepNonSmoothProblem::new(solver);
        modes.problem.adapt(&modes.tables)?;
        Ok(modes)
    }

    /// The tables of a model, without a solver that fits.
    fn lay_out(
        model: &NonSmoothDynamicalSystem,
        settings: &EventDrivenSettings,
        output_step: f64,
    ) -> Result<Self, SimulationError> {
        refuse_unsupported(model)?;
        let tables = Tables::new(model, |_, _| Scheme::SecondOrder(MoreauJean::default()))?;
        let mut masses = Vec::with_capacity(tables.systems.len());
        let mut constant = tables.interactions.iter().all(|entry| entry.constant);
        for entry in &tables.systems {
            let Some(system) = LagrangianRef::of(model.system(entry.id)?) else { continue };
            constant &= system.has_constant_mass();
            masses.push(MassWork::new(system));
        }
        let constraints: Vec<_> = tables
            .unitary
            .iter()
            .map(|unitary| match tables.interactions[unitary.interaction].kind {
                ContactKind::Unilateral { restitution, .. } => Constraint::Unilateral { restitution },
                _ => Constraint::Bilateral,
            })
            .collect();
        let mut kinematics = Kinematics::new(&tables);
        kinematics.step_length = output_step;
        let convective = tables
            .interactions
            .iter()
            .map(|entry| ConvectiveScratch::new(entry.rows.len(), entry.columns))
            .collect();
        let point = Point::new(&tables);
        kinematics.evaluate(model, &tables, Which::All, 0.0, &initial_positions(model, &tables)?)?;
        let count = constraints.len();
        Ok(Self {
            masses,
            kinematics,
            convective,
            delassus: Delassus::new(&tables),
            problem: OneStepNonSmoothProblem::new(OneStepSolver::default()),
            touching: vec![false; count],
            closed: vec![false; count],
            held: BilateralSystem::default(),
            held_place: vec![None; count],
            bands: vec![None; count],
            constraints,
            constant,
            is_factorised: false,
            tolerances: Tolerances {
                gap: settings.gap_tolerance,
                velocity: settings.velocity_tolerance,
                acceleration: settings.acceleration_tolerance,
            },
            trial: point.clone(),
            point,
            members: Vec::with_capacity(count),
            independence: Independence::default(),
            outcome: Outcome::new(count),
            error: None,
            tables,
        })
    }

    /// Makes all tables anew for a model that has changed; the solver keeps its memory.
    pub(super) fn rebuild(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        settings: &EventDrivenSettings,
        output_step: f64,
    ) -> Result<(), SimulationError> {
        let mut fresh = Self::lay_out(model, settings, output_step)?;
        std::mem::swap(&mut fresh.problem, &mut self.problem);
        if let Err(error) = fresh.problem.adapt(&fresh.tables) {
            self.problem = fresh.problem;
            return Err(error);
        }
        *self = fresh;
        Ok(())
    }

    /// The change of the model that the tables are for.
    pub(super) fn epoch(&self) -> u64 {
        self.tables.epoch
    }

    /// Whether the vectors of a state have the lengths of the tables.
    pub(super) fn fits(&self, state: &State) -> bool {
        let tables = &self.tables;
        (state.q.len(), state.v.len(), state.y[0].len()) == (tables.positions, tables.dofs, tables.rows)
    }

    /// The number of states of the smooth dynamics: positions and velocities.
    pub(super) fn dimension(&self) -> usize {
        self.tables.positions + self.tables.dofs
    }

    /// The number of unitary relations.
    pub(super) fn contacts(&self) -> usize {
        self.constraints.len()
    }

    /// The last error that f or a guard has met since the last call: that of the shortest step.
    pub(super) fn take_error(&mut self) -> Option<SimulationError> {
        self.error.take()
    }

    /// Takes over the state as the point to work on, with its closed contacts.
    pub(super) fn read(&mut self, state: &State) {
        self.point.t = state.t;
        self.point.q.copy_from_slice(&state.q);
        self.point.v.copy_from_slice(&state.v);
        // Where solvers begin: two runs from one state are alike.
        self.point.force.copy_from_slice(&state.lambda[2]);
        for (place, unitary) in self.tables.unitary.iter().enumerate() {
            self.closed[place] = self.constraints[place] == Constraint::Bilateral
                || unitary.rows.clone().all(|row| state.closed[row]);
        }
    }

    /// Takes over a time, position and velocity from the integrator.
    pub(super) fn move_to(&mut self, t: f64, x: &[f64]) {
        self.point.move_to(t, x);
    }

    /// The position and velocity that are worked on.
    pub(super) fn x_into(&self, x: &mut [f64]) {
        let (q, v) = x.split_at_mut(self.tables.positions);
        q.copy_from_slice(&self.point.q);
        v.copy_from_slice(&self.point.v);
    }

    /// Writes the point that is worked on into a state.
    pub(super) fn write(&self, state: &mut State) {
        let point = &self.point;
        state.q.copy_from_slice(&point.q);
        state.v.copy_from_slice(&point.v);
        state.v_before.copy_from_slice(&point.v_before);
        state.acceleration.copy_from_slice(&point.acceleration);
        state.impulse.copy_from_slice(&point.impulse);
        for (target, source) in state.y.iter_mut().zip([&point.y, &point.y_dot, &point.y_ddot]) {
            target.copy_from_slice(source);
        }
        state.lambda[1].copy_from_slice(&point.percussion);
        state.lambda[2].copy_from_slice(&point.force);
        for (place, unitary) in self.tables.unitary.iter().enumerate() {
            state.closed[unitary.rows.clone()].fill(self.closed[place]);
        }
    }

    /// The time of the work point.
    pub(super) fn time(&self) -> f64 {
        self.point.t
    }

    /// Whether a unitary relation is in I_2.
    pub(super) fn is_closed(&self, place: usize) -> bool {
        self.closed[place]
    }

    /// The entry of a contact in a vector over all components of y.
    pub(super) fn of_contact(&self, place: usize, rows: &[f64]) -> f64 {
        rows[self.tables.unitary[place].rows.start]
    }

    /// The name of a unitary relation.
    pub(super) fn name(&self, place: usize) -> UnitaryRelation {
        self.tables.unitary[place].name
    }
}

fn initial_positions(model: &NonSmoothDynamicalSystem, tables: &Tables) -> Result<Vec<f64>, SimulationError> {
    let mut q = Vec::with_capacity(tables.positions);
    for entry in &tables.systems {
        q.extend(model.system(entry.id)?.q0());
    }
    Ok(q)
}

/// Refuses laws and relations that have no event-driven scheme here.
fn refuse_unsupported(model: &NonSmoothDynamicalSystem) -> Result<(), SimulationError> {
    for (id, system) in model.systems().iter() {
        if system.is_first_order() {
            let what = "first-order and Lagrangian systems in one model";
            let instead = "simulate them in models of their own, or take TimeStepping";
            return Err(SimulationError::UnsupportedSystem { system: id, integrator: NAME, what, instead });
        }
    }
    for (id, interaction) in model.interactions().iter() {
        let refused = |what, instead| {
            Err(SimulationError::Unsupported { interaction: id, integrator: NAME, what, instead })
        };
        match interaction.law() {
            NonSmoothLaw::NewtonImpactFriction(_) => {
                return refused(
                    "friction, whose sticking and sliding are events of their own",
                    "take NewtonImpact, or TimeStepping with MoreauJean",
                );
            }
            law @ NonSmoothLaw::Complementarity(_) if law.size() > 1 => {
                return refused(
                    "a ComplementarityCondition of several components, which come and go one by one",
                    "take one of size 1: a relation of several components carries a copy for each",
                );
            }
            NonSmoothLaw::NewtonImpact(_) | NonSmoothLaw::Complementarity(_) | NonSmoothLaw::Equality(_) => {}
            _ => {
                return refused("a law of first-order systems", "take NewtonImpact or EqualityCondition");
            }
        }
        if let crate::model::Relation::LagrangianLinear(relation) = interaction.relation()
            && relation.compliance().is_some()
        {
            let instead = "drop D, or take TimeStepping with MoreauJean";
            return refused("a compliant contact, whose force is a function of the gap", instead);
        }
    }
    Ok(())
}
