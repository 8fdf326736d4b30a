//! Contact with friction, and the cone problems of its kin.
//!
//! $$ u = W r + q, \qquad K_i^{\ast} \ni u_i + s_i(u_i) e_N \perp r_i \in K_i \quad \text{for every contact } i, $$
//!
//! as plain text: u = W r + q; the reaction r lies in the cone K, the velocity u with the shift s(u) = mu
//! norm(u_T) of De Saxce added to its normal component lies in the dual cone K*, and the two are
//! perpendicular. That is Coulomb's law with Signorini's condition: r = 0 where the contact opens, u = 0
//! where it sticks, u_N = 0 and r_T = -mu r_N u_T / norm(u_T) where it slides (De Saxce and Feng 1998; Acary,
//! Bremond, Huber 2018, section 2).
//!
//! | class | blocks | law |
//! |---|---|---|
//! | friction in the plane, in space | (N, T), (N, T1, T2) | [`ContactLaw::Coulomb`] |
//! | rolling friction in the plane, in space | (N, T, R), (N, T1, T2, R1, R2) | [`ContactLaw::Rolling`] |
//! | second-order cones of any size, no shift | (0, 1, ..) | [`ContactLaw::SecondOrder`] |
//!
#![doc = include_str!("methods.md")]
//!
//! Solutions of problems with friction are in general not unique, not even in u; there may be none.
//!
//! They are one [`ContactProblem`] with different [laws](ContactLaw), or [`ContactData`] with arrays of its
//! own, so one solver may serve them all; [`Solver::supports`](crate::Solver::supports) tells. The stopping
//! measure of all is [`error`], which does not depend on the units of mass, length and time; nor does any
//! method. The number of Siconos is [`siconos_error`].
//!
//! With an infinite coefficient of friction a contact is open or sticks; the sweeps, [`Newton`],
//! [`ProximalPoint`] and [`Auto`] take Coulomb's, and only the sweeps and [`Auto`] that of rolling friction;
//! the other methods need finite coefficients. A contact between two bodies that nothing moves, with a zero
//! row of W, has r = 0, or where the bodies approach each other the problem has no solution
//! ([`ContactProblem::immovable_and_approaching`]).
//!
//! In the global form of Siconos the [bodies](Operator::Bodies) stand for W. Methods named `velocity-..` work
//! with the velocities of the bodies and need these; all others form W where it is not at hand, but for the
//! sweeps of [`NonsmoothGaussSeidel`], which then read the velocities too. The [`classical`] methods serve
//! comparisons.
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
