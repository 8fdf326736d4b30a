//! Friction in global form: the problems and the methods.

use std::path::Path;

use ndarray::Array1;
use siconos_io::problem::{Problem, ProblemClass};
use siconos_numerics::contact::{GlobalContactMethod, GlobalFrictionProblem};
use siconos_numerics::linalg::Csc;
use siconos_testkit::contact::{KnownGlobal, OwnedLaw, spheres_global, violation};

use super::hard;
use crate::complementarity::files::Files;
use crate::complementarity::survey::{Case, Method, Origin, Point, Solutions, Survey};

type Global = GlobalFrictionProblem<3>;

/// More degrees of freedom than this are not for methods that factorise the whole system a hundred times.
const LARGEST: usize = 3000;

pub(crate) fn survey(references: Option<&Path>) -> Survey {
    let files = Files::read(references, ProblemClass::Gfc3d);
    let mut cases: Vec<Case<Global>> =
        files.iter().flat_map(|files| &files.problems).filter_map(of_file).collect();
    cases.extend([spheres_global(60, 0.3, 1), spheres_global(150, 0.8, 1)].map(of_drawn));
    Survey::of(&cases, methods(), files.map(|files| files.unreadable))
}

fn of_file((name, problem): &(String, Problem)) -> Option<Case<Global>> {
    let Problem::Gfc3d(problem) = problem else { return None };
    Some(case(name.clone(), Origin::File, problem.clone()))
}

fn of_drawn(known: KnownGlobal) -> Case<Global> {
    let n = known.masses.len();
    let entries = known.masses.iter().enumerate().map(|(i, mass)| (i, i, *mass));
    let masses = Csc::from_triplets(n, n, entries.collect::<Vec<_>>()).expect("a diagonal");
    let w = Array1::zeros(known.h.columns());
    let problem = GlobalFrictionProblem::new(masses, known.h, known.f.into(), w, known.mu.into());
    case(known.name, Origin::Drawn, problem.expect("what is drawn fits and is finite"))
}

fn case(name: String, origin: Origin, problem: Global) -> Case<Global> {
    let size = 3 * problem.contacts() + problem.freedoms();
    let excuse = hard::excuse(&name);
    Case { name, size, origin, solutions: Solutions::Exist, excuse, problem }
}

/// norm(-M v + H r + f) over the largest of its terms, and the violation of the law over the larger of u and r; each divided only
/// by what exceeds the root of the machine precision.
fn error(problem: &Global, r: &[f64], v: &[f64]) -> f64 {
    let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let view = problem.view();
    let (mut momentum, mut impulse) = (vec![0.0; v.len()], vec![0.0; v.len()]);
    problem.m().add_product(1.0, v, &mut momentum);
    problem.h().add_product(1.0, r, &mut impulse);
    let h = Csc::from_matrix(problem.h());
    let of_column = |(j, w): (usize, &f64)| w + h.column(j).map(|(i, x)| x * v[i]).sum::<f64>();
    let u: Vec<f64> = view.w().iter().enumerate().map(of_column).collect();
    let over = |x: f64, scale: f64| if scale > f64::EPSILON.sqrt() { x / scale } else { x };
    let terms = momentum.iter().zip(&impulse).zip(view.f());
    let rest: Vec<f64> = terms.map(|((m, h), f)| h + f - m).collect();
    let balance = over(norm(&rest), norm(view.f()).max(norm(&momentum)).max(norm(&impulse)));
    let Some(law) = OwnedLaw::of(view.law()) else { return f64::NAN };
    balance + over(violation(&law, r, &u), norm(&u).max(norm(r)))
}

fn methods() -> Vec<Method<Global>> {
    let default = GlobalContactMethod::default().description().name;
    let methods = GlobalContactMethod::all().into_iter().map(|mut method| {
        let name = method.description().name;
        let tolerance = if name == default { hard::TOLERANCE_OF_DEFAULT } else { hard::TOLERANCE };
        method.set_tolerance(tolerance);
        let mut solver = method.build().expect("the default settings are valid");
        Method {
            name,
            is_default: name == default,
            tolerance: Box::new(move |_| tolerance),
            leaves_out: Box::new(move |global: &Global| name != default && global.freedoms() > LARGEST),
            promises: Box::new(move |_| name == default),
            solve: Box::new(move |global, z| {
                let (r, v) = z.split_at_mut(3 * global.contacts());
                solver.solve(&global.view(), r, v, &mut vec![0.0; 3 * global.contacts()])
            }),
            measure: |global, z| {
                let (r, v) = z.split_at(3 * global.contacts());
                Point { error: error(global, r, v), backward: f64::INFINITY }
            },
        }
    });
    methods.collect()
}
