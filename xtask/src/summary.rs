//! Summary of `regress`: the table of steps and the closing line.

use std::time::Duration;

use crate::terminal::{Tone, toned};

/// Outcome of one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Passed,
    Failed,
    /// A previous step failed, or a requirement is missing.
    NotRun,
}

/// Row of the table.
pub(crate) struct Row {
    pub(crate) step: &'static str,
    pub(crate) outcome: Outcome,
    pub(crate) took: Duration,
    /// Failed tests or scenarios of a failed step, or its error.
    pub(crate) failures: Vec<String>,
}

/// Prints the table of steps, the list of failures, an empty line, and a line with the counts:
/// `N passed, N failed`.
pub(crate) fn print(rows: &[Row]) {
    println!("\n{:<12} {:<8} {:>8}", "step", "outcome", "seconds");
    for row in rows {
        let (word, tone) = match row.outcome {
            Outcome::Passed => ("passed", Tone::Good),
            Outcome::Failed => ("failed", Tone::Bad),
            Outcome::NotRun => ("not run", Tone::Faint),
        };
        let seconds = match row.outcome {
            Outcome::Passed | Outcome::Failed => format!("{:.1}", row.took.as_secs_f64()),
            Outcome::NotRun => "-".to_owned(),
        };
        // The word is padded before it is coloured, because the colour codes have no width on the screen.
        let outcome = toned(&format!("{word:<8}"), tone);
        println!("{:<12} {outcome} {seconds:>8}", row.step);
    }
    print!("{}", failures(rows));
    println!("\n{}", counts(rows));
}

/// Returns a line for each failed test, scenario or other step.
fn failures(rows: &[Row]) -> String {
    let mut text = String::new();
    for row in rows {
        for failure in &row.failures {
            if text.is_empty() {
                text.push_str("\nfailed:\n");
            }
            let failure = failure.replace('\n', "\n               ");
            text.push_str(&format!("  {:<12} {failure}\n", row.step));
        }
    }
    text
}

fn counts(rows: &[Row]) -> String {
    let count = |outcome| rows.iter().filter(|row| row.outcome == outcome).count();
    format!("{} passed, {} failed", count(Outcome::Passed), count(Outcome::Failed))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Outcome, Row, counts, failures};

    fn row(step: &'static str, outcome: Outcome, failures: &[&str]) -> Row {
        let failures = failures.iter().map(|&failure| failure.to_owned()).collect();
        Row { step, outcome, took: Duration::ZERO, failures }
    }

    #[test]
    fn steps_that_did_not_run_are_in_neither_count() {
        let outcomes = [Outcome::Passed, Outcome::Failed, Outcome::NotRun];
        assert_eq!(counts(&outcomes.map(|outcome| row("any", outcome, &[]))), "1 passed, 1 failed");
    }

    #[test]
    fn the_summary_names_what_failed() {
        let passed = row("format", Outcome::Passed, &[]);
        assert_eq!(failures(&[passed]), "");
        let rows = [
            row("test", Outcome::Failed, &["a::b", "c"]),
            row("doc", Outcome::NotRun, &[]),
            row("scenarios", Outcome::Failed, &["ball"]),
        ];
        let expected = "\nfailed:\n  test         a::b\n  test         c\n  scenarios    ball\n";
        assert_eq!(failures(&rows), expected);
    }
}
