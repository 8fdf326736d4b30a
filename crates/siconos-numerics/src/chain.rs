//! The loop of every automatic choice: methods in turn, an account of their effort, the best of their points.
//!
//! Each class decides what is tried, in which order, and from where; what happens at an attempt is the same
//! for all. The first solution ends a chain, and so does a proof that there is none. A chain that ends
//! without either returns the point with the least error, that of the guess included, and says `NotFound`, or
//! `EffortSpent` where the limit on effort has cut a method short.

use siconos_linalg::MatrixRef;
use siconos_linalg::cost::{MatrixCost, factorisation};

use crate::effort::{Effort, EffortLimit};
use crate::info::{Attempt, SolveInfo, Status};
use crate::method::{Class, Solver};
use crate::watch;

/// A solver as a chain uses it.
pub(crate) trait Link: Solver {
    /// Sets how far the next solve may go.
    fn lend(&mut self, allowance: &Allowance);

    /// The operations of a solve that has ended like this.
    fn effort(
        &self,
        _problem: &<Self::Class as Class>::Problem<'_>,
        info: &SolveInfo,
        allowance: &Allowance,
    ) -> f64 {
        allowance.cost * info.iterations.max(1) as f64
    }
}

/// Where an attempt begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// At the guess of the user.
    Guess,
    /// At the best point so far; the guess where nothing is better.
    Best,
    /// At zero.
    Zero,
    /// Where the caller has put it.
    Here,
}

/// One attempt.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Why the method is tried, in a few words.
    pub(crate) why: &'static str,
    pub(crate) start: Start,
    /// Operations of one iteration.
    pub(crate) cost: f64,
    /// Iterations that it gets where effort sets no limit.
    pub(crate) most: usize,
}

/// A point with what belongs to it.
#[derive(Clone, Debug, Default)]
struct Point {
    z: Vec<f64>,
    w: Vec<f64>,
}

impl Point {
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

/// The attempts on one problem.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chain {
    trace: Vec<Attempt>,
    limit: EffortLimit,
    effort: Effort,
    /// Counted after the first attempt, which an estimate is enough for.
    matrix_cost: Option<MatrixCost>,
    /// Whether the limit on effort has cut a method short, or left one out.
    is_cut: bool,
    guess: Point,
    best: Point,
    /// NaN where nothing has been measured.
    least_error: f64,
}

/// What a method may do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    /// Iterations that it may make.
    pub(crate) iterations: usize,
    /// Operations of one of them.
    pub(crate) cost: f64,
    /// Operations that it may spend in all: for a method whose iterations differ in cost.
    pub(crate) operations: f64,
    /// Iterations that it would have made without a limit on effort.
    pub(crate) most: usize,
}

impl Allowance {
    /// Whether the method gets fewer iterations than it wants.
    pub(crate) fn is_cut(&self) -> bool {
        self.iterations < self.most
    }

    /// For a method that gets all the iterations that it wants.
    pub(crate) fn of(iterations: usize, cost: f64) -> Self {
        Self { iterations, cost, operations: f64::INFINITY, most: iterations }
    }
}

impl Chain {
    /// Begins with another problem, nothing spent. What effort may be spent is set by [`limit`](Self::limit).
    pub(crate) fn begin(&mut self) {
        self.trace.clear();
        self.matrix_cost = None;
        self.is_cut = false;
    }

    /// Begins to try methods in turn from a guess with this error, NaN where nobody has measured it.
    pub(crate) fn begin_search(&mut self, z: &[f64], w: &[f64], error: f64) {
        self.guess.keep(z, w);
        self.best.keep(z, w);
        self.least_error = error;
    }

    /// Whether any point has been measured.
    pub(crate) fn has_best(&self) -> bool {
        self.least_error.is_finite()
    }

    /// The least error that has been measured; NaN where none was.
    pub(crate) fn least_error(&self) -> f64 {
        self.least_error
    }

    /// Lends a method half of the effort that is left and runs it. The solution, or the proof that there is
    /// none, with the iterations of the whole chain; `None` to go on.
    pub(crate) fn attempt<C: Class>(
        &mut self,
        plan: Plan,
        link: &mut dyn Link<Class = C>,
        problem: &C::Problem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Option<SolveInfo> {
        self.attempt_after(0.0, plan, link, problem, z, w)
    }

    /// An [`attempt`](Self::attempt) by a method that spends so many operations before its first iteration.
    pub(crate) fn attempt_after<C: Class>(
        &mut self,
        once: f64,
        plan: Plan,
        link: &mut dyn Link<Class = C>,
        problem: &C::Problem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Option<SolveInfo> {
        if link.supports(problem).is_err() {
            return None;
        }
        let allowance = self.allow_after(once, plan.cost, plan.most)?;
        self.place(plan.start, z, w);
        link.lend(&allowance);
        let method = link.name();
        let info = link.solve(problem, z, w).unwrap_or_else(|error| {
            tracing::debug!(method, %error, "broke down");
            SolveInfo { status: Status::Breakdown, iterations: 0, error: f64::NAN }
        });
        self.note_limit(&info, &allowance);
        self.note_effort(method, plan.why, info, once + link.effort(problem, &info, &allowance));
        self.decide(info, z, w)
    }

    /// Puts the point of a start in place.
    pub(crate) fn place(&self, start: Start, z: &mut [f64], w: &mut [f64]) {
        match start {
            Start::Guess => self.guess.copy_to(z, w),
            Start::Best => self.best.copy_to(z, w),
            Start::Zero => z.fill(0.0),
            Start::Here => {}
        }
    }

    /// Whether an attempt ends the chain; if not, its point is kept when it is the best.
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

    /// Ends a chain that has found nothing, at the best point.
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
        let status = if self.is_cut || watch::is_stopped() { Status::EffortSpent } else { Status::NotFound };
        SolveInfo { status, iterations: self.iterations(), error }
    }

    /// Opens the account of the problem with this matrix; what was tried before counts.
    pub(crate) fn limit(&mut self, limit: &EffortLimit, m: MatrixRef<'_>) {
        self.limit_by(limit, factorisation(m));
    }

    /// Opens the account of a problem with a factorisation of this cost.
    pub(crate) fn limit_by(&mut self, limit: &EffortLimit, factorisation: f64) {
        self.limit = *limit;
        self.effort = limit.of_cost(factorisation);
        self.effort.spend(self.spent());
    }

    /// Operations of the pieces of methods for the matrix of the problem: estimated for the first attempt,
    /// which in a simulation is mostly the last and may take less time than the count, and counted for the
    /// others.
    pub(crate) fn matrix_cost(&mut self, m: MatrixRef<'_>) -> MatrixCost {
        if self.trace.is_empty() {
            return MatrixCost::estimate(m);
        }
        let cost = *self.matrix_cost.get_or_insert_with(|| MatrixCost::count(m));
        self.effort.raise(&self.limit, cost.factorisation);
        cost
    }

    /// Returns `true` if this many operations are left; otherwise the limit has cut the search short.
    pub(crate) fn affords(&mut self, operations: f64) -> bool {
        let affords = operations <= self.effort.left() && !watch::is_stopped();
        self.is_cut |= !affords;
        affords
    }

    /// What a method may do that wants to make `most` iterations of this cost: it gets half of the effort
    /// that is left, so that others have their turn. Nothing when that is not one iteration.
    pub(crate) fn allow(&mut self, cost: f64, most: usize) -> Option<Allowance> {
        self.allow_after(0.0, cost, most)
    }

    fn allow_after(&mut self, once: f64, cost: f64, most: usize) -> Option<Allowance> {
        let mut half = self.effort.half_of_what_is_left();
        half.spend(once);
        let iterations = half.iterations(cost, most);
        if watch::is_stopped() || (iterations == 0 && most > 0) {
            self.is_cut = true;
            return None;
        }
        Some(Allowance { iterations, cost, operations: half.left(), most })
    }

    /// Notes whether it was the limit on effort that ended an attempt.
    pub(crate) fn note_limit(&mut self, info: &SolveInfo, allowance: &Allowance) {
        let had_all = info.iterations >= allowance.iterations;
        self.is_cut |= allowance.is_cut() && had_all && info.status == Status::MaxIterations;
    }

    /// Notes an attempt that asked for nothing, or keeps an account of its own, and has cost so many
    /// operations.
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
        tracing::debug!(method, why, status = %info.status, error = info.error, effort, "one method of a chain");
    }

    /// What is left of the effort, as the limit of a method that keeps an account of its own.
    pub(crate) fn left(&self) -> EffortLimit {
        EffortLimit::of_operations(self.effort.left().max(f64::MIN_POSITIVE))
    }

    /// Operations of all attempts on this problem.
    pub(crate) fn spent(&self) -> f64 {
        self.trace.iter().map(|attempt| attempt.effort).sum()
    }

    /// The iterations of all attempts.
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

    /// A method that makes all the iterations that it gets, to no end.
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

    impl Link for Idle {
        fn lend(&mut self, allowance: &Allowance) {
            self.iterations = allowance.iterations;
        }
    }

    #[test]
    fn what_comes_before_the_first_iteration_is_within_the_half_and_is_paid() {
        let (w, mu) = (ndarray::Array2::eye(2), [0.5]);
        let problem = ContactProblem::new(&w, &[-1.0, 0.0], ContactLaw::Coulomb { dimension: 2, mu: &mu });
        let problem = problem.expect("shapes fit");
        let (mut r, mut u) = ([0.0; 2], [0.0; 2]);
        let mut chain = Chain::default();
        chain.begin();
        chain.limit_by(&EffortLimit::of_operations(100.0), 0.0);
        chain.begin_search(&r, &u, 1.0);
        let plan = Plan { why: "a test", start: Start::Best, cost: 10.0, most: 50 };
        let mut attempt = |chain: &mut Chain, once: f64| {
            chain.attempt_after(once, plan, &mut Idle::default(), &problem, &mut r, &mut u)
        };
        assert!(attempt(&mut chain, 20.0).is_none());
        // 20 of 50 before, and 3 times 10.
        assert_eq!((chain.iterations(), chain.trace()[0].effort, chain.spent()), (3, 50.0, 50.0));
        // Of 25 nothing is left for an iteration.
        assert!(attempt(&mut chain, 20.0).is_none());
        assert_eq!(chain.trace().len(), 1);
        assert_eq!(
            chain.finish::<Contact>(&problem, &mut [0.0; 2], &mut [0.0; 2]).status,
            Status::EffortSpent
        );
    }
}
