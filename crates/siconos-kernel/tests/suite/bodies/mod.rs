//! Rigid bodies.

mod contact_shapes;
mod coordinates;
mod couplers;
mod free;
mod friction;
mod heavy_load;
mod input;
mod jointed;
mod planar_joints;
mod redundant;
mod relations;
mod removed;
mod rolling;
mod rotation;
mod same_motion;
mod section_9;
mod singular_loop;
mod stops;
mod world;

use siconos_kernel::prelude::*;
use siconos_testkit::compare::worse;
use siconos_testkit::random::RandomState;

/// Draws a vector with entries of magnitude up to `size`.
fn vector(draw: &mut RandomState, size: f64) -> [f64; 3] {
    std::array::from_fn(|_| draw.between(-size, size))
}

fn orientation(draw: &mut RandomState) -> Quaternion {
    Quaternion(std::array::from_fn(|_| draw.between(-1.0, 1.0))).normalised()
}

/// Returns the largest distance between points that joints connect \[m\].
fn largest_gap(joints: &[InteractionId], state: &State) -> f64 {
    let of_joint = |joint: &InteractionId| {
        state.y(*joint, Level::Position)[..3].iter().fold(0.0, |gap, y| worse(gap, y.abs()))
    };
    joints.iter().map(of_joint).fold(0.0, worse)
}

/// Draws a body with random position, orientation and velocity.
fn body(draw: &mut RandomState) -> NewtonEuler {
    NewtonEuler::new(2.0, [1.0, 2.0, 2.5], vector(draw, 1.0), orientation(draw))
        .with_twist(vector(draw, 1.0), vector(draw, 1.0))
}
