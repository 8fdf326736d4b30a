//! Where a step ends: at the next point of the grid, or at any time that the caller names.

use super::TimeStepping;
use crate::model::NonSmoothDynamicalSystem;
use crate::simulation::{EventError, SimulationError, StepReport, TimeDiscretisation};
use crate::state::State;

/// Where a step is to end.
#[derive(Clone, Copy, Debug)]
pub(super) enum Goal {
    NextPoint,
    Time(f64),
}

/// A step in time.
pub(super) struct Stretch {
    /// The last point of the grid until its end.
    pub(super) step: usize,
    pub(super) to: f64,
    pub(super) h: f64,
}

impl Goal {
    /// The step from a state; `None` at the end of the grid.
    // Out of line it takes 1 % of the step of a single ball.
    #[inline]
    pub(super) fn from(
        self,
        state: &State,
        grid: &TimeDiscretisation,
    ) -> Result<Option<Stretch>, SimulationError> {
        match self {
            Self::NextPoint => next_point(state, grid),
            Self::Time(t) => until(t, state, grid).map(Some),
        }
    }
}

fn next_point(state: &State, grid: &TimeDiscretisation) -> Result<Option<Stretch>, SimulationError> {
    let mut k = state.step;
    if grid.time(k) != Some(state.t) {
        // The state comes from another grid.
        k = grid.nearest(state.t);
        if let Some(nearest) = grid.time(k).filter(|&nearest| nearest != state.t) {
            return Err(SimulationError::OtherTime { t: state.t, nearest });
        }
    }
    let next = grid.time(k + 1).zip(grid.step_length(k));
    Ok(next.map(|(to, h)| Stretch { step: k + 1, to, h }))
}

fn until(t: f64, state: &State, grid: &TimeDiscretisation) -> Result<Stretch, SimulationError> {
    if !t.is_finite() || t <= state.t {
        return Err(SimulationError::NotAhead { now: state.t, t });
    }
    let (first, last) = (grid.t0(), grid.time(grid.steps()).unwrap_or(grid.t0()));
    if let Some(&time) = [state.t, t].iter().find(|time| !(first..=last).contains(time)) {
        return Err(EventError::OutsideGrid { time, first, last }.into());
    }
    // From one point of the grid to the next: the step that `step` takes, to the last bit.
    if let Ok(Some(next)) = next_point(state, grid)
        && next.to == t
    {
        return Ok(next);
    }
    Ok(Stretch { step: grid.last_until(t), to: t, h: t - state.t })
}

impl TimeStepping {
    /// Takes one step from the time of the state to any later time `t` \[s\] within the grid, whether or not
    /// either is a point of it: a step that is halved at an impact, or one to the time of a measurement.
    ///
    /// Events of the user in the step take place at its end. Between two neighbours on the grid it is the
    /// step that [`step`](Self::step) takes, bit for bit; `step` goes on from points of the grid only.
    /// What depends on the length of a step is made anew where that is another than before.
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
    /// // It met the floor at 1/3 s; a step of 0.02 s misses that by its length at most, at a relative 6 m/s.
    /// assert!((state.q(ball)[0] - 0.5).abs() < 6.0 * 0.02);
    /// assert_eq!(simulation.step(&model, &mut state)?.map(|report| report.t), Some(1.0));
    /// # Ok::<(), siconos_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SimulationError::NotAhead`] for a time that is not finite or not later than that of the state;
    /// [`EventError::OutsideGrid`]; otherwise as [`step`](Self::step). The state is then bit for bit as it
    /// was.
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
