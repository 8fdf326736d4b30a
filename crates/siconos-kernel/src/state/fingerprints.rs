//! Fingerprints of the components of a model, each stored once, and their comparison with a rebuilt model.

use std::collections::BTreeMap;

use super::record::{InteractionRecord, SystemRecord};
use crate::arena::{Id, SideTable};
use crate::model::{
    DynamicalSystem, DynamicalSystemId, Fingerprint, HasParts, Interaction, InteractionId, ModelError,
    NonSmoothDynamicalSystem, PartDifference, StructureDifference, fingerprint,
};

/// Fingerprints of a record, each with its index. The indices are in the order of first use.
#[derive(Default)]
pub(super) struct FingerprintList(BTreeMap<Fingerprint, usize>);

impl FingerprintList {
    /// Returns the index of the fingerprint of an object. A fingerprint that is not in the list yet is added.
    pub(super) fn place_of(&mut self, object: &impl HasParts) -> usize {
        let next = self.0.len();
        *self.0.entry(fingerprint(object)).or_insert(next)
    }

    pub(super) fn into_list(self) -> Vec<Fingerprint> {
        let mut list: Vec<_> = self.0.into_iter().collect();
        list.sort_unstable_by_key(|(_, place)| *place);
        list.into_iter().map(|(fingerprint, _)| fingerprint).collect()
    }
}

/// Comparison of the components of a model with the fingerprints of a record.
pub(super) struct Comparison<'a> {
    model: &'a NonSmoothDynamicalSystem,
    insertion_order: SideTable<DynamicalSystem, usize>,
    recorded: &'a [Fingerprint],
}

impl<'a> Comparison<'a> {
    pub(super) fn new(model: &'a NonSmoothDynamicalSystem, recorded: &'a [Fingerprint]) -> Self {
        Self { model, insertion_order: model.insertion_order(), recorded }
    }

    /// Compares the fingerprint of the model as a whole.
    pub(super) fn of_model(&self, place: usize) -> Result<(), ModelError> {
        self.compare(|| "the model".to_owned(), place, self.model)
    }

    /// Compares the name and the fingerprint of a system.
    pub(super) fn of_system(
        &self,
        index: usize,
        id: DynamicalSystemId,
        system: &DynamicalSystem,
        kept: &SystemRecord,
    ) -> Result<(), ModelError> {
        let which = || format!("dynamical system {}", label(id, index));
        check_name(which, id.name(), kept.name.as_deref())?;
        self.compare(which, kept.fingerprint, system)
    }

    /// Compares the name, the list of systems, the relation and the law of an interaction.
    pub(super) fn of_interaction(
        &self,
        index: usize,
        id: InteractionId,
        interaction: &Interaction,
        kept: &InteractionRecord,
    ) -> Result<(), ModelError> {
        let which = || format!("interaction {}", label(id, index));
        check_name(which, id.name(), kept.name.as_deref())?;
        let insertion_order =
            interaction.systems().iter().filter_map(|id| self.insertion_order.get(*id).copied());
        if !insertion_order.clone().eq(kept.systems.iter().copied()) {
            let (found, recorded) = (self.labels(insertion_order), self.labels(kept.systems.iter().copied()));
            return Err(other(which(), "list of systems", PartDifference::Other { found, recorded }));
        }
        self.compare(|| format!("the relation of {}", which()), kept.relation, interaction.relation())?;
        self.compare(|| format!("the law of {}", which()), kept.law, interaction.law())
    }

    fn compare(
        &self,
        which: impl Fn() -> String,
        place: usize,
        object: &impl HasParts,
    ) -> Result<(), ModelError> {
        let missing = ModelError::NoFingerprint { index: place, held: self.recorded.len() };
        let recorded = self.recorded.get(place).ok_or(missing)?;
        match fingerprint(object).first_difference(recorded) {
            None => Ok(()),
            Some((part, difference)) => Err(other(which(), &part, difference)),
        }
    }

    /// Returns the labels of the systems with these indices in insertion order.
    fn labels(&self, places: impl Iterator<Item = usize>) -> String {
        let ids: Vec<_> = self.model.systems().ids().collect();
        let one = |place: usize| ids.get(place).map_or_else(|| format!("#{place}"), |id| label(*id, place));
        places.map(one).collect::<Vec<_>>().join(", ")
    }
}

/// Returns the name of an object, or its index in insertion order if it has no name.
fn label<T>(id: Id<T>, index: usize) -> String {
    id.name().map_or_else(|| format!("#{index}"), |name| format!("`{name}`"))
}

/// Checks that the names are equal if the object has a name both in the model and in the record.
fn check_name(
    which: impl Fn() -> String,
    found: Option<&str>,
    recorded: Option<&str>,
) -> Result<(), ModelError> {
    match (found, recorded) {
        (Some(found), Some(recorded)) if found != recorded => {
            let (found, recorded) = (format!("`{found}`"), format!("`{recorded}`"));
            Err(other(which(), "name", PartDifference::Other { found, recorded }))
        }
        _ => Ok(()),
    }
}

fn other(which: String, part: &str, difference: PartDifference) -> ModelError {
    Box::new(StructureDifference { which, part: part.to_owned(), difference }).into()
}
