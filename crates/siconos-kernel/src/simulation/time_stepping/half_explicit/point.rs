//! Which contacts are closed, and which of them last, at a point of the motion.

use crate::index::RowPlace;
use crate::integrator::{D1MinusLinear, ForceLevel, ROUNDINGS};
use crate::nonsmooth_problem::{Holds, Tables, UnitaryPlace};
use crate::simulation::kinematics::Kinematics;

/// Fraction of the fall of a resting body in a step that is rounding which has added up.
const RESTING: f64 = 1.0 / 16_777_216.0;

/// A point of the motion, with the outputs there.
pub(super) struct Point<'a> {
    pub(super) t: f64,
    pub(super) q: &'a [f64],
    pub(super) v: &'a [f64],
    pub(super) y: &'a [f64],
    pub(super) y_dot: &'a [f64],
    /// The velocity with half a step of the forces there but for those of contacts, what these add to it, and
    /// the length of the step: they tell how exactly the outputs are known.
    pub(super) free: (&'a [f64], &'a [f64], f64),
    /// Impulses and forces of contacts up to there.
    pub(super) pressed: [&'a [f64]; 2],
}

impl Point<'_> {
    pub(super) fn is_closed(&self, tables: &Tables, kinematics: &Kinematics, contact: UnitaryPlace) -> bool {
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

    /// Whether a closed contact does not open.
    pub(super) fn lasts(&self, tables: &Tables, kinematics: &Kinematics, contact: UnitaryPlace) -> bool {
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

    /// The speed that is rounding of a contact which has pressed.
    fn resting_speed(&self, tables: &Tables, kinematics: &Kinematics, row: RowPlace) -> f64 {
        if self.pressed.iter().all(|by_row| by_row[row.index()] <= 0.0) {
            return 0.0;
        }
        let (_, gain, _) = self.free;
        2.0 * RESTING * kinematics.row(tables, row).magnitude(gain)
    }
}

/// Whether a value of a row is at most a threshold of its scheme; always of an equality.
fn is_within(tables: &Tables, row: RowPlace, value: f64, threshold: impl Fn(D1MinusLinear) -> f64) -> bool {
    let row = &tables.rows[row];
    match tables.kind(row.kind).holds {
        Holds::ForcesAndImpulses(scheme) if row.has_gap => value <= threshold(scheme),
        _ => true,
    }
}
