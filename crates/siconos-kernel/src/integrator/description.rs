//! Descriptions of integrators: all that the engine has to know of one, apart from its parameters.

/// One integrator.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct IntegratorDescription {
    pub(crate) name: &'static str,
    pub(crate) level: ConstraintLevel,
    /// Whether it is for steps of one length: it advances the mean velocity over a step, from that over the
    /// step before.
    pub(crate) has_equal_steps: bool,
    pub(crate) takes: Takes,
}

/// Where an integrator holds the laws of interactions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConstraintLevel {
    /// Between y and lambda of first-order systems, in every step.
    State,
    /// At velocity level, by impulses, while a contact is active.
    Velocity,
    /// At position level, in every step.
    Position,
    /// In forces and impulses apart.
    Force,
}

/// The systems that it can carry, of its order.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Takes {
    pub(crate) bodies: bool,
    /// Nonlinear ones; of first-order systems also those whose matrix A depends on time.
    pub(crate) nonlinear: bool,
    /// Linear ones with matrices that are not diagonal.
    pub(crate) coupled: bool,
}

impl IntegratorDescription {
    /// A scheme of first-order systems, for all of them.
    pub(super) const fn of_first_order(name: &'static str) -> Self {
        let takes = Takes { bodies: false, nonlinear: true, coupled: true };
        Self { name, level: ConstraintLevel::State, has_equal_steps: false, takes }
    }
}
