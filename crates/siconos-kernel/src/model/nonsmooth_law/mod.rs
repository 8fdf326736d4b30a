//! Nonsmooth laws: conditions between the local variables y and lambda of an interaction.

mod complementarity;
mod cone;
mod description;
mod impact;
mod multiple_impact;
mod relay;
mod spring;

pub use complementarity::{ComplementarityCondition, EqualityCondition, MixedComplementarityCondition};
pub use cone::{ConeComplementarity, NormalCone};
pub(crate) use description::{LawDescription, RowLaw};
pub use impact::{NewtonImpact, NewtonImpactFriction};
pub use multiple_impact::MultipleImpact;
pub use relay::{Relay, RelayBounds};
pub use spring::SpringDamper;

use serde::{Deserialize, Serialize};

use super::origin::Origin;
use super::parts::{HasParts, PartList};

/// Nonsmooth law of any kind.
///
/// The components of a relation of size m form m / size blocks, each with its own copy of the law. Such a
/// block is a *unitary relation*, the smallest unit that index sets and solvers handle. For a complementarity
/// condition between Lagrangian systems, however, each component is a unitary relation.
#[derive(Clone, Debug, PartialEq, derive_more::From, Serialize, Deserialize)]
#[non_exhaustive]
pub enum NonSmoothLaw {
    /// Complementarity.
    Complementarity(ComplementarityCondition),
    /// Equality condition, as in a joint.
    Equality(EqualityCondition),
    /// Impact with restitution.
    NewtonImpact(NewtonImpact),
    /// Multiple impacts, governed by the compression of each contact.
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
    /// Returns `true` if both laws are known to be equal. Only laws with few coefficients, such as contact
    /// laws, are compared; others count as different.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Complementarity(a), Self::Complementarity(b)) => a == b,
            (Self::Equality(a), Self::Equality(b)) => a == b,
            (Self::NewtonImpact(a), Self::NewtonImpact(b)) => a == b,
            (Self::NewtonImpactFriction(a), Self::NewtonImpactFriction(b)) => a == b,
            _ => false,
        }
    }

    /// Returns the number of components of one block of the law.
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

    /// Returns the properties of the law that do not depend on its coefficients.
    pub(crate) fn description(&self) -> &'static LawDescription {
        match self {
            Self::Complementarity(_) => &ComplementarityCondition::DESCRIPTION,
            Self::Equality(_) => &EqualityCondition::DESCRIPTION,
            Self::NewtonImpact(_) => &NewtonImpact::DESCRIPTION,
            Self::MultipleImpact(_) => &MultipleImpact::DESCRIPTION,
            Self::NewtonImpactFriction(_) => &NewtonImpactFriction::DESCRIPTION,
            Self::MixedComplementarity(_) => &MixedComplementarityCondition::DESCRIPTION,
            Self::Relay(_) => &Relay::DESCRIPTION,
            Self::Spring(_) => &SpringDamper::DESCRIPTION,
            Self::NormalCone(_) => &NormalCone::DESCRIPTION,
            Self::Cone(_) => &ConeComplementarity::DESCRIPTION,
        }
    }

    /// Returns the number of equalities at the beginning of each block.
    pub(crate) fn equalities(&self) -> usize {
        match self {
            Self::MixedComplementarity(law) => law.equalities(),
            _ if self.description().rows == RowLaw::Equality => self.size(),
            _ => 0,
        }
    }

    /// Returns the law of Coulomb friction, or `None` for other laws.
    pub(crate) fn friction(&self) -> Option<&NewtonImpactFriction> {
        match self {
            Self::NewtonImpactFriction(law) => Some(law),
            _ => None,
        }
    }

    /// Returns the coefficient of restitution of one component of a block; 0 without restitution.
    pub(crate) fn restitution(&self, component: usize) -> f64 {
        match self {
            Self::NewtonImpact(law) => law.restitution(),
            Self::NewtonImpactFriction(law) if component == 0 => law.restitution(),
            Self::NewtonImpactFriction(law) if component < law.dimension() => law.tangential_restitution(),
            _ => 0.0,
        }
    }

    /// Returns the maximum tension \[N\] that a contact with this law withstands.
    pub(crate) fn cohesion(&self) -> f64 {
        self.friction().map_or(0.0, NewtonImpactFriction::cohesion)
    }
}

impl HasParts for NonSmoothLaw {
    fn parts(&self) -> PartList<'_> {
        let mut parts = PartList::of(self.description().name);
        match self {
            Self::Complementarity(law) => parts.count("size", law.size()),
            Self::Equality(law) => parts.count("size", law.size()),
            Self::NewtonImpact(law) => parts.number("restitution", law.restitution()),
            Self::MultipleImpact(law) => {
                parts.number("restitution", law.restitution());
                parts.number("exponent", law.exponent());
                parts.number("stiffness", law.stiffness());
            }
            Self::NewtonImpactFriction(law) => {
                parts.count("dimension", law.dimension());
                parts.number("restitution", law.restitution());
                parts.number("tangential restitution", law.tangential_restitution());
                parts.number("mu", law.mu());
                law.mu_rolling().iter().for_each(|mu| parts.number("mu of rolling", *mu));
                // Not listed if 0, so that older snapshots, which have no cohesion, still match.
                if law.cohesion() != 0.0 {
                    parts.number("cohesion", law.cohesion());
                }
            }
            Self::MixedComplementarity(law) => {
                parts.count("number of equalities", law.equalities());
                parts.count("size", law.size());
            }
            Self::Relay(law) => return law.parts(),
            Self::Spring(law) => {
                parts.number("stiffness", law.stiffness());
                parts.number("damping", law.damping());
            }
            Self::NormalCone(law) => {
                parts.dense("H", law.polyhedron().h());
                parts.vector("k", law.polyhedron().k());
            }
            Self::Cone(law) => parts.word("sizes of the cones", format!("{:?}", law.cones())),
        }
        parts
    }

    fn origins_mut(&mut self) -> Vec<&mut Origin> {
        match self {
            Self::Relay(law) => law.origins_mut(),
            _ => Vec::new(),
        }
    }
}
