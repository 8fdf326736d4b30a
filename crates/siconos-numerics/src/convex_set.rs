//! Convex sets given by their projection: the trait, the nonnegative orthant and the box.

use siconos_linalg::norm;

use crate::engine::check_length;
use crate::error::ProblemError;
use crate::info::Status;

/// Closed convex set with its projection.
///
/// Points must be finite, because the projection can turn an infinite entry into a finite one. NaN stays NaN.
///
/// A closure `Fn(&mut [f64])` that overwrites a point with the nearest point of a set implements the trait.
pub trait ConvexSet {
    /// Overwrites `x` with the nearest point of the set.
    fn project(&self, x: &mut [f64]);

    /// Overwrites `x` with the nearest point of the set. The returned status is a success if `x` is that
    /// point. It is always a success for a set whose projection has a formula. It is not a success for an
    /// empty [`Polyhedron`](crate::cone::Polyhedron), or for an [`Intersection`](crate::cone::Intersection)
    /// that reaches its maximum number of cycles before it converges.
    ///
    /// ```
    /// use ndarray::array;
    /// use siconos_numerics::Status;
    /// use siconos_numerics::cone::{ConvexSet, Orthant, Polyhedron};
    ///
    /// assert_eq!(Orthant.try_project(&mut [-1.0]), Status::Converged);
    /// // No number satisfies both x >= 1 and x <= 0.
    /// let nothing = Polyhedron::new(array![[1.0], [-1.0]], vec![1.0, 0.0])?;
    /// assert_eq!(nothing.try_project(&mut [0.5]), Status::NoSolution);
    /// # Ok::<(), siconos_numerics::cone::ConvexSetError>(())
    /// ```
    fn try_project(&self, x: &mut [f64]) -> Status {
        self.project(x);
        Status::Converged
    }

    /// Returns the Euclidean distance of a point from the set.
    ///
    /// ```
    /// use siconos_numerics::cone::{ConvexSet, Orthant};
    ///
    /// assert_eq!(Orthant.distance(&[-3.0, -4.0, 2.0]), 5.0);
    /// ```
    fn distance(&self, x: &[f64]) -> f64 {
        let mut nearest = x.to_vec();
        self.project(&mut nearest);
        nearest.iter_mut().zip(x).for_each(|(nearest, x)| *nearest -= x);
        norm(&nearest)
    }

    /// Returns $\lVert x - P_C(x + n) \rVert$. The result is 0 if and only if n is normal to the set at x,
    /// that is, if x is in the set and $n^T (y - x) \le 0$ for all points y of the set.
    ///
    /// ```
    /// use siconos_numerics::cone::{ConvexSet, Orthant};
    ///
    /// assert_eq!(Orthant.normality(&[0.0, 2.0], &[-1.0, 0.0]), 0.0);
    /// assert_eq!(Orthant.normality(&[0.0, 2.0], &[-1.0, 0.5]), 0.5);
    /// ```
    ///
    /// # Panics
    ///
    /// If x and n have different lengths.
    fn normality(&self, x: &[f64], n: &[f64]) -> f64 {
        assert_eq!(x.len(), n.len(), "a normal has as many components as the point");
        let mut nearest: Vec<f64> = x.iter().zip(n).map(|(x, n)| x + n).collect();
        self.project(&mut nearest);
        nearest.iter_mut().zip(x).for_each(|(nearest, x)| *nearest -= x);
        norm(&nearest)
    }
}

impl<F: Fn(&mut [f64])> ConvexSet for F {
    fn project(&self, x: &mut [f64]) {
        self(x);
    }
}

/// The nonnegative orthant $\lbrace x : x_i \ge 0 \rbrace$. A variational inequality over this set is a
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
        // Written so that NaN stays NaN.
        x.iter_mut().filter(|x| **x <= 0.0).for_each(|x| *x = 0.0);
    }
}

/// The box $\lbrace x : l_i \le x_i \le u_i \rbrace$. Bounds can be infinite.
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
    /// Creates a box from lower and upper bounds.
    ///
    /// # Errors
    ///
    /// If the lengths differ ([`ProblemError::WrongLength`]); if a bound is NaN, a lower bound exceeds its
    /// upper bound, a lower bound is plus infinity or an upper bound is minus infinity
    /// ([`ProblemError::Bounds`]).
    pub fn new(lower: &'a [f64], upper: &'a [f64]) -> Result<Self, ProblemError> {
        check_length("upper", lower.len(), upper.len())?;
        let is_wrong = |(&l, &u): (&f64, &f64)| {
            l.is_nan() || u.is_nan() || l > u || l == f64::INFINITY || u == f64::NEG_INFINITY
        };
        match lower.iter().zip(upper).position(is_wrong) {
            None => Ok(Self { lower, upper }),
            Some(index) => Err(ProblemError::Bounds { index, lower: lower[index], upper: upper[index] }),
        }
    }

    /// Creates a box from bounds that [`new`](Self::new) has accepted.
    pub(crate) fn of_checked(lower: &'a [f64], upper: &'a [f64]) -> Self {
        Self { lower, upper }
    }

    /// Returns the lower bounds.
    #[must_use]
    pub fn lower(&self) -> &'a [f64] {
        self.lower
    }

    /// Returns the upper bounds.
    #[must_use]
    pub fn upper(&self) -> &'a [f64] {
        self.upper
    }
}

impl ConvexSet for Interval<'_> {
    fn project(&self, x: &mut [f64]) {
        for ((x, l), u) in x.iter_mut().zip(self.lower).zip(self.upper) {
            // Written so that NaN stays NaN.
            *x = if *x <= *l {
                *l
            } else if *x >= *u {
                *u
            } else {
                *x
            };
        }
    }
}
