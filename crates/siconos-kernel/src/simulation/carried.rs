//! Restart data of an integrator, as read from a record.

use siconos_ode::{IntegratorState, Statistics};

/// Maximum count that is taken from a record. An edited record may contain any count, and counting must
/// continue without overflow.
const MOST: usize = usize::MAX / 2;

/// Returns restart data with every count limited to `MOST`, so that counting can continue.
pub fn countable(carried: &IntegratorState) -> IntegratorState {
    let Statistics {
        steps,
        stiff_steps,
        rejected_steps,
        f_evaluations,
        jacobian_evaluations,
        factorisations,
        guard_evaluations,
        switches,
    } = carried.statistics;
    let statistics = Statistics {
        steps: steps.min(MOST),
        stiff_steps: stiff_steps.min(MOST),
        rejected_steps: rejected_steps.min(MOST),
        f_evaluations: f_evaluations.min(MOST),
        jacobian_evaluations: jacobian_evaluations.min(MOST),
        factorisations: factorisations.min(MOST),
        guard_evaluations: guard_evaluations.min(MOST),
        switches: switches.min(MOST),
    };
    IntegratorState { statistics, ..carried.clone() }
}
