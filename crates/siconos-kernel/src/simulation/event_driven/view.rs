//! Access to the index sets of an event-driven simulation.

use super::EventDriven;
use crate::nonsmooth_problem::UnitaryRelation;

impl EventDriven {
    /// Returns the index set I_0, which contains all unitary relations in the order of the model. For
    /// first-order systems, it has one relation per row.
    #[doc(alias = "indexSet0")]
    #[must_use]
    pub fn unitary_relations(&self) -> Vec<UnitaryRelation> {
        self.index_set_where(|_| true)
    }

    /// Returns the index set I_1 after the last event: the touching contacts. For first-order systems, it
    /// contains the active multipliers.
    #[doc(alias = "indexSet1")]
    #[must_use]
    pub fn touching_relations(&self) -> Vec<UnitaryRelation> {
        self.index_set_where(|[touches, _]| touches)
    }

    /// Returns the index set I_2 after the last event: the lasting contacts. For first-order systems, it
    /// contains the active multipliers.
    #[doc(alias = "indexSet2")]
    #[must_use]
    pub fn lasting_relations(&self) -> Vec<UnitaryRelation> {
        self.index_set_where(|[_, lasts]| lasts)
    }

    fn index_set_where(&self, is_member: impl Fn([bool; 2]) -> bool) -> Vec<UnitaryRelation> {
        let sets = self.modes.index_sets().into_iter();
        sets.filter(|(_, sets)| is_member(*sets)).map(|(name, _)| name).collect()
    }
}
