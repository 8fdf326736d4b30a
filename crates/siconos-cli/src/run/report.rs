//! Output of a run, for people and programs.

use serde_json::{Value, json};

use super::{End, Fired, Run};
use crate::answer::{Answer, number};

/// Maximum number of columns in the text output.
const MOST_COLUMNS: usize = 20;

/// Reports the time reached, the reason for an early end, the events that fired, and the last values of the
/// columns.
pub(super) fn answer(run: &Run) -> Answer {
    let mut answer = Answer::new("run");
    if let Some(title) = &run.title {
        answer.add("model", title, title.as_str());
    }
    answer.add("reached", format!("t = {:?}", run.t), number(run.t));
    if let Some((word, why)) = &run.stopped {
        answer.add(word, why, why.as_str());
    }
    let (steps, all) = run.steps;
    let of = all.map_or_else(String::new, |all| format!(" of {all}"));
    answer.add("steps", format!("{steps}{of}"), json!({ "done": steps, "of": all }));
    answer.add_unconverged(run.unconverged);
    if let Some(output) = &run.output {
        let value = json!({ "count": run.rows, "file": output });
        answer.add("rows", format!("{} in {output}", run.rows), value);
    }
    if let Some(picture) = &run.picture {
        answer.add("picture", picture, picture.as_str());
    }
    if let End::Interrupted(command) = &run.end {
        answer.add_for_people("interrupted", "resume with");
        answer.line_for_people(format!("  {command}"));
        answer.add_for_programs("go on with", command.as_str());
    }
    answer.add_for_programs("end", word(&run.end));
    answer.add_for_programs("complaints", run.complaints.clone());
    if let Some(events) = &run.events {
        add_events(&mut answer, events);
    }
    add_columns(&mut answer, run);
    answer
}

fn word(end: &End) -> &'static str {
    match end {
        End::Reached => "reached",
        End::Interrupted(_) => "interrupted",
        End::Failed => "failed",
        End::Unwritten => "unwritten",
    }
}

fn add_events(answer: &mut Answer, events: &[Fired]) {
    let value = |Fired { event, trigger, count, last }: &Fired| json!({ "event": event, "trigger": trigger, "count": count, "last": number(*last) });
    answer.add_for_programs("events", events.iter().map(value).collect::<Vec<_>>());
    if events.is_empty() {
        return answer.add_for_people("events", "none fired");
    }
    answer.line_for_people(format!("\n{:>6}  {:>6}  {:>24}  trigger", "event", "fired", "last at t"));
    for Fired { event, trigger, count, last } in events {
        // A trigger can have several lines.
        let trigger = trigger.split_whitespace().collect::<Vec<_>>().join(" ");
        answer.line_for_people(format!("{event:>6}  {count:>6}  {last:>24?}  {trigger}"));
    }
}

fn add_columns(answer: &mut Answer, run: &Run) {
    let columns = &run.columns;
    let value = |(name, value): &(String, Value)| json!({ "name": name, "last": value });
    answer.add_for_programs("columns", columns.iter().map(value).collect::<Vec<_>>());
    answer.line_for_people(format!("\n{:>16}  {:>24}", "column", "last value"));
    for (name, value) in columns.iter().take(MOST_COLUMNS) {
        let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        answer.line_for_people(format!("{name:>16}  {shown:>24}"));
    }
    if let Some(left @ 1..) = columns.len().checked_sub(MOST_COLUMNS) {
        let place = run
            .output
            .as_ref()
            .map_or("use --output FILE.csv to write all".to_owned(), |file| format!("all are in {file}"));
        answer.line_for_people(format!("{:>16}  {left} more; {place}", ".."));
    }
}
