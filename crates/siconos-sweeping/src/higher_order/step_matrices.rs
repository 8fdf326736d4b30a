//! Matrix of an implicit step and its response to the measures, both computed once per step length.

use ndarray::Array2;
use siconos_linalg::{DenseLu, exponent, power_of_two};

use super::{HigherOrderError, NormalForm};

/// Linear system of a step, $W (z', \xi') = (z, \xi) + h c + E \mu$, in the coordinates of the normal form. W
/// is the identity minus h times the rate matrix, c is the source, and E is the identity for the orders below
/// r and H for order r. W is factorised for one value of h.
#[derive(Debug)]
pub(super) struct StepMatrices {
    h: Option<f64>,
    /// Factors of W, scaled by `state_units`.
    lu: DenseLu,
    /// Units of z and of xi.
    state_units: Vec<f64>,
    /// $W^{-1} E$, n x r m, row by row.
    pub(super) response: Vec<f64>,
}

impl StepMatrices {
    pub(super) fn of(form: &NormalForm) -> Self {
        let rows = form.relative_degree() * form.multipliers();
        Self {
            h: None,
            lu: DenseLu::default(),
            state_units: vec![1.0; form.states()],
            response: vec![0.0; form.states() * rows],
        }
    }

    /// Computes all matrices for a step length, unless the stored matrices belong to it.
    pub(super) fn prepare(&mut self, form: &NormalForm, h: f64) -> Result<(), HigherOrderError> {
        if self.h == Some(h) {
            return Ok(());
        }
        self.h = None;
        self.set_units(form, h);
        let mut w = iteration_matrix(form, h);
        for ((i, k), x) in w.indexed_iter_mut() {
            *x *= self.state_units[k] / self.state_units[i];
        }
        self.lu
            .factor(w.view())
            .map_err(|source| HigherOrderError::Singular { matrix: "I - h A", source })?;
        let (r, m, n) = (form.relative_degree(), form.multipliers(), form.states());
        let (rows, last) = (r * m, (r - 1) * m);
        let leading = form.leading();
        let mut column = vec![0.0; n];
        for p in 0..rows {
            column.fill(0.0);
            if p < last {
                column[p] = 1.0;
            } else {
                (0..m).for_each(|j| column[last + j] = leading[[j, p - last]]);
            }
            self.solve(&mut column);
            column.iter().enumerate().for_each(|(i, x)| self.response[i * rows + p] = *x);
        }
        self.h = Some(h);
        Ok(())
    }

    /// Sets the units of z and xi. The units of the derivatives differ by powers of the step length, so that
    /// all orders of a component are comparable. They are powers of two, so that scaling does not round.
    fn set_units(&mut self, form: &NormalForm, h: f64) {
        let (r, m) = (form.relative_degree(), form.multipliers());
        let units = form.units();
        self.state_units[r * m..].copy_from_slice(form.zero_units());
        let time = exponent(h).unwrap_or(0);
        for i in 0..r {
            let of_order = power_of_two(time * i as i32);
            for j in 0..m {
                self.state_units[i * m + j] = units.outputs[j] / of_order;
            }
        }
    }

    /// Returns the response of z to the measures, r m x r m, row by row.
    pub(super) fn problem(&self) -> &[f64] {
        let rows = self.response.len() / self.state_units.len();
        &self.response[..rows * rows]
    }

    /// Solves for the end of a step in place; on entry `right` is the right-hand side.
    pub(super) fn solve(&self, right: &mut [f64]) {
        right.iter_mut().zip(&self.state_units).for_each(|(x, unit)| *x /= unit);
        self.lu.solve(right);
        right.iter_mut().zip(&self.state_units).for_each(|(x, unit)| *x *= unit);
    }
}

/// Returns W, the identity minus h times the rate matrix of the normal form.
fn iteration_matrix(form: &NormalForm, h: f64) -> Array2<f64> {
    let (r, m, n) = (form.relative_degree(), form.multipliers(), form.states());
    let (rows, last) = (r * m, (r - 1) * m);
    let mut w = Array2::eye(n);
    for p in 0..last {
        w[[p, p + m]] = -h;
    }
    for ((j, i), rate) in form.last_rate().indexed_iter() {
        w[[last + j, i]] -= h * rate;
    }
    let (a, b) = form.zero_dynamics();
    for ((k, i), rate) in a.indexed_iter() {
        w[[rows + k, rows + i]] -= h * rate;
    }
    for ((k, j), rate) in b.indexed_iter() {
        w[[rows + k, j]] -= h * rate;
    }
    w
}
