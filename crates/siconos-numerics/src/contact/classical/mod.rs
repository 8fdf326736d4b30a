//! Classical methods for friction: fixed-point iterations, alternation between normal and tangential
//! problems, and projected gradients.
//!
//! The methods are provided for comparison with publications and with other codes. [`Auto`](super::Auto)
//! never uses them.

pub(super) mod conjugate_projected_gradient;
pub(super) mod convex_fixed_point;
pub(super) mod de_saxce;
pub(super) mod extragradient;
mod outer_loop;
pub(super) mod panagiotopoulos;
pub(super) mod tresca;

pub use self::conjugate_projected_gradient::{
    ConjugateProjectedGradient, ConjugateProjectedGradientSettings,
};
pub use self::convex_fixed_point::{ConvexFixedPoint, ConvexFixedPointSettings, ConvexSolver};
pub use self::de_saxce::{DeSaxceFixedPoint, DeSaxceSettings};
pub use self::extragradient::{Extragradient, FixedPointProjection};
pub use self::panagiotopoulos::{NormalSolver, PanagiotopoulosFixedPoint, PanagiotopoulosSettings};
pub use self::tresca::{TrescaFixedPoint, TrescaSettings};
