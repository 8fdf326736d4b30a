//! Table of a class on a terminal.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use siconos_numerics::Status;

use super::survey::{Cell, Row, Solutions, Survey, Verdict};

/// Number of methods side by side; further methods are in another table below.
const METHODS_PER_TABLE: usize = 7;

const LEGEND: &str = "\
cells: how it ended, recomputed error, best time; ! marks an offence
       ok converged, round as exact as rounding allows, max iterations used up, stall no progress, ray unbounded ray,
       none proof that there is no solution, lost no solution found, break arithmetic breakdown, - refused or left out
";

/// Returns a table with a line for each problem and a column for each method.
pub(crate) fn table(name: &str, survey: &Survey) -> String {
    let mut text = String::new();
    let files = if survey.has_files { "" } else { " (no reference folder: drawn problems only)" };
    // Writing to a string cannot fail.
    let _ = writeln!(text, "\n{name}: {} problems{files}", survey.rows.len());
    let first = survey.rows.iter().map(|row| label(row).chars().count()).max().unwrap_or(0);
    for (k, methods) in survey.methods.chunks(METHODS_PER_TABLE).enumerate() {
        let columns = k * METHODS_PER_TABLE..k * METHODS_PER_TABLE + methods.len();
        let cells: Vec<Vec<String>> =
            survey.rows.iter().map(|row| row.cells[columns.clone()].iter().map(short).collect()).collect();
        let width = |j: usize| {
            cells.iter().map(|row| row[j].chars().count()).chain([methods[j].len()]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..methods.len()).map(width).collect();
        let mut push = |first_cell: &str, cells: &mut dyn Iterator<Item = &str>| {
            let mut line = format!("{first_cell:<first$}");
            for (cell, &width) in cells.zip(&widths) {
                let _ = write!(line, "  {cell:<width$}");
            }
            text.push_str(line.trim_end());
            text.push('\n');
        };
        push("problem", &mut methods.iter().copied());
        for (row, cells) in survey.rows.iter().zip(&cells) {
            push(&label(row), &mut cells.iter().map(String::as_str));
        }
        text.push('\n');
    }
    text.push_str(LEGEND);
    push_tallies(&mut text, survey);
    text
}

/// Appends, for each method, the number of solved problems and of the other ends. The report contains all
/// reasons.
fn push_tallies(text: &mut String, survey: &Survey) {
    for (j, method) in survey.methods.iter().enumerate() {
        let cells = survey.rows.iter().map(|row| &row.cells[j]);
        let solved = cells.clone().filter(|cell| cell.is_success()).count();
        let mut others: BTreeMap<String, usize> = BTreeMap::new();
        for cell in cells.filter(|cell| !cell.is_success()) {
            let why = match &cell.verdict {
                Verdict::Ended(status) => status.to_string(),
                Verdict::Refused(why) => format!("refused ({why})"),
                Verdict::LeftOut => "not run".to_owned(),
            };
            *others.entry(why).or_default() += 1;
        }
        let others: Vec<String> = others.iter().map(|(why, count)| format!("; {count} {why}")).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{method}: {solved} of {} solved{}", survey.rows.len(), others.concat());
    }
}

/// Returns the problem with its size, and a mark if it has no solution.
fn label(row: &Row) -> String {
    let mark = match row.solutions {
        Solutions::Exist => "",
        Solutions::DoNotExist => " (none)",
        Solutions::Unknown => " (?)",
    };
    format!("{} [{}]{mark}", row.problem, row.size)
}

/// Returns a cell in few characters.
pub(super) fn short(cell: &Cell) -> String {
    let mark = if cell.offence.is_some() { "!" } else { "" };
    match &cell.verdict {
        Verdict::Refused(_) | Verdict::LeftOut => format!("{mark}-"),
        Verdict::Ended(status) => {
            format!("{mark}{} {} {}", word(*status), size_of(cell.error), time(cell.seconds))
        }
    }
}

pub(super) fn word(status: Status) -> &'static str {
    match status {
        Status::Converged => "ok",
        Status::AtRoundingLevel => "round",
        Status::MaxIterations => "max",
        Status::Stalled => "stall",
        Status::RayTermination => "ray",
        Status::NoSolution => "none",
        Status::NotFound => "lost",
        Status::Breakdown => "break",
        Status::EffortSpent => "spent",
        _ => "other",
    }
}

/// Returns an error with one digit.
pub(super) fn size_of(error: f64) -> String {
    if error == 0.0 { "0".to_owned() } else { format!("{error:.0e}") }
}

pub(super) fn time(seconds: f64) -> String {
    match seconds {
        s if s < 9.95e-6 => format!("{:.1}us", s * 1e6),
        s if s < 9.995e-4 => format!("{:.0}us", s * 1e6),
        s if s < 9.95e-3 => format!("{:.1}ms", s * 1e3),
        s if s < 0.9995 => format!("{:.0}ms", s * 1e3),
        s => format!("{s:.1}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::time;

    #[test]
    fn times_are_short() {
        assert_eq!(
            [1.23e-6, 45.6e-6, 1.234e-3, 0.0456, 1.26].map(time),
            ["1.2us", "46us", "1.2ms", "46ms", "1.3s"]
        );
    }
}
