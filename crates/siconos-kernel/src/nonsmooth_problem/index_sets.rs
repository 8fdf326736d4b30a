//! Index sets: which unitary relations take part in the problem of a step.
//!
//! I_0 holds all of them, in order of birth. In time-stepping I_1 holds those whose predicted gap is closed,
//! y + gamma h ydot <= threshold (the rounding of the gap where none is given), and all that are always
//! active (equalities, compliant contacts, first-order systems).

use super::class::ContactKind;
use super::table_entries::UnitaryEntry;
use super::tables::Tables;
use crate::simulation::UnitaryRelation;

/// I_1 of a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct IndexSet {
    /// Places in the table of unitary relations, increasing.
    members: Vec<usize>,
    /// The members as names.
    names: Vec<UnitaryRelation>,
    is_chosen: bool,
    /// Whether the model has changed since.
    is_stale: bool,
    /// The members before the last change, from the first that differs on.
    before: Vec<usize>,
    /// What the last change took out and put in.
    removed: Vec<usize>,
    added: Vec<usize>,
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
        if self.is_chosen && !tables.has_gaps && !std::mem::take(&mut self.is_stale) {
            return false;
        }
        self.is_chosen = true;
        let is_active = |unitary: &UnitaryEntry| match tables.interactions[unitary.interaction].kind {
            ContactKind::Bilateral | ContactKind::Compliant { .. } | ContactKind::FirstOrder(_) => true,
            ContactKind::Gone => false,
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
        let mut kept = 0;
        let mut first_new = tables.unitary.len();
        for (place, unitary) in tables.unitary.iter().enumerate() {
            if is_active(unitary) {
                if self.members.get(kept) != Some(&place) {
                    first_new = place;
                    break;
                }
                kept += 1;
            }
        }
        if first_new == tables.unitary.len() && kept == self.members.len() {
            return false;
        }
        let rest = tables.unitary.iter().enumerate().skip(first_new);
        self.replace(kept, rest.filter(|(_, unitary)| is_active(unitary)).map(|(place, _)| place));
        self.name(tables, kept);
        true
    }

    /// Keeps the first members, and takes others in the place of the rest.
    fn replace(&mut self, kept: usize, others: impl Iterator<Item = usize>) {
        self.before.clear();
        self.before.extend(self.members.drain(kept..));
        self.members.extend(others);
        self.removed.clear();
        self.added.clear();
        let (mut old, mut new) = (self.before.iter().peekable(), self.members[kept..].iter().peekable());
        loop {
            match (old.peek(), new.peek()) {
                (Some(a), Some(b)) if a == b => {
                    old.next();
                    new.next();
                }
                (Some(a), other) if other.is_none_or(|b| a < b) => self.removed.extend(old.next()),
                (_, Some(_)) => self.added.extend(new.next()),
                (_, None) => break,
            }
        }
    }

    /// What the last change took out and put in.
    pub(crate) fn change(&self) -> (&[usize], &[usize]) {
        (&self.removed, &self.added)
    }

    /// Takes note that the model has changed.
    pub(crate) fn expect_change(&mut self) {
        self.is_stale = true;
    }

    /// Begins anew, with those that are always active: the model has changed.
    pub(crate) fn begin(&mut self, tables: &Tables) {
        self.is_chosen = false;
        let is_always_active = |unitary: &UnitaryEntry| {
            let kind = tables.interactions[unitary.interaction].kind;
            kind != ContactKind::Gone && !kind.has_gap()
        };
        let all = tables.unitary.len();
        for list in [&mut self.members, &mut self.before, &mut self.removed, &mut self.added] {
            list.clear();
            list.reserve(all);
        }
        self.names.reserve(all.saturating_sub(self.names.len()));
        let unitary = tables.unitary.iter().enumerate();
        self.replace(0, unitary.filter(|(_, unitary)| is_always_active(unitary)).map(|(place, _)| place));
        self.name(tables, 0);
    }

    /// Writes the names of the members but the first ones.
    fn name(&mut self, tables: &Tables, kept: usize) {
        self.names.truncate(kept);
        self.names.extend(self.members[kept..].iter().map(|&place| tables.unitary[place].name));
    }

    pub(crate) fn members(&self) -> &[usize] {
        &self.members
    }

    pub(crate) fn names(&self) -> &[UnitaryRelation] {
        &self.names
    }
}
