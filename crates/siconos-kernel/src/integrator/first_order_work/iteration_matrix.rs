//! Iteration matrix $W = M - h \theta \thinspace \partial_x f - h \theta_r \gamma K$ of a block in dense or
//! sparse storage, or the exact solution of a step under a zero-order hold.

use ndarray::{Array2, ArrayView2, ArrayViewMut2, s};
use siconos_linalg::{LARGEST_OWN_LU, Matrix, ZeroOrderHold, zero_order_hold};

use super::super::first_order_block::Part;
use super::super::{StepTimes, Weights};
use super::free_state::solve_columns;
use super::{FactorError, FirstOrderWorkspace, Held};
use crate::index::{IndexRange, RelationColumns};
use crate::model::DynamicalSystem;

/// Derivative K of an input r = g(x, lambda) with respect to x. `places` holds, for each system of the
/// relation, the range of its columns in K and the index of its first state in the block.
#[derive(Clone, Copy)]
pub(crate) struct Coupling<'a> {
    pub(crate) k: &'a Array2<f64>,
    pub(crate) places: &'a [(IndexRange<RelationColumns>, usize)],
}

impl<'a> Coupling<'a> {
    /// Returns the blocks of K, each with the row and column of its first entry.
    fn blocks(self) -> impl Iterator<Item = (ArrayView2<'a, f64>, usize, usize)> {
        self.places.iter().flat_map(move |(rows, row)| {
            self.places.iter().map(move |(columns, column)| {
                (self.k.slice(s![rows.range(), columns.range()]), *row, *column)
            })
        })
    }
}

/// Arguments for the evaluation of W: the iterate, the state at the start of the step, and the mean rate of
/// change between them.
#[derive(Clone, Copy)]
struct Iterate<'a> {
    x: &'a [f64],
    x_k: &'a [f64],
    rate: &'a [f64],
}

impl FirstOrderWorkspace {
    /// Evaluates A if it depends on time, and factorises W; under a zero-order hold, computes the exact
    /// solution of the step.
    ///
    /// `x` is the iterate, `x_k` the state at the start of the step.
    pub(crate) fn factor<'k>(
        &mut self,
        step: StepTimes<'_>,
        (x, x_k): (&[f64], &[f64]),
        couplings: impl Iterator<Item = Coupling<'k>>,
    ) -> Result<(), FactorError> {
        self.weight = step.h * self.weights.theta_r;
        self.evaluate_matrices(step);
        if self.is_held() {
            return self.hold(step.h);
        }
        for (rate, (x, x_k)) in self.rate.iter_mut().zip(x.iter().zip(x_k)) {
            *rate = (x - x_k) / step.h;
        }
        let alone = self.parts.len() == 1;
        if alone && self.affine && !self.takes_k {
            let (Part { mass, a, .. }, factor) = (&self.parts[0], -step.h * step.theta);
            let terms = [(1.0, mass.view()), (factor, a.view())];
            // If the factor of A is 0, W is as sparse as M.
            self.w.factor_sum(if factor == 0.0 { &terms[..1] } else { &terms })?;
        } else if self.f.len() <= LARGEST_OWN_LU || (alone && !self.affine) {
            self.factor_dense(step, (x, x_k), couplings)?;
        } else {
            self.factor_gathered(step, (x, x_k), couplings)?;
        }
        self.find_increment(step.h);
        Ok(())
    }

    fn evaluate_matrices(&mut self, step: StepTimes<'_>) {
        for part in &mut self.parts {
            part.evaluate_a(step.end);
            if step.theta < 1.0
                && let (DynamicalSystem::FirstOrderLinear(system), Some(Matrix::Dense(a_k))) =
                    (&part.system, &mut part.a_k)
            {
                system.matrix_into(step.begin, &mut a_k.view_mut());
            }
        }
    }

    fn factor_dense<'k>(
        &mut self,
        step: StepTimes<'_>,
        (x, x_k): (&[f64], &[f64]),
        couplings: impl Iterator<Item = Coupling<'k>>,
    ) -> Result<(), FactorError> {
        let sum = self.w.dense_mut(self.f.len());
        for part in &mut self.parts {
            let mut w = sum.slice_mut(s![part.place.clone(), part.place.clone()]);
            if part.is_nonlinear() {
                write_w(part, step, Iterate { x, x_k, rate: &self.rate }, &mut w);
            } else {
                part.mass.view().write_dense(&mut w);
                part.a.view().for_each_entry(|i, j, a| w[[i, j]] -= step.h * step.theta * a);
            }
        }
        let factor = weight_of_k(&self.weights, step.h);
        for (block, row, column) in couplings.flat_map(Coupling::blocks) {
            let place = s![row..row + block.nrows(), column..column + block.ncols()];
            sum.slice_mut(place).scaled_add(-factor, &block);
        }
        Ok(self.w.factor()?)
    }

    /// Like [`factor_dense`](Self::factor_dense), but assembles W from its nonzero entries. Used for blocks
    /// with many states.
    fn factor_gathered<'k>(
        &mut self,
        step: StepTimes<'_>,
        (x, x_k): (&[f64], &[f64]),
        couplings: impl Iterator<Item = Coupling<'k>>,
    ) -> Result<(), FactorError> {
        let mut entries = Vec::new();
        let mut add = |(row, column): (usize, usize), x: f64| {
            if x != 0.0 {
                entries.push((row, column, x));
            }
        };
        for part in &mut self.parts {
            let (first, n) = (part.place.start, part.place.len());
            if part.is_nonlinear() {
                let mut own = Array2::zeros((n, n));
                let point = Iterate { x, x_k, rate: &self.rate };
                write_w(part, step, point, &mut own.view_mut());
                own.indexed_iter().for_each(|((i, j), w)| add((first + i, first + j), *w));
            } else {
                part.mass.view().for_each_entry(|i, j, m| add((first + i, first + j), m));
                let factor = -step.h * step.theta;
                part.a.view().for_each_entry(|i, j, a| add((first + i, first + j), factor * a));
            }
        }
        let factor = weight_of_k(&self.weights, step.h);
        for (block, row, column) in couplings.flat_map(Coupling::blocks) {
            block.indexed_iter().for_each(|((i, j), k)| add((row + i, column + j), -factor * k));
        }
        Ok(self.w.factor_entries(self.f.len(), entries)?)
    }

    /// Computes $e^{M^{-1} A h}$ and its integral.
    fn hold(&mut self, h: f64) -> Result<(), FactorError> {
        let n = self.f.len();
        let (mut a, mass) = (Array2::zeros((n, n)), self.w.dense_mut(n));
        for part in &self.parts {
            let within = s![part.place.clone(), part.place.clone()];
            part.mass.view().write_dense(&mut mass.slice_mut(within));
            part.a.view().write_dense(&mut a.slice_mut(within));
        }
        self.w.factor()?;
        let mut inverse = Array2::eye(n);
        solve_columns(&mut self.w, &mut inverse, &mut self.product);
        let ZeroOrderHold { transition, integral } = zero_order_hold(&inverse.dot(&a), h)?;
        self.held = Some(Held { transition, integral: integral.dot(&inverse) });
        Ok(())
    }
}

/// Returns the factor of K in W.
fn weight_of_k(weights: &Weights, h: f64) -> f64 {
    h * weights.theta_r * weights.gamma
}

/// Writes the block of W of one nonlinear system, and updates the mass matrix of the system.
fn write_w(
    part: &mut Part,
    StepTimes { begin, end, h, theta }: StepTimes<'_>,
    Iterate { x, x_k, rate }: Iterate<'_>,
    w: &mut ArrayViewMut2<'_, f64>,
) {
    let DynamicalSystem::FirstOrderNonlinear(system) = &part.system else { return };
    let place = part.place.clone();
    let (x, x_k, rate) = (&x[place.clone()], &x_k[place.clone()], &rate[place]);
    if let Matrix::Dense(mass) = &mut part.mass {
        system.mass_into(end, x, &mut part.scratch, &mut mass.view_mut());
        w.assign(mass);
    }
    // The mean rate depends on x as well: its derivative is 1/h.
    system.subtract_jacobian((h * theta, theta), end, x, rate, &mut part.scratch, w);
    if system.has_control() && theta < 1.0 {
        system.subtract_jacobian((0.0, 1.0 - theta), begin, x_k, rate, &mut part.scratch, w);
    }
}
