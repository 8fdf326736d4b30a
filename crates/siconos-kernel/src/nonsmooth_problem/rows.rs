//! Rows over the systems of an interaction, and their products. All multiplications by a Jacobian, an input
//! matrix or a response are implemented here.
//!
//! All rows have the same layout in flat arrays: the rows of H (or C), of $B^T$, and of the responses
//! $W^{-1} H^T$ to a unit of each multiplier.

use std::ops::Range;

use siconos_linalg::{dot, norm};

use super::table_entries::{BlockIndex, Incidence, InteractionEntry, RowStorage};
use super::tables::Tables;
use crate::index::{Dofs, Positions, RowIndex, Table, TypedIndex};

/// One row of an interaction; its entries are ordered by the blocks of the systems that it acts on.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    entries: &'a [f64],
    /// Indices of the entries, if they are listed.
    places: Option<&'a [EntryPlace]>,
    tables: &'a Tables,
    row: RowIndex,
    /// `true` if the row has only the entries of the sparsity pattern of its interaction.
    is_patterned: bool,
}

/// Indices of the velocity and position by which an entry of a row is multiplied.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntryPlace {
    dof: TypedIndex<Dofs>,
    /// `NONE` if the positions do not form a vector space.
    position: TypedIndex<Positions>,
}

/// Maximum number of degrees of freedom for which the indices of the entries of a row are listed. For such
/// rows, reading this list is faster than reading the blocks.
pub(super) const FEW_COLUMNS: usize = 8;

impl EntryPlace {
    /// Iterates over the indices of all degrees of freedom of a block.
    pub(super) fn all_of(at: &Incidence) -> impl Iterator<Item = Self> + '_ {
        (0..at.dofs.len()).map(|within| Self::of(at, within))
    }

    fn of(at: &Incidence, within: usize) -> Self {
        let is_vector = at.is_vector && at.positions.len() == at.dofs.len();
        let position = if is_vector { at.positions.at(within) } else { TypedIndex::NONE };
        Self { dof: at.dofs.at(within), position }
    }

    fn dof(self) -> usize {
        self.dof.index()
    }

    fn position(self) -> usize {
        self.position.index()
    }
}

/// Sparsity pattern of the rows of an interaction; the indices of the entries are in the tables.
#[derive(Clone, Debug)]
pub(crate) struct RowPattern {
    blocks: usize,
    /// Index of the first entry of each pair of a row and a block. The pairs are ordered by row and then by
    /// block. The last element is the number of entries.
    starts: Vec<u32>,
}

impl RowPattern {
    /// Creates the pattern of some rows over blocks; `of_row` returns the columns of the entries of a row.
    /// The indices of the entries are appended to `places`.
    pub(super) fn new<I: Iterator<Item = usize>>(
        rows: usize,
        of_row: impl Fn(usize) -> I,
        blocks: &[Incidence],
        places: &mut Table<EntryPlace>,
    ) -> Self {
        let first = places.end();
        let mut pattern = Self { blocks: blocks.len(), starts: vec![0] };
        for row in 0..rows {
            for at in blocks {
                let columns = at.columns.range();
                let own = of_row(row).filter(|it| columns.contains(it));
                places.extend(own.map(|place| EntryPlace::of(at, place - columns.start)));
                pattern.starts.push(places.since(first).len() as u32);
            }
        }
        pattern
    }

    /// Returns the range of the entries of a row among the entries of the interaction.
    pub(super) fn row(&self, row: usize) -> Range<usize> {
        let first = row * self.blocks;
        self.starts[first] as usize..self.starts[first + self.blocks] as usize
    }

    /// Iterates over the blocks of a row. Each item is the range of the entries of a block within the row.
    fn blocks(&self, row: usize) -> impl Iterator<Item = Range<usize>> + '_ {
        let ends = &self.starts[row * self.blocks..=(row + 1) * self.blocks];
        ends.windows(2).map(move |pair| (pair[0] - ends[0]) as usize..(pair[1] - ends[0]) as usize)
    }
}

impl Tables {
    /// Returns a row of an array that has the layout of the Jacobians.
    // Inlined because a call per row has a noticeable cost in a step.
    #[inline(always)]
    pub(crate) fn row<'a>(&'a self, of: &'a [f64], row: RowIndex) -> Row<'a> {
        let own = &self.rows[row];
        let is_patterned = own.storage == RowStorage::Pattern;
        self.row_with(own.storage != RowStorage::All, is_patterned, &of[own.entries.index()..], row)
    }

    /// Returns a row with an entry for every degree of freedom of its interaction. The array `of` starts with
    /// these entries.
    #[inline(always)]
    pub(super) fn full_row<'a>(&'a self, of: &'a [f64], row: RowIndex) -> Row<'a> {
        self.row_with(self.rows[row].storage == RowStorage::Few, false, of, row)
    }

    #[inline(always)]
    fn row_with<'a>(&'a self, has_places: bool, is_patterned: bool, of: &'a [f64], row: RowIndex) -> Row<'a> {
        if !has_places {
            let entries = &of[..self.columns_of(row)];
            return Row { entries, places: None, tables: self, row, is_patterned };
        }
        let places = &self.places[self.rows[row].places];
        Row { entries: &of[..places.len()], places: Some(places), tables: self, row, is_patterned }
    }

    // Not inlined, to keep the code for the frequent rows with few entries small.
    #[inline(never)]
    fn columns_of(&self, row: RowIndex) -> usize {
        self.interactions[self.rows[row].interaction].columns()
    }
}

impl<'a> Row<'a> {
    /// Returns the interaction of the row.
    fn interaction(self) -> &'a InteractionEntry {
        &self.tables.interactions[self.tables.rows[self.row].interaction]
    }

    /// Returns the blocks that the row acts on.
    #[inline(never)]
    fn incidences(self) -> &'a [Incidence] {
        &self.tables.incidences[self.interaction().incidences]
    }

    /// Calls `visit` with each block, the indices of the entries in the block (`None` if the row has an entry
    /// for every index), and the entries.
    #[inline(always)]
    fn for_each_block(self, mut visit: impl FnMut(&'a Incidence, Option<&'a [EntryPlace]>, &'a [f64])) {
        let of = self.interaction();
        match (&of.pattern, self.places) {
            (Some(pattern), Some(places)) if self.is_patterned => {
                let blocks = pattern.blocks(of.rows.index_of(self.row));
                for (at, own) in self.incidences().iter().zip(blocks) {
                    visit(at, Some(&places[own.clone()]), &self.entries[own]);
                }
            }
            _ => self.incidences().iter().for_each(|at| visit(at, None, &self.entries[at.columns.range()])),
        }
    }

    /// Returns the sum of `few` over the entries and their indices, for a row with few entries; otherwise the
    /// sum of `many` over the blocks and the entries in them.
    #[inline(always)]
    fn sum(self, few: impl Fn(f64, EntryPlace) -> f64, many: impl Fn(&Incidence, &[f64]) -> f64) -> f64 {
        match self.places {
            Some(places) => match (self.entries, places) {
                // The most frequent sizes are written out, because the overhead of the loop exceeds the cost
                // of its body.
                (&[a], &[at]) => few(a, at),
                (&[a, b], &[at, other]) => few(a, at) + few(b, other),
                (entries, places) => entries.iter().zip(places).map(|(h, place)| few(*h, *place)).sum(),
            },
            None => self.incidences().iter().map(|at| many(at, &self.entries[at.columns.range()])).sum(),
        }
    }

    /// Returns the product of the row with a vector over all degrees of freedom: one component of $J v$.
    #[inline(always)]
    pub(crate) fn times(self, x: &[f64]) -> f64 {
        self.sum(|h, place| h * x[place.dof()], |at, entries| dot(entries, &x[at.dofs.range()]))
    }

    /// Returns the product of the row with a vector. `combine` computes each entry of the vector from the
    /// entries of `x` and `y`.
    #[inline(always)]
    pub(crate) fn times_both(self, (x, y): (&[f64], &[f64]), combine: impl Fn(f64, f64) -> f64) -> f64 {
        let few = |h: f64, place: EntryPlace| h * combine(x[place.dof()], y[place.dof()]);
        let many = |at: &Incidence, entries: &[f64]| {
            let both = x[at.dofs.range()].iter().zip(&y[at.dofs.range()]);
            entries.iter().zip(both).map(|(h, (x, y))| h * combine(*x, *y)).sum()
        };
        self.sum(few, many)
    }

    /// Returns the products of the row with the positions, which must form a vector space, and with the
    /// velocities.
    #[inline(always)]
    pub(crate) fn times_motion(self, q: &[f64], v: &[f64]) -> (f64, f64) {
        let few = |h: f64, place: EntryPlace| h * q[place.position()];
        let h_q = self.sum(few, |at, entries| dot(entries, &q[at.positions.range()]));
        (h_q, self.times(v))
    }

    /// Returns the sum of the magnitudes of the terms of [`times`](Self::times).
    pub(crate) fn magnitude(self, x: &[f64]) -> f64 {
        let few = |h: f64, place: EntryPlace| (h * x[place.dof()]).abs();
        self.sum(few, |at, entries| magnitude(entries, &x[at.dofs.range()]))
    }

    /// Returns the sum of the magnitudes of the terms of [`times`](Self::times) for a difference of vectors.
    pub(crate) fn magnitude_of_change(self, from: &[f64], to: &[f64]) -> f64 {
        let few = |h: f64, place: EntryPlace| (h * (to[place.dof()] - from[place.dof()])).abs();
        let many = |at: &Incidence, entries: &[f64]| {
            let changes = to[at.dofs.range()].iter().zip(&from[at.dofs.range()]);
            entries.iter().zip(changes).map(|(h, (to, from))| (h * (to - from)).abs()).sum()
        };
        self.sum(few, many)
    }

    /// Returns the same for a row of a detected contact, but the translation and the rotation of a body each
    /// count with the product of their norms. The result does not depend on the directions of the axes.
    pub(crate) fn magnitude_of_change_of_bodies(self, from: &[f64], to: &[f64]) -> f64 {
        let mut sum = 0.0;
        self.for_each_block(|at, _, entries| {
            let dofs = at.dofs.range();
            // Bodies have the degrees of freedom (v, omega): 3 + 3 in space, 2 + 1 in the plane.
            let (translation, rotation) = entries.split_at(entries.len().div_ceil(2));
            let middle = dofs.start + translation.len();
            let change =
                |part: Range<usize>| part.map(|dof| (to[dof] - from[dof]).powi(2)).sum::<f64>().sqrt();
            sum += norm(translation) * change(dofs.start..middle) + norm(rotation) * change(middle..dofs.end);
        });
        sum
    }

    /// Returns the sum of the magnitudes of the terms of $J q$. For positions that do not form a vector
    /// space, `magnitudes` contains the magnitudes of positions, one for each degree of freedom.
    pub(crate) fn magnitude_at(self, q: &[f64], magnitudes: &[f64]) -> f64 {
        let few = |h: f64, place: EntryPlace| {
            let size = if place.position == TypedIndex::NONE {
                magnitudes[place.dof()]
            } else {
                q[place.position()]
            };
            (h * size).abs()
        };
        let many = |at: &Incidence, entries: &[f64]| match at.is_vector {
            true => magnitude(entries, &q[at.positions.range()]),
            false => magnitude(entries, &magnitudes[at.dofs.range()]),
        };
        self.sum(few, many)
    }

    /// Calls `visit` with the block, the index in the block, and the value of each entry.
    pub(super) fn for_each_entry(self, mut visit: impl FnMut(BlockIndex, usize, f64)) {
        self.for_each_block(|at, places, entries| match places {
            None => entries.iter().enumerate().for_each(|(within, x)| visit(at.block, within, *x)),
            Some(places) => {
                let entries = places.iter().zip(entries);
                entries.for_each(|(place, x)| visit(at.block, at.dofs.index_of(place.dof), *x));
            }
        });
    }

    /// Returns an upper bound of the product with a vector: the sum over the blocks of the largest magnitude
    /// in the row times the largest magnitude in the vector.
    pub(crate) fn bound(self, x: &[f64]) -> f64 {
        let largest = |values: &[f64]| values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        let mut sum = 0.0;
        self.for_each_block(|at, _, entries| sum += largest(entries) * largest(&x[at.dofs.range()]));
        sum
    }

    /// Adds a multiple of the row to a vector over all degrees of freedom: one term of $J^T \lambda$.
    #[inline(always)]
    pub(crate) fn add_to(self, factor: f64, out: &mut [f64]) {
        self.scatter(|h| factor * h, out);
    }

    /// Adds the magnitudes of the terms of [`add_to`](Self::add_to).
    pub(crate) fn add_magnitudes_to(self, factor: f64, out: &mut [f64]) {
        self.scatter(|h| (factor * h).abs(), out);
    }

    #[inline(always)]
    fn scatter(self, term: impl Fn(f64) -> f64, out: &mut [f64]) {
        if let Some(places) = self.places {
            let mut add = |h: f64, place: EntryPlace| out[place.dof()] += term(h);
            return match (self.entries, places) {
                (&[a], &[at]) => add(a, at),
                (&[a, b], &[at, other]) => {
                    add(a, at);
                    add(b, other);
                }
                (entries, places) => entries.iter().zip(places).for_each(|(h, place)| add(*h, *place)),
            };
        }
        for at in self.incidences() {
            let entries = out[at.dofs.range()].iter_mut().zip(&self.entries[at.columns.range()]);
            entries.for_each(|(out, h)| *out += term(*h));
        }
    }

    /// Returns the inner product $\sum_i a_i b_i$ of two rows over the blocks that both rows act on. `other`
    /// must have an entry for every degree of freedom of its interaction.
    #[inline(always)]
    pub(crate) fn shared(self, other: Row<'_>) -> f64 {
        let mut sum = 0.0;
        self.for_each_block(|a, places, entries| {
            for b in other.incidences().iter().filter(|b| a.block == b.block) {
                let other = &other.entries[b.columns.range()];
                sum += match places {
                    None => dot(entries, other),
                    Some(places) => {
                        let of_place =
                            |(h, place): (&f64, &EntryPlace)| h * other[a.dofs.index_of(place.dof)];
                        entries.iter().zip(places).map(of_place).sum::<f64>()
                    }
                };
            }
        });
        sum
    }

    /// Writes all entries of the row, including zeros, divided by `divisor`.
    pub(super) fn spread_into(self, divisor: f64, out: &mut [f64]) {
        out.fill(0.0);
        self.for_each_block(|at, places, entries| {
            let out = &mut out[at.columns.range()];
            match places {
                None => out.iter_mut().zip(entries).for_each(|(out, h)| *out = h / divisor),
                Some(places) => {
                    let entries = places.iter().zip(entries);
                    entries.for_each(|(place, h)| out[at.dofs.index_of(place.dof)] = h / divisor);
                }
            }
        });
    }
}

/// Returns the sum of the magnitudes of the terms of a product.
pub(crate) fn magnitude(row: &[f64], x: &[f64]) -> f64 {
    row.iter().zip(x).map(|(h, x)| (h * x).abs()).sum()
}
