//! Conjugate projected gradient method of Renouf and Alart for contacts with friction.

use serde::{Deserialize, Serialize};
use siconos_linalg::{dot, norm};

use crate::cancellation;
use crate::contact::best_iterate::BestIterate;
use crate::contact::law::refuse_infinite_friction;
use crate::contact::residual::{error, error_of_point, judge};
use crate::contact::units::{ProblemScaling, ScaledSolver, solve_by};
use crate::contact::{Contact, ContactLaw, ContactProblem, DelassusProblem};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{SolveInfo, Status, Stop};
use crate::method::{Guarantee, Limits, MethodDescription, Solver};

/// Settings of [`ConjugateProjectedGradient`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConjugateProjectedGradientSettings {
    /// Maximum [`error`](crate::contact::error) of an accepted solution. Default: 1e-8. Must be positive.
    pub tolerance: f64,
    /// Maximum number of iterations. Each iteration takes one or two products with W. Default: 20 000.
    pub max_iterations: usize,
}

impl Default for ConjugateProjectedGradientSettings {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 20_000 }
    }
}

/// Conjugate projected gradient method whose search directions are tangent to the friction discs.
///
/// **Problem.** [`ContactProblem`] with Coulomb's law in the plane or in space, in any storage, for symmetric
/// positive semidefinite W.
///
/// **Method.** Renouf and Alart (2005), "Conjugate gradient type algorithms for frictional multi-contact
/// problems: applications to granular materials", Comput. Methods Appl. Mech. Engrg. 194, section 5. Let
/// $g = -(W r + q)$ be the negative gradient, and let $P_T$ be the projection onto the directions that stay
/// feasible at r: they do not leave $r_N \ge 0$ and the disc of radius $\mu r_N$. (1) Set $t = P_T(g)$,
/// $\beta = -t^T W p / p^T W p$ and $p \leftarrow t + \beta P_T(p)$. If the new p has $g^T p \le 0$, set p =
/// t. (2) Set $\alpha = g^T p / p^T W p$, and project $r + \alpha p$ in two steps: set
/// $r_N \leftarrow (r_N)_+$, and then project $r_T$ onto the disc of radius $\mu r_N$ with the new $r_N$. (3)
/// Compute g and the [`error`](crate::contact::error). (4) Safeguard: after 30 iterations without a smaller
/// error, use $r + g / \lVert W \rVert$ instead of $r + \alpha p$ in step (2) for 10 iterations, and restart
/// with p = t. Each further use of the safeguard takes twice as many iterations as the previous use.
///
/// **Guarantee.** None with friction, because the discs depend on the iterate. Without friction, the method
/// is the conjugate projected gradient method for bound constraints.
///
/// **Result.** With `Converged`, the error is at or below the tolerance, and r is in the cones. With
/// `MaxIterations`, `Stalled` (no step changes r) and `Breakdown` (a value is not finite), r is the best
/// iterate.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::contact::classical::ConjugateProjectedGradient;
/// use siconos_numerics::contact::{ContactLaw, ContactProblem};
///
/// let w = array![[2.0, 0.5, 0.0], [0.5, 2.0, 0.0], [0.0, 0.0, 2.0]];
/// let law = ContactLaw::Coulomb { dimension: 3, mu: &[0.5] };
/// let problem = ContactProblem::new(&w, &[-1.0, 0.1, 0.1], law)?;
/// let (mut r, mut u) = ([0.0; 3], [0.0; 3]);
/// let info = ConjugateProjectedGradient::default().solve(&problem, &mut r, &mut u)?;
/// assert!(info.status.is_success());
/// // The contact sticks.
/// assert!(u.iter().all(|u| u.abs() < 1e-7));
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "CPG")]
#[doc(alias = "SICONOS_FRICTION_2D_CPG (402)")]
#[derive(Clone, Debug, Default)]
pub struct ConjugateProjectedGradient {
    units: ProblemScaling,
    settings: ConjugateProjectedGradientSettings,
    /// Projected negative gradient t.
    tangent: Vec<f64>,
    /// Search direction p.
    direction: Vec<f64>,
    /// Product W p.
    image: Vec<f64>,
    best: BestIterate,
    next: Vec<f64>,
}

/// The safeguard is used after this number of iterations without a smaller error.
const STALL_LIMIT: usize = 30;

/// Number of iterations in the first use of the safeguard.
const GRADIENT_STEPS: usize = 10;
/// A curvature below this fraction of the product of the norms of p and W p is treated as a rounding error.
const FLAT: f64 = 1e-14;
/// A tangential reaction is treated as being on the edge of its friction disc if its distance from the edge
/// is below this fraction of the radius.
const ON_EDGE: f64 = 1e-12;

impl ConjugateProjectedGradient {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If the tolerance is not positive.
    pub fn new(settings: ConjugateProjectedGradientSettings) -> Result<Self, SettingsError> {
        SettingsError::check_tolerance(settings.tolerance)?;
        Ok(Self { settings, ..Self::default() })
    }

    /// Computes the search direction p: step (1) of [`ConjugateProjectedGradient`]. `conjugate` is the
    /// curvature $p^T W p$ of the previous direction, or `None` to restart.
    fn set_direction(&mut self, d: usize, mu: &[f64], r: &[f64], u: &[f64], conjugate: Option<f64>) {
        self.tangent.clear();
        self.tangent.extend(u.iter().map(|u| -u));
        project_on_tangents(d, mu, r, &mut self.tangent);
        if let Some(curvature) = conjugate {
            let beta = -dot(&self.tangent, &self.image) / curvature;
            project_on_tangents(d, mu, r, &mut self.direction);
            self.direction.iter_mut().zip(&self.tangent).for_each(|(p, t)| *p = t + beta * *p);
            if beta.is_finite() && dot(&self.direction, u) < 0.0 {
                return;
            }
        }
        self.direction.clear();
        self.direction.extend_from_slice(&self.tangent);
    }

    /// Computes W p and returns $p^T W p$. Returns 0 if $p^T W p$ is at the level of rounding errors.
    fn curvature(&mut self, problem: &DelassusProblem<'_>) -> f64 {
        self.image.clear();
        self.image.resize(self.direction.len(), 0.0);
        problem.w().add_product(1.0, &self.direction, &mut self.image);
        let curvature = dot(&self.direction, &self.image);
        if curvature <= FLAT * norm(&self.direction) * norm(&self.image) { 0.0 } else { curvature }
    }

    /// Runs the method from an initial guess `r` that is in the cones.
    fn iterate(
        &mut self,
        problem: &DelassusProblem<'_>,
        mu: &[f64],
        r: &mut [f64],
        u: &mut [f64],
    ) -> SolveInfo {
        let (d, tolerance) = (problem.size() / mu.len(), self.settings.tolerance);
        let mut current = error_of_point(problem, r, u);
        let mut least = current;
        self.best.begin(r, current);
        let (mut conjugate, mut waited, mut longest) = (None, 0, 0.0_f64);
        let (mut gradient_steps, mut next_gradient_steps) = (0, GRADIENT_STEPS);
        let mut iterations = 0;
        let status = loop {
            let status = judge(problem, r, current, tolerance);
            let is_over = cancellation::is_over(iterations, self.settings.max_iterations, current);
            if status != Status::Stalled && (status != Status::NotFound || is_over) {
                break status;
            }
            if is_over {
                break Status::MaxIterations;
            }
            iterations += 1;
            // Step (4): use the safeguard.
            if waited >= STALL_LIMIT {
                (waited, gradient_steps) = (0, next_gradient_steps);
                next_gradient_steps = next_gradient_steps.saturating_mul(2);
            }
            // Steps (1) and (2): compute the direction, move and project.
            let by_gradient = gradient_steps > 0;
            if by_gradient {
                gradient_steps -= 1;
                self.direction.clear();
                self.direction.extend(u.iter().map(|u| -u));
            } else {
                self.set_direction(d, mu, r, u, conjugate);
            }
            let curvature = self.curvature(problem);
            // The ratio of the norms of W p and p is a lower bound of the norm of W.
            longest = longest.max(norm(&self.image) / norm(&self.direction));
            conjugate = Some(curvature).filter(|curvature| *curvature > 0.0 && !by_gradient);
            let step = match conjugate {
                Some(curvature) => -dot(&self.direction, u) / curvature,
                None if longest > 0.0 => 1.0 / longest,
                None => 1.0,
            };
            self.next.clear();
            self.next.extend(r.iter().zip(&self.direction).map(|(r, p)| r + step * p));
            let is_cut = project_on_discs(d, mu, &mut self.next);
            if self.next == r {
                if by_gradient {
                    break Status::Stalled;
                }
                (conjugate, waited) = (None, STALL_LIMIT);
                continue;
            }
            r.copy_from_slice(&self.next);
            // Step (3): compute the velocity and the error.
            if is_cut || by_gradient || iterations.is_multiple_of(REFRESH) {
                current = error_of_point(problem, r, u);
            } else {
                u.iter_mut().zip(&self.image).for_each(|(u, image)| *u += step * image);
                current = error(problem, r, u);
                if current <= tolerance {
                    current = error_of_point(problem, r, u);
                }
            }
            waited += usize::from(!by_gradient);
            if current < least || least.is_nan() {
                (least, waited) = (current, 0);
                self.best.offer(r, current);
            }
        };
        self.best.finish(problem, (r, u), tolerance, Stop { status, iterations })
    }
}

/// Maximum number of consecutive updates of the velocity before it is recomputed.
const REFRESH: usize = 50;

/// Projects the directions `x` onto the feasible directions at the reactions `r`.
fn project_on_tangents(d: usize, mu: &[f64], r: &[f64], x: &mut [f64]) {
    for ((r, x), mu) in r.chunks_exact(d).zip(x.chunks_exact_mut(d)).zip(mu) {
        if r[0] <= 0.0 {
            x[0] = x[0].max(0.0);
            // At r, the radius of the disc is 0. It grows in proportion to the normal component of x.
            let (bound, length) = (mu * x[0], norm(&x[1..]));
            if length > bound {
                x[1..].iter_mut().for_each(|x| *x *= bound / length);
            }
            continue;
        }
        let (bound, length) = (mu * r[0], norm(&r[1..]));
        if bound == 0.0 {
            x[1..].fill(0.0);
            continue;
        }
        let outward = dot(&x[1..], &r[1..]);
        if length >= (1.0 - ON_EDGE) * bound && outward > 0.0 {
            let factor = outward / (length * length);
            x[1..].iter_mut().zip(&r[1..]).for_each(|(x, r)| *x -= factor * r);
        }
    }
}

/// Sets negative normal components to 0, then projects each tangential component onto the disc for the new
/// normal component. Returns `true` if a component was changed.
fn project_on_discs(d: usize, mu: &[f64], r: &mut [f64]) -> bool {
    let mut is_cut = false;
    for (r, mu) in r.chunks_exact_mut(d).zip(mu) {
        if r[0] < 0.0 {
            r[0] = 0.0;
            is_cut = true;
        }
        let (bound, length) = (mu * r[0], norm(&r[1..]));
        if length > bound {
            is_cut = true;
            r[1..].iter_mut().for_each(|r| *r *= bound / length);
        }
    }
    is_cut
}

/// Description of the method, for tables and the command-line tool.
pub(in crate::contact) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "conjugate-projected-gradient",
    siconos: "CPG (402)",
    guarantee: Guarantee::in_words("none with friction"),
    storage: "any; Coulomb",
    reference: "Renouf and Alart (2005)",
};

impl Solver for ConjugateProjectedGradient {
    type Class = Contact;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn supports(&self, problem: &ContactProblem<'_>) -> Result<(), Unsupported> {
        match problem.law() {
            ContactLaw::Coulomb { .. } => refuse_infinite_friction(self.name(), &problem.law()),
            ContactLaw::Rolling { .. } | ContactLaw::SecondOrder { .. } => {
                let (found, takes) = ("this law", "Coulomb friction");
                Err(Unsupported { solver: self.name(), found, takes })
            }
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

impl ScaledSolver for ConjugateProjectedGradient {
    fn units(&mut self) -> &mut ProblemScaling {
        &mut self.units
    }

    fn solve_in_own_units(
        &mut self,
        problem: &DelassusProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        match problem.law() {
            ContactLaw::Coulomb { mu, .. } => Ok(self.iterate(problem, mu, r, u)),
            _ => Err(self.supports(&problem.into()).map_or_else(SolverError::from, |()| unreachable!())),
        }
    }
}
