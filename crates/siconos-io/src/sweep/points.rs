//! The points of a sweep, and what each comes to.

use std::convert::Infallible;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Vary, Worker};
use crate::document::{DocumentError, Override};
use crate::folder::folder_of;
use crate::model::{AnyModel, AnyRun, DataFile, RunError, StartError};

/// The column of the number of steps that did not converge.
const NOT_CONVERGED: &str = "not_converged";

/// A model with values that vary.
///
/// ```
/// use siconos_io::sweep::{Rows, Sweep};
///
/// let text = "format = 1\nkind = \"hybrid\"\n[time]\nend = 1\n[parameters]\nk = 1\n\
///             [variables]\nx = { initial = 1, equation = \"x' = -k * x\" }\n";
/// let vary = ["k=1:3:1".parse()?];
/// let sweep = Sweep::new((text, "decay.toml"), None, &[], &vary)?.with_rows(Rows::Last);
/// assert_eq!((sweep.len(), sweep.columns()), (3, &["k", "t", "x"].map(str::to_owned)[..]));
/// let rows = sweep.worker().run(1)?;
/// assert!(rows.len() == 1 && (rows[0][2] - (-2.0_f64).exp()).abs() < 1e-11);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sweep {
    text: String,
    name: String,
    /// Below which the text may name files of arrays.
    folder: Option<PathBuf>,
    overrides: Vec<Override>,
    pub(super) vary: Vec<Vary>,
    pub(super) rows: Rows,
    columns: Vec<String>,
    data: Vec<DataFile>,
}

/// Which rows of a point are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rows {
    /// The last one.
    #[default]
    Last,
    /// All that the model puts out.
    All,
}

/// Why a point has come to nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PointError {
    /// The model cannot be built for its values.
    #[error(transparent)]
    Model(#[from] DocumentError),
    /// The run cannot begin.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The run ended before its end.
    #[error(transparent)]
    Run(RunError<Infallible>),
    /// With its values the model has other columns than the table.
    #[error("the columns are {}; those of the table are {}", found.join(", "), expected.join(", "))]
    Columns {
        /// The columns of the point.
        found: Vec<String>,
        /// The columns of the table.
        expected: Vec<String>,
    },
    /// A place has no values.
    #[error("{path} varies over no values")]
    NoValues {
        /// The keys of the place, with dots between.
        path: String,
    },
    /// A place is set and varies as well: the value that is set would be in no row.
    #[error("{path} is set, and varies as well; leave one of them out")]
    SetAndVaried {
        /// The keys of the place, with dots between.
        path: String,
    },
    /// One place varies twice.
    #[error("{path} varies twice; say all its values at once")]
    Twice {
        /// The keys of the place, with dots between.
        path: String,
    },
}

impl Sweep {
    /// A sweep of the model in a file, with some values set for all points.
    ///
    /// # Errors
    ///
    /// [`PointError`]: a file that cannot be read, or as [`new`](Self::new).
    pub fn read(path: &Path, overrides: &[Override], vary: &[Vary]) -> Result<Self, PointError> {
        let name = path.display().to_string();
        match fs::read_to_string(path) {
            Ok(text) => Self::new((&text, &name), Some(folder_of(path)), overrides, vary),
            Err(source) => Err(DocumentError::Io { name, source }.into()),
        }
    }

    /// A sweep of the model in a text, with some values set for all points; `name` is what messages call it.
    /// Files of arrays that the text names are looked for below the folder, if there is one.
    ///
    /// # Errors
    ///
    /// [`PointError`] where neither the first nor the last point nor one in the middle can be built, with
    /// what is wrong with the first.
    pub fn new(
        (text, name): (&str, &str),
        folder: Option<&Path>,
        overrides: &[Override],
        vary: &[Vary],
    ) -> Result<Self, PointError> {
        let mut sweep = Self {
            text: text.to_owned(),
            name: name.to_owned(),
            folder: folder.map(Path::to_owned),
            data: Vec::new(),
            overrides: overrides.to_vec(),
            vary: vary.to_vec(),
            rows: Rows::default(),
            columns: Vec::new(),
        };
        for (place, own) in vary.iter().enumerate() {
            let path = || own.path.clone();
            if own.values.is_empty() {
                return Err(PointError::NoValues { path: path() });
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

    /// The model of a point that can be built: the first, the last or one in the middle. Where none can, the
    /// error of the first.
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

    /// Whether a run has the columns of the table.
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

    /// With these rows of each point in its table; without this, the last ones.
    #[must_use]
    pub fn with_rows(self, rows: Rows) -> Self {
        Self { rows, ..self }
    }

    /// Something that runs points, one after the other; for several at once there is one for each thread.
    #[must_use]
    pub fn worker(&self) -> Worker<'_> {
        Worker::new(self)
    }

    /// The number of points.
    #[must_use]
    pub fn len(&self) -> usize {
        self.vary.iter().map(|vary| vary.values.len()).product()
    }

    /// Whether there is no point.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The columns of its table: the values that vary, then the outputs of the model. A value is called by
    /// the last key of its place; by all of them where that is the name of another column, or a number. Where
    /// the model goes on after steps that did not converge, the last column, `not_converged`, says how many
    /// of these there were up to the row.
    #[must_use]
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// What tells this sweep from another: the checksums of the model and of the files that it names, what
    /// was set, what varies, and which rows are kept.
    #[must_use]
    pub fn identity(&self) -> Vec<String> {
        let set = self.overrides.iter().map(|set| format!("set {}={}", set.path, set.text));
        let vary = self.vary.iter().map(|vary| {
            let bits: Vec<u8> = vary.values.iter().flat_map(|value| value.to_le_bytes()).collect();
            let (count, check) = (vary.values.len(), crc32fast::hash(&bits));
            format!("vary {} over {count} values, checksum {check:08x}", vary.path)
        });
        let model = format!("model checksum {:08x}", crc32fast::hash(self.text.as_bytes()));
        let data = self.data.iter().map(|data| format!("{} checksum {:08x}", data.path, data.check));
        let rows = match self.rows {
            Rows::Last => "the last row of each point",
            Rows::All => "all rows of each point",
        };
        std::iter::once(model).chain(data).chain(set).chain(vary).chain([rows.to_owned()]).collect()
    }

    /// The values of a point, in the order of what varies.
    #[must_use]
    pub fn values(&self, point: usize) -> Vec<f64> {
        let mut rest = point;
        let mut values: Vec<_> = self
            .vary
            .iter()
            .rev()
            .map(|vary| {
                let value = vary.values[rest % vary.values.len()];
                rest /= vary.values.len();
                value
            })
            .collect();
        values.reverse();
        values
    }

    /// The model with these values in the places that vary.
    pub(super) fn model(&self, values: &[f64]) -> Result<AnyModel, DocumentError> {
        let mut overrides = self.overrides.clone();
        let vary = self.vary.iter().zip(values);
        overrides
            .extend(vary.map(|(vary, value)| Override { path: vary.path.clone(), text: written(*value) }));
        match &self.folder {
            Some(folder) => AnyModel::parse_in(folder, (&self.text, &self.name), &overrides),
            None => AnyModel::parse(&self.text, &self.name, &overrides),
        }
    }
}

/// The name of the column of a value that varies, beside the others and those of the model.
fn column(own: &Vary, vary: &[Vary], of_model: &[String]) -> String {
    let last_key = |vary: &Vary| vary.path.rsplit('.').next().unwrap_or(&vary.path).to_owned();
    let key = last_key(own);
    let is_taken = of_model.contains(&key) || vary.iter().filter(|vary| last_key(vary) == key).count() > 1;
    let is_number = key.parse::<f64>().is_ok();
    if is_taken || is_number { own.path.clone() } else { key }
}

/// From here on not every whole number is one of these.
const MOST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// A number as a file has it: a whole one without a point, as counts are written; -0 is no whole number.
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
