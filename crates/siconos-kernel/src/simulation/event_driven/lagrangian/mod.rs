//! Lagrangian systems with contacts: the smooth dynamics between events, with closed contacts as bilateral
//! constraints, and the problems at events.

mod alpha_step;
mod double_condition;
mod events;
mod half_explicit_step;
mod hold;
mod impact;
mod multiple_impact;
mod point;
mod problem;
mod projection;
mod smooth;

use std::sync::Arc;

use crate::multiple_impact::ImpactContact;

pub(super) use self::alpha_step::AlphaStep;
pub(super) use self::half_explicit_step::HalfExplicitStep;
use self::multiple_impact::MultipleImpacts;
use self::point::MotionPoint;
use self::problem::ProblemVectors;
use super::outcome::Outcome;
use super::problems::Problems;
use super::{EventDrivenSettings, check};
use crate::index::Table;
use crate::integrator::{Integrator, MassWorkspace, MoreauJean};
use crate::model::relation::ConvectiveScratch;
use crate::model::{NonSmoothDynamicalSystem, NonSmoothLaw, Parameters, PositionSpace};
use crate::nonsmooth_problem::{
    BilateralSystem, Block, Delassus, InteractionEntry, Tables, UnitaryEntry, UnitaryIndex, UnitaryRelation,
};
use crate::simulation::SimulationError;
use crate::simulation::kinematics::{Configuration, Kinematics};
use crate::threads::Threads;

/// Type of a unitary relation in the event-driven scheme.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Constraint {
    /// Equality, which belongs to all index sets.
    Bilateral,
    Unilateral {
        restitution: f64,
    },
    /// Unilateral constraint with impacts by compression.
    ByCompression(ImpactContact),
}

/// Lagrangian systems with contacts, with all data that are kept from event to event.
#[derive(Debug)]
pub(super) struct LagrangianModes {
    pub(super) tables: Tables,
    /// Current parameters of the model.
    parameters: Parameters,
    /// `true` if the user has set positions or parameters, so that closed contacts can be open.
    was_set: bool,
    masses: Table<Block, MassWorkspace>,
    /// Configuration space of all systems.
    space: Arc<PositionSpace>,
    /// Displacement of the positions, in velocity coordinates.
    displacement: Vec<f64>,
    /// Positions before a displacement.
    positions_before: Vec<f64>,
    kinematics: Kinematics,
    convective: Table<InteractionEntry, ConvectiveScratch>,
    delassus: Delassus,
    pub(super) problems: Problems,
    posed: ProblemVectors,
    constraints: Table<UnitaryEntry, Constraint>,
    /// Members of the index set I_1.
    touching: Table<UnitaryEntry, bool>,
    /// Members of the index set I_2.
    closed: Table<UnitaryEntry, bool>,
    /// Held contacts: members of I_2 with independent rows, which are imposed as constraints on the smooth
    /// dynamics.
    held: BilateralSystem,
    /// Zero band of each guard after a restart.
    bands: Table<UnitaryEntry, Option<f64>>,
    /// `true` if all masses and Jacobians are constant. The matrix of the held contacts is then also
    /// constant.
    constant: bool,
    /// `true` if the matrix of the held contacts is constant and has been factorised.
    is_factorised: bool,
    /// Solver of impacts by compression, if the model has contacts with these impacts.
    multiple: Option<MultipleImpacts>,
    settings: EventDrivenSettings,
    /// Next time at which functions of the model can jump. Lookahead evaluations use only times before the
    /// horizon.
    horizon: f64,
    /// Current time and state, at which events are processed.
    point: MotionPoint,
    /// Trial point, at which the right-hand side and the guards are evaluated.
    trial: MotionPoint,
    members: Vec<UnitaryIndex>,
    /// Outcome of the last event.
    pub(super) outcome: Outcome,
    /// Last error of the right-hand side or of a guard.
    error: Option<SimulationError>,
}

impl LagrangianModes {
    /// Creates the tables of a model, with automatic solvers. Returns an error if the model is not supported.
    pub(super) fn new(
        model: &NonSmoothDynamicalSystem,
        settings: &EventDrivenSettings,
    ) -> Result<Self, SimulationError> {
        check::lagrangian(model)?;
        let mut tables =
            Tables::without_gaps(model, |_, _| Integrator::from(MoreauJean::default()).scheme())?;
        // Each Lagrangian system is a separate block.
        let masses: Table<_, _> =
            model.systems().iter().map(|(_, system)| MassWorkspace::new(system)).collect();
        let mut constant = tables.interactions.iter().all(|entry| entry.constant);
        for (mass, block) in masses.iter().zip(tables.blocks.iter_mut()) {
            (block.is_affine, block.is_constant) = (true, mass.is_constant());
            constant &= block.is_constant;
        }
        let space = PositionSpace::of(model.systems().iter().filter_map(|(_, system)| system.factor()));
        let constraints: Table<_, _> = tables
            .unitary
            .iter()
            .map(|unitary| {
                let row = &tables.rows[unitary.first_row()];
                match &*tables.interactions[unitary.interaction].law {
                    NonSmoothLaw::MultipleImpact(law) => Constraint::ByCompression((*law).into()),
                    _ if row.has_gap => Constraint::Unilateral { restitution: row.restitution },
                    _ => Constraint::Bilateral,
                }
            })
            .collect();
        let by_compression = |it: &Constraint| matches!(it, Constraint::ByCompression(_));
        let multiple = constraints.iter().any(by_compression).then(|| MultipleImpacts::new(&tables));
        let mut kinematics = Kinematics::new(&tables, model, false);
        let convective = tables
            .interactions
            .iter()
            .map(|entry| ConvectiveScratch::new(entry.rows.len(), entry.columns()))
            .collect();
        let point = MotionPoint::new(&tables);
        let positions = initial_positions(model, &tables)?;
        let start = Configuration { at: model.at(0.0), q: &positions };
        kinematics.evaluate(&tables, &Threads::default(), start);
        let count = constraints.len();
        let none = || constraints.iter().map(|_| false).collect();
        let mut delassus = Delassus::default();
        delassus.extend(&tables);
        Ok(Self {
            parameters: model.at(0.0).parameters().clone(),
            was_set: false,
            masses,
            space: Arc::new(space),
            displacement: vec![0.0; tables.dofs],
            positions_before: vec![0.0; tables.positions],
            kinematics,
            convective,
            delassus,
            problems: Problems::default(),
            posed: ProblemVectors::new(tables.rows.len()),
            touching: none(),
            closed: none(),
            held: BilateralSystem::new(&tables),
            bands: constraints.iter().map(|_| None).collect(),
            constraints,
            constant,
            is_factorised: false,
            multiple,
            settings: settings.clone(),
            horizon: f64::INFINITY,
            trial: point.clone(),
            point,
            members: Vec::with_capacity(count),
            outcome: Outcome::new(count),
            error: None,
            tables,
        })
    }

    /// Runs `work` with the current point `self.point`.
    fn on_point<T>(&mut self, work: impl FnOnce(&mut Self, &mut MotionPoint) -> T) -> T {
        let mut point = std::mem::take(&mut self.point);
        let done = work(self, &mut point);
        self.point = point;
        done
    }

    /// Moves the trial point to the time `t` and the state `x`, and runs `work` with it.
    fn on_trial<T>(&mut self, t: f64, x: &[f64], work: impl FnOnce(&mut Self, &mut MotionPoint) -> T) -> T {
        let mut point = std::mem::take(&mut self.trial);
        point.move_to(t, x);
        let done = work(self, &mut point);
        self.trial = point;
        done
    }

    /// Returns the numbers of states and of degrees of freedom.
    pub(super) fn dimensions(&self) -> (usize, usize) {
        (self.tables.positions + self.tables.dofs, self.tables.dofs)
    }

    /// Returns the configuration space of all systems.
    pub(super) fn space(&self) -> Arc<PositionSpace> {
        Arc::clone(&self.space)
    }

    /// Projects the positions of the state `x` onto the configuration space. Returns `true` if any position
    /// has changed.
    fn restore(&mut self, x: &mut [f64]) -> bool {
        if self.space.is_vector() {
            return false;
        }
        let (q, before) = (&mut x[..self.tables.positions], &mut self.positions_before);
        before.copy_from_slice(q);
        self.space.restore(q);
        q != before
    }

    /// Moves the positions of `point` by `self.displacement`.
    fn displace(&mut self, point: &mut MotionPoint) {
        self.positions_before.copy_from_slice(&point.q);
        self.space.advance(&self.positions_before, &self.displacement, &mut point.q);
    }

    /// Returns the current time.
    pub(super) fn time(&self) -> f64 {
        self.point.t
    }

    /// Returns the name of a unitary relation.
    pub(super) fn name(&self, place: UnitaryIndex) -> UnitaryRelation {
        self.tables.name(&self.tables.unitary[place])
    }
}

fn initial_positions(model: &NonSmoothDynamicalSystem, tables: &Tables) -> Result<Vec<f64>, SimulationError> {
    let mut q = Vec::with_capacity(tables.positions);
    for entry in tables.systems.iter() {
        q.extend(model.system(entry.id)?.q0());
    }
    Ok(q)
}
