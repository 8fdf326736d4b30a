//! Separation of a motion into smooth intervals and jumps.

use super::Points;

/// Smooth intervals of a motion, and its jumps. Each jump consists of two points and a break.
pub(super) struct Parted {
    pub(super) smooth: Points,
    pub(super) leaps: Points,
}

const BREAK: (f64, f64) = (f64::NAN, f64::NAN);

impl Parted {
    /// Separates points at the times `t`. Two successive points with equal times are a jump. Points without a
    /// time are omitted.
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
