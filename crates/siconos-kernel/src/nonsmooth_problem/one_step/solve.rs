//! Solving the problems of all islands, one after the other or shared by threads: the same bits.

use siconos_numerics::{ProblemError, SolveInfo, SolverError, Status};

use super::super::delassus::Blocks;
use super::super::island_problem::IslandProblem;
use super::super::solvers::Solvers;
use super::super::table_entries::BlockPlace;
use super::{OneStepNonSmoothProblem, Problem, RowProblem};
use crate::index::RowPlace;
use crate::simulation::Threads;

/// The problem of an island on its way through a thread.
#[derive(Debug)]
pub(super) struct Task {
    place: BlockPlace,
    problem: Box<IslandProblem>,
    outcome: Result<SolveInfo, SolverError>,
}

/// What is told of a problem that has not been solved, or that has no unknowns.
pub(crate) const NOTHING_TO_SOLVE: SolveInfo =
    SolveInfo { status: Status::Converged, iterations: 0, error: 0.0 };

impl OneStepNonSmoothProblem {
    /// Solves all problems but those of islands that are held, whose rows stay as they are; writes z and w by
    /// row of the model. `vectors` tells of a row, and of its z as it is, the constant part and the guess.
    /// What is told of all is put [together].
    ///
    /// Automatic solvers remember nothing from one problem to the next, so that each thread may have its own.
    pub(crate) fn solve(
        &mut self,
        threads: &Threads,
        is_held: impl Fn(BlockPlace) -> bool,
        vectors: impl Fn(RowPlace, f64) -> (f64, f64) + Copy + Sync,
        (z, w): (&mut [f64], &mut [f64]),
    ) -> Result<SolveInfo, SolverError> {
        if threads.count() > 1 && self.solvers.is_automatic() {
            self.share(threads, &is_held, vectors, z);
            return self.take_back(is_held, vectors, (z, w));
        }
        let Self { solvers, islands, problems, .. } = self;
        let mut all = NOTHING_TO_SOLVE;
        for &place in islands.active().iter().filter(|&&place| !is_held(place)) {
            let info = match &mut problems[place] {
                Problem { row: Some(problem), .. } => problem.solve(vectors, (z, w))?,
                Problem { mixed: Some(problem), .. } => {
                    problem.solve(solvers.at_mut(problem.solver), vectors, (z, w))?
                }
                Problem { coupled: Some(problem), .. } => {
                    problem.gather(vectors, z);
                    let info = problem.solve(solvers.at_mut(problem.solver))?;
                    problem.scatter((z, w));
                    info
                }
                Problem { coupled: None, .. } => continue,
            };
            all = together(all, info);
        }
        Ok(all)
    }

    /// Takes what threads have solved back from the tasks, and solves what needs no solver; the first error
    /// in the order of the islands.
    fn take_back(
        &mut self,
        is_held: impl Fn(BlockPlace) -> bool,
        vectors: impl Fn(RowPlace, f64) -> (f64, f64) + Copy,
        (z, w): (&mut [f64], &mut [f64]),
    ) -> Result<SolveInfo, SolverError> {
        let Self { solvers, islands, problems, tasks, .. } = self;
        let mut tasks = tasks.drain(..).peekable();
        let (mut all, mut failed) = (NOTHING_TO_SOLVE, None);
        for &place in islands.active().iter().filter(|&&place| !is_held(place)) {
            let Problem { row, mixed, coupled } = &mut problems[place];
            let solved = match (row, mixed, tasks.next_if(|task| task.place == place)) {
                (Some(problem), _, _) => problem.solve(vectors, (z, w)),
                (_, Some(problem), _) => problem.solve(solvers.at_mut(problem.solver), vectors, (z, w)),
                (_, _, Some(Task { problem, outcome, .. })) => {
                    problem.scatter((z, w));
                    *coupled = Some(problem);
                    outcome
                }
                (_, _, None) => continue,
            };
            match solved {
                Ok(info) => all = together(all, info),
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        failed.map_or(Ok(all), Err)
    }

    /// Solves all problems that are not held and need a solver; leaves them in the tasks.
    fn share(
        &mut self,
        threads: &Threads,
        is_held: &impl Fn(BlockPlace) -> bool,
        vectors: impl Fn(RowPlace, f64) -> (f64, f64) + Copy + Sync,
        z: &[f64],
    ) {
        let Self { solvers, of_threads, islands, problems, tasks, .. } = self;
        for &place in islands.active().iter().filter(|&&place| !is_held(place)) {
            if let Problem { row: None, mixed: None, coupled } = &mut problems[place]
                && let Some(problem) = coupled.take()
            {
                tasks.push(Task { place, problem, outcome: Ok(NOTHING_TO_SOLVE) });
            }
        }
        of_threads.resize_with(threads.count(), Solvers::default);
        let pieces = threads.cut(tasks).zip(of_threads).map(|((_, tasks), own_solvers)| {
            own_solvers.take_after(solvers);
            (tasks, own_solvers)
        });
        threads.share_all(pieces.collect(), |(tasks, solvers)| {
            for Task { problem, outcome, .. } in tasks {
                problem.gather(vectors, z);
                *outcome = problem.solve(solvers.at_mut(problem.solver));
            }
        });
    }

    /// Computes the matrices of problems that a solver solves, each for a step length.
    pub(super) fn assemble_coupled(
        &mut self,
        threads: &Threads,
        blocks: Blocks<'_>,
        islands: &[(BlockPlace, f64)],
    ) {
        if threads.count() == 1 {
            // Where they stand: a list of them would be made anew in every step.
            for &(place, key) in islands {
                if let Some(problem) = &mut self.problems[place].coupled {
                    problem.assemble(blocks, key);
                }
            }
            return;
        }
        let take =
            |&(place, key): &(BlockPlace, f64)| Some((place, self.problems[place].coupled.take()?, key));
        let mut problems: Vec<_> = islands.iter().filter_map(take).collect();
        threads.share_all(threads.cut(&mut problems).collect(), |(_, problems)| {
            problems.iter_mut().for_each(|(_, problem, key)| problem.assemble(blocks, *key));
        });
        for (place, problem, _) in problems {
            self.problems[place].coupled = Some(problem);
        }
    }
}

impl RowProblem {
    #[inline(always)]
    fn solve(
        &mut self,
        vectors: impl Fn(RowPlace, f64) -> (f64, f64),
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

/// What is told of two problems together: iterations are counted together, the error is the largest, and the
/// status the first that is no success.
#[inline(always)]
pub(crate) fn together(mut all: SolveInfo, info: SolveInfo) -> SolveInfo {
    if all.status == Status::Converged || (all.status.is_success() && !info.status.is_success()) {
        all.status = info.status;
    }
    all.iterations += info.iterations;
    // A NaN is the largest of all.
    if info.error.is_nan() || info.error > all.error {
        all.error = info.error;
    }
    all
}
