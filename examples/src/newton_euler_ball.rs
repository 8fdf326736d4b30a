//! Bouncing ball as a rigid body in space, with friction and spin.
//!
//! The position is $q = (x, a)$, where the unit quaternion a is the orientation, and the velocity is
//! $v = (V, \Omega)$. The ball has the mass 1 kg and the radius 0.1 m, and falls along x on the plane
//! $x = 0$. The coefficient of Coulomb friction is 0.6, and the restitution is 0.9 in the normal and
//! tangential directions. The Siconos example with the same name has neither spin nor lateral motion. The
//! figure shows a ball that spins about z. Friction converts the spin into motion along y. Because of the
//! tangential restitution, the tangential velocity of the contact point after an impact is $-0.9$ times its
//! value before the impact, as for a rubber ball. Therefore the spin changes its sign from bounce to bounce.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/newton_euler_ball.svg"))]
//!
//! ```
//! use siconos_examples::newton_euler_ball::NewtonEulerBall;
//!
//! let table = NewtonEulerBall { spin: 20.0, t_end: 2.0, ..NewtonEulerBall::default() }.simulate()?;
//! // Friction acts at the contact point and conserves the angular momentum I w + m R v about it.
//! for row in table.rows() {
//!     assert!((0.004 * row[5] + 0.1 * row[4] - 0.004 * 20.0).abs() < 1e-12);
//! }
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::path::{Path, PathBuf};

use siconos_figure::{Curve, Figure, Panel};
use siconos_io::trajectory::Table;
use siconos_kernel::model::{ContactRows, Inertia, NewtonEuler, PointContact, Quaternion, RotationUpdate};
use siconos_kernel::prelude::*;

use crate::{ExampleError, pairs, record};

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct NewtonEulerBall {
    /// Moment of inertia about every axis \[kg m2\].
    pub inertia: f64,
    /// Initial angular velocity about z \[rad/s\].
    pub spin: f64,
    /// Initial velocity along x \[m/s\].
    pub velocity: f64,
    /// Time step \[s\].
    pub h: f64,
    /// End of the simulation \[s\].
    pub t_end: f64,
}

/// Moment of inertia of a solid ball \[kg m2\].
const INERTIA: f64 = 0.4 * RADIUS * RADIUS;
const RADIUS: f64 = 0.1;

impl Default for NewtonEulerBall {
    fn default() -> Self {
        Self { inertia: INERTIA, spin: 0.0, velocity: 2.0, h: 0.005, t_end: 10.0 }
    }
}

impl NewtonEulerBall {
    /// Builds the model and returns it with the ids of the ball and its contact with the plane.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid model.
    pub fn model(
        &self,
    ) -> Result<(NonSmoothDynamicalSystem, DynamicalSystemId, InteractionId), ExampleError> {
        let inertia = Inertia::from(self.inertia);
        let ball = NewtonEuler::new(1.0, inertia, [1.0, 0.0, 0.0], Quaternion::IDENTITY)
            .with_twist([self.velocity, 0.0, 0.0], [0.0, 0.0, self.spin])
            .with_rotation_update(RotationUpdate::Tangent)
            .with_constant_external_force([-9.81, 0.0, 0.0]);
        let plane =
            PointContact::of_ball_and_plane(ContactRows::Friction, RADIUS, [0.0; 3], [1.0, 0.0, 0.0])?;
        let law = NewtonImpactFriction::in_space(0.9, 0.6)?.with_tangential_restitution(0.9)?;
        let mut model = NonSmoothDynamicalSystem::new();
        let ball = model.add_system(ball)?;
        let plane = model.add_interaction([ball], plane, law)?;
        Ok((model, ball, plane))
    }

    /// Builds the simulation of a model created by [`model`](Self::model).
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid simulation.
    pub fn simulation(&self, model: &NonSmoothDynamicalSystem) -> Result<TimeStepping, ExampleError> {
        let grid = TimeDiscretisation::uniform(0.0, self.t_end, self.h)?;
        Ok(TimeStepping::builder(model).discretisation(grid).tolerance(1e-13).build()?)
    }

    /// Simulates the motion. The table has the height, its velocity, the impulse along the height, the
    /// velocity along y, the spin about z and the displacement along y, in the columns t, x, vx, p, vy,
    /// omega, y.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate(&self) -> Result<Table, ExampleError> {
        let (model, ball, _) = self.model()?;
        record(&model, self.simulation(&model)?, ["t", "x", "vx", "p", "vy", "omega", "y"], |state| {
            let (q, v) = (state.q(ball), state.v(ball));
            [state.t, q[0], v[0], state.impulse(ball)[0], v[1], v[5], q[1]]
        })
    }
}

/// Runs the example, prints the first bounces, and writes `newton_euler_ball.svg` and `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let table =
        NewtonEulerBall { spin: 20.0, velocity: 0.0, h: 1e-3, t_end: 5.0, ..NewtonEulerBall::default() }
            .simulate()?;
    println!(
        "a ball that spins: the first bounces\n{:>8} {:>12} {:>12}",
        "t [s]", "vy [m/s]", "spin [rad/s]"
    );
    for row in table.rows().filter(|row| row[3] > 0.0).take(6) {
        println!("{:8.3} {:12.6} {:12.6}", row[0], row[4], row[5]);
    }
    let figure = Figure::new(
        "A ball that spins, e = 0.9, \u{3bc} = 0.6",
        vec![
            Panel::new("Its way", "y [m]", "x [m]").with(Curve::line("", pairs(&table, "y", "x")?)),
            Panel::new("Spin", "t [s]", "\u{3a9} about z [rad/s]")
                .with(Curve::line("", pairs(&table, "t", "omega")?)),
        ],
    );
    crate::save(&figure, output, "newton_euler_ball")
}
