//! Runs that share the panels of a figure: the rows of each file, or of each point of a parameter study.

use std::path::PathBuf;

use siconos_figure::kinds::Points;
use siconos_io::trajectory::Table;

use super::columns::Columns;
use super::rows;

/// Trajectory with its name in the legend.
#[derive(Debug)]
pub(super) struct Run {
    /// Name of the file, or values of the parameters.
    pub(super) label: String,
    pub(super) table: Table,
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

impl Run {
    pub(super) fn new(label: String, table: Table) -> Self {
        Self { label, table, parameters: 0 }
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
            Ok(Self { label: label.collect::<Vec<_>>().join(", "), table, parameters: time })
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
            all.push(Series { label, t: t.clone(), points: columns.points(x, find(y)?) });
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
    let mut values = runs.iter().filter_map(|run| run.table.column(name)).flatten();
    let first = values.next().unwrap_or(f64::NAN);
    first.is_finite() && values.all(|value| value == first)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use siconos_io::trajectory::Table;

    use super::{Run, labels, short_texts};

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
