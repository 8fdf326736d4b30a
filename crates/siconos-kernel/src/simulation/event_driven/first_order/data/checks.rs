//! What is asked of the model at a point.

use ndarray::ArrayView1;

use super::super::{ModeError, Surroundings};
use super::Data;
use crate::model::At;

impl Data {
    /// Checks that nonlinear relations are affine in lambda at the present one, in the units of the model.
    pub(in super::super) fn check_affine(
        &mut self,
        around: Surroundings<'_>,
        t: f64,
        lambda: &[f64],
    ) -> Result<(), ModeError> {
        for part in &mut self.relations {
            let entry = &around.tables.interactions[part.place];
            if entry.affine {
                continue;
            }
            let relation = around.model.interaction(entry.id)?.relation();
            let values = &mut part.values;
            let before: Vec<f64> = values.y.iter().chain(&values.r).copied().collect();
            part.lambda.copy_from_slice(&lambda[part.rows.clone()]);
            values.functions(relation, At::new(t, around.parameters), &part.x, &part.lambda);
            let slopes = values.d.rows().into_iter().chain(values.b.rows());
            let found = values.y.iter().chain(&values.r);
            // Differences give the derivatives to nine digits or so.
            let off = slopes.zip(&before).zip(found).map(|((slope, before), found)| {
                let affine = before + slope.dot(&ArrayView1::from(&part.lambda));
                let size = found.abs() + affine.abs() + before.abs();
                if size > 0.0 { (found - affine).abs() / size } else { 0.0 }
            });
            let error = off.fold(0.0, f64::max);
            if error > 1e-6 {
                return Err(ModeError::NotAffineInLambda { interaction: entry.id, t, error });
            }
        }
        Ok(())
    }

    /// The first of the values that is not finite, by its place among those of the model.
    pub(in super::super) fn check_finite(&self, t: f64) -> Result<(), ModeError> {
        for (what, values, places) in [
            ("M^-1 f", &self.rate, &self.state_places),
            ("h", &self.h, &self.row_places),
            ("h'", &self.h_rate, &self.row_places),
        ] {
            if let Some(index) = values.iter().position(|value| !value.is_finite()) {
                return Err(ModeError::NotFinite { t, what, index: places[index], value: values[index] });
            }
        }
        Ok(())
    }
}
