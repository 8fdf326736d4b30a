//! HTML report: a single page without other files.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use siconos_figure::FigureError;

use crate::battery::push_battery;
use crate::compare::ColumnOutcome;
use crate::complementarity::push_survey;
use crate::json::name_of;
use crate::run::{Compared, NO_FOLDER, Outcome, Record};
use crate::table::{describe, worst};
use crate::{Counts, Report, manifest, plots};

/// Error while the page is made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PageError {
    #[error("the pictures of the report could not be drawn")]
    Figure(#[from] FigureError),
    #[error("the report could not be written")]
    Write(#[from] io::Error),
}

/// Number of scenarios above which only the failed ones are unfolded.
const MOST_UNFOLDED: usize = 3;

const STYLE: &str = include_str!("report.css");

/// Writes the page to `path`.
pub(crate) fn write(path: &Path, report: &Report) -> Result<(), PageError> {
    Ok(fs::write(path, page(report)?)?)
}

fn page(report: &Report) -> Result<String, FigureError> {
    let (records, Counts { passed, failed, skipped }) = (&report.records, report.counts());
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Regression: {passed} passed, {failed} failed</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <h1>Regression</h1>\n\
         <p class=\"counts\"><span class=\"passed\">{passed} passed</span> <span class=\"failed\">{failed} failed</span> \
         <span class=\"skipped\">{skipped} skipped</span></p>\n\
         <p class=\"stamp\">{}{}</p>\n",
        escaped(&report.stamp.to_string()),
        report.filter.as_deref().map_or_else(String::new, part_of),
    );
    if !records.is_empty() {
        push_summary(&mut page, records);
    }
    for record in records {
        push_scenario(&mut page, record, record.has_failed() || records.len() <= MOST_UNFOLDED)?;
    }
    for outcome in &report.surveys {
        push_survey(&mut page, outcome, outcome.has_failed() || report.records.is_empty());
    }
    for outcome in &report.batteries {
        push_battery(&mut page, outcome, outcome.has_failed() || report.records.is_empty());
    }
    page.push_str("</body>\n</html>\n");
    Ok(page)
}

/// Returns the note that only a part was run.
fn part_of(filter: &str) -> String {
    format!(". Only what has <code>{}</code> in its name was run.", escaped(filter))
}

fn push_summary(page: &mut String, records: &[Record]) {
    page.push_str(
        "<table>\n<thead><tr><th>scenario</th><th>outcome</th><th class=\"number\">rows</th><th>worst column</th>\
         <th class=\"number\">max difference</th><th class=\"number\">allowed there</th>\
         <th class=\"number\">of its tolerance</th><th class=\"number\">seconds</th></tr></thead>\n<tbody>\n",
    );
    for record in records {
        let name = escaped(&record.scenario.name);
        let mut cells = [const { String::new() }; 5];
        if let Some(compared) = &record.comparison {
            cells[0] = compared.comparison.rows.len().to_string();
            match worst(compared) {
                Some(worst) => {
                    cells[1] = format!("<code>{}</code>", escaped(&worst.name));
                    cells[2] = number(worst.max_difference);
                    cells[3] = number(worst.allowed);
                    cells[4] = share(worst.max_ratio);
                }
                None => cells[2].push('0'),
            }
        }
        let [rows, column, difference, allowed, ratio] = cells;
        push(
            page,
            format_args!(
                "<tr><td><a href=\"#{name}\">{name}</a></td><td>{}</td><td class=\"number\">{rows}</td>\
                 <td>{column}</td><td class=\"number\">{difference}</td><td class=\"number\">{allowed}</td>\
                 <td class=\"number\">{ratio}</td><td class=\"number\">{:.3}</td></tr>\n",
                badge(record),
                record.run_time.as_secs_f64()
            ),
        );
    }
    page.push_str("</tbody>\n</table>\n");
}

fn push_scenario(page: &mut String, record: &Record, unfolded: bool) -> Result<(), FigureError> {
    let scenario = &record.scenario;
    let name = escaped(&scenario.name);
    let open = if unfolded { " open" } else { "" };
    push(page, format_args!("<details{open}>\n<summary><h2>{name}</h2>{}</summary>\n", badge(record)));
    // The target of a link must be inside the details, so that the browser unfolds them.
    push(page, format_args!("<p id=\"{name}\">{}</p>\n", escaped(&scenario.description)));
    match &record.outcome {
        Outcome::Failed(failure) => {
            push(page, format_args!("<pre class=\"failure\">{}</pre>\n", escaped(&describe(failure))));
        }
        Outcome::Skipped => push(page, format_args!("<p>Skipped: {NO_FOLDER}.</p>\n")),
        Outcome::Passed => {}
    }
    let rows = match &scenario.rows {
        Some(rows) => format!("{} to {}, the others are not compared", rows.start, rows.end - 1),
        None => "all".to_owned(),
    };
    push(
        page,
        format_args!(
            "<dl>\n<dt>Reference</dt><dd><code>{}</code></dd>\n<dt>Provenance</dt><dd>{}</dd>\n\
             <dt>Rows</dt><dd>{rows}</dd>\n</dl>\n",
            escaped(&name_of(&scenario.reference)),
            escaped(&scenario.provenance)
        ),
    );
    if let Some(compared) = &record.comparison {
        push_provenance_of_file(page, compared);
        push_columns(page, compared);
        for outcome in &compared.comparison.columns {
            let svg = plots::of_column(compared, outcome)?;
            push(
                page,
                format_args!("<figure>\n<figcaption>{}</figcaption>\n{svg}</figure>\n", caption(outcome)),
            );
        }
    }
    page.push_str("</details>\n");
    Ok(())
}

fn push_provenance_of_file(page: &mut String, compared: &Compared) {
    if !compared.reference.provenance.is_empty() {
        let lines = escaped(&compared.reference.provenance.join("\n"));
        push(page, format_args!("<pre>{lines}</pre>\n"));
    }
}

fn push_columns(page: &mut String, compared: &Compared) {
    page.push_str(
        "<table>\n<thead><tr><th>column</th><th>compared with</th><th class=\"number\">max difference</th>\
         <th class=\"number\">in row</th><th class=\"number\">allowed there</th>\
         <th class=\"number\">of its tolerance</th><th class=\"number\">absolute</th><th class=\"number\">relative</th>\
         <th>",
    );
    let has_reasons = compared.comparison.columns.iter().any(|outcome| !outcome.reason.is_empty());
    page.push_str(if has_reasons { "reason" } else { "" });
    page.push_str("</th></tr></thead>\n<tbody>\n");
    for outcome in &compared.comparison.columns {
        let class = if outcome.max_ratio > 1.0 { " class=\"off\"" } else { "" };
        push(
            page,
            format_args!(
                "<tr{class}><td><code>{}</code></td><td><code>{}</code></td><td class=\"number\">{}</td>\
                 <td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>\
                 <td class=\"number\">{}</td><td class=\"number\">{}</td><td>{}</td></tr>\n",
                escaped(&outcome.name),
                escaped(&outcome.reference_column),
                number(outcome.max_difference),
                outcome.row,
                number(outcome.allowed),
                share(outcome.max_ratio),
                number(outcome.tolerance.absolute),
                number(outcome.tolerance.relative),
                escaped(&outcome.reason)
            ),
        );
    }
    page.push_str("</tbody>\n</table>\n");
}

fn caption(outcome: &ColumnOutcome) -> String {
    let name = escaped(&outcome.name);
    let unreasoned = outcome.tolerance.absolute.max(outcome.tolerance.relative) <= manifest::WITHOUT_REASON;
    let reason = if unreasoned || outcome.reason.is_empty() {
        String::new()
    } else {
        format!(" · {}", escaped(&outcome.reason))
    };
    let off = if outcome.max_ratio > 1.0 { " · <span class=\"failed\">off</span>" } else { "" };
    format!("<code>{name}</code>{off}{reason}")
}

fn badge(record: &Record) -> String {
    let class = match record.outcome {
        Outcome::Passed => "passed",
        Outcome::Failed(_) => "failed",
        Outcome::Skipped => "skipped",
    };
    let verdict = escaped(&record.verdict().to_lowercase());
    format!("<span class=\"badge {class}\">{verdict}</span>")
}

fn number(value: f64) -> String {
    if value == 0.0 { "0".to_owned() } else { format!("{value:.1e}") }
}

/// Returns a ratio in per cent, or as a multiple if it is large.
fn share(ratio: f64) -> String {
    match ratio {
        0.0 => "0".to_owned(),
        small if small < 1e-3 => "&lt; 0.1 %".to_owned(),
        usual if usual < 100.0 => format!("{:.1} %", 100.0 * usual),
        large => format!("{large:.1e} times"),
    }
}

pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

pub(crate) fn push(page: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = page.write_fmt(text);
}
