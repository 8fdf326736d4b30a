//! State of a solution at the most recent restart of the integration.

use serde::{Deserialize, Serialize};
use siconos_ode::{Crossing, IntegratorState, ZeroBand};

use super::answer::Direction;
use super::required::Pair;
use siconos_kernel::engine::ImpactHistory;

/// Number of firings of an event, and the time of the last firing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Firings {
    /// Number of firings.
    pub count: u64,
    /// Time of the last firing \[s\], or `None` if the event has not fired.
    pub last: Option<f64>,
}

/// State of a guard at a restart: whether it is monitored, and the band in which it counts as zero.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct WatchedGuard {
    pub(super) is_active: bool,
    pub(super) band: Option<ZeroBand>,
}

/// All values on which the solution after a restart depends.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Restart {
    pub(super) t: f64,
    /// Time \[s\] of the last instant at which events fired.
    pub(super) instant: f64,
    pub(super) direction: Option<Direction>,
    pub(super) values: Vec<f64>,
    pub(super) parameters: Vec<f64>,
    pub(super) enabled: Vec<bool>,
    pub(super) last_fired: Vec<Option<f64>>,
    pub(super) histories: Vec<ImpactHistory>,
    pub(super) firings: Vec<Firings>,
    pub(super) pairs: Vec<Pair>,
    pub(super) guards: Vec<WatchedGuard>,
    pub(super) awaited: Vec<Option<(Crossing, f64)>>,
    pub(super) carried: IntegratorState,
}
