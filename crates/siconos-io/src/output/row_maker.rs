//! Computation of the rows of a table of results.

use siconos_expression::Tape;
use siconos_kernel::ModelError;

use super::Window;
use crate::snapshot::Recorded;

/// Names and units of the columns of a table.
#[derive(Clone, Debug)]
pub(super) struct TableHead {
    pub(super) names: Vec<String>,
    /// Unit of each column; empty for a column without a unit.
    pub(super) units: Vec<String>,
}

/// Computation of rows, with the sums and the number of rows so far.
#[derive(Debug)]
pub(crate) struct RowMaker {
    head: TableHead,
    pub(crate) tape: Tape,
    is_sum: Vec<bool>,
    row: Vec<f64>,
    recorded: Recorded,
    window: Window,
}

impl RowMaker {
    /// Creates the computation of rows with these columns. `is_sum` has an entry for each column.
    pub(super) fn new(head: TableHead, tape: Tape, is_sum: Vec<bool>, window: Window) -> Self {
        let zeros = vec![0.0; is_sum.len()];
        let recorded = Recorded { sums: zeros.clone(), t: f64::NAN, ..Recorded::default() };
        Self { head, tape, is_sum, row: zeros, recorded, window }
    }

    /// Returns the names of the columns; the first column is the time `t`.
    pub(crate) fn names(&self) -> &[String] {
        &self.head.names
    }

    /// Returns the unit of each column; empty for a column without a unit.
    pub(crate) fn units(&self) -> &[String] {
        &self.head.units
    }

    /// Returns the time of the last instant \[s\]; NaN before the first one.
    pub(crate) fn last_time(&self) -> f64 {
        self.recorded.t
    }

    /// Computes the row just before an event. The values of `slots` are the argument slots of the columns.
    /// Its values are not added to the sums. Returns `None` if the row is outside the window or skipped by
    /// `every`.
    pub(crate) fn row_before(&mut self, t: f64, slots: &[&[f64]]) -> Option<&[f64]> {
        self.tape.evaluate(slots, &mut self.row);
        self.write_sums();
        if self.window.contains(t) { self.kept() } else { None }
    }

    /// Ends an instant, which is the start, a step or an event. Adds the values of the instant to the sums
    /// and returns its row. Returns `None` if `is_written` is `false`, or if the row is outside the window or
    /// skipped by `every`. Instants outside the window do not change the sums.
    pub(crate) fn end_instant(&mut self, t: f64, slots: &[&[f64]], is_written: bool) -> Option<&[f64]> {
        self.recorded.t = t;
        if !is_written && !self.has_sums() {
            return None;
        }
        // The last row is reported at the end of a run, so it is computed even if it is not written.
        self.tape.evaluate(slots, &mut self.row);
        let is_inside = self.window.contains(t);
        if is_inside {
            for ((value, sum), is_sum) in self.row.iter().zip(&mut self.recorded.sums).zip(&self.is_sum) {
                *sum += if *is_sum { *value } else { 0.0 };
            }
        }
        self.write_sums();
        if is_written && is_inside { self.kept() } else { None }
    }

    /// Computes the values of the columns at a point between two instants. Sums are as after the last
    /// instant.
    pub(crate) fn between(&mut self, slots: &[&[f64]]) -> &[f64] {
        self.tape.evaluate(slots, &mut self.row);
        self.write_sums();
        &self.row
    }

    /// Returns `true` if a row at the time `t` \[s\] can be written.
    pub(crate) fn is_inside(&self, t: f64) -> bool {
        self.window.contains(t)
    }

    /// Replaces the values of the row in columns that are sums by the sums.
    fn write_sums(&mut self) {
        for ((value, sum), is_sum) in self.row.iter_mut().zip(&self.recorded.sums).zip(&self.is_sum) {
            if *is_sum {
                *value = *sum;
            }
        }
    }

    /// Counts the computed row. Returns the row unless it is skipped by `every`.
    fn kept(&mut self) -> Option<&[f64]> {
        let recorded = &mut self.recorded;
        let is_kept = recorded.candidates.is_multiple_of(self.window.every);
        // A modified snapshot can contain any counter, so the additions saturate.
        recorded.candidates = recorded.candidates.saturating_add(1);
        recorded.rows = recorded.rows.saturating_add(u64::from(is_kept));
        is_kept.then_some(&self.row)
    }

    /// Returns the progress of the outputs.
    pub(crate) fn recorded(&self, is_begun: bool) -> Recorded {
        Recorded { is_begun, ..self.recorded.clone() }
    }

    /// Returns `true` if a column is a sum.
    fn has_sums(&self) -> bool {
        self.is_sum.contains(&true)
    }

    /// Returns the number of rows so far.
    pub(crate) fn count(&self) -> u64 {
        self.recorded.rows
    }

    /// Returns the row that was computed last.
    pub(crate) fn last_row(&self) -> &[f64] {
        &self.row
    }

    /// Restores the recorded progress.
    pub(crate) fn resume(&mut self, recorded: &Recorded) -> Result<(), ModelError> {
        if recorded.is_begun || !recorded.sums.is_empty() {
            let (recorded, found) = (recorded.sums.len(), self.row.len());
            if recorded != found {
                return Err(ModelError::RecordCountMismatch { what: "columns", recorded, found });
            }
        }
        recorded.check_rows(self.window.every)?;
        let sums = std::mem::take(&mut self.recorded.sums);
        self.recorded = recorded.clone();
        if self.recorded.sums.is_empty() {
            self.recorded.sums = sums;
            self.recorded.sums.fill(0.0);
        }
        Ok(())
    }
}
