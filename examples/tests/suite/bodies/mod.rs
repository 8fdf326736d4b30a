//! Comparison of the examples of rigid bodies and joints with known properties of their motion.

mod chain_of_joints;
mod heavy_top;
mod newton_euler_ball;
mod scenes;
mod slider_crank_clearance;
mod tippe_top;
