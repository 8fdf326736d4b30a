//! What linear complementarity, mixed and relay problems have in common: w = M z + q, each unknown between
//! bounds of its own.
//!
//! Row i asks for $l_i \le z_i \le u_i$ and $-w_i \in N_{[l_i, u_i]}(z_i)$: w_i is at least 0 at the lower
//! bound, at most 0 at the upper one, and 0 between. A complementarity row has l = 0 and no upper bound, an
//! equality row has none at all, a relay both. The classes [`lcp`](crate::lcp), [`mlcp`](crate::mlcp) and
//! [`relay`](crate::relay) are views with the names of their literature; how a point is measured is here, and
//! so are the methods that do not ask which of them a row comes from: [`ProjectedGaussSeidel`], [`Newton`]
//! and, without upper bounds, [`InteriorPoint`]. Each class has them under its own path, `lcp::Newton` say.
//!
//! Methods that use what is special about a class stay with it: pivoting needs one bound to start from, and
//! enumeration goes through two states of a complementarity row by rank-one exchanges, through three of a
//! relay by Gray codes over its bounds, and through the mixed rows after the equations have been eliminated.

mod acceptance;
mod equations;
mod far_out;
mod function;
mod gauss_seidel;
mod interior_point;
mod measure;
mod newton;
mod one_row;
mod own_units;
mod polish;
mod row_test;
mod storage;

pub(crate) use acceptance::{AcceptanceTest, Assessment, error, error_of_point};
pub(crate) use equations::{BoxNewton, Equations};
pub use function::{box_derivative, box_value};
pub use gauss_seidel::{ProjectedGaussSeidel, ProjectedGaussSeidelSettings};
pub use interior_point::{InteriorPoint, InteriorPointSettings};
pub(crate) use measure::{Given, begin, natural, norm_wise_error, write_image};
pub(crate) use newton::ACTIVE_SET;
pub use newton::{Newton, NewtonSettings};
pub(crate) use one_row::solve_row;
pub(crate) use own_units::OwnUnits;
pub(crate) use polish::Polish;
use siconos_linalg::MatrixRef;
pub(crate) use storage::Storage;

use crate::method::{Class, MethodDescription};

/// A problem of rows between bounds.
pub trait BoxProblem {
    /// The matrix.
    fn m(&self) -> MatrixRef<'_>;

    /// The vector.
    fn q(&self) -> &[f64];

    /// The bounds of an unknown, infinite where there is none.
    fn bounds(&self, i: usize) -> (f64, f64);

    /// Puts each unknown between its bounds.
    fn project(&self, z: &mut [f64]) {
        for (i, z) in z.iter_mut().enumerate() {
            let (lower, upper) = self.bounds(i);
            *z = z.max(lower).min(upper);
        }
    }
}

/// A class of [problems of rows between bounds](BoxProblem), and what its table says of the methods that all
/// such classes share.
pub trait BoxClass: for<'a> Class<Problem<'a>: BoxProblem + Sized> {
    /// Of projected Gauss-Seidel with these settings.
    fn gauss_seidel(settings: &ProjectedGaussSeidelSettings) -> &'static MethodDescription;

    /// Of Newton's method with these settings.
    fn newton(settings: &NewtonSettings) -> &'static MethodDescription;

    /// The settings of Newton's method that suit the class. Default [`NewtonSettings::default`].
    #[must_use]
    fn newton_settings() -> NewtonSettings {
        NewtonSettings::default()
    }
}

/// A class whose rows are equations or complementary, with z from 0 on.
pub trait UnilateralClass: BoxClass {
    /// Of the interior-point method.
    fn interior_point() -> &'static MethodDescription;
}
