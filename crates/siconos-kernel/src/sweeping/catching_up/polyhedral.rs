//! Steps over polyhedra, by their multipliers.

use ndarray::Array2;
use siconos_numerics::lcp::{self, LcpProblem};
use siconos_numerics::linalg::{DenseCholesky, DenseLu};
use siconos_numerics::{Solver, Status};

use super::super::SweepError;
use super::super::moving_polyhedron::check_not_empty;
use super::super::moving_set::Inequalities;
use super::perturbation::Perturbation;

/// Newton's method ends where it takes more iterations.
const MOST_ITERATIONS: usize = 50;

/// The memory of the steps.
#[derive(Debug, Default)]
pub(super) struct PolyhedralStep {
    /// I + h df/dx, factorised, and the h that it was made for where it stays.
    iteration: DenseLu,
    kept_for: Option<u64>,
    /// The H that the response and the matrix were made of, where they stay.
    kept_rows: Option<Array2<f64>>,
    jacobian: Array2<f64>,
    /// Row i is the column of W P^-1 H^T for inequality i.
    response: Array2<f64>,
    matrix: Array2<f64>,
    q: Vec<f64>,
    pub(super) l: Vec<f64>,
    w: Vec<f64>,
    f: Vec<f64>,
    free: Vec<f64>,
    moved: Vec<f64>,
    f_moved: Vec<f64>,
    solver: lcp::Auto,
}

/// What a step is to solve: $P (x - u + h f(t, x)) = H^T l$, $0 \le l \perp H x - k \ge 0$.
pub(super) struct Problem<'p> {
    pub(super) t: f64,
    pub(super) h: f64,
    /// The state at the start of the step.
    pub(super) u: &'p [f64],
    pub(super) perturbation: Option<&'p Perturbation>,
    pub(super) metric: Option<&'p DenseCholesky>,
    pub(super) inequalities: Inequalities<'p>,
    /// A change of x by less than this part of it ends the iteration.
    pub(super) tolerance: f64,
}

impl PolyhedralStep {
    /// Solves for x, which on entry is a guess, by the iteration of Josephy and Newton: f is replaced by its
    /// tangent, and what remains is a linear complementarity problem (Josephy 1979; Facchinei and Pang 2003,
    /// section 7.3). A linear f is its tangent.
    pub(super) fn solve(
        &mut self,
        problem: &Problem<'_>,
        x: &mut [f64],
    ) -> Result<(Status, usize), SweepError> {
        let (rows, _) = problem.inequalities;
        let (p, n) = rows.dim();
        for vector in [&mut self.f, &mut self.free, &mut self.moved, &mut self.f_moved] {
            vector.resize(n, 0.0);
        }
        for vector in [&mut self.q, &mut self.l, &mut self.w] {
            vector.resize(p, 0.0);
        }
        if self.response.dim() != (p, n) || self.jacobian.dim() != (n, n) {
            self.response = Array2::zeros((p, n));
            self.matrix = Array2::zeros((p, p));
            self.jacobian = Array2::zeros((n, n));
            self.kept_for = None;
            self.kept_rows = None;
        }
        let is_linear = problem.perturbation.is_none_or(|f| f.linear.is_some());
        let mut status = Status::MaxIterations;
        for iteration in 1..=MOST_ITERATIONS {
            self.linearise(problem, x)?;
            status = self.solve_tangent(problem)?;
            if !status.is_success() {
                check_not_empty(problem.t, problem.inequalities)?;
                return Ok((status, iteration));
            }
            for (row, l) in self.response.rows().into_iter().zip(&self.l).filter(|(_, l)| **l > 0.0) {
                self.free.iter_mut().zip(row).for_each(|(x, response)| *x += l * response);
            }
            let (mut change, mut size) = (0.0_f64, 0.0_f64);
            for (x, new) in x.iter_mut().zip(&self.free) {
                change = change.max((new - *x).abs());
                size = size.max(new.abs());
                *x = *new;
            }
            if is_linear || change <= problem.tolerance * size {
                return Ok((status, iteration));
            }
            status = Status::MaxIterations;
        }
        Ok((status, MOST_ITERATIONS))
    }

    /// The tangent of the step at x: the point without multipliers, and what these do to it.
    fn linearise(&mut self, problem: &Problem<'_>, x: &[f64]) -> Result<(), SweepError> {
        let &Problem { t, h, u, perturbation, inequalities: (rows, _), .. } = problem;
        self.free.copy_from_slice(u);
        let mut is_kept = true;
        if let Some(f) = perturbation {
            is_kept = f.linear.is_some() && self.kept_for == Some(h.to_bits());
            f.write(t, x, &mut self.f)?;
            if !is_kept {
                let memory = (&mut self.moved[..], &mut self.f_moved[..]);
                f.write_derivative(t, (x, &self.f), memory, self.jacobian.view_mut())?;
                let matrix = Array2::from_shape_fn(self.jacobian.dim(), |(i, j)| {
                    h * self.jacobian[[i, j]] + if i == j { 1.0 } else { 0.0 }
                });
                self.iteration
                    .factor_in_any_units(matrix.view())
                    .map_err(|singular| SweepError::Singular { t, singular })?;
                self.kept_for = f.linear.is_some().then(|| h.to_bits());
            }
            // u - h (f - J x)
            for ((free, f), row) in self.free.iter_mut().zip(&self.f).zip(self.jacobian.rows()) {
                let linear: f64 = row.iter().zip(x).map(|(entry, x)| entry * x).sum();
                *free -= h * (f - linear);
            }
            self.iteration.solve(&mut self.free);
        }
        if !is_kept || self.kept_rows.as_ref().is_none_or(|kept| kept != rows) {
            self.respond(problem);
        }
        Ok(())
    }

    /// What the multipliers do to x, and by that to the inequalities.
    fn respond(&mut self, problem: &Problem<'_>) {
        let (rows, _) = problem.inequalities;
        self.response.assign(&rows);
        for mut row in self.response.rows_mut() {
            let Some(row) = row.as_slice_mut() else { continue };
            if let Some(metric) = problem.metric {
                metric.solve(row);
            }
            if problem.perturbation.is_some() {
                self.iteration.solve(row);
            }
        }
        for (row, mut entries) in rows.rows().into_iter().zip(self.matrix.rows_mut()) {
            for (response, entry) in self.response.rows().into_iter().zip(&mut entries) {
                *entry = row.iter().zip(response).map(|(row, response)| row * response).sum();
            }
        }
        match &mut self.kept_rows {
            Some(kept) => kept.assign(&rows),
            none => *none = Some(rows.to_owned()),
        }
    }

    /// Finds the multipliers of the tangent.
    fn solve_tangent(&mut self, problem: &Problem<'_>) -> Result<Status, SweepError> {
        let (rows, k) = problem.inequalities;
        for ((q, row), k) in self.q.iter_mut().zip(rows.rows()).zip(k) {
            *q = row.iter().zip(&self.free).map(|(row, x)| row * x).sum::<f64>() - k;
        }
        if self.l.iter().any(|l| !l.is_finite()) {
            self.l.fill(0.0);
        }
        let lcp = LcpProblem::new(&self.matrix, &self.q).map_err(SweepError::of_problem(problem.t))?;
        let info =
            self.solver.solve(&lcp, &mut self.l, &mut self.w).map_err(SweepError::of_solver(problem.t))?;
        Ok(info.status)
    }
}
