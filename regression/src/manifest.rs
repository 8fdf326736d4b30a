//! Manifest: the comparisons with their tolerances, and the checks of the file.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::{fs, io};

use serde::Deserialize;

use crate::compare::Tolerance;

/// Largest tolerance that needs no reason.
pub(crate) const WITHOUT_REASON: f64 = 1e-10;

/// All comparisons, in the order of the file.
#[derive(Debug)]
pub(crate) struct Manifest {
    path: PathBuf,
    scenarios: Vec<Scenario>,
}

/// One comparison.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scenario {
    pub(crate) name: String,
    pub(crate) description: String,
    /// Simulation whose result is compared; several comparisons may share one.
    pub(crate) result: String,
    pub(crate) reference: Reference,
    /// Compared rows; `None` for all.
    pub(crate) rows: Option<Range<usize>>,
    /// Origin of the reference.
    pub(crate) provenance: String,
    pub(crate) columns: Vec<Column>,
}

/// Location of the reference.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Reference {
    /// File in the folder `regression`, written by this program from every `stride`-th row of a result.
    Own { file: PathBuf, stride: NonZeroUsize },
    /// File in the folder of external references, written by another program.
    External { file: PathBuf },
}

/// Compared column.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) reference_column: String,
    pub(crate) tolerance: Tolerance,
    pub(crate) reason: String,
}

/// Error in a manifest.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ManifestError {
    #[error("{}: cannot read the manifest", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{}: {source}", path.display())]
    Parse { path: PathBuf, source: Box<toml::de::Error> },
    #[error("{}: scenario {scenario:?}: {problem}", path.display())]
    Scenario { path: PathBuf, scenario: String, problem: Problem },
    #[error("{}: scenario {scenario:?}, column {column:?}: {problem}", path.display())]
    Column { path: PathBuf, scenario: String, column: String, problem: Problem },
    #[error("{}: no column is compared within the tolerance {name:?}", path.display())]
    UnusedTolerance { path: PathBuf, name: String },
    #[error("{}: no entry uses the scenario {name:?} of the examples; every scenario must be compared", path.display())]
    Unused { path: PathBuf, name: String },
    #[error("{}: there is no scenario {name:?}; --list shows all scenarios", path.display())]
    NoSuchScenario { path: PathBuf, name: String },
}

/// Error in an entry.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(crate) enum Problem {
    #[error("{key} is empty")]
    Empty { key: &'static str },
    #[error("the name appears twice")]
    Duplicate,
    #[error("the examples have no scenario {result:?}; the scenarios are {known}")]
    UnknownResult { result: String, known: String },
    #[error("no column is compared; expected columns = [{{ within = \"..\", of = [\"..\"] }}]")]
    NoColumn,
    #[error("there is no tolerance {name:?}; define it in a table [tolerance.{name}]")]
    UnknownTolerance { name: String },
    #[error("the columns require either `within` with the name of a tolerance, or `absolute` and `relative`")]
    NoTolerance,
    #[error("expected either reference = {{ file = \"..\" }} or reference = {{ external = \"..\" }}")]
    ReferenceKind,
    #[error("stride requires an internal reference, which --bless thins")]
    StrideOfExternal,
    #[error("{} must be a path below the folder of references, without `..`", path.display())]
    PathLeaves { path: PathBuf },
    #[error(
        "rows = [{first}, {end}] selects no row; expected [first, end] with first < end, the end excluded"
    )]
    EmptyRows { first: usize, end: usize },
    #[error("{key} = {value:e} is not a tolerance; expected a finite, nonnegative number")]
    Tolerance { key: &'static str, value: f64 },
    #[error("{key} = {value:e} is above {WITHOUT_REASON:e}; give the reason in `reason`")]
    NoReason { key: &'static str, value: f64 },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawManifest {
    /// Named tolerances.
    #[serde(default)]
    tolerance: BTreeMap<String, RawTolerance>,
    #[serde(default)]
    scenario: Vec<RawScenario>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawScenario {
    name: String,
    description: String,
    result: Option<String>,
    reference: RawReference,
    rows: Option<(usize, usize)>,
    provenance: String,
    #[serde(default)]
    columns: Vec<RawColumns>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawReference {
    file: Option<PathBuf>,
    external: Option<PathBuf>,
    stride: Option<NonZeroUsize>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTolerance {
    absolute: f64,
    relative: f64,
    #[serde(default)]
    reason: String,
}

/// Columns with one tolerance, which is named or their own.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawColumns {
    within: Option<String>,
    absolute: Option<f64>,
    relative: Option<f64>,
    #[serde(default)]
    reason: String,
    /// `"column"`, or `"column: column of the reference"`.
    of: Vec<String>,
}

impl RawColumns {
    fn tolerance(&self, named: &BTreeMap<String, RawTolerance>) -> Result<RawTolerance, Problem> {
        match (&self.within, self.absolute, self.relative) {
            (Some(name), None, None) if self.reason.is_empty() => {
                named.get(name).cloned().ok_or_else(|| Problem::UnknownTolerance { name: name.clone() })
            }
            (None, Some(absolute), Some(relative)) => {
                Ok(RawTolerance { absolute, relative, reason: self.reason.clone() })
            }
            _ => Err(Problem::NoTolerance),
        }
    }
}

impl Manifest {
    /// Reads and checks the manifest at `path` against the scenarios that exist.
    pub(crate) fn read(path: &Path, known: &[&str]) -> Result<Self, ManifestError> {
        let text = fs::read_to_string(path)
            .map_err(|source| ManifestError::Read { path: path.to_owned(), source })?;
        Self::parse(path, &text, known)
    }

    pub(crate) fn parse(path: &Path, text: &str, known: &[&str]) -> Result<Self, ManifestError> {
        let all: RawManifest = toml::from_str(text)
            .map_err(|source| ManifestError::Parse { path: path.to_owned(), source: Box::new(source) })?;
        let mut names = BTreeSet::new();
        let mut scenarios = Vec::with_capacity(all.scenario.len());
        let mut unused: Vec<String> = all.tolerance.keys().cloned().collect();
        for raw in all.scenario {
            let name = raw.name.clone();
            let refused =
                |problem| ManifestError::Scenario { path: path.to_owned(), scenario: name.clone(), problem };
            if !names.insert(name.clone()) {
                return Err(refused(Problem::Duplicate));
            }
            let mut columns = Vec::new();
            for group in &raw.columns {
                let tolerance = group.tolerance(&all.tolerance).map_err(refused)?;
                unused.retain(|unused| Some(unused) != group.within.as_ref());
                for column in &group.of {
                    let checked = Column::checked(column, &tolerance);
                    columns.push(checked.map_err(|problem| ManifestError::Column {
                        path: path.to_owned(),
                        scenario: name.clone(),
                        column: column.clone(),
                        problem,
                    })?);
                }
            }
            scenarios.push(Scenario::checked(raw, columns, known).map_err(refused)?);
        }
        if let Some(name) =
            known.iter().find(|name| scenarios.iter().all(|scenario| scenario.result != **name))
        {
            return Err(ManifestError::Unused { path: path.to_owned(), name: (*name).to_owned() });
        }
        if let Some(name) = unused.pop() {
            return Err(ManifestError::UnusedTolerance { path: path.to_owned(), name });
        }
        Ok(Self { path: path.to_owned(), scenarios })
    }

    /// Returns the scenarios whose name contains `filter`.
    pub(crate) fn matching(&self, filter: Option<&str>) -> Vec<&Scenario> {
        self.scenarios
            .iter()
            .filter(|scenario| filter.is_none_or(|part| scenario.name.contains(part)))
            .collect()
    }

    /// Returns the scenario with a name.
    pub(crate) fn named(&self, name: &str) -> Result<&Scenario, ManifestError> {
        self.scenarios
            .iter()
            .find(|scenario| scenario.name == name)
            .ok_or_else(|| ManifestError::NoSuchScenario { path: self.path.clone(), name: name.to_owned() })
    }
}

impl Scenario {
    fn checked(raw: RawScenario, columns: Vec<Column>, known: &[&str]) -> Result<Self, Problem> {
        let texts = [("name", &raw.name), ("description", &raw.description), ("provenance", &raw.provenance)];
        if let Some((key, _)) = texts.into_iter().find(|(_, text)| text.trim().is_empty()) {
            return Err(Problem::Empty { key });
        }
        let result = raw.result.unwrap_or_else(|| raw.name.clone());
        if !known.contains(&result.as_str()) {
            return Err(Problem::UnknownResult { result, known: known.join(", ") });
        }
        if columns.is_empty() {
            return Err(Problem::NoColumn);
        }
        let rows = match raw.rows {
            Some((first, end)) if first >= end => return Err(Problem::EmptyRows { first, end }),
            rows => rows.map(|(first, end)| first..end),
        };
        let (name, description) = (raw.name, raw.description.trim().to_owned());
        let reference = Reference::checked(raw.reference)?;
        Ok(Self {
            name,
            description,
            result,
            reference,
            rows,
            provenance: raw.provenance.trim().to_owned(),
            columns,
        })
    }
}

impl Reference {
    fn checked(raw: RawReference) -> Result<Self, Problem> {
        let reference = match (raw.file, raw.external) {
            (Some(file), None) => Self::Own { file, stride: raw.stride.unwrap_or(NonZeroUsize::MIN) },
            (None, Some(_)) if raw.stride.is_some() => return Err(Problem::StrideOfExternal),
            (None, Some(file)) => Self::External { file },
            _ => return Err(Problem::ReferenceKind),
        };
        let (Self::Own { file, .. } | Self::External { file }) = &reference;
        if file.components().all(|component| matches!(component, Component::Normal(_))) {
            Ok(reference)
        } else {
            Err(Problem::PathLeaves { path: file.clone() })
        }
    }
}

impl Column {
    fn checked(column: &str, tolerance: &RawTolerance) -> Result<Self, Problem> {
        let (name, reference_column) = column.split_once(": ").unwrap_or((column, column));
        if name.trim().is_empty() || reference_column.trim().is_empty() {
            return Err(Problem::Empty { key: "the name of a column" });
        }
        let RawTolerance { absolute, relative, ref reason } = *tolerance;
        let reason = reason.trim().to_owned();
        for (key, value) in [("absolute", absolute), ("relative", relative)] {
            if !value.is_finite() || value < 0.0 {
                return Err(Problem::Tolerance { key, value });
            }
            if value > WITHOUT_REASON && reason.is_empty() {
                return Err(Problem::NoReason { key, value });
            }
        }
        let (name, reference_column) = (name.trim().to_owned(), reference_column.trim().to_owned());
        Ok(Self { name, reference_column, tolerance: Tolerance { absolute, relative }, reason })
    }
}

#[cfg(test)]
#[path = "manifest_tests.rs"]
mod tests;
