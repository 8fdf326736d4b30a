//! Newton equations of the interior-point method, assembled from W. The unknowns are the reactions.

use siconos_linalg::{BlockNewtonMatrix, are_finite};

use super::rows::{ConeRows, Row};
use super::space::{PointErrors, Scaling, Space};
use crate::contact::DelassusProblem;
use crate::contact::best_iterate::BestIterate;
use crate::contact::residual::{error_of_point, scale};

/// Workspace of [`Reactions`].
#[derive(Clone, Debug, Default)]
pub(super) struct ReactionWorkspace {
    matrix: BlockNewtonMatrix,
    /// Diagonal entries of W.
    diagonal: Vec<f64>,
    /// Diagonal blocks of the Newton matrix.
    a: Vec<f64>,
    b: Vec<f64>,
    dr: Vec<f64>,
    scaled: Vec<f64>,
}

/// Newton equations $(V^2 + E W) dx = V t - g$, with the reactions as unknowns.
pub(super) struct Reactions<'a, 'p> {
    problem: &'a DelassusProblem<'p>,
    memory: &'a mut ReactionWorkspace,
    best: &'a mut BestIterate,
    r: &'a mut [f64],
    u: &'a mut [f64],
    rows: &'a [Row],
    free_velocity: f64,
}

impl<'a, 'p> Reactions<'a, 'p> {
    pub(super) fn new(
        problem: &'a DelassusProblem<'p>,
        rows: &'a ConeRows,
        memory: &'a mut ReactionWorkspace,
        best: &'a mut BestIterate,
        (r, u): (&'a mut [f64], &'a mut [f64]),
    ) -> Self {
        let law = problem.law();
        memory.matrix.prepare(problem.w(), (0..law.blocks()).map(|i| law.range(i).start).chain([law.size()]));
        memory.diagonal.clear();
        memory.diagonal.resize(problem.size(), 0.0);
        problem.w().copy_diagonal(&mut memory.diagonal);
        for vector in [&mut memory.dr, &mut memory.scaled] {
            vector.clear();
            vector.resize(problem.size(), 0.0);
        }
        for blocks in [&mut memory.a, &mut memory.b] {
            blocks.clear();
            blocks.resize(memory.matrix.block_entries(), 0.0);
        }
        Self { problem, memory, best, r, u, rows: rows.rows(), free_velocity: scale(problem) }
    }
}

impl Space for Reactions<'_, '_> {
    fn compliance(&self, row: usize) -> f64 {
        let Row { unknown, factor } = self.rows[row];
        unknown.map_or(0.0, |unknown| factor * factor * self.memory.diagonal[unknown].abs())
    }

    fn free_velocity(&self) -> f64 {
        self.free_velocity
    }

    fn begin(&mut self) {}

    fn measure(&mut self, rows: &ConeRows, x: &[f64]) -> PointErrors {
        rows.write_reactions(x, self.r);
        self.problem.law().project_all(self.r);
        let error = error_of_point(self.problem, self.r, self.u);
        self.best.offer(self.r, error);
        PointErrors { error, balance: 0.0 }
    }

    fn write_velocities(&mut self, rows: &ConeRows, _x: &[f64], u: &mut [f64]) {
        for (u, row) in u.iter_mut().zip(rows.rows()) {
            *u = row.unknown.map_or(0.0, |unknown| row.factor * self.u[unknown]);
        }
    }

    fn imbalance(&self) -> f64 {
        0.0
    }

    fn factor(&mut self, rows: &ConeRows, scaling: &Scaling) -> Option<()> {
        let ReactionWorkspace { matrix, a, b, .. } = &mut *self.memory;
        a.fill(0.0);
        b.fill(0.0);
        let law = self.problem.law();
        for cone in 0..rows.cones() {
            let (d, places) = (law.range(cone).len(), matrix.block(cone));
            let (a, b) = (&mut a[places.clone()], &mut b[places]);
            let of_cone = &self.rows[rows.range(cone)];
            scaling.for_each_of_square(rows, cone, false, |i, j, square| {
                a[i * d + j] = square / of_cone[j].factor;
            });
            for (j, (row, slip)) in of_cone.iter().zip(scaling.slip(rows, cone)).enumerate() {
                b[j] = slip * row.factor;
                b[j * d + j] += row.factor;
            }
            // If a coefficient is zero, the corresponding unknowns belong to no cone and do not change.
            (of_cone.len()..d).for_each(|k| a[k * d + k] = 1.0);
        }
        matrix.factor(a, b, 0.0).ok()
    }

    fn solve(
        &mut self,
        rows: &ConeRows,
        scaling: &Scaling,
        (target, gap): (&[f64], &[f64]),
        (dx, dy): (&mut [f64], &mut [f64]),
    ) -> Option<()> {
        let ReactionWorkspace { matrix, dr, scaled, .. } = &mut *self.memory;
        let law = self.problem.law();
        dr.fill(0.0);
        for cone in 0..rows.cones() {
            let range = rows.range(cone);
            let dy = &mut dy[range.clone()];
            scaling.apply(rows, cone, false, &target[range.clone()], dy);
            let right = dr[law.range(cone)].iter_mut().zip(&*dy).zip(&gap[range]);
            right.for_each(|((right, t), gap)| *right = t - gap);
        }
        matrix.solve(dr).ok()?;
        for cone in 0..rows.cones() {
            let range = rows.range(cone);
            let (dx, dy) = (&mut dx[range.clone()], &mut dy[range.clone()]);
            let dr = &dr[law.range(cone)];
            dx.iter_mut()
                .zip(dr)
                .zip(&self.rows[range.clone()])
                .for_each(|((dx, dr), row)| *dx = dr / row.factor);
            // dy = V (t - V dx).
            let scaled = &mut scaled[range.clone()];
            scaling.apply(rows, cone, false, dx, scaled);
            scaled.iter_mut().zip(&target[range]).for_each(|(s, t)| *s = t - *s);
            scaling.apply(rows, cone, false, scaled, dy);
        }
        (are_finite(dx) && are_finite(dy)).then_some(())
    }

    fn advance(&mut self, _step: f64) {}

    fn keep(&mut self) {}

    fn go_back(&mut self) {}
}
