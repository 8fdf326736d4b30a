//! Pictures of trajectories, for the command `plot` and for the option `--plot` of `run`.

mod arguments;
mod columns;
mod contacts;
mod figure;
mod groups;
mod rows;
mod runs;

use std::error::Error;
use std::path::Path;

use siconos_figure::{Figure, Panel};
use siconos_io::trajectory::{Table, TableError};

use crate::answer::Answer;
use crate::run;
use arguments::PictureKind;
pub(crate) use arguments::PlotArguments;
use figure::Picture;
pub(crate) use runs::Run;
use runs::labels;

/// Runs the command. Returns a summary of the picture. An error means bad input.
pub(crate) fn run(arguments: &PlotArguments) -> Result<Answer, String> {
    check(Some(&arguments.output))?;
    let runs = read(arguments)?;
    let shown = arguments.files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(", ");
    let Picture { figure, constant } =
        figure::of(&runs, arguments).map_err(|message| format!("{shown}: {message}"))?;
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
    let rows: u64 = runs.iter().map(Run::rows).sum();
    answer.add("rows", rows, rows);
    if !constant.is_empty() {
        answer.add_for_people("constant", format!("{} (not drawn; use --columns)", constant.join(", ")));
    }
    answer.add_for_programs("constant", constant);
    answer.add_for_programs("warnings", warnings);
    Ok(answer)
}

/// Reads the rows to draw. In plots with a curve for each run, the table of a parameter study is split into
/// its points.
fn read(arguments: &PlotArguments) -> Result<Vec<Run>, String> {
    let from = match (arguments.skip_transient, arguments.kind) {
        (None, _) => arguments.from,
        (Some(end), PictureKind::Bifurcation) => Some(arguments.from.map_or(end, |from| from.max(end))),
        (Some(_), _) => return Err("--skip-transient is for --kind bifurcation; use --from".to_owned()),
    };
    if arguments.period.is_some() && arguments.kind != PictureKind::Map {
        return Err("--period is for --kind map".to_owned());
    }
    let is_split = matches!(arguments.kind, PictureKind::Time | PictureKind::Phase | PictureKind::Map);
    let mut all = Vec::new();
    for (file, label) in arguments.files.iter().zip(labels(&arguments.files)) {
        if arguments.kind == PictureKind::Time {
            let bounds = (from, arguments.to);
            let run = Run::read_envelope(file, arguments.x.as_deref(), bounds);
            if let Some(run) = run.map_err(|error| error.to_string())? {
                all.push(run.with_label(label));
                continue;
            }
        }
        let table = Table::read(file).map_err(|error| error.to_string())?;
        let in_file = |message: String| format!("{}: {message}", file.display());
        if table.is_empty() {
            return Err(in_file("there are no rows to draw".to_owned()));
        }
        if arguments.skip_transient.is_some() && table.column_index("t").is_none() {
            let message = "--skip-transient needs a column `t`; write all rows with `study --rows all`";
            return Err(in_file(message.to_owned()));
        }
        let run = Run::new(label, table);
        let runs = if is_split { run.split().map_err(in_file)? } else { vec![run] };
        for run in runs {
            all.push(run.between(from, arguments.to).map_err(in_file)?);
        }
    }
    Ok(all)
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
        Some("svg" | "png" | "pdf") => run::check_folder(path),
        _ => Err(format!("{}: unknown file extension; use .svg, .png or .pdf", path.display())),
    }
}

/// Plots the columns of a run against the first column. The extension selects SVG, PNG or PDF.
/// Panels whose columns are all constant are omitted.
pub(crate) fn over_time(path: &Path, title: &str, run: Run) -> Result<(), String> {
    let figure = figure::over_first(run, title)?;
    for warning in undrawn(&figure) {
        crate::complain(&format!("{}: {warning}", path.display()));
    }
    save(&figure, path)
}

/// Reads the rows of a file for a plot over the first column.
pub(crate) fn rows_of(file: &Path) -> Result<Run, TableError> {
    match Run::read_envelope(file, None, (None, None))? {
        Some(run) => Ok(run),
        None => Ok(Run::new(String::new(), Table::read(file)?)),
    }
}

fn save(figure: &Figure, path: &Path) -> Result<(), String> {
    figure.save(path).map_err(|error| {
        let cause = error.source().map_or_else(String::new, |cause| format!(": {cause}"));
        format!("{error}{cause}")
    })
}
