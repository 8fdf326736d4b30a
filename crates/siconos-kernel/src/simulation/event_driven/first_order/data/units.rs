//! The units of y and lambda.

use ndarray::Array2;

use super::super::{ModeError, Surroundings};
use super::Data;
use crate::nonsmooth_problem::{Entries, Sharing};

impl Data {
    /// Finds the units of y and lambda at a point.
    pub(super) fn find_units(
        &mut self,
        around: Surroundings<'_>,
        t: f64,
        x: &[f64],
    ) -> Result<(), ModeError> {
        let rows = self.rows();
        self.units.lay_out(Sharing::None, std::iter::repeat_n(1, rows));
        self.is_begun = false;
        self.evaluate_functions(around, t, x)?;
        let mut response = Array2::from_shape_fn((rows, rows), |(i, j)| {
            self.d[[i, j]] + around.model.time_scale() * self.gain(i, j)
        });
        let entries = response.as_slice_mut().expect("a new array is in standard layout");
        self.units.find(&Entries::Dense(entries));
        self.has_units = true;
        self.put_matrices_into_units();
        Ok(())
    }

    pub(super) fn put_matrices_into_units(&mut self) {
        let n = self.states().max(1);
        let (rows, columns) = (self.units.rows(), self.units.columns());
        for ((row, of_y), unit) in self.c.chunks_exact_mut(n).zip(self.d.rows_mut()).zip(rows) {
            row.iter_mut().for_each(|c| *c *= unit);
            of_y.into_iter().zip(columns).for_each(|(d, column)| *d *= unit * column);
        }
        for (input, unit) in self.inputs.chunks_exact_mut(n).zip(columns) {
            input.iter_mut().for_each(|b| *b *= unit);
        }
    }
}
