//! What the equations and the roots of a hybrid system read.

use std::ops::Index;

use super::DiscreteId;
use siconos_kernel::model::At;

/// A point of the solution, as right-hand sides, algebraic equations and roots see it: the time with the
/// parameters, the continuous variables, the discrete ones. There is no past in it: what a variable was
/// before has no meaning outside events.
///
/// ```
/// use siconos_hybrid::{DiscreteId, HybridSystem, VariableType, View};
///
/// // A heater that is on or off: T' = -T + 2 u.
/// const ON: DiscreteId = DiscreteId::new(0);
/// let mut room = HybridSystem::first_order(["T"], |p: View, rate: &mut [f64]| rate[0] = -p.x[0] + 2.0 * p[ON])?;
/// assert_eq!(room.discrete("on", VariableType::Boolean, true)?, ON);
/// # Ok::<(), siconos_hybrid::HybridError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The time \[s\], `at.t`, and the values of parameters, `at[parameter]`.
    pub at: At<'a>,
    /// The continuous variables: states, and behind them algebraic variables.
    pub x: &'a [f64],
    /// The discrete variables in the order of their declaration; booleans are 1 or 0.
    pub discrete: &'a [f64],
}

impl<'a> View<'a> {
    /// The values of all parameters, one after the other in the order of declaration: known before the
    /// parameters are declared, as the ids of these are not.
    #[must_use]
    pub fn parameters(&self) -> &'a [f64] {
        self.at.parameters().values()
    }

    /// The time \[s\].
    #[must_use]
    pub fn t(&self) -> f64 {
        self.at.t
    }

    /// Whether a boolean variable is true.
    ///
    /// # Panics
    ///
    /// On an id of another system, which is an error of the program.
    #[must_use]
    #[track_caller]
    pub fn is(&self, id: DiscreteId) -> bool {
        self[id] != 0.0
    }
}

impl Index<DiscreteId> for View<'_> {
    type Output = f64;

    /// The value of a discrete variable.
    ///
    /// # Panics
    ///
    /// On an id of another system, which is an error of the program.
    #[track_caller]
    fn index(&self, id: DiscreteId) -> &f64 {
        &self.discrete[id.0]
    }
}
