//! Contacts that are detected in each step.

mod balls;
mod changing;
mod motion;
mod refusals;
mod repeated;
mod sleeping;
mod sleeping_joints;

use siconos_kernel::detection::ContactSource;
use siconos_kernel::prelude::*;

/// Creates a simulation of `steps` steps of length `h` with a contact source.
fn simulation(
    model: &NonSmoothDynamicalSystem,
    (steps, h): (usize, f64),
    source: impl ContactSource + 'static,
) -> TimeStepping {
    TimeStepping::builder(model)
        .discretisation(TimeDiscretisation::uniform(0.0, steps as f64 * h, h).unwrap())
        .contacts(source)
        .energy_balance(true)
        .build()
        .unwrap()
}
