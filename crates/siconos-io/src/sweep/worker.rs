//! The points of a sweep, one after the other.

use std::convert::Infallible;

use super::{PointError, Rows, Sweep};
use crate::document::DocumentError;
use crate::model::{AnyModel, Unconverged};

/// Runs points of a sweep, one after the other.
///
/// A file is read once for all points that differ in parameters alone: these are set in what has been read,
/// and the model is built of that. Where other values differ (`simulation.step`), and for models of the kinds
/// `sweeping` and `dvi`, whose parameters are constants, the file is read anew. The rows of a point are the
/// same to the last bit, whatever was run before it.
///
/// Made by [`Sweep::worker`].
#[derive(Debug)]
pub struct Worker<'s> {
    sweep: &'s Sweep,
    /// The model of the last point, and its values.
    last: Option<(AnyModel, Vec<f64>)>,
}

impl<'s> Worker<'s> {
    pub(super) fn new(sweep: &'s Sweep) -> Self {
        Self { sweep, last: None }
    }

    /// Runs a point to its end: the rows that the sweep keeps, each with the values of the point in front.
    ///
    /// # Errors
    ///
    /// [`PointError`].
    pub fn run(&mut self, point: usize) -> Result<Vec<Vec<f64>>, PointError> {
        let values = self.sweep.values(point);
        let mut run = self.model(&values)?.run(None)?;
        self.sweep.check_columns(&run)?;
        let mut rows: Vec<Vec<f64>> = Vec::new();
        loop {
            let rows_before = rows.len();
            let more = run.advance(|row| {
                rows.push([&values[..], row].concat());
                Ok::<(), Infallible>(())
            });
            if let Some(Unconverged { steps, .. }) = run.unconverged() {
                rows[rows_before..].iter_mut().for_each(|row| row.push(steps as f64));
            }
            if self.sweep.rows == Rows::Last && rows.len() > 1 {
                rows.drain(..rows.len() - 1);
            }
            if !more.map_err(PointError::Run)? {
                return Ok(rows);
            }
        }
    }

    /// The model with these values.
    fn model(&mut self, values: &[f64]) -> Result<&AnyModel, DocumentError> {
        let last = self.last.take().and_then(|(model, present)| self.set(model, present, values));
        let last = match last {
            Some(last) => last,
            None => (self.sweep.model(values)?, values.to_vec()),
        };
        Ok(&self.last.insert(last).0)
    }

    /// The model of another point with these values; nothing where the file has to be read for them.
    fn set(
        &self,
        mut model: AnyModel,
        mut present: Vec<f64>,
        values: &[f64],
    ) -> Option<(AnyModel, Vec<f64>)> {
        for ((vary, value), present) in self.sweep.vary.iter().zip(values).zip(&mut present) {
            if value.to_bits() != present.to_bits() && !model.set_at(&vary.path, *value) {
                return None;
            }
            *present = *value;
        }
        Some((model, present))
    }
}
