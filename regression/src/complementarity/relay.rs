//! Relay problems: problems and methods.

use std::path::Path;

use ndarray::Array2;
use siconos_io::problem::{Problem, ProblemClass};
use siconos_numerics::method::{BoxedSolver, MatrixClass, MethodDescription, Scope};
use siconos_numerics::relay::{self, Enumeration, RelayMethod, RelayProblem};
use siconos_numerics::{SolveInfo, Solver, SolverError};
use siconos_testkit::box_error::box_error;
use siconos_testkit::lcp::{class_of, condition_number};
use siconos_testkit::relay::{KnownRelay, every_family, relay_backward_error};

use super::files::Files;
use super::survey::{Case, Origin, Point, Solutions, Survey};
use super::surveyed::{Surveyed, hand_over, survey};

/// Error at which a point counts as a solution, for every method.
const TOLERANCE: f64 = 1e-10;

/// Maximum number of unknowns for enumeration.
const LARGEST_ENUMERATED: usize = 8;

/// Gauss-Seidel methods.
const SWEEPS: [&str; 3] = ["projected-gauss-seidel", "projected-sor", "regularised-gauss-seidel"];

/// Condition number up to which a Gauss-Seidel method reaches [`TOLERANCE`] within its iterations.
const LARGEST_CONDITION_OF_SWEEPS: f64 = 1600.0;

/// Data of one problem.
struct Relay {
    m: Array2<f64>,
    q: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    class: MatrixClass,
    condition: f64,
}

impl Relay {
    fn new(m: Array2<f64>, q: Vec<f64>, lower: Vec<f64>, upper: Vec<f64>) -> Self {
        let (class, condition) = (class_of(&m), condition_number(m.view()));
        Self { m, q, lower, upper, class, condition }
    }

    fn is_bounded(&self) -> bool {
        self.lower.iter().chain(&self.upper).all(|bound| bound.is_finite())
    }
}

pub(super) fn run(references: Option<&Path>) -> Survey {
    let files = Files::read(references, ProblemClass::Relay);
    let mut cases: Vec<Case<Relay>> =
        files.iter().flat_map(|files| &files.problems).filter_map(of_file).collect();
    cases.extend([5, 20, 100].into_iter().flat_map(|n| every_family(n, 1)).map(of_family));
    survey(&cases, files)
}

fn of_file((name, problem): &(String, Problem)) -> Option<Case<Relay>> {
    let Problem::Relay(problem) = problem else { return None };
    let view = problem.view();
    let relay =
        Relay::new(view.m().to_dense(), view.q().to_vec(), view.lower().to_vec(), view.upper().to_vec());
    // A continuous map on a bounded box always has a solution (Hartman and Stampacchia 1966).
    let solutions = if relay.is_bounded() { Solutions::Exist } else { Solutions::Unknown };
    Some(Case {
        name: name.clone(),
        size: view.size(),
        origin: Origin::File,
        solutions,
        excuse: None,
        problem: relay,
    })
}

fn of_family(known: KnownRelay) -> Case<Relay> {
    let KnownRelay { name, m, q, lower, upper, .. } = known;
    let (size, problem) = (q.len(), Relay::new(m, q, lower, upper));
    Case { name, size, origin: Origin::Drawn, solutions: Solutions::Exist, excuse: None, problem }
}

impl Surveyed for Relay {
    type Method = RelayMethod;

    fn tolerance(&self, _: bool) -> f64 {
        TOLERANCE
    }

    fn leaves_out(&self, method: &MethodDescription, _: bool) -> bool {
        method.name == Enumeration::default().name() && self.q.len() > LARGEST_ENUMERATED
    }

    fn promises(&self, method: &MethodDescription, _: bool) -> bool {
        let is_within = match method.guarantee.only {
            Scope::All => true,
            Scope::FiniteBounds => self.is_bounded(),
            _ => {
                return method.name == Enumeration::default().name()
                    && self.class.is_within(MatrixClass::PMatrix);
            }
        };
        let converges = !SWEEPS.contains(&method.name) || self.condition <= LARGEST_CONDITION_OF_SWEEPS;
        is_within && converges && method.guarantee.covers(self.class)
    }

    fn solve(&self, solver: &mut BoxedSolver<relay::Relay>, z: &mut [f64]) -> Result<SolveInfo, SolverError> {
        hand_over(&RelayProblem::new(&self.m, &self.q, &self.lower, &self.upper)?, solver, z)
    }

    fn measure(&self, z: &[f64]) -> Point {
        Point {
            error: box_error(&self.m, &self.q, &self.lower, &self.upper, z),
            backward: relay_backward_error(&self.m, &self.q, &self.lower, &self.upper, z),
        }
    }
}
