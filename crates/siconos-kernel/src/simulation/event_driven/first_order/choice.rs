//! Choice of the next mode.
//!
//! Candidates come from three sources, in this order. Each candidate is tested by its motion:
//!
//! 1. The current mode after a pivot: the constraints whose guards have fired are moved into or out of the
//!    active set.
//! 2. The solution of the linear complementarity problem $0 \le q + L \lambda \perp \lambda \ge 0$. If y of a
//!    row depends on lambda directly, the row of L and q is the row of D and h. Otherwise, if $y = 0$, it is
//!    the row of $C M^{-1} B$ and the free $\dot y$. If both sides of a constraint are zero in the solution,
//!    the constraint is undecided, and candidates with and without it are tried.
//! 3. If there are few constraints, all active sets, starting with the sets that differ least from the
//!    current set.

use ndarray::Array2;
use siconos_linalg::dot;

use super::ModeError;
use super::island::Island;
use super::probe::NEARLY_ZERO;
use crate::simulation::event_driven::problems::{OneStepProblem, Problems};

/// Maximum number of constraints for which all active sets are tried. The limit corresponds to 4096 sets.
const LARGEST_ENUMERATION: usize = 12;

/// Result of the search for a mode. If a mode is found, it is stored in `trial`.
pub(super) enum Found {
    Mode,
    None { tried: usize },
    TooMany { count: usize },
}

/// Active set of a complementarity problem, with the rows that its solution leaves undecided.
struct Solution {
    is_active: Vec<bool>,
    open: Vec<usize>,
}

impl Island {
    /// Chooses the mode at (t, x) and stores it in `trial`. If no mode is found, x jumps first. Returns
    /// `true` if x has jumped.
    pub(super) fn choose_with_jump(
        &mut self,
        problems: &mut Problems,
        t: f64,
        x: &mut [f64],
    ) -> Result<bool, ModeError> {
        let rows = self.data.rows();
        // Keep only the first guards of the rows. A second guard, with an index of at least `rows`, has fired
        // because the value is clearly below zero.
        self.fired.retain(|guard| *guard < rows);
        let mut tried = 0;
        if !self.violates_constraint(x) {
            // Use the true magnitudes first. If no mode is found, use the resolved magnitudes.
            for is_resolved in [false, true] {
                self.magnitudes.resolve(is_resolved);
                let found = self.choose(problems, t, x);
                self.magnitudes.resolve(false);
                match found? {
                    Found::Mode => return Ok(false),
                    Found::None { tried: count } => tried += count,
                    Found::TooMany { count } => {
                        let (relation, largest) = (self.data.name(), LARGEST_ENUMERATION);
                        return Err(ModeError::TooManyAtOnce { t, relation, count, largest });
                    }
                }
            }
        }
        // After a jump, the guards that have fired need not be zero.
        self.fired.clear();
        if self.jump(problems, t, x)? {
            return Ok(true);
        }
        Err(ModeError::NoMode { t, relation: self.data.name(), sets: tried })
    }

    /// Returns `true` if h is negative in a row that does not depend on lambda. No mode can continue from
    /// such a state.
    fn violates_constraint(&mut self, x: &[f64]) -> bool {
        self.measure(x);
        let (data, x) = (&self.data, &self.magnitudes.x);
        (0..data.rows()).any(|row| {
            let violated = data.h[row] < -NEARLY_ZERO * data.h_size(row, x);
            !data.is_equality[row] && violated && !data.shows_lambda(row)
        })
    }

    /// Searches for a mode at (t, x).
    pub(super) fn choose(&mut self, problems: &mut Problems, t: f64, x: &[f64]) -> Result<Found, ModeError> {
        let mut base = self.data.is_equality.clone();
        if self.has_mode {
            base.copy_from_slice(&self.mode.is_active);
        }
        for &row in &self.fired {
            base[row] = !base[row];
        }
        let mut tried = 1;
        if self.has_mode && self.admits(t, x, &base)? {
            return Ok(Found::Mode);
        }
        self.data.evaluate(t, x, true)?;
        let mut too_many = None;
        if let Some(Solution { is_active: solution, open }) =
            self.active_set_of_problem(problems, x, &base)?
        {
            if open.len() <= LARGEST_ENUMERATION {
                if self.try_sets(t, x, &solution, &open, &mut tried)? {
                    return Ok(Found::Mode);
                }
            } else {
                // First keep the undecided rows as they are in `base`, then remove all of them.
                let mut without = solution.clone();
                open.iter().for_each(|row| without[*row] = false);
                for candidate in [solution, without] {
                    tried += 1;
                    if self.admits(t, x, &candidate)? {
                        return Ok(Found::Mode);
                    }
                }
                too_many = Some(open.len());
            }
        }
        let all: Vec<usize> = (0..base.len()).filter(|row| !self.data.is_equality[*row]).collect();
        if all.len() <= LARGEST_ENUMERATION {
            if self.try_sets(t, x, &base, &all, &mut tried)? {
                return Ok(Found::Mode);
            }
            too_many = None;
        }
        Ok(too_many.map_or(Found::None { tried }, |count| Found::TooMany { count }))
    }

    /// Tries the set `base` with each subset of the undecided rows switched. Smaller subsets are tried first.
    fn try_sets(
        &mut self,
        t: f64,
        x: &[f64],
        base: &[bool],
        open: &[usize],
        tried: &mut usize,
    ) -> Result<bool, ModeError> {
        for candidate in with_exchanged(base, open) {
            *tried += 1;
            if self.admits(t, x, &candidate)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the active set that solves the complementarity problem at the last evaluation of the data, and
    /// the undecided rows. In these rows, both sides are zero, and the active flags are copied from `base`.
    /// Returns `None` if there are equalities or if no solution is found.
    fn active_set_of_problem(
        &mut self,
        problems: &mut Problems,
        x: &[f64],
        base: &[bool],
    ) -> Result<Option<Solution>, ModeError> {
        self.measure(x);
        let Self { data, acceleration_solve, magnitudes: of, .. } = self;
        if data.is_equality.contains(&true) {
            return Ok(None);
        }
        let is_contact = |row: usize| data.h[row] <= NEARLY_ZERO * data.h_size(row, &of.x);
        let rows: Vec<usize> =
            (0..data.rows()).filter(|&row| data.shows_lambda(row) || is_contact(row)).collect();
        let size = rows.len();
        let mut solution = vec![false; data.rows()];
        if size == 0 {
            return Ok(Some(Solution { is_active: solution, open: Vec::new() }));
        }
        let matrix = Array2::from_shape_fn((size, size), |(k, l)| data.leading(rows[k], rows[l]));
        let of_row = |&row: &usize| {
            if data.shows_lambda(row) {
                (data.h[row], data.h_size(row, &of.x))
            } else {
                (data.h_rate[row] + dot(data.c_row(row), &data.rate), data.h_rate_size(row, &of.rate))
            }
        };
        let (q, sizes): (Vec<f64>, Vec<f64>) = rows.iter().map(of_row).unzip();
        // All data are known to be finite here.
        let which = OneStepProblem::Acceleration;
        let Some(problem) = problems.solve_posed(which, &matrix, &q, acceleration_solve) else {
            return Ok(None);
        };
        let (z, w) = (&problem.z, &problem.w);
        let mut open = Vec::new();
        for (k, &row) in rows.iter().enumerate() {
            let (small_w, small_z) = (NEARLY_ZERO * sizes[k], NEARLY_ZERO * sizes[k] / matrix[[k, k]].abs());
            // If the diagonal entry is zero, only z = 0 counts as zero.
            let small_z = if small_z.is_finite() { small_z } else { 0.0 };
            if w[k] <= small_w && z[k] <= small_z {
                solution[row] = base[row];
                open.push(row);
            } else {
                // At most one of `w[k]` and `z[k]` is above rounding error.
                solution[row] = w[k] <= small_w && z[k] > 0.0;
            }
        }
        Ok(Some(Solution { is_active: solution, open }))
    }
}

/// Iterates over the sets that result from `base` by switching a subset of the open rows. Smaller subsets
/// come first.
pub(super) fn with_exchanged(base: &[bool], open: &[usize]) -> impl Iterator<Item = Vec<bool>> {
    let mut subsets: Vec<u32> = (0..1 << open.len()).collect();
    subsets.sort_by_key(|subset| subset.count_ones());
    subsets.into_iter().map(|subset| {
        let mut set = base.to_vec();
        for (k, &row) in open.iter().enumerate() {
            set[row] ^= subset >> k & 1 == 1;
        }
        set
    })
}
