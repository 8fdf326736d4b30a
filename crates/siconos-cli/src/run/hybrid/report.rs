//! What a run came to, as text.

use std::io::{self, Write};

use siconos_kernel::hybrid::Answer;

use super::{Firings, Run};

/// More variables than these are left to the file.
const MOST_VARIABLES: usize = 20;

/// Writes how far the solution came, why not further, the events that fired, and the variables at the end.
pub(crate) fn write(writer: &mut dyn Write, run: &Run) -> io::Result<()> {
    if let Some(title) = &run.title {
        writeln!(writer, "model       {title}")?;
    }
    writeln!(writer, "reached     t = {:?}", run.t)?;
    match &run.answer {
        Some(Answer::Reached) | None => (),
        Some(Answer::Halted { .. }) => writeln!(writer, "halted      {}", shown(run))?,
        Some(_) => writeln!(writer, "ended       {}", shown(run))?,
    }
    writeln!(writer, "steps       {}", run.steps)?;
    write_firings(writer, &run.firings)?;
    write_variables(writer, &run.variables)
}

fn shown(run: &Run) -> String {
    run.answer.as_ref().map_or_else(String::new, ToString::to_string)
}

fn write_firings(writer: &mut dyn Write, firings: &[Firings]) -> io::Result<()> {
    if firings.is_empty() {
        return writeln!(writer, "events      none has fired");
    }
    writeln!(writer, "\n{:>6}  {:>6}  {:>24}  trigger", "event", "fired", "last at t")?;
    for Firings { event, trigger, count, last } in firings {
        // A trigger may go over several lines.
        let trigger = trigger.split_whitespace().collect::<Vec<_>>().join(" ");
        writeln!(writer, "{event:>6}  {count:>6}  {last:>24?}  {trigger}")?;
    }
    Ok(())
}

fn write_variables(writer: &mut dyn Write, variables: &[(String, String)]) -> io::Result<()> {
    writeln!(writer, "\n{:>16}  {:>24}", "variable", "at the end")?;
    for (name, value) in variables.iter().take(MOST_VARIABLES) {
        writeln!(writer, "{name:>16}  {value:>24}")?;
    }
    match variables.len().saturating_sub(MOST_VARIABLES) {
        0 => Ok(()),
        left => writeln!(writer, "{:>16}  {left} more; --output has them all", ".."),
    }
}
