//! What the command line takes, and the texts of `--help`.

mod files;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use siconos_io::ReadOptions;
use siconos_io::problem::ProblemClass;

use crate::plot::PlotArguments;
use crate::start::Start;
pub(crate) use files::{
    CheckArguments, CompletionsArguments, ConvertArguments, InfoArguments, Kind, SchemaArguments,
};

/// Solve complementarity and contact problems, and run models, from files.
#[derive(Debug, Parser)]
#[command(
    name = "siconos-rs",
    version,
    after_help = "Exit code: 0 done (a problem solved, a model run to its end), 1 not solved to the tolerance, or a run that ends \
                  early or has steps that did not converge, 2 bad input or usage, 3 stopped at the time limit, 130 interrupted. \
                  The help of each command says more."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Solve(SolveArguments),
    Run(RunArguments),
    Sweep(SweepArguments),
    Plot(PlotArguments),
    Info(InfoArguments),
    Check(CheckArguments),
    Convert(ConvertArguments),
    Schema(SchemaArguments),
    Completions(CompletionsArguments),
    Methods(MethodsArguments),
    Bench(BenchArguments),
}

/// Solve the problem in a file.
///
/// The file is .dat (the text format of Siconos) or .json, or one of them with .gz, or .hdf5 (FCLIB). The
/// answer is z and w = M z + q, for contacts the reaction r and the velocity u, with the error measure of the
/// class computed anew for these numbers, and beside it that of Siconos where it has another. The exit code
/// is 0 only when the method ended at a solution and that error does not exceed the tolerance. Ctrl-C, and
/// the time limit, end a solve at the point where it is, which is printed.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  siconos-rs solve problem.dat
  siconos-rs solve relay.dat.gz --class relay --format json
  siconos-rs solve capsules.hdf5 --method nonsmooth-gauss-seidel --tolerance 1e-8
  siconos-rs solve capsules.hdf5 --start guess --time-limit 60
  generate | siconos-rs solve - --class fc3d --format json --output answer.json
  siconos-rs solve problem.json --method projected-gauss-seidel --tolerance 1e-10 --max-iterations 100000

Exit code: 0 solved, 1 not solved to the tolerance, 2 bad input or usage, 3 stopped at the time limit, 130 interrupted.")]
pub(crate) struct SolveArguments {
    /// The problem: .dat, .dat.gz, .json, .json.gz or .hdf5; `-` for standard input, in any of these but
    /// .hdf5.
    pub(crate) file: PathBuf,

    /// The class of the problem: lcp, mlcp, relay, fc2d, fc3d, gfc2d, gfc3d, rolling, grolling, soclcp or
    /// gmp. Without it, that of the file: JSON and HDF5 name it, and in .dat the numbers mostly show it. (A
    /// relay file could also be an lcp with a remark, and rolling friction in the plane an fc3d with one, so
    /// for these the class is needed.)
    #[arg(long, value_name = "CLASS")]
    pub(crate) class: Option<ProblemClass>,

    /// The method; `siconos-rs methods` lists them. The names and numbers of Siconos do as well: NSGS,
    /// SICONOS_FRICTION_3D_NSGS, 500. Without it, the default of the class.
    #[arg(long, value_name = "NAME")]
    pub(crate) method: Option<String>,

    /// The error at which a point counts as a solution. Without it, the method's own, which is printed with
    /// the answer.
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub(crate) tolerance: Option<f64>,

    /// The largest number of iterations, in the unit of the method (pivots, sweeps, steps). Without it, the
    /// method's own.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) max_iterations: Option<usize>,

    /// Where the method starts. A guess is the first of an .hdf5 file; methods that make no use of one begin
    /// as always.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) start: Start,

    /// Stop after so many seconds of solving, and print the point so far, with exit code 3.
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) time_limit: Option<f64>,

    /// The largest size of the text in a gzip file, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    pub(crate) gzip_limit: u64,

    /// Solve so many times, always from the same point, and print the least time.
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN)]
    pub(crate) repeat: NonZeroUsize,

    /// Repeat no more once the solves have taken so many seconds.
    #[arg(long, value_name = "S", requires = "repeat")]
    pub(crate) repeat_within: Option<f64>,

    /// How to print the answer.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,

    /// Write the answer to this file, not to standard output.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Run the model in a file: systems with contacts, circuits, relays; or equations with events.
///
/// The file is TOML or JSON. Its `kind` says what it holds: `model` for systems, interactions and a
/// simulation, `hybrid` for variables with their equations and events. Prints how far the run came and the
/// values at the end. What is wrong with the file is told with the places, all of it at once. Ctrl-C ends a
/// run with a snapshot, from which it goes on; so do SIGTERM and SIGHUP, where they are not ignored.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  siconos-rs run bouncing_ball.toml --plot ball.svg
  siconos-rs run cam_follower.toml --set rpm=660 --set simulation.end=2 --output cam.csv
  siconos-rs run beads.toml --output beads.slog --checkpoint 60s
  siconos-rs run beads.toml --resume beads.slog.snapshot
  siconos-rs run ball.toml --format json
  siconos-rs run neuron.toml --to 20 --output neuron.csv --plot neuron.svg

Exit code: 0 the end was reached, or an event halted the integration before; 1 the run ends early, because a step
fails, events accumulate, the step is too small or too many, or something has no value, or it has steps that did not
converge; 2 bad input or usage, or a file that cannot be written; 130 interrupted.")]
pub(crate) struct RunArguments {
    /// The model: .toml or .json.
    pub(crate) file: PathBuf,

    /// Set a value of the file before it is read: a parameter by its name, any other value by its keys with
    /// dots between. May be given several times.
    #[arg(long, value_name = "PATH=VALUE")]
    pub(crate) set: Vec<String>,

    /// The time up to which a hybrid model is computed; a time before the start goes backward. Without it,
    /// `end` in `[time]`.
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) to: Option<f64>,

    /// Write the rows to this file. The format is that of the name: .csv, .jsonl or .slog, a log, which are
    /// written as rows come; .npz, .json, .dat, .txt or .ref, which are made at the end; text also with .gz.
    /// .h5 if built with the feature hdf5.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Draw the columns over time to this file, .svg or .png. A picture that is there is replaced.
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,

    /// Take a snapshot each so many steps, as 1000, or seconds, as 60s. The steps of a hybrid model are its
    /// events, and parts of the way between them. An event-driven run resumes at its last event. The last two
    /// snapshots are kept, named as the output with `.snapshot` appended; without an output they are in the
    /// current folder, named as the model.
    #[arg(long, value_name = "EVERY")]
    pub(crate) checkpoint: Option<String>,

    /// Go on from this snapshot, of the same model with the same values set. Its output is cut back to what
    /// it had when the snapshot was taken; another --output is refused.
    #[arg(long, value_name = "SNAPSHOT")]
    pub(crate) resume: Option<PathBuf>,

    /// Replace an output that exists, and begin anew where there are snapshots of a run before: they are
    /// removed.
    #[arg(long)]
    pub(crate) force: bool,

    /// How to print what the run came to; programs get everything in one object.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Run a model for many values, into one table.
///
/// A value takes all of a range, FROM:TO:STEP, or a list with commas; several --vary are combined. The rows
/// of the table stand in the order of the values, whoever has computed them: one thread, several, or parts of
/// the sweep on different machines, which --merge joins. A sweep that was stopped goes on where it was, by
/// the same command.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  siconos-rs sweep cam_follower.toml --vary rpm=300:800:1 --jobs 2 --output speeds.csv
  siconos-rs sweep ball.toml --vary laws.hit.restitution=0.1:0.9:0.1 --vary g=9.81,1.62 --output balls.csv
  siconos-rs sweep cam_follower.toml --vary rpm=300:800:1 --shard 3/7 --output speeds.csv
  siconos-rs sweep cam_follower.toml --vary rpm=300:800:1 --merge --output speeds.csv

Exit code: 0 all points are in the table, 1 some have no answer, and the table has the others, 2 bad input or parts that
are missing, 130 interrupted.")]
pub(crate) struct SweepArguments {
    /// The model: .toml or .json. A hybrid one says its `end` in `[time]`.
    pub(crate) file: PathBuf,

    /// The values of a parameter by its name, or of any number by its keys with dots between. May be given
    /// several times; the last one varies fastest.
    #[arg(long, value_name = "PATH=VALUES", required = true)]
    pub(crate) vary: Vec<String>,

    /// Set a value for all points, as in `run`.
    #[arg(long, value_name = "PATH=VALUE")]
    pub(crate) set: Vec<String>,

    /// How many points are computed at once. Without it, one.
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Which rows of a point go to the table: all that the model puts out, or the last one.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) rows: Rows,

    /// The table: .csv, .jsonl, .slog, .npz, .dat or .csv.gz; .h5 if built with the feature hdf5.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// Compute one of N parts alone, into a journal beside the table.
    #[arg(long, value_name = "I/N", conflicts_with = "merge")]
    pub(crate) shard: Option<String>,

    /// Join the parts that --shard has computed; says which are missing.
    #[arg(long)]
    pub(crate) merge: bool,

    /// Replace a table that exists.
    #[arg(long)]
    pub(crate) force: bool,

    /// How to print what the sweep came to.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Which rows of a point a sweep keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rows {
    /// The last one.
    #[default]
    Last,
    /// All that the model puts out.
    All,
}

impl From<Rows> for siconos_io::sweep::Rows {
    fn from(rows: Rows) -> Self {
        match rows {
            Rows::Last => Self::Last,
            Rows::All => Self::All,
        }
    }
}

/// List the methods: for which matrices each is known to reach a solution, which storages it takes, where it
/// is from.
#[derive(Debug, Args)]
pub(crate) struct MethodsArguments {
    /// Only those for this class of problems.
    pub(crate) class: Option<String>,

    /// How to print the list.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Compare methods: every one on every file.
///
/// Each solve runs in a process of its own, from zero. It counts as solved when the method says so and the
/// error, computed anew, does not exceed the tolerance. A method that is not for the class of a file, or does
/// not take its matrix, is skipped there. Prints a table, and writes bench.json and profile.svg: the
/// performance profile (Dolan and More 2002), which shows for each method the part of the files that it
/// solves within a factor of the best time.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  siconos-rs bench contacts/*.hdf5 --tolerance 1e-6 --output report
  siconos-rs bench *.dat --methods lemke,interior-point --repeat 5 --time-limit 10 --output report

Exit code: 0 when all was measured (solved or not), 2 bad input or usage.")]
pub(crate) struct BenchArguments {
    /// The problems, of one class or several.
    #[arg(required = true, value_name = "FILES")]
    pub(crate) files: Vec<PathBuf>,

    /// The methods, with commas between; `siconos-rs methods` lists them. Without it, all that there are for
    /// each file.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) methods: Vec<String>,

    /// The class of all files, for .dat files that do not show it.
    #[arg(long, value_name = "CLASS")]
    pub(crate) class: Option<ProblemClass>,

    /// The error at which a point counts as a solution, the same for all methods.
    #[arg(long, value_name = "X", default_value_t = 1e-8, allow_negative_numbers = true)]
    pub(crate) tolerance: f64,

    /// The largest number of iterations, in the unit of each method. Without it, the method's own.
    #[arg(long, value_name = "N")]
    pub(crate) max_iterations: Option<usize>,

    /// Solve so many times, and take the least time.
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN)]
    pub(crate) repeat: NonZeroUsize,

    /// Stop a method that has not solved a file after so many seconds.
    #[arg(long, value_name = "S")]
    pub(crate) time_limit: Option<f64>,

    /// The largest size of the text in a gzip file, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    pub(crate) gzip_limit: u64,

    /// The folder for bench.json and profile.svg; it is made if need be.
    #[arg(long, value_name = "DIR")]
    pub(crate) output: PathBuf,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For reading.
    #[default]
    Text,
    /// For programs.
    Json,
}

/// The options for reading files, of a limit in MiB.
pub(crate) fn read_options(gzip_limit: u64) -> ReadOptions {
    ReadOptions { largest_expansion: gzip_limit.saturating_mul(1 << 20) }
}
