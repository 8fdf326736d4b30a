//! Colours on terminals that support them.

use std::env;
use std::io::{self, IsTerminal};

/// Meaning of a colour. The palette of the terminal defines its appearance.
#[derive(Clone, Copy)]
pub(crate) enum Tone {
    Good,
    Bad,
    Faint,
}

/// Returns the text in a tone if standard output is a terminal with colours, otherwise the plain text.
pub(crate) fn toned(text: &str, tone: Tone) -> String {
    if !wants_colour() {
        return text.to_owned();
    }
    let code = match tone {
        Tone::Good => 32,
        Tone::Bad => 31,
        Tone::Faint => 2,
    };
    format!("\x1b[{code}m{text}\x1b[0m")
}

/// Returns `true` if standard output is a terminal with colours. Any nonempty NO_COLOR turns colours off.
pub(crate) fn wants_colour() -> bool {
    let unset = |name| env::var_os(name).is_none_or(|value| value.is_empty());
    io::stdout().is_terminal() && unset("NO_COLOR") && env::var_os("TERM").is_none_or(|term| term != "dumb")
}
