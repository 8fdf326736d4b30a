//! What `plot` takes on the command line, and the texts of its help.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::arguments::Format;

/// Draw a trajectory: the output of a run, or the table of a sweep.
///
/// The file is one that `run` and `sweep` write: .csv, .jsonl, .slog, .npz, .dat, .ref, text also with .gz.
/// Without --y, a picture over time has a panel for all columns of one name, up to indices (`q[0]`, `q[1]`),
/// at most twelve. Where two rows have one time, as before and after an impact, curves jump.
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
    /// The trajectory.
    pub(crate) file: PathBuf,

    /// What to make of it.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) kind: PictureKind,

    /// The column along the horizontal axis. Without it, the first one; in phase portraits and maps each
    /// column that has its derivative beside it, as `q` has `q'`.
    #[arg(long, value_name = "COLUMN")]
    pub(crate) x: Option<String>,

    /// The columns of a panel, with commas between; given several times, a panel each. Of contacts they are
    /// pairs, a gap and its impulse.
    #[arg(long, value_name = "COLUMN,COLUMN")]
    pub(crate) y: Vec<String>,

    /// In maps, draw where the motion is once in so long a time, from 0 on; without it, all rows.
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) period: Option<f64>,

    /// Which axes are logarithmic.
    #[arg(long, value_enum, value_name = "AXES")]
    pub(crate) log: Option<Logarithmic>,

    /// What stands on top; without it, the name of the file.
    #[arg(long)]
    pub(crate) title: Option<String>,

    /// The picture, .svg or .png; one that exists is replaced.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// How to print what was drawn.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// What a picture shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PictureKind {
    /// Columns over time.
    #[default]
    Time,
    /// One column over another, as a line.
    Phase,
    /// One column over another, as points.
    Map,
    /// Columns over a parameter, as points.
    Bifurcation,
    /// Parts of an energy over time, and their sum.
    Energy,
    /// Gaps of contacts over time, and their impulses.
    Gap,
    /// Errors over steps on logarithmic axes, with the orders that they show.
    Convergence,
}

/// Which axes are logarithmic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Logarithmic {
    /// The horizontal one.
    X,
    /// The vertical one.
    Y,
    /// Both.
    Xy,
}
