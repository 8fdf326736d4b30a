//! Cylinders, cones and ellipsoids on the ground.

use siconos_kernel::prelude::*;
use siconos_mechanics::{Body, Scene, Shape};

use super::common::{ground, largest, run};
use super::standing::holds_origin;

/// Cylinders and cones stand on level ground and on a table, with a tilt of rounding size: the centre of mass
/// is above the polygon of the contact points, and no point moves.
#[test]
fn cylinders_and_cones_stand() {
    let floors =
        [(Shape::half_space([0.0, 0.0, 1.0]).unwrap(), 0.0), (Shape::cuboid([3.0, 3.0, 1.0]).unwrap(), -0.5)];
    let shapes = [(Shape::cylinder(0.5, 1.0).unwrap(), 0.5), (Shape::cone(0.5, 1.0).unwrap(), 0.25)];
    for (shape, level) in &shapes {
        for (floor, height) in &floors {
            let what = format!("{} on {}", shape.kind(), floor.kind());
            let mut scene = Scene::new();
            scene.add(Body::fixed(floor.clone()).at([0.0, 0.0, *height])).unwrap();
            let tilt = Quaternion::about([1.0, 0.3, 0.0], 1e-15);
            let body = scene.add(Body::new(shape.clone()).at([0.2, 0.1, *level]).turned(tilt)).unwrap();
            let mut first: Option<Vec<[f64; 3]>> = None;
            let (parts, state) = run(scene, 300, 1e-3, |_, report, state| {
                let points: Vec<_> = state.contacts().iter().map(|contact| contact.points.first).collect();
                let around = points.iter().map(|[x, y, _]| [x - 0.2, y - 0.1]).collect::<Vec<_>>();
                assert!(holds_origin(&around), "{what}, step {}: {around:?}", report.step);
                let first = first.get_or_insert_with(|| points.clone());
                let moved = first.iter().flatten().zip(points.iter().flatten());
                let most = moved.fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
                assert!(most < 1e-9 && first.len() == points.len(), "{what}: {most:e}");
            });
            let pose = parts.pose(&state, body);
            let moved = [0, 1, 2].map(|i| pose.position[i] - [0.2, 0.1, *level][i]);
            assert!(largest(&moved) < 1e-9, "{what}: {moved:?}");
        }
    }
}

/// A cylinder on its side rolls without slip, and keeps its speed.
#[test]
fn a_cylinder_rolls_on_its_side() {
    let floors =
        [(Shape::half_space([0.0, 0.0, 1.0]).unwrap(), 0.0), (Shape::cuboid([9.0, 9.0, 1.0]).unwrap(), -0.5)];
    for (floor, height) in floors {
        let mut scene = Scene::new();
        scene.add(Body::fixed(floor).at([0.0, 0.0, height])).unwrap();
        // The axis is y of space, and the angular velocity is given in the body frame.
        let turned = Quaternion::about([1.0, 0.0, 0.0], -std::f64::consts::FRAC_PI_2);
        let body = Body::new(Shape::cylinder(0.1, 0.3).unwrap()).at([0.0, 0.0, 0.1]).turned(turned);
        let body = body.with_velocity([1.0, 0.0, 0.0]).with_angular_velocity([0.0, 0.0, 10.0]);
        let body = scene.add(body).unwrap();
        let (parts, state) = run(scene, 1000, 1e-3, |_, _, _| {});
        let (v, at) = (state.v(parts.system(body).unwrap()), parts.pose(&state, body).position);
        assert!((v[0] - 1.0).abs() < 1e-9 && (v[5] - 10.0).abs() < 1e-9, "{v:?}");
        assert!((at[0] - 1.0).abs() < 1e-9 && at[1].abs() < 1e-9 && (at[2] - 0.1).abs() < 1e-9, "{at:?}");
    }
}

/// A cylinder on a slope tips when its centre of mass leaves the octagon of the contact points: at a slope
/// between cos(pi / 8) = 0.92 of the exact ratio of diameter and length, and this ratio.
#[test]
fn a_cylinder_on_a_slope_tips_near_the_exact_angle() {
    for (factor, rests) in [(0.91, true), (1.01, false)] {
        for azimuth in [0.0, 0.2, 0.39] {
            let slope = (factor * 0.4_f64).atan();
            let (sine, cosine) = slope.sin_cos();
            let mut scene = Scene::new();
            let normal = [-sine, 0.0, cosine];
            scene.add(Body::fixed(Shape::half_space(normal).unwrap())).unwrap();
            let turned =
                Quaternion::about([0.0, 1.0, 0.0], -slope) * Quaternion::about([0.0, 0.0, 1.0], azimuth);
            let body = Body::new(Shape::cylinder(0.2, 1.0).unwrap());
            let body = scene.add(body.at(normal.map(|x| 0.5 * x)).turned(turned)).unwrap();
            let (parts, state) = run(scene, 1000, 1e-3, |_, _, _| {});
            let moved = largest(state.v(parts.system(body).unwrap()));
            assert_eq!(moved < 1e-9, rests, "{factor}, {azimuth}: {moved:e}");
        }
    }
}

/// An ellipsoid that rocks on the ground stays above its lowest position and gains no energy.
#[test]
fn an_ellipsoid_rocks_on_the_ground() {
    let mut scene = ground();
    let turned = Quaternion::about([0.0, 1.0, 0.0], 0.3);
    let body = Body::new(Shape::ellipsoid([0.2, 0.15, 0.1]).unwrap()).at([0.0, 0.0, 0.13]).turned(turned);
    let body = scene.add(body).unwrap();
    let (parts, state) = run(scene, 2000, 1e-3, |_, report, _| assert!(report.is_converged));
    let height = parts.pose(&state, body).position[2];
    assert!(height > 0.1 - 1e-4 && height < 0.13, "{height}");
}
