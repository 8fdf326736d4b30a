//! Sweeps of Gauss-Seidel for as long as their decay promises an end.

use crate::chain::{Allowance, Link};
use crate::contact::{Contact, ContactProblem, NonsmoothGaussSeidel};
use crate::error::SolverError;
use crate::info::{SolveInfo, Status};
use crate::method::{Limits, Solver};
use crate::watch;

/// Sweeps in stages, each with twice as many as the one before. After each but the first the decay of the
/// error is extrapolated; they end where more sweeps would be needed than are within reach.
#[derive(Debug)]
pub(super) struct StagedSweeps {
    solver: NonsmoothGaussSeidel,
    tolerance: f64,
    /// Further sweeps that may be expected, and sweeps that are made where not far more are expected.
    reach: f64,
    least: f64,
    /// Sweeps of the next stage.
    next: usize,
    /// Sweeps that were expected at the end.
    expected: f64,
    /// How many one solve may make.
    most: usize,
}

/// Where more than that many times the reach is expected, the first sweeps tell enough.
const FAR: f64 = 4.0;

/// Sweeps of the first stage.
const FIRST_STAGE: usize = 16;

impl StagedSweeps {
    /// With a tolerance in its range.
    pub(super) fn of_checked(tolerance: f64) -> Self {
        let mut solver = NonsmoothGaussSeidel::default();
        solver.set_tolerance(tolerance);
        Self {
            solver,
            tolerance,
            reach: f64::INFINITY,
            least: 0.0,
            next: FIRST_STAGE,
            expected: f64::INFINITY,
            most: 0,
        }
    }

    /// The solver itself, for sweeps whose decay is not looked at.
    pub(super) fn solver(&mut self) -> &mut NonsmoothGaussSeidel {
        &mut self.solver
    }

    /// Begins with another problem, of which so many further sweeps may be expected, and so many are made
    /// where not far more are expected.
    pub(super) fn begin(&mut self, reach: f64, least: f64) {
        (self.reach, self.least) = (reach, least);
        (self.next, self.expected) = (FIRST_STAGE, f64::INFINITY);
    }

    /// Lets more sweeps be expected of the same problem. The first stage of another turn is no longer than
    /// what is expected, and no shorter than that of the first.
    pub(super) fn go_on(&mut self, reach: f64) {
        // A conversion saturates.
        let expected = self.expected.ceil() as usize;
        (self.reach, self.least) = (reach, 0.0);
        self.next = self.next.min(expected).max(FIRST_STAGE);
        self.expected = f64::INFINITY;
    }

    /// Whether the last stage has promised an end within so many sweeps.
    pub(super) fn would_end_within(&self, sweeps: f64) -> bool {
        self.expected <= sweeps
    }

    /// The sweeps that are left, after so many, of those that are made before the decay is judged.
    fn until_told(&self, total: usize) -> usize {
        match (self.least.ceil() as usize).saturating_sub(total) {
            0 => usize::MAX,
            few => few.max(FIRST_STAGE),
        }
    }

    /// So many sweeps at most.
    pub(super) fn run(
        &mut self,
        problem: &ContactProblem<'_>,
        most: usize,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let (mut total, mut before) = (0, f64::NAN);
        loop {
            self.solver.lend(&Allowance::of(self.next.min(self.until_told(total)).min(most - total), 0.0));
            let info = self.solver.solve(problem, r, u)?;
            total += info.iterations;
            self.next = self.next.saturating_mul(2);
            let decay = (info.error / before).ln() / info.iterations.max(1) as f64;
            let is_judged = !before.is_nan();
            if is_judged {
                let expected = (self.tolerance / info.error).ln() / decay;
                self.expected = if decay < 0.0 { expected } else { f64::INFINITY };
            }
            let is_told = total as f64 >= self.least || !self.would_end_within(FAR * self.reach);
            let is_hopeless = is_judged && is_told && !self.would_end_within(self.reach);
            let is_over = info.status != Status::MaxIterations || total >= most || watch::is_stopped();
            if is_over || is_hopeless {
                return Ok(SolveInfo { iterations: total, ..info });
            }
            before = info.error;
        }
    }
}

impl Link for StagedSweeps {
    fn lend(&mut self, allowance: &Allowance) {
        self.most = allowance.iterations;
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
