//! Selection of rows by their time.

use std::ops::RangeInclusive;

use siconos_io::trajectory::Table;

use super::column_range::ColumnRange;
use super::columns::Columns;

/// Returns the times from `from` to `to`. Bounds that are `None` are infinite.
pub(super) fn window(from: Option<f64>, to: Option<f64>) -> RangeInclusive<f64> {
    from.unwrap_or(f64::NEG_INFINITY)..=to.unwrap_or(f64::INFINITY)
}

/// Returns `true` if a row with this time is selected. A window without bounds selects all rows, including
/// rows whose time is NaN.
pub(super) fn is_inside(window: &RangeInclusive<f64>, t: f64) -> bool {
    window.contains(&t) || (t.is_nan() && *window == self::window(None, None))
}

/// Returns the rows with a time from `from` to `to`, see [`window`].
///
/// # Errors
///
/// If no row has such a time.
pub(super) fn between(table: Table, from: Option<f64>, to: Option<f64>) -> Result<Table, String> {
    if from.is_none() && to.is_none() {
        return Ok(table);
    }
    let window = window(from, to);
    let columns = Columns::new(&table);
    let time = columns.time();
    let mut selected = Table::new(columns.names());
    selected.provenance.clone_from(&table.provenance);
    for row in table.rows().filter(|row| window.contains(&row[time])) {
        selected.push_row(row).map_err(|error| error.to_string())?;
    }
    if selected.is_empty() {
        let mut times = ColumnRange::default();
        columns.values(time).into_iter().for_each(|t| times.add(t));
        return Err(none_inside(columns.name(time), &window, times.extremes()));
    }
    Ok(selected)
}

/// Returns the message for a window without rows. The rows have times between `first` and `last`.
pub(super) fn none_inside(name: &str, window: &RangeInclusive<f64>, (first, last): (f64, f64)) -> String {
    let (least, most) = (window.start(), window.end());
    format!("no row has `{name}` from {least:?} to {most:?}; the rows have values from {first:?} to {last:?}")
}
