//! What became of the steps of `regress`: the table and the closing line.

use std::time::Duration;

use crate::terminal::{Tone, toned};

/// What became of one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Passed,
    Failed,
    /// A step before it failed, or what it needs is missing.
    NotRun,
}

/// One line of the table.
pub(crate) struct Row {
    pub(crate) step: &'static str,
    pub(crate) outcome: Outcome,
    pub(crate) took: Duration,
}

/// The table of steps, and after an empty line the counts alone on theirs: `N passed, N failed`.
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
        // Padded before it is coloured: the codes have no width on the screen.
        let outcome = toned(&format!("{word:<8}"), tone);
        println!("{:<12} {outcome} {seconds:>8}", row.step);
    }
    println!("\n{}", counts(rows));
}

fn counts(rows: &[Row]) -> String {
    let count = |outcome| rows.iter().filter(|row| row.outcome == outcome).count();
    format!("{} passed, {} failed", count(Outcome::Passed), count(Outcome::Failed))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Outcome, Row, counts};

    #[test]
    fn steps_that_did_not_run_are_in_neither_count() {
        let row = |outcome| Row { step: "any", outcome, took: Duration::ZERO };
        let rows = [row(Outcome::Passed), row(Outcome::Failed), row(Outcome::NotRun)];
        assert_eq!(counts(&rows), "1 passed, 1 failed");
    }
}
