//! Units of the rows and unknowns of a one-step problem, determined from the problem itself.
//!
//! Rows can have different units, such as velocities and angular rates, or volts and amperes. Solvers compare
//! rows in ratio tests, in the choice of pivots and in their error. Therefore every row i is multiplied by a
//! power of two $2^{s_i}$, and the unknown of row i has the unit $2^{s_i - k}$. The exponents are chosen so
//! that the diagonal entries of the scaled matrix are near 1. The product $w_i z_i$ has the same unit in
//! every row: a gap velocity times an impulse is an energy, and a voltage times a current is a power. A
//! change of the units of the model therefore multiplies $W_{ij}$ by $a_i a_j / e$ with the same e for all
//! rows. The exponents change accordingly, and the scaled problem is bit-identical. For symmetric positive
//! definite matrices this is the scaling to a unit diagonal, which is nearly optimal (Van der Sluis 1969,
//! "Condition numbers and equilibration of matrices").
//!
//! The law of a row does not matter: $0 \le w_i \perp z_i \ge 0$, bounds of $z_i$ and $w_i = 0$ hold in any
//! unit of $w_i$ and $z_i$. If one law couples the unknowns of several rows, such as a cone or a polyhedron,
//! these rows have a common unit.

use siconos_linalg::{BlockCsr, MatrixRef, exponent, power_of_two};

use crate::index::RowIndex;

/// Matrix of a problem that is to be scaled.
pub(crate) enum Entries<'a> {
    /// All entries, row by row.
    Dense(&'a mut [f64]),
    Blocks(&'a mut BlockCsr),
}

/// Sets of rows that have a common unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sharing {
    /// No sets; each row has its own unit.
    None,
    /// The rows of each block.
    Blocks,
    /// One set for all velocities of contacts with friction, because their reactions are compared with each
    /// other, and one set for all their rolling rates. Every other row has its own unit.
    Contacts,
    /// All rows.
    All,
}

/// Size of a block of rows, from which the sets of rows with a common unit follow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnitBlock {
    pub(crate) rows: usize,
    /// Number of velocities among the rows; rolling rates follow.
    pub(crate) velocities: usize,
    pub(crate) has_friction: bool,
}

/// Units of a problem, and the workspace to determine them.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProblemUnits {
    /// Exponent s of each group of rows with a common unit; `None` until it is known.
    groups: Vec<Option<i32>>,
    /// Exponent k, which is common to all rows.
    common: i32,
    /// Group of each row.
    group_of_row: Vec<usize>,
    diagonal: Vec<f64>,
    /// Exponents found in the current pass for groups whose diagonal entries are all zero.
    next: Vec<Option<i32>>,
    /// Factors of the rows and columns of the matrix.
    rows: Vec<f64>,
    columns: Vec<f64>,
}

impl ProblemUnits {
    /// Sets the blocks of rows, and all factors to 1.
    pub(crate) fn lay_out(&mut self, sharing: Sharing, blocks: impl Iterator<Item = UnitBlock>) {
        self.groups.clear();
        self.group_of_row.clear();
        let mut of_contacts = [None; 2];
        for UnitBlock { rows, velocities, has_friction } in blocks {
            for row in 0..rows {
                let own = &mut of_contacts[usize::from(row >= velocities)];
                let last = self.groups.len().checked_sub(1);
                let shared = match sharing {
                    Sharing::None => None,
                    Sharing::Blocks => last.filter(|_| row > 0),
                    Sharing::Contacts => own.filter(|_| has_friction),
                    Sharing::All => last,
                };
                let group = shared.unwrap_or(self.groups.len());
                if shared.is_none() {
                    self.groups.push(None);
                }
                if has_friction {
                    *own = Some(group);
                }
                self.group_of_row.push(group);
            }
        }
        self.forget();
    }

    /// Sets the number of rows. Each row has its own unit.
    pub(crate) fn lay_out_rows(&mut self, rows: usize) {
        self.lay_out(
            Sharing::None,
            std::iter::once(UnitBlock { rows, velocities: rows, has_friction: false }),
        );
    }

    fn forget(&mut self) {
        for units in [&mut self.rows, &mut self.columns] {
            units.clear();
            units.resize(self.group_of_row.len(), 1.0);
        }
    }

    /// Determines the units from a matrix, and scales the matrix if the units differ between rows. Otherwise
    /// all factors are 1. Returns `true` if the matrix was scaled.
    pub(crate) fn scale(&mut self, matrix: &mut Entries<'_>) -> bool {
        if self.groups.len() <= 1 {
            return false;
        }
        self.find(matrix);
        let differ = self.groups.windows(2).any(|pair| pair[0] != pair[1]);
        match differ {
            true => matrix.multiply(&self.rows, &self.columns),
            false => self.forget(),
        }
        differ
    }

    /// Determines the units from a matrix.
    pub(crate) fn find(&mut self, matrix: &Entries<'_>) {
        let n = self.group_of_row.len();
        self.diagonal.clear();
        self.diagonal.resize(n, 0.0);
        matrix.read_diagonal(&mut self.diagonal);
        self.take_units_of_diagonal();
        if self.groups.contains(&None) {
            self.take_units_of_couplings(matrix);
        }
        self.rows.clear();
        self.columns.clear();
        for &group in &self.group_of_row {
            let s = self.groups[group].unwrap_or(0);
            self.rows.push(power_of_two(s));
            self.columns.push(power_of_two(s - self.common));
        }
    }

    /// Determines s of each group from its largest diagonal entry, and k from the first group with a nonzero
    /// diagonal entry.
    fn take_units_of_diagonal(&mut self) {
        self.groups.fill(None);
        // `groups` first contains the largest exponent of each group, then s.
        for (&group, &entry) in self.group_of_row.iter().zip(&self.diagonal) {
            self.groups[group] = self.groups[group].max(exponent(entry));
        }
        self.common = self.groups.iter().copied().flatten().next().unwrap_or(0);
        for e in self.groups.iter_mut().flatten() {
            *e = (self.common - *e).div_euclid(2);
        }
    }

    /// Determines units for rows with a zero diagonal entry from off-diagonal entries. Diodes that conduct
    /// only into each other have such rows. The largest entry that couples such a row to a row with a known
    /// unit is scaled to near 1.
    fn take_units_of_couplings(&mut self, matrix: &Entries<'_>) {
        loop {
            self.next.clear();
            self.next.resize(self.groups.len(), None);
            let (groups, of_row, next, k) = (&self.groups, &self.group_of_row, &mut self.next, self.common);
            matrix.for_each(|i, j, entry| {
                let (i, j) = (of_row[i], of_row[j]);
                let (known, new) = match (groups[i], groups[j]) {
                    (Some(known), None) => (known, j),
                    (None, Some(known)) => (known, i),
                    _ => return,
                };
                if let Some(e) = exponent(entry) {
                    let s = k - e - known;
                    next[new] = Some(next[new].map_or(s, |least| least.min(s)));
                }
            });
            if self.next.iter().all(Option::is_none) {
                // The remaining units are undetermined, as in a matrix with a zero diagonal. The first
                // remaining group gets the unit 1.
                let Some(group) = self.groups.iter_mut().find(|group| group.is_none()) else { return };
                *group = Some(0);
                continue;
            }
            for (group, next) in self.groups.iter_mut().zip(&self.next) {
                *group = group.or(*next);
            }
        }
    }

    /// Returns the factor of each row of the matrix.
    pub(crate) fn rows(&self) -> &[f64] {
        &self.rows
    }

    /// Returns the factor of each column.
    pub(crate) fn columns(&self) -> &[f64] {
        &self.columns
    }

    /// Converts row values back to the units of the model.
    pub(crate) fn take_back_rows(&self, x: &mut [f64]) {
        x.iter_mut().zip(&self.rows).for_each(|(x, unit)| *x /= unit);
    }

    pub(crate) fn take_back_unknowns(&self, x: &mut [f64]) {
        x.iter_mut().zip(&self.columns).for_each(|(x, unit)| *x *= unit);
    }

    /// Reads the constant terms and the initial guess of the given rows; their factors start at index
    /// `first`. For each row, `vectors` receives the row and its current entry of `z`, and returns the
    /// constant term and the initial guess of the row.
    #[inline(always)]
    pub(super) fn gather(
        &self,
        first: usize,
        rows: &[RowIndex],
        vectors: impl Fn(RowIndex, f64) -> (f64, f64),
        z: &[f64],
        (own_q, own_z): (&mut [f64], &mut [f64]),
    ) {
        let units = self.rows[first..].iter().zip(&self.columns[first..]);
        let own = own_q.iter_mut().zip(own_z);
        for ((&row, (unit, column_unit)), (own_q, own_z)) in rows.iter().zip(units).zip(own) {
            let (q, guess) = vectors(row, z[row.index()]);
            (*own_q, *own_z) = (q * unit, guess / column_unit);
        }
    }

    /// Writes z and w of the given rows in the units of the model. The factors of these rows start at index
    /// `first`.
    pub(super) fn scatter(
        &self,
        first: usize,
        rows: &[RowIndex],
        (own_z, own_w): (&[f64], &[f64]),
        (z, w): (&mut [f64], &mut [f64]),
    ) {
        let units = self.rows[first..].iter().zip(&self.columns[first..]);
        let own = own_z.iter().zip(own_w);
        for ((&row, (unit, column_unit)), (own_z, own_w)) in rows.iter().zip(units).zip(own) {
            (z[row.index()], w[row.index()]) = (own_z * column_unit, own_w / unit);
        }
    }

    /// Returns the constant terms of the given rows in the units of the model. The factors of these rows
    /// start at index `first`.
    pub(super) fn constant_parts<'a>(
        &'a self,
        first: usize,
        rows: &'a [RowIndex],
        q: &'a [f64],
    ) -> impl Iterator<Item = (RowIndex, f64)> + 'a {
        let own = q.iter().zip(&self.rows[first..]).map(|(q, unit)| q / unit);
        rows.iter().copied().zip(own)
    }

    /// Returns an entry of the matrix in the units of the model.
    pub(crate) fn take_back_entry(&self, i: usize, j: usize, entry: f64) -> f64 {
        entry / self.rows[i] / self.columns[j]
    }
}

impl Entries<'_> {
    fn read_diagonal(&self, diagonal: &mut [f64]) {
        match self {
            Self::Dense(entries) => {
                let all = entries.iter().step_by(diagonal.len() + 1);
                diagonal.iter_mut().zip(all).for_each(|(target, entry)| *target = *entry);
            }
            Self::Blocks(matrix) => MatrixRef::BlockCsr(matrix).copy_diagonal(diagonal),
        }
    }

    fn for_each(&self, mut see: impl FnMut(usize, usize, f64)) {
        match self {
            Self::Dense(entries) => {
                let n = entries.len().isqrt();
                entries.iter().enumerate().for_each(|(place, entry)| see(place / n, place % n, *entry));
            }
            Self::Blocks(matrix) => {
                for block_row in 0..matrix.block_rows() {
                    let row = matrix.block_row(block_row);
                    for (columns, block) in row.blocks() {
                        let (first, start) = (row.rows().start, columns.start);
                        block.indexed_iter().for_each(|((i, j), entry)| see(first + i, start + j, *entry));
                    }
                }
            }
        }
    }

    fn multiply(&mut self, rows: &[f64], columns: &[f64]) {
        match self {
            Self::Dense(entries) => {
                for (row, unit) in entries.chunks_exact_mut(columns.len().max(1)).zip(rows) {
                    row.iter_mut().zip(columns).for_each(|(entry, column)| *entry *= unit * column);
                }
            }
            Self::Blocks(matrix) => matrix.scale_entries(|i, j| rows[i] * columns[j]),
        }
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Array2;
    use siconos_numerics::Solver;
    use siconos_numerics::mlcp::{self, MlcpProblem, MlcpRow};

    use super::*;

    /// Matrix with one zero on the diagonal.
    const A: [f64; 25] = [
        4.0, 0.3, 0.0, 0.0, -2.5, //
        0.7, 0.01, 0.0, 0.0, 0.2, //
        0.0, 0.6, 30.0, 1.1, 0.0, //
        0.0, 0.0, 1.5, 9e-7, 0.0, //
        2.5, -0.2, 0.0, 0.0, 0.0,
    ];
    const Q: [f64; 5] = [1.0, -3e-3, 7.0, 0.3, -2.0];

    fn block(rows: usize, has_friction: bool) -> UnitBlock {
        UnitBlock { rows, velocities: rows, has_friction }
    }

    #[test]
    fn contacts_share_a_unit_beside_rows_that_have_their_own() {
        let mut units = ProblemUnits::default();
        let blocks = [block(2, false), block(3, true), block(1, false), block(3, true)];
        units.lay_out(Sharing::Contacts, blocks.into_iter());
        assert_eq!(units.group_of_row, [0, 1, 2, 2, 2, 3, 2, 2, 2]);
        // Rolling rates have a common unit of their own.
        let rolling = UnitBlock { velocities: 3, ..block(5, true) };
        units.lay_out(Sharing::Contacts, [rolling, block(3, true), rolling].into_iter());
        assert_eq!(units.group_of_row, [0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1]);
    }

    fn scaled(a: &[f64], q: &[f64]) -> (Vec<f64>, Vec<f64>, ProblemUnits) {
        let mut units = ProblemUnits::default();
        units.lay_out(Sharing::None, [block(1, false); 5].into_iter());
        let (mut a, mut q) = (a.to_vec(), q.to_vec());
        assert!(units.scale(&mut Entries::Dense(&mut a)));
        q.iter_mut().zip(units.rows()).for_each(|(q, unit)| *q *= unit);
        (a, q, units)
    }

    #[test]
    fn the_scaled_problem_is_the_same_in_all_units() {
        let (matrix, vector, _) = scaled(&A, &Q);
        let powers = [3, -40, 17, 0, 101, -1, 12, 5, 9];
        for shift in 0..powers.len() {
            // Scale of the constant terms, relative to the first test.
            let size = f64::from(powers[shift]).exp2();
            let power = |k: usize| f64::from(powers[(k + shift) % powers.len()]).exp2();
            // `power(8)` is the unit of energy.
            let a: Vec<_> = (0..25).map(|p| A[p] * power(p / 5) * power(p % 5) / power(8)).collect();
            let q: Vec<_> = (0..5).map(|i| Q[i] * power(i)).collect();
            let (other, other_q, units) = scaled(&a, &q);
            assert_eq!(other, matrix);
            assert!(other_q.iter().zip(&vector).all(|(other, q)| *other == q * size), "{other_q:?}");
            // Conversion back to the original units.
            let mut back = other_q;
            units.take_back_rows(&mut back);
            assert_eq!(back, q);
            assert!((0..25).all(|p| units.take_back_entry(p / 5, p % 5, other[p]) == a[p]));
        }
    }

    #[test]
    fn the_diagonal_gets_near_one() {
        let (matrix, ..) = scaled(&A, &Q);
        for i in 0..4 {
            assert!((0.5..2.0).contains(&matrix[6 * i]), "{matrix:?}");
        }
        assert!((1.0..2.0).contains(&matrix[4].abs()), "{matrix:?}");
    }

    #[test]
    fn blocks_are_scaled_as_the_full_matrix_is() {
        let part = |rows: [usize; 2], columns: [usize; 2]| {
            Array2::from_shape_fn((2, 2), |(i, j)| A[5 * rows[i] + columns[j]])
        };
        let (a, b) = ([0, 1], [1, 4]);
        let blocks = [(0, 0, part(a, a)), (0, 1, part(a, b)), (1, 0, part(b, a)), (1, 1, part(b, b))];
        let mut blocks = BlockCsr::from_blocks(&[2, 2], &[2, 2], blocks.to_vec()).expect("blocks that fit");
        let mut dense = blocks.to_dense().into_raw_vec_and_offset().0;
        let mut units = ProblemUnits::default();
        units.lay_out(Sharing::Blocks, [block(2, false); 2].into_iter());
        assert!(units.scale(&mut Entries::Blocks(&mut blocks)));
        assert!(units.scale(&mut Entries::Dense(&mut dense)));
        assert_eq!(blocks.to_dense().into_raw_vec_and_offset().0, dense);
    }

    /// A circuit with two switches of unknown resistance, with currents of 2e4 and conductances of 1e-7, for
    /// which the entries suggest misleading units. The equations hold at the point `wrong`, but z_9 is
    /// negative and w_9 is positive.
    #[test]
    fn no_units_make_a_wrong_point_right() {
        let m = [
            [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 5e-4, -1.0005, 0.0, 0.0, 0.0, 0.0, 0.0],
            [1e-3, 0.0, 1.0, 0.0, 0.0, 0.0, 20000.500053160635, 0.0, 0.0],
            [0.0, -1.0632126413415328e-7, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, -19999.333848775143],
            [-1.0, -1.0, 5e-4, -5e-4, 0.0, 0.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, -100.0, 100.0, 1.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0],
            [0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0],
        ];
        let q = [
            -7.450000000000001,
            1.1667877377098317,
            -20.0,
            -20.001460203231787,
            1.1667877377114904,
            999.999,
            0.0,
            999.999,
            0.0,
        ];
        let wrong = [
            20000.5,
            -19999.33379561448,
            -5e-4,
            1.1662043855170732,
            7.45,
            0.0,
            0.0,
            0.0,
            -0.0010000250008329993,
        ];
        let laws: Vec<_> =
            (0..9).map(|i| if i < 5 { MlcpRow::Equality } else { MlcpRow::Complementarity }).collect();
        let mut units = ProblemUnits::default();
        units.lay_out_rows(9);
        let mut entries = m.concat();
        assert!(units.scale(&mut Entries::Dense(&mut entries)));
        let scaled = Array2::from_shape_vec((9, 9), entries).expect("nine rows of nine");
        let scaled_q: Vec<_> = q.iter().zip(units.rows()).map(|(q, unit)| q * unit).collect();
        let scaled_wrong: Vec<_> = wrong.iter().zip(units.columns()).map(|(z, unit)| z / unit).collect();
        let plain = Array2::from_shape_fn((9, 9), |(i, j)| m[i][j]);
        for (m, q, wrong) in [(&plain, &q[..], &wrong[..]), (&scaled, &scaled_q, &scaled_wrong)] {
            let problem = MlcpProblem::new(m, q, &laws).expect("nine rows");
            let mut w = [0.0; 9];
            assert!(mlcp::error_of_point(&problem, wrong, &mut w) > 0.1);
            let mut z = wrong.to_vec();
            let info = mlcp::Auto::default().solve(&problem, &mut z, &mut w).expect("finite data");
            assert!(info.status.is_success(), "{info:?}");
            assert!(z[8] > 900.0 && w[8].abs() < 1e-6, "{z:?}, {w:?}");
        }
    }
}
