//! The derivative in time of functions of which only values are known.

use super::ModeError;

/// Steps that are tried, as negative powers of two \[s\]: added to a time, these are not rounded.
const STEPS: [i32; 8] = [3, 6, 9, 12, 15, 18, 21, 24];

/// Differences of order 4: central, and forward where the central ones would reach back before the beginning of the stretch of
/// smooth motion, at which the function may have a kink or a jump (Fornberg 1988, tables 1 and 3).
const CENTRAL: [(f64, f64); 4] = [(-2.0, 1.0 / 12.0), (-1.0, -2.0 / 3.0), (1.0, 2.0 / 3.0), (2.0, -1.0 / 12.0)];
const FORWARD: [(f64, f64); 5] = [(0.0, -25.0 / 12.0), (1.0, 4.0), (2.0, -3.0), (3.0, 4.0 / 3.0), (4.0, -0.25)];

/// The differences, their step, and memory.
#[derive(Clone, Debug, Default)]
pub(super) struct TimeDerivative {
    begin: f64,
    step: f64,
    value: Vec<f64>,
    coarse: Vec<f64>,
    fine: Vec<f64>,
}

impl TimeDerivative {
    pub(super) fn new(size: usize) -> Self {
        let zeros = || vec![0.0; size];
        Self { begin: f64::NEG_INFINITY, step: 2.0_f64.powi(-13), value: zeros(), coarse: zeros(), fine: zeros() }
    }

    /// Begins a stretch of smooth motion at t, and takes the step at which half of it changes the result least: between the error
    /// of the formula, which grows with the step, and rounding, which grows without it.
    pub(super) fn choose_step(
        &mut self,
        t: f64,
        mut function: impl FnMut(f64, &mut [f64]) -> Result<(), ModeError>,
    ) -> Result<(), ModeError> {
        self.begin = t;
        let mut best = (f64::INFINITY, self.step);
        let (mut coarse, mut fine) = (std::mem::take(&mut self.coarse), std::mem::take(&mut self.fine));
        for step in STEPS.map(|digits| 2.0_f64.powi(-digits)) {
            self.step = step;
            self.evaluate(t, &mut coarse, &mut function)?;
            self.step = 0.5 * step;
            self.evaluate(t, &mut fine, &mut function)?;
            let change = coarse.iter().zip(&fine).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            if change < best.0 {
                best = (change, 0.5 * step);
            }
        }
        (self.coarse, self.fine, self.step) = (coarse, fine, best.1);
        Ok(())
    }

    /// Writes the derivative at t.
    pub(super) fn evaluate(
        &mut self,
        t: f64,
        out: &mut [f64],
        mut function: impl FnMut(f64, &mut [f64]) -> Result<(), ModeError>,
    ) -> Result<(), ModeError> {
        out.fill(0.0);
        let formula: &[(f64, f64)] = if t - 2.0 * self.step >= self.begin { &CENTRAL } else { &FORWARD };
        for (place, weight) in formula {
            function(t + place * self.step, &mut self.value)?;
            for (out, value) in out.iter_mut().zip(&self.value) {
                *out += weight / self.step * value;
            }
        }
        Ok(())
    }
}
