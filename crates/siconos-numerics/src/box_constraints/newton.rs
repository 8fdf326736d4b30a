//! Semismooth Newton method for box-constrained linear complementarity.

use std::marker::PhantomData;

use serde::{Deserialize, Serialize};
use siconos_linalg::MatrixRef;

use super::acceptance::AcceptanceTest;
use super::equations::{BoxNewton, Equations, Functions};
use super::polish::Polish;
use super::residual::{begin, norm_wise_error_by, write_image};
use super::storage::{Storage, Stored};
use super::{BoxClass, BoxProblem};
use crate::cascade::{Budget, Stage};
use crate::engine::semismooth_newton::SemismoothNewtonSettings;
use crate::error::{SettingsError, SolverError};
use crate::info::{SolveInfo, Status};
use crate::method::{Class, Guarantee, Limits, MethodDescription, Solver};
use crate::ncp_function::NcpFunction;
use crate::own_response;

/// Settings of a Newton method for complementarity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NewtonSettings {
    /// Settings of the iteration. The tolerance applies to the error that the problem class defines. Default:
    /// [`SemismoothNewtonSettings::default`].
    pub newton: SemismoothNewtonSettings,
    /// Complementarity function of the equations to be solved. Default: [`NcpFunction::FischerBurmeister`].
    pub function: NcpFunction,
    /// Complementarity function of the merit function in the line search. Default:
    /// [`NcpFunction::FischerBurmeister`].
    pub merit: NcpFunction,
}

impl Default for NewtonSettings {
    fn default() -> Self {
        Self::of(NcpFunction::FischerBurmeister, NcpFunction::FischerBurmeister)
    }
}

impl NewtonSettings {
    fn of(function: NcpFunction, merit: NcpFunction) -> Self {
        Self { newton: SemismoothNewtonSettings::default(), function, merit }
    }

    /// Returns settings with the minimum function for the direction and for the merit function (the
    /// active-set method), and default values otherwise.
    #[must_use]
    pub fn minimum() -> Self {
        Self::of(NcpFunction::Minimum, NcpFunction::Minimum)
    }

    /// Returns settings with the minimum function for the direction and the Fischer-Burmeister function for
    /// the merit function, and default values otherwise.
    #[must_use]
    pub fn minimum_with_line_search() -> Self {
        Self::of(NcpFunction::Minimum, NcpFunction::FischerBurmeister)
    }

    /// Returns the element for these settings: `fischer_burmeister` for the Fischer-Burmeister function,
    /// `line_search` for the minimum function with a Fischer-Burmeister merit function, and `active_set` for
    /// the minimum function with its own merit function.
    pub(crate) fn pick<T>(&self, [fischer_burmeister, line_search, active_set]: [T; 3]) -> T {
        match (self.function, self.merit) {
            (NcpFunction::FischerBurmeister, _) => fischer_burmeister,
            (NcpFunction::Minimum, NcpFunction::FischerBurmeister) => line_search,
            (NcpFunction::Minimum, NcpFunction::Minimum) => active_set,
        }
    }

    pub(crate) fn functions(&self) -> Functions {
        Functions { direction: self.function, merit: self.merit }
    }
}

/// Description of the method with the minimum function for the direction and for the merit function, for
/// unilateral rows.
pub(crate) const ACTIVE_SET: MethodDescription = MethodDescription {
    name: "newton-minimum",
    siconos: "",
    guarantee: Guarantee::in_words("local"),
    storage: "any",
    reference: "Hintermueller, Ito, Kunisch (2003)",
};

/// The semismooth Newton method, with a line search.
///
/// **Problem.** Any class of [box-constrained problems](crate::box_constraints), in any storage.
///
/// **Method.** Facchinei and Pang (2003), algorithm 9.1.10, for $\Phi(z) = 0$ with
/// $\Phi_i = \varphi(d_i (z_i - l_i), -\varphi(d_i (u_i - z_i), -w_i))$, as plain text phi(d (z - l), -phi(d
/// (u - z), -w)). Terms of missing bounds are omitted, which leaves phi(d z, w) in a complementarity row and
/// w in an equation. Here $w = M z + q$, and the factors d in the error of the problem class convert both
/// arguments to the unit of w. (1) Solve $H s = -\Phi(z)$ with $H = \mathrm{diag}(a) + \mathrm{diag}(b) M$,
/// as plain text diag(a) + diag(b) M, where a and b are the derivatives of $\Phi_i$ with respect to $z_i$ and
/// $w_i$. If $H$ is singular, 1e-12, 1e-8 and 1e-4 times the largest d are added to the diagonal of M, one
/// after the other. (2) If s is not a direction of sufficient descent for the merit function
/// $\theta = \frac{1}{2} \lVert \Phi \rVert^2$, take $-\nabla \theta = -H^T \Phi$. (3) Halve the step until
/// $\theta$ decreases enough, and repeat until the error is at or below the tolerance. (4) If the iteration
/// ends above the tolerance, solve for the active set of its point (the unknowns at the lower bound, at the
/// upper bound, and between), and keep the better point. A dense matrix of more than 48 unknowns is
/// factorised as a sparse matrix if less than an eighth of its entries are nonzero.
///
/// The Fischer-Burmeister merit function is smooth (De Luca, Facchinei, Kanzow 1996; for bounds Billups 1995,
/// section 3.2). With the minimum function, $\Phi_i$ is the median of d (z - l), d (z - u) and w, which is
/// piecewise linear. Each step then guesses the active set and solves for it, as in block pivoting and in the
/// primal-dual active-set method (Hintermueller, Ito, Kunisch 2003, sections 2 and 4). The direction of the
/// minimum function with the Fischer-Burmeister merit function combines the fast local convergence of the
/// minimum function with the global convergence of the Fischer-Burmeister function (Facchinei and Pang 2003,
/// section 9.2).
///
/// **Guarantee.** With the Fischer-Burmeister merit function, every limit point is a stationary point of the
/// merit function, and a solution if $M$ is a P0-matrix (Facchinei and Pang, section 9.1.2; with equations,
/// if their block is regular and its Schur complement is P0, section 9.4). For P-matrices the iterates
/// converge to the unique solution, and fast near it. With the minimum function for the merit function, the
/// method terminates after finitely many steps near a solution with regular generalised Jacobians, and from
/// any initial guess for M-matrices with unilateral bounds (Hintermueller, Ito, Kunisch 2003, theorem 3.2).
/// For other matrices the method can end at a point that is not a solution, which the status reports.
///
/// **Result.** `Converged`: the error is at or below the tolerance. `AtRoundingLevel`: the point is as exact
/// as rounding allows. `MaxIterations`, `Stalled` (a stationary point of the merit function that is not a
/// solution, or no step decreases the merit function), `Breakdown` (M z + q is not finite): the best point.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::{lcp, mlcp, relay};
///
/// let m = array![[2.0, 1.0], [1.0, 2.0]];
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let problem = lcp::LcpProblem::new(&m, &[-5.0, -6.0])?;
/// let info = lcp::Newton::default().solve(&problem, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert!((z[0] - 4.0 / 3.0).abs() < 1e-9 && (z[1] - 7.0 / 3.0).abs() < 1e-9);
/// let mut minimum = lcp::Newton::new(lcp::NewtonSettings::minimum_with_line_search())?;
/// let info = minimum.solve(&lcp::LcpProblem::new(&m, &[-1.0, 4.0])?, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert!((z[0] - 0.5).abs() < 1e-9 && z[1].abs() < 1e-9);
///
/// // Two bounds, one of them infinite.
/// let problem = relay::RelayProblem::new(&m, &[-1.0, 6.0], &[-1.0; 2], &[f64::INFINITY, 1.0])?;
/// let info = relay::Newton::default().solve(&problem, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert!((z[0] - 1.0).abs() < 1e-14 && z[1] == -1.0);
///
/// // A singular equality block: z_1 = 3 from the first row, and z_0 = -2 makes the second one 0.
/// let rows = [mlcp::MlcpRow::Equality, mlcp::MlcpRow::Complementarity];
/// let m = array![[0.0, 1.0], [1.0, 0.0]];
/// let problem = mlcp::MlcpProblem::new(&m, &[-3.0, 2.0], &rows)?;
/// let info = mlcp::Newton::default().solve(&problem, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert!((z[0] + 2.0).abs() < 1e-8 && (z[1] - 3.0).abs() < 1e-8);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Newton<C> {
    settings: NewtonSettings,
    newton: BoxNewton,
    storage: Storage,
    polish: Polish,
    test: AcceptanceTest,
    class: PhantomData<C>,
}

impl<C: BoxClass> Default for Newton<C> {
    /// Creates a solver with the default settings of the class.
    fn default() -> Self {
        Self::new(C::newton_settings()).expect("the default settings are in their ranges")
    }
}

impl<C: BoxClass> Newton<C> {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range.
    pub fn new(settings: NewtonSettings) -> Result<Self, SettingsError> {
        Ok(Self {
            newton: BoxNewton::new(settings.newton.clone())?,
            settings,
            storage: Storage::default(),
            polish: Polish::default(),
            test: AcceptanceTest::default(),
            class: PhantomData,
        })
    }
}

/// Equations w = M z + q. The full error is computed only if the norm-wise error is at or below the
/// tolerance.
struct LinearRows<'a, P> {
    rows: Stored<'a, P>,
    tolerance: f64,
    test: &'a mut AcceptanceTest,
}

impl<P: BoxProblem> Equations for LinearRows<'_, P> {
    fn bounds(&self, i: usize) -> (f64, f64) {
        self.rows.bounds(i)
    }

    fn value(&self, z: &[f64], w: &mut [f64]) {
        write_image(&self.rows, z, w);
    }

    fn jacobian(&self) -> MatrixRef<'_> {
        self.rows.m()
    }

    fn error(&mut self, units: &[f64], z: &[f64], w: &[f64]) -> f64 {
        let error = norm_wise_error_by(units, &self.rows, z, w);
        if error <= self.tolerance { self.test.error_by(self.tolerance, &self.rows, z, w) } else { error }
    }
}

impl<C: BoxClass> Stage for Newton<C> {
    fn set_budget(&mut self, budget: &Budget) {
        self.newton.set_max_iterations(budget.iterations);
    }
}

impl<C: BoxClass> Solver for Newton<C> {
    type Class = C;

    fn name(&self) -> &'static str {
        C::newton(&self.settings).name
    }

    fn limits(&self) -> Limits {
        self.newton.limits()
    }

    fn solve(
        &mut self,
        problem: &<C as Class>::Problem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        if let Some(solved) = begin(problem, z, w)? {
            return Ok(solved);
        }
        problem.project(z);
        let tolerance = self.newton.limits().tolerance;
        let rows = Stored::new(problem, &mut self.storage);
        let is_symmetric = rows.m().is_symmetric();
        own_response::write(rows.m(), self.newton.prepare(rows.m(), is_symmetric));
        let mut equations = LinearRows { rows, tolerance, test: &mut self.test };
        let mut info = self.newton.run(self.settings.functions(), &mut equations, z, w);
        let rows = equations.rows;
        if info.status != Status::Converged && info.error.is_finite() {
            // (4)
            self.polish.prepare(rows.m(), is_symmetric);
            self.polish.improve(&rows, tolerance, z, w);
        }
        let tested = self.test.of(problem, z, w);
        let status = tested.status(tolerance);
        info.error = tested.error;
        if status.is_success() || info.status == Status::Converged {
            info.status = status;
        }
        Ok(info)
    }
}
