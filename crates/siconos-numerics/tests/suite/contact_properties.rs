//! Properties of all laws and all methods: projections, solutions under changes of units, frames and the
//! order of contacts, and problems with unique solutions.

use ndarray::Array2;
use proptest::prelude::*;
use siconos_linalg::Matrix;
use siconos_numerics::Method;
use siconos_numerics::contact::{ContactLawData, ContactMethod};
use siconos_testkit::contact::{KnownContact, Shape, cones, coulomb, parts, planted, rolling};
use siconos_testkit::random::config;

/// Generates one block of any law.
fn any_block() -> impl Strategy<Value = ContactLawData> {
    let slope = prop_oneof![Just(0.0), 0.01..5.0_f64];
    let slopes = (slope.clone(), slope);
    prop_oneof![
        (slopes.clone(), prop_oneof![Just(2_usize), Just(3)])
            .prop_map(|((mu, _), dimension)| coulomb(dimension, 1, mu)),
        (slopes.clone(), prop_oneof![Just(3_usize), Just(5)])
            .prop_map(|((mu, more), dimension)| rolling(dimension, 1, mu, more)),
        (slopes, 1_usize..8).prop_map(|((tau, _), size)| cones(&[size], tau)),
    ]
}

fn point() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(prop_oneof![4 => -3.0..3.0_f64, 1 => Just(0.0)], 7)
}

fn projected(law: &ContactLawData, x: &[f64]) -> Vec<f64> {
    let mut x = x.to_vec();
    law.view().project(0, &mut x);
    x
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

fn distance(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt()
}

proptest! {
    #![proptest_config(config(2000))]

    /// A projection satisfies P P = P, |P x - P y| <= |x - y|, and x = P x + (x - P x) with x - P x in the
    /// polar cone and orthogonal to P x (Moreau 1962).
    #[test]
    fn projections_are_those_of_cones(law in any_block(), x in point(), y in point(), t in 0.0..10.0_f64) {
        let d = law.view().size();
        let (x, y) = (&x[..d], &y[..d]);
        let (foot, other) = (projected(&law, x), projected(&law, y));
        prop_assert!(distance(&projected(&law, &foot), &foot) <= 1e-14);
        prop_assert!(distance(&foot, &other) <= distance(x, y) + 1e-14);
        // Projections are firmly nonexpansive.
        let (points, feet): (Vec<f64>, Vec<f64>) =
            x.iter().zip(y).zip(foot.iter().zip(&other)).map(|((x, y), (a, b))| (x - y, a - b)).unzip();
        prop_assert!(dot(&feet, &feet) <= dot(&feet, &points) + 1e-13);
        for (mu, part) in parts(&law, 0) {
            prop_assert!(distance(&foot[part.clone()], &vec![0.0; part.len()]) <= mu * foot[0] + 1e-14);
        }
        let polar: Vec<f64> = x.iter().zip(&foot).map(|(x, p)| x - p).collect();
        prop_assert!(dot(&polar, &foot).abs() <= 1e-13);
        // The remainder is in the polar cone: its scalar product with all points of the cone is at most 0.
        prop_assert!(dot(&polar, &other) <= 1e-13);
        let bound: f64 = parts(&law, 0).iter().map(|(mu, part)| mu * distance(&polar[part.clone()], &vec![0.0; part.len()])).sum();
        prop_assert!(bound <= -polar[0] + 1e-13, "{polar:?}");
        // The set is a cone.
        let longer: Vec<f64> = x.iter().map(|x| t * x).collect();
        let scaled: Vec<f64> = foot.iter().map(|x| t * x).collect();
        prop_assert!(distance(&projected(&law, &longer), &scaled) <= 1e-13 * (1.0 + t));
    }
}

/// Solves by a method with a tolerance of 1e-11.
fn solve(name: &str, problem: &KnownContact) -> Option<(Vec<f64>, Vec<f64>)> {
    let mut method = ContactMethod::from_name(name).expect("it exists");
    method.set_tolerance(1e-11);
    let mut solver = method.build().expect("the settings are valid");
    let (mut r, mut u) = (vec![0.0; problem.q.len()], vec![0.0; problem.q.len()]);
    solver.supports(&problem.view()).ok()?;
    let info = solver.solve(&problem.view(), &mut r, &mut u).ok()?;
    if info.status.is_success() {
        let error = problem.error(&r);
        assert!(error <= 1.01e-11, "{name} on {}: {error:e}", problem.name);
    }
    info.status.is_success().then_some((r, u))
}

fn dense(problem: &KnownContact) -> Array2<f64> {
    problem.w.view().to_dense()
}

/// Generates problems with few contacts, a definite matrix, and friction low enough for the solution to be
/// unique.
fn unique() -> impl Strategy<Value = KnownContact> {
    let law = prop_oneof![
        (1_usize..6, 0.0..0.3_f64).prop_map(|(contacts, mu)| coulomb(2, contacts, mu)),
        (1_usize..6, 0.0..0.3_f64).prop_map(|(contacts, mu)| coulomb(3, contacts, mu)),
        (1_usize..4, 0.0..0.2_f64).prop_map(|(contacts, mu)| rolling(5, contacts, mu, 0.5 * mu)),
        (1_usize..4, 0.0..0.2_f64).prop_map(|(contacts, mu)| rolling(3, contacts, mu, 0.5 * mu)),
    ];
    (law, any::<u32>()).prop_map(|(law, number)| planted(law, Shape::DEFINITE, number))
}

/// Returns `true` if two vectors agree relative to the free velocity. For matrices with eigenvalues of the
/// order of 1, reactions are of this size.
fn agrees(x: &[f64], y: &[f64], q: &[f64]) -> bool {
    distance(x, y) <= 1e-8 * dot(q, q).sqrt()
}

proptest! {
    #![proptest_config(config(60))]

    /// Twice the free velocity leads to twice the reaction, and half the mass to half of it.
    #[test]
    fn solutions_scale_with_velocity_and_mass(problem in unique(), a in 0.01..100.0_f64, b in 0.01..100.0_f64) {
        let (r, u) = solve("auto", &problem).expect("auto solves it");
        let mut faster = problem.clone();
        faster.q.iter_mut().for_each(|q| *q *= a);
        let (of_faster, velocity) = solve("auto", &faster).expect("auto solves it");
        prop_assert!(agrees(&of_faster.iter().map(|r| r / a).collect::<Vec<_>>(), &r, &problem.q));
        prop_assert!(agrees(&velocity.iter().map(|u| u / a).collect::<Vec<_>>(), &u, &problem.q));
        let mut lighter = problem.clone();
        lighter.w = Matrix::from(dense(&problem) * b);
        let (of_lighter, velocity) = solve("auto", &lighter).expect("auto solves it");
        prop_assert!(agrees(&of_lighter.iter().map(|r| r * b).collect::<Vec<_>>(), &r, &problem.q));
        prop_assert!(agrees(&velocity, &u, &problem.q));
    }

    /// A rotation of the tangents rotates the reactions, and another order of the contacts reorders them.
    #[test]
    fn solutions_turn_with_the_tangents_and_move_with_the_contacts(
        contacts in 1_usize..6, mu in 0.0..0.3_f64, number: u32, angle in 0.0..6.3_f64, by in 0_usize..6,
    ) {
        let problem = planted(coulomb(3, contacts, mu), Shape::DEFINITE, number);
        let n = 3 * contacts;
        let (r, u) = solve("auto", &problem).expect("auto solves it");
        let mut turn = Array2::<f64>::zeros((n, n));
        for i in 0..contacts {
            // Contact i of the new problem is contact i + by of the old problem, rotated by a multiple of the
            // angle.
            let (from, (sin, cos)) = (3 * ((i + by) % contacts), ((i + 1) as f64 * angle).sin_cos());
            turn[[3 * i, from]] = 1.0;
            for (row, column, x) in [(1, 1, cos), (1, 2, -sin), (2, 1, sin), (2, 2, cos)] {
                turn[[3 * i + row, from + column]] = x;
            }
        }
        let times = |x: &[f64]| turn.dot(&ndarray::ArrayView1::from(x)).to_vec();
        let mut turned = problem.clone();
        turned.w = Matrix::from(turn.dot(&dense(&problem)).dot(&turn.t()));
        turned.q = times(&problem.q);
        let (of_turned, velocity) = solve("auto", &turned).expect("auto solves it");
        prop_assert!(agrees(&of_turned, &times(&r), &problem.q));
        prop_assert!(agrees(&velocity, &times(&u), &problem.q));
    }

    /// Without friction and with a definite matrix, the problem is a convex program with one solution, and
    /// these methods find it.
    #[test]
    fn without_friction_all_methods_agree(problem in unique()) {
        let law = match &problem.law {
            ContactLawData::Coulomb { dimension, mu } => coulomb(*dimension, mu.len(), 0.0),
            ContactLawData::Rolling { dimension, mu, .. } => rolling(*dimension, mu.len(), 0.0, 0.0),
            other => unreachable!("contacts only, not {other:?}"),
        };
        let problem = KnownContact { law, ..problem };
        let (r, u) = solve("auto", &problem).expect("auto solves it");
        for method in ContactMethod::all() {
            let name = method.description().name;
            let outcome = solve(name, &problem);
            let guaranteed = [
                "nonsmooth-gauss-seidel", "coloured-gauss-seidel", "fixed-point-projection", "extragradient", "proximal-point",
                "admm",
            ];
            prop_assert!(outcome.is_some() || !guaranteed.contains(&name), "{name} on {}", problem.name);
            if let Some((other, velocity)) = outcome {
                prop_assert!(agrees(&other, &r, &problem.q) && agrees(&velocity, &u, &problem.q), "{name} on {}", problem.name);
            }
        }
    }

    /// With low friction and a definite matrix, the solution is unique.
    #[test]
    fn with_little_friction_all_methods_agree(contacts in 1_usize..5, dimension in 2_usize..4, mu in 0.0..0.1_f64, number: u32) {
        let problem = planted(coulomb(dimension, contacts, mu), Shape::DEFINITE, number);
        let (_, u) = solve("auto", &problem).expect("auto solves it");
        let methods = ContactMethod::all();
        let outcomes = methods.iter().map(|method| method.description().name).filter_map(|name| {
            Some((name, solve(name, &problem)?.1))
        });
        let outcomes: Vec<_> = outcomes.collect();
        for (name, velocity) in &outcomes {
            prop_assert!(agrees(velocity, &u, &problem.q), "{name} on {}", problem.name);
        }
        prop_assert!(outcomes.len() >= 10, "only {} solve {}", outcomes.len(), problem.name);
    }
}
