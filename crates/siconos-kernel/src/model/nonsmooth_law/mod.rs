//! Nonsmooth laws: what holds between the local variables y and lambda of an interaction.

mod complementarity;
mod cone;
mod impact;
mod multiple_impact;
mod relay;
mod spring;

pub use complementarity::{ComplementarityCondition, EqualityCondition, MixedComplementarityCondition};
pub use cone::{ConeComplementarity, NormalCone};
pub use impact::{NewtonImpact, NewtonImpactFriction};
pub use multiple_impact::MultipleImpact;
pub use relay::{Relay, RelayBounds};
pub use spring::SpringDamper;

use serde::{Deserialize, Serialize};

use super::origin::Origin;
use super::parts::{Composed, PartList};

/// A law of any kind.
///
/// A relation of size m carries m / size copies of the law. Each is a *unitary relation*, the smallest block
/// that index sets and solvers handle; but of a complementarity condition between Lagrangian systems each
/// component is one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum NonSmoothLaw {
    /// Complementarity.
    Complementarity(ComplementarityCondition),
    /// Equality: a joint.
    Equality(EqualityCondition),
    /// Impact with restitution.
    NewtonImpact(NewtonImpact),
    /// Impacts by compression, several contacts at once.
    MultipleImpact(MultipleImpact),
    /// Impact with restitution and Coulomb friction.
    NewtonImpactFriction(NewtonImpactFriction),
    /// Equalities and complementarity in one block.
    MixedComplementarity(MixedComplementarityCondition),
    /// Multipliers between bounds: relays, saturations, switches.
    Relay(Relay),
    /// Springs and dampers.
    Spring(SpringDamper),
    /// Multipliers in a polyhedron.
    NormalCone(NormalCone),
    /// Multipliers in a product of second-order cones.
    Cone(ConeComplementarity),
}

impl NonSmoothLaw {
    /// Whether both are certainly the same: laws that are a few numbers, as those of contacts.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Complementarity(a), Self::Complementarity(b)) => a == b,
            (Self::Equality(a), Self::Equality(b)) => a == b,
            (Self::NewtonImpact(a), Self::NewtonImpact(b)) => a == b,
            (Self::NewtonImpactFriction(a), Self::NewtonImpactFriction(b)) => a == b,
            _ => false,
        }
    }

    /// The number of components of one block of the law.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Self::Complementarity(law) => law.size(),
            Self::Equality(law) => law.size(),
            Self::NewtonImpact(_) | Self::MultipleImpact(_) | Self::Spring(_) => 1,
            Self::NewtonImpactFriction(law) => law.size(),
            Self::MixedComplementarity(law) => law.size(),
            Self::Relay(law) => law.size(),
            Self::NormalCone(law) => law.size(),
            Self::Cone(law) => law.size(),
        }
    }

    /// Largest tension \[N\] that a contact with this law holds.
    pub(crate) fn cohesion(&self) -> f64 {
        match self {
            Self::NewtonImpactFriction(law) => law.cohesion(),
            _ => 0.0,
        }
    }
}

impl Composed for NonSmoothLaw {
    fn parts(&self) -> PartList<'_> {
        match self {
            Self::Complementarity(law) => {
                let mut parts = PartList::of("ComplementarityCondition");
                parts.count("size", law.size());
                parts
            }
            Self::Equality(law) => {
                let mut parts = PartList::of("EqualityCondition");
                parts.count("size", law.size());
                parts
            }
            Self::NewtonImpact(law) => {
                let mut parts = PartList::of("NewtonImpact");
                parts.number("restitution", law.restitution());
                parts
            }
            Self::MultipleImpact(law) => {
                let mut parts = PartList::of("MultipleImpact");
                parts.number("restitution", law.restitution());
                parts.number("exponent", law.exponent());
                parts.number("stiffness", law.stiffness());
                parts
            }
            Self::NewtonImpactFriction(law) => {
                let mut parts = PartList::of("NewtonImpactFriction");
                parts.count("dimension", law.dimension());
                parts.number("restitution", law.restitution());
                parts.number("tangential restitution", law.tangential_restitution());
                parts.number("mu", law.mu());
                law.mu_rolling().iter().for_each(|mu| parts.number("mu of rolling", *mu));
                // Snapshots of models without cohesion were written without it.
                if law.cohesion() != 0.0 {
                    parts.number("cohesion", law.cohesion());
                }
                parts
            }
            Self::MixedComplementarity(law) => {
                let mut parts = PartList::of("MixedComplementarityCondition");
                parts.count("number of equalities", law.equalities());
                parts.count("size", law.size());
                parts
            }
            Self::Relay(law) => law.parts(),
            Self::Spring(law) => {
                let mut parts = PartList::of("SpringDamper");
                parts.number("stiffness", law.stiffness());
                parts.number("damping", law.damping());
                parts
            }
            Self::NormalCone(law) => {
                let mut parts = PartList::of("NormalCone");
                parts.dense("H", law.polyhedron().h());
                parts.vector("k", law.polyhedron().k());
                parts
            }
            Self::Cone(law) => {
                let mut parts = PartList::of("ConeComplementarity");
                parts.word("sizes of the cones", format!("{:?}", law.cones()));
                parts
            }
        }
    }

    fn origins_mut(&mut self) -> Vec<&mut Origin> {
        match self {
            Self::Relay(law) => law.origins_mut(),
            _ => Vec::new(),
        }
    }
}

impl From<NewtonImpactFriction> for NonSmoothLaw {
    fn from(law: NewtonImpactFriction) -> Self {
        Self::NewtonImpactFriction(law)
    }
}

impl From<ComplementarityCondition> for NonSmoothLaw {
    fn from(law: ComplementarityCondition) -> Self {
        Self::Complementarity(law)
    }
}

impl From<EqualityCondition> for NonSmoothLaw {
    fn from(law: EqualityCondition) -> Self {
        Self::Equality(law)
    }
}

impl From<NewtonImpact> for NonSmoothLaw {
    fn from(law: NewtonImpact) -> Self {
        Self::NewtonImpact(law)
    }
}

impl From<MixedComplementarityCondition> for NonSmoothLaw {
    fn from(law: MixedComplementarityCondition) -> Self {
        Self::MixedComplementarity(law)
    }
}

impl From<MultipleImpact> for NonSmoothLaw {
    fn from(law: MultipleImpact) -> Self {
        Self::MultipleImpact(law)
    }
}

impl From<Relay> for NonSmoothLaw {
    fn from(law: Relay) -> Self {
        Self::Relay(law)
    }
}

impl From<SpringDamper> for NonSmoothLaw {
    fn from(law: SpringDamper) -> Self {
        Self::Spring(law)
    }
}

impl From<NormalCone> for NonSmoothLaw {
    fn from(law: NormalCone) -> Self {
        Self::NormalCone(law)
    }
}

impl From<ConeComplementarity> for NonSmoothLaw {
    fn from(law: ConeComplementarity) -> Self {
        Self::Cone(law)
    }
}
