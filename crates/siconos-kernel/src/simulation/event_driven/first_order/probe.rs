//! Acceptance test of a mode: signs of its guards just after a given time.

use super::ModeError;
use super::island::Island;

/// Maximum magnitude of a guard that counts as zero, relative to the magnitude of its terms.
pub(super) const ZERO: f64 = 1e-11;
/// Like [`ZERO`], but for guards that have fired and for constraints that the state must satisfy without
/// lambda. This value covers the integration error.
pub(super) const NEARLY_ZERO: f64 = 1e-9;
/// Distance below zero to which a guard can fall without an event, as a fraction of the magnitude of its
/// terms.
const MARGIN: f64 = 1e-8;
/// Maximum change of a guard over the short test motion that counts as zero, relative to the magnitude of its
/// terms.
const NO_CHANGE: f64 = 1e-11;
/// Duration of the short test motion of a mode, as a fraction of the time in which x or its rate changes by
/// its own magnitude.
const PROBE: f64 = 1e-4;
/// Maximum time between the state and the located root of a guard that fired, as a multiple of the tolerance
/// of root location.
const ROOT_WIDTHS: f64 = 10.0;

/// Returns the largest magnitude of the values. Each value is first divided by its unit.
fn largest(values: &[f64], units: &[f64]) -> f64 {
    values.iter().zip(units).fold(0.0, |largest, (value, unit)| largest.max(value.abs() / unit))
}

impl Island {
    /// Returns `true` if the motion with the given active set, starting at (t, x), keeps all guards
    /// nonnegative. Guards that have fired are zero at t.
    ///
    /// A guard that is zero at t is tested by its change over a short time of the motion in this mode. If
    /// this change is zero up to rounding error, the change over twice this time is tested. If it is also
    /// zero, the sign is unknown. The mode is then accepted, and the guard is marked as silent.
    pub(super) fn admits(&mut self, t: f64, x: &[f64], is_active: &[bool]) -> Result<bool, ModeError> {
        match self.probe(t, x, is_active) {
            // The mode is regular at t, but becomes singular immediately afterwards.
            Err(ModeError::SingularMode { .. }) => Ok(false),
            answer => answer,
        }
    }

    fn probe(&mut self, t: f64, x: &[f64], is_active: &[bool]) -> Result<bool, ModeError> {
        let rows = self.data.rows();
        self.data.evaluate(t, x, true)?;
        if self.trial.set(is_active, &self.data).is_err() {
            // lambda is not unique on this set.
            return Ok(false);
        }
        self.trial.evaluate(&self.data, true);
        self.measure(x);
        // The state at a located root satisfies the constraints of the next mode up to the error of the root.
        let (rate, time) = match self.has_mode && !self.fired.is_empty() {
            true => (&self.mode.rate[..], ROOT_WIDTHS * self.integration.root_tolerance),
            false => (&self.data.rate[..], 0.0),
        };
        if self.trial.inconsistency(&self.data, &self.magnitudes, rate, time) > NEARLY_ZERO {
            return Ok(false);
        }
        // If a guard is clearly negative, no test motion is needed.
        let mut sizes = vec![0.0; rows];
        self.trial.guard_sizes(&self.data, &self.magnitudes, &mut sizes);
        let now: Vec<f64> = (0..rows).map(|row| self.trial.guard(row)).collect();
        let watched: Vec<usize> = (0..rows).filter(|row| !self.data.is_equality[*row]).collect();
        if watched.iter().any(|&row| now[row] < -NEARLY_ZERO * sizes[row] && !self.fired.contains(&row)) {
            return Ok(false);
        }
        let time = self.time_scale(t, x)?;
        let s = (PROBE * time).max(1e3 * f64::EPSILON * t.abs());
        self.magnitudes.move_on(&self.trial.rate, time);
        self.trial.guard_sizes(&self.data, &self.magnitudes, &mut sizes);
        let after = self.guards_after(t, x, s)?;
        let twice = self.guards_after(t, x, 2.0 * s)?;
        self.is_zero.fill(false);
        self.is_silent.fill(false);
        for &row in &watched {
            let (first, second) = (after[row] - now[row], twice[row] - now[row]);
            let tolerance = if self.fired.contains(&row) {
                NEARLY_ZERO * sizes[row] + first.abs() / s * ROOT_WIDTHS * self.integration.root_tolerance
            } else {
                ZERO * sizes[row]
            };
            if now[row].abs() > tolerance {
                if now[row] < 0.0 {
                    return Ok(false);
                }
                continue;
            }
            self.is_zero[row] = true;
            let negligible = NO_CHANGE * sizes[row];
            let change = if first.abs() > negligible { first } else { second };
            if change < -negligible {
                return Ok(false);
            }
            self.is_silent[row] = change <= negligible;
        }
        Ok(true)
    }

    /// Computes the magnitudes of the terms of the guards, with the x of the last evaluation.
    pub(super) fn measure(&mut self, x: &[f64]) {
        self.data.find_offsets(x);
        self.magnitudes.set(x, &self.data.rate, self.data.time_scale);
    }

    /// Sets the margins of the guards at the start of a mode.
    pub(super) fn set_margins(&mut self, x: &[f64]) {
        self.magnitudes.resolve(true);
        self.measure(x);
        self.magnitudes.resolve(false);
        self.mode.guard_sizes(&self.data, &self.magnitudes, &mut self.margins);
        self.margins.iter_mut().for_each(|margin| *margin *= MARGIN);
    }

    /// Returns a time in which x or its rate changes by its own magnitude, in the norm of the error control
    /// of the integrator. The time is at most the time scale of the model. On return, the data are evaluated
    /// at (t, x).
    fn time_scale(&mut self, t: f64, x: &[f64]) -> Result<f64, ModeError> {
        let rate = self.trial.rate.clone();
        let states = x.iter().zip(&self.data.state_places);
        let weights: Vec<f64> = states.map(|(x, &place)| self.integration.weight(place, *x)).collect();
        let (size, speed) = (largest(x, &weights), largest(&rate, &weights));
        // If x is below the resolution of the integration, it does not determine a time.
        let of_x = if speed > 0.0 && size >= 1.0 { size / speed } else { f64::INFINITY };
        let of_x = of_x.min(self.data.time_scale);
        let s = (PROBE * of_x).max(1e3 * f64::EPSILON * t.abs());
        self.move_trial(t, x, &rate, s)?;
        let change: Vec<f64> = self.trial.rate.iter().zip(&rate).map(|(a, b)| (a - b) / s).collect();
        let change = largest(&change, &weights);
        let of_rate = if change > 0.0 && speed > 0.0 { speed / change } else { of_x };
        self.trial.evaluate_at(&mut self.data, t, x, true)?;
        Ok(of_x.min(of_rate))
    }

    /// Returns the guards of the trial mode at the time t + s, computed by the midpoint rule. On return, the
    /// data are evaluated at (t, x).
    fn guards_after(&mut self, t: f64, x: &[f64], s: f64) -> Result<Vec<f64>, ModeError> {
        for time in [0.5 * s, s] {
            let rate = self.trial.rate.clone();
            self.move_trial(t, x, &rate, time)?;
        }
        let guards = (0..self.data.rows()).map(|row| self.trial.guard(row)).collect();
        self.trial.evaluate_at(&mut self.data, t, x, true)?;
        Ok(guards)
    }

    /// Evaluates the trial mode after a motion from (t, x) with a constant rate over `time`.
    fn move_trial(&mut self, t: f64, x: &[f64], rate: &[f64], time: f64) -> Result<(), ModeError> {
        let moved: Vec<f64> = x.iter().zip(rate).map(|(x, v)| x + time * v).collect();
        self.trial.evaluate_at(&mut self.data, t + time, &moved, true)
    }
}
