//! Child processes: display of the command line, execution, exit status.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, ExitStatus, Stdio};

use crate::error::Error;
use crate::workspace;

/// Returns a cargo command of the toolchain that started this program, run in the root of the workspace.
pub(crate) fn cargo<const N: usize>(arguments: [&str; N]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(workspace::root());
    for (name, value) in std::env::vars_os() {
        if is_of_outer_cargo(&name.to_string_lossy(), &value.to_string_lossy()) {
            command.env_remove(name);
        }
    }
    if let Some(folder) = workspace::given_target() {
        // A relative folder is relative to the working folder of the caller, which differs from the folder of
        // the child.
        command.env("CARGO_TARGET_DIR", folder);
    }
    command
}

/// Returns `true` if the outer cargo has set this variable for xtask only. Build scripts depend on some of
/// these variables. If they were passed on, alternate calls of cargo with and without xtask would cause
/// rebuilds.
fn is_of_outer_cargo(name: &str, value: &str) -> bool {
    let of_package = ["CARGO_PKG_", "CARGO_MANIFEST_"].iter().any(|start| name.starts_with(start));
    // The cargo configuration sets this value, also for the child. Any other value was set by the caller.
    of_package || (name, value) == ("OPENBLAS_NUM_THREADS", "1")
}

/// Prints the command line and runs the command with its output on the terminal. Returns an error unless the
/// exit status is 0.
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

/// Runs a command like [`run`], but reads its standard output before showing it. Returns the exit status and
/// the names that `failed_name` finds in the lines.
pub(crate) fn status_and_failures(
    command: &mut Command,
    failed_name: fn(&str) -> Option<&str>,
) -> Result<(ExitStatus, Vec<String>), Error> {
    let line = line(command);
    eprintln!("$ {line}");
    let start = |source| Error::Start { line: line.clone(), source };
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(start)?;
    let failed = child.stdout.take().map_or(Ok(Vec::new()), |output| pass_on(output, failed_name));
    // The child must not outlive an error here, so it is always waited for.
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

/// Returns the text without the control sequences for colours.
fn without_colours(text: &str) -> String {
    let mut parts = text.trim_end().split("\x1b[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').map_or(part, |(_, rest)| rest))
}

/// Returns the standard output of a command without showing it, or `None` if the program is missing or fails.
pub(crate) fn answer(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// Returns the command line as a user would type it, with the name of the program instead of its path.
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
