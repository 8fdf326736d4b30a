//! How large the residual of an equation of motion is beside its own terms, row by row.
//!
//! Rows have units of their own (newtons and newton metres, volts and amperes), so each is measured by
//! itself, componentwise as in Oettli and Prager (1964), "Compatibility of approximate solution of linear
//! equations with given error bounds for coefficients and right-hand sides". Two sizes count. What changes
//! over the step, forces and impulses, is what the tolerance is a part of: then the errors of many steps add
//! up to that part of all impulses, whatever the length of the steps is. The motion itself, momentum among
//! it, may be much larger, and its rounding is a limit that no iteration gets below.

use std::cell::LazyCell;

use siconos_numerics::linalg::FactoredMatrix;

use crate::simulation::larger;

/// Rounding of a sum of few terms, in units in the last place of these; each further term adds one.
pub(crate) const ROUNDINGS: f64 = 16.0;

/// One row.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EquationRow {
    pub(crate) residual: f64,
    /// The size of what changes over the step: $\sum_j |W_{ij}| |v_j - v_{k,j}|$, forces and impulses.
    pub(crate) change: f64,
    /// The size of the motion: $\sum_j |W_{ij}| |v_j|$.
    pub(crate) motion: f64,
    /// The size of the positions in it: $h \theta \sum_j |K_{ij}| |q_j|$.
    pub(crate) position: f64,
    /// $|W_{ii}|$ of a Lagrangian system: a momentum squared by it is an energy, which has the same unit in
    /// all rows. Zero where rows are not to be compared.
    pub(crate) inertia: f64,
}

/// The rows of the block that is looked at, and the memory for that.
#[derive(Clone, Debug, Default)]
pub(crate) struct EquationRows {
    rows: Vec<EquationRow>,
    /// $\sum_j |W_{ij}| |v_j - v_{k,j}|$ and $\sum_j |W_{ij}| |v_j|$ of every row.
    sizes: [Vec<f64>; 2],
}

impl EquationRows {
    pub(crate) fn clear(&mut self) {
        self.rows.clear();
    }

    /// Makes the rows, each from its number and the sizes of the change and of the motion in it.
    pub(crate) fn fill(
        &mut self,
        w: &FactoredMatrix,
        (v, v_k): (&[f64], &[f64]),
        row: impl Fn(usize, f64, f64) -> EquationRow,
    ) -> &mut [EquationRow] {
        for sizes in &mut self.sizes {
            sizes.clear();
            sizes.resize(v.len(), 0.0);
        }
        let [change, motion] = &mut self.sizes;
        w.add_magnitudes(|j| ((v[j] - v_k[j]).abs(), v[j].abs()), (change, motion));
        self.rows.clear();
        let sizes = self.sizes[0].iter().zip(&self.sizes[1]);
        self.rows.extend(sizes.enumerate().map(|(i, (change, motion))| row(i, *change, *motion)));
        &mut self.rows
    }

    pub(crate) fn get(&self) -> &[EquationRow] {
        &self.rows
    }
}

/// The residuals of the rows of one block beyond what their rounding explains, each with the size that it is
/// to be compared with.
pub(crate) fn errors(rows: &[EquationRow]) -> impl Iterator<Item = (f64, f64)> + '_ {
    let unit = (ROUNDINGS + rows.len() as f64) * f64::EPSILON;
    // A coordinate that is at rest beside others that move is left with their rounding, which its own terms
    // do not show.
    let energy = |row: &EquationRow| (row.change + row.motion).powi(2) / row.inertia;
    let largest = LazyCell::new(move || {
        rows.iter().map(energy).filter(|energy| energy.is_finite()).fold(0.0, f64::max)
    });
    rows.iter().map(move |row| {
        let (size, own) = (row.residual.abs(), row.change + row.motion + row.position);
        if size <= unit * own {
            return (0.0, row.change);
        }
        let rounding = unit * own.max((*largest * row.inertia).sqrt());
        (if size <= rounding { 0.0 } else { size - rounding }, row.change)
    })
}

/// The largest of the errors of a block, relative; NaN if one is.
pub(crate) fn largest_error(rows: &[EquationRow]) -> f64 {
    errors(rows).map(|(error, size)| error / size.max(f64::MIN_POSITIVE)).fold(0.0, larger)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_is_no_error_and_everything_else_is_one() {
        let row = |residual, change| EquationRow {
            residual,
            change,
            motion: 1.0,
            inertia: 1.0,
            ..Default::default()
        };
        assert_eq!(largest_error(&[row(3e-15, 0.0), row(0.0, 1.0)]), 0.0);
        let error = largest_error(&[row(1e-12, 1e-3), row(0.0, 1.0)]);
        assert!((error - 1e-9).abs() < 1e-11, "{error}");
        assert!(largest_error(&[row(1e-12, 0.0)]) > 1e200);
        assert!(largest_error(&[row(f64::NAN, 1.0), row(0.0, 1.0)]).is_nan());
    }

    #[test]
    fn a_coordinate_in_other_units_has_the_same_error() {
        let rows = |unit: f64| {
            let (a, b) = (0.3, 1e-9 * unit);
            [
                EquationRow { residual: 1e-13, change: 1e-4, motion: a, position: 0.0, inertia: 2.0 },
                EquationRow {
                    residual: 1e-17 * unit,
                    change: b,
                    motion: b,
                    position: 0.0,
                    inertia: unit * unit,
                },
            ]
        };
        let metres = largest_error(&rows(1.0));
        for unit in [2.0_f64.powi(-40), 2.0_f64.powi(13), 2.0_f64.powi(40)] {
            assert_eq!(largest_error(&rows(unit)).to_bits(), metres.to_bits());
        }
    }
}
