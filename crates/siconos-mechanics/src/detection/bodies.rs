//! Bodies of the contacts, with their colliders.

use std::ops::Range;

use siconos_kernel::State;
use siconos_kernel::detection::Material;
use siconos_kernel::engine::vector::length;
use siconos_kernel::model::DynamicalSystemId;

use crate::motion::Motion;
use crate::pose::Pose;
use crate::shape::Shape;

/// Shape of a body with its place in the body frame.
#[derive(Clone, Debug)]
pub(crate) struct Collider {
    /// Number of the body, in the order of insertion.
    pub(crate) body: u32,
    /// Index of the contactor of the body.
    pub(crate) contactor: u32,
    pub(crate) shape: Shape,
    /// Pose in the body frame, whose origin is the centre of mass.
    pub(crate) pose: Pose,
    pub(crate) material: Material,
    pub(crate) groups: Groups,
}

/// Collision groups of a collider, one bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Groups {
    /// Groups to which the collider belongs.
    pub(crate) own: u32,
    /// Groups with which it can touch.
    pub(crate) mask: u32,
}

impl Groups {
    /// Returns `true` if colliders of these groups can touch.
    pub(crate) fn meet(self, other: Self) -> bool {
        self.own & other.mask != 0 && other.own & self.mask != 0
    }
}

/// Degrees of freedom of a body.
#[derive(Clone, Debug)]
pub(crate) enum Mobility {
    /// Body of the model, with its pose at the start. A state from before the body was added does not contain
    /// the body.
    Free { system: DynamicalSystemId, start: Pose },
    /// Body with a prescribed motion from its pose at time 0.
    Driven { start: Pose, motion: Motion },
}

impl Mobility {
    /// Returns the pose of the body frame.
    pub(crate) fn pose(&self, state: &State) -> Pose {
        match self {
            Self::Free { system, start } => state.try_q(*system).map_or(*start, Pose::of_coordinates),
            Self::Driven { start, motion } => motion.pose(start, state.t),
        }
    }

    /// Returns the system of a free body.
    pub(crate) fn system(&self) -> Option<DynamicalSystemId> {
        match self {
            Self::Free { system, .. } => Some(*system),
            Self::Driven { .. } => None,
        }
    }

    /// Returns an upper bound of the mean speed of the points of a collider in a step. `fall` is a bound of
    /// the change of the mean speed in the step. The rotation of an unbounded shape is not included.
    pub(crate) fn speed(&self, collider: &Collider, state: &State, fall: f64) -> f64 {
        let reach = collider.shape.reach() + length(collider.pose.position);
        match self {
            Self::Free { system, .. } => {
                let v = state.v(*system);
                let (linear, angular) = match *v {
                    [x, y, omega] => ([x, y, 0.0], [0.0, 0.0, omega]),
                    _ => ([v[0], v[1], v[2]], [v[3], v[4], v[5]]),
                };
                length(linear) + fall + length(angular) * reach
            }
            Self::Driven { motion, .. } if collider.shape.is_unbounded() => motion.speed(0.0),
            Self::Driven { motion, .. } => motion.speed(reach),
        }
    }

    /// Returns `true` if the body never moves.
    pub(crate) fn is_fixed(&self) -> bool {
        matches!(self, Self::Driven { motion, .. } if motion.is_rest())
    }
}

/// Body of the contacts.
#[derive(Clone, Debug)]
pub(crate) struct ColliderBody {
    pub(crate) mobility: Mobility,
    /// Indices of its colliders.
    pub(crate) colliders: Range<usize>,
}

/// All bodies and their colliders.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bodies {
    /// Bodies by number; `None` for removed bodies.
    list: Vec<Option<ColliderBody>>,
    colliders: Vec<Collider>,
    /// Number of removed bodies.
    gone: usize,
    /// Number of colliders of removed bodies.
    removed: usize,
}

impl Bodies {
    /// Adds a body with its colliders.
    pub(crate) fn add(&mut self, mobility: Mobility, colliders: Vec<Collider>) {
        let first = self.colliders.len();
        self.colliders.extend(colliders);
        self.list.push(Some(ColliderBody { mobility, colliders: first..self.colliders.len() }));
    }

    /// Removes a body, and returns the indices of its colliders, which remain in the list.
    pub(crate) fn remove(&mut self, number: u32) -> Range<usize> {
        let Some(body) = self.list.get_mut(number as usize).and_then(Option::take) else { return 0..0 };
        let colliders = body.colliders;
        self.gone += 1;
        self.removed += colliders.len();
        colliders
    }

    /// Deletes the colliders of removed bodies if they are more than half of all. Returns `true` if the
    /// indices of the colliders have changed.
    pub(crate) fn compact(&mut self) -> bool {
        if 2 * self.removed <= self.colliders.len() {
            return false;
        }
        let mut kept = 0;
        for body in self.list.iter_mut().flatten() {
            let count = body.colliders.len();
            for index in body.colliders.clone() {
                self.colliders.swap(kept + index - body.colliders.start, index);
            }
            body.colliders = kept..kept + count;
            kept += count;
        }
        self.colliders.truncate(kept);
        self.removed = 0;
        true
    }

    /// Returns the number of bodies that have been added.
    pub(crate) fn count(&self) -> usize {
        self.list.len()
    }

    /// Returns the number of bodies that have been removed.
    pub(crate) fn gone(&self) -> usize {
        self.gone
    }

    pub(crate) fn get(&self, number: u32) -> Option<&ColliderBody> {
        self.list.get(number as usize)?.as_ref()
    }

    pub(crate) fn exists(&self, number: u32) -> bool {
        self.get(number).is_some()
    }

    /// Returns the numbers of all bodies that exist.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u32> + '_ {
        self.iter().map(|(number, _)| number)
    }

    /// Iterates over the bodies that exist, with their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &ColliderBody)> {
        (0..).zip(&self.list).filter_map(|(number, body)| Some((number, body.as_ref()?)))
    }

    /// Returns all colliders, including those of removed bodies.
    pub(crate) fn colliders(&self) -> &[Collider] {
        &self.colliders
    }

    /// Returns `true` if a body has degrees of freedom.
    pub(crate) fn is_free(&self, number: u32) -> bool {
        self.get(number).is_some_and(|body| body.mobility.system().is_some())
    }
}
