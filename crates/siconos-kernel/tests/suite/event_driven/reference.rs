//! Published event-driven trajectories, if the files are available.

use ndarray::array;
use siconos_kernel::prelude::*;
use siconos_testkit::compare::worse;
use siconos_testkit::reference::trajectory;

/// The file has two rows per impact, before and after it, and one row per output point.
#[test]
fn the_ball_is_bouncing_ball_ed_of_siconos() {
    let Some(expected) = trajectory("BouncingBallED.ref") else { return };
    let (m, g) = (1.0, 9.81);
    let mut model = NonSmoothDynamicalSystem::new();
    let ball = LagrangianLinear::new(vec![1.0], vec![0.0], array![m]);
    let ball = model.add_system(ball.with_external_force(move |_t, f| f[0] = -m * g)).unwrap();
    let relation = LagrangianLinearRelation::new(array![[1.0]]);
    let floor = model.add_interaction([ball], relation, NewtonImpact::new(0.9).unwrap()).unwrap();
    let grid = TimeDiscretisation::uniform(0.0, 8.5, 0.005).unwrap();
    let mut sim = EventDriven::builder(&model).discretisation(grid).build().unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    let mut rows: Vec<[f64; 7]> = Vec::new();
    sim.run(&model, &mut state, |report, state| {
        let (q, p) = (state.q(ball)[0], state.impulse(ball)[0]);
        let force = state.lambda(floor, Level::Acceleration)[0];
        let impulse = state.lambda(floor, Level::Velocity)[0];
        if !report.impacts.is_empty() {
            rows.push([state.t, q, state.v_before(ball)[0], p, force, 0.0, force]);
        }
        rows.push([state.t, q, state.v(ball)[0], p, force, impulse, force]);
    })
    .unwrap();
    assert_eq!(rows.len(), expected.len());
    for (column, tolerance) in [1e-7; 7].into_iter().enumerate() {
        let worst = rows.iter().zip(&expected).map(|(a, b)| (a[column] - b[column]).abs()).fold(0.0, worse);
        println!("column {column}: {worst:e}");
        assert!(worst <= tolerance, "column {column}: {worst:e}");
    }
}

/// A pendulum in Cartesian coordinates on a unilateral constraint that is closed at the start.
#[test]
fn the_pendulum_is_simple_pendulum_ed_of_siconos() {
    let Some(expected) = trajectory("SimplePendulumED_Lsodar.ref") else { return };
    let angle = std::f64::consts::FRAC_PI_3;
    let mut model = NonSmoothDynamicalSystem::new();
    let mass = LagrangianLinear::new(vec![angle.sin(), angle.cos()], vec![0.0; 2], array![1.0, 1.0]);
    let mass = model.add_system(mass.with_external_force(|_t, f| f[1] = 9.81)).unwrap();
    let rope = LagrangianScleronomousRelation::new(1, |_, q, y| y[0] = 1.0 - q[0] * q[0] - q[1] * q[1])
        .with_jacobian(|_, q, j| {
            j[[0, 0]] = -2.0 * q[0];
            j[[0, 1]] = -2.0 * q[1];
        })
        .with_convective_acceleration(|_, _q, v, out| out[0] = -2.0 * (v[0] * v[0] + v[1] * v[1]));
    let rope = model.add_interaction([mass], rope, NewtonImpact::new(0.9).unwrap()).unwrap();
    let grid = TimeDiscretisation::uniform(0.0, 10.0, 0.01).unwrap();
    let mut sim = EventDriven::builder(&model).discretisation(grid).build().unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    let row = |state: &State| {
        let (q, v, a) = (state.q(mass), state.v(mass), state.acceleration(mass));
        let (y, y_dot) = (state.y(rope, Level::Position)[0], state.y(rope, Level::Velocity)[0]);
        [state.t, q[0], q[1], v[0], v[1], a[0], a[1], y, y_dot, state.lambda(rope, Level::Acceleration)[0]]
    };
    let mut rows = vec![row(&state)];
    sim.run(&model, &mut state, |_, state| rows.push(row(state))).unwrap();
    assert_eq!(rows.len(), expected.len());
    println!("{:?}", sim.statistics());
    for column in [0, 1, 2, 3, 4, 7, 8, 9] {
        let worst = rows.iter().zip(&expected).map(|(a, b)| (a[column] - b[column]).abs()).fold(0.0, worse);
        println!("column {column}: {worst:e}");
        assert!(worst <= 1e-7, "column {column}: {worst:e}");
    }
    // Except in the first row, the accelerations in the file belong to another time.
    for column in [5, 6] {
        assert!((rows[0][column] - expected[0][column]).abs() < 1e-12);
    }
}
