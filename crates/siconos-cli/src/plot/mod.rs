//! `plot`: a trajectory as a picture; and the pictures of runs.

mod arguments;
mod columns;
mod contacts;
mod figure;
mod groups;

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use siconos_figure::Figure;
use siconos_io::trajectory::Table;

use crate::run;
pub(crate) use arguments::PlotArguments;
use columns::Columns;

/// What was drawn, to be printed.
pub(crate) struct Plotted {
    picture: PathBuf,
    panels: usize,
    rows: usize,
}

/// Does what the command line asks for. An error is bad input.
pub(crate) fn run(arguments: &PlotArguments) -> Result<Plotted, String> {
    check(Some(&arguments.output))?;
    let table = Table::read(&arguments.file).map_err(|error| error.to_string())?;
    let shown = arguments.file.display();
    if table.is_empty() {
        return Err(format!("{shown}: there is no row to draw"));
    }
    let columns = Columns::new(&table);
    let mut figure = figure::of(&columns, arguments).map_err(|message| format!("{shown}: {message}"))?;
    if let Some(title) = &arguments.title {
        figure = Figure { title: title.clone(), ..figure };
    }
    save(&figure, &arguments.output)?;
    Ok(Plotted { picture: arguments.output.clone(), panels: figure.panels.len(), rows: table.len() })
}

/// Writes what was drawn.
pub(crate) fn write(writer: &mut dyn Write, plotted: &Plotted) -> io::Result<()> {
    writeln!(writer, "picture     {}", plotted.picture.display())?;
    writeln!(writer, "panels      {}", plotted.panels)?;
    writeln!(writer, "rows        {}", plotted.rows)
}

/// Whether a picture can be expected to be written.
pub(crate) fn check(path: Option<&Path>) -> Result<(), String> {
    path.map_or(Ok(()), |path| run::check_file(path, &[".svg", ".png"]))
}

/// Draws the columns of a run over the first of them, SVG or PNG by the end of the name.
pub(crate) fn over_time(path: &Path, title: &str, table: &Table) -> Result<(), String> {
    save(&figure::over_first(&Columns::new(table), title), path)
}

fn save(figure: &Figure, path: &Path) -> Result<(), String> {
    figure.save(path).map_err(|error| {
        let cause = error.source().map_or_else(String::new, |cause| format!(": {cause}"));
        format!("{error}{cause}")
    })
}
