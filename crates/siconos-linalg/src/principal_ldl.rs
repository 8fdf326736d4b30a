//! Factors of principal submatrices of a sparse symmetric matrix, updated when rows enter or leave the
//! submatrix.

use super::elimination::Elimination;
use super::{Csc, SingularMatrix};

/// Factorisation $L D L^T$ of $M_{\alpha\alpha} + \mathrm{diag}(s)$ for a set $\alpha$ of rows, computed row
/// by row without square roots and without pivoting (Davis 2005, "Algorithm 849: a concise sparse Cholesky
/// factorization package").
///
/// All rows of M are eliminated, in an order that does not depend on $\alpha$. Rows outside $\alpha$ are
/// replaced by rows of the identity matrix. If row i enters or leaves $\alpha$, or if its s changes, only the
/// rows of L on the path from i to the root of the elimination tree can change (Davis and Hager 2005, "Row
/// modifications of a sparse Cholesky factorization").
///
/// These rows are recomputed instead of updated by rank-one changes, from row i up to the first row on the
/// path that does not change, for example a row outside $\alpha$. Updated factors are therefore bit-identical
/// to the factors of a new factorisation. If rows and columns are scaled by powers of two, only the exponents
/// of the factors change.
#[derive(Clone, Debug, Default)]
pub(super) struct PrincipalLdl {
    pattern: Elimination,
    /// Value s of each row of L: infinite for a row outside $\alpha$, NaN for a row that has not been
    /// computed.
    added: Vec<f64>,
    /// `true` for each row that the last factorisation changed.
    has_changed: Vec<bool>,
    l: Vec<f64>,
    /// Reciprocals of D.
    inverse: Vec<f64>,
    /// Workspace. It is zero except during the computation of a row or a solve.
    work: Vec<f64>,
}

impl PrincipalLdl {
    /// Prepares for a new symmetric matrix and discards the rows of L. Returns `false` if L would have so
    /// many entries that other factorisations are faster.
    pub(super) fn begin(&mut self, m: &Csc) -> bool {
        if !self.pattern.lay_out(m) {
            return false;
        }
        let n = self.pattern.size();
        self.added.clear();
        self.added.resize(n, f64::NAN);
        self.has_changed.clear();
        self.has_changed.resize(n, false);
        for values in [&mut self.inverse, &mut self.work] {
            values.clear();
            values.resize(n, 0.0);
        }
        // Old values need not be cleared, because only rows that have been computed are read.
        self.l.resize(self.l.len().max(self.pattern.values()), 0.0);
        true
    }

    /// Factorises the submatrix. `added` contains the value s of each row of `m`, infinite for a row outside
    /// $\alpha$.
    ///
    /// # Errors
    ///
    /// [`SingularMatrix::Pivot`] if a pivot is at most `n` times the machine precision times its diagonal
    /// entry. The submatrix is then not positive definite to working precision.
    pub(super) fn factor(&mut self, m: &Csc, added: &[f64]) -> Result<(), SingularMatrix> {
        for k in 0..self.pattern.size() {
            let (before, now) = (self.added[k], added[self.pattern.order()[k]]);
            let is_same = before == now;
            let has_changed = match is_same {
                true if now == f64::INFINITY => false,
                true => self.pattern.row(k).iter().any(|&(j, _)| self.has_changed[j]),
                false => true,
            };
            self.has_changed[k] = has_changed;
            if !has_changed {
                continue;
            }
            self.added[k] = now;
            if now == f64::INFINITY {
                self.pattern.row(k).iter().for_each(|&(_, place)| self.l[place] = 0.0);
                self.inverse[k] = 1.0;
            } else if let Err(singular) = self.compute_row(m, k, is_same) {
                // The remaining rows can belong to a previous submatrix. NaN makes the next factorisation
                // recompute them.
                self.added[k..].fill(f64::NAN);
                return Err(singular);
            }
        }
        Ok(())
    }

    /// Computes row k of L from the previous rows, and records whether it has changed. If `may_stay` is
    /// `true`, the inputs of the row are unchanged except for previous rows of L.
    fn compute_row(&mut self, m: &Csc, k: usize, may_stay: bool) -> Result<(), SingularMatrix> {
        let Self { pattern, added, l, inverse, work, .. } = self;
        let column = pattern.order()[k];
        let mut pivot = 0.0;
        for (i, value) in m.column(column) {
            let j = pattern.place_of(i);
            if j == k {
                pivot = value;
            } else if j < k && added[j] != f64::INFINITY {
                work[j] = value;
            }
        }
        pivot += added[k];
        let size = pivot;
        let mut is_as_before = may_stay;
        for &(j, place) in pattern.row(k) {
            let entry = std::mem::take(&mut work[j]);
            let mut of_l = 0.0;
            if entry != 0.0 {
                let above = pattern.column_start(j)..place;
                for (&row, l) in pattern.rows()[above.clone()].iter().zip(&l[above]) {
                    work[row] -= l * entry;
                }
                of_l = entry * inverse[j];
                pivot -= of_l * entry;
            }
            is_as_before &= l[place].to_bits() == of_l.to_bits();
            l[place] = of_l;
        }
        let smallest = pattern.size() as f64 * f64::EPSILON;
        if !(pivot > smallest * size && pivot.is_finite()) {
            return Err(SingularMatrix::Pivot { column, pivot });
        }
        let of_row = 1.0 / pivot;
        is_as_before &= inverse[k].to_bits() == of_row.to_bits();
        inverse[k] = of_row;
        self.has_changed[k] = !is_as_before;
        Ok(())
    }

    /// Overwrites `b` with the solution. Entries of `b` for rows outside $\alpha$ are unchanged.
    pub(super) fn solve(&mut self, b: &mut [f64]) {
        let Self { pattern, l, inverse, work, .. } = self;
        for (k, &row) in pattern.order().iter().enumerate() {
            let known = pattern.row(k).iter().fold(0.0, |sum, &(j, place)| sum + l[place] * work[j]);
            work[k] = b[row] - known;
        }
        work.iter_mut().zip(inverse).for_each(|(x, inverse)| *x *= *inverse);
        for (k, &row) in pattern.order().iter().enumerate().rev() {
            let x = std::mem::take(&mut work[k]);
            pattern.row(k).iter().for_each(|&(j, place)| work[j] -= l[place] * x);
            b[row] = x;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DenseLu, square};

    /// Pseudorandom numbers between 0 and 1.
    struct Draw(u64);

    impl Draw {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 11) as f64 / (1_u64 << 53) as f64
        }

        fn below(&mut self, n: usize) -> usize {
            (self.next() * n as f64) as usize % n
        }
    }

    /// Stiffness matrix of springs between pairs of points. Each point is also connected to the ground by a
    /// weaker spring.
    fn springs(n: usize, pairs: &[(usize, usize)], draw: &mut Draw) -> Csc {
        let mut entries: Vec<_> = (0..n).map(|i| (i, i, 0.01 + 0.1 * draw.next())).collect();
        for &(i, j) in pairs {
            let stiffness = 0.5 + draw.next();
            entries.extend([(i, i, stiffness), (j, j, stiffness), (i, j, -stiffness), (j, i, -stiffness)]);
        }
        Csc::from_triplets(n, n, entries).expect("entries of the matrix")
    }

    fn chain(n: usize, draw: &mut Draw) -> Csc {
        springs(n, &(1..n).map(|i| (i - 1, i)).collect::<Vec<_>>(), draw)
    }

    fn matrices(draw: &mut Draw) -> Vec<(&'static str, Csc)> {
        let tree: Vec<_> = (1..60).map(|i| (draw.below(i), i)).collect();
        let star: Vec<_> = (1..50).map(|i| (0, i)).collect();
        let (w, h) = (9, 8);
        let place = |i: usize, j: usize| i * h + j;
        let mut grid = Vec::new();
        for (i, j) in (0..w).flat_map(|i| (0..h).map(move |j| (i, j))) {
            grid.extend((i + 1 < w).then(|| (place(i, j), place(i + 1, j))));
            grid.extend((j + 1 < h).then(|| (place(i, j), place(i, j + 1))));
        }
        let any: Vec<_> = (0..90).map(|_| (draw.below(45), 45 + draw.below(15))).collect();
        let band: Vec<_> = (3..50).flat_map(|i| (1..=3).map(move |k| (i - k, i))).collect();
        vec![
            ("chain", chain(70, draw)),
            ("band", springs(50, &band, draw)),
            ("tree", springs(60, &tree, draw)),
            ("star", springs(50, &star, draw)),
            ("grid", springs(w * h, &grid, draw)),
            ("any", springs(60, &any, draw)),
            ("diagonal", springs(5, &[], draw)),
        ]
    }

    /// Computes new factors for a set of rows.
    fn anew(m: &Csc, added: &[f64]) -> PrincipalLdl {
        let mut factors = PrincipalLdl::default();
        assert!(factors.begin(m));
        factors.factor(m, added).expect("positive definite");
        factors
    }

    fn bits(x: &[f64]) -> Vec<u64> {
        x.iter().map(|x| x.to_bits()).collect()
    }

    fn assert_same(repaired: &PrincipalLdl, anew: &PrincipalLdl, what: &str) {
        for k in 0..anew.pattern.size() {
            let (row, other) = (repaired.pattern.row(k), anew.pattern.row(k));
            assert_eq!(row, other, "{what}");
            let same = row.iter().all(|&(_, place)| repaired.l[place].to_bits() == anew.l[place].to_bits());
            assert!(same, "{what}, row {k}");
        }
        assert_eq!(bits(&repaired.inverse), bits(&anew.inverse), "{what}");
    }

    /// Solves the equations of the active rows by dense factors. The other unknowns are 0.
    fn dense_solution(m: &Csc, added: &[f64], b: &[f64]) -> Vec<f64> {
        let active: Vec<_> = (0..b.len()).filter(|&i| added[i] < f64::INFINITY).collect();
        let mut block = Vec::new();
        for &i in &active {
            block.extend(active.iter().map(|&j| m.get(i, j) + if i == j { added[i] } else { 0.0 }));
        }
        let mut x: Vec<_> = active.iter().map(|&i| b[i]).collect();
        let mut lu = DenseLu::default();
        lu.factor(square(&block, active.len())).expect("a regular block");
        lu.solve(&mut x);
        let mut all = vec![0.0; b.len()];
        active.iter().zip(x).for_each(|(&i, x)| all[i] = x);
        all
    }

    #[test]
    fn repaired_factors_are_those_made_anew() {
        let mut draw = Draw(1);
        for (name, m) in matrices(&mut draw) {
            let n = m.columns();
            let mut added = vec![f64::INFINITY; n];
            let mut repaired = PrincipalLdl::default();
            assert!(repaired.begin(&m), "{name}");
            for round in 0..60 {
                for _ in 0..[1, 10, n.div_ceil(10), 0][round % 4] {
                    added[draw.below(n)] = [0.0, f64::INFINITY, 0.0, draw.next()][draw.below(4)];
                }
                repaired.factor(&m, &added).expect("positive definite");
                let mut made_anew = anew(&m, &added);
                assert_same(&repaired, &made_anew, name);
                let b: Vec<_> =
                    added.iter().map(|s| if *s < f64::INFINITY { draw.next() - 0.5 } else { 0.0 }).collect();
                let (mut x, mut y) = (b.clone(), b.clone());
                repaired.solve(&mut x);
                made_anew.solve(&mut y);
                assert_eq!(bits(&x), bits(&y), "{name}");
                let exact = dense_solution(&m, &added, &b);
                let largest = exact.iter().fold(1.0_f64, |a, x| a.max(x.abs()));
                let wrong = x.iter().zip(&exact).find(|(x, y)| (**x - **y).abs() > 1e-12 * largest);
                assert_eq!(wrong, None, "{name}, {round}");
            }
        }
    }

    /// A row outside the set divides the chain in two. A change in one half does not recompute rows in the
    /// other.
    #[test]
    fn a_repair_ends_where_nothing_changes() {
        let m = chain(100, &mut Draw(2));
        let mut added = vec![0.0; 100];
        added[50] = f64::INFINITY;
        let mut factors = anew(&m, &added);
        added[20] = f64::INFINITY;
        factors.factor(&m, &added).expect("positive definite");
        let changed: Vec<_> = (0..100).filter(|&k| factors.has_changed[k]).collect();
        assert!(changed.starts_with(&[20, 21, 22, 23, 24]) && changed.iter().all(|k| *k < 50), "{changed:?}");
        factors.factor(&m, &added).expect("positive definite");
        assert!(factors.has_changed.iter().all(|has_changed| !has_changed));
    }

    /// Factors of a band of different length, or of a matrix with a different pattern, contain no data of the
    /// previous matrix.
    #[test]
    fn another_matrix_begins_anew() {
        let mut draw = Draw(3);
        let mut all = matrices(&mut draw);
        all.extend([("chain", chain(30, &mut draw)), ("chain", chain(90, &mut draw))]);
        let mut factors = PrincipalLdl::default();
        for (name, m) in all.iter().chain(all.iter().rev()) {
            let added: Vec<_> = (0..m.columns()).map(|_| [0.0, f64::INFINITY][draw.below(2)]).collect();
            assert!(factors.begin(m), "{name}");
            factors.factor(m, &added).expect("positive definite");
            assert_same(&factors, &anew(m, &added), name);
        }
    }

    /// A submatrix that is not positive definite is rejected. None of its rows is used in later
    /// factorisations.
    #[test]
    fn a_refused_set_spoils_no_later_one() {
        let n = 40;
        let mut draw = Draw(4);
        let m = chain(n, &mut draw);
        // The diagonal entry of row 20 is negative.
        let entries = (0..n).flat_map(|j| m.column(j).map(move |(i, x)| (i, j, x)));
        let m = Csc::from_triplets(n, n, entries.chain([(20, 20, -2.0 * m.get(20, 20))])).expect("entries");
        let mut added = vec![0.0; n];
        added[20] = f64::INFINITY;
        let mut factors = anew(&m, &added);
        for round in 0..20 {
            let i = draw.below(n);
            if i != 20 {
                added[i] = [0.0, f64::INFINITY][round % 2];
            }
            let mut with_it = added.clone();
            with_it[20] = 0.0;
            let refused = factors.factor(&m, &with_it);
            assert!(matches!(refused, Err(SingularMatrix::Pivot { column: 20, .. })), "{refused:?}");
            factors.factor(&m, &added).expect("positive definite");
            assert_same(&factors, &anew(&m, &added), "chain");
        }
    }

    #[test]
    fn powers_of_two_change_only_exponents() {
        let mut draw = Draw(5);
        for (name, m) in matrices(&mut draw) {
            let n = m.columns();
            let added: Vec<_> = (0..n).map(|_| [0.0, f64::INFINITY, 0.25][draw.below(3)]).collect();
            let b: Vec<_> = (0..n).map(|_| draw.next()).collect();
            let unit = |i: usize| f64::from(i as i32 * 7 % 23 - 11).exp2();
            let mut scaled = m.clone();
            scaled.scale_entries(|i, j| unit(i) * unit(j));
            let scaled_added: Vec<_> = (0..n).map(|i| added[i] * unit(i) * unit(i)).collect();
            let inside = |i: usize| added[i] < f64::INFINITY;
            let mut x: Vec<_> = (0..n).map(|i| if inside(i) { b[i] } else { 0.0 }).collect();
            let mut y: Vec<_> = (0..n).map(|i| x[i] * unit(i)).collect();
            anew(&m, &added).solve(&mut x);
            anew(&scaled, &scaled_added).solve(&mut y);
            assert!((0..n).all(|i| x[i] == y[i] * unit(i)), "{name}");
        }
    }

    #[test]
    fn a_matrix_whose_factors_fill_up_is_left_to_others() {
        let (mut draw, n) = (Draw(6), 400);
        let pairs: Vec<_> =
            (0..8 * n).map(|_| (draw.below(n), draw.below(n))).filter(|(i, j)| i != j).collect();
        assert!(!PrincipalLdl::default().begin(&springs(n, &pairs, &mut draw)));
    }
}
