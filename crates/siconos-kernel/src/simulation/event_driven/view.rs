//! The index sets of an event-driven simulation.

use super::EventDriven;
use super::lagrangian::LagrangianModes;
use super::modes::Modes;
use crate::simulation::UnitaryRelation;

impl EventDriven {
    /// The index set I_0: all unitary relations, in the order of the model; of first-order systems one per
    /// row.
    #[doc(alias = "indexSet0")]
    #[must_use]
    pub fn unitary_relations(&self) -> Vec<UnitaryRelation> {
        self.index_set_where(|_, _| true, |_| true)
    }

    /// The index set I_1 after the last event: the contacts that touch; of first-order systems the active
    /// multipliers.
    #[doc(alias = "indexSet1")]
    #[must_use]
    pub fn touching_relations(&self) -> Vec<UnitaryRelation> {
        self.index_set_where(LagrangianModes::is_touching, |is_active| is_active)
    }

    /// The index set I_2 after the last event: the contacts that last; of first-order systems the active
    /// multipliers.
    #[doc(alias = "indexSet2")]
    #[must_use]
    pub fn lasting_relations(&self) -> Vec<UnitaryRelation> {
        self.index_set_where(LagrangianModes::is_closed, |is_active| is_active)
    }

    fn index_set_where(
        &self,
        is_member: impl Fn(&LagrangianModes, usize) -> bool,
        is_row: impl Fn(bool) -> bool,
    ) -> Vec<UnitaryRelation> {
        match &self.modes {
            Modes::Lagrangian(modes) => {
                let places = (0..modes.contacts()).filter(|place| is_member(modes, *place));
                places.map(|place| modes.name(place)).collect()
            }
            Modes::FirstOrder(modes) => {
                modes.rows().filter(|(_, active)| is_row(*active)).map(|(name, _)| name).collect()
            }
        }
    }
}
