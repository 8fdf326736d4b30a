//! Steps: properties of all of them, sizes, memory, and steps without a solution.

use ndarray::{Array1, Array2, array};
use siconos_kernel::analysis::{LinearSystem, p_property};
use siconos_kernel::prelude::*;
use siconos_sweeping::higher_order::{HigherOrderError, HigherOrderSweeping};
use siconos_testkit::allocation::count_allocations;
use siconos_testkit::random::RandomState;

use super::systems::{Disguised, assert_step, chain, draw_state, normal_values};

/// m gaps between bodies in a row that are pushed together: one chain for each gap, coupled by a tridiagonal
/// H.
fn row_of_gaps(r: usize, m: usize) -> HigherOrderSweeping {
    let n = r * m;
    let a = Array2::from_shape_fn((n, n), |(i, j)| f64::from(u8::from(j == i + m)));
    let mut b = Array2::zeros((n, m));
    for j in 0..m {
        b[[n - m + j, j]] = 2.0;
        if j > 0 {
            b[[n - m + j, j - 1]] = -1.0;
            b[[n - m + j - 1, j]] = -1.0;
        }
    }
    let c = Array2::from_shape_fn((m, n), |(i, j)| f64::from(u8::from(i == j)));
    let source = Array1::from_shape_fn(n, |i| if i + m < n { 0.0 } else { -1.0 - (i % 7) as f64 });
    let system = LinearSystem::new(a, b, c, Array2::zeros((m, m))).unwrap();
    HigherOrderSweeping::of(&system).unwrap().with_source(source.as_slice().unwrap()).unwrap()
}

#[test]
fn every_step_of_every_system_is_complementary() {
    let mut random = RandomState::new(9);
    for draw in 0..200 {
        let disguised = Disguised::draw(&mut random, (1 + draw % 4, 1 + draw / 4 % 3, draw % 3));
        let mut sweeping = HigherOrderSweeping::of(&disguised.system).unwrap();
        let n = disguised.system.states();
        let mut state = sweeping.state(&draw_state(&mut random, n)).unwrap();
        let h = random.between(0.001, 0.05);
        assert!(p_property(sweeping.step_matrix(h).unwrap().view()).unwrap().is_proved());
        for _ in 0..30 {
            let before = state.clone();
            let report = sweeping.step(h, &mut state).unwrap();
            assert!(report.info.status.is_success(), "{:?}", report.info);
            assert_step(&before, &state, report.mu);
        }
    }
}

#[test]
fn steps_of_any_length_are_solved_or_say_that_they_are_not() {
    let mut random = RandomState::new(13);
    let (mut solved, mut unsolved, mut singular) = (0, 0, 0);
    for draw in 0..60 {
        let disguised = Disguised::draw(&mut random, (1 + draw % 4, 1 + draw / 4 % 3, draw % 3));
        let mut sweeping = HigherOrderSweeping::of(&disguised.system).unwrap();
        let start = draw_state(&mut random, disguised.system.states());
        for exponent in -12..=3 {
            let h = 10.0_f64.powi(exponent);
            let mut state = sweeping.state(&start).unwrap();
            let before = state.clone();
            match sweeping.step(h, &mut state) {
                Ok(report) if report.info.status.is_success() => {
                    assert_step(&before, &state, report.mu);
                    solved += 1;
                }
                Ok(report) => {
                    assert!(h > 0.05 && report.mu.iter().all(|mu| *mu >= 0.0), "{h}: {:?}", report.info);
                    assert!(normal_values(&state).iter().all(|z| z.is_finite()));
                    unsolved += 1;
                }
                Err(error) => {
                    assert!(h > 0.05 && matches!(error, HigherOrderError::Singular { .. }), "{h}: {error}");
                    assert_eq!(state, before);
                    singular += 1;
                }
            }
        }
    }
    println!("{solved} steps, {unsolved} without solution, {singular} singular");
    assert!(solved > 800 && unsolved > 0);
}

#[test]
fn gaps_in_a_row_close_and_stay_closed_whatever_their_number() {
    for (r, m) in [(2, 1), (2, 3), (2, 30), (3, 3), (3, 30), (2, 100)] {
        let mut sweeping = row_of_gaps(r, m);
        let mut z = Array2::zeros((r, m));
        z.row_mut(0).assign(&Array1::from_shape_fn(m, |j| 0.01 * (1 + j % 3) as f64));
        z.row_mut(1).fill(-0.5);
        let mut state = sweeping.normal_state(z.view(), &[]).unwrap();
        for _ in 0..40 {
            let before = state.clone();
            let report = sweeping.step(5e-3, &mut state).unwrap();
            assert!(report.info.status.is_success(), "{:?}", report.info);
            assert_step(&before, &state, report.mu);
        }
        assert!(state.z().iter().all(|z| *z == 0.0), "r = {r}, m = {m}: {state:?}");
    }
}

#[test]
fn steps_of_one_length_allocate_nothing() {
    for (r, m) in [(1, 3), (2, 1), (2, 4), (3, 2), (3, 6), (2, 10)] {
        let mut sweeping = row_of_gaps(r, m);
        let run = |sweeping: &mut HigherOrderSweeping| {
            let mut z = Array2::zeros((r, m));
            z.row_mut(0).fill(0.02);
            let mut state = sweeping.normal_state(z.view(), &[]).unwrap();
            count_allocations(|| {
                for _ in 0..60 {
                    let _ = sweeping.step(0.01, &mut state).unwrap();
                }
            })
        };
        run(&mut sweeping);
        assert_eq!(run(&mut sweeping), 0, "r = {r}, m = {m}");
    }
}

#[test]
fn a_step_depends_on_its_state_and_length_alone() {
    let mut random = RandomState::new(10);
    let disguised = Disguised::draw(&mut random, (3, 2, 2));
    let mut used = HigherOrderSweeping::of(&disguised.system).unwrap();
    let mut state = used.state(&draw_state(&mut random, 8)).unwrap();
    for k in 0..50 {
        let h = [0.01, 0.02, 0.005][k % 3];
        let mut again = state.clone();
        let mu = used.step(h, &mut state).unwrap().mu.to_owned();
        let mut fresh = HigherOrderSweeping::of(&disguised.system).unwrap();
        assert_eq!(fresh.step(h, &mut again).unwrap().mu, mu);
        assert_eq!(again, state);
        let _ = used.jump(&state).unwrap();
    }
}

#[test]
fn a_step_without_solution_says_so_and_leaves_numbers() {
    // z' = 2 z + mu: at h = 1, -z_end = z + mu, and no mu >= 0 moves z = 1 to z_end >= 0.
    let one = array![[1.0]];
    let system = LinearSystem::new(array![[2.0]], one.clone(), one, array![[0.0]]).unwrap();
    let mut sweeping = HigherOrderSweeping::of(&system).unwrap();
    let mut state = sweeping.state(&[1.0]).unwrap();
    assert!(!p_property(sweeping.step_matrix(1.0).unwrap().view()).unwrap().is_proved());
    let report = sweeping.step(1.0, &mut state).unwrap();
    assert_eq!(report.info.status, Status::NoSolution);
    assert!(state.y()[0].is_finite());
    // At h = 1/2 the matrix of the step is singular.
    let mut state = sweeping.state(&[1.0]).unwrap();
    let error = sweeping.step(0.5, &mut state).unwrap_err();
    assert!(matches!(error, HigherOrderError::Singular { .. }), "{error}");
    assert_eq!(normal_values(&state), [1.0]);
    // A shorter step has a solution.
    assert!(sweeping.step(0.1, &mut state).unwrap().info.status.is_success());
    assert!((state.y()[0] - 1.25).abs() < 1e-15);
}

#[test]
fn numbers_that_overflow_are_an_error_and_the_state_stays() {
    let mut sweeping = chain(3);
    let mut state = sweeping.state(&[1e308, 1e308, 1e308]).unwrap();
    let error = sweeping.step(1e10, &mut state).unwrap_err();
    assert!(
        matches!(error, HigherOrderError::Unbounded { index: 0, .. } | HigherOrderError::OneStep(_)),
        "{error}"
    );
    assert_eq!(normal_values(&state), [1e308; 3]);
}
