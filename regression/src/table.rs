//! Summary and failures as text.

use std::fmt::Write as _;

use crate::Report;
use crate::compare::ColumnOutcome;
use crate::run::{Compared, Failure, Outcome, Record};

const HEADINGS: [&str; 7] =
    ["scenario", "outcome", "rows", "worst column", "max difference", "allowed", "seconds"];
/// `true` for columns of numbers, which are right-aligned.
const IS_NUMBER: [bool; 7] = [false, false, true, false, true, true, true];

/// Returns a table with a line for each scenario.
pub(crate) fn summary(records: &[Record]) -> String {
    let lines: Vec<[String; 7]> = records.iter().map(cells).collect();
    let mut widths = HEADINGS.map(|heading| heading.chars().count());
    for line in &lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = String::new();
    push_line(&mut text, &HEADINGS.map(str::to_owned), &widths);
    push_line(&mut text, &widths.map(|width| "─".repeat(width)), &widths);
    for line in &lines {
        push_line(&mut text, line, &widths);
    }
    text
}

/// Returns the cause of each failure, with the first row that exceeds its tolerance.
pub(crate) fn failures(report: &Report) -> String {
    let mut text = String::new();
    for record in &report.records {
        let Outcome::Failed(failure) = &record.outcome else { continue };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\nFAILED {}: {}", record.scenario.name, describe(failure));
    }
    let of_surveys = report.surveys.iter().map(|outcome| (outcome.name, &outcome.offences));
    let of_batteries = report.batteries.iter().map(|outcome| (outcome.name, &outcome.offences));
    for (name, offences) in of_surveys.chain(of_batteries).filter(|(_, offences)| !offences.is_empty()) {
        let _ = writeln!(text, "\nFAILED {name}: {} offences", offences.len());
        for offence in offences {
            let _ = writeln!(text, "  {offence}");
        }
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// Returns the cause of a failure in full.
pub(crate) fn describe(failure: &Failure) -> String {
    match failure {
        Failure::Off(offence) => {
            let time = offence.time.map(|time| format!(" (t = {time})")).unwrap_or_default();
            format!(
                "the first row that is off is row {}{time}, column {:?}\n  \
                 value      {:+.16e}\n  \
                 reference  {:+.16e}\n  \
                 difference  {:.3e}, allowed {:.3e}",
                offence.row,
                offence.column,
                offence.value,
                offence.reference,
                offence.difference,
                offence.allowed
            )
        }
        other => crate::with_causes(other),
    }
}

/// Returns the column with the largest ratio of difference to tolerance, or `None` if all columns are equal
/// bit for bit.
pub(crate) fn worst(compared: &Compared) -> Option<&ColumnOutcome> {
    let columns = compared.comparison.columns.iter().filter(|column| column.max_difference > 0.0);
    columns.max_by(|a, b| a.max_ratio.total_cmp(&b.max_ratio))
}

fn cells(record: &Record) -> [String; 7] {
    let mut cells = [const { String::new() }; 7];
    cells[0].clone_from(&record.scenario.name);
    cells[1] = record.verdict();
    if let Some(compared) = &record.comparison {
        cells[2] = compared.comparison.rows.len().to_string();
        match worst(compared) {
            Some(worst) => {
                cells[3].clone_from(&worst.name);
                cells[4] = format!("{:.2e}", worst.max_difference);
                cells[5] = format!("{:.2e}", worst.allowed);
            }
            None => cells[4].push('0'),
        }
    }
    if !matches!(record.outcome, Outcome::Skipped) {
        cells[6] = format!("{:.3}", record.run_time.as_secs_f64());
    }
    cells
}

fn push_line(text: &mut String, cells: &[String; 7], widths: &[usize; 7]) {
    let mut line = String::new();
    for ((cell, &width), is_number) in cells.iter().zip(widths).zip(IS_NUMBER) {
        // Writing to a string cannot fail.
        let _ = if is_number { write!(line, "{cell:>width$}  ") } else { write!(line, "{cell:<width$}  ") };
    }
    text.push_str(line.trim_end());
    text.push('\n');
}
