//! Hybrid systems whose event times are known in closed form.

/// Returns the first impact times of a ball that falls from rest at height 1 (y'' = -g) and bounces without
/// loss.
#[must_use]
pub fn lossless_impacts(g: f64, count: u32) -> Vec<f64> {
    let fall = (2.0 / g).sqrt();
    (1..=count).map(|n| f64::from(2 * n - 1) * fall).collect()
}

/// Returns the first firings of the only event of a thermostat: T' = 2 u - T from T = 1/2, with the heater u,
/// which is 1 at the start and switches between 1 and 0 when T leaves [1/2, 1]. T rises to 1 in ln(3/2) and
/// falls to 1/2 in ln 2.
#[must_use]
pub fn thermostat(count: u32) -> Vec<(usize, f64)> {
    let (up, period) = (1.5_f64.ln(), 3.0_f64.ln());
    let time = |n: u32| f64::from(n / 2) * period + if n.is_multiple_of(2) { up } else { period };
    (0..count).map(|n| (1, time(n))).collect()
}

/// Returns the first firings of the only event of v' = 2 - v, which resets v from 1 to 0: one firing every ln
/// 2.
#[must_use]
pub fn neuron(count: u32) -> Vec<(usize, f64)> {
    (1..=count).map(|n| (1, f64::from(n) * 2.0_f64.ln())).collect()
}

/// Returns all firings of a system with x' = s, from x = -1 with s = 1 and b true. Event 1 (trigger x)
/// requires b and sets s = 0. Event 2 (trigger -x - 1/2) requires that b is false. Event 3 sets s = -1 at t =
/// 2, and event 4 sets s = 1 at t = 3. Although x rests at 0 for one second, event 1 fires only once during
/// this time.
#[must_use]
pub fn armed_in_turn() -> [(usize, f64); 5] {
    [(1, 1.0), (3, 2.0), (2, 2.5), (4, 3.0), (1, 4.0)]
}
