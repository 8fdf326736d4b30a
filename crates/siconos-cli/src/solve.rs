//! Reading and solving of a problem, and computation of the error of its solution.

use std::time::{Duration, Instant};

use siconos_io::problem::{Problem, ProblemClass};
use siconos_numerics::{Attempt, SolveInfo, SolverError, Status};

use crate::arguments::{SolveArguments, read_options};
use crate::task::{Choice, Errors, Names, SolutionPoint, Task};
use crate::watchdog::{self, Stopped};
use crate::{run, signals, start};

/// Solution, and the data that are printed with it.
pub(crate) struct Solution {
    pub(crate) class: ProblemClass,
    /// Name of the method.
    pub(crate) method: &'static str,
    pub(crate) status: Status,
    /// Reason why the solve was stopped, if it was.
    pub(crate) stopped: Option<Stopped>,
    pub(crate) iterations: usize,
    /// Errors at `point`.
    pub(crate) errors: Errors,
    pub(crate) tolerance: f64,
    /// Time of the solve itself; the shortest time if the solve was repeated.
    pub(crate) time: Duration,
    pub(crate) point: SolutionPoint,
    pub(crate) names: Names,
    /// Velocities of the bodies, if the problem has bodies.
    pub(crate) velocities: Option<Vec<f64>>,
    pub(crate) trace: Vec<Attempt>,
    /// Reason why the method failed or why no solution exists, if the status does not explain it.
    pub(crate) remark: Option<String>,
}

impl Solution {
    /// Returns `true` if the error is within the tolerance. Returns `false` if the error is NaN.
    pub(crate) fn is_within(&self) -> bool {
        self.errors.ours <= self.tolerance
    }

    /// Returns `true` if the solver reports success and the error is within the tolerance. A small error
    /// alone is not sufficient: the solver can report that rounding errors dominate at the point, or that the
    /// point is far out on a ray.
    pub(crate) fn is_good(&self) -> bool {
        self.status.is_success() && self.is_within()
    }
}

/// Runs the command. An error means bad input.
pub(crate) fn solve(arguments: &SolveArguments) -> Result<Solution, String> {
    watchdog::check(arguments.time_limit)?;
    run::check_absent(arguments.output.as_deref(), arguments.force)?;
    let options = read_options(arguments.gzip_limit);
    let (problem, guess) = start::read(&arguments.file, arguments.class, arguments.start, options)?;
    let choice = Choice {
        class: problem.class(),
        method: arguments.method.clone(),
        tolerance: arguments.tolerance,
        max_iterations: arguments.max_iterations,
    };
    let mut task = Task::new(&problem, &choice)?;
    if let Some(guess) = guess {
        task.start = guess;
    }
    let mut best = signals::interruptible(|| repeat(&mut task, arguments))?;
    // This call can recompute w in `best.point`. The printed w must belong to the printed errors.
    let errors = (task.measure)(&mut best.point);
    let velocities = match &problem {
        Problem::Contact(problem) if problem.bodies().is_some() => Some(problem.velocities(&best.point.z)),
        _ => None,
    };
    Ok(Solution {
        class: problem.class(),
        method: task.method,
        status: best.info.status,
        stopped: best.stopped,
        iterations: best.info.iterations,
        errors,
        tolerance: task.tolerance,
        time: best.time,
        point: best.point,
        names: task.names,
        velocities,
        trace: best.trace,
        remark: best.remark.or(task.no_solution.filter(|_| best.info.status == Status::NoSolution)),
    })
}

/// Result of one solve.
struct Finished {
    info: SolveInfo,
    time: Duration,
    point: SolutionPoint,
    trace: Vec<Attempt>,
    remark: Option<String>,
    stopped: Option<Stopped>,
}

/// Repeats the solve as requested and returns the fastest one. The solves are identical, but their times
/// depend on the load of the machine.
fn repeat(task: &mut Task<'_>, arguments: &SolveArguments) -> Result<Finished, String> {
    let mut run = || {
        let (finished, stopped) = watchdog::run(arguments.time_limit, arguments.quiet, || run(task));
        finished.map(|finished| Finished { stopped, ..finished })
    };
    let mut best = run()?;
    let mut spent = best.time;
    for _ in 1..arguments.repeat.get() {
        let is_late = arguments.repeat_within.is_some_and(|limit| (spent + best.time).as_secs_f64() > limit);
        if is_late || best.stopped.is_some() || signals::is_interrupted() {
            break;
        }
        let next = run()?;
        // The time of a solve that was stopped cannot be compared.
        if next.stopped.is_some() {
            break;
        }
        spent += next.time;
        if next.time < best.time {
            best = next;
        }
    }
    Ok(best)
}

/// Runs the solver from the initial guess.
fn run(task: &mut Task<'_>) -> Result<Finished, String> {
    let mut point = task.start.clone();
    let begin = Instant::now();
    let (result, trace) = (task.solve)(&mut point);
    let time = begin.elapsed();
    let (info, remark) = match result {
        Ok(info) => (info, None),
        // The data are valid, but the method cannot continue with them.
        Err(error @ SolverError::Singular { .. }) => {
            let info = SolveInfo { status: Status::Breakdown, iterations: 0, error: f64::NAN };
            (info, Some(error.to_string()))
        }
        Err(error) => return Err(error.to_string()),
    };
    Ok(Finished { info, time, point, trace, remark, stopped: None })
}
