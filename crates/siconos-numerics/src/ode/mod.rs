//! Smooth integration with root location: $\dot x = f(t, x)$, stopped where one of many guards $g_i(t, x)$ changes
//! its sign. It is the role that LSODAR plays in Siconos.
//!
//! As plain text: x' = f(t, x), with a stop at every t where g_i(t, x(t)) crosses zero in the direction that is asked
//! for. A system is an [`OdeSystem`] (two closures in [`OdeFunctions`], or a type of your own); an [`Integrator`] takes
//! it from one time to the next.
//!
//! | [`Method`] | what | for |
//! |---|---|---|
//! | [`Explicit`](Method::Explicit) | Runge-Kutta of Dormand and Prince, order 5(4), dense output of order 4 | smooth systems that are not stiff, few steps between events |
//! | [`Stiff`](Method::Stiff) | Radau IIA with three stages, order 5, dense output of order 3 | stiff systems |
//! | [`Auto`](Method::Auto) | begins with the first, changes to the second where that is stiff, and back | when one does not know |
//!
//! All are one-step methods, on purpose: an event restarts the integration, and a multistep method then has to climb
//! from order 1 again.
//!
//! # When Auto changes
//!
//! *To the stiff method* when the explicit steps have been limited by stability: with the stages of Dormand and Prince
//! that lie at the same time, $h \rho \approx h \lVert f(x_7) - f(x_6) \rVert / \lVert x_7 - x_6 \rVert$ estimates the
//! step times the dominant eigenvalue, and 15 steps above 3.25 (the end of the region of stability), not cleared by 6
//! in a row below, are taken for stiffness (Hairer and Wanner 1996, section IV.2). Ten rejections
//! of one step count as well. *Back* after 10 steps of the stiff method for which the bound
//! $h \lVert J \rVert_\infty$ of the same quantity was below 1.6, half of that limit.
//!
//! # The contract of `advance`
//!
//! [`Integrator::restart`] gives the state at the first time (LSODAR's `iout = 1`, [`Indicator::FirstCall`]).
//! [`Integrator::advance`] then goes on to a time `t_out`, and answers with [`Advance::Reached`] (`iout = 2`) or,
//! before that, [`Advance::Roots`] (`iout = 3`). After roots one may
//!
//! - go on: call `advance` again. The same root is not found again, nothing is integrated twice.
//! - begin anew from a changed state, a changed f or changed guards: call `restart`.
//!
//! [`Integrator::interpolate`] gives the state inside the last step.
//!
//! # What is a root
//!
//! The interval is half-open, $(t_0, t_1]$: a guard that is zero at the start does not fire there, whichever way
//! it leaves; if it comes back it fires. Guards that have just fired count as zero when the integration is restarted at
//! that time, so an overshoot by a rounding error does no harm. A root that is nearer to the start than the root
//! tolerance is the start itself. A guard fires when its sign changes *strictly*: one that touches zero and turns
//! back (grazing) does not. One case has to be decided without knowing what follows: a guard that is exactly
//! zero at `t_out` fires there.
//!
//! Each step is looked at in [`samples`](OdeSettings::samples) equal parts of the dense output. **Roots of one guard
//! that are further apart than that fraction of the step are all found**; two that lie within one part may cancel
//! and be missed. The bracket is then narrowed on the dense output to the [root
//! tolerance](OdeSettings::root_tolerance) by ITP (Oliveira and Takahashi 2020), and the time that is reported is
//! the end of the bracket where the sign has changed. All guards whose roots lie within twice the root tolerance of
//! the first are reported together, each with its direction.
//!
//! # Memory
//!
//! A step allocates nothing once a system of that size has been seen. (With the stiff method up to 12 states; from
//! there the factorisation of 2n unknowns goes to LAPACK, which allocates: see [`DenseLu`](crate::linalg::DenseLu).)
//!
//! # Why the steppers are written here
//!
//! Both are textbook methods, and no published crate that was tried has them in a form that suits events: with states
//! whose length is known at run time, a tolerance per component, dense output after each step, a system that is
//! passed in at each step rather than borrowed for life, and no allocation. A crate for ordinary differential
//! equations, if one comes to be used, is named in this folder only. There is no mass matrix: $M x' = f$ is solved
//! for x' by the caller.
//!
//! # References
//!
//! - Dormand, Prince (1980), "A family of embedded Runge-Kutta formulae".
//! - Hairer, Norsett, Wanner (1993), "Solving ordinary differential equations I", sections II.4 to II.6.
//! - Hairer, Wanner (1996), "Solving ordinary differential equations II", sections IV.2 and IV.8.
//! - Hindmarsh (1983), "ODEPACK, a systematized collection of ODE solvers", for LSODAR.
//! - Oliveira, Takahashi (2020), "An enhancement of the bisection method average performance preserving minmax
//!   optimality".

mod adapter;
mod answers;
mod error;
mod explicit;
mod guards;
mod initial_step;
mod integrator;
mod methods;
mod radau;
mod right_hand_side;
mod root;
mod segment;
mod settings;
mod state;
mod stepper;
mod stepping;
mod system;

pub use answers::{Advance, Indicator, Statistics};
pub use error::OdeError;
pub use guards::{Fired, GuardWatch, Stretch};
pub use integrator::Integrator;
pub use root::{Bracket, find_crossing};
pub use settings::{Method, OdeSettings, RootLocation, Tolerance};
pub use system::{Crossing, OdeFunctions, OdeSystem};
