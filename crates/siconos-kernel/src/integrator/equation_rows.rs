//! How large the residual of an equation of motion is beside its own terms, row by row.
//!
//! Rows have units of their own (newtons and newton metres, volts and amperes), so each is measured by
//! itself, componentwise as in Oettli and Prager (1964), "Compatibility of approximate solution of linear
//! equations with given error bounds for coefficients and right-hand sides". Two sizes count. What changes
//! over the step, forces and impulses, is what the tolerance is a part of: then the errors of many steps add
//! up to that part of all impulses, whatever the length of the steps is. The motion itself, momentum among
//! it, may be much larger, and its rounding is a limit that no iteration gets below.

use ndarray::Array2;
use siconos_linalg::{FactoredMatrix, add_scaled};

use super::{Impulses, StepTimes};

/// Rounding of a sum of few terms, in units in the last place of these; each further term adds one.
pub(crate) const ROUNDINGS: f64 = 16.0;

/// The rows of the equation of motion of one block, a vector for each of their parts.
#[derive(Clone, Debug, Default)]
pub(crate) struct EquationRows {
    pub(crate) residual: Vec<f64>,
    /// The size of what changes over the step: $\sum_j |W_{ij}| |v_j - v_{k,j}|$, forces and impulses.
    pub(crate) change: Vec<f64>,
    /// The size of the motion: $\sum_j |W_{ij}| |v_j|$.
    motion: Vec<f64>,
    /// The size of the positions in it: $h \theta \sum_j |K_{ij}| |q_j|$.
    pub(crate) position: Vec<f64>,
    /// $|W_{ii}|$ of a Lagrangian system: a momentum squared by it is an energy, which has the same unit in
    /// all rows. Zero where rows are not to be compared.
    inertia: Vec<f64>,
}

/// Whether the rows of a block have energies that say how large its motion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inertia {
    OfRows,
    Unknown,
}

impl EquationRows {
    pub(crate) fn clear(&mut self) {
        let Self { residual, change, motion, position, inertia } = self;
        [residual, change, motion, position, inertia].into_iter().for_each(Vec::clear);
    }

    /// Begins the rows of a block with the sizes of its motion from `v_k` to `v`; residuals are to be put in,
    /// forces and impulses added.
    pub(crate) fn begin(&mut self, w: &FactoredMatrix, (v, v_k): (&[f64], &[f64]), inertia: Inertia) {
        self.clear();
        for sum in [&mut self.change, &mut self.motion, &mut self.position, &mut self.inertia] {
            sum.resize(v.len(), 0.0);
        }
        let sizes = (&mut self.change[..], &mut self.motion[..]);
        w.add_magnitudes(|j| ((v[j] - v_k[j]).abs(), v[j].abs()), sizes);
        if inertia == Inertia::OfRows {
            w.diagonal_into(&mut self.inertia);
            self.inertia.iter_mut().for_each(|inertia| *inertia = inertia.abs());
        }
    }

    /// Adds the sizes of forces at both ends of a step, with their weights, and of the terms of impulses.
    pub(crate) fn add_forces(&mut self, step: StepTimes<'_>, (f_k, f): (&[f64], &[f64]), terms: &[f64]) {
        let StepTimes { h, theta, .. } = step;
        for (change, ((f_k, f), terms)) in self.change.iter_mut().zip(f_k.iter().zip(f).zip(terms)) {
            *change += h * ((1.0 - theta) * f_k.abs() + theta * f.abs()) + terms;
        }
    }

    /// Adds the sizes of positions, by the derivative K of a force with respect to them.
    pub(crate) fn add_positions(&mut self, step: StepTimes<'_>, k: &Array2<f64>, sizes: &[f64]) {
        for (position, k) in self.position.iter_mut().zip(k.rows()) {
            let terms = k.iter().zip(sizes).map(|(k, size)| (k * size).abs());
            *position += step.h * step.theta * terms.sum::<f64>();
        }
    }

    /// Makes the rows of an equation that holds exactly, for the impulse before: what its direction has
    /// changed is left.
    pub(crate) fn write_exact(
        &mut self,
        w: &FactoredMatrix,
        motion: (&[f64], &[f64]),
        impulses: Impulses<'_>,
    ) -> &Self {
        self.begin(w, motion, Inertia::OfRows);
        let changes = impulses.before.iter().zip(impulses.now);
        self.residual.extend(changes.map(|(before, now)| before - now));
        add_scaled(1.0, impulses.terms, &mut self.change);
        self
    }

    fn unit(&self) -> f64 {
        (ROUNDINGS + self.residual.len() as f64) * f64::EPSILON
    }

    /// The size of all terms of a row.
    fn size(&self, row: usize) -> f64 {
        self.change[row] + self.motion[row] + self.position[row]
    }

    /// The largest energy of a row: a coordinate that is at rest beside others that move is left with their
    /// rounding, which its own terms do not show.
    fn largest_energy(&self) -> f64 {
        let momenta = self.change.iter().zip(&self.motion).map(|(change, motion)| change + motion);
        let energies = momenta.zip(&self.inertia).map(|(momentum, inertia)| momentum * momentum / inertia);
        let larger_finite = |a: f64, b: f64| if b > a && b < f64::INFINITY { b } else { a };
        energies.fold(0.0, larger_finite)
    }

    /// The residual of a row beyond what its rounding explains.
    fn error(&self, row: usize, largest_energy: f64) -> f64 {
        let energy = (largest_energy * self.inertia[row]).sqrt();
        let (size, rounding) = (self.residual[row].abs(), self.unit() * self.size(row).max(energy));
        if size <= rounding { 0.0 } else { size - rounding }
    }

    /// The residuals beyond what their rounding explains, each with the size that it is to be compared with.
    pub(crate) fn errors(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let largest_energy = self.largest_energy();
        self.change.iter().enumerate().map(move |(row, change)| (self.error(row, largest_energy), *change))
    }

    /// The largest of the errors, relative; NaN if one is.
    pub(crate) fn largest_error(&self) -> f64 {
        let unit = self.unit();
        let (mut largest, mut energy) = (0.0, None);
        for (row, residual) in self.residual.iter().enumerate() {
            // Most rows are no larger than rounding, or than another, up to rounding of that.
            let (size, change) = (residual.abs(), self.change[row]);
            if size <= unit * self.size(row) + largest * change * (1.0 + 8.0 * f64::EPSILON) {
                continue;
            }
            let energy = *energy.get_or_insert_with(|| self.largest_energy());
            largest = larger(largest, self.error(row, energy) / change.max(f64::MIN_POSITIVE));
        }
        largest
    }
}

/// The larger of two numbers, NaN if one is: `f64::max` would hide it.
pub(crate) fn larger(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of residual, change, motion and inertia.
    fn rows(of: &[[f64; 4]]) -> EquationRows {
        let part = |k: usize| of.iter().map(|row| row[k]).collect();
        let (residual, change, motion, inertia) = (part(0), part(1), part(2), part(3));
        EquationRows { residual, change, motion, position: vec![0.0; of.len()], inertia }
    }

    #[test]
    fn rounding_is_no_error_and_everything_else_is_one() {
        let row = |residual, change| [residual, change, 1.0, 1.0];
        assert_eq!(rows(&[row(3e-15, 0.0), row(0.0, 1.0)]).largest_error(), 0.0);
        let error = rows(&[row(1e-12, 1e-3), row(0.0, 1.0)]).largest_error();
        assert!((error - 1e-9).abs() < 1e-11, "{error}");
        assert!(rows(&[row(1e-12, 0.0)]).largest_error() > 1e200);
        assert!(rows(&[row(f64::NAN, 1.0), row(0.0, 1.0)]).largest_error().is_nan());
    }

    #[test]
    fn a_coordinate_in_other_units_has_the_same_error() {
        let of_unit = |unit: f64| {
            let (a, b) = (0.3, 1e-9 * unit);
            rows(&[[1e-13, 1e-4, a, 2.0], [1e-17 * unit, b, b, unit * unit]]).largest_error()
        };
        let metres = of_unit(1.0);
        for unit in [2.0_f64.powi(-40), 2.0_f64.powi(13), 2.0_f64.powi(40)] {
            assert_eq!(of_unit(unit).to_bits(), metres.to_bits());
        }
    }
}
