//! Arguments of `plot`, and the texts of its help.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::arguments::Format;

/// Plot a trajectory: the output of a run, or the table of a parameter study.
///
/// The file is a table that `run` or `study` has written: .csv, .jsonl, .slog, .npz, .dat or .ref; text
/// formats also with .gz. Without --y, a plot over time has one panel for each group of columns whose names
/// are equal except for indices (`q[0]`, `q[1]`), and at most twelve panels. If two rows have the same time,
/// as before and after an impact, the curves jump.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  siconos-rs plot cam.csv --output cam.svg
  siconos-rs plot cam.csv --y u,c --y lambda --title \"660 rpm\" --output cam.png
  siconos-rs plot cam.csv --kind phase --x q --y w --output portrait.svg
  siconos-rs plot cam.csv --kind map --x q --y w --period 0.0909090909 --output strobe.svg
  siconos-rs plot speeds.csv --kind bifurcation --y q --output speeds.svg
  siconos-rs plot errors.csv --kind convergence --output orders.svg

Exit code: 0 drawn, 2 bad input or usage, or a file that cannot be written.")]
pub(crate) struct PlotArguments {
    /// The trajectory file.
    pub(crate) file: PathBuf,

    /// Kind of picture.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) kind: PictureKind,

    /// Column on the horizontal axis; by default, the first column. In phase portraits and maps, the default
    /// is one panel for each column that has a derivative, such as `q` with `q'`.
    #[arg(long, value_name = "COLUMN")]
    pub(crate) x: Option<String>,

    /// Columns of a panel, separated by commas. Each further --y adds a panel. With --kind gap, the columns
    /// are pairs: the gap of a contact, followed by its impulse.
    #[arg(long, value_name = "COLUMN,COLUMN")]
    pub(crate) y: Vec<String>,

    /// With --kind map, draw one point per period T, starting at t = 0 [default: all rows].
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) period: Option<f64>,

    /// Axes with a logarithmic scale.
    #[arg(long, value_enum, value_name = "AXES")]
    pub(crate) log: Option<Logarithmic>,

    /// Title of the picture; by default, the name of the file.
    #[arg(long)]
    pub(crate) title: Option<String>,

    /// Picture file, .svg or .png; an existing file is replaced.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Kinds of pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PictureKind {
    /// Columns over time.
    #[default]
    Time,
    /// One column against another, as a line.
    Phase,
    /// One column against another, as points.
    Map,
    /// Columns against a parameter, as points.
    Bifurcation,
    /// Components of an energy over time, and their sum.
    Energy,
    /// Gaps of contacts over time, and their impulses.
    Gap,
    /// Errors against step sizes on logarithmic axes, with the observed orders.
    Convergence,
}

/// Axes with a logarithmic scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Logarithmic {
    /// The horizontal axis.
    X,
    /// The vertical axis.
    Y,
    /// Both axes.
    Xy,
}
