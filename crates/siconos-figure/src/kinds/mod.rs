//! Figures that are common in the study of nonsmooth motion, each created from its data by one function.
//!
//! | kind | contents |
//! | --- | --- |
//! | [`time_series`] | quantities over time, with their jumps |
//! | [`phase_portrait`] | one quantity of a motion against another |
//! | [`poincare_map`], [`impact_map`] | a motion sampled once per period, or at each impact |
//! | [`bifurcation`] | long-term values of a motion against a parameter |
//! | [`energy`] | the components of an energy and their sum |
//! | [`gap_and_impulse`] | gaps of contacts, and their impulses |
//! | [`convergence`] | errors against step sizes, with reference lines for the orders of convergence |
//! | [`performance_profile`] | comparison of methods over many problems |
//!
//! Each function returns one or two [`Panel`](crate::Panel)s, which can be changed before they are added to a
//! [`Figure`](crate::Figure): fields such as `title`, `y_label` or `x_scale` are public.
//!
//! Up to 35 curves of one panel differ in colour or dashes. More curves are drawn as a family, in colours
//! from blue to orange, and only some of them are named. If the panel has at least [`MANY`] named curves, the
//! legend is next to the panel.

mod bifurcation;
mod convergence;
mod energy;
mod family;
mod gap;
mod map;
mod motion;
mod phase;
mod profile;
mod stroboscope;
mod time;

pub use bifurcation::bifurcation;
pub use convergence::{convergence, measured_order};
pub use energy::energy;
pub use family::{MANY, SPARSE};
pub use gap::{Contact, gap_and_impulse};
pub use map::{impact_map, poincare_map};
pub use phase::{Orbit, phase_portrait};
pub use profile::{Profile, performance_profile};
pub use stroboscope::{Stroboscope, once_per_period};
pub use time::time_series;

/// Points of a curve or a cloud, in order.
pub type Points = Vec<(f64, f64)>;
