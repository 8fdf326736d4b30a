//! Point masses: ball, block, oscillator, table, cradle.

use ndarray::array;
use siconos_kernel::prelude::*;

use crate::BuiltModel;

/// Builds a ball of mass 1 kg above a floor at height 0. q is the height \[m\] of the ball.
///
/// A start at height 0 is a resting contact if the velocity is 0, and an impact at the initial time if the
/// velocity is negative.
///
/// ```
/// use siconos_models::ball;
/// use siconos_kernel::prelude::*;
///
/// let built = ball(9.81, 0.9, 1.0, 0.0)?;
/// let mut simulation = TimeStepping::builder(&built.model)
///     .discretisation(TimeDiscretisation::uniform(0.0, 1.0, 1e-3)?)
///     .build()?;
/// let mut state = simulation.initial_state(&built.model)?;
/// simulation.run(&built.model, &mut state, |_report, _state| {})?;
/// assert!(state.q(built.bodies[0])[0] > -1e-2);
/// # Ok::<(), siconos_kernel::Error>(())
/// ```
///
/// # Errors
///
/// If the parameters do not define a valid model.
pub fn ball(gravity: f64, restitution: f64, height: f64, velocity: f64) -> Result<BuiltModel, Error> {
    let ball = LagrangianLinear::new(vec![height], vec![velocity], array![1.0])
        .with_external_force(move |_t, f| f[0] = -gravity);
    BuiltModel::one(ball, LagrangianLinearRelation::new(array![[1.0]]), restitution)
}

/// Builds a block of mass 2 kg on a frictionless slope above a stop. q is the distance \[m\] from the stop
/// along the slope.
///
/// The block moves like a [`ball`] under the gravity g sin(slope), with the slope in rad.
///
/// # Errors
///
/// If the parameters do not define a valid model.
pub fn sliding_block(gravity: f64, slope: f64, restitution: f64, distance: f64) -> Result<BuiltModel, Error> {
    let mass = 2.0;
    // The model is planar, so the support of the slope is a second contact, which is always closed.
    let (sin, cos) = slope.sin_cos();
    let block = LagrangianLinear::new(vec![distance, 0.0], vec![0.0, 0.0], array![mass, mass])
        .with_external_force(move |_t, f| (f[0], f[1]) = (-mass * gravity * sin, -mass * gravity * cos));
    let mut built = BuiltModel::one(block, LagrangianLinearRelation::new(array![[1.0, 0.0]]), restitution)?;
    let support = built.model.add_interaction(
        [built.bodies[0]],
        LagrangianLinearRelation::new(array![[0.0, 1.0]]),
        NewtonImpact::new(0.0)?,
    )?;
    built.contacts.push(support);
    Ok(built)
}

/// Builds a mass of 1 kg on a spring of stiffness `frequency`^2 \[N/m\], with a wall at the rest position. q
/// is the displacement \[m\] from the wall, and q >= 0.
///
/// # Errors
///
/// If the parameters do not define a valid model.
pub fn wall_oscillator(frequency: f64, restitution: f64, q: f64, v: f64) -> Result<BuiltModel, Error> {
    let body =
        LagrangianLinear::new(vec![q], vec![v], array![1.0]).with_stiffness(array![frequency * frequency]);
    BuiltModel::one(body, LagrangianLinearRelation::new(array![[1.0]]), restitution)
}

/// Builds a ball of 1 kg, initially at rest relative to a table that moves as $A \sin \omega t$. q is the
/// height \[m\] of the ball, and the gap is y = q - A sin(omega t).
///
/// # Errors
///
/// If the parameters do not define a valid model.
pub fn oscillating_table(
    gravity: f64,
    restitution: f64,
    amplitude: f64,
    frequency: f64,
) -> Result<BuiltModel, Error> {
    let ball = LagrangianLinear::new(vec![0.0], vec![amplitude * frequency], array![1.0])
        .with_external_force(move |_t, f| f[0] = -gravity);
    let gap = LagrangianRheonomousRelation::new(1, move |at, q, y| {
        y[0] = q[0] - amplitude * (frequency * at.t).sin();
    })
    .with_jacobian(|_t, _q, j| j[[0, 0]] = 1.0)
    .with_time_derivative(move |at, _q, y_t| y_t[0] = -amplitude * frequency * (frequency * at.t).cos());
    BuiltModel::one(ball, gap, restitution)
}

/// Builds a row of point masses of 1 kg without external forces. Contact i between bodies i and i+1 has the
/// gap $y_i = x_{i+1} - x_i \ge 0$. Neighbours with equal positions touch.
///
/// # Errors
///
/// If the parameters do not define a valid model.
pub fn cradle(restitution: f64, positions: &[f64], velocities: &[f64]) -> Result<BuiltModel, Error> {
    let mut model = NonSmoothDynamicalSystem::new();
    let bodies = positions
        .iter()
        .zip(velocities)
        .map(|(x, v)| model.add_system(LagrangianLinear::new(vec![*x], vec![*v], array![1.0])))
        .collect::<Result<Vec<_>, _>>()?;
    let contacts = bodies
        .windows(2)
        .map(|pair| {
            let gap = LagrangianLinearRelation::new(array![[-1.0, 1.0]]);
            Ok(model.add_interaction([pair[0], pair[1]], gap, NewtonImpact::new(restitution)?)?)
        })
        .collect::<Result<Vec<_>, Error>>()?;
    Ok(BuiltModel { model, bodies, contacts })
}
