//! Triangle meshes and height fields.

use siconos_kernel::detection::ContactKey;
use siconos_kernel::prelude::*;
use siconos_mechanics::{Body, Contactor, Overlaps, Pose, Scene, SceneError, Shape, ShapeError};
use siconos_testkit::random::RandomState;

use super::common::{largest, run};

/// Returns a mesh of the square |x|, |y| < 2 in the plane z = 0 with vertices at random places.
fn plane(seed: u32) -> Shape {
    let (count, mut random) = (9, RandomState::new(seed));
    let mut place = |index: usize| {
        let is_inner = index > 0 && index + 1 < count;
        let by = if is_inner { 0.15 * random.between(-1.0, 1.0) } else { 0.0 };
        4.0 * index as f64 / (count as f64 - 1.0) - 2.0 + by
    };
    let vertices: Vec<[f64; 3]> =
        (0..count * count).map(|k| [place(k % count), place(k / count), 0.0]).collect();
    let mut triangles = Vec::new();
    for j in 0..count - 1 {
        for i in 0..count - 1 {
            let [a, b, c, d] = [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]].map(|[i, j]| j * count + i);
            match (i + j) % 2 {
                0 => triangles.extend([[a, b, c], [a, c, d]]),
                _ => triangles.extend([[a, b, d], [b, c, d]]),
            }
        }
    }
    Shape::mesh(&vertices, &triangles).unwrap()
}

fn on(floor: Shape) -> Scene {
    let mut scene = Scene::new();
    scene.add(Body::fixed(floor)).unwrap();
    scene
}

/// A ball with slip rolls at 5/7 of its initial speed over the inner edges of a plane.
#[test]
fn a_ball_rolls_over_inner_edges() {
    for seed in 0..4 {
        let mut scene = on(plane(seed));
        let ball = Body::new(Shape::ball(0.1).unwrap()).at([-1.0, 1.0, 0.1]).with_velocity([1.0, -0.6, 0.0]);
        let ball = scene.add(ball).unwrap();
        let (parts, state) = run(scene, 1500, 1e-3, |_, _, state| assert_eq!(state.contacts().len(), 1));
        let v = state.v(parts.system(ball).unwrap());
        let off = [v[0] - 5.0 / 7.0, v[1] + 3.0 / 7.0, v[2]];
        assert!(largest(&off) < 1e-10, "{seed}: {off:?}");
        assert!((parts.pose(&state, ball).position[2] - 0.1).abs() < 1e-12);
    }
}

/// Bodies of all kinds that slide over a plane of triangles move as on a half-space.
#[test]
fn bodies_slide_over_inner_edges_as_over_a_half_space() {
    let shapes = [
        (Shape::cuboid([0.3, 0.2, 0.1]).unwrap(), 0.05),
        (Shape::prism(6, 0.15, 0.1).unwrap(), 0.05),
        (Shape::cylinder(0.12, 0.1).unwrap(), 0.05),
        (Shape::cone(0.12, 0.2).unwrap(), 0.05),
    ];
    for (shape, height) in shapes {
        let end = |floor: Shape| {
            let mut scene = on(floor);
            let turned = Quaternion::about([0.0, 0.0, 1.0], 0.3);
            let body = Body::new(shape.clone()).at([-0.9, 0.7, height]).turned(turned);
            let body = scene.add(body.with_velocity([1.5, -1.0, 0.0])).unwrap();
            let (parts, state) = run(scene, 500, 1e-3, |_, _, _| {});
            assert!(largest(state.v(parts.system(body).unwrap())) < 1e-9);
            parts.pose(&state, body).position
        };
        let (found, expected) = (end(plane(5)), end(Shape::half_space([0.0, 0.0, 1.0]).unwrap()));
        let off = [0, 1, 2].map(|i| found[i] - expected[i]);
        assert!(largest(&off) < 1e-8, "{}: {found:?} {expected:?}", shape.kind());
    }
}

/// Bodies rest on a plane of triangles, and their contact points do not jump.
#[test]
fn bodies_rest_on_a_mesh() {
    let shapes = [
        (Shape::cuboid([1.0, 1.2, 0.4]).unwrap(), 0.2, 4),
        (Shape::prism(7, 0.6, 0.4).unwrap(), 0.2, 7),
        (Shape::cylinder(0.5, 0.4).unwrap(), 0.2, 8),
    ];
    for (shape, height, least) in shapes {
        let mut scene = on(plane(2));
        let body = scene.add(Body::new(shape.clone()).at([0.13, -0.2, height])).unwrap();
        let mut before: Vec<(ContactKey, [f64; 3])> = Vec::new();
        let (parts, state) = run(scene, 1000, 1e-3, |_, report, state| {
            let points: Vec<_> =
                state.contacts().iter().map(|contact| (contact.key, contact.points.first)).collect();
            assert!(points.len() >= least && points.len() <= 8, "{}: {}", shape.kind(), points.len());
            if report.step > 1 {
                assert_eq!(points.len(), before.len(), "{}", shape.kind());
                for ((key, p), (other, q)) in points.iter().zip(&before) {
                    assert!(key == other && (0..3).all(|i| (p[i] - q[i]).abs() < 1e-9), "{}", shape.kind());
                }
            }
            before = points;
        });
        let position = parts.pose(&state, body).position;
        let off = [position[0] - 0.13, position[1] + 0.2, position[2] - height];
        assert!(largest(&off) < 1e-9, "{}: {off:?}", shape.kind());
    }
}

/// A ball lies in a fold on two planes, and each carries m g / (2 cos a).
#[test]
fn a_ball_lies_in_a_fold() {
    let slope: f64 = 0.5;
    let (rise, length) = (slope.tan(), 1.0);
    let vertices = [
        [0.0, -length, 0.0],
        [0.0, length, 0.0],
        [1.0, -length, rise],
        [1.0, length, rise],
        [-1.0, -length, rise],
        [-1.0, length, rise],
    ];
    let mut scene = on(Shape::mesh(&vertices, &[[0, 2, 3], [0, 3, 1], [0, 1, 5], [0, 5, 4]]).unwrap());
    let ball = Body::new(Shape::ball(0.1).unwrap()).with_mass(1.0).at([0.0, 0.0, 0.1 / slope.cos()]);
    scene.add(ball).unwrap();
    let (_, state) = run(scene, 200, 1e-3, |_, _, _| {});
    let contacts = state.contacts();
    assert_eq!(contacts.len(), 2);
    let lift: f64 = contacts.iter().map(|contact| contact.impulse[2]).sum();
    assert!((lift - 9.806_65e-3).abs() < 1e-12, "{lift:e}");
    for contact in contacts {
        assert!((contact.points.normal[2] - slope.cos()).abs() < 1e-12, "{:?}", contact.points.normal);
    }
}

/// A ball on a ridge touches it at one point, with the vertical as normal. It falls off if it is pushed.
#[test]
fn a_ball_balances_on_a_ridge() {
    let vertices = [
        [-1.0, -1.0, 0.0],
        [0.0, -1.0, 0.5],
        [1.0, -1.0, 0.0],
        [-1.0, 1.0, 0.0],
        [0.0, 1.0, 0.5],
        [1.0, 1.0, 0.0],
    ];
    let roof = Shape::mesh(&vertices, &[[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4]]).unwrap();
    let end = |speed: f64| {
        let mut scene = on(roof.clone());
        let ball = Body::new(Shape::ball(0.1).unwrap()).at([0.0, 0.2, 0.6]).with_velocity([speed, 0.0, 0.0]);
        let ball = scene.add(ball).unwrap();
        let (parts, state) = run(scene, 400, 1e-3, |_, report, state| {
            if report.step < 50 {
                assert_eq!(state.contacts().len(), 1, "step {}", report.step);
            }
        });
        (parts.pose(&state, ball).position, state.contacts().len())
    };
    let ([x, y, z], contacts) = end(0.0);
    assert!(
        x.abs() < 1e-9 && (y - 0.2).abs() < 1e-9 && (z - 0.6).abs() < 1e-9 && contacts == 1,
        "{x} {y} {z}"
    );
    let ([x, _, z], contacts) = end(0.2);
    // It rolls down the right side.
    let distance = (x * 0.5 + (z - 0.5)) / 1.25_f64.sqrt();
    assert!(x > 0.1 && contacts == 1 && (distance - 0.1).abs() < 1e-3, "{x} {z} {distance}");
}

/// Bodies of all shapes fall on a hilly height field, and none falls through it.
#[test]
fn bodies_fall_on_a_height_field() {
    let height = |x: f64, y: f64| 0.3 * (1.3 * x).sin() * (1.1 * y + 0.4).cos();
    let (count, spacing) = (33, 0.25);
    let at = |index: usize| spacing * (index as f64 - 16.0);
    let heights: Vec<Vec<f64>> =
        (0..count).map(|j| (0..count).map(|i| height(at(i), at(j))).collect()).collect();
    let mut random = RandomState::new(7);
    for seed in 0..4 {
        let mut scene = on(Shape::height_field(&heights, [spacing; 2]).unwrap());
        let shapes = [
            Shape::ball(0.1),
            Shape::cuboid([0.2, 0.15, 0.1]),
            Shape::capsule(0.15, 0.06),
            Shape::prism(5, 0.1, 0.15),
            Shape::cylinder(0.08, 0.2),
            Shape::cone(0.1, 0.2),
            Shape::ellipsoid([0.12, 0.1, 0.07]),
        ];
        let bodies: Vec<_> = shapes
            .map(Result::unwrap)
            .into_iter()
            .enumerate()
            .map(|(k, shape)| {
                let [x, y]: [f64; 2] = random.vector(1.0);
                let at = [x, y, 0.7 + 0.3 * k as f64];
                let turned = Quaternion::exp(random.vector(2.0));
                scene.add(Body::new(shape).at(at).turned(turned)).unwrap()
            })
            .collect();
        let (parts, state) = run(scene, 1000, 2e-3, |_, report, _| assert!(report.is_converged));
        for body in bodies {
            let [x, y, z] = parts.pose(&state, body).position;
            let is_inside = x.abs() < 4.0 && y.abs() < 4.0;
            // The middle of a body stays above the surface; triangles deviate from it by at most 2 cm.
            assert!(!is_inside || z > height(x, y) - 0.02, "{seed}, {body:?}: {x} {y} {z}");
        }
    }
}

/// The distance from a closed convex mesh is that from the convex hull.
#[test]
fn distances_are_those_of_the_hull() {
    let vertices: Vec<[f64; 3]> =
        (0..8_u32).map(|k| [0, 1, 2].map(|axis| if k & (1 << axis) == 0 { -1.0 } else { 1.0 })).collect();
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles: Vec<[usize; 3]> =
        faces.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    let (mesh, hull) = (Shape::mesh(&vertices, &triangles).unwrap(), Shape::cuboid([2.0; 3]).unwrap());
    let mut random = RandomState::new(11);
    let shapes = [
        (Shape::ball(0.3).unwrap(), 1e-12),
        (Shape::capsule(0.8, 0.2).unwrap(), 1e-12),
        (Shape::cuboid([0.5, 0.7, 0.9]).unwrap(), 1e-12),
        (Shape::prism(5, 0.4, 0.6).unwrap(), 1e-12),
        (Shape::cylinder(0.3, 0.8).unwrap(), 1e-9),
        (Shape::cone(0.4, 0.6).unwrap(), 1e-9),
        (Shape::ellipsoid([0.5, 0.3, 0.4]).unwrap(), 1e-9),
    ];
    for (shape, tolerance) in shapes {
        for k in 0..60 {
            let turned = Quaternion::exp(random.vector(2.0));
            let of_mesh = Quaternion::exp(random.vector(2.0));
            let towards: [f64; 3] = random.vector(1.0);
            let away = if k % 2 == 0 { 3.0 } else { 1.9 };
            let place = towards.map(|x| away * x / largest(&towards));
            let distance = |fixed: &Shape| {
                let mut scene = Scene::new().with_overlaps(Overlaps::Accept);
                let fixed = scene.add(Body::fixed(fixed.clone()).turned(of_mesh)).unwrap();
                let body = scene.add(Body::new(shape.clone()).at(place).turned(turned)).unwrap();
                let parts = scene.into_parts().unwrap();
                parts.closest(&State::new(&parts.model, 0.0), body, fixed)
            };
            let (found, expected) = (distance(&mesh), distance(&hull).unwrap());
            if expected.distance > 0.0 {
                let found = found.unwrap_or_else(|| panic!("{} {k}", shape.kind()));
                let off = found.distance - expected.distance;
                assert!(off.abs() < tolerance, "{} {k}: {off:e} {found:?} {expected:?}", shape.kind());
            }
        }
    }
}

/// A ray hits the outer side of a surface only.
#[test]
fn rays_hit_the_outer_side() {
    let parts = on(plane(1)).into_parts().unwrap();
    let state = State::new(&parts.model, 0.0);
    let mut random = RandomState::new(3);
    for _ in 0..50 {
        let [x, y]: [f64; 2] = random.vector(1.5);
        let hit = parts.cast_ray(&state, [x, y, 2.0], [0.0, 0.0, -1.0]).unwrap().unwrap();
        assert!((hit.distance - 2.0).abs() < 1e-12 && largest(&[hit.normal[2] - 1.0]) < 1e-15, "{hit:?}");
        assert_eq!(parts.cast_ray(&state, [x, y, -2.0], [0.0, 0.0, 1.0]).unwrap(), None);
    }
}

#[test]
fn meshes_are_checked() {
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [2.0, 0.0, 0.0]];
    let cases = [
        (
            Shape::mesh(&corners, &[[0, 1, 7]]),
            "triangle 0 of a mesh contains vertex 7, but there are 4 vertices",
        ),
        (Shape::mesh(&corners, &[[0, 1, 3]]), "triangle 0 of a mesh has no area"),
        (Shape::mesh(&corners, &[]), "has 0 triangles and 4 vertices"),
        (Shape::mesh(&corners, &[[0, 1, 2], [0, 1, 2]]), "triangles 0 and 1 of a mesh contain an edge"),
        (Shape::mesh(&[[f64::NAN; 3]; 3], &[[0, 1, 2]]), "point 0 of a triangle mesh contains NaN"),
        (Shape::height_field(&[vec![0.0; 3]], [1.0; 2]), "there must be at least 2 rows"),
        (
            Shape::height_field(&[vec![0.0; 3], vec![0.0; 2]], [1.0; 2]),
            "row 1 of a height field of 2 rows has 2 columns, but the first has 3",
        ),
        (
            Shape::height_field(&[vec![0.0; 3], vec![0.0; 3]], [1.0, -1.0]),
            "the spacing of a height field is -1",
        ),
    ];
    for (shape, expected) in cases {
        let found = shape.unwrap_err().to_string();
        assert!(found.contains(expected), "{found}");
    }
    let surface = || Shape::mesh(&corners, &[[0, 1, 2]]).unwrap();
    let error = Scene::new().add(Body::new(surface())).unwrap_err();
    assert!(matches!(error, SceneError::ShapeOfBody { place: "free", .. }), "{error}");
    let error = Scene::planar().add(Body::fixed(surface())).unwrap_err();
    assert!(matches!(error, SceneError::ShapeOfBody { .. }), "{error}");
    assert!(matches!(surface().mass_properties(1.0), Err(ShapeError::NoVolume { .. })));
    let offset = Contactor { pose: Pose::at([0.0, 0.0, 1.0]), ..surface().into() };
    Scene::new().add(Body::fixed(offset)).unwrap();
}
