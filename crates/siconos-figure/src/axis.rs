//! One axis: its range, and the positions of values on it.

use crate::Scale;
use crate::ticks::{SHORTEST, Ticks, linear, logarithmic, power_of_ten, round_step};

/// Range and scale of an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Axis {
    /// Coordinates of the ends: the values themselves, or their decimal logarithms.
    low: f64,
    high: f64,
    scale: Scale,
    /// `true` if the data have no value that can be shown on the axis.
    is_void: bool,
}

/// Decimal logarithms of the smallest and the largest positive number.
const LOGARITHMS: (f64, f64) = (-323.3063, 308.2548);

/// Relative variation below which data are drawn as constant, because the variation is only rounding error.
const CONSTANT: f64 = 1e-12;

/// Maximum distance between an end of the axis and a round value, relative to the length of the axis, at
/// which the end is moved to the round value.
const SNAP: f64 = 0.01;

impl Axis {
    /// Creates an axis with given ends. Returns `None` if the ends are not finite, do not increase, or are
    /// not positive on a logarithmic axis.
    pub(crate) fn explicit((low, high): (f64, f64), scale: Scale) -> Option<Self> {
        let (low, high) = (scale.place(low), scale.place(high));
        let is_possible = low.is_finite() && high.is_finite() && low < high;
        is_possible.then_some(Self { low, high, scale, is_void: false })
    }

    /// Creates an axis that contains all given values, extended at both ends by `margin` times its length.
    pub(crate) fn around(values: impl Iterator<Item = f64>, scale: Scale, margin: f64) -> Self {
        let placed = values.map(|x| scale.place(x)).filter(|place| place.is_finite());
        let (low, high) =
            placed.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        if low > high {
            return Self { low: 0.0, high: 1.0, scale, is_void: true };
        }
        let (low, high) = widened((low, high), margin);
        let (least, most) = match scale {
            Scale::Linear => (f64::MIN, f64::MAX),
            Scale::Logarithmic => LOGARITHMS,
        };
        Self { low: low.max(least), high: high.min(most), scale, is_void: false }
    }

    /// Returns the position of a value: 0 at the low end, 1 at the high end, and not finite if the value
    /// cannot be shown.
    pub(crate) fn fraction(&self, value: f64) -> f64 {
        let place = self.scale.place(value);
        let (off, length) = (place - self.low, self.high - self.low);
        if length.is_finite() {
            return off / length;
        }
        // The distance between the ends exceeds the range of f64.
        (0.5 * place - 0.5 * self.low) / self.half_length()
    }

    /// Returns half of the distance between the ends; the whole distance can exceed the range of f64.
    pub(crate) fn half_length(&self) -> f64 {
        0.5 * self.high - 0.5 * self.low
    }

    pub(crate) fn ticks(&self, wanted: usize) -> Ticks {
        match self.scale {
            _ if self.is_void => Ticks::default(),
            Scale::Linear => linear((self.low, self.high), wanted),
            Scale::Logarithmic => logarithmic((self.low, self.high), wanted),
        }
    }

    /// Returns `true` if zero is strictly between the ends.
    pub(crate) fn has_zero_inside(&self) -> bool {
        self.low < 0.0 && self.high > 0.0
    }
}

impl Scale {
    /// Returns the coordinate of a value on an axis: the value, or its decimal logarithm. It is not finite if
    /// the value cannot be shown.
    pub fn place(self, value: f64) -> f64 {
        match self {
            Self::Linear => value,
            Self::Logarithmic => value.log10(),
        }
    }
}

/// Returns the range extended at both ends by `margin` times its length. A range of length zero is widened.
fn widened((low, high): (f64, f64), margin: f64) -> (f64, f64) {
    let size = low.abs().max(high.abs());
    // The whole length can exceed the range of f64.
    let half_length = 0.5 * high - 0.5 * low;
    if high == low || half_length <= 0.5 * CONSTANT * size {
        let half = if size == 0.0 { 1.0 } else { (0.1 * size).max(SHORTEST) };
        return (low - half, high + half);
    }
    if margin > 0.0 {
        return (low - 2.0 * margin * half_length, high + 2.0 * margin * half_length);
    }
    let length = high - low;
    if !(SHORTEST..f64::MAX).contains(&length) {
        return (low, high);
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
        let (least, most) = (f64::from_bits(1), f64::MAX);
        for data in [
            vec![],
            vec![nan],
            vec![-1.0, f64::INFINITY],
            vec![0.0],
            vec![5.0, 5.0],
            vec![1.0, 1.0 + 1e-15],
            vec![-1e300, 1e300],
            vec![-1e308, 1e308],
            vec![-most, most],
            vec![most],
            vec![-most],
            vec![least],
            vec![0.0, least],
            vec![least, 2.0 * least],
            vec![least, most],
            vec![1e-310, 9e-305],
            vec![most / (1.0 + 1e-11), most],
        ] {
            for (scale, margin) in [Scale::Linear, Scale::Logarithmic].into_iter().zip([0.0, 0.05]) {
                let axis = Axis::around(data.iter().copied(), scale, margin);
                let places = data.iter().map(|x| axis.fraction(*x)).filter(|place| place.is_finite());
                let has_place = places.clone().count() > 0;
                assert!(places.into_iter().all(|place| (0.0..=1.0).contains(&place)), "{data:?} {axis:?}");
                for wanted in 2..10 {
                    let ticks = axis.ticks(wanted).ticks;
                    assert_eq!(!ticks.is_empty(), has_place, "{data:?} {scale:?} {axis:?}");
                    assert!(ticks.len() < 15, "{data:?} {scale:?} {axis:?} {ticks:?}");
                    let is_inside = |x: f64| (-1e-9..=1.0 + 1e-9).contains(&axis.fraction(x));
                    assert!(ticks.iter().all(|tick| is_inside(tick.at)), "{data:?} {scale:?} {ticks:?}");
                }
            }
        }
    }
}
