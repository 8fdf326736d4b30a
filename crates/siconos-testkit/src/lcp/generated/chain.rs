//! Contact chains of any length. The matrices are sparse, and only [`Chain::dense`] creates an array of n^2
//! entries.

use ndarray::Array2;
use siconos_linalg::{BlockCsr, Csc, Matrix};

use crate::random::RandomState;

/// Complementarity problem of the contacts in a row of bodies, with its unique solution. Each contact is
/// coupled with the previous and the next contact.
///
/// The matrix is symmetric positive definite and block tridiagonal: $T \otimes I + I \otimes S$. T =
/// tridiag(-1, 2, -1) couples the contacts, and S = tridiag(-1/2, 1, -1/2) couples the rows of one contact (S
/// = 0 if a contact has one row).
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// Short unique name.
    pub name: String,
    /// Number of contacts.
    pub contacts: usize,
    /// Number of rows of one contact.
    pub directions: usize,
    /// First entry of T. It is 1 if the first body is on a fixed floor, otherwise 2.
    first: f64,
    /// Vector q.
    pub q: Vec<f64>,
    /// Solution.
    pub z: Vec<f64>,
}

impl Chain {
    /// Returns the chain between two walls with its solution in closed form, see
    /// [`clamped_chain`](crate::lcp::clamped_chain). All contacts are closed.
    #[must_use]
    pub fn clamped(n: usize) -> Self {
        Self {
            name: format!("clamped chain {n}"),
            contacts: n,
            directions: 1,
            first: 2.0,
            q: vec![-1.0; n],
            z: (0..n).map(|i| ((i + 1) * (n - i)) as f64 / 2.0).collect(),
        }
    }

    /// Returns the column of beads with its solution in closed form, see
    /// [`bead_column`](crate::lcp::bead_column).
    #[must_use]
    pub fn of_beads(n: usize) -> Self {
        let mut q = vec![0.0; n];
        q.iter_mut().take(1).for_each(|q| *q = -1.0);
        let z = (0..n).map(|i| (n - i) as f64).collect();
        Self { name: format!("bead column {n}"), contacts: n, directions: 1, first: 1.0, q, z }
    }

    /// Returns a chain of random contacts with `directions` rows each. About half of the contacts are open.
    ///
    /// # Panics
    ///
    /// If `directions` is 0.
    #[track_caller]
    #[must_use]
    pub fn drawn(contacts: usize, directions: usize, seed: u32) -> Self {
        assert!(directions > 0, "a contact has a direction");
        let mut random = RandomState::new(seed);
        let mut chain = Self {
            name: format!("chain {contacts} x {directions}, {seed}"),
            contacts,
            directions,
            first: 2.0,
            q: vec![0.0; contacts * directions],
            z: vec![0.0; contacts * directions],
        };
        for i in 0..chain.q.len() {
            let (open, value) = (random.uniform() < 0.5, random.between(0.5, 1.5));
            *(if open { &mut chain.q[i] } else { &mut chain.z[i] }) = value;
        }
        // Here q contains w. The next lines compute q = w - M z.
        let (m, z) = (chain.csc(), chain.z.clone());
        m.add_product(-1.0, &z, &mut chain.q);
        chain
    }

    /// Returns the number of unknowns.
    #[must_use]
    pub fn size(&self) -> usize {
        self.contacts * self.directions
    }

    /// Returns the matrix in block rows, with one block for each contact and each coupling.
    #[must_use]
    pub fn block_rows(&self) -> BlockCsr {
        let d = self.directions;
        let sizes = vec![d; self.contacts];
        let coupling = Array2::<f64>::eye(d) * -1.0;
        let mut blocks = Vec::with_capacity(3 * self.contacts);
        for i in 0..self.contacts {
            let own = Array2::from_shape_fn((d, d), |(k, l)| self.within(i, k, l));
            blocks.push((i, i, own));
            if i > 0 {
                blocks.push((i, i - 1, coupling.clone()));
                blocks.push((i - 1, i, coupling.clone()));
            }
        }
        BlockCsr::from_blocks(&sizes, &sizes, blocks).expect("the blocks fit the contacts")
    }

    /// Returns the matrix in sparse columns.
    #[must_use]
    pub fn csc(&self) -> Csc {
        let (n, d) = (self.size(), self.directions);
        let mut entries = Vec::with_capacity(5 * n);
        for i in 0..self.contacts {
            for k in 0..d {
                for l in k.saturating_sub(1)..d.min(k + 2) {
                    entries.push((i * d + k, i * d + l, self.within(i, k, l)));
                }
                if i > 0 {
                    entries.push((i * d + k, (i - 1) * d + k, -1.0));
                    entries.push(((i - 1) * d + k, i * d + k, -1.0));
                }
            }
        }
        Csc::from_triplets(n, n, entries).expect("all entries are inside")
    }

    /// Returns the dense matrix. Use it for short chains.
    #[must_use]
    pub fn dense(&self) -> Array2<f64> {
        self.csc().to_dense()
    }

    /// Returns the matrix in block rows, as the type that solvers accept.
    #[must_use]
    pub fn matrix(&self) -> Matrix {
        Matrix::from(self.block_rows())
    }

    /// Returns entry (k, l) of the diagonal block of contact i.
    fn within(&self, i: usize, k: usize, l: usize) -> f64 {
        let of_chain = if i == 0 { self.first } else { 2.0 };
        match k.abs_diff(l) {
            0 if self.directions == 1 => of_chain,
            0 => of_chain + 1.0,
            1 => -0.5,
            _ => 0.0,
        }
    }
}
