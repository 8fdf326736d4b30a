//! Mode: lambda and the motion for a given set of active constraints.

use std::ops::Range;

use ndarray::ArrayView2;
use siconos_linalg::{DenseLu, SingularMatrix, add_scaled, dot};

use super::ModeError;
use super::data::IslandData;
use super::elimination::Elimination;
use super::magnitudes::Magnitudes;

/// Set $\alpha$ of active constraints, and the values that follow from it at the last evaluation of the data.
///
/// In the set, $y_\alpha = h_\alpha + D_{\alpha\alpha} \lambda_\alpha = 0$. Outside the set,
/// $\lambda_\beta = 0$ (Acary, Brogliato 2008, section 7.1).
///
/// Combinations $n$ of the rows with $n^T D_{\alpha\alpha} = 0$ do not determine lambda. They only require
/// $n^T h_\alpha = 0$ during the motion. The time derivative of this requirement determines lambda:
/// $n^T (C_\alpha (\dot x_{free} + M^{-1} B_\alpha \lambda_\alpha) + \partial_t h_\alpha) = 0$ (index
/// reduction; Brenan, Campbell, Petzold 1996, section 2.5). The two groups of equations form a square system
/// $S \lambda_\alpha = s$.
#[derive(Clone, Debug, Default)]
pub(super) struct Mode {
    /// Active flag of each row.
    pub(super) is_active: Vec<bool>,
    active: Vec<usize>,
    elimination: Elimination,
    s: Vec<f64>,
    /// Inverse of S, stored column by column.
    inverse: Vec<f64>,
    lu: DenseLu,
    /// lambda of all rows.
    pub(super) lambda: Vec<f64>,
    /// y of all rows.
    pub(super) y: Vec<f64>,
    /// $\dot x$.
    pub(super) rate: Vec<f64>,
}

impl Mode {
    /// Sets the active set, and factorises its equations.
    pub(super) fn set(&mut self, is_active: &[bool], data: &IslandData) -> Result<(), SingularMatrix> {
        self.is_active.clear();
        self.is_active.extend_from_slice(is_active);
        self.active.clear();
        self.active.extend((0..is_active.len()).filter(|i| is_active[*i]));
        let active = &self.active;
        self.elimination.run(active.len(), |k, l| data.d[[active[k], active[l]]]);
        for (vector, length) in
            [(&mut self.lambda, data.rows()), (&mut self.y, data.rows()), (&mut self.rate, data.states())]
        {
            vector.clear();
            vector.resize(length, 0.0);
        }
        self.factor(data)
    }

    /// Returns the sum of the values `of_row` of the active rows, with the coefficients of combination k. The
    /// function `weight`, either the identity or the magnitude, is applied to the coefficients.
    fn combined(&self, k: usize, weight: impl Fn(f64) -> f64, of_row: impl Fn(usize) -> f64) -> f64 {
        let weights = self.elimination.combination(k).iter().zip(&self.active);
        // Skip rows with coefficient 0, because their values can be non-finite.
        weights.filter(|(e, _)| **e != 0.0).map(|(e, &i)| weight(*e) * of_row(i)).sum()
    }

    /// Returns `true` if the mode depends on the time derivative of h.
    pub(super) fn needs_rates(&self) -> bool {
        self.elimination.rank() < self.active.len()
    }

    /// Evaluates the data and the mode at (t, x). If `with_rates` is `false`, the motion of the constraints
    /// in time is ignored.
    pub(super) fn evaluate_at(
        &mut self,
        data: &mut IslandData,
        t: f64,
        x: &[f64],
        with_rates: bool,
    ) -> Result<(), ModeError> {
        data.evaluate(t, x, with_rates && self.needs_rates())?;
        self.follow(data, t)?;
        self.evaluate(data, with_rates);
        Ok(())
    }

    /// Factorises the equations again if the matrices vary.
    pub(super) fn follow(&mut self, data: &IslandData, t: f64) -> Result<(), ModeError> {
        if !data.matrices_vary {
            return Ok(());
        }
        let named = |source| ModeError::SingularMode { t, relation: data.name(), source };
        self.factor(data).map_err(named)
    }

    /// Computes S and its inverse from the matrices of the data.
    fn factor(&mut self, data: &IslandData) -> Result<(), SingularMatrix> {
        let size = self.active.len();
        for vector in [&mut self.s, &mut self.inverse] {
            vector.clear();
            vector.resize(size * size, 0.0);
        }
        for k in 0..size {
            for (l, &j) in self.active.iter().enumerate() {
                let shows = k < self.elimination.rank();
                let entry = |i: usize| if shows { data.d[[i, j]] } else { data.gain(i, j) };
                self.s[k * size + l] = self.combined(k, |e| e, entry);
            }
        }
        let view = ArrayView2::from_shape((size, size), &self.s).expect("as many entries as the shape says");
        self.lu.factor(view)?;
        for l in 0..size {
            let column = &mut self.inverse[l * size..(l + 1) * size];
            column[l] = 1.0;
            self.lu.solve(column);
        }
        Ok(())
    }

    /// Adds to `out` the multipliers that result from the right-hand sides `of_row` of some combinations. The
    /// function `weight`, either the identity or the magnitude, is applied to the entries of the inverse of S
    /// and to the coefficients of the combinations.
    fn add_answer(
        &self,
        combinations: Range<usize>,
        weight: impl Fn(f64) -> f64,
        of_row: impl Fn(usize, usize) -> f64,
        out: &mut [f64],
    ) {
        let size = self.active.len();
        for k in combinations {
            let value = self.combined(k, &weight, |i| of_row(k, i));
            for (entry, &i) in self.inverse[k * size..(k + 1) * size].iter().zip(&self.active) {
                out[i] += weight(*entry) * value;
            }
        }
    }

    /// Computes lambda, y and the rate of x. If `with_rates` is `false`, the motion of the constraints in
    /// time is ignored.
    pub(super) fn evaluate(&mut self, data: &IslandData, with_rates: bool) {
        let (rank, mut lambda) = (self.elimination.rank(), std::mem::take(&mut self.lambda));
        lambda.fill(0.0);
        let moved = |i: usize| if with_rates { data.h_rate[i] } else { 0.0 };
        let known = |k: usize, i: usize| match k < rank {
            true => -data.h[i],
            false => -(moved(i) + dot(data.c_row(i), &data.rate)),
        };
        self.add_answer(0..self.active.len(), |e| e, known, &mut lambda);
        self.lambda = lambda;
        self.rate.copy_from_slice(&data.rate);
        for &j in &self.active {
            add_scaled(self.lambda[j], data.input(j), &mut self.rate);
        }
        if with_rates {
            self.y.copy_from_slice(&data.h);
            for &j in &self.active {
                let shares = self.y.iter_mut().zip(data.d.column(j));
                shares.for_each(|(y, d)| *y += d * self.lambda[j]);
            }
        }
    }

    /// Returns the value that must not become negative, which is lambda of an active row and y of any other
    /// row.
    pub(super) fn guard(&self, row: usize) -> f64 {
        if self.is_active[row] { self.lambda[row] } else { self.y[row] }
    }

    /// Writes the sum of the magnitudes of the terms of each guard to `out`. `of` contains the magnitudes of
    /// the states and of their rates.
    pub(super) fn guard_sizes(&self, data: &IslandData, of: &Magnitudes, out: &mut [f64]) {
        out.fill(0.0);
        let known = |k: usize, i: usize| match k < self.elimination.rank() {
            true => data.h_size(i, &of.x),
            false => data.h_rate_size(i, &of.rate),
        };
        self.add_answer(0..self.active.len(), f64::abs, known, out);
        for i in (0..out.len()).filter(|i| !self.is_active[*i]) {
            let by_lambda = self.active.iter().map(|&j| data.d[[i, j]].abs() * out[j]);
            out[i] = data.h_size(i, &of.x) + by_lambda.sum::<f64>();
        }
    }

    /// Returns the largest magnitude of $n^T h_\alpha$ over all combinations, relative to the magnitude of
    /// its terms. Each magnitude is reduced by its change over `time` for the given rates of the states.
    pub(super) fn inconsistency(&self, data: &IslandData, of: &Magnitudes, rate: &[f64], time: f64) -> f64 {
        let mut worst = 0.0_f64;
        for k in self.elimination.rank()..self.active.len() {
            let change = self.combined(k, |e| e, |i| data.h_rate[i] + dot(data.c_row(i), rate));
            let value = self.combined(k, |e| e, |i| data.h[i]).abs() - time * change.abs();
            let size = self.combined(k, f64::abs, |i| data.h_size(i, &of.x));
            if value > 0.0 {
                worst = worst.max(value / size);
            }
        }
        worst
    }

    /// Writes the impulses of all rows to `sigma`. The impulses $\sigma_\alpha$ satisfy
    /// $D_{\alpha\alpha} \sigma_\alpha = 0$ and bring $n^T h_\alpha$ to zero.
    pub(super) fn impulses(&self, data: &IslandData, sigma: &mut [f64]) {
        sigma.fill(0.0);
        let combinations = self.elimination.rank()..self.active.len();
        self.add_answer(combinations, |e| e, |_, i| -data.h[i], sigma);
    }
}
