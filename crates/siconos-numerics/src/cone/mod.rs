//! Convex sets that are given by their projection.
//!
//! What the projection methods need of a set is the nearest point $P_C(x)$ in the Euclidean norm, and nothing
//! else.

mod circular;
pub(crate) mod nesterov_todd;

use crate::error::ProblemError;

pub(crate) use circular::CircularCone;

/// A closed convex set with its projection.
///
/// A closure `Fn(&mut [f64])` that overwrites a point with the nearest one of the set is such a set as well.
pub trait ConvexSet {
    /// Overwrites `x` with the nearest point of the set.
    fn project(&self, x: &mut [f64]);
}

impl<F: Fn(&mut [f64])> ConvexSet for F {
    fn project(&self, x: &mut [f64]) {
        self(x);
    }
}

/// The nonnegative orthant $\lbrace x : x_i \ge 0 \rbrace$, which makes a variational inequality a
/// complementarity problem.
///
/// ```
/// use siconos_numerics::cone::{ConvexSet, Orthant};
///
/// let mut x = [-1.0, 2.0];
/// Orthant.project(&mut x);
/// assert_eq!(x, [0.0, 2.0]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Orthant;

impl ConvexSet for Orthant {
    fn project(&self, x: &mut [f64]) {
        x.iter_mut().for_each(|x| *x = x.max(0.0));
    }
}

/// The box $\lbrace x : l_i \le x_i \le u_i \rbrace$; bounds may be infinite.
///
/// ```
/// use siconos_numerics::cone::{ConvexSet, Interval};
///
/// let bounds = Interval::new(&[-1.0, 0.0], &[1.0, f64::INFINITY])?;
/// let mut x = [3.0, 4.0];
/// bounds.project(&mut x);
/// assert_eq!(x, [1.0, 4.0]);
/// assert!(Interval::new(&[1.0], &[0.0]).is_err());
/// # Ok::<(), siconos_numerics::ProblemError>(())
/// ```
#[doc(alias = "box")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval<'a> {
    lower: &'a [f64],
    upper: &'a [f64],
}

impl<'a> Interval<'a> {
    /// Pairs lower and upper bounds.
    ///
    /// # Errors
    ///
    /// [`ProblemError::WrongLength`]; [`ProblemError::Bounds`] for a NaN, an empty interval, a lower bound of
    /// plus infinity or an upper one of minus infinity.
    pub fn new(lower: &'a [f64], upper: &'a [f64]) -> Result<Self, ProblemError> {
        crate::error::check_length("upper", lower.len(), upper.len())?;
        let is_wrong = |(&l, &u): (&f64, &f64)| {
            l.is_nan() || u.is_nan() || l > u || l == f64::INFINITY || u == f64::NEG_INFINITY
        };
        match lower.iter().zip(upper).position(is_wrong) {
            None => Ok(Self { lower, upper }),
            Some(index) => Err(ProblemError::Bounds { index, lower: lower[index], upper: upper[index] }),
        }
    }

    /// Pairs bounds that [`new`](Self::new) has accepted before.
    pub(crate) fn of_checked(lower: &'a [f64], upper: &'a [f64]) -> Self {
        Self { lower, upper }
    }

    /// The lower bounds.
    #[must_use]
    pub fn lower(&self) -> &'a [f64] {
        self.lower
    }

    /// The upper bounds.
    #[must_use]
    pub fn upper(&self) -> &'a [f64] {
        self.upper
    }
}

impl ConvexSet for Interval<'_> {
    fn project(&self, x: &mut [f64]) {
        for ((x, l), u) in x.iter_mut().zip(self.lower).zip(self.upper) {
            *x = x.max(*l).min(*u);
        }
    }
}
