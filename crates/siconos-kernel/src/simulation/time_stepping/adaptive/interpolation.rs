//! Interpolation within the last step.

use super::AdaptiveStepping;
use crate::model::{DynamicalSystemId, NonSmoothDynamicalSystem, PositionSpace, VECTOR};
use crate::nonsmooth_problem::Tables;
use crate::state::{State, StepStamp};

/// Data of the last step that the state at the end of the step does not contain.
#[derive(Clone, Debug, Default)]
pub(super) struct LastStep {
    is_smooth: bool,
    /// Time at the beginning of the step.
    t: f64,
    /// Positions at the beginning of the step.
    q: Vec<f64>,
    /// Velocities at the beginning of the step.
    v: Vec<f64>,
    /// Configuration spaces that are not vector spaces, each with the first degree of freedom of its system.
    spaces: Vec<(usize, PositionSpace)>,
    /// Time at the end of the step.
    to: f64,
    /// Model version (`epoch`) at the end of the step.
    epoch: u64,
    /// Stamp of the state at the end of the step.
    end: StepStamp,
}

impl LastStep {
    /// Records the beginning of a step, before the state changes.
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

    /// Records the end of a step.
    pub(super) fn end(&mut self, model: &NonSmoothDynamicalSystem, state: &State) {
        (self.to, self.epoch, self.end) = (state.t, model.epoch(), state.origin);
    }

    /// Returns the configuration space of a system.
    fn space_of(&self, first_dof: usize) -> &PositionSpace {
        let place = self.spaces.binary_search_by_key(&first_dof, |(first, _)| *first);
        place.map_or(&VECTOR, |place| &self.spaces[place].1)
    }

    /// Returns `true` if a state is the unchanged result of the step.
    pub(super) fn ends_at(&self, model: &NonSmoothDynamicalSystem, state: &State) -> bool {
        (self.end, self.epoch) == (state.origin, model.epoch()) && !state.parameters_set
    }

    /// Returns the time `t` as a fraction of the step, from 0 to 1, or `None` if `t` is outside the step or
    /// `state` is not the result of the step.
    fn part(&self, state: &State, t: f64) -> Option<f64> {
        let is_end = self.end.is_known() && self.end == state.origin;
        let is_within = is_end && (self.t..=self.to).contains(&t);
        is_within.then(|| (t - self.t) / (self.to - self.t))
    }
}

impl AdaptiveStepping {
    /// Returns the positions of a system at a time `t` \[s\] within the last step, which ended in `state`.
    ///
    /// If the motion over the step is smooth, the positions are interpolated by cubic Hermite polynomials. If
    /// the step contains an impact, they are interpolated linearly. Returns `None` if `t` is outside the
    /// step, if `state` is not the result of the step, or if the system does not exist.
    #[must_use]
    pub fn position_at(&self, state: &State, system: DynamicalSystemId, t: f64) -> Option<Vec<f64>> {
        let s = self.last.part(state, t)?;
        let (q, v) = state.places_of(system)?;
        let (from, to) = (&self.last.q[q.clone()], &state.q[q]);
        let (v_from, v_to) = (&self.last.v[v.clone()], &state.v[v.clone()]);
        let h = self.last.to - self.last.t;
        // Cubic Hermite basis.
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

    /// Returns the velocities of a system, or the states of a first-order system, at a time `t` \[s\] within
    /// the last step, which ended in `state`.
    ///
    /// If the motion over the step is smooth, each component is interpolated by a parabola through the values
    /// at both ends. The second derivative of the parabola is estimated from the last two steps. If the step
    /// contains an impact, the values at the beginning of the step are returned for all times before the end
    /// of the step. Returns `None` if `t` is outside the step, if `state` is not the result of the step, or
    /// if the system does not exist.
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
