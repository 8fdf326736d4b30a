//! Trajectory files that are too large to be stored. Their rows are read again for each figure.

use std::fs;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use siconos_figure::kinds::{Points, Stroboscope};
use siconos_figure::{FigureError, Scale};
use siconos_io::trajectory::{Envelope, Table, TableError};

use super::cloud::Cloud;
use super::column_range::ColumnRange;
use super::columns::Columns;
use super::grid::Grid;
use super::rows;
use super::trace::Trace;
use super::undrawn::Undrawn;
use crate::tables;

/// Size of a file above which its rows are not stored \[bytes\].
pub(super) const LARGE: u64 = 32 << 20;

/// Maximum number of intervals of an envelope. A figure without the option `--size` has fewer pixels in a
/// row.
pub(super) const INTERVALS: NonZeroUsize = NonZeroUsize::new(4096).unwrap();
/// Maximum number of intervals of the envelopes of all columns of a figure.
const ALL_INTERVALS: usize = 1 << 18;

/// Maximum number of cells of a grid in each direction. In a figure with few curves and without the option
/// `--size`, a pixel is at least four cells wide.
const SIDE: usize = 4096;
/// Maximum number of cells of the grids of all curves.
const ALL_CELLS: usize = 1 << 27;
/// Maximum number of points of all curves before the cells are enlarged.
const ALL_POINTS: usize = 1 << 19;
/// Maximum number of points of one curve before the cells are enlarged.
const MOST_POINTS: usize = 1 << 17;

/// File whose rows are not stored, with the ranges of its columns.
#[derive(Clone, Debug)]
pub(super) struct LongFile {
    path: PathBuf,
    /// Index of the time column.
    time: usize,
    /// Times of the rows that are drawn.
    window: RangeInclusive<f64>,
    /// Number of rows that are drawn.
    rows: u64,
    ranges: Vec<ColumnRange>,
}

/// Points of a curve and their times.
#[derive(Debug, Default)]
pub(super) struct TimedPoints {
    /// Times of the points; empty if the figure does not need them.
    pub(super) t: Vec<f64>,
    pub(super) points: Points,
    /// Number of further points that the axes cannot show.
    pub(super) undrawn: usize,
}

/// Drawing of curves.
#[derive(Clone, Copy)]
pub(super) enum Drawing {
    /// Lines over a column whose values do not decrease.
    Function,
    /// Lines of any shape.
    Orbit,
    /// Dots.
    Dots,
    /// A dot for each period \[s\].
    Stroboscope(f64),
}

impl LongFile {
    /// Opens a file if it is larger than `large` \[bytes\] and can be read row by row. Returns it with its
    /// columns, and reads it to the end to determine their ranges. Returns `None` for any other file, and for
    /// a file with columns to the left of the time unless `has_parameters` is `true`: these columns can be
    /// the parameters of a study, whose points are separate curves.
    ///
    /// Only the rows with a time from `from` to `to` are drawn. `check` checks the columns before the rows
    /// are read.
    pub(super) fn open(
        path: &Path,
        (from, to): (Option<f64>, Option<f64>),
        has_parameters: bool,
        large: u64,
        check: impl FnOnce(&Table) -> Result<(), String>,
    ) -> Result<Option<(Table, Self)>, String> {
        let in_words = |error: TableError| error.to_string();
        let is_large = fs::metadata(path).is_ok_and(|file| file.len() > large);
        if !is_large || !Table::is_read_by_row(path).map_err(in_words)? {
            return Ok(None);
        }
        let mut reader = tables::open(path).map_err(in_words)?;
        let head = reader.head().clone();
        let time = Columns::new(&head).time();
        if time != 0 && !has_parameters {
            return Ok(None);
        }
        check(&head)?;
        let window = rows::window(from, to);
        let mut ranges = vec![ColumnRange::default(); head.columns().len()];
        let (mut rows, mut times) = (0, ColumnRange::default());
        while let Some(row) = reader.next_row().map_err(in_words)? {
            times.add(row[time]);
            if rows::is_inside(&window, row[time]) {
                rows += 1;
                ranges.iter_mut().zip(row).for_each(|(range, value)| range.add(*value));
            }
        }
        let file = Self { path: path.to_owned(), time, window, rows, ranges };
        match reader.rows() {
            0 => Ok(None),
            _ if rows == 0 => {
                let name = &head.columns()[time];
                Err(format!(
                    "{}: {}",
                    path.display(),
                    rows::none_inside(name, &file.window, times.extremes())
                ))
            }
            _ => Ok(Some((head, file))),
        }
    }

    /// Returns the number of rows that are drawn.
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns the value of a column that has the same finite value in all rows.
    pub(super) fn constant(&self, column: usize) -> Option<f64> {
        self.ranges[column].constant()
    }

    /// Returns the points of each pair of columns (x, y), as few as the drawing needs. All functions have the
    /// same column x.
    pub(super) fn curves(
        &self,
        pairs: &[(usize, usize)],
        drawing: Drawing,
        scales: (Scale, Scale),
    ) -> Result<Vec<TimedPoints>, String> {
        let count = pairs.len().max(1);
        let most = MOST_POINTS.min(ALL_POINTS / count);
        let grid = |(x, y): &(usize, usize)| {
            let side = SIDE.min((ALL_CELLS / count).isqrt());
            Grid::new((self.ranges[*x].on_axis(scales.0), self.ranges[*y].on_axis(scales.1)), side)
        };
        let clouds = || pairs.iter().map(|pair| Cloud::new(grid(pair), most)).collect::<Vec<_>>();
        let dots = |clouds: Vec<Cloud>| {
            let points = clouds.into_iter().map(Cloud::finish);
            points.map(|(points, undrawn)| TimedPoints { t: Vec::new(), points, undrawn }).collect()
        };
        match drawing {
            Drawing::Function => {
                let Some((x, _)) = pairs.first() else { return Ok(Vec::new()) };
                let columns: Vec<usize> = pairs.iter().map(|(_, y)| *y).collect();
                let mut undrawn = vec![Undrawn::default(); columns.len()];
                let envelope = self.envelope(*x, &columns, false, |x, values| {
                    for (value, undrawn) in values.iter_mut().zip(&mut undrawn) {
                        if !(scales.0.place(x).is_finite() && scales.1.place(*value).is_finite()) {
                            undrawn.note((x, *value));
                            *value = f64::NAN;
                        }
                    }
                })?;
                let curve = |(undrawn, column): (Undrawn, usize)| {
                    let mut points = envelope.points(column);
                    let undrawn = undrawn.finish(&mut points);
                    TimedPoints { t: Vec::new(), points, undrawn }
                };
                Ok(undrawn.into_iter().zip(1..).map(curve).collect())
            }
            Drawing::Orbit => {
                let mut traces: Vec<_> = pairs.iter().map(|pair| Trace::new(grid(pair), most)).collect();
                self.read(|_, row| {
                    for (trace, (x, y)) in traces.iter_mut().zip(pairs) {
                        trace.push(row[self.time], (row[*x], row[*y]));
                    }
                    Ok(())
                })?;
                Ok(traces.into_iter().map(Trace::finish).collect())
            }
            Drawing::Dots => {
                let mut clouds = clouds();
                self.read(|_, row| {
                    for (cloud, (x, y)) in clouds.iter_mut().zip(pairs) {
                        cloud.push((row[*x], row[*y]));
                    }
                    Ok(())
                })?;
                Ok(dots(clouds))
            }
            Drawing::Stroboscope(period) => {
                let mut clouds = clouds();
                let span = self.ranges[self.time].ends();
                let count = usize::try_from(self.rows).unwrap_or(usize::MAX);
                let stroboscope = Stroboscope::new(span, count, period).map_err(in_figure)?;
                let mut stroboscopes = vec![stroboscope; pairs.len()];
                let mut samples = Points::new();
                self.read(|_, row| {
                    for ((cloud, stroboscope), (x, y)) in clouds.iter_mut().zip(&mut stroboscopes).zip(pairs)
                    {
                        let pushed = stroboscope.push(row[self.time], (row[*x], row[*y]), &mut samples);
                        pushed.map_err(in_figure)?;
                        samples.drain(..).for_each(|sample| cloud.push(sample));
                    }
                    Ok(())
                })?;
                for (cloud, stroboscope) in clouds.iter_mut().zip(stroboscopes) {
                    stroboscope.finish(&mut samples);
                    samples.drain(..).for_each(|sample| cloud.push(sample));
                }
                Ok(dots(clouds))
            }
        }
    }

    /// Returns column `x` and the given columns, all at the same rows: those that the envelopes of the
    /// columns need. If `has_sum` is `true`, the envelope of the sum of the columns is included.
    pub(super) fn columns(
        &self,
        x: usize,
        columns: &[usize],
        has_sum: bool,
    ) -> Result<(Vec<f64>, Vec<Vec<f64>>), String> {
        let rows = self.envelope(x, columns, has_sum, |_, _| ())?.drawn_rows();
        let mut rows = rows.into_iter().peekable();
        let (mut of_x, mut values) = (Vec::new(), vec![Vec::new(); columns.len()]);
        self.read(|number, row| {
            if rows.next_if_eq(&number).is_some() {
                of_x.push(row[x]);
                values.iter_mut().zip(columns).for_each(|(values, column)| values.push(row[*column]));
            }
            Ok(())
        })?;
        Ok((of_x, values))
    }

    /// Returns the envelope of column `x`, the given columns and, if requested, their sum. `change` can
    /// change the values of the columns in each row; its first argument is the value of `x`.
    fn envelope(
        &self,
        x: usize,
        columns: &[usize],
        has_sum: bool,
        mut change: impl FnMut(f64, &mut [f64]),
    ) -> Result<Envelope, String> {
        let width = 1 + columns.len() + usize::from(has_sum);
        let intervals =
            NonZeroUsize::new(ALL_INTERVALS / width).map_or(NonZeroUsize::MIN, |all| all.min(INTERVALS));
        let mut envelope = Envelope::new(width, 0, intervals);
        let mut values = Vec::with_capacity(width);
        self.read(|_, row| {
            values.clear();
            values.push(row[x]);
            values.extend(columns.iter().map(|column| row[*column]));
            if has_sum {
                values.push(values[1..].iter().sum());
            }
            change(row[x], &mut values[1..]);
            envelope.push_row(&values);
            Ok(())
        })?;
        Ok(envelope)
    }

    /// Passes the rows that are drawn to `take`, with their indices among these rows.
    fn read(&self, mut take: impl FnMut(u64, &[f64]) -> Result<(), String>) -> Result<(), String> {
        let in_words = |error: TableError| error.to_string();
        let mut reader = tables::open(&self.path).map_err(in_words)?;
        // A run can append rows to the file meanwhile.
        let mut number = 0;
        while let Some(row) = reader.next_row().map_err(in_words)? {
            if rows::is_inside(&self.window, row[self.time]) {
                take(number, row)?;
                number += 1;
            }
            if number == self.rows {
                break;
            }
        }
        Ok(())
    }
}

fn in_figure(error: FigureError) -> String {
    error.to_string()
}
