//! Contacts at rest: detection, and the speeds that close their gaps.
//!
//! A solver leaves velocities of the magnitude of its tolerance at closed contacts. Over many steps, these
//! velocities add up to gaps. Contacts then open and close again with an impact, and the body tilts. To
//! prevent this, a contact counts as closed if its gap and its velocity are too small to be resolved by the
//! step, whether or not it had a reaction. The law of the contact then includes the velocity that closes the
//! gap within the step,
//!
//! $$ 0 \le u_N + y_k / h \perp \lambda_N \ge 0, $$
//!
//! as plain text: 0 <= u_N + y_k / h complementary to lambda_N >= 0. The law has no restitution, because a
//! rebound from a velocity that is not resolved has no meaning, and would keep errors from decaying. This is
//! the condition $y_k + h u_N \ge 0$ of Stewart and Trinkle (1996, "An implicit time-stepping scheme for
//! rigid body dynamics with inelastic collisions and Coulomb friction"). With this condition, an open contact
//! does not exert a force, and its gap does not grow. If positions are advanced by
//! $\theta u_{k+1} + (1 - \theta) u_k$, the gap decays by $(1 - \theta)^{1/2}$ or faster per step.

use super::Kinematics;
use crate::index::RowIndex;
use crate::integrator::{Activation, Projection};
use crate::nonsmooth_problem::{ContactKind, OneStepNonSmoothProblem, Tables, UnitaryEntry, UnitaryIndex};
use crate::state::State;

/// Resolution of a step: the maximum velocity of a contact at rest, as a fraction of the change of the
/// contact velocity over a step without reactions, in any direction. The maximum gap of a contact at rest is
/// the distance that it moves in one step at this velocity.
const RESOLUTION: f64 = 1.0 / 16_384.0;

/// Minimum ratio of the resolution to the tolerance of the solver. The error of the solver is relative to the
/// velocities of a whole island, which exceed the velocity of one contact by at least the square root of the
/// number of contacts.
const LEAST_PER_TOLERANCE: f64 = 1024.0;

/// Maximum resolution, for loose tolerances.
pub(super) const LARGEST_RESOLUTION: f64 = 1.0 / 16.0;

/// Gap that is left open at a contact at rest, as a fraction of the maximum gap. Closing it would change the
/// one-step problem, which otherwise stays nearly identical from step to step for bodies at rest.
const LEFT_ALONE: f64 = 1.0 / 256.0;

/// Number of steps in which [`Projection::Gradual`] reduces an overlap to 1/e of its depth.
const STEPS_OUT: f64 = 16.0;

/// Maximum speed at which [`Projection::Gradual`] removes an overlap, as a multiple of the change dv of the
/// contact velocity over a step without reactions. The speed y / (16 h) decreases by y / 256 h per step. If
/// the bodies themselves decelerate faster, by dv, the contact remains closed.
const FASTEST_OUT: f64 = 8.0;

/// Returns the resolution of a step for a given tolerance of the one-step problem.
fn resolution(tolerance: f64) -> f64 {
    (LEAST_PER_TOLERANCE * tolerance).clamp(RESOLUTION, LARGEST_RESOLUTION)
}

/// Returns `true` for contacts that can be treated as contacts at rest: contacts that are activated by their
/// gap with the default threshold, and whose positions are not projected by `Projection::Combined`.
fn may_rest(kind: &ContactKind) -> bool {
    let has_default = |activation: Activation| activation.threshold.is_none();
    kind.activation.is_some_and(has_default) && kind.projection != Some(Projection::Combined)
}

/// Data of a step that are needed to find contacts at rest.
#[derive(Clone, Copy)]
pub(super) struct RestingContacts<'a> {
    pub(super) problem: &'a OneStepNonSmoothProblem,
    pub(super) tables: &'a Tables,
    pub(super) kinematics: &'a Kinematics,
    pub(super) state: &'a State,
    pub(super) v_free: &'a [f64],
    pub(super) h: f64,
    /// Upper bound of the speeds of all contacts at rest.
    pub(super) largest_speed: f64,
}

impl RestingContacts<'_> {
    /// Returns `true` if a contact is at rest at the beginning of the step: its gap and its velocity are both
    /// within the resolution of the step.
    #[inline(always)]
    pub(super) fn includes(&self, contact: &UnitaryEntry) -> bool {
        let row = contact.first_row();
        // The first test excludes most contacts that are in flight or at an impact.
        self.is_slower(row, self.largest_speed) && self.is_slower(row, self.resolved_speed(contact))
    }

    /// Returns `true` if the velocity of a contact is at most `speed` and its gap is at most the distance of
    /// one step at this speed.
    #[inline(always)]
    fn is_slower(&self, row: RowIndex, speed: f64) -> bool {
        let [y, y_dot] = [0, 1].map(|level| self.state.y[level][row.index()].abs());
        y <= self.h * speed && y_dot <= speed
    }

    fn resolved_speed(&self, contact: &UnitaryEntry) -> f64 {
        resolution(self.problem.loosest_tolerance()) * self.fall(contact)
    }

    fn fall(&self, contact: &UnitaryEntry) -> f64 {
        self.kinematics.fall(self.tables, contact, (&self.state.v, self.v_free))
    }

    /// Returns the rounding error of the gap of a contact after the step.
    pub(super) fn rounding(&self, row: RowIndex) -> f64 {
        let Self { tables, kinematics, state, v_free, h, .. } = self;
        kinematics.moved_gap_rounding(tables, row, state.t, &state.q, v_free, *h)
    }

    /// Returns the speed that closes the gap of a contact at rest within the step, minus the rebound that the
    /// law would add. The speed is negative for an overlap, and 0 for contacts that are not at rest.
    fn closing_speed(&self, member: UnitaryIndex) -> f64 {
        let unitary = &self.tables.unitary[member];
        let row = unitary.first_row();
        let y = self.state.y[0][row.index()];
        let rebound = self.tables.rows[row].restitution * self.state.y[1][row.index()];
        let moves = y != 0.0 || rebound != 0.0;
        if !moves || !self.is_slower(row, self.largest_speed) || !may_rest(self.tables.kind_of(unitary)) {
            return 0.0;
        }
        let speed = self.resolved_speed(unitary);
        if !self.is_slower(row, speed) {
            return 0.0;
        }
        let left = self.rounding(row).max(LEFT_ALONE * self.h * speed);
        (y.abs() - left).max(0.0).copysign(y) / self.h - rebound
    }

    /// Returns the speed that removes a part of the overlap of a contact with `Projection::Gradual`, minus
    /// the rebound that the law would add. It is 0 if there is no overlap to remove, or if the contact
    /// rebounds faster.
    fn removing_speed(&self, member: UnitaryIndex) -> f64 {
        let unitary = &self.tables.unitary[member];
        let row = unitary.first_row();
        let [y, y_dot] = [0, 1].map(|level| self.state.y[level][row.index()]);
        if y >= 0.0 || !self.tables.kind_of(unitary).is_gradual {
            return 0.0;
        }
        let fall = self.fall(unitary);
        if y >= -self.h * resolution(self.problem.loosest_tolerance()) * fall {
            return 0.0;
        }
        let removal = (y / (STEPS_OUT * self.h)).max(-FASTEST_OUT * fall);
        let closing = removal - self.tables.rows[row].restitution * y_dot;
        // The rebound from an impact that the step resolves also removes the overlap.
        let is_impact = y_dot < -fall;
        if is_impact { closing.min(0.0) } else { closing }
    }

    /// Writes the closing speeds of the contacts among `members` to `speeds`. All speeds must be 0 before the
    /// call.
    pub(super) fn close(&self, members: &[UnitaryIndex], speeds: &mut AddedSpeeds) {
        for &member in members {
            let row = self.tables.unitary[member].first_row();
            let closing = self.closing_speed(member);
            if closing != 0.0 {
                speeds.set(row, closing);
                continue;
            }
            let removing = self.removing_speed(member);
            if removing != 0.0 {
                speeds.set_removing(row, removing);
            }
        }
    }
}

/// Speeds that the laws of contacts and joints add to the velocities of their rows. For contacts at rest,
/// they are the speeds that close the gaps. For joints that restrict the mean velocity, they are the
/// velocities at the beginning of the step.
#[derive(Clone, Debug, Default)]
pub(super) struct AddedSpeeds {
    by_row: Vec<f64>,
    /// Rows with a nonzero speed.
    rows: Vec<RowIndex>,
    /// Rows whose speeds remove overlaps.
    removing: Vec<RowIndex>,
}

impl AddedSpeeds {
    /// Extends the vectors to `rows` rows.
    pub(super) fn extend(&mut self, rows: usize) {
        self.by_row.resize(rows, 0.0);
        self.rows.reserve(rows);
        self.removing.reserve(rows);
    }

    /// Sets all speeds to 0.
    pub(super) fn clear(&mut self) {
        for row in self.rows.drain(..) {
            self.by_row[row.index()] = 0.0;
        }
        self.removing.clear();
    }

    /// Sets the speeds that remove overlaps to 0. Returns `false` if there are none.
    pub(super) fn drop_removing(&mut self) -> bool {
        let has_some = !self.removing.is_empty();
        for row in self.removing.drain(..) {
            self.by_row[row.index()] = 0.0;
        }
        has_some
    }

    fn set_removing(&mut self, row: RowIndex, speed: f64) {
        self.set(row, speed);
        self.removing.push(row);
    }

    pub(super) fn set(&mut self, row: RowIndex, speed: f64) {
        self.by_row[row.index()] = speed;
        self.rows.push(row);
    }

    #[inline(always)]
    pub(super) fn of(&self, row: usize) -> f64 {
        self.by_row[row]
    }
}
