//! Table of problems and methods, and the rules that no cell may violate.
//!
//! A cell violates a rule if
//! - the method reports a point as converged whose recomputed error exceeds the tolerance;
//! - it reports that no solution exists although there is one, or finds one although a proof excludes it;
//! - it fails within its guarantee;
//! - it is the default method and does not find the solution of a reference file.

use std::time::Instant;

use serde::Serialize;
use siconos_numerics::{SolveInfo, SolverError, Status};

/// Origin of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Origin {
    File,
    Drawn,
}

/// Existence of solutions, as known before any method runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Solutions {
    Exist,
    DoNotExist,
    /// Unknown; a method that finds a solution proves that there is one.
    Unknown,
}

/// One problem.
pub(crate) struct Case<P> {
    pub(crate) name: String,
    pub(crate) size: usize,
    pub(crate) origin: Origin,
    pub(crate) solutions: Solutions,
    /// Reason why the default method may fail to find a solution, if it may.
    pub(crate) excuse: Option<&'static str>,
    pub(crate) problem: P,
}

/// Errors of a point, computed without the crate under test.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Point {
    /// Error of the class.
    pub(crate) error: f64,
    /// Largest violation of a row, relative to its terms.
    pub(crate) backward: f64,
}

/// Solves from the given point and overwrites it with the last point.
pub(crate) type Solve<P> = dyn FnMut(&P, &mut [f64]) -> Result<SolveInfo, SolverError>;

/// Method in the survey.
pub(crate) struct Asked<P> {
    pub(crate) name: &'static str,
    /// `true` for the default method.
    pub(crate) is_default: bool,
    /// Returns the error at which a point counts as a solution.
    pub(crate) tolerance: Box<dyn Fn(&P) -> f64>,
    /// Returns `true` if the problem is too large for the method.
    pub(crate) leaves_out: Box<dyn Fn(&P) -> bool>,
    /// Returns `true` if the method is known to solve the problem, provided that there is a solution.
    pub(crate) promises: Box<dyn Fn(&P) -> bool>,
    pub(crate) solve: Box<Solve<P>>,
    pub(crate) measure: fn(&P, &[f64]) -> Point,
}

/// Result of one method on one problem.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Verdict {
    /// The solver ended with this status.
    Ended(Status),
    /// The solver does not support the problem.
    Refused(String),
    /// The problem is too large for the method, which was not run.
    LeftOut,
}

/// Cell of the table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Cell {
    pub(crate) method: &'static str,
    pub(crate) verdict: Verdict,
    pub(crate) iterations: usize,
    /// Error recomputed from the returned point; NaN (`null` in JSON) without a point.
    pub(crate) error: f64,
    pub(crate) seconds: f64,
    /// Reason why the cell is not a success.
    pub(crate) reason: Option<String>,
    /// Violated rule.
    pub(crate) offence: Option<&'static str>,
}

impl Cell {
    pub(crate) fn is_success(&self) -> bool {
        matches!(self.verdict, Verdict::Ended(status) if status.is_success())
    }
}

/// Row of the table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Row {
    pub(crate) problem: String,
    pub(crate) size: usize,
    pub(crate) origin: Origin,
    pub(crate) solutions: Solutions,
    /// Reason why the default method may fail to find a solution, if it may.
    pub(crate) excuse: Option<&'static str>,
    pub(crate) cells: Vec<Cell>,
}

/// Table of one class.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Survey {
    pub(crate) methods: Vec<&'static str>,
    /// `true` if the reference files were present.
    pub(crate) has_files: bool,
    pub(crate) rows: Vec<Row>,
    /// Files that could not be read.
    pub(crate) unreadable: Vec<String>,
}

impl Survey {
    /// Runs every method on every problem.
    pub(crate) fn of<P>(cases: &[Case<P>], mut methods: Vec<Asked<P>>, files: Option<Vec<String>>) -> Self {
        let rows = cases.iter().map(|case| {
            let cells = methods.iter_mut().map(|method| measured(case, method)).collect();
            let mut row = Row {
                problem: case.name.clone(),
                size: case.size,
                origin: case.origin,
                solutions: case.solutions,
                excuse: case.excuse,
                cells,
            };
            let kept: Vec<bool> = methods.iter().map(|method| (method.promises)(&case.problem)).collect();
            judge(&mut row, &methods, &kept);
            row
        });
        let rows = rows.collect();
        Self {
            methods: methods.iter().map(|method| method.name).collect(),
            has_files: files.is_some(),
            rows,
            unreadable: files.unwrap_or_default(),
        }
    }

    /// Returns all violations and unreadable files, one line each.
    pub(crate) fn offences(&self) -> Vec<String> {
        let cells = self.rows.iter().flat_map(|row| row.cells.iter().map(move |cell| (row, cell)));
        let cells = cells.filter_map(|(row, cell)| {
            let offence = cell.offence?;
            let how = match &cell.verdict {
                Verdict::Ended(status) => status.to_string(),
                Verdict::Refused(why) => why.clone(),
                Verdict::LeftOut => "not run".to_owned(),
            };
            let (problem, method, iterations, error) =
                (&row.problem, cell.method, cell.iterations, cell.error);
            Some(format!(
                "{method} on {problem}: {offence} ({how}, {iterations} iterations, error {error:.1e})"
            ))
        });
        self.unreadable.iter().cloned().chain(cells).collect()
    }
}

/// Time below which a solve is repeated and the shortest time is taken \[s\].
const WORTH_REPEATING: f64 = 1e-3;

fn measured<P>(case: &Case<P>, method: &mut Asked<P>) -> Cell {
    let mut cell = Cell {
        method: method.name,
        verdict: Verdict::LeftOut,
        iterations: 0,
        error: f64::NAN,
        seconds: 0.0,
        reason: None,
        offence: None,
    };
    if (method.leaves_out)(&case.problem) {
        cell.reason = reason(&cell);
        return cell;
    }
    let mut z = Vec::new();
    let mut seconds = f64::INFINITY;
    let mut solved = None;
    for _ in 0..3 {
        z.clear();
        z.resize(case.size, 0.0);
        let begin = Instant::now();
        solved = Some((method.solve)(&case.problem, &mut z));
        seconds = begin.elapsed().as_secs_f64().min(seconds);
        if seconds > WORTH_REPEATING {
            break;
        }
    }
    cell.seconds = seconds;
    match solved {
        Some(Ok(info)) => {
            let point = (method.measure)(&case.problem, &z);
            cell.verdict = Verdict::Ended(info.status);
            cell.iterations = info.iterations;
            cell.error = point.error;
            let as_good_as_rounding = 8.0 * f64::EPSILON * case.size.max(1) as f64;
            let is_solution = match info.status {
                Status::AtRoundingLevel => point.backward <= as_good_as_rounding,
                _ => point.error <= (method.tolerance)(&case.problem),
            };
            // Negated, so that a NaN is a violation.
            if info.status.is_success() && !is_solution {
                cell.offence = Some("it reports convergence at a point that is not a solution");
            }
        }
        Some(Err(error)) => cell.verdict = Verdict::Refused(error.to_string()),
        None => {}
    }
    cell.reason = reason(&cell);
    cell
}

/// Returns the reason why a cell is not a success.
fn reason(cell: &Cell) -> Option<String> {
    let (iterations, error) = (cell.iterations, cell.error);
    match &cell.verdict {
        Verdict::Ended(status) if status.is_success() => None,
        Verdict::Ended(Status::MaxIterations) => {
            Some(format!("out of iterations after {iterations}, at error {error:.1e}"))
        }
        Verdict::Ended(status) => {
            Some(format!("{status} after {iterations} iterations, at error {error:.1e}"))
        }
        Verdict::Refused(why) => Some(format!("refused: {why}")),
        Verdict::LeftOut => Some("not run: it would take minutes".to_owned()),
    }
}

/// Applies the rules that depend on the results of other methods.
fn judge<P>(row: &mut Row, methods: &[Asked<P>], promised: &[bool]) {
    let found = row.cells.iter().any(|cell| cell.is_success() && cell.offence.is_none());
    if row.solutions == Solutions::Unknown && found {
        row.solutions = Solutions::Exist;
    }
    for ((cell, method), promised) in row.cells.iter_mut().zip(methods).zip(promised) {
        let says_none = cell.verdict == Verdict::Ended(Status::NoSolution);
        let offence = match row.solutions {
            _ if cell.offence.is_some() => cell.offence,
            Solutions::Exist if says_none => Some("it reports that there is no solution, but there is one"),
            Solutions::Exist if cell.is_success() || cell.verdict == Verdict::LeftOut => None,
            Solutions::Exist if *promised => Some("it fails inside its guarantee"),
            Solutions::Exist if method.is_default && row.origin == Origin::File && row.excuse.is_none() => {
                Some("the default method misses a solution")
            }
            Solutions::DoNotExist if cell.is_success() => Some("it finds a solution where there is none"),
            _ => None,
        };
        cell.offence = offence;
    }
}

#[cfg(test)]
#[path = "survey_tests.rs"]
mod tests;
