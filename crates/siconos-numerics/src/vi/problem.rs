//! The data of a variational inequality, over any convex set and over a box.

use crate::convex_set::{ConvexSet, Interval};
use crate::engine::check_length;
use crate::error::ProblemError;
use crate::map::DifferentiableMap;

/// Variational inequality with borrowed data, over a set that is given by its projection: find $z \in X$ with
/// $F(z)^T (y - z) \ge 0$ for all $y \in X$.
///
/// ```
/// use siconos_numerics::cone::Orthant;
/// use siconos_numerics::vi::ViProblem;
///
/// let map = |z: &[f64], f: &mut [f64]| f[0] = z[0] - 1.0;
/// assert_eq!(ViProblem::new(1, &map, &Orthant).size(), 1);
/// ```
#[doc(alias = "VI")]
#[derive(Clone, Copy)]
pub struct ViProblem<'a> {
    n: usize,
    map: &'a dyn Fn(&[f64], &mut [f64]),
    set: &'a dyn ConvexSet,
}

impl std::fmt::Debug for ViProblem<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ViProblem").field("size", &self.n).finish_non_exhaustive()
    }
}

impl<'a> ViProblem<'a> {
    /// Creates a problem with `n` unknowns, the map F and the set. `map` writes F at its first argument to
    /// its second argument.
    #[must_use]
    pub fn new(n: usize, map: &'a dyn Fn(&[f64], &mut [f64]), set: &'a dyn ConvexSet) -> Self {
        Self { n, map, set }
    }

    /// Returns the number of unknowns.
    #[must_use]
    pub fn size(&self) -> usize {
        self.n
    }

    /// Writes F(z) to `f`.
    pub fn map(&self, z: &[f64], f: &mut [f64]) {
        (self.map)(z, f);
    }

    /// Returns the set X.
    #[must_use]
    pub fn set(&self) -> &'a dyn ConvexSet {
        self.set
    }
}

/// Variational inequality over a box, with borrowed data and a differentiable map: $l \le z \le u$,
/// $-F(z) \in N_{[l, u]}(z)$.
///
/// ```
/// use siconos_numerics::ncp::FromFunctions;
/// use siconos_numerics::vi::BoxViProblem;
///
/// let map = FromFunctions::new(1, |z, f| f[0] = z[0] - 3.0, |_, mut j| j[[0, 0]] = 1.0);
/// assert_eq!(BoxViProblem::new(&map, &[-1.0], &[1.0])?.size(), 1);
/// assert!(BoxViProblem::new(&map, &[-1.0], &[-2.0]).is_err());
/// # Ok::<(), siconos_numerics::ProblemError>(())
/// ```
#[doc(alias = "box VI")]
#[derive(Clone, Copy)]
pub struct BoxViProblem<'a> {
    map: &'a dyn DifferentiableMap,
    bounds: Interval<'a>,
}

impl std::fmt::Debug for BoxViProblem<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BoxViProblem").field("bounds", &self.bounds).finish_non_exhaustive()
    }
}

impl<'a> BoxViProblem<'a> {
    /// Creates a problem from the map and the bounds, which can be infinite.
    ///
    /// # Errors
    ///
    /// If the lengths differ ([`ProblemError::WrongLength`]) or the bounds are invalid
    /// ([`ProblemError::Bounds`]).
    pub fn new(
        map: &'a dyn DifferentiableMap,
        lower: &'a [f64],
        upper: &'a [f64],
    ) -> Result<Self, ProblemError> {
        check_length("lower", map.size(), lower.len())?;
        Ok(Self { map, bounds: Interval::new(lower, upper)? })
    }

    /// Returns the number of unknowns.
    #[must_use]
    pub fn size(&self) -> usize {
        self.map.size()
    }

    /// Returns the map F.
    #[must_use]
    pub fn map(&self) -> &'a dyn DifferentiableMap {
        self.map
    }

    /// Returns the bounds.
    #[must_use]
    pub fn bounds(&self) -> Interval<'a> {
        self.bounds
    }
}
