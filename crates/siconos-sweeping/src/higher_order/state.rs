//! State of a higher-order sweeping process.

use ndarray::ArrayView2;

use super::cones::constrained_orders;

/// State in the coordinates of the [normal form](super::NormalForm): the derivatives of y, $z_i = y^{(i-1)}$
/// for i = 1 .. r, followed by the state $\xi$ of the zero dynamics.
///
/// [`HigherOrderSweeping::state`](super::HigherOrderSweeping::state) creates it from x, and
/// [`normal_state`](super::HigherOrderSweeping::normal_state) from z and xi. All its entries are finite.
#[derive(Clone, Debug, PartialEq)]
pub struct HigherOrderState {
    /// z row by row, followed by xi.
    pub(super) values: Vec<f64>,
    pub(super) orders: usize,
    pub(super) multipliers: usize,
}

impl HigherOrderState {
    /// Returns z, r x m: row i - 1 contains the derivatives of order i - 1 of all components of y.
    #[must_use]
    pub fn z(&self) -> ArrayView2<'_, f64> {
        order_by_component(self.derivatives(), self.orders, self.multipliers)
    }

    /// Returns y = z_1, m entries.
    #[must_use]
    pub fn y(&self) -> &[f64] {
        &self.values[..self.multipliers]
    }

    /// Returns xi, n - r m entries.
    #[must_use]
    pub fn zero_dynamics(&self) -> &[f64] {
        &self.values[self.orders * self.multipliers..]
    }

    /// Returns the number of orders of a component, from 1 to r, that are constrained to be nonnegative in a
    /// jump or a step from this state. It is one more than the number of leading entries of
    /// $z_1, z_2, \ldots$ that are at or below 0, and at most r.
    ///
    /// # Panics
    ///
    /// If the component does not exist.
    #[track_caller]
    #[must_use]
    pub fn constrained_orders(&self, component: usize) -> usize {
        assert!(component < self.multipliers, "component {component} of {}", self.multipliers);
        constrained_orders(self.derivatives().iter().skip(component).step_by(self.multipliers).copied())
    }

    fn derivatives(&self) -> &[f64] {
        &self.values[..self.orders * self.multipliers]
    }
}

/// Returns a matrix view of values that are sorted by order and then by component.
pub(super) fn order_by_component(values: &[f64], orders: usize, multipliers: usize) -> ArrayView2<'_, f64> {
    match ArrayView2::from_shape((orders, multipliers), values) {
        Ok(view) => view,
        Err(_) => panic!(
            "{} numbers given, but {orders} orders of {multipliers} multipliers expected",
            values.len()
        ),
    }
}
