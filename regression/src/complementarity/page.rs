//! Table of a class in the HTML report.

use super::survey::{Cell, Solutions, Verdict};
use super::text::{short, size_of, time, word};
use super::{Outcome, Survey};
use crate::html::{escaped, push};

/// Appends the section of one class.
pub(crate) fn push_survey(page: &mut String, outcome: &Outcome, unfolded: bool) {
    let (name, open) = (escaped(outcome.name), if unfolded { " open" } else { "" });
    let verdict = outcome.verdict().to_lowercase();
    push(
        page,
        format_args!(
            "<details{open}>\n<summary><h2>{name}</h2><span class=\"badge {verdict}\">{verdict}</span></summary>\n\
             <p id=\"{name}\">{}</p>\n",
            escaped(outcome.description)
        ),
    );
    if outcome.has_failed() {
        let lines = escaped(&outcome.offences.join("\n"));
        push(page, format_args!("<pre class=\"failure\">{lines}</pre>\n"));
    }
    if let Some(survey) = &outcome.survey {
        push_table(page, survey);
    }
    page.push_str("</details>\n");
}

fn push_table(page: &mut String, survey: &Survey) {
    page.push_str("<div class=\"wide\"><table>\n<thead><tr><th>problem</th><th class=\"number\">n</th>");
    for method in &survey.methods {
        push(page, format_args!("<th>{}</th>", escaped(method)));
    }
    page.push_str("</tr></thead>\n<tbody>\n");
    for row in &survey.rows {
        let mark = match row.solutions {
            Solutions::Exist => "",
            Solutions::DoNotExist => " (no solution)",
            Solutions::Unknown => " (solvable?)",
        };
        push(
            page,
            format_args!(
                "<tr><td>{}{mark}</td><td class=\"number\">{}</td>",
                escaped(&row.problem),
                row.size
            ),
        );
        row.cells.iter().for_each(|cell| push_cell(page, cell));
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody>\n</table></div>\n");
}

fn push_cell(page: &mut String, cell: &Cell) {
    let class = match &cell.verdict {
        _ if cell.offence.is_some() => "failed",
        _ if cell.is_success() => "passed",
        _ => "skipped",
    };
    let (inside, more) = match &cell.verdict {
        Verdict::Ended(status) => (
            format!("{} {} {}", word(*status), size_of(cell.error), time(cell.seconds)),
            cell.reason.clone().unwrap_or_else(|| format!("{status}, {} iterations", cell.iterations)),
        ),
        Verdict::Refused(_) | Verdict::LeftOut => (short(cell), cell.reason.clone().unwrap_or_default()),
    };
    let more = cell.offence.map_or(more.clone(), |offence| format!("{offence}; {more}"));
    push(
        page,
        format_args!(
            "<td title=\"{}\"><span class=\"{class}\">{}</span></td>",
            escaped(&more),
            escaped(&inside)
        ),
    );
}
