//! Descriptions of laws: the properties of a law that do not depend on its coefficients.

use crate::model::Refusal;

/// Properties of a law.
#[derive(Debug)]
pub(crate) struct LawDescription {
    /// Name of the law in fingerprints of models.
    pub(crate) name: &'static str,
    pub(crate) rows: RowLaw,
    /// `true` for contacts. In schemes with velocities or forces as unknowns, a contact is active only while
    /// its gap is closed.
    pub(crate) opens: bool,
    /// `true` if the coefficients of the law describe a force, although a step solves for the impulse.
    pub(crate) is_force: bool,
    pub(crate) refused: Refusals,
}

/// Condition on the components of one block, which determines the class of the one-step nonsmooth problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowLaw {
    /// Complementarity of each component.
    Complementarity,
    /// Equalities.
    Equality,
    /// Equalities first, then complementarity.
    Mixed,
    /// Bounds on both sides of each multiplier.
    Box,
    /// Multipliers in a polyhedron.
    Polyhedron,
    /// Multipliers in second-order cones.
    Cones,
    /// Coulomb friction, with or without rolling friction.
    Friction,
}

/// Reasons why a kind of system, relation or method does not support a law. A reason is `None` if the law is
/// supported.
#[derive(Debug)]
pub(crate) struct Refusals {
    /// First-order systems.
    pub(crate) first_order: Option<Refusal>,
    /// Lagrangian systems.
    pub(crate) lagrangian: Option<Refusal>,
    /// Relations with a compliance D.
    pub(crate) compliant: Option<Refusal>,
    /// Integrators of second-order systems that do not enforce constraints at velocity level.
    pub(crate) off_velocities: Option<Refusal>,
    /// Time-stepping.
    pub(crate) time_stepping: Option<Refusal>,
    /// Event-driven simulation of Lagrangian systems.
    pub(crate) events: Option<Refusal>,
    /// Event-driven simulation of first-order systems.
    pub(crate) first_order_events: Option<Refusal>,
}

impl Refusals {
    /// No refusals.
    pub(super) const NONE: Self = Self {
        first_order: None,
        lagrangian: None,
        compliant: None,
        off_velocities: None,
        time_stepping: None,
        events: None,
        first_order_events: None,
    };

    /// Creates the refusals of a law for first-order systems, with the reason why Lagrangian systems do not
    /// support it.
    pub(super) const fn of_first_order_law(lagrangian: Refusal) -> Self {
        Self { lagrangian: Some(lagrangian), events: Some(NO_EVENTS), ..Self::NONE }
    }

    /// Creates the refusals of a contact law with restitution.
    pub(super) const fn of_impact_law() -> Self {
        Self {
            first_order: Some(Refusal::new(
                "an impact law",
                "use a ComplementarityCondition, or Lagrangian systems",
            )),
            compliant: Some(Refusal::new(
                "restitution on a compliant relation",
                "use a ComplementarityCondition, or drop D",
            )),
            first_order_events: Some(Refusal::new(
                "an impact law on a first-order system",
                "use a ComplementarityCondition: first-order systems have no restitution",
            )),
            ..Self::NONE
        }
    }
}

/// Refusal of laws whose events are not detected in Lagrangian systems.
pub(super) const NO_EVENTS: Refusal =
    Refusal::new("a law of first-order systems", "use NewtonImpact or EqualityCondition");

/// Remedy for laws whose events in first-order systems are not detected.
pub(super) const OTHER_EVENTS: &str =
    "event detection of first-order systems supports only complementarity and equality; use TimeStepping";

/// Remedy for laws that Lagrangian systems do not support.
pub(super) const FIRST_ORDER_LAW: &str = "use first-order systems, or a contact law";
