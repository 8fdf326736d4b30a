//! State at the end of a step without the contribution of the unknown multipliers (free state).

use ndarray::{Array2, ArrayView1, s};
use siconos_linalg::{FactoredMatrix, add_scaled};

use super::super::first_order_block::{End, add_sources, multiply_dense};
use super::super::{HeldSource, StepTimes};
use super::{FirstOrderWorkspace, Held, Refactor};

/// Maximum number of states of a block for which the matrix $W^{-1} h A$ is stored. For larger blocks,
/// computing it (one solve per column) can cost more than it saves.
const LARGEST_KEPT: usize = 24;

impl FirstOrderWorkspace {
    /// Writes the free state $x_p = x - W^{-1} (R_{free} - c)$ to `x_p`. The residual $R_{free}$ must have
    /// been computed at the iterate `x`, and `known` is the known contribution c of the inputs over the step.
    pub(crate) fn free_state(
        &mut self,
        step: StepTimes<'_>,
        (x, x_k): (&[f64], &[f64]),
        known: &[f64],
        x_p: &mut [f64],
    ) {
        if self.is_held() {
            return self.affine_free_state(step, x_k, known, x_p);
        }
        for (x_p, (residual, known)) in x_p.iter_mut().zip(self.residual.iter().zip(known)) {
            *x_p = known - residual;
        }
        self.w.solve(x_p);
        add_scaled(1.0, x, x_p);
    }

    /// Writes the free state to `x_p` if one iteration from `x_k` is exact. The residual is not needed.
    pub(crate) fn affine_free_state(
        &mut self,
        step: StepTimes<'_>,
        x_k: &[f64],
        known: &[f64],
        x_p: &mut [f64],
    ) {
        if let Some(Held { transition, integral }) = &self.held {
            for (f, known) in self.f.iter_mut().zip(known) {
                *f = known / step.h;
            }
            let at = match self.weights.hold {
                Some(HeldSource::End) => step.end,
                Some(HeldSource::Beginning) | None => step.begin,
            };
            add_sources(&mut self.parts, at, &mut self.f);
            multiply_dense(integral, &self.f, &mut self.product);
            multiply_dense(transition, x_k, x_p);
            x_p.iter_mut().zip(&self.product).for_each(|(x_p, forced)| *x_p += forced);
            return;
        }
        if let Some(increment) = &self.increment
            && known.iter().all(|known| *known == 0.0)
        {
            multiply_dense(increment, x_k, x_p);
            x_p.iter_mut().zip(x_k).for_each(|(x_p, x_k)| *x_p += x_k);
            return;
        }
        self.linear_increment(step, x_k, x_p);
        x_p.iter_mut().zip(known).for_each(|(x_p, known)| *x_p += known);
        self.w.solve(x_p);
        add_scaled(1.0, x_k, x_p);
    }

    /// Computes $W^{-1} h A$ if the systems are linear with constant coefficients and without sources.
    pub(super) fn find_increment(&mut self, h: f64) {
        let is_constant = self.affine && !self.has_source && self.refactor == Refactor::WithStepLength;
        let n = self.f.len();
        if !is_constant || n > LARGEST_KEPT {
            return;
        }
        let increment = self.increment.get_or_insert_with(|| Array2::zeros((n, n)));
        increment.fill(0.0);
        for part in &self.parts {
            let within = s![part.place.clone(), part.place.clone()];
            part.a.view().write_dense(&mut increment.slice_mut(within));
        }
        *increment *= h;
        solve_columns(&mut self.w, increment, &mut self.product);
    }

    /// Writes $h [\theta (A_{k+1} x_k + b_{k+1}) + (1 - \theta) (A_k x_k + b_k)]$ to `out`. This is
    /// $-R_{free}$ at $x_k$.
    fn linear_increment(&mut self, step: StepTimes<'_>, x_k: &[f64], out: &mut [f64]) {
        let StepTimes { begin, end, h, theta } = step;
        let is_constant = self.refactor == Refactor::WithStepLength;
        for part in &self.parts {
            part.multiply_a(End::Last, x_k, &mut self.f);
            if theta < 1.0 && !is_constant {
                part.multiply_a(End::First, x_k, &mut self.f_k);
            }
        }
        if is_constant || theta == 1.0 {
            self.f_k.copy_from_slice(&self.f);
        }
        if self.has_source {
            add_sources(&mut self.parts, end, &mut self.f);
            if theta < 1.0 {
                add_sources(&mut self.parts, begin, &mut self.f_k);
            }
        }
        for (out, (f, f_k)) in out.iter_mut().zip(self.f.iter().zip(&self.f_k)) {
            *out = h * (theta * f + (1.0 - theta) * f_k);
        }
    }
}

/// Multiplies a matrix by $W^{-1}$ in place. `column` is workspace with one entry per row.
pub(super) fn solve_columns(w: &mut FactoredMatrix, matrix: &mut Array2<f64>, column: &mut [f64]) {
    for mut target in matrix.columns_mut() {
        column.iter_mut().zip(&target).for_each(|(x, entry)| *x = *entry);
        w.solve(column);
        target.assign(&ArrayView1::from(&*column));
    }
}
