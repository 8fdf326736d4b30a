//! Conversion between x and the state in the coordinates of the normal form. If the process has a source term
//! e, the conversion is affine: it adds a constant shift.

use ndarray::ArrayView2;

use super::{HigherOrderError, HigherOrderState, HigherOrderSweeping};
use siconos_kernel::ModelError;
use siconos_kernel::engine::{check_finite, check_shape};

/// Constant source term e in the coordinates of the normal form.
#[derive(Debug)]
pub(super) struct Source {
    /// Shift s: the state of the process is T x + s.
    shift: Vec<f64>,
    /// Constant term of the rates of the state.
    pub(super) rates: Vec<f64>,
}

impl Source {
    pub(super) fn none(n: usize) -> Self {
        Self { shift: vec![0.0; n], rates: vec![0.0; n] }
    }
}

impl HigherOrderSweeping {
    /// Sets the constant source term e, n entries \[unit of x per s\]. It replaces the previous source term.
    /// States that were created before this call remain valid only for the process with the previous source
    /// term.
    ///
    /// # Errors
    ///
    /// If the vector has a wrong length or is not finite ([`HigherOrderError::Model`]).
    pub fn with_source(mut self, e: &[f64]) -> Result<Self, HigherOrderError> {
        let n = self.form.states();
        let (r, m) = (self.form.relative_degree(), self.form.multipliers());
        check_shape("the source e", (n, 1), (e.len(), 1))?;
        check_finite("the source e", e)?;
        let mut on_normal = vec![0.0; n];
        multiply(self.form.to_normal(), e, &mut on_normal);
        let Source { shift, rates } = &mut self.source;
        shift.fill(0.0);
        shift[m..r * m].copy_from_slice(&on_normal[..(r - 1) * m]);
        rates.fill(0.0);
        let mut of_shift = vec![0.0; m];
        multiply(self.form.last_rate(), shift, &mut of_shift);
        let last = (r - 1) * m..n;
        rates[last.clone()].copy_from_slice(&on_normal[last.clone()]);
        rates[last].iter_mut().zip(of_shift).for_each(|(rate, shifted)| *rate -= shifted);
        check_finite("the source e in the coordinates of the normal form", &self.source.rates)?;
        Ok(self)
    }

    /// Returns the state that corresponds to x. x has n entries and is allowed to violate y >= 0.
    ///
    /// # Errors
    ///
    /// If the vector has a wrong length or is not finite ([`HigherOrderError::Model`]).
    pub fn state(&self, x: &[f64]) -> Result<HigherOrderState, HigherOrderError> {
        check_shape("x", (self.form.states(), 1), (x.len(), 1))?;
        check_finite("x", x)?;
        let mut state = self.empty_state();
        multiply(self.form.to_normal(), x, &mut state.values);
        state.values.iter_mut().zip(&self.source.shift).for_each(|(z, shift)| *z += shift);
        check_finite("the state at x", &state.values)?;
        Ok(state)
    }

    /// Creates a state from the derivatives z (r x m) and the state xi of the zero dynamics (n - r m
    /// entries).
    ///
    /// # Errors
    ///
    /// If a shape is wrong, or if an entry is not finite ([`HigherOrderError::Model`]).
    pub fn normal_state(
        &self,
        z: ArrayView2<'_, f64>,
        xi: &[f64],
    ) -> Result<HigherOrderState, HigherOrderError> {
        let mut state = self.empty_state();
        let rows = state.orders * state.multipliers;
        check_shape("z", (state.orders, state.multipliers), z.dim())?;
        check_shape("xi", (state.values.len() - rows, 1), (xi.len(), 1))?;
        check_finite("z", z)?;
        check_finite("xi", xi)?;
        state.values.iter_mut().zip(z.iter().chain(xi)).for_each(|(to, from)| *to = *from);
        Ok(state)
    }

    /// Returns the vector x, n entries, that corresponds to a state.
    ///
    /// # Errors
    ///
    /// If the state belongs to a process of different size ([`HigherOrderError::Model`]).
    pub fn x(&self, state: &HigherOrderState) -> Result<Vec<f64>, HigherOrderError> {
        self.check(state)?;
        let unshifted: Vec<f64> =
            state.values.iter().zip(&self.source.shift).map(|(z, shift)| z - shift).collect();
        let mut x = vec![0.0; unshifted.len()];
        multiply(self.form.to_original(), &unshifted, &mut x);
        Ok(x)
    }

    fn empty_state(&self) -> HigherOrderState {
        HigherOrderState {
            values: vec![0.0; self.form.states()],
            orders: self.form.relative_degree(),
            multipliers: self.form.multipliers(),
        }
    }

    pub(super) fn check(&self, state: &HigherOrderState) -> Result<(), ModelError> {
        let (r, m) = (self.form.relative_degree(), self.form.multipliers());
        check_shape("z of the state", (r, m), (state.orders, state.multipliers))?;
        check_shape("xi of the state", (self.form.states() - r * m, 1), (state.zero_dynamics().len(), 1))
    }
}

fn multiply(matrix: ArrayView2<'_, f64>, x: &[f64], y: &mut [f64]) {
    for (row, y) in matrix.rows().into_iter().zip(y) {
        *y = row.iter().zip(x).map(|(m, x)| m * x).sum();
    }
}
