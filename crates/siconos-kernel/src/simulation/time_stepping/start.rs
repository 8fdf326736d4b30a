//! Initial state and its checks.

use super::TimeStepping;
use crate::index::RowIndex;
use crate::integrator::ROUNDINGS;
use crate::model::NonSmoothDynamicalSystem;
use crate::nonsmooth_problem::UnitaryEntry;
use crate::simulation::SimulationError;
use crate::state::{Level, State};

/// Violation above which a joint is reported, as a multiple of the rounding error of its terms. The threshold
/// is about 1e-8 times the magnitude of the terms.
const OFF: f64 = 4_194_304.0;

impl TimeStepping {
    /// Creates the state at the first grid point, and computes y.
    ///
    /// Bodies that overlap and joints that are violated are reported by `tracing` warnings. Steps do not
    /// correct them, with one exception: the velocity of a joint jumps to a consistent value in the first
    /// step.
    ///
    /// # Errors
    ///
    /// If the model has changed and can no longer be simulated: [`SimulationError`]. If a joint is
    /// violated and the simulation is [strict](crate::simulation::TimeSteppingBuilder::strict):
    /// [`SimulationError::InconsistentStart`].
    pub fn initial_state(&mut self, model: &NonSmoothDynamicalSystem) -> Result<State, SimulationError> {
        let mut state = State::new(model, self.discretisation().t0());
        self.synchronise(model, &mut state)?;
        self.kinematics.measure(&self.tables, &state.q);
        self.warn_of_overlap(&state);
        match self.joint_that_is_off(&state) {
            Some(error) if self.is_strict => return Err(error),
            Some(error) => tracing::warn!("{error}"),
            None => {}
        }
        Ok(state)
    }

    /// Warns of bodies that overlap. Impulses do not remove an overlap, and an initial position below the
    /// floor is usually a wrong sign or offset.
    fn warn_of_overlap(&self, state: &State) {
        let is_real = |&(unitary, gap): &(&UnitaryEntry, f64)| {
            let row = unitary.first_row();
            -gap > self.kinematics.gap_rounding(&self.tables, row, state.t, &state.q)
        };
        // Search all contacts, not only the contact with the smallest gap, because its overlap can be a
        // rounding error.
        let overlaps = || self.tables.gaps(&state.y[0]).filter(is_real);
        if let Some((unitary, gap)) = overlaps().reduce(|a, b| if b.1 < a.1 { b } else { a }) {
            let (contact, contacts) = (self.tables.name(unitary), overlaps().count());
            tracing::warn!(
                %contact,
                gap,
                contacts,
                "bodies overlap at the start, and no impulse separates them"
            );
        }
    }

    /// Returns an error for the joint with the largest violation of position or velocity, relative to the
    /// terms of its equation.
    fn joint_that_is_off(&self, state: &State) -> Option<SimulationError> {
        let rows = self.tables.rows.entries();
        let joints = rows.filter(|(_, row)| self.tables.kind(row.kind).is_joint);
        let of_row = |(at, _): (RowIndex, _)| {
            let velocity_scale = self.kinematics.velocity_scale(&self.tables, at, &state.v);
            let rounding = self.kinematics.gap_rounding(&self.tables, at, state.t, &state.q);
            [
                (at, Level::Position, state.y[0][at.index()], rounding),
                (at, Level::Velocity, state.y[1][at.index()], ROUNDINGS * f64::EPSILON * velocity_scale),
            ]
        };
        let off = joints.flat_map(of_row).filter(|(.., value, rounding)| value.abs() > OFF * rounding);
        let worse = |a: (_, _, f64, f64), b: (_, _, f64, f64)| {
            if (b.2 / b.3).abs() > (a.2 / a.3).abs() { b } else { a }
        };
        off.reduce(worse).map(|(at, level, value, _)| {
            let entry = &self.tables.interactions[self.tables.rows[at].interaction];
            let (relation, component) = (entry.id, entry.rows.index_of(at));
            SimulationError::InconsistentStart { relation, component, level, value }
        })
    }
}
