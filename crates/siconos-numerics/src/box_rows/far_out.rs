//! Points so far out that rounding covers what is given.
//!
//! Along a ray with M z = 0, on which the iterates of a problem without a solution run off, the terms of M z
//! cancel until rounding in them covers q: w says nothing there, and may look like that of a solution. What
//! is given in a row is its q, and the terms of unknowns at their bounds. In a row where that is covered, the
//! terms of the others are explained if another row with more given has the same unknowns: a heavy body on a
//! light one makes large terms in rows without q. This does not depend on the units of rows and columns.

use super::BoxProblem;
use crate::rounding::PART_LOST_IN_ROUNDING;

/// Memory of the test.
#[derive(Clone, Debug, Default)]
pub(super) struct FarOut {
    /// By row: |q| and the terms of unknowns at their bounds.
    given: Vec<f64>,
    /// By row: the terms of the unknowns between their bounds.
    free: Vec<f64>,
    part: Vec<f64>,
    is_free: Vec<bool>,
    /// Rows, and unknowns, whose size what is given explains.
    rows: Vec<bool>,
    unknowns: Vec<bool>,
}

/// Returns `true` if rounding in terms covers a thousandth of a size.
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

    /// Returns `true` if, in some row of the point, rounding covers what is given, and no chain of rows and
    /// unknowns explains its terms. Rows of a problem without q, as `has_q` says, need no explanation: z may
    /// have any size there.
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

    /// Splits the terms of each row.
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
