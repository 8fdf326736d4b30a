//! A point inside the cones, the scaling of Nesterov and Todd there, and Newton's directions.

use super::super::GlobalProblem;
use super::super::matrices::Matrices;
use super::super::velocity_matrix::VelocityMatrix;
use super::cones::Cones;
use crate::cone::nesterov_todd::{apply, divide, longest_step, product, scaling};
use crate::contact::ContactLaw;
use crate::contact::residual::violation;
use crate::contact::scales::{BlockScale, scale_blocks};
use crate::linalg::{add_scaled, are_finite, dot, norm};

/// The iterate: velocities v, reactions x and shifted velocities y of the cones, x and y inside; with all
/// that Newton's step needs.
#[derive(Clone, Debug, Default)]
pub(super) struct Point {
    pub(super) v: Vec<f64>,
    pub(super) x: Vec<f64>,
    y: Vec<f64>,
    /// The shift of each cone, which is held or follows the velocities.
    shift: Vec<f64>,
    follows: bool,
    matrices: Matrices,
    factors: VelocityMatrix,
    inverse_roots: Vec<f64>,
    masses: Vec<f64>,
    scales: Vec<BlockScale>,
    mean_inverse_mass: f64,
    /// u = B^T v + w, and the unit vectors of its other rows where the shift follows them.
    u: Vec<f64>,
    slip: Vec<f64>,
    momentum: Vec<f64>,
    gap: Vec<f64>,
    w: Vec<f64>,
    eta: Vec<f64>,
    lambda: Vec<f64>,
    d: Vec<f64>,
    target: Vec<f64>,
    scaled: Vec<f64>,
    dv: Vec<f64>,
    dx: Vec<f64>,
    dy: Vec<f64>,
    /// v, x and y where the last step along the path began.
    kept: [Vec<f64>; 3],
}

/// How far the residuals may be from zero for a point to count as one of the central path, beside the root of
/// the energy of its gap.
const NEAR_PATH: f64 = 0.3;

/// How far the products $x \circ y$ of a point on the path may be from their common value, as a part of it.
const CENTRED: f64 = 0.5;

impl Point {
    /// Takes the matrices of a problem.
    pub(super) fn prepare(&mut self, cones: &Cones) {
        let program = cones.program();
        let (law, rows, n) = (program.law(), program.size(), program.degrees_of_freedom());
        self.matrices.prepare(&program);
        self.matrices.masses(&law, &mut self.masses, &mut self.inverse_roots);
        let Self { matrices, inverse_roots, scales, .. } = self;
        let compliance =
            |j: usize| matrices.h.column(j).map(|(i, x)| (x * inverse_roots[i]).powi(2)).sum::<f64>();
        self.mean_inverse_mass = scale_blocks(&law, compliance, scales);
        let Self { x, y, u, slip, gap, w, lambda, target, scaled, dx, dy, .. } = self;
        for vector in [x, y, u, slip, gap, w, lambda, target, scaled, dx, dy] {
            vector.clear();
            vector.resize(rows, 0.0);
        }
        for vector in [&mut self.v, &mut self.momentum, &mut self.dv] {
            vector.clear();
            vector.resize(n, 0.0);
        }
        for vector in [&mut self.shift, &mut self.eta] {
            vector.clear();
            vector.resize(law.blocks(), 0.0);
        }
    }

    /// Begins in the middle of the cones, with velocities of this size.
    pub(super) fn begin(&mut self, cones: &Cones, v: &[f64], size: f64) {
        self.v.fill(0.0);
        self.v[..v.len()].copy_from_slice(v);
        for vector in [&mut self.x, &mut self.y] {
            vector.fill(0.0);
        }
        for (start, mass) in cones.starts().iter().zip(&self.masses) {
            self.y[*start] = size;
            self.x[*start] = size * mass;
        }
        self.follows = false;
    }

    /// Holds the shift at that of the velocities now.
    pub(super) fn hold(&mut self, cones: &Cones) {
        for (shift, range) in self.shift.iter_mut().zip(cones.starts().windows(2)) {
            *shift = norm(&self.u[range[0] + 1..range[1]]);
        }
    }

    /// From here on the shift follows the velocities.
    pub(super) fn follow(&mut self) {
        self.follows = true;
    }

    /// The complementarity of a cone, $x^T y$, in the mean.
    pub(super) fn complementarity(&self) -> f64 {
        dot(&self.x, &self.y) / self.shift.len().max(1) as f64
    }

    /// Velocities, the residuals and the scaling at the point; nothing where it has left the cones.
    pub(super) fn linearise(&mut self, program: &GlobalProblem<'_>) -> Option<()> {
        let law = program.law();
        self.u.copy_from_slice(program.w());
        program.h().add_transposed_product(1.0, &self.v, &mut self.u);
        self.momentum.copy_from_slice(program.f());
        program.h().add_product(1.0, &self.x, &mut self.momentum);
        program.m().add_product(-1.0, &self.v, &mut self.momentum);
        for block in 0..law.blocks() {
            let range = law.range(block);
            let (u, slip) = (&self.u[range.clone()], &mut self.slip[range.clone()]);
            slip.fill(0.0);
            if self.follows {
                let length = norm(&u[1..]);
                self.shift[block] = length;
                if length > 0.0 {
                    slip[1..].iter_mut().zip(&u[1..]).for_each(|(slip, u)| *slip = u / length);
                }
            }
            let (x, y) = (&self.x[range.clone()], &self.y[range.clone()]);
            let gap = &mut self.gap[range.clone()];
            gap.iter_mut().zip(u).zip(y).for_each(|((gap, u), y)| *gap = u - y);
            gap[0] += self.shift[block];
            let w = &mut self.w[range.clone()];
            self.eta[block] = scaling(x, y, w)?;
            apply(w, self.eta[block], false, x, &mut self.lambda[range]);
        }
        Some(())
    }

    /// By how much the program with the shift as it is is violated, as a velocity.
    pub(super) fn violation(&mut self, law: &ContactLaw<'_>) -> f64 {
        for (block, shift) in self.shift.iter().enumerate() {
            let range = law.range(block);
            self.scaled[range.clone()].copy_from_slice(&self.u[range.clone()]);
            self.scaled[range.start] += shift;
        }
        violation(law, &self.scales, &self.x, &self.scaled)
    }

    /// Whether the point is near the one with this product of all x and y, where the residuals vanish.
    pub(super) fn is_central(&mut self, law: &ContactLaw<'_>, centre: f64) -> bool {
        let energy = (centre * self.shift.len() as f64).sqrt();
        let of_momentum = self.momentum.iter().zip(&self.inverse_roots).map(|(p, root)| (p * root).powi(2));
        let is_near = of_momentum.sum::<f64>().sqrt() < NEAR_PATH * energy
            && norm(&self.gap) < NEAR_PATH * energy * self.mean_inverse_mass.sqrt();
        is_near
            && (0..law.blocks()).all(|block| {
                let range = law.range(block);
                let square = &mut self.scaled[range.clone()];
                product(&self.lambda[range.clone()], &self.lambda[range], square);
                square[0] -= centre;
                norm(square) < CENTRED * centre
            })
    }

    /// Factorises Newton's matrix $M + B D E B^T$, with $D = V^{-2}$ and the derivative $E = I + e_0 t^T$ of
    /// the shifted velocities.
    pub(super) fn factor(&mut self, law: &ContactLaw<'_>) -> Option<()> {
        self.d.clear();
        for block in 0..law.blocks() {
            let range = law.range(block);
            let (w, slip) = (&self.w[range.clone()], &self.slip[range]);
            let factor = self.eta[block].powi(-2);
            let mirrored = |k: usize| if k == 0 { w[0] } else { -w[k] };
            let entry = |i: usize, j: usize| {
                let mirror = if i != j {
                    0.0
                } else if i == 0 {
                    1.0
                } else {
                    -1.0
                };
                factor * (2.0 * mirrored(i) * mirrored(j) - mirror)
            };
            for i in 0..w.len() {
                self.d.extend((0..w.len()).map(|j| entry(i, j) + entry(i, 0) * slip[j]));
            }
        }
        self.factors.factor(&self.matrices, law, (&self.d, !self.follows)).ok()
    }

    /// Newton's direction to the point with the products `centre`; `corrected` by the product of the last
    /// direction, which it neglects.
    pub(super) fn find_direction(
        &mut self,
        program: &GlobalProblem<'_>,
        centre: f64,
        corrected: bool,
    ) -> Option<()> {
        let law = program.law();
        for block in 0..law.blocks() {
            let range = law.range(block);
            let (w, eta) = (&self.w[range.clone()], self.eta[block]);
            let (lambda, target) = (&self.lambda[range.clone()], &mut self.target[range.clone()]);
            product(lambda, lambda, target);
            target.iter_mut().for_each(|t| *t = -*t);
            target[0] += centre;
            let (dx, dy) = (&mut self.dx[range.clone()], &mut self.dy[range.clone()]);
            let scaled = &mut self.scaled[range.clone()];
            if corrected {
                apply(w, eta, false, dx, scaled);
                apply(w, eta, true, dy, dx);
                product(scaled, dx, dy);
                target.iter_mut().zip(&*dy).for_each(|(t, c)| *t -= c);
            }
            divide(lambda, target);
            // V^-1 t - D gap, with D = V^-1 V^-1.
            apply(w, eta, true, &self.gap[range], scaled);
            scaled.iter_mut().zip(&*target).for_each(|(s, t)| *s = t - *s);
            apply(w, eta, true, scaled, dx);
        }
        self.dv.copy_from_slice(&self.momentum);
        program.h().add_product(1.0, &self.dx, &mut self.dv);
        self.factors.solve(&mut self.dv);
        // dy = E B^T dv + gap, dx = V^-1 (t - V^-1 dy).
        self.dy.fill(0.0);
        program.h().add_transposed_product(1.0, &self.dv, &mut self.dy);
        for block in 0..law.blocks() {
            let range = law.range(block);
            let (w, eta) = (&self.w[range.clone()], self.eta[block]);
            let dy = &mut self.dy[range.clone()];
            dy[0] += dot(&self.slip[range.clone()], dy);
            dy.iter_mut().zip(&self.gap[range.clone()]).for_each(|(dy, gap)| *dy += gap);
            let scaled = &mut self.scaled[range.clone()];
            apply(w, eta, true, dy, scaled);
            scaled.iter_mut().zip(&self.target[range.clone()]).for_each(|(s, t)| *s = t - *s);
            apply(w, eta, true, scaled, &mut self.dx[range]);
        }
        (are_finite(&self.dv) && are_finite(&self.dx) && are_finite(&self.dy)).then_some(())
    }

    /// The step to the boundary of the cones along the direction.
    pub(super) fn longest(&self, law: &ContactLaw<'_>) -> f64 {
        (0..law.blocks()).fold(f64::INFINITY, |longest, block| {
            let range = law.range(block);
            let of_x = longest_step(&self.x[range.clone()], &self.dx[range.clone()]);
            let of_y = longest_step(&self.y[range.clone()], &self.dy[range]);
            longest.min(of_x).min(of_y)
        })
    }

    /// The complementarity at the end of a step.
    pub(super) fn predicted(&self, step: f64) -> f64 {
        let cross = dot(&self.x, &self.dy) + dot(&self.dx, &self.y);
        let all = dot(&self.x, &self.y) + step * (cross + step * dot(&self.dx, &self.dy));
        all / self.shift.len().max(1) as f64
    }

    /// Keeps the point, to [go back](Self::go_back) to it.
    pub(super) fn keep(&mut self) {
        let [v, x, y] = &mut self.kept;
        v.clone_from(&self.v);
        x.clone_from(&self.x);
        y.clone_from(&self.y);
    }

    /// Goes back to the point that was kept.
    pub(super) fn go_back(&mut self) {
        let [v, x, y] = &self.kept;
        self.v.clone_from(v);
        self.x.clone_from(x);
        self.y.clone_from(y);
    }

    /// Goes along the direction.
    pub(super) fn advance(&mut self, step: f64) {
        add_scaled(step, &self.dv, &mut self.v);
        add_scaled(step, &self.dx, &mut self.x);
        add_scaled(step, &self.dy, &mut self.y);
    }
}
