//! Relative error of each row of an equation of motion.
//!
//! Rows have different units (newtons and newton metres, volts and amperes), so the error of each row is
//! computed separately: the residual of the row is compared with the magnitudes of its terms, as in Oettli
//! and Prager (1964), "Compatibility of approximate solution of linear equations with given error bounds for
//! coefficients and right-hand sides". Two magnitudes are used. The tolerance is relative to the change over
//! the step: the change of momentum and the impulses of all forces. The errors of many steps therefore add up
//! to at most the tolerance times the sum of all impulses, for any step length. The rounding error is
//! relative to the magnitude of the motion itself, for example to the momentum, which can be much larger than
//! its change. The rounding error is subtracted from the residual, because no iteration can reduce the
//! residual below it.

use ndarray::Array2;
use siconos_linalg::{FactoredMatrix, add_scaled};

use super::{Impulses, StepTimes};

/// Constant term in the rounding error of a sum. The rounding error of a sum of n terms is taken as
/// `ROUNDINGS + n` units in the last place.
pub(crate) const ROUNDINGS: f64 = 16.0;

/// Residual and magnitudes of each row of the equation of motion of one block of systems.
#[derive(Clone, Debug, Default)]
pub(crate) struct EquationRows {
    pub(crate) residual: Vec<f64>,
    /// Magnitude of the change over the step: $\sum_j |W_{ij}| |v_j - v_{k,j}|$ plus the magnitudes of forces
    /// and impulses.
    pub(crate) change: Vec<f64>,
    /// Magnitude of the motion: $\sum_j |W_{ij}| |v_j|$.
    motion: Vec<f64>,
    /// Magnitude of the stiffness terms: $h \theta \sum_j |K_{ij}| |q_j|$.
    pub(crate) position: Vec<f64>,
    /// $|W_{ii}|$ of a Lagrangian system. The square of the momentum of a row divided by $|W_{ii}|$ is an
    /// energy, which has the same unit in all rows. Zero for first-order systems, because the units of their
    /// rows are unrelated.
    inertia: Vec<f64>,
}

/// Inertia of the rows of a block, known or unknown. If it is known, rows of different units are compared by
/// their energies.
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

    /// Computes the magnitudes `change` and `motion` for a change of the velocity from `v_k` to `v`, and
    /// clears all other data. The caller then adds residuals, forces and impulses.
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

    /// Adds the weighted magnitudes of the forces at both ends of a step, and the magnitudes `terms` of the
    /// impulses.
    pub(crate) fn add_forces(&mut self, step: StepTimes<'_>, (f_k, f): (&[f64], &[f64]), terms: &[f64]) {
        let StepTimes { h, theta, .. } = step;
        for (change, ((f_k, f), terms)) in self.change.iter_mut().zip(f_k.iter().zip(f).zip(terms)) {
            *change += h * ((1.0 - theta) * f_k.abs() + theta * f.abs()) + terms;
        }
    }

    /// Adds the magnitudes of the stiffness terms. `k` is the derivative of a force with respect to
    /// positions, and `sizes` are the magnitudes of the positions.
    pub(crate) fn add_positions(&mut self, step: StepTimes<'_>, k: &Array2<f64>, sizes: &[f64]) {
        for (position, k) in self.position.iter_mut().zip(k.rows()) {
            let terms = k.iter().zip(sizes).map(|(k, size)| (k * size).abs());
            *position += step.h * step.theta * terms.sum::<f64>();
        }
    }

    /// Computes the rows of an equation that is satisfied exactly by the impulse computed with the old
    /// Jacobian. The residual is this impulse minus the impulse with the new Jacobian.
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

    /// Returns the sum of the magnitudes of the terms of a row.
    fn size(&self, row: usize) -> f64 {
        self.change[row] + self.motion[row] + self.position[row]
    }

    /// Returns the largest energy of any row. It determines the rounding error of a coordinate at rest that
    /// is coupled to moving coordinates: the terms in the row of this coordinate are smaller than the
    /// rounding errors of the moving coordinates.
    fn largest_energy(&self) -> f64 {
        let momenta = self.change.iter().zip(&self.motion).map(|(change, motion)| change + motion);
        let energies = momenta.zip(&self.inertia).map(|(momentum, inertia)| momentum * momentum / inertia);
        let larger_finite = |a: f64, b: f64| if b > a && b < f64::INFINITY { b } else { a };
        energies.fold(0.0, larger_finite)
    }

    /// Returns the magnitude of the residual of a row minus the rounding error of the row, or 0 if the
    /// difference is negative.
    fn error(&self, row: usize, largest_energy: f64) -> f64 {
        let (size, terms) = (self.residual[row].abs(), self.size(row));
        if !(size + terms).is_finite() {
            return f64::NAN;
        }
        let rounding = self.unit() * terms.max((largest_energy * self.inertia[row]).sqrt());
        if size <= rounding { 0.0 } else { size - rounding }
    }

    /// Returns the error of each row, together with the magnitude of the change to which it is relative.
    pub(crate) fn errors(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let largest_energy = self.largest_energy();
        self.change.iter().enumerate().map(move |(row, change)| (self.error(row, largest_energy), *change))
    }

    /// Returns the largest relative error; NaN if any error is NaN or a term of a row is not finite.
    pub(crate) fn largest_error(&self) -> f64 {
        let unit = self.unit();
        let (mut largest, mut energy) = (0.0, None);
        for (row, residual) in self.residual.iter().enumerate() {
            let (size, change, terms) = (residual.abs(), self.change[row], self.size(row));
            // The rounding error of infinite terms would hide any residual.
            if !(size + terms).is_finite() {
                return f64::NAN;
            }
            // Most residuals are within rounding error, or have a relative error below the largest one found
            // so far.
            if size <= unit * terms + largest * change * (1.0 + 8.0 * f64::EPSILON) {
                continue;
            }
            let energy = *energy.get_or_insert_with(|| self.largest_energy());
            largest = larger(largest, self.error(row, energy) / change.max(f64::MIN_POSITIVE));
        }
        largest
    }
}

/// Returns the larger of two numbers, or NaN if one of them is NaN; `f64::max` would ignore NaN.
pub(crate) fn larger(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates rows from residual, change, motion and inertia.
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
        for not_finite in [f64::NAN, f64::INFINITY] {
            assert!(rows(&[row(not_finite, 1.0), row(0.0, 1.0)]).largest_error().is_nan());
            assert!(rows(&[row(1.0, not_finite), row(0.0, 1.0)]).largest_error().is_nan());
            assert!(rows(&[row(1.0, not_finite)]).errors().all(|(error, _)| error.is_nan()));
        }
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
