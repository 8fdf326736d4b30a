//! Box-constrained linear complementarity, the common form of linear, mixed and relay problems: w = M z + q
//! with bounds on each unknown.
//!
//! Row i requires $l_i \le z_i \le u_i$ and $-w_i \in N_{[l_i, u_i]}(z_i)$: w_i is nonnegative at the lower
//! bound, nonpositive at the upper bound, and 0 between them. A complementarity row has l = 0 and no upper
//! bound, an equality row has no bounds, and a relay row has both. The classes [`lcp`](crate::lcp),
//! [`mlcp`](crate::mlcp) and [`relay`](crate::relay) are special cases, with the names that their literature
//! uses. This module defines the error of a point and the methods that apply to every kind of row:
//! [`ProjectedGaussSeidel`], [`Newton`] and, without upper bounds, [`InteriorPoint`]. Each class re-exports
//! them, for example as `lcp::Newton`.
//!
//! Pivoting methods and enumeration depend on the class and are defined in the module of the class.

mod acceptance;
mod equations;
mod far_out;
mod function;
mod gauss_seidel;
mod interior_point;
mod newton;
mod one_row;
mod own_units;
mod polish;
mod residual;
mod row_test;
mod storage;

pub(crate) use acceptance::{AcceptanceTest, Assessment, error, error_of_point};
pub(crate) use equations::{BoxNewton, Equations};
pub use function::{box_derivative, box_value};
pub use gauss_seidel::{ProjectedGaussSeidel, ProjectedGaussSeidelSettings};
pub use interior_point::{InteriorPoint, InteriorPointSettings};
pub(crate) use newton::ACTIVE_SET;
pub use newton::{Newton, NewtonSettings};
pub(crate) use one_row::solve_row;
pub(crate) use own_units::ScaledProblem;
pub(crate) use polish::Polish;
pub(crate) use residual::{Given, begin, natural, norm_wise_error, write_image};
use siconos_linalg::MatrixRef;
pub(crate) use storage::Storage;

use crate::method::{Class, MethodDescription};

/// Box-constrained linear complementarity problem.
pub trait BoxProblem {
    /// Returns the matrix M.
    fn m(&self) -> MatrixRef<'_>;

    /// Returns the vector q.
    fn q(&self) -> &[f64];

    /// Returns the bounds of an unknown, infinite if it has none.
    fn bounds(&self, i: usize) -> (f64, f64);

    /// Projects each unknown onto its bounds.
    fn project(&self, z: &mut [f64]) {
        for (i, z) in z.iter_mut().enumerate() {
            let (lower, upper) = self.bounds(i);
            *z = z.max(lower).min(upper);
        }
    }
}

/// Class of [box-constrained problems](BoxProblem), with the descriptions of the methods that all these
/// classes share.
pub trait BoxClass: for<'a> Class<Problem<'a>: BoxProblem + Sized> {
    /// Returns the description of projected Gauss-Seidel with these settings.
    fn gauss_seidel(settings: &ProjectedGaussSeidelSettings) -> &'static MethodDescription;

    /// Returns the description of Newton's method with these settings.
    fn newton(settings: &NewtonSettings) -> &'static MethodDescription;

    /// Returns the settings of Newton's method that suit the class. Default: [`NewtonSettings::default`].
    #[must_use]
    fn newton_settings() -> NewtonSettings {
        NewtonSettings::default()
    }
}

/// Class of problems with equality rows and complementarity rows, where z >= 0.
pub trait UnilateralClass: BoxClass {
    /// Returns the description of the interior-point method.
    fn interior_point() -> &'static MethodDescription;
}
