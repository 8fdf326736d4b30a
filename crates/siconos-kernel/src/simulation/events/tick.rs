//! Time in whole ticks.

use crate::simulation::EventError;

/// Time as a whole number of ticks. Events are ordered by their ticks.
///
/// The size of a tick is a setting of the events manager
/// ([`EventSettings::tick`](super::EventSettings::tick), default 1e-16 s). The count has 128 bits, which is
/// sufficient for times longer than the age of the universe.
///
/// ```
/// use siconos_kernel::simulation::Tick;
///
/// let size = 1e-16;
/// assert_eq!(Tick::of_time(1.5, size)?.count(), 15_000_000_000_000_000);
/// assert_eq!(Tick::of_time(0.1 + 0.2, 1e-12)?, Tick::of_time(0.3, 1e-12)?);
/// assert!(Tick::of_time(f64::NAN, size).is_err());
/// assert!(Tick::of_time(1e30, size).is_err());
/// # Ok::<(), siconos_kernel::EventError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tick(i128);

/// Maximum number of ticks: half of the range of `i128`, so that adding or subtracting a gap cannot overflow.
const LARGEST: f64 = (1_u128 << 126) as f64;

impl Tick {
    /// Tick later than every time that can be counted.
    pub(super) const NEVER: Self = Self(i128::MAX);

    /// Returns the tick nearest to a time \[s\], for ticks of a given size \[s\]. A later time never has an
    /// earlier tick.
    ///
    /// # Errors
    ///
    /// If the time is not finite: [`EventError::NotFinite`]. If it is beyond 2^126 ticks (8.5e21 s for the
    /// default size): [`EventError::OutOfRange`].
    pub fn of_time(time: f64, size: f64) -> Result<Self, EventError> {
        if !time.is_finite() {
            return Err(EventError::NotFinite { what: "time", value: time });
        }
        let count = (time / size).round();
        if count.abs() <= LARGEST {
            Ok(Self(count as i128))
        } else {
            Err(EventError::OutOfRange { time, tick: size, limit: LARGEST * size })
        }
    }

    /// Returns the time of the tick \[s\], for ticks of a given size \[s\].
    #[must_use]
    pub fn time(self, size: f64) -> f64 {
        self.0 as f64 * size
    }

    /// Returns the number of ticks from time 0.
    #[must_use]
    pub fn count(self) -> i128 {
        self.0
    }

    /// Returns the tick that is `ticks` ticks later.
    pub(super) fn plus(self, ticks: i128) -> Self {
        Self(self.0.saturating_add(ticks))
    }
}
