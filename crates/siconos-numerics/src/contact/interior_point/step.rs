//! One step of the interior-point method: scaling, Newton's matrix, the directions, and how far to go.

use crate::cone::nesterov_todd::{apply, divide, longest_step, product, scaling};
use crate::contact::residual::velocity_of_point;
use crate::contact::{ContactLaw, ContactProblem};
use crate::linalg::{BlockNewtonMatrix, dot, norm};

/// Everything of a run, block after block.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    /// Coefficient of each block.
    mu: Vec<f64>,
    /// r = `reaction_unit` x / (mu, 1, ..), y = `velocity_unit` u / (mu, 1, ..).
    reaction_unit: f64,
    velocity_unit: f64,
    x: Vec<f64>,
    y: Vec<f64>,
    w: Vec<f64>,
    eta: Vec<f64>,
    lambda: Vec<f64>,
    /// The residual of y = W x + q + s e, times G.
    residual: Vec<f64>,
    a: Vec<f64>,
    b: Vec<f64>,
    dx: Vec<f64>,
    dy: Vec<f64>,
    right: Vec<f64>,
    scratch: Vec<f64>,
}

/// A step shorter than this is tried again with more centring.
const SHORT: f64 = 0.3;

impl State {
    /// The centre of the cones in scaled variables.
    pub(super) fn begin(&mut self, problem: &ContactProblem<'_>, block_entries: usize) {
        let (law, n) = (problem.law(), problem.size());
        self.mu.clear();
        self.mu.extend((0..law.blocks()).map(|i| law.cone(i).parts()[0].coefficient));
        for vector in [
            &mut self.x,
            &mut self.y,
            &mut self.w,
            &mut self.lambda,
            &mut self.residual,
            &mut self.dx,
            &mut self.dy,
            &mut self.right,
            &mut self.scratch,
        ] {
            vector.clear();
            vector.resize(n, 0.0);
        }
        for blocks in [&mut self.a, &mut self.b] {
            blocks.clear();
            blocks.resize(block_entries, 0.0);
        }
        self.eta.clear();
        self.eta.resize(law.blocks(), 1.0);
        // Units in which the diagonal of W and the largest entry of q are 1.
        problem.w().copy_diagonal(&mut self.scratch);
        let (mut diagonal, mut largest) = (0.0, 0.0_f64);
        for i in 0..law.blocks() {
            let range = law.range(i);
            let scale = |k: usize| if k == 0 { self.mu[i] } else { 1.0 };
            for (k, (w, q)) in self.scratch[range.clone()].iter().zip(&problem.q()[range.clone()]).enumerate()
            {
                diagonal += w.abs() / scale(k).powi(2);
                largest = largest.max((q / scale(k)).abs());
            }
            self.x[range.start] = 1.0;
            self.y[range.start] = 1.0;
        }
        let or_one = |x: f64| if x > 0.0 && x.is_finite() { x } else { 1.0 };
        self.velocity_unit = 1.0 / or_one(largest);
        self.reaction_unit = 1.0 / (or_one(diagonal / n as f64) * self.velocity_unit);
    }

    /// The reaction of x, cut back into the cones where rounding has left them.
    pub(super) fn write_reaction(&self, law: &ContactLaw<'_>, r: &mut [f64]) {
        for i in 0..law.blocks() {
            let range = law.range(i);
            let r = &mut r[range.clone()];
            r.iter_mut().zip(&self.x[range]).for_each(|(r, x)| *r = self.reaction_unit * x);
            r[0] /= self.mu[i];
            law.project(i, r);
        }
    }

    /// One step; returns its length, nothing when no direction was found.
    pub(super) fn step(
        &mut self,
        problem: &ContactProblem<'_>,
        matrix: &mut BlockNewtonMatrix,
        to_boundary: f64,
    ) -> Option<f64> {
        let law = problem.law();
        let blocks = law.blocks() as f64;
        self.linearise(problem, matrix)?;
        matrix.factor(&self.a, &self.b, 0.0).ok()?;
        let nu = dot(&self.x, &self.y) / blocks;
        // The affine step, aimed at the solution.
        self.find_direction(&law, matrix, 0.0, false)?;
        let affine = self.longest(&law).min(1.0);
        let cross = dot(&self.x, &self.dy) + dot(&self.dx, &self.y);
        let predicted = nu + affine * (cross + affine * dot(&self.dx, &self.dy)) / blocks;
        let sigma = (predicted.max(0.0) / nu).powi(3).clamp(1e-8, 1.0);
        self.find_direction(&law, matrix, sigma * nu, true)?;
        let mut step = (to_boundary * self.longest(&law)).min(1.0);
        if step < SHORT {
            // The correction of second order misleads near the boundary.
            for centring in [0.5_f64.max(sigma), 1.0] {
                self.find_direction(&law, matrix, centring * nu, false)?;
                step = (to_boundary * self.longest(&law)).min(1.0);
                if step >= SHORT {
                    break;
                }
            }
        }
        self.x.iter_mut().zip(&self.dx).for_each(|(x, d)| *x += step * d);
        self.y.iter_mut().zip(&self.dy).for_each(|(y, d)| *y += step * d);
        Some(step)
    }

    /// The scaling, the residual and the blocks of Newton's matrix at (x, y).
    fn linearise(&mut self, problem: &ContactProblem<'_>, matrix: &BlockNewtonMatrix) -> Option<()> {
        let law = problem.law();
        // u = W r + q in `scratch`, in units of the problem.
        for i in 0..law.blocks() {
            let range = law.range(i);
            self.right[range.clone()].copy_from_slice(&self.x[range.clone()]);
            self.right[range.clone()].iter_mut().for_each(|x| *x *= self.reaction_unit);
            self.right[range.start] /= self.mu[i];
        }
        velocity_of_point(problem, &self.right, &mut self.scratch);
        for i in 0..law.blocks() {
            let range = law.range(i);
            let (d, mu) = (range.len(), self.mu[i]);
            let (x, y) = (&self.x[range.clone()], &self.y[range.clone()]);
            let w = &mut self.w[range.clone()];
            let eta = scaling(x, y, w)?;
            self.eta[i] = eta;
            apply(w, eta, false, x, &mut self.lambda[range.clone()]);
            let length = if law.has_shift() { norm(&y[1..]) } else { 0.0 };
            // G = I + e_0 t^T with the direction t of y_T.
            let direction = |k: usize| if length > 0.0 { y[k] / length } else { 0.0 };
            let residual = &mut self.residual[range.clone()];
            for (residual, (u, y)) in residual.iter_mut().zip(self.scratch[range.clone()].iter().zip(y)) {
                *residual = self.velocity_unit * u - y;
            }
            residual[0] +=
                (self.velocity_unit / mu - self.velocity_unit) * self.scratch[range.start] + length;
            residual[0] += (1..d).map(|k| direction(k) * residual[k]).sum::<f64>();
            let places = matrix.block(i);
            let (a, b) = (&mut self.a[places.clone()], &mut self.b[places]);
            for row in 0..d {
                for column in 0..d {
                    // A = V^2 D / unit of r, B = unit of y G / D, with D = diag(mu, 1, ..).
                    let mirror = if row != column {
                        0.0
                    } else if row == 0 {
                        1.0
                    } else {
                        -1.0
                    };
                    let square = eta * eta * (2.0 * w[row] * w[column] - mirror);
                    let scale = if column == 0 { mu } else { 1.0 };
                    a[row * d + column] = square * scale / self.reaction_unit;
                    let of_shift = if row == 0 && column > 0 { direction(column) } else { 0.0 };
                    let identity = f64::from(row == column);
                    b[row * d + column] = self.velocity_unit * (identity + of_shift) / scale;
                }
            }
        }
        Some(())
    }

    /// Newton's direction for the target `centre` of $x \circ y$; with `corrected` the last direction is used
    /// to second order.
    fn find_direction(
        &mut self,
        law: &ContactLaw<'_>,
        matrix: &mut BlockNewtonMatrix,
        centre: f64,
        corrected: bool,
    ) -> Option<()> {
        for i in 0..law.blocks() {
            let range = law.range(i);
            let (w, eta) = (&self.w[range.clone()], self.eta[i]);
            let lambda = &self.lambda[range.clone()];
            let target = &mut self.right[range.clone()];
            product(lambda, lambda, target);
            target.iter_mut().for_each(|t| *t = -*t);
            target[0] += centre;
            if corrected {
                let (first, second) = (&mut self.scratch[range.clone()], &mut self.dx[range.clone()]);
                let of_y = &mut self.dy[range.clone()];
                apply(w, eta, false, second, first);
                // dx is used up here, so its place may hold V^-1 dy.
                apply(w, eta, true, of_y, second);
                product(first, second, of_y);
                target.iter_mut().zip(&*of_y).for_each(|(t, c)| *t -= c);
            }
            divide(lambda, target);
            let scaled = &mut self.scratch[range.clone()];
            apply(w, eta, false, target, scaled);
            target.copy_from_slice(scaled);
            let dx = &mut self.dx[range.clone()];
            dx.iter_mut().zip(&*target).zip(&self.residual[range]).for_each(|((d, t), r)| *d = t - r);
        }
        // Solved for the reaction in units of the problem, and back.
        matrix.solve(&mut self.dx).ok()?;
        for i in 0..law.blocks() {
            let range = law.range(i);
            let dx = &mut self.dx[range.clone()];
            dx.iter_mut().for_each(|d| *d /= self.reaction_unit);
            dx[0] *= self.mu[i];
            // dy = target - V^2 dx, by V twice.
            let (w, eta, dy) = (&self.w[range.clone()], self.eta[i], &mut self.dy[range.clone()]);
            let scaled = &mut self.scratch[range.clone()];
            apply(w, eta, false, dx, scaled);
            apply(w, eta, false, scaled, dy);
            dy.iter_mut().zip(&self.right[range]).for_each(|(d, t)| *d = t - *d);
        }
        let finite = self.dx.iter().chain(&self.dy).all(|x| x.is_finite());
        finite.then_some(())
    }

    /// The step to the boundary of the cones along (dx, dy).
    fn longest(&self, law: &ContactLaw<'_>) -> f64 {
        (0..law.blocks()).fold(f64::INFINITY, |longest, i| {
            let range = law.range(i);
            let of_x = longest_step(&self.x[range.clone()], &self.dx[range.clone()]);
            let of_y = longest_step(&self.y[range.clone()], &self.dy[range]);
            longest.min(of_x).min(of_y)
        })
    }
}
