//! Pictures of trajectories, for the command `plot` and for the option `--plot` of `run`.

mod arguments;
mod cloud;
mod column_range;
mod columns;
mod contacts;
mod figure;
mod grid;
mod groups;
mod long_file;
mod rows;
mod runs;
mod trace;
mod undrawn;

use std::error::Error;
use std::path::Path;

use siconos_figure::{Figure, Panel};
use siconos_io::trajectory::Table;

use crate::answer::Answer;
use crate::run;
use arguments::PictureKind;
pub(crate) use arguments::PlotArguments;
use figure::Picture;
use long_file::LARGE;
pub(crate) use runs::Run;
use runs::labels;

/// Runs the command. Returns a summary of the picture. An error means bad input.
pub(crate) fn run(arguments: &PlotArguments) -> Result<Answer, String> {
    check(Some(&arguments.output))?;
    let runs = read(arguments, LARGE)?;
    let shown = arguments.files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(", ");
    let Picture { figure, constant } =
        draw(&runs, arguments).map_err(|message| format!("{shown}: {message}"))?;
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

/// Returns the picture of the runs. An error means that nothing can be drawn.
fn draw(runs: &[Run], arguments: &PlotArguments) -> Result<Picture, String> {
    let picture = figure::of(runs, arguments)?;
    if picture.figure.panels.iter().all(Panel::is_empty) {
        let needed = "values must be finite, and positive on a logarithmic axis";
        return Err(format!("there is no value that can be drawn; {needed}"));
    }
    Ok(picture)
}

/// Reads the rows to draw. In plots with a curve for each run, the table of a parameter study is split into
/// its points. The rows of files with more than `large` bytes are not stored, except for a study that is
/// split and for errors of convergence.
fn read(arguments: &PlotArguments, large: u64) -> Result<Vec<Run>, String> {
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
        let in_file = |message: String| format!("{}: {message}", file.display());
        let check_time = |table: &Table| {
            if arguments.skip_transient.is_some() && table.column_index("t").is_none() {
                let message = "--skip-transient needs a column `t`; write all rows with `study --rows all`";
                return Err(in_file(message.to_owned()));
            }
            Ok(())
        };
        if arguments.kind != PictureKind::Convergence
            && let Some(run) = Run::open_long(file, (from, arguments.to), !is_split, large, check_time)?
        {
            all.push(run.with_label(label));
            continue;
        }
        let table = Table::read(file).map_err(|error| error.to_string())?;
        if table.is_empty() {
            return Err(in_file("there are no rows to draw".to_owned()));
        }
        check_time(&table)?;
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
pub(crate) fn rows_of(file: &Path) -> Result<Run, String> {
    match Run::open_long(file, (None, None), false, LARGE, |_| Ok(()))? {
        Some(run) => Ok(run),
        None => Ok(Run::new(String::new(), Table::read(file).map_err(|error| error.to_string())?)),
    }
}

fn save(figure: &Figure, path: &Path) -> Result<(), String> {
    figure.save(path).map_err(|error| {
        let cause = error.source().map_or_else(String::new, |cause| format!(": {cause}"));
        format!("{error}{cause}")
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::Parser;
    use siconos_io::trajectory::Table;

    use super::{PlotArguments, draw, read, undrawn};

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        plot: PlotArguments,
    }

    /// Rows of a motion with an impact at t = 5, in which two rows have the same time.
    fn motion() -> Table {
        let mut table =
            Table::new(["t", "q", "q'", "rest", "stop.gap", "stop.impulse", "kinetic", "potential", "debt"]);
        for k in 0..300 {
            let t = 0.1 * f64::from(k - i32::from(k > 50));
            let (sine, cosine) = if k <= 50 { t.sin_cos() } else { (-t).sin_cos() };
            let impulse = if k % 7 == 0 { 0.5 + cosine } else { 0.0 };
            let gap = if k == 123 { f64::NAN } else { sine.abs() };
            let energies = [0.5 * cosine * cosine, 0.5 * sine * sine];
            let row = [t, sine, cosine, 1.0, gap, impulse, energies[0], energies[1], -1.0 - sine * sine];
            table.push_row(&row).expect("nine columns");
        }
        table
    }

    fn svg(file: &str, options: &[&str], large: u64) -> Result<String, String> {
        let words = [&["plot", file, "--output", "none.svg"], options].concat();
        let arguments = Command::try_parse_from(words).expect("valid options").plot;
        let figure = draw(&read(&arguments, large)?, &arguments)?.figure;
        // A stored point at the start of a jump counts twice, so the numbers can differ.
        let warnings = undrawn(&figure).into_iter().map(|mut warning| {
            warning.retain(|letter| !letter.is_ascii_digit());
            warning
        });
        Ok(warnings.chain([figure.to_svg().expect("a figure")]).collect::<Vec<_>>().join("\n"))
    }

    /// A short trajectory is drawn with all points, whether its rows are stored or not.
    #[test]
    fn figures_do_not_depend_on_the_storage_of_rows() {
        let folder = std::env::temp_dir();
        for ending in ["csv", "slog", "npz"] {
            let path = folder.join(format!("siconos_plot_{}.{ending}", std::process::id()));
            motion().write(&path).expect("a file");
            let file = path.to_str().expect("text");
            for options in [
                &["--kind", "time"][..],
                &["--kind", "time", "--columns", "q,rest", "--from", "3", "--to", "12"],
                &["--kind", "time", "--y", "q,q'", "--log", "xy"],
                &["--kind", "map", "--x", "q", "--y", "q'"],
                &["--kind", "map", "--x", "q", "--y", "q'", "--log", "xy"],
                &["--kind", "map", "--period", "0.35"],
                &["--kind", "bifurcation", "--x", "q", "--skip-transient", "4"],
                &["--kind", "bifurcation", "--x", "q", "--y", "q'", "--skip-transient", "4", "--log", "y"],
                &["--kind", "energy"],
                &["--kind", "energy", "--y", "potential"],
                &["--kind", "gap"],
                &["--kind", "gap", "--to", "9"],
            ] {
                let [stored, read_again] = [u64::MAX, 0].map(|large| svg(file, options, large).expect(file));
                assert!(stored == read_again, "{ending}, {options:?}");
            }
            for options in [
                &["--kind", "map", "--period", "0.001"][..],
                &["--kind", "phase", "--from", "100"],
                &["--kind", "gap", "--y", "q,none"],
                &["--kind", "bifurcation", "--skip-transient", "100"],
                &["--kind", "map", "--x", "t", "--y", "debt", "--log", "y"],
                &["--kind", "time", "--y", "debt", "--log", "y"],
            ] {
                let [stored, read_again] = [u64::MAX, 0].map(|large| svg(file, options, large));
                assert_eq!(stored.expect_err("an error"), read_again.expect_err("an error"), "{options:?}");
            }
            let phase = svg(file, &["--kind", "phase"], 0).expect(file);
            assert!(phase.contains("q&apos;") || phase.contains("q'"), "{phase}");
            fs::remove_file(&path).expect("a file");
        }
    }
}
