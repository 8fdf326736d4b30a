//! Steps with several threads: results and errors do not depend on the number of threads.

mod attacks;
mod model;

use std::num::NonZeroUsize;

use siconos_kernel::prelude::*;

use self::model::model;

/// Creates a simulation with steps of 2 ms and the given number of threads.
fn simulation(model: &NonSmoothDynamicalSystem, threads: usize) -> Result<TimeStepping, Error> {
    TimeStepping::builder(model)
        .discretisation(TimeDiscretisation::uniform(0.0, 0.5, 2e-3)?)
        .threads(NonZeroUsize::new(threads).expect("not 0"))
        .build()
}

#[test]
fn any_number_of_threads_makes_the_same_bits() -> Result<(), Error> {
    let model = model(None)?;
    let mut simulations = Vec::new();
    for threads in [1, 2, 3, 8] {
        let mut simulation = simulation(&model, threads)?;
        let state = simulation.initial_state(&model)?;
        simulations.push((simulation, state));
    }
    let mut most = 0;
    for _ in 0..250 {
        let mut expected: Option<(String, StepReportKey)> = None;
        for (simulation, state) in &mut simulations {
            let report = simulation.step(&model, state)?.expect("a step");
            most = most.max(report.active.len());
            let key = (report.solve.iterations, report.solve.error.to_bits(), report.newton_iterations);
            let found = (format!("{state:?}"), key);
            match &expected {
                None => expected = Some(found),
                Some(expected) => assert!(*expected == found, "at t = {}", state.t),
            }
        }
    }
    assert!(most > 60, "{most} contacts at a time");
    Ok(())
}

type StepReportKey = (usize, u64, usize);

#[test]
fn errors_are_those_of_one_thread_and_leave_the_state() -> Result<(), Error> {
    let model = model(Some(11))?;
    let fail = |threads| -> Result<(String, String), Error> {
        let mut simulation = simulation(&model, threads)?;
        let mut state = simulation.initial_state(&model)?;
        loop {
            let before = format!("{state:?}");
            if let Err(error) = simulation.step(&model, &mut state) {
                assert_eq!(format!("{state:?}"), before);
                let again = simulation.step(&model, &mut state).expect_err("as the first time");
                assert_eq!(again.to_string(), error.to_string());
                return Ok((error.to_string(), before));
            }
        }
    };
    let expected = fail(1)?;
    assert!(expected.0.contains("not finite") || expected.0.contains("NaN"), "{}", expected.0);
    for threads in [2, 5] {
        assert_eq!(fail(threads)?, expected);
    }
    Ok(())
}
