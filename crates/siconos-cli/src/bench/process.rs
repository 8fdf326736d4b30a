//! One method on one file, in a process of its own: that can be stopped, and takes its memory with it.

use std::env;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde::Deserialize;
use siconos_numerics::Status;

use super::report::Outcome;
use crate::arguments::BenchArguments;

/// What is needed of the answer of `solve`.
#[derive(Deserialize)]
struct Answer {
    status: Status,
    iterations: usize,
    /// `null` where it is not finite.
    error: Option<f64>,
    seconds: f64,
}

/// Runs `siconos-rs solve`. An error means that there is no running it at all.
pub(super) fn solve(
    file: &Path,
    method: &str,
    arguments: &BenchArguments,
    reading: Duration,
) -> Result<Outcome, String> {
    let program = env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    let mut command = Command::new(program);
    command.arg("solve").arg(file).args(["--format", "json", "--method", method]);
    command.arg(format!("--tolerance={}", arguments.tolerance));
    command.arg(format!("--repeat={}", arguments.repeat));
    if let Some(class) = arguments.class {
        command.args(["--class", class.name()]);
    }
    if let Some(most) = arguments.max_iterations {
        command.arg(format!("--max-iterations={most}"));
    }
    if let Some(limit) = arguments.time_limit {
        command.arg(format!("--repeat-within={limit}"));
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().map_err(|error| format!("cannot start this program once more: {error}"))?;
    // A limit beyond what a duration holds is none.
    let limit = arguments.time_limit.and_then(|limit| Duration::try_from_secs_f64(limit).ok());
    let limit = limit.and_then(|limit| limit.checked_add(reading));
    Ok(match wait(child, limit)? {
        None => Outcome::TimeLimit,
        Some((answer, complaint)) => outcome(&answer, &complaint, arguments),
    })
}

/// What the process prints and complains of; `None` when it was stopped at the limit.
fn wait(mut child: Child, limit: Option<Duration>) -> Result<Option<(String, String)>, String> {
    let (sender, receiver) = mpsc::channel();
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let reader = thread::spawn(move || {
        let mut texts = (String::new(), String::new());
        // A text cut off is seen when it is parsed.
        let _read = stdout.map(|mut pipe| pipe.read_to_string(&mut texts.0));
        let _read = stderr.map(|mut pipe| pipe.read_to_string(&mut texts.1));
        // Nobody listens any more once the time is over.
        let _sent = sender.send(texts);
    });
    let texts = match limit {
        Some(limit) => receiver.recv_timeout(limit).ok(),
        None => receiver.recv().ok(),
    };
    if texts.is_none() {
        child.kill().map_err(|error| format!("cannot stop a process: {error}"))?;
    }
    child.wait().map_err(|error| format!("cannot wait for a process: {error}"))?;
    reader.join().map_err(|_| "the answer of a process cannot be read".to_owned())?;
    Ok(texts)
}

fn outcome(answer: &str, complaint: &str, arguments: &BenchArguments) -> Outcome {
    let Ok(answer) = serde_json::from_str::<Answer>(answer) else {
        let line = complaint.lines().next().unwrap_or("no answer");
        return Outcome::Skipped { note: line.trim_start_matches("siconos-rs: ").to_owned() };
    };
    if arguments.time_limit.is_some_and(|limit| answer.seconds > limit) {
        return Outcome::TimeLimit;
    }
    Outcome::Measured {
        status: answer.status,
        solved: answer.status.is_success() && answer.error.is_some_and(|error| error <= arguments.tolerance),
        iterations: answer.iterations,
        error: answer.error,
        seconds: answer.seconds,
    }
}
