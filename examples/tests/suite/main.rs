//! The examples against what is known of their motion.

mod bodies;
mod bouncing_ball;
mod cam_follower;
mod cam_follower_contacts;
mod cam_follower_events;
mod cam_follower_sweep;
mod jacobians;
mod model_files;
mod model_resume;
mod process_files;
mod scenarios_written;
mod spinning_disk;
mod sweeping;
