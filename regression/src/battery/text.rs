//! Tables of a battery on a terminal.

use std::fmt::Write as _;

use super::Outcome;
use super::tally::{OfFamily, OfMethod};

/// Returns a table with a line for each kind and a column for each coefficient, followed by a line for each
/// method.
pub(crate) fn table(outcome: &Outcome) -> String {
    let tally = &outcome.tally;
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "\n{}: {} problems in {:.1} s", outcome.name, tally.problems, outcome.seconds);
    let _ = writeln!(text, "solved by the default method / all problems (proven, if there is no solution)");
    let families = tally.methods.first().map_or(&[][..], |of| &of.families);
    let kinds: Vec<&[OfFamily]> = families.chunk_by(|a, b| a.kind == b.kind).collect();
    let width = kinds.iter().map(|families| families[0].kind.len()).max().unwrap_or(0);
    let _ = write!(text, "{:width$}", "");
    for family in kinds.first().copied().unwrap_or_default() {
        let _ = write!(text, "  {:>8}", format!("mu {}", short(family.mu)));
    }
    text.push('\n');
    for families in kinds {
        let _ = write!(text, "{:width$}", families[0].kind);
        for family in families {
            let _ = write!(text, "  {:>8}", share(family));
        }
        text.push('\n');
    }
    for method in &tally.methods {
        let _ = writeln!(text, "{}", line(method));
    }
    text
}

/// Returns the numbers of solved and of all problems of a family.
pub(super) fn share(family: &OfFamily) -> String {
    let OfFamily { problems, solved, .. } = family;
    format!("{solved}/{problems}")
}

/// Returns the totals of a method.
pub(super) fn line(method: &OfMethod) -> String {
    let OfMethod { method, asked, solved, refused, offences, others, seconds, slowest, .. } = method;
    let mut line = format!("{method}: {solved} of {} solved", asked - refused);
    for (how, count) in others {
        // Writing to a string cannot fail.
        let _ = write!(line, "; {count} {how}");
    }
    let _ = write!(line, "; {seconds:.1} s, at most {:.2} s on problem {}", slowest.0, slowest.1);
    if *offences > 0 {
        let _ = write!(line, "; {offences} OFFENCES");
    }
    line
}

/// Returns a coefficient in few characters.
pub(super) fn short(mu: f64) -> String {
    if mu.is_finite() && (mu >= 1e4 || (mu > 0.0 && mu < 1e-4)) { format!("{mu:e}") } else { mu.to_string() }
}
