//! Step of an affine problem. x is eliminated, and the step solves an affine variational inequality in u.

use ndarray::Array2;
use siconos_linalg::DenseLu;
use siconos_numerics::{SolveInfo, Solver, SolverError, Status, avi, lcp, relay};

use super::by_projection::{ByProjection, ScaledMap, unit_of_input};
use super::state_map::add_product;
use super::step_task::{Iterate, StepTask};
use super::{Dvi, DviError, DviSet, DviSettings};
use siconos_kernel::engine::check_written;

/// Step of an affine problem. With W = I - h theta A, the rate $r = W^{-1} (A x_k + e(t_k))$ and the response
/// $R = h W^{-1} B$, the step is
///
/// $$ x_{k+1} = x_k + h r + R u, \qquad u \in \mathrm{SOL}(K, C (x_k + h r) + g(t_{k+1}) + M \cdot), \qquad
///    M = D + C R. $$
///
/// As plain text: x' = x + h r + R u, where u solves the inequality with the matrix D + h C W^-1 B. The
/// matrices are computed once if h and B are constant.
#[derive(Debug)]
pub(super) struct AffineStep {
    /// Step length at which the stored W, R and M were computed; `None` if they are not valid.
    h: Option<f64>,
    lu: DenseLu,
    b: Array2<f64>,
    response: Array2<f64>,
    matrix: Array2<f64>,
    column: Vec<f64>,
    rate: Vec<f64>,
    q: Vec<f64>,
    solver: SetSolver,
}

/// Solver for one type of set.
#[derive(Debug)]
enum SetSolver {
    Orthant(Box<lcp::Auto>),
    Box(Box<relay::Auto>),
    /// Solver for a polyhedron, and the multipliers of the inequalities.
    Polyhedron(Box<avi::Auto>, Vec<f64>),
    Projection(ByProjection),
}

impl SetSolver {
    fn new(set: &DviSet, settings: &DviSettings) -> Result<Self, SolverError> {
        let DviSettings { tolerance, max_iterations } = *settings;
        Ok(match set {
            DviSet::Orthant => {
                let settings = lcp::AutoSettings { tolerance, max_iterations, ..Default::default() };
                Self::Orthant(Box::new(lcp::Auto::new(settings)?))
            }
            DviSet::Box { .. } => {
                let settings = relay::AutoSettings { tolerance, max_iterations, ..Default::default() };
                Self::Box(Box::new(relay::Auto::new(settings)?))
            }
            DviSet::Polyhedron(polyhedron) => {
                let settings = avi::AutoSettings { tolerance, max_iterations, ..Default::default() };
                let multipliers = vec![0.0; polyhedron.k().len()];
                Self::Polyhedron(Box::new(avi::Auto::new(settings)?), multipliers)
            }
            DviSet::Projection(_) => Self::Projection(ByProjection::new(settings)?),
        })
    }

    fn solve(
        &mut self,
        set: &DviSet,
        m: &Array2<f64>,
        q: &[f64],
        u: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        match (self, set) {
            (Self::Box(solver), DviSet::Box { lower, upper }) => {
                solver.solve(&relay::RelayProblem::new(m, q, lower, upper)?, u, w)
            }
            (Self::Polyhedron(solver, multipliers), DviSet::Polyhedron(polyhedron)) => {
                let problem = avi::AviProblem::new(m, q, polyhedron.h(), polyhedron.k())?;
                let info = solver.solve(&problem, u, multipliers);
                w.copy_from_slice(q);
                add_product(m, u, w);
                info
            }
            (Self::Projection(solver), DviSet::Projection(projection)) => {
                let unit = unit_of_input(m);
                let value = |z: &[f64], w: &mut [f64]| {
                    w.copy_from_slice(q);
                    for (w, row) in w.iter_mut().zip(m.rows()) {
                        *w += row.iter().zip(z).map(|(m, z)| m * (z / unit)).sum::<f64>();
                    }
                };
                solver.solve(projection, &ScaledMap { unit, value: &value, at_origin: q }, u, w)
            }
            (Self::Orthant(solver), _) => solver.solve(&lcp::LcpProblem::new(m, q)?, u, w),
            // Not reached, because the type of the set of a problem does not change.
            (_, _) => Ok(SolveInfo { status: Status::Breakdown, iterations: 0, error: f64::NAN }),
        }
    }
}

impl AffineStep {
    pub(super) fn new(dvi: &Dvi, settings: &DviSettings) -> Result<Self, SolverError> {
        let (n, m) = (dvi.states(), dvi.inputs());
        Ok(Self {
            h: None,
            lu: DenseLu::default(),
            b: Array2::zeros((n, m)),
            response: Array2::zeros((n, m)),
            matrix: Array2::zeros((m, m)),
            column: vec![0.0; n],
            rate: vec![0.0; n],
            q: vec![0.0; m],
            solver: SetSolver::new(dvi.set(), settings)?,
        })
    }

    pub(super) fn step(&mut self, task: StepTask<'_>, to: Iterate<'_>) -> Result<SolveInfo, DviError> {
        let StepTask { dvi, theta, t, h, .. } = task;
        let Iterate { x, u, w } = to;
        self.prepare(task)?;
        dvi.f().value_into(t, x, &mut self.rate);
        check_written("f", t, &self.rate)?;
        if theta > 0.0 {
            self.lu.solve(&mut self.rate);
        }
        x.iter_mut().zip(&self.rate).for_each(|(x, rate)| *x += h * rate);
        dvi.g().value_into(t + h, x, &mut self.q);
        check_written("G", t + h, &self.q)?;
        let info = self.solver.solve(dvi.set(), &self.matrix, &self.q, u, w)?;
        add_product(&self.response, u, x);
        Ok(info)
    }

    /// Updates W, R and M for this step.
    fn prepare(&mut self, task: StepTask<'_>) -> Result<(), DviError> {
        let StepTask { dvi, theta, t, h, x } = task;
        let is_another_step = self.h != Some(h);
        if !is_another_step && dvi.b().is_constant() {
            return Ok(());
        }
        let (Some(a), Some(c), Some(d)) = (dvi.f().matrix(), dvi.g().matrix(), dvi.map().matrix()) else {
            return Ok(());
        };
        if is_another_step && theta > 0.0 {
            self.h = None;
            let mut w = a.mapv(|a| -h * theta * a);
            w.diag_mut().mapv_inplace(|w| 1.0 + w);
            self.lu
                .factor_in_any_units(w.view())
                .map_err(|source| DviError::SingularStep { step: h * theta, source })?;
        }
        self.h = None;
        dvi.b().value_into(t, x, &mut self.b);
        check_written("B", t, &self.b)?;
        for j in 0..self.b.ncols() {
            self.column.iter_mut().zip(self.b.column(j)).for_each(|(to, b)| *to = h * b);
            if theta > 0.0 {
                self.lu.solve(&mut self.column);
            }
            self.response.column_mut(j).iter_mut().zip(&self.column).for_each(|(to, r)| *to = *r);
        }
        self.matrix.assign(d);
        for (row, c) in self.matrix.rows_mut().into_iter().zip(c.rows()) {
            for (m, r) in row.into_iter().zip(self.response.columns()) {
                *m += c.iter().zip(r).map(|(c, r)| c * r).sum::<f64>();
            }
        }
        self.h = Some(h);
        Ok(())
    }
}
