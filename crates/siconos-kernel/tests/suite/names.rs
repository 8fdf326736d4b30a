//! Names of systems and interactions in messages and in look-ups.

use ndarray::array;
use siconos_kernel::ModelError;
use siconos_kernel::prelude::*;

fn mass(m: f64) -> LagrangianLinear {
    LagrangianLinear::new(vec![1.0], vec![0.0], array![m])
}

fn floor() -> LagrangianLinearRelation {
    LagrangianLinearRelation::new(array![[1.0]])
}

#[test]
fn an_error_of_a_step_calls_the_system_by_its_name() -> Result<(), Error> {
    let mut model = NonSmoothDynamicalSystem::new();
    model.add_named_system("cart", mass(1.0))?;
    model.add_named_system("pole", mass(1.0).with_stiffness(array![-4.0]))?;
    // The matrix W = M + h^2 theta^2 K is zero for theta = 1/2 and h = 1.
    let mut simulation =
        TimeStepping::builder(&model).discretisation(TimeDiscretisation::uniform(0.0, 2.0, 1.0)?).build()?;
    let mut state = simulation.initial_state(&model)?;
    let error = simulation.step(&model, &mut state).expect_err("W is singular");
    assert!(error.to_string().contains("system `pole` is"), "{error}");
    Ok(())
}

#[test]
fn objects_are_found_by_their_names_and_names_are_free_again() -> Result<(), Error> {
    let mut model = NonSmoothDynamicalSystem::new();
    let ball = model.add_named_system("ball", mass(1.0))?;
    let nameless = model.add_system(mass(2.0))?;
    let law = NewtonImpact::new(0.5)?;
    let contact = model.add_named_interaction("ball", [ball], floor(), law)?;
    assert_eq!((model.system_named("ball"), model.interaction_named("ball")), (Some(ball), Some(contact)));
    assert_eq!((model.system_named("floor"), nameless.name()), (None, None));

    let taken = model.add_named_system("ball", mass(1.0));
    assert_eq!(taken, Err(ModelError::NameTaken { name: "ball".into(), by: "system `ball`".into() }));
    assert!(format!("{ball:?}").starts_with("ball (#0@"), "{ball:?}");
    assert!(nameless.to_string().starts_with("#1@"), "{nameless}");
    let taken = model.add_named_interaction("ball", [nameless], floor(), law);
    assert!(matches!(taken, Err(ModelError::NameTaken { .. })), "{taken:?}");

    // A clone has the names, and later changes of names affect only one of the two models.
    let mut clone = model.clone();
    clone.remove_interaction(contact)?;
    assert_eq!((clone.interaction_named("ball"), model.interaction_named("ball")), (None, Some(contact)));
    let again = clone.add_named_interaction("ball", [ball], floor(), law)?;
    assert_eq!(clone.interaction_named("ball"), Some(again));
    assert_ne!(again, contact);
    Ok(())
}
