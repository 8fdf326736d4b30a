//! Combinations of systems, relations, laws, solvers and integrators that are not supported.

use siconos_numerics::Unsupported;

use crate::model::{DynamicalSystemId, ModelError, Refusal, RelationId};

/// Combination of systems, relations, laws, solvers or integrators that is not supported.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// The integrators of the systems of an interaction do not support the relation of the interaction
    /// together with its law.
    #[error("{relation}: {integrator} does not support {what}; {instead}")]
    Unsupported {
        /// Interaction or detected contact that is not supported.
        relation: RelationId,
        /// Name of the integrator.
        integrator: &'static str,
        /// Unsupported property.
        what: &'static str,
        /// Suggested remedy.
        instead: &'static str,
    },
    /// An integrator does not support a system.
    #[error("system {system}: {integrator} does not support {what}; {instead}")]
    UnsupportedSystem {
        /// System that is not supported.
        system: DynamicalSystemId,
        /// Name of the integrator.
        integrator: &'static str,
        /// Unsupported property.
        what: &'static str,
        /// Suggested remedy.
        instead: &'static str,
    },
    /// The integrators of the systems of one interaction have different activation settings.
    #[error(
        "{relation}: its systems have integrators with different `{setting}` ({first} and {second}); \
         give them the same value"
    )]
    IntegratorsDisagree {
        /// Interaction or detected contact of these systems.
        relation: RelationId,
        /// Name of the setting.
        setting: &'static str,
        /// Value of the setting for the first system.
        first: f64,
        /// Different value of the setting for another system.
        second: f64,
    },
    /// The solver does not support the matrices that the simulation assembles.
    #[error(transparent)]
    Solver(#[from] Unsupported),
    /// No class of problems covers all laws of connected systems.
    #[error(
        "the laws of some connected systems have no common class of one-step problems: second-order cones can be combined only with complementarity \
         conditions, and polyhedra cannot be combined with friction"
    )]
    NoCommonClass,
    /// A system or interaction does not exist in the model.
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl FitError {
    pub(crate) fn of_relation(
        relation: impl Into<RelationId>,
        integrator: &'static str,
        refusal: Refusal,
    ) -> Self {
        let Refusal { what, instead } = refusal;
        Self::Unsupported { relation: relation.into(), integrator, what, instead }
    }

    pub(crate) fn of_system(system: DynamicalSystemId, integrator: &'static str, refusal: Refusal) -> Self {
        let Refusal { what, instead } = refusal;
        Self::UnsupportedSystem { system, integrator, what, instead }
    }
}
