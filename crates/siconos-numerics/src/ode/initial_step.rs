//! The first step (Hairer, Norsett, Wanner 1993, section II.4): short enough that an explicit Euler step, and an
//! estimate of the second derivative, say that a method of the given order will meet the tolerances.

use super::OdeSettings;
use super::right_hand_side::{NotFinite, RightHandSide};

/// Proposes the length of the first step; `f` is f(t, x), the scratch vectors have the length of x.
pub(super) fn initial_step(
    rhs: &mut RightHandSide<'_>,
    settings: &OdeSettings,
    order: f64,
    t: f64,
    (x, f): (&[f64], &[f64]),
    scratch: (&mut [f64], &mut [f64]),
    longest: f64,
) -> Result<f64, NotFinite> {
    if let Some(h) = settings.h_initial {
        return Ok(h.min(longest));
    }
    let (x_euler, f_euler) = scratch;
    let weight =
        |i: usize| settings.absolute_tolerance.of(i) + settings.relative_tolerance.of(i) * x[i].abs();
    let (mut size_x, mut size_f) = (0.0, 0.0);
    for i in 0..x.len() {
        size_x += (x[i] / weight(i)).powi(2);
        size_f += (f[i] / weight(i)).powi(2);
    }
    let floor = 1e-10;
    let euler = if size_x <= floor || size_f <= floor { 1e-6 } else { 0.01 * f64::sqrt(size_x / size_f) };
    let euler = euler.min(longest);
    for i in 0..x.len() {
        x_euler[i] = x[i] + euler * f[i];
    }
    rhs.f(t + euler, x_euler, f_euler)?;
    let second = (0..x.len()).map(|i| ((f_euler[i] - f[i]) / weight(i)).powi(2)).sum::<f64>().sqrt() / euler;
    let largest = f64::sqrt(size_f).max(second);
    let h = if largest <= 1e-15 { (1e-3 * euler).max(1e-6) } else { (0.01 / largest).powf(1.0 / order) };
    Ok(h.min(100.0 * euler).min(longest))
}
