//! Blocks with different laws: problems and methods.

use std::path::Path;

use siconos_io::problem::{Problem, ProblemClass};
use siconos_numerics::gmp::{GenericMechanicalProblem, Gmp, GmpMethod, MechanicalLaw};
use siconos_numerics::method::{BoxedSolver, MethodDescription};
use siconos_numerics::{SolveInfo, SolverError};
use siconos_testkit::box_error::own_responses;
use siconos_testkit::contact::{Shape, coulomb, random_matrix, violation};
use siconos_testkit::random::RandomState;

use super::hard;
use crate::complementarity::files::Files;
use crate::complementarity::survey::{Case, Origin, Point, Solutions, Survey};
use crate::complementarity::surveyed::{Surveyed, hand_over, survey};

pub(super) fn run(references: Option<&Path>) -> Survey {
    let files = Files::read(references, ProblemClass::Gmp);
    let mut cases: Vec<Case<GenericMechanicalProblem>> =
        files.iter().flat_map(|files| &files.problems).filter_map(of_file).collect();
    cases.extend([1, 2, 3].map(planted));
    survey(&cases, files)
}

fn of_file((name, problem): &(String, Problem)) -> Option<Case<GenericMechanicalProblem>> {
    let Problem::Gmp(problem) = problem else { return None };
    Some(case(name.clone(), Origin::File, problem.clone()))
}

fn case(name: String, origin: Origin, problem: GenericMechanicalProblem) -> Case<GenericMechanicalProblem> {
    let size = problem.size();
    Case { name, size, origin, solutions: Solutions::Exist, excuse: None, problem }
}

/// Returns a joint, stops, relays and contacts, coupled by a positive definite matrix. At the planted point
/// all blocks are active: w = 0.
fn planted(number: u32) -> Case<GenericMechanicalProblem> {
    let mut random = RandomState::new(number);
    let laws = vec![
        MechanicalLaw::Equality { size: 3 },
        MechanicalLaw::Complementarity { size: 2 },
        MechanicalLaw::Relay { lower: vec![-1.0; 2], upper: vec![1.0; 2] },
        MechanicalLaw::Friction2 { mu: 0.5 },
        MechanicalLaw::Friction3 { mu: 0.3 },
        MechanicalLaw::Friction3 { mu: 0.7 },
    ];
    let n = laws.iter().map(MechanicalLaw::size).sum();
    let m = random_matrix(n, Shape::DEFINITE, &mut random);
    let mut z: Vec<f64> = Vec::new();
    for law in &laws {
        match law {
            MechanicalLaw::Friction2 { mu } | MechanicalLaw::Friction3 { mu } => {
                z.push(1.0);
                z.extend((1..law.size()).map(|_| 0.6 * mu * random.between(-1.0, 1.0)));
            }
            MechanicalLaw::Complementarity { size } => z.extend((0..*size).map(|_| random.between(0.5, 1.0))),
            _ => z.extend((0..law.size()).map(|_| random.between(-0.9, 0.9))),
        }
    }
    let q = -m.dot(&ndarray::ArrayView1::from(&z));
    let problem = GenericMechanicalProblem::new(m, q, laws).expect("the blocks fit");
    case(format!("planted blocks, {number}"), Origin::Drawn, problem)
}

/// Returns the norm of the violations of all blocks, in the unit of w, over the norm of q plus the norm of
/// the effect of the nearest relay bounds. It is an independent implementation of the error of the solvers.
fn error(problem: &GenericMechanicalProblem, z: &[f64]) -> f64 {
    let mut w = vec![0.0; z.len()];
    problem.m().add_product(1.0, z, &mut w);
    w.iter_mut().zip(problem.q()).for_each(|(w, q)| *w += q);
    let d = own_responses(problem.m().to_dense().view());
    let (mut squares, mut of_bounds) = (0.0, 0.0);
    for (i, law) in problem.laws().iter().enumerate() {
        for k in problem.range(i) {
            squares += match law {
                MechanicalLaw::Equality { .. } => w[k].powi(2),
                MechanicalLaw::Complementarity { .. } => (d[k] * z[k]).min(w[k]).powi(2),
                MechanicalLaw::Relay { lower, upper } => {
                    let place = k - problem.range(i).start;
                    let (l, u) = (lower[place], upper[place]);
                    of_bounds += (d[k] * 0.0_f64.max(l).min(u)).powi(2);
                    w[k].max(d[k] * (z[k] - u)).min(d[k] * (z[k] - l)).powi(2)
                }
                _ => 0.0,
            };
        }
        if let MechanicalLaw::Friction2 { mu } | MechanicalLaw::Friction3 { mu } = law {
            let range = problem.range(i);
            let mean = d[range.clone()].iter().sum::<f64>() / range.len() as f64;
            let impulses: Vec<f64> = z[range.clone()].iter().map(|z| mean * z).collect();
            squares += violation(&coulomb(range.len(), 1, *mu), &impulses, &w[range]).powi(2);
        }
    }
    let norm_of_q = problem.q().iter().map(|q| q * q).sum::<f64>().sqrt();
    squares.sqrt() / (norm_of_q + of_bounds.sqrt())
}

impl Surveyed for GenericMechanicalProblem {
    type Method = GmpMethod;

    fn tolerance(&self, is_default: bool) -> f64 {
        if is_default { hard::TOLERANCE_OF_DEFAULT } else { hard::TOLERANCE }
    }

    fn promises(&self, _: &MethodDescription, is_default: bool) -> bool {
        is_default
    }

    fn solve(&self, solver: &mut BoxedSolver<Gmp>, z: &mut [f64]) -> Result<SolveInfo, SolverError> {
        hand_over(self, solver, z)
    }

    fn measure(&self, z: &[f64]) -> Point {
        Point { error: error(self, z), backward: f64::INFINITY }
    }
}
