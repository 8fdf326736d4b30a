//! Iterate of the interior-point method, and the Newton directions at the iterate.

use siconos_linalg::{add_scaled, dot, norm};

use super::rows::ConeRows;
use super::space::{Scaling, Space};
use crate::cone::nesterov_todd::{divide, longest_step, product, scaling};
use crate::contact::residual::violation;
use crate::contact::scales::{BlockScale, scale_blocks};

/// Iterate of the interior-point method: reactions x and shifted velocities y, both inside the cones.
#[derive(Clone, Debug, Default)]
pub(in crate::contact) struct InteriorIterate {
    pub(super) x: Vec<f64>,
    y: Vec<f64>,
    /// Shift of each cone, either fixed or computed from the velocities.
    shift: Vec<f64>,
    scales: Vec<BlockScale>,
    mean_inverse_mass: f64,
    /// Velocities of the rows.
    u: Vec<f64>,
    /// Residual of y: the shifted velocities minus y.
    gap: Vec<f64>,
    scaling: Scaling,
    lambda: Vec<f64>,
    target: Vec<f64>,
    scaled: Vec<f64>,
    dx: Vec<f64>,
    dy: Vec<f64>,
    /// Copies of x and y from the start of the most recent step along the central path.
    kept: [Vec<f64>; 2],
}

/// An iterate is near the central path only if its residuals are below this multiple of the square root of
/// the energy of its complementarity.
const NEAR_PATH: f64 = 0.3;

/// An iterate is near the central path only if each product $x \circ y$ deviates from its value on the path
/// by less than this fraction.
const CENTRED: f64 = 0.5;

impl InteriorIterate {
    /// Allocates the workspace for the rows of a problem, and computes their scales.
    pub(super) fn prepare(&mut self, rows: &ConeRows, space: &impl Space) {
        let law = rows.law();
        self.mean_inverse_mass = scale_blocks(&law, |row| space.compliance(row), &mut self.scales);
        let Self { x, y, u, gap, lambda, target, scaled, dx, dy, .. } = self;
        let Scaling { w, slip, eta, .. } = &mut self.scaling;
        for vector in [x, y, u, gap, lambda, target, scaled, dx, dy, w, slip] {
            vector.clear();
            vector.resize(law.size(), 0.0);
        }
        for vector in [&mut self.shift, eta] {
            vector.clear();
            vector.resize(law.blocks(), 0.0);
        }
    }

    /// Starts in the middle of the cones, where the velocities of each cone have the norm `size`. If
    /// `follows` is `true`, the shift is computed from the velocities of each iterate; otherwise it is fixed.
    pub(super) fn begin(&mut self, rows: &ConeRows, size: f64, follows: bool) {
        for vector in [&mut self.x, &mut self.y, &mut self.dx, &mut self.dy] {
            vector.fill(0.0);
        }
        for (cone, scale) in self.scales.iter().enumerate() {
            let head = rows.range(cone).start;
            self.y[head] = size;
            self.x[head] = size / scale.inverse_mass;
        }
        self.scaling.is_symmetric = !follows;
        self.scaling.slip.fill(0.0);
    }

    /// Fixes the shift at 0.
    pub(super) fn drop_shift(&mut self) {
        self.shift.fill(0.0);
    }

    /// Fixes the shift at its value at the current velocities.
    pub(super) fn hold(&mut self, rows: &ConeRows) {
        for (cone, shift) in self.shift.iter_mut().enumerate() {
            *shift = norm(&self.u[rows.range(cone)][1..]);
        }
    }

    /// Returns the complementarity $x^T y$ divided by the number of cones.
    pub(super) fn complementarity(&self) -> f64 {
        dot(&self.x, &self.y) / self.shift.len().max(1) as f64
    }

    /// Returns the mean complementarity after a step of length `step` along the current direction.
    pub(super) fn after(&self, step: f64) -> f64 {
        let cross = dot(&self.x, &self.dy) + dot(&self.dx, &self.y);
        let all = dot(&self.x, &self.y) + step * (cross + step * dot(&self.dx, &self.dy));
        all / self.shift.len().max(1) as f64
    }

    /// Computes the velocities, the residual of y and the scaling at the iterate. The error of the iterate
    /// must have been computed before. Returns `None` if the iterate has left the cones.
    pub(super) fn linearise(&mut self, rows: &ConeRows, space: &mut impl Space) -> Option<()> {
        space.write_velocities(rows, &self.x, &mut self.u);
        for cone in 0..rows.cones() {
            let range = rows.range(cone);
            let u = &self.u[range.clone()];
            if !self.scaling.is_symmetric {
                let (length, slip) = (norm(&u[1..]), &mut self.scaling.slip[range.clone()]);
                self.shift[cone] = length;
                slip.fill(0.0);
                if length > 0.0 {
                    slip[1..].iter_mut().zip(&u[1..]).for_each(|(slip, u)| *slip = u / length);
                }
            }
            let (x, y) = (&self.x[range.clone()], &self.y[range.clone()]);
            let gap = &mut self.gap[range.clone()];
            gap.iter_mut().zip(u).zip(y).for_each(|((gap, u), y)| *gap = u - y);
            gap[0] += self.shift[cone];
            self.scaling.eta[cone] = scaling(x, y, &mut self.scaling.w[range.clone()])?;
            self.scaling.apply(rows, cone, false, x, &mut self.lambda[range]);
        }
        Some(())
    }

    /// Returns the violation of the convex program with the current shift \[m/s\].
    pub(super) fn violation(&mut self, rows: &ConeRows) -> f64 {
        self.scaled.copy_from_slice(&self.u);
        self.shift.iter().enumerate().for_each(|(cone, shift)| self.scaled[rows.range(cone).start] += shift);
        violation(&rows.law(), &self.scales, &self.x, &self.scaled)
    }

    /// Returns `true` if the iterate is near the point of the central path at which all products $x \circ y$
    /// equal `centre` times the unit element.
    pub(super) fn is_central(&mut self, rows: &ConeRows, space: &impl Space, centre: f64) -> bool {
        let energy = (centre * rows.cones() as f64).sqrt();
        space.imbalance() < NEAR_PATH * energy
            && norm(&self.gap) < NEAR_PATH * energy * self.mean_inverse_mass.sqrt()
            && (0..rows.cones()).all(|cone| {
                let range = rows.range(cone);
                let square = &mut self.scaled[range.clone()];
                product(&self.lambda[range.clone()], &self.lambda[range], square);
                square[0] -= centre;
                norm(square) < CENTRED * centre
            })
    }

    /// Factorises the Newton matrix at the iterate. Returns `None` if the matrix is singular.
    pub(super) fn factor(&self, rows: &ConeRows, space: &mut impl Space) -> Option<()> {
        space.factor(rows, &self.scaling)
    }

    /// Computes the Newton direction towards equal products $x \circ y$ of size `centre`. If `corrected` is
    /// `true`, adds the second-order term, which is computed from the previous direction.
    pub(super) fn find_direction(
        &mut self,
        rows: &ConeRows,
        space: &mut impl Space,
        centre: f64,
        corrected: bool,
    ) -> Option<()> {
        let Self { gap, scaling, lambda, target, scaled, dx, dy, .. } = self;
        for cone in 0..rows.cones() {
            let range = rows.range(cone);
            let (lambda, target) = (&lambda[range.clone()], &mut target[range.clone()]);
            product(lambda, lambda, target);
            target.iter_mut().for_each(|t| *t = -*t);
            target[0] += centre;
            if corrected {
                let (dx, dy) = (&mut dx[range.clone()], &mut dy[range.clone()]);
                let scaled = &mut scaled[range.clone()];
                scaling.apply(rows, cone, false, dx, scaled);
                scaling.apply(rows, cone, true, dy, dx);
                product(scaled, dx, dy);
                target.iter_mut().zip(&*dy).for_each(|(t, c)| *t -= c);
            }
            divide(lambda, target);
        }
        space.solve(rows, scaling, (target, gap), (dx, dy))
    }

    /// Returns the step length at which the iterate reaches the boundary of the cones.
    pub(super) fn longest(&self, rows: &ConeRows) -> f64 {
        (0..rows.cones()).fold(f64::INFINITY, |longest, cone| {
            let range = rows.range(cone);
            let of_x = longest_step(&self.x[range.clone()], &self.dx[range.clone()]);
            let of_y = longest_step(&self.y[range.clone()], &self.dy[range]);
            longest.min(of_x).min(of_y)
        })
    }

    /// Moves the iterate along the direction by the step length `step`.
    pub(super) fn advance(&mut self, space: &mut impl Space, step: f64) {
        add_scaled(step, &self.dx, &mut self.x);
        add_scaled(step, &self.dy, &mut self.y);
        space.advance(step);
    }

    /// Saves the iterate, so that [`go_back`](Self::go_back) can restore it.
    pub(super) fn keep(&mut self, space: &mut impl Space) {
        let [x, y] = &mut self.kept;
        x.clone_from(&self.x);
        y.clone_from(&self.y);
        space.keep();
    }

    /// Restores the saved iterate.
    pub(super) fn go_back(&mut self, space: &mut impl Space) {
        let [x, y] = &self.kept;
        self.x.clone_from(x);
        self.y.clone_from(y);
        space.go_back();
    }
}
