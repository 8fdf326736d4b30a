//! Boundary value problems with many parameters, with independent components, and with many steps; memory
//! use.

use ndarray::{Array2, array, s};
use siconos_sweeping::dvi::{
    Boundary, BoundarySettings, Dvi, DviSet, DviSolution, StateMap, ViMap, solve_boundary_value,
};
use siconos_testkit::allocation::peak_bytes;
use siconos_testkit::compare::{largest_difference, worse};

use super::problems::{
    periodic, rectified, regulator, regulator_ends, regulator_state, rest_to_rest, rest_to_rest_ends,
};

/// Combines problems with box constraints into one problem with independent components. Each component has
/// its own units of x and u.
fn beside(parts: &[(Dvi, Boundary, f64)]) -> (Dvi, Boundary) {
    let (n, m) = parts.iter().fold((0, 0), |(n, m), (dvi, ..)| (n + dvi.states(), m + dvi.inputs()));
    let (mut a, mut b) = (Array2::zeros((n, n)), Array2::zeros((n, m)));
    let (mut c, mut d) = (Array2::zeros((m, n)), Array2::zeros((m, m)));
    let (mut at_start, mut at_end) = (Array2::zeros((n, n)), Array2::zeros((n, n)));
    let (mut right, mut lower, mut upper) = (Vec::new(), Vec::new(), Vec::new());
    let (mut i, mut j) = (0, 0);
    for (dvi, ends, unit) in parts {
        let (states, inputs) = (i..i + dvi.states(), j..j + dvi.inputs());
        (i, j) = (states.end, inputs.end);
        a.slice_mut(s![states.clone(), states.clone()]).assign(dvi.f().matrix().unwrap());
        b.slice_mut(s![states.clone(), inputs.clone()]).assign(dvi.b().matrix().unwrap());
        c.slice_mut(s![inputs.clone(), states.clone()]).assign(dvi.g().matrix().unwrap());
        d.slice_mut(s![inputs.clone(), inputs]).assign(dvi.map().matrix().unwrap());
        at_start.slice_mut(s![states.clone(), states.clone()]).assign(&ends.m);
        at_end.slice_mut(s![states.clone(), states]).assign(&ends.n);
        right.extend(ends.b.iter().map(|b| b * unit));
        let DviSet::Box { lower: l, upper: u } = dvi.set() else { panic!("bounds") };
        lower.extend(l.iter().map(|l| l * unit));
        upper.extend(u.iter().map(|u| u * unit));
    }
    let dvi =
        Dvi::new(StateMap::linear(a), b, StateMap::linear(c), ViMap::Linear(d), DviSet::Box { lower, upper });
    (dvi.unwrap(), Boundary { m: at_start, n: at_end, b: right })
}

fn solve(dvi: &Dvi, ends: &Boundary, steps: usize) -> DviSolution {
    let found = solve_boundary_value(dvi, ends, (0.0, 2.0), steps, &BoundarySettings::default()).unwrap();
    assert!(found.info.status.is_success(), "{:?}", found.grids);
    found.solution
}

/// Largest difference between the states of a component of the combined problem, which start at index
/// `first`, and the states of the same component solved alone.
fn off(all: &DviSolution, first: usize, alone: &DviSolution, unit: f64) -> f64 {
    let part =
        |k: usize| -> Vec<f64> { all.x(k)[first..first + alone.states()].iter().map(|x| x / unit).collect() };
    (0..=alone.steps()).map(|k| largest_difference(&part(k), alone.x(k))).fold(0.0, worse)
}

#[test]
fn an_unrelated_problem_beside_changes_nothing() {
    let (first, ends) = (rest_to_rest(), rest_to_rest_ends());
    let (second, other_ends) = (regulator(), regulator_ends());
    let alone = [solve(&first, &ends, 90), solve(&second, &other_ends, 90)];
    for unit in [2.0_f64.powi(-30), 1.0, 2.0_f64.powi(30)] {
        let parts = [(first.clone(), ends.clone(), 1.0), (second.clone(), other_ends.clone(), unit)];
        let (dvi, ends) = beside(&parts);
        let all = solve(&dvi, &ends, 90);
        let off = [off(&all, 0, &alone[0], 1.0), off(&all, 4, &alone[1], unit)];
        assert!(off.iter().all(|off| *off < 1e-11), "{unit:e}: {off:?}");
    }
}

#[test]
fn ten_and_a_hundred_problems_are_solved_as_one() {
    let (dvi, ends) = (regulator(), regulator_ends());
    let starts = [0.4, 1.0, ends.b[0], 2.9, -2.0];
    let with = |start: f64| Boundary { b: vec![start, 0.0], ..ends.clone() };
    let alone: Vec<DviSolution> = starts.iter().map(|start| solve(&dvi, &with(*start), 40)).collect();
    for copies in [10, 100] {
        let parts: Vec<_> = (0..copies).map(|i| (dvi.clone(), with(starts[i % 5]), 1.0)).collect();
        let (all, ends) = beside(&parts);
        let found = solve(&all, &ends, 40);
        for i in 0..copies {
            let off = off(&found, 2 * i, &alone[i % 5], 1.0);
            assert!(off < 1e-11, "copy {i} of {copies}: {off:e}");
        }
    }
}

/// 200 values of theta, each with a different number of steps. The error of (a) is of order one.
#[test]
fn two_hundred_thetas_and_steps_meet_the_closed_form() {
    let (dvi, ends) = (regulator(), regulator_ends());
    for number in 0..200_usize {
        let theta = ((37 * number) % 200) as f64 / 199.0;
        let steps = 10 + (number * number) % 397;
        let settings = BoundarySettings { theta, ..BoundarySettings::default() };
        let found = solve_boundary_value(&dvi, &ends, (0.0, 2.0), steps, &settings).unwrap();
        assert!(found.info.status.is_success(), "theta {theta}, {steps} steps: {:?}", found.grids);
        let (solution, h) = (&found.solution, 2.0 / steps as f64);
        let off = (0..=steps).map(|k| (solution.x(k)[0] - regulator_state(solution.t()[k])).abs());
        let off = off.fold(0.0, worse);
        assert!(off <= 0.6 * h, "theta {theta}, {steps} steps: {off:e} = {} h", off / h);
    }
}

/// Troesch's problem, $x'' = \lambda \sinh(\lambda x) + u$ from 0 to 1, with $u = \max(0, x - 1/2)$. On a
/// fine grid, Newton's method needs hundreds of small steps if it starts from zeros, but only five full steps
/// if it starts from the solution on a coarse grid.
fn troesch(lambda: f64) -> (Dvi, Boundary) {
    let f = StateMap::function(2, move |_, x, f| (f[0], f[1]) = (x[1], lambda * (lambda * x[0]).sinh()))
        .with_jacobian(move |_, x, j| {
            (j[[0, 1]], j[[1, 0]]) = (1.0, lambda * lambda * (lambda * x[0]).cosh());
        });
    let g = StateMap::linear(array![[-1.0, 0.0]]).with_offset(vec![0.5]);
    let dvi = Dvi::new(f, array![[0.0], [1.0]], g, ViMap::Linear(array![[1.0]]), DviSet::Orthant).unwrap();
    let (m, n) = (array![[1.0, 0.0], [0.0, 0.0]], array![[0.0, 0.0], [1.0, 0.0]]);
    (dvi, Boundary { m, n, b: vec![0.0, 1.0] })
}

#[test]
fn coarse_grids_find_what_newton_on_the_fine_one_does_not() {
    for (lambda, steps) in [(10.0, 100), (10.0, 150), (12.0, 190)] {
        let (dvi, ends) = troesch(lambda);
        let run = |coarsest| {
            let settings =
                BoundarySettings { theta: 0.5, coarsest, max_iterations: 100, ..BoundarySettings::default() };
            solve_boundary_value(&dvi, &ends, (0.0, 1.0), steps, &settings).unwrap()
        };
        let alone = run(usize::MAX);
        assert!(!alone.info.status.is_success() && alone.grids.len() == 1, "{:?}", alone.grids);
        let found = run(4);
        assert!(found.info.status.is_success(), "lambda {lambda}, {steps} steps: {:?}", found.grids);
        assert!(found.grids.len() >= 5 && found.info.iterations <= 10, "{:?}", found.grids);
        // Check the equations of the steps.
        let solution = &found.solution;
        let h = 1.0 / steps as f64;
        for k in 1..=steps {
            let (old, new, u) = (solution.x(k - 1), solution.x(k), solution.u(k)[0]);
            let middle = 0.5 * (old[0] + new[0]);
            let force = lambda * (lambda * middle).sinh() + u;
            let size = new[1].abs() + h * force.abs();
            assert!((new[0] - old[0] - 0.5 * h * (old[1] + new[1])).abs() <= 1e-10);
            assert!((new[1] - old[1] - h * force).abs() <= 1e-10 * size.max(1.0));
            assert!((u - (new[0] - 0.5).max(0.0)).abs() <= 1e-10);
        }
        assert!((1..=steps).any(|k| solution.u(k)[0] > 0.1) && solution.x(0)[0].abs() < 1e-12);
    }
}

/// The exact u is 0, but Newton's method leaves rounding errors in u. They are acceptable if they are small
/// compared with the quantities on which u acts.
#[test]
fn a_u_that_does_nothing_need_not_be_zero_to_the_last_bit() {
    for lambda in [1.0, 3.0] {
        for steps in 20..60 {
            let (dvi, ends) = troesch(lambda);
            let idle = StateMap::linear(array![[1.0, 0.0]]);
            let dvi =
                Dvi::new(dvi.f().clone(), dvi.b().clone(), idle, dvi.map().clone(), DviSet::Orthant).unwrap();
            let settings = BoundarySettings { theta: 0.5, ..BoundarySettings::default() };
            let found = solve_boundary_value(&dvi, &ends, (0.0, 1.0), steps, &settings).unwrap();
            assert!(found.info.status.is_success(), "{lambda}, {steps}: {:?}", found.grids);
            assert!((1..=steps).all(|k| found.solution.u(k)[0].abs() < 1e-12));
        }
    }
}

/// The initial guess is far away, and its terms are 1e20 times as large as at the solution. The error is
/// still relative to the terms at the solution.
#[test]
fn what_counts_as_solved_is_measured_at_the_solution() {
    // x' = -x^5 + u with u = 1/2.
    let f = StateMap::function(1, |_, x, f| f[0] = -x[0].powi(5))
        .with_jacobian(|_, x, j| j[[0, 0]] = -5.0 * x[0].powi(4));
    let dvi = Dvi::new(
        f,
        array![[1.0]],
        StateMap::linear(array![[0.0]]).with_offset(vec![-0.5]),
        ViMap::Linear(array![[1.0]]),
        DviSet::Box { lower: vec![-1.0], upper: vec![1.0] },
    )
    .unwrap();
    // All conditions are at the start, x(0) = -1.
    let ends = Boundary { m: array![[1.0]], n: array![[0.0]], b: vec![-1.0] };
    let mut guess = DviSolution::new(0.0, &[1e4], 1);
    guess.push(1.0, &[1e4], &[0.0]);
    let settings = BoundarySettings { guess: Some(guess), ..BoundarySettings::default() };
    let found = solve_boundary_value(&dvi, &ends, (0.0, 1.0), 100, &settings).unwrap();
    assert!(found.info.status.is_success(), "{:?}", found.grids);
    for k in 1..=100 {
        let (old, new) = (found.solution.x(k - 1)[0], found.solution.x(k)[0]);
        assert!((new - old - 0.01 * (0.5 - new.powi(5))).abs() < 1e-12);
        assert!((found.solution.u(k)[0] - 0.5).abs() < 1e-13);
    }
}

/// Very large bounds give the solution of infinite bounds.
#[test]
fn a_bound_far_off_is_as_good_as_none() {
    let (dvi, ends) = (rectified(), periodic());
    let bounded = DviSet::Box { lower: vec![0.0], upper: vec![2.0_f64.powi(60)] };
    let bounded =
        Dvi::new(dvi.f().clone(), dvi.b().clone(), dvi.g().clone(), dvi.map().clone(), bounded).unwrap();
    let (none, far) = (solve(&dvi, &ends, 150), solve(&bounded, &ends, 150));
    for k in 0..=150 {
        assert!(largest_difference(none.x(k), far.x(k)) < 1e-13);
        assert!(k == 0 || far.u(k)[0] >= 0.0 && largest_difference(none.u(k), far.u(k)) < 1e-12);
    }
}

/// Ten times as many steps take at most twelve times as much memory.
#[test]
fn memory_grows_with_the_number_of_steps() {
    let (dvi, ends) = (rest_to_rest(), rest_to_rest_ends());
    let peak = |steps: usize| {
        let mut solution = None;
        let peak = peak_bytes(|| solution = Some(solve(&dvi, &ends, steps)));
        assert_eq!(solution.map(|solution| solution.steps()), Some(steps));
        peak
    };
    let [few, many] = [peak(1000), peak(10_000)];
    assert!(many <= 12 * few, "{few} and {many} bytes");
    // The solution has six numbers per step. The matrix, its factors and the iterates need up to 200 times as
    // much memory.
    assert!(few > 1000 * 6 * 8 && many < 10_000 * 6 * 8 * 200, "{few} and {many} bytes");
}
