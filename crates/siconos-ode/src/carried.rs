//! State of an integrator that is preserved in a restart.

use serde::{Deserialize, Serialize};

use super::guards::GuardScanner;
use super::integrator::Integrator;
use super::{Method, Statistics};

/// State of an [`Integrator`] that a [restart](Integrator::restart) preserves in addition to the time and the
/// state vector: the method in use, the guards that fired at that time, and the counts.
///
/// If a new integrator, for example in another process, [recalls](Integrator::recall) this state before the
/// restart, it continues the integration bit for bit.
///
/// ```
/// use siconos_ode::{Advance, IntegratorState, Crossing, Integrator, OdeFunctions, OdeSettings};
///
/// // A ball is reflected by one integrator, and by a second one that continues after the impact.
/// let mut ball = OdeFunctions::new(2, |_t, x: &[f64], f: &mut [f64]| (f[0], f[1]) = (x[1], -10.0))
///     .with_guards(vec![Crossing::Falling], |_t, x: &[f64], g: &mut [f64]| g[0] = x[0]);
/// let mut first = Integrator::new(OdeSettings::default())?;
/// first.restart(0.0, &[1.0, 0.0])?;
/// let Advance::Roots { t, .. } = first.advance(&mut ball, 1.0)? else { panic!("it falls") };
/// let after = [first.x()[0], -first.x()[1]];
/// first.restart(t, &after)?;
/// let mut carried = IntegratorState::default();
/// first.save_into(&mut carried);
///
/// let mut second = Integrator::new(OdeSettings::default())?;
/// second.recall(t, &carried);
/// second.restart(t, &after)?;
/// let _ = (first.advance(&mut ball, t + 0.1)?, second.advance(&mut ball, t + 0.1)?);
/// assert_eq!((first.x(), first.statistics()), (second.x(), second.statistics()));
/// # Ok::<(), siconos_ode::OdeError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct IntegratorState {
    /// Method of the next step. [`Method::Auto`] if no method has been chosen; an integrator that recalls
    /// this state then keeps its own method.
    pub method: Method,
    /// Indices of the guards that fired at the time of the restart.
    pub fired: Vec<usize>,
    /// Counts up to the restart.
    pub statistics: Statistics,
}

impl Integrator {
    /// Writes to `carried` the state that a restart at the current time preserves.
    pub fn save_into(&self, carried: &mut IntegratorState) {
        carried.method = self.steppers.current();
        self.watch.save_into(self.t, &mut carried.fired);
        carried.statistics = self.statistics;
    }

    /// Copies the state of another integrator that has the same settings. It must be called before a restart
    /// at `t` \[s\]. A method that the settings do not allow is ignored, and so are guards that the system
    /// does not have.
    pub fn recall(&mut self, t: f64, carried: &IntegratorState) {
        self.steppers.recall(carried.method);
        self.watch.recall(t, &carried.fired);
        self.statistics = carried.statistics;
    }
}

impl GuardScanner {
    /// Writes the guards that fired at time `t` \[s\] to `fired`. These guards count as zero if the search is
    /// [restarted](Self::restart) at that time. If the last root is at a different time, `fired` is empty.
    pub fn save_into(&self, t: f64, fired: &mut Vec<usize>) {
        fired.clear();
        if self.root == Some(t) {
            fired.extend(self.fired.iter().map(|fired| fired.guard));
        }
    }
}
