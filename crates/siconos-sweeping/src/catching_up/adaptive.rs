//! Steps of adaptive length.

use serde::{Deserialize, Serialize};

use super::super::{MovingSet, SweepingError};
use super::{CatchingUp, SweepingReport};
use siconos_kernel::engine::{check_number, check_positive};

/// Settings of [`CatchingUp::integrate`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AdaptiveSettings {
    /// Tolerance on the difference between one step and two half steps, per component \[unit of the state\].
    /// Default: 1e-6. Must be positive.
    pub tolerance: f64,
    /// Length of the first step \[s\]. Default: 1/100 of the integration interval.
    pub h_initial: Option<f64>,
    /// Minimum step length, as a fraction of the integration interval \[1\]. A step of this length is
    /// accepted regardless of its error, for example at a jump of the set. Default: 1e-9. Must be positive
    /// and at most 1.
    pub shortest: f64,
    /// Maximum number of attempted steps, both accepted and rejected. Default: 1 000 000.
    pub max_steps: usize,
}

impl Default for AdaptiveSettings {
    fn default() -> Self {
        Self { tolerance: 1e-6, h_initial: None, shortest: 1e-9, max_steps: 1_000_000 }
    }
}

/// Progress of a run with adaptive steps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AdaptiveProgress {
    /// Time \[s\].
    pub t: f64,
    /// Length of the next step to attempt \[s\].
    pub h: f64,
    /// Number of steps attempted so far.
    pub tried: usize,
}

impl AdaptiveProgress {
    /// Creates the progress at time t0 of a run from t0 to `t_end` \[s\].
    ///
    /// # Errors
    ///
    /// If a setting is outside its range, or if `t_end` is not after t0 ([`SweepingError::Settings`]).
    pub fn new((t0, t_end): (f64, f64), settings: &AdaptiveSettings) -> Result<Self, SweepingError> {
        check_positive("tolerance", settings.tolerance)?;
        let is_part = |part: f64| part > 0.0 && part <= 1.0;
        check_number("shortest", settings.shortest, is_part, "positive and at most 1")?;
        let time = t_end - t0;
        check_positive("t_end - t0", time)?;
        let h = settings.h_initial.unwrap_or(0.01 * time);
        check_positive("h_initial", h)?;
        Ok(Self { t: t0, h, tried: 0 })
    }
}

/// Result of an adaptive step.
#[must_use = "an unsolved step is reported only here"]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AdaptiveStep {
    /// The step was accepted.
    Taken,
    /// A step of the minimum length was taken, although its one-step problem was not solved.
    Unsolved(SweepingReport),
    /// The maximum number of attempted steps was reached before a step was accepted.
    TooMany,
}

/// States at the discrete times of a run. The first state is the state after the initial jump.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepingTrajectory {
    n: usize,
    times: Vec<f64>,
    states: Vec<f64>,
    /// `true` if the run reached the end time and all steps were solved.
    pub is_complete: bool,
    /// Report of the step that was not solved; `None` if no step failed.
    pub failed: Option<SweepingReport>,
}

impl SweepingTrajectory {
    /// Returns the times \[s\], in increasing order.
    #[must_use]
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Returns the state at `times()[k]`, or `None` if k is out of range.
    #[must_use]
    pub fn state(&self, k: usize) -> Option<&[f64]> {
        self.states.get(k * self.n..(k + 1) * self.n)
    }

    fn push(&mut self, t: f64, u: &[f64]) {
        self.times.push(t);
        self.states.extend_from_slice(u);
    }
}

impl<S: MovingSet> CatchingUp<S> {
    /// Integrates the process from t0 to `t_end` \[s\] with adaptive steps. A step is accepted if its result
    /// differs from the result of two half steps by at most the tolerance. The result of the two half steps
    /// becomes the new state. On return u is the last state of the trajectory.
    ///
    /// ```
    /// use siconos_sweeping::{AdaptiveSettings, CatchingUp, FunctionSet};
    ///
    /// // A level that rises twice as fast from t = 1 on.
    /// let above = FunctionSet::new(1, |t: f64, x: &mut [f64]| x[0] = x[0].max(t.max(2.0 * t - 1.0)));
    /// let mut u = [0.0];
    /// let motion = CatchingUp::new(above).integrate((0.0, 2.0), &mut u, AdaptiveSettings::default())?;
    /// assert!(motion.is_complete && u == [3.0]);
    /// # Ok::<(), siconos_sweeping::SweepingError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a step of the minimum length fails, for the reasons listed under [`step`](Self::step). (A longer
    /// step that fails is repeated with a shorter length.) If a setting is outside its range, or if `t_end`
    /// is not after t0 ([`SweepingError::Settings`]).
    pub fn integrate(
        &mut self,
        (t0, t_end): (f64, f64),
        u: &mut [f64],
        settings: AdaptiveSettings,
    ) -> Result<SweepingTrajectory, SweepingError> {
        let mut progress = AdaptiveProgress::new((t0, t_end), &settings)?;
        let mut motion = SweepingTrajectory {
            n: u.len(),
            times: Vec::new(),
            states: Vec::new(),
            is_complete: false,
            failed: None,
        };
        let report = self.begin(t0, u)?;
        motion.push(t0, u);
        if !report.status.is_success() {
            motion.failed = Some(report);
            return Ok(motion);
        }
        let shortest = settings.shortest * (t_end - t0);
        while progress.t < t_end {
            let step = self.adaptive_step(&mut progress, (t_end, shortest), u, &settings)?;
            if step == AdaptiveStep::TooMany {
                return Ok(motion);
            }
            motion.push(progress.t, u);
            if let AdaptiveStep::Unsolved(report) = step {
                motion.failed = Some(report);
                return Ok(motion);
            }
        }
        motion.is_complete = true;
        Ok(motion)
    }

    /// Takes one accepted step of [`integrate`](Self::integrate) towards `t_end`. If the remaining time is at
    /// most 1.01 times the step length, the step ends exactly at `t_end`. A step of length `shortest` \[s\]
    /// is accepted regardless of its error. On entry u is the state before the step; on return u is the state
    /// after the step.
    ///
    /// ```
    /// use siconos_sweeping::{AdaptiveSettings, CatchingUp, FunctionSet, AdaptiveProgress};
    ///
    /// let above = FunctionSet::new(1, |t: f64, x: &mut [f64]| x[0] = x[0].max(t));
    /// let (mut sweep, mut u, settings) = (CatchingUp::new(above), [0.0], AdaptiveSettings::default());
    /// let mut progress = AdaptiveProgress::new((0.0, 2.0), &settings)?;
    /// while progress.t < 2.0 {
    ///     let _taken = sweep.adaptive_step(&mut progress, (2.0, 1e-9), &mut u, &settings)?;
    ///     assert_eq!(u[0], progress.t);
    /// }
    /// # Ok::<(), siconos_sweeping::SweepingError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a step of the minimum length fails, for the reasons listed under [`step`](Self::step). (A longer
    /// step that fails is repeated with a shorter length.)
    pub fn adaptive_step(
        &mut self,
        progress: &mut AdaptiveProgress,
        (t_end, shortest): (f64, f64),
        u: &mut [f64],
        settings: &AdaptiveSettings,
    ) -> Result<AdaptiveStep, SweepingError> {
        let (mut whole, mut halves) = (std::mem::take(&mut self.whole), std::mem::take(&mut self.halves));
        let step = self.try_steps(progress, (t_end, shortest), u, settings, (&mut whole, &mut halves));
        (self.whole, self.halves) = (whole, halves);
        step
    }

    fn try_steps(
        &mut self,
        progress: &mut AdaptiveProgress,
        (t_end, shortest): (f64, f64),
        u: &mut [f64],
        settings: &AdaptiveSettings,
        (whole, halves): (&mut Vec<f64>, &mut Vec<f64>),
    ) -> Result<AdaptiveStep, SweepingError> {
        while progress.tried < settings.max_steps {
            progress.tried += 1;
            let AdaptiveProgress { t, h, .. } = *progress;
            let left = t_end - t;
            let is_last = 1.01 * h >= left;
            let step = if is_last { left } else { h };
            for end in [&mut *whole, &mut *halves] {
                end.clear();
                end.extend_from_slice(u);
            }
            let middle = t + 0.5 * step;
            let end = if is_last { t_end } else { t + step };
            let mut try_both = || {
                let of_whole = self.step(t, step, whole)?;
                let of_first = self.step(t, middle - t, halves)?;
                Ok([of_whole, of_first, self.step(middle, end - middle, halves)?])
            };
            let reports = match try_both() {
                Ok(reports) => reports,
                Err(error) if step <= shortest => return Err(error),
                // The set can be empty at the end of a long step, so a shorter step is attempted.
                Err(_) => {
                    progress.h = (0.25 * step).max(shortest);
                    continue;
                }
            };
            let error = whole.iter().zip(&*halves).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            let failed = reports.into_iter().find(|report| !report.status.is_success());
            // If the motion is smooth, the error of a step is of order h^2, hence the square root.
            let factor = if failed.is_some() { 0.25 } else { 0.9 * (settings.tolerance / error).sqrt() };
            progress.h = (step * factor.clamp(0.2, 4.0)).max(shortest);
            if step <= shortest || (failed.is_none() && error <= settings.tolerance) {
                u.copy_from_slice(halves);
                progress.t = end;
                return Ok(failed.map_or(AdaptiveStep::Taken, AdaptiveStep::Unsolved));
            }
        }
        Ok(AdaptiveStep::TooMany)
    }
}
