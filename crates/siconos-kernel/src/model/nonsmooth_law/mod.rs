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
pub use relay::Relay;
pub use spring::SpringDamper;

use serde::{Deserialize, Serialize};

use super::fingerprint::Fingerprint;

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
            Self::Complementarity(law) => law.size,
            Self::Equality(law) => law.size,
            Self::NewtonImpact(_) | Self::MultipleImpact(_) | Self::Spring(_) => 1,
            Self::NewtonImpactFriction(law) => law.size(),
            Self::MixedComplementarity(law) => law.size(),
            Self::Relay(law) => law.size(),
            Self::NormalCone(law) => law.size(),
            Self::Cone(law) => law.size(),
        }
    }

    /// What can be compared with a law of another process.
    pub(super) fn fingerprint(&self, of: &mut Fingerprint) {
        match self {
            Self::Complementarity(law) => {
                of.name("ComplementarityCondition");
                of.count(law.size);
            }
            Self::Equality(law) => {
                of.name("EqualityCondition");
                of.count(law.size);
            }
            Self::NewtonImpact(law) => {
                of.name("NewtonImpact");
                of.number(law.restitution());
            }
            Self::MultipleImpact(law) => {
                of.name("MultipleImpact");
                of.vector(&[law.restitution(), law.exponent(), law.stiffness()]);
            }
            Self::NewtonImpactFriction(law) => {
                of.name("NewtonImpactFriction");
                of.count(law.dimension());
                of.vector(&[law.restitution(), law.tangential_restitution(), law.mu()]);
                of.option(law.mu_rolling(), Fingerprint::number);
            }
            Self::MixedComplementarity(law) => {
                of.name("MixedComplementarityCondition");
                of.count(law.equalities());
                of.count(law.size());
            }
            Self::Relay(law) => {
                of.name("Relay");
                law.fingerprint(of);
            }
            Self::Spring(law) => {
                of.name("SpringDamper");
                of.vector(&[law.stiffness(), law.damping()]);
            }
            Self::NormalCone(law) => {
                of.name("NormalCone");
                of.dense(law.polyhedron().h());
                of.vector(law.polyhedron().k());
            }
            Self::Cone(law) => {
                of.name("ConeComplementarity");
                law.cones().iter().for_each(|size| of.count(*size));
            }
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
