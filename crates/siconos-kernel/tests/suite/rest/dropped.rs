//! Structures that are dropped.

use siconos_kernel::prelude::*;

use super::scene::GRAVITY;
use super::structures::Structure;

/// Height above the ground \[m\].
const HEIGHT: f64 = 0.01;

/// Bound of the velocities at rest, in units of g h.
const SPEED: f64 = 1e-6;

/// Simulation of a structure over a number of seconds. The structure must be at rest in the second half.
pub(super) struct Drop<'a> {
    pub(super) structure: &'a Structure,
    pub(super) seconds: f64,
}

impl Drop<'_> {
    /// Simulates the fall. Returns a text with the time of the last motion, as an error if the structure does
    /// not come to rest.
    pub(super) fn run(&self) -> Result<String, String> {
        let Structure { scene, restitution, h, .. } = self.structure;
        // Shorter steps only take more time.
        let h = h.max(1e-3);
        let built = scene.clone().raised(HEIGHT).build(*restitution).map_err(|error| error.to_string())?;
        let grid = TimeDiscretisation::uniform(0.0, self.seconds, h).map_err(|error| error.to_string())?;
        let mut simulation = TimeStepping::builder(&built.model)
            .discretisation(grid)
            .build()
            .map_err(|error| error.to_string())?;
        let mut state = simulation.initial_state(&built.model).map_err(|error| error.to_string())?;
        let mut last_motion = 0.0;
        while simulation.step(&built.model, &mut state).map_err(|error| error.to_string())?.is_some() {
            let at_rest = |v: &f64| v.abs() < SPEED * GRAVITY * h;
            if !built.blocks.iter().all(|&block| state.v(block).iter().all(at_rest)) {
                last_motion = state.t;
            }
        }
        let found = format!("moves until {last_motion:.3} s");
        if last_motion > 0.0 && last_motion < 0.5 * self.seconds { Ok(found) } else { Err(found) }
    }
}
