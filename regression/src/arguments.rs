//! Command line of the regression program.

/// Command of the caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Command {
    /// Show the usage.
    Help,
    /// Show the names of the scenarios.
    List {
        /// Only scenarios whose name contains this text.
        filter: Option<String>,
    },
    /// Run the scenarios and compare.
    Run {
        /// Only scenarios whose name contains this text.
        filter: Option<String>,
        /// Stop at the first failure.
        fail_fast: bool,
        /// Run the complete batteries instead of a tenth.
        whole: bool,
    },
    /// Run one scenario and store its result as the new reference.
    Bless {
        /// Name of the scenario.
        name: String,
        /// Reason for the change of the reference.
        reason: String,
    },
}

/// Usage of the program.
pub(crate) const USAGE: &str = "\
Runs the regression scenarios and compares them with their references.

Usage: cargo run --package siconos-regression -- [OPTIONS]

      --list                     show the scenarios and end
      --filter SUBSTRING         only scenarios whose name contains SUBSTRING
      --fail-fast                stop at the first failure
      --whole                    run the complete batteries instead of a tenth of them (some minutes)
      --bless NAME               make the result of scenario NAME its new reference,
      --because REASON           for this reason, which is kept in the file
  -h, --help                     show this

Exit codes: 0 all passed, 1 a scenario failed, 2 wrong usage or manifest, 4 the filter matches nothing.
";

/// Error in the command line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum UsageError {
    #[error("unknown argument {argument:?}; --help lists all arguments")]
    Unknown { argument: String },
    #[error("{option} requires a value: {option} {value}")]
    MissingValue { option: &'static str, value: &'static str },
    #[error("{option} does not take a value")]
    UnexpectedValue { option: &'static str },
    #[error("{option} is given twice")]
    Repeated { option: &'static str },
    #[error("{option} cannot be combined with {other}")]
    Conflict { option: &'static str, other: &'static str },
    #[error(
        "--bless requires a reason: --bless {name} --because \"what changed, and why the new numbers are right\""
    )]
    NoReason { name: String },
    #[error("--because requires --bless NAME")]
    ReasonForNothing,
}

/// Options as given on the command line.
#[derive(Default)]
struct Options {
    help: bool,
    list: bool,
    fail_fast: bool,
    whole: bool,
    filter: Option<String>,
    bless: Option<String>,
    because: Option<String>,
}

impl Command {
    /// Parses the arguments after the name of the program. The value of an option is the next argument or
    /// follows a `=`.
    pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Result<Self, UsageError> {
        let mut options = Options::default();
        let mut arguments = arguments;
        while let Some(argument) = arguments.next() {
            let (option, joined) = match argument.split_once('=') {
                Some((option, value)) => (option, Some(value.to_owned())),
                None => (argument.as_str(), None),
            };
            let next = || joined.clone().or_else(|| arguments.next());
            match option {
                "-h" | "--help" => set_flag(&mut options.help, "--help", joined)?,
                "--list" => set_flag(&mut options.list, "--list", joined)?,
                "--fail-fast" => set_flag(&mut options.fail_fast, "--fail-fast", joined)?,
                "--whole" => set_flag(&mut options.whole, "--whole", joined)?,
                "--filter" => set_value(&mut options.filter, ("--filter", "SUBSTRING"), next)?,
                "--bless" => set_value(&mut options.bless, ("--bless", "NAME"), next)?,
                "--because" => set_value(&mut options.because, ("--because", "REASON"), next)?,
                _ => return Err(UsageError::Unknown { argument }),
            }
        }
        options.into_command()
    }
}

impl Options {
    fn into_command(self) -> Result<Command, UsageError> {
        if self.help {
            return Ok(Command::Help);
        }
        let conflict = |option, other| Err(UsageError::Conflict { option, other });
        if let Some(name) = self.bless {
            return match self
                .because
                .map(|reason| reason.trim().to_owned())
                .filter(|reason| !reason.is_empty())
            {
                _ if self.list => conflict("--bless", "--list"),
                _ if self.fail_fast => conflict("--bless", "--fail-fast"),
                _ if self.whole => conflict("--bless", "--whole"),
                _ if self.filter.is_some() => conflict("--bless", "--filter"),
                Some(reason) => Ok(Command::Bless { name, reason }),
                None => Err(UsageError::NoReason { name }),
            };
        }
        if self.because.is_some() {
            return Err(UsageError::ReasonForNothing);
        }
        match self {
            Self { list: true, fail_fast: true, .. } => conflict("--list", "--fail-fast"),
            Self { list: true, whole: true, .. } => conflict("--list", "--whole"),
            Self { list: true, filter, .. } => Ok(Command::List { filter }),
            Self { filter, fail_fast, whole, .. } => Ok(Command::Run { filter, fail_fast, whole }),
        }
    }
}

fn set_flag(flag: &mut bool, option: &'static str, joined: Option<String>) -> Result<(), UsageError> {
    if joined.is_some() {
        return Err(UsageError::UnexpectedValue { option });
    }
    if std::mem::replace(flag, true) {
        return Err(UsageError::Repeated { option });
    }
    Ok(())
}

fn set_value(
    slot: &mut Option<String>,
    (option, value): (&'static str, &'static str),
    next: impl FnOnce() -> Option<String>,
) -> Result<(), UsageError> {
    // A following option is not a value: in `--bless --because x` the name is missing.
    let given = next().filter(|given| !given.starts_with("--"));
    let given = given.ok_or(UsageError::MissingValue { option, value })?;
    match slot.replace(given) {
        None => Ok(()),
        Some(_) => Err(UsageError::Repeated { option }),
    }
}

#[cfg(test)]
mod tests {
    use super::{Command, UsageError};

    fn parse(line: &[&str]) -> Result<Command, UsageError> {
        Command::parse(line.iter().copied().map(str::to_owned))
    }

    fn run(filter: Option<&str>, fail_fast: bool) -> Command {
        Command::Run { filter: filter.map(str::to_owned), fail_fast, whole: false }
    }

    #[test]
    fn every_command_can_be_asked_for() {
        assert_eq!(parse(&[]), Ok(run(None, false)));
        assert_eq!(parse(&["--fail-fast", "--filter", "ball"]), Ok(run(Some("ball"), true)));
        assert_eq!(parse(&["--filter=ball=2"]), Ok(run(Some("ball=2"), false)));
        let whole = Command::Run { filter: Some("battery".to_owned()), fail_fast: false, whole: true };
        assert_eq!(parse(&["--whole", "--filter=battery"]), Ok(whole));
        assert_eq!(parse(&["--list"]), Ok(Command::List { filter: None }));
        assert_eq!(parse(&["--filter", "a", "--list"]), Ok(Command::List { filter: Some("a".to_owned()) }));
        assert_eq!(parse(&["--list", "-h"]), Ok(Command::Help));
        let bless = Command::Bless { name: "ball".to_owned(), reason: "a better one".to_owned() };
        assert_eq!(parse(&["--because", " a better one ", "--bless=ball"]), Ok(bless));
    }

    #[test]
    fn a_blessing_needs_a_reason() {
        let no_reason = Err(UsageError::NoReason { name: "ball".to_owned() });
        assert_eq!(parse(&["--bless", "ball"]), no_reason);
        assert_eq!(parse(&["--bless", "ball", "--because", "  "]), no_reason);
        assert_eq!(parse(&["--because", "so"]), Err(UsageError::ReasonForNothing));
    }

    #[test]
    fn nonsense_is_refused() {
        let unknown = |argument: &str| Err(UsageError::Unknown { argument: argument.to_owned() });
        assert_eq!(parse(&["--verbose"]), unknown("--verbose"));
        assert_eq!(parse(&["ball"]), unknown("ball"));
        assert_eq!(
            parse(&["--filter"]),
            Err(UsageError::MissingValue { option: "--filter", value: "SUBSTRING" })
        );
        assert_eq!(
            parse(&["--bless", "--because", "x"]),
            Err(UsageError::MissingValue { option: "--bless", value: "NAME" })
        );
        assert_eq!(parse(&["--list", "--list"]), Err(UsageError::Repeated { option: "--list" }));
        assert_eq!(parse(&["--list=yes"]), Err(UsageError::UnexpectedValue { option: "--list" }));
        let conflict = |option, other| Err(UsageError::Conflict { option, other });
        assert_eq!(parse(&["--list", "--fail-fast"]), conflict("--list", "--fail-fast"));
        assert_eq!(parse(&["--list", "--whole"]), conflict("--list", "--whole"));
        assert_eq!(
            parse(&["--bless", "a", "--because", "b", "--filter", "c"]),
            conflict("--bless", "--filter")
        );
    }
}
