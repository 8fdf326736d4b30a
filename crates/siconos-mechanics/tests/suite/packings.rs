//! Regular packings of balls and discs in a box stay where they are. Balls that carry the weight of others
//! press their neighbours and the walls in horizontal directions, in which gravity causes no velocity.

use siconos_kernel::detection::ContactLaws;
use siconos_kernel::prelude::*;
use siconos_mechanics::{Body, Scene, Shape};

use super::common::run;

/// Radius \[m\].
const R: f64 = 0.05;

/// Adds walls whose inner sides have these normals and the distance `away` from the origin.
fn add_walls(scene: &mut Scene, normals: &[[f64; 3]], away: f64) {
    for normal in normals {
        let wall = Body::fixed(Shape::half_space(*normal).unwrap());
        scene.add(wall.at(normal.map(|x| -away * x))).unwrap();
    }
}

/// Returns layers of balls between four walls, with `side` balls in a row of the first layer. Each ball of a
/// layer lies in a hollow between four balls of the layer below.
fn balls(side: usize, layers: usize) -> Scene {
    let mut scene = Scene::new();
    add_walls(&mut scene, &[[0.0, 0.0, 1.0]], 0.0);
    let walls = [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0]];
    add_walls(&mut scene, &walls, R * side as f64);
    let ball = Shape::ball(R).unwrap();
    for layer in 0..layers {
        let count = side - layer % 2;
        let at = |i: usize| R * (2.0 * i as f64 + 1.0 - count as f64);
        for place in 0..count * count {
            let z = R * (1.0 + layer as f64 * 2.0_f64.sqrt());
            let position = [at(place % count), at(place / count), z];
            scene.add(Body::new(ball.clone()).at(position)).unwrap();
        }
    }
    scene
}

/// Returns rows of discs between two walls, with `side` discs in the first row.
fn discs(side: usize, rows: usize) -> Scene {
    let mut scene = Scene::planar().with_gravity([0.0, -9.81, 0.0]);
    add_walls(&mut scene, &[[0.0, 1.0, 0.0]], 0.0);
    add_walls(&mut scene, &[[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]], R * side as f64);
    let disc = Shape::ball(R).unwrap();
    for row in 0..rows {
        let count = side - row % 2;
        for place in 0..count {
            let x = R * (2.0 * place as f64 + 1.0 - count as f64);
            let y = R * (1.0 + row as f64 * 3.0_f64.sqrt());
            scene.add(Body::new(disc.clone()).at([x, y, 0.0])).unwrap();
        }
    }
    scene
}

#[track_caller]
fn check_rest(scene: Scene, steps: usize) {
    let (parts, state) = run(scene, steps, 5e-3, |_, _, _| {});
    let start = State::new(&parts.model, 0.0);
    for body in parts.bodies() {
        let [before, after] = [&start, &state].map(|state| parts.pose(state, body).position);
        for (before, after) in before.iter().zip(after) {
            assert!((before - after).abs() < 1e-9 * 2.0 * R, "{}: {before} {after}", parts.name(body));
        }
    }
}

#[test]
fn packings_of_balls_stay() {
    for (side, layers) in [(4, 3), (5, 4)] {
        check_rest(balls(side, layers), 100);
    }
}

#[test]
fn packings_of_discs_stay() {
    for (side, rows) in [(4, 3), (10, 6)] {
        check_rest(discs(side, rows), 100);
    }
}

#[test]
fn packings_without_friction_stay() {
    let laws = |law: NewtonImpactFriction| ContactLaws::new(law);
    check_rest(balls(4, 4).with_laws(laws(NewtonImpactFriction::in_space(0.0, 0.0).unwrap())), 100);
    check_rest(discs(6, 5).with_laws(laws(NewtonImpactFriction::in_plane(0.0, 0.0).unwrap())), 100);
}
