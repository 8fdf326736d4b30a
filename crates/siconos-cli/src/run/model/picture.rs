//! The columns of a run over time, as a picture.

use std::path::Path;

use siconos_figure::{Curve, Figure, Panel};

use super::output::Output;

/// More panels than these cannot be told apart on a page.
const MOST_PANELS: usize = 12;

/// Whether a picture can be expected to be written.
pub(super) fn check(path: Option<&Path>) -> Result<(), String> {
    path.map_or(Ok(()), |path| crate::run::check_file(path, &[".svg", ".png"]))
}

/// Draws a panel for each column over the first, SVG or PNG by the end of the name.
pub(super) fn write(path: &Path, title: &str, output: &Output) -> Result<(), String> {
    let table = output.table().map_err(|error| error.to_string())?;
    let points = |column: usize| table.rows().map(|row| (row[0], row[column])).collect();
    let panels: Vec<_> = (1..table.columns().len().min(MOST_PANELS + 1))
        .map(|column| {
            Panel::new("", "time t [s]", &table.columns()[column]).with(Curve::line("", points(column)))
        })
        .collect();
    Figure::new(title, panels).save(path).map_err(|error| {
        let cause = std::error::Error::source(&error).map_or_else(String::new, |cause| format!(": {cause}"));
        format!("{error}{cause}")
    })
}
