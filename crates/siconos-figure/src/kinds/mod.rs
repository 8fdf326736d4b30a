//! The kinds of figures that the study of nonsmooth motion asks for, each made of its data by one function.
//!
//! | kind | shows |
//! | --- | --- |
//! | [`time_series`] | quantities over time, their jumps as jumps |
//! | [`phase_portrait`] | one quantity of a motion over another, without the time |
//! | [`poincare_map`], [`impact_map`] | a motion seen at single instants: once per period, or at each impact |
//! | [`bifurcation`] | what a motion settles on, over a parameter |
//! | [`energy`] | the parts of an energy and their sum |
//! | [`gap_and_impulse`] | contacts: their gaps, and what acts while they are closed |
//! | [`convergence`] | errors over steps, with lines of the orders that they should have |
//! | [`performance_profile`] | methods against each other over many problems |
//!
//! Each returns a [`Panel`](crate::Panel), some two, which may be changed before they go into a
//! [`Figure`](crate::Figure): fields such as `title`, `y_label` or `x_scale` are public.
//!
//! Curves of one panel differ in colour and dashes, up to 35 of them; more are a family, in colours from
//! blue to orange, of which some have names. From [`MANY`] curves on the names stand beside the panel.

mod bifurcation;
mod convergence;
mod energy;
mod family;
mod gap;
mod map;
mod motion;
mod phase;
mod profile;
mod time;

pub use bifurcation::bifurcation;
pub use convergence::{convergence, measured_order};
pub use energy::energy;
pub use family::MANY;
pub use gap::{Contact, gap_and_impulse};
pub use map::{impact_map, once_per_period, poincare_map};
pub use phase::{Orbit, phase_portrait};
pub use profile::{Profile, performance_profile};
pub use time::time_series;

/// Points of a curve or a cloud, in the order in which they come.
pub type Points = Vec<(f64, f64)>;
