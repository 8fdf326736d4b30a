//! Steps over polyhedra, with the multipliers of the inequalities as unknowns.

use ndarray::Array2;
use siconos_linalg::DenseLu;
use siconos_numerics::Status;
use siconos_numerics::cone::{Inequalities, PolyhedronActiveSet};

use super::super::SweepingError;
use super::super::moving_polyhedron::check_not_empty;
use super::metric::Metric;
use super::perturbation::Perturbation;

/// Maximum number of iterations of Newton's method.
const MOST_ITERATIONS: usize = 50;

/// Workspace of the steps.
#[derive(Debug, Default)]
pub(super) struct PolyhedralStep {
    /// Factors of I + h df/dx.
    iteration: DenseLu,
    /// Bit pattern of the step length for which `faces` stores the responses of x to unit multipliers. It is
    /// 0 without f, because the responses then do not depend on the step length. `None` if no responses are
    /// stored.
    kept_for: Option<u64>,
    jacobian: Array2<f64>,
    matrix: Array2<f64>,
    f: Vec<f64>,
    free: Vec<f64>,
    moved: Vec<f64>,
    f_moved: Vec<f64>,
    faces: PolyhedronActiveSet,
}

/// One-step problem: $P (x - u + h f(t, x)) = H^T l$, $0 \le l \perp H x - k \ge 0$.
pub(super) struct Problem<'p> {
    pub(super) t: f64,
    pub(super) h: f64,
    /// State at the start of the step.
    pub(super) u: &'p [f64],
    pub(super) perturbation: Option<&'p Perturbation>,
    pub(super) metric: Option<&'p Metric>,
    pub(super) rows: &'p Inequalities,
    /// Relative change of x below which the iteration ends.
    pub(super) tolerance: f64,
}

impl PolyhedralStep {
    /// Returns the multipliers of the last step.
    pub(super) fn multipliers(&self) -> &[f64] {
        self.faces.multipliers()
    }

    /// Solves for x by the Josephy-Newton method; on entry x is the initial guess. Each iteration replaces f
    /// by its linearisation and solves an affine problem (Josephy 1979; Facchinei and Pang 2003, section
    /// 7.3). If f is linear, one iteration is exact.
    pub(super) fn solve(
        &mut self,
        problem: &Problem<'_>,
        x: &mut [f64],
    ) -> Result<(Status, usize), SweepingError> {
        let n = x.len();
        for vector in [&mut self.f, &mut self.free, &mut self.moved, &mut self.f_moved] {
            vector.resize(n, 0.0);
        }
        let is_linear = problem.perturbation.is_none_or(|f| f.linear.is_some());
        for iteration in 1..=MOST_ITERATIONS {
            self.linearise(problem, x)?;
            let status = self.solve_tangent(problem)?;
            if !status.is_success() {
                return Ok((status, iteration));
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
        }
        Ok((Status::MaxIterations, MOST_ITERATIONS))
    }

    /// Computes `free`, the end of the step without the reaction, with f linearised at x.
    fn linearise(&mut self, problem: &Problem<'_>, x: &[f64]) -> Result<(), SweepingError> {
        let Problem { t, h, u, .. } = *problem;
        self.free.copy_from_slice(u);
        let key = match problem.perturbation {
            None => Some(0),
            Some(f) if f.linear.is_some() => Some(h.to_bits()),
            Some(_) => None,
        };
        let is_kept = key.is_some() && key == self.kept_for;
        if !is_kept {
            self.kept_for = None;
            self.faces.forget_responses();
        }
        if let Some(f) = problem.perturbation {
            f.write(t, x, &mut self.f)?;
            if !is_kept {
                self.factor(problem, f, x)?;
            }
            // u - h (f - J x)
            for ((free, f), row) in self.free.iter_mut().zip(&self.f).zip(self.jacobian.rows()) {
                let linear: f64 = row.iter().zip(x).map(|(entry, x)| entry * x).sum();
                *free -= h * (f - linear);
            }
            self.iteration.solve(&mut self.free);
        }
        self.kept_for = key;
        Ok(())
    }

    /// Factorises I + h df/dx.
    fn factor(&mut self, problem: &Problem<'_>, f: &Perturbation, x: &[f64]) -> Result<(), SweepingError> {
        let Problem { t, h, .. } = *problem;
        if self.jacobian.nrows() != x.len() {
            self.jacobian = Array2::zeros((x.len(), x.len()));
            self.matrix = Array2::zeros((x.len(), x.len()));
        }
        let memory = (&mut self.moved[..], &mut self.f_moved[..]);
        f.write_derivative(t, (x, &self.f), memory, self.jacobian.view_mut())?;
        self.matrix.zip_mut_with(&self.jacobian, |to, entry| *to = h * entry);
        self.matrix.diag_mut().mapv_inplace(|entry| entry + 1.0);
        self.iteration
            .factor_in_any_units(self.matrix.view())
            .map_err(|singular| SweepingError::Singular { t, singular })
    }

    /// Solves the affine problem of the linearised f.
    fn solve_tangent(&mut self, problem: &Problem<'_>) -> Result<Status, SweepingError> {
        let Problem { t, rows, .. } = *problem;
        let Self { faces, iteration, free, .. } = self;
        let respond = |normal: &mut [f64]| {
            if let Some(metric) = problem.metric {
                metric.solve(normal);
            }
            if problem.perturbation.is_some() {
                iteration.solve(normal);
            }
        };
        let info = faces.solve(rows, respond, free).map_err(SweepingError::of_solver(t))?;
        check_not_empty(t, rows, faces, info.status)?;
        Ok(info.status)
    }
}
