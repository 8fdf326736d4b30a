//! Semismooth Newton method for all contacts together.

use serde::{Deserialize, Serialize};
use siconos_linalg::{BlockNewtonMatrix, SingularMatrix};

use super::cost;
use super::fischer_burmeister::Scratch;
use super::function::ContactPoint;
use super::residual::{conclude, error, error_of_point, judge, velocity_of_point};
use super::units::{ProblemScaling, ScaledSolver, solve_by};
use super::{Contact, ContactFunction, ContactLaw, ContactProblem, DelassusProblem};
use crate::cascade::{Budget, Stage};
use crate::engine::semismooth_newton::{SemismoothNewton, SemismoothNewtonSettings, SemismoothSystem};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{SolveInfo, Status, Stop};
use crate::method::{Guarantee, Limits, MethodDescription, Solver};

/// Settings of [`Newton`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NewtonSettings {
    /// Contact function whose zero is computed. Default: [`ContactFunction::NaturalMap`].
    pub function: ContactFunction,
    /// Tolerance, maximum number of steps, and line search parameters. Defaults: tolerance 1e-8, at most 200
    /// steps, and the defaults of [`SemismoothNewtonSettings`] for the other fields.
    pub newton: SemismoothNewtonSettings,
    /// Value added to the diagonal of W if the Newton matrix is singular, as a fraction of the largest
    /// diagonal entry of W. While the matrix remains singular, this value is multiplied by 1e4, at most
    /// twice. Default: 1e-12. Must be at least 0.
    pub regularisation: f64,
}

impl Default for NewtonSettings {
    fn default() -> Self {
        let newton = SemismoothNewtonSettings { tolerance: 1e-8, max_iterations: 200, ..Default::default() };
        Self { function: ContactFunction::default(), newton, regularisation: 1e-12 }
    }
}

impl NewtonSettings {
    pub(super) fn of_each_function() -> [Self; 4] {
        ContactFunction::ALL.map(|function| Self { function, ..Self::default() })
    }
}

/// Semismooth Newton method with line search, applied to one of the [contact functions](ContactFunction).
///
/// **Problem.** [`ContactProblem`] in any storage. The natural map supports every law, except rolling
/// friction with an infinite coefficient. The functions of Alart and Curnier and of Jean and Moreau support
/// Coulomb's law. The function of Fischer and Burmeister supports Coulomb's law with finite coefficients, and
/// second-order cones.
///
/// **Method.** (1) Evaluate $\Phi(r)$ block by block with $u = W r + q$, where $\rho_i$ is the reciprocal of
/// the largest diagonal entry of $W_{ii}$. (2) Solve $(A + B W) d = -\Phi$ by a dense factorisation, or by a
/// sparse factorisation whose symbolic part is reused. If the matrix is singular, for example because there
/// are more contact unknowns than degrees of freedom, add a small value to the diagonal of W. (3) Halve the
/// step until the merit function $\lVert \Phi \rVert^2 / 2$ decreases (see
/// [`semismooth_newton`](crate::engine::semismooth_newton)). (Alart and Curnier 1991; Acary, Bremond, Huber
/// 2018, section 5.2; Qi and Sun 1993.)
///
/// **Guarantee.** Local quadratic convergence near a solution at which all generalised Jacobians are
/// nonsingular. The method can stop at a stationary point of the merit function that is not a solution;
/// [`ProximalPoint`](super::ProximalPoint) can then be used instead.
///
/// **Result.** With `Converged`, the error is at or below the tolerance. With `MaxIterations`, `Stalled` and
/// `Breakdown`, r is the best iterate.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::contact::{ContactLaw, ContactProblem, Newton};
///
/// let w = array![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let law = ContactLaw::Coulomb { dimension: 3, mu: &[0.5] };
/// let problem = ContactProblem::new(&w, &[-1.0, 3.0, 4.0], law)?;
/// let (mut r, mut u) = ([0.0; 3], [0.0; 3]);
/// let info = Newton::default().solve(&problem, &mut r, &mut u)?;
/// assert!(info.status.is_success());
/// // The contact slides in the direction (3, 4) / 5, and a friction impulse of 0.5 opposes the motion.
/// assert!((r[1] + 0.3).abs() < 1e-12 && (r[2] + 0.4).abs() < 1e-12);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_FRICTION_3D_NSN_AC (504)")]
#[doc(alias = "SICONOS_FRICTION_3D_NSN_FB (513)")]
#[doc(alias = "SICONOS_FRICTION_3D_NSN_NM (520)")]
#[derive(Clone, Debug)]
pub struct Newton {
    units: ProblemScaling,
    settings: NewtonSettings,
    newton: SemismoothNewton,
    memory: NewtonWorkspace,
}

impl Default for Newton {
    fn default() -> Self {
        Self::of_checked(NewtonSettings::default())
    }
}

/// Workspace of [`System`], which is kept between solves.
#[derive(Clone, Debug, Default)]
struct NewtonWorkspace {
    matrix: BlockNewtonMatrix,
    rho: Vec<f64>,
    r: Vec<f64>,
    u: Vec<f64>,
    a: Vec<f64>,
    b: Vec<f64>,
    products: Vec<f64>,
    diagonal: Vec<f64>,
    scratch: Scratch,
    /// Number of evaluations of $\Phi$ in the most recent solve.
    evaluations: usize,
}

impl Newton {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range ([`SettingsError`]).
    pub fn new(settings: NewtonSettings) -> Result<Self, SettingsError> {
        SettingsError::check_at_least("regularisation", settings.regularisation, 0.0, "nonnegative")?;
        SemismoothNewton::new(settings.newton.clone())?;
        Ok(Self::of_checked(settings))
    }

    /// Creates a solver from settings that [`new`](Self::new) would accept.
    pub(super) fn of_checked(settings: NewtonSettings) -> Self {
        let newton = SemismoothNewton::of_checked(settings.newton.clone());
        Self { units: ProblemScaling::default(), settings, newton, memory: NewtonWorkspace::default() }
    }

    /// Returns the number of operations of the most recent solve, which took `steps` steps.
    pub(super) fn effort_of(&self, problem: &DelassusProblem<'_>, steps: usize) -> f64 {
        cost::of_step(problem) * steps as f64 + cost::of_evaluation(problem) * self.memory.evaluations as f64
    }

    /// Changes the tolerance of subsequent solves and keeps the workspace.
    pub(super) fn set_tolerance(&mut self, tolerance: f64) {
        self.settings.newton.tolerance = tolerance;
        self.newton.set_tolerance(tolerance);
    }

    /// Changes the maximum number of steps of subsequent solves and keeps the workspace.
    pub(super) fn set_max_iterations(&mut self, max_iterations: usize) {
        self.settings.newton.max_iterations = max_iterations;
        self.newton.set_max_iterations(max_iterations);
    }
}

impl Stage for Newton {
    fn set_budget(&mut self, budget: &Budget) {
        self.set_max_iterations(budget.iterations);
    }

    fn effort(&self, problem: &ContactProblem<'_>, info: &SolveInfo, _: &Budget) -> f64 {
        problem.delassus().map_or(0.0, |problem| self.effort_of(&problem, info.iterations))
    }
}

const NATURAL_MAP: MethodDescription =
    of_function("newton", "NSN_NM (520)", "De Saxce, Feng (1998); Qi, Sun (1993)");
const ALART_CURNIER: MethodDescription =
    of_function("newton-alart-curnier", "NSN_AC (504, 521), NSN_AC_WR (606)", "Alart, Curnier (1991)");
const JEAN_MOREAU: MethodDescription = of_function("newton-jean-moreau", "NSN_AC (504, 521)", "Jean (1999)");
const FISCHER_BURMEISTER: MethodDescription =
    of_function("newton-fischer-burmeister", "NSN_FB (513)", "Fukushima, Luo, Tseng (2002)");

const fn of_function(
    name: &'static str,
    siconos: &'static str,
    reference: &'static str,
) -> MethodDescription {
    MethodDescription { name, siconos, guarantee: Guarantee::in_words("local"), storage: "any", reference }
}

pub(super) fn describe(settings: &NewtonSettings) -> &'static MethodDescription {
    match settings.function {
        ContactFunction::NaturalMap => &NATURAL_MAP,
        ContactFunction::AlartCurnier => &ALART_CURNIER,
        ContactFunction::JeanMoreau => &JEAN_MOREAU,
        ContactFunction::FischerBurmeister => &FISCHER_BURMEISTER,
    }
}

impl Solver for Newton {
    type Class = Contact;

    fn name(&self) -> &'static str {
        describe(&self.settings).name
    }

    fn limits(&self) -> Limits {
        self.settings.newton.limits()
    }

    fn supports(&self, problem: &ContactProblem<'_>) -> Result<(), Unsupported> {
        if self.settings.function.supports(&problem.law()) {
            return Ok(());
        }
        let found = "this law with this function";
        Err(Unsupported { solver: self.name(), found, takes: "every law with the natural map" })
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

impl ScaledSolver for Newton {
    fn units(&mut self) -> &mut ProblemScaling {
        &mut self.units
    }

    fn solve_in_own_units(
        &mut self,
        problem: &DelassusProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let law = problem.law();
        let memory = &mut self.memory;
        memory.matrix.prepare(problem.w(), (0..law.blocks()).map(|i| law.range(i).start).chain([law.size()]));
        memory.diagonal.clear();
        memory.diagonal.resize(problem.size(), 0.0);
        problem.w().copy_diagonal(&mut memory.diagonal);
        memory.rho.clear();
        for i in 0..law.blocks() {
            let size = memory.diagonal[law.range(i)].iter().fold(0.0_f64, |a, d| a.max(d.abs()));
            memory.rho.push(if size > 0.0 { 1.0 / size } else { 1.0 });
        }
        for vector in [&mut memory.r, &mut memory.u] {
            vector.clear();
            vector.resize(problem.size(), 0.0);
        }
        for blocks in [&mut memory.a, &mut memory.b] {
            blocks.clear();
            blocks.resize(memory.matrix.block_entries(), 0.0);
        }
        memory.evaluations = 0;
        to_velocities(&law, &memory.rho, r);
        let mut system = System { problem, settings: &self.settings, memory };
        let info = self.newton.solve(&mut system, r);
        to_impulses(&law, &self.memory.rho, r);
        let tolerance = self.settings.newton.tolerance;
        let mut error = error_of_point(problem, r, u);
        // Newton's method ends close to the cones but not exactly in them. Its result is projected onto the
        // cones, unless the projection increases the error to above the tolerance.
        let found = &mut self.memory.products;
        found.clear();
        found.extend_from_slice(r);
        problem.law().project_all(r);
        let projected = error_of_point(problem, r, u);
        if projected <= error.max(tolerance) {
            error = projected;
        } else {
            r.copy_from_slice(found);
        }
        let status = match judge(problem, r, error, tolerance) {
            Status::Stalled if info.status.is_success() => Status::Stalled,
            Status::Stalled => info.status,
            judged => judged,
        };
        let stop = Stop { status, iterations: info.iterations };
        Ok(conclude(problem, r, u, tolerance, stop, &mut self.memory.products))
    }
}

/// Converts impulses to velocities by dividing the reactions of every contact by its $\rho$.
fn to_velocities(law: &ContactLaw<'_>, rho: &[f64], r: &mut [f64]) {
    for (block, rho) in rho.iter().enumerate() {
        r[law.range(block)].iter_mut().for_each(|r| *r /= rho);
    }
}

/// Converts velocities to impulses. This is the inverse of [`to_velocities`].
fn to_impulses(law: &ContactLaw<'_>, rho: &[f64], velocities: &mut [f64]) {
    for (block, rho) in rho.iter().enumerate() {
        velocities[law.range(block)].iter_mut().for_each(|r| *r *= rho);
    }
}

/// System $\Phi(r) = 0$, with the velocities $R = r / \rho$ as unknowns and the residual $\Phi / \rho$.
/// Without this scaling, the merit function and its gradient would depend only on the heaviest bodies,
/// because their impulses are the largest.
struct System<'a, 'p> {
    problem: &'a DelassusProblem<'p>,
    settings: &'a NewtonSettings,
    memory: &'a mut NewtonWorkspace,
}

/// Maximum number of attempts to factorise a singular Newton matrix with a regularisation.
const REGULARISATIONS: i32 = 3;

/// Factor between the regularisations of successive attempts.
const MORE: f64 = 1e4;

impl SemismoothSystem for System<'_, '_> {
    fn residual(&mut self, velocities: &[f64], phi: &mut [f64]) -> f64 {
        let law = self.problem.law();
        let NewtonWorkspace { rho, r, u, scratch, evaluations, .. } = self.memory;
        *evaluations += 1;
        r.copy_from_slice(velocities);
        to_impulses(&law, rho, r);
        velocity_of_point(self.problem, r, u);
        for (block, &rho) in rho.iter().enumerate() {
            let range = law.range(block);
            let at = ContactPoint { block, rho, r: &r[range.clone()], u: &u[range.clone()] };
            self.settings.function.evaluate(&law, at, &mut phi[range], None, scratch);
        }
        to_velocities(&law, rho, phi);
        error(self.problem, r, u)
    }

    fn direction(&mut self, _: &[f64], phi: &[f64], d: &mut [f64]) -> Result<(), SingularMatrix> {
        let law = self.problem.law();
        // The most recent call of `residual` had the same arguments, so r and u are up to date.
        let NewtonWorkspace { matrix, rho, r, u, a, b, products, diagonal, scratch, .. } = self.memory;
        products.clear();
        products.resize(phi.len(), 0.0);
        for (block, &rho) in rho.iter().enumerate() {
            let (range, places) = (law.range(block), matrix.block(block));
            let at = ContactPoint { block, rho, r: &r[range.clone()], u: &u[range.clone()] };
            let jacobians = Some((&mut a[places.clone()], &mut b[places]));
            self.settings.function.evaluate(&law, at, &mut products[range], jacobians, scratch);
        }
        let largest = diagonal.iter().fold(0.0_f64, |a, d| a.max(d.abs()));
        let mut alpha = 0.0;
        for trial in 0..=REGULARISATIONS {
            let solved = matrix.factor(a, b, alpha).and_then(|()| {
                d.iter_mut().zip(phi).for_each(|(d, phi)| *d = -phi);
                to_impulses(&law, rho, d);
                matrix.solve(d)
            });
            to_velocities(&law, rho, d);
            if solved.is_ok() || trial == REGULARISATIONS || self.settings.regularisation == 0.0 {
                return solved;
            }
            alpha = self.settings.regularisation * largest * MORE.powi(trial);
        }
        Ok(())
    }

    fn gradient(&mut self, _: &[f64], phi: &[f64], g: &mut [f64]) {
        let law = self.problem.law();
        let NewtonWorkspace { matrix, rho, a, b, products, .. } = &mut *self.memory;
        g.fill(0.0);
        products.fill(0.0);
        // With R = diag(rho), the Jacobian for the velocities is R^-1 (A + B W) R. Therefore the gradient is
        // R (A + B W)^T R^-1 phi.
        for (i, rho) in rho.iter().enumerate() {
            let (range, places) = (law.range(i), matrix.block(i));
            let size = range.len();
            for (row, phi) in phi[range.clone()].iter().map(|phi| phi / rho).enumerate() {
                let entries = places.start + row * size..places.start + (row + 1) * size;
                g[range.clone()].iter_mut().zip(&a[entries.clone()]).for_each(|(g, a)| *g += a * phi);
                products[range.clone()].iter_mut().zip(&b[entries]).for_each(|(p, b)| *p += b * phi);
            }
        }
        self.problem.w().add_transposed_product(1.0, products, g);
        to_impulses(&law, rho, g);
    }
}
