//! Command that runs one example, all examples, or the demonstration.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use siconos_examples::{EXAMPLES, ExampleError, cam_follower};

const USAGE: &str = "\
Simulates an example, prints a table and draws its figures.

Usage: siconos-examples NAME [--output FOLDER]
       siconos-examples --help

NAME is an example, or
  all     every example but the bifurcation diagram, which takes a quarter of an hour
  demo    the cam-follower at 358, 660 and 700 rpm

Figures go to target/figures unless --output names another folder. Examples:";

/// Example that `all` omits, because it takes a quarter of an hour.
const LONG: &str = "cam_follower_bifurcation";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (name, output) = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--help" | "-h"] => return help(),
        [name] if !name.starts_with('-') => (name, "target/figures"),
        [name, "--output", folder] | ["--output", folder, name] => (name, folder),
        _ => return usage(None),
    };
    let output = Path::new(output);
    let result = match name {
        "demo" => cam_follower::run(output),
        "all" => run_all(output),
        name => match EXAMPLES.iter().find(|(known, _)| *known == name) {
            Some((_, run)) => run(output),
            None => return usage(Some(name)),
        },
    };
    match result {
        Ok(files) => {
            println!("\nfigures:");
            for file in files {
                println!("  {}", file.display());
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run_all(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let mut files = Vec::new();
    let examples: Vec<_> = EXAMPLES.iter().filter(|(name, _)| *name != LONG).collect();
    for (number, (name, run)) in (1..).zip(&examples) {
        eprintln!("[{number}/{}] {name}", examples.len());
        files.extend(run(output)?);
        println!();
    }
    Ok(files)
}

fn help() -> ExitCode {
    println!("{USAGE}");
    EXAMPLES.iter().for_each(|(name, _)| println!("  {name}"));
    ExitCode::SUCCESS
}

fn usage(unknown: Option<&str>) -> ExitCode {
    if let Some(name) = unknown {
        eprintln!("there is no example `{name}`");
    }
    eprintln!("{USAGE}");
    for (name, _) in EXAMPLES {
        eprintln!("  {name}");
    }
    ExitCode::from(2)
}
