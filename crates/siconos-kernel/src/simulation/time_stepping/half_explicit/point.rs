//! Conditions under which a contact is closed, and under which it stays closed, at one end of a step.

use crate::index::RowIndex;
use crate::integrator::{D1MinusLinear, ForceLevel, ROUNDINGS};
use crate::nonsmooth_problem::{ImposedVariables, Tables, UnitaryIndex};
use crate::simulation::kinematics::Kinematics;

/// Maximum speed that counts as accumulated rounding error of a body at rest, as a fraction of the change of
/// the contact velocity over a step without reactions.
const RESTING: f64 = 1.0 / 16_777_216.0;

/// Time, position, velocity and outputs at one end of a step.
pub(super) struct ContactPoint<'a> {
    pub(super) t: f64,
    pub(super) q: &'a [f64],
    pub(super) v: &'a [f64],
    pub(super) y: &'a [f64],
    pub(super) y_dot: &'a [f64],
    /// Data that determine the rounding errors of the outputs: the velocity after the half step at this end
    /// of the step without contact forces, the change of the velocity over this half step, and the step
    /// length.
    pub(super) free: (&'a [f64], &'a [f64], f64),
    /// Most recent impulses and forces of the contacts.
    pub(super) pressed: [&'a [f64]; 2],
}

impl ContactPoint<'_> {
    pub(super) fn is_closed(&self, tables: &Tables, kinematics: &Kinematics, contact: UnitaryIndex) -> bool {
        let row = tables.unitary[contact].first_row();
        let threshold = |scheme: D1MinusLinear| match scheme.gap_threshold {
            Some(threshold) => threshold,
            None => {
                let (v, _, h) = self.free;
                let rounding = kinematics.moved_gap_rounding(tables, row, self.t, self.q, v, h);
                rounding.max(h * self.resting_speed(tables, kinematics, row))
            }
        };
        is_within(tables, row, self.y[row.index()], threshold)
    }

    /// Returns `true` if a closed contact stays closed.
    pub(super) fn lasts(&self, tables: &Tables, kinematics: &Kinematics, contact: UnitaryIndex) -> bool {
        let row = tables.unitary[contact].first_row();
        let threshold = |scheme: D1MinusLinear| match (scheme.forces, scheme.velocity_threshold) {
            (ForceLevel::Velocity, _) => f64::INFINITY,
            (_, Some(threshold)) => threshold,
            (_, None) => {
                let [own, free] = [self.v, self.free.0].map(|v| kinematics.velocity_scale(tables, row, v));
                let rounding = ROUNDINGS * f64::EPSILON * (own + free);
                rounding.max(self.resting_speed(tables, kinematics, row))
            }
        };
        is_within(tables, row, self.y_dot[row.index()], threshold)
    }

    /// Returns the maximum speed that counts as rounding error. It is 0 for a contact without a reaction.
    fn resting_speed(&self, tables: &Tables, kinematics: &Kinematics, row: RowIndex) -> f64 {
        if self.pressed.iter().all(|by_row| by_row[row.index()] <= 0.0) {
            return 0.0;
        }
        let (_, gain, _) = self.free;
        2.0 * RESTING * kinematics.row(tables, row).magnitude(gain)
    }
}

/// Returns `true` if `value` is at most the threshold for the scheme of the row. Always returns `true` for an
/// equality.
fn is_within(tables: &Tables, row: RowIndex, value: f64, threshold: impl Fn(D1MinusLinear) -> f64) -> bool {
    let row = &tables.rows[row];
    match tables.kind(row.kind).holds {
        ImposedVariables::ForcesAndImpulses(scheme) if row.has_gap => value <= threshold(scheme),
        _ => true,
    }
}
