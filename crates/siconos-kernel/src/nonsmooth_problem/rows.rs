//! Rows over the systems that an interaction acts on, and their products: the one place where a Jacobian, an
//! input or a response is multiplied.
//!
//! All are laid out alike in flat arrays: the rows of H (or C), of $B^T$, and of the responses
//! $W^{-1} H^T$ to a unit of each multiplier.

use siconos_numerics::linalg::{add_scaled, dot};

use super::tables::{Incidence, Tables};

/// One row of an interaction, whose entries stand block after block of the systems that it acts on.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    entries: &'a [f64],
    incidences: &'a [Incidence],
}

impl Tables {
    /// A row (counted among those of the model) of an interaction, in an array in the layout of the Jacobians.
    #[inline]
    pub(crate) fn row<'a>(&'a self, of: &'a [f64], (interaction, row): (usize, usize)) -> Row<'a> {
        Row { entries: &of[self.jacobian_row(interaction, row)], incidences: self.incidences_of(interaction) }
    }
}

impl Row<'_> {
    /// The product with a vector over all degrees of freedom: $J v$ of one component.
    #[inline]
    pub(crate) fn times(self, x: &[f64]) -> f64 {
        self.incidences.iter().map(|at| dot(&self.entries[at.columns.clone()], &x[at.dofs.clone()])).sum()
    }

    /// The product with a combination of two vectors.
    #[inline]
    pub(crate) fn times_both(self, (x, y): (&[f64], &[f64]), combine: impl Fn(f64, f64) -> f64) -> f64 {
        let part = |at: &Incidence| -> f64 {
            let both = x[at.dofs.clone()].iter().zip(&y[at.dofs.clone()]);
            self.entries[at.columns.clone()].iter().zip(both).map(|(h, (x, y))| h * combine(*x, *y)).sum()
        };
        self.incidences.iter().map(part).sum()
    }

    /// The products with positions that are vectors and with their velocities.
    #[inline]
    pub(crate) fn times_motion(self, q: &[f64], v: &[f64]) -> (f64, f64) {
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
        let part = |at: &Incidence| magnitude(&self.entries[at.columns.clone()], &x[at.dofs.clone()]);
        self.incidences.iter().map(part).sum()
    }

    /// The size of the terms of $J q$; `magnitudes` says, over all degrees of freedom, how large positions
    /// are that are no vectors.
    pub(crate) fn magnitude_at(self, q: &[f64], magnitudes: &[f64]) -> f64 {
        let part = |at: &Incidence| {
            let size = if at.is_vector { &q[at.positions.clone()] } else { &magnitudes[at.dofs.clone()] };
            magnitude(&self.entries[at.columns.clone()], size)
        };
        self.incidences.iter().map(part).sum()
    }

    /// The largest entry times the largest one of a vector, block by block, added up.
    pub(crate) fn bound(self, x: &[f64]) -> f64 {
        let largest = |values: &[f64]| values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        let part = |at: &Incidence| largest(&self.entries[at.columns.clone()]) * largest(&x[at.dofs.clone()]);
        self.incidences.iter().map(part).sum()
    }

    /// Adds a multiple of the row to a vector over all degrees of freedom: $J^T \lambda$ of one component.
    #[inline]
    pub(crate) fn add_to(self, factor: f64, out: &mut [f64]) {
        for at in self.incidences {
            add_scaled(factor, &self.entries[at.columns.clone()], &mut out[at.dofs.clone()]);
        }
    }

    /// Adds the size of the terms of [`add_to`](Self::add_to).
    pub(crate) fn add_magnitudes_to(self, factor: f64, out: &mut [f64]) {
        for at in self.incidences {
            let terms = out[at.dofs.clone()].iter_mut().zip(&self.entries[at.columns.clone()]);
            terms.for_each(|(out, h)| *out += (factor * h).abs());
        }
    }

    /// $\sum_i a_i b_i$ over the blocks that both rows act on.
    #[inline]
    pub(crate) fn shared(self, other: Row<'_>) -> f64 {
        let mut sum = 0.0;
        for a in self.incidences {
            for b in other.incidences {
                if a.block == b.block {
                    sum += dot(&self.entries[a.columns.clone()], &other.entries[b.columns.clone()]);
                }
            }
        }
        sum
    }
}

fn magnitude(row: &[f64], x: &[f64]) -> f64 {
    row.iter().zip(x).map(|(h, x)| (h * x).abs()).sum()
}
