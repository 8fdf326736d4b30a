//! Pictures of trajectories, for the command `plot` and for the option `--plot` of `run`.

mod arguments;
mod columns;
mod contacts;
mod figure;
mod groups;

use std::error::Error;
use std::path::Path;

use siconos_figure::{Figure, Panel};
use siconos_io::trajectory::Table;

use crate::answer::Answer;
use crate::run;
pub(crate) use arguments::PlotArguments;
use columns::Columns;

/// Runs the command. Returns a summary of the picture. An error means bad input.
pub(crate) fn run(arguments: &PlotArguments) -> Result<Answer, String> {
    check(Some(&arguments.output))?;
    let table = Table::read(&arguments.file).map_err(|error| error.to_string())?;
    let shown = arguments.file.display();
    if table.is_empty() {
        return Err(format!("{shown}: there are no rows to draw"));
    }
    let columns = Columns::new(&table);
    let mut figure = figure::of(&columns, arguments).map_err(|message| format!("{shown}: {message}"))?;
    if let Some(title) = &arguments.title {
        figure = Figure { title: title.clone(), ..figure };
    }
    if figure.panels.iter().all(Panel::is_empty) {
        let needed = "values must be finite, and positive on a logarithmic axis";
        return Err(format!("{shown}: there is no value that can be drawn; {needed}"));
    }
    save(&figure, &arguments.output)?;
    let warnings = undrawn(&figure);
    warnings.iter().for_each(|warning| crate::complain(&format!("{shown}: {warning}")));
    let mut answer = Answer::new("plot");
    let picture = arguments.output.display().to_string();
    answer.add("picture", &picture, picture.as_str());
    let panels = figure.panels.len();
    answer.add("panels", panels, panels);
    answer.add("rows", table.len(), table.len());
    answer.add_for_programs("warnings", warnings);
    Ok(answer)
}

/// Describes the panels with points that are not drawn.
fn undrawn(figure: &Figure) -> Vec<String> {
    let in_words = |panel: &Panel| match (panel.is_empty(), panel.points_without_logarithm()) {
        (true, _) => Some(format!("the panel `{}` has no value that can be drawn", panel.y_label)),
        (false, 0) => None,
        (false, lost) => Some(format!(
            "points of the panel `{}` that are not drawn because they are not positive on a logarithmic axis: {lost}",
            panel.y_label
        )),
    };
    figure.panels.iter().filter_map(in_words).collect()
}

/// Checks the extension and the folder of a picture.
pub(crate) fn check(path: Option<&Path>) -> Result<(), String> {
    let Some(path) = path else { return Ok(()) };
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("svg" | "png") => run::check_folder(path),
        _ => Err(format!("{}: unknown file extension; use .svg or .png", path.display())),
    }
}

/// Plots the columns of a run against the first column. The extension selects SVG or PNG.
pub(crate) fn over_time(path: &Path, title: &str, table: &Table) -> Result<(), String> {
    let figure = figure::over_first(&Columns::new(table), title);
    for warning in undrawn(&figure) {
        crate::complain(&format!("{}: {warning}", path.display()));
    }
    save(&figure, path)
}

fn save(figure: &Figure, path: &Path) -> Result<(), String> {
    figure.save(path).map_err(|error| {
        let cause = error.source().map_or_else(String::new, |cause| format!(": {cause}"));
        format!("{error}{cause}")
    })
}
