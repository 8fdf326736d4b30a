//! Strict simulations refuse schemes that are not suitable for the solutions of a model, with an explanation.

use ndarray::{Array2, array};
use siconos_kernel::analysis::{LinearSystem, RelativeDegree, SchemeMismatch};
use siconos_kernel::prelude::*;
use siconos_testkit::exact::{DiodeBridge, FilteredBridge};

/// Creates a model with one system and one interaction.
fn model(
    [a, b, c, d]: [Array2<f64>; 4],
    law: impl Into<siconos_kernel::model::NonSmoothLaw>,
) -> NonSmoothDynamicalSystem {
    let mut model = NonSmoothDynamicalSystem::new();
    let system = model.add_system(FirstOrderLinearTi::new(vec![1.0; a.nrows()], a)).unwrap();
    let relation = FirstOrderLinearRelation::new(c, b).with_d(d);
    model.add_interaction([system], relation, law).unwrap();
    model
}

/// Returns the chain x_1' = x_2, .., x_n' = lambda, y = x_1 with relative degree n.
fn chain(n: usize) -> [Array2<f64>; 4] {
    let a = Array2::from_shape_fn((n, n), |(i, j)| f64::from(u8::from(j == i + 1)));
    let b = Array2::from_shape_fn((n, 1), |(i, _)| f64::from(u8::from(i + 1 == n)));
    let c = Array2::from_shape_fn((1, n), |(_, j)| f64::from(u8::from(j == 0)));
    [a, b, c, array![[0.0]]]
}

fn strictly(model: &NonSmoothDynamicalSystem, scheme: impl Into<Integrator>, strict: bool) -> Option<String> {
    let built = TimeStepping::builder(model)
        .discretisation(TimeDiscretisation::uniform(0.0, 1.0, 0.1).unwrap())
        .integrator(scheme)
        .strict(strict)
        .build();
    match built {
        Ok(_) => None,
        Err(Error::Simulation(SimulationError::Scheme(mismatch))) => Some(mismatch.to_string()),
        Err(other) => panic!("{other}"),
    }
}

fn complementarity() -> ComplementarityCondition {
    ComplementarityCondition::new(1).unwrap()
}

#[test]
fn each_relative_degree_has_its_schemes() {
    let [a, b, c, _] = chain(1);
    let degree_0 = model([a, b, c, array![[0.5]]], complementarity());
    let schemes: [Integrator; 5] = [
        ThetaGamma::default().into(),
        EulerMoreau::default().into(),
        MeasureEuler::default().into(),
        FullyImplicit { theta: 0.5, theta_r: 0.5 }.into(),
        BackwardEuler.into(),
    ];
    let fits = |model: &_| schemes.map(|scheme| strictly(model, scheme, true).is_none());
    assert_eq!(fits(&degree_0), [true; 5]);
    assert_eq!(fits(&model(chain(1), complementarity())), [false, true, true, false, true]);
    assert_eq!(fits(&model(chain(2), complementarity())), [false, false, true, false, false]);
    assert_eq!(fits(&model(chain(3), complementarity())), [false; 5]);
}

/// A saturation is continuous, so its multiplier does not jump.
#[test]
fn a_gain_reduces_the_relative_degree_to_zero() {
    let relay = Relay::symmetric(1, 1.0).unwrap();
    let saturation = relay.clone().with_gain(4.0).unwrap();
    let fits = |law: Relay| strictly(&model(chain(1), law), ThetaGamma::default(), true).is_none();
    assert!(!fits(relay) && fits(saturation));
}

#[test]
fn the_sentence_says_what_would_fit_and_only_strict_refuses() {
    let degree_1 = model(chain(1), complementarity());
    let sentence = strictly(&degree_1, ThetaGamma::default(), true).unwrap();
    for part in ["ThetaGamma", "relative degree 1", "gamma = 1", "EulerMoreau"] {
        assert!(sentence.contains(part), "{sentence}");
    }
    assert_eq!(strictly(&degree_1, ThetaGamma::default(), false), None);
    let jumps = strictly(&model(chain(2), complementarity()), EulerMoreau::default(), true).unwrap();
    assert!(jumps.contains("MeasureEuler"), "{jumps}");
}

#[test]
fn without_a_regular_d_the_multiplier_has_to_act_in_the_step() {
    let explicit = FullyImplicit { theta: 0.5, theta_r: 0.0 };
    let sentence = strictly(&model(chain(1), complementarity()), explicit, true).unwrap();
    assert!(sentence.contains("regular D"), "{sentence}");
}

#[test]
fn a_relay_makes_no_jump_whatever_the_degree() {
    let relay = model(chain(3), Relay::symmetric(1, 1.0).unwrap());
    assert_eq!(strictly(&relay, EulerMoreau::default(), true), None);
    assert!(strictly(&relay, ThetaGamma::default(), true).is_some(), "lambda switches");
    // A relay with a bound on one side only is not bounded.
    let one_sided = model(chain(3), Relay::new(vec![0.0], vec![f64::INFINITY]).unwrap());
    assert!(strictly(&one_sided, EulerMoreau::default(), true).is_some());
}

/// A system of relative degree 1 next to a system of degree 0 and a system without interactions.
#[test]
fn what_is_not_connected_has_a_degree_of_its_own() {
    let mut model = NonSmoothDynamicalSystem::new();
    let mut add = |d: Option<f64>| {
        let system = model.add_system(FirstOrderLinearTi::new(vec![1.0], array![[-1.0]])).unwrap();
        if let Some(d) = d {
            let relation = FirstOrderLinearRelation::new(array![[1.0]], array![[1.0]]).with_d(array![[d]]);
            model.add_interaction([system], relation, complementarity()).unwrap();
        }
        system
    };
    let [_, degree_1, _] = [Some(0.5), Some(0.0), None].map(&mut add);
    let simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, 1.0, 0.1).unwrap())
        .integrator(ThetaGamma::default())
        .build()
        .unwrap();
    let mismatches: Vec<_> =
        simulation.build_report().mismatches.iter().map(|(id, mismatch)| (*id, mismatch.degree)).collect();
    assert_eq!(mismatches, [(degree_1, Some(1))]);
}

#[test]
fn the_bridges_are_what_the_lecture_says() {
    let of = |model: siconos_testkit::exact::LinearModel| {
        let system = LinearSystem::new(model.a, model.b, model.c, model.d).unwrap();
        RelativeDegree::of(&system).unwrap()
    };
    let with_resistor = of(DiodeBridge::default().model());
    assert_eq!(SchemeMismatch::of(&with_resistor, ThetaGamma::default()), None);
    let filtered = of(FilteredBridge::default().model());
    assert!(SchemeMismatch::of(&filtered, ThetaGamma::default()).is_some());
    assert_eq!(SchemeMismatch::of(&filtered, EulerMoreau::default()), None);
}

#[test]
fn the_linear_system_of_a_model_has_all_couplings() {
    let mut model = NonSmoothDynamicalSystem::new();
    let first =
        model.add_system(FirstOrderLinearTi::new(vec![1.0, 2.0], array![[1.0, 2.0], [3.0, 4.0]])).unwrap();
    let second = model
        .add_system(FirstOrderNonlinear::new(
            vec![2.0],
            |_t, x, f| f[0] = x[0].powi(3),
            Jacobian::of_state(|_t, x, j| j[[0, 0]] = 3.0 * x[0] * x[0]),
        ))
        .unwrap();
    let nonlinear = FirstOrderNonlinearRelation::new(
        1,
        |at, y| y[0] = at.x[0] * at.x[2],
        |at, r| (r[0], r[1], r[2]) = (at.lambda[0], 0.0, at.x[1] + at.lambda[0] * at.x[0]),
    )
    .with_c(RelationJacobian::FiniteDifference)
    .with_d(RelationJacobian::Zero)
    .with_k(RelationJacobian::FiniteDifference)
    .with_b(RelationJacobian::FiniteDifference);
    // The systems in reverse order: x = (x of second, x of first).
    model.add_interaction([second, first], nonlinear, complementarity()).unwrap();
    let linear = FirstOrderLinearRelation::new(array![[5.0]], array![[6.0]]).with_d(array![[7.0]]);
    model.add_interaction([second], linear, complementarity()).unwrap();

    let system = LinearSystem::of(&model, 0.0).unwrap().unwrap();
    let near = |a: ndarray::ArrayView2<'_, f64>, b: Array2<f64>| {
        assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-8), "{a} against {b}");
    };
    // Rows and columns are in the order of the model: the two states of `first`, then the state of `second`.
    // r[2] acts on x_2 of `first`.
    near(system.a(), array![[1.0, 2.0, 0.0], [4.0, 4.0, 0.0], [0.0, 0.0, 12.0]]);
    near(system.b(), array![[0.0, 0.0], [2.0, 0.0], [1.0, 6.0]]);
    near(system.c(), array![[0.0, 2.0, 2.0], [0.0, 0.0, 5.0]]);
    near(system.d(), array![[0.0, 0.0], [0.0, 7.0]]);
}

#[test]
fn interactions_are_linked_by_the_systems_they_share() {
    let mut model = NonSmoothDynamicalSystem::new();
    let mut system = || model.add_system(FirstOrderLinearTi::new(vec![0.0], array![[0.0]])).unwrap();
    let [a, b, c, d] = [system(), system(), system(), system()];
    let mut between = |first, second| {
        let relation = FirstOrderLinearRelation::new(array![[1.0, 1.0]], array![[1.0], [1.0]]);
        model.add_interaction([first, second], relation, complementarity()).unwrap()
    };
    let [ab, bc, d_alone] = [between(a, b), between(b, c), between(d, c)];
    assert_eq!(model.linked_interactions(ab).unwrap(), [bc]);
    assert_eq!(model.linked_interactions(bc).unwrap(), [ab, d_alone]);
    assert_eq!(model.linked_interactions(d_alone).unwrap(), [bc]);
}
