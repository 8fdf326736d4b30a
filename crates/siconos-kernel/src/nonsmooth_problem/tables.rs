//! The tables of a simulation: where each system, interaction and unitary relation lies in the flat arrays.
//!
//! They are all that a step needs to know of the structure of its model, and [follow](Tables::follow) its
//! changes one by one. What is removed leaves an entry that holds nothing, until the model closes its gaps;
//! so entries are in the order of the model, and their places do not move.

use std::ops::Range;

use super::class::{ContactKind, FrictionPosing, ProblemClass};
use super::islands::Islands;
use super::rows::{FEW_COLUMNS, Place, RowPattern};
use super::table_entries::{Block, Incidence, InteractionEntry, Part, SystemEntry, UnitaryEntry};
use crate::arena::SideTable;
use crate::error::{ModelError, SimulationError};
use crate::integrator::Scheme;
use crate::model::{
    DynamicalSystem, DynamicalSystemId, Interaction, InteractionId, Layout, Lengths,
    NonSmoothDynamicalSystem, Relation,
};
use crate::simulation::UnitaryRelation;

/// The tables of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tables {
    pub(crate) epoch: u64,
    pub(crate) systems: Vec<SystemEntry>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) interactions: Vec<InteractionEntry>,
    pub(crate) incidences: Vec<Incidence>,
    pub(super) places: Vec<Place>,
    pub(crate) parts: Vec<Part>,
    pub(crate) unitary: Vec<UnitaryEntry>,
    /// Whether there are contacts that open and close, and positions that are no vectors.
    pub(crate) has_gaps: bool,
    pub(crate) has_spaces: bool,
    pub(crate) positions: usize,
    pub(crate) dofs: usize,
    pub(crate) rows: usize,
    pub(crate) jacobian_len: usize,
    /// How many entries the responses of rows without a pattern have.
    pub(crate) response_len: usize,
    /// The time scale of the model \[s\].
    pub(crate) time_scale: f64,
    pub(super) system_places: SideTable<DynamicalSystem, usize>,
    pub(super) interaction_places: SideTable<Interaction, usize>,
}

impl Tables {
    /// The gaps of the contacts that open and close, and whose they are.
    pub(crate) fn gaps<'t, 'y>(
        &'t self,
        y: &'y [f64],
    ) -> impl Iterator<Item = (&'t UnitaryEntry, f64)> + use<'t, 'y> {
        let unitary: &[UnitaryEntry] = if self.has_gaps { &self.unitary } else { &[] };
        let has_gap = |unitary: &&UnitaryEntry| self.interactions[unitary.interaction].kind.has_gap();
        unitary.iter().filter(has_gap).map(|unitary| (unitary, y[unitary.rows.start]))
    }

    /// The smallest of these gaps.
    pub(crate) fn deepest_gap(&self, y: &[f64]) -> Option<(&UnitaryEntry, f64)> {
        self.gaps(y).reduce(|deepest, next| if next.1 < deepest.1 { next } else { deepest })
    }

    /// The tables of a model; refuses what the integrators cannot carry.
    pub(crate) fn new(
        model: &NonSmoothDynamicalSystem,
        scheme: impl Fn(DynamicalSystemId, bool) -> Scheme,
    ) -> Result<Self, SimulationError> {
        Self::laid_out(model, model.layout(), scheme)
    }

    /// The tables that it would have without gaps, for an integrator that takes the vectors as a whole.
    pub(crate) fn without_gaps(
        model: &NonSmoothDynamicalSystem,
        scheme: impl Fn(DynamicalSystemId, bool) -> Scheme,
    ) -> Result<Self, SimulationError> {
        Self::laid_out(model, &model.layout_without_gaps(), scheme)
    }

    fn laid_out(
        model: &NonSmoothDynamicalSystem,
        layout: &Layout,
        scheme: impl Fn(DynamicalSystemId, bool) -> Scheme,
    ) -> Result<Self, SimulationError> {
        let (systems, interactions) = (model.systems().len(), model.interactions().len());
        let mut tables = Self {
            epoch: model.epoch(),
            systems: Vec::with_capacity(systems),
            blocks: Vec::with_capacity(systems),
            interactions: Vec::with_capacity(interactions),
            incidences: Vec::with_capacity(2 * interactions),
            places: Vec::with_capacity(2 * interactions),
            parts: Vec::with_capacity(2 * interactions),
            unitary: Vec::with_capacity(interactions),
            ..Self::default()
        };
        for group in model.coupled_systems().groups() {
            tables.push_block((model, layout), group, &scheme)?;
        }
        for (id, interaction) in model.interactions().iter() {
            let rows = layout.rows(id).ok_or(ModelError::UnknownInteraction { id })?;
            tables.push_interaction(rows.clone(), (id, interaction))?;
        }
        tables.take_lengths(layout);
        tables.time_scale = model.time_scale();
        Ok(tables)
    }

    pub(super) fn take_lengths(&mut self, layout: &Layout) {
        let Lengths { positions, dofs, rows } = layout.lengths();
        (self.positions, self.dofs, self.rows) = (positions, dofs, rows);
    }

    pub(super) fn push_block(
        &mut self,
        (model, layout): (&NonSmoothDynamicalSystem, &Layout),
        group: &[DynamicalSystemId],
        scheme: &impl Fn(DynamicalSystemId, bool) -> Scheme,
    ) -> Result<(), SimulationError> {
        let first = self.systems.len();
        let block = self.blocks.len();
        for &id in group {
            let system = model.system(id)?;
            let places = layout.system(id).ok_or(ModelError::UnknownSystem { id })?;
            let scheme = scheme(id, system.is_first_order());
            scheme.check(id, system)?;
            self.system_places.insert(id, self.systems.len());
            let (positions, dofs) = (places.q.clone(), places.v.clone());
            let space = system.space().clone();
            self.has_spaces |= !space.is_vector();
            self.systems.push(SystemEntry { id, positions, dofs, scheme, block, space });
        }
        let own = &self.systems[first..];
        let dofs = own.first().map_or(0, |it| it.dofs.start)..own.last().map_or(0, |it| it.dofs.end);
        let (systems, coupling) = (first..self.systems.len(), Vec::new());
        self.blocks.push(Block {
            systems,
            dofs,
            coupling,
            is_affine: false,
            is_constant: false,
            has_step_length: true,
            entries_of_w: usize::MAX,
        });
        Ok(())
    }

    pub(super) fn push_interaction(
        &mut self,
        rows: Range<usize>,
        (id, interaction): (InteractionId, &Interaction),
    ) -> Result<(), SimulationError> {
        let (first_incidence, first_part) = (self.incidences.len(), self.parts.len());
        let (mut columns, mut of_relation) = (0, 0);
        let support = interaction.relation().support();
        for &system in interaction.systems() {
            let Some(&place) = self.system_places.get(system) else {
                return Err(ModelError::UnknownSystem { id: system }.into());
            };
            let entry = &self.systems[place];
            let block = entry.block;
            let incidence =
                match self.incidences[first_incidence..].iter().find(|incidence| incidence.block == block) {
                    Some(incidence) => incidence.clone(),
                    None => {
                        let dofs = self.blocks[block].dofs.clone();
                        let incidence = Incidence {
                            block,
                            positions: entry.positions.clone(),
                            is_vector: entry.space.is_vector(),
                            columns: columns..columns + dofs.len(),
                            dofs,
                        };
                        columns = incidence.columns.end;
                        self.incidences.push(incidence.clone());
                        incidence
                    }
                };
            let relation = of_relation..of_relation + entry.dofs.len();
            of_relation = relation.end;
            let column = incidence.columns.start + entry.dofs.start - incidence.dofs.start;
            let dofs = entry.dofs.clone();
            match support {
                None => self.parts.push(Part { system: place, dofs, relation, column }),
                Some(states) => Part::push_runs(states, (place, dofs, relation, column), &mut self.parts),
            }
        }
        // Rows over a support have their entries in these columns alone, and these are the relation's.
        let columns_in_use = support.map(|_| Part::close_columns(&mut self.parts[first_part..]));
        let (incidences, parts) = (first_incidence..self.incidences.len(), first_part..self.parts.len());
        let schemes = self.parts[parts.clone()].iter().map(|part| self.systems[part.system].scheme);
        // Every combination of relation, law and integrator is accepted or refused here.
        let kind = ContactKind::new(id, interaction, schemes)?;
        if interaction.relation().has_k() {
            let block = self.incidences[first_incidence].block;
            self.blocks[block].coupling.push(self.interactions.len());
        }
        self.has_gaps |= kind.has_gap();
        let blocks = &self.incidences[incidences.clone()];
        let pattern = match (interaction.relation().sparse_rows(), &columns_in_use) {
            (Some(sparse), _) => {
                let of_row = |row| sparse.column(row).map(|(column, _)| column);
                Some(Box::new(RowPattern::new(rows.len(), of_row, blocks)))
            }
            (None, Some(columns)) => {
                Some(Box::new(RowPattern::new(rows.len(), |_| columns.iter().copied(), blocks)))
            }
            (None, None) => None,
        };
        let first_place = self.places.len();
        if pattern.is_none() && columns <= FEW_COLUMNS {
            self.places.extend(self.incidences[incidences.clone()].iter().flat_map(Place::all_of));
        }
        let entries = pattern.as_ref().map_or(rows.len() * columns, |pattern| pattern.entries());
        self.response_len += if pattern.is_none() { rows.len() * columns } else { 0 };
        let jacobian = self.jacobian_len..self.jacobian_len + entries;
        self.jacobian_len = jacobian.end;
        let size = kind.unitary_size(interaction);
        let first_unitary = self.unitary.len();
        for block in 0..rows.len() / size {
            let start = rows.start + block * size;
            self.unitary.push(UnitaryEntry {
                name: UnitaryRelation { interaction: id, block },
                interaction: self.interactions.len(),
                rows: start..start + kind.unknowns(size),
            });
        }
        let affine =
            matches!(interaction.relation(), Relation::LagrangianLinear(_) | Relation::FirstOrderLinear(_));
        self.interaction_places.insert(id, self.interactions.len());
        self.interactions.push(InteractionEntry {
            id,
            rows,
            jacobian,
            columns,
            pattern,
            places: first_place..self.places.len(),
            incidences,
            parts,
            unitary: first_unitary..self.unitary.len(),
            kind,
            law: interaction.shared_law(),
            compliance: interaction.relation().compliance().cloned().map(Box::new),
            constant: interaction.relation().has_constant_jacobian(),
            affine,
            is_linear: affine,
            constant_offset: match interaction.relation() {
                Relation::FirstOrderLinear(relation) => relation.has_constant_offset(),
                _ => false,
            },
        });
        Ok(())
    }

    /// Writes where displacements take the positions of all systems; `way` tells that of a system, along its
    /// velocities, and `displacement` is memory for all.
    pub(crate) fn advance<W: Iterator<Item = f64>>(
        &self,
        q: &[f64],
        (displacement, out): (&mut [f64], &mut [f64]),
        way: impl Fn(&SystemEntry) -> W,
    ) {
        for entry in &self.systems {
            let (q, out) = (&q[entry.positions.clone()], &mut out[entry.positions.clone()]);
            if entry.space.is_vector() {
                out.iter_mut().zip(q).zip(way(entry)).for_each(|((out, q), way)| *out = q + way);
                continue;
            }
            let displacement = &mut displacement[entry.dofs.clone()];
            displacement.iter_mut().zip(way(entry)).for_each(|(own, way)| *own = way);
            entry.space.advance(q, displacement, out);
        }
    }

    /// The incidences of an interaction.
    pub(crate) fn incidences_of(&self, interaction: usize) -> &[Incidence] {
        &self.incidences[self.interactions[interaction].incidences.clone()]
    }

    /// The parts of an interaction, one per system.
    pub(crate) fn parts_of(&self, interaction: usize) -> &[Part] {
        &self.parts[self.interactions[interaction].parts.clone()]
    }

    /// What a constant response of an interaction, and what is computed from it, is known for: the step
    /// length, or 0 where it depends on none.
    pub(crate) fn key(&self, interaction: usize, h: f64) -> f64 {
        let entry = &self.interactions[interaction];
        let has_step_length = entry.is_first_order()
            || entry.compliance.is_some()
            || self.incidences_of(interaction).iter().any(|it| self.blocks[it.block].has_step_length);
        if has_step_length { h } else { 0.0 }
    }

    /// Where a system is in the table.
    pub(crate) fn place_of(&self, id: DynamicalSystemId) -> Option<usize> {
        self.system_places.get(id).copied()
    }

    /// Where row `row` (of all rows) of an interaction's Jacobian lies in the flat array.
    #[inline]
    pub(crate) fn jacobian_row(&self, interaction: usize, row: usize) -> Range<usize> {
        let entry = &self.interactions[interaction];
        entry.row_of_jacobian(row - entry.rows.start)
    }

    /// The components of a unitary relation that are unknowns of a problem.
    pub(super) fn unknowns(&self, member: usize, posing: FrictionPosing) -> Range<usize> {
        let UnitaryEntry { interaction, rows, .. } = &self.unitary[member];
        match (self.interactions[*interaction].kind, posing) {
            (ContactKind::Frictional { .. }, FrictionPosing::NormalRows) => rows.start..rows.start + 1,
            _ => rows.clone(),
        }
    }

    /// How the friction of some unitary relations enters their problem, and its class.
    pub(super) fn posing_and_class(
        &self,
        members: &[usize],
        takes_cones: bool,
    ) -> (FrictionPosing, Option<ProblemClass>) {
        let entries = || members.iter().map(|&member| &self.interactions[self.unitary[member].interaction]);
        let posing = match takes_cones {
            true => FrictionPosing::Cones,
            false => FrictionPosing::of(entries().map(|entry| &*entry.law)),
        };
        let classes = entries().map(|entry| ProblemClass::of(&entry.law, entry.kind, posing));
        (posing, classes.reduce(ProblemClass::join))
    }

    /// The classes of the problems that there are when all contacts are closed.
    pub(super) fn classes(&self, takes_cones: bool) -> Vec<ProblemClass> {
        let mut islands = Islands::default();
        islands.begin(self);
        islands.update(self, &[], &(0..self.unitary.len()).collect::<Vec<_>>());
        let of_island = |&island: &usize| self.posing_and_class(&islands.at(island).members, takes_cones).1;
        islands.active().iter().filter_map(of_island).collect()
    }
}
