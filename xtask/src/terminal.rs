//! Modest colour, and none where nobody can see it.

use std::env;
use std::io::{self, IsTerminal};

/// What a colour says; the terminal's own palette decides how it looks.
#[derive(Clone, Copy)]
pub(crate) enum Tone {
    Good,
    Bad,
    Faint,
}

/// The text in a tone when standard output is a terminal that may show colours, else as it is.
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

/// Whether standard output is a terminal that may show colours. NO_COLOR counts when it is not empty,
/// whatever it says.
pub(crate) fn wants_colour() -> bool {
    let unset = |name| env::var_os(name).is_none_or(|value| value.is_empty());
    io::stdout().is_terminal() && unset("NO_COLOR") && env::var_os("TERM").is_none_or(|term| term != "dumb")
}
