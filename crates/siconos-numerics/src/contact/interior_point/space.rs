//! What an interior-point method asks of the space in which it solves Newton's equations: that of the
//! reactions, with W, or that of the velocities of the bodies, with M and H.

use super::rows::ConeRows;
use crate::cone::nesterov_todd::apply;

/// The scaling of Nesterov and Todd at a point, cone after cone: $V x = V^{-1} y$ with $V^2 = \eta^2 (2 w w^T
/// - J)$.
#[derive(Clone, Debug, Default)]
pub(in crate::contact) struct Scaling {
    pub(super) w: Vec<f64>,
    pub(super) eta: Vec<f64>,
    /// The gradient of the shift in each row, where it follows the velocities; zeros otherwise.
    pub(super) slip: Vec<f64>,
    /// Whether the shift is held, so that Newton's matrix is symmetric where W, or M, is.
    pub(in crate::contact) is_symmetric: bool,
}

impl Scaling {
    /// Writes V z of a cone, or with `inverse` $V^{-1} z$.
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

    /// Calls `visit` with row, column and value of the entries of $V^2$, or with `inverse` of $V^{-2}$, of
    /// a cone, row by row.
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

    /// The gradient of the shift in the rows of a cone.
    pub(in crate::contact) fn slip(&self, rows: &ConeRows, cone: usize) -> &[f64] {
        &self.slip[rows.range(cone)]
    }
}

/// What a point is worth.
#[derive(Clone, Copy, Debug)]
pub(in crate::contact) struct Measured {
    pub(in crate::contact) error: f64,
    /// What of it is missing in the balance of momentum.
    pub(in crate::contact) balance: f64,
}

/// Newton's equations in one space, and what the points there are worth.
pub(in crate::contact) trait Space {
    /// What a unit of the reaction of a row adds to the velocity of the row.
    fn compliance(&self, row: usize) -> f64;

    /// The size of the free velocities.
    fn free_velocity(&self) -> f64;

    /// Begins anew.
    fn begin(&mut self);

    /// The error of the point with these reactions, which is kept if it is the best.
    fn measure(&mut self, rows: &ConeRows, x: &[f64]) -> Measured;

    /// Writes the velocities of all rows at the point that was measured last, of which x are the reactions.
    fn write_velocities(&mut self, rows: &ConeRows, x: &[f64], u: &mut [f64]);

    /// What is missing in the balance of momentum there, as the root of an energy.
    fn imbalance(&self) -> f64;

    /// Factorises Newton's matrix; nothing when it is singular.
    fn factor(&mut self, rows: &ConeRows, scaling: &Scaling) -> Option<()>;

    /// Writes the direction with $V dx + V^{-1} dy = t$ and $dy = E du + g$, where du is the change of the
    /// velocities by dx, with what is missing in the balance of momentum, and $E = I + e_0 s^T$ with the
    /// gradient s of the shift; `right` is t and g. Nothing when it is not finite.
    fn solve(
        &mut self,
        rows: &ConeRows,
        scaling: &Scaling,
        right: (&[f64], &[f64]),
        direction: (&mut [f64], &mut [f64]),
    ) -> Option<()>;

    /// Goes along the last direction.
    fn advance(&mut self, step: f64);

    /// Keeps the point, to [go back](Self::go_back) to it.
    fn keep(&mut self);

    /// Goes back to the point that was kept.
    fn go_back(&mut self);
}
