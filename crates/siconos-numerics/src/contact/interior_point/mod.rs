//! An interior-point method for contact with friction: the scaling of Nesterov and Todd, with the shift
//! inside Newton's step.

mod step;

use serde::{Deserialize, Serialize};

use self::step::State;

use super::best_iterate::BestIterate;
use super::law::refuse_infinite_friction;
use super::residual::{error_of_point, judge};
use super::units::{InOwnUnits, OwnUnits, solve_by};
use super::{Contact, ContactLaw, ContactProblem};
use crate::chain::{Allowance, Link};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{SolveInfo, Status};
use crate::linalg::BlockNewtonMatrix;
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Scope, Solver};
use crate::watch;

/// Settings of [`InteriorPoint`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct InteriorPointSettings {
    /// The [`error`](super::error) at which a point counts as a solution. Default 1e-8, above 0.
    pub tolerance: f64,
    /// The largest number of steps. Default 80.
    pub max_iterations: usize,
    /// Part of the way to the boundary of the cones that a step goes at most. Default 0.99, in (0, 1).
    pub to_boundary: f64,
}

impl Default for InteriorPointSettings {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 80, to_boundary: 0.99 }
    }
}

/// Interior points with the scaling of Nesterov and Todd, for the contact problem itself, not for a
/// convexified one.
///
/// **Problem.** [`ContactProblem`] with Coulomb's law and $\mu > 0$ at every contact, or second-order cones
/// with $\tau > 0$.
///
/// **Method.** In the variables $x = (\mu r_N, r_T)$ and $y = ((u_N + s(u)) / \mu, u_T)$, both inside the
/// second-order cone: (1) the scaling V with $V x = V^{-1} y =: \lambda$ per contact; (2) Newton's step for
/// $y = W x + q + s(y) e$ and $\lambda \circ (V dx + V^{-1} dy) = \sigma \nu e - \lambda \circ \lambda$, that
/// is (V^2 + G W) dx = .., with the derivative $G$ of the shift, so that the matrix is not symmetric; first
/// with $\sigma = 0$ (the affine step), then with $\sigma = (\nu_{aff} / \nu)^3$ and the correction of second
/// order (Mehrotra 1992); (3) 0.99 of the step to the boundary. Where that is short, the step without
/// correction and with more centring is tried. (Acary, Armand, Nguyen, Shpakovych 2024, "Second-order cone
/// programming for frictional contact mechanics using interior point algorithm", for the scaling and for the
/// shift as a nonsmooth term inside Newton's step.)
///
/// **Guarantee.** Without the shift and with positive semidefinite W it is a primal-dual method of a convex
/// program, whose steps hardly depend on size and rank. With friction there is none. Rounding on the boundary
/// ends it near 1e-8; Newton on a [contact function](super::ContactFunction) goes on from there.
///
/// **Result.** `Converged`: error at or below the tolerance, r in the cones. `MaxIterations`, `Stalled` (the
/// steps became too short, or the error has not fallen for long), `Breakdown`: the best iterate. The guess in
/// r is returned when it is a solution, and otherwise not used: an interior method cannot.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::contact::{ContactLaw, ContactProblem, InteriorPoint};
///
/// // Two contacts at one point: only the sum of the reactions is determined.
/// let w = array![[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0], [1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]];
/// let law = ContactLaw::Coulomb { dimension: 2, mu: &[0.5, 0.5] };
/// let problem = ContactProblem::new(&w, &[-1.0, 2.0, -1.0, 2.0], law)?;
/// let (mut r, mut u) = ([0.0; 4], [0.0; 4]);
/// let info = InteriorPoint::default().solve(&problem, &mut r, &mut u)?;
/// assert!(info.status.is_success());
/// assert!((r[0] + r[2] - 1.0).abs() < 1e-6 && (r[1] + r[3] + 0.5).abs() < 1e-6);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_FRICTION_3D_IPM (524)")]
#[doc(alias = "SICONOS_FRICTION_3D_IPM_SNM (525)")]
#[derive(Clone, Debug, Default)]
pub struct InteriorPoint {
    units: OwnUnits,
    settings: InteriorPointSettings,
    matrix: BlockNewtonMatrix,
    best: BestIterate,
    state: State,
}

/// Steps without a better iterate after which nothing more is expected.
const MOST_IDLE: usize = 15;

/// Below this part of Newton's step the method is jammed.
const SHORTEST: f64 = 1e-7;

impl InteriorPoint {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn new(settings: InteriorPointSettings) -> Result<Self, SettingsError> {
        SettingsError::check_tolerance(settings.tolerance)?;
        SettingsError::check_part("to_boundary", settings.to_boundary)?;
        Ok(Self { settings, ..Self::default() })
    }
}

impl Link for InteriorPoint {
    fn lend(&mut self, allowance: &Allowance) {
        self.settings.max_iterations = allowance.iterations;
    }
}

/// What a table says of the method.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "interior-point",
    siconos: "IPM, IPM_SNM (524, 525)",
    guarantee: Guarantee::of(&[MatrixClass::PositiveSemidefinite]).only(Scope::Words("without the shift")),
    storage: "any; coefficients above 0",
    reference: "Acary, Armand, Nguyen, Shpakovych (2024)",
};

impl Solver for InteriorPoint {
    type Class = Contact;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn supports(&self, problem: &ContactProblem<'_>) -> Result<(), Unsupported> {
        let positive = |mu: &[f64]| mu.iter().all(|mu| *mu > 0.0);
        refuse_infinite_friction(self.name(), &problem.law())?;
        match problem.law() {
            ContactLaw::Coulomb { mu, .. } if positive(mu) => Ok(()),
            ContactLaw::SecondOrder { tau, .. } if positive(tau) => Ok(()),
            ContactLaw::Rolling { .. } => Err(Unsupported {
                solver: DESCRIPTION.name,
                found: "rolling friction",
                takes: "one cone per contact",
            }),
            _ => Err(Unsupported {
                solver: DESCRIPTION.name,
                found: "a coefficient of 0",
                takes: "coefficients above 0, for which the cones have an interior",
            }),
        }
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.supports(problem)?;
        solve_by(self, problem, r, u)
    }
}

impl InOwnUnits for InteriorPoint {
    fn units(&mut self) -> &mut OwnUnits {
        &mut self.units
    }

    fn solve_in_own_units(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let law = problem.law();
        let mut error = error_of_point(problem, r, u);
        self.best.begin(r, error);
        self.matrix.prepare(problem.w(), (0..law.blocks()).map(|i| law.range(i).start).chain([law.size()]));
        self.state.begin(problem, self.matrix.block_entries());
        let (mut iterations, mut idle, mut least) = (0, 0, f64::INFINITY);
        let status = loop {
            let status = judge(problem, r, error, self.settings.tolerance);
            if status != Status::Stalled {
                break status;
            }
            if watch::is_over(iterations, self.settings.max_iterations, error) {
                break Status::MaxIterations;
            }
            iterations += 1;
            let Some(step) = self.state.step(problem, &mut self.matrix, self.settings.to_boundary) else {
                break Status::Stalled;
            };
            self.state.write_reaction(&law, r);
            error = error_of_point(problem, r, u);
            self.best.offer(r, error);
            idle = if error < 0.9 * least { 0 } else { idle + 1 };
            least = least.min(error);
            tracing::trace!(step, error, "interior point");
            let is_within = error <= self.settings.tolerance;
            if !is_within && (step < SHORTEST || idle == MOST_IDLE) {
                break Status::Stalled;
            }
        };
        Ok(self.best.finish(problem, (r, u), self.settings.tolerance, (status, iterations)))
    }
}
