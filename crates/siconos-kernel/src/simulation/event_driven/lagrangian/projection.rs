//! Projection of the drift: the held contacts are kept at $\ddot y = 0$, and integration errors in y and its
//! velocity grow.

use super::LagrangianModes;
use crate::error::SimulationError;

/// Newton steps for the gaps; they converge quadratically from a small drift.
const MOST_STEPS: usize = 4;

/// So many tolerances of gap and gap velocity are let pass at the end of a step.
const TOLERATED_DRIFT: f64 = 10.0;

impl LagrangianModes {
    /// Projects a state that the integration has come to where it has drifted too far off; whether it has.
    /// This is done where steps end, and not at points of output, so that these change nothing.
    pub(in super::super) fn project_drift(
        &mut self,
        (t, x): (f64, &mut [f64]),
    ) -> Result<bool, SimulationError> {
        if self.held.members().is_empty() {
            return Ok(false);
        }
        let mut point = std::mem::take(&mut self.trial);
        point.move_to(t, x);
        let projected = self.project_drifted(&mut point);
        if let Ok(true) = projected {
            let (q, v) = x.split_at_mut(point.q.len());
            q.copy_from_slice(&point.q);
            v.copy_from_slice(&point.v);
        }
        self.trial = point;
        projected
    }

    fn project_drifted(&mut self, point: &mut super::Point) -> Result<bool, SimulationError> {
        self.evaluate_jacobians(point);
        self.evaluate_outputs(point);
        let (gap, velocity) = (self.worst(&point.y), self.worst(&point.y_dot));
        let tolerances = self.tolerances;
        if gap <= TOLERATED_DRIFT * tolerances.gap && velocity <= TOLERATED_DRIFT * tolerances.velocity {
            return Ok(false);
        }
        self.project_point(point)?;
        Ok(true)
    }

    /// Moves the position of the work point to $y = 0$ and its velocity to $\dot y = 0$ on the held contacts,
    /// by the smallest change in the metric of M:
    /// $q \leftarrow q \oplus -M^{-1} J^T (J M^{-1} J^T)^{-1} y$ and the same for v (Hairer and Wanner 1996,
    /// section VII.2, "coordinate projection").
    pub(in super::super) fn project(&mut self) -> Result<(), SimulationError> {
        let mut point = std::mem::take(&mut self.point);
        let projected = self.project_point(&mut point);
        self.point = point;
        projected
    }

    fn project_point(&mut self, point: &mut super::Point) -> Result<(), SimulationError> {
        if self.held.members().is_empty() {
            self.evaluate_jacobians(point);
            self.evaluate_outputs(point);
            return Ok(());
        }
        let mut before = f64::INFINITY;
        for step in 0..=MOST_STEPS {
            self.factor_masses(point.t, &point.q)?;
            self.evaluate_jacobians(point);
            self.evaluate_outputs(point);
            let worst = self.worst(&point.y);
            // Rounding ends the descent.
            if worst == 0.0 || worst >= 0.5 * before || step == MOST_STEPS {
                break;
            }
            before = worst;
            self.factor_held(point.t)?;
            let (y, held) = (&point.y, &mut point.held_force);
            self.gather_held(y, held);
            self.held.solve(held);
            let mut displacement = std::mem::take(&mut self.displacement);
            displacement.fill(0.0);
            self.apply(&point.held_force, &mut displacement);
            self.displacement = displacement;
            self.displace(point);
        }
        self.factor_held(point.t)?;
        self.gather_held(&point.y_dot, &mut point.held_force);
        self.held.solve(&mut point.held_force);
        self.apply(&point.held_force, &mut point.v);
        self.evaluate_outputs(point);
        Ok(())
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
