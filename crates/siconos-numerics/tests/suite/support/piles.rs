//! Solution of piles with W and with their bodies.

use siconos_linalg::Csc;
use siconos_numerics::contact::{Contact, ContactLawData, ContactProblem};
use siconos_numerics::{SolveInfo, Solver};
use siconos_testkit::contact::KnownGlobal;

/// Solves a problem. Returns the report of the solver and r.
pub(crate) fn solved(
    solver: &mut dyn Solver<Class = Contact>,
    problem: &ContactProblem<'_>,
) -> (SolveInfo, Vec<f64>) {
    let n = problem.size();
    let (mut r, mut u) = (vec![0.0; n], vec![0.0; n]);
    let info = solver.solve(problem, &mut r, &mut u).expect("the data fit");
    (info, r)
}

/// Solves a pile with its bodies. Returns the report of the solver, r, and the velocities of the bodies.
pub(crate) fn solved_by_bodies(
    solver: &mut dyn Solver<Class = Contact>,
    pile: &KnownGlobal,
) -> (SolveInfo, Vec<f64>, Vec<f64>) {
    let data = pile.data();
    let (info, r) = solved(solver, &data.view());
    let v = data.velocities(&r);
    (info, r, v)
}

/// Returns a pile of spheres or discs with rotations, masses and velocities in other units.
pub(crate) fn in_other_units(pile: &KnownGlobal, length: f64, mass: f64, velocity: f64) -> KnownGlobal {
    let is_plane = matches!(pile.law, ContactLawData::Coulomb { dimension: 2, .. });
    let (translations, freedoms) = if is_plane { (2, 3) } else { (3, 6) };
    let freedom = |i: usize| if i % freedoms >= translations { length } else { 1.0 };
    let mut other = pile.clone();
    let columns = 0..pile.h.columns();
    let entries =
        columns.flat_map(|j| pile.h.column(j).map(move |(i, x)| (i, j, x * freedom(i)))).collect::<Vec<_>>();
    other.h = Csc::from_triplets(pile.h.rows(), pile.h.columns(), entries).expect("inside");
    other.masses.iter_mut().enumerate().for_each(|(i, m)| *m *= mass * freedom(i).powi(2));
    other.f.iter_mut().enumerate().for_each(|(i, f)| *f *= mass * velocity * freedom(i));
    other
}
