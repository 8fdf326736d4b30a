//! Variations of a model or its simulation that must not change the motion.

use super::families::{Family, Laws};
use super::plan::Plan;
use super::scene::{PartPlace, Scene};
use super::units::Units;

/// Variation of a model or its simulation.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Variation {
    /// Units of the model.
    pub(crate) units: Units,
    /// Unrelated part that is inserted before the others (`before`) or after them (`after`).
    pub(crate) before: Option<Family>,
    pub(crate) after: Option<Family>,
    /// `true` if the parts are inserted in reverse order.
    pub(crate) reversed: bool,
    /// Single part of the model that is simulated alone.
    pub(crate) only: Option<usize>,
    /// Number of threads in addition to the caller's thread.
    pub(crate) more_threads: usize,
    pub(crate) habit: Habit,
}

/// Use of the simulation during a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Habit {
    #[default]
    Plain,
    /// The simulation is rebuilt for every step.
    Rebuilt,
    /// From time to time, a copy of the state and the model continues for two steps, with the same simulation
    /// and with another one.
    Copies,
    /// Sensors sample the state between the points of the grid.
    Sensors,
    /// The last interaction is removed after a third of the run and added again after two thirds.
    ContactComesAndGoes,
    /// Eight times as many output points.
    MorePoints,
}

impl Variation {
    /// Returns the model, and the ranges of the plan's parts in the order of the plan.
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

    /// Returns the variation with three threads.
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
