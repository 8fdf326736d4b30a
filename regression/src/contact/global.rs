//! Friction in global form: the problems and the methods.

use std::path::Path;

use ndarray::Array1;
use siconos_io::problem::{Problem, ProblemClass};
use siconos_linalg::{Csc, Matrix};
use siconos_numerics::contact::{ContactLawData, GlobalContact, GlobalContactData, GlobalContactMethod};
use siconos_numerics::method::{BoxedSolver, MethodDescription};
use siconos_numerics::{SolveInfo, SolverError};
use siconos_testkit::contact::{KnownGlobal, contact_error, spheres_global};

use super::hard;
use crate::complementarity::files::Files;
use crate::complementarity::survey::{Case, Origin, Point, Solutions, Survey};
use crate::complementarity::surveyed::{Surveyed, hand_over, survey};

type Global = GlobalContactData;

/// More degrees of freedom than this are not for methods that factorise the whole system a hundred times.
const LARGEST: usize = 3000;

pub(super) fn run(references: Option<&Path>) -> Survey {
    let files = Files::read(references, ProblemClass::Gfc3d);
    let mut cases: Vec<Case<Global>> =
        files.iter().flat_map(|files| &files.problems).filter_map(of_file).collect();
    cases.extend([spheres_global(60, 0.3, 1), spheres_global(150, 0.8, 1)].map(of_drawn));
    survey(&cases, files)
}

fn of_file((name, problem): &(String, Problem)) -> Option<Case<Global>> {
    let Problem::GlobalContact(problem) = problem else { return None };
    Some(case(name.clone(), Origin::File, problem.clone()))
}

fn of_drawn(known: KnownGlobal) -> Case<Global> {
    case(known.name.clone(), Origin::Drawn, known.data())
}

fn case(name: String, origin: Origin, problem: Global) -> Case<Global> {
    let size = problem.law().size() + problem.degrees_of_freedom();
    let excuse = hard::excuse(&name);
    Case { name, size, origin, solutions: Solutions::Exist, excuse, problem }
}

/// The error of the balance of momentum as the root of a part of the energy, and the violation of the law
/// over the free velocity.
fn error(problem: &Global, r: &[f64], v: &[f64]) -> f64 {
    let view = problem.view();
    let (m, h) = (Csc::from_matrix(view.m()), Csc::from_matrix(view.h()));
    let n = v.len();
    let masses: Vec<f64> = (0..n).map(|k| m.get(k, k)).collect();
    if masses.iter().any(|m| *m <= 0.0) {
        return f64::NAN;
    }
    let energy = |x: &[f64]| x.iter().zip(&masses).map(|(x, m)| x * x / m).sum::<f64>().sqrt();
    let (mut momentum, mut impulse) = (vec![0.0; n], vec![0.0; n]);
    m.add_product(1.0, v, &mut momentum);
    h.add_product(1.0, r, &mut impulse);
    let rest: Vec<f64> = momentum.iter().zip(&impulse).zip(view.f()).map(|((m, h), f)| h + f - m).collect();
    let balance = energy(&rest) / energy(view.f()).max(energy(&momentum)).max(energy(&impulse));
    let at_contacts = |v: &[f64]| -> Vec<f64> {
        let of_column = |(j, w): (usize, &f64)| w + h.column(j).map(|(i, x)| x * v[i]).sum::<f64>();
        view.w().iter().enumerate().map(of_column).collect()
    };
    let free = solve(&m, &masses, view.f());
    let (q, u) = (at_contacts(&free), at_contacts(v));
    let terms = |(j, w): (usize, &f64)| w.abs() + h.column(j).map(|(i, x)| (x * free[i]).abs()).sum::<f64>();
    let terms: Vec<f64> = view.w().iter().enumerate().map(terms).collect();
    let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let compliances: Vec<f64> =
        (0..u.len()).map(|j| h.column(j).map(|(i, x)| x * x / masses[i]).sum()).collect();
    let law = ContactLawData::from(view.law());
    // The law sees no more of W than its diagonal.
    let w = Matrix::from(Array1::from(compliances));
    let of_law = contact_error(&law, w.view(), &q, r, &u);
    balance + of_law * norm(&q) / norm(&q).max(1e-6 * norm(&terms))
}

/// Conjugate gradients for M x = f, scaled by the diagonal (Hestenes and Stiefel 1952).
fn solve(m: &Csc, masses: &[f64], f: &[f64]) -> Vec<f64> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let scaled = |x: &[f64]| -> Vec<f64> { x.iter().zip(masses).map(|(x, m)| x / m).collect() };
    let (mut x, mut rest) = (scaled(&vec![0.0; f.len()]), f.to_vec());
    let mut direction = scaled(&rest);
    let mut size = dot(&rest, &direction);
    let enough = 1e-28 * size;
    for _ in 0..20 * f.len() {
        if size <= enough {
            break;
        }
        let mut image = vec![0.0; f.len()];
        m.add_product(1.0, &direction, &mut image);
        let step = size / dot(&direction, &image);
        x.iter_mut().zip(&direction).for_each(|(x, d)| *x += step * d);
        rest.iter_mut().zip(&image).for_each(|(r, y)| *r -= step * y);
        let next = scaled(&rest);
        let new = dot(&rest, &next);
        direction.iter_mut().zip(&next).for_each(|(d, r)| *d = r + new / size * *d);
        size = new;
    }
    x
}

impl Surveyed for Global {
    type Method = GlobalContactMethod;

    fn tolerance(&self, is_default: bool) -> f64 {
        if is_default { hard::TOLERANCE_OF_DEFAULT } else { hard::TOLERANCE }
    }

    fn leaves_out(&self, _: &MethodDescription, is_default: bool) -> bool {
        !is_default && self.degrees_of_freedom() > LARGEST
    }

    fn promises(&self, _: &MethodDescription, is_default: bool) -> bool {
        is_default
    }

    fn solve(
        &self,
        solver: &mut BoxedSolver<GlobalContact>,
        z: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        hand_over(&self.view(), solver, z)
    }

    fn measure(&self, z: &[f64]) -> Point {
        let (r, v) = z.split_at(self.law().size());
        Point { error: error(self, r, v), backward: f64::INFINITY }
    }
}
