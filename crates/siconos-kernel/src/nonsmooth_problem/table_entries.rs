//! The entries of the tables: a system, a block of systems, an interaction and its parts, a unitary
//! relation.

use std::ops::Range;
use std::sync::Arc;

use ndarray::Array2;

use super::class::ContactKind;
use super::rows::RowPattern;
use crate::integrator::Scheme;
use crate::model::{DynamicalSystemId, InteractionId, NonSmoothLaw, PositionSpace};
use crate::simulation::UnitaryRelation;

/// One system.
#[derive(Clone, Debug)]
pub(crate) struct SystemEntry {
    pub(crate) id: DynamicalSystemId,
    /// Its positions; none of a first-order system.
    pub(crate) positions: Range<usize>,
    /// What is solved for: its velocities, or its state.
    pub(crate) dofs: Range<usize>,
    pub(crate) scheme: Scheme,
    pub(crate) block: usize,
    /// In what space its positions are.
    pub(crate) space: PositionSpace,
}

impl SystemEntry {
    pub(crate) fn is_first_order(&self) -> bool {
        matches!(self.scheme, Scheme::FirstOrder(_))
    }
}

/// Systems that share one matrix W: one, or several that a relation with r = g(x, lambda) couples.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) systems: Range<usize>,
    pub(crate) dofs: Range<usize>,
    /// The interactions whose K is part of W.
    pub(crate) coupling: Vec<usize>,
    /// Whether one Newton iteration is exact as far as its systems go, and whether W depends on the step
    /// length only: what the simulation finds of its integrators.
    pub(crate) is_affine: bool,
    pub(crate) is_constant: bool,
    /// Whether a constant W depends on the step length at all; where it is M, it does not.
    pub(crate) has_step_length: bool,
    /// How many entries W has at most.
    pub(crate) entries_of_w: usize,
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
    pub(crate) rows: Range<usize>,
    /// Its Jacobian in the flat array of Jacobians: `rows x columns` entries, or those of a pattern.
    pub(crate) jacobian: Range<usize>,
    pub(crate) columns: usize,
    /// Which entries its rows have, where these are few.
    pub(crate) pattern: Option<Box<RowPattern>>,
    /// The places of its columns, where these are few.
    pub(super) places: Range<usize>,
    pub(crate) incidences: Range<usize>,
    pub(crate) parts: Range<usize>,
    /// Its unitary relations.
    pub(crate) unitary: Range<usize>,
    pub(crate) kind: ContactKind,
    pub(crate) law: Arc<NonSmoothLaw>,
    /// D of a compliant relation.
    pub(crate) compliance: Option<Box<Array2<f64>>>,
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
        self.kind == ContactKind::Gone
    }

    /// Where the rows of its Jacobian lie in the flat array.
    pub(crate) fn rows_of_jacobian(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        (0..self.rows.len()).map(|row| self.row_of_jacobian(row))
    }

    /// Where one of its rows lies there, counted among its own.
    #[inline(always)]
    pub(super) fn row_of_jacobian(&self, row: usize) -> Range<usize> {
        let (start, own) = match &self.pattern {
            None => (row * self.columns, self.columns),
            Some(pattern) => (pattern.row(row).start, pattern.row(row).len()),
        };
        self.jacobian.start + start..self.jacobian.start + start + own
    }

    /// Whether it is one of first-order systems.
    pub(crate) fn is_first_order(&self) -> bool {
        matches!(self.kind, ContactKind::FirstOrder(_))
    }

    /// $(D \lambda)$ of one component, for multipliers at position level.
    pub(crate) fn compliant_part(&self, row: usize, force: &[f64]) -> f64 {
        self.compliance.as_ref().map_or(0.0, |d| {
            let own = &force[self.rows.clone()];
            d.row(row - self.rows.start).iter().zip(own).map(|(d, force)| d * force).sum()
        })
    }
}

/// The part of an interaction that acts on one block of systems.
#[derive(Clone, Debug)]
pub(crate) struct Incidence {
    pub(crate) block: usize,
    /// The positions of its system; none of first-order systems.
    pub(crate) positions: Range<usize>,
    /// Whether they are a vector, with a velocity for each.
    pub(crate) is_vector: bool,
    pub(crate) dofs: Range<usize>,
    /// Where its columns lie in a row of the Jacobian.
    pub(crate) columns: Range<usize>,
}

/// The part of an interaction that acts on one system.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) system: usize,
    pub(crate) dofs: Range<usize>,
    /// Its columns in the relation of the user.
    pub(crate) relation: Range<usize>,
    /// Where these begin in a row of the Jacobian.
    pub(crate) column: usize,
}

impl Part {
    /// The parts of a system of which an interaction reads or acts on some states, given by their increasing
    /// columns in the relation: one part for each run of them, and one without states where there is none.
    pub(super) fn push_runs(
        states: &[usize],
        (system, dofs, relation, column): (usize, Range<usize>, Range<usize>, usize),
        parts: &mut Vec<Self>,
    ) {
        let first = states.partition_point(|&state| state < relation.start);
        let end = states.partition_point(|&state| state < relation.end);
        let mut at = first;
        for run in states[first..end].chunk_by(|a, b| a + 1 == *b) {
            let within = run[0] - relation.start;
            let start = dofs.start + within;
            let relation = at..at + run.len();
            at = relation.end;
            parts.push(Self { system, dofs: start..start + run.len(), relation, column: column + within });
        }
        if first == end {
            parts.push(Self { system, dofs: dofs.start..dofs.start, relation: first..first, column });
        }
    }

    /// Leaves out the columns that none of the parts of an interaction has, and returns the others.
    pub(super) fn close_columns(parts: &mut [Self]) -> Vec<usize> {
        let mut columns: Vec<_> =
            parts.iter().flat_map(|part| part.column..part.column + part.dofs.len()).collect();
        columns.sort_unstable();
        for part in parts {
            part.column = columns.partition_point(|&column| column < part.column);
        }
        columns
    }
}

/// One unitary relation.
#[derive(Clone, Debug)]
pub(crate) struct UnitaryEntry {
    pub(crate) name: UnitaryRelation,
    pub(crate) interaction: usize,
    /// The components of it that are unknowns of the problem.
    pub(crate) rows: Range<usize>,
}
