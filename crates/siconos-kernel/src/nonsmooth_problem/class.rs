//! How an interaction enters the one-step problem, and the class of problem that comes of all of them.

use ndarray::Array2;

use crate::error::SimulationError;
use crate::integrator::{FirstOrderScheme, MoreauJean, Scheme};
use crate::model::{At, Interaction, InteractionId, NonSmoothLaw};

/// The classes of one-step problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProblemClass {
    /// Linear complementarity.
    Complementarity,
    /// With equalities among the rows.
    Mixed,
    /// With bounds on both sides.
    Box,
    /// Unknowns in a polyhedron.
    Polyhedron,
    /// Unknowns in second-order cones.
    Cones,
    /// Contacts with friction only, all with this number of components.
    Contact { dimension: usize },
    /// Friction beside other laws, or in the plane beside in space.
    Mechanical,
    /// Laws that no problem class has together.
    None,
}

impl ProblemClass {
    /// The class of one interaction by itself.
    pub(crate) fn of(law: &NonSmoothLaw, kind: ContactKind, posing: FrictionPosing) -> Self {
        match (law, kind) {
            (_, ContactKind::Frictional { .. }) if posing == FrictionPosing::NormalRows => {
                Self::Complementarity
            }
            (_, ContactKind::Bilateral | ContactKind::Compliant { equality: true, .. }) => Self::Mixed,
            (NonSmoothLaw::NewtonImpactFriction(law), ContactKind::Frictional { .. }) => {
                Self::Contact { dimension: law.dimension() }
            }
            (NonSmoothLaw::Equality(_) | NonSmoothLaw::MixedComplementarity(_), _) => Self::Mixed,
            (NonSmoothLaw::Relay(_), _) => Self::Box,
            (NonSmoothLaw::NormalCone(_), _) => Self::Polyhedron,
            (NonSmoothLaw::Cone(_), _) => Self::Cones,
            (_, _) => Self::Complementarity,
        }
    }

    /// The smallest class that has both.
    pub(crate) fn join(self, other: Self) -> Self {
        let rank = |class| match class {
            Self::Complementarity => Some(0),
            Self::Mixed => Some(1),
            Self::Box => Some(2),
            Self::Polyhedron => Some(3),
            _ => None,
        };
        match (self, other) {
            (a, b) if a == b => a,
            (Self::Cones, Self::Complementarity) | (Self::Complementarity, Self::Cones) => Self::Cones,
            (Self::Cones | Self::None, _) | (_, Self::Cones | Self::None) => Self::None,
            (a, b) => match (rank(a), rank(b)) {
                (Some(x), Some(y)) => {
                    if x > y {
                        a
                    } else {
                        b
                    }
                }
                _ if a == Self::Polyhedron || b == Self::Polyhedron => Self::None,
                _ => Self::Mechanical,
            },
        }
    }
}

/// How the laws with friction of an island enter the one-step problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FrictionPosing {
    /// All rows of each contact, normal and tangents.
    Cones,
    /// The normals alone, of an island in which every coefficient of friction is zero: the tangents carry
    /// nothing, and what is left is a linear complementarity problem.
    NormalRows,
}

impl FrictionPosing {
    /// What the laws of an island allow.
    pub(super) fn of<'a>(mut laws: impl Iterator<Item = &'a NonSmoothLaw>) -> Self {
        let has_friction =
            |law: &NonSmoothLaw| matches!(law, NonSmoothLaw::NewtonImpactFriction(law) if law.mu() != 0.0);
        match laws.any(has_friction) {
            true => Self::Cones,
            false => Self::NormalRows,
        }
    }
}

/// How an interaction enters the one-step problem, but for the numbers of its law.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum ContactKind {
    /// At velocity level, while the predicted gap is closed: at most the threshold, or its rounding where
    /// none is given.
    Unilateral { gamma: f64, threshold: Option<f64> },
    /// At velocity level with friction, while the predicted gap, which is the first component of a block, is
    /// closed.
    Frictional { gamma: f64, threshold: Option<f64> },
    /// $\dot y = 0$ in every step.
    Bilateral,
    /// At position level with the compliance D, in every step.
    Compliant { equality: bool, theta: f64 },
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
            Self::Unilateral { .. } => matches!(interaction.law(), NonSmoothLaw::Complementarity(_)),
            Self::Compliant { equality: false, .. } => {
                interaction.relation().compliance().is_none_or(|d| !couples(d))
            }
            _ => false,
        };
        if by_itself { 1 } else { interaction.law().size() }
    }

    /// Whether it opens and closes; what does not is always active.
    pub(super) fn has_gap(self) -> bool {
        matches!(self, Self::Unilateral { .. } | Self::Frictional { .. })
    }

    /// How many of the components of a unitary relation are unknowns of the one-step problem: the first ones.
    pub(super) fn unknowns(self, size: usize) -> usize {
        if let Self::Unilateral { .. } = self { 1 } else { size }
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
    ) -> Result<Self, SimulationError> {
        let second_order = schemes.clone().filter_map(|scheme| match scheme {
            Scheme::SecondOrder(scheme) => Some(scheme),
            Scheme::FirstOrder(_) => None,
        });
        let mut first_order = schemes.filter_map(|scheme| match scheme {
            Scheme::FirstOrder(scheme) => Some(scheme),
            Scheme::SecondOrder(_) => None,
        });
        match first_order.next() {
            None => Self::of_lagrangian(id, interaction, second_order),
            Some(first) => Self::of_first_order(id, interaction, first, first_order),
        }
    }

    fn of_first_order(
        id: InteractionId,
        interaction: &Interaction,
        first: FirstOrderScheme,
        others: impl Iterator<Item = FirstOrderScheme>,
    ) -> Result<Self, SimulationError> {
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
                    return Err(SimulationError::IntegratorsDisagree {
                        interaction: id,
                        setting,
                        first: a,
                        second: b,
                    });
                }
            }
            if coupled && first.theta != second.theta {
                let (first, second) = (first.theta, second.theta);
                return Err(SimulationError::IntegratorsDisagree {
                    interaction: id,
                    setting: "theta",
                    first,
                    second,
                });
            }
        }
        let refused = |what, instead| {
            Err(SimulationError::Unsupported { interaction: id, integrator: first.name, what, instead })
        };
        match interaction.law() {
            NonSmoothLaw::NewtonImpact(_) | NonSmoothLaw::NewtonImpactFriction(_) => {
                refused("an impact law", "take a ComplementarityCondition, or Lagrangian systems")
            }
            _ if coupled && first.hold.is_some() => {
                refused("an input that depends on x", "take FullyImplicit, or a relation with K zero")
            }
            _ => Ok(Self::FirstOrder(first)),
        }
    }

    fn of_lagrangian(
        id: InteractionId,
        interaction: &Interaction,
        schemes: impl Iterator<Item = MoreauJean> + Clone,
    ) -> Result<Self, SimulationError> {
        let agreed = |setting, value: fn(MoreauJean) -> f64| {
            let mut values = schemes.clone().map(value);
            let first = values.next().unwrap_or_default();
            match values.find(|&second| second != first) {
                None => Ok(first),
                Some(second) => {
                    Err(SimulationError::IntegratorsDisagree { interaction: id, setting, first, second })
                }
            }
        };
        let refused = |what, instead| {
            Err(SimulationError::Unsupported { interaction: id, integrator: "MoreauJean", what, instead })
        };
        let first_order_law = "take first-order systems, or a law of contacts";
        match interaction.law() {
            NonSmoothLaw::MixedComplementarity(_) => {
                return refused("equalities and contacts in one block", "make two interactions of them");
            }
            NonSmoothLaw::Relay(_) => return refused("a relay", first_order_law),
            NonSmoothLaw::NormalCone(_) => {
                return refused("the normal cone to a polyhedron", first_order_law);
            }
            NonSmoothLaw::Cone(_) => return refused("second-order cones", first_order_law),
            _ => {}
        }
        if interaction.relation().compliance().is_some() {
            let theta = agreed("theta", |scheme| scheme.theta)?;
            let instead = "take a ComplementarityCondition, or drop D";
            match interaction.law() {
                NonSmoothLaw::NewtonImpact(_) => {
                    return refused("restitution on a compliant relation", instead);
                }
                NonSmoothLaw::NewtonImpactFriction(_) => {
                    return refused("friction on a compliant relation", instead);
                }
                _ => {}
            }
            if theta == 0.0 {
                return refused("a compliant relation with theta = 0", "take theta above 0");
            }
            let equality = matches!(interaction.law(), NonSmoothLaw::Equality(_));
            return Ok(Self::Compliant { equality, theta });
        }
        let gamma = || agreed("gamma", |scheme| scheme.gamma);
        let threshold = || {
            let mut given = schemes.clone().filter_map(|scheme| scheme.activation_threshold);
            let first = given.next();
            match (first, given.find(|&second| Some(second) != first)) {
                (Some(first), Some(second)) => {
                    let setting = "activation_threshold";
                    Err(SimulationError::IntegratorsDisagree { interaction: id, setting, first, second })
                }
                _ => Ok(first),
            }
        };
        match interaction.law() {
            NonSmoothLaw::Equality(_) => Ok(Self::Bilateral),
            NonSmoothLaw::NewtonImpactFriction(_) => {
                Ok(Self::Frictional { gamma: gamma()?, threshold: threshold()? })
            }
            _ => Ok(Self::Unilateral { gamma: gamma()?, threshold: threshold()? }),
        }
    }
}
