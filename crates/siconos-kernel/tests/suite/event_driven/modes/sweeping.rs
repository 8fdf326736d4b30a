//! Relative degree 1: sweeping processes, moving sets, jumps.

use std::f64::consts::{PI, TAU};

use ndarray::{Array2, array};
use siconos_kernel::prelude::*;

use super::{Driver, assert_close, first_fall, linear, settings, with_relation};

fn none(n: usize) -> Array2<f64> {
    Array2::zeros((n, n))
}

/// A point is pushed against a wall and pulled off it, as in Skorokhod's formula.
#[test]
fn point_that_is_pushed_against_a_wall() {
    let system = FirstOrderLinear::new(vec![0.2], none(1))
        .with_source_function(|at, b| b[0] = (TAU * at.t).cos() - 0.3);
    let model = with_relation(system, FirstOrderLinearRelation::new(array![[1.0]], array![[1.0]]), 1);
    let mut driver = Driver::new(&model);
    let without_wall = |t: f64| 0.2 + (TAU * t).sin() / TAU - 0.3 * t;
    let release = |k: f64| k - 0.3_f64.acos() / TAU;
    let mut expected = Vec::new();
    let (mut t, mut offset) = (0.0, 0.0);
    for k in 1..5 {
        t = first_fall(t, 1e-3, |s| without_wall(s) + offset);
        expected.push(t);
        t = release(f64::from(k) + f64::from(t > release(f64::from(k))));
        expected.push(t);
        offset = -without_wall(t);
    }
    driver.go(t + 0.1).expect("all modes are found");
    assert_close(&driver.times(), &expected, 1e-12);
    assert_close(&driver.x(), &[without_wall(t + 0.1) + offset], 1e-12);
    // On the wall, lambda is minus the input.
    let mut driver = Driver::new(&model);
    driver.go(0.6).expect("all modes are found");
    assert_close(&driver.lambda(), &[0.3 - (TAU * 0.6).cos()], 1e-12);
    assert_eq!(driver.x(), [0.0]);
}

/// The system x' = -x + lambda above the moving bound sin t.
#[test]
fn bound_that_moves() {
    let relation = FirstOrderLinearRelation::new(array![[1.0]], array![[1.0]])
        .with_offset_function(|at, e| e[0] = -at.t.sin());
    let model = with_relation(FirstOrderLinear::new(vec![0.3], array![[-1.0]]), relation, 1);
    let mut driver = Driver::new(&model);
    let touch = first_fall(0.0, 1e-3, |t| 0.3 * (-t).exp() - t.sin());
    let leave = 0.75 * PI;
    let decay = |t: f64| leave.sin() * (leave - t).exp();
    let again = first_fall(leave, 1e-2, |t| decay(t) - t.sin());
    driver.go(1.0).expect("all modes are found");
    assert_close(&driver.x(), &[1.0_f64.sin()], 1e-12);
    assert_close(&driver.lambda(), &[1.0_f64.sin() + 1.0_f64.cos()], 1e-10);
    driver.go(5.0).expect("all modes are found");
    assert_close(&driver.x(), &[decay(5.0)], 1e-11);
    driver.go(8.0).expect("all modes are found");
    assert_close(&driver.times(), &[touch, leave, again], 1e-10);
    assert_close(&driver.x(), &[8.0_f64.sin()], 1e-12);
}

/// The play operator: x stays within 0.5 of sin t and moves only if it is pushed.
#[test]
fn box_that_moves() {
    let relation = FirstOrderLinearRelation::new(array![[1.0], [-1.0]], array![[1.0, -1.0]])
        .with_offset_function(|at, e| (e[0], e[1]) = (0.5 - at.t.sin(), 0.5 + at.t.sin()));
    let model = with_relation(FirstOrderLinear::new(vec![0.0], none(1)), relation, 2);
    let mut driver = Driver::new(&model);
    for (t, x) in [
        (0.4, 0.0),
        (1.0, 1.0_f64.sin() - 0.5),
        (2.0, 0.5),
        (PI, 0.5),
        (4.0, 4.0_f64.sin() + 0.5),
        (6.0, -0.5),
    ] {
        driver.go(t).expect("all modes are found");
        assert_close(&driver.x(), &[x], 1e-12);
    }
    let expected = [PI / 6.0, 0.5 * PI, PI, 1.5 * PI];
    assert_close(&driver.times(), &expected, 1e-10);
    let sets: Vec<Vec<usize>> = driver.events.iter().map(|event| event.active.clone()).collect();
    assert_eq!(sets, [vec![], vec![0], vec![], vec![1], vec![]]);
}

/// The initial state violates the constraints. The jump is the projection in the metric of M.
#[test]
fn start_outside_is_projected_in_the_metric_of_the_mass() {
    let (m1, m2) = (2.0, 0.5);
    let c = array![[1.0, 1.0]];
    let system = FirstOrderLinear::new(vec![-1.0, 0.4], none(2)).with_mass(array![[m1, 0.0], [0.0, m2]]);
    let relation = FirstOrderLinearRelation::new(c.clone(), c.t().to_owned()).with_offset(vec![0.1]);
    let model = with_relation(system, relation, 1);
    let mut driver = Driver::new(&model);
    assert!(driver.events[0].jumped);
    // The projection minimises m1 (x1 + 1)^2 + m2 (x2 - 0.4)^2 on x1 + x2 = -0.1.
    let sigma = 0.5 / (1.0 / m1 + 1.0 / m2);
    driver.go(1.0).expect("all modes are found");
    assert_close(&driver.x(), &[-1.0 + sigma / m1, 0.4 + sigma / m2], 1e-14);
}

/// At a corner, both constraints are violated, but the nearest point may be on one of them only.
#[test]
fn projection_onto_a_corner_or_a_side() {
    // The constraints are x1 >= 0 and x1 + x2 >= 0.
    let c = array![[1.0, 0.0], [1.0, 1.0]];
    for (start, nearest) in
        [([-1.0, 0.5], [0.0, 0.5]), ([-1.0, -0.5], [0.0, 0.0]), ([0.5, -1.0], [0.75, -0.75])]
    {
        let model = linear(&start, none(2), c.t().to_owned(), c.clone(), none(2));
        let mut driver = Driver::new(&model);
        assert!(driver.events[0].jumped);
        driver.go(0.1).expect("all modes are found");
        assert_close(&driver.x(), &nearest, 1e-15);
    }
}

/// A bound that increases in a step. The state has to jump during the motion, at an event.
#[test]
fn jump_where_the_set_steps() {
    let relation = FirstOrderLinearRelation::new(array![[1.0]], array![[1.0]])
        .with_offset_function(|at, e| e[0] = if at.t < 1.0 { -1.0 } else { -3.0 });
    let model = with_relation(FirstOrderLinear::new(vec![2.0], array![[-1.0]]), relation, 1);
    let mut driver = Driver::new(&model);
    driver.simulation.events_mut().schedule(EventKind::Custom, 1.0).expect("it is to come");
    driver.go(1.0).expect("all modes are found");
    assert_close(&driver.times(), &[2.0_f64.ln()], 1e-12);
    assert_close(&driver.lambda(), &[1.0], 1e-12);
    assert_eq!(driver.x(), [1.0]);
    driver.go(2.0).expect("all modes are found");
    assert!(driver.events.last().is_some_and(|event| event.jumped));
    assert_eq!(driver.x(), [3.0]);
    assert_close(&driver.lambda(), &[3.0], 1e-12);
}

/// Creates a relation that keeps a point in the disc of radius 1. B has to be added.
fn in_a_disc() -> FirstOrderNonlinearRelation {
    FirstOrderNonlinearRelation::new(
        1,
        |at, y| y[0] = 0.5 * (1.0 - at.x[0] * at.x[0] - at.x[1] * at.x[1]),
        |at, r| (r[0], r[1]) = (-at.x[0] * at.lambda[0], -at.x[1] * at.lambda[0]),
    )
    .with_c(RelationJacobian::function(|at, c| (c[[0, 0]], c[[0, 1]]) = (-at.x[0], -at.x[1])))
    .with_d(RelationJacobian::Zero)
    .with_k(RelationJacobian::FiniteDifference)
}

/// A point in a disc is driven upwards. It slides along the circle with sin(theta) = tanh(t + const).
#[test]
fn slide_along_a_circle() {
    let relation =
        in_a_disc().with_b(RelationJacobian::function(|at, b| (b[[0, 0]], b[[1, 0]]) = (-at.x[0], -at.x[1])));
    let system = FirstOrderLinear::new(vec![0.6, 0.0], none(2)).with_source(vec![0.0, 1.0]);
    let model = with_relation(system, relation, 1);
    let mut driver = Driver::new(&model);
    driver.go(2.0).expect("all modes are found");
    // The point reaches the circle at (0.6, 0.8).
    assert_close(&driver.times(), &[0.8], 1e-12);
    let sine = (1.2 + 0.8_f64.atanh()).tanh();
    assert_close(&driver.x(), &[(1.0 - sine * sine).sqrt(), sine], 1e-11);
    assert_close(&driver.lambda(), &[sine], 1e-10);
}

/// From outside the disc, the nearest point is along the radius.
#[test]
fn jump_onto_a_circle() {
    let relation = in_a_disc().with_b(RelationJacobian::FiniteDifference);
    let model = with_relation(FirstOrderLinear::new(vec![1.5, 2.0], none(2)), relation, 1);
    let mut driver = Driver::new(&model);
    assert!(driver.events[0].jumped);
    driver.go(0.1).expect("all modes are found");
    assert_close(&driver.x(), &[0.6, 0.8], 1e-8);
}

/// A disc moves away with speed 1 and drags a point along a tractrix: tan(theta / 2) grows like exp(t), where
/// theta is the angle between the radius and the direction of motion. The constraint is nonlinear and moving.
#[test]
fn tractrix() {
    let relation = FirstOrderNonlinearRelation::new(
        1,
        |at, y| y[0] = 0.5 * (1.0 - (at.x[0] - at.t).powi(2) - at.x[1].powi(2)),
        |at, r| (r[0], r[1]) = ((at.t - at.x[0]) * at.lambda[0], -at.x[1] * at.lambda[0]),
    )
    .with_c(RelationJacobian::function(|at, c| (c[[0, 0]], c[[0, 1]]) = (at.t - at.x[0], -at.x[1])))
    .with_d(RelationJacobian::Zero)
    .with_k(RelationJacobian::FiniteDifference)
    .with_b(RelationJacobian::function(|at, b| (b[[0, 0]], b[[1, 0]]) = (at.t - at.x[0], -at.x[1])));
    let model = with_relation(FirstOrderLinear::new(vec![0.0, 0.8], none(2)), relation, 1);
    let mut driver = Driver::with_integration(&model, settings(1e-11)).expect("the model can be laid out");
    driver.go(2.0).expect("all modes are found");
    // The circle reaches the point at t = 0.6, where the radius is (-0.6, 0.8).
    assert_close(&driver.times(), &[0.6], 1e-12);
    let theta = 2.0 * (2.0 * 1.4_f64.exp()).atan();
    assert_close(&driver.x(), &[2.0 + theta.cos(), theta.sin()], 1e-10);
    assert_close(&driver.lambda(), &[-theta.cos()], 1e-9);
}
