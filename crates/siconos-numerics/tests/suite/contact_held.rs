//! The automatic choice where contacts hold bodies: structures at rest, and infinite friction. Solutions are
//! judged by the measure of the test kit, which shares no code with that of the solvers.

use siconos_numerics::Solver;
use siconos_numerics::contact::Auto;
use siconos_testkit::contact::{KnownContact, at_rest, tower};
use siconos_testkit::random::RandomState;

/// Returns the name of the method that found the solution.
#[track_caller]
fn assert_solved(auto: &mut Auto, problem: &KnownContact, case: &str) -> &'static str {
    let (mut r, mut u) = (vec![0.0; problem.q.len()], vec![0.0; problem.q.len()]);
    let info = auto.solve(&problem.view(), &mut r, &mut u).expect("the data fit");
    let error = problem.error(&r);
    assert!(info.status.is_success(), "{} {case}: {info:?}", problem.name);
    assert!(error <= 1e-7, "{} {case}: {info:?}, {error:e}", problem.name);
    auto.trace().last().expect("an attempt").method
}

/// One solver for all, so that its memory comes from other problems; the second time with masses 2^-20 times
/// as large.
#[test]
fn structures_at_rest_are_solved() {
    let mut auto = Auto::default();
    let mut found_by = Vec::new();
    for problem in at_rest().iter().filter(|problem| problem.q.len() <= 600) {
        found_by.push(assert_solved(&mut auto, problem, "as it is"));
        let w = problem.w.view().to_dense() * 1_048_576.0;
        let lighter = KnownContact { w: w.into(), ..problem.clone() };
        found_by.push(assert_solved(&mut auto, &lighter, "with small masses"));
    }
    assert!(found_by.contains(&"newton"), "{found_by:?}");
}

/// A box on four corners with infinite friction, and a free velocity that is made from a solution: some
/// contacts stick, and the others separate and slide.
fn box_with_a_solution(seed: u32) -> KnownContact {
    let mut draw = RandomState::new(seed);
    let mut problem = tower(1, f64::INFINITY, seed);
    let (mut r, mut u) = (vec![0.0; 12], vec![0.0; 12]);
    for contact in 0..4 {
        let own = if draw.uniform() < 0.5 { &mut r } else { &mut u };
        own[3 * contact] = draw.between(0.1, 1.0);
        own[3 * contact + 1..3 * contact + 3].fill_with(|| draw.between(-1.0, 1.0));
    }
    let mut of_r = vec![0.0; 12];
    problem.w.view().add_product(1.0, &r, &mut of_r);
    problem.q = u.iter().zip(&of_r).map(|(u, of_r)| 0.01 * (u - of_r)).collect();
    problem
}

#[test]
fn two_hundred_boxes_with_infinite_friction_are_solved() {
    let mut auto = Auto::default();
    let found_by: Vec<_> = (0..200)
        .map(|seed| assert_solved(&mut auto, &box_with_a_solution(seed), &format!("seed {seed}")))
        .collect();
    assert!(found_by.contains(&"sticking-sets"), "{found_by:?}");
}
