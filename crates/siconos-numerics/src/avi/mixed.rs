//! The Karush-Kuhn-Tucker conditions of an affine variational inequality as a mixed complementarity problem.

use siconos_linalg::{Csc, MatrixRef, square};

use super::ending::Ending;
use super::{Avi, AviProblem};
use crate::cascade::{Budget, Stage};
use crate::effort::EffortLimit;
use crate::error::{ProblemError, SettingsError, SolverError};
use crate::info::SolveInfo;
use crate::method::{Limits, Solver};
use crate::mlcp::{self, MlcpProblem, MlcpRow};

/// Solver of M z + q = H^T lambda, 0 <= H z - k perp lambda >= 0 by [`mlcp::Auto`].
#[derive(Debug)]
pub(super) struct MixedComplementarity {
    tolerance: f64,
    mixed: mlcp::Auto,
    ending: Ending,
    rows: Vec<MlcpRow>,
    matrix: Vec<f64>,
    /// Right-hand side of the mixed problem. `x` and `w` are its unknowns and their complements.
    q: Vec<f64>,
    x: Vec<f64>,
    w: Vec<f64>,
}

impl MixedComplementarity {
    pub(super) fn new(tolerance: f64, max_iterations: usize) -> Result<Self, SettingsError> {
        let mixed = mlcp::AutoSettings { tolerance, max_iterations, ..mlcp::AutoSettings::default() };
        Ok(Self {
            tolerance,
            mixed: mlcp::Auto::new(mixed)?,
            ending: Ending::default(),
            rows: Vec::new(),
            matrix: Vec::new(),
            q: Vec::new(),
            x: Vec::new(),
            w: Vec::new(),
        })
    }

    /// Sets the budget of the following solves.
    pub(super) fn set_effort(&mut self, effort: EffortLimit) {
        self.mixed.set_effort(effort);
    }
}

impl Stage for MixedComplementarity {
    /// Does nothing: the inner solver has its own budget.
    fn set_budget(&mut self, _: &Budget) {}

    fn effort(&self, _: &AviProblem<'_>, _: &SolveInfo, _: &Budget) -> f64 {
        self.mixed.effort_spent()
    }
}

impl Solver for MixedComplementarity {
    type Class = Avi;

    fn name(&self) -> &'static str {
        "mixed-complementarity"
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.tolerance, ..self.mixed.limits() }
    }

    fn solve(
        &mut self,
        problem: &AviProblem<'_>,
        z: &mut [f64],
        lambda: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let (n, p) = (problem.size(), problem.inequalities());
        self.rows.clear();
        self.rows.resize(n, MlcpRow::Equality);
        self.rows.resize(n + p, MlcpRow::Complementarity);
        self.q.clear();
        self.q.extend_from_slice(problem.q());
        self.q.extend(problem.k().iter().map(|k| -k));
        self.x.clear();
        self.x.extend_from_slice(z);
        self.x.extend_from_slice(lambda);
        self.w.clear();
        self.w.resize(n + p, 0.0);
        let info = if let MatrixRef::Dense(m) = problem.m() {
            let h = problem.h();
            self.matrix.clear();
            for (row, of_lambda) in m.rows().into_iter().zip(h.columns()) {
                self.matrix.extend(row);
                self.matrix.extend(of_lambda.iter().map(|h| -h));
            }
            for row in h.rows() {
                self.matrix.extend(row);
                self.matrix.resize(self.matrix.len() + p, 0.0);
            }
            let mixed = MlcpProblem::new(square(&self.matrix, n + p), &self.q, &self.rows)?;
            self.mixed.solve(&mixed, &mut self.x, &mut self.w)?
        } else {
            let matrix = sparse_conditions(problem)?;
            let mixed = MlcpProblem::new(&matrix, &self.q, &self.rows)?;
            self.mixed.solve(&mixed, &mut self.x, &mut self.w)?
        };
        z.copy_from_slice(&self.x[..n]);
        for (lambda, x) in lambda.iter_mut().zip(&self.x[n..]) {
            *lambda = x.max(0.0);
        }
        let (status, error) = self.ending.conclude(problem, self.tolerance, info.status, (z, lambda));
        Ok(SolveInfo { status, error, ..info })
    }
}

/// Returns $[M, -H^T; H, 0]$ in compressed sparse column storage.
fn sparse_conditions(problem: &AviProblem<'_>) -> Result<Csc, ProblemError> {
    let (n, p, h) = (problem.size(), problem.inequalities(), problem.h());
    let m = Csc::from_matrix(problem.m());
    let of_m = (0..n).flat_map(|j| m.column(j).map(move |(i, x)| (i, j, x)));
    let of_h = h.indexed_iter().filter(|(_, h)| **h != 0.0);
    let both = of_h.flat_map(|((i, j), &h)| [(n + i, j, h), (j, n + i, -h)]);
    Ok(Csc::from_triplets(n + p, n + p, of_m.chain(both))?)
}
