//! Bodies that stand on their faces.

use siconos_kernel::prelude::*;
use siconos_mechanics::{Body, Scene, Shape};

use super::common::{ground, largest, run};

/// Returns `true` if the origin is inside the convex hull of points in the plane.
fn holds_origin(points: &[[f64; 2]]) -> bool {
    let mut angles: Vec<f64> = points.iter().map(|[x, y]| y.atan2(*x)).collect();
    angles.sort_by(f64::total_cmp);
    let gap = |k: usize| {
        let next = (k + 1) % angles.len();
        (angles[next] - angles[k]).rem_euclid(2.0 * std::f64::consts::PI)
    };
    angles.len() > 2 && (0..angles.len()).all(|k| gap(k) < std::f64::consts::PI)
}

/// Checks that a shape stands on level ground and on a table, with a tilt of rounding size: the origin of the
/// shape, at the given height, is above the polygon of the contact points, and nothing moves.
fn assert_stands(shape: &Shape, height: f64) {
    let floors =
        [(Shape::half_space([0.0, 0.0, 1.0]).unwrap(), 0.0), (Shape::cuboid([3.0, 3.0, 1.0]).unwrap(), -0.5)];
    for (floor, level) in floors {
        let what = format!("{} on {}", shape.kind(), floor.kind());
        let mut scene = Scene::new();
        scene.add(Body::fixed(floor).at([0.0, 0.0, level])).unwrap();
        let tilt = Quaternion::about([1.0, 0.3, 0.0], 1e-15);
        let start = [0.2, 0.1, height];
        let body = scene.add(Body::new(shape.clone()).at(start).turned(tilt)).unwrap();
        let mut first: Option<Vec<[f64; 3]>> = None;
        let (parts, state) = run(scene, 300, 1e-3, |_, report, state| {
            let points: Vec<_> = state.contacts().iter().map(|contact| contact.points.first).collect();
            let around = points.iter().map(|[x, y, _]| [x - start[0], y - start[1]]).collect::<Vec<_>>();
            assert!(holds_origin(&around), "{what}, step {}: {around:?}", report.step);
            let first = first.get_or_insert_with(|| points.clone());
            let pairs = first.iter().flatten().zip(points.iter().flatten());
            let moved = largest(&pairs.map(|(a, b)| a - b).collect::<Vec<_>>());
            assert!(moved < 1e-9 && first.len() == points.len(), "{what}: {moved:e}");
        });
        let position = parts.pose(&state, body).position;
        let moved = [0, 1, 2].map(|i| position[i] - start[i]);
        assert!(largest(&moved) < 1e-9, "{what}: {moved:?}");
    }
}

#[test]
fn prisms_stand() {
    for sides in [3, 4, 5, 6, 8, 12, 24] {
        assert_stands(&Shape::prism(sides, 0.5, 1.0).unwrap(), 0.5);
    }
}

#[test]
fn cylinders_and_cones_stand() {
    assert_stands(&Shape::cylinder(0.5, 1.0).unwrap(), 0.5);
    assert_stands(&Shape::cone(0.5, 1.0).unwrap(), 0.25);
}

/// Pairs of capsules that lie crosswise on each other fall by small gaps and stand. Their sideways drift is
/// of second order in the step length.
#[test]
fn a_log_cabin_of_capsules_stands() {
    let (radius, half, layers, gap) = (0.05, 0.4, 6, 1e-3);
    for h in [1e-2, 5e-3] {
        let mut scene = ground();
        let mut bodies = Vec::new();
        for (layer, side) in (0..layers).flat_map(|layer| [(layer, -half), (layer, half)]) {
            let z = radius + f64::from(layer) * (2.0 * radius + gap);
            let (at, axis) = if layer % 2 == 0 {
                ([0.0, side, z], [0.0, 1.0, 0.0])
            } else {
                ([side, 0.0, z], [1.0, 0.0, 0.0])
            };
            let body = Body::new(Shape::capsule(1.0, radius).unwrap()).at(at);
            let turned = Quaternion::about(axis, std::f64::consts::FRAC_PI_2);
            bodies.push(scene.add(body.turned(turned)).unwrap());
        }
        let mut settled = Vec::new();
        let (parts, state) = run(scene, (2.0 / h) as usize, h, |parts, _, state| {
            if settled.is_empty() && state.t >= 1.0 {
                settled = bodies.iter().map(|body| parts.pose(state, *body).position).collect();
            }
        });
        for (layer, (body, from)) in bodies.iter().zip(&settled).enumerate() {
            let [x, y, z] = parts.pose(&state, *body).position;
            let drift = [x - from[0], y - from[1]];
            assert!(largest(&drift) < 1e-3 * h * h, "body {layer}, h = {h}: {drift:?}");
            let height = radius + 2.0 * radius * (layer / 2) as f64;
            assert!((z - height).abs() < 1e-5, "body {layer}, h = {h}: {z} {height}");
        }
    }
}
