//! Event times of hybrid systems, in closed form.

/// Returns the times of the first `count` impacts of a ball that falls from rest at height 1 with y'' = -g
/// and bounces without loss of energy.
#[must_use]
pub fn lossless_impacts(g: f64, count: u32) -> Vec<f64> {
    let fall = (2.0 / g).sqrt();
    (1..=count).map(|n| f64::from(2 * n - 1) * fall).collect()
}

/// Returns the first `count` firings of the only event of a thermostat, as pairs of event number and time.
/// The temperature satisfies T' = 2 u - T and starts at 1/2. The heater u is 1 at the start and switches
/// between 1 and 0 when T leaves [1/2, 1]. T rises to 1 in the time ln(3/2) and falls to 1/2 in the time ln
/// 2.
#[must_use]
pub fn thermostat(count: u32) -> Vec<(usize, f64)> {
    let (up, period) = (1.5_f64.ln(), 3.0_f64.ln());
    let time = |n: u32| f64::from(n / 2) * period + if n.is_multiple_of(2) { up } else { period };
    (0..count).map(|n| (1, time(n))).collect()
}

/// Returns the first `count` firings of the only event of v' = 2 - v, as pairs of event number and time. The
/// event resets v from 1 to 0 and fires every ln 2.
#[must_use]
pub fn neuron(count: u32) -> Vec<(usize, f64)> {
    (1..=count).map(|n| (1, f64::from(n) * 2.0_f64.ln())).collect()
}

/// Returns all firings, as pairs of event number and time, of a system x' = s with a boolean variable b.
///
/// The system starts with x = -1, s = 1 and b true. Event 1 has the trigger x; it requires that b is true,
/// and sets b to false and s to 0. Event 2 has the trigger -x - 1/2; it requires that b is false, and sets b
/// to true. Event 3 sets s = -1 at t = 2, and event 4 sets s = 1 at t = 3. Although x stays at 0 from t = 1
/// to t = 2, event 1 fires only once in this interval.
#[must_use]
pub fn armed_in_turn() -> [(usize, f64); 5] {
    [(1, 1.0), (3, 2.0), (2, 2.5), (4, 3.0), (1, 4.0)]
}
