//! How a model lays itself out, and what it notes of its changes.

use super::{NonSmoothDynamicalSystem, next_stamp};
use crate::arena::SideTable;
use crate::model::layout::{Change, Layout};
use crate::model::partition::Partition;
use crate::model::{DynamicalSystem, DynamicalSystemId};

/// Groups of systems, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct CoupledSystems {
    pub(crate) systems: Vec<DynamicalSystemId>,
    /// Where each group begins, with the number of systems at the end.
    starts: Vec<usize>,
}

impl CoupledSystems {
    pub(crate) fn groups(&self) -> impl Iterator<Item = &[DynamicalSystemId]> {
        self.starts.windows(2).map(|ends| &self.systems[ends[0]..ends[1]])
    }
}

impl NonSmoothDynamicalSystem {
    /// The systems in groups that a relation with $r = g(x, \lambda)$ couples in W; groups in the order of
    /// their first system, and systems of a group in order. States and simulations lay out their vectors like
    /// this.
    pub(crate) fn coupled_systems(&self) -> CoupledSystems {
        let births = self.births();
        let mut partition = Partition::new(self.systems.len());
        for (_, interaction) in self.interactions.iter().filter(|(_, it)| it.relation.has_k()) {
            partition.join(interaction.systems.iter().filter_map(|id| births.get(*id).copied()));
        }
        let (places, starts) = partition.parts().members();
        let ids: Vec<_> = self.systems.ids().collect();
        CoupledSystems { systems: places.into_iter().map(|place| ids[place]).collect(), starts }
    }

    pub(super) fn note(&mut self, stamp: u64, change: Change) {
        const FEW: usize = 64;
        self.epoch = stamp;
        let most = 2 * (self.systems.len() + self.interactions.len()) + FEW;
        self.changes.push(stamp, change, most);
    }

    /// Notes a removal, and closes the gaps where they are many; where an interaction has coupled systems,
    /// their order changes.
    pub(super) fn note_removal(&mut self, change: Option<Change>, has_coupled: bool) {
        let stamp = next_stamp();
        let Some(change) = change.filter(|_| !(has_coupled || self.layout.has_loose_systems())) else {
            return self.lay_out(stamp);
        };
        self.note(stamp, change);
        if self.layout.has_loose_interactions() {
            let closed = self.layout.close_gaps();
            self.note(next_stamp(), closed);
        }
    }

    /// Lays everything out anew.
    pub(super) fn lay_out(&mut self, stamp: u64) {
        self.epoch = stamp;
        self.changes.begin(stamp);
        self.layout = self.layout_without_gaps();
    }

    /// The layout that everything would have by itself.
    pub(crate) fn layout_without_gaps(&self) -> Layout {
        let mut layout = Layout::default();
        for id in self.coupled_systems().systems {
            self.systems.get(id).map(|system| layout.push_system(id, system));
        }
        for (id, interaction) in self.interactions.iter() {
            layout.push_interaction(id, interaction);
        }
        layout
    }

    /// Where everything lies in the vectors of states and simulations.
    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The changes since a stamp, in order; `None` where it is too long ago, or everything has moved.
    pub(crate) fn changes_since(&self, stamp: u64) -> Option<impl DoubleEndedIterator<Item = &Change>> {
        self.changes.since(stamp)
    }

    /// The place of every system in the order of birth.
    pub(crate) fn births(&self) -> SideTable<DynamicalSystem, usize> {
        let mut births = SideTable::default();
        for (place, id) in self.systems.ids().enumerate() {
            births.insert(id, place);
        }
        births
    }
}
