//! The entries of the tables: a system, a block of systems, an interaction and its parts, a unitary
//! relation.

use std::ops::Range;
use std::sync::Arc;

use ndarray::Array2;

use super::contact_kind::ContactKind;
use super::rows::{EntryPlace, RowPattern};
use crate::index::{Columns, Dofs, JacobianEntries, Place, Positions, RelationColumns, RowPlace, Rows, Span};
use crate::integrator::{HoldsAt, Scheme};
use crate::model::{DynamicalSystemId, InteractionId, NonSmoothLaw, PositionSpace};

pub(crate) type SystemPlace = Place<SystemEntry>;
pub(crate) type BlockPlace = Place<Block>;
pub(crate) type InteractionPlace = Place<InteractionEntry>;
pub(crate) type UnitaryPlace = Place<UnitaryEntry>;

pub(crate) type KindPlace = Place<ContactKind>;

/// The kind of what has been removed: the first of all tables.
pub(super) const GONE: KindPlace = Place::FIRST;

/// One system.
#[derive(Clone, Debug)]
pub(crate) struct SystemEntry {
    pub(crate) id: DynamicalSystemId,
    /// Its positions; none of a first-order system.
    pub(crate) positions: Span<Positions>,
    /// What is solved for: its velocities, or its state.
    pub(crate) dofs: Span<Dofs>,
    /// Shared with the system before, where that has the same.
    pub(crate) scheme: Arc<Scheme>,
    /// Of the scheme: what every step asks for.
    pub(crate) theta: f64,
    pub(crate) block: BlockPlace,
    /// In what space its positions are.
    pub(crate) space: PositionSpace,
}

impl SystemEntry {
    pub(crate) fn is_first_order(&self) -> bool {
        self.scheme.is_first_order()
    }

    /// Writes where a displacement along its velocities takes its position; all over the whole model.
    pub(crate) fn displace(&self, q: &[f64], displacement: &[f64], out: &mut [f64]) {
        let positions = self.positions.range();
        let displacement = &displacement[self.dofs.range()];
        self.space.advance(&q[positions.clone()], displacement, &mut out[positions]);
    }

    /// Whether its scheme is half-explicit.
    pub(crate) fn is_half_explicit(&self) -> bool {
        self.scheme.is.level == HoldsAt::Forces
    }
}

/// Systems that share one matrix W: one, or several that a relation with r = g(x, lambda) couples.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) systems: Span<SystemEntry>,
    pub(crate) dofs: Span<Dofs>,
    /// The interactions whose K is part of W.
    pub(crate) coupling: Vec<InteractionPlace>,
    /// Whether one Newton iteration is exact as far as its systems go, and whether W depends on the step
    /// length only: what the simulation finds of its integrators.
    pub(crate) is_affine: bool,
    pub(crate) is_constant: bool,
    /// Whether its free motion is one of constant acceleration.
    pub(crate) is_steady: bool,
    /// Whether a constant W depends on the step length at all; where it is M, it does not.
    pub(crate) has_step_length: bool,
    /// How many entries a W that depends on the step length only has at most.
    pub(crate) entries_of_w: Option<usize>,
}

impl Block {
    /// Whether its systems have been removed.
    pub(crate) fn is_gone(&self) -> bool {
        self.dofs.is_empty()
    }
}

/// One interaction.
#[derive(Clone, Debug)]
pub(crate) struct InteractionEntry {
    pub(crate) id: InteractionId,
    /// Its components in y and lambda.
    pub(crate) rows: Span<Rows>,
    /// Its Jacobian in the flat array of Jacobians: `rows x columns` entries, or those of a pattern.
    pub(crate) jacobian: Span<JacobianEntries>,
    /// The end of its columns.
    pub(super) columns: Place<Columns>,
    /// Which entries its rows have, where these are few.
    pub(crate) pattern: Option<Box<RowPattern>>,
    /// The places of these entries, or of its columns, where these are few.
    pub(super) places: Span<EntryPlace>,
    pub(super) incidences: Span<Incidence>,
    pub(super) parts: Span<Part>,
    /// Its unitary relations.
    pub(crate) unitary: Span<UnitaryEntry>,
    pub(crate) kind: KindPlace,
    pub(crate) law: Arc<NonSmoothLaw>,
    /// D of a compliant relation.
    pub(crate) compliance: Option<Box<Array2<f64>>>,
    /// Whether it is one of first-order systems: of the kind, what every step asks for.
    pub(super) first_order: bool,
    /// Whether its Jacobians are constant.
    pub(crate) constant: bool,
    /// Whether y and r are linear in x and lambda, with coefficients that may depend on time.
    pub(crate) affine: bool,
    /// Whether they are so in what a step solves for.
    pub(crate) is_linear: bool,
    /// Whether the part of y without x and lambda is constant as well.
    pub(crate) constant_offset: bool,
}

impl InteractionEntry {
    /// Whether it has been removed.
    pub(crate) fn is_gone(&self) -> bool {
        self.kind == GONE
    }

    pub(crate) fn columns(&self) -> usize {
        self.columns.index()
    }

    /// Where the rows of its Jacobian lie in the flat array.
    pub(crate) fn rows_of_jacobian(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        (0..self.rows.len()).map(|row| self.row_of_jacobian(row))
    }

    /// Where one of its rows lies there, counted among its own.
    #[inline(always)]
    pub(super) fn row_of_jacobian(&self, row: usize) -> Range<usize> {
        let (start, own) = match &self.pattern {
            None => (row * self.columns(), self.columns()),
            Some(pattern) => (pattern.row(row).start, pattern.row(row).len()),
        };
        let start = self.jacobian.start().index() + start;
        start..start + own
    }

    /// Whether it is one of first-order systems.
    pub(crate) fn is_first_order(&self) -> bool {
        self.first_order
    }

    /// The coefficient of restitution of one of its rows, counted among its own; 0 where there is none.
    pub(super) fn restitution(&self, row: usize) -> f64 {
        self.law.restitution(row % self.law.size())
    }

    /// $(D \lambda)$ of one component, for multipliers at position level.
    pub(crate) fn compliant_part(&self, row: RowPlace, force: &[f64]) -> f64 {
        self.compliance.as_ref().map_or(0.0, |d| {
            let own = &force[self.rows.range()];
            d.row(self.rows.index_of(row)).iter().zip(own).map(|(d, force)| d * force).sum()
        })
    }
}

/// One row of an interaction: what every step asks for, in a part of the memory of its entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowEntry {
    pub(crate) interaction: InteractionPlace,
    pub(crate) kind: KindPlace,
    /// Where its entries begin in the flat array of Jacobians, and the places of these, where they are few.
    pub(super) entries: Place<JacobianEntries>,
    pub(super) places: Span<EntryPlace>,
    pub(super) storage: RowStorage,
    /// Whether its Jacobian is constant.
    pub(crate) constant: bool,
    /// Whether it belongs to a contact that opens and closes.
    pub(crate) has_gap: bool,
    /// The coefficient of restitution; 0 where there is none.
    pub(crate) restitution: f64,
}

impl RowEntry {
    /// Of what has been removed.
    pub(super) const GONE: Self = Self {
        interaction: Place::NOWHERE,
        kind: GONE,
        entries: Place::NOWHERE,
        places: Span::EMPTY,
        storage: RowStorage::All,
        constant: true,
        has_gap: false,
        restitution: 0.0,
    };
}

/// Which entries a row has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowStorage {
    /// All that its interaction acts on.
    All,
    /// All, of so few that their places are listed.
    Few,
    /// Some, whose places are listed.
    Pattern,
}

/// The part of an interaction that acts on one block of systems.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Incidence {
    pub(crate) block: BlockPlace,
    /// The positions of its system; none of first-order systems.
    pub(crate) positions: Span<Positions>,
    /// Whether they are a vector, with a velocity for each.
    pub(crate) is_vector: bool,
    pub(crate) dofs: Span<Dofs>,
    /// Where its columns lie in a row of the Jacobian.
    pub(crate) columns: Span<Columns>,
}

/// The part of an interaction that acts on one system, or on a run of the states of one that it knows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) system: SystemPlace,
    pub(crate) dofs: Span<Dofs>,
    /// Its columns in the relation, or in the support of that.
    pub(crate) relation: Span<RelationColumns>,
    /// Where these begin in a row of the Jacobian.
    pub(crate) column: Place<Columns>,
}

impl Part {
    /// The parts of a system of which an interaction reads or acts on some states, given by their increasing
    /// columns in the relation: one part for each run of them, and one without states where there is none.
    pub(super) fn runs(self, states: &[usize]) -> Vec<Self> {
        let all = self.relation.range();
        let first = states.partition_point(|&state| state < all.start);
        let end = states.partition_point(|&state| state < all.end);
        let mut relation = Span::of(first..first);
        if first == end {
            return vec![Self { dofs: self.dofs.part(0..0), relation, ..self }];
        }
        let columns = Span::of(self.column.index()..self.column.index() + all.len());
        let run = |run: &[usize]| {
            let within = run[0] - all.start;
            relation = relation.next(run.len());
            let dofs = self.dofs.part(within..within + run.len());
            Self { dofs, relation, column: columns.at(within), ..self }
        };
        states[first..end].chunk_by(|a, b| a + 1 == *b).map(run).collect()
    }

    /// Leaves out the columns that none of the parts of an interaction has, and returns the others.
    pub(super) fn close_columns(parts: &mut [Self]) -> Vec<Place<Columns>> {
        let of_part =
            |part: &Self| Span::of(part.column.index()..part.column.index() + part.dofs.len()).iter();
        let mut columns: Vec<_> = parts.iter().flat_map(of_part).collect();
        columns.sort_unstable();
        for part in parts {
            part.column = Place::new(columns.partition_point(|&column| column < part.column));
        }
        columns
    }
}

/// One unitary relation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnitaryEntry {
    pub(crate) interaction: InteractionPlace,
    /// Which of those of the interaction it is.
    pub(super) block: UnitaryPlace,
    /// The components of it that are unknowns of the problem.
    pub(crate) rows: Span<Rows>,
}

impl UnitaryEntry {
    /// Its first row: of what opens and closes that of the gap.
    #[inline(always)]
    pub(crate) fn first_row(&self) -> RowPlace {
        self.rows.start()
    }
}
