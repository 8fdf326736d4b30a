//! Columns of H and of $M^{-1} H$, grouped by contact, for sweeps in velocity space.

use siconos_linalg::{Csc, SmallMatrix};

use crate::contact::bodies::{BodiesProblem, Mass};
use crate::engine::nsgs::LocalLaw;

/// Columns of H and of $M^{-1} H$ for each contact, with the diagonal blocks of W.
#[derive(Clone, Debug, Default)]
pub(super) struct ContactColumns {
    directions: Columns,
    responses: Columns,
    /// Diagonal blocks $H_c^T M^{-1} H_c$ of W, stored consecutively, each in row-major order.
    diagonals: Vec<f64>,
    /// Index in `diagonals` of the first entry of the block of each contact.
    firsts: Vec<usize>,
    h: Csc,
    y: Vec<f64>,
    touched: Vec<usize>,
}

/// Columns of each contact. A contact is stored as the list of the degrees of freedom in which at least one
/// of its columns has an entry. Each degree of freedom is followed by the entries of all columns of the
/// contact.
#[derive(Clone, Debug, Default)]
struct Columns {
    firsts: Vec<usize>,
    freedoms: Vec<usize>,
    entries: Vec<f64>,
    /// Position in `freedoms` of each degree of freedom, plus one. It is 0 if the current contact has no
    /// entry in the degree of freedom.
    place: Vec<usize>,
}

impl Columns {
    fn begin(&mut self, freedoms: usize) {
        self.firsts.clear();
        self.firsts.push(0);
        self.freedoms.clear();
        self.entries.clear();
        self.place.clear();
        self.place.resize(freedoms, 0);
    }

    /// Stores the entry `x` of column k of the current contact, which has d columns.
    fn push(&mut self, freedom: usize, x: f64, (k, d): (usize, usize)) {
        if self.place[freedom] == 0 {
            self.freedoms.push(freedom);
            self.entries.resize(self.freedoms.len() * d, 0.0);
            self.place[freedom] = self.freedoms.len();
        }
        self.entries[(self.place[freedom] - 1) * d + k] = x;
    }

    fn close_contact(&mut self) {
        let first = self.firsts.last().copied().unwrap_or(0);
        self.freedoms[first..].iter().for_each(|&freedom| self.place[freedom] = 0);
        self.firsts.push(self.freedoms.len());
    }

    /// Returns the degrees of freedom of a contact, each with the entries of all columns of the contact.
    #[inline(always)]
    fn of<const D: usize>(&self, contact: usize) -> impl Iterator<Item = (usize, &[f64; D])> {
        let range = self.firsts[contact]..self.firsts[contact + 1];
        let entries = self.entries.as_chunks::<D>().0;
        self.freedoms[range.clone()].iter().copied().zip(&entries[range])
    }

    /// Adds the columns of a contact, multiplied by `z`, to `x`.
    #[inline(always)]
    fn add<const D: usize>(&self, contact: usize, z: &[f64; D], x: &mut [f64]) {
        for (freedom, entries) in self.of::<D>(contact) {
            x[freedom] += entries.iter().zip(z).map(|(entry, z)| entry * z).sum::<f64>();
        }
    }
}

impl ContactColumns {
    /// Prepares the columns for a problem. `mass` holds the factors of its mass matrix.
    pub(super) fn prepare(&mut self, problem: &BodiesProblem<'_>, mass: &mut Mass) {
        let (law, n) = (problem.law(), problem.degrees_of_freedom());
        let Self { directions, responses, diagonals, firsts, h, y, touched } = self;
        firsts.clear();
        h.copy_from(problem.h(), |_, _| false);
        directions.begin(n);
        responses.begin(n);
        diagonals.clear();
        y.clear();
        y.resize(n, 0.0);
        for contact in 0..law.blocks() {
            let range = law.range(contact);
            let (d, first) = (range.len(), diagonals.len());
            firsts.push(first);
            diagonals.resize(first + d * d, 0.0);
            for (k, column) in range.clone().enumerate() {
                h.column(column).for_each(|(freedom, x)| directions.push(freedom, x, (k, d)));
                mass.solve_sparse(h.column(column), y, touched);
                for (i, row) in range.clone().enumerate() {
                    diagonals[first + i * d + k] = h.column(row).map(|(freedom, x)| x * y[freedom]).sum();
                }
                for &freedom in &*touched {
                    responses.push(freedom, std::mem::take(&mut y[freedom]), (k, d));
                }
            }
            directions.close_contact();
            responses.close_contact();
        }
    }

    /// Returns the diagonal blocks of W, stored consecutively, each in row-major order.
    pub(super) fn diagonals(&self) -> &[f64] {
        &self.diagonals
    }

    /// Adds $M^{-1} H r$ to the velocities `v`.
    pub(super) fn add_responses<const D: usize>(&self, r: &[f64], v: &mut [f64]) {
        for (contact, r) in r.as_chunks::<D>().0.iter().enumerate() {
            self.responses.add(contact, r, v);
        }
    }

    /// Performs a sweep over the contacts in `order`, which have D rows each. Updates the reactions r and the
    /// velocities $v = M^{-1} H r$. `q` holds the free velocities of the contacts. Returns the norm of the
    /// change of r.
    #[inline(always)]
    pub(super) fn sweep<const D: usize>(
        &self,
        order: impl Iterator<Item = usize>,
        q: &[f64],
        law: &mut impl LocalLaw<D>,
        (r, v): (&mut [f64], &mut [f64]),
    ) -> f64 {
        let (r, q, mut change) = (r.as_chunks_mut::<D>().0, q.as_chunks::<D>().0, 0.0);
        for contact in order {
            let mut moved = [0.0; D];
            for (freedom, entries) in self.directions.of::<D>(contact) {
                moved.iter_mut().zip(entries).for_each(|(sum, entry)| *sum += entry * v[freedom]);
            }
            let diagonal = self.diagonal::<D>(contact);
            let own = diagonal.mul_vector(&r[contact]);
            let b = std::array::from_fn(|k| q[contact][k] + (moved[k] - own[k]));
            let u = std::array::from_fn(|k| q[contact][k] + moved[k]);
            let new = law.solve_from(contact, &diagonal, (&b, &u), &r[contact]);
            let step: [f64; D] = std::array::from_fn(|k| new[k] - r[contact][k]);
            r[contact] = new;
            let square: f64 = step.iter().map(|x| x * x).sum();
            if square != 0.0 {
                self.responses.add(contact, &step, v);
            }
            change += square;
        }
        change.sqrt()
    }

    #[inline(always)]
    fn diagonal<const D: usize>(&self, contact: usize) -> SmallMatrix<D> {
        let rows = &self.diagonals.as_chunks::<D>().0[contact * D..(contact + 1) * D];
        SmallMatrix(std::array::from_fn(|i| rows[i]))
    }
}
