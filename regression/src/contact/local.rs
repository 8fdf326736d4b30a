//! Friction in the plane and in space, rolling friction, second-order cones: problems and methods.

use std::path::Path;

use siconos_io::problem::{Problem, ProblemClass};
use siconos_linalg::{Csc, Matrix};
use siconos_numerics::contact::{self, ContactLawData, ContactMethod, ContactProblem, OperatorData};
use siconos_numerics::method::{BoxedSolver, MatrixClass, MethodDescription, Scope};
use siconos_numerics::{Method, SolveInfo, Solver, SolverError};
use siconos_testkit::contact::{
    KnownContact, Shape, cones as cones_law, contact_error, coulomb, discs, parts, planted,
    rolling as rolling_law, spheres, tower,
};

use super::{effort, hard};
use crate::complementarity::files::Files;
use crate::complementarity::survey::{Case, Origin, Point, Solutions, Survey};
use crate::complementarity::surveyed::{Surveyed, hand_over, survey};

/// Problem with the data that the promises refer to.
struct Contact {
    name: String,
    w: Matrix,
    q: Vec<f64>,
    law: ContactLawData,
    /// `true` for a symmetric positive definite matrix without friction: a convex program with a unique
    /// solution.
    is_convex_and_definite: bool,
}

impl Contact {
    fn view(&self) -> ContactProblem<'_> {
        ContactProblem::new(&self.w, &self.q, self.law.view()).expect("it was a problem before")
    }

    fn is_taken_by(&self, method: &MethodDescription) -> bool {
        let solver = ContactMethod::from_name(method.name).and_then(|method| method.build().ok());
        solver.is_some_and(|solver| solver.supports(&self.view()).is_ok())
    }
}

/// Friction in the plane, `fc2d`.
pub(crate) fn plane(references: Option<&Path>) -> Survey {
    let drawn = [
        discs(100, 0.3, 1),
        discs(300, 0.7, 1),
        planted(coulomb(2, 4, 0.0), Shape::DEFINITE, 1),
        planted(coulomb(2, 6, 0.5), Shape::DEFINITE, 1),
        planted(coulomb(2, 6, 0.5), Shape::HYPERSTATIC, 1),
        planted(coulomb(2, 4, 3.0), Shape::HYPERSTATIC, 1),
    ];
    run(references, ProblemClass::Fc2d, drawn)
}

/// Friction in space, `fc3d`.
pub(crate) fn space(references: Option<&Path>) -> Survey {
    let skew = Shape { skew: 1e-4, ..Shape::HYPERSTATIC };
    let drawn = [
        spheres(100, 0.3, 1),
        spheres(200, 0.8, 1),
        tower(5, 0.5, 1),
        tower(15, 0.5, 1),
        planted(coulomb(3, 5, 0.0), Shape::DEFINITE, 1),
        planted(coulomb(3, 10, 0.3), Shape::DEFINITE, 1),
        planted(coulomb(3, 10, 0.7), Shape::HYPERSTATIC, 1),
        planted(coulomb(3, 10, 0.7), skew, 1),
        planted(coulomb(3, 5, 5.0), Shape::HYPERSTATIC, 1),
    ];
    run(references, ProblemClass::Fc3d, drawn)
}

/// Rolling friction, `rolling`.
pub(crate) fn rolling(references: Option<&Path>) -> Survey {
    let drawn = [
        planted(rolling_law(3, 6, 0.3, 0.1), Shape::DEFINITE, 1),
        planted(rolling_law(5, 6, 0.0, 0.0), Shape::DEFINITE, 1),
        planted(rolling_law(5, 6, 0.5, 0.1), Shape::DEFINITE, 1),
        planted(rolling_law(5, 6, 0.5, 0.1), Shape::HYPERSTATIC, 1),
    ];
    run(references, ProblemClass::Rolling, drawn)
}

/// Second-order cones, `soclcp`.
pub(crate) fn cones(references: Option<&Path>) -> Survey {
    let drawn = [
        planted(cones_law(&[1, 2, 3, 4, 7], 1.0), Shape::DEFINITE, 1),
        planted(cones_law(&[3; 10], 1.0), Shape::HYPERSTATIC, 1),
        planted(cones_law(&[5; 6], 0.5), Shape { skew: 0.3, ..Shape::DEFINITE }, 1),
    ];
    run(references, ProblemClass::Soclcp, drawn)
}

fn run<const N: usize>(references: Option<&Path>, class: ProblemClass, drawn: [KnownContact; N]) -> Survey {
    let files = Files::read(references, class);
    let mut cases: Vec<Case<Contact>> =
        files.iter().flat_map(|files| &files.problems).filter_map(of_file).collect();
    cases.extend(drawn.into_iter().map(of_drawn));
    survey(&cases, files)
}

fn of_file((name, problem): &(String, Problem)) -> Option<Case<Contact>> {
    let Problem::Contact(problem) = problem else { return None };
    let OperatorData::Delassus(w) = problem.operator() else { return None };
    let (q, law) = (problem.q().to_vec(), ContactLawData::from(problem.law()));
    let (w, size) = (w.clone(), q.len());
    let problem = Contact { name: name.clone(), w, q, law, is_convex_and_definite: false };
    let (origin, excuse) = (Origin::File, hard::excuse(name));
    // No solution is known, but the problems come from simulations that continued.
    Some(Case { name: name.clone(), size, origin, solutions: Solutions::Exist, excuse, problem })
}

fn of_drawn(known: KnownContact) -> Case<Contact> {
    let is_convex_and_definite = known.shape.is_some_and(Shape::is_definite) && has_no_friction(&known.law);
    let KnownContact { name, w, q, law, .. } = known;
    let size = q.len();
    let problem = Contact { name: name.clone(), w, q, law, is_convex_and_definite };
    Case { name, size, origin: Origin::Drawn, solutions: Solutions::Exist, excuse: None, problem }
}

fn has_no_friction(law: &ContactLawData) -> bool {
    let is_zero = |i| parts(law, i).iter().all(|(coefficient, _)| *coefficient == 0.0);
    !matches!(law, ContactLawData::SecondOrder { .. }) && (0..law.view().blocks()).all(is_zero)
}

/// Returns the violation over the size of the terms of the velocities; infinite if rounding cannot explain
/// it.
fn backward(contact: &Contact, r: &[f64], error: f64) -> f64 {
    let mut terms: Vec<f64> = contact.q.iter().map(|q| q.abs()).collect();
    let w = Csc::from_matrix(contact.w.view());
    for (j, r) in r.iter().enumerate() {
        w.column(j).for_each(|(i, x)| terms[i] += (x * r).abs());
    }
    let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    if error <= 1000.0 * hard::TOLERANCE { error * norm(&contact.q) / norm(&terms) } else { f64::INFINITY }
}

impl Surveyed for Contact {
    type Method = ContactMethod;

    fn tolerance(&self, is_default: bool) -> f64 {
        if is_default { hard::tolerance_of_default(&self.name) } else { hard::TOLERANCE }
    }

    fn leaves_out(&self, method: &MethodDescription, is_default: bool) -> bool {
        (is_default && hard::excuse(&self.name).is_some()) || effort::is_too_large(method.name, self.q.len())
    }

    /// The default method solves every problem; other methods solve what they guarantee.
    fn promises(&self, method: &MethodDescription, is_default: bool) -> bool {
        let class = MatrixClass::SymmetricPositiveDefinite;
        match method.guarantee.only {
            _ if is_default => hard::excuse(&self.name).is_none(),
            Scope::WithoutFriction | Scope::SmallFriction => {
                self.is_convex_and_definite && method.guarantee.covers(class) && self.is_taken_by(method)
            }
            Scope::FewUnknowns => self.q.len() <= 12 && self.is_taken_by(method),
            _ => false,
        }
    }

    fn prepare(&self, method: &mut ContactMethod) {
        if let Some(iterations) = effort::iterations(method.name(), self.q.len()) {
            method.set_max_iterations(iterations);
        }
    }

    fn solve(
        &self,
        solver: &mut BoxedSolver<contact::Contact>,
        r: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        hand_over(&self.view(), solver, r)
    }

    fn measure(&self, r: &[f64]) -> Point {
        let mut u = vec![0.0; r.len()];
        self.w.view().add_product(1.0, r, &mut u);
        u.iter_mut().zip(&self.q).for_each(|(u, q)| *u += q);
        let error = contact_error(&self.law, self.w.view(), &self.q, r, &u);
        Point { error, backward: backward(self, r, error) }
    }
}
