//! Sampling times of a component.

/// Sampling times of a sensor, an observer or an actuator: `first + k period`, k = 0, 1, 2, ..
///
/// Each time is computed directly from k, so rounding errors do not accumulate. The components of a loop can
/// have different periods. [`ControlLoop::schedule`](super::ControlLoop::schedule) rejects times that cannot
/// be scheduled.
///
/// ```
/// use siconos_control::Sampling;
///
/// let every_millisecond = Sampling { first: 0.0, period: 1e-3 };
/// assert_eq!(Sampling::every(1e-3), every_millisecond);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// Time of the first sample \[s\]. It must not be before the first point of the time grid.
    pub first: f64,
    /// Time between two samples \[s\]. Must be positive.
    pub period: f64,
}

impl Sampling {
    /// Creates sampling times that start at t = 0 and have the given period \[s\].
    #[must_use]
    pub const fn every(period: f64) -> Self {
        Self { first: 0.0, period }
    }
}
