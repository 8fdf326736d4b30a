//! The proximal point method in the velocities of the bodies.

mod linear_step;
mod system;

use serde::{Deserialize, Serialize};

use self::system::{Memory, System};
use super::units::{BodiesUnits, InVelocities, check_bodies, solve_by};
use super::{BodiesProblem, Measure};
use crate::chain::{Allowance, Link};
use crate::contact::best_iterate::BestIterate;
use crate::contact::proximal_parameter::ProximalParameter;
use crate::contact::{Contact, ContactProblem};
use crate::engine::semismooth_newton::{SemismoothNewton, SemismoothNewtonSettings};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{SolveInfo, Status, Stop};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Scope, Solver};
use crate::watch;

/// Settings of [`VelocityProximalPoint`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VelocityProximalPointSettings {
    /// The [`error`](crate::contact::error) at which a point counts as a solution. Default 1e-8, above 0.
    pub tolerance: f64,
    /// The largest number of outer iterations. Default 100.
    pub max_iterations: usize,
    /// $\alpha$ at the start, over the error there or over 0.01 where that is more. Default 0.5, above 0.
    pub sigma: f64,
    /// The factor of $\alpha$ after Newton's method has failed. Default 5, above 1.
    pub retreat: f64,
    /// The regularised problem is solved to this part of the outer error. Default 0.01, in (0, 1).
    pub inner_accuracy: f64,
    /// Steps of Newton's method for each regularised problem. Default 40.
    pub inner_iterations: usize,
}

impl Default for VelocityProximalPointSettings {
    fn default() -> Self {
        Self {
            tolerance: 1e-8,
            max_iterations: 100,
            sigma: 0.5,
            retreat: 5.0,
            inner_accuracy: 0.01,
            inner_iterations: 40,
        }
    }
}

/// The proximal point method with Newton's method in the velocities of the bodies.
///
/// **Problem.** [`ContactProblem`] with bodies and any law with finite coefficients, in any storage, with
/// symmetric positive definite M.
///
/// **Method.** (1) From the reactions $r_k$ with error $e_k$, the problem whose contacts give way a little:
/// $r_i = P_K(r_{k,i} - R_i (u_i + s_i(u_i) e_N))$ with $R_i = m_i / \alpha$, $m_i$ being the mass that the
/// contact feels. What is left are equations for the velocities alone, $M v = H r(H^T v + q)$. (2)
/// Semismooth Newton on them, to `inner_accuracy` times $e_k$: with the derivative G of the reactions a step
/// solves
///
/// $$ (M + H G H^T) dv = .. , $$
///
/// sparse, a row per degree of freedom, whose pattern never changes: by GMRES with the factors of an earlier
/// step, or by factors of its own where that would take too long. The step is halved until the imbalance of
/// momentum falls below the largest of the last four, in the norm of energies. (3) A success divides $\alpha$
/// by 16 or 4 where it has taken up to 2 or 5 steps; after more $\alpha$ stays. A failure multiplies it by
/// `retreat`, and $r_k$ stays unless the error has fallen; from then on $\alpha$ keeps above twice the value
/// that failed, of which each success forgets a fifth, in proportion to the error. (Rockafellar 1976,
/// "Augmented Lagrangians and applications of the proximal point algorithm in convex programming"; Alart,
/// Curnier 1991 for the reactions and Newton's method; Saad, Schultz 1986 for GMRES.)
///
/// **Guarantee.** Without a shift it converges when the inner errors are summable (Rockafellar 1976, theorem
/// 4). With friction there is no proof. From the error of 1e-3 that sweeps reach it takes walls, towers and
/// piles with little friction to the end, and of piles of some hundred contacts that slide and stick
/// (friction 0.3 to 1) most, in one to three thousand steps of Newton's method, for which the default of
/// `max_iterations` is not enough. The rest, and larger ones, are left at an error of some 1e-4.
///
/// **Result.** `Converged`, by the [`error`](crate::contact::error); `MaxIterations`, `Stalled` (reactions do
/// not move any more), `NotFound` (within the tolerance, with reactions that rounding makes), `Breakdown`
/// (data that are not finite): the iterate with the least error. `iterations` counts outer iterations.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::contact::{ContactLaw, ContactProblem, VelocityProximalPoint};
///
/// // A particle of 2 kg that falls on the ground and is pushed sideways; friction gives way.
/// let (m, h) = (array![[2.0, 0.0], [0.0, 2.0]], array![[1.0, 0.0], [0.0, 1.0]]);
/// let law = ContactLaw::Coulomb { dimension: 2, mu: &[0.5] };
/// let problem = ContactProblem::of_bodies(&m, &h, &[-0.5, 1.0], law)?;
/// let (mut r, mut u) = ([0.0; 2], [0.0; 2]);
/// let info = VelocityProximalPoint::default().solve(&problem, &mut r, &mut u)?;
/// assert!(info.status.is_success());
/// assert!((r[0] - 1.0).abs() < 1e-7 && (r[1] + 0.5).abs() < 1e-7);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[derive(Clone, Debug)]
pub struct VelocityProximalPoint {
    units: BodiesUnits,
    settings: VelocityProximalPointSettings,
    newton: SemismoothNewton,
    memory: Memory,
    measure: Measure,
    best: BestIterate,
    /// The unknowns of the regularised problem.
    trial: Vec<f64>,
    /// The time of the last solve in factorisations, and how many of these there may be.
    spent: f64,
    most_factorisations: usize,
    /// Whether these are fewer than were wanted, for the effort that is left.
    is_cut: bool,
}

/// No inner solver is asked for less than this.
const LEAST_TOLERANCE: f64 = 1e-15;

/// A step of Newton's method may go up to the largest of so many merits, over the kinks between contacts that
/// stick and slide: on piles with much friction it takes a sixth fewer steps than with the last alone. In the
/// form with W some points go astray by that where friction is infinite.
const MERITS: usize = 4;

impl Default for VelocityProximalPoint {
    fn default() -> Self {
        Self::of_checked(VelocityProximalPointSettings::default())
    }
}

impl VelocityProximalPoint {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn new(settings: VelocityProximalPointSettings) -> Result<Self, SettingsError> {
        let s = &settings;
        SettingsError::check_tolerance(s.tolerance)?;
        SettingsError::check_at_least("sigma", s.sigma, f64::MIN_POSITIVE, "above 0")?;
        SettingsError::check_at_least("retreat", s.retreat, 1.0 + f64::EPSILON, "above 1")?;
        SettingsError::check_part("inner_accuracy", s.inner_accuracy)?;
        SettingsError::check_at_least("inner_iterations", s.inner_iterations as f64, 1.0, "at least 1")?;
        Ok(Self::of_checked(settings))
    }

    /// Makes a solver with settings that [`new`](Self::new) accepts.
    pub(in crate::contact) fn of_checked(settings: VelocityProximalPointSettings) -> Self {
        Self {
            settings,
            newton: SemismoothNewton::of_checked(SemismoothNewtonSettings {
                memory: MERITS,
                ..SemismoothNewtonSettings::default()
            }),
            units: BodiesUnits::default(),
            memory: Memory::default(),
            measure: Measure::default(),
            best: BestIterate::default(),
            trial: Vec::new(),
            spent: 0.0,
            most_factorisations: usize::MAX,
            is_cut: false,
        }
    }

    /// Solves the problem that is regularised around `r`.
    fn solve_inner(
        &mut self,
        problem: &BodiesProblem<'_>,
        (alpha, tolerance): (f64, f64),
        r: &[f64],
    ) -> SolveInfo {
        self.memory.centre_at(r, alpha);
        self.newton.set_tolerance(tolerance);
        self.newton.set_max_iterations(self.settings.inner_iterations);
        self.memory.unknowns(&mut self.trial);
        let most = self.most_factorisations as f64 - self.spent;
        let mut system = System { problem, memory: &mut self.memory, most };
        let info = watch::nested(|| self.newton.solve(&mut system, &mut self.trial));
        // Until here they are those of the last trial of a line search.
        self.memory.react(problem, &self.trial);
        let spent = self.memory.linear.take_spent();
        // A success without a step costs something too.
        self.spent += if spent > 0.0 { spent } else { 1.0 };
        info
    }
}

impl InVelocities for VelocityProximalPoint {
    fn units(&mut self) -> &mut BodiesUnits {
        &mut self.units
    }

    fn solve_in_own_units(
        &mut self,
        problem: &BodiesProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let tolerance = self.settings.tolerance;
        self.measure.prepare(problem)?;
        let mut error = self.measure.of(problem, r, u);
        self.best.begin(r, error);
        self.memory.prepare(problem, self.measure.velocities());
        let mut parameter = ProximalParameter::begin(self.settings.sigma, error);
        self.spent = 0.0;
        let mut iterations = 0;
        let status = loop {
            let status = match error <= tolerance {
                true => self.measure.judge(problem, r, error, tolerance),
                false => Status::Stalled,
            };
            if status != Status::Stalled {
                break status;
            }
            if !error.is_finite() {
                break Status::Breakdown;
            }
            if self.spent >= self.most_factorisations as f64 {
                break if self.is_cut { Status::EffortSpent } else { Status::MaxIterations };
            }
            if watch::is_over(iterations, self.settings.max_iterations, error) {
                break Status::MaxIterations;
            }
            if !parameter.is_of_use() {
                break Status::Stalled;
            }
            iterations += 1;
            let allowed = (self.settings.inner_accuracy * error).max(LEAST_TOLERANCE);
            let alpha = parameter.value;
            let inner = self.solve_inner(problem, (alpha, allowed), r);
            let new = self.measure.of(problem, &self.memory.reactions, u);
            self.best.offer(&self.memory.reactions, new);
            tracing::trace!(alpha, steps = inner.iterations, status = ?inner.status, error = new, "proximal point");
            let success = inner.status.is_success() && new.is_finite();
            if success || new < error {
                r.copy_from_slice(&self.memory.reactions);
                self.memory.start_from_here();
                error = new;
            }
            if success {
                parameter.after_success(inner.iterations as f64, error);
            } else {
                parameter.after_failure(self.settings.retreat, error);
            }
        };
        Ok(self.measure.finish(problem, &mut self.best, (r, u), tolerance, Stop { status, iterations }))
    }
}

impl Link for VelocityProximalPoint {
    /// Factorisations are counted, of which an outer iteration takes some.
    fn lend(&mut self, allowance: &Allowance) {
        self.most_factorisations = allowance.iterations;
        self.is_cut = allowance.is_cut();
        self.settings.max_iterations = allowance.iterations;
    }

    fn effort(&self, _: &ContactProblem<'_>, _: &SolveInfo, allowance: &Allowance) -> f64 {
        allowance.cost * self.spent.max(1.0)
    }
}

/// What a table says of the method.
pub(in crate::contact) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "velocity-proximal-point",
    siconos: "",
    guarantee: Guarantee::of(&[MatrixClass::SymmetricPositiveDefinite]).only(Scope::WithoutFriction),
    storage: "any, with the bodies",
    reference: "Rockafellar (1976); Alart, Curnier (1991)",
};

impl Solver for VelocityProximalPoint {
    type Class = Contact;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn supports(&self, problem: &ContactProblem<'_>) -> Result<(), Unsupported> {
        check_bodies(self.name(), problem)
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        solve_by(self, problem, r, u)
    }
}
