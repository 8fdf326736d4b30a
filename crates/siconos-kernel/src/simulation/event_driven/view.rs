//! The index sets of an event-driven simulation.

use super::EventDriven;
use crate::nonsmooth_problem::UnitaryRelation;

impl EventDriven {
    /// The index set I_0: all unitary relations, in the order of the model; of first-order systems one per
    /// row.
    #[doc(alias = "indexSet0")]
    #[must_use]
    pub fn unitary_relations(&self) -> Vec<UnitaryRelation> {
        self.index_set_where(|_| true)
    }

    /// The index set I_1 after the last event: the contacts that touch; of first-order systems the active
    /// multipliers.
    #[doc(alias = "indexSet1")]
    #[must_use]
    pub fn touching_relations(&self) -> Vec<UnitaryRelation> {
        self.index_set_where(|[touches, _]| touches)
    }

    /// The index set I_2 after the last event: the contacts that last; of first-order systems the active
    /// multipliers.
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
