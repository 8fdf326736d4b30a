//! The violation of each row, whatever the units of rows and columns are.
//!
//! A row is violated by the smaller of two numbers.
//!
//! - Its residual over its terms, |M| |z| + |q|. Where z_i has to move to its bound, all rows that it acts on
//!   are affected, and the change of each counts, over the terms of that row; in its own row as far as it
//!   turns the sign of w. (The criterion of Oettli and Prager 1964.)
//! - Its residual in units in which the entries of M are near 1 (Curtis and Reid 1972), over the size in
//!   these units of the q that 0 violates. It decides for rows whose terms are much smaller than q, or
//!   rounding.
//!
//! Neither changes if a row, or a column, is multiplied by a number.

use siconos_linalg::{Components, Equilibration, power_of_two};

use super::BoxProblem;
use super::measure::{Given, larger, natural};
use crate::rounding::UNITS;

/// The test, and its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct RowTest {
    /// $|M| |z| + |q|$.
    terms: Vec<f64>,
    /// By row: $1 / (|M| |z| + |q|)$, or 0.
    inverse_terms: Vec<f64>,
    /// By unknown: the relative change of all rows that it acts on, for a change of it by 1.
    effects: Vec<f64>,
    diagonal: Vec<f64>,
    units: Equilibration,
    has_units: bool,
    /// By independent problem: the size of q in own units.
    given: Vec<Given>,
    bases: Vec<f64>,
    /// Rows that are violated by more than rounding, with the violation over their terms.
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

    /// Forgets the units of the last matrix.
    pub(super) fn forget_units(&mut self) {
        self.has_units = false;
    }

    /// Computes |M| |z| + |q|; returns the largest.
    pub(super) fn find_terms<P: BoxProblem>(&mut self, problem: &P, z: &[f64]) -> f64 {
        self.terms.clear();
        self.terms.extend(problem.q().iter().map(|q| q.abs()));
        problem.m().add_absolute_product(z, &mut self.terms);
        self.terms.iter().fold(0.0, |a, x| x.max(a))
    }

    pub(super) fn terms(&self) -> &[f64] {
        &self.terms
    }

    /// The largest violation of a row of the point whose terms were [found](Self::find_terms), and whether
    /// all rows hold to rounding.
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

    /// The largest violation of the rows that are violated by more than rounding.
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

    /// The violation of a row over its terms, with the effects of moving z to its bound on all rows.
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

    /// Finds own units, and what residuals in them are relative to; 0 where nothing is given.
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
