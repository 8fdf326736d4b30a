//! Smooth integration with root location: $\dot x = f(t, x)$, stopped where one of the guards $g_i(t, x)$
//! changes sign. This is the task of LSODAR in Siconos.
//!
//! In plain text: x' = f(t, x), with a stop at every t where g_i(t, x(t)) crosses zero in the requested
//! direction. A system is an [`OdeSystem`], either two closures in [`OdeFunctions`] or a type of your own. An
//! [`Integrator`] advances it from one time to the next.
//!
//! | [`Method`] | method | use |
//! |---|---|---|
//! | [`Explicit`](Method::Explicit) | DOPRI5, dense output of order 4 | nonstiff systems, frequent events |
//! | [`HighOrder`](Method::HighOrder) | DOP853, dense output of order 7 | nonstiff, tight tolerances |
//! | [`Stiff`](Method::Stiff) | Radau5, dense output of order 3 | stiff systems, mass matrices |
//! | [`Auto`](Method::Auto) | switches between these methods | systems of unknown stiffness |
//!
//! DOPRI5 and DOP853 are the Runge-Kutta methods of Dormand and Prince of order 5(4) and 8(5, 3). Radau5 is
//! the Radau IIA method with three stages, of order 5. `Auto` starts with `HighOrder` for relative tolerances
//! up to 1e-8 and with `Explicit` otherwise.
//!
//! Output points and roots require the solution within a step. If the defect $h (u' - f(t, u))$ of the dense
//! output u exceeds ten times the tolerance, the step is repeated in seven smaller steps, and the solution is
//! read from the polynomial of degree 7 through their ends. Without this refinement, the cubic of Radau5
//! would miss tight tolerances by several digits. So would the dense output of the other methods if stability
//! limits the step length. The original steps do not change.
//!
//! All methods are one-step methods, because an event restarts the integration, and a multistep method would
//! have to restart at order 1.
//!
//! # Automatic switching
//!
//! `Auto` changes *to the stiff method* if stability has limited the explicit steps. From two evaluations of
//! f at the same time, $h \rho \approx h \lVert f(x_b) - f(x_a) \rVert / \lVert x_b - x_a \rVert$ estimates
//! the step length times the dominant eigenvalue. The system is considered stiff after 15 steps in which
//! $h \rho$ exceeds a limit. The count of these steps is reset by 6 consecutive steps below the limit (Hairer
//! and Wanner 1996, section IV.2). For order 5, the limit is the end of the region of stability, 3.25. For
//! order 8, it is two thirds of the end, 4, because error control keeps the steps well inside the region. The
//! system is also considered stiff if a step is rejected ten times.
//!
//! `Auto` changes *back to the explicit method* after 10 consecutive steps of the stiff method in which
//! $h \lVert J \rVert_\infty$, an upper bound on $h \rho$, was below half of the limit.
//!
//! # Correspondence with LSODAR
//!
//! LSODAR is called with `tinit` and `tend`, and returns `tout` and `iout`. In this crate:
//!
//! | LSODAR | here |
//! |---|---|
//! | `tinit` and the state | [`Integrator::restart`]; later the end of the last call, [`Integrator::t`] |
//! | `tend` | the argument `t_out` of [`Integrator::advance`] |
//! | `tout` | the time in the result, and [`Integrator::t`] |
//! | `iout = 1`, first call | [`Indicator::FirstCall`]: nothing has been integrated since the restart |
//! | `iout = 2`, no root | [`Advance::Reached`], [`Indicator::NoRoot`]: `t_out` was reached |
//! | `iout = 3`, root found | [`Advance::Roots`], [`Indicator::RootFound`]: a root at or before `t_out` |
//!
//! The integrator stores the indicator, so the caller does not pass it back. After roots, the caller can
//!
//! - continue, by calling `advance` again. The same root is not found again, and nothing is integrated twice.
//! - restart with a changed state, a changed f or changed guards, by calling `restart`, which sets the
//!   indicator to `FirstCall`.
//!
//! [`Advance::StepTooSmall`] and [`Advance::MaxSteps`] correspond to the negative values of `istate` in
//! LSODAR. The state is valid up to the time given in these results. [`Integrator::interpolate`] returns the
//! state within the last step.
//!
//! # Definition of a root
//!
//! The interval is half-open, $(t_0, t_1]$. A guard that is zero at the start does not fire there, in
//! whichever direction it leaves zero. If it later returns and crosses zero, it fires. Guards that have just
//! fired count as zero if the integration is restarted at that time, so an overshoot by a rounding error has
//! no effect. There is one exception: the sign of a guard is used if it fires in only one direction and the
//! caller has returned it to the side from which it fires. A root that is closer to the start than twice the
//! root tolerance is identified with the start.
//!
//! A guard fires when its sign changes *strictly*. A guard that touches zero and turns back (grazing) does
//! not fire. There is one exception: a guard that is exactly zero where the integration must end (at `t_out`
//! of `advance`, or at `t_critical` of `advance_within`) fires, because its continuation is not known.
//!
//! The signs of the guards are checked at [`samples`](OdeSettings::samples) equidistant points of each step.
//! **All roots of one guard that are further apart than the spacing of these points are found.** Two closer
//! roots can cancel and be missed.
//!
//! A guard that is declared to be a polynomial of t and x ([`OdeSystem::guard_degree`]) is a polynomial on
//! the dense output as well. Its roots are isolated by the signs of its Bernstein coefficients (Lane and
//! Riesenfeld 1981; Mourrain, Rouillier, Roy 2005), and **all** of them are found.
//!
//! The isolation of roots is limited by rounding errors, which grow with the degree in time. Two roots count
//! as grazing if the magnitude of the guard between them is below a certain fraction of its largest magnitude
//! in the step. For a guard that is linear in the state, this fraction is about 2e-14 with the methods of
//! order 5, and 2e-13 with the method of order 8. At the maximum degree in time, 16, it is 1e-10. The guard
//! of highest degree determines the fraction for all guards. The dense output of a step that was repeated in
//! seven smaller steps has degree 7.
//!
//! The bracket of a root is narrowed on the dense output to the [root tolerance](OdeSettings::root_tolerance)
//! by ITP (Oliveira and Takahashi 2020). The reported time is the end of the bracket at which the sign has
//! changed. All guards with roots within twice the root tolerance of the earliest root, and between the same
//! two points of the step, are reported together, each with its direction. If one of the points lies between
//! two such roots, they are reported one after the other. A caller that restarts at the first of them must
//! check if other guards are zero there.
//!
//! # Origin of the steppers
//!
//! The steppers come from the crate `differential-equations` (Ryan D. Gast, Apache-2.0), which follows the
//! codes of Hairer and Wanner. The crate accepts a custom state type, and a relative and an absolute
//! tolerance for each component. It borrows the system for one step at a time, and lets the caller set the
//! length of each step. It is used through one internal trait, and only by this crate. Each accepted step is
//! copied into a polynomial of this crate, on which roots are located.
//!
//! Version 0.7.0 has the following defects, each with its workaround. All are covered by tests except the
//! sixth, which is known from the source code.
//!
//! - DOPRI5 omits the quartic term of its dense output, which then has order 3. The term is added from the
//!   slopes of the stages.
//! - DOP853 exchanges s and 1 - s in the upper terms of its dense output, so the error in one step along a
//!   sine is 1e-6 instead of 3e-10. The output is mirrored, which restores order 7.
//! - Radau5 panics for states with a length that is known only at run time. It is given zeros of the right
//!   length.
//! - Radau5 transforms a scalar tolerance n times. It is given n tolerances.
//! - Radau5 treats a NaN in the first Newton iteration as convergence. The values of f are monitored, and the
//!   step is repeated with a shorter length.
//! - Radau5 continues with an old factorisation, or with an old Jacobian after a rejection. In these cases,
//!   the solver is created again at the current time.
//! - The stiffness test of the explicit methods compares slopes with states. The test of this crate is used
//!   instead.
//!
//! At tight tolerances, Radau5 needs fewer steps than the methods of `diffsol` 0.18. For the stiff van der
//! Pol oscillator at tolerance 1e-10, Radau5 reaches a relative error of 4e-9 in 1500 steps, and BDF of
//! `diffsol` reaches 2e-8 in 3800 steps. A solver of `diffsol` also borrows the problem for its whole
//! lifetime.
//!
//! # Mass matrix
//!
//! [`Method::Stiff`] integrates $M \dot x = f(t, x)$ with a constant M, which is nonsingular, or singular
//! with index 1; see [`OdeSystem::compute_mass`]. The other methods reject a mass matrix. To use them, the
//! system itself must solve for x'.
//!
//! # Memory
//!
//! Once a system of a given size has been integrated, steps and restarts allocate no memory. The exception is
//! the stiff method: it allocates its matrices at each restart, and after some rejections, projections and
//! repeated steps. A clone of an integrator creates its own solvers when it continues.
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
pub use course::{Bounds, DenseSolution, ValueBounds};
pub use dense_output::DenseOutput;
pub use error::OdeError;
pub use guards::{Fired, GuardScanner, ScannedInterval};
pub use initial_step::InitialStep;
pub use integrator::Integrator;
pub use method::Method;
pub use root::{Bracket, find_crossing};
pub use settings::{MAX_SAMPLES, OdeSettings, RootLocation, Tolerance};
pub use siconos_linalg::SettingsError;
pub use statistics::Statistics;
pub use system::{Crossing, OdeFunctions, OdeSystem, ZeroBand};

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
