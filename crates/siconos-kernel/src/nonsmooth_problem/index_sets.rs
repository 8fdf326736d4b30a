//! Index sets: which unitary relations take part in the problem of a step.
//!
//! I_0 holds all of them, in order of birth. In time-stepping I_1 holds those whose predicted gap is closed,
//! y + gamma h ydot <= threshold (the rounding of the gap where none is given), and all that are always
//! active (equalities, compliant contacts, first-order systems).

use super::class::ContactKind;
use super::tables::{Tables, UnitaryEntry};
use crate::simulation::UnitaryRelation;

/// I_1 of a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct IndexSet {
    /// Places in the table of unitary relations, increasing.
    members: Vec<usize>,
    /// The members as names.
    names: Vec<UnitaryRelation>,
    is_chosen: bool,
}

impl IndexSet {
    /// Chooses the members anew from y and its velocity at the beginning of the step; `is_rounding` says of a
    /// predicted gap above zero whether it may be rounding. Says whether they are others than before.
    pub(crate) fn update(
        &mut self,
        tables: &Tables,
        h: f64,
        (y, y_dot): (&[f64], &[f64]),
        is_rounding: impl Fn(&UnitaryEntry, f64) -> bool,
    ) -> bool {
        if self.is_chosen && !tables.has_gaps {
            return false;
        }
        self.is_chosen = true;
        let is_active = |unitary: &UnitaryEntry| match tables.interactions[unitary.interaction].kind {
            ContactKind::Bilateral | ContactKind::Compliant { .. } | ContactKind::FirstOrder(_) => true,
            // The first component is the gap; under friction the others slide.
            ContactKind::Unilateral { gamma, threshold, .. }
            | ContactKind::Frictional { gamma, threshold, .. } => {
                let row = unitary.rows.start;
                let gap = y[row] + gamma * h * y_dot[row];
                match threshold {
                    Some(threshold) => gap <= threshold,
                    None => gap <= 0.0 || is_rounding(unitary, gap),
                }
            }
        };
        // Mostly nothing changes: compare while going along, and write from the first difference on.
        let (mut kept, mut changed) = (0, false);
        for (place, _) in tables.unitary.iter().enumerate().filter(|(_, unitary)| is_active(unitary)) {
            if self.members.get(kept) != Some(&place) {
                self.members.truncate(kept);
                self.members.push(place);
                changed = true;
            }
            kept += 1;
        }
        changed |= kept < self.members.len();
        self.members.truncate(kept);
        if changed {
            self.names.clear();
            self.names.extend(self.members.iter().map(|&place| tables.unitary[place].name));
        }
        changed
    }

    /// Forgets everything: the model has changed.
    pub(crate) fn clear(&mut self) {
        self.is_chosen = false;
        self.members.clear();
        self.names.clear();
    }

    pub(crate) fn members(&self) -> &[usize] {
        &self.members
    }

    pub(crate) fn names(&self) -> &[UnitaryRelation] {
        &self.names
    }
}
