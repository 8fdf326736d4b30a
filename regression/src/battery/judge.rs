//! Results of all methods on one problem, checked with an error that shares no code with the methods.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use siconos_numerics::{SolveInfo, SolverError, Status};
use siconos_testkit::contact::battery::{self, Drawn, Known};

use super::forms::{self, Posed};
use crate::complementarity::message_of;

/// Error at which a point counts as a solution, for every method.
pub(super) const TOLERANCE: f64 = 1e-8;

/// Allowed error of a success, as a multiple of the tolerance: the error of a solver is rounded, and the
/// limit applies to points at rounding level as well.
const ALLOWED: f64 = 10.0;

/// Problem with the results of all methods.
pub(crate) struct Verdicts {
    pub(crate) drawn: Drawn,
    pub(crate) of_methods: Vec<Verdict>,
}

/// Result of one method on a problem.
pub(crate) struct Verdict {
    pub(crate) method: String,
    pub(crate) is_default: bool,
    pub(crate) end: End,
    pub(crate) seconds: f64,
    /// Violated rule.
    pub(crate) offence: Option<String>,
}

/// End of a solve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Solved,
    NotSolved(Status),
    Refused,
    Panicked,
}

/// Runs the methods that are `asked` on a problem.
pub(crate) fn judge(drawn: Drawn, asked: impl Fn(&str) -> bool) -> Verdicts {
    let turn = drawn.number / battery::families().len();
    let posed = forms::all(turn).into_iter().filter(|posed| asked(&posed.name()));
    let of_methods = posed.map(|posed| verdict(posed, &drawn)).collect();
    Verdicts { drawn, of_methods }
}

fn verdict(posed: Posed, drawn: &Drawn) -> Verdict {
    let (method, is_default) = (posed.name(), posed.is_default());
    let begin = Instant::now();
    let solved = catch_unwind(AssertUnwindSafe(|| posed.solve(drawn)));
    let seconds = begin.elapsed().as_secs_f64();
    let (end, offence) = match solved {
        Ok(Ok((info, point, error))) => (end_of(info), offence(drawn, &point, error, info)),
        // The method does not support such laws, and reports it.
        Ok(Err(SolverError::Unsupported(_))) => (End::Refused, None),
        // The method does not support such matrices; the default supports all.
        Ok(Err(SolverError::Singular { .. })) if !is_default => (End::Refused, None),
        Ok(Err(error)) => (End::Refused, Some(format!("it refuses the problem: {error}"))),
        Err(payload) => (End::Panicked, Some(format!("it panics: {}", message_of(payload.as_ref())))),
    };
    Verdict { method, is_default, end, seconds, offence }
}

fn end_of(info: SolveInfo) -> End {
    if info.status.is_success() { End::Solved } else { End::NotSolved(info.status) }
}

/// Returns the rule that the result of a solve violates.
fn offence(drawn: &Drawn, point: &[f64], error: f64, info: SolveInfo) -> Option<String> {
    let has_solution = matches!(drawn.known, Known::Solution(_));
    if let Some(i) = point.iter().position(|x| !x.is_finite()) {
        return Some(format!("it returns {} as unknown {i}, with the status {}", point[i], info.status));
    }
    if info.status == Status::NoSolution && has_solution {
        return Some("it reports that there is no solution, but there is one".to_owned());
    }
    if !info.status.is_success() {
        return None;
    }
    if !has_solution {
        return Some(format!("it finds a solution where there is none ({})", info.status));
    }
    // Negated, so that a NaN is a violation.
    let is_solution = error <= ALLOWED * TOLERANCE;
    (!is_solution).then(|| {
        format!("its velocities violate the law by {error:.1e} of norm(q), and it reports {}", info.status)
    })
}
