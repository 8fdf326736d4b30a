//! Layout of a model, and log of the changes of the layout.

use super::{NonSmoothDynamicalSystem, next_stamp};
use crate::arena::SideTable;
use crate::model::layout::{Change, Layout};
use crate::model::partition::Partition;
use crate::model::{DynamicalSystem, DynamicalSystemId};

/// Groups of coupled systems, concatenated.
#[derive(Clone, Debug)]
pub(crate) struct CoupledSystems {
    pub(crate) systems: Vec<DynamicalSystemId>,
    /// Start index of each group in `systems`, followed by the length of `systems`.
    starts: Vec<usize>,
}

impl CoupledSystems {
    pub(crate) fn groups(&self) -> impl Iterator<Item = &[DynamicalSystemId]> {
        self.starts.windows(2).map(|ends| &self.systems[ends[0]..ends[1]])
    }
}

impl NonSmoothDynamicalSystem {
    /// Returns the systems in groups. The systems of a group share an iteration matrix W, because relations
    /// with $r = g(x, \lambda)$ couple them. Groups are in the insertion order of their first systems, and
    /// the systems of a group are in insertion order. States and simulations lay out their vectors in this
    /// order.
    pub(crate) fn coupled_systems(&self) -> CoupledSystems {
        let insertion_order = self.insertion_order();
        let mut partition = Partition::new(self.systems.len());
        for (_, interaction) in self.interactions.iter().filter(|(_, it)| it.relation.has_k()) {
            partition.join(interaction.systems.iter().filter_map(|id| insertion_order.get(*id).copied()));
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

    /// Records a removal, and closes the gaps if there are many. If the removed interaction coupled its
    /// systems, the order of the systems changes, and a new layout of all objects is created.
    pub(super) fn note_removal(&mut self, stamp: u64, change: Option<Change>, has_coupled: bool) {
        let Some(change) = change.filter(|_| !(has_coupled || self.layout.has_loose_systems())) else {
            return self.lay_out(stamp);
        };
        self.note(stamp, change);
        if self.layout.has_loose_interactions() {
            let closed = self.layout.close_gaps();
            self.note(next_stamp(), closed);
        }
    }

    /// Creates a new layout of all objects without gaps, and clears the log.
    pub(super) fn lay_out(&mut self, stamp: u64) {
        self.epoch = stamp;
        self.changes.begin(stamp);
        self.layout = self.layout_without_gaps();
    }

    /// Returns a layout of all objects without gaps.
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

    /// Returns the layout of all objects in the vectors of states and simulations.
    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the changes since a stamp, from the oldest to the newest; `None` if the log starts later than
    /// the stamp or was cleared.
    pub(crate) fn changes_since(&self, stamp: u64) -> Option<impl DoubleEndedIterator<Item = &Change>> {
        self.changes.since(stamp)
    }

    /// Returns the insertion index of every system.
    pub(crate) fn insertion_order(&self) -> SideTable<DynamicalSystem, usize> {
        let mut insertion_order = SideTable::default();
        for (place, id) in self.systems.ids().enumerate() {
            insertion_order.insert(id, place);
        }
        insertion_order
    }
}
