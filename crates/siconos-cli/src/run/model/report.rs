//! What a run came to, as text.

use std::io::{self, Write};

use super::{End, Run};

/// More columns than these are left to the file.
const MOST_COLUMNS: usize = 20;

/// Writes how far the run came, why not further, and the columns at the end.
pub(crate) fn write(writer: &mut dyn Write, run: &Run) -> io::Result<()> {
    if let Some(title) = &run.title {
        writeln!(writer, "model       {title}")?;
    }
    writeln!(writer, "reached     t = {:?}", run.t)?;
    writeln!(writer, "steps       {} of {}", run.steps.0, run.steps.1)?;
    if let Some(output) = &run.output {
        writeln!(writer, "rows        {} in {output}", run.rows)?;
    }
    if let End::Interrupted(command) = &run.end {
        writeln!(writer, "interrupted go on with\n  {command}")?;
    }
    writeln!(writer, "\n{:>16}  {:>24}", "column", "last value")?;
    for (name, value) in run.columns.iter().take(MOST_COLUMNS) {
        writeln!(writer, "{name:>16}  {value:>24?}")?;
    }
    match run.columns.len().saturating_sub(MOST_COLUMNS) {
        0 => Ok(()),
        left => writeln!(writer, "{:>16}  {left} more; --output has them all", ".."),
    }
}
