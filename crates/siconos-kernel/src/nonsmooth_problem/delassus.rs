//! Delassus matrix $H W^{-1} H^T$ of unitary relations that share systems, plus $D / (h^2 \theta)$ for
//! compliant contacts. For first-order systems it is $h \theta_r \gamma C W^{-1} B + D$.
//!
//! $W^{-1} H^T$ is stored row by row for all rows that have been in an index set. For linear systems with
//! constant Jacobians it is computed once per step length. For other systems, it has the values of the last
//! Newton iteration. The entries of the matrix are computed when the problem of an island needs them.

use std::ops::Range;

use super::contact_kind::{ContactKind, ImposedVariables};
use super::rows::Row;
use super::table_changes::Moves;
use super::table_entries::{Block, BlockIndex, Incidence, InteractionEntry};
use super::tables::Tables;
use crate::index::{RowIndex, Rows, Table};
use crate::integrator::Response;
use crate::model::NonSmoothLaw;
use crate::model::relation::RelationValues;
use crate::threads::Threads;

/// Coefficients of all relations. `jacobian` contains the rows of all Jacobians, one after the other. For
/// first-order relations, `input` contains the rows of $B^T$ in the same layout, and `values` contains D.
#[derive(Clone, Copy)]
pub(crate) struct Coefficients<'a> {
    pub(crate) jacobian: &'a [f64],
    pub(crate) input: &'a [f64],
    /// Rows along which the multipliers of Lagrangian systems act, in the layout of the Jacobians; empty if
    /// they equal the rows of the Jacobians.
    pub(crate) reaction: &'a [f64],
    pub(crate) values: Option<&'a Table<InteractionEntry, RelationValues>>,
    /// Compliance that is added to the diagonal entry of a contact row, as a fraction of this entry. It is
    /// positive if the rows of a rigid body can be linearly dependent, because rounding errors can then make
    /// their constant terms inconsistent.
    pub(crate) softness: f64,
    /// Compliance that is added to the diagonal entry of a joint row, as a fraction of this entry.
    pub(crate) softness_of_joints: f64,
}

impl<'a> Coefficients<'a> {
    /// Returns three items for the interactions of a kind: the array of rows along which their unknowns act,
    /// the divisor of these rows, and the weight gamma of their outputs. `h` is the step length.
    #[inline(always)]
    pub(crate) fn of(&self, kind: &ContactKind, h: f64) -> (&'a [f64], f64, f64) {
        match kind.weights() {
            Some(weights) => (self.input, weights.scale(h), weights.gamma),
            None if self.reaction.is_empty() => (self.jacobian, 1.0, 1.0),
            None => (self.reaction, 1.0, 1.0),
        }
    }

    /// Creates the coefficients of a model in which all systems are Lagrangian.
    pub(crate) fn of_jacobian(jacobian: &'a [f64]) -> Self {
        Self { jacobian, input: &[], reaction: &[], values: None, softness: 0.0, softness_of_joints: 0.0 }
    }
}

/// Responses of the velocities (or states) to a unit of each unknown, row by row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Delassus {
    /// Responses with an entry for every degree of freedom of the interaction, in the order in which they
    /// were first requested. Rows that have never been in an index set have no response.
    responses: Vec<f64>,
    /// Memory for the responses when they are moved together.
    spare: Vec<f64>,
    rows: Table<Rows, Known>,
    /// Rows whose responses are to be computed.
    wanted: Vec<RowIndex>,
    /// Ranges of the requested responses, each with its block of systems, for the computation by several
    /// threads.
    shares: Vec<(BlockIndex, Range<usize>)>,
}

/// Start of the response of a row in the array of responses, and the step length for which the response was
/// computed.
#[derive(Clone, Copy, Debug)]
struct Known {
    start: usize,
    key: f64,
}

/// Value for a row that has no response yet.
const UNKNOWN: Known = Known { start: usize::MAX, key: f64::NAN };

impl Delassus {
    /// Adds entries for new rows of a model; existing rows keep their responses.
    pub(crate) fn extend(&mut self, tables: &Tables) {
        self.responses.reserve(tables.response_len.saturating_sub(self.responses.len()));
        self.rows.resize(tables.rows.len(), UNKNOWN);
    }

    /// Discards the responses of rows that are no longer in the tables, at the end of all rows.
    pub(crate) fn truncate(&mut self, tables: &Tables) {
        self.rows.truncate(tables.rows.len());
        self.compact(tables);
    }

    /// Updates the indices after the tables were compacted. Responses of removed rows are discarded.
    pub(crate) fn close_gaps(&mut self, tables: &Tables, moves: &Moves) {
        moves.rows.close(&mut self.rows);
        self.compact(tables);
    }

    /// Moves the responses of all rows together, in the order of the rows.
    fn compact(&mut self, tables: &Tables) {
        let Self { responses, rows, spare, .. } = self;
        spare.clear();
        for entry in tables.interactions.iter() {
            let own = entry.rows.start().min(rows.end()).up_to(entry.rows.end().min(rows.end()));
            for known in rows[own].iter_mut().filter(|known| known.start != UNKNOWN.start) {
                let from = known.start..known.start + entry.columns();
                known.start = spare.len();
                spare.extend_from_slice(&responses[from]);
            }
        }
        std::mem::swap(responses, spare);
    }

    /// Requests $W^{-1} H^T$ for some rows and a step of length `h`. If `is_constant`, rows whose response is
    /// already known for this length are skipped.
    pub(crate) fn want(
        &mut self,
        tables: &Tables,
        h: f64,
        is_constant: bool,
        rows: impl Iterator<Item = RowIndex>,
    ) {
        for row in rows {
            let interaction = tables.rows[row].interaction;
            let (key, known) = (tables.key(interaction, h), &mut self.rows[row]);
            if is_constant && known.key == key {
                continue;
            }
            known.key = key;
            if known.start == UNKNOWN.start {
                known.start = self.responses.len();
                self.responses.resize(known.start + tables.interactions[interaction].columns(), 0.0);
            }
            self.wanted.push(row);
        }
    }

    /// Computes the requested responses for a step of length `h`.
    pub(crate) fn solve_wanted(
        &mut self,
        tables: &Tables,
        threads: &Threads,
        systems: &mut Table<Block, impl Response + Send>,
        coefficients: Coefficients<'_>,
        h: f64,
    ) {
        let Self { responses, rows, wanted, shares, .. } = self;
        shares.clear();
        for row in wanted.drain(..) {
            let (start, interaction) = (rows[row].start, tables.rows[row].interaction);
            let entry = &tables.interactions[interaction];
            let response = &mut responses[start..start + entry.columns()];
            let kind = tables.kind(entry.kind);
            let (of, divisor, _) = coefficients.of(kind, h);
            tables.row(of, row).spread_into(divisor, response);
            // The response of a Lagrangian system is that to an impulse, so a force is multiplied by h.
            let impulse = kind.weights().filter(|_| entry.is_mixed).map(|weights| h * weights.theta_r);
            for &Incidence { block, columns, .. } in tables.incidences_of(interaction) {
                let own = columns.range();
                if let Some(factor) = impulse.filter(|_| !tables.is_first_order_block(block)) {
                    response[own.clone()].iter_mut().for_each(|force| *force *= factor);
                }
                match threads.count() {
                    1 => systems[block].respond(&mut response[own]),
                    _ => shares.push((block, start + own.start..start + own.end)),
                }
            }
        }
        if !shares.is_empty() {
            respond_by_threads(threads, systems, shares, responses);
        }
    }

    /// Returns $W^{-1} H^T$ for a row that has been in an index set.
    #[inline(always)]
    pub(crate) fn response<'a>(&'a self, tables: &'a Tables, row: RowIndex) -> Row<'a> {
        tables.full_row(&self.responses[self.rows[row].start..], row)
    }
}

/// Overwrites the ranges `shares` of an array with the responses of their blocks. Each thread handles some of
/// the blocks and writes their responses to a separate vector, because the ranges of different threads are
/// interleaved in the array.
fn respond_by_threads(
    threads: &Threads,
    systems: &mut [impl Response + Send],
    shares: &[(BlockIndex, Range<usize>)],
    array: &mut [f64],
) {
    let of = |part: Range<usize>| shares.iter().filter(move |(block, _)| part.contains(&block.index()));
    let with_memory = |(first, systems): (usize, _)| (first, systems, Vec::new());
    let mut parts: Vec<_> = threads.cut(systems).map(with_memory).collect();
    let from = &*array;
    threads.share_all(parts.iter_mut().collect(), |(first, systems, out)| {
        for (block, range) in of(*first..*first + systems.len()) {
            let start = out.len();
            out.extend_from_slice(&from[range.clone()]);
            systems[block.index() - *first].respond(&mut out[start..]);
        }
    });
    for (first, systems, out) in parts {
        let mut out = &out[..];
        for (_, range) in of(first..first + systems.len()) {
            let own = out.split_off(..range.len()).unwrap_or_default();
            array[range.clone()].copy_from_slice(own);
        }
    }
}

/// Data from which the entries of the Delassus matrix are computed, for a step of length `h`.
#[derive(Clone, Copy)]
pub(crate) struct Blocks<'a> {
    pub(crate) tables: &'a Tables,
    pub(crate) delassus: &'a Delassus,
    pub(crate) coefficients: Coefficients<'a>,
    pub(crate) h: f64,
}

impl Blocks<'_> {
    /// Returns the entry of the matrix that couples two rows.
    pub(crate) fn entry(&self, row: RowIndex, column: RowIndex) -> f64 {
        let Self { tables, delassus, coefficients, h } = *self;
        let product = tables.row(coefficients.jacobian, row).shared(delassus.response(tables, column));
        let (of_row, of_column) = (&tables.rows[row], &tables.rows[column]);
        let (_, _, weight) = coefficients.of(tables.kind(of_row.kind), h);
        let is_own = of_row.interaction == of_column.interaction;
        if !is_own {
            return weight * product;
        }
        let softness = match row == column {
            true if of_row.has_gap => coefficients.softness * product,
            true => coefficients.softness_of_joints * product,
            false => 0.0,
        };
        weight * product + (feedthrough(tables, coefficients.values, (row, column), h) + softness)
    }
}

/// Returns the term that an interaction adds to its own diagonal block: D for a first-order relation, divided
/// by h if the unknown is h lambda; $1 / (h \theta (h \theta k + c))$ for a spring with stiffness k and
/// damping c; $D / (h^2 \theta)$ for a compliant contact. A relay with the gain k adds 1/k, divided by h if
/// the unknown is h lambda.
pub(super) fn feedthrough(
    tables: &Tables,
    values: Option<&Table<InteractionEntry, RelationValues>>,
    (row, column): (RowIndex, RowIndex),
    h: f64,
) -> f64 {
    let interaction = tables.rows[row].interaction;
    let entry = &tables.interactions[interaction];
    let place = [row, column].map(|row| entry.rows.index_of(row));
    let of_gain = match &*entry.law {
        NonSmoothLaw::Relay(relay) if row == column => 1.0 / relay.gain(),
        _ => 0.0,
    };
    match (&tables.kind(entry.kind).holds, &entry.compliance, values) {
        (ImposedVariables::States(weights), _, Some(values)) => {
            (values[interaction].d[place] + of_gain) / weights.scale(h)
        }
        (ImposedVariables::Velocities, ..) => of_gain / h,
        (ImposedVariables::Spring { spring, theta }, ..) if row == column => {
            let after = h * theta;
            1.0 / (after * (after * spring.stiffness() + spring.damping()))
        }
        (ImposedVariables::Positions { theta }, Some(d), _) => d[place] / (h * h * theta),
        _ => 0.0,
    }
}
