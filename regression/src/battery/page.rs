//! Tables of a battery in the HTML report.

use super::Outcome;
use super::tally::OfFamily;
use super::text::{line, share, short};
use crate::html::{escaped, push};

/// Appends the section of one battery.
pub(crate) fn push_battery(page: &mut String, outcome: &Outcome, unfolded: bool) {
    let (name, open) = (escaped(outcome.name), if unfolded { " open" } else { "" });
    let verdict = outcome.verdict().to_lowercase();
    push(
        page,
        format_args!(
            "<details{open}>\n<summary><h2>{name}</h2><span class=\"badge {verdict}\">{verdict}</span></summary>\n\
             <p id=\"{name}\">{} {} problems. Solved by the default method / all problems (proven, if there is no \
             solution):</p>\n",
            escaped(outcome.description),
            outcome.tally.problems
        ),
    );
    if outcome.has_failed() {
        let lines = escaped(&outcome.offences.join("\n"));
        push(page, format_args!("<pre class=\"failure\">{lines}</pre>\n"));
    }
    push_families(page, outcome.tally.methods.first().map_or(&[][..], |of| &of.families));
    page.push_str("<ul>\n");
    for method in &outcome.tally.methods {
        push(page, format_args!("<li>{}</li>\n", escaped(&line(method))));
    }
    page.push_str("</ul>\n</details>\n");
}

fn push_families(page: &mut String, families: &[OfFamily]) {
    page.push_str("<div class=\"wide\"><table>\n<thead><tr><th>kind</th>");
    for family in families.chunk_by(|a, b| a.kind == b.kind).next().unwrap_or_default() {
        push(page, format_args!("<th class=\"number\">mu {}</th>", short(family.mu)));
    }
    page.push_str("</tr></thead>\n<tbody>\n");
    for of_kind in families.chunk_by(|a, b| a.kind == b.kind) {
        push(page, format_args!("<tr><td>{}</td>", escaped(of_kind[0].kind)));
        for family in of_kind {
            push(page, format_args!("<td class=\"number\">{}</td>", share(family)));
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody>\n</table></div>\n");
}
