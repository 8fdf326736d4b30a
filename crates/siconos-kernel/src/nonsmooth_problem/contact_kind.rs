//! How an interaction enters the one-step problem: which relation, law and integrators go together.

use ndarray::Array2;

use crate::integrator::{
    Activation, D1MinusLinear, FirstOrderScheme, FitError, Holds, Projection, Scheme, SecondOrderScheme,
};
use crate::model::{At, Interaction, InteractionId, ModelError, NonSmoothLaw, Relation, SpringDamper};

/// How an interaction enters the one-step problem, but for the numbers of its law.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum ContactKind {
    /// At velocity level, while the predicted gap is closed.
    Unilateral(Activation),
    /// At velocity level with friction, while the predicted gap, which is the first component of a block, is
    /// closed.
    Frictional(Activation),
    /// $\dot y = 0$ in every step.
    Bilateral { projects: bool },
    /// A multiplier between bounds against $\dot y$, in every step: the bounds are those of a force.
    Relay,
    /// By the force of a spring at theta, in every step.
    Elastic { spring: SpringDamper, theta: f64 },
    /// At position level, with the compliance D where there is one, in every step.
    AtPosition { equality: bool, theta: f64 },
    /// In forces and impulses apart, beside the one-step problem.
    HalfExplicit { equality: bool, scheme: D1MinusLinear },
    /// Between y and lambda of first-order systems, in every step.
    FirstOrder(FirstOrderScheme),
    /// Not at all: the interaction has been removed.
    #[default]
    Gone,
}

impl ContactKind {
    /// The number of components of one unitary relation, the smallest part of an interaction that may be
    /// active by itself: that of the law. Components that are complementary each by itself come and go one by
    /// one; those that a compliance D couples stay together, as do those of first-order systems, since all of
    /// them are always active.
    pub(super) fn unitary_size(self, interaction: &Interaction) -> usize {
        let couples = |d: &Array2<f64>| d.indexed_iter().any(|((i, j), d)| i != j && *d != 0.0);
        let by_itself = match self {
            Self::Unilateral(_) | Self::HalfExplicit { equality: false, .. } => {
                matches!(interaction.law(), NonSmoothLaw::Complementarity(_))
            }
            Self::AtPosition { equality: false, .. } => {
                interaction.relation().compliance().is_none_or(|d| !couples(d))
            }
            _ => false,
        };
        if by_itself { 1 } else { interaction.law().size() }
    }

    /// Whether it opens and closes; what does not is always active.
    pub(super) fn has_gap(self) -> bool {
        matches!(self, Self::Unilateral(_) | Self::Frictional(_) | Self::HalfExplicit { equality: false, .. })
    }

    /// How it is held in positions.
    pub(crate) fn projection(self) -> Option<Projection> {
        match self {
            Self::Unilateral(activation) | Self::Frictional(activation) => activation.projection,
            Self::Bilateral { projects: true } => Some(Projection::Direct),
            _ => None,
        }
    }

    /// How many of the components of a unitary relation are unknowns of the one-step problem: the first ones.
    pub(super) fn unknowns(self, size: usize) -> usize {
        match self {
            Self::Unilateral(_) | Self::HalfExplicit { equality: false, .. } => 1,
            _ => size,
        }
    }

    /// Whether the multiplier is a force, of which the step has the impulse.
    pub(crate) fn is_force(self) -> bool {
        matches!(self, Self::AtPosition { .. } | Self::Elastic { .. } | Self::Relay)
    }

    /// When the law of a step holds.
    pub(crate) fn at_law<'a>(&self, begin: At<'a>, end: At<'a>) -> At<'a> {
        match self {
            Self::FirstOrder(scheme) => end.time(scheme.time_of_law(begin.t, end.t)),
            _ => end,
        }
    }

    /// Accepts or refuses a combination of relation, law and integrators (one per system).
    pub(super) fn new(
        id: InteractionId,
        interaction: &Interaction,
        schemes: impl Iterator<Item = Scheme> + Clone,
    ) -> Result<Self, FitError> {
        let second_order = schemes.clone().filter_map(|scheme| match scheme {
            Scheme::SecondOrder(scheme) => Some(scheme),
            Scheme::FirstOrder(_) => None,
        });
        let mut first_order = schemes.filter_map(|scheme| match scheme {
            Scheme::FirstOrder(scheme) => Some(scheme),
            Scheme::SecondOrder(_) => None,
        });
        match (first_order.next(), second_order.clone().next()) {
            (Some(first), _) => Self::of_first_order(id, interaction, first, first_order),
            (None, Some(first)) => Self::of_lagrangian(id, interaction, first, second_order),
            (None, None) => Err(ModelError::NoSystem.into()),
        }
    }

    fn of_first_order(
        id: InteractionId,
        interaction: &Interaction,
        first: FirstOrderScheme,
        others: impl Iterator<Item = FirstOrderScheme>,
    ) -> Result<Self, FitError> {
        let coupled = interaction.relation().has_k();
        let held = |scheme: FirstOrderScheme| f64::from(u8::from(scheme.hold.is_some()));
        for second in others {
            for (setting, a, b) in [
                ("theta_r", first.theta_r, second.theta_r),
                ("gamma", first.gamma, second.gamma),
                ("h of the unknown", first.scale(0.5), second.scale(0.5)),
                ("hold", held(first), held(second)),
            ] {
                if a != b {
                    return Err(FitError::IntegratorsDisagree {
                        interaction: id,
                        setting,
                        first: a,
                        second: b,
                    });
                }
            }
            if coupled && first.theta != second.theta {
                let (first, second) = (first.theta, second.theta);
                return Err(FitError::IntegratorsDisagree {
                    interaction: id,
                    setting: "theta",
                    first,
                    second,
                });
            }
        }
        let refused = |what, instead| {
            Err(FitError::Unsupported { interaction: id, integrator: first.name, what, instead })
        };
        match interaction.law() {
            NonSmoothLaw::NewtonImpact(_)
            | NonSmoothLaw::MultipleImpact(_)
            | NonSmoothLaw::NewtonImpactFriction(_) => {
                refused("an impact law", "take a ComplementarityCondition, or Lagrangian systems")
            }
            NonSmoothLaw::Spring(_) => refused("a spring", "take a relation with D, or Lagrangian systems"),
            _ if coupled && first.hold.is_some() => {
                refused("an input that depends on x", "take FullyImplicit, or a relation with K zero")
            }
            _ => Ok(Self::FirstOrder(first)),
        }
    }

    fn of_lagrangian(
        id: InteractionId,
        interaction: &Interaction,
        first: SecondOrderScheme,
        schemes: impl Iterator<Item = SecondOrderScheme> + Clone,
    ) -> Result<Self, FitError> {
        let integrator = first.name();
        let refused =
            |what, instead| Err(FitError::Unsupported { interaction: id, integrator, what, instead });
        let first_order_law = "take first-order systems, or a law of contacts";
        let law = interaction.law();
        match law {
            NonSmoothLaw::MixedComplementarity(_) => {
                return refused("equalities and contacts in one block", "make two interactions of them");
            }
            NonSmoothLaw::NormalCone(_) => {
                return refused("the normal cone to a polyhedron", first_order_law);
            }
            NonSmoothLaw::Cone(_) => return refused("second-order cones", first_order_law),
            _ => {}
        }
        let has_restitution = matches!(
            law,
            NonSmoothLaw::NewtonImpact(_)
                | NonSmoothLaw::MultipleImpact(_)
                | NonSmoothLaw::NewtonImpactFriction(_)
        );
        let is_compliant = interaction.relation().compliance().is_some();
        if is_compliant && has_restitution {
            let instead = "take a ComplementarityCondition, or drop D";
            return match law {
                NonSmoothLaw::NewtonImpact(_) | NonSmoothLaw::MultipleImpact(_) => {
                    refused("restitution on a compliant relation", instead)
                }
                _ => refused("friction on a compliant relation", instead),
            };
        }
        let is_relay = matches!(law, NonSmoothLaw::Relay(_));
        if is_relay && is_compliant {
            return refused("a relay on a compliant relation", "drop D, and put a spring beside it");
        }
        if let NonSmoothLaw::Spring(spring) = *law {
            let is_carried = schemes.clone().all(|scheme| matches!(scheme.holds(), Holds::Velocities(_)));
            return match agreed(id, "theta", schemes.map(|scheme| scheme.theta()))? {
                _ if is_compliant => refused("a spring on a compliant relation", "drop D"),
                _ if !is_carried => refused("a spring", "take MoreauJean, or make it a force of its system"),
                0.0 => refused("a spring with theta = 0", "take theta above 0"),
                theta => Ok(Self::Elastic { spring, theta }),
            };
        }
        let is_of_its_kind = |other: SecondOrderScheme| match (first.holds(), other.holds()) {
            (Holds::ForcesAndImpulses(first), Holds::ForcesAndImpulses(other)) => first == other,
            (first, other) => std::mem::discriminant(&first) == std::mem::discriminant(&other),
        };
        if !schemes.clone().all(is_of_its_kind) {
            let what = "systems with integrators that hold contacts at another level, or with other settings";
            return refused(what, "give all systems of an interaction the same integrator");
        }
        let equality = matches!(law, NonSmoothLaw::Equality(_));
        let has_friction = matches!(law, NonSmoothLaw::NewtonImpactFriction(_));
        match first.holds() {
            Holds::Positions | Holds::ForcesAndImpulses(_) if has_friction || is_relay => {
                return refused("friction", "take MoreauJean");
            }
            Holds::Positions if !matches!(interaction.relation(), Relation::LagrangianLinear(_)) => {
                return refused("a relation that is not linear", "take MoreauJean");
            }
            Holds::ForcesAndImpulses(_) if is_compliant => {
                return refused("a compliant relation", "drop D, or take MoreauJean");
            }
            Holds::ForcesAndImpulses(scheme) => return Ok(Self::HalfExplicit { equality, scheme }),
            Holds::Velocities(_) if is_relay => return Ok(Self::Relay),
            Holds::Velocities(_) if !is_compliant => {
                let code = |scheme: SecondOrderScheme| match scheme.activation().and_then(|it| it.projection)
                {
                    None => 0.0,
                    Some(Projection::Direct) => 1.0,
                    Some(Projection::Combined) => 2.0,
                };
                let setting = "projection (0 none, 1 direct, 2 combined)";
                let projects = agreed(id, setting, schemes.clone().map(code))? != 0.0;
                let activation = || agreed_activation(id, schemes.filter_map(|scheme| scheme.activation()));
                return Ok(match law {
                    NonSmoothLaw::Equality(_) => Self::Bilateral { projects },
                    NonSmoothLaw::NewtonImpactFriction(_) => {
                        let activation = activation()?;
                        // Each step begins without contacts, and none is found where a bond holds.
                        if law.cohesion() != 0.0 && activation.projection == Some(Projection::Combined) {
                            let instead = "take Projection::Direct, or no projection";
                            return refused("cohesion with the combined projection", instead);
                        }
                        Self::Frictional(activation)
                    }
                    _ => Self::Unilateral(activation()?),
                });
            }
            _ => {}
        }
        match agreed(id, "theta", schemes.map(|scheme| scheme.theta()))? {
            0.0 => refused("a compliant relation with theta = 0", "take theta above 0"),
            theta => Ok(Self::AtPosition { equality, theta }),
        }
    }
}

/// What the integrators of the systems of an interaction have in common.
fn agreed(
    interaction: InteractionId,
    setting: &'static str,
    mut values: impl Iterator<Item = f64>,
) -> Result<f64, FitError> {
    let first = values.next().unwrap_or_default();
    match values.find(|&second| second != first) {
        None => Ok(first),
        Some(second) => Err(FitError::IntegratorsDisagree { interaction, setting, first, second }),
    }
}

/// When a contact is active: one integrator that gives a threshold decides.
fn agreed_activation(
    interaction: InteractionId,
    activations: impl Iterator<Item = Activation> + Clone,
) -> Result<Activation, FitError> {
    let gamma = agreed(interaction, "gamma", activations.clone().map(|activation| activation.gamma))?;
    let projection = activations.clone().find_map(|activation| activation.projection);
    let mut given = activations.filter_map(|activation| activation.threshold).peekable();
    let threshold = match given.peek() {
        None => None,
        Some(_) => Some(agreed(interaction, "activation_threshold", given)?),
    };
    Ok(Activation { gamma, threshold, projection })
}
