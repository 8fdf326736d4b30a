//! Exact motions with impacts, and exact solutions of switched linear systems.
//!
//! | item | contents |
//! |---|---|
//! | [`BouncingBall`] | a point mass above a floor, in closed form, also after the accumulation of impacts |
//! | [`Oscillator`] | the flow of $m \ddot u + d \dot u + k u = f$, in closed form |
//! | [`ImpactOscillator`] | an oscillator above a moving obstacle, with impact times up to rounding |
//! | [`Cam`] | the cam of the cam-follower example, as an obstacle |
//! | [`ContactMotion`] | an impact oscillator with phases of persistent contact |
//! | [`WallOscillator`], [`RockingBlock`], [`PendulumWithStop`] | one degree of freedom with a stop |
//! | [`Pendulum`] | the plane pendulum by Jacobi's elliptic functions |
//! | [`Cradle`] | equal balls in a row, colliding two at a time; [`simultaneous_impact`] if they touch |
//! | [`OscillatingTable`], [`Dome`] | loss of contact without an impact |
//! | [`LinearFlow`] | the flow of $x' = A x + b$, in closed form or by the matrix exponential |
//! | [`Switched`] | a piecewise affine system with event times up to rounding, evaluated by [`Trajectory`] |
//! | [`Rlcd`], [`DiodeBridge`], [`FilteredBridge`] | circuits with diodes, as complementarity systems |
//! | [`SoftStop`] | an oscillator with a soft stop, whose solution is of class $C^1$ |
//! | [`PushedPoint`], [`StaircaseTank`] | sweeping processes with continuous solutions, or with jumps |
//! | [`StraightRelay`], [`FilippovSpiral`], [`FrictionOscillator`] | relay systems in closed form |
//! | [`RelayFeedback`] | a linear system with a relay: sliding, fast switches, limit cycles |
//! | [`state_jump`](state_jump()) | the jump of a passive complementarity system at an inconsistent state |
//! | [`hybrid`] | event times of hybrid systems, in closed form |
//!
//! No item uses time-stepping. All results are exact up to rounding and the location of events.

mod affine;
mod bouncing_ball;
mod cam;
mod contact_motion;
mod cradle;
mod diode_bridge;
mod elliptic;
mod filtered_bridge;
pub mod hybrid;
mod impact_oscillator;
mod linear_flow;
mod motion;
mod oscillator;
mod pendulum;
mod relay;
mod relay_feedback;
mod rlcd;
mod rocking_block;
mod root;
mod small;
mod soft_stop;
mod state_jump;
mod sweeping;
mod switched;
mod take_off;
mod trajectory;
mod wall_oscillator;

pub use affine::{Affine, LinearModel};
pub use bouncing_ball::BouncingBall;
pub use cam::Cam;
pub use contact_motion::{ContactMotion, Phase};
pub use cradle::{Collision, Cradle, simultaneous_impact};
pub use diode_bridge::DiodeBridge;
pub use elliptic::{complete_elliptic, jacobi};
pub use filtered_bridge::FilteredBridge;
pub use impact_oscillator::{ImpactOscillator, Obstacle, Scan, Until};
pub use linear_flow::LinearFlow;
pub use motion::{Arc, End, Impact, ImpactMotion};
pub use oscillator::Oscillator;
pub use pendulum::{Pendulum, PendulumWithStop};
pub use relay::{FilippovSpiral, FrictionOscillator, StraightRelay};
pub use relay_feedback::{LimitCycle, RelayFeedback};
pub use rlcd::Rlcd;
pub use rocking_block::RockingBlock;
pub use soft_stop::SoftStop;
pub use state_jump::{StateJump, impulse_rays, state_jump};
pub use sweeping::{PushedPoint, StaircaseTank};
pub use switched::{Mode, Switched};
pub use take_off::{Dome, OscillatingTable};
pub use trajectory::{Piece, SwitchedEnd, Trajectory};
pub use wall_oscillator::WallOscillator;
