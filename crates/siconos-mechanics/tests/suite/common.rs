//! Scenes of the tests.

use siconos_kernel::prelude::*;
use siconos_mechanics::{Body, JointId, Scene, SceneParts, Shape};

/// Creates a scene with level ground at z = 0.
pub(crate) fn ground() -> Scene {
    let mut scene = Scene::new();
    scene.add(Body::fixed(Shape::half_space([0.0, 0.0, 1.0]).unwrap()).named("ground")).unwrap();
    scene
}

/// Simulates a scene with the default settings, and calls `each` after each step.
pub(crate) fn run(
    scene: Scene,
    steps: usize,
    h: f64,
    mut each: impl FnMut(&SceneParts, &StepReport<'_>, &State),
) -> (SceneParts, State) {
    let parts = scene.into_parts().unwrap();
    let grid = TimeDiscretisation::uniform(0.0, steps as f64 * h, h).unwrap();
    let mut simulation = parts.simulation(grid).build().unwrap();
    let mut state = simulation.initial_state(&parts.model).unwrap();
    simulation.run(&parts.model, &mut state, |report, state| each(&parts, report, state)).unwrap();
    (parts, state)
}

/// Checks the speed of a wheel with a moment of inertia of 0.04 kg m2 and a servo of 6 rad/s, 0.2 N m s and
/// 0.4 N m: 10 rad/s2 up to 4 rad/s after 0.4 s, then a time constant of 0.2 s.
pub(crate) fn check_servo(scene: Scene, joint: JointId) {
    run(scene, 1500, 1e-3, |parts, report, state| {
        let exact =
            if report.t < 0.4 { 10.0 * report.t } else { 6.0 - 2.0 * (-5.0 * (report.t - 0.4)).exp() };
        let rate = parts.joint_motion(state, joint).unwrap().rate;
        assert!((rate - exact).abs() < 5e-3, "t = {}: {rate} {exact}", report.t);
    });
}

/// Returns the largest absolute value.
pub(crate) fn largest<'a>(values: impl IntoIterator<Item = &'a f64>) -> f64 {
    values.into_iter().fold(0.0, |largest, x| if x.is_nan() { f64::NAN } else { x.abs().max(largest) })
}

/// Returns all bits of a state.
pub(crate) fn bits(parts: &SceneParts, state: &State) -> String {
    serde_json::to_string(&state.record(&parts.model).unwrap()).unwrap()
}
