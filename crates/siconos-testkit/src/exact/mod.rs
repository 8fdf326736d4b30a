//! Motions with impacts whose exact course is known.
//!
//! | part | what |
//! |---|---|
//! | [`BouncingBall`] | a point mass above a floor, in closed form for all times, the accumulation included |
//! | [`Oscillator`] | the flow of $m \ddot u + d \dot u + k u = f$, in closed form |
//! | [`ImpactOscillator`] | that oscillator above a moving obstacle: arcs in closed form, impacts to rounding |
//! | [`Cam`] | the cam of the cam-follower example as such an obstacle |
//!
//! No time-stepping here: what these give is exact but for rounding and for the location of impacts.

mod bouncing_ball;
mod cam;
mod impact_oscillator;
mod motion;
mod oscillator;
mod root;

pub use bouncing_ball::BouncingBall;
pub use cam::Cam;
pub use impact_oscillator::{ImpactOscillator, Obstacle, Scan, Until};
pub use motion::{Arc, End, Impact, ImpactMotion};
pub use oscillator::Oscillator;
