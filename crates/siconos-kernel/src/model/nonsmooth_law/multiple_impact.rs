//! Multiple-impact law of Liu, Zhao and Brogliato.

use crate::multiple_impact::ImpactContact;
use serde::{Deserialize, Serialize};
use siconos_numerics::SettingsError;

use super::description::{LawDescription, Refusals, RowLaw};
use crate::model::ModelError;
use crate::model::Refusal;

/// Unilateral contact with the multiple-impact law. During an impact, each closed contact is a spring that
/// returns the fraction $e^2$ of the energy of its compression, so an impact propagates through a row of
/// bodies as in experiments. At all other times, the contact behaves as with
/// [`NewtonImpact`](crate::model::NewtonImpact); both laws agree if contacts are hit one at a time.
///
/// The law is supported in event-driven simulations of Lagrangian systems. All unilateral contacts of a model
/// must have this law. The equations and the reference are listed in
/// [`multiple_impact`](crate::multiple_impact). Equality conditions also hold during the impact.
///
/// ```
/// use siconos_kernel::model::MultipleImpact;
///
/// // Steel balls with Hertz's contact law.
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
            time_stepping: Some(Refusal::new("impacts by compression", "use NewtonImpact, or EventDriven")),
            ..Refusals::of_impact_law()
        },
    };

    /// Creates the law with the energetic coefficient of restitution e. The contact is linear and has a
    /// stiffness of 1.
    ///
    /// # Errors
    ///
    /// If `e` is not between 0 and 1 ([`ModelError::ImpactContact`]).
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

    /// Sets the stiffness K in $F = K \delta^\eta$ \[N/m^eta\]. Default: 1. If all contacts have equal
    /// exponents, only the ratios of the stiffnesses matter.
    ///
    /// # Errors
    ///
    /// If the stiffness is not positive ([`ModelError::ImpactContact`]).
    pub fn with_stiffness(mut self, stiffness: f64) -> Result<Self, ModelError> {
        self.0.stiffness = stiffness;
        self.checked()
    }

    /// Sets the exponent $\eta$. Default: 1, a linear contact. Hertz's contact law has the exponent 3/2.
    ///
    /// # Errors
    ///
    /// If the exponent is below 1 ([`ModelError::ImpactContact`]).
    pub fn with_exponent(mut self, exponent: f64) -> Result<Self, ModelError> {
        self.0.exponent = exponent;
        self.checked()
    }

    /// Returns the energetic coefficient of restitution.
    #[must_use]
    pub fn restitution(&self) -> f64 {
        self.0.restitution
    }

    /// Returns the exponent of the force.
    #[must_use]
    pub fn exponent(&self) -> f64 {
        self.0.exponent
    }

    /// Returns the stiffness \[N/m^eta\].
    #[must_use]
    pub fn stiffness(&self) -> f64 {
        self.0.stiffness
    }
}
