//! Blocks of different laws: the problems and the methods.

use std::path::Path;

use siconos_io::problem::{Problem, ProblemClass};
use siconos_numerics::gmp::{GenericMechanicalProblem, GmpMethod, MechanicalLaw};
use siconos_testkit::contact::{OwnedLaw, Shape, random_matrix, violation};
use siconos_testkit::random::RandomState;

use super::hard;
use crate::complementarity::files::Files;
use crate::complementarity::survey::{Case, Method, Origin, Point, Solutions, Survey};

pub(crate) fn survey(references: Option<&Path>) -> Survey {
    let files = Files::read(references, ProblemClass::Gmp);
    let mut cases: Vec<Case<GenericMechanicalProblem>> =
        files.iter().flat_map(|files| &files.problems).filter_map(of_file).collect();
    cases.extend([1, 2, 3].map(planted));
    Survey::of(&cases, methods(), files.map(|files| files.unreadable))
}

fn of_file((name, problem): &(String, Problem)) -> Option<Case<GenericMechanicalProblem>> {
    let Problem::Gmp(problem) = problem else { return None };
    Some(case(name.clone(), Origin::File, problem.clone()))
}

fn case(name: String, origin: Origin, problem: GenericMechanicalProblem) -> Case<GenericMechanicalProblem> {
    let size = problem.size();
    Case { name, size, origin, solutions: Solutions::Exist, excuse: None, problem }
}

/// A joint, stops, relays and contacts, coupled by a definite matrix. At the planted point all blocks bear: w = 0.
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

/// The largest of the errors of the blocks: the largest w of an equality; the violation of the law over 1 + norm(q) for others.
fn error(problem: &GenericMechanicalProblem, z: &[f64]) -> f64 {
    let mut w = vec![0.0; z.len()];
    problem.m().add_product(1.0, z, &mut w);
    w.iter_mut().zip(problem.q()).for_each(|(w, q)| *w += q);
    let of_block = |i: usize| {
        let range = problem.range(i);
        let (z, w, q) = (&z[range.clone()], &w[range.clone()], &problem.q()[range]);
        let norm = |x: &mut dyn Iterator<Item = f64>| x.map(|x| x * x).sum::<f64>().sqrt();
        let violation = match &problem.laws()[i] {
            // Not `f64::max`, which loses a NaN.
            MechanicalLaw::Equality { .. } => {
                return w.iter().fold(0.0, |a, w| if w.abs() <= a { a } else { w.abs() });
            }
            MechanicalLaw::Complementarity { .. } => {
                norm(&mut z.iter().zip(w).map(|(z, w)| z - (z - w).max(0.0)))
            }
            MechanicalLaw::Relay { lower, upper } => norm(
                &mut z
                    .iter()
                    .zip(w)
                    .zip(lower.iter().zip(upper))
                    .map(|((z, w), (l, u))| z - (z - w).max(*l).min(*u)),
            ),
            MechanicalLaw::Friction2 { mu } | MechanicalLaw::Friction3 { mu } => {
                violation(&OwnedLaw::coulomb(z.len(), 1, *mu), z, w)
            }
            _ => f64::NAN,
        };
        violation / (1.0 + norm(&mut q.iter().copied()))
    };
    (0..problem.blocks()).map(of_block).fold(0.0, |a, x| if x <= a { a } else { x })
}

fn methods() -> Vec<Method<GenericMechanicalProblem>> {
    let default = GmpMethod::default().description().name;
    let methods = GmpMethod::all().into_iter().map(|mut method| {
        let name = method.description().name;
        let tolerance = if name == default { hard::TOLERANCE_OF_DEFAULT } else { hard::TOLERANCE };
        method.set_tolerance(tolerance);
        let mut solver = method.build().expect("the default settings are valid");
        Method {
            name,
            is_default: name == default,
            tolerance: Box::new(move |_| tolerance),
            leaves_out: Box::new(|_| false),
            promises: Box::new(move |_| name == default),
            solve: Box::new(move |problem, z| solver.solve(problem, z, &mut vec![0.0; problem.size()])),
            measure: |problem, z| Point { error: error(problem, z), backward: f64::INFINITY },
        }
    });
    methods.collect()
}
