//! Smooth dynamics between events, with held contacts as bilateral constraints, and its guards. The state is
//! $x = (q, v)$ with $\dot q = T(q) v$ and $\dot v = M^{-1} (F + J_2^T \lambda)$, where $\lambda$ is such
//! that $\ddot y = 0$ on I_2.

use siconos_ode::{Crossing, OdeSystem, ZeroBand};

use super::{Constraint, LagrangianModes};
use crate::nonsmooth_problem::UnitaryIndex;
use crate::simulation::SimulationError;

impl LagrangianModes {
    /// Writes to `out` the accelerations at the time `t` and the state `x`, including the forces of the held
    /// contacts.
    pub(in super::super) fn accelerations(
        &mut self,
        t: f64,
        x: &[f64],
        out: &mut [f64],
    ) -> Result<(), SimulationError> {
        let evaluated = self.on_trial(t, x, Self::evaluate_motion);
        out.copy_from_slice(&self.trial.acceleration);
        evaluated
    }

    /// Stores the error of a callback that cannot return errors, and writes NaN so that the integrator stops.
    fn report(&mut self, error: SimulationError, out: &mut [f64]) {
        self.error = Some(error);
        out.fill(f64::NAN);
    }
}

/// Errors that name systems and interactions. The integrator identifies them only by index.
impl LagrangianModes {
    fn note_acceleration(&mut self, t: f64, dof: usize, value: f64) {
        if let Some(entry) = self.tables.systems.iter().find(|entry| entry.dofs.range().contains(&dof)) {
            let (system, index) = (entry.id, dof - entry.dofs.range().start);
            let what = "acceleration";
            self.error = Some(SimulationError::NotFinite { system, what, index, value, step: 0, t });
        }
    }

    fn note_output(&mut self, t: f64, place: UnitaryIndex, value: f64) {
        let what = if self.held.first_row(place).is_some() { "lambda" } else { "y" };
        self.error = self.not_finite(what, value, self.tables.unitary[place].rows.start(), t);
    }
}

/// Smooth dynamics of a model in the current mode, for the integrator.
///
/// Each unitary relation has one guard, whose index does not change. The guard of a contact is the gap while
/// the contact is not held, and the contact force while it is held. A bilateral constraint has the constant
/// guard 1, which never fires. A closed contact is not held if other contacts carry its load. In this case,
/// its guard is its gap plus the gap tolerance.
impl OdeSystem for LagrangianModes {
    fn dimension(&self) -> usize {
        self.dimensions().0
    }

    fn compute_f(&mut self, t: f64, x: &[f64], f: &mut [f64]) {
        if let Err(error) = self.on_trial(t, x, Self::evaluate_motion) {
            return self.report(error, f);
        }
        let trial = &self.trial;
        let (rates, accelerations) = f.split_at_mut(trial.q.len());
        self.space.rate(&trial.q, &trial.v, rates);
        accelerations.copy_from_slice(&trial.acceleration);
        if let Some(dof) = accelerations.iter().position(|a| !a.is_finite()) {
            self.note_acceleration(t, dof, accelerations[dof]);
        }
    }

    fn project(&mut self, t: f64, x: &mut [f64]) -> bool {
        let has_left = self.restore(x);
        match self.project_drift(t, x) {
            Ok(projected) => projected || has_left,
            Err(error) => {
                self.report(error, x);
                true
            }
        }
    }

    fn guards(&self) -> usize {
        self.constraints.len()
    }

    fn crossing(&self, _guard: usize) -> Crossing {
        Crossing::Falling
    }

    /// Returns degree 1 for gaps of linear relations, which are linear in x. The integrator then finds even
    /// the shortest interval in which the gap is negative.
    fn guard_degree(&self, guard: usize) -> Option<usize> {
        let place = UnitaryIndex::new(guard);
        let interaction = &self.tables.interactions[self.tables.unitary[place].interaction];
        (interaction.constant && !self.closed[place]).then_some(1)
    }

    /// Returns the zero band of a guard. A contact whose gap falls below its band has closed.
    fn zero_band(&self, guard: usize) -> Option<ZeroBand> {
        let width = self.bands[UnitaryIndex::new(guard)]?;
        Some(ZeroBand { width, fires: Some(Crossing::Falling) })
    }

    fn compute_guards(&mut self, t: f64, x: &[f64], g: &mut [f64]) {
        let evaluated = self.on_trial(t, x, |it, point| {
            it.evaluate_outputs(point);
            // The guards of held contacts are forces, which require the motion. Gaps do not.
            if it.held.members().is_empty() { Ok(()) } else { it.evaluate_motion(point) }
        });
        if let Err(error) = evaluated {
            return self.report(error, g);
        }
        for (guard, (place, unitary)) in g.iter_mut().zip(self.tables.unitary.entries()) {
            *guard = match (self.constraints[place], self.held.first_row(place)) {
                (Constraint::Bilateral, _) => 1.0,
                (_, Some(k)) => self.trial.held_force[k],
                // The gap of a closed contact that is not held changes only because of nonlinear terms.
                (_, None) if self.closed[place] => {
                    self.trial.y[unitary.rows.start().index()] + self.settings.gap_tolerance
                }
                _ => self.trial.y[unitary.rows.start().index()],
            };
        }
        if let Some(place) = g.iter().position(|value| !value.is_finite()) {
            self.note_output(t, UnitaryIndex::new(place), g[place]);
        }
    }
}
