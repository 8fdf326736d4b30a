//! Acceptance test of a point: computes its error, and checks whether rounding has made the point
//! meaningless.
//!
//! The norm of all residuals divided by the norm of q says little about a row with a different unit, or about
//! one of several independent problems. A point is therefore tested in two ways, and its error is the larger
//! of the two results.
//!
//! - *In each independent problem*, that is in each set of rows that M does not couple with other rows: the
//!   norm of the residuals, divided by the norm of those entries of q whose rows are violated at z = 0. This
//!   ratio bounds the change of q that makes the point a solution. A point far out on a ray with M z = 0 does
//!   not pass, and a row with a large positive w does not weaken the test of other rows.
//! - *In each row*, independently of the units of rows and columns: see
//!   [`RowTest`](super::row_test::RowTest).

use siconos_linalg::{Components, MatrixRef, are_finite, power_of_two_below};

use super::BoxProblem;
use super::far_out::{FarOut, covers};
use super::residual::{Given, larger, norm_wise_error, write_image};
use super::row_test::RowTest;
use crate::info::Status;
use crate::own_response::{self, size_of_point};

/// Maximum number of rows for which a dense matrix is compared with the previous one.
const LARGEST_KNOWN: usize = 64;

/// Result of the [test](AcceptanceTest) of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Assessment {
    /// The error; NaN if the point is not finite.
    pub(crate) error: f64,
    /// `true` if rounding errors exceed a thousandth of q, in which case the point is meaningless.
    pub(crate) is_lost: bool,
    /// `true` if every row is satisfied up to a few units in the last place of its terms.
    is_exact: bool,
}

impl Assessment {
    const NOT_FINITE: Self = Self { error: f64::NAN, is_lost: true, is_exact: false };

    /// Returns `Converged` if the error is at or below the tolerance, `AtRoundingLevel` if rounding prevents
    /// a smaller error, `Breakdown` if the point is not finite, and otherwise `Stalled`. A point with
    /// `is_lost` never counts as a solution.
    pub(crate) fn status(self, tolerance: f64) -> Status {
        match self {
            Self { error, .. } if !error.is_finite() => Status::Breakdown,
            Self { is_lost: true, .. } => Status::Stalled,
            Self { error, .. } if error <= tolerance => Status::Converged,
            Self { is_exact: true, .. } => Status::AtRoundingLevel,
            _ => Status::Stalled,
        }
    }
}

/// Acceptance test with its workspace.
#[derive(Clone, Debug, Default)]
pub(crate) struct AcceptanceTest {
    /// Entries of the previous matrix, if it is dense and small.
    matrix: Vec<f64>,
    components: Components,
    problems: Vec<IndependentProblem>,
    /// Factors $d_i$ that convert $z_i$ to the unit of $w_i$; see [`own_response`](crate::own_response).
    responses: Vec<f64>,
    rows: RowTest,
    far_out: FarOut,
}

/// Sums over the rows of an independent problem.
#[derive(Clone, Copy, Debug, Default)]
struct IndependentProblem {
    given: Given,
    /// Scale of the residuals. `residual` is the sum of their squares.
    base: f64,
    residual: f64,
    largest_term: f64,
    largest_violated_q: f64,
    largest_q: f64,
}

impl IndependentProblem {
    /// Returns the largest |q| over the rows that are violated at z = 0, or over all rows if none is.
    fn size_of_q(&self) -> f64 {
        if self.largest_violated_q > 0.0 { self.largest_violated_q } else { self.largest_q }
    }
}

impl AcceptanceTest {
    /// Computes w = M z + q into `w` and tests the point.
    pub(crate) fn of_point<P: BoxProblem>(&mut self, problem: &P, z: &[f64], w: &mut [f64]) -> Assessment {
        write_image(problem, z, w);
        self.of(problem, z, w)
    }

    /// Returns the error for use in an iteration: the norm-wise error if it is above the tolerance, otherwise
    /// the full error.
    pub(crate) fn error_by<P: BoxProblem>(
        &mut self,
        tolerance: f64,
        problem: &P,
        z: &[f64],
        w: &[f64],
    ) -> f64 {
        let error = norm_wise_error(problem, z, w);
        if error <= tolerance { self.of(problem, z, w).error } else { error }
    }

    /// Tests a point `z` with its image `w`.
    pub(crate) fn of<P: BoxProblem>(&mut self, problem: &P, z: &[f64], w: &[f64]) -> Assessment {
        if !are_finite(z) || !are_finite(w) {
            return Assessment::NOT_FINITE;
        }
        let largest = self.rows.find_terms(problem, z);
        if !largest.is_finite() {
            return Assessment { error: f64::INFINITY, ..Assessment::NOT_FINITE };
        }
        self.reserve(z.len());
        self.follow(problem.m());
        // Scale the sizes to about 1, so that their squares are representable.
        let factor = 1.0 / power_of_two_below(largest);
        self.sum(factor, problem);
        let (of_rows, is_exact) = self.rows.of(problem, &self.components, z, w);
        // If all rows are satisfied exactly, all residuals are 0.
        let has_residuals = !is_exact || of_rows > 0.0;
        let norm_wise = if has_residuals { self.norm_wise(factor, problem, z, w) } else { 0.0 };
        Assessment { error: larger(norm_wise, of_rows), is_lost: self.is_lost(problem, z), is_exact }
    }

    /// Returns the largest violation of a single row, by the [`RowTest`].
    pub(crate) fn of_rows<P: BoxProblem>(&mut self, problem: &P, z: &[f64], w: &[f64]) -> f64 {
        self.rows.find_terms(problem, z);
        self.follow(problem.m());
        self.rows.of(problem, &self.components, z, w).0
    }

    /// Computes the data that depend only on the matrix, unless the matrix equals the previous one, as in
    /// time steps of a linear model.
    fn follow(&mut self, m: MatrixRef<'_>) {
        let entries = match m {
            MatrixRef::Dense(m) if m.nrows() <= LARGEST_KNOWN => m.to_slice().unwrap_or_default(),
            _ => &[],
        };
        if entries.is_empty() || !have_same_bits(entries, &self.matrix) {
            self.matrix.clear();
            self.matrix.extend_from_slice(entries);
            self.components.find(m);
            own_response::write(m, &mut self.responses);
            self.rows.forget_units();
        }
    }

    /// Reserves storage that only some points need, so that it is allocated only once.
    fn reserve(&mut self, n: usize) {
        if self.responses.capacity() < n {
            self.responses.reserve(n - self.responses.len());
            self.problems.reserve(n);
            self.rows.reserve(n);
            self.far_out.reserve(n);
        }
    }

    /// Computes the sums over each independent problem after all magnitudes are multiplied by `factor`.
    fn sum<P: BoxProblem>(&mut self, factor: f64, problem: &P) {
        let Self { components, problems, responses, rows, .. } = self;
        problems.clear();
        problems.resize(components.count(), IndependentProblem::default());
        let rows = components.labels().iter().zip(problem.q()).zip(rows.terms()).zip(&*responses).enumerate();
        for (i, (((label, q), terms), d)) in rows {
            let (sums, bounds) = (&mut problems[*label], problem.bounds(i));
            sums.given.add(factor, *d, *q, bounds);
            sums.largest_term = sums.largest_term.max(*terms - q.abs());
            sums.largest_q = sums.largest_q.max(q.abs());
            if Given::is_violated(*q, bounds) {
                sums.largest_violated_q = sums.largest_violated_q.max(q.abs());
            }
        }
    }

    /// Returns the largest norm-wise error of an independent problem. An independent problem with q = 0,
    /// which z = 0 solves, has no scale of its own. Its scale is the scale of the whole problem or, if that
    /// is 0, the size of the point.
    fn norm_wise<P: BoxProblem>(&mut self, factor: f64, problem: &P, z: &[f64], w: &[f64]) -> f64 {
        let Self { components, problems, responses, .. } = self;
        problems.iter_mut().for_each(|one| one.base = one.given.scale().unwrap_or(0.0));
        if problems.iter().any(|one| one.base == 0.0) {
            let whole = problems.iter().fold(Given::default(), |sum, one| sum.and(&one.given)).scale();
            let whole = whole.unwrap_or_else(|| factor * size_of_point(problem.m(), z, w));
            problems.iter_mut().filter(|one| one.base == 0.0).for_each(|one| one.base = whole);
        }
        let rows = components.labels().iter().zip(z).zip(w).zip(&*responses).enumerate();
        for (i, (((label, z), w), d)) in rows {
            let one = &mut problems[*label];
            one.residual += one.given.square(one.base, factor, problem, i, *d, (*z, *w));
        }
        let of_problem = |one: &IndependentProblem| match one.residual {
            0.0 => 0.0,
            residual => residual.sqrt() / one.base,
        };
        problems.iter().map(of_problem).fold(0.0, larger)
    }

    /// Returns `true` if the point is so large that rounding errors hide the given data (see [`FarOut`]).
    fn is_lost<P: BoxProblem>(&mut self, problem: &P, z: &[f64]) -> bool {
        let Self { components, problems, far_out, .. } = self;
        let labels = components.labels();
        problems.iter().any(|one| covers(one.largest_term, one.size_of_q()))
            && far_out.is_lost(problem, z, |i| problems[labels[i]].largest_q > 0.0)
    }
}

/// Returns `true` if the entries are equal bit for bit. Compares without a branch per entry.
fn have_same_bits(a: &[f64], b: &[f64]) -> bool {
    let difference = a.iter().zip(b).fold(0, |all, (a, b)| all | (a.to_bits() ^ b.to_bits()));
    a.len() == b.len() && difference == 0
}

/// Returns the error of a point with its w, by the [acceptance test](AcceptanceTest). NaN if the point is not
/// finite.
#[track_caller]
pub(crate) fn error<P: BoxProblem>(problem: &P, z: &[f64], w: &[f64]) -> f64 {
    let n = problem.q().len();
    assert_eq!((z.len(), w.len()), (n, n), "lengths of z and w");
    AcceptanceTest::default().of(problem, z, w).error
}

/// Computes w = M z + q into `w` and returns the [`error`].
#[track_caller]
pub(crate) fn error_of_point<P: BoxProblem>(problem: &P, z: &[f64], w: &mut [f64]) -> f64 {
    write_image(problem, z, w);
    error(problem, z, w)
}
