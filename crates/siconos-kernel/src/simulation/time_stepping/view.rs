//! What can be asked of a simulation beside the state: the last one-step problem, index sets, who is linked with whom.

use ndarray::Array2;

use super::TimeStepping;
use crate::error::{ModelError, SimulationError};
use crate::model::InteractionId;
use crate::simulation::{BuildReport, UnitaryRelation};

impl TimeStepping {
    /// What was found when the simulation was built: schemes that are not for the relative degree of the model.
    #[must_use]
    pub fn build_report(&self) -> &BuildReport {
        &self.build_report
    }

    /// The matrix of the last one-step problem, `m x m` over the members of the index set; `None` where there is none.
    ///
    /// Of first-order systems it is $D + h \theta_r \gamma C W^{-1} B$, or $D / h + C W^{-1} B$ where the unknown is a measure;
    /// under a hold the integral of the exponential stands in the place of $h W^{-1}$.
    #[must_use]
    pub fn one_step_matrix(&self) -> Option<Array2<f64>> {
        (!self.index_set.members().is_empty() && self.work.matrix_valid).then(|| self.problem.matrix())
    }

    /// The linked-interaction map (developer's notes of Siconos, 2.1.1): the interactions that share a system with this one,
    /// or systems that a relation couples in W, in the order of the model. Their blocks in the matrix of the one-step
    /// problem need not be zero; all others are.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Model`] for an id that the simulation does not know.
    pub fn linked_interactions(
        &self,
        interaction: InteractionId,
    ) -> Result<Vec<InteractionId>, SimulationError> {
        let entries = &self.tables.interactions;
        let place = entries
            .iter()
            .position(|entry| entry.id == interaction)
            .ok_or(ModelError::UnknownInteraction { id: interaction })?;
        let blocks = self.tables.legs_of(place).iter().map(|leg| leg.block);
        let shares = |other: &usize| {
            *other != place
                && self
                    .tables
                    .legs_of(*other)
                    .iter()
                    .any(|leg| blocks.clone().any(|block| block == leg.block))
        };
        Ok((0..entries.len()).filter(shares).map(|other| entries[other].id).collect())
    }

    /// The index set I_1 of the last step: the unitary relations in its one-step problem.
    #[must_use]
    pub fn index_set(&self) -> &[UnitaryRelation] {
        self.index_set.names()
    }
}
