//! Comparison of every Jacobian and time derivative that an example supplies with finite differences, at
//! several points.

use siconos_examples::cam_follower::{CamFollower, Form};
use siconos_examples::double_pendulum::{DoublePendulum, exact_derivative};
use siconos_examples::nonlinear_relation::CircleSliding;
use siconos_kernel::model::{DynamicalSystem, NonSmoothDynamicalSystem, Relation};

const TOLERANCE: f64 = 1e-6;

/// Checks a model at its initial positions and at positions displaced by up to 0.3. The velocities are the
/// initial velocities.
fn check(model: &NonSmoothDynamicalSystem, t: f64) {
    for shift in [0.0, 0.1, -0.2, 0.3] {
        let moved = |x: &[f64]| -> Vec<f64> {
            x.iter().enumerate().map(|(i, x)| x + shift * (1.0 + i as f64).cos()).collect()
        };
        for (_, system) in model.systems().iter() {
            match system {
                DynamicalSystem::Lagrangian(s) => {
                    s.check_jacobians(t, &moved(s.q0()), s.v0(), TOLERANCE).unwrap();
                }
                DynamicalSystem::FirstOrderNonlinear(s) => {
                    let rate = vec![shift; s.x0().len()];
                    s.check_jacobians(t, &moved(s.x0()), &rate, TOLERANCE).unwrap();
                }
                _ => {}
            }
        }
        for (_, interaction) in model.interactions().iter() {
            let mut q = Vec::new();
            for &id in interaction.systems() {
                let system = model.system(id).unwrap();
                q.extend(moved(if system.is_first_order() { system.x0() } else { system.q0() }));
            }
            interaction.relation().check_jacobians(t, &q, TOLERANCE).unwrap();
            if let Relation::FirstOrderNonlinear(relation) = interaction.relation() {
                relation.check_jacobians(t, &q, &vec![0.7; relation.size()], TOLERANCE).unwrap();
            }
        }
    }
}

#[test]
fn double_pendulum() {
    check(&DoublePendulum::default().model().unwrap().0, 0.0);
}

#[test]
fn double_pendulum_in_motion() {
    // The example supplies the derivative of the sum of its two forces.
    let (q, v, g, step) = ([0.4, -0.3], [1.5, -0.7], 10.0, 1e-5);
    let force = |q: [f64; 2]| {
        let s = (q[0] - q[1]).sin();
        [v[1] * v[1] * s + 2.0 * g * q[0].sin(), -v[0] * v[0] * s + g * q[1].sin()]
    };
    let given = exact_derivative(&q, &v, g);
    for column in 0..2 {
        let moved = |by: f64| {
            let mut q = q;
            q[column] += by;
            force(q)
        };
        let (right, left) = (moved(step), moved(-step));
        for row in 0..2 {
            let expected = (right[row] - left[row]) / (2.0 * step);
            assert!((given[row][column] - expected).abs() < 1e-7, "entry ({row}, {column})");
        }
    }
}

#[test]
fn cam_follower() {
    let cam = CamFollower::default();
    for form in [Form::Rheonomic, Form::Translated] {
        // The time is within an arc of the cam, so that the differences do not cross a boundary between two
        // arcs.
        check(&cam.model(form).unwrap().0, 0.021);
    }
}

#[test]
fn sliding_on_a_circle() {
    check(&CircleSliding::default().model().unwrap().0, 0.0);
}
