//! Properties of integrators, apart from their parameters.

/// Properties of one integrator.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct IntegratorDescription {
    pub(crate) name: &'static str,
    pub(crate) level: ConstraintLevel,
    /// `true` if the scheme advances the mean velocity over a step and assumes steps of equal length.
    pub(crate) has_equal_steps: bool,
    pub(crate) takes: SupportedSystems,
}

/// Variables for which an integrator enforces the laws of interactions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConstraintLevel {
    /// y and lambda of first-order systems, in every step.
    States,
    /// Velocities, by impulses, while a contact is active.
    Velocities,
    /// Positions, in every step.
    Positions,
    /// Forces and impulses, in separate problems.
    Forces,
}

/// Kinds of systems that an integrator supports.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SupportedSystems {
    pub(crate) bodies: bool,
    /// Nonlinear systems; for first-order systems, also linear systems with a time-dependent matrix A.
    pub(crate) nonlinear: bool,
    /// Linear systems with matrices that are not diagonal.
    pub(crate) coupled: bool,
}

impl IntegratorDescription {
    /// Describes a scheme that supports all first-order systems.
    pub(super) const fn of_first_order(name: &'static str) -> Self {
        let takes = SupportedSystems { bodies: false, nonlinear: true, coupled: true };
        Self { name, level: ConstraintLevel::States, has_equal_steps: false, takes }
    }
}
