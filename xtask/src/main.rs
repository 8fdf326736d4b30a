//! `cargo xtask COMMAND`: the development commands of this workspace, without shell scripts.
//!
//! There is one file per command. [`cli`] contains the command line, [`command`] runs child processes,
//! [`workspace`] locates files and folders. This crate uses only the standard library, so that it builds
//! without OpenBLAS.

mod battery;
mod bench;
mod build_all;
mod cli;
mod command;
mod demo;
mod doc;
mod error;
mod hdf5;
mod interface;
mod katex;
mod openblas;
mod packages;
mod regress;
mod scenarios;
mod setup;
mod summary;
mod terminal;
mod test;
mod tidy;
mod workspace;

use std::process::ExitCode;

use crate::cli::Command;
use crate::error::Error;

fn main() -> ExitCode {
    let (forbidding, arguments): (Vec<_>, Vec<_>) =
        std::env::args().skip(1).partition(|argument| argument == cli::NO_INSTALL);
    if !forbidding.is_empty() {
        packages::forbid();
    }
    match cli::parse(arguments.into_iter()).map_err(Error::from).and_then(run) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            error.exit_code()
        }
    }
}

/// Runs one command. Only `regress` returns its own exit code, because it reports failed steps itself.
fn run(command: Command) -> Result<ExitCode, Error> {
    match command {
        Command::Help => println!("{}", cli::HELP.trim_end()),
        Command::Setup => setup::run()?,
        Command::Demo => demo::run()?,
        Command::Test => test::run()?,
        Command::Regress(action) => return regress::run(action),
        Command::Battery => battery::run()?,
        Command::Build => build_all::run()?,
        Command::Tidy => tidy::run()?,
        Command::Bench(benching) => bench::run(&benching)?,
        Command::Doc => doc::run()?,
        Command::Interface => interface::run()?,
    }
    Ok(ExitCode::SUCCESS)
}
