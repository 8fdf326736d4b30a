//! What an integrator carries over a restart, as a record has it.

use siconos_ode::{Carried, Statistics};

/// No run counts so far. A record that was changed may say more, and counting has to go on from there.
const MOST: usize = usize::MAX / 2;

/// What is carried, with counts that a run can have.
pub fn countable(carried: &Carried) -> Carried {
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
    Carried { statistics, ..carried.clone() }
}
