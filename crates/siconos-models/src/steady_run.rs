//! Counts of allocations or other operations in a simulation whose workspace has reached its final size.

use siconos_kernel::prelude::*;

/// Runs a simulation twice and returns the result of `count` for the second run. In the first run, the
/// workspace reaches its final size.
///
/// `count` receives the second run as a closure, which it must call once.
///
/// # Panics
///
/// If a run fails, if the runs end at different times, or if the second run has at most three active contacts
/// in total, in which case there is nothing to measure.
#[track_caller]
pub fn count_in_second_run(
    model: &NonSmoothDynamicalSystem,
    simulation: &mut TimeStepping,
    count: impl FnOnce(&mut dyn FnMut()) -> usize,
) -> usize {
    let mut warm_up = simulation.initial_state(model).expect("the model has an initial state");
    simulation.run(model, &mut warm_up, |_, _| ()).expect("the first run succeeds");
    let mut state = simulation.initial_state(model).expect("the model has an initial state");
    let mut active = 0;
    let counted = count(&mut || {
        let run = simulation.run(model, &mut state, |report, _| active += report.active.len());
        run.expect("the second run succeeds");
    });
    assert!(active > 3, "the run must have contacts to be worth counting");
    assert_eq!(state.t, warm_up.t);
    counted
}
