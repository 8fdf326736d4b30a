//! Varied values: `rpm=300:800:1`, or `rpm=358,660,700`.

use std::str::FromStr;

use crate::document::{Override, OverrideError};

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
}

/// Error of parsing a [`VariedValue`].
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VariedValueError {
    /// The text does not start with keys and `=`.
    #[error(transparent)]
    Place(#[from] OverrideError),
    /// The values are neither a range nor a list.
    #[error("{path}: `{text}` is neither a range FROM:TO:STEP nor a comma-separated list of numbers")]
    Form {
        /// Keys of the value.
        path: String,
        /// Text after the `=`.
        text: String,
    },
    /// The step of a range is 0, or does not lead from the start to the end of the range.
    #[error("{path}: steps of {step} do not lead from {from} to {to}")]
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
            [from, to, step] => range(&path, number(from)?, number(to)?, number(step)?)?,
            _ => return Err(form()),
        };
        Ok(Self { path, values })
    }
}

/// Returns the values of a range, starting with `from`. The last value is `to` if a whole number of steps
/// leads to it.
fn range(path: &str, from: f64, to: f64, step: f64) -> Result<Vec<f64>, VariedValueError> {
    let steps = (to - from) / step;
    if !(steps.is_finite() && steps >= 0.0) {
        return Err(VariedValueError::Step { path: path.to_owned(), from, to, step });
    }
    if steps >= MOST_VALUES as f64 {
        return Err(VariedValueError::Many { path: path.to_owned(), most: MOST_VALUES });
    }
    let last = (steps + WHOLE).floor() as usize;
    let is_whole = (steps - last as f64).abs() <= WHOLE;
    // The end is exact, without the rounding error of the product.
    let value = |k: usize| if k == last && is_whole { to } else { from + k as f64 * step };
    Ok((0..=last).map(value).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_hit_their_ends() {
        assert_eq!(range("a", 0.0, 1.0, 0.1).map(|values| (values.len(), values[10])), Ok((11, 1.0)));
        assert_eq!(range("a", 1.0, 0.0, -0.4), Ok(vec![1.0, 1.0 - 0.4, 1.0 - 2.0 * 0.4]));
        assert_eq!(range("a", 2.0, 2.0, 1.0), Ok(vec![2.0]));
    }

    #[test]
    fn steps_that_lead_nowhere_are_refused() {
        for text in ["a=0:1:0", "a=0:1:-1", "a=1:0:1", "a=0:1", "a=0:1:x", "a=", "a=1,nan", "a=1,,2", "=1"] {
            assert!(text.parse::<VariedValue>().is_err(), "{text}");
        }
        assert!(matches!(
            "a=0:1:1e-300".parse::<VariedValue>(),
            Err(VariedValueError::Step { .. } | VariedValueError::Many { .. })
        ));
    }
}
