//! Contacts of solids inside closed meshes.

use siconos_mechanics::{Body, Decomposition, DecompositionSettings, Scene, Shape};

use super::common::{ground, largest, run};
use super::solid_meshes::{Triangles, frame, l_shape, of_cells, star, t_shape, table, torus, u_shape};

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
        println!(
            "{name}: {moved:e} {:?} {:?}",
            (counts[0], counts[1999]),
            state.v(parts.system(body).unwrap())
        );
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
        println!(
            "{name} {:?}",
            shape
                .decomposition()
                .unwrap()
                .pieces
                .iter()
                .map(|p| p.mass_properties(1.0).unwrap())
                .collect::<Vec<_>>()
        );
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
        println!("{name} {found:?} {expected:?}");
        let off: Vec<f64> = found.1.iter().zip(&expected.1).map(|(a, b)| a - b).collect();
        assert!(largest(&off) < 1e-9, "{name}: {off:?}");
    }
}
