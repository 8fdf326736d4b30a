//! Arguments of the equations and the roots of a hybrid system.

use std::ops::Index;

use super::DiscreteId;
use siconos_kernel::model::At;

/// Arguments of right-hand sides, algebraic equations and roots: the time with the parameters, the continuous
/// variables and the discrete variables. There are no previous values, because these are defined only at
/// events.
///
/// ```
/// use siconos_hybrid::{DiscreteId, HybridSystem, VariableType, View};
///
/// // A heater is on or off: T' = -T + 2 u.
/// const ON: DiscreteId = DiscreteId::new(0);
/// let mut room = HybridSystem::first_order(["T"], |p: View, rate: &mut [f64]| rate[0] = -p.x[0] + 2.0 * p[ON])?;
/// assert_eq!(room.discrete("on", VariableType::Boolean, true)?, ON);
/// # Ok::<(), siconos_hybrid::HybridError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// Time `at.t` \[s\], and the values of a parameter, `at[parameter]`.
    pub at: At<'a>,
    /// Continuous variables: the states followed by the algebraic variables.
    pub x: &'a [f64],
    /// Discrete variables in the order of declaration; booleans are 1 or 0.
    pub discrete: &'a [f64],
}

impl<'a> View<'a> {
    /// Returns the values of all parameters, concatenated in the order of declaration. Their positions can be
    /// used before the parameters are declared, unlike the ids of parameters.
    #[must_use]
    pub fn parameters(&self) -> &'a [f64] {
        self.at.parameters().values()
    }

    /// Returns the time \[s\].
    #[must_use]
    pub fn t(&self) -> f64 {
        self.at.t
    }

    /// Returns `true` if a boolean variable is true.
    ///
    /// # Panics
    ///
    /// If the system has no such variable, which is a programming error.
    #[must_use]
    #[track_caller]
    pub fn is(&self, id: DiscreteId) -> bool {
        self[id] != 0.0
    }
}

impl Index<DiscreteId> for View<'_> {
    type Output = f64;

    /// Returns the value of a discrete variable.
    ///
    /// # Panics
    ///
    /// If the system has no such variable, which is a programming error.
    #[track_caller]
    fn index(&self, id: DiscreteId) -> &f64 {
        &self.discrete[id.0]
    }
}
