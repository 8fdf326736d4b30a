//! Evaluation of an island at a given (t, x), in the units of y and lambda.

use ndarray::Array2;
use siconos_linalg::dot;

use super::super::ModeError;
use super::relation_part::RelationPart;
use super::{IslandData, ProblemUnits};
use crate::model::At;
use crate::nonsmooth_problem::Entries;

/// Maximum accepted relative deviation of h and g from affine functions of lambda. Finite-difference
/// derivatives are accurate to about nine digits.
const AFFINE: f64 = 1e-6;

impl IslandData {
    /// Starts an interval of smooth motion at (t, x). Time derivatives then do not use evaluations at earlier
    /// times.
    pub(in super::super) fn begin(&mut self, t: f64, x: &[f64]) -> Result<(), ModeError> {
        if self.matrices_vary {
            self.find_units(t, x)?;
        }
        if self.depends_on_time {
            let Self { relations, units, parameters, is_begun, .. } = self;
            self.time_derivative.choose_step((t, self.horizon), self.time_scale, |t, h| {
                outputs(relations, units, At::new(t, parameters), x, !*is_begun, h);
            });
        }
        Ok(())
    }

    /// Evaluates the island at (t, x), with the time derivative of h if `with_rates` is `true`.
    pub(in super::super) fn evaluate(
        &mut self,
        t: f64,
        x: &[f64],
        with_rates: bool,
    ) -> Result<(), ModeError> {
        // At and after the horizon, use the limit from the left.
        let t = if t >= self.horizon { self.horizon.next_down() } else { t };
        if !self.has_units {
            self.find_units(t, x)?;
        }
        if with_rates && self.depends_on_time {
            let Self { relations, units, parameters, is_begun, .. } = self;
            self.time_derivative.evaluate(t, &mut self.h_rate, |t, h| {
                outputs(relations, units, At::new(t, parameters), x, !*is_begun, h);
            });
        }
        self.evaluate_functions(t, x)
    }

    fn evaluate_functions(&mut self, t: f64, x: &[f64]) -> Result<(), ModeError> {
        let Self { relations, units, parameters, is_begun, .. } = self;
        outputs(relations, units, At::new(t, parameters), x, !*is_begun, &mut self.h);
        self.field(t, x)?;
        if self.matrices_vary || !self.is_begun {
            self.copy_matrices();
            self.is_begun = true;
        }
        Ok(())
    }

    /// Computes $M^{-1} (f + g)$. The relations must have been evaluated.
    fn field(&mut self, t: f64, x: &[f64]) -> Result<(), ModeError> {
        let at = At::new(t, &self.parameters);
        for (id, work) in &mut self.systems {
            work.field_into(at, x, &mut self.rate);
            if work.has_variable_mass() || !self.is_begun {
                let factored = work.factor_mass(at, x);
                factored.map_err(|source| ModeError::SingularMass { system: *id, t, source })?;
            }
        }
        // The input of a linear relation is zero if lambda is zero.
        for relation in self.relations.iter().filter(|relation| !relation.entry.affine) {
            for (r, &column) in relation.values.r.iter().zip(&relation.columns) {
                self.rate[column] += r;
            }
        }
        self.systems.iter_mut().for_each(|(_, work)| work.solve_mass(&mut self.rate));
        Ok(())
    }

    /// Copies the last evaluated C, D and $M^{-1} B$ of the relations into the arrays of the island.
    fn copy_matrices(&mut self) {
        let n = self.states();
        for RelationPart { rows, columns, values, .. } in &self.relations {
            for (i, row) in rows.clone().enumerate() {
                for (j, column) in rows.clone().enumerate() {
                    self.d[[row, column]] = values.d[[i, j]];
                }
                for (k, &column) in columns.iter().enumerate() {
                    self.c[row * n + column] = values.c[[i, k]];
                    self.inputs[row * n + column] = values.b[[k, i]];
                }
            }
        }
        for input in self.inputs.chunks_exact_mut(n.max(1)) {
            self.systems.iter_mut().for_each(|(_, work)| work.solve_mass(input));
        }
        self.put_matrices_into_units();
    }

    /// Chooses the units of y and lambda at (t, x).
    fn find_units(&mut self, t: f64, x: &[f64]) -> Result<(), ModeError> {
        let rows = self.rows();
        self.units.lay_out_rows(rows);
        self.is_begun = false;
        self.evaluate_functions(t, x)?;
        let mut response =
            Array2::from_shape_fn((rows, rows), |(i, j)| self.d[[i, j]] + self.time_scale * self.gain(i, j));
        let entries = response.as_slice_mut().expect("a new array is in standard layout");
        self.units.find(&Entries::Dense(entries));
        self.has_units = true;
        self.put_matrices_into_units();
        Ok(())
    }

    fn put_matrices_into_units(&mut self) {
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

    /// Computes the terms of h that do not depend on the states, at the x of the last evaluation.
    pub(in super::super) fn find_offsets(&mut self, x: &[f64]) {
        for i in 0..self.rows() {
            self.offsets[i] = (self.h[i] - dot(self.c_row(i), x)).abs();
        }
    }

    /// Checks that the nonlinear relations are affine in lambda, from 0 to the given lambda. `lambda` is in
    /// the units of the model.
    pub(in super::super) fn check_affine(&mut self, t: f64, lambda: &[f64]) -> Result<(), ModeError> {
        let at = At::new(t, &self.parameters);
        for part in self.relations.iter_mut().filter(|part| !part.entry.affine) {
            let error = part.error_of_affine(at, &lambda[part.rows.clone()]);
            if error > AFFINE {
                return Err(ModeError::NotAffineInLambda { relation: part.entry.id, t, error });
            }
        }
        Ok(())
    }

    /// Returns an error for the first value that is not finite, with its index in the model.
    pub(in super::super) fn check_finite(&self, t: f64) -> Result<(), ModeError> {
        for (what, values, places) in [
            ("M^-1 f", &self.rate, &self.state_places),
            ("h", &self.h, &self.row_places),
            ("h'", &self.h_rate, &self.row_places),
        ] {
            if let Some(index) = values.iter().position(|value| !value.is_finite()) {
                return Err(ModeError::NotFinite { t, what, index: places[index], value: values[index] });
            }
        }
        Ok(())
    }
}

/// Evaluates relations with lambda = 0, and writes h in the units of the island.
fn outputs(
    relations: &mut [RelationPart],
    units: &ProblemUnits,
    at: At<'_>,
    x: &[f64],
    is_first: bool,
    h: &mut [f64],
) {
    for relation in relations {
        relation.evaluate(at, x, is_first);
        h[relation.rows.clone()].copy_from_slice(&relation.values.y);
    }
    h.iter_mut().zip(units.rows()).for_each(|(h, unit)| *h *= unit);
}
