//! Sweeping processes: the catching-up algorithm against closed forms and other schemes, adaptive steps, and
//! errors.

mod adaptive;
mod attacks;
mod catching_up;
mod dvi;
mod fesd;
mod higher_order;
mod many_faces;
mod perturbed;
mod refusals;
mod same_as_event_driven;

use siconos_sweeping::{CatchingUp, MovingSet};
use siconos_testkit::allocation::CountingAllocator;

/// Counts allocations per thread, so that parallel tests do not affect each other.
#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Returns the states at the points of a uniform grid of n steps from t0, after the initial jump.
fn run<S: MovingSet>(
    sweep: &mut CatchingUp<S>,
    (t0, t_end): (f64, f64),
    n: usize,
    u0: &[f64],
) -> Vec<Vec<f64>> {
    let (h, mut u) = ((t_end - t0) / n as f64, u0.to_vec());
    assert!(sweep.begin(t0, &mut u).expect("it begins").status.is_success());
    let mut states = vec![u.clone()];
    for k in 0..n {
        let report = sweep.step(t0 + k as f64 * h, h, &mut u).expect("it goes");
        assert!(report.status.is_success(), "step {k}: {report:?}");
        states.push(u.clone());
    }
    states
}
