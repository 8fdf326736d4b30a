//! Ticks of an axis: round values and their labels.

/// Labelled position on an axis.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tick {
    pub(crate) at: f64,
    pub(crate) label: String,
}

/// Ticks of an axis.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Ticks {
    pub(crate) ticks: Vec<Tick>,
    /// Power of ten by which the labels are to be multiplied; it is added to the label of the axis.
    pub(crate) power: i32,
    /// Number that the labels are relative to, as text. It is shown in the label of the axis.
    pub(crate) offset: Option<String>,
}

/// If the decimal exponent of the largest tick is at least this number, the labels share a power of ten.
const LARGE: i32 = 5;
/// If the decimal exponent of the largest tick is at most this number, the labels share a power of ten.
const SMALL: i32 = -3;

/// Maximum number of digits of a label. If a label needs more, the labels are relative to an offset.
const MOST_DIGITS: i32 = 7;

/// Minimum length of an axis with round ticks. On a shorter axis, the steps would lose precision.
pub(crate) const SHORTEST: f64 = 1e-290;

/// Decimal exponents of the smallest and the largest positive number.
const EXPONENTS: (i32, i32) = (-323, 308);

/// Returns about `wanted` ticks at multiples of 1, 2, 2.5 or 5 times a power of ten, including the ends of
/// the range if they are round.
pub(crate) fn linear((low, high): (f64, f64), wanted: usize) -> Ticks {
    if high - low < SHORTEST {
        let ticks = [low, high].map(|at| Tick { at, label: with_minus_sign(format!("{at:e}")) });
        return Ticks { ticks: ticks.into(), ..Ticks::default() };
    }
    // The whole length can exceed the range of f64.
    let half_length = 0.5 * high - 0.5 * low;
    let (mantissa, exponent) = round_step(half_length / (0.5 * wanted.max(1) as f64));
    let step = mantissa * power_of_ten(exponent);
    // The ticks are multiples of the step, not sums: a sum of rounded steps would print as 0.30000000000004.
    let slack = 1e-9;
    let first = (low / step - slack).ceil() as i64;
    let last = (high / step + slack).floor() as i64;

    // Because of the slack, a multiple can exceed the range of f64.
    let at = |k: i64| (k as f64 * step).clamp(f64::MIN, f64::MAX);
    let largest = at(first).abs().max(at(last).abs());
    let magnitude = if largest > 0.0 { (largest.log10() + slack).floor() as i32 } else { 0 };
    if magnitude - exponent >= MOST_DIGITS {
        return relative((first, last), mantissa, exponent);
    }
    // Units have prefixes for powers of ten that are multiples of three.
    let power = if magnitude >= LARGE || magnitude <= SMALL { 3 * magnitude.div_euclid(3) } else { 0 };
    let places_of_mantissa = i32::from(mantissa == 2.5);
    let places = usize::try_from(places_of_mantissa - (exponent - power)).unwrap_or(0);

    let ticks = (first..=last)
        .map(|k| {
            // `+ 0.0` changes a negative zero into a positive one.
            let in_label = k as f64 * mantissa * power_of_ten(exponent - power) + 0.0;
            Tick { at: at(k), label: with_minus_sign(format!("{in_label:.places$}")) }
        })
        .collect();
    Ticks { ticks, power, offset: None }
}

/// Returns ticks at the multiples from `first` to `last` of a step, with labels relative to a round offset.
fn relative((first, last): (i64, i64), mantissa: f64, exponent: i32) -> Ticks {
    // The offset is a multiple of 100 times the power of ten of the step, which is a multiple of the step.
    let ratio = (100.0 / mantissa) as i64;
    let base = (first + (last - first) / 2 + ratio / 2).div_euclid(ratio) * ratio;
    let step = mantissa * power_of_ten(exponent);
    let largest = ((first - base).abs().max((last - base).abs()).max(1)) as f64 * step;
    let power = 3 * (largest.log10().floor() as i32).div_euclid(3);
    let places = usize::try_from(i32::from(mantissa == 2.5) - (exponent - power)).unwrap_or(0);
    let label = |k: i64| (k - base) as f64 * mantissa * power_of_ten(exponent - power) + 0.0;
    let tick =
        |k: i64| Tick { at: k as f64 * step, label: with_minus_sign(format!("{:.places$}", label(k))) };
    let decimals = usize::try_from(-(exponent + 2)).unwrap_or(0);
    let offset = format!("{:.decimals$}", base as f64 * step);
    Ticks { ticks: (first..=last).map(tick).collect(), power, offset: Some(offset) }
}

/// Returns about `wanted` ticks at powers of ten between two decimal logarithms. The ticks are at 1, 2 and 5
/// times powers of ten if the range contains at most one power of ten, or if it contains two and the labels
/// are few and short.
pub(crate) fn logarithmic((low, high): (f64, f64), wanted: usize) -> Ticks {
    let slack = 1e-9;
    let first = ((low - slack).ceil() as i32).max(EXPONENTS.0);
    let last = ((high + slack).floor() as i32).min(EXPONENTS.1);
    let powers = || {
        let stride = stride_of_decades(last - first, wanted);
        // Multiples of the stride give the same labels for any range.
        let ticks = (first..=last)
            .filter(|exponent| exponent.rem_euclid(stride) == 0)
            .map(|exponent| Tick { at: power_of_ten(exponent), label: power_label(exponent) })
            .collect();
        Ticks { ticks, ..Ticks::default() }
    };
    if last > first + 1 {
        return powers();
    }
    let ticks: Vec<Tick> = with_twos_and_fives(first, last)
        .into_iter()
        .filter(|tick| (low - slack..=high + slack).contains(&tick.at.log10()))
        .collect();
    let are_short = ticks.len() <= wanted && ticks.iter().all(|tick| !tick.label.contains('·'));
    if last > first && !are_short {
        return powers();
    }
    match ticks.len() {
        0 | 1 => linear((10_f64.powf(low), 10_f64.powf(high).min(f64::MAX)), wanted),
        _ => Ticks { ticks, ..Ticks::default() },
    }
}

/// Returns ticks at 1, 2 and 5 times the powers of ten from 10^(`first` - 1) to 10^(`last` + 1).
fn with_twos_and_fives(first: i32, last: i32) -> Vec<Tick> {
    (first - 1..=last + 1)
        .flat_map(|exponent| [1.0, 2.0, 5.0].map(|digit| (digit, exponent)))
        .map(|(digit, exponent)| Tick {
            at: digit * power_of_ten(exponent),
            label: match (digit, exponent) {
                (1.0, _) => power_label(exponent),
                (_, -1..=1) => (digit * power_of_ten(exponent)).to_string(),
                _ => format!("{digit}·{}", power(exponent)),
            },
        })
        .collect()
}

/// Returns the number of decades between two labels: 1, 2, 3 or a multiple of 5.
fn stride_of_decades(decades: i32, wanted: usize) -> i32 {
    let wanted = i32::try_from(wanted.max(1)).unwrap_or(i32::MAX);
    let least = decades.unsigned_abs().div_ceil(wanted.unsigned_abs());
    let stride = match least {
        0..=3 => least.max(1),
        _ => least.div_ceil(5) * 5,
    };
    i32::try_from(stride).unwrap_or(i32::MAX)
}

/// Maximum step that can be rounded up. For a larger step, the next round value would not be finite.
const LARGEST_STEP: f64 = 1e308;

/// Maximum ratio of the requested step to the step that is used, so that a step of 0.525 becomes 0.5 and not
/// 1.
const CLOSER: f64 = 1.1;

/// Returns the smallest round value (mantissa 1, 2, 2.5 or 5) that is not much smaller than `step`.
pub(crate) fn round_step(step: f64) -> (f64, i32) {
    let exponent = step.log10().floor() as i32;
    if step > LARGEST_STEP {
        return (1.0, exponent);
    }
    let fraction = step / power_of_ten(exponent);
    for mantissa in [1.0, 2.0, 2.5, 5.0] {
        if fraction <= CLOSER * mantissa {
            return (mantissa, exponent);
        }
    }
    (1.0, exponent + 1)
}

/// Returns 10 to the power `exponent`, with the accuracy of a decimal literal. The result of `powi` can have
/// a rounding error that would be visible in the labels.
pub(crate) fn power_of_ten(exponent: i32) -> f64 {
    format!("1e{exponent}").parse().unwrap_or(f64::NAN)
}

/// Returns the label of a power of ten, such as `10⁻³`. The labels `0.1`, `1` and `10` are in plain notation.
fn power_label(exponent: i32) -> String {
    match exponent {
        -1 => "0.1".to_owned(),
        0 => "1".to_owned(),
        1 => "10".to_owned(),
        _ => power(exponent),
    }
}

/// Returns a power of ten in Unicode, such as `10⁻³`.
pub(crate) fn power(exponent: i32) -> String {
    let superscript = |character| match character {
        '-' => '⁻',
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        other => other,
    };
    "10".chars().chain(exponent.to_string().chars().map(superscript)).collect()
}

/// Replaces a leading hyphen, which is too short, with a minus sign.
fn with_minus_sign(number: String) -> String {
    match number.strip_prefix('-') {
        Some(digits) => format!("−{digits}"),
        None => number,
    }
}

#[cfg(test)]
mod tests {
    use super::{Ticks, linear};

    fn labels(ticks: &Ticks) -> Vec<&str> {
        ticks.ticks.iter().map(|tick| tick.label.as_str()).collect()
    }

    #[test]
    fn labels_are_short() {
        let ticks = linear((0.0, 0.5), 5);
        assert_eq!(labels(&ticks), ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5"]);
        assert_eq!(ticks.ticks[3].at.to_bits(), (3.0 * 0.1_f64).to_bits());
        assert_eq!(labels(&linear((0.0, 10.0), 5)), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(labels(&linear((0.0, 1.0), 4)), ["0.00", "0.25", "0.50", "0.75", "1.00"]);
    }

    #[test]
    fn zero_has_no_sign_and_minus_is_a_minus() {
        assert_eq!(labels(&linear((-1.05, 1.05), 4)), ["−1.0", "−0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(labels(&linear((-2.5, 0.01), 5)), ["−2.5", "−2.0", "−1.5", "−1.0", "−0.5", "0.0"]);
    }

    #[test]
    fn very_small_and_very_large_numbers_share_a_power() {
        let ticks = linear((0.0, 3e-5), 3);
        assert_eq!((labels(&ticks), ticks.power), (vec!["0", "10", "20", "30"], -6));
        let ticks = linear((-4e6, 2e6), 3);
        assert_eq!((labels(&ticks), ticks.power), (vec!["−4", "−2", "0", "2"], 6));
        assert_eq!(linear((0.0, 20_000.0), 4).power, 0);
        assert_eq!(linear((0.0, 0.02), 4).power, 0);
    }

    #[test]
    fn ends_are_kept_in_spite_of_rounding() {
        for (low, high) in [(0.1, 0.7), (0.3, 0.9), (-0.7, 0.7), (1e-12, 7e-12)] {
            for wanted in 2..12 {
                let ticks = linear((low, high), wanted);
                assert!(ticks.ticks.len() <= wanted + 2, "{ticks:?}");
                let labels = labels(&ticks);
                assert!(labels.iter().all(|label| label.chars().count() <= 5), "{labels:?}");
            }
        }
        assert_eq!(labels(&linear((0.1, 0.7), 6)).len(), 7);
    }

    #[test]
    fn a_narrow_range_far_from_zero_can_be_read() {
        let ticks = linear((9.8099, 9.8101), 4);
        assert_eq!(labels(&ticks), ["9.80990", "9.80995", "9.81000", "9.81005", "9.81010"]);
    }

    #[test]
    fn labels_of_many_digits_are_relative_to_an_offset() {
        let ticks = linear((182.724_484_095, 182.724_484_115), 5);
        assert_eq!(ticks.offset.as_deref(), Some("182.7244841"));
        assert_eq!((labels(&ticks), ticks.power), (vec!["−5", "0", "5", "10", "15"], -9));
        let ticks = linear((-1e6 - 0.1, -1e6 + 0.1), 4);
        assert_eq!(ticks.offset.as_deref(), Some("-1000000"));
        assert_eq!((labels(&ticks), ticks.power), (vec!["−100", "−50", "0", "50", "100"], -3));
        assert!(ticks.ticks.iter().all(|tick| (tick.at + 1e6).abs() <= 0.1 + 1e-9));
    }

    #[test]
    fn decades() {
        let logarithmic =
            |(low, high): (f64, f64), wanted| super::logarithmic((low.log10(), high.log10()), wanted);
        assert_eq!(labels(&logarithmic((1e-2, 1e2), 6)), ["10⁻²", "0.1", "1", "10", "10²"]);
        assert_eq!(labels(&logarithmic((1e-17, 1e-9), 5)), ["10⁻¹⁶", "10⁻¹⁴", "10⁻¹²", "10⁻¹⁰"]);
        assert_eq!(labels(&logarithmic((1e-300, 1e300), 4)), ["10⁻³⁰⁰", "10⁻¹⁵⁰", "1", "10¹⁵⁰", "10³⁰⁰"]);
        assert_eq!(labels(&logarithmic((0.15, 3.0), 5)), ["0.2", "0.5", "1", "2"]);
        assert_eq!(labels(&logarithmic((1.0, 13.0), 6)), ["1", "2", "5", "10"]);
        assert_eq!(labels(&logarithmic((1.0, 13.0), 3)), ["1", "10"]);
        assert_eq!(labels(&logarithmic((90.0, 1300.0), 8)), ["10²", "10³"]);
        assert_eq!(labels(&logarithmic((2.1, 2.4), 3)), ["2.1", "2.2", "2.3", "2.4"]);
    }
}
