//! A double pendulum at a wall.

use siconos_kernel::prelude::*;

/// A 2 x 2 derivative as a function of q, v and the acceleration of gravity.
pub type ForceDerivative = fn(&[f64], &[f64], f64) -> [[f64; 2]; 2];

/// A double pendulum at a wall, in absolute angles, of two unit masses on unit rods.
#[derive(Clone, Copy, Debug)]
pub struct DoublePendulum {
    /// Initial angles \[rad\].
    pub angles: [f64; 2],
    /// Acceleration of gravity \[m/s2\].
    pub gravity: f64,
    /// Implicitness of the scheme.
    pub theta: f64,
    /// Time step \[s\].
    pub h: f64,
    /// End of the simulation \[s\].
    pub t_end: f64,
    /// Settings of Newton's loop.
    pub newton: NewtonSettings,
    /// The derivative of $F_{gyr} + F_{int}$ in q; the true one unless a test wants another.
    pub force_derivative: ForceDerivative,
}

impl Default for DoublePendulum {
    fn default() -> Self {
        Self {
            angles: [0.1, 0.2],
            gravity: 10.0,
            theta: 0.500_001,
            h: 5e-4,
            t_end: 5.0,
            newton: NewtonSettings::default(),
            force_derivative: exact_derivative,
        }
    }
}

/// The derivative of $F_{gyr} + F_{int}$ in q.
#[must_use]
pub fn exact_derivative(q: &[f64], v: &[f64], g: f64) -> [[f64; 2]; 2] {
    let c = (q[0] - q[1]).cos();
    [
        [v[1] * v[1] * c + 2.0 * g * q[0].cos(), -v[1] * v[1] * c],
        [-v[0] * v[0] * c, v[0] * v[0] * c + g * q[1].cos()],
    ]
}

impl DoublePendulum {
    /// The model, the pendulum and its two contacts.
    ///
    /// # Errors
    ///
    /// Parameters that make no model.
    pub fn model(&self) -> Result<(NonSmoothDynamicalSystem, DynamicalSystemId, [InteractionId; 2]), Error> {
        let (g, derivative) = (self.gravity, self.force_derivative);
        let pendulum = Lagrangian::of_mass_function(self.angles.to_vec(), vec![0.0; 2], |_, q, m| {
            let c = (q[0] - q[1]).cos();
            (m[[0, 0]], m[[0, 1]], m[[1, 0]], m[[1, 1]]) = (2.0, c, c, 1.0);
        })
        .with_gyroscopic_force(
            |_, q, v, f| {
                let s = (q[0] - q[1]).sin();
                (f[0], f[1]) = (v[1] * v[1] * s, -v[0] * v[0] * s);
            },
            Jacobian::Zero,
            Jacobian::function(|_t, q, v, j| {
                let s = (q[0] - q[1]).sin();
                (j[[0, 1]], j[[1, 0]]) = (2.0 * v[1] * s, -2.0 * v[0] * s);
            }),
        )
        .with_internal_force(
            move |_t, q, _v, f| (f[0], f[1]) = (2.0 * g * q[0].sin(), g * q[1].sin()),
            // Of both forces together: what the scheme needs is their sum.
            Jacobian::function(move |_t, q, v, j| j.assign(&ndarray::aview2(&derivative(q, v, g)))),
            Jacobian::Zero,
        );
        let mut model = NonSmoothDynamicalSystem::new();
        let id = model.add_system(pendulum)?;
        let upper = LagrangianScleronomousRelation::new(1, |_, q, y| y[0] = q[0].sin())
            .with_jacobian(|_, q, j| j[[0, 0]] = q[0].cos());
        let lower = LagrangianScleronomousRelation::new(1, |_, q, y| y[0] = q[0].sin() + q[1].sin())
            .with_jacobian(|_, q, j| (j[[0, 0]], j[[0, 1]]) = (q[0].cos(), q[1].cos()));
        let upper = model.add_interaction([id], upper, NewtonImpact::new(1.0)?)?;
        let lower = model.add_interaction([id], lower, NewtonImpact::new(0.0)?)?;
        Ok((model, id, [upper, lower]))
    }

    /// The simulation of a model made by [`model`](Self::model).
    ///
    /// # Errors
    ///
    /// Parameters that make no simulation.
    pub fn simulation(&self, model: &NonSmoothDynamicalSystem) -> Result<TimeStepping, Error> {
        TimeStepping::builder(model)
            .discretisation(TimeDiscretisation::uniform(0.0, self.t_end, self.h)?)
            .integrator(MoreauJean::new(self.theta)?)
            .newton(self.newton)
            .build()
    }
}
