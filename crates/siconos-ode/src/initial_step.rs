//! Length of the first step (Hairer, Norsett, Wanner 1993, section II.4). A method of the given order should
//! meet the tolerances with this length. The error is estimated from an explicit Euler step and the second
//! derivative.
//!
//! The published rule fails for a state that is zero except for rounding errors, which occurs after every
//! event, because the magnitude of such a state is not a meaningful scale. Here, the tolerance replaces this
//! magnitude, and the time in which the rate changes by its own magnitude replaces the time scale of the
//! state.
//!
//! The step is long enough to change the time in floating-point arithmetic. A step that is too long is
//! rejected later.

/// Minimum length of the first step, in multiples of the rounding error of t.
const SHORTEST: f64 = 1e3;

/// If the rate is below this value, in tolerances per second, it gives no time scale. The value is from
/// Hairer, Norsett, Wanner (1993).
const NEGLIGIBLE: f64 = 1e-5;
/// Length \[s\] of the trial step if the rate gives no time scale (Hairer, Norsett, Wanner 1993).
const BLIND: f64 = 1e-6;

/// Factor by which the step is reduced if f is not finite.
const RETREAT: f64 = 1e-2;

/// Start of an integration with error control, from which the length of the first step is computed.
///
/// ```
/// use siconos_ode::InitialStep;
///
/// // x' = 10 from x = 2e-15, which is zero except for rounding. At this time, steps below 1e-13 s
/// // do not change t.
/// let start = InitialStep { t: 1e3, x: &[2e-15], f: &[10.0], order: 5.0, longest: f64::INFINITY };
/// let h = start.length(|_| 1e-10, (&mut [0.0], &mut [0.0]), |_t, _x, f| {
///     f[0] = 10.0;
///     true
/// });
/// assert!(h > 1e-4 && h < 1.0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct InitialStep<'a> {
    /// Time \[s\].
    pub t: f64,
    /// State.
    pub x: &'a [f64],
    /// Rate of the state, a vector of the same length as `x`.
    pub f: &'a [f64],
    /// Order of the method.
    pub order: f64,
    /// Maximum step length \[s\]; can be infinite.
    pub longest: f64,
}

impl InitialStep<'_> {
    /// Returns the length of the first step \[s\]. `weight` returns the error weight of a component, which
    /// combines its absolute and relative tolerance. `evaluate` writes the rate at a time and a state, and
    /// returns `true` if the rate is finite. The two scratch vectors have the length of `x`.
    pub fn length(
        self,
        weight: impl Fn(usize) -> f64,
        (x_euler, f_euler): (&mut [f64], &mut [f64]),
        mut evaluate: impl FnMut(f64, &[f64], &mut [f64]) -> bool,
    ) -> f64 {
        let Self { t, x, f, order, longest } = self;
        let shortest = SHORTEST * f64::EPSILON * t.abs();
        let size_of_x = mean((0..x.len()).map(|i| x[i] / weight(i)));
        let size_of_f = mean((0..x.len()).map(|i| f[i] / weight(i)));
        let says_nothing = size_of_f < NEGLIGIBLE;
        let by_size = if says_nothing { BLIND } else { 0.01 * size_of_x.max(1.0) / size_of_f };
        let mut euler = by_size.max(shortest).min(longest);
        loop {
            for i in 0..x.len() {
                x_euler[i] = x[i] + euler * f[i];
            }
            if evaluate(t + euler, x_euler, f_euler) {
                break;
            }
            if euler <= shortest.max(f64::MIN_POSITIVE) {
                // Error control of the trial steps then determines the length.
                return euler;
            }
            euler *= RETREAT;
        }
        let change = mean((0..x.len()).map(|i| (f_euler[i] - f[i]) / weight(i))) / euler;
        let largest = size_of_f.max(change);
        let by_error =
            if largest <= 1e-15 { (1e-3 * euler).max(BLIND) } else { (0.01 / largest).powf(1.0 / order) };
        let by_change = if size_of_x < 1.0 && !says_nothing { size_of_f / change } else { 0.0 };
        by_error.min(by_change.max(100.0 * euler)).max(shortest).min(longest)
    }
}

/// Returns the root mean square of the values.
fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let n = values.len().max(1) as f64;
    (values.map(|value| value * value).sum::<f64>() / n).sqrt()
}
