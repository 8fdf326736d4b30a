//! Time derivatives, by finite differences, of functions without a given derivative.

/// Exponents e of the finite-difference steps $2^{-e}$ that are tried, in units of the time scale of the
/// model. Powers of two keep the rounding error of the evaluation times small.
const STEPS: [i32; 8] = [3, 6, 9, 12, 15, 18, 21, 24];
/// Number of nodes. The polynomial of degree 4 through the nodes is differentiated.
const NODES: usize = 5;
/// Minimum distance of the last node from the end of the interval, as a multiple of the finite-difference
/// step.
const CLEARANCE: f64 = 0.125;

/// Derivative of a function on an interval of smooth motion.
///
/// In the interior of the interval, the nodes are centred at the evaluation time (central differences of
/// order 4). Near both ends, the nodes stay within the interval, because the function can have a kink or a
/// jump there. The weights change continuously with time.
#[derive(Clone, Debug, Default)]
pub(super) struct TimeDerivative {
    begin: f64,
    end: f64,
    step: f64,
    value: Vec<f64>,
    coarse: Vec<f64>,
    fine: Vec<f64>,
}

impl TimeDerivative {
    pub(super) fn new(size: usize) -> Self {
        let zeros = || vec![0.0; size];
        let (begin, end, step) = (f64::NEG_INFINITY, f64::INFINITY, 2.0_f64.powi(-STEPS[3]));
        Self { begin, end, step, value: zeros(), coarse: zeros(), fine: zeros() }
    }

    /// Starts an interval of smooth motion, and chooses the finite-difference step. The chosen step is the
    /// one for which halving changes the derivative least. It balances the truncation error, which grows with
    /// the step, and the rounding error, which grows as the step shrinks.
    pub(super) fn choose_step(
        &mut self,
        (begin, end): (f64, f64),
        time_scale: f64,
        mut function: impl FnMut(f64, &mut [f64]),
    ) {
        (self.begin, self.end) = (begin, end);
        let longest = (end - begin) / (NODES as f64 - 1.0 + CLEARANCE);
        let mut best = (f64::INFINITY, longest.min(2.0_f64.powi(-STEPS[3]) * time_scale));
        let (mut coarse, mut fine) = (std::mem::take(&mut self.coarse), std::mem::take(&mut self.fine));
        for step in
            STEPS.map(|digits| 2.0_f64.powi(-digits) * time_scale).into_iter().filter(|step| *step <= longest)
        {
            self.step = step;
            self.evaluate(begin, &mut coarse, &mut function);
            self.step = 0.5 * step;
            self.evaluate(begin, &mut fine, &mut function);
            let change = coarse.iter().zip(&fine).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            if change < best.0 {
                best = (change, 0.5 * step);
            }
        }
        (self.coarse, self.fine, self.step) = (coarse, fine, best.1);
    }

    /// Writes the time derivative of `function` at time t to `out`.
    pub(super) fn evaluate(&mut self, t: f64, out: &mut [f64], mut function: impl FnMut(f64, &mut [f64])) {
        let length = NODES as f64 - 1.0;
        let last = self.end - (length + CLEARANCE) * self.step;
        let first = (t - 0.5 * length * self.step).min(last).max(self.begin);
        let place = (t - first) / self.step;
        out.fill(0.0);
        for node in 0..NODES {
            let weight = weight(node, place) / self.step;
            if weight != 0.0 {
                function(first + node as f64 * self.step, &mut self.value);
                for (out, value) in out.iter_mut().zip(&self.value) {
                    *out += weight * value;
                }
            }
        }
    }
}

/// Returns the derivative, at `place`, of the Lagrange basis polynomial of a node. The nodes are 0, 1, 2, ...
fn weight(node: usize, place: f64) -> f64 {
    let others = || (0..NODES).filter(move |k| *k != node);
    let scale: f64 = others().map(|k| node as f64 - k as f64).product();
    let without =
        |left_out: usize| -> f64 { others().filter(|k| *k != left_out).map(|k| place - k as f64).product() };
    others().map(without).sum::<f64>() / scale
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The derivative of sin(3 t) on (0, 1) is accurate at both ends and inside, without evaluations outside.
    #[test]
    fn derivative_within_a_stretch() {
        let mut derivative = TimeDerivative::new(1);
        let function = |t: f64, h: &mut [f64]| {
            assert!((0.0..1.0).contains(&t), "looked at {t}");
            h[0] = (3.0 * t).sin();
        };
        derivative.choose_step((0.0, 1.0), 1.0, function);
        let mut rate = [0.0];
        for t in [0.0, 1e-6, 1e-3, 0.3, 0.7, 0.999, 1.0] {
            derivative.evaluate(t, &mut rate, function);
            let error = (rate[0] - 3.0 * (3.0 * t).cos()).abs();
            assert!(error <= 1e-9, "t = {t}: off by {error:e}");
        }
    }
}
