//! `bench`: runs each method on each file, and writes a table and a performance profile.

mod measured;
mod process;
mod profile;
mod report;

use std::fs;
use std::path::Path;

use siconos_io::problem::Problem;

use crate::arguments::{BenchArguments, read_options};
use crate::progress::Progress;
use crate::{methods, watchdog};
use measured::{File, Outcome, Run};
use report::Report;
pub(crate) use report::write_table;

/// Runs the command, and writes the files. An error means bad input.
pub(crate) fn run(arguments: &BenchArguments) -> Result<Report, String> {
    watchdog::check(arguments.time_limit)?;
    // All files are read before the first solve, so that an invalid file is reported immediately.
    let files = arguments.files.iter().map(|path| look_at(path, arguments)).collect::<Result<Vec<_>, _>>()?;
    let methods = methods(arguments, &files)?;
    fs::create_dir_all(&arguments.output).map_err(|error| cannot("create", &arguments.output, &error))?;

    let mut runs = Vec::new();
    let shown = Progress::new("bench", Some((files.len() * methods.len()) as u64), "solves", arguments.quiet);
    for (index, file) in files.iter().enumerate() {
        let known = methods::of_problems(file.class);
        for &method in &methods {
            shown.advance();
            let outcome = if known.iter().any(|entry| entry.method.name == method) {
                process::solve(&arguments.files[index], method, arguments)?
            } else if arguments.methods.is_empty() {
                // The method applies only to other files, and the user did not request it by name.
                continue;
            } else {
                Outcome::Skipped { note: format!("not for class {}", file.class) }
            };
            runs.push(Run { file: index, method, outcome });
        }
    }
    shown.finish();
    let report = Report {
        tolerance: arguments.tolerance,
        repeat: arguments.repeat.get(),
        time_limit: arguments.time_limit,
        profile: profile::of(&files, &methods, &runs),
        files,
        runs,
    };
    let (json, svg) = (arguments.output.join("bench.json"), arguments.output.join("profile.svg"));
    fs::write(&json, report.to_json()).map_err(|error| cannot("write", &json, &error))?;
    let picture = profile::figure(&report.profile, report.files.len())
        .to_svg()
        .map_err(|error| format!("cannot draw the profile: {error}"))?;
    fs::write(&svg, picture).map_err(|error| cannot("write", &svg, &error))?;
    Ok(report)
}

fn look_at(path: &Path, arguments: &BenchArguments) -> Result<File, String> {
    let options = read_options(arguments.gzip_limit);
    let problem = Problem::read_with(path, arguments.class, options).map_err(|error| error.to_string())?;
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    Ok(File { name, class: problem.class(), n: problem.size() })
}

/// Returns the requested methods, or all methods for the files, in the order of the list of methods.
fn methods(arguments: &BenchArguments, files: &[File]) -> Result<Vec<&'static str>, String> {
    let mut known: Vec<&'static str> = Vec::new();
    for file in files {
        for entry in methods::of_problems(file.class) {
            if !known.contains(&entry.method.name) {
                known.push(entry.method.name);
            }
        }
    }
    if arguments.methods.is_empty() {
        return Ok(known);
    }
    for name in &arguments.methods {
        if !known.contains(&name.as_str()) {
            let known = known.join(", ");
            return Err(format!(
                "there is no method `{name}` for any of these files; the methods are {known}"
            ));
        }
    }
    known.retain(|known| arguments.methods.iter().any(|name| name == known));
    Ok(known)
}

fn cannot(what: &str, path: &Path, error: &std::io::Error) -> String {
    format!("cannot {what} {}: {error}", path.display())
}
