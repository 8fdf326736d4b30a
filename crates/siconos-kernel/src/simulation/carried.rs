//! Restart data of an integrator, as read from a state record.

use siconos_ode::{IntegratorState, Statistics};

/// Maximum count that is read from a state record. A larger count in an edited record could overflow later.
const MOST: usize = usize::MAX / 2;

/// Returns the restart data of an integrator with every count limited to `MOST`.
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
