//! The battery accepts a correct solver and detects each kind of incorrect solver.

use siconos_linalg::MatrixRef;
use siconos_numerics::lcp::{Lcp, LcpProblem};
use siconos_numerics::method::{Limits, MatrixClass};
use siconos_numerics::{SolveInfo, Solver, SolverError, Status, Unsupported};
use siconos_testkit::lcp::{Capability, LARGEST_ENUMERATED, Measures, check_lcp_solver, enumerate_solutions};

/// Solver that uses the oracle and has a selectable defect. It returns an error for problems that are too
/// large for the oracle.
#[derive(Debug)]
struct Faulty(Fault);

#[derive(Debug, PartialEq)]
enum Fault {
    None,
    ClaimsEverything,
    LeavesW,
    ReportsZeroError,
    GivesUp,
    OffBySome,
    CallsThatRounding,
}

const TINY: Capability = Capability {
    classes: &[MatrixClass::CopositivePlus, MatrixClass::PMatrix],
    tolerance: 1e-12,
    largest_condition: 200.0,
    recognises_unsolvable: true,
};

impl Solver for Faulty {
    type Class = Lcp;

    fn name(&self) -> &'static str {
        "faulty"
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: TINY.tolerance, max_iterations: 1 }
    }

    fn supports(&self, problem: &LcpProblem<'_>) -> Result<(), Unsupported> {
        match problem.m() {
            MatrixRef::Dense(_) if problem.size() <= LARGEST_ENUMERATED => Ok(()),
            other => Err(Unsupported { solver: "faulty", found: other.storage(), takes: "small dense" }),
        }
    }

    fn solve(
        &mut self,
        problem: &LcpProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let m = problem.m().to_dense();
        let solutions = enumerate_solutions(m.view(), problem.q());
        let found = solutions.first().filter(|_| self.0 != Fault::GivesUp);
        z.fill(0.0);
        if let Some(solution) = found {
            z.copy_from_slice(solution);
        }
        if matches!(self.0, Fault::OffBySome | Fault::CallsThatRounding) {
            z.iter_mut().for_each(|z| *z += 1e-9);
        }
        let point = Measures::of(m.view(), problem.q(), z);
        if self.0 != Fault::LeavesW {
            w.copy_from_slice(&point.w);
        }
        let success = found.is_some() || self.0 == Fault::ClaimsEverything;
        let status = match (success, &self.0) {
            (true, Fault::CallsThatRounding) => Status::AtRoundingLevel,
            (true, _) => Status::Converged,
            (false, _) => Status::NoSolution,
        };
        Ok(SolveInfo {
            status,
            iterations: 0,
            error: if self.0 == Fault::ReportsZeroError { 0.0 } else { point.natural },
        })
    }
}

fn complaint(fault: Fault) -> String {
    let panic = std::panic::catch_unwind(|| check_lcp_solver(&mut Faulty(fault), &TINY));
    *panic.expect_err("the fault was not seen").downcast::<String>().expect("a message")
}

#[test]
fn an_honest_solver_passes() {
    let report = check_lcp_solver(&mut Faulty(Fault::None), &TINY);
    assert!(report.solved >= 30 && report.unsolvable >= 3 && report.beyond >= 3, "{report:?}");
    assert_eq!(report.storages[1..], [0, 0]);
}

#[test]
fn a_claim_without_a_solution_is_seen() {
    let complaint = complaint(Fault::ClaimsEverything);
    assert!(complaint.contains("skew couple") && complaint.contains("feasible, yet none"), "{complaint}");
}

#[test]
fn an_unwritten_w_is_seen() {
    assert!(complaint(Fault::LeavesW).contains("w[0] is NaN"));
}

#[test]
fn a_wrong_error_is_seen() {
    // This defect changes the report only if the point has an error, as in problems without a solution.
    assert!(complaint(Fault::ReportsZeroError).contains("it reports the error 0e0"));
}

#[test]
fn giving_up_is_seen() {
    let complaint = complaint(Fault::GivesUp);
    assert!(complaint.contains("both active, a dense matrix, from z = 1"), "{complaint}");
    assert!(!complaint.contains("indefinite triple"), "nothing is promised there: {complaint}");
}

#[test]
fn a_point_that_is_off_is_seen() {
    assert!(complaint(Fault::OffBySome).contains("converged with the errors"));
}

#[test]
fn rounding_as_an_excuse_is_seen() {
    assert!(complaint(Fault::CallsThatRounding).contains("as exact as rounding allows with the errors"));
}
