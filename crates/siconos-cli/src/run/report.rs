//! What a run came to, as text.

use std::io::{self, Write};

use super::{End, Fired, Run};

/// More columns than these are left to the file.
const MOST_COLUMNS: usize = 20;

/// Writes how far the run came, why not further, the events that fired, and the columns at the end.
pub(crate) fn write(writer: &mut dyn Write, run: &Run) -> io::Result<()> {
    if let Some(title) = &run.title {
        writeln!(writer, "model       {title}")?;
    }
    writeln!(writer, "reached     t = {:?}", run.t)?;
    if let Some((word, why)) = &run.stopped {
        writeln!(writer, "{word:<11} {why}")?;
    }
    match run.steps {
        (steps, None) => writeln!(writer, "steps       {steps}")?,
        (steps, Some(all)) => writeln!(writer, "steps       {steps} of {all}")?,
    }
    if let Some(output) = &run.output {
        writeln!(writer, "rows        {} in {output}", run.rows)?;
    }
    if let End::Interrupted(command) = &run.end {
        writeln!(writer, "interrupted go on with\n  {command}")?;
    }
    if let Some(events) = &run.events {
        write_events(writer, events)?;
    }
    writeln!(writer, "\n{:>16}  {:>24}", "column", "last value")?;
    for (name, value) in run.columns.iter().take(MOST_COLUMNS) {
        writeln!(writer, "{name:>16}  {value:>24}")?;
    }
    match run.columns.len().saturating_sub(MOST_COLUMNS) {
        0 => Ok(()),
        left => writeln!(writer, "{:>16}  {left} more; --output has them all", ".."),
    }
}

fn write_events(writer: &mut dyn Write, events: &[Fired]) -> io::Result<()> {
    if events.is_empty() {
        return writeln!(writer, "events      none has fired");
    }
    writeln!(writer, "\n{:>6}  {:>6}  {:>24}  trigger", "event", "fired", "last at t")?;
    for Fired { event, trigger, count, last } in events {
        // A trigger may go over several lines.
        let trigger = trigger.split_whitespace().collect::<Vec<_>>().join(" ");
        writeln!(writer, "{event:>6}  {count:>6}  {last:>24?}  {trigger}")?;
    }
    Ok(())
}
