//! Automatic choice for contacts that hold bodies: structures at rest, and infinite friction. Solutions are
//! checked by the error of the test kit, which shares no code with the error of the solvers.

use ndarray::Array2;
use siconos_numerics::Solver;
use siconos_numerics::contact::Auto;
use siconos_testkit::contact::{KnownContact, at_rest, coulomb, tower};
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

/// One solver for all structures, so that its workspace comes from other problems. The second solve has
/// masses 2^-20 times as large.
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

/// Creates a box on four corners with infinite friction, and a free velocity for which a solution is known:
/// some contacts stick, and the others separate and slide.
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

/// Creates a cube of 1 kg and 1 m on a grid of contacts with infinite friction, with a random velocity.
fn thrown_cube(along_edge: usize, seed: u32) -> KnownContact {
    let mut draw = RandomState::new(seed);
    let contacts = along_edge * along_edge;
    let mut h = Array2::zeros((3 * contacts, 6));
    for (contact, mut rows) in h.exact_chunks_mut((3, 6)).into_iter().enumerate() {
        let at = |k: usize| k as f64 / (along_edge - 1) as f64 - 0.5;
        let p = [at(contact / along_edge), at(contact % along_edge), -0.5];
        for (mut row, axis) in rows.rows_mut().into_iter().zip([2, 0, 1]) {
            row[axis] = 1.0;
            let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
            row[3 + next] = p[last];
            row[3 + last] = -p[next];
        }
    }
    let per_mass = [1.0, 1.0, 1.0, 6.0, 6.0, 6.0];
    let w = Array2::from_shape_fn((3 * contacts, 6), |(i, j)| h[[i, j]] * per_mass[j]).dot(&h.t());
    let velocity = ndarray::Array1::from_shape_simple_fn(6, || draw.standard_normal());
    KnownContact {
        name: format!("a cube on {contacts} contacts"),
        w: w.into(),
        q: h.dot(&velocity).to_vec(),
        law: coulomb(3, contacts, f64::INFINITY),
        r: None,
        shape: None,
    }
}

/// The seeds 6 and 20 are left out, since these problems may have no solution: with four contacts, no set of
/// sticking contacts is a solution.
#[test]
fn cubes_on_many_contacts_with_infinite_friction_are_solved() {
    let mut auto = Auto::default();
    for along_edge in [4, 5] {
        let seeds = (0..24).filter(|seed| ![6, 20].contains(seed));
        let solve = |seed| assert_solved(&mut auto, &thrown_cube(along_edge, seed), &format!("seed {seed}"));
        let found_by: Vec<_> = seeds.map(solve).collect();
        assert!(found_by.contains(&"large-friction"), "{found_by:?}");
    }
}
