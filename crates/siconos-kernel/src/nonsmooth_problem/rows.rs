//! Rows over the systems that an interaction acts on, and their products: the one place where a Jacobian, an
//! input or a response is multiplied.
//!
//! All are laid out alike in flat arrays: the rows of H (or C), of $B^T$, and of the responses
//! $W^{-1} H^T$ to a unit of each multiplier.

use std::ops::Range;

use siconos_numerics::linalg::{Csc, dot};

use super::tables::{Incidence, InteractionEntry, Tables};

/// One row of an interaction, whose entries stand block after block of the systems that it acts on.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    entries: &'a [f64],
    incidences: &'a [Incidence],
    /// Which entries these are, where they are not all.
    places: Option<Places<'a>>,
}

/// The places of the entries of a row within its blocks, and where those of each block begin.
#[derive(Clone, Copy)]
struct Places<'a> {
    within: &'a [u32],
    starts: &'a [u32],
}

/// Which entries the rows of an interaction have.
#[derive(Clone, Debug)]
pub(crate) struct RowPattern {
    blocks: usize,
    /// Where the entries of a row in a block begin, row by row and block by block, and the number of all.
    starts: Vec<u32>,
    within: Vec<u32>,
}

impl RowPattern {
    /// The pattern of rows that are given as columns of a matrix, of whose rows each block has some.
    pub(super) fn new(rows: &Csc, blocks: impl ExactSizeIterator<Item = Range<usize>> + Clone) -> Self {
        let mut pattern = Self { blocks: blocks.len(), starts: vec![0], within: Vec::new() };
        for row in 0..rows.columns() {
            for block in blocks.clone() {
                let own = rows.column(row).map(|(place, _)| place).filter(|place| block.contains(place));
                pattern.within.extend(own.map(|place| index(place - block.start)));
                pattern.starts.push(index(pattern.within.len()));
            }
        }
        pattern
    }

    pub(super) fn entries(&self) -> usize {
        self.within.len()
    }

    /// Where the entries of a row lie among all.
    pub(super) fn row(&self, row: usize) -> Range<usize> {
        let first = row * self.blocks;
        self.starts[first] as usize..self.starts[first + self.blocks] as usize
    }

    #[inline(never)]
    fn places(&self, row: usize) -> Places<'_> {
        let first = row * self.blocks;
        Places { within: &self.within[self.row(row)], starts: &self.starts[first..=first + self.blocks] }
    }
}

/// Half the memory of a count is enough for what a model has.
fn index(count: usize) -> u32 {
    u32::try_from(count).expect("a relation has less than 2^32 entries")
}

impl Tables {
    /// A row of an interaction, counted among those of the model, in an array in the layout of the Jacobians.
    #[inline(always)]
    pub(crate) fn row<'a>(&'a self, of: &'a [f64], (interaction, row): (usize, usize)) -> Row<'a> {
        self.row_of(&self.interactions[interaction], of, row)
    }

    /// [`row`](Self::row) of an interaction that is at hand.
    // Calls for each row show in a step, and so in what follows.
    #[inline(always)]
    pub(crate) fn row_of<'a>(&'a self, entry: &'a InteractionEntry, of: &'a [f64], row: usize) -> Row<'a> {
        let own = row - entry.rows.start;
        Row {
            entries: &of[entry.row_of_jacobian(own)],
            incidences: &self.incidences[entry.incidences.clone()],
            places: entry.pattern.as_ref().map(|pattern| pattern.places(own)),
        }
    }

    /// A row of an interaction with all of its entries.
    #[inline(always)]
    pub(super) fn full_row<'a>(&'a self, entries: &'a [f64], interaction: usize) -> Row<'a> {
        Row { entries, incidences: self.incidences_of(interaction), places: None }
    }
}

impl Row<'_> {
    /// Calls `visit` with each block, and the places and values of the entries in it, of a row that has few.
    #[inline(never)]
    fn few(self, places: Places<'_>, mut visit: impl FnMut(&Incidence, &[u32], &[f64])) {
        let first = places.starts[0];
        for (at, ends) in self.incidences.iter().zip(places.starts.windows(2)) {
            let own = (ends[0] - first) as usize..(ends[1] - first) as usize;
            visit(at, &places.within[own.clone()], &self.entries[own]);
        }
    }

    /// The sum of a function of entries and the places of their degrees of freedom, of a row that has few.
    #[inline(never)]
    fn sum_of_few(self, places: Places<'_>, term: impl Fn(&Incidence, f64, usize) -> f64) -> f64 {
        let mut sum = 0.0;
        self.few(places, |at, within, entries| {
            for (h, place) in entries.iter().zip(within) {
                sum += term(at, *h, *place as usize);
            }
        });
        sum
    }

    /// The product with a vector over all degrees of freedom: $J v$ of one component.
    #[inline(always)]
    pub(crate) fn times(self, x: &[f64]) -> f64 {
        if let Some(places) = self.places {
            return self.sum_of_few(places, |at, h, place| h * x[at.dofs.start + place]);
        }
        self.incidences.iter().map(|at| dot(&self.entries[at.columns.clone()], &x[at.dofs.clone()])).sum()
    }

    /// The product with a combination of two vectors.
    #[inline(always)]
    pub(crate) fn times_both(self, (x, y): (&[f64], &[f64]), combine: impl Fn(f64, f64) -> f64) -> f64 {
        if let Some(places) = self.places {
            let both = |dof: usize| combine(x[dof], y[dof]);
            return self.sum_of_few(places, |at, h, place| h * both(at.dofs.start + place));
        }
        let part = |at: &Incidence| -> f64 {
            let both = x[at.dofs.clone()].iter().zip(&y[at.dofs.clone()]);
            self.entries[at.columns.clone()].iter().zip(both).map(|(h, (x, y))| h * combine(*x, *y)).sum()
        };
        self.incidences.iter().map(part).sum()
    }

    /// The products with positions that are vectors and with their velocities.
    #[inline(always)]
    pub(crate) fn times_motion(self, q: &[f64], v: &[f64]) -> (f64, f64) {
        if let Some(places) = self.places {
            let h_q = self.sum_of_few(places, |at, h, place| h * q[at.positions.start + place]);
            return (h_q, self.times(v));
        }
        let (mut h_q, mut h_v) = (0.0, 0.0);
        for at in self.incidences {
            let motion = q[at.positions.clone()].iter().zip(&v[at.dofs.clone()]);
            for (h, (q, v)) in self.entries[at.columns.clone()].iter().zip(motion) {
                h_q += h * q;
                h_v += h * v;
            }
        }
        (h_q, h_v)
    }

    /// The size of the terms of [`times`](Self::times).
    pub(crate) fn magnitude(self, x: &[f64]) -> f64 {
        if let Some(places) = self.places {
            return self.sum_of_few(places, |at, h, place| (h * x[at.dofs.start + place]).abs());
        }
        let part = |at: &Incidence| magnitude(&self.entries[at.columns.clone()], &x[at.dofs.clone()]);
        self.incidences.iter().map(part).sum()
    }

    /// The size of the terms of $J q$; `magnitudes` says, over all degrees of freedom, how large positions
    /// are that are no vectors.
    pub(crate) fn magnitude_at(self, q: &[f64], magnitudes: &[f64]) -> f64 {
        if let Some(places) = self.places {
            return self.sum_of_few(places, |at, h, place| (h * q[at.positions.start + place]).abs());
        }
        let part = |at: &Incidence| {
            let size = if at.is_vector { &q[at.positions.clone()] } else { &magnitudes[at.dofs.clone()] };
            magnitude(&self.entries[at.columns.clone()], size)
        };
        self.incidences.iter().map(part).sum()
    }

    /// The largest entry times the largest one of a vector, block by block, added up.
    pub(crate) fn bound(self, x: &[f64]) -> f64 {
        let largest = |values: &[f64]| values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        let mut sum = 0.0;
        let mut add =
            |at: &Incidence, entries: &[f64]| sum += largest(entries) * largest(&x[at.dofs.clone()]);
        match self.places {
            Some(places) => self.few(places, |at, _, entries| add(at, entries)),
            None => self.incidences.iter().for_each(|at| add(at, &self.entries[at.columns.clone()])),
        }
        sum
    }

    /// Adds a multiple of the row to a vector over all degrees of freedom: $J^T \lambda$ of one component.
    #[inline(always)]
    pub(crate) fn add_to(self, factor: f64, out: &mut [f64]) {
        self.scatter(|h| factor * h, out);
    }

    /// Adds the size of the terms of [`add_to`](Self::add_to).
    pub(crate) fn add_magnitudes_to(self, factor: f64, out: &mut [f64]) {
        self.scatter(|h| (factor * h).abs(), out);
    }

    #[inline(always)]
    fn scatter(self, term: impl Fn(f64) -> f64, out: &mut [f64]) {
        if let Some(places) = self.places {
            return self.few(places, |at, within, entries| {
                let entries = within.iter().zip(entries);
                entries.for_each(|(place, h)| out[at.dofs.start + *place as usize] += term(*h));
            });
        }
        for at in self.incidences {
            let entries = out[at.dofs.clone()].iter_mut().zip(&self.entries[at.columns.clone()]);
            entries.for_each(|(out, h)| *out += term(*h));
        }
    }

    /// $\sum_i a_i b_i$ over the blocks that both rows act on; the other row has all of its entries.
    #[inline(always)]
    pub(crate) fn shared(self, other: Row<'_>) -> f64 {
        let mut sum = 0.0;
        if let Some(places) = self.places {
            self.few(places, |a, within, entries| {
                for b in other.incidences.iter().filter(|b| a.block == b.block) {
                    let other = &other.entries[b.columns.clone()];
                    let products = within.iter().zip(entries).map(|(place, h)| h * other[*place as usize]);
                    sum += products.sum::<f64>();
                }
            });
            return sum;
        }
        for a in self.incidences {
            for b in other.incidences {
                if a.block == b.block {
                    sum += dot(&self.entries[a.columns.clone()], &other.entries[b.columns.clone()]);
                }
            }
        }
        sum
    }

    /// Writes the row with all of its entries, divided by a number.
    pub(super) fn spread_into(self, divisor: f64, out: &mut [f64]) {
        match self.places {
            None => out.iter_mut().zip(self.entries).for_each(|(out, h)| *out = h / divisor),
            Some(places) => {
                out.fill(0.0);
                self.few(places, |at, within, entries| {
                    let entries = within.iter().zip(entries);
                    entries.for_each(|(place, h)| out[at.columns.start + *place as usize] = h / divisor);
                });
            }
        }
    }
}

/// The size of the terms of a product.
pub(crate) fn magnitude(row: &[f64], x: &[f64]) -> f64 {
    row.iter().zip(x).map(|(h, x)| (h * x).abs()).sum()
}
