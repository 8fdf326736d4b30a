//! One-step integrators: how the motion of a system is discretised over a step.
//!
//! # Schemes of second-order systems
//!
//! | scheme | systems | contacts and joints | order on smooth arcs |
//! |---|---|---|---|
//! | [`MoreauJean`] (default) | Lagrangian systems and rigid bodies | in velocities, by impulses | 2 with theta = 1/2 |
//! | the same with [`Projection`] | the same | in positions as well | the same |
//! | [`D1MinusLinear`] | Lagrangian systems | forces and impacts apart | 2, explicit |
//! | [`SchatzmanPaoli`] | linear Lagrangian systems | in positions, by a restitution of positions | 1 |
//! | [`ModalExact`] | linear Lagrangian systems in their modes | in velocities, by impulses | exact |
//!
//! All have order 1 through impacts, in the L1 norm. Friction takes [`MoreauJean`] or [`ModalExact`]; rigid
//! bodies, stiff nonlinear systems and [adaptive steps](crate::simulation::AdaptiveStepping) take
//! [`MoreauJean`]. Which combinations there are is checked when a simulation is built.
//!
//! # Schemes of first-order systems
//!
//! Which scheme fits follows from how smooth the solution is, and that from the relative degree
//! ([`RelativeDegree`](crate::analysis::RelativeDegree)).
//!
//! | scheme | solutions | multiplier | order |
//! |---|---|---|---|
//! | [`ThetaGamma`] | continuously differentiable | continuous; taken at $t_{k+\gamma}$ | 2 with theta = gamma = 1/2 |
//! | [`EulerMoreau`] (default) | absolutely continuous | of bounded variation; taken at $t_{k+1}$ | 1 |
//! | [`BackwardEuler`] | the same, with a proof for passive systems | the same | 1 |
//! | [`FullyImplicit`] | the same, nonlinear; theta_r for the input | the same | 1; 2 with theta = theta_r = 1/2 where lambda is smooth |
//! | [`MeasureEuler`] | of bounded variation: x may jump | a measure, sigma = h lambda | 1 |
//! | [`ZeroOrderHold`] | of sampled linear systems | constant over each step | exact between samples |
//!
//! All are cases of one step, solved by Newton's method (developer's notes of Siconos, 8.2 to 8.24): with
//! $x_\gamma = (1 - \gamma) x_k + \gamma x$,
//!
//! $$ M (x - x_k) = h \theta f(x) + h (1 - \theta) f_k + h \theta_r r + h (1 - \theta_r) r_k, \qquad
//!    y = h(x_\gamma, \lambda), \qquad r = g(x_\gamma, \lambda). $$
//!
//! At an iterate, with $W = M - h \theta \nabla f - h \theta_r \gamma K$, the linearised equations give
//!
//! $$ x_p = x - W^{-1} \bigl( R_{free} - h \theta_r (g - B \lambda) - h (1 - \theta_r) r_k \bigr), \qquad
//!    R_{free} = M (x - x_k) - h \theta f - h (1 - \theta) f_k, $$
//!
//! $$ y^{new} = \bigl( D + h \theta_r \gamma C W^{-1} B \bigr) \lambda^{new} + h(x_\gamma, \lambda) - D
//! \lambda +
//!    \gamma C (x_p - x), \qquad x^{new} = x_p + h \theta_r W^{-1} B \lambda^{new}, $$
//!
//! the one-step problem of each iteration. As plain text: C, D, K and B are the derivatives of h and g in x
//! and lambda; the matrix is D + h theta_r gamma C W^-1 B. When everything is linear the first iteration is
//! exact; when the coefficients are constant as well, W is factorised and the matrix computed once per step
//! length; with theta = gamma = 0, W is M.

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
pub(crate) use description::{HoldsAt, IntegratorDescription};
pub(crate) use equation_rows::{EquationRows, Inertia, ROUNDINGS, larger};
pub(crate) use error::FitError;
pub use euler_moreau::{BackwardEuler, EulerMoreau, FullyImplicit, MeasureEuler, ThetaGamma, ZeroOrderHold};
pub(crate) use first_order_work::{Coupling, FactorError, FirstOrderWork, Inputs, Refactor};
pub(crate) use mass_work::MassWork;
pub use modal_exact::ModalExact;
pub use moreau_jean::{GyroscopicTerm, MoreauJean, Projection};
pub(crate) use rate_work::RateWork;
pub use schatzman_paoli::SchatzmanPaoli;
pub use scheme::Integrator;
pub(crate) use scheme::Scheme;
pub(crate) use system_work::{Impulses, Response, StepTimes, SystemWork};
pub(crate) use tangent::TangentWork;
pub use weights::HeldSource;
pub(crate) use weights::{Unknown, Weights};
