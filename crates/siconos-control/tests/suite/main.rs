//! Sampled control: each controller and observer against closed forms.

mod combinations;
mod loop_rules;
mod multirate;
mod observers;
mod pid;
mod plants;
mod records;
mod sliding_mode;
mod twisting;
mod units;
mod wrong_input;

use siconos_kernel::prelude::TimeDiscretisation;
use siconos_testkit::allocation::CountingAllocator;

/// It counts by thread, so that parallel tests do not disturb each other.
#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Equal steps from time 0 on.
fn grid(t_end: f64, h: f64) -> TimeDiscretisation {
    TimeDiscretisation::uniform(0.0, t_end, h).expect("a grid")
}
