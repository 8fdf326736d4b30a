//! Comparison of the examples with closed forms, invariants and published results.

mod allocation;
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

use siconos_testkit::allocation::CountingAllocator;

/// Counts allocations for each thread separately, so that concurrent tests do not affect each other.
#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;
