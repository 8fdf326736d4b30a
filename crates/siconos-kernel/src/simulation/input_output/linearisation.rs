//! Linearisation of inputs and outputs by Newton's method, and the residuals of y = h and r = g.

use ndarray::ArrayView1;

use super::super::newton::halve;
use super::InputOutput;
use crate::integrator::larger;
use crate::nonsmooth_problem::{InteractionIndex, Part, Tables};

impl InputOutput {
    /// Evaluates the linearised y and r of `interactions` at the solution (x, lambda) of the one-step
    /// problem. The linearisation is around the last iterate.
    pub(in crate::simulation) fn linearise(
        &mut self,
        tables: &Tables,
        jacobian: &[f64],
        interactions: &[InteractionIndex],
        x: &[f64],
        lambda: &[f64],
    ) {
        for &place in interactions {
            let entry = &tables.interactions[place];
            let Some(weights) = tables.kind(entry.kind).weights() else { continue };
            let values = &mut self.values[place];
            let rows = entry.rows.range();
            let of_lambda = |row: ArrayView1<'_, f64>| -> f64 {
                let pairs = lambda[rows.clone()].iter().zip(&self.lambda_at[rows.clone()]);
                row.iter().zip(pairs).map(|(a, (l, l_at))| a * (l - l_at)).sum()
            };
            let change = |x, x_at| x - x_at;
            for (i, row) in entry.rows.iter().enumerate() {
                let by_c = tables.row(jacobian, row).times_both((x, &self.x_at), change);
                let y = values.y[i] + weights.gamma * by_c + of_lambda(values.d.row(i));
                self.linearised.y[row.index()] = y;
            }
            if !values.k.is_empty() {
                for part in tables.parts_of(place) {
                    let states = x[part.dofs.range()].iter().zip(&self.x_at[part.dofs.range()]);
                    let own = values.gathered[part.relation.range()].iter_mut().zip(states);
                    own.for_each(|(own, (x, x_at))| *own = weights.gamma * (x - x_at));
                }
            }
            for (i, r) in self.linearised.r[place].iter_mut().enumerate() {
                let by_k = match values.k.is_empty() {
                    true => 0.0,
                    false => values.k.row(i).iter().zip(&values.gathered).map(|(k, dx)| k * dx).sum(),
                };
                *r = values.r[i] + by_k + of_lambda(values.b.row(i));
            }
        }
    }

    /// Stores the last evaluated outputs and inputs of `interactions` as the values at the iterate.
    pub(in crate::simulation) fn begin_iterates(
        &mut self,
        tables: &Tables,
        interactions: &[InteractionIndex],
    ) {
        for &place in interactions {
            let rows = tables.interactions[place].rows.range();
            self.iterate.y[rows].copy_from_slice(&self.values[place].y);
            self.iterate.r[place].copy_from_slice(&self.values[place].r);
        }
    }

    /// Stores the linearised outputs and inputs of `interactions` as the values at the iterate.
    pub(in crate::simulation) fn accept_linearised(
        &mut self,
        tables: &Tables,
        interactions: &[InteractionIndex],
    ) {
        for &place in interactions {
            let rows = tables.interactions[place].rows.range();
            self.iterate.y[rows.clone()].copy_from_slice(&self.linearised.y[rows]);
            self.iterate.r[place].copy_from_slice(&self.linearised.r[place]);
        }
    }

    /// Replaces each linearised output and input by its mean with the value of the iterate.
    pub(in crate::simulation) fn halve(&mut self, tables: &Tables, interactions: &[InteractionIndex]) {
        for &place in interactions {
            let rows = tables.interactions[place].rows.range();
            halve(&mut self.linearised.y[rows.clone()], &self.iterate.y[rows]);
            halve(&mut self.linearised.r[place], &self.iterate.r[place]);
        }
    }

    /// Returns the largest relative residuals of y and r over `interactions`. A residual is the difference
    /// between a linearised value and the last evaluation of h or g, divided by the magnitude of its terms.
    ///
    /// Calls `each` with every residual before this division and with the magnitude of its terms.
    pub(in crate::simulation) fn residuals(
        &self,
        tables: &Tables,
        jacobian: &[f64],
        interactions: &[InteractionIndex],
        mut each: impl FnMut(f64, f64),
    ) -> (f64, f64) {
        let (mut worst_y, mut worst_r) = (0.0_f64, 0.0_f64);
        for &place in interactions {
            let entry = &tables.interactions[place];
            if !entry.is_first_order() {
                continue;
            }
            let values = &self.values[place];
            let lambda = &self.lambda_at[entry.rows.range()];
            let of_lambda = |row: ArrayView1<'_, f64>| -> f64 {
                row.iter().zip(lambda).map(|(a, l)| (a * l).abs()).sum()
            };
            let of_x = |row: ArrayView1<'_, f64>| -> f64 {
                let part = |part: &Part| -> f64 {
                    let states = &self.x_at[part.dofs.range()];
                    part.relation.range().zip(states).map(|(k, x)| (row[k] * x).abs()).sum()
                };
                tables.parts_of(place).iter().map(part).sum()
            };
            for (i, row) in entry.rows.iter().enumerate() {
                let (y, h) = (self.linearised.y[row.index()], values.y[i]);
                let of_states = tables.row(jacobian, row).magnitude(&self.x_at);
                let terms = of_states + of_lambda(values.d.row(i)) + y.abs() + h.abs();
                worst_y = larger(worst_y, relative(y - h, terms));
                each(y - h, terms);
            }
            for (i, (r, g)) in self.linearised.r[place].iter().zip(&values.r).enumerate() {
                let by_k = if values.k.is_empty() { 0.0 } else { of_x(values.k.row(i)) };
                let terms = by_k + of_lambda(values.b.row(i)) + r.abs() + g.abs();
                worst_r = larger(worst_r, relative(r - g, terms));
                each(r - g, terms);
            }
        }
        (worst_y, worst_r)
    }
}

fn relative(difference: f64, scale: f64) -> f64 {
    difference.abs() / scale.max(f64::MIN_POSITIVE)
}
