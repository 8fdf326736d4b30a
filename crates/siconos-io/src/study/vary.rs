//! Varied values: `rpm=300:800:1`, or `rpm=358,660,700`.

use std::str::FromStr;

use crate::document::{Override, OverrideError};
use crate::trajectory::Table;

/// Keys of a value in a model file, and the values that it takes in a parameter study.
///
/// ```
/// use siconos_io::study::VariedValue;
///
/// let speeds: VariedValue = "rpm=300:800:250".parse()?;
/// assert_eq!((speeds.path.as_str(), &speeds.values[..]), ("parameters.rpm", &[300.0, 550.0, 800.0][..]));
/// let steps: VariedValue = "simulation.step=1e-3,5e-4".parse()?;
/// assert_eq!(steps.values, [1e-3, 5e-4]);
/// assert!("rpm=300:800:-1".parse::<VariedValue>().is_err());
/// # Ok::<(), siconos_io::study::VariedValueError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct VariedValue {
    /// Keys of the value, separated by dots.
    pub path: String,
    /// Values, at least one, in order.
    pub values: Vec<f64>,
    /// `true` if this value varies together with the previous value of the study, as the columns of one
    /// table. Both then have equally many values. Otherwise, the study has all combinations of both.
    pub is_linked: bool,
}

impl VariedValue {
    /// Returns the values that a table gives: the name of each column is the path of a value, and each row is
    /// one choice of all values.
    ///
    /// ```
    /// use siconos_io::study::VariedValue;
    /// use siconos_io::trajectory::Table;
    ///
    /// let table = Table::from_csv("k,simulation.step\n1,1e-3\n10,1e-4\n".as_bytes())?;
    /// let [k, step] = &VariedValue::of_table(&table)?[..] else { panic!("two columns") };
    /// assert_eq!((k.path.as_str(), &k.values[..], k.is_linked), ("parameters.k", &[1.0, 10.0][..], false));
    /// assert_eq!((step.values[1], step.is_linked), (1e-4, true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`VariedValueError::Place`] if the name of a column is not a path, and [`VariedValueError::NotFinite`]
    /// if a value is NaN or infinite.
    pub fn of_table(table: &Table) -> Result<Vec<Self>, VariedValueError> {
        let column = |(place, name): (usize, &String)| {
            let path = format!("{name}=0").parse::<Override>()?.path;
            let values: Vec<f64> = table.rows().map(|row| row[place]).collect();
            match values.iter().position(|value| !value.is_finite()) {
                Some(row) => Err(VariedValueError::NotFinite { path, row: row + 1, value: values[row] }),
                None => Ok(Self { path, values, is_linked: place > 0 }),
            }
        };
        table.columns().iter().enumerate().map(column).collect()
    }
}

/// Error of parsing a [`VariedValue`].
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VariedValueError {
    /// The text does not start with keys and `=`.
    #[error(transparent)]
    Place(#[from] OverrideError),
    /// The values are neither a range nor a list.
    #[error(
        "{path}: `{text}` is not a range FROM:TO:STEP, a range FROM:TO/COUNT or a comma-separated list of numbers"
    )]
    Form {
        /// Keys of the value.
        path: String,
        /// Text after the `=`.
        text: String,
    },
    /// The step of a range is 0, leads away from its end, or exceeds the length of the range.
    #[error(
        "{path}: steps of {step} do not lead from {from} to {to}; a range is FROM:TO:STEP or FROM:TO/COUNT"
    )]
    Step {
        /// Keys of the value.
        path: String,
        /// First value of the range.
        from: f64,
        /// End of the range.
        to: f64,
        /// Step of the range.
        step: f64,
    },
    /// A value in a table is not finite.
    #[error("{path}: the value in row {row} is {value}; it must be finite")]
    NotFinite {
        /// Keys of the value.
        path: String,
        /// Number of the row, from 1.
        row: usize,
        /// The value.
        value: f64,
    },
    /// A range has fewer than two values.
    #[error("{path}: a range FROM:TO/COUNT requires at least 2 values, not {count}")]
    Few {
        /// Keys of the value.
        path: String,
        /// Number of values.
        count: usize,
    },
    /// There are too many values.
    #[error("{path}: these are more than {most} values")]
    Many {
        /// Keys of the value.
        path: String,
        /// Maximum number of values.
        most: usize,
    },
}

/// Maximum number of values of a range. A larger number is most likely a typing error.
const MOST_VALUES: usize = 10_000_000;

/// Tolerance, as a fraction of the step, within which the end of a range counts as one of its values. It is
/// needed because of rounding errors: for example, 3 * 0.1 is not exactly 0.3.
const WHOLE: f64 = 1e-9;

impl FromStr for VariedValue {
    type Err = VariedValueError;

    fn from_str(text: &str) -> Result<Self, VariedValueError> {
        let Override { path, text } = text.parse()?;
        let form = || VariedValueError::Form { path: path.clone(), text: text.clone() };
        let number = |text: &str| match text.trim().parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            _ => Err(form()),
        };
        let values = match &text.split(':').collect::<Vec<_>>()[..] {
            [list] => list.split(',').map(number).collect::<Result<_, _>>()?,
            [from, to, step] => {
                let decimals = decimals(from).zip(decimals(step)).map(|(from, step)| from.max(step));
                range(&path, [number(from)?, number(to)?, number(step)?], decimals)?
            }
            [from, rest] => {
                let (to, count) = rest.split_once('/').ok_or_else(form)?;
                let count = count.trim().parse().map_err(|_not_a_count| form())?;
                equally_spaced(&path, [number(from)?, number(to)?], count)?
            }
            _ => return Err(form()),
        };
        Ok(Self { path, values, is_linked: false })
    }
}

/// Maximum number of decimals of a double near 1.
const MOST_DECIMALS: usize = 17;

/// Returns the number of decimals of a number as typed: 2 for `0.25` and for `25e-2`. Returns `None` if there
/// are more decimals than a double has.
fn decimals(text: &str) -> Option<usize> {
    let text = text.trim();
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let typed = mantissa.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let decimals = usize::try_from(i32::try_from(typed).ok()?.saturating_sub(exponent).max(0)).ok()?;
    (decimals <= MOST_DECIMALS).then_some(decimals)
}

/// Returns `count` values with equal distances, from `from` to `to`.
fn equally_spaced(path: &str, [from, to]: [f64; 2], count: usize) -> Result<Vec<f64>, VariedValueError> {
    match count {
        2..=MOST_VALUES => {
            let intervals = (count - 1) as f64;
            let between = |k: usize| {
                let weight = k as f64 / intervals;
                let value = from * (1.0 - weight) + to * weight;
                // Without the last digits, which are rounding errors: 0.2:0.7/6 contains 0.3.
                format!("{value:.14e}").parse().unwrap_or(value)
            };
            let value = |k: usize| match k {
                0 => from,
                _ if k == count - 1 => to,
                _ => between(k),
            };
            Ok((0..count).map(value).collect())
        }
        0 | 1 => Err(VariedValueError::Few { path: path.to_owned(), count }),
        _ => Err(VariedValueError::Many { path: path.to_owned(), most: MOST_VALUES }),
    }
}

/// Returns the values of a range, starting with `from`. The last value is `to` if a whole number of steps
/// leads to it. Each value is rounded to the decimals of the typed numbers, if they are known: the third
/// value of 0.1:0.8:0.1 is 0.3.
fn range(
    path: &str,
    [from, to, step]: [f64; 3],
    decimals: Option<usize>,
) -> Result<Vec<f64>, VariedValueError> {
    let steps = (to - from) / step;
    if !(steps.is_finite() && (steps >= 1.0 - WHOLE || from == to)) {
        return Err(VariedValueError::Step { path: path.to_owned(), from, to, step });
    }
    if steps >= MOST_VALUES as f64 {
        return Err(VariedValueError::Many { path: path.to_owned(), most: MOST_VALUES });
    }
    let last = (steps + WHOLE).floor() as usize;
    let is_whole = (steps - last as f64).abs() <= WHOLE;
    let rounded = |value: f64| match decimals.map(|decimals| format!("{value:.decimals$}").parse()) {
        Some(Ok(rounded)) => rounded,
        _ => value,
    };
    // The end is exact, without the rounding error of the product.
    let value = |k: usize| if k == last && is_whole { to } else { rounded(from + k as f64 * step) };
    Ok((0..=last).map(value).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_hit_their_ends() {
        let range = |numbers| range("a", numbers, None);
        assert_eq!(range([0.0, 1.0, 0.1]).map(|values| (values.len(), values[10])), Ok((11, 1.0)));
        assert_eq!(range([1.0, 0.0, -0.4]), Ok(vec![1.0, 1.0 - 0.4, 1.0 - 2.0 * 0.4]));
        assert_eq!(range([2.0, 2.0, 1.0]), Ok(vec![2.0]));
    }

    #[test]
    fn values_of_a_range_are_those_one_would_type() {
        for (text, expected) in [
            ("a=0.1:0.8:0.1", vec![0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]),
            ("a=1:0:-0.4", vec![1.0, 0.6, 0.2]),
            ("a=1e-3:5e-3:1e-3", vec![1e-3, 2e-3, 3e-3, 4e-3, 5e-3]),
            ("a=0.05:0.4:0.175", vec![0.05, 0.225, 0.4]),
            ("a=100:1e3:3E2", vec![100.0, 400.0, 700.0, 1000.0]),
        ] {
            assert_eq!(text.parse::<VariedValue>().map(|vary| vary.values), Ok(expected), "{text}");
        }
        let long: VariedValue = "a=0:1000:0.001".parse().expect("a range");
        for (k, value) in long.values.iter().enumerate() {
            assert_eq!(format!("{value}").parse::<f64>(), Ok(*value));
            assert!(format!("{value}").len() <= 7, "{k}: {value}");
        }
    }

    #[test]
    fn a_count_gives_equal_distances() {
        let values = |text: &str| text.parse::<VariedValue>().map(|varied| varied.values);
        assert_eq!(values("a=1:2/5"), Ok(vec![1.0, 1.25, 1.5, 1.75, 2.0]));
        assert_eq!(values("a=0.2:0.7/6").expect("values"), [0.2, 0.3, 0.4, 0.5, 0.6, 0.7]);
        let long = values("a=0.1:0.7/201").expect("values");
        assert_eq!((long.len(), long[0], long[200]), (201, 0.1, 0.7));
        assert!(long.is_sorted());
        assert!(matches!(values("a=0:1/1"), Err(VariedValueError::Few { count: 1, .. })));
        assert!(values("a=0:1/x").is_err() && values("a=0:1/99999999999").is_err());
    }

    #[test]
    fn steps_that_lead_nowhere_are_refused() {
        for text in [
            "a=0:1:0",
            "a=0:1:-1",
            "a=1:0:1",
            "a=0:1:200",
            "a=0:1",
            "a=0:1:x",
            "a=",
            "a=1,nan",
            "a=1,,2",
            "=1",
        ] {
            assert!(text.parse::<VariedValue>().is_err(), "{text}");
        }
        assert!(matches!(
            "a=0:1:1e-300".parse::<VariedValue>(),
            Err(VariedValueError::Step { .. } | VariedValueError::Many { .. })
        ));
    }
}
