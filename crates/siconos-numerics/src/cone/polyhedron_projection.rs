//! The nearest point of a polyhedron, by its multipliers.

use std::fmt;

use ndarray::{Array2, ArrayView2};

use super::error::check_symmetric;
use super::{Polyhedron, SetError};
use crate::error::{SolverError, check_finite, check_length};
use crate::info::SolveInfo;
use crate::lcp::{Auto, LcpProblem};
use crate::linalg::{DenseCholesky, dot};
use crate::method::Solver;

/// The projection onto a polyhedron $\lbrace x : H x \ge k \rbrace$ in the Euclidean norm or another, with
/// memory: k and H may move from one projection to the next, each of which starts from the multipliers of the
/// one before.
///
/// The nearest point to y in the norm $\sqrt{x^T P x}$ is
///
/// $$ x = y + P^{-1} H^T l, \qquad 0 \le l \perp H P^{-1} H^T l + H y - k \ge 0, $$
///
/// as plain text x = y + P^-1 H^T l with 0 <= l complementary to H P^-1 H^T l + H y - k >= 0: a linear
/// complementarity problem with a positive semidefinite matrix, which has a solution wherever the polyhedron
/// is not empty, and a proof that it has none otherwise.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::cone::{Polyhedron, PolyhedronProjection};
///
/// // x_1 + x_2 >= 5, and x_1 is four times as dear as x_2.
/// let above = Polyhedron::new(array![[1.0, 1.0]], vec![5.0])?;
/// let mut projection = PolyhedronProjection::new(&above).with_metric(array![[4.0, 0.0], [0.0, 1.0]].view())?;
/// let mut x = [0.0, 0.0];
/// assert!(projection.project(&mut x)?.status.is_success());
/// assert_eq!((x, projection.multipliers()), ([1.0, 4.0], &[4.0][..]));
///
/// // The bound moves.
/// projection.k_mut()[0] = 10.0;
/// assert!(projection.project(&mut x)?.status.is_success());
/// assert_eq!(x, [2.0, 8.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PolyhedronProjection {
    h: Array2<f64>,
    k: Vec<f64>,
    metric: Option<DenseCholesky>,
    /// The H that `dual` and `gram` are made of.
    used: Array2<f64>,
    /// Row i is that of P^-1 H^T for inequality i.
    dual: Array2<f64>,
    gram: Array2<f64>,
    q: Vec<f64>,
    l: Vec<f64>,
    w: Vec<f64>,
    solver: Auto,
    /// The faces that bear, what is missing at them, and the factors of their part of `gram`.
    bearing: Vec<usize>,
    missing: Vec<f64>,
    factors: DenseCholesky,
}

impl PolyhedronProjection {
    /// The projection onto a polyhedron in the Euclidean norm.
    #[must_use]
    pub fn new(polyhedron: &Polyhedron) -> Self {
        let (h, k) = (polyhedron.h().to_owned(), polyhedron.k().to_vec());
        let p = k.len();
        Self {
            metric: None,
            // Not that of any row: the first projection computes both.
            used: Array2::zeros((0, 0)),
            dual: h.clone(),
            gram: Array2::zeros((p, p)),
            q: vec![0.0; p],
            l: vec![0.0; p],
            w: vec![0.0; p],
            solver: Auto::default(),
            bearing: Vec::new(),
            missing: Vec::new(),
            factors: DenseCholesky::default(),
            h,
            k,
        }
    }

    /// Measures in the norm of P, n x n, symmetric positive definite.
    ///
    /// # Errors
    ///
    /// [`SetError::NotPositiveDefinite`], [`SetError::Problem`] for another shape.
    pub fn with_metric(mut self, p: ArrayView2<'_, f64>) -> Result<Self, SetError> {
        self.metric = Some(metric_factors(p, self.h.ncols())?);
        self.used = Array2::zeros((0, 0));
        Ok(self)
    }

    /// The number n of unknowns.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.h.ncols()
    }

    /// The bounds k, to be moved.
    pub fn k_mut(&mut self) -> &mut [f64] {
        &mut self.k
    }

    /// Moves H and k: the function is given both, as they are, to overwrite.
    pub fn move_both(&mut self, change: impl FnOnce(&mut Array2<f64>, &mut [f64])) {
        change(&mut self.h, &mut self.k);
    }

    /// H and k as they are.
    #[must_use]
    pub fn inequalities(&self) -> (ArrayView2<'_, f64>, &[f64]) {
        (self.h.view(), &self.k)
    }

    /// The multipliers l of the last projection.
    #[must_use]
    pub fn multipliers(&self) -> &[f64] {
        &self.l
    }

    /// Overwrites x with the nearest point. Where no multipliers are found, which the status says, x stays.
    ///
    /// # Errors
    ///
    /// [`SolverError::Problem`] for another length, and numbers that are not finite.
    pub fn project(&mut self, x: &mut [f64]) -> Result<SolveInfo, SolverError> {
        check_length("x", self.h.ncols(), x.len())?;
        check_finite("x", x)?;
        if self.used != self.h {
            self.update();
        }
        for ((q, row), k) in self.q.iter_mut().zip(self.h.rows()).zip(&self.k) {
            *q = row.as_slice().map_or(0.0, |row| dot(row, x)) - k;
        }
        if self.l.iter().any(|l| !l.is_finite()) {
            self.l.fill(0.0);
        }
        let problem = LcpProblem::new(&self.gram, &self.q)?;
        let info = self.solver.solve(&problem, &mut self.l, &mut self.w)?;
        if info.status.is_success() {
            for (row, l) in self.dual.rows().into_iter().zip(&self.l).filter(|(_, l)| **l > 0.0) {
                x.iter_mut().zip(row).for_each(|(x, entry)| *x += l * entry);
            }
            self.refine(x);
        }
        Ok(info)
    }

    /// Corrects the multipliers by what rounding has left of the gaps of the faces that bear. Where these do
    /// not determine them, x is left as it is.
    fn refine(&mut self, x: &mut [f64]) {
        self.bearing.clear();
        self.bearing.extend((0..self.l.len()).filter(|face| self.l[*face] > 0.0));
        let count = self.bearing.len();
        let entries = self.factors.entries_mut(count);
        for (column, &j) in self.bearing.iter().enumerate() {
            for (row, &i) in self.bearing.iter().enumerate() {
                entries[column * count + row] = self.gram[[i, j]];
            }
        }
        if self.factors.factor().is_err() {
            return;
        }
        self.missing.clear();
        for &face in &self.bearing {
            let reached = self.h.row(face).as_slice().map_or(0.0, |row| dot(row, x));
            self.missing.push(self.k[face] - reached);
        }
        self.factors.solve(&mut self.missing);
        let is_correction = |(face, change): (&usize, &f64)| change.abs() < self.l[*face];
        if !self.bearing.iter().zip(&self.missing).all(is_correction) {
            return;
        }
        for (&face, change) in self.bearing.iter().zip(&self.missing) {
            self.l[face] += change;
            x.iter_mut().zip(self.dual.row(face)).for_each(|(x, entry)| *x += change * entry);
        }
    }

    /// P^-1 H^T and H P^-1 H^T anew.
    fn update(&mut self) {
        self.dual.assign(&self.h);
        if let Some(metric) = &self.metric {
            for mut row in self.dual.rows_mut() {
                if let Some(row) = row.as_slice_mut() {
                    metric.solve(row);
                }
            }
        }
        for (h, mut gram) in self.h.rows().into_iter().zip(self.gram.rows_mut()) {
            for (dual, gram) in self.dual.rows().into_iter().zip(&mut gram) {
                *gram = h.iter().zip(dual).map(|(h, dual)| h * dual).sum();
            }
        }
        if self.used.dim() == self.h.dim() {
            self.used.assign(&self.h);
        } else {
            self.used = self.h.clone();
        }
    }
}

impl fmt::Debug for PolyhedronProjection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PolyhedronProjection").field("h", &self.h).field("k", &self.k).finish_non_exhaustive()
    }
}

/// The factors of a metric P of n unknowns, n x n.
///
/// # Errors
///
/// [`SetError::NotPositiveDefinite`], [`SetError::Problem`] for another shape and numbers that are not
/// finite.
pub fn metric_factors(p: ArrayView2<'_, f64>, n: usize) -> Result<DenseCholesky, SetError> {
    check_symmetric("P", p, n)?;
    let mut factors = DenseCholesky::default();
    factors.entries_mut(n).iter_mut().zip(p.iter()).for_each(|(to, from)| *to = *from);
    match factors.factor() {
        Ok(()) => Ok(factors),
        Err(singular) => Err(SetError::NotPositiveDefinite { what: "P", why: singular.to_string() }),
    }
}
