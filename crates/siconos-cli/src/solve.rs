//! Reads a problem, solves it, and measures the answer.

use std::time::{Duration, Instant};

use siconos_io::problem::{Problem, ProblemClass};
use siconos_numerics::lcp::{self, LcpMethod, LinearComplementarityProblem};
use siconos_numerics::method::MethodDescription;
use siconos_numerics::mlcp::{self, MixedLinearComplementarityProblem, MlcpMethod};
use siconos_numerics::relay::{self, BoxComplementarityProblem, RelayMethod};
use siconos_numerics::{Attempt, SettingsError, SolveInfo, SolverError, Status};

use crate::arguments::SolveArguments;

/// The answer, to be printed.
pub(crate) struct Solution {
    pub(crate) class: ProblemClass,
    /// The name of the method.
    pub(crate) method: &'static str,
    pub(crate) status: Status,
    pub(crate) iterations: usize,
    /// The error measure of the class at the z and w below.
    pub(crate) error: f64,
    pub(crate) tolerance: f64,
    /// Of the solve alone.
    pub(crate) time: Duration,
    pub(crate) z: Vec<f64>,
    /// M z + q.
    pub(crate) w: Vec<f64>,
    pub(crate) trace: Vec<Attempt>,
    /// Why the method gave up, when it has more to say than a status.
    pub(crate) remark: Option<String>,
}

impl Solution {
    /// Whether the error is within the tolerance; that of a NaN is not.
    pub(crate) fn is_within(&self) -> bool {
        self.error <= self.tolerance
    }

    /// Whether the point is a solution to the tolerance. A small error alone does not make it one: the solver may know that
    /// the point is lost in rounding, or far out on a ray.
    pub(crate) fn is_good(&self) -> bool {
        self.status.is_success() && self.is_within()
    }
}

/// Does what the command line asks for. An error is bad input.
pub(crate) fn solve(arguments: &SolveArguments) -> Result<Solution, String> {
    let problem = Problem::read(&arguments.file, arguments.class).map_err(|error| error.to_string())?;
    match &problem {
        Problem::Lcp(problem) => solve_lcp(problem, arguments),
        Problem::Mlcp(problem) => solve_mlcp(problem, arguments),
        Problem::Relay(problem) => solve_relay(problem, arguments),
        other => Err(format!("there is no method for problems of class {}", other.class())),
    }
}

fn solve_lcp(problem: &LinearComplementarityProblem, arguments: &SolveArguments) -> Result<Solution, String> {
    let problem = problem.view();
    let mut method = choose(ProblemClass::Lcp, LcpMethod::all(), LcpMethod::description, arguments)?;
    arguments.tolerance.into_iter().for_each(|tolerance| method.set_tolerance(tolerance));
    arguments.max_iterations.into_iter().for_each(|most| method.set_max_iterations(most));
    let mut solver = method.build().map_err(refused_settings)?;
    let run = Run::of(problem.size(), |z, w| solver.solve(&problem, z, w))?;
    let report = Report {
        class: ProblemClass::Lcp,
        method: method.description().name,
        tolerance: solver.tolerance(),
        trace: solver.trace(),
    };
    Ok(run.measured(report, |z, w| lcp::error_of_point(&problem, z, w)))
}

fn solve_mlcp(
    problem: &MixedLinearComplementarityProblem,
    arguments: &SolveArguments,
) -> Result<Solution, String> {
    let problem = problem.view();
    let mut method = choose(ProblemClass::Mlcp, MlcpMethod::all(), MlcpMethod::description, arguments)?;
    arguments.tolerance.into_iter().for_each(|tolerance| method.set_tolerance(tolerance));
    arguments.max_iterations.into_iter().for_each(|most| method.set_max_iterations(most));
    let mut solver = method.build().map_err(refused_settings)?;
    let run = Run::of(problem.size(), |z, w| solver.solve(&problem, z, w))?;
    let report = Report {
        class: ProblemClass::Mlcp,
        method: method.description().name,
        tolerance: solver.tolerance(),
        trace: solver.trace(),
    };
    Ok(run.measured(report, |z, w| mlcp::error_of_point(&problem, z, w)))
}

fn solve_relay(problem: &BoxComplementarityProblem, arguments: &SolveArguments) -> Result<Solution, String> {
    let problem = problem.view();
    let mut method = choose(ProblemClass::Relay, RelayMethod::all(), RelayMethod::description, arguments)?;
    arguments.tolerance.into_iter().for_each(|tolerance| method.set_tolerance(tolerance));
    arguments.max_iterations.into_iter().for_each(|most| method.set_max_iterations(most));
    let mut solver = method.build().map_err(refused_settings)?;
    let run = Run::of(problem.size(), |z, w| solver.solve(&problem, z, w))?;
    let report = Report {
        class: ProblemClass::Relay,
        method: method.description().name,
        tolerance: solver.tolerance(),
        trace: solver.trace(),
    };
    Ok(run.measured(report, |z, w| relay::error_of_point(&problem, z, w)))
}

/// The method that is asked for, or the default one.
fn choose<M: Default>(
    class: ProblemClass,
    methods: Vec<M>,
    description: fn(&M) -> MethodDescription,
    arguments: &SolveArguments,
) -> Result<M, String> {
    let Some(name) = &arguments.method else { return Ok(M::default()) };
    let names: Vec<_> = methods.iter().map(|method| description(method).name).collect();
    let unknown =
        || format!("there is no method `{name}` for class {class}; the methods are {}", names.join(", "));
    methods.into_iter().find(|method| description(method).name == name).ok_or_else(unknown)
}

fn refused_settings(error: SettingsError) -> String {
    error.to_string()
}

/// What a solver left behind.
struct Run {
    info: SolveInfo,
    time: Duration,
    z: Vec<f64>,
    w: Vec<f64>,
    remark: Option<String>,
}

/// What is known of the solver itself.
struct Report<'a> {
    class: ProblemClass,
    method: &'static str,
    tolerance: f64,
    trace: &'a [Attempt],
}

impl Run {
    /// Runs a solver from zero.
    fn of(
        n: usize,
        solve: impl FnOnce(&mut [f64], &mut [f64]) -> Result<SolveInfo, SolverError>,
    ) -> Result<Self, String> {
        let (mut z, mut w) = (vec![0.0; n], vec![0.0; n]);
        let begin = Instant::now();
        let result = solve(&mut z, &mut w);
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
        Ok(Self { info, time, z, w, remark })
    }

    /// Computes w and the error of z anew: what is printed is what is measured.
    fn measured(
        mut self,
        report: Report<'_>,
        error_of_point: impl FnOnce(&[f64], &mut [f64]) -> f64,
    ) -> Solution {
        let error = error_of_point(&self.z, &mut self.w);
        Solution {
            class: report.class,
            method: report.method,
            status: self.info.status,
            iterations: self.info.iterations,
            error,
            tolerance: report.tolerance,
            time: self.time,
            z: self.z,
            w: self.w,
            trace: report.trace.to_vec(),
            remark: self.remark,
        }
    }
}
