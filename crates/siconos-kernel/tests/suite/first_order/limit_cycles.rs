//! Relay feedback, compared with limit cycles that are known up to rounding. After one period, the state
//! returns to its initial value.

use siconos_kernel::prelude::*;
use siconos_testkit::exact::RelayFeedback;

fn model_of(
    system: &RelayFeedback,
    x0: Vec<f64>,
) -> Result<(NonSmoothDynamicalSystem, DynamicalSystemId), Error> {
    let linear = &system.model;
    let mut model = NonSmoothDynamicalSystem::new();
    let plant = model.add_system(FirstOrderLinearTi::new(x0, linear.a.clone()))?;
    let output = FirstOrderLinearRelation::new(linear.c.clone(), linear.b.clone());
    model.add_interaction([plant], output, Relay::symmetric(1, 1.0)?)?;
    Ok((model, plant))
}

/// Returns the systems with an upper bound of their period and the shortest duration of a phase that starts a
/// period.
fn systems() -> [(&'static str, RelayFeedback, f64, f64); 3] {
    [
        ("triple lag", RelayFeedback::triple_lag(), 5.0, 0.5),
        ("sliding", RelayFeedback::sliding_oscillator(), 15.0, 0.246),
        ("chattering", RelayFeedback::chattering_oscillator(), 20.0, 2.0),
    ]
}

#[test]
fn time_stepping_comes_back_with_an_error_that_falls_with_the_step() -> Result<(), Error> {
    for (name, system, longest, dwell) in systems() {
        let cycle = system.limit_cycle(longest, dwell).expect("it settles");
        let size = cycle.state.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
        let off = |steps: usize| -> Result<f64, Error> {
            let (model, plant) = model_of(&system, cycle.state.to_vec())?;
            let h = cycle.period / steps as f64;
            let grid = TimeDiscretisation::uniform(0.0, cycle.period, h)?;
            let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
            let mut state = simulation.initial_state(&model)?;
            while simulation.step(&model, &mut state)?.is_some() {}
            let pairs = state.x(plant).iter().zip(&cycle.state);
            Ok(pairs.map(|(x, exact)| (x - exact).abs()).fold(0.0, siconos_testkit::compare::worse) / size)
        };
        let (coarse, fine) = (off(10_000)?, off(80_000)?);
        assert!(fine < 5e-3 && fine < 0.5 * coarse, "{name}: {coarse:e} {fine:e}");
    }
    Ok(())
}
