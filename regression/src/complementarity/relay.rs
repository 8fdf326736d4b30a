//! Relay problems: the problems and the methods.

use std::path::Path;

use ndarray::Array2;
use siconos_io::problem::{Problem, ProblemClass};
use siconos_numerics::relay::{RelayMethod, RelayProblem};
use siconos_testkit::lcp::{MatrixClass, class_of, condition_number};
use siconos_testkit::relay::{KnownRelay, every_family, relay_backward_error, relay_error};

use super::files::Files;
use super::survey::{Case, Method, Origin, Point, Solutions, Survey};

/// The error at which a point counts as a solution, for every method.
const TOLERANCE: f64 = 1e-10;

/// Problems with more unknowns than this are not for a method that tries all faces.
const LARGEST_ENUMERATED: usize = 8;

/// Up to this condition number a sweep method gets to [`TOLERANCE`] within its iterations.
const LARGEST_CONDITION_OF_SWEEPS: f64 = 1600.0;

/// The data of one problem.
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

pub(super) fn survey(references: Option<&Path>) -> Survey {
    let files = Files::read(references, ProblemClass::Relay);
    let mut cases: Vec<Case<Relay>> =
        files.iter().flat_map(|files| &files.problems).filter_map(of_file).collect();
    cases.extend([5, 20, 100].into_iter().flat_map(|n| every_family(n, 1)).map(of_family));
    Survey::of(&cases, methods(), files.map(|files| files.unreadable))
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

fn promises(name: &str, relay: &Relay) -> bool {
    let is_p = relay.class.is_within(MatrixClass::PMatrix);
    match name {
        "auto" | "cao-ferris" => relay.is_bounded(),
        "lemke" | "enumeration" => is_p,
        "projected-gauss-seidel" => {
            let converges = [MatrixClass::SymmetricPositiveDefinite, MatrixClass::HMatrix];
            converges.into_iter().any(|class| relay.class.is_within(class))
                && relay.condition <= LARGEST_CONDITION_OF_SWEEPS
        }
        _ => false,
    }
}

fn methods() -> Vec<Method<Relay>> {
    let default = RelayMethod::default().description().name;
    let methods = RelayMethod::all().into_iter().map(|mut method| {
        method.set_tolerance(TOLERANCE);
        let name = method.description().name;
        let mut solver = method.build().expect("the default settings are valid");
        Method {
            name,
            is_default: name == default,
            tolerance: Box::new(|_| TOLERANCE),
            leaves_out: Box::new(move |relay: &Relay| {
                name == "enumeration" && relay.q.len() > LARGEST_ENUMERATED
            }),
            promises: Box::new(move |relay: &Relay| promises(name, relay)),
            solve: Box::new(move |relay, z| {
                let mut w = vec![0.0; z.len()];
                let problem = RelayProblem::new(&relay.m, &relay.q, &relay.lower, &relay.upper)?;
                solver.solve(&problem, z, &mut w)
            }),
            measure: |relay, z| Point {
                error: relay_error(&relay.m, &relay.q, &relay.lower, &relay.upper, z),
                backward: relay_backward_error(&relay.m, &relay.q, &relay.lower, &relay.upper, z),
            },
        }
    });
    methods.collect()
}
