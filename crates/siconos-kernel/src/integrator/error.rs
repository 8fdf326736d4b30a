//! What cannot be combined.

use siconos_numerics::Unsupported;

use crate::model::{DynamicalSystemId, InteractionId, ModelError, Refusal};

/// Systems, relations, laws, solvers or integrators that cannot be combined.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// A relation and a law that no integrator of the interaction's systems can carry together.
    #[error("interaction {interaction}: {integrator} cannot carry {what}; {instead}")]
    Unsupported {
        /// The interaction.
        interaction: InteractionId,
        /// The integrator.
        integrator: &'static str,
        /// The part that it cannot carry.
        what: &'static str,
        /// A remedy.
        instead: &'static str,
    },
    /// A system that an integrator cannot carry.
    #[error("system {system}: {integrator} cannot carry {what}; {instead}")]
    UnsupportedSystem {
        /// The system.
        system: DynamicalSystemId,
        /// The integrator.
        integrator: &'static str,
        /// The part that it cannot carry.
        what: &'static str,
        /// A remedy.
        instead: &'static str,
    },
    /// The systems of one interaction have integrators that activate it differently.
    #[error(
        "interaction {interaction}: its systems have integrators with different `{setting}` ({first} and {second}); \
         give them the same"
    )]
    IntegratorsDisagree {
        /// The interaction.
        interaction: InteractionId,
        /// The setting.
        setting: &'static str,
        /// Its value at the first system.
        first: f64,
        /// Another value.
        second: f64,
    },
    /// The solver does not take the matrices that the simulation assembles.
    #[error(transparent)]
    Solver(#[from] Unsupported),
    /// Laws of connected systems belong to no class of problems together.
    #[error(
        "the laws of some connected systems have no common class of one-step problems: second-order cones go with complementarity \
         conditions only, polyhedra not with friction"
    )]
    NoCommonClass,
    /// The model has no such system.
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl FitError {
    pub(crate) fn of_interaction(
        interaction: InteractionId,
        integrator: &'static str,
        refusal: Refusal,
    ) -> Self {
        let Refusal { what, instead } = refusal;
        Self::Unsupported { interaction, integrator, what, instead }
    }

    pub(crate) fn of_system(system: DynamicalSystemId, integrator: &'static str, refusal: Refusal) -> Self {
        let Refusal { what, instead } = refusal;
        Self::UnsupportedSystem { system, integrator, what, instead }
    }
}
