//! Layout of systems and interactions in the vectors of states and simulations, and changes of this layout.
//!
//! New objects are appended. Removed objects leave gaps, which are ranges of unused entries. The other
//! objects do not move, so the cost of a change is proportional to its size. If the gaps are a large fraction
//! of a vector, the layout is compacted. Objects are in insertion order, regardless of how the model was
//! built, with one exception: systems that a relation with $r = g(x, \lambda)$ couples form a group and are
//! adjacent. The insertion order of the first system of each group determines the order of the groups.

use std::ops::Range;
use std::sync::Arc;

use super::{ConfigurationSpace, DynamicalSystem, DynamicalSystemId, GapMap, Interaction, InteractionId};
use crate::arena::SideTable;
use crate::index::{IndexRange, Rows};
use crate::model::ModelError;

/// Index ranges of a system in the vectors of states and simulations.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    /// Range in q; empty for a first-order system.
    pub(crate) q: Range<usize>,
    /// Range in v and the impulses.
    pub(crate) v: Range<usize>,
    /// `true` if the range in v holds the state of a first-order system.
    pub(crate) first_order: bool,
    /// Configuration space; `None` if the position is a vector.
    pub(crate) space: Option<Arc<dyn ConfigurationSpace>>,
}

/// Largest change of a user-supplied position by projection for which no warning is issued.
const EXPECTED_OFFSET: f64 = 1e-6;

impl Places {
    /// Projects a user-supplied position onto the space of the system, for example by normalising a
    /// quaternion.
    pub(crate) fn restore(&self, q: &mut [f64]) -> Result<(), ModelError> {
        let Some(space) = &self.space else { return Ok(()) };
        let given = q.to_vec();
        space.restore(q);
        if let Some(index) = q.iter().position(|q| !q.is_finite()) {
            q.copy_from_slice(&given);
            return Err(ModelError::OutsideSpace { index, value: given[index] });
        }
        let offset = q.iter().zip(&given).map(|(q, given)| (q - given).abs()).fold(0.0, f64::max);
        if offset > EXPECTED_OFFSET {
            tracing::warn!(
                offset,
                "a position was projected onto its configuration space; a quaternion, for example, is normalised"
            );
        }
        Ok(())
    }

    pub(crate) fn same_size(&self, other: &Self) -> bool {
        (self.q.len(), self.v.len(), self.first_order) == (other.q.len(), other.v.len(), other.first_order)
    }
}

/// Lengths of the vectors q, v and y, gaps included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lengths {
    pub(crate) positions: usize,
    pub(crate) dofs: usize,
    pub(crate) rows: usize,
}

/// Ranges of all systems and interactions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    systems: SideTable<DynamicalSystem, Places>,
    interactions: SideTable<Interaction, Range<usize>>,
    lengths: Lengths,
    /// Lengths without gaps.
    in_use: Lengths,
}

/// Change of a layout.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    SystemAdded(DynamicalSystemId, Places),
    SystemRemoved(DynamicalSystemId, Places),
    InteractionAdded(InteractionId, Range<usize>),
    InteractionRemoved(InteractionId, Range<usize>),
    /// The rows of the interactions were compacted.
    GapsClosed(Arc<GapMap<Rows>>),
    /// The law of an interaction was replaced.
    LawSet(InteractionId),
    /// A parameter was added, or the time scale was set.
    Other,
}

/// Maximum number of unused entries for which a vector is never compacted.
const FEW_GAPS: usize = 64;

impl Layout {
    pub(crate) fn push_system(&mut self, id: DynamicalSystemId, system: &DynamicalSystem) -> Change {
        let Lengths { positions, dofs, .. } = self.lengths;
        let q = positions..positions + system.q0().len();
        let v = dofs..dofs + system.degrees_of_freedom();
        let space = system.factor().and_then(|factor| factor.space);
        let change = Change::SystemAdded(id, Places { q, v, first_order: system.is_first_order(), space });
        self.apply(&change);
        change
    }

    pub(crate) fn push_interaction(&mut self, id: InteractionId, interaction: &Interaction) -> Change {
        let rows = self.lengths.rows..self.lengths.rows + interaction.size();
        let change = Change::InteractionAdded(id, rows);
        self.apply(&change);
        change
    }

    pub(crate) fn remove_system(&mut self, id: DynamicalSystemId) -> Option<Change> {
        let change = Change::SystemRemoved(id, self.systems.get(id)?.clone());
        self.apply(&change);
        Some(change)
    }

    pub(crate) fn remove_interaction(&mut self, id: InteractionId) -> Option<Change> {
        let change = Change::InteractionRemoved(id, self.interactions.get(id)?.clone());
        self.apply(&change);
        Some(change)
    }

    /// Applies a change that was recorded from an identical layout.
    pub(crate) fn apply(&mut self, change: &Change) {
        match change {
            Change::SystemAdded(id, places) => {
                self.systems.insert(*id, places.clone());
                self.lengths.positions = places.q.end;
                self.lengths.dofs = places.v.end;
                self.in_use.positions += places.q.len();
                self.in_use.dofs += places.v.len();
            }
            Change::InteractionAdded(id, rows) => {
                self.interactions.insert(*id, rows.clone());
                self.lengths.rows = rows.end;
                self.in_use.rows += rows.len();
            }
            Change::SystemRemoved(id, places) => {
                self.systems.remove(*id);
                self.in_use.positions -= places.q.len();
                self.in_use.dofs -= places.v.len();
            }
            Change::InteractionRemoved(id, rows) => {
                self.interactions.remove(*id);
                self.in_use.rows -= rows.len();
            }
            Change::GapsClosed(moved) => {
                self.interactions
                    .values_mut()
                    .for_each(|rows| *rows = moved.span(IndexRange::of(rows.clone())).range());
                self.lengths.rows = moved.kept();
            }
            Change::LawSet(_) | Change::Other => {}
        }
    }

    /// Reverts a change. Changes must be reverted from the newest to the oldest. Compaction is not reverted.
    pub(crate) fn revert(&mut self, change: &Change) {
        match change {
            Change::SystemAdded(id, places) => {
                self.apply(&Change::SystemRemoved(*id, places.clone()));
                (self.lengths.positions, self.lengths.dofs) = (places.q.start, places.v.start);
            }
            Change::InteractionAdded(id, rows) => {
                self.apply(&Change::InteractionRemoved(*id, rows.clone()));
                self.lengths.rows = rows.start;
            }
            Change::SystemRemoved(id, places) => {
                let Lengths { positions, dofs, .. } = self.lengths;
                self.apply(&Change::SystemAdded(*id, places.clone()));
                (self.lengths.positions, self.lengths.dofs) = (positions, dofs);
            }
            Change::InteractionRemoved(id, rows) => {
                let length = self.lengths.rows;
                self.apply(&Change::InteractionAdded(*id, rows.clone()));
                self.lengths.rows = length;
            }
            Change::GapsClosed(_) | Change::LawSet(_) | Change::Other => {}
        }
    }

    /// Returns `true` if the rows of the interactions should be compacted.
    pub(crate) fn has_loose_interactions(&self) -> bool {
        is_loose(self.lengths.rows, self.in_use.rows)
    }

    pub(crate) fn has_loose_systems(&self) -> bool {
        is_loose(self.lengths.positions, self.in_use.positions)
            || is_loose(self.lengths.dofs, self.in_use.dofs)
    }

    /// Compacts the rows of the interactions.
    pub(crate) fn close_gaps(&mut self) -> Change {
        let rows = self.interactions.values_mut().map(|rows| IndexRange::of(rows.clone()));
        let change = Change::GapsClosed(Arc::new(GapMap::keeping(self.lengths.rows, rows)));
        self.apply(&change);
        change
    }

    /// Returns `true` if the vectors have gaps.
    pub(crate) fn has_gaps(&self) -> bool {
        self.lengths != self.in_use
    }

    pub(crate) fn lengths(&self) -> Lengths {
        self.lengths
    }

    pub(crate) fn system(&self, id: DynamicalSystemId) -> Option<&Places> {
        self.systems.get(id)
    }

    pub(crate) fn rows(&self, id: InteractionId) -> Option<&Range<usize>> {
        self.interactions.get(id)
    }
}

/// Returns `true` if the total length of the gaps exceeds a quarter of the used length plus [`FEW_GAPS`].
/// Every step also processes the gaps, which costs little if they are at most a fifth of the total length.
/// The cost of compaction is spread over the many removals that precede it.
fn is_loose(length: usize, in_use: usize) -> bool {
    length > in_use + in_use / 4 + FEW_GAPS
}

/// Most recent changes of a model, each with the stamp of the model after the change.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChangeLog {
    /// Stamp of the model before the oldest change in the log.
    start: u64,
    changes: Vec<(u64, Change)>,
}

impl ChangeLog {
    /// Clears the log and starts it at a stamp. Changes before this stamp can no longer be retrieved.
    pub(crate) fn begin(&mut self, stamp: u64) {
        self.start = stamp;
        self.changes.clear();
    }

    /// Records a change. If the log has more than `most` changes, the oldest changes are dropped, because
    /// applying all of them would cost more than a new layout.
    pub(crate) fn push(&mut self, stamp: u64, change: Change, most: usize) {
        self.changes.push((stamp, change));
        if self.changes.len() > most {
            let old = self.changes.len() - most / 2;
            self.start = self.changes[old - 1].0;
            self.changes.drain(..old);
        }
    }

    /// Returns the changes after a stamp, or `None` if the log does not contain the stamp.
    pub(crate) fn since(&self, stamp: u64) -> Option<impl DoubleEndedIterator<Item = &Change>> {
        // Search from the end: there are usually few new changes, and old ones are not in the cache.
        let behind = self.changes.iter().rev().take_while(|(after, _)| *after > stamp).count();
        let (known, new) = self.changes.split_at(self.changes.len() - behind);
        let reached = known.last().map_or(self.start, |(after, _)| *after);
        (reached == stamp).then(|| new.iter().map(|(_, change)| change))
    }
}
