//! Units that differ by powers of two, a component that is independent of the others, repeated runs.

use ndarray::{Array2, array};
use siconos_kernel::siconos_numerics::cone::Ball;
use siconos_sweeping::dvi::{
    Boundary, BoundarySettings, Dvi, DviSet, DviSettings, DviStepper, StateMap, ViMap, solve_boundary_value,
};
use siconos_testkit::compare::worse;

use super::problems::{polyhedron, regulator, regulator_ends, rest_to_rest, rest_to_rest_ends};

/// Factors of the units of each x, of u, of w and of time.
#[derive(Clone, Debug)]
struct Units {
    x: Vec<f64>,
    u: f64,
    w: f64,
    time: f64,
}

/// Converts a problem to other units; all u have the same unit.
fn in_units(dvi: &Dvi, units: &Units) -> Dvi {
    let Units { x, u, w, time } = units;
    let scale = |matrix: &Array2<f64>, row: &dyn Fn(usize) -> f64, column: &dyn Fn(usize) -> f64| {
        Array2::from_shape_fn(matrix.dim(), |(i, j)| matrix[[i, j]] * row(i) / column(j))
    };
    let (n, m) = (dvi.states(), dvi.inputs());
    let (mut e, mut g) = (vec![0.0; n], vec![0.0; m]);
    dvi.f().value_into(0.0, &vec![0.0; n], &mut e);
    dvi.g().value_into(0.0, &vec![0.0; n], &mut g);
    e.iter_mut().zip(x).for_each(|(e, x)| *e *= x / time);
    g.iter_mut().for_each(|g| *g *= w);
    let set = match dvi.set() {
        DviSet::Box { lower, upper } => DviSet::Box {
            lower: lower.iter().map(|l| l * u).collect(),
            upper: upper.iter().map(|b| b * u).collect(),
        },
        DviSet::Polyhedron(own) => polyhedron(own.h().to_owned(), own.k().iter().map(|k| k * u).collect()),
        other => other.clone(),
    };
    Dvi::new(
        StateMap::linear(scale(dvi.f().matrix().unwrap(), &|i| x[i] / time, &|j| x[j])).with_offset(e),
        scale(dvi.b().matrix().unwrap(), &|i| x[i] / time, &|_| *u),
        StateMap::linear(scale(dvi.g().matrix().unwrap(), &|_| *w, &|j| x[j])).with_offset(g),
        ViMap::Linear(scale(dvi.map().matrix().unwrap(), &|_| *w, &|_| *u)),
        set,
    )
    .unwrap()
}

fn two_states(set: DviSet) -> Dvi {
    Dvi::new(
        StateMap::linear(array![[-0.3, 1.1], [-1.7, -0.2]]).with_offset(vec![0.3, -0.4]),
        array![[1.0, 0.2], [0.1, 1.3]],
        StateMap::linear(array![[1.0, 0.3], [-0.2, 0.9]]).with_offset(vec![-0.1, 0.2]),
        ViMap::Linear(array![[0.1, 0.05], [-0.05, 0.2]]),
        set,
    )
    .unwrap()
}

#[test]
fn affine_steps_are_the_same_bits_in_all_units() {
    let sets = [
        DviSet::Orthant,
        DviSet::Box { lower: vec![-0.2; 2], upper: vec![0.3; 2] },
        polyhedron(array![[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], vec![-0.1, 0.0, -0.4]),
    ];
    for (which, set) in sets.into_iter().enumerate() {
        let dvi = two_states(set);
        let run = |units: &Units| {
            let own = in_units(&dvi, units);
            let mut stepper = DviStepper::new(&own, 0.5, DviSettings::default()).unwrap();
            let x0 = [0.7 * units.x[0], -0.4 * units.x[1]];
            let run = stepper.solve(&x0, (0.0, 8.0 * units.time), 100).unwrap();
            assert!(run.info.status.is_success());
            let x = (0..=100).flat_map(|k| run.solution.x(k).iter().zip(&units.x).map(|(x, unit)| x / unit));
            let u = (1..=100).flat_map(|k| run.solution.u(k).iter().map(|u| u / units.u));
            x.chain(u).map(f64::to_bits).collect::<Vec<_>>()
        };
        let si = run(&Units { x: vec![1.0; 2], u: 1.0, w: 1.0, time: 1.0 });
        assert_eq!(si, run(&Units { x: vec![1.0; 2], u: 1.0, w: 1.0, time: 1.0 }), "two runs");
        for units in [
            Units { x: vec![1024.0, 1024.0], u: 1.0, w: 1.0, time: 1.0 },
            Units { x: vec![1.0, 2.0_f64.powi(-30)], u: 2.0_f64.powi(40), w: 0.5, time: 1.0 },
            Units { x: vec![2.0_f64.powi(20), 8.0], u: 0.25, w: 2.0_f64.powi(-33), time: 2.0_f64.powi(15) },
        ] {
            assert_eq!(si, run(&units), "set {which}, {units:?}");
        }
    }
}

/// The disc around (0.05, 0): a set given by its projection.
#[test]
fn steps_over_a_disc_are_the_same_bits_in_all_units() {
    let run = |units: &Units| {
        let own = in_units(&two_states(DviSet::Orthant), units);
        let disc = DviSet::convex(Ball::new(vec![0.05 * units.u, 0.0], 0.3 * units.u).unwrap());
        let own =
            Dvi::new(own.f().clone(), own.b().clone(), own.g().clone(), own.map().clone(), disc).unwrap();
        let mut stepper = DviStepper::new(&own, 0.5, DviSettings::default()).unwrap();
        let x0 = [0.7 * units.x[0], -0.4 * units.x[1]];
        let run = stepper.solve(&x0, (0.0, 8.0 * units.time), 100).unwrap();
        assert!(run.info.status.is_success(), "{units:?} {:?}", run.info);
        let x = (0..=100).flat_map(|k| run.solution.x(k).iter().zip(&units.x).map(|(x, unit)| x / unit));
        let u = (1..=100).flat_map(|k| run.solution.u(k).iter().map(|u| u / units.u));
        x.chain(u).map(f64::to_bits).collect::<Vec<_>>()
    };
    let si = run(&Units { x: vec![1.0; 2], u: 1.0, w: 1.0, time: 1.0 });
    for units in [
        Units { x: vec![1.0, 2.0_f64.powi(-30)], u: 2.0_f64.powi(40), w: 0.5, time: 1.0 },
        Units { x: vec![2.0_f64.powi(20), 8.0], u: 0.25, w: 2.0_f64.powi(-33), time: 2.0_f64.powi(15) },
    ] {
        assert_eq!(si, run(&units), "{units:?}");
    }
}

fn numbers(dvi: &Dvi, ends: &Boundary, units: &Units, steps: usize) -> Vec<f64> {
    let own = in_units(dvi, units);
    let scaled = |matrix: &Array2<f64>| {
        Array2::from_shape_fn(matrix.dim(), |(i, j)| matrix[[i, j]] / units.x[j] * units.x[i])
    };
    let ends = Boundary {
        m: scaled(&ends.m),
        n: scaled(&ends.n),
        b: ends.b.iter().zip(&units.x).map(|(b, unit)| b * unit).collect(),
    };
    let settings = BoundarySettings::default();
    let found = solve_boundary_value(&own, &ends, (0.0, 2.0 * units.time), steps, &settings).unwrap();
    assert!(found.info.status.is_success(), "{units:?} {:?}", found.grids);
    let x = (0..=steps).flat_map(|k| found.solution.x(k).iter().zip(&units.x).map(|(x, unit)| x / unit));
    let u = (1..=steps).flat_map(|k| found.solution.u(k).iter().map(|u| u / units.u));
    x.chain(u).collect()
}

fn largest(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, worse)
}

#[test]
fn boundary_values_are_the_same_in_all_units() {
    for (dvi, ends) in [(regulator(), regulator_ends()), (rest_to_rest(), rest_to_rest_ends())] {
        let n = dvi.states();
        let si = Units { x: vec![1.0; n], u: 1.0, w: 1.0, time: 1.0 };
        let first = numbers(&dvi, &ends, &si, 120);
        let again = numbers(&dvi, &ends, &si, 120);
        assert!(first.iter().zip(&again).all(|(a, b)| a.to_bits() == b.to_bits()), "two runs");
        for seed in 0..20_i32 {
            let power = |k: i32| 2.0_f64.powi((seed * 7 + k * 13) % 41 - 20);
            let x: Vec<f64> = (0..n).map(|i| power(i as i32)).collect();
            let units = Units { x, u: power(5), w: power(6), time: power(7) };
            let found = numbers(&dvi, &ends, &units, 120);
            let bits = |list: &[f64]| list.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&first), bits(&found), "{units:?}: {:e}", largest(&first, &found));
        }
    }
}

/// A mass on a stiffening spring with a stop, given as functions in several units.
#[test]
fn steps_of_functions_are_the_same_in_all_units() {
    let run = |length: f64, force: f64| {
        let dvi = Dvi::new(
            StateMap::function(2, move |_, x, f| {
                let q = x[0] / length;
                (f[0], f[1]) = (x[1], length * (-q - q * q * q - 1.0));
            })
            .with_jacobian(move |_, x, j| {
                let q = x[0] / length;
                (j[[0, 1]], j[[1, 0]]) = (1.0, -1.0 - 3.0 * q * q);
            }),
            array![[0.0], [length / force]],
            StateMap::linear(array![[1.0, 0.5]]),
            ViMap::function(1, move |u, w| w[0] = 0.1 * length * (u[0] / force + (u[0] / force).powi(3)))
                .with_difference_step(6e-6 * force),
            DviSet::Orthant,
        )
        .unwrap();
        let mut stepper = DviStepper::new(&dvi, 0.5, DviSettings::default()).unwrap();
        let run = stepper.solve(&[length, 0.0], (0.0, 6.0), 120).unwrap();
        assert!(run.info.status.is_success(), "{length} {force}: {:?}", run.info);
        let x = (0..=120).flat_map(|k| run.solution.x(k).iter().map(|x| x / length).collect::<Vec<_>>());
        let u = (1..=120).map(|k| run.solution.u(k)[0] / force);
        x.chain(u).collect::<Vec<_>>()
    };
    let si = run(1.0, 1.0);
    assert!(si[242..].iter().any(|u| *u > 0.5), "the stop is met");
    for (length, force) in [(1024.0, 1.0), (1.0, 2.0_f64.powi(-30)), (2.0_f64.powi(-25), 2.0_f64.powi(20))] {
        let off = largest(&si, &run(length, force));
        assert!(off < 1e-9, "{length} {force}: {off:e}");
    }
}

/// A decaying state with its own input does not change the others.
#[test]
fn an_unrelated_component_changes_nothing() {
    let dvi = two_states(DviSet::Orthant);
    let beside = |matrix: &Array2<f64>, own: f64| {
        let mut all = Array2::zeros((3, 3));
        all.slice_mut(ndarray::s![..2, ..2]).assign(matrix);
        all[[2, 2]] = own;
        all
    };
    for size in [1e-9, 1.0, 1e9] {
        let wider = Dvi::new(
            StateMap::linear(beside(dvi.f().matrix().unwrap(), -1.0)).with_offset(vec![
                0.3,
                -0.4,
                -2.0 * size,
            ]),
            beside(dvi.b().matrix().unwrap(), 1.0),
            StateMap::linear(beside(dvi.g().matrix().unwrap(), 1.0)).with_offset(vec![-0.1, 0.2, 0.0]),
            ViMap::Linear(beside(dvi.map().matrix().unwrap(), 0.0)),
            DviSet::Orthant,
        )
        .unwrap();
        let (mut alone, mut beside) = (
            DviStepper::new(&dvi, 1.0, DviSettings::default()).unwrap(),
            DviStepper::new(&wider, 1.0, DviSettings::default()).unwrap(),
        );
        let first = alone.solve(&[0.7, -0.4], (0.0, 8.0), 200).unwrap();
        let second = beside.solve(&[0.7, -0.4, size], (0.0, 8.0), 200).unwrap();
        assert!(second.info.status.is_success());
        for k in 1..=200 {
            let off = largest(first.solution.x(k), &second.solution.x(k)[..2]);
            let of_u = largest(first.solution.u(k), &second.solution.u(k)[..2]);
            assert!(off < 1e-11 * size.max(1.0) && of_u < 1e-10 * size.max(1.0), "{size}: {off:e} {of_u:e}");
        }
        assert!(second.solution.x(200)[2].abs() < 1e-12 * size, "held at 0 by u = 2");
        assert!((second.solution.u(200)[2] - 2.0 * size).abs() < 1e-9 * size);
    }
}
