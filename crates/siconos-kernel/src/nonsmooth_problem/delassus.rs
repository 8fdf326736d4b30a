//! The Delassus matrix $H W^{-1} H^T$ over all unitary relations that share systems, plus $D / (h^2 \theta)$
//! where a contact is compliant; of first-order systems $h \theta_r \gamma C W^{-1} B + D$.
//!
//! Blocks between linear systems with constant Jacobians are computed once per step length; the others at
//! every Newton iteration, and only those of the index set.

use siconos_numerics::linalg::dot;

use super::class::ContactKind;
use super::tables::Tables;
use crate::integrator::Response;
use crate::model::relation::RelationValues;

/// The coefficients of all relations: rows of the Jacobians one after the other, and of first-order relations
/// the rows of $B^T$ in the same layout, and D.
#[derive(Clone, Copy)]
pub(crate) struct Coefficients<'a> {
    pub(crate) jacobian: &'a [f64],
    pub(crate) input: &'a [f64],
    pub(crate) values: &'a [RelationValues],
}

/// The linked-interaction map of the developer's notes (2.1.1) at the level of unitary relations, with the
/// blocks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Delassus {
    /// First coupling of each unitary relation, and the number of couplings at the end.
    first: Vec<usize>,
    /// The partner of each coupling, increasing within a row; a relation is coupled with itself.
    partner: Vec<usize>,
    /// Where the block of each coupling begins.
    offset: Vec<usize>,
    values: Vec<f64>,
    /// Row by row, the change of the velocities (or states) by a unit of each unknown: $W^{-1}$ times the
    /// rows of the Jacobians.
    w_h: Vec<f64>,
}

impl Delassus {
    /// Finds the couplings of a model.
    pub(crate) fn new(tables: &Tables) -> Self {
        let mut unitary_of_block = vec![Vec::new(); tables.blocks.len()];
        for (place, unitary) in tables.unitary.iter().enumerate() {
            for incidence in tables.incidences_of(unitary.interaction) {
                unitary_of_block[incidence.block].push(place);
            }
        }
        let mut delassus = Self { w_h: vec![0.0; tables.jacobian_len], ..Self::default() };
        let mut partners = Vec::new();
        delassus.first.push(0);
        for unitary in &tables.unitary {
            partners.clear();
            for incidence in tables.incidences_of(unitary.interaction) {
                partners.extend(&unitary_of_block[incidence.block]);
            }
            partners.sort_unstable();
            partners.dedup();
            for &partner in &partners {
                delassus.partner.push(partner);
                delassus.offset.push(delassus.values.len());
                let entries = unitary.rows.len() * tables.unitary[partner].rows.len();
                delassus.values.resize(delassus.values.len() + entries, 0.0);
            }
            delassus.first.push(delassus.partner.len());
        }
        delassus
    }

    /// Computes $W^{-1} H^T$ for the rows of the given unitary relations, for a step of length `h`.
    pub(crate) fn solve_rows(
        &mut self,
        tables: &Tables,
        systems: &mut [impl Response],
        coefficients: Coefficients<'_>,
        h: f64,
        unitary: impl Iterator<Item = usize>,
    ) {
        for place in unitary {
            let unitary = &tables.unitary[place];
            let kind = tables.interactions[unitary.interaction].kind;
            for row in unitary.rows.clone() {
                let range = tables.jacobian_row(unitary.interaction, row);
                let w_h = &mut self.w_h[range.clone()];
                match kind {
                    ContactKind::FirstOrder(scheme) => {
                        let scale = scheme.scale(h);
                        for (w_h, b) in w_h.iter_mut().zip(&coefficients.input[range]) {
                            *w_h = b / scale;
                        }
                    }
                    _ => w_h.copy_from_slice(&coefficients.jacobian[range]),
                }
                for incidence in tables.incidences_of(unitary.interaction) {
                    systems[incidence.block].respond(&mut w_h[incidence.columns.clone()]);
                }
            }
        }
    }

    /// Computes the blocks in the rows of the given unitary relations whose partner satisfies `wanted`, for a
    /// step of length `h`.
    pub(crate) fn compute_blocks(
        &mut self,
        tables: &Tables,
        coefficients: Coefficients<'_>,
        h: f64,
        unitary: impl Iterator<Item = usize>,
        wanted: impl Fn(usize) -> bool,
    ) {
        for a in unitary {
            for coupling in self.first[a]..self.first[a + 1] {
                let b = self.partner[coupling];
                if !wanted(b) {
                    continue;
                }
                let (rows, columns) = (&tables.unitary[a], &tables.unitary[b]);
                let weight = match tables.interactions[rows.interaction].kind {
                    ContactKind::FirstOrder(scheme) => scheme.gamma,
                    _ => 1.0,
                };
                let mut k = self.offset[coupling];
                for row in rows.rows.clone() {
                    let h_row = &coefficients.jacobian[tables.jacobian_row(rows.interaction, row)];
                    for column in columns.rows.clone() {
                        let w_h = &self.w_h[tables.jacobian_row(columns.interaction, column)];
                        let product =
                            shared_product(tables, rows.interaction, h_row, columns.interaction, w_h);
                        self.values[k] = weight * product;
                        if rows.interaction == columns.interaction {
                            self.values[k] +=
                                feedthrough(tables, coefficients.values, rows.interaction, (row, column), h);
                        }
                        k += 1;
                    }
                }
            }
        }
    }

    /// The couplings of a unitary relation: partner and block, row by row.
    pub(crate) fn couplings(&self, unitary: usize) -> impl Iterator<Item = (usize, &[f64])> {
        (self.first[unitary]..self.first[unitary + 1]).map(|coupling| {
            let end = self.offset.get(coupling + 1).copied().unwrap_or(self.values.len());
            (self.partner[coupling], &self.values[self.offset[coupling]..end])
        })
    }

    /// $W^{-1} H^T$ of one row of an interaction, by columns of the interaction.
    pub(crate) fn w_h_row(&self, tables: &Tables, interaction: usize, row: usize) -> &[f64] {
        &self.w_h[tables.jacobian_row(interaction, row)]
    }
}

/// $\sum_i h_a^i \cdot (W_i^{-1} h_b^i)$ over the systems i that both interactions act on.
fn shared_product(tables: &Tables, a: usize, h: &[f64], b: usize, w_h: &[f64]) -> f64 {
    let mut sum = 0.0;
    for of_a in tables.incidences_of(a) {
        for of_b in tables.incidences_of(b) {
            if of_a.block == of_b.block {
                sum += dot(&h[of_a.columns.clone()], &w_h[of_b.columns.clone()]);
            }
        }
    }
    sum
}

/// What an interaction adds to its own block: D of a first-order relation; of a compliant contact, from y' =
/// H q' + b + D lambda/h with q' = q + h (theta v' + ..), divided by h theta.
fn feedthrough(
    tables: &Tables,
    values: &[RelationValues],
    interaction: usize,
    (row, column): (usize, usize),
    h: f64,
) -> f64 {
    let entry = &tables.interactions[interaction];
    let place = [row - entry.rows.start, column - entry.rows.start];
    match (entry.kind, &entry.compliance) {
        (ContactKind::FirstOrder(scheme), _) => values[interaction].d[place] / scheme.scale(h),
        (ContactKind::Compliant { theta, .. }, Some(d)) => d[place] / (h * h * theta),
        _ => 0.0,
    }
}
