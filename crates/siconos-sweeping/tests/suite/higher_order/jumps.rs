//! Jumps at an instant.

use ndarray::{Array2, array};
use siconos_kernel::analysis::LinearSystem;
use siconos_sweeping::higher_order::HigherOrderSweeping;
use siconos_testkit::random::RandomState;

use super::systems::{Disguised, chain, draw_state, normal_values};

#[test]
fn the_chain_jumps_order_by_order() {
    let mut sweeping = chain(3);
    for (before, after, atoms) in [
        ([-1.0, 2.0, -3.0], [0.0, 2.0, -3.0], [1.0, 0.0, 0.0]),
        ([0.0, -1.0, -2.0], [0.0, 0.0, 0.0], [0.0, 1.0, 2.0]),
        ([-1.0, -2.0, 3.0], [0.0, 0.0, 3.0], [1.0, 2.0, 0.0]),
        ([1.0, -2.0, -3.0], [1.0, -2.0, -3.0], [0.0, 0.0, 0.0]),
    ] {
        let state = sweeping.state(&before).unwrap();
        let jump = sweeping.jump(&state).unwrap();
        assert!(jump.info.status.is_success());
        assert_eq!(sweeping.x(&jump.after).unwrap(), after, "{before:?}");
        assert_eq!(jump.atoms, Array2::from_shape_vec((3, 1), atoms.to_vec()).unwrap(), "{before:?}");
    }
}

#[test]
fn no_derivative_of_a_chain_grows_in_a_jump_and_a_second_jump_changes_nothing() {
    let mut random = RandomState::new(1);
    for r in 1..=6 {
        let mut sweeping = chain(r);
        for _ in 0..200 {
            let before = sweeping.state(&draw_state(&mut random, r)).unwrap();
            let after = sweeping.jump(&before).unwrap().after;
            for (z, was) in after.z().iter().zip(before.z()) {
                assert!(z.abs() <= was.abs(), "{before:?} {after:?}");
            }
            assert_eq!(sweeping.jump(&after).unwrap().after, after);
        }
    }
}

#[test]
fn components_that_are_held_together_share_the_last_jump() {
    // H = [[2, -1], [-1, 2]], r = 2: the velocities of two gaps with a body between them.
    let a = array![[0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.0; 4], [0.0; 4]];
    let b = array![[0.0, 0.0], [0.0, 0.0], [2.0, -1.0], [-1.0, 2.0]];
    let c = array![[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]];
    let mut sweeping =
        HigherOrderSweeping::of(&LinearSystem::new(a, b, c, Array2::zeros((2, 2))).unwrap()).unwrap();
    for (before, after, atoms) in [
        // Both gaps are closed and closing: H mu = (1, 1).
        ([0.0, 0.0, -1.0, -1.0], [0.0, 0.0, 0.0, 0.0], [1.0, 1.0]),
        // Only the first gap is closed: 2 mu = 1, and the second gap closes faster by mu.
        ([0.0, 1.0, -1.0, -1.0], [0.0, 1.0, 0.0, -1.5], [0.5, 0.0]),
        // The second gap opens, but too slowly for the impulse on the first gap: H mu = (1, -1/4).
        ([0.0, 0.0, -1.0, 0.25], [0.0, 0.0, 0.0, 0.0], [7.0 / 12.0, 1.0 / 6.0]),
        // The second gap opens fast enough.
        ([0.0, 0.0, -1.0, 0.75], [0.0, 0.0, 0.0, 0.25], [0.5, 0.0]),
        // The first gap is below 0: it also jumps in position, independently of the second gap.
        ([-3.0, 1.0, -1.0, 2.0], [0.0, 1.0, 0.0, 1.5], [0.5, 0.0]),
    ] {
        let state = sweeping.state(&before).unwrap();
        let jump = sweeping.jump(&state).unwrap();
        let x = sweeping.x(&jump.after).unwrap();
        assert!(x.iter().zip(after).all(|(x, exact)| (x - exact).abs() < 1e-15), "{before:?}: {x:?}");
        let found = jump.atoms.row(1);
        assert!(found.iter().zip(atoms).all(|(mu, exact)| (mu - exact).abs() < 1e-15), "{before:?}: {found}");
    }
}

#[test]
fn a_jump_is_what_short_steps_tend_to() {
    let mut random = RandomState::new(2);
    for draw in 0..200 {
        let sizes = (1 + draw % 3, 1 + draw / 3 % 3, draw % 4);
        let disguised = Disguised::draw(&mut random, sizes);
        let mut sweeping = HigherOrderSweeping::of(&disguised.system).unwrap();
        let x = disguised.basis.dot(&ndarray::Array1::from(draw_state(&mut random, disguised.basis.nrows())));
        let mut state = sweeping.state(x.as_slice().unwrap()).unwrap();
        let jump = sweeping.jump(&state).unwrap();
        assert!(jump.info.status.is_success());
        let report = sweeping.step(1e-10, &mut state).unwrap();
        assert!(report.info.status.is_success());
        for (mu, atom) in report.mu.iter().zip(&jump.atoms) {
            assert!((mu - atom).abs() < 1e-7, "{draw}: {} {}", report.mu, jump.atoms);
        }
        for (z, after) in normal_values(&state).iter().zip(normal_values(&jump.after)) {
            assert!((z - after).abs() < 1e-7, "{draw}: {state:?} {:?}", jump.after);
        }
    }
}
