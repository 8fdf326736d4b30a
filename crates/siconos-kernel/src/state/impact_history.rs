//! What a state remembers of the impacts at a contact.

use serde::{Deserialize, Serialize};

use crate::model::{ModelError, check_finite};

/// The impacts at one contact, as far as they tell whether they accumulate. It is part of the state: a
/// simulation that is made anew goes on with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ImpactHistory {
    /// The time \[s\] of the last impact.
    pub last: Option<f64>,
    /// The interval \[s\] between it and the one before, where there was one at another time.
    pub interval: Option<f64>,
    /// The ratio of the last two intervals, 0 without one; it counts while they shrink.
    pub ratio: f64,
    /// The speed \[m/s\] at which the contact closed at the last impact.
    pub speed: f64,
    /// Impacts at shrinking intervals and shrinking speeds, the last included.
    pub shrinking: usize,
    /// The start \[s\] of the window in which impacts are counted.
    pub burst_start: Option<f64>,
    /// The number of impacts in it.
    pub burst_impacts: usize,
    /// Whether impacts have accumulated, and time steps are to follow.
    pub hands_over: bool,
}

impl ImpactHistory {
    /// Refuses what no impact can have left.
    pub fn check(&self) -> Result<(), ModelError> {
        let times = [self.last, self.interval, self.burst_start];
        let all = times.map(|time| time.unwrap_or(0.0));
        check_finite("times of impacts", &all)?;
        check_finite("impacts", &[self.ratio, self.speed])
    }
}
