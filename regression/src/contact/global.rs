//! Friction with the bodies instead of W: problems and methods.

use std::path::Path;

use ndarray::Array1;
use siconos_io::problem::{Problem, ProblemClass};
use siconos_linalg::{Csc, Matrix, slice};
use siconos_numerics::contact::{BodiesData, Contact, ContactData, ContactLawData, ContactMethod};
use siconos_numerics::method::{BoxedSolver, MethodDescription};
use siconos_numerics::{Method, SolveInfo, SolverError};
use siconos_testkit::contact::{KnownGlobal, contact_error, spheres_global};

use super::{effort, hard};
use crate::complementarity::files::Files;
use crate::complementarity::survey::{Case, Origin, Point, Solutions, Survey};
use crate::complementarity::surveyed::{Surveyed, hand_over, survey};

type Global = ContactData;

pub(super) fn run(references: Option<&Path>) -> Survey {
    let files = Files::read(references, ProblemClass::Gfc3d);
    let mut cases: Vec<Case<Global>> =
        files.iter().flat_map(|files| &files.problems).filter_map(of_file).collect();
    cases.extend([spheres_global(60, 0.3, 1), spheres_global(150, 0.8, 1)].map(of_drawn));
    survey(&cases, files)
}

fn of_file((name, problem): &(String, Problem)) -> Option<Case<Global>> {
    let Problem::Contact(problem) = problem else { return None };
    Some(case(name.clone(), Origin::File, problem.clone()))
}

fn of_drawn(known: KnownGlobal) -> Case<Global> {
    case(known.name.clone(), Origin::Drawn, known.data())
}

fn case(name: String, origin: Origin, problem: Global) -> Case<Global> {
    let size = problem.q().len();
    let excuse = hard::excuse(&name);
    Case { name, size, origin, solutions: Solutions::Exist, excuse, problem }
}

/// Returns the violation of the law over the free velocity, with the velocities computed from the reactions.
fn error(problem: &Global, r: &[f64]) -> f64 {
    let Some(BodiesData { m, h, f, w }) = problem.bodies() else { return f64::NAN };
    let (m, h) = (Csc::from_matrix(m.view()), Csc::from_matrix(h.view()));
    let masses: Vec<f64> = (0..f.len()).map(|k| m.get(k, k)).collect();
    if masses.iter().any(|m| *m <= 0.0) {
        return f64::NAN;
    }
    let along = |j: usize, v: &[f64]| h.column(j).map(|(i, x)| x * v[i]).sum::<f64>();
    let at_contacts =
        |v: &[f64]| -> Vec<f64> { slice(w).iter().enumerate().map(|(j, w)| w + along(j, v)).collect() };
    let mut momentum = f.to_vec();
    let q = at_contacts(&solve(&m, &masses, &momentum));
    h.add_product(1.0, r, &mut momentum);
    let u = at_contacts(&solve(&m, &masses, &momentum));
    let diagonal = |j: usize| {
        let mut column = vec![0.0; f.len()];
        h.column(j).for_each(|(i, x)| column[i] = x);
        along(j, &solve(&m, &masses, &column))
    };
    // The error depends on W only through its diagonal.
    let diagonal = Matrix::from(Array1::from_iter((0..r.len()).map(diagonal)));
    contact_error(&ContactLawData::from(problem.law()), diagonal.view(), &q, r, &u)
}

/// Solves M x = f by conjugate gradients, preconditioned by the diagonal (Hestenes and Stiefel 1952).
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
    type Method = ContactMethod;

    fn tolerance(&self, is_default: bool) -> f64 {
        if is_default { hard::TOLERANCE_OF_DEFAULT } else { hard::TOLERANCE }
    }

    fn leaves_out(&self, method: &MethodDescription, _: bool) -> bool {
        effort::is_too_large(method.name, self.q().len())
    }

    fn promises(&self, _: &MethodDescription, is_default: bool) -> bool {
        is_default
    }

    fn prepare(&self, method: &mut ContactMethod) {
        if let Some(iterations) = effort::iterations(method.name(), self.q().len()) {
            method.set_max_iterations(iterations);
        }
    }

    fn solve(&self, solver: &mut BoxedSolver<Contact>, r: &mut [f64]) -> Result<SolveInfo, SolverError> {
        hand_over(&self.view(), solver, r)
    }

    fn measure(&self, r: &[f64]) -> Point {
        Point { error: error(self, r), backward: f64::INFINITY }
    }
}
