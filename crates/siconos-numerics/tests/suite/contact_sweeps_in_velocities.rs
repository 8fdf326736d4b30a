//! Gauss-Seidel sweeps in velocity space, and bodies with many contacts, for which W is not formed.

use ndarray::{Array1, Array2, Axis, array};
use siconos_linalg::{Csc, DenseLu, Matrix, MatrixRef};
use siconos_numerics::contact::{
    Auto, AutoSettings, BodiesData, Contact, ContactData, ContactLawData, ContactMethod, ContactProblem,
    GaussSeidelSettings, LocalSolver, NonsmoothGaussSeidel, SweepOrder, VelocityNewton,
    VelocityProximalPoint, error, error_of_point,
};
use siconos_numerics::{EffortLimit, Method, SolveInfo, Solver, SolverError, Status};
use siconos_testkit::allocation::{count_allocations, peak_bytes};
use siconos_testkit::compare::largest_difference;
use siconos_testkit::contact::{
    KnownContact, KnownGlobal, cones, discs, discs_global, plate_global, rolling_discs, rolling_spheres,
    spheres, spheres_global, violation,
};

use crate::support::piles::{in_other_units, solved, solved_by_bodies};

fn sweeps(settings: GaussSeidelSettings) -> NonsmoothGaussSeidel {
    NonsmoothGaussSeidel::new(settings).expect("settings in their ranges")
}

/// Solves from zero.
fn try_solve(
    solver: &mut dyn Solver<Class = Contact>,
    problem: &ContactProblem<'_>,
) -> Result<(SolveInfo, Vec<f64>), SolverError> {
    let (mut r, mut u) = (vec![0.0; problem.size()], vec![0.0; problem.size()]);
    solver.solve(problem, &mut r, &mut u).map(|info| (info, r))
}

fn of_bodies(
    m: impl Into<Matrix>,
    h: impl Into<Matrix>,
    f: Array1<f64>,
    w: Array1<f64>,
    law: ContactLawData,
) -> ContactData {
    let bodies = BodiesData { m: m.into(), h: h.into(), f, w };
    ContactData::of_bodies(bodies, law).expect("the parts fit")
}

/// Returns both forms of a pile with second-order cones as law.
fn as_cones((mut local, mut global): (KnownContact, KnownGlobal)) -> (KnownContact, KnownGlobal) {
    let law = cones(&vec![3; local.q.len() / 3], 0.4);
    (local.law, global.law) = (law.clone(), law);
    (local, global)
}

/// With equal numbers of sweeps, the reactions agree with the reactions of sweeps with W, for every law and
/// order.
#[test]
fn sweeps_in_the_velocities_are_those_with_w() {
    let piles = [
        (spheres(150, 0.3, 1), spheres_global(150, 0.3, 1)),
        (discs(150, 0.3, 2), discs_global(150, 0.3, 2)),
        rolling_spheres(150, (0.4, 0.02), 3),
        rolling_discs(150, (0.4, 0.02), 4),
        as_cones((spheres(150, 0.3, 5), spheres_global(150, 0.3, 5))),
    ];
    for (local, global) in &piles {
        for order in [SweepOrder::Forward, SweepOrder::Symmetric, SweepOrder::Shuffled { seed: 7 }] {
            // Relaxed reactions are projected, and moments have different units in the two forms.
            let relaxed = if matches!(local.law, ContactLawData::Rolling { .. }) { 1.0 } else { 1.2 };
            for (relaxation, max_iterations) in [(1.0, 1), (relaxed, 7), (1.0, 50)] {
                let settings = GaussSeidelSettings {
                    tolerance: 1e-14,
                    max_iterations,
                    relaxation,
                    order,
                    ..Default::default()
                };
                let (info, r, _) = solved_by_bodies(&mut sweeps(settings.clone()), global);
                let (expected, r_expected) = solved(&mut sweeps(settings), &local.view());
                let case = format!("{}, {order:?}, {max_iterations}", local.name);
                assert_eq!((info.status, info.iterations), (expected.status, expected.iterations), "{case}");
                let size = r_expected.iter().fold(0.0_f64, |size, r| size.max(r.abs()));
                let off = largest_difference(&r, &r_expected) / size;
                assert!(size > 0.0 && off < 1e-9, "{case}: {off:e}");
            }
        }
    }
}

/// Every local solver converges.
#[test]
fn each_local_solver_comes_to_the_end() {
    let pile = spheres_global(60, 0.1, 1);
    for local in LocalSolver::ALL {
        let settings = GaussSeidelSettings { local, ..Default::default() };
        let (info, r, v) = solved_by_bodies(&mut sweeps(settings), &pile);
        assert!(info.status.is_success(), "{local:?}: {info:?}");
        let mut u = vec![0.0; r.len()];
        MatrixRef::from(&pile.h).add_transposed_product(1.0, &v, &mut u);
        let off = violation(&pile.law, &r, &u);
        assert!(r.iter().any(|r| *r > 0.0) && off < 1e-6, "{local:?}: {off:e}");
    }
}

fn to(tolerance: f64) -> Auto {
    Auto::new(AutoSettings { tolerance, ..Default::default() }).expect("in its range")
}

/// Returns W of a scene.
fn delassus(scene: &KnownGlobal) -> Array2<f64> {
    let h = scene.h.to_dense();
    let inverse = Array1::from_iter(scene.masses.iter().map(|m| 1.0 / m)).insert_axis(Axis(1));
    h.t().dot(&(&h * &inverse))
}

/// Bodies with a dense W, which the automatic choice does not form. The velocities agree with the velocities
/// with W, the plate satisfies the balance of momentum, and the memory is proportional to the number of
/// entries of H.
#[test]
fn a_plate_on_spheres_is_solved_without_w() {
    for mu in [0.02, 0.3, 1.0] {
        let scene = plate_global(150, mu, 1);
        let mut auto = to(1e-10);
        let (info, r, v) = solved_by_bodies(&mut auto, &scene);
        assert!(info.status.is_success(), "{info:?}");
        assert_eq!(auto.trace().iter().map(|a| a.method).collect::<Vec<_>>(), ["nonsmooth-gauss-seidel"]);
        let data = scene.data();
        let w = delassus(&scene);
        let with_w = ContactProblem::new(&w, data.q(), data.law()).expect("the parts fit");
        let (of_w, expected) = solved(&mut to(1e-10), &with_w);
        assert!(of_w.status.is_success(), "{of_w:?}");
        let off = largest_difference(&v, &data.velocities(&expected));
        assert!(off < 1e-7, "{mu}: {off:e}");
        // The impulse on the plate is the sum of the reactions of its contacts.
        let mut momentum = scene.f[..6].to_vec();
        for (j, r) in r.iter().enumerate() {
            scene.h.column(j).filter(|(i, _)| *i < 6).for_each(|(i, x)| momentum[i] += x * r);
        }
        for k in 0..6 {
            let gained = scene.masses[k] * v[k];
            assert!((momentum[k] - gained).abs() < 1e-9 * scene.masses[k], "{k}: {gained} {}", momentum[k]);
        }
    }
    let bytes = |spheres| {
        let scene = plate_global(spheres, 0.3, 1);
        peak_bytes(|| {
            let (info, ..) = solved_by_bodies(&mut Auto::default(), &scene);
            assert!(info.status.is_success(), "{info:?}");
        })
    };
    let (few, many) = (bytes(200), bytes(1600));
    assert!(many < 9 * few, "{few} bytes for 200 spheres and {many} for 1600");
}

/// If the initial guess is the solution, no sweep is needed. The automatic choice refines it once, as in a
/// stationary problem.
#[test]
fn the_solution_is_known_where_it_is_the_guess() {
    let scene = plate_global(120, 0.3, 1);
    let data = scene.data();
    let (mut r, mut u) = (vec![0.0; scene.h.columns()], vec![0.0; scene.h.columns()]);
    for (solver, solves) in [
        (&mut NonsmoothGaussSeidel::default() as &mut dyn Solver<Class = Contact>, 1),
        (&mut Auto::default(), 2),
    ] {
        r.fill(0.0);
        for _ in 0..solves {
            let info = solver.solve(&data.view(), &mut r, &mut u).expect("the data fit");
            assert!(info.status.is_success() && info.iterations > 0, "{}: {info:?}", solver.name());
        }
        let before = r.clone();
        let again = solver.solve(&data.view(), &mut r, &mut u).expect("the data fit");
        assert_eq!((again.status, again.iterations), (Status::Converged, 0), "{}", solver.name());
        assert!(largest_difference(&r, &before) < 1e-12);
    }
}

#[test]
fn units_change_no_bit() {
    for (mut solver, spheres) in [
        (Box::new(Auto::default()) as Box<dyn Solver<Class = Contact>>, 110),
        (Box::new(NonsmoothGaussSeidel::default()), 110),
        // These methods use factors. From 200 spheres, the rows of the plate are eliminated last.
        (Box::new(VelocityNewton::default()), 240),
        (Box::new(VelocityProximalPoint::default()), 240),
    ] {
        let scene = plate_global(spheres, 0.3, 1);
        let (info, r, v) = solved_by_bodies(solver.as_mut(), &scene);
        assert!(info.status.is_success() && r.iter().any(|r| *r > 0.0), "{}: {info:?}", solver.name());
        for (length, mass, velocity) in [(8.0, 1.0, 1.0), (1.0, 2.0, 1.0), (0.5, 0.125, 4.0)] {
            let freedom = |i: usize| if i % 6 >= 3 { length } else { 1.0 };
            let other = in_other_units(&scene, length, mass, velocity);
            let (of_other, r_other, v_other) = solved_by_bodies(solver.as_mut(), &other);
            assert_eq!(of_other, info, "{}", solver.name());
            assert!(r_other.iter().zip(&r).all(|(a, b)| *a == b * mass * velocity));
            let v = v.iter().enumerate().map(|(i, v)| v * velocity / freedom(i));
            assert!(v_other.iter().zip(v).all(|(a, b)| *a == b), "{length}, {mass}, {velocity}");
        }
    }
}

/// Bodies with a nonsymmetric M that couples their degrees of freedom. The sweeps agree with the sweeps with
/// W for this M.
#[test]
fn an_unsymmetric_mass_is_taken_as_it_is() {
    let scene = spheres_global(60, 0.3, 1);
    let n = scene.f.len();
    let number = |i: usize, j: usize| ((7 * i + 13 * j) as f64).sin();
    let m = Array2::from_shape_fn((n, n), |(i, j)| match i / 6 == j / 6 {
        true if i == j => scene.masses[i],
        true => 0.1 * number(i, j) * (scene.masses[i] * scene.masses[j]).sqrt(),
        false => 0.0,
    });
    let h = scene.h.to_dense();
    let mut lu = DenseLu::default();
    lu.factor(m.view()).expect("regular");
    let respond = |x: &[f64]| {
        let mut x = x.to_vec();
        lu.solve(&mut x);
        x
    };
    let mut w = Array2::zeros((h.ncols(), h.ncols()));
    for (j, column) in h.columns().into_iter().enumerate() {
        w.column_mut(j).assign(&h.t().dot(&Array1::from(respond(&column.to_vec()))));
    }
    let q = h.t().dot(&Array1::from(respond(&scene.f))).to_vec();
    let local = ContactProblem::new(&w, &q, scene.law.view()).expect("the parts fit");
    let global = ContactProblem::of_bodies(&m, &scene.h, &q, scene.law.view()).expect("the parts fit");
    for max_iterations in [1, 5, 40] {
        let settings = GaussSeidelSettings { tolerance: 1e-14, max_iterations, ..Default::default() };
        let (_, expected) = solved(&mut sweeps(settings.clone()), &local);
        let (info, r) = solved(&mut sweeps(settings), &global);
        assert_eq!(info.iterations, max_iterations);
        let off = largest_difference(&r, &expected);
        let size = expected.iter().fold(0.0_f64, |size, r| size.max(r.abs()));
        assert!(size > 0.0 && off < 1e-11 * size, "{max_iterations}: {off:e}");
    }
}

/// Methods that factorise must not report a wrong solution if M is not symmetric.
#[test]
fn no_method_claims_what_an_unsymmetric_mass_does_not_do() {
    let scene = spheres_global(40, 0.2, 2);
    let n = scene.f.len();
    let skew = |i: usize, j: usize| if i < j { 0.3 } else { -0.3 };
    let m = Array2::from_shape_fn((n, n), |(i, j)| match i / 3 == j / 3 {
        true if i == j => scene.masses[i],
        true if i % 6 >= 3 => skew(i, j) * scene.masses[i],
        _ => 0.0,
    });
    let zero = Array1::zeros(scene.h.columns());
    let data = of_bodies(m, scene.h.clone(), scene.f.clone().into(), zero, scene.law.clone());
    let mut solved = Vec::new();
    for method in ContactMethod::all() {
        let mut solver = method.build().expect("settings in their ranges");
        if solver.supports(&data.view()).is_err() {
            continue;
        }
        let (info, r) = match try_solve(solver.as_mut(), &data.view()) {
            // A method based on convex programs refuses the matrix.
            Err(SolverError::Unsupported(_)) => continue,
            found => found.expect("the data fit"),
        };
        let error = error_of_point(&data.view(), &r, &mut vec![0.0; r.len()]);
        println!("{}: {info:?}, {error:e}", solver.name());
        assert_eq!(info.status.is_success(), error <= solver.tolerance(), "{}: {error:e}", solver.name());
        if info.status.is_success() {
            solved.push(solver.name());
        }
    }
    // A Cholesky factorisation of one triangle of this matrix would give wrong results.
    for method in ContactMethod::all().iter().map(Method::name) {
        let must = method.starts_with("velocity-") || ["auto", "nonsmooth-gauss-seidel"].contains(&method);
        assert!(!must || solved.contains(&method), "{method}");
    }
}

/// Creates a bar of nodes in the plane that is thrown on the ground with all nodes in contact. `stiffness` is
/// the stiffness of its springs times the square of the step length.
fn bar(nodes: usize, stiffness: f64) -> ContactData {
    let n = 2 * nodes;
    let spring = |k: usize| [(k, k, 1.0), (k + 2, k + 2, 1.0), (k, k + 2, -1.0), (k + 2, k, -1.0)];
    let springs = (0..n - 2).flat_map(spring).map(|(i, j, x)| (i, j, stiffness * x));
    let masses = (0..n).map(|k| (k, k, 1.0));
    let m = Csc::from_triplets(n, n, springs.chain(masses)).expect("inside");
    let h = Csc::from_triplets(n, n, (0..n).map(|j| (j ^ 1, j, 1.0))).expect("inside");
    let f =
        (0..n).map(|k| if k % 2 == 0 { 0.5 + (0.7 * k as f64).sin() } else { -1.0 + (0.3 * k as f64).cos() });
    let law = ContactLawData::coulomb(2, vec![0.3; nodes]);
    of_bodies(m, h, f.collect(), Array1::zeros(n), law)
}

/// For a stiff body, the reported error is the error of the velocities that follow from the reactions, which
/// are computed here.
#[test]
fn a_solution_is_one_of_its_reactions() {
    for stiffness in [1.0, 1e4, 1e8] {
        let data = bar(200, stiffness);
        let mut auto = Auto::default();
        let (info, r) = solved(&mut auto, &data.view());
        assert!(info.status.is_success(), "{stiffness:e}: {info:?}, {:?}", auto.trace());
        let bodies = data.bodies().expect("it has bodies");
        let mut lu = DenseLu::default();
        lu.factor(bodies.m.view().to_dense().view()).expect("regular");
        let mut v = bodies.f.to_vec();
        bodies.h.view().add_product(1.0, &r, &mut v);
        lu.solve(&mut v);
        let mut u = bodies.w.to_vec();
        bodies.h.view().add_transposed_product(1.0, &v, &mut u);
        let error = error(&data.view(), &r, &u);
        assert!(error <= 1.001e-8, "{stiffness:e}: {error:e}");
        assert!(r.iter().any(|r| *r > 0.0));
    }
}

/// The stages after the first sweeps, and their budget.
#[test]
fn the_choice_goes_on_where_sweeps_find_no_end() {
    let scene = plate_global(110, 0.3, 1);
    let attempts = |settings: AutoSettings| {
        let mut auto = Auto::new(settings).expect("settings in their ranges");
        let (info, ..) = solved_by_bodies(&mut auto, &scene);
        (info, auto.trace().to_vec())
    };
    let (info, trace) = attempts(AutoSettings { max_iterations: 10, ..Default::default() });
    assert!(info.status.is_success() && trace.len() > 1, "{info:?}, {trace:?}");
    // Only exact points satisfy this tolerance.
    let out_of_reach = AutoSettings { tolerance: 1e-300, max_iterations: 200, ..Default::default() };
    let (info, trace) = attempts(out_of_reach.clone());
    assert!(info.error > 0.0 && info.error < 1e-10, "{info:?}, {trace:?}");
    let operations = 2e6;
    let effort = EffortLimit { operations, factorisations: 0.0 };
    let (info, trace) = attempts(AutoSettings { effort, ..out_of_reach });
    assert_eq!(info.status, Status::EffortSpent);
    let spent: f64 = trace.iter().map(|attempt| attempt.effort).sum();
    assert!(spent > 0.0 && spent <= 1.5 * operations, "{spent:e}, {trace:?}");
}

/// If the free velocities at the contacts are zero, the reactions are zero, for any initial guess.
#[test]
fn nothing_is_held_where_nothing_approaches() {
    let mut scene = plate_global(110, 0.3, 1);
    scene.f.fill(0.0);
    // One sphere spins about the normals of both of its contacts.
    scene.f[6 + 5] = 1.0;
    let data = scene.data();
    let n = scene.h.columns();
    for solver in
        [&mut Auto::default() as &mut dyn Solver<Class = Contact>, &mut NonsmoothGaussSeidel::default()]
    {
        let (mut r, mut u) = (vec![1.0; n], vec![0.0; n]);
        let info = solver.solve(&data.view(), &mut r, &mut u).expect("the data fit");
        assert!(info.status.is_success(), "{info:?}");
        assert!(r.iter().all(|r| *r == 0.0) && data.velocities(&r)[11] == 1.0 / scene.masses[11]);
    }
}

/// A contact with an effect on the tangential velocity only, such as a contact on a rail, is skipped. A
/// contact whose response vanishes because of masses of both signs is an error.
#[test]
fn what_is_unmoved_is_told_by_the_directions() {
    let solve = |m: [f64; 2], h: [(usize, usize, f64); 2], f: [f64; 2], w: [f64; 2]| {
        let h = Csc::from_triplets(2, 2, h).expect("inside");
        let (m, law) = (Array1::from(m.to_vec()), ContactLawData::coulomb(2, [0.5]));
        let data = of_bodies(m, h, f.to_vec().into(), w.to_vec().into(), law);
        let (mut r, mut u) = ([1.0, 0.0], [0.0; 2]);
        let info = NonsmoothGaussSeidel::default().solve(&data.view(), &mut r, &mut u);
        info.map(|info| (info.status, r, data.velocities(&r)))
    };
    let on_a_rail = [(0, 1, 1.0), (1, 1, 1.0)];
    let found = solve([2.0, 2.0], on_a_rail, [1.0, 0.0], [0.25, 0.0]).expect("the data fit");
    assert_eq!(found, (Status::Converged, [0.0, 0.0], vec![0.5, 0.0]));
    let found = solve([2.0, 2.0], on_a_rail, [1.0, 0.0], [-0.25, 0.0]).expect("the data fit");
    assert_eq!(found.0, Status::NoSolution);
    let of_both_signs = solve([1.0, -1.0], [(0, 0, 1.0), (1, 0, 1.0)], [1.0, 0.0], [-0.1, 0.0]);
    assert!(matches!(of_both_signs, Err(SolverError::Singular { .. })), "{of_both_signs:?}");
}

/// In LU factorisations, dense rows are eliminated last, so that the factors stay sparse.
#[test]
fn methods_that_factorise_leave_full_rows_for_the_end() {
    let scene = plate_global(700, 0.3, 1);
    let mut solvers: [Box<dyn Solver<Class = Contact>>; 2] =
        [Box::new(VelocityNewton::default()), Box::new(VelocityProximalPoint::default())];
    for solver in &mut solvers {
        let mut found = None;
        let bytes = peak_bytes(|| found = Some(solved_by_bodies(solver.as_mut(), &scene)));
        let (info, r, v) = found.expect("it was solved");
        assert!(info.status.is_success(), "{}: {info:?}", solver.name());
        // The distribution of the load over the spheres is not unique, so that only the law is checked.
        let mut u = vec![0.0; r.len()];
        MatrixRef::from(&scene.h).add_transposed_product(1.0, &v, &mut u);
        let off = violation(&scene.law, &r, &u);
        assert!(off < 1e-6, "{}: {off:e}", solver.name());
        // Dense factors have at least 4200 columns and need 140 MB.
        assert!(bytes < 40_000_000, "{}: {bytes} bytes", solver.name());
    }
}

/// Creates a particle on the ground, and a contact between two walls.
fn with_walls(approach: f64) -> ContactData {
    let h = Csc::from_triplets(2, 4, [(0, 0, 1.0), (1, 1, 1.0)]).expect("inside");
    let (m, law) = (array![2.0, 2.0], ContactLawData::coulomb(2, [0.5, 0.5]));
    of_bodies(m, h, array![-1.0, 2.0], array![0.0, 0.0, approach, 0.3], law)
}

#[test]
fn walls_that_approach_each_other_have_no_solution() {
    for (approach, expected) in
        [(0.1, Status::Converged), (0.0, Status::Converged), (-0.1, Status::NoSolution)]
    {
        let (mut r, mut u) = ([0.0, 0.0, 1.0, 0.0], [0.0; 4]);
        let mut solver = NonsmoothGaussSeidel::default();
        let info = solver.solve(&with_walls(approach).view(), &mut r, &mut u).expect("the data fit");
        assert_eq!(info.status, expected, "{approach}");
        assert_eq!(r[2..], [0.0; 2]);
        if expected == Status::Converged {
            assert_eq!(r[..2], [1.0, -0.5]);
        }
    }
}

#[test]
fn infinite_friction_sticks() {
    let (m, law) = (array![2.0, 2.0], ContactLawData::coulomb(2, [f64::INFINITY]));
    let data = of_bodies(m, Array2::<f64>::eye(2), array![-1.0, 20.0], array![0.0, 0.0], law);
    let (info, r) = solved(&mut NonsmoothGaussSeidel::default(), &data.view());
    assert_eq!((info.status, &r[..]), (Status::Converged, &[1.0, -20.0][..]));
}

#[test]
fn what_it_does_not_take_is_an_error() {
    let solve = |m: Matrix, law: ContactLawData, local: LocalSolver| {
        let n = law.view().size();
        let (h, q) = (Array2::<f64>::eye(n), vec![1.0; n]);
        let problem = ContactProblem::of_bodies(&m, &h, &q, law.view()).expect("the parts fit");
        let settings = GaussSeidelSettings { local, ..Default::default() };
        try_solve(&mut sweeps(settings), &problem)
    };
    let masses = |n: usize| Matrix::from(Array1::ones(n));
    let exact = LocalSolver::Exact;
    let no_friction = solve(masses(3), cones(&[3], 0.5), LocalSolver::NewtonAlartCurnier);
    assert!(matches!(no_friction, Err(SolverError::Unsupported(_))), "{no_friction:?}");
    let without_mass = solve(Array1::zeros(2).into(), ContactLawData::coulomb(2, [0.5]), exact);
    assert!(matches!(without_mass, Err(SolverError::Singular { .. })), "{without_mass:?}");
    let negative = solve((-Array1::<f64>::ones(2)).into(), ContactLawData::coulomb(2, [0.5]), exact);
    assert!(matches!(negative, Err(SolverError::Singular { .. })), "{negative:?}");
    // For cones of size 4, the sweeps use W.
    for size in [3, 4] {
        let (info, _) = solve(masses(size), cones(&[size], 0.5), exact).expect("the data fit");
        assert!(info.status.is_success(), "{size}: {info:?}");
    }
    let (nothing, _) = solve(masses(0), ContactLawData::coulomb(2, []), exact).expect("nothing to solve");
    assert_eq!(nothing.status, Status::Converged);
}

#[test]
fn solving_again_allocates_nothing() {
    let scene = plate_global(110, 0.3, 1);
    let data = scene.data();
    let (mut r, mut u) = (vec![0.0; scene.h.columns()], vec![0.0; scene.h.columns()]);
    for solver in
        [&mut Auto::default() as &mut dyn Solver<Class = Contact>, &mut NonsmoothGaussSeidel::default()]
    {
        let name = solver.name();
        let mut solve = || {
            r.fill(0.0);
            assert!(solver.solve(&data.view(), &mut r, &mut u).expect("the data fit").status.is_success());
        };
        solve();
        assert_eq!(count_allocations(solve), 0, "{name}");
    }
}
