//! Segments and stadiums in the plane.

use siconos_kernel::prelude::*;
use siconos_mechanics::{Body, Scene, Shape};

use super::common::{largest, run};

fn scene() -> Scene {
    Scene::planar().with_gravity([0.0, -10.0, 0.0])
}

fn segment(a: [f64; 2], b: [f64; 2]) -> Shape {
    Shape::segment(a, b).unwrap()
}

/// A free rod falls on the ground, and rests on both ends.
#[test]
fn a_rod_rests_on_its_ends() {
    let ground = [
        Shape::half_space([0.0, 1.0, 0.0]).unwrap(),
        Shape::polygon(&[[-3.0, -1.0], [3.0, -1.0], [3.0, 0.0], [-3.0, 0.0]]).unwrap(),
    ];
    for ground in ground {
        for radius in [0.0, 0.05] {
            let mut scene = scene();
            scene.add(Body::fixed(ground.clone())).unwrap();
            let ends = [[-0.4, 0.0], [0.6, 0.0]];
            let rod = match radius {
                0.0 => segment(ends[0], ends[1]),
                _ => Shape::stadium(ends[0], ends[1], radius).unwrap(),
            };
            let turned = Quaternion::about([0.0, 0.0, 1.0], 0.7);
            let rod = scene.add(Body::new(rod).with_mass(0.4).at([0.0, 0.8, 0.0]).turned(turned)).unwrap();
            let mut at_rest = None;
            let (parts, state) = run(scene, 10_000, 1e-3, |parts, report, state| {
                if report.step == 3000 {
                    at_rest = Some(state.q(parts.system(rod).unwrap()).to_vec());
                }
                if report.step > 3000 {
                    assert_eq!(state.contacts().len(), 2, "{} {radius}", report.step);
                }
            });
            let q = state.q(parts.system(rod).unwrap());
            let moved: Vec<f64> = q.iter().zip(at_rest.unwrap()).map(|(a, b)| a - b).collect();
            let what = format!("{} {radius}: {q:?} {moved:?}", ground.kind());
            assert!(largest(&moved) < 1e-9 && q[2].abs() < 1e-6, "{what}");
            assert!((q[1] - radius).abs() < 1e-6, "{what}");
            let forces: f64 = state.contacts().iter().map(|contact| contact.impulse[1]).sum();
            assert!((forces - 4e-3).abs() < 1e-9, "{what} {forces}");
        }
    }
}
