//! Coulomb friction in the plane as a linear complementarity problem, and the methods that solve it as one.

mod enumeration;
mod formulation;
mod lemke;

pub use enumeration::{PlaneEnumeration, PlaneEnumerationSettings};
pub use lemke::{PlaneLemke, PlaneLemkeSettings};

use self::formulation::Formulation;
use super::residual::{error_of_point, judge};
use super::{ContactLaw, ContactProblem};
use crate::error::{SolverError, Unsupported, check_solve};
use crate::info::{SolveInfo, Status};
use crate::lcp::LcpSolver;

/// Refuses all but Coulomb friction in the plane; returns the coefficients.
fn coefficients<'a>(solver: &'static str, problem: &ContactProblem<'a>) -> Result<&'a [f64], Unsupported> {
    match problem.law() {
        ContactLaw::Coulomb { dimension: 2, mu } => Ok(mu),
        ContactLaw::Coulomb { .. } => {
            Err(Unsupported { solver, found: "friction in space", takes: "Coulomb friction in the plane" })
        }
        _ => Err(Unsupported { solver, found: "another law", takes: "Coulomb friction in the plane" }),
    }
}

/// Solves the linear complementarity problem by `method` and judges what comes out by the measure of contact.
fn solve_by(
    (name, method): (&'static str, &mut impl LcpSolver),
    formulation: &mut Formulation,
    (problem, tolerance): (&ContactProblem<'_>, f64),
    r: &mut [f64],
    u: &mut [f64],
) -> Result<SolveInfo, SolverError> {
    check_solve(problem.q(), r, u)?;
    if problem.size() == 0 {
        return Ok(SolveInfo { status: Status::Converged, iterations: 0, error: 0.0 });
    }
    let mu = coefficients(name, problem)?;
    problem.law().project_all(r);
    error_of_point(problem, r, u);
    formulation.build(problem, mu, r, u);
    let info = formulation.solve(method)?;
    if info.status.is_success() || info.status == Status::Stalled {
        formulation.write_reactions(mu, r);
        problem.law().project_all(r);
    }
    let error = error_of_point(problem, r, u);
    let status = match judge(problem, r, u, error, tolerance) {
        Status::Stalled if !info.status.is_success() => info.status,
        status => status,
    };
    Ok(SolveInfo { status, iterations: info.iterations, error })
}
