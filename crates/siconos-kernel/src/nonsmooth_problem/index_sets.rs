//! Index sets, which contain the unitary relations of the problem of a step.
//!
//! I_0 contains all unitary relations in insertion order. In time-stepping, I_1 contains the contacts whose
//! predicted gap is closed, y + gamma h ydot <= threshold (the rounding error of the gap if no threshold is
//! given), and all relations that are always active (equalities, compliant contacts, first-order systems).

use super::table_entries::{InteractionIndex, UnitaryEntry, UnitaryIndex};
use super::tables::Tables;
use crate::integrator::{Activation, Projection};
use crate::model::GapMap;

/// Maximum number of changes for which members are inserted and removed one by one.
const FEW: usize = 8;

/// Index set I_1 of a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct IndexSet {
    /// Members in increasing order.
    members: Vec<UnitaryIndex>,
    is_chosen: bool,
    /// `true` if the model has changed since the last update.
    is_stale: bool,
    /// Members removed by the last change.
    removed: Vec<UnitaryIndex>,
    /// Members added by the last change.
    added: Vec<UnitaryIndex>,
}

impl IndexSet {
    /// Chooses the members from y and its rate at the start of the step. The interactions in `held`, which
    /// are in increasing order, have no members. `is_rounding` returns `true` if a positive predicted gap is
    /// within its rounding error. Returns `true` if the set has changed.
    pub(crate) fn update(
        &mut self,
        tables: &Tables,
        h: f64,
        (y, y_dot): (&[f64], &[f64]),
        held: &[InteractionIndex],
        is_rounding: impl Fn(&UnitaryEntry, f64) -> bool,
    ) -> bool {
        if self.is_chosen && !tables.has_gaps && !std::mem::take(&mut self.is_stale) {
            return false;
        }
        self.is_chosen = true;
        let is_active = |unitary: &UnitaryEntry| {
            let kind = tables.kind_of(unitary);
            match kind.activation {
                None => kind.is_always_active(),
                Some(_) if kind.projection == Some(Projection::Combined) => false,
                // The first component is the gap; with friction, all other components are tangential.
                Some(Activation { gamma, threshold }) => {
                    let row = unitary.rows.start().index();
                    let gap = y[row] + gamma * h * y_dot[row];
                    match threshold {
                        Some(threshold) => gap <= threshold,
                        None => gap <= 0.0 || is_rounding(unitary, gap),
                    }
                }
            }
        };
        self.removed.clear();
        self.added.clear();
        let mut before = 0;
        for (place, unitary) in tables.unitary.entries() {
            let was_active = self.members.get(before) == Some(&place);
            before += usize::from(was_active);
            let is_active = is_active(unitary) && held.binary_search(&unitary.interaction).is_err();
            if is_active != was_active {
                if is_active { self.added.push(place) } else { self.removed.push(place) }
            }
        }
        let has_changed = !(self.removed.is_empty() && self.added.is_empty());
        if has_changed {
            self.apply();
        }
        has_changed
    }

    /// Adds unitary relations, given in increasing order, that are not members.
    pub(crate) fn add(&mut self, unitary: &[UnitaryIndex]) {
        self.removed.clear();
        self.added.clear();
        self.added.extend_from_slice(unitary);
        self.apply();
    }

    /// Removes all members from index `first`.
    pub(crate) fn remove_from(&mut self, first: UnitaryIndex) {
        self.added.clear();
        self.removed.clear();
        let kept = self.members.partition_point(|&member| member < first);
        self.removed.extend(self.members.drain(kept..));
    }

    /// Applies the lists `removed` and `added` to the members.
    // Not inlined, because the set rarely changes, and the common path must stay short.
    #[inline(never)]
    fn apply(&mut self) {
        if self.removed.len() + self.added.len() <= FEW {
            return self.apply_one_by_one();
        }
        let mut removed = self.removed.iter().peekable();
        self.members.retain(|member| removed.next_if_eq(&member).is_none());
        // The lists are merged from the end, so that each member moves only once.
        let mut left = self.members.len();
        self.members.resize(left + self.added.len(), UnitaryIndex::NONE);
        let mut to = self.members.len();
        for &place in self.added.iter().rev() {
            while left > 0 && self.members[left - 1] > place {
                (left, to) = (left - 1, to - 1);
                self.members[to] = self.members[left];
            }
            to -= 1;
            self.members[to] = place;
        }
    }

    /// Applies few changes as [`apply`](Self::apply) does, without a pass over the other members.
    fn apply_one_by_one(&mut self) {
        for place in &self.removed {
            if let Ok(order) = self.members.binary_search(place) {
                self.members.remove(order);
            }
        }
        for &place in &self.added {
            if let Err(order) = self.members.binary_search(&place) {
                self.members.insert(order, place);
            }
        }
    }

    /// Returns the members removed and added by the last change.
    pub(crate) fn change(&self) -> (&[UnitaryIndex], &[UnitaryIndex]) {
        (&self.removed, &self.added)
    }

    /// Updates the indices after the tables were compacted.
    pub(crate) fn close_gaps(&mut self, unitary: &GapMap<UnitaryEntry>) {
        unitary.rename(&mut self.members);
        [&mut self.removed, &mut self.added].into_iter().for_each(Vec::clear);
    }

    /// Records that the model has changed.
    pub(crate) fn expect_change(&mut self) {
        self.is_stale = true;
    }

    /// Resets the set after a change of the model. It then contains only the relations that are always
    /// active.
    pub(crate) fn begin(&mut self, tables: &Tables) {
        self.is_chosen = false;
        let is_always_active = |unitary: &UnitaryEntry| {
            let entry = &tables.interactions[unitary.interaction];
            !entry.is_gone() && tables.kind(entry.kind).is_always_active()
        };
        let all = tables.unitary.len();
        for list in [&mut self.members, &mut self.removed, &mut self.added] {
            list.clear();
            list.reserve(all);
        }
        let unitary = tables.unitary.entries();
        self.added.extend(unitary.filter(|(_, unitary)| is_always_active(unitary)).map(|(place, _)| place));
        self.apply();
    }

    pub(crate) fn members(&self) -> &[UnitaryIndex] {
        &self.members
    }
}
