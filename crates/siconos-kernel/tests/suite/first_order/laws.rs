//! Equivalent laws of first-order systems, exact solutions, and the choice of solvers.

use ndarray::{Array1, Array2, array};
use siconos_kernel::model::NonSmoothLaw;
use siconos_kernel::prelude::*;
use siconos_numerics::Method;
use siconos_numerics::avi::AviMethod;
use siconos_numerics::gmp::GmpMethod;
use siconos_numerics::lcp::{LcpMethod, LemkeSettings};
use siconos_numerics::mlcp::MlcpMethod;
use siconos_numerics::relay::RelayMethod;

fn complementarity(size: usize) -> NonSmoothLaw {
    ComplementarityCondition::new(size).unwrap().into()
}

fn equality(size: usize) -> NonSmoothLaw {
    EqualityCondition::new(size).unwrap().into()
}

fn relay(lower: &[f64], upper: &[f64]) -> NonSmoothLaw {
    Relay::new(lower.to_vec(), upper.to_vec()).unwrap().into()
}

/// Returns the law of multipliers with lambda >= 0 and a sum of at most `most`.
fn simplex(size: usize, most: f64) -> NonSmoothLaw {
    let mut h = Array2::zeros((size + 1, size));
    h.diag_mut().fill(1.0);
    h.row_mut(size).fill(-1.0);
    let mut k = vec![0.0; size + 1];
    k[size] = -most;
    NonSmoothLaw::NormalCone(NormalCone::new(h, k).unwrap())
}

/// Simulates four driven states with three multipliers. Each interaction has some of the components.
fn run(
    parts: &[(&[usize], NonSmoothLaw)],
    integrator: impl Into<Integrator>,
    solver: OneStepSolver,
) -> Vec<f64> {
    let a = array![
        [-0.5, 4.0, 0.0, 0.3],
        [-4.0, -0.5, 0.2, 0.0],
        [0.0, -0.2, -0.3, -7.0],
        [-0.3, 0.0, 7.0, -0.3]
    ];
    let c = array![[1.0, 0.1, 0.0, 0.4], [0.2, 0.0, 1.0, 0.0], [0.0, 1.0, -0.3, 0.6]];
    let d = [0.3, 0.5, 0.2];
    let mut model = NonSmoothDynamicalSystem::new();
    let system = FirstOrderLinear::new(vec![1.0, -0.5, 0.8, 0.2], a).with_source_function(|at, b| {
        b[0] = 3.0 * (2.0 * at.t).sin();
        b[3] = -2.0 * (3.0 * at.t).cos();
    });
    let system = model.add_system(system).unwrap();
    let mut ids = Vec::new();
    for (rows, law) in parts {
        let of_rows = c.select(ndarray::Axis(0), rows);
        let d: Array1<f64> = rows.iter().map(|&i| d[i]).collect();
        let relation = FirstOrderLinearRelation::new(of_rows.clone(), of_rows.t().to_owned())
            .with_d(Array2::from_diag(&d))
            .with_offset(rows.iter().map(|&i| [0.1, -0.2, 0.05][i]).collect::<Vec<_>>());
        ids.push(model.add_interaction([system], relation, law.clone()).unwrap());
    }
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, 3.0, 0.01).unwrap())
        .integrator(integrator)
        .solver(solver)
        .build()
        .unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    let mut out = Vec::new();
    simulation
        .run(&model, &mut state, |_, state| {
            let mut by_row = [[0.0; 2]; 3];
            for ((rows, _), &id) in parts.iter().zip(&ids) {
                let (y, l) = (state.y(id, Level::Position), state.lambda(id, Level::Position));
                rows.iter().zip(y.iter().zip(l)).for_each(|(&row, (y, l))| by_row[row] = [*y, *l]);
            }
            out.extend(state.x(system).iter().chain(by_row.iter().flatten()));
        })
        .unwrap();
    out
}

fn by_default(parts: &[(&[usize], NonSmoothLaw)]) -> Vec<f64> {
    run(parts, EulerMoreau::default(), OneStepSolver::default())
}

#[track_caller]
fn assert_same(name: &str, a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len());
    let worst = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, |m: f64, x| m.max(x));
    assert!(worst <= tolerance && !a.iter().any(|x| x.is_nan()), "{name}: {worst:e}");
}

/// Returns one component of the multipliers over all steps.
fn multipliers(motion: &[f64], row: usize) -> impl Iterator<Item = f64> {
    motion.chunks(10).map(move |step| step[5 + 2 * row])
}

const ALL: &[usize] = &[0, 1, 2];

#[test]
fn a_relay_with_one_bound_is_complementarity_and_without_bounds_equality() {
    let expected = by_default(&[(ALL, complementarity(3))]);
    assert!((0..3).all(|row| multipliers(&expected, row).any(|l| l > 0.1)));
    assert!((0..3).all(|row| multipliers(&expected, row).any(|l| l == 0.0)));
    let infinite = [f64::INFINITY; 3];
    assert_same("[0, inf)", &by_default(&[(ALL, relay(&[0.0; 3], &infinite))]), &expected, 1e-11);
    assert_same("one by one", &by_default(&[(ALL, complementarity(1))]), &expected, 1e-11);
    let cones = ConeComplementarity::second_order([1, 1, 1]).unwrap();
    assert_same("half-lines", &by_default(&[(ALL, cones.into())]), &expected, 1e-6);
    let orthant = NormalCone::new(Array2::eye(3), vec![0.0; 3]).unwrap();
    assert_same("an orthant", &by_default(&[(ALL, orthant.into())]), &expected, 1e-9);

    let expected = by_default(&[(ALL, equality(3))]);
    let free = relay(&[f64::NEG_INFINITY; 3], &infinite);
    assert_same("(-inf, inf)", &by_default(&[(ALL, free)]), &expected, 1e-11);
    let whole = NormalCone::new(Array2::zeros((0, 3)), vec![]).unwrap();
    assert_same("no face", &by_default(&[(ALL, whole.into())]), &expected, 1e-9);
}

#[test]
fn mixed_complementarity_is_both_laws_one_after_the_other() {
    let mixed = MixedComplementarityCondition::new(1, 2).unwrap();
    let expected = by_default(&[(ALL, mixed.into())]);
    assert!(multipliers(&expected, 0).any(|l| l < -0.1), "the first is free");
    assert!((1..3).all(|row| multipliers(&expected, row).all(|l| l >= 0.0)));
    assert_same(
        "split",
        &by_default(&[(&[0], equality(1)), (&[1, 2], complementarity(2))]),
        &expected,
        1e-11,
    );
    assert_same(
        "reversed",
        &by_default(&[(&[2, 1], complementarity(1)), (&[0], equality(1))]),
        &expected,
        1e-11,
    );
    let bounds = relay(&[f64::NEG_INFINITY, 0.0, 0.0], &[f64::INFINITY; 3]);
    assert_same("bounds", &by_default(&[(ALL, bounds)]), &expected, 1e-11);
}

#[test]
fn the_normal_cone_of_a_box_is_a_relay() {
    let (lower, upper) = ([-0.4, -0.1, 0.05], [0.3, 0.6, 0.5]);
    let expected = by_default(&[(ALL, relay(&lower, &upper))]);
    for row in 0..3 {
        assert!(multipliers(&expected, row).any(|l| l == lower[row]), "it has to reach its bounds");
        assert!(multipliers(&expected, row).any(|l| l == upper[row]), "it has to reach its bounds");
    }
    let mut h = Array2::zeros((6, 3));
    let mut k = vec![0.0; 6];
    for i in 0..3 {
        (h[[2 * i, i]], h[[2 * i + 1, i]]) = (1.0, -1.0);
        (k[2 * i], k[2 * i + 1]) = (lower[i], -upper[i]);
    }
    let cone = NormalCone::new(h, k).unwrap();
    assert_same("box", &by_default(&[(ALL, cone.into())]), &expected, 1e-9);
}

#[test]
fn laws_beside_each_other_are_one_law() {
    let bounds = relay(&[-0.3, 0.0, f64::NEG_INFINITY], &[0.3, f64::INFINITY, f64::INFINITY]);
    let expected = by_default(&[(ALL, bounds)]);
    let parts: [(&[usize], NonSmoothLaw); 3] =
        [(&[1], complementarity(1)), (&[2], equality(1)), (&[0], relay(&[-0.3], &[0.3]))];
    assert_same("three laws", &by_default(&parts), &expected, 1e-11);

    // With a triangle, all laws together form one polyhedron.
    let triangle: (&[usize], NonSmoothLaw) = (&[1, 2], simplex(2, 0.4));
    let h = array![[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, -1.0]];
    let all = NormalCone::new(h, vec![-0.3, -0.3, 0.0, 0.0, -0.4]).unwrap();
    let expected = by_default(&[(ALL, all.into())]);
    assert!(
        multipliers(&expected, 1).zip(multipliers(&expected, 2)).any(|(a, b)| a + b > 0.399 && a * b > 0.0)
    );
    let parts = [(&[0][..], relay(&[-0.3], &[0.3])), triangle.clone()];
    assert_same("relay and triangle", &by_default(&parts), &expected, 1e-9);
    for law in [complementarity(1), equality(1)] {
        let motion = by_default(&[(&[0], law.clone()), triangle.clone()]);
        let free = law == equality(1);
        assert!(multipliers(&motion, 0).all(|l| free || l >= 0.0));
        assert!(
            motion.chunks(10).all(|step| (free && step[4].abs() < 1e-9) || (step[4] * step[5]).abs() < 1e-9)
        );
    }
}

/// For measures, all bounds are h times the bounds of lambda. If D = 0, the steps are the same with another
/// unknown.
#[test]
fn bounds_of_the_measure_are_those_of_lambda() {
    for law in [relay(&[-1.0, 0.2], &[0.5, 0.9]), simplex(2, 0.8)] {
        let motion = |integrator: Integrator| {
            let mut model = NonSmoothDynamicalSystem::new();
            let system = FirstOrderLinear::new(vec![1.0, -2.0], array![[-1.0, 3.0], [-3.0, 0.0]]);
            let system =
                model.add_system(system.with_source_function(|at, b| b[0] = (5.0 * at.t).sin())).unwrap();
            let relation = FirstOrderLinearRelation::new(Array2::eye(2), array![[1.0, 0.2], [0.0, 1.0]]);
            let id = model.add_interaction([system], relation, law.clone()).unwrap();
            // Steps of different lengths, so that the bounds of the measure change in every step.
            let times = (0..90).map(|k| 0.02 * f64::from(k) + 0.007 * f64::from(k % 3)).collect();
            let mut simulation = TimeStepping::builder(&model)
                .discretisation(TimeDiscretisation::from_times(times).unwrap())
                .integrator(integrator)
                .build()
                .unwrap();
            let mut state = simulation.initial_state(&model).unwrap();
            let mut out = Vec::new();
            simulation
                .run(&model, &mut state, |report, state| {
                    out.extend(state.x(system).iter().chain(state.lambda(id, Level::Position)));
                    out.extend(state.lambda(id, Level::Velocity).iter().map(|sigma| sigma / report.h));
                })
                .unwrap();
            out
        };
        let expected = motion(EulerMoreau { theta: 0.7 }.into());
        assert_same("measure", &motion(MeasureEuler { theta: 0.7 }.into()), &expected, 1e-9);
    }
}

/// Makes one step of x' = lambda, y = x, in which lambda is the projection of -x0 / h onto the set of the
/// law.
fn projection(point: &[f64], law: NonSmoothLaw) -> Vec<f64> {
    let h = 0.25;
    let mut model = NonSmoothDynamicalSystem::new();
    let n = point.len();
    let x0: Vec<_> = point.iter().map(|p| -h * p).collect();
    let system = model.add_system(FirstOrderLinearTi::new(x0, Array2::zeros((n, n)))).unwrap();
    let relation = FirstOrderLinearRelation::new(Array2::eye(n), Array2::eye(n));
    let id = model.add_interaction([system], relation, law).unwrap();
    let grid = TimeDiscretisation::uniform(0.0, h, h).unwrap();
    let mut simulation = TimeStepping::builder(&model).discretisation(grid).build().unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    simulation.step(&model, &mut state).unwrap().unwrap();
    state.lambda(id, Level::Position).to_vec()
}

#[test]
fn a_triangle_by_hand() {
    for (point, expected) in [
        ([0.2, 0.3], [0.2, 0.3]),
        ([1.0, 1.0], [0.5, 0.5]),
        ([3.0, 0.5], [1.0, 0.0]),
        ([-1.0, 0.4], [0.0, 0.4]),
        ([-1.0, -2.0], [0.0, 0.0]),
        ([2.0, 1.5], [0.75, 0.25]),
        ([-0.5, 7.0], [0.0, 1.0]),
    ] {
        assert_same("triangle", &projection(&point, simplex(2, 1.0)), &expected, 1e-12);
    }
}

#[test]
fn second_order_cones_in_closed_form() {
    let cone = |x: [f64; 3]| {
        let slide = x[1].hypot(x[2]);
        if slide <= x[0] {
            x
        } else if slide <= -x[0] {
            [0.0; 3]
        } else {
            let s = 0.5 * (x[0] + slide);
            [s, s * x[1] / slide, s * x[2] / slide]
        }
    };
    let points = [[1.0, 0.3, -0.2], [-2.0, 0.5, 0.5], [0.5, 3.0, -4.0], [-1.0, 2.0, 1.0], [0.0, 0.0, 2.0]];
    for point in points {
        let law = ConeComplementarity::second_order([3]).unwrap();
        assert_same("one cone", &projection(&point, law.into()), &cone(point), 1e-7);
        for last in [-0.4_f64, 0.7] {
            let law = ConeComplementarity::second_order([3, 1]).unwrap();
            let expected = [&cone(point)[..], &[last.max(0.0)]].concat();
            assert_same(
                "and a half-line",
                &projection(&[&point[..], &[last]].concat(), law.into()),
                &expected,
                1e-7,
            );
        }
    }
}

#[test]
fn every_solver_of_a_class_gives_the_same_motion() {
    let all = |law: NonSmoothLaw| [(ALL, law)];
    let tolerance = 1e-6;
    let check = |name: &str, law: NonSmoothLaw, solvers: Vec<OneStepSolver>| {
        let expected = by_default(&all(law.clone()));
        for solver in solvers {
            let name = format!("{name}, {}", solver.name());
            assert_same(&name, &run(&all(law.clone()), EulerMoreau::default(), solver), &expected, tolerance);
        }
    };
    let relays = || RelayMethod::all().into_iter().map(|m| OneStepSolver::from_method(&m).unwrap());
    let avis = || AviMethod::all().into_iter().map(|m| OneStepSolver::from_method(&m).unwrap());
    let mixed = || MlcpMethod::all().into_iter().map(|m| OneStepSolver::from_method(&m).unwrap());
    let blocks = || OneStepSolver::from_method(&GmpMethod::default()).unwrap();
    let lemke = || OneStepSolver::from_method(&LcpMethod::Lemke(LemkeSettings::default())).unwrap();

    let general = || relays().chain(avis()).chain([blocks()]);
    check("complementarity", complementarity(3), mixed().chain(general()).chain([lemke()]).collect());
    let law = MixedComplementarityCondition::new(1, 2).unwrap();
    check("mixed", law.into(), mixed().chain(general()).chain([lemke()]).collect());
    check("relay", relay(&[-0.3, -0.1, 0.0], &[0.2, 0.4, 0.5]), general().collect());
    check("triangle", simplex(3, 0.5), avis().collect());
}

#[test]
fn bounds_are_written_into_as_many_entries_only() {
    let constant = Relay::symmetric(2, 1.0).unwrap();
    let of_time = Relay::of_time(2, |_, lower, upper| (lower[1], upper[1]) = (-1.0, 1.0)).unwrap();
    for relay in [constant, of_time] {
        let (mut two, mut three) = ([0.0; 2], [0.0; 3]);
        assert!(relay.bounds_into(0.0, &mut [0.0; 2], &mut two).is_ok());
        for error in
            [relay.bounds_into(0.0, &mut two, &mut three), relay.bounds_into(0.0, &mut three, &mut two)]
        {
            assert!(
                matches!(error, Err(ModelError::WrongShape { expected_rows: 2, rows: 3, .. })),
                "{error:?}"
            );
        }
    }
}
