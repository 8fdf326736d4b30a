//! Reads a problem, solves it, and measures the answer.

use std::time::{Duration, Instant};

use siconos_io::problem::{Problem, ProblemClass};
use siconos_numerics::{Attempt, SolveInfo, SolverError, Status};

use crate::arguments::{SolveArguments, read_options};
use crate::overseer::{self, Stopped};
use crate::signals;
use crate::start;
use crate::task::{Choice, Errors, Names, Point, Task};

/// The answer, to be printed.
pub(crate) struct Solution {
    pub(crate) class: ProblemClass,
    /// The name of the method.
    pub(crate) method: &'static str,
    pub(crate) status: Status,
    /// Why the solve was asked to end, if it was.
    pub(crate) stopped: Option<Stopped>,
    pub(crate) iterations: usize,
    /// The error measures of the class at the point below.
    pub(crate) errors: Errors,
    pub(crate) tolerance: f64,
    /// Of the solve alone, the least where it was repeated.
    pub(crate) time: Duration,
    pub(crate) point: Point,
    pub(crate) names: Names,
    /// Velocities of the bodies, if the problem has bodies.
    pub(crate) velocities: Option<Vec<f64>>,
    pub(crate) trace: Vec<Attempt>,
    /// Why the method gave up, or why there is no solution, when there is more to say than a status.
    pub(crate) remark: Option<String>,
}

impl Solution {
    /// Whether the error is within the tolerance; that of a NaN is not.
    pub(crate) fn is_within(&self) -> bool {
        self.errors.ours <= self.tolerance
    }

    /// Whether the point is a solution to the tolerance. A small error alone does not make it one: the solver
    /// may know that the point is lost in rounding, or far out on a ray.
    pub(crate) fn is_good(&self) -> bool {
        self.status.is_success() && self.is_within()
    }
}

/// Does what the command line asks for. An error is bad input.
pub(crate) fn solve(arguments: &SolveArguments) -> Result<Solution, String> {
    overseer::check(arguments.time_limit)?;
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
    // What is printed is what is measured.
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

/// What a solver left behind.
struct Finished {
    info: SolveInfo,
    time: Duration,
    point: Point,
    trace: Vec<Attempt>,
    remark: Option<String>,
    stopped: Option<Stopped>,
}

/// Solves as often as was asked for. The solves are the same: what differs is what else the machine does.
fn repeat(task: &mut Task<'_>, arguments: &SolveArguments) -> Result<Finished, String> {
    let mut run = || {
        let (finished, stopped) = overseer::over(arguments.time_limit, || run(task));
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
        // What was broken off is no better for being fast.
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

/// Runs the solver from its start.
fn run(task: &mut Task<'_>) -> Result<Finished, String> {
    let mut point = task.start.clone();
    let begin = Instant::now();
    let (result, trace) = (task.solve)(&mut point);
    let time = begin.elapsed();
    let (info, remark) = match result {
        Ok(info) => (info, None),
        // The data are good; it is the method that comes to no end with them.
        Err(error @ SolverError::Singular { .. }) => {
            let info = SolveInfo { status: Status::Breakdown, iterations: 0, error: f64::NAN };
            (info, Some(error.to_string()))
        }
        Err(error) => return Err(error.to_string()),
    };
    Ok(Finished { info, time, point, trace, remark, stopped: None })
}
