//! Contacts at rest: which gaps a step does not resolve, and the speeds that close them.
//!
//! A solver leaves velocities of the size of its tolerance in the contacts that it closes. Step by step these
//! add up to gaps, and a contact that opens by such a gap falls, hits and makes its body tilt. So a contact
//! whose gap and velocity are both below the resolution of the step counts as closed, whether it pressed or
//! not, and its law holds for the velocity that would take up the gap within the step,
//!
//! $$ 0 \le u_N + y_k / h \perp \lambda_N \ge 0, $$
//!
//! as plain text: 0 <= u_N + y_k / h complementary to lambda_N >= 0. It is plastic, since a rebound from a
//! velocity below the resolution means nothing and would keep errors alive. This is the condition $y_k + h
//! u_N \ge 0$ of Stewart and Trinkle (1996, "An implicit time-stepping scheme for rigid body dynamics with
//! inelastic collisions and Coulomb friction"): a contact held at a gap neither acts at a distance nor lets
//! the gap grow, and with positions advanced by $\theta u_{k+1} + (1 - \theta) u_k$ the gap decays by $(1 -
//! \theta)^{1/2}$ or faster per step.

use super::Kinematics;
use crate::index::RowPlace;
use crate::integrator::{Activation, Projection};
use crate::nonsmooth_problem::{ContactKind, OneStepNonSmoothProblem, Tables, UnitaryPlace};
use crate::state::State;

/// Resolution of a step: the fraction of its fall, the change of its velocity without reactions, that the
/// velocity of a contact at rest may have, and its gap in one step at that speed.
const RESOLUTION: f64 = 1.0 / 16_384.0;

/// Multiple of the tolerance of the solver that the resolution is at least: an error is relative to the
/// velocities of a whole island, which are larger than those of one contact by the root of their number or
/// more.
const LEAST_PER_TOLERANCE: f64 = 1024.0;

/// Largest resolution, for loose tolerances.
pub(super) const LARGEST_RESOLUTION: f64 = 1.0 / 16.0;

/// Fraction of the resolution that a gap may have for good. Closing the last of it would change the problem
/// of a step, which at rest is that of the step before to the last digits.
const LEFT_ALONE: f64 = 1.0 / 256.0;

/// The resolution of a step whose one-step problem is solved to a tolerance.
fn resolution(tolerance: f64) -> f64 {
    (LEAST_PER_TOLERANCE * tolerance).clamp(RESOLUTION, LARGEST_RESOLUTION)
}

/// Returns `true` for contacts that may rest within the resolution: those held in velocities whose gap
/// decides, with the default threshold.
fn may_rest(kind: &ContactKind) -> bool {
    let has_default = |activation: Activation| activation.threshold.is_none();
    kind.activation.is_some_and(has_default) && kind.projection != Some(Projection::Combined)
}

/// The step as contacts at rest see it.
#[derive(Clone, Copy)]
pub(super) struct Rest<'a> {
    pub(super) problem: &'a OneStepNonSmoothProblem,
    pub(super) tables: &'a Tables,
    pub(super) kinematics: &'a Kinematics,
    pub(super) state: &'a State,
    pub(super) v_free: &'a [f64],
    pub(super) h: f64,
    /// Upper bound of all resolved speeds.
    pub(super) largest_speed: f64,
}

impl Rest<'_> {
    /// Returns `true` if the gap and the velocity of a contact at the beginning of the step are both within
    /// its resolution.
    #[inline(always)]
    pub(super) fn includes(&self, row: RowPlace) -> bool {
        // Most contacts in flight, and those that hit, are faster than any that rest.
        self.is_slower(row, self.largest_speed) && self.is_slower(row, self.resolved_speed(row))
    }

    /// Returns `true` if a contact has at most a speed, and the gap of one step at that.
    #[inline(always)]
    fn is_slower(&self, row: RowPlace, speed: f64) -> bool {
        let [y, y_dot] = [0, 1].map(|level| self.state.y[level][row.index()].abs());
        y <= self.h * speed && y_dot <= speed
    }

    fn resolved_speed(&self, row: RowPlace) -> f64 {
        let fall = self.kinematics.fall(self.tables, row, (&self.state.v, self.v_free));
        resolution(self.problem.loosest_tolerance()) * fall
    }

    /// The rounding of a gap that the step moves on.
    pub(super) fn rounding(&self, row: RowPlace) -> f64 {
        let Self { tables, kinematics, state, v_free, h, .. } = self;
        kinematics.moved_gap_rounding(tables, row, state.t, &state.q, v_free, *h)
    }

    /// The speed that closes the gap of a contact at rest within the step, negative for an overlap, less the
    /// rebound that the law would add; 0 for other contacts.
    fn closing_speed(&self, member: UnitaryPlace) -> f64 {
        let unitary = &self.tables.unitary[member];
        let row = unitary.first_row();
        let y = self.state.y[0][row.index()];
        let rebound = self.tables.rows[row].restitution * self.state.y[1][row.index()];
        let moves = y != 0.0 || rebound != 0.0;
        if !moves || !self.is_slower(row, self.largest_speed) || !may_rest(self.tables.kind_of(unitary)) {
            return 0.0;
        }
        let speed = self.resolved_speed(row);
        if !self.is_slower(row, speed) {
            return 0.0;
        }
        let left = self.rounding(row).max(LEFT_ALONE * self.h * speed);
        (y.abs() - left).max(0.0).copysign(y) / self.h - rebound
    }

    /// Writes the closing speeds of contacts, which were all 0.
    pub(super) fn close(&self, members: &[UnitaryPlace], speeds: &mut AddedSpeeds) {
        for &member in members {
            let speed = self.closing_speed(member);
            if speed != 0.0 {
                let row = self.tables.unitary[member].first_row();
                speeds.set(row, speed);
            }
        }
    }
}

/// Speeds that are added to the velocities of rows in their laws: those that close the gaps of contacts at
/// rest, and the velocities at the beginning of the step of joints that restrict the mean velocity.
#[derive(Clone, Debug, Default)]
pub(super) struct AddedSpeeds {
    by_row: Vec<f64>,
    /// The rows whose speed is not 0.
    rows: Vec<RowPlace>,
}

impl AddedSpeeds {
    /// Makes room for new rows.
    pub(super) fn extend(&mut self, rows: usize) {
        self.by_row.resize(rows, 0.0);
        self.rows.reserve(rows);
    }

    /// Sets all speeds to 0.
    pub(super) fn clear(&mut self) {
        for row in self.rows.drain(..) {
            self.by_row[row.index()] = 0.0;
        }
    }

    pub(super) fn set(&mut self, row: RowPlace, speed: f64) {
        self.by_row[row.index()] = speed;
        self.rows.push(row);
    }

    #[inline(always)]
    pub(super) fn of(&self, row: usize) -> f64 {
        self.by_row[row]
    }
}
