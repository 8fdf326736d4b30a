//! The set K of a differential variational inequality.

use std::sync::Arc;

use ndarray::{Array2, s};
use siconos_numerics::cone::Interval;
use siconos_numerics::lcp::{LcpProblem, infeasibility_certificate};

use super::DviError;
use crate::error::{ModelError, check_finite, check_shape};
use crate::model::Closure;

/// A closed convex set of u, m numbers.
///
/// ```
/// use siconos_kernel::sweeping::dvi::DviSet;
///
/// let saturation = DviSet::Box { lower: vec![-1.0], upper: vec![1.0] };
/// // The unit disc.
/// let disc = DviSet::projection(|u| {
///     let length = u[0].hypot(u[1]).max(1.0);
///     u.iter_mut().for_each(|u| *u /= length);
/// });
/// assert!(matches!((saturation, disc), (DviSet::Box { .. }, DviSet::Projection(_))));
/// ```
#[derive(Clone, Debug)]
pub enum DviSet {
    /// $u \ge 0$: a complementarity system.
    Orthant,
    /// $l \le u \le \bar u$, where bounds may be infinite: relays, saturations; a component without bounds is
    /// an equation.
    Box {
        /// The lower bounds, m.
        lower: Vec<f64>,
        /// The upper bounds, m.
        upper: Vec<f64>,
    },
    /// $\lbrace u : H u \ge k \rbrace$ with p inequalities.
    Polyhedron {
        /// H, p x m.
        h: Array2<f64>,
        /// k, p numbers.
        k: Vec<f64>,
    },
    /// A set that is known by its projection; make it with [`DviSet::projection`].
    Projection(SetProjection),
}

/// A function that overwrites a point with the nearest one of a closed convex set.
#[derive(Clone, Debug)]
pub struct SetProjection(Closure<Project>);

type Project = dyn Fn(&mut [f64]) + Send + Sync;

impl SetProjection {
    pub(super) fn apply(&self, u: &mut [f64]) {
        (self.0.0)(u);
    }
}

impl DviSet {
    /// The set whose projection is this: it overwrites a point with the nearest one of the set, in the
    /// Euclidean norm.
    pub fn projection(project: impl Fn(&mut [f64]) + Send + Sync + 'static) -> Self {
        Self::Projection(SetProjection(Closure(Arc::new(project))))
    }

    /// The number p of inequalities that have a multiplier of their own.
    pub(super) fn inequalities(&self) -> usize {
        match self {
            Self::Polyhedron { k, .. } => k.len(),
            _ => 0,
        }
    }

    /// The bounds of a component; those of a line where the set is no product of intervals.
    pub(super) fn bounds(&self, j: usize) -> (f64, f64) {
        match self {
            Self::Orthant => (0.0, f64::INFINITY),
            Self::Box { lower, upper } => (lower[j], upper[j]),
            Self::Polyhedron { .. } | Self::Projection(_) => (f64::NEG_INFINITY, f64::INFINITY),
        }
    }

    pub(super) fn check(&self, m: usize) -> Result<(), DviError> {
        match self {
            Self::Orthant | Self::Projection(_) => Ok(()),
            Self::Box { lower, upper } => {
                check_shape("lower bounds", (m, 1), (lower.len(), 1))?;
                check_shape("upper bounds", (m, 1), (upper.len(), 1))?;
                Interval::new(lower, upper).map_err(|_| crossed(lower, upper))?;
                Ok(())
            }
            Self::Polyhedron { h, k } => {
                check_shape("H", (k.len(), m), h.dim())?;
                check_finite("H", h)?;
                check_finite("k", k)?;
                match farkas_combination(h, k) {
                    None => Ok(()),
                    Some(combination) => Err(DviError::EmptySet { combination }),
                }
            }
        }
    }
}

/// The first component whose interval is empty.
fn crossed(lower: &[f64], upper: &[f64]) -> ModelError {
    let is_good = |l: f64, u: f64| l <= u && l < f64::INFINITY && u > f64::NEG_INFINITY;
    let index = lower.iter().zip(upper).position(|(l, u)| !is_good(*l, *u)).unwrap_or_default();
    ModelError::Bounds { index, lower: lower[index], upper: upper[index] }
}

/// Factors y >= 0 of the inequalities $H u \ge k$ with $y^T H = 0$ and $y^T k > 0$, if such are found: proof
/// that there is no such u.
fn farkas_combination(h: &Array2<f64>, k: &[f64]) -> Option<Vec<f64>> {
    let (p, m) = h.dim();
    let size = p.max(2 * m);
    // u = a - b with a, b >= 0; rows in units of their own.
    let scales: Vec<f64> = h
        .rows()
        .into_iter()
        .map(|row| row.iter().fold(0.0_f64, |largest, x| largest.max(x.abs())))
        .map(|largest| if largest > 0.0 { 1.0 / largest } else { 1.0 })
        .collect();
    let mut program = Array2::zeros((size, size));
    program.slice_mut(s![..p, ..m]).assign(h);
    program.slice_mut(s![..p, m..2 * m]).assign(&h.mapv(|x| -x));
    let mut q = vec![0.0; size];
    for (i, scale) in scales.iter().enumerate() {
        program.row_mut(i).mapv_inplace(|x| x * scale);
        q[i] = -k[i] * scale;
    }
    let problem = LcpProblem::new(&program, &q).ok()?;
    let certificate = infeasibility_certificate(&problem)?;
    let mut combination: Vec<f64> = certificate.iter().zip(&scales).map(|(y, scale)| y * scale).collect();
    let largest = combination.iter().fold(0.0_f64, |largest, y| largest.max(*y));
    combination.iter_mut().for_each(|y| *y /= largest);
    Some(combination)
}
