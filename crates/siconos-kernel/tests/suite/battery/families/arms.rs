//! Pendulums, arms and mechanisms, with nonlinear mass matrices, forces and constraints.

use ndarray::{Array2, ArrayViewMut2, array};
use siconos_kernel::prelude::*;

use crate::battery::draw::Draw;
use crate::battery::scene::Scene;
use crate::battery::units::{ACCELERATION, ANGLE, ENERGY, FREQUENCY, LENGTH, MASS, NUMBER, TIME, VELOCITY};

const GRAVITY: f64 = 9.81;
/// Step of finite differences, relative to the scale of the variable.
const DIFFERENCE: f64 = 6.055e-6;

fn restitution(draw: &mut Draw) -> NewtonImpact {
    NewtonImpact::new(draw.one_of(&[0.0, 0.5, 0.8])).expect("between 0 and 1")
}

/// Adds a pendulum m l^2 a'' + k sin a + c a' |a'| = 0 that hits a stop. The stop is given as an angle or as
/// a height.
pub(crate) fn pendulum(scene: &mut Scene, draw: &mut Draw) {
    let (m, l) = (draw.magnitude(1e-3, 1e2), draw.between(0.2, 1.0));
    let inertia = scene.of(m * l * l, ENERGY * TIME * TIME);
    let moment = scene.of(m * l * GRAVITY, ENERGY);
    let drag = scene.of(m * l * l * draw.one_of(&[0.0, 0.3]), ENERGY * TIME * TIME);
    let (start, speed) = (draw.between(-1.0, 1.0), draw.between(-2.0, 2.0));
    let rate_step = scene.of(DIFFERENCE, FREQUENCY);
    let (by_angle, by_rate) = if draw.chance(0.5) {
        (Jacobian::FiniteDifference, Jacobian::FiniteDifferenceWithStep(rate_step))
    } else {
        let by_angle = move |_at: At<'_>, q: &[f64], _v: &[f64], j: &mut ArrayViewMut2<'_, f64>| {
            j[[0, 0]] = moment * q[0].cos();
        };
        let by_rate = move |_at: At<'_>, _q: &[f64], v: &[f64], j: &mut ArrayViewMut2<'_, f64>| {
            j[[0, 0]] = 2.0 * drag * v[0].abs();
        };
        (Jacobian::function(by_angle), Jacobian::function(by_rate))
    };
    let system = Lagrangian::new(vec![start], vec![scene.of(speed, FREQUENCY)], array![[inertia]])
        .with_internal_force(
            move |_at, q, v, f| f[0] = moment * q[0].sin() + drag * v[0] * v[0].abs(),
            by_angle,
            by_rate,
        );
    let id = scene.system(vec![ANGLE], system);
    let stop = start - draw.between(0.05, 0.5);
    if draw.chance(0.3) {
        let relation = LagrangianLinearRelation::new(array![[1.0]]).with_offset(vec![-stop]);
        scene.contact(&[id], vec![ANGLE], relation, restitution(draw));
    } else {
        // The stop in terms of the arc length.
        let length = scene.of(l, LENGTH);
        let mut relation =
            LagrangianScleronomousRelation::new(1, move |_p, q, y| y[0] = length * (q[0] - stop).sin());
        if draw.chance(0.5) {
            relation = relation.with_jacobian(move |_p, q, j| j[[0, 0]] = length * (q[0] - stop).cos());
        }
        scene.contact(&[id], vec![LENGTH], relation, restitution(draw));
    }
}

/// Adds a double pendulum with M(q) and its gyroscopic forces, above a floor or between stops.
pub(crate) fn double_pendulum(scene: &mut Scene, draw: &mut Draw) {
    let (m1, m2) = (draw.magnitude(0.1, 10.0), draw.magnitude(0.1, 10.0));
    let (l1, l2) = (draw.between(0.3, 1.0), draw.between(0.3, 1.0));
    let inertia = ENERGY * TIME * TIME;
    let (a, b, c) = (
        scene.of((m1 + m2) * l1 * l1, inertia),
        scene.of(m2 * l2 * l2, inertia),
        scene.of(m2 * l1 * l2, inertia),
    );
    let (g1, g2) = (scene.of((m1 + m2) * GRAVITY * l1, ENERGY), scene.of(m2 * GRAVITY * l2, ENERGY));
    let mass = move |_p: &Parameters, q: &[f64], out: &mut ArrayViewMut2<'_, f64>| {
        let coupling = c * (q[0] - q[1]).cos();
        out.assign(&array![[a, coupling], [coupling, b]]);
    };
    let rate_step = scene.of(DIFFERENCE, FREQUENCY);
    let gyroscopic = move |_p: &Parameters, q: &[f64], v: &[f64], f: &mut [f64]| {
        let s = c * (q[0] - q[1]).sin();
        (f[0], f[1]) = (s * v[1] * v[1], -s * v[0] * v[0]);
    };
    let weight = move |_at: At<'_>, q: &[f64], _v: &[f64], j: &mut ArrayViewMut2<'_, f64>| {
        (j[[0, 0]], j[[1, 1]]) = (g1 * q[0].cos(), g2 * q[1].cos());
    };
    let q0 = vec![draw.between(-1.0, 1.0), draw.between(-1.0, 1.0)];
    let v0 = vec![scene.of(draw.between(-1.0, 1.0), FREQUENCY), 0.0];
    let system = Lagrangian::of_mass_function(q0.clone(), v0, mass)
        .with_gyroscopic_force(
            gyroscopic,
            Jacobian::FiniteDifference,
            Jacobian::FiniteDifferenceWithStep(rate_step),
        )
        .with_internal_force(
            move |_at, q, _v, f| (f[0], f[1]) = (g1 * q[0].sin(), g2 * q[1].sin()),
            Jacobian::function(weight),
            Jacobian::Zero,
        );
    let id = scene.system(vec![ANGLE; 2], system);
    // A floor below the tip.
    let depth = l1 * q0[0].cos() + l2 * q0[1].cos() + draw.between(0.005, 0.05);
    let (l1, l2, depth) = (scene.of(l1, LENGTH), scene.of(l2, LENGTH), scene.of(depth, LENGTH));
    let mut floor = LagrangianScleronomousRelation::new(1, move |_p, q, y| {
        y[0] = depth - l1 * q[0].cos() - l2 * q[1].cos();
    });
    if draw.chance(0.5) {
        floor = floor.with_jacobian(move |_p, q, j| {
            (j[[0, 0]], j[[0, 1]]) = (l1 * q[0].sin(), l2 * q[1].sin());
        });
    }
    scene.contact(&[id], vec![LENGTH], floor, restitution(draw));
}

/// Adds a pendulum on a slider between two walls, with one coordinate in metres and one in radians.
pub(crate) fn pendulum_on_slider(scene: &mut Scene, draw: &mut Draw) {
    let (big, m, l) = (draw.magnitude(0.1, 10.0), draw.magnitude(0.01, 10.0), draw.between(0.2, 1.0));
    let whole = scene.of(big + m, MASS);
    let (arm, inertia) = (scene.of(m * l, MASS * LENGTH), scene.of(m * l * l, ENERGY * TIME * TIME));
    let moment = scene.of(m * l * GRAVITY, ENERGY);
    let mass = move |_p: &Parameters, q: &[f64], out: &mut ArrayViewMut2<'_, f64>| {
        let coupling = arm * q[1].cos();
        out.assign(&array![[whole, coupling], [coupling, inertia]]);
    };
    let by_place = move |_at: At<'_>, q: &[f64], v: &[f64], j: &mut ArrayViewMut2<'_, f64>| {
        j[[0, 1]] = -arm * q[1].cos() * v[1] * v[1];
    };
    let by_rate = move |_at: At<'_>, q: &[f64], v: &[f64], j: &mut ArrayViewMut2<'_, f64>| {
        j[[0, 1]] = -2.0 * arm * q[1].sin() * v[1];
    };
    let weight = move |_at: At<'_>, q: &[f64], _v: &[f64], j: &mut ArrayViewMut2<'_, f64>| {
        j[[1, 1]] = moment * q[1].cos();
    };
    let q0 = vec![0.0, draw.between(-1.5, 1.5)];
    let v0 = vec![scene.of(draw.between(-1.0, 1.0), VELOCITY), scene.of(draw.between(-1.0, 1.0), FREQUENCY)];
    let system = Lagrangian::of_mass_function(q0, v0, mass)
        .with_gyroscopic_force(
            move |_p, q, v, f| f[0] = -arm * q[1].sin() * v[1] * v[1],
            Jacobian::function(by_place),
            Jacobian::function(by_rate),
        )
        .with_internal_force(
            move |_at, q, _v, f| f[1] = moment * q[1].sin(),
            Jacobian::function(weight),
            Jacobian::Zero,
        );
    let id = scene.system(vec![LENGTH, ANGLE], system);
    let wall = scene.of(draw.between(0.02, 0.2), LENGTH);
    let law = restitution(draw);
    for side in [1.0, -1.0] {
        let relation = LagrangianLinearRelation::new(array![[side, 0.0]]).with_offset(vec![wall]);
        scene.contact(&[id], vec![LENGTH], relation, law);
    }
}

/// Adds a point mass at the end of a rod, in Cartesian coordinates. The constraint fixes the length or its
/// square.
pub(crate) fn point_on_rod(scene: &mut Scene, draw: &mut Draw) {
    let (m, l, angle) = (draw.magnitude(1e-2, 1e2), draw.between(0.3, 1.0), draw.between(0.2, 1.2));
    let (squared, given) = (draw.chance(0.5), draw.chance(0.6));
    let q0 = vec![scene.of(l * angle.sin(), LENGTH), scene.of(-l * angle.cos(), LENGTH)];
    let mass = scene.of(m, MASS);
    let weight = scene.of(m * GRAVITY, MASS * ACCELERATION);
    let system = LagrangianLinear::new(q0, vec![0.0, 0.0], Array2::from_diag(&array![mass, mass]))
        .with_external_force(move |_at, f| f[1] = -weight);
    let id = scene.system(vec![LENGTH; 2], system);
    let length = scene.of(l, LENGTH);
    let step = scene.of(DIFFERENCE, LENGTH);
    let mut relation = LagrangianScleronomousRelation::new(1, move |_p, q, y| {
        let square = q[0] * q[0] + q[1] * q[1];
        y[0] = if squared { square - length * length } else { square.sqrt() - length };
    })
    .with_difference_step(step);
    if given {
        relation = relation.with_jacobian(move |_p, q, j| {
            let size = if squared { 0.5 } else { (q[0] * q[0] + q[1] * q[1]).sqrt() };
            (j[[0, 0]], j[[0, 1]]) = (q[0] / size, q[1] / size);
        });
    }
    let rows = vec![if squared { LENGTH * LENGTH } else { LENGTH }];
    scene.contact(&[id], rows, relation, EqualityCondition::new(1).expect("one row"));
    if draw.chance(0.5) {
        let wall = LagrangianLinearRelation::new(array![[1.0, 0.0]]);
        scene.contact(&[id], vec![LENGTH], wall, restitution(draw));
    }
}

/// Adds a ball on a shaking table, with or without the time derivative of the table's motion.
pub(crate) fn shaken_table(scene: &mut Scene, draw: &mut Draw) {
    let m = draw.magnitude(1e-2, 1e2);
    let weight = scene.of(m * GRAVITY, MASS * ACCELERATION);
    let (height, amplitude, frequency) =
        (draw.between(0.0, 0.1), draw.between(0.0, 0.02), draw.between(5.0, 30.0));
    // The ball starts above the table for every initial phase.
    let height = scene.of(height + amplitude, LENGTH);
    let system = LagrangianLinear::new(vec![height], vec![0.0], array![[scene.of(m, MASS)]])
        .with_external_force(move |_at, f| f[0] = -weight);
    let id = scene.system(vec![LENGTH], system);
    let (amplitude, frequency) = (scene.of(amplitude, LENGTH), scene.of(frequency, FREQUENCY));
    let mut table = LagrangianRheonomousRelation::new(1, move |at, q, y| {
        y[0] = q[0] - amplitude * (frequency * at.t).sin();
    })
    .with_jacobian(|_at, _q, j| j[[0, 0]] = 1.0)
    .with_difference_step(scene.of(DIFFERENCE, LENGTH));
    if draw.chance(0.5) {
        table = table.with_time_derivative(move |at, _q, out| {
            out[0] = -amplitude * frequency * (frequency * at.t).cos();
        });
    }
    scene.contact(&[id], vec![LENGTH / NUMBER], table, restitution(draw));
}
