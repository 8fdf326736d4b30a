//! Extreme point of a polyhedron and the lines in it, or a proof that the polyhedron is empty.
//!
//! The slacks s = H z - K form a dictionary. First the unknowns z enter the basis one by one. Unknowns that
//! cannot enter, because no remaining slack depends on them, span the lines of the polyhedron (its lineality
//! space). Then phase I of the simplex method (Chvátal 1983, "Linear programming", chapters 3 and 8) adds an
//! artificial variable to all basic slacks and drives it to zero with Bland's rule. If this fails, the row of
//! the artificial variable proves that the polyhedron is empty. It contains nonnegative multipliers y with
//! H^T y = 0 and K^T y > 0 (Farkas).

use ndarray::ArrayView2;
use siconos_linalg::power_of_two_below;

use super::dictionary::Dictionary;

/// Outcome of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The dictionary holds an extreme point: all its slacks are nonnegative.
    Found,
    /// The polyhedron is proved to be empty.
    Empty,
    /// Undecided because of rounding or the limit on the number of pivots.
    Undecided,
}

/// Magnitude below which a coefficient counts as zero, after scaling of the rows to about 1.
const ZERO: f64 = 1e-11;

/// Relative tolerance of the Farkas certificate, as a multiple of the sum of the magnitudes of the terms. H^T
/// y counts as 0 up to this threshold, and K^T y counts as positive above it.
const PROOF: f64 = 1e-11;

/// Workspace of [`find`](Self::find) and its final dictionary. The unknown $z_j$ has index j. Slack i has
/// index n + i and belongs to row i of H and K divided by `scale[i]`.
#[derive(Clone, Debug, Default)]
pub(super) struct ExtremePoint {
    pub(super) dictionary: Dictionary,
    pub(super) scale: Vec<f64>,
    /// Number of pivots of the last search.
    pub(super) pivots: usize,
    product: Vec<f64>,
}

impl ExtremePoint {
    /// Finds an extreme point of $\lbrace z : H z \ge K \rbrace$. If the polyhedron contains lines, it has no
    /// extreme point, and the result is a point of a minimal face.
    pub(super) fn find(&mut self, h: ArrayView2<'_, f64>, k: &[f64], max_pivots: usize) -> Outcome {
        let (p, n) = h.dim();
        self.scale.clear();
        self.scale.extend(h.rows().into_iter().map(|row| {
            let largest = row.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
            power_of_two_below(largest)
        }));
        let artificial = n + p;
        let dictionary = &mut self.dictionary;
        dictionary.begin((0..n).chain([artificial]));
        for (i, ((row, k), scale)) in h.rows().into_iter().zip(k).zip(&self.scale).enumerate() {
            dictionary.push(n + i, row.iter().map(|h| h / scale).chain([0.0]), -k / scale);
        }
        self.enter_unknowns(n, p);
        self.pivots = self.dictionary.basic.iter().filter(|&&v| v < n).count();
        self.phase_one(h, k, max_pivots)
    }

    /// Exchanges unknowns with slacks as long as a nonzero coefficient is left, the largest coefficient
    /// first.
    fn enter_unknowns(&mut self, n: usize, p: usize) {
        let d = &mut self.dictionary;
        for _ in 0..n.min(p) {
            let mut best = (ZERO, None);
            for row in (0..p).filter(|&row| d.basic[row] >= n) {
                for (column, entry) in d.row(row).iter().enumerate() {
                    if d.nonbasic[column] < n && entry.abs() > best.0 {
                        best = (entry.abs(), Some((row, column)));
                    }
                }
            }
            let Some((row, column)) = best.1 else { return };
            d.exchange(row, column);
        }
    }

    fn phase_one(&mut self, h: ArrayView2<'_, f64>, k: &[f64], max_pivots: usize) -> Outcome {
        let (p, n) = h.dim();
        let artificial = n + p;
        let d = &mut self.dictionary;
        let size = k.iter().zip(&self.scale).fold(0.0_f64, |a, (k, s)| a.max((k / s).abs()));
        let lowest =
            (0..p).filter(|&row| d.basic[row] >= n).min_by(|&i, &j| d.constant(i).total_cmp(&d.constant(j)));
        let Some(lowest) = lowest.filter(|&row| d.constant(row) < -ZERO * size) else {
            return Outcome::Found;
        };
        // The artificial variable, the last column, is added to the slacks that are basic now.
        self.cover(n);
        let d = &mut self.dictionary;
        d.exchange(lowest, n);
        while self.pivots < max_pivots {
            self.pivots += 1;
            let Some(objective) = d.basic.iter().position(|&v| v == artificial) else {
                return Outcome::Found;
            };
            // Bland's rule: select the slack with the lowest index among the slacks that decrease the
            // artificial variable.
            let entering = (0..d.nonbasic.len())
                .filter(|&j| d.nonbasic[j] >= n && d.entry(objective, j) < -ZERO)
                .min_by_key(|&j| d.nonbasic[j]);
            let Some(column) = entering else {
                let reached_zero = d.constant(objective) <= ZERO * size.max(f64::MIN_POSITIVE);
                if reached_zero {
                    return self.expel(objective, n);
                }
                return if self.is_proof(objective, h, k) { Outcome::Empty } else { Outcome::Undecided };
            };
            let ratio = |d: &Dictionary, row: usize| d.constant(row).max(0.0) / -d.entry(row, column);
            let blocking = (0..p).filter(|&row| d.basic[row] >= n && d.entry(row, column) < -ZERO);
            // Among tied rows, prefer the artificial variable, then the lowest index.
            let order = |row: usize| if row == objective { (0, 0) } else { (1, d.basic[row]) };
            let leaving = blocking
                .min_by(|&i, &j| ratio(d, i).total_cmp(&ratio(d, j)).then_with(|| order(i).cmp(&order(j))));
            let Some(row) = leaving else { return Outcome::Undecided };
            d.exchange(row, column);
        }
        Outcome::Undecided
    }

    /// Sets the coefficient of the artificial variable, the last column, to 1 in the rows of slacks.
    fn cover(&mut self, n: usize) {
        let d = &mut self.dictionary;
        let rows = d.basic.len();
        for row in 0..rows {
            if d.basic[row] >= n {
                d.set_last_coefficient(row, 1.0);
            }
        }
    }

    /// Exchanges the artificial variable, which is zero but basic, with any slack.
    fn expel(&mut self, objective: usize, n: usize) -> Outcome {
        let d = &mut self.dictionary;
        let slacks = (0..d.nonbasic.len()).filter(|&j| d.nonbasic[j] >= n);
        let largest = slacks
            .max_by(|&i, &j| d.entry(objective, i).abs().total_cmp(&d.entry(objective, j).abs()))
            .filter(|&j| d.entry(objective, j).abs() > ZERO);
        match largest {
            Some(column) => {
                d.exchange(objective, column);
                Outcome::Found
            }
            None => Outcome::Undecided,
        }
    }

    /// Returns `true` if the coefficients in the row of the artificial variable prove that the polyhedron is
    /// empty.
    fn is_proof(&mut self, objective: usize, h: ArrayView2<'_, f64>, k: &[f64]) -> bool {
        let n = h.ncols();
        let d = &self.dictionary;
        self.product.clear();
        self.product.resize(n, 0.0);
        let (mut size, mut gain, mut gain_size) = (0.0, 0.0, 0.0);
        for (coefficient, &variable) in d.row(objective).iter().zip(&d.nonbasic) {
            if variable < n || variable == n + h.nrows() {
                continue;
            }
            let i = variable - n;
            let y = coefficient.max(0.0) / self.scale[i];
            for (sum, h) in self.product.iter_mut().zip(h.row(i)) {
                *sum += y * h;
                size += (y * h).abs();
            }
            gain += y * k[i];
            gain_size += (y * k[i]).abs();
        }
        self.product.iter().all(|x| x.abs() <= PROOF * size) && gain > PROOF * gain_size && gain > 0.0
    }
}
