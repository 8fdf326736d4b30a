//! Smooth integration with root location: $\dot x = f(t, x)$, stopped where one of many guards $g_i(t, x)$
//! changes its sign. It is the role that LSODAR plays in Siconos.
//!
//! As plain text: x' = f(t, x), with a stop at every t where g_i(t, x(t)) crosses zero in the direction that
//! is asked for. A system is an [`OdeSystem`] (two closures in [`OdeFunctions`], or a type of your own); an
//! [`Integrator`] takes it from one time to the next.
//!
//! | [`Method`] | what | for |
//! |---|---|---|
//! | [`Explicit`](Method::Explicit) | DOPRI5: Runge-Kutta of Dormand and Prince, order 5(4), dense output of order 4 | smooth systems that are not stiff, few steps between events |
//! | [`HighOrder`](Method::HighOrder) | DOP853: Runge-Kutta of Dormand and Prince, order 8(5, 3), dense output of order 7 | the same at tight tolerances |
//! | [`Stiff`](Method::Stiff) | Radau5: Radau IIA with three stages, order 5, dense output of order 3 | stiff systems, and those with a mass matrix |
//! | [`Auto`](Method::Auto) | the first, or the second at relative tolerances up to 1e-8; `Stiff` where that is stiff, and back | when one does not know |
//!
//! Where a step is read inside, by a point of output or a root, and the defect $h (u' - f(t, u))$ of its
//! dense output u is above ten tolerances, the step is taken again in sevenths and read from the polynomial
//! of degree 7 through their ends: the cubic of Radau5 is worse than tight tolerances by several digits, and
//! so are the others where stability limits the steps. The steps stay as they are.
//!
//! All are one-step methods, on purpose: an event restarts the integration, and a multistep method then has
//! to climb from order 1 again.
//!
//! # When Auto changes
//!
//! *To the stiff method* when the explicit steps have been limited by stability: with two evaluations of
//! Dormand and Prince that lie at the same time,
//! $h \rho \approx h \lVert f(x_b) - f(x_a) \rVert / \lVert x_b - x_a \rVert$ estimates the step times the
//! dominant eigenvalue, and 15 steps above 3.25 for order 5 (the end of the region of stability), 4 for order
//! 8 (two thirds of it, since error control holds its steps well inside), not cleared by 6 in a row below,
//! are taken for stiffness (Hairer and Wanner 1996, section IV.2). Ten rejections of one step count as well.
//! *Back* after 10 steps of the stiff method for which the bound $h \lVert J \rVert_\infty$ of the same
//! quantity was below half of that limit.
//!
//! # The contract of `advance`
//!
//! LSODAR is called with `tinit`, `tend`, and gives back `tout` and `iout`. Here:
//!
//! | LSODAR | here |
//! |---|---|
//! | `tinit` and the state | [`Integrator::restart`]; later the time where the last call ended, [`Integrator::t`] |
//! | `tend` | the argument `t_out` of [`Integrator::advance`] |
//! | `tout` | the time within the answer, and [`Integrator::t`] |
//! | `iout = 1`, first call | [`Indicator::FirstCall`]: nothing has been integrated since the restart |
//! | `iout = 2`, no root | [`Advance::Reached`], [`Indicator::NoRoot`]: `t_out` was reached |
//! | `iout = 3`, root found | [`Advance::Roots`], [`Indicator::RootFound`]: the time is that of the root, at or before `t_out` |
//!
//! The indicator is part of the integrator; nobody has to pass it back. After roots one may
//!
//! - go on: call `advance` again. The same root is not found again, nothing is integrated twice.
//! - begin anew from a changed state, a changed f or changed guards: call `restart`, which sets the indicator
//!   to `FirstCall`.
//!
//! [`Advance::StepTooSmall`] and [`Advance::MaxSteps`] stand for the negative values of LSODAR's `istate`;
//! the state up to the time that they name is good. [`Integrator::interpolate`] gives the state inside the
//! last step.
//!
//! # What is a root
//!
//! The interval is half-open, $(t_0, t_1]$: a guard that is zero at the start does not fire there, whichever
//! way it leaves; if it comes back it fires. Guards that have just fired count as zero when the integration
//! is restarted at that time, so an overshoot by a rounding error does no harm. A guard with one direction
//! that the caller has put back to the side from which it fires is not zero: its sign counts. A root that is
//! nearer to the start than twice the root tolerance is the start itself. A guard fires when its sign changes
//! *strictly*: one that touches zero and turns back (grazing) does not. One case has to be decided without
//! knowing what follows: a guard that is exactly zero where the integration has to end, at `t_out` of
//! `advance` and `t_critical` of `advance_within`, fires there.
//!
//! Each step is looked at in [`samples`](OdeSettings::samples) equal parts of the dense output. **Roots of
//! one guard that are further apart than that fraction of the step are all found**; two that lie within one
//! part may cancel and be missed. A guard that is declared a polynomial of t and x
//! ([`OdeSystem::guard_degree`]) is a polynomial along the dense output too: its roots are isolated by the
//! signs of its Bernstein coefficients (Lane and Riesenfeld 1981; Mourrain, Rouillier, Roy 2005), and **all**
//! are found. What limits this is rounding, which grows with the degree in time: two roots between which the
//! guard dips by less than a part of its largest value in the step, are grazing. That part is some 2e-14 for
//! a guard that is linear in the state with the methods of order 5, 2e-13 with that of order 8, and 1e-10 at
//! the largest degree in time, 16; the guard of the largest degree decides for all. A step that is taken
//! again (above) has degree 7.
//!
//! The bracket is then narrowed on the dense output to the [root tolerance](OdeSettings::root_tolerance) by
//! ITP (Oliveira and Takahashi 2020), and the time that is reported is the end of the bracket where the sign
//! has changed. All guards whose roots lie within twice the root tolerance of the first, and in the same part
//! of the step, are reported together, each with its direction. Two such roots with the end of a part between
//! them are reported one after the other; who begins anew at the first looks himself whether other guards are
//! zero there.
//!
//! # Where the steppers come from
//!
//! From the crate `differential-equations` (Ryan D. Gast, Apache-2.0), which follows the codes of Hairer and
//! Wanner. It takes states of a type of ours, a relative and an absolute tolerance per component, lends the
//! system to one step at a time, and lets the length of each step be chosen. Behind one internal trait each
//! accepted step is copied into a polynomial of ours; the location of events on it is what is written here.
//! It is named in this crate only.
//!
//! Version 0.7.0 has faults that are worked round, each where it matters. Tests cover all but the sixth,
//! which was seen in its source:
//!
//! | fault | what is done |
//! |---|---|
//! | DOPRI5 leaves the quartic term out of its dense output, which is then of order 3 | the term is added from the slopes of the stages |
//! | DOP853 exchanges s and 1 - s in the upper terms of its dense output: 1e-6 instead of 3e-10 on one step of a sine | the output is mirrored, which restores order 7 |
//! | Radau5 panics with states whose length is known at run time only | zeros of the right length |
//! | Radau5 transforms a scalar tolerance n times | it is given n tolerances |
//! | Radau5 takes a NaN in the first Newton iteration for convergence | f is watched; the step is tried again, shorter |
//! | Radau5 goes on with an old factorisation, or an old Jacobian after a rejection | it is made anew where it stands |
//! | the explicit methods' own test of stiffness compares slopes with states | ours decides |
//!
//! What else was tried: BDF of the same crate (wrong); `diffsol` 0.18 (BDF, ESDIRK34, TR-BDF2; it borrows the
//! problem for life, has one relative tolerance for all components and seven times the dependencies). Stiff
//! van der Pol at tolerance 1e-10, relative error and steps: Radau5 4e-9 in 1500, its BDF 2e-8 in 3800,
//! ESDIRK34 1e-7 in 8300, TR-BDF2 3e-7 in 41 000.
//!
//! # Mass matrix
//!
//! [`Method::Stiff`] integrates $M \dot x = f(t, x)$ with a constant M, regular or singular of index 1; see
//! [`OdeSystem::compute_mass`]. The other methods refuse it: there x' is solved for by the system.
//!
//! # Memory
//!
//! A step allocates nothing once a system of that size has been seen; nor does a restart. The stiff method is
//! the exception: it makes its matrices anew at a restart, and after some rejections, projections and steps
//! that are read inside. A copy of an integrator makes solvers of its own where it goes on.
//!
//! # References
//!
//! - Dormand, Prince (1980), "A family of embedded Runge-Kutta formulae".
//! - Hairer, Norsett, Wanner (1993), "Solving ordinary differential equations I", sections II.4 to II.6.
//! - Hairer, Wanner (1996), "Solving ordinary differential equations II", sections IV.2 and IV.8.
//! - Hindmarsh (1983), "ODEPACK, a systematized collection of ODE solvers", for LSODAR.
//! - Lane, Riesenfeld (1981), "Bounds on a polynomial", BIT 21.
//! - Mourrain, Rouillier, Roy (2005), "The Bernstein basis and real root isolation".
//! - Oliveira, Takahashi (2020), "An enhancement of the bisection method average performance preserving
//!   minmax optimality".

#![deny(missing_docs)]

mod adapter;
mod advance;
mod answers;
mod approach;
mod bernstein;
mod carried;
mod course;
mod dense_output;
mod error;
mod evaluate_guards;
mod explicit;
mod guards;
mod initial_step;
mod integrator;
mod isolation;
mod method;
mod methods;
mod radau;
mod refinement;
mod right_hand_side;
mod root;
mod segment;
mod settings;
mod state;
mod statistics;
mod stepper;
mod stepping;
mod switch_search;
mod system;

pub use answers::{Advance, Indicator};
pub use carried::IntegratorState;
pub use course::{Bounds, Course, DenseSolution};
pub use dense_output::DenseOutput;
pub use error::OdeError;
pub use guards::{Fired, GuardWatch, ScannedInterval};
pub use initial_step::FirstStep;
pub use integrator::Integrator;
pub use method::Method;
pub use root::{Bracket, find_crossing};
pub use settings::{MOST_SAMPLES, OdeSettings, RootLocation, Tolerance};
pub use siconos_linalg::SettingsError;
pub use statistics::Statistics;
pub use system::{Crossing, OdeFunctions, OdeSystem, ZeroBand};

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
