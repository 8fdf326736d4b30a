//! Hybrid systems whose events have times in closed form: which event fires when.

/// A ball that falls from height 1 at rest, x' = 1, y'' = -g, and loses nothing: its first impacts.
#[must_use]
pub fn lossless_impacts(g: f64, count: u32) -> Vec<f64> {
    let fall = (2.0 / g).sqrt();
    (1..=count).map(|n| f64::from(2 * n - 1) * fall).collect()
}

/// T' = 2 u - T from 1/2 with u = 1, the heater, switched where T leaves 1/2 .. 1: up towards 2 in ln(3/2),
/// down towards 0 in ln 2. The first firings of that one event.
#[must_use]
pub fn thermostat(count: u32) -> Vec<(usize, f64)> {
    let (up, period) = (1.5_f64.ln(), 3.0_f64.ln());
    let time = |n: u32| f64::from(n / 2) * period + if n.is_multiple_of(2) { up } else { period };
    (0..count).map(|n| (1, time(n))).collect()
}

/// v' = 2 - v, set back from 1 to 0: the first firings of that one event, every ln 2.
#[must_use]
pub fn neuron(count: u32) -> Vec<(usize, f64)> {
    (1..=count).map(|n| (1, f64::from(n) * 2.0_f64.ln())).collect()
}

/// x' = s from -1 with s = 1, b true; event 1, x, requires b and sets s = 0; event 2, -x - 1/2, requires not
/// b; event 3 sets s = -1 at 2, event 4 sets s = 1 at 3. All firings: though x rests at 0 for a second, event
/// 1 fires once there.
#[must_use]
pub fn armed_in_turn() -> [(usize, f64); 5] {
    [(1, 1.0), (3, 2.0), (2, 2.5), (4, 3.0), (1, 4.0)]
}
