//! Run of one method on one file in a separate process. The process can be stopped, and releases its memory
//! when it ends.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

use serde::Deserialize;
use siconos_numerics::Status;

use super::measured::Outcome;
use crate::arguments::BenchArguments;
use crate::watchdog::Stopped;

/// Fields that are read from the output of `solve`.
#[derive(Deserialize)]
struct Answer {
    status: Status,
    iterations: usize,
    /// `null` if the error is not finite.
    error: Option<f64>,
    /// `None` if Siconos defines no error for the class.
    #[serde(default)]
    siconos_error: Option<f64>,
    seconds: f64,
}

/// Runs `siconos-rs solve`. An error means that the program cannot be started.
pub(super) fn solve(file: &Path, method: &str, arguments: &BenchArguments) -> Result<Outcome, String> {
    let program = env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    let mut command = Command::new(program);
    command.arg("solve").arg(file).args(["--format", "json", "--method", method]);
    command.arg(format!("--tolerance={}", arguments.tolerance));
    command.arg(format!("--repeat={}", arguments.repeat));
    command.arg(format!("--gzip-limit={}", arguments.gzip_limit));
    if let Some(class) = arguments.class {
        command.args(["--class", class.name()]);
    }
    if let Some(most) = arguments.max_iterations {
        command.arg(format!("--max-iterations={most}"));
    }
    if let Some(limit) = arguments.time_limit {
        command.arg(format!("--time-limit={limit}"));
        command.arg(format!("--repeat-within={limit}"));
    }
    command.arg("--quiet");
    let ended = command.stdin(Stdio::null()).output();
    let ended = ended.map_err(|error| format!("cannot start another process of this program: {error}"))?;
    if ended.status.code() == Some(i32::from(Stopped::TimeLimit.code())) {
        return Ok(Outcome::TimeLimit);
    }
    let (answer, complaint) =
        (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
    Ok(match outcome(&answer, &complaint, arguments.tolerance) {
        // A method can end some time after the request, so that its time exceeds the limit.
        Outcome::Measured { seconds, .. } if arguments.time_limit.is_some_and(|limit| seconds > limit) => {
            Outcome::TimeLimit
        }
        outcome => outcome,
    })
}

fn outcome(answer: &str, complaint: &str, tolerance: f64) -> Outcome {
    let Ok(answer) = serde_json::from_str::<Answer>(answer) else {
        let line = complaint.lines().next().unwrap_or("no output");
        return Outcome::Skipped { note: line.trim_start_matches("siconos-rs: ").to_owned() };
    };
    Outcome::Measured {
        status: answer.status,
        solved: answer.status.is_success() && answer.error.is_some_and(|error| error <= tolerance),
        iterations: answer.iterations,
        error: answer.error,
        siconos_error: answer.siconos_error,
        seconds: answer.seconds,
    }
}
