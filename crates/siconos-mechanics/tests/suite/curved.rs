//! Cylinders and ellipsoids that roll, tip and rock.

use siconos_kernel::prelude::*;
use siconos_mechanics::{Body, Scene, Shape};

use super::common::{ground, largest, run};

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

/// A small body stands on a cap near its rim, also if a part of its face is outside.
#[test]
fn bodies_stand_near_the_rim_of_a_cap() {
    let upside_down = Quaternion::about([1.0, 0.0, 0.0], std::f64::consts::PI);
    let floors = [
        (Shape::cylinder(1.0, 0.5).unwrap(), Quaternion::IDENTITY),
        (Shape::cone(1.0, 1.0).unwrap(), upside_down),
    ];
    let bodies = [Shape::cuboid([0.04; 3]).unwrap(), Shape::cylinder(0.03, 0.04).unwrap()];
    for ((floor, turned), shape) in
        floors.iter().flat_map(|floor| bodies.iter().map(move |body| (floor, body)))
    {
        // The octagon of the contact points of a cap ends at cos(pi / 8) = 0.92.
        for (distance, azimuth) in [(0.955, 0.125), (0.955, 0.375), (0.96, 0.0), (0.99, 0.625), (0.5, 0.2)] {
            let mut scene = Scene::new();
            scene.add(Body::fixed(floor.clone()).turned(*turned)).unwrap();
            let azimuth = azimuth * std::f64::consts::PI;
            let turned = Quaternion::about([0.0, 0.0, 1.0], azimuth);
            let start = [distance * azimuth.cos(), distance * azimuth.sin(), 0.25 + 0.02];
            let body = scene.add(Body::new(shape.clone()).at(start).turned(turned)).unwrap();
            let (parts, state) = run(scene, 300, 1e-3, |_, report, _| assert!(report.is_converged));
            let end = parts.pose(&state, body).position;
            let moved = [0, 1, 2].map(|i| end[i] - start[i]);
            assert!(
                largest(&moved) < 1e-6,
                "{} on {}, {distance} {azimuth}: {moved:?}",
                shape.kind(),
                floor.kind()
            );
        }
    }
}
