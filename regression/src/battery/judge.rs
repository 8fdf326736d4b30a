//! One problem, every method: what each made of it, judged by a measure that shares no code with them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use siconos_numerics::contact::{ContactMethod, ContactProblem};
use siconos_numerics::{SolveInfo, SolverError, Status};
use siconos_testkit::contact::battery::{Drawn, Known};
use siconos_testkit::contact::velocity_error;

use crate::complementarity::message_of;
use crate::contact::effort;

/// The error at which a point counts as a solution, for every method.
pub(crate) const TOLERANCE: f64 = 1e-8;

/// A success may have an error of so many times the tolerance: the measure of a solver rounds, and a point as exact as
/// rounding allows is held to this as well.
const ALLOWED: f64 = 10.0;

/// Contacts that enumeration is asked for, which is 8^4 bases; its default takes minutes for twice as many.
const ENUMERATED: usize = 4;

/// A problem and what all methods made of it.
pub(crate) struct Verdicts {
    pub(crate) drawn: Drawn,
    pub(crate) of_methods: Vec<Verdict>,
}

/// What one method made of a problem.
pub(crate) struct Verdict {
    pub(crate) method: &'static str,
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

pub(crate) fn judge(drawn: Drawn) -> Verdicts {
    judge_by(drawn, |_| true)
}

pub(crate) fn judge_by(drawn: Drawn, is_asked: impl Fn(&str) -> bool) -> Verdicts {
    let default = ContactMethod::default().description().name;
    let of_method = |mut method: ContactMethod| {
        let name = method.description().name;
        method.set_tolerance(TOLERANCE);
        match &mut method {
            ContactMethod::PlaneEnumeration(settings) => settings.largest_contacts = ENUMERATED,
            method => {
                if let Some(iterations) = effort::iterations(name, drawn.q.len()) {
                    method.set_max_iterations(iterations);
                }
            }
        }
        let mut r = vec![0.0; drawn.q.len()];
        let begin = Instant::now();
        let solved = catch_unwind(AssertUnwindSafe(|| solve(&method, &drawn, &mut r)));
        let seconds = begin.elapsed().as_secs_f64();
        let (end, offence) = match solved {
            Ok(Ok(info)) => (end_of(info), offence(&drawn, &r, info)),
            // It is not for such laws, or not for such matrices, and says so. The default is for all.
            Ok(Err(SolverError::Unsupported(_) | SolverError::Singular { .. })) if name != default => {
                (End::Refused, None)
            }
            Ok(Err(error)) => (End::Refused, Some(format!("it refuses the problem: {error}"))),
            Err(payload) => (End::Panicked, Some(format!("it panics: {}", message_of(payload.as_ref())))),
        };
        Verdict { method: name, is_default: name == default, end, seconds, offence }
    };
    let of_methods =
        ContactMethod::all().into_iter().filter(|m| is_asked(m.description().name)).map(of_method).collect();
    Verdicts { drawn, of_methods }
}

fn solve(method: &ContactMethod, drawn: &Drawn, r: &mut [f64]) -> Result<SolveInfo, SolverError> {
    let problem = ContactProblem::new(&drawn.w, &drawn.q, drawn.law.view())?;
    let mut solver = method.build()?;
    solver.supports(&problem)?;
    solver.solve(&problem, r, &mut vec![0.0; problem.size()])
}

fn end_of(info: SolveInfo) -> End {
    if info.status.is_success() { End::Solved } else { End::NotSolved(info.status) }
}

/// The rule that the end of a solve breaks.
fn offence(drawn: &Drawn, r: &[f64], info: SolveInfo) -> Option<String> {
    let has_solution = matches!(drawn.known, Known::Solution(_));
    if let Some(i) = r.iter().position(|r| !r.is_finite()) {
        return Some(format!("it returns r[{i}] = {}, with the status {}", r[i], info.status));
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
    let error = velocity_error(&drawn.law, &drawn.w.view().to_dense(), &drawn.q, r);
    // Written so that a NaN is an offence.
    let is_solution = error <= ALLOWED * TOLERANCE;
    (!is_solution).then(|| {
        format!("its velocities violate the law by {error:.1e} of norm(q), and it says {}", info.status)
    })
}
