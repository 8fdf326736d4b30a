//! One axis: its ends, and the place of a number between them.

use crate::Scale;
use crate::ticks::{Ticks, linear, logarithmic, power_of_ten, round_step};

/// Ends of an axis and how it is divided.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Axis {
    low: f64,
    high: f64,
    scale: Scale,
}

/// Data that vary by less than this, relative to their size, are drawn as a constant: what is left is
/// rounding.
const CONSTANT: f64 = 1e-12;

/// An end this close to a round number, relative to the length of the axis, is moved there.
const SNAP: f64 = 0.01;

impl Axis {
    /// An axis with given ends; `None` when they are not finite, not in rising order, or have no logarithm.
    pub(crate) fn explicit((low, high): (f64, f64), scale: Scale) -> Option<Self> {
        let possible = low.is_finite() && high.is_finite() && low < high;
        let positive = scale == Scale::Linear || low > 0.0;
        (possible && positive).then_some(Self { low, high, scale })
    }

    /// An axis that holds all these numbers, and at both ends `margin` of its length more.
    pub(crate) fn around(values: impl Iterator<Item = f64>, scale: Scale, margin: f64) -> Self {
        let placed = values.filter(|x| x.is_finite() && (scale == Scale::Linear || *x > 0.0));
        let (low, high) =
            placed.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        let (low, high) = match scale {
            Scale::Linear => widened((low, high), margin),
            Scale::Logarithmic => {
                let (low, high) = widened((low.log10(), high.log10()), margin);
                // Nothing may leave the range of a double on the way back.
                (10_f64.powf(low.max(-300.0)), 10_f64.powf(high.min(300.0)))
            }
        };
        Self { low, high, scale }
    }

    /// Place of a number: 0 at the low end, 1 at the high end, not finite when it has none.
    pub(crate) fn fraction(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Logarithmic => (value.log10() - self.low.log10()) / (self.high.log10() - self.low.log10()),
        }
    }

    /// The distance of the ends, on a linear axis.
    pub(crate) fn length(&self) -> f64 {
        self.high - self.low
    }

    pub(crate) fn ticks(&self, wanted: usize) -> Ticks {
        match self.scale {
            Scale::Linear => linear((self.low, self.high), wanted),
            Scale::Logarithmic => logarithmic((self.low, self.high), wanted),
        }
    }

    /// Whether zero lies strictly between the ends.
    pub(crate) fn has_zero_inside(&self) -> bool {
        self.low < 0.0 && self.high > 0.0
    }
}

/// The range with `margin` of its length added at both ends; a range without length gets one.
fn widened((low, high): (f64, f64), margin: f64) -> (f64, f64) {
    if low > high {
        // There was no number at all.
        return (0.0, 1.0);
    }
    let size = low.abs().max(high.abs());
    let length = high - low;
    if length <= CONSTANT * size || length == 0.0 {
        let half = if size == 0.0 { 1.0 } else { 0.1 * size };
        return (low - half, high + half);
    }
    if margin > 0.0 {
        return (low - margin * length, high + margin * length);
    }
    // A run to t = 2 often ends at 1.9995; the axis still ends at 2, with a label there.
    let (mantissa, exponent) = round_step(0.1 * length);
    let step = mantissa * power_of_ten(exponent);
    let (floor, ceiling) = ((low / step).floor() * step, (high / step).ceil() * step);
    let near = |end: f64, round: f64| if (end - round).abs() < SNAP * length { round } else { end };
    (near(low, floor), near(high, ceiling))
}

#[cfg(test)]
mod tests {
    use super::{Axis, Scale};

    #[test]
    fn ends_map_to_zero_and_one() {
        let axis = Axis::explicit((-1.0, 3.0), Scale::Linear).expect("a range");
        assert_eq!([-1.0, 0.0, 3.0].map(|x| axis.fraction(x)), [0.0, 0.25, 1.0]);
        let axis = Axis::explicit((1e-4, 1.0), Scale::Logarithmic).expect("a range");
        assert_eq!([1e-4, 1e-2, 1.0].map(|x| axis.fraction(x)), [0.0, 0.5, 1.0]);
        assert!([0.0, -1.0].iter().all(|&x| !axis.fraction(x).is_finite()));
    }

    #[test]
    fn an_axis_ends_at_a_round_number_nearby() {
        let end = |t: f64| Axis::around([0.0, t].into_iter(), Scale::Linear, 0.0);
        assert_eq!(end(1.9995), Axis::explicit((0.0, 2.0), Scale::Linear).expect("a range"));
        assert_eq!(end(1.93), Axis::explicit((0.0, 1.93), Scale::Linear).expect("a range"));
    }

    #[test]
    fn impossible_ranges_are_refused() {
        for range in [(1.0, 1.0), (2.0, 1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
            assert_eq!(Axis::explicit(range, Scale::Linear), None, "{range:?}");
        }
        assert_eq!(Axis::explicit((0.0, 1.0), Scale::Logarithmic), None);
    }

    #[test]
    fn every_kind_of_data_has_a_range() {
        let nan = f64::NAN;
        for data in
            [vec![], vec![nan], vec![0.0], vec![5.0, 5.0], vec![1.0, 1.0 + 1e-15], vec![-1e300, 1e300]]
        {
            for scale in [Scale::Linear, Scale::Logarithmic] {
                let axis = Axis::around(data.iter().copied(), scale, 0.05);
                let ticks = axis.ticks(5).ticks;
                assert!(!ticks.is_empty() && ticks.len() < 15, "{data:?} {scale:?} {axis:?} {ticks:?}");
                assert!(ticks.iter().all(|tick| (-1e-9..=1.0 + 1e-9).contains(&axis.fraction(tick.at))));
            }
        }
    }
}
