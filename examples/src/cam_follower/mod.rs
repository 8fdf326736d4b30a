//! Cam and follower: a spring-loaded follower on a driven cam, from periodic motion to chaos.
//!
//! A follower of mass $\mu$ with a spring $\kappa$ and a damper $\zeta$ moves above a cam with the lift c(t)
//! (developer's notes of Siconos, section 10):
//!
//! $$ \mu \ddot u + \zeta \dot u + \kappa u = f_v(t) \text{ while } u > c(t), \qquad
//!    \dot u^+ = (1 + r) \dot c - r \dot u^- \text{ at impact.} $$
//!
//! As plain text: mu u'' + zeta u' + kappa u = f_v while u > c(t); u'+ = (1 + r) c' - r u'- at an impact.
//!
//! The example has two models of this motion. In the rheonomic form, the state is u, and the constraint
//! $y = u - c(t)$ moves. In the translated form, the state is $\hat u = u - c$, the constraint $y = \hat u$
//! is fixed, and the cam acts through the force $\hat f = f_v - (\mu \ddot c + \zeta \dot c + \kappa c)$.
//! Time-stepping discretises the two forms differently, and both converge to the same motion with order 1.
//! Event-driven simulation ([`run_event_driven`]) of the rheonomic form locates every impact. Between impacts
//! the follower moves freely.
//!
//! At 358 rpm the follower converges to a motion that repeats after three turns of the cam, and at 700 rpm to
//! a motion that repeats after each turn. In the figures, both are blurred with a time step of 0.1 ms and
//! sharp with a time step of 5 µs. At 660 rpm the motion is chaotic, and two simulations agree only until
//! their differences have grown to the size of the motion, for any step.
//!
#![cfg_attr(doc, doc = include_str!("../../../docs/figures/cam_follower.svg"))]
//!
#![cfg_attr(doc, doc = include_str!("../../../docs/figures/cam_profile.svg"))]
//!
#![cfg_attr(doc, doc = include_str!("../../../docs/figures/cam_follower_time_series.svg"))]
//!
#![cfg_attr(doc, doc = include_str!("../../../docs/figures/cam_follower_state_space.svg"))]
//!
//! The module [`maps`] shows the attractor at 660 rpm, and the module [`bifurcation`] shows the motion as a
//! function of the speed of the cam.
//!
//! ```
//! use ndarray::array;
//! use siconos_examples::cam_follower::Cam;
//! use siconos_kernel::prelude::*;
//!
//! let cam = Cam::new(358.0, 0.0);
//! let start = cam.lift(0.0);
//! let mut model = NonSmoothDynamicalSystem::new();
//! let follower = LagrangianLinear::new(vec![start.c + 0.4], vec![start.c_dot + 0.4], array![1.221])
//!     .with_stiffness(array![1430.8]);
//! let follower = model.add_named_system("follower", follower)?;
//! // The gap to the moving cam.
//! let gap = LagrangianRheonomousRelation::new(1, move |at, q, y| y[0] = q[0] - cam.position(at.t))
//!     .with_jacobian(|_t, _q, j| j[[0, 0]] = 1.0)
//!     .with_time_derivative(move |at, _q, y_t| y_t[0] = -cam.lift(at.t).c_dot)
//!     .with_convective_acceleration(move |at, _q, _v, out| out[0] = -cam.lift(at.t).c_ddot);
//! model.add_named_interaction("cam", [follower], gap, NewtonImpact::new(0.8)?)?;
//!
//! let grid = TimeDiscretisation::uniform(0.0, 4.0, 0.01)?;
//! let mut simulation = EventDriven::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! let mut settled = Vec::new();
//! while let Some(report) = simulation.step(&model, &mut state)? {
//!     if !report.impacts.is_empty() && report.t > 3.0 {
//!         settled.push(report.t);
//!     }
//! }
//! // The impacts repeat after three turns of the cam.
//! let period = 3.0 * cam.turn();
//! let again = settled.iter().find(|t| (*t - settled[0] - period).abs() < 1e-4);
//! assert!(again.is_some(), "{settled:?}");
//! # Ok::<(), siconos_kernel::Error>(())
//! ```

pub mod bifurcation;
mod event_driven;
pub mod maps;
mod profile;
mod report;
mod scheme;
mod sketch;

use ndarray::array;
use siconos_io::trajectory::Table;
use siconos_kernel::prelude::*;

pub use self::event_driven::run_event_driven;
pub use self::profile::{Cam, Lift};
pub use self::report::run;
pub use self::scheme::{CamImpact, Run, SCHEMES, Sampling, Scheme, run_time_stepping};
use crate::ExampleError;

/// Coordinates of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Position u of the follower. The constraint moves.
    Rheonomic,
    /// Distance u - c from the cam. The cam acts as a force.
    Translated,
}

/// Parameters of the example, with the values of the developer's notes.
#[derive(Clone, Copy, Debug)]
pub struct CamFollower {
    /// Cam, with its speed and phase.
    pub cam: Cam,
    /// Mass of the follower \[kg\].
    pub mass: f64,
    /// Viscous damping zeta \[N s/m\].
    pub damping: f64,
    /// Stiffness of the spring \[N/m\].
    pub stiffness: f64,
    /// Force f_v on the follower \[N\].
    pub force: fn(f64) -> f64,
    /// Coefficient of restitution.
    pub restitution: f64,
    /// Initial distance from the cam \[m\] and initial velocity relative to it \[m/s\].
    pub relative_start: (f64, f64),
    /// Time step \[s\].
    pub h: f64,
    /// End of the simulation \[s\].
    pub t_end: f64,
}

impl Default for CamFollower {
    fn default() -> Self {
        Self {
            cam: Cam::new(358.0, 0.0),
            mass: 1.221,
            damping: 0.0,
            stiffness: 1430.8,
            force: |_t| 0.0,
            restitution: 0.8,
            relative_start: (0.4, 0.4),
            h: 1e-4,
            t_end: 5.0,
        }
    }
}

impl CamFollower {
    /// Returns the example with the given speed of the cam \[rpm\].
    #[must_use]
    pub fn at(self, rpm: f64) -> Self {
        Self { cam: Cam::new(rpm, self.cam.phase()), ..self }
    }

    /// Returns the force $\hat f$ of the translated form \[N\].
    #[must_use]
    pub fn translated_force(&self, t: f64) -> f64 {
        let Lift { c, c_dot, c_ddot } = self.cam.lift(t);
        (self.force)(t) - (self.mass * c_ddot + self.damping * c_dot + self.stiffness * c)
    }

    /// Builds the model and returns it with the ids of the follower and its contact with the cam.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid model.
    pub fn model(
        &self,
        form: Form,
    ) -> Result<(NonSmoothDynamicalSystem, DynamicalSystemId, InteractionId), ExampleError> {
        let (parameters, cam) = (*self, self.cam);
        let start = cam.lift(0.0);
        let (mut q0, mut v0) = self.relative_start;
        if form == Form::Rheonomic {
            (q0, v0) = (q0 + start.c, v0 + start.c_dot);
        }
        let follower = LagrangianLinear::new(vec![q0], vec![v0], array![self.mass])
            .with_damping(array![self.damping])
            .with_stiffness(array![self.stiffness]);
        let law = NewtonImpact::new(self.restitution)?;
        let mut model = NonSmoothDynamicalSystem::new();
        let (follower, contact) = match form {
            Form::Rheonomic => {
                let force = self.force;
                let id = model.add_system(follower.with_external_force(move |at, f| f[0] = force(at.t)))?;
                let gap =
                    LagrangianRheonomousRelation::new(1, move |at, q, y| y[0] = q[0] - cam.position(at.t))
                        .with_jacobian(|_t, _q, j| j[[0, 0]] = 1.0)
                        .with_time_derivative(move |at, _q, y_t| y_t[0] = -cam.lift(at.t).c_dot)
                        .with_convective_acceleration(move |at, _q, _v, out| out[0] = -cam.lift(at.t).c_ddot);
                (id, model.add_interaction([id], gap, law)?)
            }
            Form::Translated => {
                let force = move |at: At<'_>, f: &mut [f64]| f[0] = parameters.translated_force(at.t);
                let id = model.add_system(follower.with_external_force(force))?;
                (id, model.add_interaction([id], LagrangianLinearRelation::new(array![[1.0]]), law)?)
            }
        };
        Ok((model, follower, contact))
    }

    /// Builds the simulation of a model created by [`model`](Self::model).
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid simulation.
    pub fn simulation(&self, model: &NonSmoothDynamicalSystem) -> Result<TimeStepping, ExampleError> {
        Ok(TimeStepping::builder(model)
            .discretisation(TimeDiscretisation::uniform(0.0, self.t_end, self.h)?)
            .build()?)
    }

    /// Simulates the motion. The table has absolute and relative coordinates for both forms, in the columns
    /// t, u \[m\], v \[m/s\], lambda \[N s\], f (force of the translated form \[N\]), c \[m\], c_dot \[m/s\],
    /// q = u - c \[m\], w = v - c_dot \[m/s\].
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate(&self, form: Form) -> Result<Table, ExampleError> {
        let (model, follower, contact) = self.model(form)?;
        let mut simulation = self.simulation(&model)?;
        let mut state = simulation.initial_state(&model)?;
        let columns = ["t", "u", "v", "lambda", "f", "c", "c_dot", "q", "w"];
        let mut table = Table::with_capacity(columns, simulation.discretisation().steps() + 1);
        loop {
            let Lift { c, c_dot, .. } = self.cam.lift(state.t);
            let (q, v) = (state.q(follower)[0], state.v(follower)[0]);
            let (u, v, gap, w) = match form {
                Form::Rheonomic => (q, v, q - c, v - c_dot),
                Form::Translated => (q + c, v + c_dot, q, v),
            };
            let lambda = state.lambda(contact, Level::Velocity)[0];
            table.push_row(&[state.t, u, v, lambda, self.translated_force(state.t), c, c_dot, gap, w])?;
            if simulation.step(&model, &mut state)?.is_none() {
                return Ok(table);
            }
        }
    }
}
