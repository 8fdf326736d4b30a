//! Lagrangian systems with contacts: the bilateral smooth dynamics between events, and the problems at
//! events.

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
use self::point::Point;
use self::problem::Posed;
use super::outcome::Outcome;
use super::problems::Problems;
use super::{EventDrivenSettings, check};
use crate::index::Table;
use crate::integrator::{Integrator, MassWork, MoreauJean};
use crate::model::relation::ConvectiveScratch;
use crate::model::{NonSmoothDynamicalSystem, NonSmoothLaw, Parameters, PositionSpace};
use crate::nonsmooth_problem::{
    BilateralSystem, Block, Delassus, InteractionEntry, Tables, UnitaryEntry, UnitaryPlace, UnitaryRelation,
};
use crate::simulation::SimulationError;
use crate::simulation::kinematics::{Configuration, Kinematics};
use crate::threads::Threads;

/// A unitary relation as the event-driven scheme sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Constraint {
    /// In all index sets, always.
    Bilateral,
    Unilateral {
        restitution: f64,
    },
    /// Unilateral, with impacts by compression.
    ByCompression(ImpactContact),
}

/// Everything that lives from event to event.
#[derive(Debug)]
pub(super) struct LagrangianModes {
    pub(super) tables: Tables,
    /// The present values.
    parameters: Parameters,
    /// Whether positions or parameters were set from outside, so that closed contacts may have opened.
    was_set: bool,
    masses: Table<Block, MassWork>,
    /// In what space the positions of all systems are.
    space: Arc<PositionSpace>,
    /// By how much positions move, along the velocities, and where they were before.
    displacement: Vec<f64>,
    positions_before: Vec<f64>,
    kinematics: Kinematics,
    convective: Table<InteractionEntry, ConvectiveScratch>,
    delassus: Delassus,
    pub(super) problems: Problems,
    posed: Posed,
    constraints: Table<UnitaryEntry, Constraint>,
    /// The index sets I_1 and I_2.
    touching: Table<UnitaryEntry, bool>,
    closed: Table<UnitaryEntry, bool>,
    /// The members of I_2 whose rows are independent: what f holds closed.
    held: BilateralSystem,
    /// The band in which the guard begins as zero.
    bands: Table<UnitaryEntry, Option<f64>>,
    /// Whether masses and Jacobians are constant, so that the matrix of the held contacts is too.
    constant: bool,
    /// Whether the matrix of the held contacts has been factorised, where it is constant.
    is_factorised: bool,
    /// Where impacts are by compression.
    multiple: Option<MultipleImpacts>,
    settings: EventDrivenSettings,
    /// When functions of the model may jump: what is ahead is looked at before that.
    horizon: f64,
    /// The point that is worked on, and the one that is evaluated for f and the guards.
    point: Point,
    trial: Point,
    members: Vec<UnitaryPlace>,
    /// What the last event did.
    pub(super) outcome: Outcome,
    /// The last error that f or a guard has met: that of the shortest step.
    error: Option<SimulationError>,
}

impl LagrangianModes {
    /// Lays out a model, with automatic solvers; refuses what this scheme cannot carry.
    pub(super) fn new(
        model: &NonSmoothDynamicalSystem,
        settings: &EventDrivenSettings,
    ) -> Result<Self, SimulationError> {
        check::lagrangian(model)?;
        let mut tables =
            Tables::without_gaps(model, |_, _| Integrator::from(MoreauJean::default()).scheme())?;
        // Every Lagrangian system is a block by itself.
        let masses: Table<_, _> = model.systems().iter().map(|(_, system)| MassWork::new(system)).collect();
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
        let point = Point::new(&tables);
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
            posed: Posed::new(tables.rows.len()),
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

    /// Does a piece of work on the work point.
    fn on_point<T>(&mut self, work: impl FnOnce(&mut Self, &mut Point) -> T) -> T {
        let mut point = std::mem::take(&mut self.point);
        let done = work(self, &mut point);
        self.point = point;
        done
    }

    /// Does a piece of work on the trial point, moved to a time and a state.
    fn on_trial<T>(&mut self, t: f64, x: &[f64], work: impl FnOnce(&mut Self, &mut Point) -> T) -> T {
        let mut point = std::mem::take(&mut self.trial);
        point.move_to(t, x);
        let done = work(self, &mut point);
        self.trial = point;
        done
    }

    /// The numbers of states and of degrees of freedom.
    pub(super) fn dimensions(&self) -> (usize, usize) {
        (self.tables.positions + self.tables.dofs, self.tables.dofs)
    }

    /// The space of all positions.
    pub(super) fn space(&self) -> Arc<PositionSpace> {
        Arc::clone(&self.space)
    }

    /// Puts the positions of a state back into their space; whether that changes any.
    fn restore(&mut self, x: &mut [f64]) -> bool {
        if self.space.is_vector() {
            return false;
        }
        let (q, before) = (&mut x[..self.tables.positions], &mut self.positions_before);
        before.copy_from_slice(q);
        self.space.restore(q);
        q != before
    }

    /// Moves the position of a point by the displacement that is at hand.
    fn displace(&mut self, point: &mut Point) {
        self.positions_before.copy_from_slice(&point.q);
        self.space.advance(&self.positions_before, &self.displacement, &mut point.q);
    }

    /// The time of the work point.
    pub(super) fn time(&self) -> f64 {
        self.point.t
    }

    /// The name of a unitary relation.
    pub(super) fn name(&self, place: UnitaryPlace) -> UnitaryRelation {
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
