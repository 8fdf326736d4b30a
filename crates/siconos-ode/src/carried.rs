//! What an integrator carries over a restart.

use serde::{Deserialize, Serialize};

use super::guards::GuardWatch;
use super::integrator::Integrator;
use super::{Method, Statistics};

/// What an [`Integrator`] knows behind a [restart](Integrator::restart) besides the time and the state: the
/// method that it has come to, the guards that fired at that time, and its counts.
///
/// An integrator that was made anew, in another process say, goes on to the same bits when it
/// [recalls](Integrator::recall) this before the restart.
///
/// ```
/// use siconos_ode::{Advance, IntegratorState, Crossing, Integrator, OdeFunctions, OdeSettings};
///
/// // A ball that is reflected, by an integrator, and by one that takes over at the impact.
/// let mut ball = OdeFunctions::new(2, |_t, x: &[f64], f: &mut [f64]| (f[0], f[1]) = (x[1], -10.0))
///     .with_guards(vec![Crossing::Falling], |_t, x: &[f64], g: &mut [f64]| g[0] = x[0]);
/// let mut first = Integrator::new(OdeSettings::default())?;
/// first.restart(0.0, &[1.0, 0.0])?;
/// let Advance::Roots { t, .. } = first.advance(&mut ball, 1.0)? else { panic!("it falls") };
/// let after = [first.x()[0], -first.x()[1]];
/// first.restart(t, &after)?;
/// let mut carried = IntegratorState::default();
/// first.carry_into(&mut carried);
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
    /// The method of the next step. [`Method::Auto`] where there is no choice: the integrator keeps its own.
    pub method: Method,
    /// The guards that fired at the time of the restart.
    pub fired: Vec<usize>,
    /// The counts up to there.
    pub statistics: Statistics,
}

impl Integrator {
    /// Writes down what is carried over a restart at the current time.
    pub fn carry_into(&self, carried: &mut IntegratorState) {
        carried.method = self.steppers.current();
        self.watch.carry_into(self.t, &mut carried.fired);
        carried.statistics = self.statistics;
    }

    /// Takes over what another integrator with the same settings carries over a restart at `t` \[s\], which
    /// is to follow. A method that these settings do not choose from, and guards that the system does not
    /// have, count for nothing.
    pub fn recall(&mut self, t: f64, carried: &IntegratorState) {
        self.steppers.recall(carried.method);
        self.watch.recall(t, &carried.fired);
        self.statistics = carried.statistics;
    }
}

impl GuardWatch {
    /// Writes down the guards that fired at a time \[s\], which count as zero where it is [begun
    /// anew](Self::restart) there; none where the last root is at another time.
    pub fn carry_into(&self, t: f64, fired: &mut Vec<usize>) {
        fired.clear();
        if self.root == Some(t) {
            fired.extend(self.fired.iter().map(|fired| fired.guard));
        }
    }
}
