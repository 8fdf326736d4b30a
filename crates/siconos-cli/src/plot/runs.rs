//! Runs that share the panels of a figure: the rows of each file, or of each point of a parameter study.

use std::path::{Path, PathBuf};

use siconos_figure::Scale;
use siconos_figure::kinds::{Points, once_per_period};
use siconos_io::trajectory::{Envelope, Table};

use super::columns::Columns;
use super::long_file::{Drawing, INTERVALS, LongFile, TimedPoints};
use super::rows;

/// Trajectory with its name in the legend.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// Name of the file, or values of the parameters.
    pub(super) label: String,
    /// Columns. They have rows only if the rows are stored.
    pub(super) table: Table,
    source: Source,
    /// Number of columns at the left that contain the parameters of a study.
    pub(super) parameters: usize,
}

/// Origin of the points of a run.
#[derive(Clone, Debug)]
enum Source {
    /// Rows of the table.
    Stored,
    /// Envelope of the rows of a long trajectory.
    Envelope(Envelope),
    /// File whose rows are not stored.
    File(LongFile),
}

/// Points of a column of a run.
pub(super) struct Series {
    /// Name in the legend; empty if there is only one series.
    pub(super) label: String,
    /// Times of the points, for drawings with jumps.
    pub(super) t: Vec<f64>,
    pub(super) points: Points,
    /// Number of further points that the axes cannot show.
    pub(super) undrawn: usize,
}

/// Minimum number of significant digits of a parameter in the legend.
const LEAST_DIGITS: usize = 4;
/// Number of significant digits that distinguishes all numbers.
const MOST_DIGITS: usize = 17;

impl Run {
    pub(super) fn new(label: String, table: Table) -> Self {
        Self { label, table, source: Source::Stored, parameters: 0 }
    }

    /// Creates a run to which rows are added with [`push_row`](Self::push_row). Its size does not depend on
    /// the number of rows. `x` is the index of the column on the horizontal axis.
    pub(crate) fn without_rows(head: Table, x: usize) -> Self {
        let envelope = Envelope::new(head.columns().len(), x, INTERVALS);
        Self { source: Source::Envelope(envelope), ..Self::new(String::new(), head) }
    }

    /// Adds a row to a run without rows.
    pub(crate) fn push_row(&mut self, row: &[f64]) {
        if let Source::Envelope(envelope) = &mut self.source {
            envelope.push_row(row);
        }
    }

    /// Opens a file without storing its rows, see [`LongFile::open`].
    pub(super) fn open_long(
        file: &Path,
        bounds: (Option<f64>, Option<f64>),
        has_parameters: bool,
        large: u64,
        check: impl FnOnce(&Table) -> Result<(), String>,
    ) -> Result<Option<Self>, String> {
        let found = LongFile::open(file, bounds, has_parameters, large, check)?;
        let run = |(head, file)| Self { source: Source::File(file), ..Self::new(String::new(), head) };
        Ok(found.map(run))
    }

    /// Returns the number of rows.
    pub(crate) fn rows(&self) -> u64 {
        match &self.source {
            Source::Stored => self.table.len() as u64,
            Source::Envelope(envelope) => envelope.rows(),
            Source::File(file) => file.rows(),
        }
    }

    /// Returns the points of each pair of columns (x, y). An envelope has one column x.
    fn curves(
        &self,
        pairs: &[(usize, usize)],
        drawing: Drawing,
        scales: (Scale, Scale),
    ) -> Result<Vec<TimedPoints>, String> {
        let columns = self.columns();
        let stored = |&(x, y): &(usize, usize)| {
            let (t, points) = (columns.values(columns.time()), columns.points(x, y));
            let Drawing::Stroboscope(period) = drawing else {
                return Ok(TimedPoints { t, points, undrawn: 0 });
            };
            let points = once_per_period(&t, &points, period).map_err(|error| error.to_string())?;
            Ok(TimedPoints { points, ..TimedPoints::default() })
        };
        match &self.source {
            Source::Stored => pairs.iter().map(stored).collect(),
            Source::Envelope(envelope) => {
                let points = pairs.iter().map(|(_, y)| envelope.points(*y));
                Ok(points.map(|points| TimedPoints { points, ..TimedPoints::default() }).collect())
            }
            Source::File(file) => file.curves(pairs, drawing, scales),
        }
    }

    /// Returns column `x` and the given columns at the same rows, see [`LongFile::columns`].
    pub(super) fn values(
        &self,
        x: usize,
        places: &[usize],
        has_sum: bool,
    ) -> Result<(Vec<f64>, Vec<Vec<f64>>), String> {
        let Source::File(file) = &self.source else {
            let columns = self.columns();
            return Ok((columns.values(x), places.iter().map(|place| columns.values(*place)).collect()));
        };
        file.columns(x, places, has_sum)
    }

    /// Returns the value of a column that has the same finite value in all rows.
    fn constant(&self, column: usize) -> Option<f64> {
        match &self.source {
            Source::Stored => common(self.table.rows().map(|row| row[column])),
            Source::Envelope(envelope) => common(envelope.points(column).into_iter().map(|point| point.1)),
            Source::File(file) => file.constant(column),
        }
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
    /// starts again with each point. Points without a result, whose time is NaN, are omitted. The labels are
    /// the values of the parameters that vary.
    pub(super) fn split(self) -> Result<Vec<Self>, String> {
        let columns = self.columns();
        let time = columns.time();
        let all: Vec<&[f64]> = self.table.rows().filter(|row| !row[time].is_nan()).collect();
        let points: Vec<&[&[f64]]> = all.chunk_by(|a, b| a[..time] == b[..time]).collect();
        let starts_again = |pair: &[&[&[f64]]]| {
            let last = pair[0].last().map_or(f64::NAN, |row| row[time]);
            pair[1][0][time] < last
        };
        if time == 0 || all.is_empty() || points.len() == all.len() || !points.windows(2).all(starts_again) {
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

/// Returns the common value if all values are finite and equal.
fn common(mut values: impl Iterator<Item = f64>) -> Option<f64> {
    let first = values.next().filter(|first| first.is_finite())?;
    values.all(|value| value == first).then_some(first)
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

/// Returns the series of each plane, which consists of a column x and columns y, for all runs. The columns
/// are those of the first run; the other runs must have columns with the same names. A label contains the
/// name of the column if there are several, and the name of the run if there are several.
pub(super) fn series(
    runs: &[Run],
    planes: &[(usize, Vec<usize>)],
    drawing: Drawing,
    scales: (Scale, Scale),
) -> Result<Vec<Vec<Series>>, String> {
    let mut all: Vec<Vec<Series>> = planes.iter().map(|_| Vec::new()).collect();
    let Some(first) = runs.first().map(Run::columns) else { return Ok(all) };
    for run in runs {
        let columns = run.columns();
        let find = |column: usize| {
            let name = first.name(column);
            columns.find(name).map_err(|message| format!("{}: {message}", run.label))
        };
        let mut pairs = Vec::new();
        for (x, places) in planes {
            let x = find(*x)?;
            for y in places {
                pairs.push((x, find(*y)?));
            }
        }
        let mut curves = run.curves(&pairs, drawing, scales)?.into_iter();
        for (series, (_, places)) in all.iter_mut().zip(planes) {
            for (&y, TimedPoints { t, points, undrawn }) in places.iter().zip(&mut curves) {
                let label = match (runs.len() > 1, places.len() > 1) {
                    (false, false) => String::new(),
                    (false, true) => first.name(y).to_owned(),
                    (true, false) => run.label.clone(),
                    (true, true) => format!("{}: {}", run.label, first.name(y)),
                };
                series.push(Series { label, t, points, undrawn });
            }
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
    let mut values =
        runs.iter().filter_map(|run| run.table.column_index(name).map(|column| run.constant(column)));
    let first = values.next().flatten();
    first.is_some() && values.all(|value| value == first)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use siconos_figure::Scale;
    use siconos_io::trajectory::Table;

    use super::{Drawing, Run, is_constant, labels, short_texts};

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
        // A point without a result.
        let failed = [2.0, f64::NAN, f64::NAN];
        let with_failed = [rows[0], rows[1], failed, rows[2], rows[3]];
        assert_eq!(split(table(["g", "t", "q"], &with_failed)), ["g = 1", "g = 0.25"]);
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
        let points = |run: &Run| {
            let linear = (Scale::Linear, Scale::Linear);
            run.curves(&[(0, 1)], Drawing::Function, linear).expect("points").remove(0).points
        };
        assert_eq!((run.rows(), points(&run)), (1000, points(&whole)));
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
