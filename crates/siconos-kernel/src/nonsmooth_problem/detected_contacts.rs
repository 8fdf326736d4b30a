//! Entries of detected contacts, at the end of the tables.
//!
//! The entries of a step replace those of the previous step, unless both steps have the same contacts. The
//! entries of the model precede them and do not change.

use std::sync::Arc;

use super::contact_kind::ContactKind;
use super::rows::{EntryPlace, FEW_COLUMNS};
use super::table_entries::{Incidence, InteractionEntry, RowEntry, SystemIndex, UnitaryEntry};
use super::tables::Tables;
use crate::detection::DetectedContact;
use crate::index::{IndexRange, TypedIndex};
use crate::integrator::FitError;
use crate::model::ModelError;
use crate::model::RelationId;

/// Numbers of entries that belong to the model.
#[derive(Clone, Copy, Debug)]
pub(super) struct DeclaredEntries {
    interactions: usize,
    incidences: usize,
    places: usize,
    unitary: usize,
    rows: usize,
    jacobian: usize,
    responses: usize,
}

impl Tables {
    /// Returns `true` if the tables contain entries for the contacts of a step, even if there are no
    /// contacts.
    pub(crate) fn has_detected(&self) -> bool {
        self.declared.is_some()
    }

    /// Returns the number of rows that belong to the model.
    pub(crate) fn declared_rows(&self) -> usize {
        self.declared.map_or(self.rows.len(), |declared| declared.rows)
    }

    /// Returns the range of the unitary relations of detected contacts.
    pub(crate) fn detected_unitary(&self) -> IndexRange<UnitaryEntry> {
        let first = self.declared.map_or(self.unitary.len(), |declared| declared.unitary);
        IndexRange::of(first..self.unitary.len())
    }

    /// Returns the entries of detected contacts.
    pub(crate) fn detected(&self) -> &[InteractionEntry] {
        let first = self.declared.map_or(self.interactions.len(), |declared| declared.interactions);
        self.interactions.split_at(first).1
    }

    /// Removes the entries of detected contacts. No index set may contain them.
    pub(crate) fn drop_detected(&mut self) {
        let Some(declared) = self.declared.take() else { return };
        self.interactions.truncate(declared.interactions);
        self.incidences.truncate(declared.incidences);
        self.places.truncate(declared.places);
        self.unitary.truncate(declared.unitary);
        self.rows.truncate(declared.rows);
        (self.jacobian_len, self.response_len) = (declared.jacobian, declared.responses);
    }

    /// Adds entries for contacts, which must be ordered by key.
    ///
    /// # Errors
    ///
    /// If a system does not exist, or if an integrator does not support a contact.
    pub(crate) fn push_detected(&mut self, contacts: &[DetectedContact]) -> Result<(), FitError> {
        self.declared = Some(DeclaredEntries {
            interactions: self.interactions.len(),
            incidences: self.incidences.len(),
            places: self.places.len(),
            unitary: self.unitary.len(),
            rows: self.rows.len(),
            jacobian: self.jacobian_len,
            responses: self.response_len,
        });
        self.has_gaps |= !contacts.is_empty();
        contacts.iter().try_for_each(|contact| self.push_contact(contact))
    }

    fn push_contact(&mut self, contact: &DetectedContact) -> Result<(), FitError> {
        let own_place = self.interactions.end();
        let (first_incidence, first_place) = (self.incidences.end(), self.places.end());
        let systems = self.systems_of(contact)?;
        let mut columns = IndexRange::default();
        for system in systems.into_iter().flatten() {
            let entry = &self.systems[system];
            columns = columns.next(entry.dofs.len());
            let is_vector = entry.space.is_vector();
            let (block, positions, dofs) = (entry.block, entry.positions, entry.dofs);
            self.incidences.push(Incidence { block, positions, is_vector, dofs, columns });
        }
        let columns = columns.end();
        let incidences = self.incidences.since(first_incidence);
        if columns.index() <= FEW_COLUMNS {
            self.places.extend(self.incidences[incidences].iter().flat_map(EntryPlace::all_of));
        }
        let schemes = systems.into_iter().flatten().map(|system| &*self.systems[system].scheme);
        let kind = ContactKind::of_contact(RelationId::Contact(contact.key), &contact.law, schemes)?;
        self.has_projections |= kind.projection.is_some();
        let kind = self.place_of_kind(kind);
        let size = contact.law.size();
        let rows = IndexRange::of(self.rows.len()..self.rows.len() + size);
        let entries = size * columns.index();
        let jacobian = IndexRange::of(self.jacobian_len..self.jacobian_len + entries);
        self.jacobian_len += entries;
        self.response_len += entries;
        let unitary =
            self.unitary.push(UnitaryEntry { interaction: own_place, block: TypedIndex::FIRST, rows });
        self.interactions.push(InteractionEntry {
            id: RelationId::Contact(contact.key),
            rows,
            jacobian,
            columns,
            pattern: None,
            places: self.places.since(first_place),
            incidences,
            parts: IndexRange::default(),
            unitary: unitary.up_to(unitary.next()),
            kind,
            is_mixed: false,
            law: Arc::clone(&contact.law),
            compliance: None,
            first_order: false,
            constant: false,
            affine: false,
            is_linear: true,
            constant_offset: false,
        });
        self.rows.resize(rows.range().end, RowEntry::GONE);
        self.write_rows(own_place);
        Ok(())
    }

    /// Returns the systems of a contact.
    pub(crate) fn systems_of(
        &self,
        contact: &DetectedContact,
    ) -> Result<[Option<SystemIndex>; 2], ModelError> {
        let place = |id| self.place_of(id).ok_or(ModelError::UnknownSystem { id });
        Ok([Some(place(contact.first)?), contact.second.map(place).transpose()?])
    }
}
