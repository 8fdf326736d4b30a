//! What can go wrong in a step, and the policy for it.

use super::{OnNonConvergence, TimeStepping};
use crate::error::SimulationError;
use crate::simulation::NewtonProgress;

impl TimeStepping {
    pub(super) fn report_solver_failure(&self) -> Result<(), SimulationError> {
        let (info, work) = (self.work.solve, &self.work);
        if info.status.is_success() {
            return Ok(());
        }
        let (step, t) = (work.step, work.t_k);
        match self.on_non_convergence {
            OnNonConvergence::Continue => Ok(()),
            OnNonConvergence::Warn => {
                tracing::warn!(step, t, status = %info.status, error = info.error, "the one-step problem did not converge");
                Ok(())
            }
            OnNonConvergence::Fail => Err(SimulationError::NotConverged {
                step,
                t,
                status: info.status,
                iterations: info.iterations,
                error: info.error,
            }),
        }
    }

    pub(super) fn report_newton_failure(&self, newton: NewtonProgress) -> Result<(), SimulationError> {
        let NewtonProgress { iterations, error, .. } = newton;
        let (step, t) = (self.work.step, self.work.t_k);
        match self.on_non_convergence {
            OnNonConvergence::Continue => Ok(()),
            OnNonConvergence::Warn => {
                tracing::warn!(step, t, iterations, error, "Newton's loop did not converge");
                Ok(())
            }
            OnNonConvergence::Fail => Err(SimulationError::NewtonNotConverged { step, t, iterations, error }),
        }
    }

    pub(super) fn check_finite(
        &self,
        what: &'static str,
        of: impl Fn(&super::StepWork) -> &[f64],
    ) -> Result<(), SimulationError> {
        let x = of(&self.work);
        let Some(place) = x.iter().position(|x| !x.is_finite()) else { return Ok(()) };
        let entry = self.tables.systems.iter().find(|entry| entry.dofs.contains(&place));
        entry.map_or(Ok(()), |entry| {
            Err(SimulationError::NotFinite {
                system: entry.id,
                what: if entry.is_first_order() { "state" } else { what },
                index: place - entry.dofs.start,
                value: x[place],
                step: self.work.step,
                t: self.work.t_k,
            })
        })
    }

    pub(super) fn check_outputs(&self, y: &[f64], y_dot: &[f64]) -> Result<(), SimulationError> {
        for (what, x) in [("y", y), ("velocity of y", y_dot)] {
            let Some(place) = x.iter().position(|x| !x.is_finite()) else { continue };
            if let Some(entry) = self.tables.interactions.iter().find(|entry| entry.rows.contains(&place)) {
                return Err(SimulationError::NotFiniteOutput {
                    interaction: entry.id,
                    what,
                    index: place - entry.rows.start,
                    value: x[place],
                    step: self.work.step,
                    t: self.work.t_k,
                });
            }
        }
        Ok(())
    }
}
