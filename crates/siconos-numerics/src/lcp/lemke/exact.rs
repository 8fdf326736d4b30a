//! Lemke's method in integer arithmetic, in which the lexicographic rule is exact.
//!
//! If many rows are tied, the lexicographic rule compares values that are equal in exact arithmetic, and in
//! floating point the result depends on rounding. A double is an integer times a power of two, so a problem
//! in doubles can be written in integers. With the determinant D of the basis as the common denominator,
//! every entry of the dictionary is a minor of the data and therefore an integer (Edmonds 1967; Bareiss 1968;
//! Avis 2000 for pivoting methods). Each comparison is then exact, and the method is finite, as in theory.
//! The minors gain digits as the basis grows. Data that lead to ties usually have few digits, so their minors
//! stay short.

use std::cmp::Ordering;

use dashu_int::ops::BitTest;
use dashu_int::{IBig, Sign};

/// Outcome of the pivots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Solved,
    Ray,
    /// The limit on operations was reached.
    Spent,
}

/// Dictionary D basic = T nonbasic + rhs, with its workspace.
///
/// The index of `w_i` is i, the index of `z_i` is n + i, and the index of the artificial `z_0` is 2 n.
#[derive(Clone, Debug, Default)]
pub(super) struct ExactPivots {
    n: usize,
    /// Entries, row-major. The columns belong to the n + 1 nonbasic variables; the last column holds the
    /// values.
    table: Vec<IBig>,
    denominator: IBig,
    basic: Vec<usize>,
    nonbasic: Vec<usize>,
    /// For each variable, its row if it is basic, otherwise n plus its column.
    place: Vec<usize>,
    /// Column of the variable that entered last.
    entering: usize,
    /// Exponent of the power of two that converts z of the dictionary to z of the problem.
    exponent: i32,
    operations: f64,
}

/// Overhead of one product of integers, in digit operations.
const OVERHEAD: f64 = 30.0;

impl ExactPivots {
    /// Pivots on w = q + M z + d z_0 until `z_0` leaves, a ray is found, or `limit` operations on 64-bit
    /// digits are spent. `column` returns the columns of M, followed by d; `first` is the row of the variable
    /// that leaves the basis in the first pivot. Returns the outcome and the number of pivots.
    pub(super) fn solve<'a>(
        &mut self,
        column: impl Fn(usize) -> &'a [f64],
        q: &[f64],
        first: usize,
        limit: f64,
    ) -> (Outcome, usize) {
        let n = q.len();
        self.operations = 0.0;
        if expected_operations(&column, n) > limit {
            return (Outcome::Spent, 0);
        }
        self.begin(column, q);
        let (mut leaving, mut pivots) = (first, 0);
        self.entering = n;
        loop {
            let left = self.exchange(leaving, self.entering);
            pivots += 1;
            if left == 2 * n {
                return (Outcome::Solved, pivots);
            }
            if self.operations > limit {
                return (Outcome::Spent, pivots);
            }
            let complement = if left < n { left + n } else { left - n };
            self.entering = self.place[complement] - n;
            match self.blocking_row(self.entering) {
                Some(row) => leaving = row,
                None => return (Outcome::Ray, pivots),
            }
        }
    }

    /// Returns the number of operations of the last solve, or 0 if it did not start.
    pub(super) fn operations(&self) -> f64 {
        self.operations
    }

    /// Resets the number of operations to 0.
    pub(super) fn forget(&mut self) {
        self.operations = 0.0;
    }

    /// Writes the values of z in the current basis.
    pub(super) fn point(&self, z: &mut [f64]) {
        z.fill(0.0);
        for (row, &variable) in self.basic.iter().enumerate() {
            if (self.n..2 * self.n).contains(&variable) {
                let value = quotient(self.entry(row, self.n + 1), &self.denominator);
                z[variable - self.n] = times_power(value, self.exponent);
            }
        }
    }

    /// Writes to `s` the entries of z in the direction of a ray, each multiplied by its entry of `scale`.
    pub(super) fn ray_direction(&self, scale: &[f64], s: &mut [f64]) {
        s.fill(0.0);
        for (row, &variable) in self.basic.iter().enumerate() {
            if (self.n..2 * self.n).contains(&variable) {
                s[variable - self.n] = quotient(self.entry(row, self.entering), &self.denominator);
            }
        }
        let entered = self.nonbasic[self.entering];
        if (self.n..2 * self.n).contains(&entered) {
            s[entered - self.n] = 1.0;
        }
        s.iter_mut().zip(scale).for_each(|(s, scale)| *s *= scale);
    }

    /// Writes to `s` the coefficients of $w$ in the row of $z_0$, each multiplied by its entry of `scale`,
    /// for a method that ended on a ray.
    pub(super) fn row_of_artificial(&self, scale: &[f64], s: &mut [f64]) {
        s.fill(0.0);
        let row = self.place[2 * self.n];
        if row < self.n {
            for (column, &variable) in self.nonbasic.iter().enumerate() {
                if variable < self.n {
                    s[variable] = quotient(self.entry(row, column), &self.denominator) * scale[variable];
                }
            }
        }
    }

    fn entry(&self, row: usize, column: usize) -> &IBig {
        &self.table[row * (self.n + 2) + column]
    }

    fn begin<'a>(&mut self, column: impl Fn(usize) -> &'a [f64], q: &[f64]) {
        let n = q.len();
        self.n = n;
        let of_m = lowest_bit((0..n).flat_map(&column));
        let of_d = lowest_bit(column(n));
        let of_q = lowest_bit(q);
        self.exponent = of_q - of_m;
        self.table.clear();
        for (i, q_i) in q.iter().enumerate() {
            self.table.extend((0..n).map(|j| integer(column(j)[i], of_m)));
            self.table.push(integer(column(n)[i], of_d));
            self.table.push(integer(*q_i, of_q));
        }
        self.denominator = IBig::from(1);
        self.basic.clear();
        self.basic.extend(0..n);
        self.nonbasic.clear();
        self.nonbasic.extend(n..=2 * n);
        self.place.clear();
        self.place.extend(0..=2 * n);
    }

    /// Exchanges the basic variable of a row with the nonbasic variable of a column. Returns the variable
    /// that left.
    fn exchange(&mut self, row: usize, column: usize) -> usize {
        let width = self.n + 2;
        let pivot_row: Vec<IBig> = self.table[row * width..][..width].to_vec();
        let pivot = &pivot_row[column];
        let is_negative = pivot.sign() == Sign::Negative;
        for (i, other) in self.table.chunks_exact_mut(width).enumerate() {
            if i == row {
                continue;
            }
            let factor = other[column].clone();
            for (j, entry) in other.iter_mut().enumerate() {
                if j == column {
                    continue;
                }
                *entry *= pivot;
                if !factor.is_zero() && !pivot_row[j].is_zero() {
                    *entry -= &factor * &pivot_row[j];
                }
                *entry /= &self.denominator;
            }
        }
        for (j, entry) in self.table[row * width..][..width].iter_mut().enumerate() {
            if j == column {
                *entry = self.denominator.clone();
            } else {
                *entry = -&pivot_row[j];
            }
        }
        self.denominator = pivot.clone();
        if is_negative {
            self.denominator = -&self.denominator;
            self.table.iter_mut().for_each(|entry| *entry = -std::mem::take(entry));
        }
        let digits = self.denominator.bit_len() as f64 / 64.0 + 1.0;
        self.operations += (self.n * width) as f64 * (3.0 * digits * digits + OVERHEAD);
        let (left, entered) = (self.basic[row], self.nonbasic[column]);
        self.basic[row] = entered;
        self.nonbasic[column] = left;
        self.place[entered] = row;
        self.place[left] = self.n + column;
        left
    }

    /// Returns the row that the lexicographic ratio test selects for the entering variable, or `None` if no
    /// basic variable decreases.
    fn blocking_row(&self, entering: usize) -> Option<usize> {
        let falls = |row: &usize| self.entry(*row, entering).sign() == Sign::Negative;
        let mut rows: Vec<usize> = (0..self.n).filter(falls).collect();
        self.keep_smallest(&mut rows, entering, |row| self.entry(row, self.n + 1).clone());
        // The artificial variable leaves as soon as possible.
        if let Some(&row) = rows.iter().find(|&&row| self.basic[row] == 2 * self.n) {
            return Some(row);
        }
        for k in 0..self.n {
            if rows.len() <= 1 {
                break;
            }
            // Perturb q by (p_1, .., p_n): then p_k enters only as w_k - p_k.
            let place = self.place[k];
            self.keep_smallest(&mut rows, entering, |row| match place.checked_sub(self.n) {
                Some(column) => -self.entry(row, column),
                None if place == row => self.denominator.clone(),
                None => IBig::ZERO,
            });
        }
        rows.first().copied()
    }

    /// Keeps only the rows with the smallest ratio of the value to minus the slope.
    fn keep_smallest(&self, rows: &mut Vec<usize>, entering: usize, value: impl Fn(usize) -> IBig) {
        let mut smallest: Option<(IBig, &IBig)> = None;
        let mut kept = Vec::new();
        for &row in &*rows {
            let (value, slope) = (value(row), self.entry(row, entering));
            // Slopes are negative, so the comparison of the products is reversed.
            let order = match &smallest {
                None => Ordering::Less,
                Some((least, of_least)) => (least * slope).cmp(&(&value * *of_least)),
            };
            match order {
                Ordering::Less => {
                    smallest = Some((value, slope));
                    kept.clear();
                    kept.push(row);
                }
                Ordering::Equal => kept.push(row),
                Ordering::Greater => {}
            }
        }
        *rows = kept;
    }
}

/// Number of fraction bits of a double; `BIAS` is the bias of its exponent relative to the last fraction bit.
const FRACTION: u32 = 52;
const BIAS: i32 = 1075;

/// Splits a double into an integer and the exponent of a power of two.
fn split(x: f64) -> (i64, i32) {
    let bits = x.to_bits();
    let fraction = (bits & ((1 << FRACTION) - 1)) as i64;
    let (magnitude, exponent) = match (bits >> FRACTION & 0x7ff) as i32 {
        0 => (fraction, 1 - BIAS),
        exponent => (fraction | 1 << FRACTION, exponent - BIAS),
    };
    (if x < 0.0 { -magnitude } else { magnitude }, exponent)
}

/// Estimates the number of operations of n pivots that fill the basis with z, from Hadamard's bound on the
/// minors of the matrix.
fn expected_operations<'a>(column: impl Fn(usize) -> &'a [f64], n: usize) -> f64 {
    let entries = || (0..n).flat_map(&column);
    let largest = entries().fold(0.0_f64, |a, x| a.max(x.abs()));
    let size = n as f64;
    let bits = largest.log2().max(-1100.0) - f64::from(lowest_bit(entries())) + 1.0 + 0.5 * size.log2();
    let digits = bits / 64.0;
    size * size * (size.powi(3) * digits * digits + OVERHEAD * size)
}

/// Returns the exponent of the lowest bit that is set in any of the values; 0 if all values are 0.
fn lowest_bit<'a>(values: impl IntoIterator<Item = &'a f64>) -> i32 {
    let exponents = values.into_iter().filter(|x| **x != 0.0).map(|x| {
        let (integer, exponent) = split(*x);
        exponent + integer.trailing_zeros() as i32
    });
    exponents.min().unwrap_or(0)
}

/// Returns the integer x / 2^unit; the unit must be at or below the lowest bit of x.
fn integer(x: f64, unit: i32) -> IBig {
    let (integer, exponent) = split(x);
    if integer == 0 {
        return IBig::ZERO;
    }
    match exponent - unit {
        shift if shift >= 0 => IBig::from(integer) << shift as usize,
        shift => IBig::from(integer >> -shift),
    }
}

/// Returns a / b, accurate in all bits but the last.
fn quotient(a: &IBig, b: &IBig) -> f64 {
    // Compute at least 64 bits of the quotient.
    let shift = 66 + b.bit_len() as i64 - a.bit_len() as i64;
    let q = if shift >= 0 { (a << shift as usize) / b } else { a / (b << -shift as usize) };
    times_power(q.to_f64().value(), -shift as i32)
}

/// Returns x times a power of two, in two steps because the power itself may be out of range.
fn times_power(x: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    x * 2.0_f64.powi(half) * 2.0_f64.powi(exponent - half)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_go_to_integers_and_back() {
        let values = [0.75, -3.0, 0.0, 1e-300, 5e-324, -1.0 / 3.0, f64::MAX];
        let unit = lowest_bit(&values);
        assert_eq!(unit, -1074);
        for x in values {
            let one = IBig::from(1) << -unit as usize;
            assert_eq!(quotient(&integer(x, unit), &one), x);
        }
        assert_eq!(lowest_bit(&[6.0, 0.0, 12.0]), 1);
        assert_eq!(quotient(&IBig::from(-1), &IBig::from(3)), -1.0 / 3.0);
    }

    #[test]
    fn beale_cycles_in_floating_point_but_not_here() {
        // Beale's example (1955), written as the optimality conditions of its linear program. The first
        // pivots are tied.
        let a = [[0.25, -8.0, -1.0, 9.0], [0.5, -12.0, -0.5, 3.0], [0.0, 0.0, 1.0, 0.0]];
        let (b, c) = ([0.0, 0.0, 1.0], [-0.75, 20.0, -0.5, 6.0]);
        let mut columns = vec![vec![0.0; 7]; 8];
        for i in 0..3 {
            for j in 0..4 {
                columns[j][4 + i] = -a[i][j];
                columns[4 + i][j] = a[i][j];
            }
        }
        columns[7] = vec![1.0; 7];
        let q = [c.as_slice(), &b].concat();
        let mut pivots = ExactPivots::default();
        let (outcome, _) = pivots.solve(|j| &columns[j], &q, 0, 1e9);
        assert_eq!(outcome, Outcome::Solved);
        let mut z = [0.0; 7];
        pivots.point(&mut z);
        assert_eq!(z[..4], [1.0, 0.0, 1.0, 0.0]);
    }
}
