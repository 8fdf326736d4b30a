//! Mass properties of shapes against closed forms.

use std::f64::consts::PI;

use siconos_kernel::prelude::*;
use siconos_mechanics::{Body, Contactor, Pose, Scene, Shape};

fn diagonal(inertia: [[f64; 3]; 3]) -> [f64; 3] {
    [inertia[0][0], inertia[1][1], inertia[2][2]]
}

fn assert_close(found: [f64; 3], expected: [f64; 3]) {
    let size = expected.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    let is_close = found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= 1e-13 * size);
    assert!(is_close, "{found:?} {expected:?}");
}

#[test]
fn closed_forms() {
    let ball = Shape::ball(0.3).unwrap().mass_properties(2.0).unwrap();
    assert!((ball.mass - 2.0 * 4.0 / 3.0 * PI * 0.027).abs() < 1e-15);
    assert_close(diagonal(ball.inertia), [0.4 * ball.mass * 0.09; 3]);
    let [a, b, c] = [0.2, 0.5, 0.7];
    let cuboid = Shape::cuboid([a, b, c]).unwrap().mass_properties(3.0).unwrap();
    assert!((cuboid.mass - 3.0 * a * b * c).abs() < 1e-15);
    let m = cuboid.mass / 12.0;
    assert_close(diagonal(cuboid.inertia), [m * (b * b + c * c), m * (c * c + a * a), m * (a * a + b * b)]);
    // A short capsule is nearly a ball, and a long thin capsule is nearly a rod.
    let capsule = Shape::capsule(1e-9, 0.3).unwrap().mass_properties(2.0).unwrap();
    let ratios = [0, 1, 2].map(|i| capsule.inertia[i][i] / ball.inertia[i][i]);
    assert!(ratios.iter().all(|ratio| (ratio - 1.0).abs() < 1e-7), "{ratios:?}");
    let rod = Shape::capsule(1.0, 1e-4).unwrap().mass_properties(1.0).unwrap();
    assert!((rod.inertia[0][0] / (rod.mass / 12.0) - 1.0).abs() < 1e-3);
    // A tetrahedron with three edges along the axes, of length 1.
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let tetrahedron = Shape::hull(&corners).unwrap().mass_properties(6.0).unwrap();
    assert!((tetrahedron.mass - 1.0).abs() < 1e-15);
    assert_close(tetrahedron.centre, [0.25; 3]);
    assert_close(diagonal(tetrahedron.inertia), [0.075; 3]);
    assert_close(tetrahedron.inertia[0], [0.075, 0.0125, 0.0125]);
    // A prism with many sides is nearly a cylinder.
    let prism = Shape::prism(2000, 0.5, 0.8).unwrap().mass_properties(1.0).unwrap();
    let cylinder = Inertia::of_cylinder(prism.mass, 0.5, 0.8);
    let ratios = [0, 1, 2].map(|i| prism.inertia[i][i] / cylinder.matrix()[i][i]);
    assert!(ratios.iter().all(|ratio| (ratio - 1.0).abs() < 1e-5), "{ratios:?}");
}

#[test]
fn planar_shapes() {
    let rectangle = Shape::rectangle([0.4, 0.1]).unwrap().planar_mass_properties(5.0).unwrap();
    assert!((rectangle.mass - 0.2).abs() < 1e-16);
    assert!((rectangle.inertia[2][2] - 0.2 * (0.16 + 0.01) / 12.0).abs() < 1e-16);
    let disc = Shape::ball(0.2).unwrap().planar_mass_properties(1.0).unwrap();
    assert!((disc.inertia[2][2] - 0.5 * disc.mass * 0.04).abs() < 1e-16);
    let triangle = Shape::polygon(&[[1.0, 1.0], [2.0, 1.0], [1.0, 2.0]]).unwrap();
    let triangle = triangle.planar_mass_properties(2.0).unwrap();
    assert_close(triangle.centre, [4.0 / 3.0, 4.0 / 3.0, 0.0]);
    assert!((triangle.inertia[2][2] - 1.0 / 9.0).abs() < 1e-14, "{:e}", triangle.inertia[2][2]);
}

/// Two cuboids side by side have the mass properties of one cuboid, wherever the frame of the body is.
#[test]
fn a_body_of_two_shapes_is_one_body() {
    let half = Shape::cuboid([0.5, 0.3, 0.2]).unwrap();
    let at = |x: f64| Contactor { pose: Pose::at([x, 0.1, 0.0]), ..half.clone().into() };
    let mut scene = Scene::new();
    let turned = Quaternion::about([0.3, 1.0, 0.2], 0.7);
    let two =
        scene.add(Body::new(at(0.25)).with_contactor(at(0.75)).at([1.0, 2.0, 3.0]).turned(turned)).unwrap();
    let one = scene.add(Body::new(Shape::cuboid([1.0, 0.3, 0.2]).unwrap()).at([9.0, 0.0, 0.0])).unwrap();
    let parts = scene.into_parts().unwrap();
    let inertia = |id| match parts.model.system(parts.system(id).unwrap()).unwrap() {
        siconos_kernel::model::dynamical_system::DynamicalSystem::NewtonEuler(body) => {
            (body.mass(), *body.inertia().matrix())
        }
        other => panic!("{other:?}"),
    };
    let ((mass, moments), (expected, single)) = (inertia(two), inertia(one));
    assert!((mass - expected).abs() < 1e-12 * expected);
    (0..3).for_each(|i| assert_close(moments[i], single[i]));
    // The pose is the pose of the frame of the body, not of its centre of mass.
    let state = State::new(&parts.model, 0.0);
    let pose = parts.pose(&state, two);
    assert_close(pose.position, [1.0, 2.0, 3.0]);
}

/// Thin plates have the mass properties of their closed forms.
#[test]
fn thin_plates() {
    let thickness = 1e-6;
    let corners = [[0.0, 0.0], [3.0, 0.0], [3.0, 2.0], [0.0, 2.0]];
    let points: Vec<_> = corners.iter().flat_map(|[x, y]| [[*x, *y, 0.0], [*x, *y, thickness]]).collect();
    let plate = Shape::hull(&points).unwrap().mass_properties(5.0).unwrap();
    assert!((plate.mass / (5.0 * 6.0 * thickness) - 1.0).abs() < 1e-14, "{}", plate.mass);
    assert_close(plate.centre, [1.5, 1.0, 0.5 * thickness]);
    let m = plate.mass / 12.0;
    assert_close(diagonal(plate.inertia), [4.0 * m, 9.0 * m, 13.0 * m]);
    let hexagon = Shape::prism(6, 1.0, 1e-3).unwrap().mass_properties(1.0).unwrap();
    assert!((hexagon.mass / (1.5 * 3.0_f64.sqrt() * 1e-3) - 1.0).abs() < 1e-14, "{}", hexagon.mass);
}
