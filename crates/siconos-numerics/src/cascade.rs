//! Solver cascade, which is the loop of every `Auto` solver. It tries methods one after the other, counts
//! their effort, and keeps the best point.
//!
//! Each class decides which methods are tried, in which order, and from which point. An attempt proceeds in
//! the same way for all classes. The cascade ends with the first solution, or with the first proof that no
//! solution exists. Otherwise it returns the point with the smallest error among all points, including the
//! initial guess. The status is then `EffortSpent` if the limit on effort stopped or skipped a method, and
//! `NotFound` if not.

use siconos_linalg::MatrixRef;
use siconos_linalg::cost::{MatrixCost, factorisation};

use crate::cancellation;
use crate::effort::{Effort, EffortLimit};
use crate::info::{Attempt, SolveInfo, Status};
use crate::method::{Class, Solver};

/// Solver as a stage of a cascade.
pub(crate) trait Stage: Solver {
    /// Sets the budget of the next call of `solve`.
    fn set_budget(&mut self, budget: &Budget);

    /// Returns the number of operations of a solve that ended with `info`.
    fn effort(
        &self,
        _problem: &<Self::Class as Class>::Problem<'_>,
        info: &SolveInfo,
        budget: &Budget,
    ) -> f64 {
        budget.cost * info.iterations.max(1) as f64
    }
}

/// Starting point of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// Initial guess of the user.
    Guess,
    /// Best point so far, which is the initial guess if no method has found a better one.
    Best,
    /// Zero.
    Zero,
    /// Current content of z and w, set by the caller.
    Here,
}

/// Settings of one attempt.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AttemptSettings {
    /// Reason for the attempt, in a few words.
    pub(crate) why: &'static str,
    pub(crate) start: Start,
    /// Number of operations per iteration.
    pub(crate) cost: f64,
    /// Maximum number of iterations of the method if effort were not limited.
    pub(crate) most: usize,
}

/// Point z with its vector w.
#[derive(Clone, Debug, Default)]
struct PointWithImage {
    z: Vec<f64>,
    w: Vec<f64>,
}

impl PointWithImage {
    fn keep(&mut self, z: &[f64], w: &[f64]) {
        self.z.clear();
        self.z.extend_from_slice(z);
        self.w.clear();
        self.w.extend_from_slice(w);
    }

    fn copy_to(&self, z: &mut [f64], w: &mut [f64]) {
        z.copy_from_slice(&self.z);
        w.copy_from_slice(&self.w);
    }
}

/// State of the attempts on one problem.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cascade {
    trace: Vec<Attempt>,
    limit: EffortLimit,
    effort: Effort,
    /// Cost of operations with the matrix, counted after the first attempt. The first attempt uses an
    /// estimate.
    matrix_cost: Option<MatrixCost>,
    /// `true` if the limit on effort has stopped or skipped a method.
    is_cut: bool,
    guess: PointWithImage,
    best: PointWithImage,
    /// Smallest error computed so far; NaN if no error has been computed.
    least_error: f64,
}

/// Budget of a method.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// Maximum number of iterations of the method.
    pub(crate) iterations: usize,
    /// Number of operations per iteration.
    pub(crate) cost: f64,
    /// Maximum total number of operations, for a method whose iterations differ in cost.
    pub(crate) operations: f64,
    /// Maximum number of iterations of the method if effort were not limited.
    pub(crate) most: usize,
}

impl Budget {
    /// Returns `true` if the limit on effort reduces the number of iterations.
    pub(crate) fn is_cut(&self) -> bool {
        self.iterations < self.most
    }

    /// Creates a budget of `iterations` iterations that the limit on effort does not reduce.
    pub(crate) fn of(iterations: usize, cost: f64) -> Self {
        Self { iterations, cost, operations: f64::INFINITY, most: iterations }
    }
}

impl Cascade {
    /// Starts a new problem, with no effort spent. Call [`limit`](Self::limit) to set the budget.
    pub(crate) fn begin(&mut self) {
        self.trace.clear();
        self.matrix_cost = None;
        self.is_cut = false;
    }

    /// Sets the initial guess, from which the methods are tried one after the other. `error` is its error;
    /// NaN if it has not been computed.
    pub(crate) fn begin_search(&mut self, z: &[f64], w: &[f64], error: f64) {
        self.guess.keep(z, w);
        self.best.keep(z, w);
        self.least_error = error;
    }

    /// Returns `true` if the error of at least one point has been computed.
    pub(crate) fn has_best(&self) -> bool {
        self.least_error.is_finite()
    }

    /// Returns the smallest error that has been computed; NaN if there is none.
    pub(crate) fn least_error(&self) -> f64 {
        self.least_error
    }

    /// Runs a method with half of the remaining effort. Returns the result, with the number of iterations of
    /// the whole cascade, if it is a solution or a proof that no solution exists. Returns `None` if the
    /// cascade continues.
    pub(crate) fn attempt<C: Class>(
        &mut self,
        plan: AttemptSettings,
        link: &mut dyn Stage<Class = C>,
        problem: &C::Problem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Option<SolveInfo> {
        self.attempt_after(0.0, plan, link, problem, z, w)
    }

    /// Runs an [`attempt`](Self::attempt) of a method that spends `once` operations before its first
    /// iteration.
    pub(crate) fn attempt_after<C: Class>(
        &mut self,
        once: f64,
        plan: AttemptSettings,
        link: &mut dyn Stage<Class = C>,
        problem: &C::Problem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Option<SolveInfo> {
        if link.supports(problem).is_err() {
            return None;
        }
        let budget = self.allow_after(once, plan.cost, plan.most)?;
        self.place(plan.start, z, w);
        link.set_budget(&budget);
        let method = link.name();
        let info = link.solve(problem, z, w).unwrap_or_else(|error| {
            tracing::debug!(method, %error, "broke down");
            SolveInfo { status: Status::Breakdown, iterations: 0, error: f64::NAN }
        });
        self.note_limit(&info, &budget);
        self.note_effort(method, plan.why, info, once + link.effort(problem, &info, &budget));
        self.decide(info, z, w)
    }

    /// Copies the starting point to z and w.
    pub(crate) fn place(&self, start: Start, z: &mut [f64], w: &mut [f64]) {
        match start {
            Start::Guess => self.guess.copy_to(z, w),
            Start::Best => self.best.copy_to(z, w),
            Start::Zero => z.fill(0.0),
            Start::Here => {}
        }
    }

    /// Returns the result if the attempt ends the cascade. Otherwise keeps the point of the attempt if it is
    /// the best so far.
    fn decide(&mut self, info: SolveInfo, z: &[f64], w: &[f64]) -> Option<SolveInfo> {
        if info.status.is_success() || info.status == Status::NoSolution {
            return Some(SolveInfo { iterations: self.iterations(), ..info });
        }
        if info.error < self.least_error || (self.least_error.is_nan() && info.error.is_finite()) {
            self.least_error = info.error;
            self.best.keep(z, w);
        }
        None
    }

    /// Ends a cascade that found no solution, and writes the best point to z and w.
    pub(crate) fn finish<C: Class>(
        &mut self,
        problem: &C::Problem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> SolveInfo {
        self.guess.copy_to(z, w);
        let of_guess = C::error_of_point(problem, z, w);
        let error = if self.has_best() && (self.least_error < of_guess || of_guess.is_nan()) {
            self.best.copy_to(z, w);
            self.least_error
        } else {
            of_guess
        };
        let status =
            if self.is_cut || cancellation::is_cancelled() { Status::EffortSpent } else { Status::NotFound };
        SolveInfo { status, iterations: self.iterations(), error }
    }

    /// Sets the budget from the cost of factorising `m`. The operations already spent on this problem are
    /// subtracted.
    pub(crate) fn limit(&mut self, limit: &EffortLimit, m: MatrixRef<'_>) {
        self.limit_by(limit, factorisation(m));
    }

    /// Sets the budget from the cost of a factorisation. The operations already spent on this problem are
    /// subtracted.
    pub(crate) fn limit_by(&mut self, limit: &EffortLimit, factorisation: f64) {
        self.limit = *limit;
        self.effort = limit.of_cost(factorisation);
        self.effort.spend(self.spent());
    }

    /// Returns the costs, in operations, of the building blocks of methods, such as a factorisation of the
    /// problem matrix or a product with it. The first attempt uses an estimate, because the first attempt is
    /// usually the only one in a simulation and can take less time than counting. Later attempts use the
    /// exact count.
    pub(crate) fn matrix_cost(&mut self, m: MatrixRef<'_>) -> MatrixCost {
        if self.trace.is_empty() {
            return MatrixCost::estimate(m);
        }
        let cost = *self.matrix_cost.get_or_insert_with(|| MatrixCost::count(m));
        self.effort.raise(&self.limit, cost.factorisation);
        cost
    }

    /// Returns `true` if `operations` operations are left. Otherwise records that the limit on effort has cut
    /// the search short.
    pub(crate) fn affords(&mut self, operations: f64) -> bool {
        let affords = operations <= self.effort.left() && !cancellation::is_cancelled();
        self.is_cut |= !affords;
        affords
    }

    /// Returns the budget of a method whose iterations have this cost and which makes at most `most`
    /// iterations. The budget is half of the remaining effort; the other half is left for other methods.
    /// Returns `None` if the budget does not cover one iteration.
    pub(crate) fn allow(&mut self, cost: f64, most: usize) -> Option<Budget> {
        self.allow_after(0.0, cost, most)
    }

    fn allow_after(&mut self, once: f64, cost: f64, most: usize) -> Option<Budget> {
        let mut half = self.effort.half_of_what_is_left();
        half.spend(once);
        let iterations = half.iterations(cost, most);
        if cancellation::is_cancelled() || (iterations == 0 && most > 0) {
            self.is_cut = true;
            return None;
        }
        Some(Budget { iterations, cost, operations: half.left(), most })
    }

    /// If `info` shows that an attempt was stopped by the effort limit, records this.
    pub(crate) fn note_limit(&mut self, info: &SolveInfo, budget: &Budget) {
        let had_all = info.iterations >= budget.iterations;
        self.is_cut |= budget.is_cut() && had_all && info.status == Status::MaxIterations;
    }

    /// Records an attempt that cost `effort` operations. Called directly for attempts without a budget, or
    /// with a separate budget.
    pub(crate) fn note_effort(
        &mut self,
        method: &'static str,
        why: &'static str,
        info: SolveInfo,
        effort: f64,
    ) {
        self.is_cut |= info.status == Status::EffortSpent;
        self.effort.spend(effort);
        self.trace.push(Attempt { method, why, info, effort });
        tracing::debug!(method, why, status = %info.status, error = info.error, effort, "one method of a cascade");
    }

    /// Returns the remaining effort, as a limit for a method that counts its own effort.
    pub(crate) fn left(&self) -> EffortLimit {
        EffortLimit::of_operations(self.effort.left().max(f64::MIN_POSITIVE))
    }

    /// Returns the number of operations of all attempts on this problem.
    pub(crate) fn spent(&self) -> f64 {
        self.trace.iter().map(|attempt| attempt.effort).sum()
    }

    /// Returns the number of iterations of all attempts on this problem.
    pub(crate) fn iterations(&self) -> usize {
        self.trace.iter().map(|attempt| attempt.info.iterations).sum()
    }

    pub(crate) fn trace(&self) -> &[Attempt] {
        &self.trace
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{Contact, ContactLaw, ContactProblem};
    use crate::error::SolverError;
    use crate::method::Limits;

    /// Method that uses up its iterations without progress.
    #[derive(Debug, Default)]
    struct Idle {
        iterations: usize,
    }

    impl Solver for Idle {
        type Class = Contact;

        fn name(&self) -> &'static str {
            "idle"
        }

        fn limits(&self) -> Limits {
            Limits { tolerance: 1e-8, max_iterations: self.iterations }
        }

        fn solve(
            &mut self,
            _: &ContactProblem<'_>,
            _: &mut [f64],
            _: &mut [f64],
        ) -> Result<SolveInfo, SolverError> {
            Ok(SolveInfo { status: Status::MaxIterations, iterations: self.iterations, error: 1.0 })
        }
    }

    impl Stage for Idle {
        fn set_budget(&mut self, budget: &Budget) {
            self.iterations = budget.iterations;
        }
    }

    #[test]
    fn what_comes_before_the_first_iteration_is_within_the_half_and_is_paid() {
        let (w, mu) = (ndarray::Array2::eye(2), [0.5]);
        let problem = ContactProblem::new(&w, &[-1.0, 0.0], ContactLaw::Coulomb { dimension: 2, mu: &mu });
        let problem = problem.expect("shapes fit");
        let (mut r, mut u) = ([0.0; 2], [0.0; 2]);
        let mut cascade = Cascade::default();
        cascade.begin();
        cascade.limit_by(&EffortLimit::of_operations(100.0), 0.0);
        cascade.begin_search(&r, &u, 1.0);
        let plan = AttemptSettings { why: "a test", start: Start::Best, cost: 10.0, most: 50 };
        let mut attempt = |cascade: &mut Cascade, once: f64| {
            cascade.attempt_after(once, plan, &mut Idle::default(), &problem, &mut r, &mut u)
        };
        assert!(attempt(&mut cascade, 20.0).is_none());
        // The attempt spends 20 of its 50 operations before the first iteration, and 30 in 3 iterations.
        assert_eq!((cascade.iterations(), cascade.trace()[0].effort, cascade.spent()), (3, 50.0, 50.0));
        // The next budget is half of the remaining 50 operations, which is 25. After 20 operations before the
        // first iteration, 5 are left, which is less than one iteration.
        assert!(attempt(&mut cascade, 20.0).is_none());
        assert_eq!(cascade.trace().len(), 1);
        assert_eq!(
            cascade.finish::<Contact>(&problem, &mut [0.0; 2], &mut [0.0; 2]).status,
            Status::EffortSpent
        );
    }
}
