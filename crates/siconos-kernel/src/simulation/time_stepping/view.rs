//! Access to data of the last step: one-step problem, index sets, iteration matrices, free velocities.

use ndarray::{Array2, s};

use super::TimeStepping;
use crate::integrator::StepTimes;
use crate::model::{DynamicalSystemId, InteractionId, ModelError, NonSmoothDynamicalSystem};
use crate::nonsmooth_problem::{SystemIndex, UnitaryRelation};
use crate::simulation::{ActiveRelations, BuildReport, SimulationError};

impl TimeStepping {
    /// Returns the warnings from the construction of the simulation. They list the schemes that do not suit
    /// the relative degree of the model.
    #[must_use]
    pub fn build_report(&self) -> &BuildReport {
        &self.build_report
    }

    /// Returns the interactions of first-order systems whose multipliers have alternated about their exact
    /// values for at least 32 steps, without damping.
    ///
    /// With theta = 1/2, this happens in a sliding mode in which lambda acts on the second derivative of y.
    /// With theta = 1, the multiplier takes its correct value after one step. Each interaction is also
    /// reported once by a `tracing` warning.
    ///
    /// ```
    /// use ndarray::array;
    /// use siconos_kernel::prelude::*;
    ///
    /// // x1' = x2, x2' = 1 - 2 lambda, y = x1: it slides at y = 0 with lambda = 1/2.
    /// let mut model = NonSmoothDynamicalSystem::new();
    /// let a = array![[0.0, 1.0], [0.0, 0.0]];
    /// let x = model.add_system(FirstOrderLinearTi::new(vec![0.0, 1e-3], a).with_source(vec![0.0, 1.0]))?;
    /// let relation = FirstOrderLinearRelation::new(array![[1.0, 0.0]], array![[0.0], [2.0]]);
    /// let sliding = model.add_interaction([x], relation, Relay::new(vec![-1.0], vec![1.0])?)?;
    /// let alternates = |theta| -> Result<bool, siconos_kernel::Error> {
    ///     let mut sim = TimeStepping::builder(&model)
    ///         .discretisation(TimeDiscretisation::uniform(0.0, 1.0, 1e-2)?)
    ///         .integrator(EulerMoreau::new(theta)?)
    ///         .build()?;
    ///     let mut state = sim.initial_state(&model)?;
    ///     sim.run(&model, &mut state, |_, _| {})?;
    ///     Ok(sim.alternating_multipliers().contains(&sliding))
    /// };
    /// assert!(alternates(0.5)? && !alternates(1.0)?);
    /// # Ok::<(), siconos_kernel::Error>(())
    /// ```
    #[must_use]
    pub fn alternating_multipliers(&self) -> &[InteractionId] {
        self.alternation.alternating()
    }

    /// Returns the matrix of the last one-step problem, or `None` if the last step had no one-step problem.
    /// The matrix is `m x m`, where m is the number of rows of all members of the index set.
    ///
    /// For first-order systems, the matrix is $D + h \theta_r \gamma C W^{-1} B$, or $D / h + C W^{-1} B$ if
    /// the unknown is a measure. Under a zero-order hold, the integral of the matrix exponential takes the
    /// place of $h W^{-1}$.
    #[must_use]
    pub fn one_step_matrix(&self) -> Option<Array2<f64>> {
        (!self.index_set.members().is_empty() && self.work.matrix_valid).then(|| self.problem.matrix())
    }

    /// Returns the index set I_0, which contains all unitary relations in the order of the model.
    #[doc(alias = "indexSet0")]
    #[must_use]
    pub fn unitary_relations(&self) -> Vec<UnitaryRelation> {
        let live = self.tables.interactions.iter().filter(|entry| !entry.is_gone());
        live.flat_map(|entry| &self.tables.unitary[entry.unitary])
            .map(|unitary| self.tables.name(unitary))
            .collect()
    }

    /// Returns the index set I_1 of the last step: the unitary relations in its one-step problem. The set is
    /// empty after a step that rejected a changed model. Time-stepping has no index set I_2.
    #[doc(alias = "indexSet1")]
    #[must_use]
    pub fn index_set(&self) -> ActiveRelations<'_> {
        ActiveRelations::new(&self.tables, self.index_set.members())
    }

    /// Returns the vector q of the last one-step problem w = M z + q, or `None` if the last step had no
    /// one-step problem. The entries are the rows of the members of the index set, in their order. For
    /// contacts at velocity level, q is $J v_{free} + e \dot y_k$.
    #[must_use]
    pub fn one_step_vector(&self) -> Option<Vec<f64>> {
        (!self.index_set.members().is_empty() && self.work.matrix_valid).then(|| self.problem.vector())
    }

    /// Returns a unitary relation, for example a joint, whose equations contradict the equations of other
    /// relations. Returns `None` if the solver of the last one-step problem has not found one.
    ///
    /// Only the solvers for [problems whose blocks have different laws](siconos_numerics::gmp) and the dense
    /// solvers for [mixed problems](siconos_numerics::mlcp) search for inconsistent equations; see
    /// [`Solver::contradiction`](siconos_numerics::Solver::contradiction).
    #[must_use]
    pub fn contradiction(&self) -> Option<UnitaryRelation> {
        let named = self.problem.contradicting()?;
        self.index_set.members().contains(&named).then(|| self.tables.name(&self.tables.unitary[named]))
    }

    /// Returns theta of the scheme that integrates a system.
    ///
    /// # Errors
    ///
    /// If the simulation has no system with this id: [`SimulationError::Model`].
    pub fn theta(&self, system: DynamicalSystemId) -> Result<f64, SimulationError> {
        Ok(self.tables.systems[self.place_of(system)?].theta)
    }

    /// Returns the iteration matrix W of a system, `n x n`, in the last Newton iteration of the last step;
    /// `None` before the first step.
    ///
    /// W is $M + h \theta C + h^2 \theta^2 K$ for a Lagrangian system with mass M, damping C and stiffness K,
    /// and $M - h \theta A$ for a first-order system with $M x' = A x + ..$. Under a zero-order hold, W is M.
    /// The step length h is the length of the last step. In the Siconos manual, W denotes the inverse.
    ///
    /// # Errors
    ///
    /// If the simulation or the model has no system with this id: [`SimulationError::Model`].
    pub fn iteration_matrix(
        &self,
        model: &NonSmoothDynamicalSystem,
        system: DynamicalSystemId,
    ) -> Result<Option<Array2<f64>>, SimulationError> {
        let place = self.place_of(system)?;
        if self.work.h.is_nan() {
            return Ok(None);
        }
        let entry = &self.tables.systems[place];
        let block = &self.tables.blocks[entry.block];
        let within = entry.dofs.within(block.dofs.start());
        let at = model.at(self.work.t_kp1);
        let times = StepTimes { begin: at, end: at, h: self.work.h, theta: entry.theta };
        Ok(Some(self.systems[entry.block].w(times).slice(s![within.clone(), within]).to_owned()))
    }

    /// Returns the velocity that a system would have without contacts and joints, in the last Newton
    /// iteration of the last step. For a first-order system, returns the state x without reactions. Returns
    /// `None` before the first step.
    ///
    /// $W (v_k - v_{free})$ is the residual of the free motion.
    ///
    /// # Errors
    ///
    /// As for [`theta`](Self::theta).
    #[doc(alias = "Xfree")]
    #[doc(alias = "_ResiduFree")]
    pub fn free_velocity(&self, system: DynamicalSystemId) -> Result<Option<&[f64]>, SimulationError> {
        let dofs = self.tables.systems[self.place_of(system)?].dofs.range();
        Ok((!self.work.h.is_nan()).then(|| &self.work.v_free[dofs]))
    }

    fn place_of(&self, system: DynamicalSystemId) -> Result<SystemIndex, SimulationError> {
        Ok(self.tables.place_of(system).ok_or(ModelError::UnknownSystem { id: system })?)
    }
}
