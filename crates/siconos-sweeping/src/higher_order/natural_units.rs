//! Units, derived from the matrices of a system, in which the entries of these matrices are near 1.

use ndarray::ArrayView2;
use siconos_linalg::nearest_power_of_two;

use siconos_kernel::analysis::LinearSystem;
use siconos_kernel::engine::least_squares_logarithms;

/// Units by which values are divided before they are compared. If the units of x, y or lambda change, these
/// units change by the same factors.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NaturalUnits {
    /// Units of the states, relative to the first state. In these units the entries of A and B are near 1.
    pub(super) states: Vec<f64>,
    /// Units of y if the states are expressed in `states`; powers of two.
    pub(super) outputs: Vec<f64>,
    /// Units of lambda times time to the power r, in which the diagonal of H is near 1; powers of two.
    pub(super) multipliers: Vec<f64>,
}

impl NaturalUnits {
    pub(super) fn of(system: &LinearSystem, leading: ArrayView2<'_, f64>) -> Self {
        let logarithms = least_squares_logarithms(system.a(), system.b());
        let states: Vec<f64> =
            logarithms[..system.states()].iter().map(|x| (x - logarithms[0]).exp2()).collect();
        let c = system.c();
        let largest = |j: usize| {
            c.row(j).iter().zip(&states).fold(0.0_f64, |largest, (c, unit)| largest.max((c * unit).abs()))
        };
        let outputs: Vec<f64> = (0..c.nrows()).map(|j| nearest_power_of_two(largest(j))).collect();
        let own = outputs.iter().zip(leading.diag()).map(|(unit, h)| nearest_power_of_two(unit / h));
        let multipliers = own.collect();
        Self { states, outputs, multipliers }
    }

    /// Returns the entries of H in these units, row by row. The diagonal is near 1.
    pub(super) fn of_leading<'a>(&'a self, leading: ArrayView2<'a, f64>) -> impl Iterator<Item = f64> + 'a {
        let m = self.outputs.len();
        (0..m * m).map(move |p| leading[[p / m, p % m]] * self.multipliers[p % m] / self.outputs[p / m])
    }
}
