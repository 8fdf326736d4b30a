//! Computation of the points of a parameter study, one at a time.

use std::convert::Infallible;

use super::{InterruptedPoint, KeptRows, ParameterStudy, PointError};
use crate::document::DocumentError;
use crate::model::{AnyModel, Unconverged};

/// End of the run of a study point.
#[derive(Clone, Debug)]
pub enum PointEnd {
    /// The run reached its end. The rows are those that the study keeps.
    Finished(Vec<Vec<f64>>),
    /// The run was interrupted.
    Interrupted(Box<InterruptedPoint>),
}

/// Runner that computes points of a parameter study, one at a time.
///
/// For points that differ only in parameters, the file is read once: the runner sets the parameters in the
/// parsed file and builds the model from it. The file is read again if another value differs, such as
/// `simulation.step`. It is also read again for models of kind `sweeping` or `dvi`, because their parameters
/// are constants. The rows of a point are identical bit for bit, whichever points were run before it.
///
/// Created by [`ParameterStudy::worker`].
#[derive(Debug)]
pub struct PointRunner<'s> {
    sweep: &'s ParameterStudy,
    /// Model of the point that was run last, and the varied values of this point.
    last: Option<(AnyModel, Vec<f64>)>,
}

impl<'s> PointRunner<'s> {
    pub(super) fn new(sweep: &'s ParameterStudy) -> Self {
        Self { sweep, last: None }
    }

    /// Runs a study point to its end and returns the rows that the study keeps. Each row starts with the
    /// values of the varied quantities at this point.
    ///
    /// # Errors
    ///
    /// If the point has no result, see [`PointError`].
    pub fn run(&mut self, point: usize) -> Result<Vec<Vec<f64>>, PointError> {
        match self.run_while(point, None, || true)? {
            PointEnd::Finished(rows) => Ok(rows),
            PointEnd::Interrupted(unfinished) => Ok(unfinished.rows),
        }
    }

    /// Runs a study point like [`run`](Self::run), from its start or from the state in which it was
    /// interrupted. `continues` is called after each step. If it returns `false`, the run is interrupted.
    ///
    /// # Errors
    ///
    /// If the point has no result, or if the interrupted run belongs to another model
    /// ([`PointError::Resume`]).
    pub fn run_while(
        &mut self,
        point: usize,
        interrupted: Option<InterruptedPoint>,
        mut continues: impl FnMut() -> bool,
    ) -> Result<PointEnd, PointError> {
        let values = self.sweep.values(point);
        let mut run = self.model(&values)?.run(None)?;
        self.sweep.check_columns(&run)?;
        let mut rows: Vec<Vec<f64>> = Vec::new();
        if let Some(interrupted) = interrupted {
            run.resume(&interrupted.state, &interrupted.recorded)?;
            rows = interrupted.rows;
        }
        loop {
            let rows_before = rows.len();
            let more = run.advance(|row| {
                rows.push([&values[..], row].concat());
                Ok::<(), Infallible>(())
            });
            if let Some(Unconverged { steps, .. }) = run.unconverged() {
                rows[rows_before..].iter_mut().for_each(|row| row.push(steps as f64));
            }
            if self.sweep.rows == KeptRows::Last && rows.len() > 1 {
                rows.drain(..rows.len() - 1);
            }
            if !more.map_err(PointError::Run)? {
                return Ok(PointEnd::Finished(rows));
            }
            if !continues() {
                let (state, recorded) = run.record().map_err(PointError::Record)?;
                if self.sweep.rows == KeptRows::All {
                    // The resumed run passes the rows after the recorded state again.
                    rows.truncate(recorded.rows as usize);
                }
                return Ok(PointEnd::Interrupted(Box::new(InterruptedPoint { state, recorded, rows })));
            }
        }
    }

    /// Returns the model with these varied values.
    fn model(&mut self, values: &[f64]) -> Result<&AnyModel, DocumentError> {
        let last = self.last.take().and_then(|(model, present)| self.set(model, present, values));
        let last = match last {
            Some(last) => last,
            None => (self.sweep.model(values)?, values.to_vec()),
        };
        Ok(&self.last.insert(last).0)
    }

    /// Changes the model of the point that was run last to the model with `values`. Returns `None` if the
    /// file must be read again.
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
