//! Path-following method of Cao and Ferris over a box.

use ndarray::ArrayView2;

use super::{Relay, RelayProblem};
use crate::avi::{self, AviProblem, CaoFerrisSettings};
use crate::box_constraints::{AcceptanceTest, Polish, begin};
use crate::cascade::{Budget, Stage};
use crate::convex_set::ConvexSet;
use crate::engine::require_dense;
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{SolveInfo, Status};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Scope, Solver};
use crate::own_response;

/// The pivoting method of Cao and Ferris for relay problems.
///
/// **Problem.** [`RelayProblem`] with a dense matrix. The block of the unknowns without bounds must be
/// regular.
///
/// **Method.** (1) Write the finite bounds as inequalities H z >= K, and the relay problem as an affine
/// variational inequality over them. (2) Follow the path of [`avi::CaoFerris`]. (3) Set unknowns with a
/// positive multiplier to their bound. If rounding errors of the pivots keep the error above the tolerance,
/// solve again for the active set, with up to 6 steps of refinement.
///
/// **Guarantee.** If all bounds are finite, ends at a solution for every matrix, since the path cannot end on
/// a ray over a compact polyhedron (Cao and Ferris 1996, section 4). Otherwise the guarantee of
/// [`avi::CaoFerris`].
///
/// **Result.** `Converged`, `AtRoundingLevel`: the solution. `NoSolution`: as for [`avi::CaoFerris`].
/// `RayTermination`: if the matrix is positive semidefinite, the problem has no solution; for other matrices
/// nothing is proved. `MaxIterations`, `Stalled`: the point of the last basis.
///
/// The settings are shared with [`avi::CaoFerris`]. The tolerance applies to the [`error`](super::error) of
/// the relay problem.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::relay::{CaoFerris, RelayProblem};
///
/// // A matrix without special properties.
/// let m = array![[0.0, -3.0], [1.0, -1.0]];
/// let problem = RelayProblem::new(&m, &[1.0, 0.5], &[-1.0; 2], &[1.0; 2])?;
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// assert!(CaoFerris::default().solve(&problem, &mut z, &mut w)?.status.is_success());
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_RELAY_AVI_CAOFERRIS (306)")]
#[derive(Clone, Debug, Default)]
pub struct CaoFerris {
    settings: CaoFerrisSettings,
    avi: avi::CaoFerris,
    h: Vec<f64>,
    k: Vec<f64>,
    multipliers: Vec<f64>,
    test: AcceptanceTest,
    /// Factors $d_i$ that convert $z_i$ to the unit of $w_i$; see [`own_response`](crate::own_response).
    responses: Vec<f64>,
    polish: Polish,
}

impl CaoFerris {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range.
    pub fn new(settings: CaoFerrisSettings) -> Result<Self, SettingsError> {
        Ok(Self { avi: avi::CaoFerris::new(settings.clone())?, settings, ..Self::default() })
    }

    /// Writes the bounds as inequalities, the lower bounds first (step 1).
    fn write_inequalities(&mut self, problem: &RelayProblem<'_>) {
        self.h.clear();
        self.k.clear();
        for (bounds, sign) in [(problem.lower(), 1.0), (problem.upper(), -1.0)] {
            for (i, bound) in bounds.iter().enumerate().filter(|(_, b)| b.is_finite()) {
                self.h.extend((0..problem.size()).map(|j| if i == j { sign } else { 0.0 }));
                self.k.push(sign * bound);
            }
        }
    }
}

impl Stage for CaoFerris {
    fn set_budget(&mut self, budget: &Budget) {
        self.avi.set_budget(budget);
    }

    fn effort(&self, problem: &RelayProblem<'_>, _: &SolveInfo, _: &Budget) -> f64 {
        self.avi.operations(problem.size(), self.k.len())
    }
}

/// Description of the method, for tables and the command-line tool.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "cao-ferris",
    siconos: "AVI_CAOFERRIS (306)",
    guarantee: Guarantee::of(&[MatrixClass::General]).only(Scope::FiniteBounds),
    storage: "dense",
    reference: "Cao, Ferris (1996)",
};

impl Solver for CaoFerris {
    type Class = Relay;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn supports(&self, problem: &RelayProblem<'_>) -> Result<(), Unsupported> {
        require_dense(self.name(), problem.m()).map(|_| ())
    }

    fn solve(
        &mut self,
        problem: &RelayProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        if let Some(solved) = begin(problem, z, w)? {
            return Ok(solved);
        }
        let m = require_dense(self.name(), problem.m())?;
        problem.bounds().project(z);
        let error = self.test.of_point(problem, z, w).error;
        if !error.is_finite() {
            return Ok(SolveInfo { status: Status::Breakdown, iterations: 0, error });
        }
        if problem.size() == 0 {
            return Ok(SolveInfo { status: Status::Converged, iterations: 0, error });
        }
        self.write_inequalities(problem);
        let rows = self.k.len();
        self.multipliers.clear();
        self.multipliers.resize(rows, 0.0);
        let Ok(h) = ArrayView2::from_shape((rows, problem.size()), &self.h) else {
            return Ok(SolveInfo { status: Status::Breakdown, iterations: 0, error });
        };
        // (2)
        let inequality = AviProblem::new(m.view(), problem.q(), h, &self.k)?;
        let inner = self.avi.solve(&inequality, z, &mut self.multipliers)?;
        // (3)
        own_response::write(problem.m(), &mut self.responses);
        let mut row = 0;
        for bounds in [problem.lower(), problem.upper()] {
            for (i, bound) in bounds.iter().enumerate().filter(|(_, b)| b.is_finite()) {
                // The multiplier must exceed the distance to the bound: a smaller multiplier can be a
                // rounding error.
                if self.multipliers[row] > self.responses[i] * (z[i] - bound).abs()
                    && inner.status.is_success()
                {
                    z[i] = *bound;
                }
                row += 1;
            }
        }
        problem.bounds().project(z);
        let tolerance = self.settings.tolerance;
        let mut tested = self.test.of_point(problem, z, w);
        let status = match tested.status(tolerance) {
            Status::Stalled if inner.status.is_success() || inner.status == Status::Stalled => {
                self.polish.prepare(problem.m(), false);
                self.polish.improve(problem, tolerance, z, w);
                tested = self.test.of(problem, z, w);
                tested.status(tolerance)
            }
            Status::Stalled => inner.status,
            status => status,
        };
        Ok(SolveInfo { status, iterations: inner.iterations, error: tested.error })
    }
}
