//! What is asked of a model: to move in the same way although something is done that must not matter.

use super::families::{Family, Laws};
use super::plan::Plan;
use super::scene::{PartPlace, Scene};
use super::units::Units;

/// What is done to a model or its simulation.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Variation {
    /// The units in which it is written.
    pub(crate) units: Units,
    /// Something unrelated that is born before the rest, or after it.
    pub(crate) before: Option<Family>,
    pub(crate) after: Option<Family>,
    /// The parts are born in the opposite order.
    pub(crate) reversed: bool,
    /// Of all parts this one only.
    pub(crate) only: Option<usize>,
    /// Threads beside the one of the caller.
    pub(crate) more_threads: usize,
    pub(crate) habit: Habit,
}

/// How a simulation is run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Habit {
    #[default]
    Plain,
    /// Made anew for every step.
    Rebuilt,
    /// Every now and then a copy of state and model goes on for two steps, by the same simulation and by
    /// another.
    Copies,
    /// Sensors sample the state between the points of the grid.
    Sensors,
    /// The last interaction is removed after a third of the run and added again after two thirds.
    ContactComesAndGoes,
    /// Eight times as many points of output.
    MorePoints,
}

impl Variation {
    /// The model, and the places of the parts of the plan in the plan's order.
    pub(crate) fn stage(&self, plan: &Plan) -> (Scene, Vec<PartPlace>) {
        let mut scene = Scene::new(self.units);
        if let Some(bystander) = self.before {
            plan.add_bystander(&mut scene, bystander);
        }
        let mut order: Vec<usize> = match self.only {
            Some(part) => vec![part],
            None => (0..plan.parts.len()).collect(),
        };
        if self.reversed {
            order.reverse();
        }
        let first = scene.parts.len();
        for &part in &order {
            plan.add_part(&mut scene, part);
        }
        let mut places: Vec<_> = order.iter().zip(scene.parts[first..].iter().cloned()).collect();
        places.sort_by_key(|(part, _)| **part);
        let places = places.into_iter().map(|(_, place)| place).collect();
        if let Some(bystander) = self.after {
            plan.add_bystander(&mut scene, bystander);
        }
        (scene, places)
    }

    /// The same by three threads.
    pub(crate) fn by_threads(self) -> Self {
        Self { more_threads: 2, ..self }
    }

    pub(crate) fn in_units(units: Units) -> Self {
        Self { units, ..Self::default() }
    }

    pub(crate) fn after(family: Family) -> Self {
        Self { after: Some(family), ..Self::default() }
    }

    pub(crate) fn before(family: Family) -> Self {
        Self { before: Some(family), ..Self::default() }
    }

    pub(crate) fn habit(habit: Habit) -> Self {
        Self { habit, ..Self::default() }
    }

    pub(crate) fn contact_comes_and_goes(laws: Laws) -> Self {
        Self { after: Some(Family::FarContact(laws)), ..Self::habit(Habit::ContactComesAndGoes) }
    }
}
