//! What a user chooses of the integration of a hybrid system.

use serde::{Deserialize, Serialize};
use siconos_ode::{OdeSettings, Tolerance};

use siconos_kernel::SettingsError;
use siconos_kernel::engine::{check_number, check_positive};
use siconos_kernel::simulation::{AccumulationCriterion, EventSettings, Tick};

/// What `pre` of a variable is: the value that it had before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventPre {
    /// At the start of the present pass over the events.
    #[default]
    Iteration,
    /// At the start of the events at this time: it never changes during an iteration.
    Initial,
    /// Before the last assignment to the variable since the start of the events at this time.
    Assignment,
    /// Before the last assignment to the variable, since the start of the events at this time, that changed
    /// it.
    Change,
}

/// What makes the events be gone through again, from the beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventIterate {
    /// That an event fired in the last pass.
    #[default]
    Trigger,
    /// That a variable, discrete or continuous, differs from its [`pre`](EventPre) after the pass. With
    /// [`Initial`](EventPre::Initial) and [`Change`](EventPre::Change) a variable that has changed once
    /// differs for good, unless it is given its first value back, and with
    /// [`Assignment`](EventPre::Assignment) until it is assigned the value that it has.
    #[serde(rename = "prechange")]
    PreChange,
}

/// Settings of a [`HybridSolution`](super::HybridSolution). The names are those of the event system of
/// computer algebra. The defaults are for motions of seconds and states of the size of 1:
/// [`for_span`](Self::for_span) has those for shorter ones, and states that stay below some thousand
/// [absolute tolerances](OdeSettings::absolute_tolerance) need a smaller one.
///
/// ```
/// use siconos_hybrid::{EventPre, HybridSettings};
///
/// let settings = HybridSettings { event_pre: EventPre::Initial, ..HybridSettings::default() };
/// assert_eq!(settings.event_maxiter, 100);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HybridSettings {
    /// The smooth integration and the location of roots. Default: tolerances 1e-12, otherwise
    /// [`OdeSettings::default`]. Systems with a mass matrix or algebraic equations are integrated by
    /// [`Method::Stiff`](siconos_ode::Method::Stiff) where the method is
    /// [`Auto`](siconos_ode::Method::Auto).
    pub ode: OdeSettings,
    /// The largest number of passes over the events at one time. Default 100, at least 1: endless loops are
    /// surprisingly easy to write.
    pub event_maxiter: usize,
    /// What makes the events be gone through again. Default [`EventIterate::Trigger`].
    pub event_iterate: EventIterate,
    /// What `pre` is. Default [`EventPre::Iteration`].
    pub event_pre: EventPre,
    /// Whether the events are gone through at the start, and on each resumption after a halt. Default false.
    pub event_initial: bool,
    /// Roots of one trigger that follow each other by no more than this \[s\] do not fire. Default 0: all
    /// fire.
    #[doc(alias = "event_doublecross")]
    pub double_cross: f64,
    /// When events accumulate. Default as for impacts.
    pub accumulation: AccumulationCriterion,
    /// Whether the trajectory is kept. Default true; without, only the present point can be read.
    pub record: bool,
    /// What counts as one instant.
    pub instant: EventSettings,
    /// Begins the integration anew each so many seconds from the initial time on \[s\]. Above 0; default
    /// `None`: only where something has changed. A solution [goes on](super::HybridSolution::resume) from
    /// such points, so on long smooth stretches a record costs no more than one of these. The steps of the
    /// integrator end there, so the bits of the solution depend on it.
    pub restart_every: Option<f64>,
}

impl Default for HybridSettings {
    fn default() -> Self {
        let (relative_tolerance, absolute_tolerance) = (Tolerance::All(1e-12), Tolerance::All(1e-12));
        Self {
            ode: OdeSettings { relative_tolerance, absolute_tolerance, ..OdeSettings::default() },
            event_maxiter: 100,
            event_iterate: EventIterate::default(),
            event_pre: EventPre::default(),
            event_initial: false,
            double_cross: 0.0,
            accumulation: AccumulationCriterion::default(),
            record: true,
            instant: EventSettings::default(),
            restart_every: None,
        }
    }
}

impl HybridSettings {
    /// The defaults for an integration over a span of time \[s\]. Below one second, the lengths of time among
    /// them are fractions of the span: the root tolerance, the tick of an instant, and the window of an
    /// accumulation. As seconds they would take a short motion for one instant.
    ///
    /// ```
    /// use siconos_hybrid::HybridSettings;
    ///
    /// let settings = HybridSettings::for_span(2.0_f64.powi(-40));
    /// assert_eq!(settings.ode.root_tolerance, 2.0_f64.powi(-40) * HybridSettings::default().ode.root_tolerance);
    /// assert_eq!(HybridSettings::for_span(10.0), HybridSettings::default());
    /// ```
    #[must_use]
    pub fn for_span(span: f64) -> Self {
        let mut settings = Self::default();
        let fraction = span.abs();
        if fraction > 0.0 && fraction < 1.0 {
            settings.ode.root_tolerance = (fraction * settings.ode.root_tolerance).max(f64::MIN_POSITIVE);
            settings.instant.tick = (fraction * settings.instant.tick).max(f64::MIN_POSITIVE);
            settings.accumulation.window = (fraction * settings.accumulation.window).max(f64::MIN_POSITIVE);
        }
        settings
    }

    pub(super) fn validate(&self) -> Result<(), SettingsError> {
        check_number("event_maxiter", self.event_maxiter as f64, |count| count >= 1.0, "at least 1")?;
        let is_length = |value: f64| value.is_finite() && value >= 0.0;
        check_number("double_cross", self.double_cross, is_length, "finite and at least 0")?;
        check_positive("tick", self.instant.tick)?;
        self.restart_every.map_or(Ok(()), |every| check_positive("restart_every", every))?;
        self.accumulation.validate()
    }
}

/// Returns `true` if two times \[s\] are one instant.
pub(super) fn is_one_instant(settings: &EventSettings, a: f64, b: f64) -> bool {
    let tick = |t| Tick::of_time(t, settings.tick);
    a == b || matches!((tick(a), tick(b)), (Ok(tick_a), Ok(tick_b)) if settings.is_near(tick_a, a, tick_b, b))
}
