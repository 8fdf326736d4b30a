//! Convex sets given by their projection.
//!
//! A projection method needs only the nearest point $P_C(x)$ of a set in the Euclidean norm.
//!
//! | set | points |
//! | --- | --- |
//! | [`Orthant`], [`Interval`] | between bounds |
//! | [`HalfSpace`], [`Polyhedron`] | on one side of a plane, or of several planes |
//! | [`Ball`], [`Ellipsoid`] | within a distance of a centre |
//! | [`Simplex`] | nonnegative, with a given sum |
//! | [`SecondOrderCone`] | within Coulomb's cone or the Lorentz cone |
//! | [`Intersection`] | in all of several sets |
//! | [`TransformedSet`] | in a shifted, scaled or rotated set |
//! | a closure `Fn(&mut [f64])` | fixed points of the closure |

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
