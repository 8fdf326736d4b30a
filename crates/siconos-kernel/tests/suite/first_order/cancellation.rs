//! Inputs that cancel: the size of a row is given by the terms of its input, not by their sum.

use ndarray::{Array2, array};
use siconos_kernel::prelude::*;

/// Simulates x' = f(x) + B lambda with relays lambda = -sgn(x), which slides into the origin. There the
/// second input is -495 lambda_1 + 5 lambda_2 = 0, with terms of 4.9.
fn slides_to_the_origin(x_0: [f64; 2], h: f64) -> Result<[f64; 2], Error> {
    let f = |_: At<'_>, x: &[f64], f: &mut [f64]| {
        f[0] = 4.95 + x[0].sin();
        f[1] = x[0] * x[1];
    };
    let jacobian = Jacobian::function(|_, x, _, j| {
        (j[[0, 0]], j[[1, 0]], j[[1, 1]]) = (x[0].cos(), x[1], x[0]);
    });
    let mut model = NonSmoothDynamicalSystem::new();
    let system = model.add_system(FirstOrderNonlinear::new(x_0.to_vec(), f, jacobian))?;
    let input = array![[500.0, 0.0], [-495.0, 5.0]];
    let relation = FirstOrderLinearRelation::new(Array2::eye(2), input);
    model.add_interaction([system], relation, Relay::symmetric(2, 1.0)?)?;
    let mut simulation =
        TimeStepping::builder(&model).discretisation(TimeDiscretisation::of_steps(0.0, h, 200)?).build()?;
    let mut state = simulation.initial_state(&model)?;
    simulation.run(&model, &mut state, |report, _| assert!(report.is_converged))?;
    Ok([state.x(system)[0], state.x(system)[1]])
}

#[test]
fn a_newton_loop_ends_at_rounding_of_the_terms_of_inputs() -> Result<(), Error> {
    for k in 0..200 {
        let k = f64::from(k);
        let x_0 = [1e-6 * (1.0 + k), 1e-7 * (k - 100.0)];
        let [x, y] = slides_to_the_origin(x_0, 1e-3 * (1.0 + 0.01 * k))?;
        assert!(x.abs() < 1e-12 && y.abs() < 1e-12, "{x_0:?}: {x} {y}");
    }
    Ok(())
}
