//! Jumps of a state that violates a constraint.
//!
//! An impulse $\sigma$ of lambda moves the state by $x^+ - x^- = M^{-1} B \sigma$ to an admissible state. If
//! D = 0, the jump satisfies
//!
//! $$ 0 \le h(x^+) \perp \sigma \ge 0 . $$
//!
//! For a passive system, $x^+$ is the projection of $x^-$ in the metric of the storage function (Heemels,
//! Schumacher, Weiland 2000, section 5; for the sweeping process Moreau 1977). If D is not 0, the impulse
//! must not do any work on D: $\sigma \ge 0$, $D \sigma \ge 0$, $\sigma^T D \sigma = 0$ (Frasca, Camlibel,
//! Goknar, Iannelli, Vasca 2010, section IV).

use ndarray::Array2;
use siconos_linalg::{add_scaled, dot};

use super::ModeError;
use super::choice::{Found, with_exchanged};
use super::island::Island;
use crate::simulation::event_driven::problems::{OneStepProblem, Problems};

/// Maximum number of Newton steps for the jump onto a nonlinear constraint.
const MOST_STEPS: usize = 100;
/// Step size at which the iteration ends, relative to the states before and after the jump.
const SMALL_STEP: f64 = 1e-13;
/// Maximum number of rows for which all possible sets of rows with an impulse are tried.
const LARGEST_ENUMERATION: usize = 8;
/// Fraction of the largest impulse below which an impulse counts as zero.
const NEGLIGIBLE: f64 = 1e-10;

impl Island {
    /// Moves x by a jump to a state from which a mode continues, and stores the mode in `trial`. If no such
    /// jump exists, restores x and returns `false`.
    pub(super) fn jump(&mut self, problems: &mut Problems, t: f64, x: &mut [f64]) -> Result<bool, ModeError> {
        let before = x.to_vec();
        if self.jump_onto(problems, t, &before, x)? || self.jump_by_enumeration(problems, t, &before, x)? {
            return Ok(true);
        }
        x.copy_from_slice(&before);
        self.jump_impulse.fill(0.0);
        Ok(false)
    }

    /// Returns `true` if a mode continues at (t, x). The mode is stored in `trial`.
    fn has_mode_at(&mut self, problems: &mut Problems, t: f64, x: &[f64]) -> Result<bool, ModeError> {
        self.data.evaluate(t, x, true)?;
        Ok(matches!(self.choose(problems, t, x)?, Found::Mode))
    }

    /// Returns the rows in which y does not depend on lambda. Returns `None` if all rows depend on lambda, if
    /// one of the returned rows would be an equality, or if lambda of one of them enters the equation of
    /// another row.
    fn rows_without_lambda(&self) -> Option<Vec<usize>> {
        let data = &self.data;
        let rows: Vec<usize> = (0..data.rows()).filter(|row| !data.shows_lambda(*row)).collect();
        let is_apart = |row: &usize| !data.is_equality[*row] && data.d.column(*row).iter().all(|d| *d == 0.0);
        (!rows.is_empty() && rows.iter().all(is_apart)).then_some(rows)
    }

    /// Computes a jump of x that satisfies the jump law in the rows without lambda, by the Josephy-Newton
    /// method (Josephy 1979). Each iteration linearises h and evaluates B at the latest $x^+$.
    fn jump_onto(
        &mut self,
        problems: &mut Problems,
        t: f64,
        before: &[f64],
        x: &mut [f64],
    ) -> Result<bool, ModeError> {
        let Some(rows) = self.rows_without_lambda() else { return Ok(false) };
        let size = rows.len();
        for _ in 0..MOST_STEPS {
            self.data.evaluate(t, x, false)?;
            self.data.check_finite(t)?;
            let Self { data, impact_solve, jump_impulse, .. } = self;
            let back: Vec<f64> = before.iter().zip(&*x).map(|(before, x)| before - x).collect();
            let matrix = Array2::from_shape_fn((size, size), |(k, l)| data.gain(rows[k], rows[l]));
            let q: Vec<f64> = rows.iter().map(|&row| data.h[row] + dot(data.c_row(row), &back)).collect();
            let Some(problem) = problems.solve_posed(OneStepProblem::Impact, &matrix, &q, impact_solve)
            else {
                return Ok(false);
            };
            let last = x.to_vec();
            x.copy_from_slice(before);
            for (sigma, &row) in problem.z.iter().zip(&rows) {
                add_scaled(*sigma, data.input(row), x);
                jump_impulse[row] = *sigma;
            }
            let is_still = |k: usize| (x[k] - last[k]).abs() <= SMALL_STEP * (x[k].abs() + before[k].abs());
            if (0..x.len()).all(is_still) {
                return self.has_mode_at(problems, t, x);
            }
        }
        Ok(false)
    }

    /// Computes a jump of x for a few linear rows with a matrix D, by trying all sets of rows with an
    /// impulse.
    fn jump_by_enumeration(
        &mut self,
        problems: &mut Problems,
        t: f64,
        before: &[f64],
        x: &mut [f64],
    ) -> Result<bool, ModeError> {
        let equalities = self.data.is_equality.clone();
        let open: Vec<usize> = (0..equalities.len()).filter(|row| !equalities[*row]).collect();
        if open.len() > LARGEST_ENUMERATION {
            return Ok(false);
        }
        for is_active in with_exchanged(&equalities, &open) {
            self.data.evaluate(t, before, true)?;
            if self.trial.set(&is_active, &self.data).is_err() {
                continue;
            }
            self.trial.impulses(&self.data, &mut self.sigma);
            if !self.lets_pass(&open) {
                continue;
            }
            x.copy_from_slice(before);
            for (row, sigma) in self.sigma.iter().enumerate() {
                add_scaled(*sigma, self.data.input(row), x);
            }
            self.jump_impulse.copy_from_slice(&self.sigma);
            if self.has_mode_at(problems, t, x)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns `true` if the impulses are not all zero and satisfy the jump law.
    fn lets_pass(&self, open: &[usize]) -> bool {
        let (data, sigma) = (&self.data, &self.sigma);
        let largest = sigma.iter().fold(0.0_f64, |largest, sigma| largest.max(sigma.abs()));
        largest > 0.0
            && largest.is_finite()
            && open.iter().all(|&row| {
                let parts = || data.d.row(row).into_iter().zip(sigma).map(|(d, sigma)| d * sigma);
                let (value, size) = (parts().sum::<f64>(), parts().map(f64::abs).sum::<f64>());
                sigma[row] >= -NEGLIGIBLE * largest && value >= -NEGLIGIBLE * size
            })
    }
}
