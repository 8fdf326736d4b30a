//! A motion parted into what is smooth and its jumps.

use super::Points;

/// The stretches between jumps, and the jumps: two points each with a break behind them.
pub(super) struct Parted {
    pub(super) smooth: Points,
    pub(super) leaps: Points,
}

const BREAK: (f64, f64) = (f64::NAN, f64::NAN);

impl Parted {
    /// Parts the points that stand at these times: two neighbours that share a time are a jump. Points
    /// behind the last time are left out.
    pub(super) fn new(
        t: impl IntoIterator<Item = f64>,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Self {
        let (mut smooth, mut leaps) = (Points::new(), Points::new());
        let mut previous = None;
        for (t, point) in t.into_iter().zip(points) {
            if let Some((before, from)) = previous
                && before == t
                && from != point
            {
                leaps.extend([from, point, BREAK]);
                smooth.push(BREAK);
            }
            smooth.push(point);
            previous = Some((t, point));
        }
        Self { smooth, leaps }
    }
}
