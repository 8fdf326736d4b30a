//! The stiff method: Radau IIA with three stages, order 5 (Hairer and Wanner 1996, section IV.8, the algorithm of
//! RADAU5).
//!
//! The stage increments solve a nonlinear system of 3n unknowns by simplified Newton. The transformation that takes the
//! inverse of the Runge-Kutta matrix to its eigenvalues $\gamma$, $\alpha \pm i \beta$ leaves one real system,
//! $(\gamma/h - J)$, and a complex one, $(\alpha + i \beta)/h - J$, which is factorised here as a real one of 2n
//! unknowns.

use ndarray::ArrayView2;

use super::OdeError;
use super::OdeSettings;
use super::right_hand_side::RightHandSide;
use super::stepper::Trial;
use crate::linalg::DenseLu;

/// The nodes of the first two stages; the third is 1.
const C: [f64; 2] = [0.155_051_025_721_682_2, 0.644_948_974_278_317_8];
/// Real eigenvalue of the inverse Runge-Kutta matrix.
const GAMMA: f64 = 3.637_834_252_744_496;
/// Real and imaginary part of the complex pair.
const ALPHA: f64 = 2.681_082_873_627_752_3;
const BETA: f64 = 3.050_430_199_247_410_5;
/// Weights of the error estimate.
const ERROR_WEIGHTS: [f64; 3] = [-10.048_809_399_827_416, 1.382_142_733_160_749, -1.0 / 3.0];

/// From transformed to stage increments.
const T: [[f64; 3]; 3] = [
    [9.123_239_487_089_295e-2, -1.412_552_950_209_542e-1, -3.002_919_410_514_742_4e-2],
    [2.417_179_327_071_07e-1, 2.041_293_522_937_999_4e-1, 3.829_421_127_572_619e-1],
    [9.660_481_826_150_93e-1, 1.0, 0.0],
];
/// Its inverse.
const T_INVERSE: [[f64; 3]; 3] = [
    [4.325_579_890_063_155, 3.391_992_518_158_098_4e-1, 5.417_705_399_358_749e-1],
    [-4.178_718_591_551_905, -3.276_828_207_610_623_7e-1, 4.766_235_545_005_504_4e-1],
    [-5.028_726_349_457_868e-1, 2.571_926_949_855_605, -5.960_392_048_282_249e-1],
];

const MOST_NEWTON_ITERATIONS: usize = 7;
const SAFETY: f64 = 0.9;
/// Below this rate of Newton the Jacobian is kept for the next step.
const GOOD_RATE: f64 = 1e-3;

/// The method and its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Radau {
    /// Stage increments, their transforms, and work.
    z: [Vec<f64>; 3],
    w: [Vec<f64>; 3],
    k: [Vec<f64>; 3],
    stage: Vec<f64>,
    error: Vec<f64>,
    /// Work for the error, and the complex pair as one vector.
    estimate: Vec<f64>,
    pair: Vec<f64>,
    weights: Vec<f64>,
    dense: [Vec<f64>; 4],
    jacobian: Vec<f64>,
    real: Vec<f64>,
    complex: Vec<f64>,
    real_lu: DenseLu,
    complex_lu: DenseLu,
    /// Step of the factorisations; 0 where there are none.
    h_factored: f64,
    /// Length of the last accepted step; 0 before it.
    h_before: f64,
    error_before: f64,
    jacobian_is_fresh: bool,
    jacobian_is_wanted: bool,
    rejected_before: bool,
    /// Newton's factor theta / (1 - theta).
    contraction: f64,
    rate: f64,
}

/// What Newton's iteration says.
enum Newton {
    Converged { iterations: usize },
    Slow { factor: f64 },
}

impl Radau {
    /// Forgets the past.
    pub(super) fn restart(&mut self, n: usize) {
        let vectors = self.z.iter_mut().chain(&mut self.w).chain(&mut self.k).chain(&mut self.dense);
        let work = [&mut self.stage, &mut self.error, &mut self.estimate, &mut self.weights];
        for vector in vectors.chain(work) {
            vector.clear();
            vector.resize(n, 0.0);
        }
        for (matrix, length) in
            [(&mut self.jacobian, n * n), (&mut self.real, n * n), (&mut self.complex, 4 * n * n)]
        {
            matrix.clear();
            matrix.resize(length, 0.0);
        }
        self.pair.clear();
        self.pair.resize(2 * n, 0.0);
        self.h_factored = 0.0;
        self.h_before = 0.0;
        self.error_before = 1e-2;
        self.jacobian_is_fresh = false;
        self.jacobian_is_wanted = true;
        self.rejected_before = false;
        self.contraction = 1.0;
        self.rate = 0.0;
    }

    /// The largest sum of magnitudes in a row of the Jacobian: a bound of the spectral radius.
    pub(super) fn jacobian_norm(&self) -> f64 {
        let n = self.stage.len().max(1);
        self.jacobian.chunks_exact(n).map(|row| row.iter().map(|x| x.abs()).sum()).fold(0.0, f64::max)
    }

    /// Tries a step from (t, x) with f(t, x) = `f`; writes the state at the end and f there when it is accepted.
    pub(super) fn step(
        &mut self,
        rhs: &mut RightHandSide<'_>,
        settings: &OdeSettings,
        (t, h): (f64, f64),
        (x, f): (&mut [f64], &[f64]),
        (x_new, f_new): (&mut [f64], &mut [f64]),
    ) -> Result<Trial, OdeError> {
        if self.jacobian_is_wanted {
            rhs.jacobian(t, x, f, &mut self.stage, &mut self.jacobian)?;
            self.jacobian_is_wanted = false;
            self.jacobian_is_fresh = true;
            self.h_factored = 0.0;
        }
        if self.h_factored != h && !self.factor(rhs, h) {
            return Ok(self.reject(0.5 * h));
        }
        let smallest = self.set_weights(settings, x);
        self.guess_stages(h);
        let iterations = match self.newton(rhs, (t, h), x, smallest) {
            Err(not_finite) => {
                self.reject(h);
                return Ok(Trial::NotFinite(not_finite));
            }
            Ok(Newton::Slow { factor }) => return Ok(self.reject(factor * h)),
            Ok(Newton::Converged { iterations }) => iterations,
        };
        let mut error = self.estimate_error(h, f);
        if error >= 1.0 && (self.h_before == 0.0 || self.rejected_before) {
            // A second filtering, which does not overestimate for very stiff components.
            for ((stage, start), error) in self.stage.iter_mut().zip(&*x).zip(&self.error) {
                *stage = start + error;
            }
            if let Err(not_finite) = rhs.f(t, &self.stage, &mut self.k[0]) {
                self.reject(h);
                return Ok(Trial::NotFinite(not_finite));
            }
            for i in 0..x.len() {
                self.error[i] = self.k[0][i] + self.estimate[i];
            }
            error = self.solve_error();
        }
        let most = MOST_NEWTON_ITERATIONS as f64;
        let factor = SAFETY.min(SAFETY * (1.0 + 2.0 * most) / (iterations as f64 + 2.0 * most));
        let mut quotient = (error.powf(0.25) / factor).clamp(0.125, 5.0);
        if error.is_nan() || error >= 1.0 {
            return Ok(self.reject(if self.h_before == 0.0 { 0.1 * h } else { h / quotient }));
        }
        for i in 0..x.len() {
            x_new[i] = x[i] + self.z[2][i];
        }
        if let Err(not_finite) = rhs.f(t + h, x_new, f_new) {
            self.reject(h);
            return Ok(Trial::NotFinite(not_finite));
        }
        if self.h_before > 0.0 {
            // Gustafsson's predictive controller.
            let predicted = self.h_before / h * (error * error / self.error_before).powf(0.25) / SAFETY;
            quotient = quotient.max(predicted.clamp(0.125, 5.0));
        }
        self.prepare_dense_output(x_new);
        self.h_before = h;
        self.error_before = error.max(1e-2);
        let mut next = h / quotient;
        if self.rejected_before {
            next = next.min(h);
            self.rejected_before = false;
        }
        // A step that hardly changes saves a factorisation; a Jacobian that served well saves another.
        self.jacobian_is_fresh = false;
        self.jacobian_is_wanted = self.rate > GOOD_RATE;
        if !self.jacobian_is_wanted && (1.0..1.2).contains(&(next / h)) {
            next = h;
        }
        Ok(Trial::Accepted { next })
    }

    /// Notes a failure: an old Jacobian is renewed before the next trial.
    fn reject(&mut self, next: f64) -> Trial {
        self.rejected_before = true;
        self.jacobian_is_wanted = !self.jacobian_is_fresh;
        Trial::Rejected { next }
    }

    /// Factorises the two matrices; false when one is singular.
    fn factor(&mut self, rhs: &mut RightHandSide<'_>, h: f64) -> bool {
        let n = self.stage.len();
        rhs.statistics.factorisations += 1;
        let (gamma, alpha, beta) = (GAMMA / h, ALPHA / h, BETA / h);
        self.complex.fill(0.0);
        for row in 0..n {
            for column in 0..n {
                let j = self.jacobian[row * n + column];
                self.real[row * n + column] = -j;
                self.complex[row * 2 * n + column] = -j;
                self.complex[(n + row) * 2 * n + n + column] = -j;
            }
            self.real[row * n + row] += gamma;
            self.complex[row * 2 * n + row] += alpha;
            self.complex[(n + row) * 2 * n + n + row] += alpha;
            self.complex[row * 2 * n + n + row] = -beta;
            self.complex[(n + row) * 2 * n + row] = beta;
        }
        let regular = [(&mut self.real_lu, &self.real, n), (&mut self.complex_lu, &self.complex, 2 * n)]
            .into_iter()
            .all(|(lu, matrix, size)| {
                ArrayView2::from_shape((size, size), matrix).is_ok_and(|a| lu.factor(a).is_ok())
            });
        self.h_factored = if regular { h } else { 0.0 };
        regular
    }

    /// The tolerances as RADAU5 scales them: its error estimate is of order 3, and 0.1 tol^(2/3) makes the error of
    /// the result about proportional to tol. Returns where Newton stops.
    fn set_weights(&mut self, settings: &OdeSettings, x: &[f64]) -> f64 {
        let mut smallest = f64::INFINITY;
        for (i, weight) in self.weights.iter_mut().enumerate() {
            let relative = settings.relative_tolerance.of(i);
            let scaled = 0.1 * relative.powf(2.0 / 3.0);
            *weight = scaled * (settings.absolute_tolerance.of(i) / relative + x[i].abs());
            smallest = smallest.min(scaled);
        }
        (10.0 * f64::EPSILON / smallest).max(0.03_f64.min(smallest.sqrt()))
    }

    /// Starting values of Newton: the polynomial of the last step, carried on.
    fn guess_stages(&mut self, h: f64) {
        if self.h_before == 0.0 {
            for vector in self.z.iter_mut().chain(&mut self.w) {
                vector.fill(0.0);
            }
            return;
        }
        let [_, first, second, third] = &self.dense;
        for (z, node) in self.z.iter_mut().zip([C[0], C[1], 1.0]) {
            let s = node * h / self.h_before;
            for (i, value) in z.iter_mut().enumerate() {
                *value = s * (first[i] + (s - C[1] + 1.0) * (second[i] + (s - C[0] + 1.0) * third[i]));
            }
        }
        transform(&T_INVERSE, &self.z, &mut self.w);
    }

    fn newton(
        &mut self,
        rhs: &mut RightHandSide<'_>,
        (t, h): (f64, f64),
        x: &[f64],
        stop: f64,
    ) -> Result<Newton, super::right_hand_side::NotFinite> {
        let n = x.len();
        let (gamma, alpha, beta) = (GAMMA / h, ALPHA / h, BETA / h);
        self.contraction = self.contraction.max(f64::EPSILON).powf(0.8);
        self.rate = GOOD_RATE;
        let (mut size_before, mut rate_before) = (f64::EPSILON, 1.0);
        for iteration in 1..=MOST_NEWTON_ITERATIONS {
            for (stage, node) in [C[0], C[1], 1.0].into_iter().enumerate() {
                for ((value, start), z) in self.stage.iter_mut().zip(x).zip(&self.z[stage]) {
                    *value = start + z;
                }
                rhs.f(t + node * h, &self.stage, &mut self.k[stage])?;
            }
            transform(&T_INVERSE, &self.k, &mut self.z);
            let (real, imaginary) = self.pair.split_at_mut(n);
            for i in 0..n {
                self.z[0][i] -= gamma * self.w[0][i];
                real[i] = self.z[1][i] - alpha * self.w[1][i] + beta * self.w[2][i];
                imaginary[i] = self.z[2][i] - alpha * self.w[2][i] - beta * self.w[1][i];
            }
            self.real_lu.solve(&mut self.z[0]);
            self.complex_lu.solve(&mut self.pair);
            let (real, imaginary) = self.pair.split_at(n);
            let mut squares = 0.0;
            for i in 0..n {
                for (w, change) in self.w.iter_mut().zip([self.z[0][i], real[i], imaginary[i]]) {
                    squares += (change / self.weights[i]).powi(2);
                    w[i] += change;
                }
            }
            let size = (squares / (3 * n).max(1) as f64).sqrt();
            transform(&T, &self.w, &mut self.z);
            if iteration > 1 {
                let rate = size / size_before;
                self.rate = if iteration == 2 { rate } else { (rate * rate_before).sqrt() };
                rate_before = rate;
                if self.rate.is_nan() || self.rate >= 0.99 {
                    return Ok(Newton::Slow { factor: 0.5 });
                }
                self.contraction = self.rate / (1.0 - self.rate);
                let left = (MOST_NEWTON_ITERATIONS - iteration) as f64;
                let predicted = self.contraction * size * self.rate.powf((left - 1.0).max(0.0)) / stop;
                if left >= 1.0 && predicted >= 1.0 {
                    let factor = 0.8 * predicted.clamp(1e-4, 20.0).powf(-1.0 / (3.0 + left));
                    return Ok(Newton::Slow { factor });
                }
            }
            size_before = size.max(f64::EPSILON);
            if self.contraction * size <= stop {
                return Ok(Newton::Converged { iterations: iteration });
            }
        }
        Ok(Newton::Slow { factor: 0.5 })
    }

    /// The estimate of order 3, filtered by the real matrix.
    fn estimate_error(&mut self, h: f64, f: &[f64]) -> f64 {
        for (i, slope) in f.iter().enumerate() {
            self.estimate[i] =
                self.z.iter().zip(ERROR_WEIGHTS).map(|(z, weight)| weight / h * z[i]).sum::<f64>();
            self.error[i] = self.estimate[i] + slope;
        }
        self.solve_error()
    }

    fn solve_error(&mut self) -> f64 {
        self.real_lu.solve(&mut self.error);
        let squares = self.error.iter().zip(&self.weights).map(|(e, w)| (e / w).powi(2)).sum::<f64>();
        (squares / self.error.len().max(1) as f64).sqrt().max(1e-10)
    }

    /// The collocation polynomial, in divided differences from the end of the step backwards.
    fn prepare_dense_output(&mut self, x_new: &[f64]) {
        let [end, first, second, third] = &mut self.dense;
        for (i, x) in x_new.iter().enumerate() {
            let [z1, z2, z3] = [self.z[0][i], self.z[1][i], self.z[2][i]];
            end[i] = *x;
            first[i] = (z2 - z3) / (C[1] - 1.0);
            let between = (z1 - z2) / (C[0] - C[1]);
            let start = (between - z1 / C[0]) / C[1];
            second[i] = (between - first[i]) / (C[0] - 1.0);
            third[i] = second[i] - start;
        }
    }

    /// The state at the fraction `s` of the last accepted step.
    pub(super) fn interpolate(&self, s: f64, x: &mut [f64]) {
        let s = s - 1.0;
        let [end, first, second, third] = &self.dense;
        for (i, value) in x.iter_mut().enumerate() {
            *value = end[i] + s * (first[i] + (s - C[1] + 1.0) * (second[i] + (s - C[0] + 1.0) * third[i]));
        }
    }
}

/// Multiplies three vectors, seen as the rows of a matrix, by a 3 x 3 matrix.
fn transform(matrix: &[[f64; 3]; 3], from: &[Vec<f64>; 3], to: &mut [Vec<f64>; 3]) {
    for (row, target) in matrix.iter().zip(to) {
        for (i, value) in target.iter_mut().enumerate() {
            *value = row[0] * from[0][i] + row[1] * from[1][i] + row[2] * from[2][i];
        }
    }
}
