//! A double pendulum at a wall.

use siconos_kernel::prelude::*;

/// Function of q, v and the gravitational acceleration that returns the derivative of the forces with respect
/// to q.
pub type ForceDerivative = fn(&[f64], &[f64], f64) -> [[f64; 2]; 2];

/// Double pendulum at a wall, described by absolute angles, with two unit masses on rods of unit length.
#[derive(Clone, Copy, Debug)]
pub struct DoublePendulum {
    /// Initial angles \[rad\].
    pub angles: [f64; 2],
    /// Gravitational acceleration \[m/s2\].
    pub gravity: f64,
    /// Parameter theta of the [`MoreauJean`] scheme.
    pub theta: f64,
    /// Time step \[s\].
    pub h: f64,
    /// End of the simulation \[s\].
    pub t_end: f64,
    /// Settings of Newton's method.
    pub newton: NewtonSettings,
    /// Derivative of $F_{gyr} + F_{int}$ with respect to q. Default: [`exact_derivative`]. Tests can replace
    /// it.
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

/// Returns the derivative of $F_{gyr} + F_{int}$ with respect to q.
#[must_use]
pub fn exact_derivative(q: &[f64], v: &[f64], g: f64) -> [[f64; 2]; 2] {
    let c = (q[0] - q[1]).cos();
    [
        [v[1] * v[1] * c + 2.0 * g * q[0].cos(), -v[1] * v[1] * c],
        [-v[0] * v[0] * c, v[0] * v[0] * c + g * q[1].cos()],
    ]
}

impl DoublePendulum {
    /// Builds the model, and returns it with the ids of the pendulum and its two contacts.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid model.
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
            // The scheme needs only the derivative of the sum of both forces.
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

    /// Builds the simulation of a model created by [`model`](Self::model).
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid simulation.
    pub fn simulation(&self, model: &NonSmoothDynamicalSystem) -> Result<TimeStepping, Error> {
        TimeStepping::builder(model)
            .discretisation(TimeDiscretisation::uniform(0.0, self.t_end, self.h)?)
            .integrator(MoreauJean::new(self.theta)?)
            .newton(self.newton)
            .build()
    }
}
