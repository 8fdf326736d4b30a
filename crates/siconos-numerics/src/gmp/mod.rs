//! Problems whose blocks have different laws: joints, stops, relays and contacts with friction that act on
//! the same bodies.
//!
//! $$ w = M z + q, \qquad (w_i, z_i) \in \text{law}_i \quad \text{for every block } i, $$
//!
//! as plain text: w = M z + q, and block i of w and z obeys law i. This is the `GenericMechanicalProblem` of
//! Siconos.
//!
//! | law | between w and z |
//! |---|---|
//! | [`MechanicalLaw::Equality`] | w = 0: a joint |
//! | [`MechanicalLaw::Complementarity`] | 0 <= w perp z >= 0: a stop without friction |
//! | [`MechanicalLaw::Relay`] | -w in the normal cone of the bounds of z: a dry-friction torque, a relay |
//! | [`MechanicalLaw::Friction2`], [`MechanicalLaw::Friction3`] | Coulomb friction in the plane, in space |
//! | [`MechanicalLaw::Rolling3`], [`MechanicalLaw::Rolling5`] | rolling friction in the plane, in space |
//!
//! All solvers stop when the [`error`], which is dimensionless, is at or below their tolerance. Their steps
//! do not depend on units either. If M is multiplied by 2^k and q by 2^l, and the bounds of relays are
//! multiplied like z, the steps are bit-identical. [`siconos_error`] is the error as Siconos defines it.
//!
#![doc = include_str!("methods.md")]

mod auto;
mod contact_reduction;
mod elimination;
mod gauss_seidel;
mod law;
mod local;
mod method;
mod newton;
mod problem;
mod residual;
mod scales;

pub use auto::{Auto, AutoSettings};
pub use elimination::EqualityElimination;
pub use gauss_seidel::{BlockGaussSeidel, BlockGaussSeidelSettings};
pub use law::MechanicalLaw;
pub use method::{Gmp, GmpMethod};
pub use newton::{Newton, SemismoothNewtonSettings};
pub use problem::GenericMechanicalProblem;
pub use residual::{error, error_of_point, siconos_error};
