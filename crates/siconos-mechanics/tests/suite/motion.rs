//! Motions of bodies with shapes.

use siconos_kernel::prelude::*;
use siconos_mechanics::{Body, BodyId, Scene, SceneParts, Shape};

fn run(
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
    drop(simulation);
    (parts, state)
}

fn ground() -> Scene {
    let mut scene = Scene::new();
    scene.add(Body::fixed(Shape::half_space([0.0, 0.0, 1.0]).unwrap())).unwrap();
    scene
}

/// Ten boxes rest on each other.
#[test]
fn ten_boxes_rest() {
    let mut scene = ground();
    let cube = Shape::cuboid([1.0; 3]).unwrap();
    let boxes: Vec<BodyId> = (0..10)
        .map(|i| scene.add(Body::new(cube.clone()).at([0.0, 0.0, 0.5 + f64::from(i)])).unwrap())
        .collect();
    let mut iterations = Vec::new();
    let (parts, state) = run(scene, 2000, 1e-3, |_, report, state| {
        assert_eq!(state.contacts().len(), 40);
        iterations.push(report.solve.iterations);
    });
    for (i, id) in boxes.iter().enumerate() {
        let [x, y, z] = parts.pose(&state, *id).position;
        assert!(
            x.abs() < 1e-6 && y.abs() < 1e-6 && (z - 0.5 - i as f64).abs() < 1e-6,
            "{i}: {x:e} {y:e} {z}"
        );
    }
    println!("{:?}", &iterations[..20]);
    println!("{:?}", &iterations[1980..]);
}
