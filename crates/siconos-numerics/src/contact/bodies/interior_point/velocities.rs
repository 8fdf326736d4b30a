//! Newton equations of the interior-point method in velocity space, assembled from M and H.

use siconos_linalg::{Csc, add_scaled, are_finite, dot};

use super::super::matrices::Matrices;
use super::super::velocity_matrix::VelocityMatrix;
use super::super::{BodiesError, BodiesProblem};
use crate::contact::best_iterate::BestIterate;
use crate::contact::interior_point::{ConeRows, PointErrors, Scaling, Space};

/// Workspace of [`Velocities`].
#[derive(Clone, Debug, Default)]
pub(super) struct VelocityWorkspace {
    /// Matrices M and H, transformed to the rows of the cones. Each row is a column of H. Each contact with
    /// two cones adds an unknown without mass.
    matrices: Matrices,
    given: Csc,
    q: Vec<f64>,
    factors: VelocityMatrix,
    inverse_roots: Vec<f64>,
    blocks: Vec<f64>,
    v: Vec<f64>,
    dv: Vec<f64>,
    kept: Vec<f64>,
    /// Residual $B x - M v$ of the momentum balance.
    momentum: Vec<f64>,
    scaled: Vec<f64>,
}

/// Newton equations $(M + B V^{-2} E B^T) dv = ..$. Each row of $B^T$ is a row of the cones.
pub(super) struct Velocities<'a, 'p> {
    problem: &'a BodiesProblem<'p>,
    memory: &'a mut VelocityWorkspace,
    measure: &'a mut BodiesError,
    best: &'a mut BestIterate,
    r: &'a mut [f64],
    u: &'a mut [f64],
}

impl<'a, 'p> Velocities<'a, 'p> {
    /// Prepares the workspace for a problem.
    pub(super) fn new(
        problem: &'a BodiesProblem<'p>,
        rows: &ConeRows,
        memory: &'a mut VelocityWorkspace,
        measure: &'a mut BodiesError,
        best: &'a mut BestIterate,
        (r, u): (&'a mut [f64], &'a mut [f64]),
    ) -> Self {
        memory.take(problem, rows);
        Self { problem, memory, measure, best, r, u }
    }
}

impl VelocityWorkspace {
    /// Returns the velocity of a row caused by a unit reaction in this row. M is replaced by its diagonal.
    fn compliance(&self, row: usize) -> f64 {
        self.matrices.h.column(row).map(|(i, x)| (x * self.inverse_roots[i]).powi(2)).sum()
    }

    /// Copies the matrices of a problem and transforms H to the rows of the cones.
    fn take(&mut self, problem: &BodiesProblem<'_>, rows: &ConeRows) {
        let (n, extras) = (problem.degrees_of_freedom(), rows.heads().len() / 2);
        let Self { matrices, given, q, .. } = self;
        let (m, b) = (&mut matrices.m, &mut matrices.h);
        given.copy_from(problem.h(), |_, _| false);
        b.begin(n + extras);
        let heads = rows.heads().iter().enumerate();
        let mut heads =
            heads.map(|(k, head)| (*head, n + k / 2, if k % 2 == 0 { -1.0 } else { 1.0 })).peekable();
        for (place, row) in rows.rows().iter().enumerate() {
            let entries = row.unknown.into_iter().flat_map(|unknown| given.column(unknown));
            entries.for_each(|(i, x)| b.push(i, row.factor * x));
            if let Some((_, extra, sign)) = heads.next_if(|(head, ..)| *head == place) {
                b.push(extra, sign);
            }
            b.close_column();
        }
        given.copy_from(problem.m(), |_, _| false);
        m.begin(n + extras);
        for j in 0..n {
            given.column(j).for_each(|(i, x)| m.push(i, x));
            m.close_column();
        }
        (0..extras).for_each(|_| m.close_column());
        q.clear();
        q.extend(rows.rows().iter().map(|row| row.unknown.map_or(0.0, |k| row.factor * problem.q()[k])));
        matrices.lay_out(&rows.law());
        matrices.inverse_roots(&mut self.inverse_roots);
        // The additional unknown of a contact with two cones is scaled by the effective mass of the contact.
        for (k, pair) in rows.heads().chunks_exact(2).enumerate() {
            self.inverse_roots[n + k] = 0.0;
            let felt: f64 = (pair[0]..pair[1]).map(|row| self.compliance(row)).sum();
            self.inverse_roots[n + k] = (felt / (pair[1] - pair[0]) as f64).sqrt();
        }
        for vector in [&mut self.v, &mut self.dv, &mut self.momentum, &mut self.kept] {
            vector.clear();
            vector.resize(n + extras, 0.0);
        }
        self.scaled.clear();
        self.scaled.resize(rows.rows().len(), 0.0);
    }
}

impl VelocityWorkspace {
    /// Returns the energy norm of the residual of the momentum balance, divided by the larger of the norms of
    /// M v and H r.
    fn relative_imbalance(&mut self, problem: &BodiesProblem<'_>, r: &[f64]) -> f64 {
        let Self { momentum, dv: impulse, v, inverse_roots, .. } = self;
        let n = problem.degrees_of_freedom();
        let (momentum, impulse) = (&mut momentum[..n], &mut impulse[..n]);
        momentum.fill(0.0);
        impulse.fill(0.0);
        problem.m().add_product(1.0, &v[..n], momentum);
        problem.h().add_product(1.0, r, impulse);
        let mut squares = [0.0; 3];
        for ((p, i), root) in momentum.iter().zip(impulse).zip(inverse_roots) {
            let terms = [p - *i, *p, *i];
            squares.iter_mut().zip(terms).for_each(|(sum, x)| *sum += (x * *root).powi(2));
        }
        let [missing, p, i] = squares;
        if missing == 0.0 { 0.0 } else { (missing / p.max(i)).sqrt() }
    }
}

impl Space for Velocities<'_, '_> {
    fn compliance(&self, row: usize) -> f64 {
        self.memory.compliance(row)
    }

    fn free_velocity(&self) -> f64 {
        self.measure.free_velocity()
    }

    fn begin(&mut self) {
        self.memory.v.fill(0.0);
    }

    fn measure(&mut self, rows: &ConeRows, x: &[f64]) -> PointErrors {
        rows.write_reactions(x, self.r);
        self.problem.law().project_all(self.r);
        let error = self.measure.of(self.problem, self.r, self.u);
        self.best.offer(self.r, error);
        PointErrors { error, balance: self.memory.relative_imbalance(self.problem, self.r) }
    }

    fn write_velocities(&mut self, _rows: &ConeRows, x: &[f64], u: &mut [f64]) {
        let VelocityWorkspace { matrices, q, v, momentum, .. } = &mut *self.memory;
        let (m, b) = (&matrices.m, &matrices.h);
        for (row, (u, q)) in u.iter_mut().zip(&*q).enumerate() {
            *u = q + b.column(row).map(|(i, h)| h * v[i]).sum::<f64>();
        }
        momentum.fill(0.0);
        b.add_product(1.0, x, momentum);
        m.add_product(-1.0, v, momentum);
    }

    fn imbalance(&self) -> f64 {
        let VelocityWorkspace { momentum, inverse_roots, .. } = &*self.memory;
        momentum.iter().zip(inverse_roots).map(|(p, root)| (p * root).powi(2)).sum::<f64>().sqrt()
    }

    fn factor(&mut self, rows: &ConeRows, scaling: &Scaling) -> Option<()> {
        let VelocityWorkspace { blocks, factors, matrices, .. } = &mut *self.memory;
        blocks.clear();
        for cone in 0..rows.cones() {
            // With D = V^-2: D E = D + (D e_0) s^T.
            let slip = scaling.slip(rows, cone);
            let mut first = 0.0;
            scaling.for_each_of_square(rows, cone, true, |_, j, square| {
                first = if j == 0 { square } else { first };
                blocks.push(square + first * slip[j]);
            });
        }
        factors.factor(matrices, &rows.law(), blocks, scaling.is_symmetric).ok()
    }

    fn solve(
        &mut self,
        rows: &ConeRows,
        scaling: &Scaling,
        (target, gap): (&[f64], &[f64]),
        (dx, dy): (&mut [f64], &mut [f64]),
    ) -> Option<()> {
        let VelocityWorkspace { matrices, factors, dv, momentum, scaled, .. } = &mut *self.memory;
        let b = &matrices.h;
        // Overwrites dx with V^-1 (t - V^-1 z).
        let mut back = |cone: usize, z: &[f64], dx: &mut [f64]| {
            let range = rows.range(cone);
            let scaled = &mut scaled[range.clone()];
            scaling.apply(rows, cone, true, z, scaled);
            scaled.iter_mut().zip(&target[range]).for_each(|(s, t)| *s = t - *s);
            scaling.apply(rows, cone, true, scaled, dx);
        };
        for cone in 0..rows.cones() {
            let range = rows.range(cone);
            back(cone, &gap[range.clone()], &mut dx[range]);
        }
        dv.copy_from_slice(momentum);
        b.add_product(1.0, dx, dv);
        factors.solve_refined(dv);
        for cone in 0..rows.cones() {
            let range = rows.range(cone);
            let dy = &mut dy[range.clone()];
            for (row, dy) in range.clone().zip(&mut *dy) {
                *dy = b.column(row).map(|(i, h)| h * dv[i]).sum();
            }
            dy[0] += dot(scaling.slip(rows, cone), dy);
            dy.iter_mut().zip(&gap[range.clone()]).for_each(|(dy, gap)| *dy += gap);
            back(cone, dy, &mut dx[range]);
        }
        (are_finite(dv) && are_finite(dx) && are_finite(dy)).then_some(())
    }

    fn advance(&mut self, step: f64) {
        add_scaled(step, &self.memory.dv, &mut self.memory.v);
    }

    fn keep(&mut self) {
        self.memory.kept.clone_from(&self.memory.v);
    }

    fn go_back(&mut self) {
        self.memory.v.clone_from(&self.memory.kept);
    }
}
