//! Dense scaled copy of a problem, which the `Auto` solvers use if they cannot decide the original problem.
//!
//! With w' = A w and z' = B^-1 z for positive diagonal A and B, the problem with M' = A M B and q' = A q has
//! the same solutions as the problem with M and q. The factors A and B bring the entries of M' near 1 (Curtis
//! and Reid 1972). They are then multiplied so that the largest entry of q' in each independent problem is
//! near 1 as well. Methods can then compare rows and treat small entries as rounding errors. All entries are
//! stored, so methods for dense matrices apply as well.

use siconos_linalg::{Components, Equilibration, exponent, power_of_two};

use super::BoxProblem;
use super::acceptance::AcceptanceTest;
use crate::info::{SolveInfo, Status};

/// Maximum number of unknowns for which a scaled copy is made.
const LARGEST: usize = 500;

/// Scaled problem and its storage.
#[derive(Clone, Debug, Default)]
pub(crate) struct ScaledProblem {
    equilibration: Equilibration,
    components: Components,
    /// Binary exponent of the largest q of each independent problem. Rows are divided and columns multiplied
    /// by the power of two with this exponent, so that q is near 1.
    of_q: Vec<Option<i32>>,
    rows: Vec<f64>,
    columns: Vec<f64>,
    /// Matrix, row by row.
    pub(crate) entries: Vec<f64>,
    pub(crate) q: Vec<f64>,
    pub(crate) lower: Vec<f64>,
    pub(crate) upper: Vec<f64>,
    pub(crate) z: Vec<f64>,
    pub(crate) w: Vec<f64>,
    test: AcceptanceTest,
}

impl ScaledProblem {
    /// Writes the scaled copy of a problem, with the initial guess `z`. Returns `false` if scaling makes no
    /// difference, or if the problem is too large or not finite.
    pub(crate) fn spread<P: BoxProblem>(&mut self, problem: &P, is_dense: bool, z: &[f64]) -> bool {
        let n = z.len();
        if n > LARGEST || problem.m().first_non_finite().is_some() {
            return false;
        }
        self.find_units(problem);
        let Self { rows, columns, entries, q, lower, upper, z: own_z, w, .. } = self;
        let is_one = |units: &[f64]| units.windows(2).all(|pair| pair[0] == pair[1]);
        if is_dense && is_one(rows) && is_one(columns) {
            return false;
        }
        problem.m().copy_dense(entries);
        for (row, unit) in entries.chunks_exact_mut(n.max(1)).zip(&*rows) {
            row.iter_mut().zip(&*columns).for_each(|(entry, column)| *entry *= unit * column);
        }
        q.clear();
        q.extend(problem.q().iter().zip(&*rows).map(|(q, unit)| q * unit));
        for vector in [&mut *lower, &mut *upper, &mut *own_z] {
            vector.clear();
        }
        for (i, (unit, z)) in columns.iter().zip(z).enumerate() {
            let bounds = problem.bounds(i);
            lower.push(bounds.0 / unit);
            upper.push(bounds.1 / unit);
            own_z.push(z / unit);
        }
        w.clear();
        w.resize(n, 0.0);
        true
    }

    fn find_units<P: BoxProblem>(&mut self, problem: &P) {
        let Self { equilibration, components, of_q, rows, columns, .. } = self;
        equilibration.find(problem.m());
        components.find(problem.m());
        of_q.clear();
        of_q.resize(components.count(), None);
        let labels = components.labels();
        for (i, (q, label)) in problem.q().iter().zip(labels).enumerate() {
            let size = exponent(*q).map(|exponent| exponent + equilibration.row_exponent(i));
            of_q[*label] = of_q[*label].max(size);
        }
        rows.clear();
        columns.clear();
        for (i, label) in labels.iter().enumerate() {
            let of_q = of_q[*label].unwrap_or(0);
            rows.push(power_of_two(equilibration.row_exponent(i) - of_q));
            columns.push(power_of_two(equilibration.column_exponent(i) + of_q));
        }
    }

    /// Converts the result for the dense copy of a problem to the result for the problem in its own storage.
    /// Recomputes the error, because the sums of products are rounded in a different order in that storage.
    pub(crate) fn as_stored<P: BoxProblem>(
        &mut self,
        problem: &P,
        info: SolveInfo,
        z: &[f64],
        w: &mut [f64],
    ) -> SolveInfo {
        SolveInfo { error: self.test.of_point(problem, z, w).error, ..info }
    }

    /// Combines the result `first` of an undecided solve with the result `second` for the scaled problem. A
    /// scaled solution is accepted, and written to `z` and `w`, if it is also a solution in the units of the
    /// caller.
    pub(crate) fn conclude<P: BoxProblem>(
        &mut self,
        tolerance: f64,
        problem: &P,
        (first, second): (SolveInfo, SolveInfo),
        z: &mut [f64],
        w: &mut [f64],
    ) -> SolveInfo {
        let iterations = second.iterations;
        if second.status == Status::NoSolution {
            return SolveInfo { status: second.status, iterations, ..first };
        }
        let Self { columns, z: point, w: image, test, .. } = self;
        point.iter_mut().zip(&*columns).for_each(|(z, unit)| *z *= unit);
        let tested = test.of_point(problem, point, image);
        let status = tested.status(tolerance);
        if second.status.is_success() && status.is_success() {
            z.copy_from_slice(point);
            w.copy_from_slice(image);
            return SolveInfo { status, iterations, error: tested.error };
        }
        let status = if second.status == Status::EffortSpent { second.status } else { first.status };
        SolveInfo { status, iterations, ..first }
    }
}
