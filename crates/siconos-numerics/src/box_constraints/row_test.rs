//! Violation of a row, independent of the units of rows and columns.
//!
//! The violation of a row is the smaller of two values.
//!
//! - Its residual divided by its terms, |M| |z| + |q|. If z_i has to move to its bound, all rows that contain
//!   z_i change. The changes are divided by the terms of their rows and added up; the change of w_i itself
//!   counts only as far as it exceeds |w_i|. (The criterion of Oettli and Prager 1964.)
//! - Its residual in units in which the entries of M are near 1 (Curtis and Reid 1972), divided by the size
//!   of the data of the rows that are violated at z = 0, in these units. This value decides in rows whose
//!   terms are much smaller than q or are only rounding errors.
//!
//! Neither value changes if a row or a column is multiplied by a constant.

use siconos_linalg::{Components, Equilibration, power_of_two};

use super::BoxProblem;
use super::residual::{Given, larger, natural};
use crate::rounding::UNITS;

/// Test of the rows, with its workspace.
#[derive(Clone, Debug, Default)]
pub(super) struct RowTest {
    /// $|M| |z| + |q|$.
    terms: Vec<f64>,
    /// $1 / (|M| |z| + |q|)$ of each row, or 0.
    inverse_terms: Vec<f64>,
    /// For each unknown, the sum of the relative changes of all rows if the unknown changes by 1.
    effects: Vec<f64>,
    diagonal: Vec<f64>,
    units: Equilibration,
    has_units: bool,
    /// Size of q in scaled units, for each independent problem.
    given: Vec<Given>,
    bases: Vec<f64>,
    /// Rows that are violated by more than rounding error, each with |w| divided by its terms.
    violated: Vec<(usize, f64)>,
}

impl RowTest {
    pub(super) fn reserve(&mut self, n: usize) {
        for memory in [&mut self.inverse_terms, &mut self.effects, &mut self.diagonal, &mut self.bases] {
            memory.reserve(n);
        }
        self.given.reserve(n);
        self.violated.reserve(n);
        self.units.reserve(n);
    }

    /// Discards the units of the last matrix.
    pub(super) fn forget_units(&mut self) {
        self.has_units = false;
    }

    /// Computes |M| |z| + |q| and returns the largest entry.
    pub(super) fn find_terms<P: BoxProblem>(&mut self, problem: &P, z: &[f64]) -> f64 {
        self.terms.clear();
        self.terms.extend(problem.q().iter().map(|q| q.abs()));
        problem.m().add_absolute_product(z, &mut self.terms);
        self.terms.iter().fold(0.0, |a, x| x.max(a))
    }

    pub(super) fn terms(&self) -> &[f64] {
        &self.terms
    }

    /// Returns the largest violation of a row, and `true` if all rows are satisfied up to rounding.
    /// [`find_terms`](Self::find_terms) must have been called for this point.
    pub(super) fn of<P: BoxProblem>(
        &mut self,
        problem: &P,
        components: &Components,
        z: &[f64],
        w: &[f64],
    ) -> (f64, bool) {
        let allowed = UNITS * z.len() as f64 * f64::EPSILON;
        let (mut largest, mut is_exact) = (0.0_f64, true);
        self.violated.clear();
        for (i, (&z, &w)) in z.iter().zip(w).enumerate() {
            let (lower, upper) = problem.bounds(i);
            let is_inside = (lower..=upper).contains(&z);
            let bound = if w > 0.0 { lower } else { upper };
            if is_inside && (w == 0.0 || z == bound) {
                continue;
            }
            let of_w = if w == 0.0 { 0.0 } else { w.abs() / self.terms[i] };
            if is_inside && of_w <= allowed {
                largest = larger(largest, of_w);
            } else {
                is_exact = false;
                self.violated.push((i, of_w));
            }
        }
        if !self.violated.is_empty() {
            largest = larger(largest, self.largest_violation(problem, components, z, w));
        }
        (largest, is_exact)
    }

    /// Returns the largest violation over the rows that are violated by more than rounding error.
    fn largest_violation<P: BoxProblem>(
        &mut self,
        problem: &P,
        components: &Components,
        z: &[f64],
        w: &[f64],
    ) -> f64 {
        self.find_effects(problem);
        self.find_bases(problem, components);
        let labels = components.labels();
        let of_row = |&(i, of_w): &(usize, f64)| {
            let bounds = problem.bounds(i);
            let over_terms = self.violation_over_terms(i, of_w, (z[i], w[i]), bounds);
            let (row, column) = (self.units.row_exponent(i), self.units.column_exponent(i));
            let response = power_of_two(-row - column);
            let residual = power_of_two(row) * natural(response, z[i], w[i], bounds.0, bounds.1).abs();
            let base = self.bases[labels[i]];
            if base > 0.0 { over_terms.min(residual / base) } else { over_terms }
        };
        self.violated.iter().map(of_row).fold(0.0, larger)
    }

    /// Returns the violation of row i relative to its terms. If z_i has to move to its bound, the resulting
    /// changes in all rows are included.
    fn violation_over_terms(
        &self,
        i: usize,
        of_w: f64,
        (z, w): (f64, f64),
        (lower, upper): (f64, f64),
    ) -> f64 {
        let (effect, nearest) = (self.effects[i], z.max(lower).min(upper));
        if nearest != z {
            let is_allowed = (w > 0.0 && nearest == lower) || (w < 0.0 && nearest == upper);
            let at_nearest = if is_allowed { 0.0 } else { of_w };
            return at_nearest.max((z - nearest).abs() * effect);
        }
        let bound = if w > 0.0 { lower } else { upper };
        if bound.is_infinite() {
            return of_w;
        }
        let distance = (z - bound).abs();
        let (own, inverse) = (self.diagonal[i], self.inverse_terms[i]);
        let of_others = distance * (effect - own.abs() * inverse).max(0.0);
        let of_own = (own * distance - w.abs()).max(0.0) * inverse;
        of_w.min(of_others + of_own)
    }

    fn find_effects<P: BoxProblem>(&mut self, problem: &P) {
        let Self { terms, inverse_terms, effects, diagonal, .. } = self;
        inverse_terms.clear();
        inverse_terms.extend(terms.iter().map(|terms| if *terms > 0.0 { 1.0 / terms } else { 0.0 }));
        for memory in [&mut *effects, &mut *diagonal] {
            memory.clear();
            memory.resize(terms.len(), 0.0);
        }
        problem.m().add_absolute_transposed_product(inverse_terms, effects);
        problem.m().copy_diagonal(diagonal);
    }

    /// Computes the scaled units and, in these units, the scale of the residuals of each independent problem.
    /// If an independent problem has no scale of its own, the scale of the whole problem is used, which is 0
    /// if q is 0 and 0 is within all bounds.
    fn find_bases<P: BoxProblem>(&mut self, problem: &P, components: &Components) {
        let Self { units, has_units, given, bases, .. } = self;
        if !std::mem::replace(has_units, true) {
            units.find(problem.m());
        }
        given.clear();
        given.resize(components.count(), Given::default());
        for (i, (q, label)) in problem.q().iter().zip(components.labels()).enumerate() {
            let (row, column) = (units.row_exponent(i), units.column_exponent(i));
            given[*label].add(power_of_two(row), power_of_two(-row - column), *q, problem.bounds(i));
        }
        let whole = given.iter().fold(Given::default(), Given::and).scale().unwrap_or(0.0);
        bases.clear();
        bases.extend(given.iter().map(|one| one.scale().unwrap_or(whole)));
    }
}
