//! Complementarity problem of a step or a jump, restricted to the constrained orders.

use siconos_linalg::{nearest_power_of_two, square};
use siconos_numerics::lcp::{Auto, LcpProblem};
use siconos_numerics::{SolveInfo, Solver, SolverError, Status};

use super::natural_units::NaturalUnits;

/// A result counts as 0 if its magnitude is at most this fraction of the sum of the magnitudes of its terms.
pub(super) const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Problem $w = M \mu + q$ with $0 \le w \perp \mu \ge 0$ in the constrained rows and $\mu = 0$ in the other
/// rows, with solver and workspace. Rows are sorted by order and then by component. In the rows of the last
/// order, mu belongs to lambda.
///
/// The solver starts with the rows in which w < 0 at $\mu = 0$. Rows in which w is negative at the solution
/// are added, and the problem is solved again, until no row is added. The result then solves the whole
/// problem. Large values in a component far from 0 therefore do not affect the error at which the solver
/// stops. Large values in one order do not affect the error in another order, because each order is scaled by
/// its largest term.
#[derive(Debug, Default)]
pub(super) struct OneStepProblem {
    solver: Auto,
    /// Constrained rows in ascending order, filled by the caller.
    pub(super) held: Vec<usize>,
    /// Constant term of all rows; the caller fills the constrained rows.
    pub(super) q: Vec<f64>,
    /// Sums of the magnitudes of the terms of q; the caller fills the constrained rows.
    pub(super) terms: Vec<f64>,
    /// Measures of all rows.
    pub(super) mu: Vec<f64>,
    /// Rows that are passed to the solver, in ascending order.
    chosen: Vec<usize>,
    /// Largest term of each order, in natural units.
    sizes: Vec<f64>,
    /// Units of the rows and of the measures in the problem passed to the solver.
    row_units: Vec<f64>,
    measure_units: Vec<f64>,
    matrix: Vec<f64>,
    part_of_q: Vec<f64>,
    part_of_mu: Vec<f64>,
    w: Vec<f64>,
}

impl OneStepProblem {
    /// Starts a problem with `rows` rows, none of which is constrained yet.
    pub(super) fn begin(&mut self, rows: usize) {
        self.held.clear();
        for values in [&mut self.q, &mut self.terms, &mut self.mu] {
            values.clear();
            values.resize(rows, 0.0);
        }
    }

    /// Solves the problem with matrix M, which is stored row by row.
    pub(super) fn solve(&mut self, m: &[f64], units: &NaturalUnits) -> Result<SolveInfo, SolverError> {
        let mut info = SolveInfo { status: Status::Converged, iterations: 0, error: 0.0 };
        self.chosen.clear();
        self.chosen.extend(self.held.iter().copied().filter(|&p| self.q[p] < 0.0));
        while !self.chosen.is_empty() {
            let before = info.iterations;
            info = self.solve_chosen(m, units)?;
            info.iterations += before;
            if !info.status.is_success() {
                break;
            }
            let count = self.chosen.len();
            for &p in &self.held {
                if self.chosen[..count].binary_search(&p).is_err() && self.output(m, p) < 0.0 {
                    self.chosen.push(p);
                }
            }
            if self.chosen.len() == count {
                break;
            }
            self.chosen.sort_unstable();
        }
        Ok(info)
    }

    fn output(&self, m: &[f64], p: usize) -> f64 {
        let rows = self.q.len();
        let row = &m[p * rows..(p + 1) * rows];
        self.q[p] + row.iter().zip(&self.mu).map(|(m, mu)| m * mu).sum::<f64>()
    }

    fn solve_chosen(&mut self, m: &[f64], units: &NaturalUnits) -> Result<SolveInfo, SolverError> {
        let (rows, size) = (self.q.len(), self.chosen.len());
        self.measure(units);
        self.matrix.clear();
        self.part_of_q.clear();
        for &p in &self.chosen {
            let row = &m[p * rows..(p + 1) * rows];
            let unit = self.row_units[p];
            self.matrix.extend(self.chosen.iter().map(|&k| row[k] * (self.measure_units[k] / unit)));
            self.part_of_q.push(self.q[p] / unit);
        }
        for values in [&mut self.part_of_mu, &mut self.w] {
            values.clear();
            values.resize(size, 0.0);
        }
        let problem = LcpProblem::new(square(&self.matrix, size), &self.part_of_q)?;
        let info = self.solver.solve(&problem, &mut self.part_of_mu, &mut self.w)?;
        self.mu.fill(0.0);
        for (&p, mu) in self.chosen.iter().zip(&self.part_of_mu) {
            self.mu[p] = mu.max(0.0) * self.measure_units[p];
        }
        Ok(info)
    }

    /// Computes the units of rows and measures from the sizes of the rows that are passed to the solver. All
    /// units are powers of two, so that scaling does not round.
    fn measure(&mut self, units: &NaturalUnits) {
        let components = units.outputs.len();
        self.sizes.clear();
        self.sizes.resize(self.q.len() / components, 0.0);
        for &p in &self.chosen {
            let size = &mut self.sizes[p / components];
            *size = size.max(self.terms[p].max(self.q[p].abs()) / units.outputs[p % components]);
        }
        self.row_units.clear();
        self.measure_units.clear();
        for (order, size) in self.sizes.iter().enumerate() {
            let size = nearest_power_of_two(*size);
            let is_last = order + 1 == self.sizes.len();
            let of_measures = if is_last { &units.multipliers } else { &units.outputs };
            self.row_units.extend(units.outputs.iter().map(|unit| size * unit));
            self.measure_units.extend(of_measures.iter().map(|unit| size * unit));
        }
    }
}
