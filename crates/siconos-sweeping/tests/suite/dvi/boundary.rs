//! Boundary value problems against closed forms.

use ndarray::{Array2, array};
use siconos_kernel::siconos_numerics::cone::Ball;
use siconos_sweeping::dvi::{
    Boundary, BoundarySettings, BoundarySolution, BoundaryWarning, Dvi, DviError, DviSet, StateMap, ViMap,
    solve_boundary_value,
};
use siconos_testkit::compare::worse;
use siconos_testkit::convergence::observed_order;
use std::f64::consts::PI;

use super::problems::{
    periodic, polyhedron, rectified, regulator, regulator_ends, regulator_state, rest_to_rest,
    rest_to_rest_ends, rest_to_rest_state,
};

const THETAS: [f64; 3] = [0.0, 0.5, 1.0];

/// Numbers of steps, none of which is a multiple of another.
const STEPS: [usize; 8] = [25, 36, 53, 77, 113, 166, 243, 356];

fn solve(dvi: &Dvi, boundary: &Boundary, end: f64, steps: usize, theta: f64) -> BoundarySolution {
    let settings = BoundarySettings { theta, ..BoundarySettings::default() };
    let found = solve_boundary_value(dvi, boundary, (0.0, end), steps, &settings).unwrap();
    assert!(found.info.status.is_success(), "{:?}", found.grids);
    found
}

/// Checks the order of convergence of an error.
fn check_order(name: &str, theta: f64, end: f64, error: impl Fn(usize) -> f64) {
    let h: Vec<f64> = STEPS.iter().map(|steps| end / *steps as f64).collect();
    let errors: Vec<f64> = STEPS.iter().map(|steps| error(*steps)).collect();
    let order = observed_order(&h, &errors).order;
    assert!(order >= 0.9, "{name}, theta {theta}: {order} {errors:?}");
}

#[test]
fn the_regulator_meets_its_closed_form_with_order_one() {
    let (dvi, ends) = (regulator(), regulator_ends());
    for theta in THETAS {
        check_order("(a)", theta, 2.0, |steps| {
            let found = solve(&dvi, &ends, 2.0, steps, theta);
            assert!(found.warnings.is_empty());
            let solution = &found.solution;
            let nodes = (0..=steps).map(|k| (solution.x(k)[0] - regulator_state(solution.t()[k])).abs());
            let exact = [regulator_state(0.0) + 0.5, 1.0 / 1.0_f64.sinh()];
            let at_ends = [solution.x(0)[1] - exact[0], solution.x(steps)[0] - exact[1]];
            nodes.chain(at_ends.map(f64::abs)).fold(0.0, worse)
        });
        let found = solve(&dvi, &ends, 2.0, 400, theta);
        for k in 1..=190 {
            assert_eq!(found.solution.u(k), [-1.0], "until t = 1");
        }
        assert!(found.solution.u(210)[0] > -1.0);
    }
}

#[test]
fn the_way_from_rest_to_rest_is_found_though_m_plus_n_is_singular() {
    let (dvi, ends) = (rest_to_rest(), rest_to_rest_ends());
    for theta in THETAS {
        check_order("(b) u", theta, 2.0, |steps| {
            let found = solve(&dvi, &ends, 2.0, steps, theta);
            let [BoundaryWarning::SingularSum { vector }] = &found.warnings[..] else {
                panic!("{:?}", found.warnings)
            };
            let image = (&ends.m + &ends.n).dot(&ndarray::Array1::from(vector.clone()));
            assert!(image.iter().all(|x| x.abs() < 1e-14) && vector.iter().any(|v| v.abs() == 1.0));
            let solution = &found.solution;
            let u = |t: f64| (2.0 * (1.0 - t)).clamp(-1.0, 1.0);
            (1..=steps).map(|k| (solution.u(k)[0] - u(solution.t()[k])).abs()).fold(0.0, worse)
        });
        check_order("(b) x", theta, 2.0, |steps| {
            let solution = solve(&dvi, &ends, 2.0, steps, theta).solution;
            let off = (0..=steps).map(|k| {
                let [q, v] = rest_to_rest_state(solution.t()[k]);
                (solution.x(k)[0] - q).abs().max((solution.x(k)[1] - v).abs())
            });
            off.fold(0.0, worse)
        });
    }
}

#[test]
fn the_periodic_state_of_a_rectifier_has_its_closed_form() {
    let (dvi, ends) = (rectified(), periodic());
    let exact = 1.0 / (2.0 * (PI.exp() - 1.0));
    for theta in THETAS {
        check_order("(c)", theta, 2.0 * PI, |steps| {
            let found = solve(&dvi, &ends, 2.0 * PI, steps, theta);
            assert!(matches!(found.warnings[..], [BoundaryWarning::SingularSum { .. }]));
            (found.solution.x(0)[0] - exact).abs()
        });
    }
}

/// A control in an interval, in a polyhedron, and in a set given by its projection.
#[test]
fn other_descriptions_of_the_set_give_the_same_solution() {
    for (dvi, ends) in [(regulator(), regulator_ends()), (rest_to_rest(), rest_to_rest_ends())] {
        let with = |set| {
            Dvi::new(dvi.f().clone(), dvi.b().clone(), dvi.g().clone(), dvi.map().clone(), set).unwrap()
        };
        let sets = [
            polyhedron(array![[1.0], [-4.0]], vec![-1.0, -4.0]),
            DviSet::projection(|u| u[0] = u[0].clamp(-1.0, 1.0)),
        ];
        let expected = solve(&dvi, &ends, 2.0, 101, 1.0).solution;
        for set in sets {
            let found = solve(&with(set), &ends, 2.0, 101, 1.0);
            let largest = (1..=101)
                .flat_map(|k| {
                    let pairs = found.solution.x(k).iter().zip(expected.x(k));
                    let pairs = pairs.chain(found.solution.u(k).iter().zip(expected.u(k)));
                    pairs.map(|(a, b)| (a - b).abs()).collect::<Vec<_>>()
                })
                .fold(0.0, worse);
            assert!(largest < 1e-9, "{largest:e} {:?}", found.grids);
        }
    }
}

/// Motion in the plane with a force in the unit disc. Along a straight line, the control is the control of
/// [`rest_to_rest`].
#[test]
fn a_force_in_a_disc_takes_the_straight_way() {
    let direction = [0.6, -0.8];
    let (line, ends) = (rest_to_rest(), rest_to_rest_ends());
    let twice = |one: &Array2<f64>| {
        let (rows, columns) = one.dim();
        Array2::from_shape_fn((2 * rows, 2 * columns), |(i, j)| match i / rows == j / columns {
            true => one[[i % rows, j % columns]],
            false => 0.0,
        })
    };
    let plane = Dvi::new(
        StateMap::linear(twice(line.f().matrix().unwrap())),
        twice(line.b().matrix().unwrap()),
        StateMap::linear(twice(line.g().matrix().unwrap())),
        ViMap::Linear(Array2::eye(2)),
        DviSet::convex(Ball::new(vec![0.0; 2], 1.0).unwrap()),
    )
    .unwrap();
    let b = direction.iter().flat_map(|part| ends.b.iter().map(move |b| part * b)).collect();
    let in_plane = Boundary { m: twice(&ends.m), n: twice(&ends.n), b };
    let (one, two) = (solve(&line, &ends, 2.0, 150, 1.0), solve(&plane, &in_plane, 2.0, 150, 1.0));
    for k in 1..=150 {
        for (i, part) in direction.iter().enumerate() {
            assert!((two.solution.u(k)[i] - part * one.solution.u(k)[0]).abs() < 1e-8, "step {k}");
            let (x, own) = (two.solution.x(k)[4 * i], one.solution.x(k)[0]);
            assert!((x - part * own).abs() < 1e-9, "step {k}: {x} {own}");
        }
    }
}

/// A pendulum is swung up by a bounded torque. f is not linear, so Newton's method needs several steps.
#[test]
fn functions_are_linearised_at_each_step() {
    // q' = v, v' = sin q + u, p_q' = -p_v cos q, p_v' = -p_q.
    let f = StateMap::function(4, |_, x, f| {
        (f[0], f[1], f[2], f[3]) = (x[1], x[0].sin(), -x[3] * x[0].cos(), -x[2]);
    });
    let mut b = Array2::zeros((4, 1));
    b[[1, 0]] = 1.0;
    let dvi = Dvi::new(
        f,
        b,
        StateMap::linear(array![[0.0, 0.0, 0.0, 1.0]]),
        ViMap::Linear(array![[1.0]]),
        DviSet::Box { lower: vec![-0.8], upper: vec![0.8] },
    )
    .unwrap();
    let mut ends = rest_to_rest_ends();
    ends.b = vec![0.5, 0.0, 0.0, 0.0];
    let found = solve(&dvi, &ends, 4.0, 200, 0.5);
    let solution = &found.solution;
    // Check the equations of the steps, and u as the minimum of the Hamiltonian.
    for k in 1..=200 {
        let (old, new, u) = (solution.x(k - 1), solution.x(k), solution.u(k)[0]);
        let middle: Vec<f64> = old.iter().zip(new).map(|(a, b)| 0.5 * (a + b)).collect();
        let h = solution.t()[k] - solution.t()[k - 1];
        assert!((new[1] - old[1] - h * (middle[0].sin() + u)).abs() < 1e-11);
        assert!((u - (-new[3]).clamp(-0.8, 0.8)).abs() < 1e-10);
    }
    assert!((0..=200).any(|k| k > 0 && solution.u(k)[0] == -0.8), "the bound matters");
    // H = u^2 / 2 + p_q v + p_v (sin q + u) is constant along the exact solution.
    let hamiltonian = |k: usize| {
        let (x, u) = (solution.x(k), solution.u(k)[0]);
        0.5 * u * u + x[2] * x[1] + x[3] * (x[0].sin() + u)
    };
    let spread = (1..=200).map(|k| (hamiltonian(k) - hamiltonian(100)).abs()).fold(0.0, worse);
    assert!(spread < 0.02, "{spread}");
}

/// If the user sets the growth rate psi, an interval that is too long for the existence theorem is a warning.
#[test]
fn a_long_interval_is_a_warning() {
    let stable = Dvi::new(
        StateMap::linear(array![[-1.0]]),
        array![[1.0]],
        StateMap::linear(array![[1.0]]),
        ViMap::Linear(array![[1.0]]),
        DviSet::Orthant,
    )
    .unwrap();
    let ends = Boundary { m: array![[1.0]], n: array![[1.0]], b: vec![2.0] };
    // |(M + N)^-1 N| = 1/2: exp(T psi) must stay below 3.
    for (psi, count) in [(0.5, 0), (1.2, 1)] {
        let settings = BoundarySettings { psi: Some(psi), ..BoundarySettings::default() };
        let found = solve_boundary_value(&stable, &ends, (0.0, 1.0), 50, &settings).unwrap();
        assert!(found.info.status.is_success());
        assert_eq!(found.warnings.len(), count);
        for warning in &found.warnings {
            let BoundaryWarning::LongInterval { growth, bound } = warning else { panic!("{warning}") };
            assert!((growth - psi.exp()).abs() < 1e-14 && (bound - 3.0).abs() < 1e-14);
        }
    }
}

#[test]
fn conditions_that_depend_on_each_other_are_refused_with_their_combination() {
    let dvi = rest_to_rest();
    let mut ends = rest_to_rest_ends();
    // The third condition is twice the first minus the second.
    let (first, second) = (ends.m.row(0).to_owned(), ends.m.row(1).to_owned());
    ends.m.row_mut(2).assign(&(2.0 * &first - &second));
    ends.n.row_mut(2).fill(0.0);
    let refused =
        solve_boundary_value(&dvi, &ends, (0.0, 2.0), 10, &BoundarySettings::default()).unwrap_err();
    let DviError::DependentConditions { vector } = &refused else { panic!("{refused}") };
    let v = ndarray::Array1::from(vector.clone());
    assert!(v.dot(&ends.m).iter().chain(&v.dot(&ends.n)).all(|x| x.abs() < 1e-14), "{v}");
    assert!((v[0] + v[2] * 2.0).abs() < 1e-14 && v.iter().any(|v| v.abs() == 1.0));
    assert!(refused.to_string().contains("v^T [M N] = 0"));
}

/// The active set depends on the differential equation and not on the grid, so finer grids do not need more
/// Newton steps.
#[test]
fn newton_steps_do_not_grow_with_the_grid() {
    let (dvi, ends) = (rest_to_rest(), rest_to_rest_ends());
    let steps = [100, 1000, 3000].map(|steps| solve(&dvi, &ends, 2.0, steps, 1.0).info.iterations);
    assert!(steps[1] <= steps[0] && steps[2] <= steps[1] + 1, "{steps:?}");
}
