//! Events: times at which a simulation has to act, and the manager that keeps them in order.
//!
//! An event is a point of the time discretisation, a nonsmooth event located by root finding (an impact, a
//! take-off), or a user event: a sensor that samples, an actuator that sets an input, an observer, or any
//! other user event. Events are ordered by integer [`Tick`]s, so that the rounding of sums does not decide
//! whether two times are equal. In addition to its tick, an event keeps its time in full precision.
//!
//! **Events that are closer than the gap take place together**, as one group with one tick:
//!
//! 1. A user event within the gap of a grid point takes place at this point.
//! 2. A group takes place at the earliest scheduled event, which is a user event or a grid point. If the
//!    earliest nonsmooth event is earlier by more than the gap, the group takes place at this event. All
//!    events up to one gap later belong to the group.
//! 3. Within a group, events are ordered by [`EventKind`], and events of equal kind by the order in which
//!    they were scheduled.
//! 4. Scheduled events take the time of the group; nonsmooth events keep the located root.
//!
//! The groups therefore do not depend on the order in which events were scheduled. The gap is
//! [`EventSettings::gap`], and never less than $4 \epsilon |t|$ (4 times 2.2e-16 times the time), because two
//! ways to compute one time, such as 3 times 0.1 and 0.3, can differ by this amount.
//!
//! Events can be scheduled at the first point of the grid as long as no event has been processed. They take
//! place before the motion starts. A simulation reports them separately, at $t_0$, before its first step.

pub(crate) mod error;
mod event;
mod manager;
mod process;
mod queue;
mod tick;

pub use event::{Event, EventId, EventKind};
pub use manager::{EventSettings, EventsManager};
pub use tick::Tick;
