//! The impact law of Liu, Zhao and Brogliato.

use crate::multiple_impact::ImpactContact;
use serde::{Deserialize, Serialize};
use siconos_numerics::SettingsError;

use super::description::{LawDescription, Refusals, RowLaw};
use crate::model::ModelError;
use crate::model::Refusal;

/// A unilateral contact whose impacts follow what happens within them: each contact that touches is a spring
/// that gives back the part $e^2$ of the energy of its compression, so that a blow passes through a row of
/// bodies as it does in experiments. Otherwise it is a contact as with
/// [`NewtonImpact`](crate::model::NewtonImpact), to which it is equal where contacts are hit one at a time.
///
/// For event-driven simulations of Lagrangian systems; all contacts of a model that open and close have to
/// have this law. The equations, and the reference, are those of
/// [`multiple_impact`](crate::multiple_impact); equalities hold within the impact as well.
///
/// ```
/// use siconos_kernel::model::MultipleImpact;
///
/// // Steel balls: Hertz's law of contact.
/// let law = MultipleImpact::new(0.95)?.with_exponent(1.5)?.with_stiffness(2e10)?;
/// assert_eq!((law.restitution(), law.exponent(), law.stiffness()), (0.95, 1.5, 2e10));
/// # Ok::<(), siconos_kernel::ModelError>(())
/// ```
#[doc(alias = "MultipleImpactNSL")]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "ImpactContact", into = "ImpactContact")]
pub struct MultipleImpact(ImpactContact);

impl From<MultipleImpact> for ImpactContact {
    fn from(law: MultipleImpact) -> Self {
        law.0
    }
}

impl TryFrom<ImpactContact> for MultipleImpact {
    type Error = ModelError;

    fn try_from(contact: ImpactContact) -> Result<Self, ModelError> {
        Self(contact).checked()
    }
}

impl MultipleImpact {
    pub(super) const DESCRIPTION: LawDescription = LawDescription {
        name: "MultipleImpact",
        rows: RowLaw::Complementarity,
        opens: true,
        is_force: false,
        refused: Refusals {
            time_stepping: Some(Refusal::new("impacts by compression", "take NewtonImpact, or EventDriven")),
            ..Refusals::of_impact_law()
        },
    };

    /// The law with the energetic coefficient of restitution e; linear contacts, all equally stiff.
    ///
    /// # Errors
    ///
    /// [`ModelError::ImpactContact`] when `e` is not between 0 and 1.
    pub fn new(e: f64) -> Result<Self, ModelError> {
        Self(ImpactContact { stiffness: 1.0, exponent: 1.0, restitution: e }).checked()
    }

    fn checked(self) -> Result<Self, ModelError> {
        match self.0.validate() {
            Err(SettingsError::OutOfRange { name, value, must_be }) => {
                Err(ModelError::ImpactContact { what: name, value, range: must_be })
            }
            Ok(()) => Ok(self),
        }
    }

    /// The stiffness K in $F = K \delta^\eta$ \[N/m^eta\]. Default 1: of contacts with equal exponents only
    /// ratios matter.
    ///
    /// # Errors
    ///
    /// [`ModelError::ImpactContact`] for a number that is not above 0.
    pub fn with_stiffness(mut self, stiffness: f64) -> Result<Self, ModelError> {
        self.0.stiffness = stiffness;
        self.checked()
    }

    /// The exponent $\eta$. Default 1, of a linear contact; 3/2 is Hertz's.
    ///
    /// # Errors
    ///
    /// [`ModelError::ImpactContact`] for a number below 1.
    pub fn with_exponent(mut self, exponent: f64) -> Result<Self, ModelError> {
        self.0.exponent = exponent;
        self.checked()
    }

    /// The coefficient of restitution.
    #[must_use]
    pub fn restitution(&self) -> f64 {
        self.0.restitution
    }

    /// The exponent of the force.
    #[must_use]
    pub fn exponent(&self) -> f64 {
        self.0.exponent
    }

    /// The stiffness.
    #[must_use]
    pub fn stiffness(&self) -> f64 {
        self.0.stiffness
    }
}
