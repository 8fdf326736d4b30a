//! Structures that start in equilibrium or in uniform motion.

use std::time::Instant;

use siconos_kernel::prelude::*;

use super::scene::{BuiltModel, GRAVITY};
use super::structures::Structure;

/// Bound of the velocity error, in units of g h.
const SPEED: f64 = 1e-6;
/// Bound of the position error \[m\] and of the orientation error.
const POSITION: f64 = 1e-9;
/// Bound of the error of the force on the ground, relative to the weight.
const FORCE: f64 = 1e-6;

/// Simulation of a structure over a number of steps.
pub(super) struct Resting<'a> {
    pub(super) structure: &'a Structure,
    pub(super) steps: usize,
}

/// Largest differences from the exact motion. NaN counts as the largest.
#[derive(Debug, Default)]
struct Differences {
    speed: f64,
    position: f64,
    force: f64,
}

fn worse(a: f64, b: f64) -> f64 {
    if b.is_nan() || b > a { b } else { a }
}

impl Resting<'_> {
    /// Simulates the structure. Returns a text with the largest differences, as an error if one of them
    /// exceeds its bound.
    pub(super) fn run(&self) -> Result<String, String> {
        let Structure { scene, restitution, h, .. } = self.structure;
        let built = scene.build(*restitution).map_err(|error| error.to_string())?;
        let end = h * self.steps as f64;
        let grid = TimeDiscretisation::uniform(0.0, end, *h).map_err(|error| error.to_string())?;
        let mut simulation = TimeStepping::builder(&built.model)
            .discretisation(grid)
            .build()
            .map_err(|error| error.to_string())?;
        let mut state = simulation.initial_state(&built.model).map_err(|error| error.to_string())?;
        let (first, start) = (state.clone(), Instant::now());
        let mut differences = Differences::default();
        for step in 1..=self.steps {
            let report = simulation.step(&built.model, &mut state).map_err(|error| error.to_string())?;
            let report = report.ok_or("the run ended early")?;
            let active = report.active.len();
            if active != built.contacts.len() {
                return Err(format!("{} contacts are lost in step {step}", built.contacts.len() - active));
            }
            self.compare(&built, (&first, &state), &mut differences);
        }
        let Differences { speed, position, force } = differences;
        let time = 1e6 * start.elapsed().as_secs_f64() / self.steps as f64;
        let measured = format!(
            "speed {speed:.1e} g h, position {position:.1e} m, force {force:.1e}, {time:.0} us per step"
        );
        if speed < SPEED && position < POSITION && force < FORCE { Ok(measured) } else { Err(measured) }
    }

    fn compare(&self, built: &BuiltModel, (first, state): (&State, &State), largest: &mut Differences) {
        let Structure { scene, h, .. } = self.structure;
        let t = state.t - first.t;
        for (&id, block) in built.blocks.iter().zip(&scene.blocks) {
            let exact = |k: usize| block.velocity.get(k).copied().unwrap_or(0.0);
            for (k, v) in state.v(id).iter().enumerate() {
                largest.speed = worse(largest.speed, (v - exact(k)).abs() / (GRAVITY * h));
            }
            for (k, (q, q_0)) in state.q(id).iter().zip(first.q(id)).enumerate() {
                let velocity = if k < 3 { exact(k) } else { 0.0 };
                largest.position = worse(largest.position, (q - q_0 - velocity * t).abs());
            }
        }
        let (mut force, mut carried) = (0.0, 0.0);
        for (&id, touch) in built.contacts.iter().zip(&scene.touches) {
            if touch.face.block.is_none() {
                force += state.lambda(id, Level::Velocity)[0] / h;
                // All faces of the ground have the same normal.
                carried = scene.weight() * touch.face.normal[2];
            }
        }
        largest.force = worse(largest.force, (force / carried - 1.0).abs());
    }
}
