//! Convex sets that are defined by their projection.
//!
//! A projection method needs only the nearest point $P_C(x)$ of a set in the Euclidean norm.
//!
//! | set | points of the set |
//! | --- | --- |
//! | [`Orthant`], [`Interval`] | points between bounds |
//! | [`HalfSpace`], [`Polyhedron`] | points on one side of a plane, or of several planes |
//! | [`Ball`], [`Ellipsoid`] | points in a ball or ellipsoid |
//! | [`Simplex`] | nonnegative points whose components have a given sum |
//! | [`SecondOrderCone`] | points in Coulomb's cone or in the Lorentz cone |
//! | [`Intersection`] | points that are in each of several sets |
//! | [`TransformedSet`] | points of a shifted, scaled or rotated set |
//! | a closure `Fn(&mut [f64])` that projects a point | fixed points of the closure |

mod active_set;
mod ball;
mod circular;
mod ellipsoid;
mod error;
mod half_space;
mod inequalities;
mod intersection;
mod moved;
pub(crate) mod nesterov_todd;
mod polyhedron;
mod polyhedron_projection;
mod second_order_cone;
mod simplex;

pub use crate::convex_set::{ConvexSet, Interval, Orthant};
pub use active_set::PolyhedronActiveSet;
pub use ball::Ball;
pub(crate) use circular::{CircularCone, Part};
pub use ellipsoid::Ellipsoid;
pub use error::{ConvexSetError, check_orthogonal};
pub use half_space::HalfSpace;
pub use inequalities::Inequalities;
pub use intersection::{DykstraSettings, Intersection};
pub use moved::TransformedSet;
pub use polyhedron::Polyhedron;
pub use polyhedron_projection::{PolyhedronProjection, definite_factors};
pub use second_order_cone::SecondOrderCone;
pub use simplex::Simplex;
