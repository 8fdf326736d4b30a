//! The examples against what is known of their motion.

mod bodies;
mod cam_follower_sweep;
mod jacobians;
mod model_files;
mod model_resume;
mod process_files;
mod scenarios_written;
mod sweeping;
