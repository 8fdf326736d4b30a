//! Arguments of `plot`, and the texts of its help.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::arguments::Format;

/// Plot trajectories: the outputs of runs, or the table of a parameter study.
///
/// The files are tables that `run` or `study` has written: .csv, .jsonl, .slog, .npz, .dat or .ref; text
/// formats also with .gz. Without --y, a plot over time has one panel for each group of columns whose names
/// are equal except for indices (`q[0]`, `q[1]`), and at most twelve panels. Panels whose columns are all
/// constant are omitted. If two rows have the same time, as before and after an impact, the curves jump. Axes
/// show the units of columns, which a .csv file contains only if it was written with --annotate.
///
/// Several files share the panels; the legend lists the names of the files. If a study has written all rows
/// of each point (--rows all), plots over time, phase portraits and maps have one curve for each point, and
/// the legend lists the values of the parameters.
///
/// The rows of a file larger than 32 MiB are not stored, so it can be larger than the memory. It is read two
/// or three times, and points that would hardly change the picture are omitted. Only .json files, files with
/// a curve for each point of a study, and plots of convergence need all rows in memory.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  siconos-rs plot cam.csv --output cam.svg
  siconos-rs plot cam.csv --y u,c --y lambda --title \"660 rpm\" --output cam.png
  siconos-rs plot slow.csv fast.csv --columns q,w --from 1 --to 2 --output overlay.svg
  siconos-rs plot cam.csv --kind phase --x q --y w --output portrait.svg
  siconos-rs plot cam.csv --kind map --x q --y w --period 0.0909090909 --output strobe.svg
  siconos-rs plot speeds.csv --kind bifurcation --y q --skip-transient 50 --output speeds.svg
  siconos-rs plot errors.csv --kind convergence --output orders.svg

Exit code: 0 drawn, 2 bad input or usage, or a file that cannot be written.")]
pub(crate) struct PlotArguments {
    /// The trajectory files.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Kind of picture.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) kind: PictureKind,

    /// Column on the horizontal axis; by default, the first column, or the time if there is a curve for each
    /// point of a study. In phase portraits and maps, the default is one panel for each column that has a
    /// derivative, such as `q` with `q'`.
    #[arg(long, value_name = "COLUMN")]
    pub(crate) x: Option<String>,

    /// Columns of a panel, separated by commas. Each further --y adds a panel. With --kind gap, the columns
    /// are pairs: the gap of a contact, followed by its impulse.
    #[arg(long, value_name = "COLUMN,COLUMN")]
    pub(crate) y: Vec<String>,

    /// Columns to draw, separated by commas, arranged in panels as without this option. Constant columns are
    /// then drawn as well. With --kind gap, the columns are pairs as with --y.
    #[arg(long, value_name = "COLUMN,COLUMN", conflicts_with = "y")]
    pub(crate) columns: Option<String>,

    /// Draw only the rows from this time on. The time is the column `t`, or the first column if there is no
    /// `t`.
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) from: Option<f64>,

    /// Draw only the rows up to this time.
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) to: Option<f64>,

    /// With --kind bifurcation, omit the rows of each point before this time.
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) skip_transient: Option<f64>,

    /// With --kind map, draw one point per period T, starting at t = 0 [default: all rows].
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) period: Option<f64>,

    /// Axes with a logarithmic scale.
    #[arg(long, value_enum, value_name = "AXES")]
    pub(crate) log: Option<Logarithmic>,

    /// Title of the picture; by default, the name of the file, and none for several files.
    #[arg(long)]
    pub(crate) title: Option<String>,

    /// Label of the horizontal axes.
    #[arg(long, value_name = "TEXT")]
    pub(crate) x_label: Option<String>,

    /// Label of the vertical axes. If it is given more than once, each panel has its own label.
    #[arg(long, value_name = "TEXT")]
    pub(crate) y_label: Vec<String>,

    /// Width and height of the picture in pixels of 1/96 inch, such as 1200x800, or in millimetres, such as
    /// 160x100mm. A .png file has twice as many pixels in each direction.
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = size)]
    pub(crate) size: Option<(u32, u32)>,

    /// Picture file, .svg, .png or .pdf; an existing file is replaced.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Smallest and largest width or height of a picture \[pixels\].
const SIDES: std::ops::RangeInclusive<u32> = 100..=4000;

/// Number of pixels of a millimetre: a pixel is 1/96 inch, as in SVG.
const PER_MILLIMETRE: f64 = 96.0 / 25.4;

/// Parses the size of a picture in pixels, or in millimetres if the text ends with `mm`.
fn size(text: &str) -> Result<(u32, u32), String> {
    let (numbers, unit) = text.trim().strip_suffix("mm").map_or((text, 1.0), |text| (text, PER_MILLIMETRE));
    let side = |text: &str| {
        let side = text.trim().parse::<u32>().ok()?;
        Some((f64::from(side) * unit).round() as u32).filter(|side| SIDES.contains(side))
    };
    let sides = numbers.split_once(['x', 'X', '×']).and_then(|(width, height)| side(width).zip(side(height)));
    sides.ok_or_else(|| {
        let (least, most) = (SIDES.start(), SIDES.end());
        format!("expected WIDTHxHEIGHT, such as 1200x800 or 160x100mm, with both from {least} to {most} pixels of 1/96 inch")
    })
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
