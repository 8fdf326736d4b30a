//! Nonlinear first-order systems with states near the largest and the smallest numbers. All functions are
//! scaled by a power of two, so all runs have the same bits.

use ndarray::array;
use siconos_kernel::model::DynamicalSystem;
use siconos_kernel::prelude::*;
use siconos_kernel::simulation::NewtonDamping;

/// Creates a system with the states in a unit.
fn system(is_linear: bool, unit: f64) -> DynamicalSystem {
    let x0 = vec![unit, -0.5 * unit];
    if is_linear {
        return FirstOrderLinear::new(x0, array![[-0.3, 1.0], [-1.0, -0.2]]).into();
    }
    let f = move |_: At<'_>, x: &[f64], f: &mut [f64]| {
        let (a, b) = (x[0] / unit, x[1] / unit);
        (f[0], f[1]) = (unit * (b - a * a * a), unit * (-a - b * b * b + 0.3));
    };
    let jacobian = Jacobian::of_state(move |_, x, j| {
        let (a, b) = (x[0] / unit, x[1] / unit);
        (j[[0, 0]], j[[0, 1]]) = (-3.0 * a * a, 1.0);
        (j[[1, 0]], j[[1, 1]]) = (-1.0, -3.0 * b * b);
    });
    FirstOrderNonlinear::new(x0, f, jacobian).into()
}

/// Creates a relation that is nonlinear in x, with x, lambda and y in a unit.
fn relation(unit: f64) -> FirstOrderNonlinearRelation {
    let y = move |a: f64| a + 0.2 * a * a;
    FirstOrderNonlinearRelation::new(
        1,
        move |at, out| out[0] = unit * y(at.x[0] / unit) + 0.5 * at.lambda[0],
        move |at, r| (r[0], r[1]) = (0.0, at.lambda[0] * (1.0 + 0.1 * (at.x[0] / unit).powi(2))),
    )
    .with_c(RelationJacobian::function(move |at, c| c[[0, 0]] = 1.0 + 0.4 * (at.x[0] / unit)))
    .with_d(RelationJacobian::Constant(array![[0.5]]))
    .with_k(RelationJacobian::function(move |at, k| {
        k[[1, 0]] = 0.2 * (at.lambda[0] / unit) * (at.x[0] / unit);
    }))
    .with_b(RelationJacobian::function(move |at, b| b[[1, 0]] = 1.0 + 0.1 * (at.x[0] / unit).powi(2)))
}

/// Returns states and multipliers in multiples of the unit, and the numbers of Newton iterations.
fn run(is_linear: bool, unit: f64, damping: NewtonDamping) -> Result<(Vec<u64>, Vec<usize>), Error> {
    let mut model = NonSmoothDynamicalSystem::new();
    let id = model.add_system(system(is_linear, unit))?;
    let contact = model.add_interaction([id], relation(unit), ComplementarityCondition::new(1)?)?;
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, 4.0, 0.01)?)
        .newton(NewtonSettings { damping, ..NewtonSettings::default() })
        .build()?;
    let mut state = simulation.initial_state(&model)?;
    let (mut values, mut iterations) = (Vec::new(), Vec::new());
    simulation.run(&model, &mut state, |report, state| {
        iterations.push(report.newton_iterations);
        let all = state.x(id).iter().chain(state.lambda(contact, Level::Position));
        values.extend(all.map(|x| (x / unit).to_bits()));
    })?;
    Ok((values, iterations))
}

#[test]
fn newton_steps_do_not_depend_on_the_magnitude_of_states() -> Result<(), Error> {
    for is_linear in [false, true] {
        for damping in [NewtonDamping::None, NewtonDamping::Backtracking] {
            let (expected, iterations) = run(is_linear, 1.0, damping)?;
            assert!(iterations.iter().any(|count| *count > 1));
            for exponent in [-900, -600, -200, 200, 600, 900] {
                let (found, own) = run(is_linear, 2.0_f64.powi(exponent), damping)?;
                assert_eq!(own, iterations, "linear: {is_linear}, 2^{exponent}");
                assert!(found == expected, "linear: {is_linear}, 2^{exponent}");
            }
        }
    }
    Ok(())
}
