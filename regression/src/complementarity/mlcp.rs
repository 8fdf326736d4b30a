//! Mixed linear complementarity: the problems and the methods.

use std::path::Path;

use ndarray::Array2;
use siconos_io::problem::{Problem, ProblemClass};
use siconos_numerics::mlcp::{MixedLinearComplementarityProblem, MlcpMethod, MlcpProblem, MlcpRow};
use siconos_testkit::mlcp::{KnownMlcp, every_family, mixed_backward_error, mixed_error};

use super::files::Files;
use super::survey::{Case, Method, Origin, Point, Solutions, Survey};

/// The error at which a point counts as a solution, for every method.
const TOLERANCE: f64 = 1e-10;

/// Problems with more complementary pairs than this are not for a method that tries all pieces.
const LARGEST_ENUMERATED: usize = 12;

/// The data of one problem.
struct Mlcp {
    m: Array2<f64>,
    q: Vec<f64>,
    rows: Vec<MlcpRow>,
    /// Whether the equations can be eliminated, and the solution is the only one.
    is_regular_and_unique: bool,
}

pub(super) fn survey(references: Option<&Path>) -> Survey {
    let files = Files::read(references, ProblemClass::Mlcp);
    let mut cases: Vec<Case<Mlcp>> =
        files.iter().flat_map(|files| &files.problems).filter_map(of_file).collect();
    cases.extend([8, 40].into_iter().flat_map(|n| every_family(n, 1)).map(of_family));
    Survey::of(&cases, methods(), files.map(|files| files.unreadable))
}

fn of_file((name, problem): &(String, Problem)) -> Option<Case<Mlcp>> {
    let Problem::Mlcp(problem) = problem else { return None };
    let view = MixedLinearComplementarityProblem::view(problem);
    let data = Mlcp {
        m: view.m().to_dense(),
        q: view.q().to_vec(),
        rows: view.rows().to_vec(),
        is_regular_and_unique: false,
    };
    let (size, solutions) = (view.size(), Solutions::Unknown);
    Some(Case { name: name.clone(), size, origin: Origin::File, solutions, excuse: None, problem: data })
}

fn of_family(known: KnownMlcp) -> Case<Mlcp> {
    let is_regular_and_unique = known.has_regular_equations && known.is_unique;
    let KnownMlcp { name, m, q, rows, .. } = known;
    let (size, problem) = (q.len(), Mlcp { m, q, rows, is_regular_and_unique });
    Case { name, size, origin: Origin::Drawn, solutions: Solutions::Exist, excuse: None, problem }
}

fn methods() -> Vec<Method<Mlcp>> {
    let default = MlcpMethod::default().description().name;
    let methods = MlcpMethod::all().into_iter().map(|mut method| {
        method.set_tolerance(TOLERANCE);
        let name = method.description().name;
        let mut solver = method.build().expect("the default settings are valid");
        Method {
            name,
            is_default: name == default,
            tolerance: Box::new(|_| TOLERANCE),
            leaves_out: Box::new(move |mlcp: &Mlcp| {
                let pairs = mlcp.rows.iter().filter(|row| **row == MlcpRow::Complementarity).count();
                name == "enumeration" && pairs > LARGEST_ENUMERATED
            }),
            // The drawn problems whose equations are regular have a definite matrix, and so what is left has one.
            promises: Box::new(move |mlcp: &Mlcp| {
                matches!(name, "auto" | "elimination") && mlcp.is_regular_and_unique
            }),
            solve: Box::new(move |mlcp, z| {
                let mut w = vec![0.0; z.len()];
                solver.solve(&MlcpProblem::new(&mlcp.m, &mlcp.q, &mlcp.rows)?, z, &mut w)
            }),
            measure: |mlcp, z| Point {
                error: mixed_error(&mlcp.m, &mlcp.q, &mlcp.rows, z),
                backward: mixed_backward_error(&mlcp.m, &mlcp.q, &mlcp.rows, z),
            },
        }
    });
    methods.collect()
}
