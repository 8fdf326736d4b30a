//! What an automatic choice keeps while it tries one method after the other: the trace, and the account of its effort.

use crate::effort::{Effort, EffortLimit, factorisation};
use crate::info::{Attempt, SolveInfo, Status};
use crate::linalg::MatrixRef;

/// The attempts on one problem.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chain {
    trace: Vec<Attempt>,
    effort: Effort,
    /// Whether the limit on effort has cut a method short, or left one out.
    is_cut: bool,
}

/// What a method may do, from [`Chain::allow`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    /// Iterations that it may make.
    pub(crate) iterations: usize,
    /// Operations of one of them.
    cost: f64,
    /// Iterations that it would have made without a limit on effort.
    most: usize,
    /// Operations beside those of its iterations.
    pub(crate) extra: f64,
}

impl Chain {
    /// Begins with another problem, nothing spent. What effort may be spent is set by [`limit`](Self::limit).
    pub(crate) fn begin(&mut self) {
        self.trace.clear();
        self.is_cut = false;
    }

    /// Opens the account of the problem with this matrix; what was tried before counts.
    pub(crate) fn limit(&mut self, limit: &EffortLimit, m: MatrixRef<'_>) {
        self.limit_by(limit, factorisation(m));
    }

    /// The same for a problem with a factorisation of this cost.
    pub(crate) fn limit_by(&mut self, limit: &EffortLimit, factorisation: f64) {
        self.effort = limit.of_cost(factorisation);
        self.effort.spend(self.trace.iter().map(|attempt| attempt.effort).sum());
    }

    /// What a method may do that wants to make `most` iterations of this cost: it gets half of the effort that is left, so
    /// that others have their turn. Nothing when that is not one iteration.
    pub(crate) fn allow(&mut self, cost: f64, most: usize) -> Option<Allowance> {
        let iterations = self.effort.half_of_what_is_left().iterations(cost, most);
        if iterations == 0 && most > 0 {
            self.is_cut = true;
            return None;
        }
        Some(Allowance { iterations, cost, most, extra: 0.0 })
    }

    /// Notes an attempt that was [allowed](Self::allow).
    pub(crate) fn note(
        &mut self,
        method: &'static str,
        why: &'static str,
        info: SolveInfo,
        allowance: Allowance,
    ) {
        self.note_limit(&info, &allowance);
        let effort = allowance.cost * info.iterations.max(1) as f64 + allowance.extra;
        self.note_effort(method, why, info, effort);
    }

    /// Notes whether it was the limit on effort that ended an attempt.
    pub(crate) fn note_limit(&mut self, info: &SolveInfo, allowance: &Allowance) {
        let had_all = info.iterations >= allowance.iterations;
        self.is_cut |=
            allowance.iterations < allowance.most && had_all && info.status == Status::MaxIterations;
    }

    /// Notes an attempt that asked for nothing, or keeps an account of its own, and has cost so many operations.
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
        let left = self.effort.limit() - self.effort.spent();
        EffortLimit { operations: left.max(f64::MIN_POSITIVE), factorisations: 0.0 }
    }

    /// What all attempts have cost.
    pub(crate) fn spent(&self) -> f64 {
        self.effort.spent()
    }

    /// The iterations of all attempts.
    pub(crate) fn iterations(&self) -> usize {
        self.trace.iter().map(|attempt| attempt.info.iterations).sum()
    }

    /// How a chain ends that has not found a solution.
    pub(crate) fn status_at_its_end(&self) -> Status {
        if self.is_cut { Status::EffortSpent } else { Status::NotFound }
    }

    pub(crate) fn trace(&self) -> &[Attempt] {
        &self.trace
    }
}
