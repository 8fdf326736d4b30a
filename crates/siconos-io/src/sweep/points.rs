//! The points of a sweep, and what each comes to.

use std::convert::Infallible;
use std::fs;
use std::path::{Path, PathBuf};

use super::Vary;
use crate::document::{DocumentError, Override};
use crate::folder::folder_of;
use crate::model::{AnyModel, AnyRun, DataFile, RunError, StartError, Unconverged};

/// The column of the number of steps that did not converge.
const NOT_CONVERGED: &str = "not_converged";

/// A model with values that vary.
#[derive(Clone, Debug)]
pub struct Sweep {
    text: String,
    name: String,
    /// Below which the text may name files of arrays.
    folder: Option<PathBuf>,
    overrides: Vec<Override>,
    vary: Vec<Vary>,
    columns: Vec<String>,
    data: Vec<DataFile>,
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
}

impl Sweep {
    /// A sweep of the model in a file, with some values set for all points.
    ///
    /// # Errors
    ///
    /// [`PointError`]: a file that cannot be read, or whose first point cannot be built.
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
    /// [`PointError`] where the first point cannot be built.
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
            columns: vary.iter().map(|vary| last_key(&vary.path).to_owned()).collect(),
        };
        let first = sweep.model(0)?;
        sweep.data = first.data().to_vec();
        let first = first.run(None)?;
        sweep.columns.extend(first.names().iter().cloned());
        sweep.columns.extend(first.unconverged().map(|_| NOT_CONVERGED.to_owned()));
        Ok(sweep)
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

    /// The columns of its table: the values that vary, then the outputs of the model. Where the model goes on
    /// after steps that did not converge, the last column, `not_converged`, says how many of these there were
    /// up to the row.
    #[must_use]
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// What tells this sweep from another: the checksums of the model and of the files that it names, what
    /// was set, and what varies.
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
        std::iter::once(model).chain(data).chain(set).chain(vary).collect()
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

    fn begin(&self, point: usize) -> Result<AnyRun, PointError> {
        Ok(self.model(point)?.run(None)?)
    }

    fn model(&self, point: usize) -> Result<AnyModel, DocumentError> {
        let mut overrides = self.overrides.clone();
        let values = self.values(point);
        overrides.extend(
            self.vary
                .iter()
                .zip(values)
                .map(|(vary, value)| Override { path: vary.path.clone(), text: format!("{value:?}") }),
        );
        match &self.folder {
            Some(folder) => AnyModel::parse_in(folder, (&self.text, &self.name), &overrides),
            None => AnyModel::parse(&self.text, &self.name, &overrides),
        }
    }

    /// Runs a point to its end: its rows, or the last one alone, each with the values of the point in front.
    ///
    /// # Errors
    ///
    /// [`PointError`].
    pub fn run(&self, point: usize, last_alone: bool) -> Result<Vec<Vec<f64>>, PointError> {
        let mut run = self.begin(point)?;
        let values = self.values(point);
        let mut rows: Vec<Vec<f64>> = Vec::new();
        loop {
            let rows_before = rows.len();
            let more = run.advance(|row| {
                rows.push([&values[..], row].concat());
                Ok::<(), Infallible>(())
            });
            if let Some(Unconverged { steps, .. }) = run.unconverged() {
                rows[rows_before..].iter_mut().for_each(|row| row.push(steps as f64));
            }
            if last_alone && rows.len() > 1 {
                rows.drain(..rows.len() - 1);
            }
            if !more.map_err(PointError::Run)? {
                return Ok(rows);
            }
        }
    }
}

/// The name of a column of values at a path.
fn last_key(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}
