//! When a component is sampled.

/// When a sensor, an observer or an actuator is sampled: at `first + k period`, k = 0, 1, 2, ..
///
/// Each time is computed from k, so that times do not drift. Components of one loop may have periods of their
/// own. Numbers that cannot be scheduled are refused by
/// [`ControlLoop::schedule`](super::ControlLoop::schedule).
///
/// ```
/// use siconos_control::Sampling;
///
/// let every_millisecond = Sampling { first: 0.0, period: 1e-3 };
/// assert_eq!(Sampling::every(1e-3), every_millisecond);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// The time of the first sample \[s\], not before the first point of the grid.
    pub first: f64,
    /// The time from one sample to the next \[s\], above 0.
    pub period: f64,
}

impl Sampling {
    /// From t = 0 on, with a period \[s\].
    #[must_use]
    pub const fn every(period: f64) -> Self {
        Self { first: 0.0, period }
    }
}
