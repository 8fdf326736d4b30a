//! History of the impacts at a contact.

use serde::{Deserialize, Serialize};

use crate::model::{ModelError, check_finite};

/// Summary of the impacts at one contact, from which an accumulation of impacts is detected. It is part of
/// the state, so that a rebuilt simulation continues with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ImpactHistory {
    /// Time \[s\] of the last impact.
    pub last: Option<f64>,
    /// Interval \[s\] between the last two impacts, if they have different times.
    pub interval: Option<f64>,
    /// Last interval divided by the interval before it; 0 if there are fewer than two intervals. It is used
    /// only while the intervals shrink.
    pub ratio: f64,
    /// Closing speed \[m/s\] of the contact at the last impact.
    pub speed: f64,
    /// Number of successive impacts, up to and including the last one, at shrinking intervals and with
    /// decreasing speeds.
    pub shrinking: usize,
    /// Start \[s\] of the time window in which impacts are counted.
    pub burst_start: Option<f64>,
    /// Number of impacts in the window.
    pub burst_impacts: usize,
    /// `true` if impacts have accumulated and the simulation must continue with time steps.
    pub hands_over: bool,
}

impl ImpactHistory {
    /// Checks that all values are finite.
    pub fn check(&self) -> Result<(), ModelError> {
        let times = [self.last, self.interval, self.burst_start];
        let all = times.map(|time| time.unwrap_or(0.0));
        check_finite("times of impacts", &all)?;
        check_finite("impacts", &[self.ratio, self.speed])
    }
}
