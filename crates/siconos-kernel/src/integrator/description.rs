//! Descriptions of integrators: all that the engine has to know of one, apart from its parameters.

/// One integrator.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct IntegratorDescription {
    pub(crate) name: &'static str,
    pub(crate) level: HoldsAt,
    /// True of schemes for steps of one length, which advance the mean velocity from step to step.
    pub(crate) has_equal_steps: bool,
    pub(crate) takes: Takes,
}

/// The variables in which an integrator holds the laws of interactions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HoldsAt {
    /// y and lambda of first-order systems, in every step.
    States,
    /// Velocities, by impulses, while a contact is active.
    Velocities,
    /// Positions, in every step.
    Positions,
    /// Forces and impulses, each by itself.
    Forces,
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
        Self { name, level: HoldsAt::States, has_equal_steps: false, takes }
    }
}
