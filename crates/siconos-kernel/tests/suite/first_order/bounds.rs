//! Relays with time-dependent bounds, laws in files, and incompatible laws.

use ndarray::{Array2, array};
use siconos_kernel::FitError;
use siconos_kernel::model::NonSmoothLaw;
use siconos_kernel::prelude::*;

use crate::common::grid;

/// Adds x' = lambda with lambda prescribed as a function of time by equal bounds.
fn driven(model: &mut NonSmoothDynamicalSystem, level: fn(f64) -> f64) -> (DynamicalSystemId, InteractionId) {
    let system = model.add_system(FirstOrderLinearTi::new(vec![0.0], array![[0.0]])).unwrap();
    let relation = FirstOrderLinearRelation::new(array![[1.0]], array![[1.0]]);
    let law =
        Relay::of_time(1, move |at, lower, upper| (lower[0], upper[0]) = (level(at.t), level(at.t))).unwrap();
    (system, model.add_interaction([system], relation, law).unwrap())
}

#[test]
fn bounds_are_taken_where_the_law_holds() {
    let h = 0.1;
    let level = |t: f64| (3.0 * t).cos();
    let mut model = NonSmoothDynamicalSystem::new();
    let (end, of_end) = driven(&mut model, level);
    let (middle, of_middle) = driven(&mut model, level);
    let (measure, of_measure) = driven(&mut model, level);
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(grid(2.0, h))
        .integrator_for(middle, ThetaGamma::default())
        .integrator_for(measure, MeasureEuler::default())
        .build()
        .unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    let mut sums = [0.0; 2];
    while let Some(report) = simulation.step(&model, &mut state).unwrap() {
        let t = report.t;
        let at = [level(t), level(t - 0.5 * h)];
        sums = [sums[0] + h * at[0], sums[1] + h * at[1]];
        assert!((state.lambda(of_end, Level::Position)[0] - at[0]).abs() < 1e-14, "t = {t}");
        assert!((state.lambda(of_middle, Level::Position)[0] - at[1]).abs() < 1e-14, "t = {t}");
        assert!((state.lambda(of_measure, Level::Position)[0] - at[0]).abs() < 1e-14, "t = {t}");
        assert!((state.x(end)[0] - sums[0]).abs() < 1e-12);
        assert!((state.x(middle)[0] - sums[1]).abs() < 1e-12);
        assert!((state.x(measure)[0] - sums[0]).abs() < 1e-12);
    }
}

#[test]
fn bounds_that_cross_end_the_step_with_their_index_and_leave_the_state() {
    let mut model = NonSmoothDynamicalSystem::new();
    let system = model.add_system(FirstOrderLinearTi::new(vec![1.0; 3], Array2::zeros((3, 3)))).unwrap();
    let relation = FirstOrderLinearRelation::new(Array2::eye(3), Array2::eye(3));
    let law = Relay::of_time(3, |at, lower, upper| {
        upper.fill(1.0);
        lower[2] = if at.t > 0.35 { 2.0 } else { 0.0 };
    });
    let id = model.add_interaction([system], relation, law.unwrap()).unwrap();
    let mut simulation = TimeStepping::builder(&model).discretisation(grid(1.0, 0.1)).build().unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    for _ in 0..3 {
        simulation.step(&model, &mut state).unwrap().unwrap();
    }
    let before = format!("{state:?}");
    let error = simulation.step(&model, &mut state).unwrap_err();
    let expected = SimulationError::Bounds {
        relation: id.into(),
        step: 4,
        t: state.t,
        source: ModelError::Bounds { index: 2, lower: 2.0, upper: 1.0 },
    };
    assert_eq!(error, expected);
    assert_eq!(format!("{state:?}"), before);
    // A NaN bound ends the step with an error, also if the step is repeated.
    model.set_law(id, Relay::of_time(3, |_, _, upper| upper[1] = f64::NAN).unwrap()).unwrap();
    for _ in 0..2 {
        let error = simulation.step(&model, &mut state).unwrap_err();
        assert!(matches!(error, SimulationError::Bounds { step: 4, .. }), "{error}");
    }
}

#[test]
fn laws_come_back_from_a_file() {
    let laws: [NonSmoothLaw; 7] = [
        ComplementarityCondition::new(2).unwrap().into(),
        EqualityCondition::new(3).unwrap().into(),
        MixedComplementarityCondition::new(1, 2).unwrap().into(),
        Relay::new(vec![-1.0, f64::NEG_INFINITY], vec![f64::INFINITY, 0.25]).unwrap().into(),
        Relay::symmetric(3, 0.1).unwrap().into(),
        NormalCone::new(array![[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], vec![0.0, 0.0, -1.0]).unwrap().into(),
        ConeComplementarity::second_order([3, 1, 2]).unwrap().into(),
    ];
    for law in laws {
        let text = serde_json::to_string(&law).unwrap();
        let back: NonSmoothLaw = serde_json::from_str(&text).unwrap();
        assert_eq!((&back, back.size()), (&law, law.size()), "{text}");
    }
    let of_time = NonSmoothLaw::from(Relay::of_time(1, |_, _, upper| upper[0] = 1.0).unwrap());
    let error = serde_json::to_string(&of_time).unwrap_err().to_string();
    assert!(error.contains("function"), "{error}");
    // Values that a constructor refuses are also refused in a file.
    for text in [
        r#"{"Relay":{"lower":[1.0],"upper":[0.0]}}"#,
        r#"{"Relay":{"lower":[],"upper":[]}}"#,
        r#"{"Relay":{"lower":[0.0,0.0],"upper":[1.0]}}"#,
        r#"{"Cone":{"sizes":[2,0]}}"#,
        r#"{"Cone":{"sizes":[]}}"#,
        r#"{"MixedComplementarity":{"equalities":0,"complementarities":0}}"#,
        r#"{"NormalCone":{"h":{"v":1,"dim":[1,2],"data":[1.0,0.0]},"k":[0.0,1.0]}}"#,
    ] {
        assert!(serde_json::from_str::<NonSmoothLaw>(text).is_err(), "{text}");
    }
}

#[test]
fn connected_laws_without_a_common_class_are_refused() {
    let cone = || NonSmoothLaw::from(ConeComplementarity::second_order([2]).unwrap());
    let polyhedron = || NonSmoothLaw::from(NormalCone::new(Array2::eye(2), vec![0.0; 2]).unwrap());
    let others = [
        EqualityCondition::new(2).unwrap().into(),
        Relay::symmetric(2, 1.0).unwrap().into(),
        MixedComplementarityCondition::new(1, 1).unwrap().into(),
        polyhedron(),
    ];
    let refused = |laws: [NonSmoothLaw; 2]| {
        let mut model = NonSmoothDynamicalSystem::new();
        let system = model.add_system(FirstOrderLinearTi::new(vec![0.0; 2], Array2::eye(2))).unwrap();
        for law in laws {
            let relation = FirstOrderLinearRelation::new(Array2::eye(2), Array2::eye(2));
            model.add_interaction([system], relation, law).unwrap();
        }
        let built = TimeStepping::builder(&model).discretisation(grid(1.0, 0.1)).build();
        matches!(built, Err(Error::Simulation(SimulationError::Fit(FitError::NoCommonClass))))
    };
    for other in others {
        assert!(refused([cone(), other.clone()]), "{other:?}");
        assert!(refused([other.clone(), cone()]), "{other:?}");
    }
    assert!(!refused([cone(), ComplementarityCondition::new(1).unwrap().into()]));
    assert!(!refused([polyhedron(), EqualityCondition::new(2).unwrap().into()]));
}

/// A polyhedron, a cone, and a contact with friction that are not connected. Each is solved in its own class,
/// as if it were alone.
#[test]
fn laws_that_nothing_connects_need_no_common_class() {
    type Part = fn(&mut NonSmoothDynamicalSystem) -> DynamicalSystemId;
    fn flow(model: &mut NonSmoothDynamicalSystem, law: NonSmoothLaw) -> DynamicalSystemId {
        let system = FirstOrderLinearTi::new(vec![0.4, -0.3], -Array2::eye(2)).with_source(vec![-1.0, 0.5]);
        let system = model.add_system(system).unwrap();
        let relation = FirstOrderLinearRelation::new(Array2::eye(2), Array2::eye(2));
        model.add_interaction([system], relation, law).unwrap();
        system
    }
    let parts: [Part; 3] = [
        |model| flow(model, ConeComplementarity::second_order([2]).unwrap().into()),
        |model| flow(model, NormalCone::new(Array2::eye(2), vec![-0.1; 2]).unwrap().into()),
        |model| {
            let block = LagrangianLinear::new(vec![0.0, 0.0], vec![0.0, 1.0], array![1.0, 1.0])
                .with_external_force(|_, f| f[0] = -10.0);
            let block = model.add_system(block).unwrap();
            let contact = NewtonImpactFriction::in_plane(0.0, 0.2).unwrap();
            model.add_interaction([block], LagrangianLinearRelation::new(Array2::eye(2)), contact).unwrap();
            block
        },
    ];
    let run = |parts: &[Part]| {
        let mut model = NonSmoothDynamicalSystem::new();
        let systems: Vec<_> = parts.iter().map(|add| add(&mut model)).collect();
        let mut simulation = TimeStepping::builder(&model).discretisation(grid(0.5, 1e-2)).build().unwrap();
        let mut state = simulation.initial_state(&model).unwrap();
        simulation.run(&model, &mut state, |_, _| {}).unwrap();
        let all = systems.iter().map(|&id| [state.x(id), state.q(id), state.v(id)].concat());
        all.collect::<Vec<_>>()
    };
    let together = run(&parts);
    for (part, motion) in parts.iter().zip(&together) {
        assert_eq!(run(std::slice::from_ref(part)), std::slice::from_ref(motion));
    }
    // The state of the cone moves along its edge to the apex, and stays there. The polyhedron lets lambda
    // fall to -0.1 where x > 0: x_0 ends at 0, x_1 is set to 0 in the first step and then follows x' = 0.4 -
    // x. The block stops after the distance v^2 / (2 mu g).
    let [cone, polyhedron, block] = &together[..] else { panic!("three parts") };
    assert!(cone.iter().all(|x| x.abs() < 1e-9), "{cone:?}");
    let free = 0.4 * (1.0 - (-0.49_f64).exp());
    assert!(polyhedron[0].abs() < 1e-9 && (polyhedron[1] - free).abs() < 1e-4, "{polyhedron:?}");
    assert!(block[3].abs() < 1e-9 && (block[1] - 0.25).abs() < 0.02, "{block:?}");
}

#[test]
fn a_relay_beside_friction_is_solved_in_blocks() {
    // The relay moves x to 0 and keeps it there. The block slides on the floor until friction stops it.
    let mut model = NonSmoothDynamicalSystem::new();
    let system = model.add_system(FirstOrderLinearTi::new(vec![0.6], array![[0.0]])).unwrap();
    let relation = FirstOrderLinearRelation::new(array![[1.0]], array![[1.0]]);
    let relay = model.add_interaction([system], relation, Relay::symmetric(1, 2.0).unwrap()).unwrap();
    let block = LagrangianLinear::new(vec![0.0, 0.0], vec![0.0, 1.0], array![1.0, 1.0])
        .with_external_force(|_, f| f[0] = -10.0);
    let block = model.add_system(block).unwrap();
    let contact = NewtonImpactFriction::in_plane(0.0, 0.2).unwrap();
    model.add_interaction([block], LagrangianLinearRelation::new(Array2::eye(2)), contact).unwrap();
    let mut simulation = TimeStepping::builder(&model).discretisation(grid(1.0, 1e-3)).build().unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    let mut arrival = f64::INFINITY;
    simulation
        .run(&model, &mut state, |report, state| {
            if state.x(system)[0].abs() < 1e-9 {
                arrival = arrival.min(report.t);
            }
        })
        .unwrap();
    assert!((arrival - 0.3).abs() < 2e-3, "{arrival}");
    assert!(state.x(system)[0].abs() < 1e-9 && state.lambda(relay, Level::Position)[0].abs() < 1e-6);
    assert!(
        state.v(block)[1].abs() < 1e-9 && (state.q(block)[1] - 0.25).abs() < 2e-3,
        "{:?}",
        state.q(block)
    );
}
