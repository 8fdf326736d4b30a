//! Problems in the global formulation: error, scaling, assembly of W, and the methods in velocity space.

pub(super) mod admm;
mod delassus;
pub(super) mod interior_point;
mod mass;
mod matrices;
pub(super) mod newton;
mod problem;
pub(super) mod proximal_point;
mod residual;
#[cfg(test)]
mod row_of_bodies;
mod saddle;
mod units;
mod velocity_matrix;

pub use admm::{VelocityAdmm, VelocityAdmmSettings};
pub(super) use delassus::Delassus;
pub use interior_point::{VelocityInteriorPoint, VelocityInteriorPointSettings};
pub(super) use mass::Mass;
pub use newton::{VelocityNewton, VelocityNewtonSettings};
pub(super) use problem::BodiesProblem;
pub use proximal_point::{VelocityProximalPoint, VelocityProximalPointSettings};
pub(super) use residual::BodiesError;
pub(super) use units::BodiesUnits;
