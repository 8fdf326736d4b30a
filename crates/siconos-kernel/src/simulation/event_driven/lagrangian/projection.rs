//! Projection of the drift: the held contacts are kept at $\ddot y = 0$, and integration errors in y and its velocity grow.

use super::LagrangianModes;
use crate::error::SimulationError;
use crate::model::NonSmoothDynamicalSystem;

/// Newton steps for the gaps; they converge quadratically from a small drift.
const MOST_STEPS: usize = 4;

impl LagrangianModes {
    /// Moves the position of the work point to $y = 0$ and its velocity to $\dot y = 0$ on the held contacts, by the
    /// smallest change in the metric of M: $q \leftarrow q - M^{-1} J^T (J M^{-1} J^T)^{-1} y$ and the same for v (Hairer and
    /// Wanner 1996, section VII.2, "coordinate projection"). Says how far both were off, which are the largest gap and gap
    /// velocity.
    pub(in super::super) fn project(
        &mut self,
        model: &NonSmoothDynamicalSystem,
    ) -> Result<(f64, f64), SimulationError> {
        let mut point = std::mem::take(&mut self.point);
        let projected = self.project_point(model, &mut point);
        self.point = point;
        projected
    }

    fn project_point(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        point: &mut super::Point,
    ) -> Result<(f64, f64), SimulationError> {
        if self.held.members().is_empty() {
            self.evaluate_jacobians(model, point)?;
            self.evaluate_outputs(model, point)?;
            return Ok((0.0, 0.0));
        }
        let (mut gap, mut before) = (0.0, f64::INFINITY);
        for step in 0..=MOST_STEPS {
            self.factor_masses(model, point.t, &point.q)?;
            self.evaluate_jacobians(model, point)?;
            self.evaluate_outputs(model, point)?;
            let worst = self.worst(&point.y);
            if step == 0 {
                gap = worst;
            }
            // Rounding ends the descent.
            if worst == 0.0 || worst >= 0.5 * before || step == MOST_STEPS {
                break;
            }
            before = worst;
            self.factor_held(point.t)?;
            let (y, held) = (&point.y, &mut point.held_force);
            self.gather_held(y, held);
            self.held.solve(held);
            self.apply(&point.held_force, &mut point.q);
        }
        self.factor_held(point.t)?;
        let velocity = self.worst(&point.y_dot);
        self.gather_held(&point.y_dot, &mut point.held_force);
        self.held.solve(&mut point.held_force);
        self.apply(&point.held_force, &mut point.v);
        self.evaluate_outputs(model, point)?;
        Ok((gap, velocity))
    }

    /// The largest magnitude over the rows of the held contacts.
    fn worst(&self, y: &[f64]) -> f64 {
        self.held_rows().fold(0.0, |worst: f64, (_, row)| worst.max(y[row].abs()))
    }

    /// The negative of the rows of the held contacts.
    fn gather_held(&self, y: &[f64], out: &mut Vec<f64>) {
        out.clear();
        out.extend(self.held_rows().map(|(_, row)| -y[row]));
    }
}
