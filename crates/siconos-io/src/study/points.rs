//! Points of a parameter study and their results.

use std::convert::Infallible;
use std::fs;
use std::path::{Path, PathBuf};

use siconos_kernel::ModelError;

use super::{PointRunner, VariedValue};
use crate::document::{DocumentError, Override};
use crate::folder::folder_of;
use crate::model::{AnyModel, AnyRun, DataFile, ResumeError, RunError, StartError};
use crate::snapshot::{Recorded, RunState, Snapshot};

/// Name of the column with the number of steps that did not converge.
const NOT_CONVERGED: &str = "not_converged";

/// Parameter study: a model and the values that vary.
///
/// ```
/// use siconos_io::study::{KeptRows, ParameterStudy};
///
/// let text = "format = 1\nkind = \"hybrid\"\n[time]\nend = 1\n[parameters]\nk = 1\n\
///             [variables]\nx = { initial = 1, equation = \"x' = -k * x\" }\n";
/// let vary = ["k=1:3:1".parse()?];
/// let sweep = ParameterStudy::new((text, "decay.toml"), None, &[], &vary)?.with_rows(KeptRows::Last);
/// assert_eq!((sweep.len(), sweep.columns()), (3, &["k", "t", "x"].map(str::to_owned)[..]));
/// let rows = sweep.worker().run(1)?;
/// assert!(rows.len() == 1 && (rows[0][2] - (-2.0_f64).exp()).abs() < 1e-11);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ParameterStudy {
    text: String,
    name: String,
    /// Folder from which array files named in the text are read.
    folder: Option<PathBuf>,
    overrides: Vec<Override>,
    pub(super) vary: Vec<VariedValue>,
    pub(super) rows: KeptRows,
    columns: Vec<String>,
    data: Vec<DataFile>,
}

/// Rows of the trajectory of each study point that are written to the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeptRows {
    /// The last row of the trajectory.
    #[default]
    Last,
    /// All rows of the trajectory.
    All,
}

/// Error of a parameter study: a point has no result, or the varied values are not valid.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PointError {
    /// The model cannot be built with the values of the point.
    #[error(transparent)]
    Model(#[from] DocumentError),
    /// The run cannot start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The run failed before its end.
    #[error(transparent)]
    Run(RunError<Infallible>),
    /// The run of an interrupted point cannot be resumed.
    #[error(transparent)]
    Resume(#[from] ResumeError),
    /// The state of an interrupted point cannot be stored.
    #[error(transparent)]
    Record(ModelError),
    /// The columns of the model at this point differ from the columns of the table.
    #[error("the columns are {}, but the columns of the table are {}", found.join(", "), expected.join(", "))]
    Columns {
        /// Columns of the model at this point.
        found: Vec<String>,
        /// Columns of the table.
        expected: Vec<String>,
    },
    /// The list of values of a [`VariedValue`] is empty.
    #[error("{path} is varied over no values")]
    NoValues {
        /// Keys of the value, separated by dots.
        path: String,
    },
    /// Values that vary together differ in number.
    #[error("{path} has {found} values, but {previous}, with which it varies, has {expected}")]
    Lengths {
        /// Keys of the value, separated by dots.
        path: String,
        /// Number of its values.
        found: usize,
        /// Keys of the previous value.
        previous: String,
        /// Number of values of the previous value.
        expected: usize,
    },
    /// A value is both set and varied, so that setting it would have no effect.
    #[error("{path} is both set and varied; remove one of them")]
    SetAndVaried {
        /// Keys of the value, separated by dots.
        path: String,
    },
    /// A value is varied twice.
    #[error("{path} is varied twice; give all its values at once")]
    Twice {
        /// Keys of the value, separated by dots.
        path: String,
    },
}

impl ParameterStudy {
    /// Creates a study of the model in a file. `overrides` are set for all points.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or if [`new`](Self::new) returns an error.
    pub fn read(path: &Path, overrides: &[Override], vary: &[VariedValue]) -> Result<Self, PointError> {
        let name = path.display().to_string();
        match fs::read_to_string(path) {
            Ok(text) => Self::new((&text, &name), Some(folder_of(path)), overrides, vary),
            Err(source) => Err(DocumentError::Io { name, source }.into()),
        }
    }

    /// Creates a study of the model in the given text. `overrides` are set for all points. `name` is used in
    /// messages. Array files named in the text are read from the folder, if one is given.
    ///
    /// # Errors
    ///
    /// If a [`VariedValue`] has no values, linked values differ in number, or a value is varied twice, or
    /// both set and varied. Also if none of the first, the last and the middle point can be started; the
    /// error is then the error for the first point.
    pub fn new(
        (text, name): (&str, &str),
        folder: Option<&Path>,
        overrides: &[Override],
        vary: &[VariedValue],
    ) -> Result<Self, PointError> {
        let mut sweep = Self {
            text: text.to_owned(),
            name: name.to_owned(),
            folder: folder.map(Path::to_owned),
            data: Vec::new(),
            overrides: overrides.to_vec(),
            vary: vary.to_vec(),
            rows: KeptRows::default(),
            columns: Vec::new(),
        };
        for (place, own) in vary.iter().enumerate() {
            let path = || own.path.clone();
            if own.values.is_empty() {
                return Err(PointError::NoValues { path: path() });
            }
            if let Some(previous) = place.checked_sub(1).map(|before| &vary[before]).filter(|_| own.is_linked)
                && previous.values.len() != own.values.len()
            {
                let (found, expected) = (own.values.len(), previous.values.len());
                let previous = previous.path.clone();
                return Err(PointError::Lengths { path: path(), found, previous, expected });
            }
            let varies = |set: &&Override| {
                let below = set.path.strip_prefix(&own.path);
                below.is_some_and(|below| below.is_empty() || below.starts_with('.'))
            };
            if let Some(set) = overrides.iter().find(varies) {
                return Err(PointError::SetAndVaried { path: set.path.clone() });
            }
            if vary[..place].iter().any(|other| other.path == own.path) {
                return Err(PointError::Twice { path: path() });
            }
        }
        let first = sweep.one_that_begins()?;
        sweep.data = first.0.data().to_vec();
        let mut of_model = first.1.names().to_vec();
        of_model.extend(first.1.unconverged().map(|_| NOT_CONVERGED.to_owned()));
        sweep.columns = vary.iter().map(|own| column(own, vary, &of_model)).collect();
        sweep.columns.extend(of_model);
        Ok(sweep)
    }

    /// Tries the first, the last and the middle point, in this order, and returns the model and the run of
    /// the first one that can be started. Returns the error for the first point if none can be started.
    fn one_that_begins(&self) -> Result<(AnyModel, AnyRun), PointError> {
        let begun = |point| {
            let model = self.model(&self.values(point))?;
            let run = model.run(None)?;
            Ok((model, run))
        };
        begun(0).or_else(|error: PointError| {
            let last = self.len().saturating_sub(1);
            [last, last / 2].into_iter().find_map(|point| begun(point).ok()).ok_or(error)
        })
    }

    /// Returns an error if the columns of a run differ from the columns of the table.
    pub(super) fn check_columns(&self, run: &AnyRun) -> Result<(), PointError> {
        let of_run = run.names().iter().map(String::as_str).chain(run.unconverged().map(|_| NOT_CONVERGED));
        let expected = &self.columns[self.vary.len()..];
        match of_run.clone().eq(expected.iter().map(String::as_str)) {
            true => Ok(()),
            false => Err(PointError::Columns {
                found: of_run.map(str::to_owned).collect(),
                expected: expected.to_vec(),
            }),
        }
    }

    /// Selects the rows of the trajectory of each study point that are written to the table. Default:
    /// [`KeptRows::Last`].
    #[must_use]
    pub fn with_rows(self, rows: KeptRows) -> Self {
        Self { rows, ..self }
    }

    /// Returns a runner that computes the study points one at a time. Each parallel thread needs its own
    /// runner.
    #[must_use]
    pub fn worker(&self) -> PointRunner<'_> {
        PointRunner::new(self)
    }

    /// Returns the number of points.
    #[must_use]
    pub fn len(&self) -> usize {
        self.axes().map(|axis| axis[0].values.len()).product()
    }

    /// Returns `true` if the study has no points.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the columns of the table: the varied values, followed by the outputs of the model. The column
    /// of a varied value is named after the last of its keys. If the last key is a number or the name of
    /// another column, the name consists of all keys, separated by dots. If the model continues after steps
    /// that did not converge, the last column, `not_converged`, is the number of these steps up to the row.
    #[must_use]
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Returns the lines that identify this study: the checksums of the model and of its array files, the
    /// overrides, the varied values, and the selection of rows.
    #[must_use]
    pub fn identity(&self) -> Vec<String> {
        let set = self.overrides.iter().map(|set| format!("set {}={}", set.path, set.text));
        let vary = self.vary.iter().map(|vary| {
            let bits: Vec<u8> = vary.values.iter().flat_map(|value| value.to_le_bytes()).collect();
            let (count, check) = (vary.values.len(), crc32fast::hash(&bits));
            let link = if vary.is_linked { " with the previous value" } else { "" };
            format!("vary {}{link} over {count} values, checksum {check:08x}", vary.path)
        });
        let model = format!("model checksum {:08x}", crc32fast::hash(self.text.as_bytes()));
        let data = self.data.iter().map(|data| format!("{} checksum {:08x}", data.path, data.check));
        let rows = match self.rows {
            KeptRows::Last => "the last row of each point",
            KeptRows::All => "all rows of each point",
        };
        std::iter::once(model).chain(data).chain(set).chain(vary).chain([rows.to_owned()]).collect()
    }

    /// Returns the values of a point, in the order of the [`VariedValue`] items.
    #[must_use]
    pub fn values(&self, point: usize) -> Vec<f64> {
        let mut rest = point;
        let mut values = vec![0.0; self.vary.len()];
        let mut end = values.len();
        for axis in self.axes().collect::<Vec<_>>().into_iter().rev() {
            let count = axis[0].values.len();
            let begin = end - axis.len();
            for (value, vary) in values[begin..end].iter_mut().zip(axis) {
                *value = vary.values[rest % count];
            }
            (rest, end) = (rest / count, begin);
        }
        values
    }

    /// Returns the groups of values that vary together. The study has all combinations of these groups.
    fn axes(&self) -> impl Iterator<Item = &[VariedValue]> {
        self.vary.chunk_by(|_, next| next.is_linked)
    }

    /// Returns the model with these varied values.
    pub(super) fn model(&self, values: &[f64]) -> Result<AnyModel, DocumentError> {
        let overrides = self.overrides_for(values);
        match &self.folder {
            Some(folder) => AnyModel::parse_in(folder, (&self.text, &self.name), &overrides),
            None => AnyModel::parse(&self.text, &self.name, &overrides),
        }
    }

    /// Returns the overrides of all points, followed by the varied values.
    fn overrides_for(&self, values: &[f64]) -> Vec<Override> {
        let varied = self.vary.iter().zip(values);
        let varied = varied.map(|(vary, value)| Override { path: vary.path.clone(), text: written(*value) });
        self.overrides.iter().cloned().chain(varied).collect()
    }

    /// Returns the text and the name of the model, and the overrides of a point.
    pub(super) fn text_at(&self, point: usize) -> ((&str, &str), Vec<Override>) {
        ((&self.text, &self.name), self.overrides_for(&self.values(point)))
    }

    /// Returns the snapshot of the run of a point.
    pub(super) fn snapshot(&self, point: usize, state: RunState, recorded: Recorded) -> Snapshot {
        let ((model, model_name), overrides) = self.text_at(point);
        Snapshot {
            program: concat!("siconos-io ", env!("CARGO_PKG_VERSION")).to_owned(),
            host: String::new(),
            model_name: model_name.to_owned(),
            model: model.to_owned(),
            overrides,
            state,
            recorded,
            output: None,
        }
    }
}

/// Returns the name of the column of a varied value. The names of all columns differ.
fn column(own: &VariedValue, vary: &[VariedValue], of_model: &[String]) -> String {
    let last_key = |vary: &VariedValue| vary.path.rsplit('.').next().unwrap_or(&vary.path).to_owned();
    let key = last_key(own);
    let is_taken = of_model.contains(&key) || vary.iter().filter(|vary| last_key(vary) == key).count() > 1;
    let is_number = key.parse::<f64>().is_ok();
    if is_taken || is_number { own.path.clone() } else { key }
}

/// 2^53. Every integer up to this number is represented exactly.
const MOST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// Formats a number for a model file. An integer is written without a decimal point, because counts require
/// this form. -0 is not treated as an integer.
fn written(value: f64) -> String {
    let is_negative_zero = value == 0.0 && value.is_sign_negative();
    match value.fract() == 0.0 && value.abs() <= MOST_WHOLE && !is_negative_zero {
        true => format!("{value:.0}"),
        false => format!("{value:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::written;

    #[test]
    fn numbers_are_written_to_the_last_bit() {
        for (value, text) in [(100.0, "100"), (-3.0, "-3"), (0.0, "0"), (-0.0, "-0.0"), (1e16, "1e16")] {
            assert_eq!(written(value), text);
        }
        for value in [0.1, -0.0, 0.0, 9_007_199_254_740_992.0, 1e300, 5e-324, 1.0 / 3.0] {
            assert_eq!(written(value).parse().map(f64::to_bits), Ok(value.to_bits()), "{value}");
        }
    }
}
