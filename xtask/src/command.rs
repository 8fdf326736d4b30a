//! Child processes: how they are shown, run and judged.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, ExitStatus, Stdio};

use crate::error::Error;
use crate::workspace;

/// A cargo of the same toolchain as the one that started us, run in the root of the workspace.
pub(crate) fn cargo<const N: usize>(arguments: [&str; N]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(workspace::root());
    for (name, value) in std::env::vars_os() {
        if is_of_outer_cargo(&name.to_string_lossy(), &value.to_string_lossy()) {
            command.env_remove(name);
        }
    }
    if let Some(folder) = workspace::given_target() {
        // A relative folder means the caller's working folder, which is not where this child runs.
        command.env("CARGO_TARGET_DIR", folder);
    }
    command
}

/// Whether the cargo that started us has set this for us alone. Build scripts ask for some of it, so they
/// would run again, and all that is above them would be compiled anew, whenever a cargo is started with xtask
/// after one without.
fn is_of_outer_cargo(name: &str, value: &str) -> bool {
    let of_package = ["CARGO_PKG_", "CARGO_MANIFEST_"].iter().any(|start| name.starts_with(start));
    // As the configuration has it, from which the child takes it as well; another number is the caller's.
    of_package || (name, value) == ("OPENBLAS_NUM_THREADS", "1")
}

/// Shows the command line, runs it with the terminal passed on, and fails unless it exits with 0.
pub(crate) fn run(command: &mut Command) -> Result<(), Error> {
    match status(command)? {
        status if status.success() => Ok(()),
        status => Err(Error::Exit { line: line(command), status, failed: Vec::new() }),
    }
}

fn status(command: &mut Command) -> Result<ExitStatus, Error> {
    eprintln!("$ {}", line(command));
    command.status().map_err(|source| Error::Start { line: line(command), source })
}

/// Runs a command as [`run`] does, reads its standard output on the way to the terminal, and returns the exit
/// status with the names that `failed_name` finds in the lines.
pub(crate) fn status_and_failures(
    command: &mut Command,
    failed_name: fn(&str) -> Option<&str>,
) -> Result<(ExitStatus, Vec<String>), Error> {
    let line = line(command);
    eprintln!("$ {line}");
    let start = |source| Error::Start { line: line.clone(), source };
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(start)?;
    let failed = child.stdout.take().map_or(Ok(Vec::new()), |output| pass_on(output, failed_name));
    // Waited for in any case, or it would outlive an error here.
    let status = child.wait();
    Ok((status.map_err(start)?, failed.map_err(start)?))
}

/// Copies lines to standard output and collects the names in them.
fn pass_on(from: impl io::Read, failed_name: fn(&str) -> Option<&str>) -> io::Result<Vec<String>> {
    let (mut from, mut to) = (BufReader::new(from), io::stdout());
    let (mut line, mut failed) = (Vec::new(), Vec::new());
    while from.read_until(b'\n', &mut line)? > 0 {
        to.write_all(&line)?;
        to.flush()?;
        failed.extend(failed_name(&without_colours(&String::from_utf8_lossy(&line))).map(str::to_owned));
        line.clear();
    }
    Ok(failed)
}

/// The text without the control sequences that set colours.
fn without_colours(text: &str) -> String {
    let mut parts = text.trim_end().split("\x1b[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').map_or(part, |(_, rest)| rest))
}

/// The standard output of a silent question, or nothing when the program is missing or says no.
pub(crate) fn answer(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// The command as one would type it. Programs are shown by name: where they lie is of no interest.
pub(crate) fn line(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let mut words = vec![program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|argument| quoted(&argument.to_string_lossy())));
    words.join(" ")
}

fn quoted(word: &str) -> String {
    if word.is_empty() || word.contains(|c: char| c.is_whitespace() || "'\"$&|;<>()*".contains(c)) {
        format!("'{}'", word.replace('\'', r"'\''"))
    } else {
        word.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::{answer, is_of_outer_cargo, line, without_colours};

    #[test]
    fn colours_are_removed() {
        assert_eq!(without_colours("test a ... \x1b[31mFAILED\x1b[m\n"), "test a ... FAILED");
        assert_eq!(without_colours("plain"), "plain");
    }

    #[test]
    fn what_the_outer_cargo_says_of_this_package_is_left_out() {
        assert!(is_of_outer_cargo("CARGO_MANIFEST_DIR", "xtask"));
        assert!(is_of_outer_cargo("CARGO_PKG_VERSION_MAJOR", "0"));
        assert!(is_of_outer_cargo("OPENBLAS_NUM_THREADS", "1"));
        for (name, value) in [("OPENBLAS_NUM_THREADS", "4"), ("CARGO_HOME", "x"), ("CARGO_INCREMENTAL", "0")]
        {
            assert!(!is_of_outer_cargo(name, value), "{name}");
        }
    }

    #[test]
    fn a_line_can_be_typed_again() {
        let mut command = Command::new("/some/where/tool");
        command.args(["--because", "it's better", "plain"]);
        assert_eq!(line(&command), r"tool --because 'it'\''s better' plain");
    }

    #[test]
    fn a_missing_program_gives_no_answer() {
        assert_eq!(answer(&mut Command::new("no-such-program-anywhere")), None);
    }
}
