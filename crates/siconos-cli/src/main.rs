//! `siconos-rs`: solves complementarity and contact problems from files, lists and compares methods, runs and
//! checks models, plots trajectories, and summarises files.
//!
//! This crate parses arguments, calls the libraries and prints. The work is done by `siconos-io`,
//! `siconos-numerics` and `siconos-kernel`.

mod animation;
mod annotations;
mod answer;
mod arguments;
mod bench;
mod check;
mod columns;
mod convert;
mod info;
mod keys;
mod methods;
mod new;
mod plot;
mod print_methods;
mod print_solution;
mod progress;
mod run;
mod signals;
mod solve;
mod start;
mod study;
mod tables;
mod task;
mod warnings;
mod watchdog;

use std::fs;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use arguments::{Arguments, Command, Format, ModelKind, SolveArguments};

/// Exit code if the error is above the tolerance, or if a run ended before the requested time.
const NOT_CONVERGED: u8 = 1;
/// Exit code for invalid input or usage, as used by clap.
const BAD_INPUT: u8 = 2;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    warnings::listen();
    let mut text = Vec::new();
    let answered = answer(&arguments.command, &mut text);
    warnings::tell_rest();
    let code = match answered {
        Ok(code) => code,
        Err(message) => return refuse(&message),
    };
    if let Command::Solve(SolveArguments { output: Some(path), .. }) = &arguments.command {
        return match fs::write(path, &text) {
            Ok(()) => ExitCode::from(code),
            Err(error) => refuse(&format!("{}: cannot write the result: {error}", path.display())),
        };
    }
    match print(&text) {
        // The reader of the pipe has closed it, as in `siconos-rs methods | head -3`.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            refuse(&format!("cannot write the result: {error}"))
        }
        _ => ExitCode::from(code),
    }
}

/// Writes the output of a command to `text` and returns the exit code, or an error message.
fn answer(command: &Command, text: &mut Vec<u8>) -> Result<u8, String> {
    let written = match command {
        Command::Solve(arguments) => {
            let solution = solve::solve(arguments)?;
            if let Some(remark) = &solution.remark {
                complain(remark);
            }
            let stopped = solution.stopped.map(watchdog::Stopped::code);
            let code = if solution.is_good() { 0 } else { stopped.unwrap_or(NOT_CONVERGED) };
            print_solution::write(text, &solution, arguments.format).map(|()| code)
        }
        Command::New(arguments) => writeln!(text, "{}", new::run(arguments)?).map(|()| 0),
        Command::Run(arguments) => {
            let run = run::run(&arguments.with_plot_name())?;
            for complaint in &run.complaints {
                complain(&format!("{}: {complaint}", arguments.file.display()));
            }
            run.answer().write(text, arguments.format).map(|()| run.code())
        }
        Command::Study(arguments) => {
            let swept = study::run(arguments)?;
            swept.answer().write(text, arguments.format).map(|()| swept.code())
        }
        Command::Plot(arguments) => plot::run(arguments)?.write(text, arguments.format).map(|()| 0),
        Command::Info(arguments) => {
            let info = info::run(arguments)?;
            info.remark.as_deref().into_iter().for_each(complain);
            info.write(text, arguments.format).map(|()| 0)
        }
        Command::Check(arguments) => {
            let checked = check::run(arguments)?;
            if let (Some(complaint), Format::Text) = (checked.complaint(), arguments.format) {
                complain(complaint);
            }
            check::write(text, &checked, arguments.format).map(|()| checked.code())
        }
        Command::Convert(arguments) => writeln!(text, "{}", convert::run(arguments)?).map(|()| 0),
        Command::Schema(arguments) => {
            let schema = match arguments.kind {
                ModelKind::Model => siconos_io::model::schema(),
                ModelKind::Hybrid => siconos_io::hybrid::schema(),
                ModelKind::Sweeping => siconos_io::model::inclusion::sweeping_schema(),
                ModelKind::Dvi => siconos_io::model::inclusion::dvi_schema(),
            };
            writeln!(text, "{schema:#}").map(|()| 0)
        }
        Command::Completions(arguments) => {
            clap_complete::generate(arguments.shell, &mut Arguments::command(), "siconos-rs", text);
            Ok(0)
        }
        Command::Methods(arguments) => {
            print_methods::write(text, &methods::select(arguments.class.as_deref())?, arguments.format)
                .map(|()| 0)
        }
        Command::Keys(arguments) => keys::write(text, &keys::select(arguments)?, arguments).map(|()| 0),
        Command::Bench(arguments) => {
            let report = bench::run(arguments)?;
            bench::write_table(text, &report).map(|()| 0)
        }
    };
    written.map_err(|error| format!("cannot write the result: {error}"))
}

fn print(text: &[u8]) -> io::Result<()> {
    let mut stdout = BufWriter::new(io::stdout().lock());
    stdout.write_all(text)?;
    stdout.flush()
}

fn refuse(message: &str) -> ExitCode {
    complain(message);
    ExitCode::from(BAD_INPUT)
}

fn complain(message: &str) {
    // If standard error is closed, the exit code still reports the error.
    let _unheard = writeln!(io::stderr(), "siconos-rs: {message}");
}
