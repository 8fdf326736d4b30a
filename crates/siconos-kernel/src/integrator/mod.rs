//! One-step integrators: time discretisation of the motion of a system over a step.
//!
//! # Schemes for second-order systems
//!
//! | scheme | systems | contacts and joints | order for smooth motion |
//! |---|---|---|---|
//! | [`MoreauJean`] (default) | Lagrangian, rigid bodies | velocity level, by impulses | 2 if theta = 1/2 |
//! | [`MoreauJean`] with [`Projection`] | Lagrangian, rigid bodies | also position level | 2 if theta = 1/2 |
//! | [`D1MinusLinear`] | Lagrangian | separate forces and impacts | 2, explicit |
//! | [`SchatzmanPaoli`] | linear Lagrangian | position level, with a restitution of positions | 1 |
//! | [`ModalExact`] | linear Lagrangian in modal coordinates | velocity level, by impulses | exact |
//!
//! All schemes have order 1 through impacts, in the L1 norm. Use [`MoreauJean`] or [`ModalExact`] for
//! friction, and [`MoreauJean`] for rigid bodies, stiff nonlinear systems and
//! [adaptive steps](crate::simulation::AdaptiveStepping). Unsupported combinations are rejected when a
//! simulation is built.
//!
//! # Schemes for first-order systems
//!
//! The choice of the scheme depends on the smoothness of the solution, which follows from the relative degree
//! ([`RelativeDegree`](crate::analysis::RelativeDegree)).
//!
//! | scheme | solutions | multiplier | order |
//! |---|---|---|---|
//! | [`ThetaGamma`] | continuously differentiable | continuous; at $t_{k+\gamma}$ | 2 (theta = gamma = 1/2) |
//! | [`EulerMoreau`] (default) | absolutely continuous | bounded variation; at $t_{k+1}$ | 1 |
//! | [`BackwardEuler`] | absolutely continuous, passive systems | bounded variation; at $t_{k+1}$ | 1 |
//! | [`FullyImplicit`] | absolutely continuous, nonlinear | bounded variation; at $t_{k+1}$ | 1 or 2 |
//! | [`MeasureEuler`] | bounded variation: x may jump | a measure, sigma = h lambda | 1 |
//! | [`ZeroOrderHold`] | sampled linear systems | constant over each step | exact between samples |
//!
//! [`BackwardEuler`] has a convergence proof for passive systems. [`FullyImplicit`] has the weight theta_r
//! for the input, and order 2 with theta = theta_r = 1/2 where lambda is smooth.
//!
//! All these schemes are special cases of one general step, which is solved by Newton's method (developer's
//! notes of Siconos, 8.2 to 8.24). With $x_\gamma = (1 - \gamma) x_k + \gamma x$,
//!
//! $$ M (x - x_k) = h \theta f(x) + h (1 - \theta) f_k + h \theta_r r + h (1 - \theta_r) r_k, \qquad
//!    y = h(x_\gamma, \lambda), \qquad r = g(x_\gamma, \lambda). $$
//!
//! At an iterate, with $W = M - h \theta \nabla f - h \theta_r \gamma K$, the linearised equations give
//!
//! $$ x_p = x - W^{-1} \bigl( R_{free} - h \theta_r (g - B \lambda) - h (1 - \theta_r) r_k \bigr), \qquad
//!    R_{free} = M (x - x_k) - h \theta f - h (1 - \theta) f_k, $$
//!
//! $$ y^{new} = \bigl( D + h \theta_r \gamma C W^{-1} B \bigr) \lambda^{new} + h(x_\gamma, \lambda) -
//!    D \lambda + \gamma C (x_p - x), \qquad x^{new} = x_p + h \theta_r W^{-1} B \lambda^{new}. $$
//!
//! This is the one-step problem of each iteration. As plain text: C, D, K and B are the derivatives of h and
//! g with respect to x and lambda; the matrix is D + h theta_r gamma C W^-1 B. If everything is linear, the
//! first iteration is exact. If the coefficients are constant as well, W is factorised and the matrix of the
//! one-step problem is computed only once per step length. With theta = gamma = 0, W is M.

mod activation;
mod body_work;
mod d1_minus_linear;
mod description;
mod equation_rows;
pub(crate) mod error;
mod euler_moreau;
mod first_order_block;
mod first_order_work;
mod linear_work;
mod mass_work;
mod modal_exact;
mod mode;
mod moreau_jean;
mod nonlinear_work;
mod rate_work;
mod schatzman_paoli;
mod scheme;
mod system_work;
mod tangent;
mod two_step_work;
mod weights;

pub(crate) use activation::Activation;
pub use d1_minus_linear::{D1MinusLinear, ForceLevel};
pub(crate) use description::{ConstraintLevel, IntegratorDescription};
pub(crate) use equation_rows::{EquationRows, Inertia, ROUNDINGS, larger};
pub(crate) use error::FitError;
pub use euler_moreau::{BackwardEuler, EulerMoreau, FullyImplicit, MeasureEuler, ThetaGamma, ZeroOrderHold};
pub(crate) use first_order_work::{Coupling, FactorError, FirstOrderWorkspace, Inputs, Refactor};
pub(crate) use mass_work::MassWorkspace;
pub use modal_exact::ModalExact;
pub use moreau_jean::{GyroscopicTerm, MoreauJean, Projection};
pub(crate) use rate_work::RateWorkspace;
pub use schatzman_paoli::SchatzmanPaoli;
pub use scheme::Integrator;
pub(crate) use scheme::Scheme;
pub(crate) use system_work::{Impulses, Response, StepTimes, SystemWorkspace};
pub(crate) use tangent::TangentWorkspace;
pub use weights::HeldSource;
pub(crate) use weights::{Unknown, Weights};
