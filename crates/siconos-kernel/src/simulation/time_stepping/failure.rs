//! Failures of a step, and the policy for them.

use siconos_linalg::first_non_finite;
use siconos_numerics::{SolveInfo, SolverError};

use super::work::Stage;
use super::{OnNonConvergence, TimeStepping};
use crate::model::NonSmoothDynamicalSystem;
use crate::simulation::{NewtonProgress, SimulationError};
use crate::state::State;

impl TimeStepping {
    /// Applies the policy to the result of a solver.
    pub(super) fn report_solver_failure(&self, info: SolveInfo) -> Result<(), SimulationError> {
        if info.status.is_success() {
            return Ok(());
        }
        let SolveInfo { status, iterations, error, .. } = info;
        let (step, t) = (self.work.step, self.work.t_k);
        self.go_on_after(SimulationError::NotConverged { step, t, status, iterations, error })
    }

    pub(super) fn report_newton_failure(&mut self, newton: NewtonProgress) -> Result<(), SimulationError> {
        self.work.falls_short = true;
        let NewtonProgress { iterations, error, .. } = newton;
        let (step, t) = (self.work.step, self.work.t_k);
        self.go_on_after(SimulationError::NewtonNotConverged { step, t, iterations, error })
    }

    /// Applies the policy to a step that did not converge.
    pub(super) fn go_on_after(&self, error: SimulationError) -> Result<(), SimulationError> {
        match self.on_non_convergence {
            OnNonConvergence::Continue => Ok(()),
            OnNonConvergence::Warn => {
                tracing::warn!("{error}");
                Ok(())
            }
            OnNonConvergence::Fail => Err(error),
        }
    }

    /// Checks that a stage is called in order, with the state and the model of `begin_step`.
    pub(super) fn expect(
        &self,
        called: &'static str,
        stages: &[Stage],
        model: &NonSmoothDynamicalSystem,
        state: &State,
    ) -> Result<(), SimulationError> {
        let work = &self.work;
        if !stages.contains(&work.stage) {
            return Err(SimulationError::OutOfOrder { called, expected: work.stage.expects() });
        }
        let epochs = [state.epoch, model.epoch()];
        let fits = !state.parameters_set
            && epochs == [self.tables.epoch; 2]
            && state.model_uid == model.uid()
            && state.t == work.t_k
            && state.y[0].len() == self.tables.rows.len();
        if fits { Ok(()) } else { Err(SimulationError::OtherState { called }) }
    }

    /// Returns the error of the one-step problem. The error names an interaction if the vector of the problem
    /// is not finite.
    #[cold]
    pub(super) fn one_step_error(&self, state: &State, source: SolverError) -> SimulationError {
        let (step, t) = (self.work.step, self.work.t_k);
        let vectors = self.problem_vectors(state);
        let members =
            self.index_set.members().iter().flat_map(|&member| self.tables.unitary[member].rows.iter());
        let values = members.map(|row| (row, vectors.of(row, self.work.lambda[row.index()]).0));
        let Some((row, value)) = values.into_iter().find(|(_, value)| !value.is_finite()) else {
            return SimulationError::OneStepProblem { step, t, source };
        };
        let entry = &self.tables.interactions[self.tables.rows[row].interaction];
        let (relation, index) = (entry.id, entry.rows.index_of(row));
        SimulationError::NotFiniteOutput { relation, what: "free velocity of y", index, value, step, t }
    }

    pub(super) fn check_finite(
        &self,
        what: &'static str,
        of: impl Fn(&super::StepWorkspace) -> &[f64],
    ) -> Result<(), SimulationError> {
        let x = of(&self.work);
        let Some(place) = first_non_finite(x) else { return Ok(()) };
        let entry = self.tables.systems.iter().find(|entry| entry.dofs.range().contains(&place));
        entry.map_or(Ok(()), |entry| {
            Err(SimulationError::NotFinite {
                system: entry.id,
                what: match what {
                    "velocity" if entry.is_first_order() => "state",
                    "free velocity" if entry.is_first_order() => "free state",
                    _ => what,
                },
                index: place - entry.dofs.range().start,
                value: x[place],
                step: self.work.step,
                t: self.work.t_k,
            })
        })
    }

    /// Checks that the outputs of all rows from index `first` are finite, in a step that begins at `t`.
    #[inline(always)]
    pub(super) fn check_outputs(
        &self,
        y: &[f64],
        y_dot: &[f64],
        first: usize,
        step: usize,
        t: f64,
    ) -> Result<(), SimulationError> {
        for (what, x) in [("y", y), ("velocity of y", y_dot)] {
            if let Some(place) = first_non_finite(&x[first..]) {
                self.refuse_output(what, x, first + place, step, t)?;
            }
        }
        Ok(())
    }

    #[cold]
    fn refuse_output(
        &self,
        what: &'static str,
        x: &[f64],
        place: usize,
        step: usize,
        t: f64,
    ) -> Result<(), SimulationError> {
        let mut entries = self.tables.interactions.iter();
        let Some(entry) = entries.find(|entry| entry.rows.range().contains(&place)) else { return Ok(()) };
        Err(SimulationError::NotFiniteOutput {
            relation: entry.id,
            what,
            index: place - entry.rows.range().start,
            value: x[place],
            step,
            t,
        })
    }
}
