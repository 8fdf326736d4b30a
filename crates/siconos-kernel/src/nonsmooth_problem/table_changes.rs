//! Incremental update of the tables after changes of a model.

use std::sync::Arc;

use super::contact_kind::ContactKind;
use super::table_entries::{
    Block, BlockIndex, GONE, InteractionEntry, InteractionIndex, RowEntry, SystemEntry, UnitaryEntry,
};
use super::tables::Tables;
use crate::index::{Dofs, IndexRange, JacobianEntries, Rows};
use crate::integrator::{FitError, Scheme};
use crate::model::{
    Change, DynamicalSystemId, GapMap, InteractionId, NonSmoothDynamicalSystem, PositionSpace,
};

/// Effect of a model change on the tables.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Changed<'a> {
    Nothing,
    /// A block of systems was added at the end of the table of blocks.
    Block,
    /// An interaction was added at the end of the table of interactions.
    Interaction,
    /// A block was removed; its entry remains and is empty.
    BlockGone(BlockIndex, IndexRange<Dofs>),
    /// An interaction was removed; its entry remains and is empty.
    InteractionGone {
        was_linear: bool,
        was_constant: bool,
        was_first_order: bool,
    },
    /// The law of an interaction was replaced.
    Law(InteractionIndex),
    /// The tables are about to be compacted: the empty entries of removed interactions will be discarded.
    GapsToClose,
    /// The tables have been compacted.
    GapsClosed(&'a Moves),
}

/// New indices after the tables were compacted.
#[derive(Debug)]
pub(crate) struct Moves {
    pub(crate) interactions: GapMap<InteractionEntry>,
    pub(crate) unitary: GapMap<UnitaryEntry>,
    pub(crate) rows: Arc<GapMap<Rows>>,
    pub(crate) jacobian: GapMap<JacobianEntries>,
}

impl Tables {
    /// Marks the tables as outdated, so that they must be rebuilt for any model.
    pub(crate) fn expire(&mut self) {
        // The epochs of models start at 1.
        self.epoch = 0;
    }

    /// Updates these tables for all changes of `model` since the last update, and passes each change to
    /// `tell`. Returns `false` if a change cannot be applied or if `tell` returns `false`. After `false` or
    /// an error, the tables must be rebuilt.
    pub(crate) fn follow<E: From<FitError>>(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        scheme: impl Fn(DynamicalSystemId, bool) -> Scheme,
        mut tell: impl FnMut(&mut Self, Changed<'_>) -> Result<bool, E>,
    ) -> Result<bool, E> {
        let (Some(changes), Some(all)) = (model.changes_since(self.epoch), model.changes_since(self.epoch))
        else {
            return Ok(false);
        };
        // If the model was compacted more than once, most indices have changed, and the tables are rebuilt.
        if all.filter(|change| matches!(change, Change::GapsClosed(_))).count() > 1 {
            return Ok(false);
        }
        for change in changes {
            let moves;
            let changed = match change {
                Change::Other => Changed::Nothing,
                Change::SystemAdded(id, _) if model.system(*id).is_ok() => {
                    self.push_block(model, model.layout(), &[*id], &scheme)?;
                    Changed::Block
                }
                Change::InteractionAdded(id, rows) => match model.interactions().get(*id) {
                    Some(interaction) => {
                        self.push_interaction(IndexRange::of(rows.clone()), *id, interaction)?;
                        Changed::Interaction
                    }
                    None => Changed::Nothing,
                },
                // The system was added and removed again.
                Change::SystemAdded(..) => Changed::Nothing,
                Change::SystemRemoved(id, _) => self.take_out_system(*id),
                Change::InteractionRemoved(id, _) => self.take_out_interaction(*id),
                Change::GapsClosed(rows) => {
                    // Data of first-order interactions cannot be moved.
                    let has_first_order = self.systems.iter().any(SystemEntry::is_first_order);
                    if has_first_order || !tell(self, Changed::GapsToClose)? {
                        return Ok(false);
                    }
                    moves = self.close_gaps(rows);
                    Changed::GapsClosed(&moves)
                }
                Change::LawSet(id) => match self.set_law(model, *id)? {
                    Some(changed) => changed,
                    None => return Ok(false),
                },
            };
            if !tell(self, changed)? {
                return Ok(false);
            }
        }
        self.take_lengths(model.layout());
        self.time_scale = model.time_scale();
        self.epoch = model.epoch();
        Ok(true)
    }

    /// Removes a system. The system is the only one in its block, because no interaction acts on it.
    fn take_out_system(&mut self, id: DynamicalSystemId) -> Changed<'static> {
        let Some(&place) = self.system_places.get(id) else { return Changed::Nothing };
        let entry = &mut self.systems[place];
        (entry.positions, entry.dofs) = (IndexRange::default(), IndexRange::default());
        entry.space = PositionSpace::Vector;
        let block = entry.block;
        let dofs = std::mem::take(&mut self.blocks[block].dofs);
        self.system_places.remove(id);
        Changed::BlockGone(block, dofs)
    }

    fn take_out_interaction(&mut self, id: InteractionId) -> Changed<'static> {
        let Some(&place) = self.interaction_places.get(id) else { return Changed::Nothing };
        let entry = &mut self.interactions[place];
        let gone = Changed::InteractionGone {
            was_linear: entry.is_linear,
            was_constant: entry.constant,
            was_first_order: entry.first_order,
        };
        entry.kind = GONE;
        self.rows[entry.rows].fill(RowEntry::GONE);
        entry.rows = entry.rows.part(0..0);
        (entry.incidences, entry.places) = (IndexRange::default(), IndexRange::default());
        (entry.parts, entry.jacobian) = (IndexRange::default(), IndexRange::default());
        entry.pattern = None;
        (entry.constant, entry.is_linear, entry.first_order) = (true, true, false);
        for unitary in &mut self.unitary[entry.unitary] {
            unitary.rows = unitary.rows.part(0..0);
        }
        self.interaction_places.remove(id);
        gone
    }

    /// Discards the empty entries of removed interactions, as the model did for their rows.
    fn close_gaps(&mut self, rows: &Arc<GapMap<Rows>>) -> Moves {
        let Self { interactions, incidences, places, parts, unitary, rows: row_entries, .. } = self;
        let kept = || interactions.iter().filter(|entry| !entry.is_gone());
        let of_incidences = GapMap::keeping(incidences.len(), kept().map(|entry| entry.incidences));
        let of_places = GapMap::keeping(places.len(), kept().map(|entry| entry.places));
        let of_parts = GapMap::keeping(parts.len(), kept().map(|entry| entry.parts));
        let alive = interactions.entries().filter(|(_, entry)| !entry.is_gone());
        let moves = Moves {
            interactions: GapMap::keeping(
                interactions.len(),
                alive.map(|(place, _)| place.up_to(place.next())),
            ),
            unitary: GapMap::keeping(unitary.len(), kept().map(|entry| entry.unitary)),
            rows: Arc::clone(rows),
            jacobian: GapMap::keeping(self.jacobian_len, kept().map(|entry| entry.jacobian)),
        };
        of_incidences.close(incidences);
        of_places.close(places);
        of_parts.close(parts);
        moves.unitary.close(unitary);
        moves.interactions.close(interactions);
        rows.close(row_entries);
        self.response_len = 0;
        for (place, entry) in interactions.places().zip(interactions.iter_mut()) {
            entry.rows = rows.span(entry.rows);
            entry.jacobian = moves.jacobian.span(entry.jacobian);
            entry.incidences = of_incidences.span(entry.incidences);
            entry.places = of_places.span(entry.places);
            entry.parts = of_parts.span(entry.parts);
            entry.unitary = moves.unitary.span(entry.unitary);
            for unitary in &mut unitary[entry.unitary] {
                unitary.interaction = place;
                unitary.rows = rows.span(unitary.rows);
            }
            for row in &mut row_entries[entry.rows] {
                row.interaction = place;
                row.entries = moves.jacobian.before(row.entries);
                row.places = of_places.span(row.places);
            }
            self.response_len += if entry.pattern.is_none() { entry.jacobian.len() } else { 0 };
        }
        for place in self.interaction_places.values_mut() {
            *place = moves.interactions.before(*place);
        }
        self.jacobian_len = moves.jacobian.kept();
        moves
    }

    /// Replaces the law of an interaction. Returns `None` if the new law changes the size of its unitary
    /// relations.
    fn set_law(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        id: InteractionId,
    ) -> Result<Option<Changed<'static>>, FitError> {
        let Some(interaction) = model.interactions().get(id) else { return Ok(Some(Changed::Nothing)) };
        let Some(&place) = self.interaction_places.get(id) else { return Ok(None) };
        let schemes = self.parts_of(place).iter().map(|part| &*self.systems[part.system].scheme);
        let kind = ContactKind::new(id.into(), interaction, schemes)?;
        let entry = &mut self.interactions[place];
        let before = self.unitary[entry.unitary.start()].rows.len();
        if kind.unitary_size(interaction) != before {
            return Ok(None);
        }
        entry.law = interaction.shared_law();
        self.interactions[place].kind = self.place_of_kind(kind);
        self.write_rows(place);
        self.has_gaps |= kind.has_gap;
        self.has_projections |= kind.projection.is_some();
        Ok(Some(Changed::Law(place)))
    }

    /// Returns the block of these tables that has the same system and the same integrator as a block of other
    /// tables, or `None` if one of the two blocks has several systems or couplings.
    pub(crate) fn block_like(&self, entries: &[SystemEntry], block: &Block) -> Option<BlockIndex> {
        let [entry] = entries else { return None };
        let own = &self.systems[self.place_of(entry.id)?];
        let own_block = &self.blocks[own.block];
        let is_single = own_block.systems.len() == 1;
        let is_free = own_block.coupling.is_empty() && block.coupling.is_empty();
        (is_single && is_free && own.scheme == entry.scheme).then_some(own.block)
    }
}
