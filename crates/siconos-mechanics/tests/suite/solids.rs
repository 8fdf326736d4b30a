//! Contacts of solids inside closed meshes.

use siconos_kernel::prelude::*;
use siconos_mechanics::{Body, DecompositionSettings, Scene, SceneError, Shape};

use super::common::{ground, largest, run};
use super::solid_meshes::{Triangles, frame, l_shape, moved, of_cells, t_shape, table, torus, u_shape};

fn solid((vertices, triangles): &Triangles) -> Shape {
    Shape::solid(vertices, triangles).unwrap()
}

/// A U stands on its two legs.
#[test]
fn a_u_stands_on_its_legs() {
    for (name, mesh) in
        [("u", u_shape()), ("table", table()), ("t", t_shape()), ("l", l_shape()), ("frame", frame())]
    {
        let shape = solid(&mesh);
        let lowest = mesh.0.iter().map(|p| p[2]).fold(f64::INFINITY, f64::min);
        let mut scene = ground();
        let body = scene.add(Body::new(shape.clone()).at([0.2, 0.1, -lowest])).unwrap();
        let mut counts = Vec::new();
        let (parts, state) = run(scene, 2000, 1e-3, |_, _, state| counts.push(state.contacts().len()));
        let [x, y, z] = parts.pose(&state, body).position;
        let moved = largest(&[x - 0.2, y - 0.1, z + lowest]);
        assert!(moved < 1e-9 * shape.size(), "{name}: {moved:e}");
    }
}

/// A ball rolls over the seam of two pieces as over a single box.
#[test]
fn a_ball_rolls_over_a_seam() {
    // Upside down, the top of a T consists of the stem between both arms.
    let lines: [&[f64]; 3] = [&[-2.0, -1.0, 0.3, 2.0], &[-1.0, 1.0], &[-2.0, -1.0, 0.0]];
    let t = of_cells(lines, |[i, _, k]| i == 1 || k == 1);
    let l = of_cells(lines, |[i, _, k]| i == 0 || k == 1);
    let h = of_cells(lines, |[i, _, k]| i != 1 || k == 1);
    for (name, mesh) in [("t", t), ("l", l), ("h", h)] {
        let shape = solid(&mesh);
        let end = |floor: Shape, z: f64| {
            let mut scene = Scene::new();
            scene.add(Body::fixed(floor).at([0.0, 0.0, z])).unwrap();
            let ball =
                Body::new(Shape::ball(0.1).unwrap()).at([-1.5, 0.3, 0.1]).with_velocity([1.4, -0.1, 0.0]);
            let ball = scene.add(ball).unwrap();
            let (parts, state) = run(scene, 3000, 1e-3, |_, _, state| assert_eq!(state.contacts().len(), 1));
            (parts.pose(&state, ball).position, state.v(parts.system(ball).unwrap()).to_vec())
        };
        let found = end(shape, 0.0);
        let expected = end(Shape::cuboid([4.0, 2.0, 1.0]).unwrap(), -0.5);
        let off: Vec<f64> = found.1.iter().zip(&expected.1).map(|(a, b)| a - b).collect();
        assert!(largest(&off) < 1e-9, "{name}: {off:?}");
    }
}

/// Bodies slide over the seam of two pieces, also obliquely and with their edges on it, as over a single box.
#[test]
fn bodies_slide_over_seams() {
    let lines: [&[f64]; 3] = [&[-2.0, -0.6, 2.0], &[-1.0, 1.0], &[-2.0, -1.0, 0.0]];
    let floor = solid(&of_cells(lines, |[i, _, k]| i == 0 || k == 1));
    let shapes = [
        (Shape::cuboid([0.3, 0.2, 0.1]).unwrap(), 0.05),
        (Shape::prism(6, 0.15, 0.1).unwrap(), 0.05),
        (Shape::cylinder(0.12, 0.1).unwrap(), 0.05),
        (solid(&moved(u_shape(), |p| p.map(|x| 0.2 * x))), 0.0),
    ];
    for (shape, height) in shapes {
        for angle in [0.0, 0.3] {
            let end = |floor: Shape, z: f64| {
                let mut scene = Scene::new();
                scene.add(Body::fixed(floor).at([0.0, 0.0, z])).unwrap();
                let turned = Quaternion::about([0.0, 0.0, 1.0], angle);
                let body = Body::new(shape.clone()).at([-0.9, 0.2, height]).turned(turned);
                let body = scene.add(body.with_velocity([2.0, -0.3, 0.0])).unwrap();
                let (parts, state) = run(scene, 600, 1e-3, |_, _, _| {});
                assert!(largest(state.v(parts.system(body).unwrap())) < 1e-9, "{}", shape.kind());
                parts.pose(&state, body).position
            };
            let (found, expected) =
                (end(floor.clone(), 0.0), end(Shape::cuboid([4.0, 2.0, 1.0]).unwrap(), -0.5));
            let off = [0, 1, 2].map(|i| found[i] - expected[i]);
            assert!(largest(&off) < 1e-8, "{} {angle}: {found:?} {expected:?}", shape.kind());
        }
    }
}

/// A box that slides into the corner of an L remains there. It overlaps the upright by at most the distance
/// of one step, and all corners of its base touch the other bar.
#[test]
fn a_box_stays_in_a_corner() {
    let mut scene = Scene::new();
    scene.add(Body::fixed(solid(&l_shape()))).unwrap();
    let brick = Body::new(Shape::cuboid([0.4, 0.6, 0.3]).unwrap())
        .at([1.3, 0.5, 1.15])
        .with_velocity([-3.0, 0.0, -1.0]);
    let brick = scene.add(brick).unwrap();
    let (parts, state) = run(scene, 1000, 1e-3, |_, _, _| {});
    let [x, y, z] = parts.pose(&state, brick).position;
    assert!((x - 1.2).abs() < 3e-3 && (y - 0.5).abs() < 1e-6 && (z - 1.15).abs() < 1e-3, "{x} {y} {z}");
    let normals: Vec<[f64; 3]> = state.contacts().iter().map(|contact| contact.points.normal).collect();
    let upwards = normals.iter().filter(|normal| (normal[2] - 1.0).abs() < 1e-6).count();
    assert!(upwards == 4, "{normals:?}");
}

/// A table falls over an obstacle between its legs without touching it; its hull would.
#[test]
fn a_table_falls_over_an_obstacle() {
    let mesh = table();
    let falls = |shape: Shape| {
        let mut scene = ground();
        let obstacle = Body::fixed(Shape::cuboid([1.4, 1.4, 0.9]).unwrap()).at([0.0, 0.0, 0.45]);
        let obstacle = scene.add(obstacle).unwrap();
        let table = scene.add(Body::new(shape).at([0.02, -0.03, 1.0])).unwrap();
        let mut touched = false;
        let (parts, state) = run(scene, 1000, 1e-3, |parts, _, state| {
            let hits = state.contacts().iter().filter(|contact| contact.impulse != [0.0; 3]);
            touched |= hits.into_iter().any(|contact| parts.bodies_of(contact.key).contains(&obstacle));
        });
        (touched, parts.pose(&state, table).position[2])
    };
    let (touched, height) = falls(solid(&mesh));
    assert!(!touched && height.abs() < 1e-2, "{height}");
    let (touched, height) = falls(Shape::hull(&mesh.0).unwrap());
    assert!(touched && height > 0.5, "{height}");
}

/// Solids fall on each other and on a mesh, and come to rest.
#[test]
fn solids_fall_on_each_other() {
    let small = |mesh: Triangles| solid(&moved(mesh, |p| p.map(|x| 0.2 * x)));
    let mut scene = Scene::new();
    let (vertices, triangles) = of_cells([&[-3.0, 3.0], &[-3.0, 3.0], &[-1.0, 0.0]], |_| true);
    scene.add(Body::fixed(Shape::mesh(&vertices, &triangles).unwrap())).unwrap();
    let meshes = [u_shape(), l_shape(), table(), t_shape(), frame(), u_shape()];
    let bodies: Vec<_> = meshes
        .into_iter()
        .enumerate()
        .map(|(k, mesh)| {
            let turned = Quaternion::exp([0.7 * k as f64, 0.4, -0.3 * k as f64]);
            let at = [0.03 * k as f64, -0.02 * k as f64, 0.8 + 0.8 * k as f64];
            scene.add(Body::new(small(mesh)).at(at).turned(turned)).unwrap()
        })
        .collect();
    let (parts, state) = run(scene, 2000, 2e-3, |_, report, _| assert!(report.is_converged));
    for body in bodies {
        let position = parts.pose(&state, body).position;
        let v = state.v(parts.system(body).unwrap());
        assert!(position[2] > -0.4 && position[2] < 2.0, "{body:?}: {position:?}");
        assert!(largest(v) < 0.1, "{body:?}: {v:?}");
    }
    let deepest = state.contacts().iter().map(|contact| contact.gap).fold(0.0, f64::min);
    assert!(deepest > -0.02, "{deepest:e}");
}

/// Rays and closest points see the pieces.
#[test]
fn queries_see_the_space_between_legs() {
    let mut scene = Scene::new();
    let table = scene.add(Body::fixed(solid(&table()))).unwrap();
    let ball = scene.add(Body::new(Shape::ball(0.1).unwrap()).at([0.0, 0.0, 0.5])).unwrap();
    let parts = scene.into_parts().unwrap();
    let state = State::new(&parts.model, 0.0);
    let closest = parts.closest(&state, ball, table).unwrap();
    assert!((closest.distance - 0.4).abs() < 1e-12, "{closest:?}");
    let hit = parts.cast_ray(&state, [0.5, 0.0, -1.0], [0.0, 0.0, 1.0]).unwrap().unwrap();
    assert!((hit.distance - 2.0).abs() < 1e-12 && hit.body == table, "{hit:?}");
    let hit = parts.cast_ray(&state, [0.9, 0.9, -1.0], [0.0, 0.0, 1.0]).unwrap().unwrap();
    assert!((hit.distance - 1.0).abs() < 1e-12, "{hit:?}");
}

/// Overlaps at a seam inside a solid are found, where the contacts of both pieces are dropped.
#[test]
fn overlaps_inside_a_solid_are_found() {
    for x in [0.9, 1.0, 1.05, 1.5] {
        let mut scene = Scene::new();
        scene.add(Body::fixed(solid(&l_shape())).named("L")).unwrap();
        scene.add(Body::new(Shape::ball(0.1).unwrap()).at([x, 0.5, 0.9])).unwrap();
        let error = scene.into_parts().unwrap_err();
        assert!(matches!(&error, SceneError::Overlap { depth, .. } if *depth > 0.09), "{x}: {error}");
    }
}

/// A ring of approximate pieces, which overlap each other, lies on the ground. A ball falls through its hole.
#[test]
fn a_ring_lies_on_the_ground() {
    let (vertices, triangles) = torus(1.0, 0.3, [16, 8]);
    let settings = DecompositionSettings { resolution: 1.0 / 16.0, ..DecompositionSettings::default() };
    let ring = Shape::solid_with(&vertices, &triangles, settings).unwrap();
    let mut scene = ground();
    let body = scene.add(Body::new(ring).at([0.2, 0.1, 0.3])).unwrap();
    let ball = scene.add(Body::new(Shape::ball(0.4).unwrap()).at([0.21, 0.1, 1.5])).unwrap();
    let (parts, state) = run(scene, 2000, 1e-3, |_, _, _| {});
    let [x, y, z] = parts.pose(&state, body).position;
    assert!(largest(&[x - 0.2, y - 0.1, z - 0.3]) < 1e-9, "{x} {y} {z}");
    let height = parts.pose(&state, ball).position[2];
    assert!((height - 0.4).abs() < 1e-2, "{height}");
}
