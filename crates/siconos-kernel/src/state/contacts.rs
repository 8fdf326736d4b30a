//! Detected contacts of the last step.

use serde::{Deserialize, Serialize};

use super::State;
use crate::model::{ContactKey, ContactPoints, DynamicalSystemId};

/// Contact that was detected at the beginning of the last step, with its reaction in this step.
///
/// Impulses are initial guesses of the next step, where they are assigned by the key. If the features of a
/// contact have changed, the nearest contact of the same pair of contactors takes its impulse.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactState {
    /// Identity of the contact.
    pub key: ContactKey,
    /// First body.
    pub first: DynamicalSystemId,
    /// Second body; `None` for an obstacle.
    pub second: Option<DynamicalSystemId>,
    /// Contact points \[m\] and the unit normal from the second body to the first, at the beginning of the
    /// step.
    pub points: ContactPoints,
    /// Gap at the beginning of the step \[m\].
    pub gap: f64,
    /// Gap at the end of the step \[m\], with the normal and the points of the beginning.
    pub gap_at_end: f64,
    /// Impulse on the first body over the step \[N s\], in the inertial frame.
    pub impulse: [f64; 3],
    /// Moment impulse of rolling friction on the first body \[N m s\], in the inertial frame.
    pub moment: [f64; 3],
    /// Relative velocity at the end of the step \[m/s\], along the normal and the tangents; in the plane, the
    /// last component is 0.
    pub velocity: [f64; 3],
    /// Impulse along the normal and the tangents \[N s\]; in the plane, the last component is 0.
    pub reaction: [f64; 3],
    /// Number of previous steps in which the contact was detected without interruption.
    pub age: u32,
}

/// Record of a contact; the bodies are indices in the list of all systems in insertion order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ContactRecord {
    key: ContactKey,
    first: usize,
    second: Option<usize>,
    points: [[f64; 3]; 2],
    normal: [f64; 3],
    gaps: [f64; 2],
    impulse: [f64; 3],
    moment: [f64; 3],
    velocity: [f64; 3],
    reaction: [f64; 3],
    age: u32,
}

impl ContactRecord {
    /// Records a contact. `place` returns the index of a system.
    pub(super) fn of(
        contact: &ContactState,
        place: impl Fn(DynamicalSystemId) -> Option<usize>,
    ) -> Option<Self> {
        let ContactPoints { first, second, normal } = contact.points;
        Some(Self {
            key: contact.key,
            first: place(contact.first)?,
            second: match contact.second {
                Some(id) => Some(place(id)?),
                None => None,
            },
            points: [first, second],
            normal,
            gaps: [contact.gap, contact.gap_at_end],
            impulse: contact.impulse,
            moment: contact.moment,
            velocity: contact.velocity,
            reaction: contact.reaction,
            age: contact.age,
        })
    }

    /// Returns the recorded contact; `None` if a system does not exist. `id` returns the system with an
    /// index.
    pub(super) fn contact(&self, id: impl Fn(usize) -> Option<DynamicalSystemId>) -> Option<ContactState> {
        let [first, second] = self.points;
        Some(ContactState {
            key: self.key,
            first: id(self.first)?,
            second: match self.second {
                Some(index) => Some(id(index)?),
                None => None,
            },
            points: ContactPoints { first, second, normal: self.normal },
            gap: self.gaps[0],
            gap_at_end: self.gaps[1],
            impulse: self.impulse,
            moment: self.moment,
            velocity: self.velocity,
            reaction: self.reaction,
            age: self.age,
        })
    }

    /// Iterates over all numbers of the record.
    pub(super) fn numbers(&self) -> impl Iterator<Item = f64> + '_ {
        let vectors = self.points.iter().chain([&self.normal, &self.impulse, &self.moment, &self.velocity]);
        vectors.chain([&self.reaction]).flatten().chain(&self.gaps).copied()
    }
}

impl State {
    /// Returns the contacts that were detected at the beginning of the last step, in the order of their keys;
    /// empty without a [`ContactSource`](crate::detection::ContactSource).
    #[must_use]
    pub fn contacts(&self) -> &[ContactState] {
        &self.contacts
    }

    /// Resizes the vectors of y and lambda. Rows after the rows of the model belong to the detected contacts
    /// of a step and exist only during this step.
    pub(crate) fn resize_rows(&mut self, rows: usize) {
        for vector in self.y.iter_mut().chain(&mut self.lambda) {
            vector.resize(rows, 0.0);
        }
    }

    /// Removes the rows of detected contacts.
    pub(crate) fn drop_detected_rows(&mut self) {
        self.resize_rows(self.closed.len());
    }
}
