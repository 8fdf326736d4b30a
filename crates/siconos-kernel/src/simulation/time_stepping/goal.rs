//! Requested end of a step: the next grid point, or a time given by the caller.

use super::TimeStepping;
use crate::model::NonSmoothDynamicalSystem;
use crate::simulation::{EventError, SimulationError, StepReport, TimeDiscretisation};
use crate::state::State;

/// Requested end of a step.
#[derive(Clone, Copy, Debug)]
pub(super) enum Goal {
    NextPoint,
    Time(f64),
}

/// Time interval of a step.
pub(super) struct StepInterval {
    /// Index of the last grid point that is not later than the end of the interval.
    pub(super) step: usize,
    pub(super) to: f64,
    pub(super) h: f64,
}

impl Goal {
    /// Returns the time interval of the step that starts from a state; `None` at the end of the grid.
    // Inlined, because a call takes 1 % of the step of a single ball.
    #[inline]
    pub(super) fn from(
        self,
        state: &State,
        grid: &TimeDiscretisation,
    ) -> Result<Option<StepInterval>, SimulationError> {
        match self {
            Self::NextPoint => next_point(state, grid),
            Self::Time(t) => until(t, state, grid).map(Some),
        }
    }
}

fn next_point(state: &State, grid: &TimeDiscretisation) -> Result<Option<StepInterval>, SimulationError> {
    let mut k = state.step;
    if grid.time(k) != Some(state.t) {
        // The index does not match if the state was computed on another grid.
        k = grid.nearest(state.t);
        if let Some(nearest) = grid.time(k).filter(|&nearest| nearest != state.t) {
            return Err(SimulationError::OtherTime { t: state.t, nearest });
        }
    }
    let next = grid.time(k + 1).zip(grid.step_length(k));
    Ok(next.map(|(to, h)| StepInterval { step: k + 1, to, h }))
}

fn until(t: f64, state: &State, grid: &TimeDiscretisation) -> Result<StepInterval, SimulationError> {
    if !t.is_finite() || t <= state.t {
        return Err(SimulationError::NotAhead { now: state.t, t });
    }
    let (first, last) = (grid.t0(), grid.time(grid.steps()).unwrap_or(grid.t0()));
    if let Some(&time) = [state.t, t].iter().find(|time| !(first..=last).contains(time)) {
        return Err(EventError::OutsideGrid { time, first, last }.into());
    }
    // A step between neighbouring grid points must be bit-identical to the step that `step` takes.
    if let Ok(Some(next)) = next_point(state, grid)
        && next.to == t
    {
        return Ok(next);
    }
    Ok(StepInterval { step: grid.last_until(t), to: t, h: t - state.t })
}

impl TimeStepping {
    /// Takes one step from the time of the state to any later time `t` \[s\] within the grid. Neither time
    /// needs to be a grid point. For example, a step can be halved at an impact, or end at the time of a
    /// sample.
    ///
    /// User events within the step take place at the end of the step. Between two neighbouring grid points,
    /// the result is bit-identical to the result of [`step`](Self::step). To continue with
    /// [`step`](Self::step), the state must be at a grid point. Data that depend on the step length are
    /// recomputed if the length changes.
    ///
    /// ```
    /// use ndarray::array;
    /// use siconos_kernel::prelude::*;
    ///
    /// let mut model = NonSmoothDynamicalSystem::new();
    /// let ball = model.add_system(LagrangianLinear::new(vec![1.0], vec![-3.0], array![1.0]))?;
    /// let floor = LagrangianLinearRelation::new(array![[1.0]]);
    /// model.add_interaction([ball], floor, NewtonImpact::new(1.0)?)?;
    /// let grid = TimeDiscretisation::uniform(0.0, 1.0, 0.5)?;
    /// let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
    /// let mut state = simulation.initial_state(&model)?;
    ///
    /// // Short steps where the ball is near the floor; then back to the grid.
    /// for t in [0.3, 0.32, 0.34, 0.36, 0.5] {
    ///     let h = t - state.t;
    ///     let report = simulation.step_to(&model, &mut state, t)?;
    ///     assert_eq!((report.t, report.h), (t, h));
    /// }
    /// // The ball hits the floor at 1/3 s. A step of 0.02 s delays the impact by at most its length, which
    /// // changes the position by at most 6 m/s times 0.02 s.
    /// assert!((state.q(ball)[0] - 0.5).abs() < 6.0 * 0.02);
    /// assert_eq!(simulation.step(&model, &mut state)?.map(|report| report.t), Some(1.0));
    /// # Ok::<(), siconos_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If `t` is not finite or not later than the time of the state: [`SimulationError::NotAhead`]. If `t` or
    /// the time of the state is outside the grid: [`EventError::OutsideGrid`]. Otherwise as for
    /// [`step`](Self::step). The state is then unchanged bit for bit.
    pub fn step_to(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &mut State,
        t: f64,
    ) -> Result<StepReport<'_>, SimulationError> {
        let now = state.t;
        self.take(model, state, Goal::Time(t))?.ok_or(SimulationError::NotAhead { now, t })
    }
}
