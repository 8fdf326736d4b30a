//! Solution of one linear complementarity problem for all rows, used if the active-set method fails.

use ndarray::Array2;
use siconos_linalg::add_scaled;

use super::super::Inequalities;
use crate::error::SolverError;
use crate::info::{SolveInfo, Status};
use crate::lcp::{Auto, LcpProblem};
use crate::method::Solver;

/// Maximum number of rows for which the full matrix is computed.
const MOST: usize = 1000;

/// Linear complementarity problem of all multipliers.
#[derive(Debug, Default)]
pub(super) struct AllFaces {
    solver: Auto,
}

impl AllFaces {
    /// Replaces the unconstrained point x by the solution, if one is found. `l` holds an initial guess of the
    /// multipliers on entry, and the multipliers on return.
    pub(super) fn solve(
        &mut self,
        rows: &Inequalities,
        respond: &dyn Fn(&mut [f64]),
        l: &mut [f64],
        x: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let (p, n) = (rows.len(), rows.dimension());
        if p > MOST {
            return Ok(SolveInfo { status: Status::NotFound, iterations: 0, error: f64::INFINITY });
        }
        let mut responses = Array2::zeros((p, n));
        for (face, mut response) in responses.rows_mut().into_iter().enumerate() {
            if let Some(response) = response.as_slice_mut() {
                rows.add_row(face, 1.0, response);
                respond(response);
            }
        }
        let product = |face: usize, response: &[f64]| rows.product(face, response);
        let matrix = Array2::from_shape_fn((p, p), |(row, column)| {
            responses.row(column).as_slice().map_or(0.0, |response| product(row, response))
        });
        let q: Vec<f64> = (0..p).map(|face| rows.gap(face, x)).collect();
        let mut w = vec![0.0; p];
        let info = self.solver.solve(&LcpProblem::new(&matrix, &q)?, l, &mut w)?;
        for (response, l) in responses.rows().into_iter().zip(&*l).filter(|(_, l)| **l > 0.0) {
            if let Some(response) = response.as_slice() {
                add_scaled(*l, response, x);
            }
        }
        Ok(info)
    }
}
