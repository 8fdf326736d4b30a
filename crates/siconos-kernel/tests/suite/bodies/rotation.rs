//! Quaternions, and the configurations of rigid bodies.

use siconos_kernel::model::{ConfigurationSpace, Quaternion, RigidPlacement, RotationUpdate};
use siconos_testkit::random::RandomState;

use super::{orientation, vector};

fn off<const N: usize>(a: [f64; N], b: [f64; N]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, siconos_testkit::compare::worse)
}

#[test]
fn products_and_turns_are_those_of_matrices() {
    let mut draw = RandomState::new(1);
    for _ in 0..100 {
        let (a, b, x) = (orientation(&mut draw), orientation(&mut draw), vector(&mut draw, 3.0));
        assert!(off((a * b).rotate(x), a.rotate(b.rotate(x))) < 1e-14);
        assert!(off(a.rotate_back(a.rotate(x)), x) < 1e-14);
        let of_matrix = a.matrix().map(|row| row.iter().zip(x).map(|(r, x)| r * x).sum());
        assert!(off(a.rotate(x), of_matrix) < 1e-14);
        // q o (0, x) o q^c = (0, R x).
        let conjugated = a * Quaternion::of_parts(0.0, x) * a.conjugate();
        assert!(off(conjugated.vector(), a.rotate(x)) < 1e-14 && conjugated.scalar().abs() < 1e-15);
        // The matrix of the product with (0, Omega), with the last row (q3, -q2, q1, q0).
        let Quaternion([q0, q1, q2, q3]) = a;
        let rows = [[-q1, -q2, -q3], [q0, -q3, q2], [q3, q0, -q1], [-q2, q1, q0]];
        let rate = rows.map(|row| 0.5 * row.iter().zip(x).map(|(q, x)| q * x).sum::<f64>());
        assert!(off(a.rate(x).0, rate) < 1e-15);
        let along: f64 = a.0.iter().zip(rate).map(|(q, rate)| q * rate).sum();
        assert!(along.abs() < 1e-15, "q . q' = {along}");
    }
}

#[test]
fn a_turn_is_the_exponential_of_its_logarithm() {
    let mut draw = RandomState::new(2);
    for size in [1e-300, 1e-12, 1e-8, 1e-3, 1.0, 1.8] {
        for _ in 0..50 {
            let x = vector(&mut draw, size);
            assert!(off(Quaternion::exp(x).log(), x) <= 1e-14 * size, "{x:?}");
            assert!(off(Quaternion(Quaternion::exp(x).0.map(|q| -q)).log(), x) <= 1e-14 * size, "{x:?}");
        }
    }
    assert_eq!(Quaternion::exp([0.0; 3]), Quaternion::IDENTITY);
    let half = Quaternion::about([0.0, 2.0, 0.0], std::f64::consts::PI).log();
    assert!(off(half, [0.0, std::f64::consts::PI, 0.0]) < 1e-15);
}

#[test]
fn displacements_lead_where_they_say_and_change_as_the_angular_velocity_asks() {
    let mut draw = RandomState::new(3);
    for update in [RotationUpdate::Exponential, RotationUpdate::Tangent] {
        let space = RigidPlacement { update };
        for size in [1e-4, 0.3, 1.5] {
            for _ in 0..50 {
                let (x, Quaternion([a, b, c, d])) = (vector(&mut draw, 2.0), orientation(&mut draw));
                let q = [x[0], x[1], x[2], a, b, c, d];
                let (by, turn) = (vector(&mut draw, size), vector(&mut draw, size));
                let displacement = [by[0], by[1], by[2], turn[0], turn[1], turn[2]];
                let (mut to, mut back) = ([0.0; 7], [0.0; 6]);
                space.advance(&q, &displacement, &mut to);
                space.displacement(&q, &to, &mut back);
                assert!(off(back, displacement) < 1e-14, "{update:?}");
                // After a small motion with velocity v, the displacement has changed at its rate.
                let v: [f64; 6] = std::array::from_fn(|_| draw.between(-1.0, 1.0));
                let (mut rate, mut moved, step) = ([0.0; 6], [[0.0; 6]; 2], 1e-5);
                space.displacement_rate(&displacement, &v, &mut rate);
                for (moved, sign) in moved.iter_mut().zip([1.0, -1.0]) {
                    let mut further = [0.0; 7];
                    space.advance(&to, &v.map(|v| sign * step * v), &mut further);
                    space.displacement(&q, &further, moved);
                }
                let difference = std::array::from_fn(|i| (moved[0][i] - moved[1][i]) / (2.0 * step));
                assert!(off(rate, difference) < 1e-8, "{update:?}: {rate:?} and {difference:?}");
                // The rate of the coordinates equals the difference quotient of the motion.
                let (mut rate, mut moved) = ([0.0; 7], [[0.0; 7]; 2]);
                space.rate(&q, &v, &mut rate);
                space.advance(&q, &v.map(|v| step * v), &mut moved[0]);
                space.advance(&q, &v.map(|v| -step * v), &mut moved[1]);
                let difference = std::array::from_fn(|i| (moved[0][i] - moved[1][i]) / (2.0 * step));
                assert!(off(rate, difference) < 1e-9, "{update:?}: {rate:?} and {difference:?}");
            }
        }
    }
}

#[test]
fn displacements_over_half_a_turn_lead_there() {
    let mut draw = RandomState::new(4);
    for update in [RotationUpdate::Exponential, RotationUpdate::Tangent] {
        let space = RigidPlacement { update };
        for beside in [0.0, 1e-17, -1e-17, 1e-9, -1e-9] {
            for axis in [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], vector(&mut draw, 1.0)] {
                let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
                let turn = Quaternion::of_parts(beside, axis.map(|x| x / length));
                for Quaternion([a, b, c, d]) in [Quaternion::IDENTITY, orientation(&mut draw)] {
                    let Quaternion(orientation) = Quaternion([a, b, c, d]) * turn;
                    let (from, mut to) = ([0.0, 0.0, 0.0, a, b, c, d], [0.0; 7]);
                    to[3..].copy_from_slice(&orientation);
                    let (mut displacement, mut reached) = ([0.0; 6], [0.0; 7]);
                    space.displacement(&from, &to, &mut displacement);
                    space.advance(&from, &displacement, &mut reached);
                    let other = reached.map(|q| -q);
                    let error = off(reached, to).min(off(other, to));
                    assert!(error < 1e-15, "{update:?}, {turn:?}: {displacement:?} leads {error:e} beside");
                }
            }
        }
    }
}
