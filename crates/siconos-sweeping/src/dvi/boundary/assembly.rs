//! Assembly and solution of the linear equations of a Newton step.

use siconos_linalg::{SingularMatrix, norm};

use super::super::DviSet;
use super::evaluation::StepWorkspace;
use super::law::LawPoint;
use super::layout::Layout;
use super::system::{StepsSystem, Task};

/// A direction is accepted if the residual of the linear equations is at most this fraction of the right-hand
/// side.
const LARGEST_REMAINDER: f64 = 1e-6;

impl StepsSystem<'_> {
    /// Computes the matrix at the current point. `shift` is added to the derivatives of equation i of each
    /// variational inequality with respect to unknown i and with respect to component i of w.
    pub(super) fn assemble(&mut self, shift: f64) {
        let Layout { m, p, steps, .. } = self.task.layout;
        let Task { dvi, boundary, theta, h, layout, .. } = self.task;
        let is_full = matches!(dvi.set(), DviSet::Projection(_));
        let [of_motion, of_law] = self.weights;
        self.matrix.begin();
        self.sizes.clear();
        let mut scaled_v = vec![0.0; m + p];
        for k in 1..=steps {
            self.evaluate(k);
            self.linearise(k);
            let Self { memory, law, units, stencil, matrix, point, .. } = self;
            let v = &point[layout.u(k)..layout.u(k) + m + p];
            for ((scaled, v), unit) in scaled_v.iter_mut().zip(v).zip(&units.v) {
                *scaled = v / unit;
            }
            memory.w.iter_mut().zip(&units.law).for_each(|(w, unit)| *w /= unit);
            law.derive(dvi.set(), LawPoint { v: &scaled_v, w: &memory.w });
            for j in 0..m {
                law.by_v[[j, j]] += shift;
                law.by_w[[j, j]] += shift;
            }
            for i in m..m + p {
                law.by_v[[i, i]] += shift;
            }
            let StepWorkspace { a, b, by_input, c, d, .. } = &*memory;
            let (x, v) = (&units.x, &units.v);
            let one = |i: usize, j: usize| f64::from(u8::from(i == j));
            matrix.write(&stencil.motion_x, |i, j| {
                let before = one(i, j) + h * ((1.0 - theta) * a[[i, j]] + by_input[[i, j]]);
                -of_motion * before * (x[j] / x[i])
            });
            matrix.write(&stencil.motion_u, |i, j| -of_motion * h * b[[i, j]] * (v[j] / x[i]));
            matrix.write(&stencil.motion_x, |i, j| {
                of_motion * (one(i, j) - h * theta * a[[i, j]]) * (x[j] / x[i])
            });
            let through = |i: usize, column: &dyn Fn(usize) -> f64| match is_full {
                true => (0..m).map(|l| law.by_w[[i, l]] * column(l)).sum::<f64>(),
                false => law.by_w[[i, i]] * column(i),
            };
            matrix.write(&stencil.law_v, |i, j| {
                let by_map = match i < m && j < m {
                    true => through(i, &|l| d[[l, j]] * (v[j] / units.law[l])),
                    false => 0.0,
                };
                of_law * (law.by_v[[i, j]] + by_map)
            });
            matrix.write(&stencil.law_x, |i, j| of_law * through(i, &|l| c[[l, j]] * (x[j] / units.law[l])));
        }
        let Self { units, stencil, matrix, .. } = self;
        for (list, end) in stencil.ends.iter().zip([&boundary.m, &boundary.n]) {
            matrix.write(list, |i, j| end[[i, j]] * (units.x[j] / units.boundary[i]));
        }
        self.is_shifted = shift != 0.0;
    }

    /// Solves H d = -phi, where H is the assembled matrix.
    pub(super) fn solve(&mut self, phi: &[f64], d: &mut [f64]) -> Result<(), SingularMatrix> {
        self.lu.factor(&self.matrix.matrix)?;
        d.iter_mut().zip(phi).for_each(|(d, phi)| *d = -phi);
        self.lu.solve(d);
        let remainder = &mut self.memory.check;
        remainder.clear();
        remainder.extend_from_slice(phi);
        self.matrix.matrix.add_product(1.0, d, remainder);
        let left = norm(remainder);
        if left <= LARGEST_REMAINDER * norm(phi) {
            return Ok(());
        }
        Err(SingularMatrix::Pivot { column: 0, pivot: 0.0 })
    }
}
