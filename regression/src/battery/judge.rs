//! One problem, every method: what each made of it, judged by a measure that shares no code with them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use siconos_numerics::{SolveInfo, SolverError, Status};
use siconos_testkit::contact::battery::{self, Drawn, Known};

use super::forms::{self, Posed};
use crate::complementarity::message_of;

/// The error at which a point counts as a solution, for every method.
pub(super) const TOLERANCE: f64 = 1e-8;

/// A success may have an error of so many times the tolerance: the measure of a solver rounds, and a point as
/// exact as rounding allows is held to this as well.
const ALLOWED: f64 = 10.0;

/// A problem and what all methods made of it.
pub(crate) struct Verdicts {
    pub(crate) drawn: Drawn,
    pub(crate) of_methods: Vec<Verdict>,
}

/// What one method made of a problem.
pub(crate) struct Verdict {
    pub(crate) method: String,
    pub(crate) is_default: bool,
    pub(crate) end: End,
    pub(crate) seconds: f64,
    /// The rule that it breaks.
    pub(crate) offence: Option<String>,
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Solved,
    NotSolved(Status),
    Refused,
    Panicked,
}

/// What the methods that are `asked` make of a problem.
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
        // It is not for such laws, and says so.
        Ok(Err(SolverError::Unsupported(_))) => (End::Refused, None),
        // Nor for such matrices; the default is for all.
        Ok(Err(SolverError::Singular { .. })) if !is_default => (End::Refused, None),
        Ok(Err(error)) => (End::Refused, Some(format!("it refuses the problem: {error}"))),
        Err(payload) => (End::Panicked, Some(format!("it panics: {}", message_of(payload.as_ref())))),
    };
    Verdict { method, is_default, end, seconds, offence }
}

fn end_of(info: SolveInfo) -> End {
    if info.status.is_success() { End::Solved } else { End::NotSolved(info.status) }
}

/// The rule that the end of a solve breaks.
fn offence(drawn: &Drawn, point: &[f64], error: f64, info: SolveInfo) -> Option<String> {
    let has_solution = matches!(drawn.known, Known::Solution(_));
    if let Some(i) = point.iter().position(|x| !x.is_finite()) {
        return Some(format!("it returns {} as unknown {i}, with the status {}", point[i], info.status));
    }
    if info.status == Status::NoSolution && has_solution {
        return Some("it says that there is no solution, but there is one".to_owned());
    }
    if !info.status.is_success() {
        return None;
    }
    if !has_solution {
        return Some(format!("it finds a solution where there is none ({})", info.status));
    }
    // Written so that a NaN is an offence.
    let is_solution = error <= ALLOWED * TOLERANCE;
    (!is_solution).then(|| {
        format!("its velocities violate the law by {error:.1e} of norm(q), and it says {}", info.status)
    })
}
