//! The semismooth Newton method on the Fischer-Burmeister equations of a mixed problem.

use super::storage::Storage;
use super::{Mlcp, MlcpProblem};
use crate::box_rows::Verdict;
use crate::box_rows::newton::{BoxRowsNewton, Functions};
use crate::chain::{Allowance, Link};
use crate::error::{SettingsError, SolverError, check_solve};
use crate::info::{SolveInfo, Status};
use crate::method::{Guarantee, Limits, MethodDescription, Solver};
use crate::ncp_function::NcpFunction;
use crate::own_response::solve_without_q;
use crate::semismooth_newton::SemismoothNewtonSettings;

/// Newton's method on the equations of Fischer and Burmeister, made global by a line search.
///
/// **Problem.** [`MlcpProblem`] in any storage.
///
/// **Method.** (1) Solve the equations
///
/// $$ w_i = 0 \ (i \in E), \qquad d_i z_i + w_i - \sqrt{(d_i z_i)^2 + w_i^2} = 0 \ (i \notin E) $$
///
/// (as plain text: w_i = 0, and d_i z_i + w_i - sqrt((d_i z_i)^2 + w_i^2) = 0), with the d of the [`error`](super::error), by the
/// semismooth Newton method of [`crate::semismooth_newton`]: full steps as long as the sum of squares decreases enough, halved ones
/// otherwise, the gradient where there is no Newton direction. (2) Where the Jacobian is singular, 1e-12, 1e-8 and 1e-4 of the largest d
/// are added to the diagonal of M before the gradient is resorted to. A dense matrix of more than 48 unknowns with less than an eighth
/// of its entries other than 0 is factorised as a sparse one. (De Luca, Facchinei, Kanzow 1996; Facchinei and Pang 2003, section
/// 9.1, and 9.4 for mixed problems.)
///
/// **Guarantee.** Every accumulation point of the iterates is stationary for the sum of squares, and a solution when
/// the equality block is regular and its Schur complement a P0-matrix; the rate is quadratic near a regular one. For other
/// matrices it is a heuristic, and on circuits a good one.
///
/// **Result.** `Converged`: error at or below the tolerance. `AtRoundingLevel`: above, but rounding allows no better.
/// `MaxIterations`, `Stalled`: the best iterate. `Breakdown`: the equations are not finite at the start.
///
/// The settings are those of the Newton loop, [`SemismoothNewtonSettings`].
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::mlcp::{MlcpProblem, MlcpRow, NewtonFischerBurmeister};
///
/// // A singular equality block: z_1 = 3 from the first row, and z_0 = -2 makes the second one 0.
/// let rows = [MlcpRow::Equality, MlcpRow::Complementarity];
/// let m = array![[0.0, 1.0], [1.0, 0.0]];
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let problem = MlcpProblem::new(&m, &[-3.0, 2.0], &rows)?;
/// let info = NewtonFischerBurmeister::default().solve(&problem, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert!((z[0] + 2.0).abs() < 1e-8 && (z[1] - 3.0).abs() < 1e-8);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_MLCP_FB (112)")]
#[derive(Clone, Debug, Default)]
pub struct NewtonFischerBurmeister {
    newton: BoxRowsNewton,
    storage: Storage,
    verdict: Verdict,
}

impl NewtonFischerBurmeister {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn new(settings: SemismoothNewtonSettings) -> Result<Self, SettingsError> {
        Ok(Self { newton: BoxRowsNewton::new(settings)?, ..Self::default() })
    }
}

impl Link for NewtonFischerBurmeister {
    fn lend(&mut self, allowance: &Allowance) {
        self.newton.set_max_iterations(allowance.iterations);
    }
}

/// What a table says of the method.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "newton-fischer-burmeister",
    siconos: "FB (112)",
    guarantee: Guarantee::in_words("regular equality block with P0 Schur complement"),
    storage: "any",
    reference: "Facchinei, Pang (2003), 9.1, 9.4",
};

impl Solver for NewtonFischerBurmeister {
    type Class = Mlcp;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        self.newton.limits()
    }

    fn solve(
        &mut self,
        problem: &MlcpProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        check_solve(problem.q(), z, w)?;
        if let Some(solved) = solve_without_q(problem.q(), z, w) {
            return Ok(solved);
        }
        let stored = MlcpProblem::new(self.storage.of(problem.m()), problem.q(), problem.rows())?;
        self.newton.prepare(&stored);
        let info = self.newton.run(Functions::both(NcpFunction::FischerBurmeister), &stored, z, w);
        let (judged, error) = self.verdict.of(problem, z, w, self.newton.limits().tolerance);
        let status =
            if judged.is_success() || info.status == Status::Converged { judged } else { info.status };
        Ok(SolveInfo { status, iterations: info.iterations, error })
    }
}
