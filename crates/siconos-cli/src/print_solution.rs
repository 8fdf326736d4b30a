//! An answer, as text or JSON. The keys of the JSON form are an interface: programs read them.

use std::io::{self, Write};

use serde::Serialize;
use siconos_numerics::{Attempt, Status};

use crate::arguments::Format;
use crate::solve::Solution;

/// More unknowns than these are left to the JSON form.
const MOST_ROWS: usize = 20;

/// The JSON form. A number that is not finite is `null`.
#[derive(Serialize)]
struct Json<'a> {
    class: &'static str,
    n: usize,
    method: &'static str,
    status: Status,
    iterations: usize,
    error: f64,
    tolerance: f64,
    seconds: f64,
    z: &'a [f64],
    w: &'a [f64],
    trace: Vec<JsonAttempt>,
}

#[derive(Serialize)]
struct JsonAttempt {
    method: &'static str,
    why: &'static str,
    status: Status,
    iterations: usize,
    error: f64,
}

impl From<&Attempt> for JsonAttempt {
    fn from(attempt: &Attempt) -> Self {
        let Attempt { method, why, info } = *attempt;
        Self { method, why, status: info.status, iterations: info.iterations, error: info.error }
    }
}

pub(crate) fn write(writer: &mut dyn Write, solution: &Solution, format: Format) -> io::Result<()> {
    match format {
        Format::Json => {
            let json = Json {
                class: solution.class.name(),
                n: solution.z.len(),
                method: solution.method,
                status: solution.status,
                iterations: solution.iterations,
                error: solution.error,
                tolerance: solution.tolerance,
                seconds: solution.time.as_secs_f64(),
                z: &solution.z,
                w: &solution.w,
                trace: solution.trace.iter().map(JsonAttempt::from).collect(),
            };
            serde_json::to_writer(&mut *writer, &json)?;
            writeln!(writer)
        }
        Format::Text => write_text(writer, solution),
    }
}

fn write_text(writer: &mut dyn Write, solution: &Solution) -> io::Result<()> {
    writeln!(writer, "class       {}, n = {}", solution.class, solution.z.len())?;
    writeln!(writer, "method      {}", solution.method)?;
    writeln!(writer, "status      {}", solution.status)?;
    writeln!(writer, "iterations  {}", solution.iterations)?;
    let relation = if solution.is_within() { "within" } else { "NOT within" };
    writeln!(
        writer,
        "error       {:.3e}, {relation} the tolerance {:e}",
        solution.error, solution.tolerance
    )?;
    writeln!(writer, "time        {:.3e} s", solution.time.as_secs_f64())?;
    for (index, attempt) in solution.trace.iter().enumerate() {
        let title = if index == 0 { "tried" } else { "" };
        let Attempt { method, why, info } = attempt;
        writeln!(
            writer,
            "{title:10}  {method} ({why}): {}, {} iterations, error {:.3e}",
            info.status, info.iterations, info.error
        )?;
    }
    if !solution.z.is_empty() {
        writeln!(writer, "\n{:>6}  {:>24}  {:>24}", "i", "z", "w")?;
    }
    for (i, (z, w)) in solution.z.iter().zip(&solution.w).take(MOST_ROWS).enumerate() {
        writeln!(writer, "{i:>6}  {z:>24?}  {w:>24?}")?;
    }
    match solution.z.len().saturating_sub(MOST_ROWS) {
        0 => Ok(()),
        left => writeln!(writer, "    ..  {left} more; --format json has them all"),
    }
}
