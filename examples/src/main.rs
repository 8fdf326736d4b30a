//! The command that runs examples: by name, all of them, or the demonstration.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use siconos_examples::{EXAMPLES, ExampleError, cam_follower};

const USAGE: &str = "usage: siconos-examples NAME [--output FOLDER]

NAME is an example, or
  all     for every example
  demo    for the cam-follower at 358, 660 and 700 rpm

Figures go to target/figures unless --output names another folder. Examples:";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (name, output) = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [name] if name != "--output" => (name, "target/figures"),
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
    for (_, run) in EXAMPLES {
        files.extend(run(output)?);
        println!();
    }
    Ok(files)
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
