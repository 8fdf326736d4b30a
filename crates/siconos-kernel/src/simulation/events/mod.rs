//! Events: the instants at which something is to be done, and the manager that keeps them in order.
//!
//! An event is a point of the time discretisation, a nonsmooth event that root finding has located (an
//! impact, a take-off), or one of the user: a sensor that samples, an actuator that sets an input, an
//! observer, or any other. Their order is that of integer [`Tick`]s, so that two instants are the same or
//! they are not, whatever a sum rounds to; beside its tick an event keeps its time in full precision.
//!
//! **Events that are closer than the gap take place together**, as one group with one tick:
//!
//! 1. An event of the user within the gap of a grid point takes place at that point.
//! 2. A group stands at the earliest scheduled event, of user or grid, or at the earliest nonsmooth one if
//!    that comes sooner by more than the gap; everything up to a gap later belongs to it.
//! 3. In a group the order is that of [`EventKind`], and among equal kinds that in which they were scheduled.
//! 4. Scheduled events of a group have its time; nonsmooth ones keep the root that was located.
//!
//! Events may be scheduled at the first point of the grid as long as nothing has been processed; they take
//! place before anything moves. A simulation reports them by themselves, at $t_0$, before its first step.
//!
//! So the outcome does not depend on the order in which events were scheduled. The gap is
//! [`EventSettings::gap`], and never less than $4 \epsilon |t|$ (4 times 2.2e-16 times the time): by so much
//! two ways to compute one time, such as 3 times 0.1 and 0.3, may differ.

pub(crate) mod error;
mod event;
mod manager;
mod process;
mod queue;
mod tick;

pub use event::{Event, EventId, EventKind};
pub use manager::{EventSettings, EventsManager};
pub use tick::Tick;
