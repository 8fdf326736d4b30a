//! The command line: the commands as a type, the help text, and the parser.

use std::fmt;

use crate::bench::Benching;

/// Output of `cargo xtask help`.
pub(crate) const HELP: &str = "\
Usage: cargo xtask COMMAND [OPTIONS]

Works from any folder of the tree. All commands but `tidy` and `help` begin with `setup`.

Commands:
  setup      Check that OpenBLAS and HDF5 can be linked, and install what is missing; only OpenBLAS is required
  demo       Run the demonstration and print where its figures are
  test       Run the unit, integration and documentation tests
  regress    Run all checks: format, lints, tidy, tests, documentation, regression scenarios
  battery    Run all batteries of random problems and models; takes some minutes
  build      Build all targets of all crates, optimised, with all cargo features
  tidy       Check the rules of the project that a program can check, and list all violations
  bench      Run the benchmarks
  doc        Build the documentation with formulas, for reading without a network
  interface  Write the lists of public items in docs/interface, which `regress` compares
  help       Show this text

Option of all commands:
  --no-install         Never install a system package; print the command that would install it

Options of `regress`:
  --list               Show the steps and the scenarios without running them
  --filter SUBSTRING   Only the steps and the scenarios whose name contains SUBSTRING (`setup` always runs)
  --fail-fast          Stop at the first failed step or scenario; by default all run, and a summary lists the failures
  --bless NAME         Store the current result of scenario NAME as its reference; requires --because, runs no other step
  --because REASON     Reason for the change of the reference

Options of `bench`:
  --quick              Take fewer samples and draw no plots, in seconds instead of minutes
  --filter SUBSTRING   Only the benchmarks whose name contains SUBSTRING
  --save NAME          Store the results under this name
  --against NAME       Compare the results with those stored under this name

Environment:
  SICONOS_NO_INSTALL=1   The same as --no-install
  CARGO_TARGET_DIR       Folder of builds, figures and reports (default: target)
  NO_COLOR               Print without colours

Exit codes:
  0 success   1 something failed   2 wrong usage, or OpenBLAS is missing   4 the filter matches nothing
";

/// Option that forbids the installation of system packages. It is read before the command.
pub(crate) const NO_INSTALL: &str = "--no-install";

/// Command with its options.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Help,
    Setup,
    Demo,
    Test,
    Regress(RegressAction),
    Battery,
    Build,
    Tidy,
    Bench(Benching),
    Doc,
    Interface,
}

/// Action of `regress`. Options that exclude each other are different variants.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RegressAction {
    Run { filter: Option<String>, fail_fast: bool },
    List { filter: Option<String> },
    Bless { name: String, because: String },
}

/// Error in the command line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum UsageError {
    NoCommand,
    UnknownCommand { given: String },
    UnknownArgument { command: String, given: String },
    MissingValue { option: &'static str },
    NeedsEachOther { given: &'static str, missing: &'static str },
    ExcludeEachOther { first: &'static str, second: &'static str },
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCommand => write!(f, "no command given")?,
            Self::UnknownCommand { given } => write!(f, "there is no command `{given}`")?,
            Self::UnknownArgument { command, given } => write!(f, "`{command}` does not support `{given}`")?,
            Self::MissingValue { option } => write!(f, "`{option}` requires a nonempty value")?,
            Self::NeedsEachOther { given, missing } => write!(f, "`{given}` requires `{missing}`")?,
            Self::ExcludeEachOther { first, second } => {
                write!(f, "`{first}` and `{second}` cannot be used together")?;
            }
        }
        write!(f, "\n`cargo xtask help` lists every command and option")
    }
}

/// Parses the arguments that follow `cargo xtask`. `--help` at any position takes precedence.
pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Result<Command, UsageError> {
    let arguments: Vec<String> = arguments.collect();
    if arguments.iter().any(|argument| argument == "--help" || argument == "-h") {
        return Ok(Command::Help);
    }
    let Some((name, options)) = arguments.split_first() else {
        return Err(UsageError::NoCommand);
    };
    match name.as_str() {
        "regress" => parse_regress(options).map(Command::Regress),
        "bench" => parse_bench(options).map(Command::Bench),
        "help" => without_options(name, options, Command::Help),
        "setup" => without_options(name, options, Command::Setup),
        "demo" => without_options(name, options, Command::Demo),
        "test" => without_options(name, options, Command::Test),
        "battery" => without_options(name, options, Command::Battery),
        "build" => without_options(name, options, Command::Build),
        "tidy" => without_options(name, options, Command::Tidy),
        "doc" => without_options(name, options, Command::Doc),
        "interface" => without_options(name, options, Command::Interface),
        _ => Err(UsageError::UnknownCommand { given: name.clone() }),
    }
}

fn without_options(name: &str, options: &[String], command: Command) -> Result<Command, UsageError> {
    match options.first() {
        None => Ok(command),
        Some(given) => Err(UsageError::UnknownArgument { command: name.to_owned(), given: given.clone() }),
    }
}

fn parse_bench(options: &[String]) -> Result<Benching, UsageError> {
    let mut benching = Benching::default();
    let mut rest = options.iter();
    while let Some(given) = rest.next() {
        let (option, attached) = split(given);
        match (option, attached) {
            ("--quick", None) => benching.quick = true,
            ("--filter", _) => benching.filter = Some(value_of("--filter", attached, &mut rest)?),
            ("--save", _) => benching.save = Some(value_of("--save", attached, &mut rest)?),
            ("--against", _) => benching.against = Some(value_of("--against", attached, &mut rest)?),
            _ => {
                return Err(UsageError::UnknownArgument {
                    command: "bench".to_owned(),
                    given: given.clone(),
                });
            }
        }
    }
    Ok(benching)
}

fn parse_regress(options: &[String]) -> Result<RegressAction, UsageError> {
    let (mut list, mut fail_fast) = (false, false);
    let (mut filter, mut bless, mut because) = (None, None, None);
    let mut rest = options.iter();
    while let Some(given) = rest.next() {
        let (option, attached) = split(given);
        match (option, attached) {
            ("--list", None) => list = true,
            ("--fail-fast", None) => fail_fast = true,
            ("--filter", _) => filter = Some(value_of("--filter", attached, &mut rest)?),
            ("--bless", _) => bless = Some(value_of("--bless", attached, &mut rest)?),
            ("--because", _) => because = Some(value_of("--because", attached, &mut rest)?),
            _ => {
                return Err(UsageError::UnknownArgument {
                    command: "regress".to_owned(),
                    given: given.clone(),
                });
            }
        }
    }

    let blessing = match (bless, because) {
        (Some(name), Some(because)) => Some((name, because)),
        (Some(_), None) => {
            return Err(UsageError::NeedsEachOther { given: "--bless", missing: "--because" });
        }
        (None, Some(_)) => {
            return Err(UsageError::NeedsEachOther { given: "--because", missing: "--bless" });
        }
        (None, None) => None,
    };
    let chosen = [
        ("--bless", blessing.is_some()),
        ("--list", list),
        ("--fail-fast", fail_fast),
        ("--filter", filter.is_some()),
    ];
    // A filter can be combined with a list or a run; all other pairs contradict each other.
    if let Some((first, second)) = first_conflict(&chosen) {
        return Err(UsageError::ExcludeEachOther { first, second });
    }
    Ok(match blessing {
        Some((name, because)) => RegressAction::Bless { name, because },
        None if list => RegressAction::List { filter },
        None => RegressAction::Run { filter, fail_fast },
    })
}

/// Returns the first two options that exclude each other. `--bless` excludes all other options. `--list`
/// excludes `--fail-fast`, because it runs no test.
fn first_conflict(chosen: &[(&'static str, bool)]) -> Option<(&'static str, &'static str)> {
    let given = |option: &str| chosen.iter().any(|&(name, is_given)| is_given && name == option);
    [("--bless", "--list"), ("--bless", "--fail-fast"), ("--bless", "--filter"), ("--list", "--fail-fast")]
        .into_iter()
        .find(|(first, second)| given(first) && given(second))
}

/// Splits an option from its attached value: `--option=value` is equivalent to `--option value`.
fn split(given: &str) -> (&str, Option<&str>) {
    match given.split_once('=') {
        Some((option, value)) => (option, Some(value)),
        None => (given, None),
    }
}

/// Returns the value of an option, attached by `=` or given as the next argument. Another option is not
/// accepted as a value.
fn value_of<'a>(
    option: &'static str,
    attached: Option<&str>,
    rest: &mut impl Iterator<Item = &'a String>,
) -> Result<String, UsageError> {
    let value = attached.or_else(|| rest.next().map(String::as_str).filter(|next| !next.starts_with("--")));
    match value {
        Some(value) if !value.trim().is_empty() => Ok(value.to_owned()),
        _ => Err(UsageError::MissingValue { option }),
    }
}

#[cfg(test)]
mod tests {
    use super::{Benching, Command, RegressAction, UsageError, parse};

    fn parsed(line: &[&str]) -> Result<Command, UsageError> {
        parse(line.iter().map(|&argument| argument.to_owned()))
    }

    #[test]
    fn commands_without_options() {
        assert_eq!(parsed(&["setup"]), Ok(Command::Setup));
        assert_eq!(parsed(&["battery"]), Ok(Command::Battery));
        assert_eq!(parsed(&["regress", "--help"]), Ok(Command::Help));
        assert_eq!(parsed(&[]), Err(UsageError::NoCommand));
        assert_eq!(parsed(&["demon"]), Err(UsageError::UnknownCommand { given: "demon".into() }));
        let refused = UsageError::UnknownArgument { command: "test".into(), given: "--quick".into() };
        assert_eq!(parsed(&["test", "--quick"]), Err(refused));
    }

    #[test]
    fn bench_options() {
        assert_eq!(parsed(&["bench"]), Ok(Command::Bench(Benching::default())));
        let (filter, save) = (Some("growth".into()), Some("before".into()));
        let expected = Benching { quick: true, filter, save, against: None };
        let found = parsed(&["bench", "--quick", "--filter=growth", "--save", "before"]);
        assert_eq!(found, Ok(Command::Bench(expected)));
        assert!(parsed(&["bench", "--quick", "lemke"]).is_err());
        assert!(parsed(&["bench", "--against"]).is_err());
    }

    #[test]
    fn regress_options_in_both_spellings() {
        let run = RegressAction::Run { filter: Some("ball".into()), fail_fast: true };
        assert_eq!(parsed(&["regress", "--filter", "ball", "--fail-fast"]), Ok(Command::Regress(run)));
        let list = RegressAction::List { filter: Some("ball".into()) };
        assert_eq!(parsed(&["regress", "--list", "--filter=ball"]), Ok(Command::Regress(list)));
        let bless = RegressAction::Bless { name: "ball".into(), because: "h halved".into() };
        assert_eq!(
            parsed(&["regress", "--bless", "ball", "--because", "h halved"]),
            Ok(Command::Regress(bless))
        );
    }

    #[test]
    fn regress_refuses_half_a_blessing_and_contradictions() {
        let needs = UsageError::NeedsEachOther { given: "--bless", missing: "--because" };
        assert_eq!(parsed(&["regress", "--bless", "ball"]), Err(needs));
        let empty = UsageError::MissingValue { option: "--because" };
        assert_eq!(parsed(&["regress", "--bless", "ball", "--because", " "]), Err(empty));
        let swallowed = UsageError::MissingValue { option: "--filter" };
        assert_eq!(parsed(&["regress", "--filter", "--list"]), Err(swallowed));
        let both = UsageError::ExcludeEachOther { first: "--list", second: "--fail-fast" };
        assert_eq!(parsed(&["regress", "--fail-fast", "--list"]), Err(both));
    }

    #[test]
    fn help_names_every_command_and_option() {
        for word in [
            "setup",
            "demo",
            "test",
            "regress",
            "battery",
            "build",
            "tidy",
            "bench",
            "doc",
            "interface",
            "help",
        ] {
            assert!(super::HELP.contains(&format!("\n  {word} ")), "{word}");
        }
        for option in [
            "--list",
            "--filter",
            "--fail-fast",
            "--bless",
            "--because",
            "--quick",
            "--save",
            "--against",
            super::NO_INSTALL,
        ] {
            assert!(super::HELP.contains(&format!("\n  {option} ")), "{option}");
        }
    }
}
