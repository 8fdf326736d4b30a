//! Model with islands of all kinds, some with one row.

use ndarray::{Array2, ArrayViewMut2, array};
use siconos_kernel::prelude::*;

/// Creates a model with islands of all kinds, some with one row: piles of balls that fall onto a floor and
/// each other, rotors with stops that need iterations, boxes that slide with friction, colliding rotors, and
/// linear and nonlinear circuits with diodes.
pub(crate) fn model(broken: Option<usize>) -> Result<NonSmoothDynamicalSystem, Error> {
    let mut model = NonSmoothDynamicalSystem::new();
    add_to(&mut model, broken)?;
    Ok(model)
}

/// Adds all parts to a model once more. The balls of pile `broken` have a NaN force after 0.2 s.
pub(crate) fn add_to(model: &mut NonSmoothDynamicalSystem, broken: Option<usize>) -> Result<(), Error> {
    for pile in 0..23_usize {
        let mut below = None;
        for k in 0..=pile % 6 {
            let height = 0.1 + 0.21 * k as f64 + 0.003 * pile as f64;
            let mass = 1.0 + 0.1 * ((3 * pile + k) % 7) as f64;
            let ball = LagrangianLinear::new(vec![height], vec![0.0], array![mass]);
            let breaks = broken == Some(pile);
            let ball = ball.with_external_force(move |at, f| {
                f[0] = if breaks && at.t > 0.2 { f64::NAN } else { -9.81 * mass };
            });
            let ball = model.add_system(ball)?;
            let (systems, h, offset) = match below {
                None => (vec![ball], array![[1.0]], -0.1),
                Some(below) => (vec![below, ball], array![[-1.0, 1.0]], -0.2),
            };
            let contact = LagrangianLinearRelation::new(h).with_offset(vec![offset]);
            model.add_interaction(systems, contact, NewtonImpact::new(0.5)?)?;
            below = Some(ball);
        }
    }
    for k in 0..7 {
        let rotor = Lagrangian::new(vec![0.1 * f64::from(k)], vec![1.0], array![2.0]).with_internal_force(
            |_at, q, _v, f| f[0] = 30.0 * q[0].sin(),
            Jacobian::FiniteDifference,
            Jacobian::Zero,
        );
        let rotor = model.add_system(rotor)?;
        let stop = LagrangianScleronomousRelation::new(1, |_, q, y| y[0] = 0.9 - q[0].sin());
        model.add_interaction([rotor], stop, NewtonImpact::new(0.8)?)?;
    }
    for k in 0..6 {
        add_colliding_rotors(model, k)?;
        add_clippers(model, k)?;
    }
    for k in 0..5 {
        let body = LagrangianLinear::new(vec![0.0, 0.01], vec![1.0 + f64::from(k), 0.0], array![1.0, 1.0]);
        let body = model.add_system(body.with_constant_external_force(vec![0.0, -9.81]))?;
        let floor = LagrangianLinearRelation::new(array![[0.0, 1.0], [1.0, 0.0]]);
        model.add_interaction([body], floor, NewtonImpactFriction::in_plane(0.0, 0.3)?)?;
    }
    for k in 0..9 {
        let phase = f64::from(k);
        let circuit = FirstOrderLinear::new(vec![0.0, 0.0], array![[-1.0, 4.0], [-4.0, -0.1]])
            .with_source_function(move |at, b| b[1] = (5.0 * at.t + phase).sin());
        let circuit = model.add_system(circuit)?;
        let diodes = FirstOrderLinearRelation::new(Array2::eye(2), Array2::eye(2))
            .with_d(array![[0.5, 0.1], [0.1, 0.5]]);
        model.add_interaction([circuit], diodes, ComplementarityCondition::new(2)?)?;
    }
    Ok(())
}

/// Adds two rotors, each between its own stops, with a contact between them: an island of three nonlinear
/// rows.
fn add_colliding_rotors(model: &mut NonSmoothDynamicalSystem, k: u32) -> Result<(), Error> {
    let phase = 0.1 * f64::from(k);
    let mut rotors = Vec::new();
    for (angle, speed) in [(-0.3 - phase, 2.0), (0.4, -3.0 + phase)] {
        let mass = move |_: &Parameters, q: &[f64], m: &mut ArrayViewMut2<'_, f64>| {
            m[[0, 0]] = 2.0 + 0.3 * q[0].cos();
        };
        let rotor = Lagrangian::of_mass_function(vec![angle], vec![speed], mass).with_internal_force(
            |_at, q, v, f| f[0] = 20.0 * q[0].sin() + 0.2 * v[0] * v[0].abs(),
            Jacobian::FiniteDifference,
            Jacobian::FiniteDifference,
        );
        rotors.push(model.add_system(rotor)?);
    }
    let between =
        LagrangianScleronomousRelation::new(1, |_, q, y| y[0] = (q[1] - q[0]).sin() + 0.1 * (q[1] - q[0]));
    model.add_interaction(rotors.clone(), between, NewtonImpact::new(0.6)?)?;
    let left = LagrangianScleronomousRelation::new(1, |_, q, y| y[0] = q[0].sin() + 0.6);
    model.add_interaction([rotors[0]], left, NewtonImpact::new(0.6)?)?;
    let right = LagrangianScleronomousRelation::new(1, |_, q, y| y[0] = 0.5 - q[0].sin());
    model.add_interaction([rotors[1]], right, NewtonImpact::new(0.6)?)?;
    Ok(())
}

/// Adds two oscillators, each with nonlinear clipping diodes, and a diode between them with a current that
/// depends on both.
fn add_clippers(model: &mut NonSmoothDynamicalSystem, k: u32) -> Result<(), Error> {
    let mut circuits = Vec::new();
    for sign in [1.0, -1.0] {
        let circuit = FirstOrderNonlinear::new(
            vec![sign + 0.1 * f64::from(k), 0.0],
            |_at, x, f| (f[0], f[1]) = (-30.0 * x[1], 30.0 * x[0].sin() - 0.1 * x[1]),
            Jacobian::FiniteDifference,
        );
        let circuit = model.add_system(circuit)?;
        let diode = FirstOrderNonlinearRelation::new(
            1,
            |at, y| y[0] = 0.1 - at.x[1].sin() + at.lambda[0],
            |at, r| (r[0], r[1]) = (0.0, -at.lambda[0] * (1.0 + 0.1 * at.lambda[0])),
        )
        .with_c(RelationJacobian::FiniteDifference)
        .with_d(RelationJacobian::FiniteDifference)
        .with_k(RelationJacobian::Zero)
        .with_b(RelationJacobian::FiniteDifference);
        model.add_interaction([circuit], diode, ComplementarityCondition::new(1)?)?;
        circuits.push(circuit);
    }
    let bridge =
        FirstOrderLinearRelation::new(array![[1.0, 0.0, -1.0, 0.0]], array![[1.0], [0.0], [-1.0], [0.0]])
            .with_offset_function(|at, e| e[0] = 0.3 * (7.0 * at.t).sin())
            .with_d(array![[0.2]]);
    model.add_interaction(circuits, bridge, ComplementarityCondition::new(1)?)?;
    Ok(())
}
