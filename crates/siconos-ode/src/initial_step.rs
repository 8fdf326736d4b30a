//! The first step (Hairer, Norsett, Wanner 1993, section II.4): short enough that an explicit Euler step, and
//! an estimate of the second derivative, say that a method of the given order will meet the tolerances.
//!
//! What the published rule leaves open, and what happens after every event: a state that is zero but for
//! rounding. Its size is no scale, so it counts as of the size of its tolerance, and the time in which the
//! rate changes by its own size takes the place of that in which the state does. No step is shorter than can
//! be told apart from no step at all; one that is too long is rejected.

/// So many roundings of t are the shortest first step.
const SHORTEST: f64 = 1e3;

/// A rate of fewer tolerances per second says nothing about time; and the step \[s\] that is then tried (both
/// as published).
const NEGLIGIBLE: f64 = 1e-5;
const BLIND: f64 = 1e-6;

/// How far one goes back where f is not finite.
const RETREAT: f64 = 1e-2;

/// Where a method with steps by error control begins, and what its tolerances are.
///
/// ```
/// use siconos_ode::FirstStep;
///
/// // x' = 10 from x = 2e-15, which is zero but for rounding, at a time at which no step below 1e-13 s can be told from none.
/// let start = FirstStep { t: 1e3, x: &[2e-15], f: &[10.0], order: 5.0, longest: f64::INFINITY };
/// let h = start.length(|_| 1e-10, (&mut [0.0], &mut [0.0]), |_t, _x, f| {
///     f[0] = 10.0;
///     true
/// });
/// assert!(h > 1e-4 && h < 1.0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FirstStep<'a> {
    /// The time \[s\].
    pub t: f64,
    /// The state.
    pub x: &'a [f64],
    /// Its rate, as long.
    pub f: &'a [f64],
    /// The order of the method.
    pub order: f64,
    /// The longest step \[s\]; may be infinite.
    pub longest: f64,
}

impl FirstStep<'_> {
    /// The length \[s\] to begin with. `weight` is the absolute and the relative tolerance of a component
    /// together, `evaluate` writes the rate at a time and a state and says whether it is finite; the scratch
    /// vectors have the length of x.
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
                // From here on the trial steps find out how far one can go.
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

/// The root of the mean square.
fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let n = values.len().max(1) as f64;
    (values.map(|value| value * value).sum::<f64>() / n).sqrt()
}
