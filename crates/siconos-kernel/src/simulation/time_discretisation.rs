//! Time grids.

use serde::{Deserialize, Serialize};

use crate::settings_error::SettingsError;

/// Time grid $t_0 < t_1 < \dots < t_N$ \[s\].
///
/// ```
/// use siconos_kernel::simulation::TimeDiscretisation;
///
/// let uniform = TimeDiscretisation::uniform(0.0, 1.0, 0.3)?;
/// assert_eq!(uniform.steps(), 3, "no shortened last step");
/// assert_eq!(uniform.exact_end().steps(), 4);
///
/// let free = TimeDiscretisation::from_times(vec![0.0, 0.1, 0.15, 0.4])?;
/// assert_eq!(free.time(2), Some(0.15));
/// assert!(TimeDiscretisation::from_times(vec![0.0, 0.1, 0.1]).is_err());
/// # Ok::<(), siconos_kernel::SettingsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Data", into = "Data")]
pub struct TimeDiscretisation {
    data: Data,
    steps: usize,
    /// Common length of all steps of a grid that was created from times, if the lengths of its steps differ
    /// only by the rounding errors of the times. `None` for other grids.
    common_step: Option<f64>,
}

/// Serialised form of a grid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Data {
    Uniform { t0: f64, t_end: f64, h: f64, exact_end: bool },
    Times(Vec<f64>),
}

/// Fraction of a step by which `(t_end - t0) / h` can fall short of an integer and still count as the
/// integer. For example, 10 / 0.005 must give 2000 steps, however the division rounds.
const WHOLE: f64 = 1e-9;

/// Relative rounding error of `(t_end - t0) / h`. It exceeds [`WHOLE`] if there are more than about a million
/// steps.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Number of steps of a grid without end.
const ENDLESS: usize = 1 << 50;

impl TimeDiscretisation {
    /// Creates the uniform grid $t_k = t_0 + k h$, without accumulated rounding errors. The grid ends at the
    /// last point that is not later than `t_end`.
    ///
    /// # Errors
    ///
    /// If an argument is not finite, `h` is not positive or is too small to change the time, or `t_end` is
    /// less than one step after `t0`: [`SettingsError::OutOfRange`].
    pub fn uniform(t0: f64, t_end: f64, h: f64) -> Result<Self, SettingsError> {
        Self::try_from(Data::Uniform { t0, t_end, h, exact_end: false })
    }

    /// Creates a uniform grid of `steps` steps of length `h`: $t_k = t_0 + k h$ for k from 0 to `steps`.
    ///
    /// ```
    /// # use siconos_kernel::simulation::TimeDiscretisation;
    /// let grid = TimeDiscretisation::of_steps(0.5, 0.1, 7)?;
    /// assert_eq!((grid.steps(), grid.time(7), grid.step_length(3)), (7, Some(0.5 + 7.0 * 0.1), Some(0.1)));
    /// assert!(TimeDiscretisation::of_steps(0.5, 0.1, 0).is_err());
    /// # Ok::<(), siconos_kernel::SettingsError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If an argument is not finite, `h` is not positive or is too small to change the time, or `steps` is 0:
    /// [`SettingsError::OutOfRange`].
    pub fn of_steps(t0: f64, h: f64, steps: usize) -> Result<Self, SettingsError> {
        let grid = Self::uniform(t0, t0 + steps as f64 * h, h)?;
        Ok(Self { steps, ..grid })
    }

    /// Creates a uniform grid without end: $t_k = t_0 + k h$. It has $2^{50}$ steps, which no run completes.
    /// Its points are those of any other uniform grid with this start and step.
    ///
    /// ```
    /// # use siconos_kernel::simulation::TimeDiscretisation;
    /// let grid = TimeDiscretisation::endless(0.0, 1e-3)?;
    /// assert!(grid.is_endless());
    /// assert_eq!(grid.time(700), TimeDiscretisation::uniform(0.0, 1.0, 1e-3)?.time(700));
    /// # Ok::<(), siconos_kernel::SettingsError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If an argument is not finite, or `h` is not positive or is too small to change the times:
    /// [`SettingsError::OutOfRange`].
    pub fn endless(t0: f64, h: f64) -> Result<Self, SettingsError> {
        Self::of_steps(t0, h, ENDLESS)
    }

    /// Creates a grid with steps of length `h` that ends exactly at `t_end`. The last step is shorter if the
    /// interval is not a multiple of `h`.
    ///
    /// Equivalent to [`uniform`](Self::uniform) followed by [`exact_end`](Self::exact_end), but `t_end` can
    /// be less than `h` after `t0`.
    ///
    /// ```
    /// # use siconos_kernel::simulation::TimeDiscretisation;
    /// let grid = TimeDiscretisation::uniform_until(0.0, 0.05, 0.1)?;
    /// assert_eq!((grid.steps(), grid.time(1), grid.step_length(0)), (1, Some(0.05), Some(0.05)));
    /// # Ok::<(), siconos_kernel::SettingsError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If an argument is not finite, `h` is not positive or is too small to change the time, or `t_end` is
    /// not after `t0`: [`SettingsError::OutOfRange`].
    pub fn uniform_until(t0: f64, t_end: f64, h: f64) -> Result<Self, SettingsError> {
        Self::try_from(Data::Uniform { t0, t_end, h, exact_end: true })
    }

    /// Creates a grid of `steps` equal steps from `t0` to `t_end`. The last point is exactly `t_end`.
    ///
    /// ```
    /// # use siconos_kernel::simulation::TimeDiscretisation;
    /// let grid = TimeDiscretisation::equal_steps(0.0, 0.7, 3)?;
    /// assert_eq!((grid.steps(), grid.time(3), grid.step_length(1)), (3, Some(0.7), Some(0.7 / 3.0)));
    /// # Ok::<(), siconos_kernel::SettingsError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a time is not finite, `t_end` is not after `t0`, `steps` is 0, or the steps are too short to change
    /// the time: [`SettingsError::OutOfRange`].
    pub fn equal_steps(t0: f64, t_end: f64, steps: usize) -> Result<Self, SettingsError> {
        if steps == 0 {
            return Err(SettingsError::OutOfRange { name: "steps", value: 0.0, must_be: "at least 1" });
        }
        if t_end <= t0 {
            let must_be = "after t0";
            return Err(SettingsError::OutOfRange { name: "t_end", value: t_end, must_be });
        }
        let grid = Self::uniform_until(t0, t_end, (t_end - t0) / steps as f64)?;
        Ok(Self { steps, ..grid })
    }

    /// Makes the grid end exactly at `t_end`. A uniform grid that ends earlier gets an additional, shorter
    /// last step.
    #[must_use]
    pub fn exact_end(self) -> Self {
        match self.data {
            Data::Uniform { t0, t_end, h, .. } => {
                let whole = whole_steps(t0, t_end, h);
                let is_short = t_end - (t0 + whole as f64 * h) > (WHOLE + ROUNDING * whole as f64) * h;
                let steps = if is_short { whole + 1 } else { whole };
                Self { data: Data::Uniform { t0, t_end, h, exact_end: true }, steps, common_step: None }
            }
            Data::Times(_) => self,
        }
    }

    /// Creates a grid from increasing times \[s\].
    ///
    /// # Errors
    ///
    /// If there are fewer than two times: [`SettingsError::TooFewTimes`]. If a time is not finite:
    /// [`SettingsError::OutOfRange`]. If the times do not increase: [`SettingsError::TimesNotIncreasing`].
    pub fn from_times(times: Vec<f64>) -> Result<Self, SettingsError> {
        Self::try_from(Data::Times(times))
    }

    /// Returns `true` if the grid was created by [`endless`](Self::endless).
    #[must_use]
    pub fn is_endless(&self) -> bool {
        self.steps >= ENDLESS
    }

    /// Returns the number of steps.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Returns the first time \[s\].
    #[must_use]
    pub fn t0(&self) -> f64 {
        match &self.data {
            Data::Uniform { t0, .. } => *t0,
            Data::Times(times) => times[0],
        }
    }

    /// Returns the time \[s\] of point `k` of the grid, or `None` beyond the end of the grid.
    #[must_use]
    pub fn time(&self, k: usize) -> Option<f64> {
        if k > self.steps {
            return None;
        }
        Some(match &self.data {
            Data::Uniform { t0, t_end, h, exact_end } => {
                let t = t0 + k as f64 * h;
                if *exact_end && k == self.steps { *t_end } else { t }
            }
            Data::Times(times) => times[k],
        })
    }

    /// Returns the index of the grid point nearest to `t`.
    #[must_use]
    pub fn nearest(&self, t: f64) -> usize {
        let below = self.last_until(t);
        let distance = |k: usize| self.time(k).map_or(f64::INFINITY, |time| (time - t).abs());
        if distance(below + 1) < distance(below) { below + 1 } else { below }
    }

    /// Returns the index of the last point that is not later than `t`, or 0 if all points are later.
    pub(super) fn last_until(&self, t: f64) -> usize {
        match &self.data {
            Data::Uniform { t0, h, .. } => {
                // The cast saturates and maps NaN to 0.
                let near = (((t - t0) / h).floor().max(0.0) as usize).min(self.steps);
                // The rounding error of the division is less than one step.
                let is_reached = |k: usize| self.time(k).is_some_and(|time| time <= t);
                match near {
                    _ if is_reached(near + 1) => near + 1,
                    0 => 0,
                    _ if is_reached(near) => near,
                    _ => near - 1,
                }
            }
            Data::Times(times) => times.partition_point(|&time| time <= t).saturating_sub(1),
        }
    }

    /// Returns the length \[s\] of the step that starts at point `k`, or `None` at the end.
    ///
    /// All steps of a uniform grid, except a shorter last one, have bit-identical lengths. Quantities that
    /// depend on the step length are therefore computed only once. This also holds for a grid created by
    /// [`from_times`](Self::from_times) if its steps are equal up to rounding error.
    #[must_use]
    pub fn step_length(&self, k: usize) -> Option<f64> {
        if k >= self.steps {
            return None;
        }
        Some(match &self.data {
            Data::Uniform { t0, t_end, h, exact_end } => {
                let short = *exact_end && k + 1 == self.steps && whole_steps(*t0, *t_end, *h) < self.steps;
                if short { t_end - (t0 + k as f64 * h) } else { *h }
            }
            Data::Times(times) => self.common_step.unwrap_or(times[k + 1] - times[k]),
        })
    }
}

fn whole_steps(t0: f64, t_end: f64, h: f64) -> usize {
    // `h` is checked to be positive and all arguments to be finite before the division; the cast saturates.
    let steps = (t_end - t0) / h;
    (steps + WHOLE + ROUNDING * steps).floor() as usize
}

/// Returns the mean step if all steps equal it up to the rounding errors of the times.
fn common_step(times: &[f64]) -> Option<f64> {
    let (first, last) = (*times.first()?, *times.last()?);
    let mean = (last - first) / (times.len() - 1) as f64;
    let rounding = 4.0 * f64::EPSILON * first.abs().max(last.abs());
    times.windows(2).all(|pair| (pair[1] - pair[0] - mean).abs() <= rounding).then_some(mean)
}

impl TryFrom<Data> for TimeDiscretisation {
    type Error = SettingsError;

    fn try_from(data: Data) -> Result<Self, SettingsError> {
        match data {
            Data::Uniform { t0, t_end, h, exact_end } => {
                for (name, value) in [("t0", t0), ("t_end", t_end), ("h", h)] {
                    if !value.is_finite() {
                        return Err(SettingsError::OutOfRange { name, value, must_be: "finite" });
                    }
                }
                if h <= 0.0 {
                    return Err(SettingsError::OutOfRange { name: "h", value: h, must_be: "positive" });
                }
                if t0 + h == t0 || t_end + h == t_end {
                    let must_be = "large enough to change the time when it is added";
                    return Err(SettingsError::OutOfRange { name: "h", value: h, must_be });
                }
                let steps = whole_steps(t0, t_end, h);
                let data = Data::Uniform { t0, t_end, h, exact_end: false };
                let uniform = Self { data, steps, common_step: None };
                let discretisation = if exact_end && t_end > t0 { uniform.exact_end() } else { uniform };
                if discretisation.steps == 0 {
                    let must_be = if exact_end { "after t0" } else { "at least one step after t0" };
                    return Err(SettingsError::OutOfRange { name: "t_end", value: t_end, must_be });
                }
                Ok(discretisation)
            }
            Data::Times(times) => {
                if times.len() < 2 {
                    return Err(SettingsError::TooFewTimes { count: times.len() });
                }
                if let Some(&value) = times.iter().find(|t| !t.is_finite()) {
                    return Err(SettingsError::OutOfRange { name: "time", value, must_be: "finite" });
                }
                if let Some(k) = times.windows(2).position(|pair| pair[1] <= pair[0]) {
                    return Err(SettingsError::TimesNotIncreasing {
                        index: k + 1,
                        time: times[k + 1],
                        previous: times[k],
                    });
                }
                let steps = times.len() - 1;
                let common_step = common_step(&times);
                Ok(Self { data: Data::Times(times), steps, common_step })
            }
        }
    }
}

impl From<TimeDiscretisation> for Data {
    fn from(discretisation: TimeDiscretisation) -> Self {
        discretisation.data
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uniform_grid_does_not_drift() {
        let grid = TimeDiscretisation::uniform(0.0, 10.0, 0.005).unwrap();
        assert_eq!(grid.steps(), 2000);
        assert_eq!(grid.time(2000), Some(10.0));
        assert_eq!(grid.time(2001), None);
        assert_eq!(grid.step_length(1999), Some(0.005));
        assert_eq!(grid.step_length(2000), None);
    }

    #[test]
    fn the_nearest_point_is_found_inside_and_outside() {
        for grid in [
            TimeDiscretisation::uniform(1.0, 2.0, 0.1).unwrap(),
            TimeDiscretisation::uniform(1.0, 2.0, 0.3).unwrap().exact_end(),
            TimeDiscretisation::from_times(vec![1.0, 1.5, 1.6, 2.0]).unwrap(),
        ] {
            for k in 0..=grid.steps() {
                assert_eq!(grid.nearest(grid.time(k).unwrap()), k);
            }
            assert_eq!((grid.nearest(-5.0), grid.nearest(9.0), grid.nearest(f64::NAN)), (0, grid.steps(), 0));
            assert_eq!(grid.nearest(1.0 + 1e-9), 0);
            for k in 0..grid.steps() {
                let (here, next) = (grid.time(k).unwrap(), grid.time(k + 1).unwrap());
                let within = [here, here.next_up(), next.next_down()].map(|t| grid.last_until(t));
                assert_eq!(within, [k; 3], "from {here} to {next}");
            }
            assert_eq!([0.5, 2.0, 3.0].map(|t| grid.last_until(t)), [0, grid.steps(), grid.steps()]);
        }
    }

    #[test]
    fn an_exact_end_shortens_only_the_last_step() {
        let grid = TimeDiscretisation::uniform(1.0, 2.0, 0.3).unwrap().exact_end();
        assert_eq!((grid.steps(), grid.time(4)), (4, Some(2.0)));
        assert_eq!(grid.step_length(2), Some(0.3));
        assert!((grid.step_length(3).unwrap() - 0.1).abs() < 1e-15);
        let whole = TimeDiscretisation::uniform(0.0, 10.0, 0.005).unwrap().exact_end();
        assert_eq!((whole.steps(), whole.step_length(1999)), (2000, Some(0.005)));
    }

    #[test]
    fn equal_steps_end_at_the_end() {
        for (t0, t_end) in [(0.0, 1.0), (0.1, 0.7), (-3.0, 1e6), (1.0, 1.0 + 1e-9), (0.0, 1e-290)] {
            for steps in [1, 2, 3, 7, 49, 1000, 999_983, 123_456_789, 4_000_000_007] {
                let Ok(grid) = TimeDiscretisation::equal_steps(t0, t_end, steps) else {
                    // The steps are too short to change the time.
                    assert!(t0 + (t_end - t0) / steps as f64 == t0 || t_end > 1e6 * (t_end - t0));
                    continue;
                };
                assert_eq!((grid.steps(), grid.time(steps)), (steps, Some(t_end)), "{t0} .. {t_end}");
                let h = (t_end - t0) / steps as f64;
                assert_eq!([0, steps - 1].map(|k| grid.step_length(k)), [Some(h); 2]);
                // A round trip through the serialised form returns the same grid.
                let again = TimeDiscretisation::try_from(Data::from(grid.clone()));
                assert_eq!(again.as_ref(), Ok(&grid));
                assert_eq!(TimeDiscretisation::uniform(t0, t_end, h).map(|grid| grid.steps()), Ok(steps));
            }
        }
        for (t0, t_end, steps) in [(0.0, 1.0, 0), (1.0, 1.0, 5), (1.0, 0.0, 5), (0.0, f64::NAN, 5)] {
            assert!(TimeDiscretisation::equal_steps(t0, t_end, steps).is_err());
        }
    }

    #[test]
    fn an_exact_end_may_be_within_the_first_step() {
        let grid = TimeDiscretisation::uniform_until(1.0, 1.25, 0.5).unwrap();
        assert_eq!((grid.steps(), grid.time(1), grid.step_length(0)), (1, Some(1.25), Some(0.25)));
        assert_eq!(
            TimeDiscretisation::uniform_until(1.0, 2.0, 0.3),
            TimeDiscretisation::uniform(1.0, 2.0, 0.3).map(TimeDiscretisation::exact_end)
        );
        assert!(TimeDiscretisation::uniform_until(1.0, 1.0, 0.5).is_err());
        assert!(TimeDiscretisation::uniform_until(1.0, 0.5, 0.5).is_err());
    }

    #[test]
    fn times_that_are_uniform_up_to_rounding_have_one_step_length() {
        let times: Vec<_> = (0..=1000).map(|k| 3.0 + f64::from(k) / 1000.0).collect();
        let grid = TimeDiscretisation::from_times(times).unwrap();
        let first = grid.step_length(0);
        assert!((0..1000).all(|k| grid.step_length(k) == first));
        assert!((first.unwrap() - 1e-3).abs() < 1e-18);
        let uneven = TimeDiscretisation::from_times(vec![0.0, 0.1, 0.2, 0.3 + 1e-9]).unwrap();
        assert!(uneven.step_length(2) > uneven.step_length(1));
    }

    #[test]
    fn what_is_no_grid_is_refused_with_the_number() {
        let refused = TimeDiscretisation::from_times(vec![0.0, 2.0, 1.0]).unwrap_err();
        assert_eq!(refused, SettingsError::TimesNotIncreasing { index: 2, time: 1.0, previous: 2.0 });
        assert_eq!(TimeDiscretisation::from_times(vec![3.0]), Err(SettingsError::TooFewTimes { count: 1 }));
        for (t0, t_end, h) in
            [(0.0, 1.0, -0.1), (0.0, 1.0, 0.0), (0.0, f64::NAN, 0.1), (1.0, 0.0, 0.1), (1e9, 2e9, 1e-9)]
        {
            assert!(matches!(
                TimeDiscretisation::uniform(t0, t_end, h),
                Err(SettingsError::OutOfRange { .. })
            ));
        }
    }
}
