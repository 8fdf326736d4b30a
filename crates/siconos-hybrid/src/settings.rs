//! Settings of the integration of a hybrid system.

use serde::{Deserialize, Serialize};
use siconos_ode::{OdeSettings, Tolerance};

use siconos_kernel::SettingsError;
use siconos_kernel::engine::{check_number, check_positive};
use siconos_kernel::simulation::{AccumulationCriterion, EventSettings, Tick};

/// Definition of `pre`, the value of a variable with which its current value is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventPre {
    /// Value at the start of the current pass over the events.
    #[default]
    Iteration,
    /// Value at the start of the event iteration. It never changes during the iteration.
    Initial,
    /// Value before the last assignment to the variable since the start of the iteration.
    Assignment,
    /// Value before the last assignment that changed the variable since the start of the iteration.
    Change,
}

/// Condition for another pass over the events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventIterate {
    /// An event fired in the last pass.
    #[default]
    Trigger,
    /// After the pass, a discrete or continuous variable differs from its [`pre`](EventPre). The effect
    /// depends on [`EventPre`]. With [`Initial`](EventPre::Initial), a changed variable differs until it
    /// returns to its value at the start of the iteration. With [`Change`](EventPre::Change), a changed
    /// variable differs until the iteration ends. With [`Assignment`](EventPre::Assignment), a changed
    /// variable differs until its current value is assigned to it again.
    #[serde(rename = "prechange")]
    PreChange,
}

/// Settings of a [`HybridSolution`](super::HybridSolution). The event settings are named after the event
/// options of `dsolve` in computer algebra.
///
/// The defaults suit motions that last a few seconds, with states of the order of 1. For shorter motions, use
/// [`for_span`](Self::for_span). For a state that always stays below about a thousand times its
/// [absolute tolerance](OdeSettings::absolute_tolerance), set a smaller absolute tolerance.
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
    /// Settings of the integrator and of event location. Default: [`OdeSettings::default`] with tolerances of
    /// 1e-12. If the method is [`Auto`](siconos_ode::Method::Auto), systems with a mass matrix or algebraic
    /// equations are integrated by [`Method::Stiff`](siconos_ode::Method::Stiff).
    pub ode: OdeSettings,
    /// Maximum number of passes over the events at one instant, which ends endless loops of events. Default:
    /// 100. Must be at least 1.
    pub event_maxiter: usize,
    /// Condition for another pass over the events. Default: [`EventIterate::Trigger`].
    pub event_iterate: EventIterate,
    /// Definition of `pre`. Default: [`EventPre::Iteration`].
    pub event_pre: EventPre,
    /// `true` if an event iteration takes place at the start, and each time the integration resumes after a
    /// halt. Default: `false`.
    pub event_initial: bool,
    /// If a trigger crosses zero and crosses back within this time \[s\], it fires at neither crossing.
    /// Default: 0, so all roots fire.
    #[doc(alias = "event_doublecross")]
    pub double_cross: f64,
    /// Criterion for the accumulation of events. Default: the criterion that is used for impacts.
    pub accumulation: AccumulationCriterion,
    /// `true` if the trajectory is recorded. Otherwise only the current point can be read. Default: `true`.
    pub record: bool,
    /// Tick and gap that determine whether two times count as one instant.
    pub instant: EventSettings,
    /// Period of additional restarts of the integration \[s\], counted from the initial time. Must be
    /// positive. Default: `None`, so the integration restarts only when a value has changed. A
    /// [resumed](super::HybridSolution::resume) solution continues from the last restart, so this setting
    /// limits the time that is integrated again. A step ends at each restart, so the last digits of the
    /// solution depend on this setting.
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
    /// Returns the default settings for an integration over `span` seconds. If the span is less than one
    /// second, the root tolerance, the tick of an instant and the window of an accumulation are multiplied by
    /// the span in seconds. With the unscaled values, a short motion would count as one instant.
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
        check_number("double_cross", self.double_cross, is_length, "finite and nonnegative")?;
        check_positive("tick", self.instant.tick)?;
        self.restart_every.map_or(Ok(()), |every| check_positive("restart_every", every))?;
        self.accumulation.validate()
    }
}

/// Returns `true` if two times \[s\] count as one instant.
pub(super) fn is_one_instant(settings: &EventSettings, a: f64, b: f64) -> bool {
    let tick = |t| Tick::of_time(t, settings.tick);
    a == b || matches!((tick(a), tick(b)), (Ok(tick_a), Ok(tick_b)) if settings.is_near(tick_a, a, tick_b, b))
}
