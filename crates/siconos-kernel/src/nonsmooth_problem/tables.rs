//! Tables of a simulation. They contain the indices of each system, interaction and unitary relation in the
//! flat arrays.
//!
//! The tables contain everything that a step needs to know about the structure of its model. They are
//! [updated](Tables::follow) after changes of the model. A removed object leaves an empty entry, so that the
//! indices of other objects do not change; empty entries are discarded when the model is compacted. Entries
//! are always in the order of the model.

use std::sync::Arc;

use super::class::{FrictionForm, ProblemClass};
use super::contact_kind::ContactKind;
use super::detected_contacts::DeclaredEntries;
use super::islands::Islands;
use super::rows::{EntryPlace, FEW_COLUMNS, RowPattern};
use super::table_entries::{
    Block, BlockIndex, Incidence, InteractionEntry, InteractionIndex, KindIndex, Part, RowEntry, RowStorage,
    SystemEntry, SystemIndex, UnitaryEntry, UnitaryIndex,
};
use crate::arena::SideTable;
use crate::index::{IndexRange, Rows, Table, TypedIndex};
use crate::integrator::{FitError, Scheme};
use crate::model::{
    DynamicalSystem, DynamicalSystemId, Interaction, InteractionId, Layout, Lengths, ModelError,
    NonSmoothDynamicalSystem, Relation,
};
use crate::nonsmooth_problem::UnitaryRelation;

/// Tables of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tables {
    pub(crate) epoch: u64,
    pub(crate) systems: Table<SystemEntry>,
    pub(crate) blocks: Table<Block>,
    pub(crate) interactions: Table<InteractionEntry>,
    pub(super) incidences: Table<Incidence>,
    pub(super) places: Table<EntryPlace>,
    pub(super) parts: Table<Part>,
    pub(crate) unitary: Table<UnitaryEntry>,
    /// Kinds of interactions; the first is the kind of removed interactions.
    kinds: Table<ContactKind>,
    /// `true` if there are contacts that open and close.
    pub(crate) has_gaps: bool,
    /// `true` if a relation of first-order systems also acts on Lagrangian systems.
    pub(crate) has_mixed: bool,
    /// `true` if there are positions that do not form a vector space.
    pub(crate) has_spaces: bool,
    /// `true` if there are contacts or joints whose positions are projected.
    pub(crate) has_projections: bool,
    /// `true` if there are systems with a half-explicit scheme.
    pub(crate) has_half_explicit: bool,
    /// Common theta, if all systems are Lagrangian, have positions in a vector space, and have the same
    /// theta.
    common_theta: Option<f64>,
    pub(crate) positions: usize,
    pub(crate) dofs: usize,
    pub(crate) rows: Table<Rows, RowEntry>,
    pub(crate) jacobian_len: usize,
    /// Number of entries in the responses of rows without a pattern.
    pub(crate) response_len: usize,
    /// Time scale of the model \[s\].
    pub(crate) time_scale: f64,
    /// Numbers of entries of the model, if entries of detected contacts follow them.
    pub(super) declared: Option<DeclaredEntries>,
    pub(super) system_places: SideTable<DynamicalSystem, SystemIndex>,
    pub(super) interaction_places: SideTable<Interaction, InteractionIndex>,
}

impl Tables {
    /// Iterates over the contacts that open and close, with their gaps.
    pub(crate) fn gaps<'t, 'y>(
        &'t self,
        y: &'y [f64],
    ) -> impl Iterator<Item = (&'t UnitaryEntry, f64)> + use<'t, 'y> {
        let unitary: &[UnitaryEntry] = if self.has_gaps { &self.unitary } else { &[] };
        let has_gap = |unitary: &&UnitaryEntry| self.rows[unitary.first_row()].has_gap;
        unitary.iter().filter(has_gap).map(|unitary| (unitary, y[unitary.rows.start().index()]))
    }

    /// Returns the contact with the smallest gap, and this gap.
    pub(crate) fn deepest_gap(&self, y: &[f64]) -> Option<(&UnitaryEntry, f64)> {
        self.gaps(y).reduce(|deepest, next| if next.1 < deepest.1 { next } else { deepest })
    }

    /// Returns the kind of a unitary relation.
    #[inline(always)]
    pub(crate) fn kind_of(&self, unitary: &UnitaryEntry) -> &ContactKind {
        self.kind(self.rows[unitary.first_row()].kind)
    }

    /// Returns `true` if there are positions. A model that contains only first-order systems has neither
    /// positions nor impulses.
    #[inline(always)]
    pub(crate) fn has_positions(&self) -> bool {
        self.positions > 0
    }

    /// Returns the public identifier of a unitary relation.
    pub(crate) fn name(&self, unitary: &UnitaryEntry) -> UnitaryRelation {
        let relation = self.interactions[unitary.interaction].id;
        UnitaryRelation { relation, block: unitary.block.index() }
    }

    /// Creates the tables of a model. Returns an error for interactions that the integrators do not support.
    pub(crate) fn new(
        model: &NonSmoothDynamicalSystem,
        scheme: impl Fn(DynamicalSystemId, bool) -> Scheme,
    ) -> Result<Self, FitError> {
        Self::laid_out(model, model.layout(), scheme)
    }

    /// Creates the tables without empty entries, for integrators that process the vectors as a whole.
    pub(crate) fn without_gaps(
        model: &NonSmoothDynamicalSystem,
        scheme: impl Fn(DynamicalSystemId, bool) -> Scheme,
    ) -> Result<Self, FitError> {
        Self::laid_out(model, &model.layout_without_gaps(), scheme)
    }

    fn laid_out(
        model: &NonSmoothDynamicalSystem,
        layout: &Layout,
        scheme: impl Fn(DynamicalSystemId, bool) -> Scheme,
    ) -> Result<Self, FitError> {
        let (systems, interactions) = (model.systems().len(), model.interactions().len());
        let mut tables = Self {
            epoch: model.epoch(),
            systems: Table::with_capacity(systems),
            blocks: Table::with_capacity(systems),
            interactions: Table::with_capacity(interactions),
            incidences: Table::with_capacity(2 * interactions),
            places: Table::with_capacity(2 * interactions),
            parts: Table::with_capacity(2 * interactions),
            unitary: Table::with_capacity(interactions),
            kinds: std::iter::once(ContactKind::default()).collect(),
            rows: Table::with_capacity(layout.lengths().rows),
            ..Self::default()
        };
        for group in model.coupled_systems().groups() {
            tables.push_block(model, layout, group, &scheme)?;
        }
        for (id, interaction) in model.interactions().iter() {
            let rows = layout.rows(id).ok_or(ModelError::UnknownInteraction { id })?;
            tables.push_interaction(IndexRange::of(rows.clone()), id, interaction)?;
        }
        tables.take_lengths(layout);
        tables.time_scale = model.time_scale();
        Ok(tables)
    }

    pub(super) fn take_lengths(&mut self, layout: &Layout) {
        let Lengths { positions, dofs, rows } = layout.lengths();
        (self.positions, self.dofs) = (positions, dofs);
        self.rows.resize(rows, RowEntry::GONE);
    }

    pub(super) fn push_block(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        layout: &Layout,
        group: &[DynamicalSystemId],
        scheme: &impl Fn(DynamicalSystemId, bool) -> Scheme,
    ) -> Result<(), FitError> {
        let (first, block) = (self.systems.end(), self.blocks.end());
        for &id in group {
            let system = model.system(id)?;
            let places = layout.system(id).ok_or(ModelError::UnknownSystem { id })?;
            let scheme = scheme(id, system.is_first_order());
            scheme.check(id, system)?;
            let scheme = shared(scheme, self.systems.last().map(|before| &before.scheme));
            let (positions, dofs) = (IndexRange::of(places.q.clone()), IndexRange::of(places.v.clone()));
            let space = system.space().clone();
            self.has_spaces |= !space.is_vector();
            let theta = scheme.weights.theta;
            let is_plain = space.is_vector() && !system.is_first_order();
            let before = if self.systems.is_empty() { Some(theta) } else { self.common_theta };
            self.common_theta = before.filter(|before| is_plain && *before == theta);
            let place = self.systems.push(SystemEntry {
                id,
                positions,
                dofs,
                scheme,
                theta,
                block,
                is_driven: false,
                space,
            });
            self.has_half_explicit |= self.systems[place].is_half_explicit();
            self.system_places.insert(id, place);
        }
        let systems = self.systems.since(first);
        let dofs = self.systems[systems]
            .iter()
            .map(|it| it.dofs)
            .reduce(|a, b| a.start().up_to(b.end()))
            .unwrap_or_default();
        self.blocks.push(Block {
            systems,
            dofs,
            coupling: Vec::new(),
            is_affine: false,
            is_constant: false,
            is_steady: false,
            has_step_length: true,
            entries_of_w: None,
        });
        Ok(())
    }

    pub(super) fn push_interaction(
        &mut self,
        rows: IndexRange<Rows>,
        id: InteractionId,
        interaction: &Interaction,
    ) -> Result<(), FitError> {
        let own_place = self.interactions.end();
        let (first_incidence, first_part) = (self.incidences.end(), self.parts.end());
        let (mut columns, mut of_relation) = (IndexRange::default(), IndexRange::default());
        let support = interaction.relation().support();
        for &system in interaction.systems() {
            let Some(&place) = self.system_places.get(system) else {
                return Err(ModelError::UnknownSystem { id: system }.into());
            };
            let entry = &self.systems[place];
            let block = entry.block;
            let known = self.incidences[self.incidences.since(first_incidence)].iter();
            let incidence = match known.copied().find(|incidence| incidence.block == block) {
                Some(incidence) => incidence,
                None => {
                    let (dofs, positions) = (self.blocks[block].dofs, entry.positions);
                    columns = columns.next(dofs.len());
                    let is_vector = entry.space.is_vector();
                    let incidence = Incidence { block, positions, is_vector, dofs, columns };
                    self.incidences.push(incidence);
                    incidence
                }
            };
            of_relation = of_relation.next(entry.dofs.len());
            let column = incidence.columns.at(incidence.dofs.index_of(entry.dofs.start()));
            let part = Part { system: place, dofs: entry.dofs, relation: of_relation, column };
            match support {
                None => self.parts.extend([part]),
                Some(states) => self.parts.extend(part.runs(states)),
            }
        }
        let columns = columns.end();
        let (incidences, parts) = (self.incidences.since(first_incidence), self.parts.since(first_part));
        // If the relation has a support, or if its blocks contain other systems, the rows have entries only
        // in the columns of the relation.
        let has_others = support.is_some() || columns.index() > of_relation.range().end;
        let columns_in_use = has_others.then(|| Part::close_columns(&mut self.parts[parts]));
        let schemes = self.parts[parts].iter().map(|part| &*self.systems[part.system].scheme);
        // Unsupported combinations of relation, law and integrator are rejected here.
        let kind = ContactKind::new(id.into(), interaction, schemes)?;
        if interaction.relation().has_k() {
            let block = self.incidences[first_incidence].block;
            self.blocks[block].coupling.push(own_place);
        }
        self.has_gaps |= kind.has_gap;
        self.has_projections |= kind.projection.is_some();
        let blocks = &self.incidences[incidences];
        let first_place = self.places.end();
        let pattern = match (interaction.relation().sparse_rows(), &columns_in_use) {
            (Some(sparse), _) => {
                let of_row = |row| sparse.column(row).map(|(column, _)| column);
                Some(Box::new(RowPattern::new(rows.len(), of_row, blocks, &mut self.places)))
            }
            (None, Some(columns)) => {
                let of_row = |_| columns.iter().map(|column| column.index());
                Some(Box::new(RowPattern::new(rows.len(), of_row, blocks, &mut self.places)))
            }
            (None, None) => {
                if columns.index() <= FEW_COLUMNS {
                    self.places.extend(blocks.iter().flat_map(EntryPlace::all_of));
                }
                None
            }
        };
        let places = self.places.since(first_place);
        let entries = if pattern.is_some() { places.len() } else { rows.len() * columns.index() };
        self.response_len += if pattern.is_none() { entries } else { 0 };
        let jacobian = IndexRange::of(self.jacobian_len..self.jacobian_len + entries);
        self.jacobian_len += entries;
        let (size, first_unitary) = (kind.unitary_size(interaction), self.unitary.end());
        for block in 0..rows.len() / size {
            let rows = rows.part(block * size..(block + 1) * size);
            self.unitary.push(UnitaryEntry { interaction: own_place, block: TypedIndex::new(block), rows });
        }
        let affine =
            matches!(interaction.relation(), Relation::LagrangianLinear(_) | Relation::FirstOrderLinear(_));
        let kind = self.place_of_kind(kind);
        let is_lagrangian = |part: &Part| !self.systems[part.system].is_first_order();
        let is_mixed = interaction.relation().is_first_order() && self.parts[parts].iter().any(is_lagrangian);
        self.interaction_places.insert(id, own_place);
        self.has_mixed |= is_mixed;
        if is_mixed {
            for part in &self.parts[parts] {
                self.systems[part.system].is_driven = true;
            }
        }
        self.interactions.push(InteractionEntry {
            id: id.into(),
            rows,
            jacobian,
            columns,
            pattern,
            places,
            incidences,
            parts,
            unitary: self.unitary.since(first_unitary),
            kind,
            is_mixed,
            law: interaction.shared_law(),
            compliance: interaction.relation().compliance().cloned().map(Box::new),
            first_order: interaction.relation().is_first_order(),
            constant: interaction.relation().has_constant_jacobian(),
            affine,
            is_linear: affine,
            constant_offset: match interaction.relation() {
                Relation::FirstOrderLinear(relation) => relation.has_constant_offset(),
                _ => false,
            },
        });
        // Rows are also reserved for an object that was added and removed again.
        let count = self.rows.len().max(rows.range().end);
        self.rows.resize(count, RowEntry::GONE);
        self.write_rows(own_place);
        Ok(())
    }

    /// Writes the entries of the rows of an interaction.
    pub(super) fn write_rows(&mut self, interaction: InteractionIndex) {
        let entry = &self.interactions[interaction];
        for (own, row) in self.rows[entry.rows].iter_mut().enumerate() {
            let (storage, places) = match &entry.pattern {
                Some(pattern) => (RowStorage::Pattern, entry.places.part(pattern.row(own))),
                None if entry.places.is_empty() => (RowStorage::All, entry.places),
                None => (RowStorage::Few, entry.places),
            };
            *row = RowEntry {
                interaction,
                kind: entry.kind,
                entries: TypedIndex::new(entry.row_of_jacobian(own).start),
                places,
                storage,
                constant: entry.constant,
                has_gap: self.kinds[entry.kind].has_gap,
                restitution: entry.restitution(own),
            };
        }
    }

    /// Returns the index of a kind, which is added if it is new. Only the latest kinds are searched, because
    /// most interactions have the kind of a recent one.
    pub(super) fn place_of_kind(&mut self, kind: ContactKind) -> KindIndex {
        const LOOKED_AT: usize = 16;
        let latest = self.kinds.entries().rev().take(LOOKED_AT);
        let known = latest.filter(|(_, known)| **known == kind).map(|(place, _)| place).next();
        known.unwrap_or_else(|| self.kinds.push(kind))
    }

    /// Returns the kind of an interaction or row by its index.
    #[inline(always)]
    pub(crate) fn kind(&self, place: KindIndex) -> &ContactKind {
        &self.kinds[place]
    }

    /// Writes the positions of all systems at the end of a step of length `h`. `v` and `v_k` are the
    /// velocities at the end and at the start of the step. The displacement is
    /// $h [\theta v + (1 - \theta) v_k]$; `displacement` is a workspace for it.
    #[inline]
    pub(crate) fn advance(
        &self,
        q: &[f64],
        (displacement, out): (&mut [f64], &mut [f64]),
        v: &[f64],
        v_k: &[f64],
        h: f64,
    ) {
        match self.common_theta {
            Some(theta) => add_way(q, v, v_k, h, theta, out),
            None => self.advance_each(q, (displacement, out), v, v_k, h),
        }
    }

    /// Computes [`advance`](Self::advance) system by system.
    fn advance_each(
        &self,
        q: &[f64],
        (displacement, out): (&mut [f64], &mut [f64]),
        v: &[f64],
        v_k: &[f64],
        h: f64,
    ) {
        for entry in self.systems.iter() {
            let (q, out) = (&q[entry.positions.range()], &mut out[entry.positions.range()]);
            let (v, v_k) = (&v[entry.dofs.range()], &v_k[entry.dofs.range()]);
            if entry.space.is_vector() {
                add_way(q, v, v_k, h, entry.theta, out);
                continue;
            }
            let displacement = &mut displacement[entry.dofs.range()];
            displacement.iter_mut().zip(ways(v, v_k, h, entry.theta)).for_each(|(own, way)| *own = way);
            entry.space.advance(q, displacement, out);
        }
    }

    /// Moves the positions of the systems of a block by a displacement in velocity coordinates; `before` is a
    /// workspace.
    pub(crate) fn displace(
        &self,
        block: BlockIndex,
        displacement: &[f64],
        (before, q): (&mut [f64], &mut [f64]),
    ) {
        for entry in &self.systems[self.blocks[block].systems] {
            let positions = entry.positions.range();
            before[positions.clone()].copy_from_slice(&q[positions]);
            entry.displace(before, displacement, q);
        }
    }

    /// Returns the ratio of the impulse of a mixed interaction to B times its unknown in the one-step
    /// problem, for a step of length `h`; `None` for all other interactions.
    pub(crate) fn factor_of_mixed(&self, interaction: InteractionIndex, h: f64) -> Option<f64> {
        let entry = &self.interactions[interaction];
        let weights = self.kind(entry.kind).weights().filter(|_| entry.is_mixed)?;
        Some(h * weights.theta_r / weights.scale(h))
    }

    /// Returns `true` if a block consists of first-order systems.
    pub(crate) fn is_first_order_block(&self, block: BlockIndex) -> bool {
        self.systems[self.blocks[block].systems.start()].is_first_order()
    }

    /// Returns the incidences of an interaction.
    pub(crate) fn incidences_of(&self, interaction: InteractionIndex) -> &[Incidence] {
        &self.incidences[self.interactions[interaction].incidences]
    }

    /// Returns the parts of an interaction: one per system, or per contiguous range of the states of its
    /// support.
    pub(crate) fn parts_of(&self, interaction: InteractionIndex) -> &[Part] {
        &self.parts[self.interactions[interaction].parts]
    }

    /// Returns the step length for which a constant response of an interaction is valid: `h` if the response
    /// was computed for `h`, or 0 if it is valid for all step lengths.
    pub(crate) fn key(&self, interaction: InteractionIndex, h: f64) -> f64 {
        let entry = &self.interactions[interaction];
        let has_step_length = entry.is_first_order()
            || self.kinds[entry.kind].is_force
            || self.incidences_of(interaction).iter().any(|it| self.blocks[it.block].has_step_length);
        if has_step_length { h } else { 0.0 }
    }

    /// Returns the index of a system.
    pub(crate) fn place_of(&self, id: DynamicalSystemId) -> Option<SystemIndex> {
        self.system_places.get(id).copied()
    }

    /// Returns the components of a unitary relation that are unknowns of a problem.
    pub(super) fn unknowns(&self, member: UnitaryIndex, posing: FrictionForm) -> UnitaryEntry {
        let entry = self.unitary[member];
        let has_friction = || self.interactions[entry.interaction].law.friction().is_some();
        match posing {
            FrictionForm::NormalRows if has_friction() => {
                UnitaryEntry { rows: entry.rows.part(0..1), ..entry }
            }
            _ => entry,
        }
    }

    /// Returns the form of the friction laws of some unitary relations, and the class of their problem.
    pub(super) fn posing_and_class(
        &self,
        members: &[UnitaryIndex],
        takes_cones: bool,
    ) -> (FrictionForm, Option<ProblemClass>) {
        let entries = || members.iter().map(|&member| &self.interactions[self.unitary[member].interaction]);
        let posing = match takes_cones {
            true => FrictionForm::Cones,
            false => FrictionForm::of(entries().map(|entry| &*entry.law)),
        };
        let classes = entries().map(|entry| ProblemClass::of(&entry.law, posing));
        (posing, classes.reduce(ProblemClass::join))
    }

    /// Returns the classes of all problems, as if all contacts were closed.
    pub(super) fn classes(&self, takes_cones: bool) -> Vec<ProblemClass> {
        let mut islands = Islands::default();
        islands.begin(self);
        islands.update(self, &[], &self.unitary.places().collect::<Vec<_>>());
        let of_island =
            |&island: &BlockIndex| self.posing_and_class(&islands.at(island).members, takes_cones).1;
        islands.active().iter().filter_map(of_island).collect()
    }
}

/// Returns `before` if its value equals `value`, otherwise a new shared value. Thousands of systems can share
/// one scheme.
fn shared<T: PartialEq>(value: T, before: Option<&Arc<T>>) -> Arc<T> {
    before.filter(|before| ***before == value).map_or_else(|| Arc::new(value), Arc::clone)
}

/// Iterates over the displacements of a step of length `h`, $h [\theta v + (1 - \theta) v_k]$.
#[inline(always)]
fn ways(v: &[f64], v_k: &[f64], h: f64, theta: f64) -> impl Iterator<Item = f64> {
    v.iter().zip(v_k).map(move |(v, v_k)| h * (theta * v + (1.0 - theta) * v_k))
}

/// Writes the sum of `q` and the displacements of [`ways`].
#[inline(always)]
fn add_way(q: &[f64], v: &[f64], v_k: &[f64], h: f64, theta: f64, out: &mut [f64]) {
    out.iter_mut().zip(q).zip(ways(v, v_k, h, theta)).for_each(|((out, q), way)| *out = q + way);
}
