//! Gauss-Seidel sweeps that end if the decay of their error is too slow.

use crate::cancellation;
use crate::cascade::{Budget, Stage};
use crate::contact::best_iterate::BestIterate;
use crate::contact::error::conclude;
use crate::contact::{Contact, ContactProblem, NonsmoothGaussSeidel};
use crate::error::SolverError;
use crate::info::{SolveInfo, Status, Stop};
use crate::method::{Limits, Solver};

/// Gauss-Seidel sweeps in batches. Each batch continues from the final iterate of the previous batch and has
/// twice as many sweeps. From the second batch on, the number of further sweeps until convergence is
/// predicted from the decay of the error. The sweeps end if the predicted number exceeds a limit.
#[derive(Debug)]
pub(super) struct StagedSweeps {
    solver: NonsmoothGaussSeidel,
    best: BestIterate,
    tolerance: f64,
    /// Maximum predicted number of further sweeps for which the sweeps continue.
    reach: f64,
    /// Number of sweeps that run whatever the prediction is.
    least: f64,
    /// Number of sweeps of the next batch.
    next: usize,
    /// Predicted number of further sweeps after the most recent batch.
    expected: f64,
    /// Number of sweeps on the current problem so far.
    swept: usize,
    /// Error after the first batch since the most recent start from the initial guess or from the result of
    /// another method.
    error_of_first: f64,
    /// Error after the previous batch.
    before: f64,
    /// Error of the initial guess of the problem.
    error_of_guess: f64,
    /// Smallest error since the most recent start from the initial guess or from the result of another
    /// method.
    least_error: f64,
    /// `true` if the next batch continues from the final iterate of the previous batch.
    resumes: bool,
    /// Maximum number of sweeps in one call of `solve`.
    most: usize,
    terms: Vec<f64>,
}

/// Limit on the number of sweeps after they resume.
#[derive(Clone, Copy, Debug)]
pub(super) enum Resumed {
    /// Continue as long as the predicted number of further sweeps is at most this number.
    Within(f64),
    /// Run this number of sweeps, whatever the prediction is.
    For(f64),
}

/// Number of sweeps of the first batch.
const FIRST_STAGE: usize = 16;

/// Number of sweeps of the first two batches together. The prediction becomes available after the second
/// batch.
pub(super) const FIRST_STAGES: usize = 3 * FIRST_STAGE;

impl StagedSweeps {
    /// Creates the sweeps. The tolerance must be valid.
    pub(super) fn of_checked(tolerance: f64) -> Self {
        let mut solver = NonsmoothGaussSeidel::default();
        solver.set_tolerance(tolerance);
        Self {
            solver,
            best: BestIterate::default(),
            tolerance,
            reach: f64::INFINITY,
            least: 0.0,
            next: FIRST_STAGE,
            expected: f64::INFINITY,
            swept: 0,
            error_of_first: f64::NAN,
            before: f64::NAN,
            error_of_guess: f64::NAN,
            least_error: f64::NAN,
            resumes: false,
            most: 0,
            terms: Vec::new(),
        }
    }

    /// Starts a new problem. The sweeps end if the predicted number of further sweeps exceeds `reach`.
    pub(super) fn begin(&mut self, reach: f64) {
        (self.reach, self.least) = (reach, 0.0);
        (self.next, self.expected) = (FIRST_STAGE, f64::INFINITY);
        (self.swept, self.resumes) = (0, false);
        (self.error_of_guess, self.error_of_first, self.least_error) = (f64::NAN, f64::NAN, f64::NAN);
        self.before = f64::NAN;
    }

    /// Sets the limit for further sweeps on the same problem.
    pub(super) fn resume(&mut self, resumed: Resumed) {
        (self.reach, self.least) = match resumed {
            Resumed::Within(reach) => (reach, 0.0),
            Resumed::For(least) => (0.0, least),
        };
        self.expected = f64::INFINITY;
        self.before = f64::NAN;
    }

    /// Receives the smallest error of other methods. If it is smaller than the smallest error of the sweeps,
    /// the next batch does not resume but starts from the result of the other method.
    pub(super) fn follow(&mut self, error: f64) {
        self.resumes &= error >= self.least_error;
    }

    /// Returns `true` if the sweeps can resume and the predicted number of further sweeps is within the
    /// limit.
    pub(super) fn may_continue(&self) -> bool {
        self.resumes && self.would_end_within(self.reach)
    }

    /// Returns `true` if the predicted number of further sweeps is at most `sweeps`.
    pub(super) fn would_end_within(&self, sweeps: f64) -> bool {
        self.expected <= sweeps
    }

    /// Returns the number of further sweeps after which the sweeps will have cost as much as all other
    /// methods together. Returns 0 if this number is less than a batch, or if the error of the sweeps has not
    /// decreased since the first batch. `effort` is the effort of all methods including the sweeps, converted
    /// to a number of sweeps.
    pub(super) fn left_of_share(&self, effort: f64) -> f64 {
        let left = effort - 2.0 * self.swept as f64;
        if left >= FIRST_STAGE as f64 && self.least_error < self.error_of_first { left } else { 0.0 }
    }

    /// Returns the maximum number of sweeps of the next batch, so that a batch ends at sweep number `least`,
    /// where the check of the prediction starts. `total` is the number of sweeps since the call of
    /// [`run`](Self::run). The result is at least the size of the first batch. It is unlimited if `least`
    /// sweeps have been made.
    fn until_told(&self, total: usize) -> usize {
        match (self.least.ceil() as usize).saturating_sub(total) {
            0 => usize::MAX,
            few => few.max(FIRST_STAGE),
        }
    }

    /// Returns the error of the initial guess of the problem, or NaN if it was not computed.
    pub(super) fn error_of_guess(&self) -> f64 {
        self.error_of_guess
    }

    /// Reserves memory for the reactions of a problem.
    pub(super) fn reserve(&mut self, problem: &ContactProblem<'_>) {
        self.solver.reserve(problem.size());
    }

    /// Runs at most `most` sweeps.
    pub(super) fn run(
        &mut self,
        problem: &ContactProblem<'_>,
        most: usize,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let mut total = 0;
        // Sweeps that ignore the prediction end when they have used their share of the effort.
        let is_share = self.least > 0.0;
        let info = loop {
            self.solver.set_budget(&Budget::of(self.next.min(self.until_told(total)).min(most - total), 0.0));
            if self.resumes {
                self.solver.resume();
            }
            let info = self.solver.solve(problem, r, u)?;
            if self.swept == 0 {
                self.error_of_guess = self.solver.error_of_guess();
            }
            if total == 0 {
                self.best.begin(r, info.error);
            } else {
                self.best.offer(r, info.error);
            }
            total += info.iterations;
            self.swept += info.iterations;
            if !self.resumes {
                (self.error_of_first, self.least_error) = (info.error, info.error);
            }
            self.least_error = self.least_error.min(info.error);
            // Sweeps cannot continue from an iterate that no longer changes or is not finite.
            self.resumes = info.status == Status::MaxIterations;
            self.next = self.next.saturating_mul(2);
            let decay = (info.error / self.before).ln() / info.iterations.max(1) as f64;
            if !self.before.is_nan() {
                let expected = (self.tolerance / info.error).ln() / decay;
                let is_expected = decay < 0.0 && info.error > self.tolerance;
                self.expected = if is_expected { expected } else { f64::INFINITY };
            }
            let is_judged = is_share || !self.before.is_nan();
            let is_hopeless = is_judged && total as f64 >= self.least && !self.would_end_within(self.reach);
            let is_over =
                info.status != Status::MaxIterations || total >= most || cancellation::is_cancelled();
            self.before = info.error;
            if is_over || is_hopeless {
                break info;
            }
        };
        if info.status.is_success() || info.status == Status::NoSolution {
            return Ok(SolveInfo { iterations: total, ..info });
        }
        self.best.put_back(r);
        let stop = Stop { status: info.status, iterations: total };
        Ok(conclude(problem, r, u, self.tolerance, stop, &mut self.terms))
    }
}

impl Stage for StagedSweeps {
    fn set_budget(&mut self, budget: &Budget) {
        self.most = budget.iterations;
    }
}

impl Solver for StagedSweeps {
    type Class = Contact;

    fn name(&self) -> &'static str {
        self.solver.name()
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.tolerance, max_iterations: self.most }
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.run(problem, self.most, r, u)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::ContactLaw;
    use crate::contact::hyperstatic::hyperstatic;

    #[test]
    fn a_share_is_left_while_the_error_falls() {
        let after = |error_of_first, least_error| StagedSweeps {
            error_of_first,
            least_error,
            swept: 1600,
            ..StagedSweeps::of_checked(1e-2)
        };
        assert_eq!(after(1.0, 0.1).left_of_share(5000.0), 5000.0 - 2.0 * 1600.0);
        // The 15 sweeps that are left are fewer than a batch.
        assert_eq!(after(1.0, 0.1).left_of_share(3215.0), 0.0);
        for (first, least) in [(1.0, 1.0), (f64::NAN, 0.1), (1.0, f64::NAN)] {
            assert_eq!(after(first, least).left_of_share(1e12), 0.0, "{first:?}, {least:?}");
        }
    }

    #[test]
    fn turns_go_on_where_the_last_one_ended_and_make_no_more_than_their_share() {
        let mu: Vec<f64> = (0..20).map(|i| 0.3 + 0.02 * f64::from(i)).collect();
        let law = ContactLaw::Coulomb { dimension: 3, mu: &mu };
        let (w, q) = hyperstatic(&law);
        let problem = ContactProblem::new(&w, &q, law).expect("the parts fit");
        let (mut r, mut u) = (vec![0.0; q.len()], vec![0.0; q.len()]);
        let mut sweeps = StagedSweeps::of_checked(1e-300);
        sweeps.begin(40.0);
        let first = sweeps.run(&problem, 10_000, &mut r, &mut u).expect("the data fit");
        assert_eq!((first.status, first.iterations), (Status::MaxIterations, 48));
        for share in [3.0, 100.0, 1000.0] {
            let before = sweeps.swept;
            sweeps.resume(Resumed::For(share));
            let info = sweeps.run(&problem, 10_000, &mut r, &mut u).expect("the data fit");
            assert_eq!(sweeps.swept, before + info.iterations);
            let made = info.iterations as f64;
            assert!(made >= share && made <= share + FIRST_STAGE as f64, "{share}: {made}");
            assert!(info.error <= first.error, "{info:?}, {first:?}");
        }
        // The sweeps continue from their own iterate unless another method has found a better one.
        sweeps.follow(sweeps.least_error);
        assert!(sweeps.resumes);
        sweeps.follow(0.5 * sweeps.least_error);
        assert!(!sweeps.resumes);
        // A new problem restarts the sweeps.
        sweeps.begin(40.0);
        r.fill(0.0);
        assert_eq!(sweeps.run(&problem, 10_000, &mut r, &mut u).expect("the data fit"), first);
    }
}
