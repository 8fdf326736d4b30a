//! Runs that share the panels of a figure: the rows of each file, or of each point of a parameter study.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use siconos_figure::kinds::Points;
use siconos_io::trajectory::{Envelope, Table, TableError, TableReader};

use super::columns::Columns;
use super::rows;

/// Trajectory with its name in the legend.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// Name of the file, or values of the parameters.
    pub(super) label: String,
    /// Columns and rows. If there is an envelope, there are no rows.
    pub(super) table: Table,
    /// Envelope of the rows of a long trajectory.
    envelope: Option<Envelope>,
    /// Number of columns at the left that contain the parameters of a study.
    pub(super) parameters: usize,
}

/// Points of a column of a run.
pub(super) struct Series {
    /// Name in the legend; empty if there is only one series.
    pub(super) label: String,
    /// Time of each point.
    pub(super) t: Vec<f64>,
    pub(super) points: Points,
}

/// Minimum number of significant digits of a parameter in the legend.
const LEAST_DIGITS: usize = 4;
/// Number of significant digits that distinguishes all numbers.
const MOST_DIGITS: usize = 17;

/// Maximum number of intervals of an envelope. It exceeds twice the width of any figure \[pixels\].
const INTERVALS: NonZeroUsize = NonZeroUsize::new(4096).unwrap();

/// Size of a file above which its rows are not stored if an envelope is enough \[bytes\].
const LARGE: u64 = 32 << 20;

impl Run {
    pub(super) fn new(label: String, table: Table) -> Self {
        Self { label, table, envelope: None, parameters: 0 }
    }

    /// Creates a run to which rows are added with [`push_row`](Self::push_row). Its size does not depend on
    /// the number of rows. `x` is the index of the column on the horizontal axis.
    pub(crate) fn without_rows(head: Table, x: usize) -> Self {
        let envelope = Some(Envelope::new(head.columns().len(), x, INTERVALS));
        Self { label: String::new(), table: head, envelope, parameters: 0 }
    }

    /// Adds a row to a run without rows.
    pub(crate) fn push_row(&mut self, row: &[f64]) {
        self.envelope.iter_mut().for_each(|envelope| envelope.push_row(row));
    }

    /// Reads the trajectory in a file for a figure over the column with index `x`, or over the time if `x` is
    /// `None`. If the file is large and can be read row by row, its rows are not stored. The rows with a time
    /// from `from` to `to` are read. Returns `None` if the rows of the file must be stored.
    pub(super) fn read_envelope(
        file: &Path,
        x: Option<&str>,
        (from, to): (Option<f64>, Option<f64>),
    ) -> Result<Option<Self>, TableError> {
        let is_large = fs::metadata(file).is_ok_and(|file| file.len() > LARGE);
        if !is_large || !Table::is_read_by_row(file)? {
            return Ok(None);
        }
        let mut reader = TableReader::open(file)?;
        let head = reader.head().clone();
        let columns = Columns::new(&head);
        let time = columns.time();
        let Some(x) = x.map_or(Some(time), |name| head.column_index(name)) else { return Ok(None) };
        if time != 0 {
            // The columns to the left of the time can be the parameters of a study.
            return Ok(None);
        }
        let window = from.unwrap_or(f64::NEG_INFINITY)..=to.unwrap_or(f64::INFINITY);
        let mut run = Self::without_rows(head, x);
        while let Some(row) = reader.next_row()? {
            if window.contains(&row[time]) {
                run.push_row(row);
            }
        }
        Ok((run.rows() > 0).then_some(run))
    }

    /// Returns the number of rows.
    pub(crate) fn rows(&self) -> u64 {
        self.envelope.as_ref().map_or(self.table.len() as u64, Envelope::rows)
    }

    /// Returns the points of column `y` over column `x`. An envelope has one column x.
    fn points(&self, x: usize, y: usize) -> Points {
        self.envelope.as_ref().map_or_else(|| self.columns().points(x, y), |envelope| envelope.points(y))
    }

    pub(super) fn with_label(self, label: String) -> Self {
        Self { label, ..self }
    }

    /// Sets the units of the columns.
    pub(crate) fn with_units(mut self, set: impl FnOnce(&mut Table)) -> Self {
        set(&mut self.table);
        self
    }

    /// Keeps the rows with a time from `from` to `to`, see [`rows::between`].
    pub(super) fn between(self, from: Option<f64>, to: Option<f64>) -> Result<Self, String> {
        Ok(Self { table: rows::between(self.table, from, to)?, ..self })
    }

    pub(super) fn columns(&self) -> Columns<'_> {
        Columns::new(&self.table)
    }

    /// Splits the table of a parameter study into its points. A table is such a table if it has columns to
    /// the left of the time `t`, their values are equal in the successive rows of a point, and the time
    /// starts again with each point. The labels are the values of the parameters that vary.
    pub(super) fn split(self) -> Result<Vec<Self>, String> {
        let columns = self.columns();
        let time = columns.time();
        let all: Vec<&[f64]> = self.table.rows().collect();
        let points: Vec<&[&[f64]]> = all.chunk_by(|a, b| a[..time] == b[..time]).collect();
        let starts_again = |pair: &[&[&[f64]]]| {
            let last = pair[0].last().map_or(f64::NAN, |row| row[time]);
            pair[1][0][time] < last
        };
        if time == 0 || points.len() == all.len() || !points.windows(2).all(starts_again) {
            return Ok(vec![self]);
        }
        let varies = |column: usize| points.iter().any(|point| point[0][column] != points[0][0][column]);
        let varying: Vec<usize> = (0..time).filter(|column| varies(*column)).collect();
        let texts =
            |column: &usize| short_texts(&points.iter().map(|point| point[0][*column]).collect::<Vec<_>>());
        let texts: Vec<Vec<String>> = varying.iter().map(texts).collect();
        let run = |(place, point): (usize, &&[&[f64]])| {
            let values = varying.iter().zip(&texts);
            let values =
                values.map(|(column, texts)| format!("{} = {}", columns.name(*column), texts[place]));
            let label = (!self.label.is_empty()).then(|| self.label.clone()).into_iter().chain(values);
            let mut table = Table::with_capacity(columns.names(), point.len());
            table.provenance.clone_from(&self.table.provenance);
            point.iter().try_for_each(|row| table.push_row(row)).map_err(|error| error.to_string())?;
            Ok(Self { parameters: time, ..Self::new(label.collect::<Vec<_>>().join(", "), table) })
        };
        points.iter().enumerate().map(run).collect()
    }
}

/// Returns the texts of the values of a parameter, with as few digits as distinguish them.
fn short_texts(values: &[f64]) -> Vec<String> {
    let mut texts = Vec::new();
    for digits in LEAST_DIGITS..=MOST_DIGITS {
        texts = values.iter().map(|value| rounded(*value, digits)).collect();
        let differ = |(a, b): (usize, usize)| values[a] == values[b] || texts[a] != texts[b];
        if (1..values.len()).all(|place| differ((place - 1, place))) {
            break;
        }
    }
    texts
}

/// Returns a number rounded to this number of significant digits, without the digits `.0` of a whole number.
fn rounded(value: f64, digits: usize) -> String {
    let text = format!("{:?}", format!("{value:.*e}", digits - 1).parse().unwrap_or(value));
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// Returns the labels of files: their names, or their paths if two files have the same name. A single file
/// has an empty label.
pub(super) fn labels(files: &[PathBuf]) -> Vec<String> {
    if files.len() == 1 {
        return vec![String::new()];
    }
    let names: Vec<String> =
        files.iter().map(|file| file.file_name().unwrap_or_default().to_string_lossy().into()).collect();
    let are_distinct = (1..names.len()).all(|place| !names[..place].contains(&names[place]));
    if are_distinct { names } else { files.iter().map(|file| file.display().to_string()).collect() }
}

/// Returns the points of columns `places` against column `x`, for all runs. The columns are those of the
/// first run; the other runs must have columns with the same names. A label contains the name of the column
/// if there are several, and the name of the run if there are several.
pub(super) fn series(runs: &[Run], x: usize, places: &[usize]) -> Result<Vec<Series>, String> {
    let Some(first) = runs.first().map(Run::columns) else { return Ok(Vec::new()) };
    let mut all = Vec::with_capacity(runs.len() * places.len());
    for run in runs {
        let columns = run.columns();
        let find = |column: usize| {
            let name = first.name(column);
            columns.find(name).map_err(|message| format!("{}: {message}", run.label))
        };
        let t = columns.values(columns.time());
        let x = find(x)?;
        for &y in places {
            let label = match (runs.len() > 1, places.len() > 1) {
                (false, false) => String::new(),
                (false, true) => first.name(y).to_owned(),
                (true, false) => run.label.clone(),
                (true, true) => format!("{}: {}", run.label, first.name(y)),
            };
            all.push(Series { label, t: t.clone(), points: run.points(x, find(y)?) });
        }
    }
    Ok(all)
}

/// Returns `true` if a column of the first run is missing in another run.
pub(super) fn is_missing(runs: &[Run], column: usize) -> bool {
    let name = &runs[0].table.columns()[column];
    runs.iter().any(|run| run.table.column_index(name).is_none())
}

/// Returns `true` if a column has the same finite value in all rows of all runs.
pub(super) fn is_constant(runs: &[Run], column: usize) -> bool {
    let name = &runs[0].table.columns()[column];
    let points = runs.iter().filter_map(|run| Some(run.points(0, run.table.column_index(name)?)));
    let mut values = points.flatten().map(|(_, value)| value);
    let first = values.next().unwrap_or(f64::NAN);
    first.is_finite() && values.all(|value| value == first)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use siconos_io::trajectory::Table;

    use super::{Run, is_constant, labels, short_texts};

    fn table(columns: [&str; 3], rows: &[[f64; 3]]) -> Run {
        let mut table = Table::new(columns);
        rows.iter().try_for_each(|row| table.push_row(row)).expect("three numbers");
        Run::new(String::new(), table)
    }

    fn split(run: Run) -> Vec<String> {
        run.split().expect("valid rows").into_iter().map(|run| run.label).collect()
    }

    #[test]
    fn a_study_is_split_into_its_points() {
        let rows = [[1.0, 0.0, 5.0], [1.0, 1.0, 6.0], [0.25, 0.0, 7.0], [0.25, 1.0, 8.0]];
        assert_eq!(split(table(["g", "t", "q"], &rows)), ["g = 1", "g = 0.25"]);
        // Only the last row of each point.
        assert_eq!(split(table(["g", "t", "q"], &[rows[1], rows[3]])), [""]);
        // One trajectory, with a column to the left of its time.
        let rows = [[1.0, 0.0, 5.0], [1.0, 1.0, 6.0], [2.0, 2.0, 7.0]];
        assert_eq!(split(table(["mode", "t", "q"], &rows)), [""]);
        assert_eq!(split(table(["t", "g", "q"], &rows)), [""]);
    }

    #[test]
    fn a_run_without_rows_has_the_points_of_its_rows() {
        let rows: Vec<[f64; 3]> = (0..1000).map(|k| [f64::from(k), f64::from(k % 7), 1.0]).collect();
        let whole = table(["t", "q", "c"], &rows);
        let mut run = Run::without_rows(Table::new(["t", "q", "c"]), 0);
        rows.iter().for_each(|row| run.push_row(row));
        assert_eq!((run.rows(), run.points(0, 1)), (1000, whole.points(0, 1)));
        let runs = [run];
        assert!(is_constant(&runs, 2) && !is_constant(&runs, 1));
    }

    #[test]
    fn parameters_have_as_few_digits_as_distinguish_them() {
        assert_eq!(short_texts(&[0.1 + 0.2, 0.4, 5.0]), ["0.3", "0.4", "5"]);
        assert_eq!(short_texts(&[2.9019, 2.9021]), ["2.9019", "2.9021"]);
        assert_eq!(short_texts(&[1e-300, f64::NAN, 1e300]), ["1e-300", "NaN", "1e300"]);
        let (low, high) = (1.0, 1.0 + f64::EPSILON);
        assert_eq!(short_texts(&[low, high]), ["1", "1.0000000000000002"]);
    }

    #[test]
    fn files_with_equal_names_have_their_paths_as_labels() {
        let of = |files: &[&str]| labels(&files.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(of(&["a/x.csv"]), [""]);
        assert_eq!(of(&["a/x.csv", "b/y.csv"]), ["x.csv", "y.csv"]);
        assert_eq!(of(&["a/x.csv", "b/x.csv"]), ["a/x.csv", "b/x.csv"]);
    }
}
