//! Removal of drift by projection. The integration imposes $\ddot y = 0$ at the held contacts, so the
//! integration errors of y and $\dot y$ grow with time.

use super::super::EventDrivenSettings;
use super::{LagrangianModes, MotionPoint};
use crate::simulation::SimulationError;

/// Maximum number of Newton steps of the projection onto zero gaps. The method converges quadratically if the
/// drift is small.
const MOST_STEPS: usize = 4;

/// Maximum drift that is accepted at the end of a step, as a multiple of the gap and velocity tolerances.
const TOLERATED_DRIFT: f64 = 10.0;

impl LagrangianModes {
    /// Projects a state of the integrator if its drift is too large. Returns `true` if it was projected. This
    /// function is called at the ends of steps and not at output points, so that output points do not change
    /// the motion.
    pub(in super::super) fn project_drift(&mut self, t: f64, x: &mut [f64]) -> Result<bool, SimulationError> {
        if self.held.members().is_empty() {
            return Ok(false);
        }
        let projected = self.on_trial(t, x, |it, point| {
            it.evaluate_jacobians(point);
            it.evaluate_outputs(point);
            let (gap, velocity) = (it.worst(&point.y), it.worst(&point.y_dot));
            let EventDrivenSettings { gap_tolerance, velocity_tolerance, .. } = it.settings;
            if gap <= TOLERATED_DRIFT * gap_tolerance && velocity <= TOLERATED_DRIFT * velocity_tolerance {
                return Ok(false);
            }
            it.project_point(point).map(|()| true)
        });
        if let Ok(true) = projected {
            self.trial.x_into(x);
        }
        projected
    }

    /// Projects the positions and velocities of `point` onto the constraints of the held contacts, $y = 0$
    /// and $\dot y = 0$. The projection is the smallest change in the metric of M:
    /// $q \leftarrow q \oplus -M^{-1} J^T (J M^{-1} J^T)^{-1} y$, and correspondingly for v (Hairer and
    /// Wanner 1996, section VII.2, "coordinate projection").
    pub(super) fn project_point(&mut self, point: &mut MotionPoint) -> Result<(), SimulationError> {
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
            // Stop if rounding errors prevent a further decrease.
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

    /// Returns the largest magnitude of `y` over the rows of the held contacts.
    fn worst(&self, y: &[f64]) -> f64 {
        self.held.rows().iter().fold(0.0, |worst: f64, at| worst.max(y[at.index()].abs()))
    }

    /// Writes $-y$ of the rows of the held contacts to `out`.
    fn gather_held(&self, y: &[f64], out: &mut Vec<f64>) {
        out.clear();
        out.extend(self.held.rows().iter().map(|at| -y[at.index()]));
    }
}
