//! Bodies that stand on their faces.

use siconos_kernel::prelude::*;
use siconos_mechanics::{Body, Scene, Shape};

use super::common::{largest, run};

/// Returns `true` if the origin is inside the convex hull of points in the plane.
pub(super) fn holds_origin(points: &[[f64; 2]]) -> bool {
    let mut angles: Vec<f64> = points.iter().map(|[x, y]| y.atan2(*x)).collect();
    angles.sort_by(f64::total_cmp);
    let gap = |k: usize| {
        let next = (k + 1) % angles.len();
        (angles[next] - angles[k]).rem_euclid(2.0 * std::f64::consts::PI)
    };
    angles.len() > 2 && (0..angles.len()).all(|k| gap(k) < std::f64::consts::PI)
}

/// Prisms stand on level ground and on a table, with a tilt of rounding size.
#[test]
fn prisms_stand() {
    let floors =
        [(Shape::half_space([0.0, 0.0, 1.0]).unwrap(), 0.0), (Shape::cuboid([3.0, 3.0, 1.0]).unwrap(), -0.5)];
    for sides in [3, 4, 5, 6, 8, 12, 24] {
        for (floor, height) in &floors {
            let mut scene = Scene::new();
            scene.add(Body::fixed(floor.clone()).at([0.0, 0.0, *height])).unwrap();
            let prism = Body::new(Shape::prism(sides, 0.5, 1.0).unwrap());
            let tilt = Quaternion::about([1.0, 0.3, 0.0], 1e-15);
            let prism = scene.add(prism.at([0.2, 0.1, 0.5]).turned(tilt)).unwrap();
            let mut first: Option<Vec<[f64; 3]>> = None;
            let (parts, state) = run(scene, 300, 1e-3, |_, report, state| {
                let points: Vec<_> = state.contacts().iter().map(|contact| contact.points.first).collect();
                let around = points.iter().map(|[x, y, _]| [x - 0.2, y - 0.1]).collect::<Vec<_>>();
                assert!(holds_origin(&around), "{sides} sides, step {}: {around:?}", report.step);
                let first = first.get_or_insert_with(|| points.clone());
                let moved: Vec<f64> =
                    first.iter().flatten().zip(points.iter().flatten()).map(|(a, b)| a - b).collect();
                let most = largest(&moved);
                assert!(most < 1e-9 && first.len() == points.len(), "{sides} sides: {most:e}");
            });
            let pose = parts.pose(&state, prism);
            let moved: Vec<f64> =
                pose.position.iter().zip([0.2, 0.1, 0.5]).map(|(x, start)| x - start).collect();
            assert!(largest(&moved) < 1e-9, "{sides} sides: {:?}", pose.position);
        }
    }
}
