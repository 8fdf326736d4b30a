//! Newton equations of the interior-point method in two forms: with W, where the reactions are the unknowns,
//! or with M and H in velocity space.

use super::rows::ConeRows;
use crate::cone::nesterov_todd::apply;

/// Nesterov-Todd scaling V of an iterate. For each cone, $V x = V^{-1} y$ with $V^2 = \eta^2 (2 w w^T - J)$.
#[derive(Clone, Debug, Default)]
pub(in crate::contact) struct Scaling {
    pub(super) w: Vec<f64>,
    pub(super) eta: Vec<f64>,
    /// Gradient of the shift, one entry per row. It is zero if the shift is fixed.
    pub(super) slip: Vec<f64>,
    /// `true` if the shift is fixed. In this case the Newton matrix is symmetric if W (or M) is symmetric.
    pub(in crate::contact) is_symmetric: bool,
}

impl Scaling {
    /// Writes V z for one cone, or $V^{-1} z$ if `inverse` is `true`.
    pub(in crate::contact) fn apply(
        &self,
        rows: &ConeRows,
        cone: usize,
        inverse: bool,
        z: &[f64],
        result: &mut [f64],
    ) {
        apply(&self.w[rows.range(cone)], self.eta[cone], inverse, z, result);
    }

    /// Calls `visit` with the row, the column and the value of each entry of $V^2$ of a cone, in row-major
    /// order. If `inverse` is `true`, visits the entries of $V^{-2}$ instead.
    pub(in crate::contact) fn for_each_of_square(
        &self,
        rows: &ConeRows,
        cone: usize,
        inverse: bool,
        mut visit: impl FnMut(usize, usize, f64),
    ) {
        let w = &self.w[rows.range(cone)];
        let factor = self.eta[cone].powi(if inverse { -2 } else { 2 });
        let sign = if inverse { -1.0 } else { 1.0 };
        for i in 0..w.len() {
            for j in 0..w.len() {
                let (sign, mirror) = match (i, j) {
                    (0, 0) => (1.0, 1.0),
                    _ if i == j => (1.0, -1.0),
                    (0, _) | (_, 0) => (sign, 0.0),
                    _ => (1.0, 0.0),
                };
                visit(i, j, factor * (2.0 * sign * w[i] * w[j] - mirror));
            }
        }
    }

    /// Returns the gradient of the shift, one entry per row of a cone.
    pub(in crate::contact) fn slip(&self, rows: &ConeRows, cone: usize) -> &[f64] {
        &self.slip[rows.range(cone)]
    }
}

/// Errors of an iterate.
#[derive(Clone, Copy, Debug)]
pub(in crate::contact) struct PointErrors {
    pub(in crate::contact) error: f64,
    /// Residual of the momentum balance, relative to its terms.
    pub(in crate::contact) balance: f64,
}

/// Newton equations in one of the two forms, together with the error of an iterate.
pub(in crate::contact) trait Space {
    /// Returns the velocity of a row caused by a unit reaction in this row.
    fn compliance(&self, row: usize) -> f64;

    /// Returns the norm of the free velocities.
    fn free_velocity(&self) -> f64;

    /// Resets the state before a new search.
    fn begin(&mut self);

    /// Computes the error of the reactions `x`, and stores `x` if its error is the smallest so far.
    fn measure(&mut self, rows: &ConeRows, x: &[f64]) -> PointErrors;

    /// Writes the velocities of all rows to `u`. `x` must be the argument of the most recent call of
    /// [`measure`](Self::measure).
    fn write_velocities(&mut self, rows: &ConeRows, x: &[f64], u: &mut [f64]);

    /// Returns the energy norm of the residual of the momentum balance, for the velocities that the most
    /// recent call of [`write_velocities`](Self::write_velocities) has written.
    fn imbalance(&self) -> f64;

    /// Factorises the Newton matrix for this scaling. Returns `None` if the matrix is singular.
    fn factor(&mut self, rows: &ConeRows, scaling: &Scaling) -> Option<()>;

    /// Writes the direction (dx, dy) that satisfies $V dx + V^{-1} dy = t$ and $dy = E du + g$. Here du is
    /// the change of the velocities caused by dx and by the residual of the momentum balance, and
    /// $E = I + e_0 s^T$ with the gradient s of the shift. `right` holds t and g. Returns `None` if the
    /// direction is not finite.
    fn solve(
        &mut self,
        rows: &ConeRows,
        scaling: &Scaling,
        right: (&[f64], &[f64]),
        direction: (&mut [f64], &mut [f64]),
    ) -> Option<()>;

    /// Moves the velocities along the most recent direction by the step length `step`.
    fn advance(&mut self, step: f64);

    /// Saves the velocities, so that [`go_back`](Self::go_back) can restore them.
    fn keep(&mut self);

    /// Restores the saved velocities.
    fn go_back(&mut self);
}
