//! Selection of rows by their time.

use siconos_io::trajectory::Table;

use super::columns::Columns;

/// Returns the rows with a time from `from` to `to`. Bounds that are `None` select all rows.
///
/// # Errors
///
/// If no row has such a time.
pub(super) fn between(table: Table, from: Option<f64>, to: Option<f64>) -> Result<Table, String> {
    if from.is_none() && to.is_none() {
        return Ok(table);
    }
    let (least, most) = (from.unwrap_or(f64::NEG_INFINITY), to.unwrap_or(f64::INFINITY));
    let columns = Columns::new(&table);
    let time = columns.time();
    let mut selected = Table::new(columns.names());
    selected.provenance.clone_from(&table.provenance);
    for row in table.rows().filter(|row| (least..=most).contains(&row[time])) {
        selected.push_row(row).map_err(|error| error.to_string())?;
    }
    if selected.is_empty() {
        let (first, last) = range(columns.values(time));
        let name = columns.name(time);
        return Err(format!(
            "no row has `{name}` from {least:?} to {most:?}; the rows have values from {first:?} to {last:?}"
        ));
    }
    Ok(selected)
}

/// Returns the least and the largest value.
fn range(values: Vec<f64>) -> (f64, f64) {
    let ends = (f64::INFINITY, f64::NEG_INFINITY);
    values.into_iter().fold(ends, |(low, high), value| (low.min(value), high.max(value)))
}
