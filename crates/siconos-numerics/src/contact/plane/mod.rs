//! Coulomb friction in the plane, written as a linear complementarity problem, and the methods that solve
//! this problem.

pub(super) mod enumeration;
mod formulation;
pub(super) mod lemke;

pub use enumeration::{PlaneEnumeration, PlaneEnumerationSettings};
pub use lemke::{PlaneLemke, PlaneLemkeSettings};

use self::formulation::Formulation;
use super::law::refuse_infinite_friction;
use super::residual::{conclude, error_of_point, judge, velocity_of_point};
use super::units::ProblemScaling;
use super::{ContactLaw, ContactProblem};
use crate::error::{SolverError, Unsupported};
use crate::info::{SolveInfo, Status, Stop};
use crate::lcp::Lcp;
use crate::method::Solver;

/// Number of unknowns per contact of the linear complementarity problem.
pub(super) const UNKNOWNS: usize = 3;

/// Returns the coefficients of friction. Returns an error if the law is not Coulomb friction in the plane, or
/// if a coefficient is infinite.
fn coefficients<'a>(solver: &'static str, problem: &ContactProblem<'a>) -> Result<&'a [f64], Unsupported> {
    match problem.law() {
        ContactLaw::Coulomb { dimension: 2, mu } => {
            refuse_infinite_friction(solver, &problem.law()).map(|()| mu)
        }
        ContactLaw::Coulomb { .. } => {
            Err(Unsupported { solver, found: "friction in space", takes: "Coulomb friction in the plane" })
        }
        _ => Err(Unsupported { solver, found: "this law", takes: "Coulomb friction in the plane" }),
    }
}

/// Scales the contact problem and solves its linear complementarity problem with `method`. The status of the
/// result is determined by the error of the contact problem.
fn solve_by(
    name: &'static str,
    method: &mut impl Solver<Class = Lcp>,
    memory: &mut PlaneWorkspace,
    problem: &ContactProblem<'_>,
    tolerance: f64,
    r: &mut [f64],
    u: &mut [f64],
) -> Result<SolveInfo, SolverError> {
    let mu = coefficients(name, problem)?;
    let PlaneWorkspace { units, formulation, terms } = memory;
    units.solve(problem, tolerance, r, u, |problem, r, u| {
        velocity_of_point(problem, r, u);
        formulation.build(problem, mu, r, u);
        let info = formulation.solve(method)?;
        if info.status.is_success() || info.status == Status::Stalled {
            formulation.write_reactions(mu, r);
            problem.law().project_all(r);
        }
        let error = error_of_point(problem, r, u);
        let status = match judge(problem, r, error, tolerance) {
            Status::Stalled if !info.status.is_success() => info.status,
            status => status,
        };
        Ok(conclude(problem, r, u, tolerance, Stop { status, iterations: info.iterations }, terms))
    })
}

/// Workspace of the methods of this module, kept between solves. It does not include the workspace of the
/// [`Lcp`] solvers.
#[derive(Clone, Debug, Default)]
struct PlaneWorkspace {
    units: ProblemScaling,
    formulation: Formulation,
    terms: Vec<f64>,
}
