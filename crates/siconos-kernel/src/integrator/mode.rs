//! Exact recursion of a damped mode $m \ddot q + c \dot q + k q = F$ over a step.

use ndarray::array;
use siconos_linalg::{ExponentialError, zero_order_hold};

/// Recursion of the positions of a mode,
/// $q_{k+1} = (1 + d - g) q_k - d q_{k-1} + h^2 \frac{g}{\omega^2 h^2} \frac{F}{m}$.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mode {
    /// $d = e^{-2 \sigma h}$.
    pub(super) decay: f64,
    /// $g = 1 + d - 2 e^{-\sigma h} \cos(\omega_d h)$, near $\omega^2 h^2$ for short steps.
    pub(super) return_rate: f64,
    /// $g / (\omega^2 h^2)$, near 1 for short steps.
    pub(super) drive: f64,
}

impl Mode {
    /// Creates the recursion for damping and stiffness per mass, c/m and k/m, and a step length.
    pub(super) fn new((damping, stiffness): (f64, f64), h: f64) -> Self {
        let sigma = 0.5 * damping;
        let decay = (-damping * h).exp();
        let discriminant = stiffness - sigma * sigma;
        if discriminant > 0.0 {
            // Evaluate 1 + E^2 - 2 E cos x without cancellation.
            let e = (-sigma * h).exp();
            let half_sine = (0.5 * discriminant.sqrt() * h).sin();
            let return_rate = (-sigma * h).exp_m1().powi(2) + 4.0 * e * half_sine * half_sine;
            return Self { decay, return_rate, drive: return_rate / (stiffness * h * h) };
        }
        // There are two real decay rates. Their product is the stiffness per mass, which determines the
        // smaller rate.
        let root = (-discriminant).sqrt();
        let large = if sigma >= 0.0 { sigma + root } else { sigma - root };
        let small = if large == 0.0 { 0.0 } else { stiffness / large };
        let drive = mean_decay(large * h) * mean_decay(small * h);
        Self { decay, return_rate: (-large * h).exp_m1() * (-small * h).exp_m1(), drive }
    }

    /// Returns the mean velocity over a step that starts at a given position and velocity, under a constant
    /// force divided by the mass.
    pub(super) fn first_step(
        (damping, stiffness): (f64, f64),
        (q, v): (f64, f64),
        force: f64,
        h: f64,
    ) -> Result<f64, ExponentialError> {
        // Multiply positions by a frequency, so that both unknowns are of similar magnitude.
        let scale = stiffness.abs().sqrt().max(1.0 / h);
        let hold = zero_order_hold(&array![[0.0, scale], [-stiffness / scale, -damping]], h)?;
        let end = hold.transition[[0, 0]] * q * scale + hold.transition[[0, 1]] * v;
        Ok((end + hold.integral[[0, 1]] * force - q * scale) / (scale * h))
    }
}

/// Returns $(1 - e^{-x}) / x$.
fn mean_decay(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { -(-x).exp_m1() / x }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kinds_of_damping_satisfy_their_characteristic_equation() {
        // The polynomial z^2 - (1 + d - g) z + d has the roots exp(-r h), where r^2 - c r + k = 0.
        for (damping, stiffness) in [
            (0.0, 0.0),
            (0.0, 9.0),
            (0.4, 9.0),
            (6.0, 9.0),
            (10.0, 9.0),
            (3.0, 0.0),
            (2.0, -3.0),
            (-1.0, 0.2),
        ] {
            let h = 0.1;
            let mode = Mode::new((damping, stiffness), h);
            let at_one = 1.0 - (1.0 + mode.decay - mode.return_rate) + mode.decay;
            assert!((at_one - mode.return_rate).abs() < 1e-15);
            let trace = 1.0 + mode.decay - mode.return_rate;
            let hold = zero_order_hold(&array![[0.0, 1.0], [-stiffness, -damping]], h).expect("finite");
            let expected = hold.transition[[0, 0]] + hold.transition[[1, 1]];
            assert!((trace - expected).abs() < 1e-14, "{damping} {stiffness}: {trace} {expected}");
            // A mode that starts at rest at the equilibrium under a constant force does not move.
            let moved = mode.drive * stiffness * h * h - mode.return_rate;
            assert!(moved.abs() < 1e-15, "{damping} {stiffness}: {moved}");
        }
    }
}
