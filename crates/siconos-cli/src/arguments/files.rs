//! Arguments of the commands `info`, `check`, `convert`, `schema` and `completions`.

use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Format;

/// Summarise the contents of a file: a model, a snapshot or a table.
///
/// For a model: its title, parameters, systems, interactions and simulation. For a snapshot: its program,
/// machine, model, overrides, time, number of rows and output. For a table: its number of rows, and the
/// minimum and maximum of each column. NaN is not part of the range; NaN and infinities are counted. A table
/// that a run is writing is summarised up to its last complete row. Tables are read row by row, so they can
/// be larger than the memory; only .json files are read as a whole.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  siconos-rs info cam_follower.toml
  siconos-rs info beads.slog.snapshot --format json

Exit code: 0 done, 2 the file cannot be read.")]
pub(crate) struct InfoArguments {
    /// The file: a model (.toml, .json), a snapshot (.snapshot) or a table (.csv, .json, .jsonl, .slog, .npz
    /// and others; .h5 if built with the feature hdf5).
    pub(crate) file: PathBuf,

    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Check a model file without running it, and report all errors with line and column.
///
/// The check reads the file and builds the model with its simulation.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  siconos-rs check cam_follower.toml
  siconos-rs check cam_follower.toml --set rpm=0 --format json

Exit code: 0 no errors, 2 errors in the file, or bad usage.")]
pub(crate) struct CheckArguments {
    /// The model: .toml or .json.
    pub(crate) file: PathBuf,

    /// Override a value in the file, as in `run`.
    #[arg(long, value_name = "PATH=VALUE")]
    pub(crate) set: Vec<String>,

    /// Output format: `text` reports errors on standard error, `json` prints one object on standard output.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Convert a model between TOML and JSON, or a table between all its formats.
///
/// The file extensions select the formats. The values of a model are kept, including expressions, but its
/// comments are lost. For VTK and ParaView, a table is converted to an animation of points (a .pvd file, and
/// a folder next to it with one .vtp file for each row) or to the path of one point (.vtp).
///
/// A table is converted row by row, so it can be larger than the memory. For .ref, .npz, .h5 and .vtp as
/// output, temporary files in the folder of the output contain the rows during the conversion. Only .json
/// as input needs all rows in memory.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  siconos-rs convert ball.toml ball.json
  siconos-rs convert beads.slog beads.npz
  siconos-rs convert pendulum.slog film.pvd --points 'x0:y0,x1:y1' --every 10

Exit code: 0 done, 2 bad input or usage, or a file that cannot be written.")]
pub(crate) struct ConvertArguments {
    /// Input file: a model (.toml or .json) or a table (.csv, .json, .jsonl, .slog, .npz, .dat, .ref or .txt;
    /// text formats also with .gz; .h5 if built with the feature hdf5).
    pub(crate) from: PathBuf,

    /// Output file: .toml or .json for a model; any table format, .pvd or .vtp for a table.
    pub(crate) to: PathBuf,

    /// For .pvd and .vtp: the columns with the coordinates of each point, as x:y or x:y:z, where a coordinate
    /// without a column is left empty: `::height`. Separate points by commas.
    #[arg(long, value_name = "X:Y[:Z],..", value_delimiter = ',')]
    pub(crate) points: Vec<String>,

    /// For .pvd: a body with its shape, instead of points: `ball:RADIUS`, `box:A:B:C`,
    /// `capsule:RADIUS:LENGTH` along the z axis, where LENGTH does not include the caps, `disc:RADIUS` and
    /// `box:A:B` of a planar body, or `mesh:FILE` (.stl or .obj). The table must have the columns NAME.x,
    /// NAME.y and, except for planar bodies, NAME.z. The orientation is in `NAME.e[0]` to `NAME.e[3]` or in
    /// NAME.angle. Can be given several times.
    #[arg(long, value_name = "NAME=SHAPE", conflicts_with = "points")]
    pub(crate) body: Vec<String>,

    /// For .pvd and .vtp: write only every N-th row [default: every row].
    #[arg(long, value_name = "N")]
    pub(crate) every: Option<NonZeroU64>,

    /// Write the origin of the rows and the units of the columns to a .csv file, as lines that start with
    /// `#` above the header. All other formats always contain them.
    #[arg(long)]
    pub(crate) annotate: bool,

    /// Replace an existing file.
    #[arg(long)]
    pub(crate) force: bool,
}

/// Print the JSON schema of model files. Editors use it for checking and completion.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  siconos-rs schema > model.schema.json
  siconos-rs schema --kind hybrid > hybrid.schema.json

Most editors read the schema of a TOML file from its first line: #:schema ./model.schema.json

Exit code: 0.")]
pub(crate) struct SchemaArguments {
    /// Kind of model files.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) kind: ModelKind,
}

/// Kinds of model files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModelKind {
    /// Systems, interactions and a simulation.
    #[default]
    Model,
    /// Variables with their equations, and events.
    Hybrid,
    /// Sweeping process: a state constrained to a moving set.
    Sweeping,
    /// Differential variational inequality: a state, and an input that solves a variational inequality.
    Dvi,
}

/// Print the completion script for a shell.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  siconos-rs completions bash > ~/.local/share/bash-completion/completions/siconos-rs
  siconos-rs completions fish > ~/.config/fish/completions/siconos-rs.fish

Exit code: 0.")]
pub(crate) struct CompletionsArguments {
    /// The shell.
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}
