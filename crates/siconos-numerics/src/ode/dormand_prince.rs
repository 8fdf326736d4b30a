//! The explicit method: Dormand and Prince (1980), order 5 with an embedded estimate of order 4, seven stages of which
//! the last is the first of the next step; controller, test of stiffness and dense output of Hairer, Norsett, Wanner
//! (1993), sections II.4 to II.6, and Hairer, Wanner (1996), section IV.2.

use super::OdeSettings;
use super::right_hand_side::{NotFinite, RightHandSide};
use super::stepper::{Trial, error_norm};

const STAGES: usize = 7;

const NODES: [f64; STAGES] = [0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];

/// Row i makes the state of stage i + 1 from the slopes before it. The last row is the solution itself.
const STAGE_WEIGHTS: [&[f64]; STAGES - 1] = [
    &[0.2],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
    &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
    &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];

/// Difference of the weights of order 5 and 4.
const ERROR_WEIGHTS: [f64; STAGES] =
    [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0];

/// Weights of the quartic term of the dense output.
const DENSE_WEIGHTS: [f64; STAGES] = [
    -12715105075.0 / 11282082432.0,
    0.0,
    87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0,
];

/// Beyond this h |lambda| a real eigenvalue is outside the region of stability.
pub(super) const STABILITY_LIMIT: f64 = 3.25;

/// The method and its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct DormandPrince {
    slopes: [Vec<f64>; STAGES],
    stage: Vec<f64>,
    error: Vec<f64>,
    dense: [Vec<f64>; 5],
    /// Error of the last accepted step, for the PI controller.
    error_before: f64,
    rejected_before: bool,
    stiff_steps: u32,
    calm_steps: u32,
}

impl DormandPrince {
    /// Forgets the past.
    pub(super) fn restart(&mut self, n: usize) {
        for vector in self.slopes.iter_mut().chain(&mut self.dense).chain([&mut self.stage, &mut self.error])
        {
            vector.clear();
            vector.resize(n, 0.0);
        }
        self.error_before = 1e-4;
        self.rejected_before = false;
        self.stiff_steps = 0;
        self.calm_steps = 0;
    }

    /// Whether the steps have been limited by stability.
    pub(super) fn is_stiff(&self) -> bool {
        self.stiff_steps >= 15
    }

    /// Tries a step from (t, x) with f(t, x) = `f`; writes the state at the end and f there when it is accepted.
    pub(super) fn step(
        &mut self,
        rhs: &mut RightHandSide<'_>,
        settings: &OdeSettings,
        (t, h): (f64, f64),
        (x, f): (&[f64], &[f64]),
        (x_new, f_new): (&mut [f64], &mut [f64]),
    ) -> Trial {
        if let Err(not_finite) = self.compute_stages(rhs, (t, h), (x, f), x_new) {
            return Trial::NotFinite(not_finite);
        }
        combine(&mut self.error, &self.slopes, &ERROR_WEIGHTS, h);
        let error = error_norm(settings, &self.error, x, x_new);
        // Proportional-integral control (Gustafsson 1988), with the exponents of DOPRI5.
        let (beta, safety) = (0.04, 0.9);
        let proportional = error.powf(0.2 - 0.75 * beta);
        if error.is_nan() || error > 1.0 {
            self.rejected_before = true;
            return Trial::Rejected { next: h / (proportional / safety).min(5.0) };
        }
        let factor = (proportional / self.error_before.powf(beta) / safety).clamp(0.1, 5.0);
        let next = if self.rejected_before { (h / factor).min(h) } else { h / factor };
        self.error_before = error.max(1e-4);
        self.rejected_before = false;
        self.watch_stiffness(h, x_new);
        f_new.copy_from_slice(&self.slopes[STAGES - 1]);
        self.prepare_dense_output(h, x, x_new);
        Trial::Accepted { next }
    }

    fn compute_stages(
        &mut self,
        rhs: &mut RightHandSide<'_>,
        (t, h): (f64, f64),
        (x, f): (&[f64], &[f64]),
        x_new: &mut [f64],
    ) -> Result<(), NotFinite> {
        self.slopes[0].copy_from_slice(f);
        for (row, weights) in STAGE_WEIGHTS.iter().enumerate() {
            let stage = row + 1;
            let (done, open) = self.slopes.split_at_mut(stage);
            // The last stage is the solution; the one before stays in `stage` for the test of stiffness.
            let target = if stage == STAGES - 1 { &mut *x_new } else { &mut self.stage[..] };
            combine(target, done, weights, h);
            for (value, start) in target.iter_mut().zip(x) {
                *value += start;
            }
            rhs.f(t + NODES[stage] * h, target, &mut open[0])?;
        }
        Ok(())
    }

    /// The last two stages lie at the same time: their slopes and states give the dominant eigenvalue.
    fn watch_stiffness(&mut self, h: f64, x_new: &[f64]) {
        let distance = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
        let slopes = distance(&self.slopes[STAGES - 1], &self.slopes[STAGES - 2]);
        let states = distance(x_new, &self.stage);
        if states > 0.0 && h * (slopes / states).sqrt() > STABILITY_LIMIT {
            self.calm_steps = 0;
            self.stiff_steps += 1;
        } else {
            self.calm_steps += 1;
            if self.calm_steps >= 6 {
                self.stiff_steps = 0;
            }
        }
    }

    fn prepare_dense_output(&mut self, h: f64, x: &[f64], x_new: &[f64]) {
        let [start, chord, bend, skew, quartic] = &mut self.dense;
        combine(quartic, &self.slopes, &DENSE_WEIGHTS, h);
        for i in 0..x.len() {
            start[i] = x[i];
            chord[i] = x_new[i] - x[i];
            bend[i] = h * self.slopes[0][i] - chord[i];
            skew[i] = chord[i] - h * self.slopes[STAGES - 1][i] - bend[i];
        }
    }

    /// The state at the fraction `s` of the last accepted step.
    pub(super) fn interpolate(&self, s: f64, x: &mut [f64]) {
        let r = 1.0 - s;
        let [start, chord, bend, skew, quartic] = &self.dense;
        for (i, value) in x.iter_mut().enumerate() {
            *value = start[i] + s * (chord[i] + r * (bend[i] + s * (skew[i] + r * quartic[i])));
        }
    }
}

/// Writes h times the combination of slopes.
fn combine(target: &mut [f64], slopes: &[Vec<f64>], weights: &[f64], h: f64) {
    target.fill(0.0);
    for (slope, weight) in slopes.iter().zip(weights) {
        for (value, k) in target.iter_mut().zip(slope) {
            *value += h * weight * k;
        }
    }
}
