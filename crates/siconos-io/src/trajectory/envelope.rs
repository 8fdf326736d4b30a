//! Envelope of a trajectory for a picture: the extremes of each column over intervals of rows.

use std::num::NonZeroUsize;

/// Extremes of each column over at most a given number of intervals of rows. It is updated row by row, and
/// its size does not depend on the number of rows.
///
/// A picture of the envelope equals a picture of all rows up to the width of one interval, if the values on
/// the horizontal axis do not decrease. A phase portrait needs the rows themselves.
///
/// All intervals have the same number of rows, a power of two, except the last. If there are more rows than
/// intervals, adjacent intervals are joined. A trajectory with at most as many rows as intervals is kept
/// unchanged.
///
/// ```
/// use std::num::NonZeroUsize;
/// use siconos_io::trajectory::Envelope;
///
/// let mut envelope = Envelope::new(2, 0, NonZeroUsize::new(100).expect("positive"));
/// for step in 0..1_000_000 {
///     let t = 1e-3 * f64::from(step);
///     let q = if step == 777_777 { 5.0 } else { t.sin() };
///     envelope.push_row(&[t, q]);
/// }
/// let points = envelope.points(1);
/// assert!(points.len() <= 200);
/// assert!(points.contains(&(1e-3 * 777_777.0, 5.0)));
/// ```
#[derive(Clone, Debug)]
pub struct Envelope {
    columns: usize,
    /// Index of the column on the horizontal axis.
    x: usize,
    most: usize,
    /// Number of rows of each interval except the last.
    width: u64,
    rows: u64,
    /// Extremes of each interval, for all columns.
    intervals: Vec<Vec<Extremes>>,
}

/// Extremes of one column over one interval.
#[derive(Clone, Copy, Debug, Default)]
struct Extremes {
    /// Minimum and maximum of the finite values; `None` if there are no finite values.
    minimum: Option<Point>,
    maximum: Option<Point>,
    /// First row in which the column is not finite.
    gap: Option<Point>,
}

/// Value of a column in a row.
#[derive(Clone, Copy, Debug)]
struct Point {
    row: u64,
    x: f64,
    y: f64,
}

impl Envelope {
    /// Creates an envelope for rows of `columns` columns. `x` is the index of the column on the horizontal
    /// axis, and `intervals` is the maximum number of intervals. For a picture, use at least twice the width
    /// of the picture \[pixels\], because joining halves the number of intervals.
    ///
    /// # Panics
    ///
    /// If `x` is not less than `columns`.
    #[track_caller]
    pub fn new(columns: usize, x: usize, intervals: NonZeroUsize) -> Self {
        assert!(x < columns, "column {x} of {columns} columns");
        Self { columns, x, most: intervals.get(), width: 1, rows: 0, intervals: Vec::new() }
    }

    /// Adds a row.
    ///
    /// # Panics
    ///
    /// If the length of the row differs from the number of columns.
    #[track_caller]
    pub fn push_row(&mut self, row: &[f64]) {
        let (expected, found) = (self.columns, row.len());
        assert_eq!(expected, found, "a row of {found} values for {expected} columns");
        if self.rows.is_multiple_of(self.width) {
            if self.intervals.len() == self.most {
                self.join_pairs();
            }
            // After an odd number of intervals has been joined, the last one has space for more rows.
            if self.rows.is_multiple_of(self.width) {
                self.intervals.push(vec![Extremes::default(); self.columns]);
            }
        }
        if let Some(last) = self.intervals.last_mut() {
            let points = row.iter().map(|y| Point { row: self.rows, x: row[self.x], y: *y });
            last.iter_mut().zip(points).for_each(|(extremes, point)| extremes.add(point));
        }
        self.rows += 1;
    }

    /// Joins each interval of an even index with the next one.
    fn join_pairs(&mut self) {
        self.width *= 2;
        let joined = self.intervals.chunks(2).map(|pair| {
            let mut joined = pair[0].clone();
            for later in &pair[1..] {
                joined.iter_mut().zip(later).for_each(|(extremes, later)| extremes.join(later));
            }
            joined
        });
        self.intervals = joined.collect();
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns the points (x, y) of the column with index `column`: the finite minimum and maximum over each
    /// interval, in the order of the rows. If an interval contains values that are not finite, the first of
    /// them is returned as well, so that a picture shows a gap.
    ///
    /// # Panics
    ///
    /// If there are fewer columns.
    #[track_caller]
    pub fn points(&self, column: usize) -> Vec<(f64, f64)> {
        assert!(column < self.columns, "column {column} of {} columns", self.columns);
        let of_interval = |extremes: &Vec<Extremes>| {
            let mut points: Vec<Point> = extremes[column].points().collect();
            points.sort_by_key(|point| point.row);
            points.dedup_by_key(|point| point.row);
            points.into_iter().map(|point| (point.x, point.y))
        };
        self.intervals.iter().flat_map(of_interval).collect()
    }

    /// Returns the indices of the rows that contain the points of any column, in ascending order. A program
    /// that needs all columns at the same rows reads these rows again.
    pub fn drawn_rows(&self) -> Vec<u64> {
        let points = self.intervals.iter().flatten().flat_map(Extremes::points);
        let mut rows: Vec<u64> = points.map(|point| point.row).collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    }
}

impl Extremes {
    fn add(&mut self, point: Point) {
        if !point.y.is_finite() {
            self.gap = self.gap.or(Some(point));
            return;
        }
        if self.minimum.is_none_or(|minimum| point.y < minimum.y) {
            self.minimum = Some(point);
        }
        if self.maximum.is_none_or(|maximum| point.y > maximum.y) {
            self.maximum = Some(point);
        }
    }

    /// Returns the minimum, the maximum and the first value that is not finite.
    fn points(&self) -> impl Iterator<Item = Point> + use<> {
        [self.minimum, self.maximum, self.gap].into_iter().flatten()
    }

    /// Adds the extremes of a later interval.
    fn join(&mut self, later: &Self) {
        later.points().for_each(|point| self.add(point));
    }
}
