//! Balls in a box, in layers of 4 x 4, 3 x 3 and 4 x 4, with declared contacts. The balls press each other
//! and the walls in directions in which gravity causes no velocity. They do not turn.

use ndarray::{Array2, array};
use siconos_kernel::engine::vector::{difference, dot, length, perpendiculars, scaled};
use siconos_kernel::prelude::*;

const RADIUS: f64 = 0.05;
const MASS: f64 = 2.0;
const GRAVITY: f64 = 9.81;

/// Number of balls in a row of the first layer.
const SIDE: usize = 4;

type Place = [f64; 3];

/// Returns the relation of a contact between two balls, or between a ball and an obstacle: the gap, with the
/// offset `-touching` \[m\], and two tangential displacements.
fn contact(normal: Place, touching: f64, balls: usize) -> LagrangianLinearRelation {
    let [first, second] = perpendiculars(normal);
    let matrix = Array2::from_shape_fn((3, 3 * balls), |(row, column)| {
        let sign = if column < 3 { 1.0 } else { -1.0 };
        sign * [normal, first, second][row][column % 3]
    });
    LagrangianLinearRelation::new(matrix).with_offset(array![-touching, 0.0, 0.0])
}

#[test]
fn a_packing_with_declared_contacts_stays() -> Result<(), Box<dyn std::error::Error>> {
    let mut places: Vec<Place> = Vec::new();
    for layer in 0..3 {
        let count = SIDE - layer % 2;
        let at = |i: usize| RADIUS * (2.0 * i as f64 + 1.0 - count as f64);
        let z = RADIUS * (1.0 + layer as f64 * 2.0_f64.sqrt());
        places.extend((0..count * count).map(|k| [at(k % count), at(k / count), z]));
    }
    let mut model = NonSmoothDynamicalSystem::new();
    let mut balls = Vec::new();
    for place in &places {
        let ball = LagrangianLinear::new(place.to_vec(), vec![0.0; 3], array![MASS, MASS, MASS])
            .with_constant_external_force(vec![0.0, 0.0, -MASS * GRAVITY]);
        balls.push(model.add_system(ball)?);
    }
    let law = NewtonImpactFriction::in_space(0.0, 0.5)?;
    let beside = RADIUS * (1.0 - SIDE as f64);
    let walls = [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0]];
    let obstacles = walls.map(|normal| (normal, beside)).into_iter().chain([([0.0, 0.0, 1.0], RADIUS)]);
    for (normal, touching) in obstacles {
        for (&ball, place) in balls.iter().zip(&places) {
            if dot(normal, *place) - touching < 1e-9 {
                model.add_interaction([ball], contact(normal, touching, 1), law)?;
            }
        }
    }
    for (i, a) in places.iter().enumerate() {
        for (j, b) in places.iter().enumerate().skip(i + 1) {
            let between = difference(*a, *b);
            let distance = length(between);
            if distance < 2.0 * RADIUS + 1e-9 {
                let normal = scaled(1.0 / distance, between);
                model.add_interaction([balls[i], balls[j]], contact(normal, 2.0 * RADIUS, 2), law)?;
            }
        }
    }
    let grid = TimeDiscretisation::uniform(0.0, 1.0, 5e-3)?;
    let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
    let mut state = simulation.initial_state(&model)?;
    simulation.run(&model, &mut state, |_, _| {})?;
    for (&ball, place) in balls.iter().zip(&places) {
        for (found, expected) in state.q(ball).iter().zip(place) {
            assert!((found - expected).abs() < 1e-9 * 2.0 * RADIUS, "{place:?}: {found} {expected}");
        }
    }
    Ok(())
}
