//! What the command line takes, and the texts of `--help`.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use siconos_io::problem::ProblemClass;

/// Solve complementarity problems from files.
#[derive(Debug, Parser)]
#[command(
    name = "siconos-rs",
    version,
    after_help = "Exit code: 0 solved, 1 not solved to the tolerance, 2 bad input or usage."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Solve(SolveArguments),
    Methods(MethodsArguments),
}

/// Solve the problem in a file.
///
/// The file is .dat (the text format of Siconos) or .json, or one of them with .gz. The answer is z and w = M z + q, with
/// the error measure of the class computed anew for these numbers. The exit code is 0 only when the method ended at a
/// solution and that error does not exceed the tolerance.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  siconos-rs solve problem.dat
  siconos-rs solve contact.dat.gz --class relay --format json
  siconos-rs solve problem.json --method projected-gauss-seidel --tolerance 1e-10 --max-iterations 100000

Exit code: 0 solved, 1 not solved to the tolerance, 2 bad input or usage.")]
pub(crate) struct SolveArguments {
    /// The problem: .dat, .dat.gz, .json or .json.gz.
    pub(crate) file: PathBuf,

    /// The class of the problem: lcp, mlcp or relay. Without it, that of the file: JSON names it, and in .dat the numbers
    /// mostly show it. (A relay file could also be an lcp with a remark, so for it the class is needed.)
    #[arg(long, value_name = "CLASS")]
    pub(crate) class: Option<ProblemClass>,

    /// The method; `siconos-rs methods` lists them. Without it, the default of the class.
    #[arg(long, value_name = "NAME")]
    pub(crate) method: Option<String>,

    /// The error at which a point counts as a solution. Without it, the method's own, which is printed with the answer.
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub(crate) tolerance: Option<f64>,

    /// The largest number of iterations, in the unit of the method (pivots, sweeps, steps). Without it, the method's own.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) max_iterations: Option<usize>,

    /// How to print the answer.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// List the methods: for which matrices each is known to reach a solution, which storages it takes, where it is from.
#[derive(Debug, Args)]
pub(crate) struct MethodsArguments {
    /// Only those for this class of problems.
    pub(crate) class: Option<String>,

    /// How to print the list.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For reading.
    #[default]
    Text,
    /// For programs.
    Json,
}
