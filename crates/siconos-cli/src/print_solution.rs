//! Output of a solution, as text or JSON. Other programs rely on the keys of the JSON form.

use std::io::{self, Write};

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use siconos_numerics::{Attempt, Status};

use crate::answer::PROGRAM;
use crate::arguments::Format;
use crate::solve::Solution;
use crate::task::SolutionPoint;
use crate::watchdog::Stopped;

/// Maximum number of unknowns in the text form. The JSON form has all unknowns.
const MOST_ROWS: usize = 20;

/// JSON form of a solution. The keys of the unknowns depend on the class. Non-finite numbers become `null`.
#[derive(Serialize)]
struct Json<'a> {
    /// Version of the format, incremented when the meaning of a field changes.
    format: u32,
    program: &'static str,
    class: &'static str,
    n: usize,
    method: &'static str,
    status: Status,
    /// Reason why the solve was stopped, if it was.
    stopped: Option<&'static str>,
    iterations: usize,
    error: f64,
    siconos_error: f64,
    tolerance: f64,
    seconds: f64,
    #[serde(flatten, serialize_with = "write_point")]
    point: &'a Solution,
    trace: Vec<JsonAttempt>,
}

/// Writes z and w or, for contacts, the reactions and the velocities. In a global formulation, also writes
/// the velocities of the bodies.
fn write_point<S: Serializer>(solution: &&Solution, serializer: S) -> Result<S::Ok, S::Error> {
    let (names, point) = (&solution.names, &solution.point);
    let mut map = serializer.serialize_map(None)?;
    map.serialize_entry(names.z.1, &point.z)?;
    map.serialize_entry(names.w.1, &point.w)?;
    if let Some(v) = &solution.velocities {
        map.serialize_entry("global_velocity", v)?;
    }
    map.end()
}

#[derive(Serialize)]
struct JsonAttempt {
    method: &'static str,
    why: &'static str,
    status: Status,
    iterations: usize,
    error: f64,
    effort: f64,
}

impl From<&Attempt> for JsonAttempt {
    fn from(attempt: &Attempt) -> Self {
        let Attempt { method, why, info, effort } = *attempt;
        Self { method, why, status: info.status, iterations: info.iterations, error: info.error, effort }
    }
}

pub(crate) fn write(writer: &mut dyn Write, solution: &Solution, format: Format) -> io::Result<()> {
    match format {
        Format::Json => {
            let json = Json {
                format: 1,
                program: PROGRAM,
                class: solution.class.name(),
                n: solution.point.w.len(),
                method: solution.method,
                status: solution.status,
                stopped: solution.stopped.map(Stopped::words),
                iterations: solution.iterations,
                error: solution.errors.ours,
                siconos_error: solution.errors.of_siconos,
                tolerance: solution.tolerance,
                seconds: solution.time.as_secs_f64(),
                point: solution,
                trace: solution.trace.iter().map(JsonAttempt::from).collect(),
            };
            serde_json::to_writer(&mut *writer, &json)?;
            writeln!(writer)
        }
        Format::Text => write_text(writer, solution),
    }
}

fn write_text(writer: &mut dyn Write, solution: &Solution) -> io::Result<()> {
    let SolutionPoint { z, w } = &solution.point;
    writeln!(writer, "class       {}, n = {}", solution.class, z.len())?;
    writeln!(writer, "method      {}", solution.method)?;
    match solution.stopped {
        Some(stopped) => writeln!(writer, "status      {}: {}", stopped.words(), solution.status)?,
        None => writeln!(writer, "status      {}", solution.status)?,
    }
    writeln!(writer, "iterations  {}", solution.iterations)?;
    let relation = if solution.is_within() { "within" } else { "NOT within" };
    writeln!(
        writer,
        "error       {:.3e}, {relation} the tolerance {:e}",
        solution.errors.ours, solution.tolerance
    )?;
    writeln!(writer, "            {:.3e} as defined by Siconos", solution.errors.of_siconos)?;
    writeln!(writer, "time        {:.3e} s", solution.time.as_secs_f64())?;
    for (index, attempt) in solution.trace.iter().enumerate() {
        let title = if index == 0 { "tried" } else { "" };
        let Attempt { method, why, info, effort } = attempt;
        writeln!(
            writer,
            "{title:10}  {method} ({why}): {}, {} iterations, error {:.3e}, {effort:.1e} operations",
            info.status, info.iterations, info.error
        )?;
    }
    write_columns(writer, &[(solution.names.z.0, z), (solution.names.w.0, w)])?;
    match &solution.velocities {
        Some(v) => write_columns(writer, &[("v", v)]),
        None => Ok(()),
    }
}

/// Writes the first rows of a table whose columns have equal lengths and titles.
fn write_columns(writer: &mut dyn Write, columns: &[(&str, &[f64])]) -> io::Result<()> {
    let rows = columns.first().map_or(0, |(_, column)| column.len());
    if rows == 0 {
        return Ok(());
    }
    write!(writer, "\n{:>6}", "i")?;
    for (title, _) in columns {
        write!(writer, "  {title:>24}")?;
    }
    writeln!(writer)?;
    for i in 0..rows.min(MOST_ROWS) {
        write!(writer, "{i:>6}")?;
        for (_, column) in columns {
            write!(writer, "  {:>24?}", column[i])?;
        }
        writeln!(writer)?;
    }
    match rows.saturating_sub(MOST_ROWS) {
        0 => Ok(()),
        left => writeln!(writer, "    ..  {left} more; use --format json for all"),
    }
}
