//! Semismooth Newton methods with a line search on the Fischer-Burmeister merit.

use super::polish::Polish;
use super::{Lcp, LcpProblem};
use crate::box_rows::judge;
use crate::box_rows::newton::{BoxRowsNewton, Functions};
use crate::chain::{Allowance, Link};
use crate::error::{SettingsError, SolverError, check_solve};
use crate::info::{SolveInfo, Status};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Solver};
use crate::ncp_function::NcpFunction;
use crate::own_response::solve_without_q;
use crate::semismooth_newton::SemismoothNewtonSettings;

/// The semismooth Newton method on the Fischer-Burmeister equations.
///
/// **Problem.** [`LcpProblem`] with a matrix in any storage.
///
/// **Method.** Facchinei and Pang (2003), algorithm 9.1.10, for $\Phi_i(z) = \varphi(z_i, w_i)$ with
/// $w = M z + q$ and $\varphi$ = [`NcpFunction::FischerBurmeister`]. (1) Solve $H d = -\Phi(z)$ with
/// $H = \mathrm{diag}(a) + \mathrm{diag}(b) M$, that is diag(a) + diag(b) M, $a$ and $b$ the derivatives of $\varphi$. Should $H$ be singular,
/// 1e-12, 1e-8 and 1e-4 of the largest $d_i$ of the [`error`](super::error) are added to the diagonal of M in turn. (2) If $d$ is no direction of enough descent for
/// $\theta = \frac{1}{2} \lVert \Phi \rVert^2$, take $-\nabla \theta = -H^T \Phi$. (3) Halve the step until $\theta$ decreases enough, and
/// repeat until the [`error`](super::error) is within the tolerance. (4) When the loop ends above the tolerance, solve
/// once for the complementary basis $\lbrace i : z_i > w_i \rbrace$ and keep the better point.
///
/// **Guarantee.** For P0-matrices every stationary point of the merit is a solution (Facchinei and Pang, section 9.1.2);
/// for P-matrices the iterates converge to the only solution, quadratically. For others it may end at a point that is none,
/// and says so.
///
/// **Result.** `Converged`: error at or below the tolerance. `AtRoundingLevel`: as exact as rounding allows.
/// `MaxIterations`, `Stalled` (a stationary point of the merit that is no solution, or no step decreases it), `Breakdown`:
/// the best point.
///
/// The settings are those of the loop, [`SemismoothNewtonSettings`]; `tolerance` is compared with the error of this class.
///
/// References: Facchinei and Pang (2003), sections 9.1.1 to 9.1.3; De Luca, Facchinei, Kanzow (1996); Fischer (1992).
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::lcp::{LcpProblem, NewtonFischerBurmeister};
///
/// let m = array![[2.0, 1.0], [1.0, 2.0]];
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let info = NewtonFischerBurmeister::default().solve(&LcpProblem::new(&m, &[-5.0, -6.0])?, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert!((z[0] - 4.0 / 3.0).abs() < 1e-9 && (z[1] - 7.0 / 3.0).abs() < 1e-9);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_LCP_NEWTON_FB_FBLSA")]
#[doc(alias = "SICONOS_LCP_NEWTON_FB_FBLSA (209)")]
#[derive(Clone, Debug, Default)]
pub struct NewtonFischerBurmeister(LineSearchNewton);

/// Newton's method on the minimum, with a line search on the Fischer-Burmeister merit.
///
/// **Problem.** [`LcpProblem`] with a matrix in any storage.
///
/// **Method.** As [`NewtonFischerBurmeister`], but the direction solves the equations
/// $\min(z, w) = 0$, linear but for their kinks: near a solution with $z + w > 0$ one step is exact. Where that direction does not decrease the merit
/// of Fischer and Burmeister enough, the gradient of that merit takes its place (Facchinei and Pang 2003,
/// section 9.2: one function for the fast direction, another for the line search).
///
/// **Guarantee.** As [`NewtonFischerBurmeister`]: every limit point is stationary for the merit, and a solution when $M$ is a P0-matrix.
/// [`NewtonMin`](super::NewtonMin) is faster where it is guaranteed; this one also copes with matrices that are no P-matrices.
///
/// **Result.** As [`NewtonFischerBurmeister`].
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::lcp::{LcpProblem, NewtonMinLineSearch};
///
/// let m = array![[2.0, 1.0], [1.0, 2.0]];
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let info = NewtonMinLineSearch::default().solve(&LcpProblem::new(&m, &[-1.0, 4.0])?, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert!((z[0] - 0.5).abs() < 1e-9 && z[1].abs() < 1e-9);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_LCP_NEWTON_MIN_FBLSA")]
#[doc(alias = "SICONOS_LCP_NEWTON_MIN_FBLSA (218)")]
#[derive(Clone, Debug, Default)]
pub struct NewtonMinLineSearch(LineSearchNewton);

/// What both are: the loop, and what follows where it ends above the tolerance.
#[derive(Clone, Debug, Default)]
struct LineSearchNewton {
    newton: BoxRowsNewton,
    polish: Polish,
    memory: Vec<f64>,
}

impl LineSearchNewton {
    fn new(settings: SemismoothNewtonSettings) -> Result<Self, SettingsError> {
        Ok(Self { newton: BoxRowsNewton::new(settings)?, ..Self::default() })
    }

    fn solve(
        &mut self,
        direction: NcpFunction,
        problem: &LcpProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        check_solve(problem.q(), z, w)?;
        if let Some(solved) = solve_without_q(problem.q(), z, w) {
            return Ok(solved);
        }
        let tolerance = self.newton.limits().tolerance;
        let is_symmetric = self.newton.prepare(problem);
        let functions = Functions { direction, merit: NcpFunction::FischerBurmeister };
        let mut info = self.newton.run(functions, problem, z, w);
        if info.status == Status::Converged {
            info.status = judge(problem, tolerance, z, w, info.error, &mut self.memory);
        } else if info.error.is_finite() {
            self.polish.prepare(problem.m(), is_symmetric);
            info.error = self.polish.improve(problem, tolerance, info.error, z, w);
            let last = judge(problem, tolerance, z, w, info.error, &mut self.memory);
            info.status = if last.is_success() { last } else { info.status };
        }
        Ok(info)
    }
}

impl NewtonFischerBurmeister {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn new(settings: SemismoothNewtonSettings) -> Result<Self, SettingsError> {
        LineSearchNewton::new(settings).map(Self)
    }
}

impl NewtonMinLineSearch {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn new(settings: SemismoothNewtonSettings) -> Result<Self, SettingsError> {
        LineSearchNewton::new(settings).map(Self)
    }
}

impl Link for NewtonFischerBurmeister {
    fn lend(&mut self, allowance: &Allowance) {
        self.0.newton.set_max_iterations(allowance.iterations);
    }
}

/// What a table says of one of the methods.
pub(super) const MINIMUM: MethodDescription = MethodDescription {
    name: "newton-min-line-search",
    siconos: "NEWTON_MIN_FBLSA (218)",
    guarantee: Guarantee::of(&[MatrixClass::PMatrix]).and("stationary points for P0"),
    storage: "any",
    reference: "Facchinei, Pang (2003), 9.2",
};

/// What a table says of one of the methods.
pub(super) const FISCHER_BURMEISTER: MethodDescription = MethodDescription {
    name: "newton-fischer-burmeister",
    siconos: "NEWTON_FB_FBLSA (209)",
    guarantee: Guarantee::of(&[MatrixClass::PMatrix]).and("stationary points for P0"),
    storage: "any",
    reference: "Facchinei, Pang (2003), 9.1",
};

impl Solver for NewtonFischerBurmeister {
    type Class = Lcp;

    fn name(&self) -> &'static str {
        FISCHER_BURMEISTER.name
    }

    fn limits(&self) -> Limits {
        self.0.newton.limits()
    }

    fn solve(
        &mut self,
        problem: &LcpProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.0.solve(NcpFunction::FischerBurmeister, problem, z, w)
    }
}

impl Solver for NewtonMinLineSearch {
    type Class = Lcp;

    fn name(&self) -> &'static str {
        MINIMUM.name
    }

    fn limits(&self) -> Limits {
        self.0.newton.limits()
    }

    fn solve(
        &mut self,
        problem: &LcpProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.0.solve(NcpFunction::Minimum, problem, z, w)
    }
}
