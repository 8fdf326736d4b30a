//! Initial value problem, compared with closed forms.

use ndarray::array;
use siconos_sweeping::dvi::{Dvi, DviSet, DviSettings, DviStepper, InputMap, StateMap, ViMap};
use siconos_testkit::allocation::count_allocations;
use siconos_testkit::compare::worse;
use siconos_testkit::convergence::{observed_order, steps};

use super::problems::{friction, polyhedron, saturated, saturated_state};

/// Largest error of x at the nodes up to t = 2, and of u = proj of 2 - 3 x.
fn errors(dvi: &Dvi, theta: f64, h: f64) -> [f64; 2] {
    let count = (2.0 / h).round() as usize;
    let mut stepper = DviStepper::new(dvi, theta, DviSettings::default()).unwrap();
    let run = stepper.solve(&[0.0], (0.0, 2.0), count).unwrap();
    assert!(run.info.status.is_success());
    assert_eq!(run.solution.steps(), count);
    let u = |t: f64| (2.0 - 3.0 * saturated_state(t)).clamp(-1.0, 1.0);
    let nodes = || (1..=count).map(|k| (k, run.solution.t()[k]));
    [
        nodes().map(|(k, t)| (run.solution.x(k)[0] - saturated_state(t)).abs()).fold(0.0, worse),
        nodes().map(|(k, t)| (run.solution.u(k)[0] - u(t)).abs()).fold(0.0, worse),
    ]
}

fn check_order(dvi: &Dvi, thetas: &[f64]) {
    for theta in thetas {
        // The largest error of u occurs at a few nodes after the switch, and has its order only for smaller
        // steps.
        for (which, coarsest, finest) in [(0, 0.1, 0.001), (1, 0.02, 2e-4)] {
            let h: Vec<f64> = steps(12, coarsest, finest).iter().map(|h| 2.0 / (2.0 / h).round()).collect();
            let all: Vec<[f64; 2]> = h.iter().map(|h| errors(dvi, *theta, *h)).collect();
            let list: Vec<f64> = all.iter().map(|errors| errors[which]).collect();
            let order = observed_order(&h, &list).order;
            assert!(order >= 0.9, "theta {theta}: {order}");
            // The projection is nonexpansive.
            assert!(all.iter().all(|[of_x, of_u]| *of_u <= 3.0 * of_x + 1e-12));
        }
    }
}

#[test]
fn a_saturated_feedback_is_followed_with_order_one_for_each_theta() {
    check_order(&saturated(), &[0.0, 0.5, 1.0]);
}

/// Functions in place of matrices: each step is a variational inequality in x and u.
#[test]
fn functions_in_the_place_of_matrices_give_the_same_solution() {
    let by_functions = Dvi::new(
        StateMap::function(1, |_, x, f| f[0] = -x[0]),
        array![[1.0]],
        StateMap::function(1, |_, x, g| g[0] = 3.0 * x[0] - 2.0).with_jacobian(|_, _, j| j[[0, 0]] = 3.0),
        ViMap::function(1, |u, w| w[0] = u[0]),
        DviSet::Box { lower: vec![-1.0], upper: vec![1.0] },
    )
    .unwrap();
    let between = || polyhedron(array![[1.0], [-1.0]], vec![-1.0, -1.0]);
    let projection = || DviSet::projection(|u| u[0] = u[0].clamp(-1.0, 1.0));
    let with = |dvi: &Dvi, set| {
        Dvi::new(dvi.f().clone(), dvi.b().clone(), dvi.g().clone(), dvi.map().clone(), set).unwrap()
    };
    let others = [
        by_functions.clone(),
        with(&by_functions, between()),
        with(&by_functions, projection()),
        with(&saturated(), between()),
        with(&saturated(), projection()),
    ];
    for theta in [0.0, 0.5, 1.0] {
        let mut reference = DviStepper::new(&others[0], theta, DviSettings::default()).unwrap();
        let expected = reference.solve(&[0.0], (0.0, 2.0), 40).unwrap();
        let affine = saturated();
        let mut reference = DviStepper::new(&affine, theta, DviSettings::default()).unwrap();
        let exact = reference.solve(&[0.0], (0.0, 2.0), 40).unwrap();
        assert!(expected.info.status.is_success());
        for (which, other) in others.iter().enumerate() {
            let mut stepper = DviStepper::new(other, theta, DviSettings::default()).unwrap();
            let run = stepper.solve(&[0.0], (0.0, 2.0), 40).unwrap();
            assert!(run.info.status.is_success(), "{which}: {:?}", run.info);
            let differences = (1..=40).map(|k| {
                (run.solution.x(k)[0] - exact.solution.x(k)[0])
                    .abs()
                    .max((run.solution.u(k)[0] - exact.solution.u(k)[0]).abs())
            });
            let largest = differences.fold(0.0, worse);
            assert!(largest < 1e-9, "theta {theta}, {which}: {largest:e}");
        }
    }
}

#[test]
fn dry_friction_stops_exactly_and_does_not_chatter() {
    let dvi = friction();
    let mut stepper = DviStepper::new(&dvi, 1.0, DviSettings::default()).unwrap();
    let h = 0.0137;
    let run = stepper.solve(&[1.0], (0.0, 300.0 * h), 300).unwrap();
    assert!(run.info.status.is_success());
    for k in 1..=300 {
        let t = run.solution.t()[k];
        let exact = (1.0 - t / 2.0).max(0.0);
        assert!((run.solution.x(k)[0] - exact).abs() <= 1e-13, "{t}: {:e}", run.solution.x(k)[0] - exact);
        if t - h >= 2.0 {
            assert!((run.solution.u(k)[0] + 0.5).abs() <= 1e-13, "{t}: {}", run.solution.u(k)[0]);
        }
    }
}

/// 200 forces c: x_k = max(0, x_0 - (1 - c) t_k), and u = -c at rest.
#[test]
fn two_hundred_forces_stop_at_their_times() {
    for number in 0..200 {
        let force = -0.95 + 1.9 * f64::from(number) / 199.0;
        let dvi = Dvi::new(
            StateMap::linear(array![[0.0]]).with_offset(vec![force]),
            array![[1.0]],
            StateMap::linear(array![[1.0]]),
            ViMap::Linear(array![[0.0]]),
            DviSet::Box { lower: vec![-1.0], upper: vec![1.0] },
        )
        .unwrap();
        let mut stepper = DviStepper::new(&dvi, 1.0, DviSettings::default()).unwrap();
        let end = 1.5 / (1.0 - force);
        let run = stepper.solve(&[1.0], (0.0, end), 70).unwrap();
        assert!(run.info.status.is_success());
        for k in 1..=70 {
            let exact = (1.0 - (1.0 - force) * run.solution.t()[k]).max(0.0);
            assert!((run.solution.x(k)[0] - exact).abs() <= 1e-13, "{force}");
        }
        assert!((run.solution.u(70)[0] + force).abs() <= 1e-13, "{force}");
    }
}

/// A rotating input matrix: a wall pushes a point in a direction that depends on time.
#[test]
fn an_input_matrix_that_is_a_function_keeps_the_steps_affine() {
    let dvi = Dvi::new(
        StateMap::linear(array![[0.0, 0.0], [0.0, 0.0]]).with_offset(vec![0.0, -1.0]),
        InputMap::function((2, 1), |t, _, b| (b[[0, 0]], b[[1, 0]]) = (t.sin(), 1.0)),
        StateMap::linear(array![[0.0, 1.0]]),
        ViMap::Linear(array![[0.0]]),
        DviSet::Orthant,
    )
    .unwrap();
    assert!(dvi.is_affine());
    // On the wall from t = 1 on, with u = 1: x = cos 1 - cos t.
    let mut stepper = DviStepper::new(&dvi, 1.0, DviSettings::default()).unwrap();
    let run = stepper.solve(&[0.0, 1.0], (0.0, 3.0), 3000).unwrap();
    let end = run.solution.x(3000);
    assert!((end[0] - (1.0_f64.cos() - 3.0_f64.cos())).abs() < 2e-3 && end[1].abs() < 1e-13, "{end:?}");
}

#[test]
fn an_affine_step_in_steady_state_allocates_nothing() {
    let over_triangle = Dvi::new(
        StateMap::linear(array![[-1.0, 0.3], [0.0, -2.0]]).with_offset_function(|t, e| e[0] = t.sin()),
        array![[1.0, 0.0], [0.0, 1.0]],
        StateMap::linear(array![[1.0, 0.0], [0.0, 1.0]]),
        ViMap::Linear(array![[1.0, 0.2], [-0.2, 1.0]]),
        polyhedron(array![[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], vec![0.0, 0.0, -1.0]),
    )
    .unwrap();
    let orthant = Dvi::new(
        over_triangle.f().clone(),
        over_triangle.b().clone(),
        over_triangle.g().clone(),
        over_triangle.map().clone(),
        DviSet::Orthant,
    )
    .unwrap();
    for (name, dvi, x0) in [
        ("box", friction(), vec![1.0]),
        ("saturation", saturated(), vec![0.0]),
        ("orthant", orthant, vec![-1.0, 0.5]),
        ("polyhedron", over_triangle, vec![-1.0, 0.5]),
    ] {
        let mut stepper = DviStepper::new(&dvi, 0.5, DviSettings::default()).unwrap();
        let mut x = x0.clone();
        let mut pass = |x: &mut [f64]| {
            for k in 0..200 {
                let step = stepper.step(0.02 * f64::from(k), 0.02, x).unwrap();
                assert!(step.info.status.is_success());
            }
        };
        pass(&mut x);
        x.copy_from_slice(&x0);
        let count = count_allocations(|| pass(&mut x));
        assert_eq!(count, 0, "{name}");
    }
}
