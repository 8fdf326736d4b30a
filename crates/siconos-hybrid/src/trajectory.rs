//! Trajectory: the recorded part of a solution, with its events.

use super::EventNumber;
use super::HybridError;
use super::solution::HybridSolution;
use siconos_kernel::EventSide;
use siconos_kernel::engine::check_shape;

/// Recorded part of a [`HybridSolution`].
///
/// ```
/// use siconos_kernel::EventSide;
/// use siconos_hybrid::{Action, HybridSettings, HybridSolution, HybridSystem, Trigger, View};
///
/// // A sawtooth: v' = 2 - v, reset to 0 at 1.
/// let mut neuron = HybridSystem::first_order(["v"], |p: View, rate: &mut [f64]| rate[0] = 2.0 - p.x[0])?;
/// neuron.event(Trigger::root(|p: View| p.x[0] - 1.0), Action::set(|p| p.set(0, 0.0)))?;
/// let mut solution = HybridSolution::new(&neuron, 0.0, &[0.0], HybridSettings::default())?;
/// let _ = solution.at(3.0)?;
/// let trajectory = solution.trajectory();
/// let spike = trajectory.events().next().expect("there is one after ln 2");
/// assert!((spike.t - 2.0_f64.ln()).abs() < 1e-9);
/// let mut v = [0.0];
/// trajectory.write(spike.t, EventSide::Before, &mut v)?;
/// assert!((v[0] - 1.0).abs() < 1e-9);
/// trajectory.write(spike.t, EventSide::After, &mut v)?;
/// assert_eq!(v, [0.0]);
/// # Ok::<(), siconos_hybrid::HybridError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Trajectory<'a> {
    solution: &'a HybridSolution,
}

/// Instant at which events fired.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EventMark<'a> {
    /// Time \[s\].
    pub t: f64,
    /// Event numbers of the events, in the order in which they fired. An event can be listed more than once.
    pub events: &'a [EventNumber],
    /// All variables before the events: the continuous variables followed by the discrete variables.
    pub before: &'a [f64],
    /// All variables after the events.
    pub after: &'a [f64],
}

impl HybridSolution {
    /// Returns the recorded trajectory.
    #[must_use]
    pub fn trajectory(&self) -> Trajectory<'_> {
        Trajectory { solution: self }
    }

    /// Discards the trajectory up to the current point of the integration, where the record restarts. Later
    /// results do not change. Use this method to limit the memory of a long run that reads its trajectory as
    /// it proceeds.
    ///
    /// ```
    /// use siconos_hybrid::{HybridSettings, HybridSolution, HybridSystem, View};
    ///
    /// let decay = HybridSystem::first_order(["x"], |p: View, rate: &mut [f64]| rate[0] = -p.x[0])?;
    /// let mut solution = HybridSolution::new(&decay, 0.0, &[1.0], HybridSettings::default())?;
    /// let _ = solution.at(1.0)?;
    /// solution.forget_trajectory();
    /// let _ = solution.at(2.0)?;
    /// assert_eq!(solution.trajectory().span(), (1.0, 2.0));
    /// assert!(solution.at(0.5).is_err());
    /// # Ok::<(), siconos_hybrid::HybridError>(())
    /// ```
    pub fn forget_trajectory(&mut self) {
        self.record.clear(self.event_workspace.t, &self.event_workspace.values);
        self.integrator.set_recording(self.settings.record);
    }
}

impl<'a> Trajectory<'a> {
    /// Returns the time interval \[s\] of the recorded trajectory. It starts at the initial time, or where
    /// the trajectory was last discarded, and ends at the current point of the integration.
    #[must_use]
    pub fn span(&self) -> (f64, f64) {
        (self.solution.record.from, self.solution.event_workspace.t)
    }

    /// Returns the instants at which events fired, in the order of the integration.
    pub fn events(&self) -> impl ExactSizeIterator<Item = EventMark<'a>> + use<'a> {
        let solution = self.solution;
        let (record, n) = (&solution.record, solution.initial.len());
        record.marks.iter().enumerate().map(move |(place, mark)| EventMark {
            t: mark.t,
            events: &record.fired[mark.fired.0..mark.fired.1],
            before: record.values(place, n, 0),
            after: record.values(place, n, 1),
        })
    }

    /// Returns the times at which the integration stopped \[s\], in the order of integration and without
    /// duplicates. They are the ends of steps and the instants of events. Between two successive times, the
    /// solution is a polynomial of low degree.
    #[must_use]
    pub fn times(&self) -> Vec<f64> {
        let solution = self.solution;
        let sign = solution.sign();
        let from = solution.record.from;
        let mut times = vec![from];
        if let Some(record) = solution.integrator.record() {
            let is_kept = |t: &f64| sign * (t - from) > 0.0;
            times.extend(record.times().map(|s| sign * s).filter(is_kept));
        }
        times.extend(solution.record.marks.iter().map(|mark| mark.t));
        times.push(solution.event_workspace.t);
        times.sort_by(|a, b| (sign * a).total_cmp(&(sign * b)));
        times.dedup();
        times
    }

    /// Writes all variables at a time \[s\]: the continuous variables followed by the discrete variables. At
    /// an event, `side` selects the values before or after the event. If `values` has fewer entries than
    /// there are variables, the remaining variables are not written.
    ///
    /// # Errors
    ///
    /// [`HybridError::NotRecorded`] if the time has not been reached, or if it was not recorded.
    /// [`HybridError::Model`] if `values` is longer than the number of variables.
    pub fn write(&self, t: f64, side: EventSide, values: &mut [f64]) -> Result<(), HybridError> {
        let solution = self.solution;
        let (n, continuous) = (solution.initial.len(), solution.system.names.len());
        let wanted = values.len();
        check_shape("values", (wanted.min(n), 1), (wanted, 1))?;
        let sign = solution.sign();
        let marks = &solution.record.marks;
        let behind = marks.partition_point(|mark| sign * (mark.t - t) <= 0.0);
        if behind > 0 && marks[behind - 1].t == t {
            let side = usize::from(side == EventSide::After);
            values.copy_from_slice(&solution.record.values(behind - 1, n, side)[..wanted]);
            return Ok(());
        }
        if t == solution.event_workspace.t {
            values.copy_from_slice(&solution.event_workspace.values[..wanted]);
            return Ok(());
        }
        let (from, initial) = (solution.record.from, &solution.record.initial);
        if t == from {
            values.copy_from_slice(&initial[..wanted]);
            return Ok(());
        }
        if !solution.record.is_on || sign * (t - solution.event_workspace.t) > 0.0 || sign * (t - from) < 0.0
        {
            return Err(HybridError::NotRecorded { t });
        }
        let discrete = if behind == 0 { initial } else { solution.record.values(behind - 1, n, 1) };
        if wanted > continuous {
            values[continuous..].copy_from_slice(&discrete[continuous..wanted]);
        }
        if wanted >= continuous {
            return solution.write_continuous(t, &mut values[..continuous]);
        }
        let mut all = vec![0.0; continuous];
        solution.write_continuous(t, &mut all)?;
        values.copy_from_slice(&all[..wanted]);
        Ok(())
    }
}

impl HybridSolution {
    fn write_continuous(&self, t: f64, x: &mut [f64]) -> Result<(), HybridError> {
        self.integrator.recorded(self.sign() * t, x).map_err(|_unknown| HybridError::NotRecorded { t })
    }
}
