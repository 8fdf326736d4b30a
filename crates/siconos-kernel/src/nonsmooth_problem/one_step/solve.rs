//! Solution of the problems of all islands, in one thread or several, with identical results.

use siconos_numerics::{ProblemError, SolveInfo, SolverError, Status};

use super::super::solvers::Solvers;
use super::super::table_entries::{BlockIndex, UnitaryIndex};
use super::{Assembly, OneStepNonSmoothProblem, Problem, RowProblem};
use crate::index::RowIndex;
use crate::integrator::Response;
use crate::model::{At, ModelError, RelationId};
use crate::threads::Threads;

/// Result for a problem that has not been solved, or that has no unknowns.
pub(crate) const NOTHING_TO_SOLVE: SolveInfo =
    SolveInfo { status: Status::Converged, iterations: 0, error: 0.0 };

impl OneStepNonSmoothProblem {
    /// Solves the problems of all islands except frozen islands, for which `is_held` returns `true`. Writes z
    /// and w for each row of the model; the rows of frozen islands keep their values. For each row, `vectors`
    /// receives the row and its current entry of `z`, and returns the constant term and the initial guess of
    /// the row. Returns the [combined](together) result of all problems, or the first error in the order of
    /// the islands.
    pub(crate) fn solve(
        &mut self,
        threads: &Threads,
        is_held: impl Fn(BlockIndex) -> bool,
        vectors: impl Fn(RowIndex, f64) -> (f64, f64) + Copy + Sync,
        (z, w): (&mut [f64], &mut [f64]),
    ) -> Result<SolveInfo, SolverError> {
        self.solve_coupled(threads, &is_held, vectors, z);
        let Self { solvers, islands, problems, unsolved, .. } = self;
        unsolved.clear();
        let mut all = NOTHING_TO_SOLVE;
        for &place in islands.active().iter().filter(|&&place| !is_held(place)) {
            let problem = &mut problems[place];
            let info = match problem {
                Problem { row: Some(problem), .. } => problem.solve(vectors, (z, w))?,
                Problem { mixed: Some(problem), .. } => {
                    problem.solve(solvers.at_mut(problem.solver), vectors, (z, w))?
                }
                Problem { coupled: Some(problem), .. } => problem.take_solution((z, w))?,
                Problem { coupled: None, .. } => continue,
            };
            problem.error = info.error;
            if !info.status.is_success() {
                unsolved.push(place);
            }
            all = together(all, info);
        }
        Ok(all)
    }

    /// Replaces the members, computes their matrices, and solves their problems as [`solve`](Self::solve)
    /// does.
    pub(crate) fn solve_over(
        &mut self,
        from: Assembly<'_, impl Response + Send>,
        members: &[UnitaryIndex],
        (begin, end): (At<'_>, At<'_>),
        vectors: impl Fn(RowIndex, f64) -> (f64, f64) + Copy + Sync,
        (z, w): (&mut [f64], &mut [f64]),
    ) -> Result<SolveInfo, Unsolved> {
        let Assembly { tables, threads, h, .. } = from;
        self.set_members(tables, members);
        self.assemble(from, false, |_| false);
        self.describe_laws(tables, begin, end, h).map_err(|(id, source)| Unsolved::Bounds(id, source))?;
        self.solve(threads, |_| false, vectors, (z, w)).map_err(Unsolved::Solver)
    }

    /// Solves the problems that need a solver. Each problem keeps its solution.
    ///
    /// Automatic solvers keep no data between problems, so each thread has its own solvers. A solver of the
    /// user runs in one thread.
    fn solve_coupled(
        &mut self,
        threads: &Threads,
        is_held: &impl Fn(BlockIndex) -> bool,
        vectors: impl Fn(RowIndex, f64) -> (f64, f64) + Copy + Sync,
        z: &[f64],
    ) {
        let Self { solvers, of_threads, islands, problems, coupled, .. } = self;
        let needs_solver = |&place: &BlockIndex| {
            !is_held(place)
                && matches!(problems[place], Problem { row: None, mixed: None, coupled: Some(_), .. })
        };
        coupled.clear();
        coupled.extend(islands.active().iter().copied().filter(needs_solver));
        let work = |solvers: &mut Solvers, problem: &mut Problem| {
            if let Some(problem) = &mut problem.coupled {
                problem.gather(vectors, z);
                problem.solve(solvers.at_mut(problem.solver));
            }
        };
        if threads.count() == 1 || !solvers.is_automatic() {
            return coupled.iter().for_each(|&place| work(solvers, &mut problems[place]));
        }
        coupled.sort_unstable();
        of_threads.resize_with(threads.count(), Solvers::default);
        of_threads.iter_mut().for_each(|own| own.take_after(solvers));
        threads.each_with(of_threads, problems, coupled, work);
    }
}

/// Reason why a problem was not solved.
#[derive(Debug)]
pub(crate) enum Unsolved {
    Bounds(RelationId, ModelError),
    Solver(SolverError),
}

impl RowProblem {
    #[inline(always)]
    fn solve(
        &mut self,
        vectors: impl Fn(RowIndex, f64) -> (f64, f64),
        (z, w): (&mut [f64], &mut [f64]),
    ) -> Result<SolveInfo, SolverError> {
        let row = self.row.index();
        let (value, _) = vectors(self.row, z[row]);
        self.q = value;
        if !value.is_finite() {
            return Err(ProblemError::NotFinite { what: "q", index: 0, value }.into());
        }
        (z[row], w[row]) = if value < 0.0 { (-value / self.m, 0.0) } else { (0.0, value) };
        Ok(NOTHING_TO_SOLVE)
    }
}

/// Combines two results: the sum of the iterations, the largest error, and the first unsuccessful status.
#[inline(always)]
pub(crate) fn together(mut all: SolveInfo, info: SolveInfo) -> SolveInfo {
    if all.status == Status::Converged || (all.status.is_success() && !info.status.is_success()) {
        all.status = info.status;
    }
    all.iterations += info.iterations;
    // NaN counts as the largest error.
    if info.error.is_nan() || info.error > all.error {
        all.error = info.error;
    }
    all
}
