//! Invalid input, with the numbers in the errors.

use ndarray::{Array2, array};
use siconos_kernel::FitError;
use siconos_kernel::model::Relation;
use siconos_kernel::prelude::*;

fn ball() -> LagrangianLinear {
    LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0])
}

fn row() -> LagrangianLinearRelation {
    LagrangianLinearRelation::new(array![[1.0]])
}

fn grid() -> TimeDiscretisation {
    TimeDiscretisation::uniform(0.0, 1.0, 0.01).unwrap()
}

#[test]
fn systems_with_wrong_shapes_or_numbers() {
    let mut model = NonSmoothDynamicalSystem::new();
    let empty = LagrangianLinear::new(vec![], vec![], Array2::zeros((0, 0)));
    assert_eq!(model.add_system(empty), Err(ModelError::NoDegreeOfFreedom));

    let nan = model.add_system(LagrangianLinear::new(vec![1.0, f64::NAN], vec![0.0; 2], array![1.0, 1.0]));
    assert!(matches!(nan, Err(ModelError::NotFinite { what: "q0", index: 1, value }) if value.is_nan()));

    let short = model.add_system(LagrangianLinear::new(vec![1.0, 2.0], vec![0.0], array![1.0, 1.0]));
    assert_eq!(
        short,
        Err(ModelError::WrongShape {
            what: "v0",
            expected_rows: 2,
            expected_columns: 1,
            rows: 1,
            columns: 1
        })
    );

    let mass = model.add_system(LagrangianLinear::new(vec![1.0], vec![0.0], array![[1.0, 0.0], [0.0, 1.0]]));
    assert_eq!(
        mass,
        Err(ModelError::WrongShape {
            what: "mass",
            expected_rows: 1,
            expected_columns: 1,
            rows: 2,
            columns: 2
        })
    );

    let damping = model.add_system(ball().with_damping(array![[f64::INFINITY]]));
    assert_eq!(damping, Err(ModelError::NotFinite { what: "damping", index: 0, value: f64::INFINITY }));

    let jacobian = Lagrangian::new(vec![1.0], vec![0.0], array![1.0]).with_internal_force(
        |_, _, _, _| (),
        Jacobian::Constant(Array2::zeros((2, 1))),
        Jacobian::Zero,
    );
    assert!(matches!(model.add_system(jacobian), Err(ModelError::WrongShape { rows: 2, columns: 1, .. })));

    for step in [0.0, -1.0, f64::NAN] {
        let force = Lagrangian::new(vec![1.0], vec![0.0], array![1.0]).with_internal_force(
            |_, _, _, _| (),
            Jacobian::FiniteDifferenceWithStep(step),
            Jacobian::Zero,
        );
        assert!(matches!(model.add_system(force), Err(ModelError::DifferenceStep { .. })));
    }

    let control = ControlTerm::new(array![[1.0], [1.0]], |_, _, _, _| ());
    let control = Lagrangian::new(vec![1.0], vec![0.0], array![1.0]).with_control(control);
    assert!(matches!(
        model.add_system(control),
        Err(ModelError::WrongShape { what: "control matrix T", .. })
    ));
    assert!(model.systems().is_empty(), "nothing that was refused is in the model");
}

#[test]
fn interactions_that_do_not_fit() {
    let mut model = NonSmoothDynamicalSystem::new();
    let one = model.add_system(ball()).unwrap();
    let law = NewtonImpact::new(0.5).unwrap();
    assert_eq!(model.add_interaction([], row(), law), Err(ModelError::NoSystem));
    assert_eq!(model.add_interaction([one, one], row(), law), Err(ModelError::SystemTwice { id: one }));
    assert_eq!(
        model.add_interaction([one], LagrangianLinearRelation::new(array![[1.0, 2.0]]), law),
        Err(ModelError::WrongShape { what: "H", expected_rows: 1, expected_columns: 1, rows: 1, columns: 2 })
    );
    assert!(matches!(
        model.add_interaction([one], row().with_offset(vec![0.0, 0.0]), law),
        Err(ModelError::WrongShape { what: "b", rows: 2, .. })
    ));
    assert!(matches!(
        model.add_interaction([one], row().with_compliance(array![[f64::NAN]]), law),
        Err(ModelError::NotFinite { what: "D", index: 0, .. })
    ));
    let three = LagrangianLinearRelation::new(array![[1.0], [1.0], [1.0]]);
    assert_eq!(
        model.add_interaction([one], three, ComplementarityCondition::new(2).unwrap()),
        Err(ModelError::SizeNotMultiple { relation: 3, law: 2 })
    );
    assert_eq!(
        model.add_interaction([one], LagrangianScleronomousRelation::new(0, |_, _, _| ()), law),
        Err(ModelError::Empty { what: "relation" })
    );
    let gone = model.add_system(ball()).unwrap();
    model.remove_system(gone).unwrap();
    assert_eq!(model.add_interaction([gone], row(), law), Err(ModelError::UnknownSystem { id: gone }));
    let stepless = LagrangianScleronomousRelation::new(1, |_, _, _| ()).with_difference_step(-1.0);
    assert_eq!(model.add_interaction([one], stepless, law), Err(ModelError::DifferenceStep { value: -1.0 }));
    let contact = model.add_interaction([one], row(), law).unwrap();
    assert_eq!(
        model.set_law(contact, ComplementarityCondition::new(2).unwrap()),
        Err(ModelError::SizeNotMultiple { relation: 1, law: 2 })
    );
    assert_eq!(
        model.remove_system(one).unwrap_err(),
        ModelError::SystemInUse { system: one, interaction: contact }
    );
    model.remove_interaction(contact).unwrap();
    assert_eq!(
        model.remove_interaction(contact).unwrap_err(),
        ModelError::UnknownInteraction { id: contact }
    );
    assert!(matches!(model.interaction(contact), Err(ModelError::UnknownInteraction { .. })));
    assert!(matches!(model.system(gone), Err(ModelError::UnknownSystem { .. })));
}

#[test]
fn laws_and_settings_outside_their_range() {
    for e in [-0.1, 1.5, f64::NAN] {
        let refused = NewtonImpact::new(e).unwrap_err();
        assert!(matches!(refused, ModelError::Restitution { value } if value.to_bits() == e.to_bits()));
    }
    assert!(serde_json::from_str::<NewtonImpact>(r#"{"restitution": -1.0}"#).is_err(), "nor from a file");
    assert!(ComplementarityCondition::new(0).is_err() && EqualityCondition::new(0).is_err());
    for theta in [-0.01, 1.01, f64::NAN] {
        let refused = MoreauJean::new(theta).unwrap_err();
        assert!(matches!(refused, SettingsError::OutOfRange { name: "theta", .. }), "{refused}");
    }
    let model = NonSmoothDynamicalSystem::new();
    let builder = || TimeStepping::builder(&model).discretisation(grid());
    let refused =
        builder().integrator(MoreauJean { gamma: -0.5, ..MoreauJean::default() }).build().unwrap_err();
    assert!(matches!(refused, Error::Settings(SettingsError::OutOfRange { name: "gamma", value: -0.5, .. })));
    let newton = NewtonSettings { tolerance: 0.0, ..NewtonSettings::default() };
    assert!(matches!(
        builder().newton(newton).build(),
        Err(Error::Settings(SettingsError::OutOfRange { .. }))
    ));
    let newton = NewtonSettings { max_iterations: 0, ..NewtonSettings::default() };
    assert!(matches!(
        builder().newton(newton).build(),
        Err(Error::Settings(SettingsError::OutOfRange { .. }))
    ));
    let nothing = TimeStepping::builder(&model).build().unwrap_err();
    assert_eq!(nothing, Error::Settings(SettingsError::NoTimeDiscretisation));
    assert_eq!(
        TimeDiscretisation::from_times(vec![0.0, 0.2, 0.1]),
        Err(SettingsError::TimesNotIncreasing { index: 2, time: 0.1, previous: 0.2 })
    );
}

#[test]
fn combinations_that_no_integrator_carries() {
    let mut model = NonSmoothDynamicalSystem::new();
    let (a, b) = (model.add_system(ball()).unwrap(), model.add_system(ball()).unwrap());
    let law = NewtonImpact::new(0.5).unwrap();
    let contact =
        model.add_interaction([a, b], LagrangianLinearRelation::new(array![[-1.0, 1.0]]), law).unwrap();
    let other = MoreauJean { gamma: 1.0, ..MoreauJean::default() };
    let refused =
        TimeStepping::builder(&model).discretisation(grid()).integrator_for(b, other).build().unwrap_err();
    assert_eq!(
        refused,
        Error::Simulation(SimulationError::Fit(FitError::IntegratorsDisagree {
            relation: contact.into(),
            setting: "gamma",
            first: 0.5,
            second: 1.0
        }))
    );

    let mut model = NonSmoothDynamicalSystem::new();
    let a = model.add_system(ball()).unwrap();
    model.add_interaction([a], row().with_compliance(array![[0.1]]), law).unwrap();
    let refused = TimeStepping::builder(&model).discretisation(grid()).build().unwrap_err();
    let text = refused.to_string();
    assert!(matches!(refused, Error::Simulation(SimulationError::Fit(FitError::Unsupported { .. }))));
    assert!(
        text.contains("restitution on a compliant relation") && text.contains("ComplementarityCondition"),
        "{text}"
    );
}

#[test]
fn states_of_elsewhere_or_elsewhen() {
    let mut model = NonSmoothDynamicalSystem::new();
    let a = model.add_system(ball()).unwrap();
    let mut sim = TimeStepping::builder(&model).discretisation(grid()).build().unwrap();

    let mut foreign = State::new(&NonSmoothDynamicalSystem::new(), 0.0);
    assert_eq!(sim.step(&model, &mut foreign).unwrap_err(), SimulationError::StateOfOtherModel);

    let mut late = State::new(&model, 0.503);
    assert_eq!(
        sim.step(&model, &mut late).unwrap_err(),
        SimulationError::OtherTime { t: 0.503, nearest: 0.5 }
    );

    let mut state = State::new(&model, 0.0);
    assert!(matches!(state.set_velocity(a, &[f64::NAN]), Err(ModelError::NotFinite { what: "v", .. })));
    assert!(matches!(state.set_position(a, &[1.0, 2.0]), Err(ModelError::WrongShape { what: "q", .. })));
    let gone = model.add_system(ball()).unwrap();
    assert_eq!(state.try_q(gone), None);
    assert!(
        std::panic::catch_unwind(|| state.q(gone).len()).is_err(),
        "a stale id is an error of the program"
    );
}

#[test]
fn single_steps_out_of_order() {
    let mut model = NonSmoothDynamicalSystem::new();
    model.add_system(ball()).unwrap();
    let mut sim = TimeStepping::builder(&model).discretisation(grid()).build().unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    let refused = sim.compute_free_step(&model, &state).unwrap_err();
    assert_eq!(refused, SimulationError::OutOfOrder { called: "compute_free_step", expected: "begin_step" });
    sim.begin_step(&model, &mut state).unwrap();
    let refused = sim.next_step(&model, &mut state).unwrap_err();
    let expected = "update_index_sets (or compute_free_step)";
    assert_eq!(refused, SimulationError::OutOfOrder { called: "next_step", expected });
    let mut later = state.clone();
    sim.step(&model, &mut later).unwrap();
    sim.begin_step(&model, &mut state).unwrap();
    let refused = sim.update_index_sets(&model, &later).unwrap_err();
    assert_eq!(refused, SimulationError::OtherState { called: "update_index_sets" });
}

/// Returns the error of the first step that fails, and `true` if the state before it is unchanged to the last
/// bit.
fn failing_step(model: &NonSmoothDynamicalSystem, sim: &mut TimeStepping) -> (SimulationError, bool) {
    let mut state = sim.initial_state(model).unwrap();
    loop {
        let before = format!("{state:?}");
        match sim.step(model, &mut state) {
            Ok(Some(_)) => {}
            Ok(None) => panic!("no step failed"),
            Err(error) => return (error, format!("{state:?}") == before),
        }
    }
}

#[test]
fn a_force_that_becomes_nan_ends_the_step_and_names_the_system() {
    let mut model = NonSmoothDynamicalSystem::new();
    model.add_system(ball()).unwrap();
    let sick = model
        .add_system(ball().with_external_force(|at, f| f[0] = if at.t > 0.105 { f64::NAN } else { 0.0 }))
        .unwrap();
    let mut sim = TimeStepping::builder(&model).discretisation(grid()).build().unwrap();
    let (error, untouched) = failing_step(&model, &mut sim);
    assert!(
        matches!(error, SimulationError::NotFinite { system, index: 0, step: 11, value, .. } if system == sick && value.is_nan()),
        "{error}"
    );
    assert!(untouched);
}

#[test]
fn a_gap_that_becomes_nan_ends_the_step_and_names_the_interaction() {
    let mut model = NonSmoothDynamicalSystem::new();
    let a = model.add_system(ball().with_external_force(|_, f| f[0] = -9.81)).unwrap();
    let gap = LagrangianScleronomousRelation::new(1, |_, q, y| y[0] = (q[0] - 0.9).sqrt())
        .with_jacobian(|_, _, j| j[[0, 0]] = 1.0);
    let sick = model.add_interaction([a], gap, NewtonImpact::new(0.0).unwrap()).unwrap();
    let mut sim = TimeStepping::builder(&model).discretisation(grid()).build().unwrap();
    let (error, untouched) = failing_step(&model, &mut sim);
    assert!(
        matches!(error, SimulationError::NotFiniteOutput { relation, what: "y", .. } if relation == sick),
        "{error}"
    );
    assert!(untouched);
}

#[test]
fn a_gap_velocity_that_is_nan_at_the_start_is_no_open_contact() {
    let mut model = NonSmoothDynamicalSystem::new();
    let a = model.add_system(LagrangianLinear::new(vec![0.0], vec![1.0], array![1.0])).unwrap();
    let gap = LagrangianScleronomousRelation::new(1, |_, q, y| y[0] = 0.05 - q[0].abs())
        .with_jacobian(|_, q, j| j[[0, 0]] = -q[0] / q[0].abs());
    let sick = model.add_interaction([a], gap, NewtonImpact::new(0.0).unwrap()).unwrap();
    let mut sim = TimeStepping::builder(&model).discretisation(grid()).build().unwrap();
    let refused = sim.initial_state(&model).unwrap_err();
    assert!(
        matches!(refused, SimulationError::NotFiniteOutput { relation, what: "velocity of y", .. } if relation == sick),
        "{refused}"
    );
    assert!(refused.to_string().starts_with("step 0, t = 0: component 0"), "{refused}");
}

/// A prescribed motion that ends at t = 0.35 has no velocity in the step from 0.3.
#[test]
fn a_motion_that_ends_is_named() {
    let mut model = NonSmoothDynamicalSystem::new();
    let cart = LagrangianLinear::new(vec![0.0], vec![0.0], array![1.0]);
    let cart = model.add_named_system("cart", cart).unwrap();
    let motion = LagrangianRheonomousRelation::new(1, |at, q, y| y[0] = q[0] - (0.35 - at.t).sqrt())
        .with_jacobian(|_, _, j| j[[0, 0]] = 1.0)
        .with_time_derivative(|at, _, y| y[0] = 0.5 / (0.35 - at.t).sqrt());
    model.add_named_interaction("motor", [cart], motion, EqualityCondition::new(1).unwrap()).unwrap();
    let grid = TimeDiscretisation::uniform(0.0, 1.0, 0.1).unwrap();
    let mut sim = TimeStepping::builder(&model).discretisation(grid).build().unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    let error = sim.run(&model, &mut state, |_, _| {}).unwrap_err().to_string();
    assert!(error.starts_with("step 4, t = 0.3") && error.contains("interaction `motor` is NaN"), "{error}");
}

#[test]
fn a_singular_mass_is_refused_with_the_pivot() {
    let mut model = NonSmoothDynamicalSystem::new();
    let flat = model
        .add_system(LagrangianLinear::new(vec![0.0; 2], vec![0.0; 2], array![[1.0, 1.0], [1.0, 1.0]]))
        .unwrap();
    let mut sim = TimeStepping::builder(&model).discretisation(grid()).build().unwrap();
    let (error, untouched) = failing_step(&model, &mut sim);
    assert!(
        matches!(error, SimulationError::SingularIterationMatrix { system, step: 1, .. } if system == flat)
    );
    assert!(error.to_string().contains("pivot 0e0 in column 1"), "{error}");
    assert!(untouched);
}

#[test]
fn a_jacobian_that_is_wrong_is_found_and_its_entry_named() {
    let pendulum = Lagrangian::new(vec![0.3, 0.1], vec![0.0; 2], array![1.0, 1.0]).with_internal_force(
        |_, q, _, f| (f[0], f[1]) = (q[0].sin() + q[1], q[1].powi(3)),
        Jacobian::function(|_, q, _, j| {
            (j[[0, 0]], j[[0, 1]], j[[1, 1]]) = (q[0].cos(), 1.0, 2.0 * q[1].powi(2));
        }),
        Jacobian::Zero,
    );
    let off = pendulum.check_jacobians(0.0, &[0.3, 0.5], &[0.0, 0.0], 1e-6).unwrap_err();
    assert_eq!((off.what, off.row, off.column), ("derivative of F_int in q", 1, 1));
    assert!((off.given - 0.5).abs() < 1e-12 && (off.expected - 0.75).abs() < 1e-8);

    let wall = LagrangianRheonomousRelation::new(1, |at, q, y| y[0] = q[0] * at.t)
        .with_time_derivative(|_, _, _| ());
    let off = Relation::from(wall).check_jacobians(1.0, &[2.0], 1e-6).unwrap_err();
    assert_eq!(off.what, "partial derivative of h in t");
}

#[test]
fn a_constant_force_of_the_wrong_size_or_not_finite() {
    let mut model = NonSmoothDynamicalSystem::new();
    let ball = || LagrangianLinear::new(vec![1.0, 0.0], vec![0.0; 2], array![1.0, 1.0]);
    let short = model.add_system(ball().with_constant_external_force(vec![-9.81])).unwrap_err();
    assert!(short.to_string().contains("external force"), "{short}");
    let nan = model.add_system(ball().with_constant_external_force(vec![0.0, f64::NAN])).unwrap_err();
    assert!(matches!(nan, ModelError::NotFinite { what: "external force", index: 1, .. }), "{nan}");
    let pendulum = Lagrangian::new(vec![1.0], vec![0.0], array![1.0]);
    let long = model.add_system(pendulum.with_constant_external_force(vec![1.0, 2.0])).unwrap_err();
    assert!(long.to_string().contains("external force"), "{long}");
}

/// The motion under a constant force equals, to the last bit, the motion under a function that returns the
/// same values.
#[test]
fn a_constant_force_is_what_a_function_without_time_is() {
    let fall = |ball: LagrangianLinear| {
        let mut model = NonSmoothDynamicalSystem::new();
        let ball = model.add_system(ball).unwrap();
        let floor = LagrangianLinearRelation::new(array![[1.0]]);
        model.add_interaction([ball], floor, NewtonImpact::new(0.5).unwrap()).unwrap();
        let grid = TimeDiscretisation::uniform(0.0, 1.0, 1e-3).unwrap();
        let mut simulation = TimeStepping::builder(&model).discretisation(grid).build().unwrap();
        let mut state = simulation.initial_state(&model).unwrap();
        while simulation.step(&model, &mut state).unwrap().is_some() {}
        (state.q(ball)[0].to_bits(), state.v(ball)[0].to_bits())
    };
    let ball = || LagrangianLinear::new(vec![1.0], vec![0.3], array![2.0]);
    let constant = fall(ball().with_constant_external_force(vec![-9.81]));
    assert_eq!(constant, fall(ball().with_external_force(|_, f| f[0] = -9.81)));
}
