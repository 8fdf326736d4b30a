//! Linear complementarity: problems and methods.

use std::path::Path;

use ndarray::Array2;
use siconos_io::problem::{Problem, ProblemClass};
use siconos_linalg::Matrix;
use siconos_numerics::lcp::{self, LcpMethod, LcpProblem, LinearComplementarityProblem};
use siconos_numerics::method::{BoxedSolver, MatrixClass, MethodDescription};
use siconos_numerics::{Method, SolveInfo, Solver, SolverError};
use siconos_testkit::lcp::generated::{Chain, every_family, gram, gram_over_n};
use siconos_testkit::lcp::{
    KnownLcp, LARGEST_ENUMERATED, Measures, Promise, class_of, condition_number, degenerate,
    enumerate_solutions, fathi, murty, murty_reversed, unsolvable,
};

use super::files::Files;
use super::survey::{Case, Origin, Point, Solutions, Survey};
use super::surveyed::{Surveyed, hand_over, survey};

/// Error at which a point counts as a solution, for every method.
const TOLERANCE: f64 = 1e-10;

/// Fraction of the largest condition number of an iterative method. The promise gives a condition number up
/// to which the method reduces the error by 1e-8 within its iterations; up to this fraction it reaches
/// [`TOLERANCE`].
const SHARE_OF_CONDITION: f64 = 0.8;

/// Size above which methods without sparse storage are skipped, and no condition number is computed.
const LARGEST_DENSE: usize = 300;

/// Problem with the data that the promises refer to.
struct Lcp {
    problem: LinearComplementarityProblem,
    /// Dense matrix, for methods that support only dense storage.
    dense: Option<Array2<f64>>,
    class: MatrixClass,
    condition: f64,
}

impl Lcp {
    /// Creates a problem with a given class, or else with the class found by a few checks.
    fn new(problem: LinearComplementarityProblem, class: Option<MatrixClass>) -> Self {
        let dense = problem.view().m().to_dense();
        let class = class.unwrap_or_else(|| class_of(&dense));
        let is_small = dense.nrows() <= LARGEST_DENSE;
        let condition = if is_small { condition_number(dense.view()) } else { f64::INFINITY };
        Self { problem, dense: is_small.then_some(dense), class, condition }
    }

    fn drawn(m: impl Into<Matrix>, q: Vec<f64>, class: MatrixClass) -> Self {
        let problem = LinearComplementarityProblem::new(m, q.into());
        Self::new(problem.expect("what is drawn is square and finite"), Some(class))
    }

    fn q(&self) -> &[f64] {
        self.problem.view().q()
    }
}

pub(super) fn run(references: Option<&Path>) -> Survey {
    let files = Files::read(references, ProblemClass::Lcp);
    let mut cases: Vec<Case<Lcp>> =
        files.iter().flat_map(|files| &files.problems).filter_map(of_file).collect();
    cases.extend([8, 40].into_iter().flat_map(|n| every_family(n, 1)).map(of_family));
    // Problems that are exponential for pivoting methods, full of ties, or without a solution.
    let exponential = [murty(10), murty_reversed(8), fathi(8)];
    cases.extend(exponential.into_iter().chain(degenerate()).chain(unsolvable()).map(of_family));
    let (plain, over_n) = (gram(100), gram_over_n(100));
    cases.extend([definite("gram", plain.m, plain.q), definite("gram / n", over_n.m, over_n.q)]);
    let chains =
        [Chain::clamped(100), Chain::of_beads(100), Chain::drawn(100, 3, 1), Chain::drawn(2000, 1, 1)];
    cases.extend(chains.into_iter().map(|chain| definite(&chain.name, chain.block_rows(), chain.q.clone())));
    survey(&cases, files)
}

fn of_file((name, problem): &(String, Problem)) -> Option<Case<Lcp>> {
    let Problem::Lcp(problem) = problem else { return None };
    let lcp = Lcp::new(problem.clone(), None);
    // Problems with positive definite and P-matrices have a solution; for small other ones the oracle
    // decides.
    let solutions = match &lcp.dense {
        _ if lcp.class.is_within(MatrixClass::PMatrix) => Solutions::Exist,
        Some(dense) if lcp.q().len() <= LARGEST_ENUMERATED => {
            let found = enumerate_solutions(dense.view(), lcp.q());
            if found.is_empty() { Solutions::DoNotExist } else { Solutions::Exist }
        }
        _ => Solutions::Unknown,
    };
    Some(Case {
        name: name.clone(),
        size: lcp.q().len(),
        origin: Origin::File,
        solutions,
        excuse: None,
        problem: lcp,
    })
}

fn of_family(known: KnownLcp) -> Case<Lcp> {
    let solutions = if known.has_solution() { Solutions::Exist } else { Solutions::DoNotExist };
    let KnownLcp { name, m, q, class, .. } = known;
    Case {
        name,
        size: q.len(),
        origin: Origin::Drawn,
        solutions,
        excuse: None,
        problem: Lcp::drawn(m, q, class),
    }
}

fn definite(name: impl Into<String>, m: impl Into<Matrix>, q: Vec<f64>) -> Case<Lcp> {
    let size = q.len();
    let problem = Lcp::drawn(m, q, MatrixClass::SymmetricPositiveDefinite);
    Case {
        name: name.into(),
        size,
        origin: Origin::Drawn,
        solutions: Solutions::Exist,
        excuse: None,
        problem,
    }
}

impl Surveyed for Lcp {
    type Method = LcpMethod;

    fn tolerance(&self, _: bool) -> f64 {
        TOLERANCE
    }

    fn leaves_out(&self, method: &MethodDescription, _: bool) -> bool {
        let takes = |name| LcpMethod::from_name(name).and_then(|method| method.build().ok());
        let takes = takes(method.name).is_some_and(|solver| solver.supports(&self.problem.view()).is_ok());
        self.q().len() > Promise::of(method).largest_size || (self.dense.is_none() && !takes)
    }

    fn promises(&self, method: &MethodDescription, _: bool) -> bool {
        let capability = Promise::of(method).capability;
        let limit = capability.largest_condition;
        let within = limit.is_infinite() || self.condition <= SHARE_OF_CONDITION * limit;
        within && capability.classes.iter().any(|class| self.class.is_within(*class))
    }

    fn solve(&self, solver: &mut BoxedSolver<lcp::Lcp>, z: &mut [f64]) -> Result<SolveInfo, SolverError> {
        let as_stored = self.problem.view();
        match &self.dense {
            Some(dense) if solver.supports(&as_stored).is_err() => {
                hand_over(&LcpProblem::new(dense, self.q())?, solver, z)
            }
            _ => hand_over(&as_stored, solver, z),
        }
    }

    fn measure(&self, z: &[f64]) -> Point {
        let point = match &self.dense {
            Some(dense) => Measures::of(dense.view(), self.q(), z),
            None => Measures::of(self.problem.view().m().to_dense().view(), self.q(), z),
        };
        Point { error: point.natural, backward: point.backward }
    }
}
