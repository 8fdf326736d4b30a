//! Index sets: which unitary relations take part in the problem of a step.
//!
//! I_0 holds all of them, in order of birth. In time-stepping I_1 holds those whose predicted gap is closed,
//! y + gamma h ydot <= threshold, and all that are always active (equalities, compliant contacts).

use super::tables::{ContactKind, Tables};
use crate::simulation::UnitaryRelation;

/// I_1 of a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct IndexSet {
    /// Places in the table of unitary relations, increasing.
    members: Vec<usize>,
    /// The same as names.
    names: Vec<UnitaryRelation>,
    previous: Vec<usize>,
}

impl IndexSet {
    /// Chooses the members anew from y and its velocity at the beginning of the step; says whether they are others
    /// than before.
    pub(crate) fn update(&mut self, tables: &Tables, h: f64, y: &[f64], y_dot: &[f64]) -> bool {
        std::mem::swap(&mut self.members, &mut self.previous);
        self.members.clear();
        for (place, unitary) in tables.unitary.iter().enumerate() {
            let active = match tables.interactions[unitary.interaction].kind {
                ContactKind::Bilateral | ContactKind::Compliant { .. } => true,
                // A block of several components is active as soon as one of them is.
                ContactKind::Unilateral { gamma, threshold, .. } => {
                    unitary.rows.clone().any(|row| y[row] + gamma * h * y_dot[row] <= threshold)
                }
            };
            if active {
                self.members.push(place);
            }
        }
        let changed = self.members != self.previous;
        if changed {
            self.names.clear();
            self.names.extend(self.members.iter().map(|&place| tables.unitary[place].name));
        }
        changed
    }

    /// Forgets everything: the model has changed.
    pub(crate) fn clear(&mut self) {
        self.members.clear();
        self.names.clear();
        self.previous.clear();
    }

    pub(crate) fn members(&self) -> &[usize] {
        &self.members
    }

    pub(crate) fn names(&self) -> &[UnitaryRelation] {
        &self.names
    }
}
