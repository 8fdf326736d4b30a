//! What an event did, whatever the kind of dynamics.

use siconos_numerics::{SolveInfo, Status};

use crate::simulation::UnitaryRelation;

/// What a solver tells of a problem without unknowns.
pub(super) const NOTHING_TO_SOLVE: SolveInfo =
    SolveInfo { status: Status::Converged, iterations: 0, error: 0.0 };

/// What the solvers of several problems told: iterations are counted together, the error is the largest, and
/// the status the first that is no success.
pub(super) fn together(solves: impl Iterator<Item = SolveInfo>) -> SolveInfo {
    solves.fold(NOTHING_TO_SOLVE, |all, info| SolveInfo {
        status: if all.status.is_success() && info.status != Status::Converged {
            info.status
        } else {
            all.status
        },
        iterations: all.iterations + info.iterations,
        // A NaN is the largest of all.
        error: if all.error >= info.error { all.error } else { info.error },
    })
}

/// What an event did, for its report.
#[derive(Clone, Copy)]
pub(super) struct OutcomeRef<'a> {
    pub(super) impacts: &'a [UnitaryRelation],
    pub(super) released: &'a [UnitaryRelation],
    pub(super) undetermined: &'a [UnitaryRelation],
    pub(super) closed: &'a [UnitaryRelation],
    /// Whether the state of first-order systems has jumped.
    pub(super) jumped: bool,
    pub(super) impact_solve: SolveInfo,
    pub(super) acceleration_solve: SolveInfo,
}
