//! Results for first-order systems are independent of the units of states, multipliers, outputs and time.

use ndarray::{Array2, array};
use siconos_kernel::model::NonSmoothLaw;
use siconos_kernel::prelude::*;
use siconos_testkit::compare::largest_difference;
use siconos_testkit::random::RandomState;

/// Units of x, lambda, y and t.
type Units = [f64; 4];

/// Function that creates a law for multipliers in a given unit.
type Law = fn(f64) -> NonSmoothLaw;

/// Simulates a random linear system in the given units. Returns all states and multipliers, converted back.
fn run(seed: u32, (law, m): (Law, usize), [x, lambda, y, t]: Units, integrator: Integrator) -> Vec<f64> {
    let numbers = &mut RandomState::new(seed);
    let mut random = |rows, columns| Array2::from_shape_fn((rows, columns), |_| numbers.between(-1.0, 1.0));
    let a = random(3, 3) / t;
    let b = random(3, m);
    let d = (0.2 * random(m, m) + 0.4 * Array2::<f64>::eye(m)) * (y / lambda);
    let mut model = NonSmoothDynamicalSystem::new();
    let system = FirstOrderLinear::new(vec![x, -2.0 * x, 0.5 * x], a)
        .with_source_function(move |at, source| source[0] = 3.0 * x / t * (5.0 * at.t / t).sin());
    let system = model.add_system(system).unwrap();
    let relation = FirstOrderLinearRelation::new(b.t().to_owned() * (y / x), &b * (x / lambda / t)).with_d(d);
    let id = model.add_interaction([system], relation, law(lambda)).unwrap();
    let times = (0..60).map(|k| 0.02 * t * f64::from(k)).collect();
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::from_times(times).unwrap())
        .integrator(integrator)
        .build()
        .unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    let mut out = Vec::new();
    while simulation.step(&model, &mut state).unwrap().is_some() {
        out.extend(state.x(system).iter().map(|value| value / x));
        out.extend(state.lambda(id, Level::Position).iter().map(|value| value / lambda));
    }
    out
}

#[test]
fn units_of_all_quantities_are_free() {
    let laws: [(Law, usize); 5] = [
        (|_| ComplementarityCondition::new(2).unwrap().into(), 2),
        (|_| MixedComplementarityCondition::new(1, 1).unwrap().into(), 2),
        (|unit| Relay::symmetric(2, 0.3 * unit).unwrap().into(), 2),
        (
            |unit| {
                let triangle = array![[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]];
                NormalCone::new(triangle, vec![0.0, 0.0, -0.4 * unit]).unwrap().into()
            },
            2,
        ),
        (|_| ConeComplementarity::second_order([3]).unwrap().into(), 3),
    ];
    let all_units: [Units; 7] = [
        [1e-9, 1.0, 1.0, 1.0],
        [1.0, 1e-9, 1.0, 1.0],
        [1.0, 1.0, 1e-9, 1.0],
        [1e-8; 4],
        [1e6, 1e-6, 1e3, 1e-6],
        [1e9, 1e9, 1e9, 1.0],
        [1e-12, 1e-12, 1e-12, 1e3],
    ];
    let schemes: [Integrator; 3] = [
        EulerMoreau::default().into(),
        MeasureEuler::default().into(),
        FullyImplicit { theta: 0.5, theta_r: 0.5 }.into(),
    ];
    for law in laws {
        for integrator in schemes {
            for seed in 0..5 {
                let expected = run(seed, law, [1.0; 4], integrator);
                for units in all_units {
                    let found = run(seed, law, units, integrator);
                    let off = largest_difference(&found, &expected);
                    let (name, law) = (integrator.name(), (law.0)(1.0));
                    assert!(off < 1e-12, "{law:?}, {name}, units {units:?}: {off:e}");
                }
            }
        }
    }
}

/// A rectifier in SI units with five equivalent laws. The charge sigma is at most 1e-8 C.
#[test]
fn a_rectifier_is_the_same_under_all_laws_that_mean_a_diode() {
    let (c, l, r) = (1e-6, 1e-2, 1e3);
    let laws: [NonSmoothLaw; 5] = [
        ComplementarityCondition::new(1).unwrap().into(),
        MixedComplementarityCondition::new(0, 1).unwrap().into(),
        Relay::new(vec![0.0], vec![f64::INFINITY]).unwrap().into(),
        NormalCone::new(array![[1.0]], vec![0.0]).unwrap().into(),
        ConeComplementarity::second_order([1]).unwrap().into(),
    ];
    for integrator in [Integrator::from(EulerMoreau::default()), MeasureEuler::default().into()] {
        for h in [1e-5, 1e-6, 1e-7] {
            for law in &laws {
                let mut model = NonSmoothDynamicalSystem::new();
                let oscillator =
                    FirstOrderLinearTi::new(vec![10.0, 0.0], array![[0.0, -1.0 / c], [1.0 / l, 0.0]]);
                let oscillator = model.add_system(oscillator).unwrap();
                let relation = FirstOrderLinearRelation::new(array![[-1.0, 0.0]], array![[-1.0 / c], [0.0]]);
                let diode =
                    model.add_interaction([oscillator], relation.with_d(array![[r]]), law.clone()).unwrap();
                let mut simulation = TimeStepping::builder(&model)
                    .discretisation(TimeDiscretisation::uniform(0.0, 300.0 * h, h).unwrap())
                    .integrator(integrator)
                    .build()
                    .unwrap();
                let mut state = simulation.initial_state(&model).unwrap();
                while simulation.step(&model, &mut state).unwrap().is_some() {
                    let (v, current) = (state.x(oscillator)[0], state.lambda(diode, Level::Position)[0]);
                    let off = (current - v.max(0.0) / r).abs();
                    assert!(off < 1e-14, "{law:?}, {}, h = {h:e}: {off:e}", integrator.name());
                }
            }
        }
    }
}
