//! Detection of multipliers that alternate without damping.

use ndarray::{Array2, array};
use siconos_kernel::model::InteractionId;
use siconos_kernel::prelude::*;

/// Adds x_1' = x_2, x_2' = unit (1 - 2 lambda), y = x_1 with a relay. The system slides at y = 0 with lambda
/// = 1/2. The initial error of 1e-3 units in x_2 is not damped for theta = 1/2.
fn add_sliding(model: &mut NonSmoothDynamicalSystem, unit: f64) -> Result<InteractionId, Error> {
    let a = array![[0.0, 1.0], [0.0, 0.0]];
    let system = FirstOrderLinearTi::new(vec![0.0, 1e-3 * unit], a).with_source(vec![0.0, unit]);
    let x = model.add_system(system)?;
    let relation = FirstOrderLinearRelation::new(array![[1.0, 0.0]], array![[0.0], [2.0 * unit]]);
    Ok(model.add_interaction([x], relation, Relay::new(vec![-1.0], vec![1.0])?)?)
}

/// Adds a linear system with one relay and y = C x.
fn add_relay(
    model: &mut NonSmoothDynamicalSystem,
    x0: Vec<f64>,
    [a, b, c]: [Array2<f64>; 3],
    source: Vec<f64>,
) -> Result<(), Error> {
    let x = model.add_system(FirstOrderLinearTi::new(x0, a).with_source(source))?;
    model.add_interaction([x], FirstOrderLinearRelation::new(c, b), Relay::new(vec![-1.0], vec![1.0])?)?;
    Ok(())
}

fn reported(model: &NonSmoothDynamicalSystem, theta: f64, steps: usize) -> Result<Vec<InteractionId>, Error> {
    let mut sim = TimeStepping::builder(model)
        .discretisation(TimeDiscretisation::uniform(0.0, steps as f64 * 0.0078125, 0.0078125)?)
        .integrator(EulerMoreau::new(theta)?)
        .build()?;
    let mut state = sim.initial_state(model)?;
    sim.run(model, &mut state, |_, _| {})?;
    Ok(sim.alternating_multipliers().to_vec())
}

/// The sliding mode is reported in any unit of the states. A second sliding mode, in which lambda acts on the
/// first derivative, is not reported.
#[test]
fn a_sliding_mode_of_the_second_derivative_is_reported() -> Result<(), Error> {
    for unit in [1.0, 2.0_f64.powi(40), 2.0_f64.powi(-40)] {
        let mut model = NonSmoothDynamicalSystem::new();
        add_relay(&mut model, vec![0.3], [array![[-1.0]], array![[-1.0]], array![[1.0]]], vec![0.5])?;
        let sliding = add_sliding(&mut model, unit)?;
        assert_eq!(reported(&model, 0.5, 100)?, [sliding], "unit {unit:e}");
        assert_eq!(reported(&model, 1.0, 100)?, [], "unit {unit:e}");
    }
    Ok(())
}

/// A state at rest on the sliding set, a limit cycle, and the undamped oscillation of x'' = -sgn x.
#[test]
fn other_motions_are_not_reported_in_ten_thousand_steps() -> Result<(), Error> {
    let mut model = NonSmoothDynamicalSystem::new();
    add_relay(&mut model, vec![0.0], [array![[-1.0]], array![[-1.0]], array![[1.0]]], vec![0.5])?;
    let swing = array![[0.0, 1.0], [0.0, 0.0]];
    let force = array![[0.0], [-1.0]];
    add_relay(&mut model, vec![1.0, 0.0], [swing, force, array![[1.0, 0.0]]], vec![0.0, 0.0])?;
    let unstable = array![[0.0, 1.0], [-1.0, 0.5]];
    let friction = array![[0.0], [-0.3]];
    add_relay(&mut model, vec![1.0, 0.0], [unstable, friction, array![[0.0, 1.0]]], vec![0.0, 0.0])?;
    assert_eq!(reported(&model, 0.5, 10_000)?, []);
    Ok(())
}
