//! Entries of the tables: systems, blocks of systems, interactions and their parts, unitary relations.

use std::ops::Range;
use std::sync::Arc;

use ndarray::Array2;

use super::contact_kind::ContactKind;
use super::rows::{EntryPlace, RowPattern};
use crate::index::{
    Columns, Dofs, IndexRange, JacobianEntries, Positions, RelationColumns, RowIndex, Rows, TypedIndex,
};
use crate::integrator::{ConstraintLevel, Scheme};
use crate::model::{
    DynamicalSystemId, Interaction, NonSmoothDynamicalSystem, NonSmoothLaw, PositionSpace, RelationId,
};

pub(crate) type SystemIndex = TypedIndex<SystemEntry>;
pub(crate) type BlockIndex = TypedIndex<Block>;
pub(crate) type InteractionIndex = TypedIndex<InteractionEntry>;
pub(crate) type UnitaryIndex = TypedIndex<UnitaryEntry>;

pub(crate) type KindIndex = TypedIndex<ContactKind>;

/// Kind of removed interactions: the first entry of the table of kinds.
pub(super) const GONE: KindIndex = TypedIndex::FIRST;

/// One system.
#[derive(Clone, Debug)]
pub(crate) struct SystemEntry {
    pub(crate) id: DynamicalSystemId,
    /// Range of the positions of the system; empty for a first-order system.
    pub(crate) positions: IndexRange<Positions>,
    /// Range of the unknowns of the system: velocities, or states of a first-order system.
    pub(crate) dofs: IndexRange<Dofs>,
    /// Scheme of the integrator; shared with the previous system if both schemes are equal.
    pub(crate) scheme: Arc<Scheme>,
    /// Theta of the scheme, copied because every step reads it.
    pub(crate) theta: f64,
    pub(crate) block: BlockIndex,
    /// `true` if a mixed interaction acts on the system. Its force is evaluated at the end of a step.
    pub(crate) is_driven: bool,
    /// Space of the positions of the system.
    pub(crate) space: PositionSpace,
}

impl SystemEntry {
    pub(crate) fn is_first_order(&self) -> bool {
        self.scheme.is_first_order()
    }

    /// Writes the positions of the system after a displacement in velocity coordinates. All arrays extend
    /// over the whole model.
    pub(crate) fn displace(&self, q: &[f64], displacement: &[f64], out: &mut [f64]) {
        let positions = self.positions.range();
        let displacement = &displacement[self.dofs.range()];
        self.space.advance(&q[positions.clone()], displacement, &mut out[positions]);
    }

    /// Returns `true` if the scheme of the system is half-explicit.
    pub(crate) fn is_half_explicit(&self) -> bool {
        self.scheme.is.level == ConstraintLevel::Forces
    }
}

/// Systems that share one matrix W: a single system, or several systems that are coupled by a relation with r
/// = g(x, lambda).
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) systems: IndexRange<SystemEntry>,
    pub(crate) dofs: IndexRange<Dofs>,
    /// Interactions whose K contributes to W.
    pub(crate) coupling: Vec<InteractionIndex>,
    /// `true` if one Newton iteration is exact for the systems of the block. The simulation sets this field
    /// and the following fields of the block from its integrators.
    pub(crate) is_affine: bool,
    /// `true` if W depends only on the step length.
    pub(crate) is_constant: bool,
    /// `true` if the free motion of the block has constant acceleration.
    pub(crate) is_steady: bool,
    /// `true` if W depends on the step length; `false` if W = M.
    pub(crate) has_step_length: bool,
    /// Upper bound of the number of nonzero entries of W, if W depends only on the step length.
    pub(crate) entries_of_w: Option<usize>,
}

impl Block {
    /// Returns `true` if the systems of the block have been removed.
    pub(crate) fn is_gone(&self) -> bool {
        self.dofs.is_empty()
    }
}

/// One interaction or detected contact.
#[derive(Clone, Debug)]
pub(crate) struct InteractionEntry {
    pub(crate) id: RelationId,
    /// Range of the components of the interaction in y and lambda.
    pub(crate) rows: IndexRange<Rows>,
    /// Range of the Jacobian of the interaction in the flat array of Jacobians. It has `rows x columns`
    /// entries, or the entries of the sparsity pattern.
    pub(crate) jacobian: IndexRange<JacobianEntries>,
    /// Index after the last column of a full row, which equals the number of columns.
    pub(super) columns: TypedIndex<Columns>,
    /// Sparsity pattern of the rows, if they are sparse.
    pub(crate) pattern: Option<Box<RowPattern>>,
    /// Indices of the entries of the sparsity pattern, or of all columns if there are few.
    pub(super) places: IndexRange<EntryPlace>,
    pub(super) incidences: IndexRange<Incidence>,
    pub(super) parts: IndexRange<Part>,
    /// Range of the unitary relations of the interaction.
    pub(crate) unitary: IndexRange<UnitaryEntry>,
    pub(crate) kind: KindIndex,
    /// `true` if a relation of first-order systems also acts on Lagrangian systems, by their velocities.
    pub(crate) is_mixed: bool,
    pub(crate) law: Arc<NonSmoothLaw>,
    /// Compliance matrix D of a compliant relation.
    pub(crate) compliance: Option<Box<Array2<f64>>>,
    /// `true` for an interaction of first-order systems. Copied because every step reads it.
    pub(super) first_order: bool,
    /// `true` if the Jacobians of the interaction are constant.
    pub(crate) constant: bool,
    /// `true` if y and r are linear in x and lambda, with coefficients that may depend on time.
    pub(crate) affine: bool,
    /// `true` if y and r are linear in the unknowns of a step.
    pub(crate) is_linear: bool,
    /// `true` if the term of y that does not depend on x and lambda is constant.
    pub(crate) constant_offset: bool,
}

impl InteractionEntry {
    /// Returns `true` if the interaction has been removed.
    pub(crate) fn is_gone(&self) -> bool {
        self.kind == GONE
    }

    /// Returns the interaction of the model; `None` for a detected contact, or if the interaction has been
    /// removed from the model.
    pub(crate) fn interaction_in<'m>(&self, model: &'m NonSmoothDynamicalSystem) -> Option<&'m Interaction> {
        model.interactions().get(self.id.interaction()?)
    }

    /// Returns `true` for a detected contact, which is not part of the model.
    pub(crate) fn is_detected(&self) -> bool {
        self.id.contact().is_some()
    }

    pub(crate) fn columns(&self) -> usize {
        self.columns.index()
    }

    /// Iterates over the ranges of the rows of the Jacobian in the flat array of Jacobians.
    pub(crate) fn rows_of_jacobian(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        (0..self.rows.len()).map(|row| self.row_of_jacobian(row))
    }

    /// Returns the range of one row in the flat array of Jacobians. `row` is relative to the first row of the
    /// interaction.
    #[inline(always)]
    pub(super) fn row_of_jacobian(&self, row: usize) -> Range<usize> {
        let (start, own) = match &self.pattern {
            None => (row * self.columns(), self.columns()),
            Some(pattern) => (pattern.row(row).start, pattern.row(row).len()),
        };
        let start = self.jacobian.start().index() + start;
        start..start + own
    }

    /// Returns `true` for an interaction of first-order systems.
    pub(crate) fn is_first_order(&self) -> bool {
        self.first_order
    }

    /// Returns the coefficient of restitution of a row; 0 if there is none. `row` is relative to the first
    /// row of the interaction.
    pub(super) fn restitution(&self, row: usize) -> f64 {
        self.law.restitution(row % self.law.size())
    }

    /// Returns the component of $D \lambda$ in a row, or 0 without a compliance. `force` contains the
    /// multipliers at position level.
    pub(crate) fn compliant_part(&self, row: RowIndex, force: &[f64]) -> f64 {
        self.compliance.as_ref().map_or(0.0, |d| {
            let own = &force[self.rows.range()];
            d.row(self.rows.index_of(row)).iter().zip(own).map(|(d, force)| d * force).sum()
        })
    }
}

/// One row of an interaction, with the data that every step reads. The entry is small for fast access.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowEntry {
    pub(crate) interaction: InteractionIndex,
    pub(crate) kind: KindIndex,
    /// Start of the entries of the row in the flat array of Jacobians.
    pub(super) entries: TypedIndex<JacobianEntries>,
    /// Indices of the entries, if there are few.
    pub(super) places: IndexRange<EntryPlace>,
    pub(super) storage: RowStorage,
    /// `true` if the Jacobian of the row is constant.
    pub(crate) constant: bool,
    /// `true` if the row belongs to a contact that opens and closes.
    pub(crate) has_gap: bool,
    /// Coefficient of restitution; 0 if there is none.
    pub(crate) restitution: f64,
}

impl RowEntry {
    /// Entry of a removed row.
    pub(super) const GONE: Self = Self {
        interaction: TypedIndex::NONE,
        kind: GONE,
        entries: TypedIndex::NONE,
        places: IndexRange::EMPTY,
        storage: RowStorage::All,
        constant: true,
        has_gap: false,
        restitution: 0.0,
    };
}

/// Entries that a row stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowStorage {
    /// An entry for each degree of freedom of its interaction.
    All,
    /// An entry for each degree of freedom, as in `All`; the entries are few, and their indices are listed.
    Few,
    /// A subset of the entries, whose indices are listed.
    Pattern,
}

/// Part of an interaction that acts on one block of systems.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Incidence {
    pub(crate) block: BlockIndex,
    /// Range of the positions of the system; empty for first-order systems.
    pub(crate) positions: IndexRange<Positions>,
    /// `true` if the positions form a vector space, with one velocity for each position.
    pub(crate) is_vector: bool,
    pub(crate) dofs: IndexRange<Dofs>,
    /// Range of the columns of the block in a row of the Jacobian.
    pub(crate) columns: IndexRange<Columns>,
}

/// Part of an interaction that acts on one system, or on contiguous states of a system.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) system: SystemIndex,
    pub(crate) dofs: IndexRange<Dofs>,
    /// Range of the columns of the part in the relation, or in the support of the relation.
    pub(crate) relation: IndexRange<RelationColumns>,
    /// First column of the part in a row of the Jacobian.
    pub(crate) column: TypedIndex<Columns>,
}

impl Part {
    /// Splits the part if an interaction reads or acts on only some states of the system. `states` are the
    /// columns of these states in the relation, in increasing order. Returns one part for each contiguous
    /// range of states, or one part without states if none of them belongs to the system.
    pub(super) fn runs(self, states: &[usize]) -> Vec<Self> {
        let all = self.relation.range();
        let first = states.partition_point(|&state| state < all.start);
        let end = states.partition_point(|&state| state < all.end);
        let mut relation = IndexRange::of(first..first);
        if first == end {
            return vec![Self { dofs: self.dofs.part(0..0), relation, ..self }];
        }
        let columns = IndexRange::of(self.column.index()..self.column.index() + all.len());
        let run = |run: &[usize]| {
            let within = run[0] - all.start;
            relation = relation.next(run.len());
            let dofs = self.dofs.part(within..within + run.len());
            Self { dofs, relation, column: columns.at(within), ..self }
        };
        states[first..end].chunk_by(|a, b| a + 1 == *b).map(run).collect()
    }

    /// Removes the columns that do not belong to any part of an interaction, and returns the remaining
    /// columns.
    pub(super) fn close_columns(parts: &mut [Self]) -> Vec<TypedIndex<Columns>> {
        let of_part =
            |part: &Self| IndexRange::of(part.column.index()..part.column.index() + part.dofs.len()).iter();
        let mut columns: Vec<_> = parts.iter().flat_map(of_part).collect();
        columns.sort_unstable();
        for part in parts {
            part.column = TypedIndex::new(columns.partition_point(|&column| column < part.column));
        }
        columns
    }
}

/// One unitary relation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnitaryEntry {
    pub(crate) interaction: InteractionIndex,
    /// Index of the unitary relation within its interaction.
    pub(super) block: UnitaryIndex,
    /// Components of the interaction that are unknowns of the problem.
    pub(crate) rows: IndexRange<Rows>,
}

impl UnitaryEntry {
    /// Returns the first row, which is the row of the gap for a contact that opens and closes.
    #[inline(always)]
    pub(crate) fn first_row(&self) -> RowIndex {
        self.rows.start()
    }
}
