//! The motion within the last step.

use super::AdaptiveStepping;
use crate::model::{DynamicalSystemId, NonSmoothDynamicalSystem};
use crate::state::State;

/// The last step, as far as its end does not tell.
#[derive(Clone, Debug, Default)]
pub(super) struct LastStep {
    is_smooth: bool,
    /// The beginning.
    t: f64,
    q: Vec<f64>,
    v: Vec<f64>,
    /// The end, and of which model.
    to: f64,
    epoch: u64,
    v_to: Vec<f64>,
}

impl LastStep {
    /// Notes the beginning, the state of which is about to be moved on.
    pub(super) fn begin(&mut self, state: &State, is_smooth: bool) {
        (self.t, self.is_smooth) = (state.t, is_smooth);
        self.q.clone_from(&state.q);
        self.v.clone_from(&state.v);
    }

    /// Notes the end.
    pub(super) fn end(&mut self, model: &NonSmoothDynamicalSystem, state: &State) {
        (self.to, self.epoch) = (state.t, model.epoch());
        self.v_to.clone_from(&state.v);
    }

    /// Whether a state is as the step left it.
    pub(super) fn ends_at(&self, model: &NonSmoothDynamicalSystem, state: &State) -> bool {
        (self.to, self.epoch) == (state.t, model.epoch())
            && !state.outputs_stale
            && !state.parameters_set
            && self.v_to == state.v
    }

    /// The part of the step that has gone by at a time; `None` outside the step, or for another state than
    /// that at its end.
    fn part(&self, state: &State, t: f64) -> Option<f64> {
        let is_within = (self.t..=self.to).contains(&t) && self.to == state.t && self.v_to == state.v;
        is_within.then(|| (t - self.t) / (self.to - self.t))
    }
}

impl AdaptiveStepping {
    /// The position of a system at a time \[s\] within the last step, which ended in this state: the cubic
    /// through positions and velocities at both ends, on a smooth arc; a straight line across an impact.
    /// `None` for another time, state or system.
    #[must_use]
    pub fn position_at(&self, state: &State, system: DynamicalSystemId, t: f64) -> Option<Vec<f64>> {
        let s = self.last.part(state, t)?;
        let (q, v) = state.places_of(system)?;
        let h = self.last.to - self.last.t;
        // Hermite's basis.
        let blend = s * s * (3.0 - 2.0 * s);
        let (slope, slope_to) = (s * (1.0 - s) * (1.0 - s), s * s * (s - 1.0));
        let is_cubic = self.last.is_smooth && q.len() == v.len();
        let at = |(q, v): (usize, usize)| {
            let (from, to) = (self.last.q[q], state.q[q]);
            if is_cubic {
                from + (to - from) * blend + h * (slope * self.last.v[v] + slope_to * state.v[v])
            } else {
                from + (to - from) * s
            }
        };
        let velocities = v.chain(std::iter::repeat(0));
        Some(q.zip(velocities).map(at).collect())
    }

    /// The velocity of a system, or the state of one of first order, at a time \[s\] within the last step,
    /// which ended in this state: on a smooth arc the parabola that its rates make; across an impact the
    /// velocity before it, up to the end of the step. `None` for another time, state or system.
    #[must_use]
    pub fn velocity_at(&self, state: &State, system: DynamicalSystemId, t: f64) -> Option<Vec<f64>> {
        let s = self.last.part(state, t)?;
        let s = if self.last.is_smooth || s == 1.0 { s } else { 0.0 };
        let (_, v) = state.places_of(system)?;
        let h = self.last.to - self.last.t;
        let at = |dof: usize| {
            let line = self.last.v[dof] + (state.v[dof] - self.last.v[dof]) * s;
            line - 0.5 * h * h * s * (1.0 - s) * self.arc.slope(dof).unwrap_or(0.0)
        };
        Some(v.map(at).collect())
    }
}
