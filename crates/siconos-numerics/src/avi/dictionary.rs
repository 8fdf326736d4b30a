//! Dictionary of the simplex method: basic variables as affine functions of the nonbasic ones.
//!
//! basic_i = rhs_i + sum_j t_ij nonbasic_j.

/// Rows of coefficients, each followed by its constant, and the indices of the variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Dictionary {
    entries: Vec<f64>,
    pub(super) basic: Vec<usize>,
    pub(super) nonbasic: Vec<usize>,
    pivot_row: Vec<f64>,
}

impl Dictionary {
    /// Clears the dictionary. Rows must be added next, with one coefficient per nonbasic variable.
    pub(super) fn begin(&mut self, nonbasic: impl Iterator<Item = usize>) {
        self.entries.clear();
        self.basic.clear();
        self.nonbasic.clear();
        self.nonbasic.extend(nonbasic);
    }

    /// Adds the row of a basic `variable`.
    pub(super) fn push(&mut self, variable: usize, coefficients: impl Iterator<Item = f64>, constant: f64) {
        self.basic.push(variable);
        self.entries.extend(coefficients.chain([constant]));
    }

    fn width(&self) -> usize {
        self.nonbasic.len() + 1
    }

    /// Returns the coefficient of a nonbasic variable in a row.
    pub(super) fn entry(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.width() + column]
    }

    /// Returns the constant of a row.
    pub(super) fn constant(&self, row: usize) -> f64 {
        self.entry(row, self.nonbasic.len())
    }

    /// Returns the coefficients of a row, without its constant.
    pub(super) fn row(&self, row: usize) -> &[f64] {
        &self.entries[row * self.width()..(row + 1) * self.width() - 1]
    }

    /// Overwrites the coefficient of the last nonbasic variable in a row.
    pub(super) fn set_last_coefficient(&mut self, row: usize, value: f64) {
        let width = self.width();
        self.entries[(row + 1) * width - 2] = value;
    }

    /// Exchanges the basic variable of `row` with the nonbasic variable of `column`.
    pub(super) fn exchange(&mut self, row: usize, column: usize) {
        let width = self.width();
        let pivot = self.entry(row, column);
        self.pivot_row.clear();
        self.pivot_row.extend(self.entries[row * width..(row + 1) * width].iter().map(|x| -x / pivot));
        self.pivot_row[column] = 1.0 / pivot;
        for (i, target) in self.entries.chunks_exact_mut(width).enumerate() {
            let factor = target[column];
            if i == row {
                target.copy_from_slice(&self.pivot_row);
            } else if factor != 0.0 {
                target[column] = 0.0;
                for (t, p) in target.iter_mut().zip(&self.pivot_row) {
                    *t += factor * p;
                }
            }
        }
        std::mem::swap(&mut self.basic[row], &mut self.nonbasic[column]);
    }
}
