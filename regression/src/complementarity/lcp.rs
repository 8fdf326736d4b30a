//! Linear complementarity: the problems and the methods.

use std::path::Path;

use ndarray::Array2;
use siconos_io::problem::{Problem, ProblemClass};
use siconos_numerics::lcp::{LcpMethod, LcpProblem, LinearComplementarityProblem};
use siconos_numerics::linalg::Matrix;
use siconos_testkit::lcp::generated::{Chain, every_family, gram, gram_over_n};
use siconos_testkit::lcp::{
    KnownLcp, LARGEST_ENUMERATED, MatrixClass, Measures, Promise, class_of, condition_number, degenerate,
    enumerate_solutions, fathi, murty, murty_reversed, unsolvable,
};

use super::files::Files;
use super::survey::{Case, Method, Origin, Point, Solutions, Survey};

/// The error at which a point counts as a solution, for every method.
const TOLERANCE: f64 = 1e-10;

/// An iterative method that gains a factor of 1e-8 within its iterations up to some condition number gains the one of
/// [`TOLERANCE`] up to this share of it.
const SHARE_OF_CONDITION: f64 = 0.8;

/// Beyond this size a method without sparse storage is not asked, and no condition number is formed.
const LARGEST_DENSE: usize = 300;

/// One problem with what the promises ask for.
struct Lcp {
    problem: LinearComplementarityProblem,
    /// The matrix with all its zeros, for methods that take nothing else.
    dense: Option<Array2<f64>>,
    class: MatrixClass,
    condition: f64,
}

impl Lcp {
    /// The class is that of the author, or else what a few checks can tell.
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

pub(super) fn survey(references: Option<&Path>) -> Survey {
    let files = Files::read(references, ProblemClass::Lcp);
    let mut cases: Vec<Case<Lcp>> =
        files.iter().flat_map(|files| &files.problems).filter_map(of_file).collect();
    cases.extend([8, 40].into_iter().flat_map(|n| every_family(n, 1)).map(of_family));
    // Made to be exponential for pivoting methods, to be full of ties, to have no solution.
    let exponential = [murty(10), murty_reversed(8), fathi(8)];
    cases.extend(exponential.into_iter().chain(degenerate()).chain(unsolvable()).map(of_family));
    let (plain, over_n) = (gram(100), gram_over_n(100));
    cases.extend([definite("gram", plain.m, plain.q), definite("gram / n", over_n.m, over_n.q)]);
    let chains =
        [Chain::clamped(100), Chain::of_beads(100), Chain::drawn(100, 3, 1), Chain::drawn(2000, 1, 1)];
    cases.extend(chains.into_iter().map(|chain| definite(&chain.name, chain.block_rows(), chain.q.clone())));
    Survey::of(&cases, methods(), files.map(|files| files.unreadable))
}

fn of_file((name, problem): &(String, Problem)) -> Option<Case<Lcp>> {
    let Problem::Lcp(problem) = problem else { return None };
    let lcp = Lcp::new(problem.clone(), None);
    // What has a positive definite or P-matrix has a solution; of the rest the oracle knows the small ones.
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

fn methods() -> Vec<Method<Lcp>> {
    let default = LcpMethod::default().description().name;
    let mut methods = LcpMethod::all();
    if methods.iter().all(|method| method.description().name != default) {
        methods.push(LcpMethod::default());
    }
    let methods = methods.into_iter().map(|mut method| {
        method.set_tolerance(TOLERANCE);
        let name = method.description().name;
        let promise = Promise::of_method(name);
        let largest = promise.largest_size;
        let build = || method.build().expect("the default settings are valid");
        let (asked, mut solver) = (build(), build());
        Method {
            name,
            is_default: name == default,
            tolerance: Box::new(|_| TOLERANCE),
            leaves_out: Box::new(move |lcp: &Lcp| {
                let is_too_large = lcp.q().len() > largest;
                is_too_large || (lcp.dense.is_none() && asked.supports(lcp.problem.view().m()).is_err())
            }),
            promises: Box::new(move |lcp: &Lcp| {
                let capability = &promise.capability;
                let limit = capability.largest_condition;
                let within = limit.is_infinite() || lcp.condition <= SHARE_OF_CONDITION * limit;
                within && capability.classes.iter().any(|class| lcp.class.is_within(*class))
            }),
            solve: Box::new(move |lcp, z| {
                let mut w = vec![0.0; z.len()];
                let as_stored = lcp.problem.view();
                let problem = match &lcp.dense {
                    Some(dense) if solver.supports(as_stored.m()).is_err() => {
                        LcpProblem::new(dense, lcp.q())?
                    }
                    _ => as_stored,
                };
                solver.solve(&problem, z, &mut w)
            }),
            measure: |lcp, z| {
                let point = match &lcp.dense {
                    Some(dense) => Measures::of(dense.view(), lcp.q(), z),
                    None => Measures::of(lcp.problem.view().m().to_dense().view(), lcp.q(), z),
                };
                Point { error: point.natural, backward: point.backward }
            },
        }
    });
    methods.collect()
}
