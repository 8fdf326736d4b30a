//! Frictional contact problems, and related problems over cones.
//!
//! $$ u = W r + q, \qquad K_i^{\ast} \ni u_i + s_i(u_i) e_N \perp r_i \in K_i \quad \text{for every contact } i, $$
//!
//! as plain text: u = W r + q; the reaction r is in the cone K; the velocity u, after De Saxce's shift s(u) =
//! mu norm(u_T) has been added to its normal component, is in the dual cone K*; and the reaction and the
//! shifted velocity are perpendicular. This is Coulomb's law together with Signorini's condition: r = 0 if
//! the contact opens, u = 0 if it sticks, and u_N = 0 and r_T = -mu r_N u_T / norm(u_T) if it slides (De
//! Saxce and Feng 1998; Acary, Bremond, Huber 2018, section 2).
//!
//! | class | components of a block | law |
//! |---|---|---|
//! | friction in the plane, in space | (N, T), (N, T1, T2) | [`ContactLaw::Coulomb`] |
//! | rolling friction in the plane, in space | (N, T, R), (N, T1, T2, R1, R2) | [`ContactLaw::Rolling`] |
//! | second-order cones of any size, no shift | (0, 1, ..) | [`ContactLaw::SecondOrder`] |
//!
#![doc = include_str!("methods.md")]
//!
//! A problem with friction can have no solution or more than one. Two solutions can differ even in u.
//!
//! All classes share one problem type, [`ContactProblem`] (or [`ContactData`], which owns its arrays), and
//! differ in their [law](ContactLaw). Many solvers support several classes;
//! [`Solver::supports`](crate::Solver::supports) checks whether a solver supports a given problem. All
//! solvers compare the same [`error`] with their tolerance. Neither the error nor any method depends on the
//! units of mass, length and time. For comparison, [`siconos_error`] computes the error as Siconos defines
//! it.
//!
//! With an infinite coefficient of friction, a contact either opens or sticks. For Coulomb friction, infinite
//! coefficients are supported by Gauss-Seidel sweeps, [`Newton`], [`ProximalPoint`] and [`Auto`]. For rolling
//! friction, they are supported only by Gauss-Seidel sweeps and [`Auto`]. All other methods need finite
//! coefficients.
//!
//! If no reaction can move either body of a contact, the normal row of the contact in W is zero, and its
//! reaction is r = 0. If the two bodies approach each other, the problem has no solution
//! ([`ContactProblem::immovable_and_approaching`]).
//!
//! In the global formulation of Siconos, the [bodies](Operator::Bodies) are given instead of W. Methods named
//! `velocity-..` work in velocity space and need the bodies. If W is not given, the other methods compute it
//! from the bodies, except [`NonsmoothGaussSeidel`], which can work on the velocities of the bodies. The
//! [`classical`] methods are included for comparison.
//!
//! [`FixedPointProjection`]: classical::FixedPointProjection
//! [`Extragradient`]: classical::Extragradient
//! [`DeSaxceFixedPoint`]: classical::DeSaxceFixedPoint
//! [`TrescaFixedPoint`]: classical::TrescaFixedPoint
//! [`ConvexFixedPoint`]: classical::ConvexFixedPoint
//! [`PanagiotopoulosFixedPoint`]: classical::PanagiotopoulosFixedPoint
//! [`ConjugateProjectedGradient`]: classical::ConjugateProjectedGradient

mod admm;
mod auto;
mod best_iterate;
mod bodies;
pub mod classical;
mod cost;
mod data;
mod delassus_problem;
mod error;
mod fischer_burmeister;
mod function;
mod gauss_seidel;
#[cfg(test)]
mod hyperstatic;
mod interior_point;
mod law;
mod method;
mod newton;
mod plane;
mod problem;
mod proximal_parameter;
mod proximal_point;
pub(crate) mod residual;
pub(crate) mod scales;
mod shifted_matrix;
mod spectrum;
mod units;
pub(crate) mod violation;

pub use admm::{Admm, AdmmSettings};
pub use auto::{Auto, AutoSettings};
pub use bodies::{
    VelocityAdmm, VelocityAdmmSettings, VelocityInteriorPoint, VelocityInteriorPointSettings, VelocityNewton,
    VelocityNewtonSettings, VelocityProximalPoint, VelocityProximalPointSettings,
};
pub use data::{BodiesData, ContactData, ContactLawData, OperatorData};
pub(crate) use delassus_problem::DelassusProblem;
pub use error::{error, error_of_point, siconos_error};
pub use function::ContactFunction;
pub use gauss_seidel::{
    ColouredGaussSeidel, ColouredGaussSeidelSettings, Freezing, GaussSeidelSettings, LocalSolver,
    NonsmoothGaussSeidel, StoppingTest, SweepOrder,
};
pub(crate) use gauss_seidel::{ExactContact, HybridContact, solve_plane};
pub use interior_point::{InteriorPoint, InteriorPointSettings};
pub use law::ContactLaw;
pub use method::{Contact, ContactMethod};
pub use newton::{Newton, NewtonSettings};
pub use plane::{PlaneEnumeration, PlaneEnumerationSettings, PlaneLemke, PlaneLemkeSettings};
pub use problem::{ContactProblem, Operator};
pub use proximal_point::{ProximalInner, ProximalPoint, ProximalPointSettings};
