//! What the commands take that look at files and convert them.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Format;

/// Say what is in a file: a model, a snapshot, a table.
///
/// Of a model its title, parameters, systems, interactions and simulation; of a snapshot all that it keeps;
/// of a table its columns with their first and last values.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  siconos-rs info cam_follower.toml
  siconos-rs info beads.slog.snapshot --format json

Exit code: 0, or 2 for a file that cannot be read.")]
pub(crate) struct InfoArguments {
    /// A model (.toml, .json), a snapshot (.snapshot) or a table (.csv, .json, .jsonl, .slog, .npz, ..; .h5
    /// if built with the feature hdf5).
    pub(crate) file: PathBuf,

    /// How to print it.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Check a model file without running it, and tell all that is wrong, with the places.
///
/// The file is read, and the model is built with its simulation.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  siconos-rs check cam_follower.toml
  siconos-rs check cam_follower.toml --set rpm=0 --format json

Exit code: 0 nothing is wrong, 2 something is.")]
pub(crate) struct CheckArguments {
    /// The model: .toml or .json.
    pub(crate) file: PathBuf,

    /// Set a value before it is checked, as in `run`.
    #[arg(long, value_name = "PATH=VALUE")]
    pub(crate) set: Vec<String>,

    /// How to print what is wrong: `text` to the standard error, `json` to the standard output.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Write a file in another form: a model in TOML or JSON, a table in any of its formats.
///
/// The values of a model stay as they are, expressions too; its comments are lost. The ends of the names say
/// what is read and written. For VTK and ParaView a table becomes a film of points (.pvd, with a folder of
/// .vtp beside it, one for each row), or the path of a point (.vtp).
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  siconos-rs convert ball.toml ball.json
  siconos-rs convert beads.slog beads.npz
  siconos-rs convert pendulum.slog film.pvd --points 'x0:y0,x1:y1' --every 10

Exit code: 0, or 2 for what cannot be read or written.")]
pub(crate) struct ConvertArguments {
    /// A model: .toml or .json. A table: .csv, .json, .jsonl, .slog, .npz, .dat, .ref, .txt, with .gz for
    /// text; .h5 if built with the feature hdf5.
    pub(crate) from: PathBuf,

    /// What is written: .toml or .json for a model, all of the others and .json for a table; .pvd and .vtp
    /// for VTK.
    pub(crate) to: PathBuf,

    /// For .pvd and .vtp: the columns of the coordinates of each point, as x:y or x:y:z, with commas between
    /// points.
    #[arg(long, value_name = "X:Y[:Z],..", value_delimiter = ',')]
    pub(crate) points: Vec<String>,

    /// For .pvd and .vtp: take every N-th row. Without it, all.
    #[arg(long, value_name = "N")]
    pub(crate) every: Option<NonZeroUsize>,

    /// Replace a file that exists.
    #[arg(long)]
    pub(crate) force: bool,
}

/// Print the JSON schema of model files, for editors that check and complete a file while it is written.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  siconos-rs schema > model.schema.json
  siconos-rs schema --kind hybrid > hybrid.schema.json

A TOML file names its schema in the first line, as most editors take it: #:schema ./model.schema.json

Exit code: 0.")]
pub(crate) struct SchemaArguments {
    /// The kind of the files.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) kind: Kind,
}

/// The kinds of model files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// Systems, interactions and a simulation.
    #[default]
    Model,
    /// Variables with their equations and events.
    Hybrid,
    /// A state that a moving set keeps within bounds.
    Sweeping,
    /// A state and an input that solves an inequality.
    Dvi,
}

/// Print what a shell needs to complete commands and options.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  siconos-rs completions bash > ~/.local/share/bash-completion/completions/siconos-rs
  siconos-rs completions fish > ~/.config/fish/completions/siconos-rs.fish

Exit code: 0.")]
pub(crate) struct CompletionsArguments {
    /// For which shell.
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}
