//! Sampled control: each controller and observer is compared with closed forms.

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

/// Allocator that counts allocations by thread, so that parallel tests do not disturb each other.
#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Creates a grid with equal steps from time 0.
fn grid(t_end: f64, h: f64) -> TimeDiscretisation {
    TimeDiscretisation::uniform(0.0, t_end, h).expect("a grid")
}
