//! Interior pair (z, w), and its steps along the central path.

use siconos_linalg::{MatrixRef, NewtonMatrix, SingularMatrix, dot, largest_magnitude, norm};

use crate::box_constraints::BoxProblem;
use crate::own_response;

/// Shift of the diagonal in the equality rows of a singular matrix, as a multiple of the mean of the $d_i$ of
/// [`own_response`](crate::own_response).
const REGULARISATION: f64 = 1e-10;

/// Minimum step length that is tried.
pub(super) const SHORTEST: f64 = 1e-6;

/// Limits of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepLimits {
    /// Maximum fraction of the distance to the boundary.
    pub(super) fraction: f64,
    /// Minimum product after the step, as a fraction of the mean product.
    pub(super) centrality: f64,
}

/// Interior pair (z, w), with the workspace of a step. In the complementarity rows, z > 0 and w > 0. In the
/// equations, w = 0 and z has any sign.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    pub(super) z: Vec<f64>,
    w: Vec<f64>,
    dz: Vec<f64>,
    dw: Vec<f64>,
    /// Indices of the equations.
    free: Vec<usize>,
    is_free: Vec<bool>,
    matrix: NewtonMatrix,
    /// Factors $d_i$ that convert $z_i$ to the unit of $w_i$; see [`own_response`](crate::own_response).
    responses: Vec<f64>,
    a: Vec<f64>,
    b: Vec<f64>,
    residual: Vec<f64>,
    products: Vec<f64>,
}

impl Path {
    /// Prepares the matrix of the steps.
    pub(super) fn prepare(&mut self, m: MatrixRef<'_>, is_symmetric: bool) {
        self.matrix.prepare(m, is_symmetric);
    }

    /// Sets the initial pair, which has the units of the problem. Its z is `multiple` times the default
    /// magnitude.
    pub(super) fn start<P: BoxProblem>(&mut self, problem: &P, multiple: f64) {
        let (m, q) = (problem.m(), problem.q());
        own_response::write(m, &mut self.responses);
        self.is_free.clear();
        self.is_free.extend((0..q.len()).map(|i| problem.bounds(i).0 == f64::NEG_INFINITY));
        self.free.clear();
        self.free.extend((0..q.len()).filter(|&i| self.is_free[i]));
        self.w.clear();
        self.w.resize(q.len(), 0.0);
        self.z.clear();
        self.z.resize(q.len(), 1.0);
        // The mean row sum of |M| serves as a norm.
        m.add_absolute_product(&self.z, &mut self.w);
        let mean_row = self.w.iter().sum::<f64>() / q.len() as f64;
        let largest_q = largest_magnitude(q);
        let size = multiple * if mean_row > 0.0 { largest_q / mean_row } else { largest_q };
        self.z.clear();
        self.z.extend(self.is_free.iter().map(|is_free| if *is_free { 0.0 } else { size }));
        self.w.copy_from_slice(q);
        m.add_product(1.0, &self.z, &mut self.w);
        for (w, is_free) in self.w.iter_mut().zip(&self.is_free) {
            *w = if *is_free { 0.0 } else { w.max(largest_q) };
        }
        self.dz.clear();
        self.dz.resize(q.len(), 0.0);
        self.dw.clone_from(&self.dz);
    }

    pub(super) fn is_finite(&self) -> bool {
        norm(&self.z).is_finite()
    }

    /// Returns the mean product over the complementarity rows; 0 if there are none.
    pub(super) fn mean_product(&self) -> f64 {
        dot(&self.z, &self.w) / self.complementarity_rows()
    }

    fn complementarity_rows(&self) -> f64 {
        (self.z.len() - self.free.len()).max(1) as f64
    }

    /// Returns the mean of the products after a step.
    fn mean_product_after(&self, step: f64) -> f64 {
        let Self { z, w, dz, dw, .. } = self;
        let sum = dot(z, w) + step * (dot(z, dw) + dot(dz, w)) + step * step * dot(dz, dw);
        sum / self.complementarity_rows()
    }

    /// Returns the longest step, at most 1, that covers at most `fraction` of the distance to the boundary.
    fn longest_step(&self, fraction: f64) -> f64 {
        let of_z = self.z.iter().zip(&self.dz).zip(&self.is_free);
        let of_z = of_z.filter(|(_, is_free)| !**is_free).map(|(pair, _)| pair);
        // In equations w does not change.
        let pairs = of_z.chain(self.w.iter().zip(&self.dw));
        pairs.filter(|(_, d)| **d < 0.0).fold(1.0, |step: f64, (x, d)| step.min(-fraction * x / d))
    }

    /// Returns `true` if after a step no product is below the fraction `centrality` of the mean product.
    fn is_central(&self, step: f64, centrality: f64) -> bool {
        let least = centrality * self.mean_product_after(step);
        let z = self.z.iter().zip(&self.dz).map(|(z, d)| z + step * d);
        let w = self.w.iter().zip(&self.dw).map(|(w, d)| w + step * d);
        z.zip(w).zip(&self.is_free).all(|((z, w), is_free)| *is_free || z * w >= least)
    }

    /// Factorises the matrix of the steps: W + Z M, with row i divided by z_i + w_i / d_i, so that all rows
    /// have the same unit.
    fn factor(&mut self, m: MatrixRef<'_>) -> Result<(), SingularMatrix> {
        let rows = || self.z.iter().zip(&self.w).zip(&self.responses);
        self.a.clear();
        self.a.extend(rows().map(|((z, w), d)| w * (d / (d * z + w))));
        self.b.clear();
        self.b.extend(rows().map(|((z, w), d)| d * z / (d * z + w)));
        for &i in &self.free {
            (self.a[i], self.b[i]) = (0.0, 1.0);
        }
        self.matrix.factor(m, &self.a, &self.b).or_else(|singular| {
            if self.free.is_empty() {
                return Err(singular);
            }
            let shift = REGULARISATION * own_response::mean(m);
            self.free.iter().for_each(|&i| self.a[i] = shift);
            self.matrix.factor(m, &self.a, &self.b)
        })
    }

    /// Solves for the step. On entry `dz` holds the required change of the products, on return `dz` and `dw`
    /// hold the step.
    fn solve_step(&mut self, m: MatrixRef<'_>) -> Result<(), SingularMatrix> {
        let rows = self.z.iter().zip(&self.w).zip(self.residual.iter().zip(&self.responses));
        for (dz, ((z, w), (residual, d))) in self.dz.iter_mut().zip(rows) {
            *dz = (*dz - z * residual) * (d / (d * z + w));
        }
        self.free.iter().for_each(|&i| self.dz[i] = -self.residual[i]);
        self.matrix.solve(m, &mut self.dz)?;
        self.dw.copy_from_slice(&self.residual);
        m.add_product(1.0, &self.dz, &mut self.dw);
        self.free.iter().for_each(|&i| self.dw[i] = 0.0);
        Ok(())
    }

    /// Performs one iteration, (1) to (4) of the method. Returns the step length, or `None` if the arithmetic
    /// breaks down.
    pub(super) fn step<P: BoxProblem>(&mut self, problem: &P, reach: StepLimits) -> Option<f64> {
        let m = problem.m();
        self.factor(m).ok()?;
        self.residual.clear();
        self.residual.extend(problem.q().iter().zip(&self.w).map(|(q, w)| q - w));
        m.add_product(1.0, &self.z, &mut self.residual);
        // (1) Predictor.
        self.dz.clear();
        self.dz.extend(self.z.iter().zip(&self.w).map(|(z, w)| -z * w));
        self.solve_step(m).ok()?;
        // (2)
        let mean = self.mean_product();
        let after = self.mean_product_after(self.longest_step(1.0));
        let sigma = if mean > 0.0 { (after / mean).clamp(0.0, 1.0).powi(3) } else { 0.0 };
        // (3) Corrector.
        self.products.clear();
        self.products.extend(self.dz.iter().zip(&self.dw).map(|(dz, dw)| dz * dw));
        let target = sigma * mean;
        let rows = self.z.iter().zip(&self.w).zip(&self.products);
        for (dz, ((z, w), product)) in self.dz.iter_mut().zip(rows) {
            *dz = target - z * w - product;
        }
        self.solve_step(m).ok()?;
        // (4)
        let mut step = self.longest_step(reach.fraction);
        while step > SHORTEST && !self.is_central(step, reach.centrality) {
            step *= 0.8;
        }
        self.z.iter_mut().zip(&self.dz).for_each(|(z, d)| *z += step * d);
        self.w.iter_mut().zip(&self.dw).for_each(|(w, d)| *w += step * d);
        let mut pairs = self.z.iter().zip(&self.w).zip(&self.is_free);
        let is_inside = |((z, w), is_free): ((&f64, &f64), &bool)| {
            z.is_finite() && w.is_finite() && (*is_free || (*z > 0.0 && *w > 0.0))
        };
        let is_inside = pairs.all(is_inside);
        is_inside.then_some(step)
    }
}
