//! Arguments of the commands, and the texts of `--help`.

mod files;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use siconos_io::ReadOptions;
use siconos_io::problem::ProblemClass;

use crate::new::StarterKind;
use crate::plot::PlotArguments;
use crate::start::Start;
pub(crate) use files::{
    CheckArguments, CompletionsArguments, ConvertArguments, InfoArguments, ModelKind, SchemaArguments,
};

/// Solve complementarity and contact problems, and run models, from files.
#[derive(Debug, Parser)]
#[command(
    name = "siconos-rs",
    version,
    after_help = "Exit code: 0 done (problem solved, model run to its end), 1 problem not solved to the tolerance, or run that ended \
                  early or has unconverged steps, 2 bad input or usage, 3 stopped at the time limit, 130 interrupted. \
                  See the help of each command for details."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    New(NewArguments),
    Solve(SolveArguments),
    Run(RunArguments),
    Study(StudyArguments),
    Plot(PlotArguments),
    Info(InfoArguments),
    Check(CheckArguments),
    Convert(ConvertArguments),
    Schema(SchemaArguments),
    Completions(CompletionsArguments),
    Keys(KeysArguments),
    Methods(MethodsArguments),
    Bench(BenchArguments),
}

/// Write a commented file to start from.
///
/// The file is a small complete model, or a problem. Change it, and run it.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  siconos-rs new ball --kind bouncing-ball
  siconos-rs new rectifier.toml --kind circuit

Exit code: 0 done, 2 the file cannot be written.")]
pub(crate) struct NewArguments {
    /// Name of the file. The extension .toml, or .json for a problem, is added if it is missing.
    pub(crate) name: PathBuf,

    /// Contents of the file.
    #[arg(long, value_enum, default_value_t = StarterKind::BouncingBall)]
    pub(crate) kind: StarterKind,

    /// Replace an existing file.
    #[arg(long)]
    pub(crate) force: bool,
}

/// Solve the problem in a file.
///
/// The file is .dat (the text format of Siconos), .json, or .hdf5 (FCLIB). Files in .dat and .json can be
/// compressed (.dat.gz, .json.gz). The output contains the solution: z and w = M z + q or, for contacts, the
/// reaction r and the velocity u. It also contains the error of this solution, recomputed after the solve,
/// and the error as Siconos defines it for the class. The exit code is 0 only if the method reports a
/// solution and the recomputed error does not exceed the tolerance. If Ctrl-C or the time limit stops the
/// solve, the current point is printed.
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
    /// The problem: .dat, .dat.gz, .json, .json.gz or .hdf5. If the name is `-`, the problem is read from
    /// standard input, in any of these formats except .hdf5.
    pub(crate) file: PathBuf,

    /// Class of the problem: lcp, mlcp, relay, fc2d, fc3d, gfc2d, gfc3d, rolling, grolling, soclcp or gmp. By
    /// default, the class is detected: JSON and HDF5 files contain it, and most .dat files match only one
    /// class. It must be given for two kinds of .dat files: relay files, which also match lcp, and files with
    /// rolling friction in the plane, which also match fc3d.
    #[arg(long, value_name = "CLASS")]
    pub(crate) class: Option<ProblemClass>,

    /// Solution method; `siconos-rs methods` lists all of them. The names and numbers of Siconos are also
    /// accepted: NSGS, SICONOS_FRICTION_3D_NSGS, 500. If omitted, the default method of the class is used.
    #[arg(long, value_name = "NAME")]
    pub(crate) method: Option<String>,

    /// Maximum error of a solution. If omitted, the default tolerance of the method is used. The tolerance is
    /// printed with the solution.
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub(crate) tolerance: Option<f64>,

    /// Maximum number of iterations. An iteration is a pivot, a sweep or a step, depending on the method. If
    /// omitted, the default limit of the method is used.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) max_iterations: Option<usize>,

    /// Initial guess. It is ignored by methods that do not use one.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) start: Start,

    /// Stop the solve after S seconds, print the current point, and exit with code 3.
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) time_limit: Option<f64>,

    /// Maximum size of a gzip file after decompression, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    pub(crate) gzip_limit: u64,

    /// Solve N times from the same initial guess, and print the shortest time.
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN)]
    pub(crate) repeat: NonZeroUsize,

    /// Do not repeat the solve if the total time of all solves would exceed S seconds.
    #[arg(long, value_name = "S", requires = "repeat")]
    pub(crate) repeat_within: Option<f64>,

    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,

    /// Show no progress on standard error.
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// Write the solution to this file instead of standard output.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Replace an existing file.
    #[arg(long)]
    pub(crate) force: bool,
}

/// Run the model in a file: systems with contacts, circuits or relays, or equations with events.
///
/// The file is TOML or JSON. Its key `kind` states the kind of model, for example `model` for systems,
/// interactions and a simulation, or `hybrid` for variables with their equations and events. The command
/// prints the time that the run reached, and the last values of the columns. All errors in the file are
/// reported together, with line and column. Ctrl-C, SIGTERM and SIGHUP stop a run and write a snapshot, from
/// which the run can be resumed. A signal that the parent process has set to be ignored has no effect.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = "\
Examples:
  siconos-rs run ball.toml --plot
  siconos-rs run bouncing_ball.toml --plot ball.svg
  siconos-rs run cam_follower.toml --set rpm=660 --set simulation.end=2 --output cam.csv
  siconos-rs run beads.toml --output beads.slog --checkpoint 60s
  siconos-rs run beads.toml --resume beads.slog.snapshot
  siconos-rs run ball.toml --format json
  siconos-rs run neuron.toml --to 20 --output neuron.csv --plot neuron.svg

Exit code: 0 the run reached its end, or an event halted it; 1 the run ended early (a step failed, events accumulate,
the step size is too small, there are too many steps, or an expression has no value), or steps did not converge; 2 bad
input or usage, or a file that cannot be written; 130 interrupted.")]
pub(crate) struct RunArguments {
    /// The model: .toml or .json.
    pub(crate) file: PathBuf,

    /// Override a value in the file. PATH is the name of a parameter or a constant, or the keys of any other
    /// value, joined by dots. Can be given several times.
    #[arg(long, value_name = "PATH=VALUE")]
    pub(crate) set: Vec<String>,

    /// End time, in seconds, instead of the end time in the file. The steps up to the earlier of both ends
    /// are the same. A hybrid model runs backward if this time is before the start. It is an error if the
    /// file fixes the end by explicit times, `exact_end`, or `end` with `steps`.
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) to: Option<f64>,

    /// Write the rows to this file. The extension selects the format. The formats .csv, .jsonl and .slog (a
    /// log) are written row by row; .npz, .json, .dat, .txt and .ref are written at the end of the run. Text
    /// formats can be compressed, for example .csv.gz. The format .h5 is available if built with the feature
    /// hdf5.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Plot the columns over time, and write the picture to this file (.svg, .png or .pdf). Without FILE, the
    /// picture has the name of the model and is written to the current folder. An existing file is replaced.
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = NO_NAME)]
    pub(crate) plot: Option<PathBuf>,

    /// Take a snapshot every N steps (for example, 1000) or every N seconds (for example, 60s). A step of a
    /// hybrid model ends at the next event, but after at most 1/200 of the time span. An event-driven run
    /// resumes at its last event. The snapshot is named after the output file, with `.snapshot` appended. The
    /// previous snapshot is kept, with `.before` appended. Without an output file, the snapshots are stored
    /// in the current folder and named after the model file.
    #[arg(long, value_name = "EVERY")]
    pub(crate) checkpoint: Option<String>,

    /// Resume from this snapshot. The model and the values of --set must be the same as in the interrupted
    /// run. The output file of the interrupted run is truncated to the rows that had been written when the
    /// snapshot was taken. A different --output is an error.
    #[arg(long, value_name = "SNAPSHOT")]
    pub(crate) resume: Option<PathBuf>,

    /// Write the origin of the rows and the units of the columns to a .csv file, as lines that start with
    /// `#` above the header. All other formats always contain them.
    #[arg(long)]
    pub(crate) annotate: bool,

    /// Replace an existing output file, and start from the beginning. Snapshots of an earlier run are
    /// removed.
    #[arg(long)]
    pub(crate) force: bool,

    /// Show no progress on standard error.
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// Output format; `json` prints one object with all results.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Value of `--plot` without a file. It is not the name of a file.
const NO_NAME: &str = ".";

impl RunArguments {
    /// Returns the arguments with a name for the picture, if `--plot` has none.
    pub(crate) fn with_plot_name(&self) -> Self {
        let name = |plot: &PathBuf| match plot.as_os_str() == NO_NAME {
            true => PathBuf::from(self.file.file_stem().unwrap_or_default()).with_extension("svg"),
            false => plot.clone(),
        };
        Self { plot: self.plot.as_ref().map(name), ..self.clone() }
    }
}

/// Run a model for many values of its parameters, and write one table.
///
/// With several --vary, all combinations of the values are computed. The rows of the table are in the order
/// of the values, no matter whether one thread, several threads or several machines computed them. --shard
/// computes a part on one machine, and --merge joins the parts. Ctrl-C, SIGTERM and SIGHUP interrupt the
/// points under way and store their states; the same command resumes the study. A point without a result has
/// one row, in which all columns but those of --vary and --points are NaN. A signal that the parent process
/// has set to be ignored has no effect.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  siconos-rs study cam_follower.toml --vary rpm=300:800:1 --jobs 2 --output speeds.csv
  siconos-rs study ball.toml --vary laws.hit.restitution=0.1:0.9:0.1 --vary g=9.81,1.62 --output balls.csv
  siconos-rs study arm.toml --points designs.csv --output arms.csv
  siconos-rs study cam_follower.toml --vary rpm=300:800:1 --shard 3/7 --output speeds.csv
  siconos-rs study cam_follower.toml --vary rpm=300:800:1 --merge --output speeds.csv

Exit code: 0 the table has all points, 1 some points have no result, 2 bad input or missing
parts, 130 interrupted.")]
pub(crate) struct StudyArguments {
    /// The model: .toml or .json. A hybrid model must have `end` in `[time]`.
    pub(crate) file: PathBuf,

    /// Vary a number in the file. PATH is the name of a parameter or a constant, or the keys of any other
    /// number, joined by dots. VALUES is a range FROM:TO:STEP, COUNT values with equal distances
    /// FROM:TO/COUNT, or a comma-separated list. Can be given several times; the last one varies fastest.
    #[arg(long, value_name = "PATH=VALUES", required_unless_present = "points")]
    pub(crate) vary: Vec<String>,

    /// Vary several values together: a table (.csv or any other table format) with a column for each value,
    /// named by its PATH, and a row for each point. With --vary, the study has all combinations.
    #[arg(long, value_name = "FILE")]
    pub(crate) points: Option<PathBuf>,

    /// Override a value for all points, as in `run`.
    #[arg(long, value_name = "PATH=VALUE")]
    pub(crate) set: Vec<String>,

    /// Number of points computed in parallel [default: 1].
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Rows to write to the table for each point.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) rows: KeptRows,

    /// Write the table to this file: .csv, .jsonl, .slog, .npz, .dat or .csv.gz; .h5 if built with the
    /// feature hdf5.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// Compute only part I of N, and store it in a journal next to the table.
    #[arg(long, value_name = "I/N", conflicts_with = "merge")]
    pub(crate) shard: Option<String>,

    /// Join the parts that were computed with --shard, or report the missing parts.
    #[arg(long)]
    pub(crate) merge: bool,

    /// Show no progress on standard error.
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// Write the origin of the rows and the units of the columns to a .csv file, as lines that start with
    /// `#` above the header. All other formats always contain them.
    #[arg(long)]
    pub(crate) annotate: bool,

    /// Replace an existing table.
    #[arg(long)]
    pub(crate) force: bool,

    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Rows of a point that are written to the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum KeptRows {
    /// The last row.
    #[default]
    Last,
    /// All rows that the model outputs.
    All,
}

impl From<KeptRows> for siconos_io::study::KeptRows {
    fn from(rows: KeptRows) -> Self {
        match rows {
            KeptRows::Last => Self::Last,
            KeptRows::All => Self::All,
        }
    }
}

/// Show the keys of model files, with their values and meanings.
///
/// Without arguments, the command lists all tables that a model file can have.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  siconos-rs keys
  siconos-rs keys newton_impact_friction
  siconos-rs keys simulation step
  siconos-rs keys restitution

Exit code: 0 done, 2 no table or key of this name.")]
pub(crate) struct KeysArguments {
    /// A word that selects a table, such as a law, a family of systems or an integrator; the location of a
    /// table, such as simulation; a kind of file; or a key, to show it in all tables that have it.
    pub(crate) kind: Option<String>,

    /// Show only this key.
    pub(crate) key: Option<String>,

    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// List the methods, with the matrices for which each is known to find a solution, the matrix storage formats
/// that it accepts, and its reference.
#[derive(Debug, Args)]
pub(crate) struct MethodsArguments {
    /// List only the methods for this class of problems.
    pub(crate) class: Option<String>,

    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Compare methods: run each method on each file.
///
/// Each solve starts from zero in a separate process. A solve is successful if the method reports a solution
/// and the recomputed error does not exceed the tolerance. A method is skipped if it does not solve problems
/// of the class of the file, or does not accept the matrix. The command prints a table, and writes bench.json
/// and profile.svg. The picture is the performance profile (Dolan and More 2002). For each method and each
/// factor, it shows the fraction of the files that the method solves within this factor of the best time.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  siconos-rs bench contacts/*.hdf5 --tolerance 1e-6 --output report
  siconos-rs bench *.dat --methods lemke,interior-point --repeat 5 --time-limit 10 --output report

Exit code: 0 all solves were run (solved or not), 2 bad input or usage.")]
pub(crate) struct BenchArguments {
    /// The problem files. They can be of different classes.
    #[arg(required = true, value_name = "FILES")]
    pub(crate) files: Vec<PathBuf>,

    /// The methods, separated by commas; `siconos-rs methods` lists them. By default, each file is solved by
    /// all methods for its class.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) methods: Vec<String>,

    /// Class of all files. Needed for .dat files that match several classes.
    #[arg(long, value_name = "CLASS")]
    pub(crate) class: Option<ProblemClass>,

    /// Maximum error of a solution, for all methods.
    #[arg(long, value_name = "X", default_value_t = 1e-8, allow_negative_numbers = true)]
    pub(crate) tolerance: f64,

    /// Maximum number of iterations of each method. If omitted, the default limit of the method is used.
    #[arg(long, value_name = "N")]
    pub(crate) max_iterations: Option<usize>,

    /// Solve each problem N times, and use the shortest time.
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN)]
    pub(crate) repeat: NonZeroUsize,

    /// Stop a solve after S seconds, and count it as unsolved.
    #[arg(long, value_name = "S")]
    pub(crate) time_limit: Option<f64>,

    /// Maximum size of a gzip file after decompression, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    pub(crate) gzip_limit: u64,

    /// Show no progress on standard error.
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// Folder for bench.json and profile.svg; it is created if it does not exist.
    #[arg(long, value_name = "DIR")]
    pub(crate) output: PathBuf,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text for people.
    #[default]
    Text,
    /// JSON for programs.
    Json,
}

/// Returns the options for reading files. `gzip_limit` is the maximum size of a gzip file after
/// decompression, in MiB.
pub(crate) fn read_options(gzip_limit: u64) -> ReadOptions {
    ReadOptions { largest_expansion: gzip_limit.saturating_mul(1 << 20) }
}
