//! An interaction: one relation and one law over one, two or more systems.

use super::fingerprint::Fingerprint;
use super::{DynamicalSystem, DynamicalSystemId, NonSmoothLaw, Relation};
use crate::arena::SideTable;

/// What ties systems together: a [`Relation`] that says what y and lambda are, and a [`NonSmoothLaw`] between
/// them.
///
/// Made by [`NonSmoothDynamicalSystem::add_interaction`](super::NonSmoothDynamicalSystem::add_interaction).
#[derive(Clone, Debug)]
pub struct Interaction {
    pub(super) systems: Vec<DynamicalSystemId>,
    pub(super) relation: Relation,
    pub(super) law: NonSmoothLaw,
}

impl Interaction {
    /// The systems, in the order in which their degrees of freedom stand in the relation.
    #[must_use]
    pub fn systems(&self) -> &[DynamicalSystemId] {
        &self.systems
    }

    /// The relation.
    #[must_use]
    pub fn relation(&self) -> &Relation {
        &self.relation
    }

    /// The law.
    #[must_use]
    pub fn law(&self) -> &NonSmoothLaw {
        &self.law
    }

    /// What can be compared with an interaction of another process; systems by their order of birth.
    pub(crate) fn fingerprint(&self, births: &SideTable<DynamicalSystem, usize>) -> Fingerprint {
        let mut of = Fingerprint::of("interaction");
        of.count(self.systems.len());
        for system in &self.systems {
            of.option(births.get(*system), |of, birth| of.count(*birth));
        }
        self.relation.fingerprint(&mut of);
        self.law.fingerprint(&mut of);
        of
    }

    /// The number of components of y: a multiple of the size of the law.
    #[must_use]
    pub fn size(&self) -> usize {
        self.relation.size()
    }
}
