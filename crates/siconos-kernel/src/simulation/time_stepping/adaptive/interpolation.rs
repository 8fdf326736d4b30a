//! The motion within the last step.

use super::AdaptiveStepping;
use crate::model::{DynamicalSystemId, NonSmoothDynamicalSystem, PositionSpace, VECTOR};
use crate::nonsmooth_problem::Tables;
use crate::state::{State, StepStamp};

/// The last step, as far as its end does not tell.
#[derive(Clone, Debug, Default)]
pub(super) struct LastStep {
    is_smooth: bool,
    /// The beginning.
    t: f64,
    q: Vec<f64>,
    v: Vec<f64>,
    /// The systems whose positions are no vectors, by their first degree of freedom.
    spaces: Vec<(usize, PositionSpace)>,
    /// The end, of which model, and the state there.
    to: f64,
    epoch: u64,
    end: StepStamp,
}

impl LastStep {
    /// Notes the beginning, the state of which is about to be moved on.
    pub(super) fn begin(&mut self, tables: &Tables, state: &State, is_smooth: bool) {
        (self.t, self.is_smooth) = (state.t, is_smooth);
        self.spaces.clear();
        if tables.has_spaces {
            let others = tables.systems.iter().filter(|entry| !entry.space.is_vector());
            self.spaces.extend(others.map(|entry| (entry.dofs.range().start, entry.space.clone())));
        }
        self.q.clone_from(&state.q);
        self.v.clone_from(&state.v);
    }

    /// Notes the end.
    pub(super) fn end(&mut self, model: &NonSmoothDynamicalSystem, state: &State) {
        (self.to, self.epoch, self.end) = (state.t, model.epoch(), state.origin);
    }

    /// The space of the positions of a system.
    fn space_of(&self, first_dof: usize) -> &PositionSpace {
        let place = self.spaces.binary_search_by_key(&first_dof, |(first, _)| *first);
        place.map_or(&VECTOR, |place| &self.spaces[place].1)
    }

    /// Whether a state is as the step left it.
    pub(super) fn ends_at(&self, model: &NonSmoothDynamicalSystem, state: &State) -> bool {
        (self.end, self.epoch) == (state.origin, model.epoch()) && !state.parameters_set
    }

    /// The part of the step that has gone by at a time; `None` outside the step, or for another state than
    /// that at its end.
    fn part(&self, state: &State, t: f64) -> Option<f64> {
        let is_end = self.end.is_known() && self.end == state.origin;
        let is_within = is_end && (self.t..=self.to).contains(&t);
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
        let (from, to) = (&self.last.q[q.clone()], &state.q[q]);
        let (v_from, v_to) = (&self.last.v[v.clone()], &state.v[v.clone()]);
        let h = self.last.to - self.last.t;
        // Hermite's basis.
        let blend = s * s * (3.0 - 2.0 * s);
        let (slope, slope_to) = (s * (1.0 - s) * (1.0 - s), s * s * (s - 1.0));
        let space = self.last.space_of(v.start);
        let mut way = vec![0.0; v.len()];
        space.displacement(from, to, &mut way);
        for ((way, v_from), v_to) in way.iter_mut().zip(v_from).zip(v_to) {
            *way = match self.last.is_smooth {
                true => *way * blend + h * (slope * v_from + slope_to * v_to),
                false => *way * s,
            };
        }
        let mut position = vec![0.0; from.len()];
        space.advance(from, &way, &mut position);
        Some(position)
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
