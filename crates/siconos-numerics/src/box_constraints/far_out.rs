//! Detection of points so large that rounding errors hide the given data.
//!
//! If a problem has no solution, the iterates can diverge along a ray with M z = 0. The terms of M z cancel
//! on this ray, until their rounding errors exceed q. Then w has no meaning, but it can look like the w of a
//! solution.
//!
//! Large terms can also be correct. For example, a heavy body on a light body causes large terms in the rows
//! of the light body, even if q is small there. The given data of a row are its q and the terms of the
//! unknowns at their bounds. If the rounding errors of a row exceed its given data, its other terms are
//! accepted as justified only if the same unknowns have significant terms in another row with larger given
//! data. The test does not depend on the units of rows and columns.

use super::BoxProblem;
use crate::rounding::PART_LOST_IN_ROUNDING;

/// Workspace of the test.
#[derive(Clone, Debug, Default)]
pub(super) struct FarOut {
    /// Given data of each row: |q| and the terms of the unknowns at their bounds.
    given: Vec<f64>,
    /// Terms of the unknowns between their bounds, for each row.
    free: Vec<f64>,
    part: Vec<f64>,
    is_free: Vec<bool>,
    /// `true` for each row whose terms need no justification or are justified by given data.
    rows: Vec<bool>,
    unknowns: Vec<bool>,
}

/// Returns `true` if the rounding error of `terms` exceeds a thousandth of `size`.
#[inline]
pub(super) fn covers(terms: f64, size: f64) -> bool {
    f64::EPSILON * terms > PART_LOST_IN_ROUNDING * size
}

impl FarOut {
    pub(super) fn reserve(&mut self, n: usize) {
        for memory in [&mut self.given, &mut self.free, &mut self.part] {
            memory.reserve(n);
        }
        for memory in [&mut self.is_free, &mut self.rows, &mut self.unknowns] {
            memory.reserve(n);
        }
    }

    /// Returns `true` if the rounding errors of some row exceed its given data, and the terms of that row are
    /// not justified by rows with larger given data. Rows of an independent problem with q = 0, for which
    /// `has_q` is `false`, are not tested, because z can have any size there.
    pub(super) fn is_lost<P: BoxProblem>(
        &mut self,
        problem: &P,
        z: &[f64],
        has_q: impl Fn(usize) -> bool,
    ) -> bool {
        self.part_terms(problem, z);
        let Self { given, free, is_free, rows, unknowns, .. } = self;
        rows.clear();
        let sizes = free.iter().zip(&*given).enumerate();
        rows.extend(sizes.map(|(i, (free, given))| !covers(*free, *given) || !has_q(i)));
        unknowns.clear();
        unknowns.resize(z.len(), false);
        loop {
            let mut has_changed = false;
            problem.m().for_each_entry(|i, j, entry| {
                let term = (entry * z[j]).abs();
                let is_significant = is_free[j] && term > 0.0 && !covers(free[i], term);
                if is_significant && rows[i] != unknowns[j] {
                    (rows[i], unknowns[j], has_changed) = (true, true, true);
                }
            });
            if !has_changed {
                return !rows.iter().all(|row| *row);
            }
        }
    }

    /// Splits the terms of each row into given data and terms of unknowns between their bounds.
    fn part_terms<P: BoxProblem>(&mut self, problem: &P, z: &[f64]) {
        let Self { given, free, part, is_free, .. } = self;
        is_free.clear();
        is_free.extend(z.iter().enumerate().map(|(i, z)| {
            let (lower, upper) = problem.bounds(i);
            *z != lower && *z != upper
        }));
        given.clear();
        given.extend(problem.q().iter().map(|q| q.abs()));
        free.clear();
        free.resize(z.len(), 0.0);
        for (wanted, terms) in [(false, given), (true, free)] {
            part.clear();
            part.extend(
                z.iter().zip(&*is_free).map(|(z, is_free)| if *is_free == wanted { *z } else { 0.0 }),
            );
            problem.m().add_absolute_product(part, terms);
        }
    }
}
