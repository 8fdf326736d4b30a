//! What is asked of the model at a point.

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
            part.lambda.copy_from_slice(&lambda[part.rows.clone()]);
            let mut affine = values.y.clone();
            affine.extend_from_slice(&values.r);
            let m = part.rows.len();
            for (j, l) in part.lambda.iter().enumerate() {
                for (i, value) in affine.iter_mut().enumerate() {
                    *value += l * if i < m { values.d[[i, j]] } else { values.b[[i - m, j]] };
                }
            }
            let before: Vec<f64> = values.y.iter().chain(&values.r).copied().collect();
            values.functions(relation, At::new(t, around.parameters), &part.x, &part.lambda);
            let parts = values.y.iter().chain(&values.r).zip(&affine).zip(&before);
            // Differences give the derivatives to nine digits or so.
            let off = parts.map(|((f, a), b)| {
                let size = f.abs() + a.abs() + b.abs();
                if size > 0.0 { (f - a).abs() / size } else { 0.0 }
            });
            let error = off.fold(0.0, f64::max);
            values.y.copy_from_slice(&before[..m]);
            values.r.copy_from_slice(&before[m..]);
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
