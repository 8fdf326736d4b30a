//! Semismooth Newton method whose unknowns are the velocities and the reactions together.

mod system;

use serde::{Deserialize, Serialize};

use self::system::{NewtonWorkspace, System};
use super::units::{BodiesUnits, VelocitySpaceMethod, check_bodies, solve_by};
use super::{BodiesError, BodiesProblem};
use crate::cascade::{Budget, Stage};
use crate::contact::best_iterate::BestIterate;
use crate::contact::{Contact, ContactProblem};
use crate::engine::semismooth_newton::{SemismoothNewton, SemismoothNewtonSettings};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{SolveInfo, Status, Stop};
use crate::method::{Guarantee, Limits, MethodDescription, Solver};

/// Settings of [`VelocityNewton`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VelocityNewtonSettings {
    /// Maximum [`error`](crate::contact::error) of an accepted solution. Default: 1e-8. Must be positive.
    pub tolerance: f64,
    /// Maximum number of Newton steps. Default: 200.
    pub max_iterations: usize,
    /// Number of previous values of the merit function in the nonmonotone line search. A new value is
    /// compared with the largest of them. Default: 8. Must be at least 1.
    pub memory: usize,
    /// Regularisation of the reactions, divided by the error of the current iterate. An error above 1 is
    /// replaced by 1, and the regularisation is at least 1e-11. Default: 1e-3. Must be at least 0.
    pub regularisation: f64,
}

impl Default for VelocityNewtonSettings {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 200, memory: 8, regularisation: 1e-3 }
    }
}

/// Semismooth Newton method for the system of equations of v and r. The method does not compute W.
///
/// **Problem.** [`ContactProblem`] with bodies and any law with finite coefficients. M must be nonsingular,
/// and need not be symmetric.
///
/// **Method.** Let $\rho_i > 0$ be an estimate of the effective mass of contact i. The system is
///
/// $$ M v - H r = 0, \qquad r_i - P_{K_i}\bigl(r_i - \rho_i (u_i + s_i(u_i) e_N)\bigr) = 0, \qquad u =
/// H^T v + q. $$
///
/// As plain text: M v - H r = 0 and r - P_K(r - rho (u + s(u) e_N)) = 0 for every contact. Each row is
/// divided by the square root of its mass, so that the merit function is an energy. The unknowns are also
/// scaled to square roots of energies, so that a step along the gradient does not depend on the unit of
/// rotations. (1) With an element D of the generalised Jacobian of the projection, solve
///
/// $$ \begin{pmatrix} M & -H \cr \rho D (I + e_N \nabla s^T) H^T & I - D + \varepsilon I \end{pmatrix}
///    \begin{pmatrix} \Delta v \cr \Delta r \end{pmatrix} = -\Phi $$
///
/// by a sparse LU factorisation whose symbolic part is reused in all iterations. The regularisation
/// $\varepsilon$ makes the matrix nonsingular if H does not have full rank and the reactions are not unique.
/// It is a multiple of the error, and at least 1e-11. It decreases with the error, so that convergence
/// remains superlinear (as in Fan and Yuan 2005 for the Levenberg-Marquardt method). (2) Halve the step until
/// the merit function is sufficiently below the largest of its previous values ([`SemismoothNewton`]). (Alart
/// and Curnier 1991 for Newton's method on projections; Acary, Bremond, Huber 2018, section 4, for the
/// natural map; Qi and Sun 1993.)
///
/// **Guarantee.** Fast convergence near solutions at which the generalised Jacobians are nonsingular. No
/// guarantee is known far from a solution, because the merit function can have local minima.
///
/// **Result.** With `Converged`, the error is at or below the tolerance. With `MaxIterations`, `Stalled` (no
/// step decreases the merit function) and `Breakdown`, r is the iterate with the smallest error.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::contact::{ContactLaw, ContactProblem, VelocityNewton};
///
/// // A particle of 2 kg falls onto the ground with a sideways velocity, and slides.
/// let (m, h) = (array![[2.0, 0.0], [0.0, 2.0]], array![[1.0, 0.0], [0.0, 1.0]]);
/// let law = ContactLaw::Coulomb { dimension: 2, mu: &[0.5] };
/// let problem = ContactProblem::of_bodies(&m, &h, &[-0.5, 1.0], law)?;
/// let (mut r, mut u) = ([0.0; 2], [0.0; 2]);
/// let info = VelocityNewton::default().solve(&problem, &mut r, &mut u)?;
/// assert!(info.status.is_success());
/// assert!((r[0] - 1.0).abs() < 1e-7 && (r[1] + 0.5).abs() < 1e-7);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_GLOBAL_FRICTION_3D_NSN_AC (607)")]
#[derive(Clone, Debug)]
pub struct VelocityNewton {
    units: BodiesUnits,
    settings: VelocityNewtonSettings,
    newton: SemismoothNewton,
    memory: NewtonWorkspace,
    measure: BodiesError,
    best: BestIterate,
    z: Vec<f64>,
}

impl Default for VelocityNewton {
    fn default() -> Self {
        Self::of_checked(VelocityNewtonSettings::default())
    }
}

fn of_loop(settings: &VelocityNewtonSettings) -> SemismoothNewtonSettings {
    SemismoothNewtonSettings {
        tolerance: settings.tolerance,
        max_iterations: settings.max_iterations,
        memory: settings.memory,
        ..SemismoothNewtonSettings::default()
    }
}

impl VelocityNewton {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range.
    pub fn new(settings: VelocityNewtonSettings) -> Result<Self, SettingsError> {
        SettingsError::check_at_least("regularisation", settings.regularisation, 0.0, "nonnegative")?;
        SemismoothNewton::new(of_loop(&settings))?;
        Ok(Self::of_checked(settings))
    }

    /// Creates a solver from settings that [`new`](Self::new) would accept.
    pub(in crate::contact) fn of_checked(settings: VelocityNewtonSettings) -> Self {
        let newton = SemismoothNewton::of_checked(of_loop(&settings));
        Self {
            settings,
            newton,
            memory: NewtonWorkspace::default(),
            measure: BodiesError::default(),
            best: BestIterate::default(),
            z: Vec::new(),
            units: BodiesUnits::default(),
        }
    }

    /// Iterates from `r`. `measure` must be prepared for the problem, and its most recent evaluation must
    /// have been for `r`.
    pub(super) fn improve(
        &mut self,
        problem: &BodiesProblem<'_>,
        measure: &mut BodiesError,
        r: &mut [f64],
    ) -> SolveInfo {
        self.memory.prepare(problem, (r, measure.velocities()), &mut self.z);
        let mut system = System::new(problem, &mut self.memory, measure, self.settings.regularisation);
        let info = self.newton.solve(&mut system, &mut self.z);
        if info.iterations > 0 {
            self.memory.write_reactions(&self.z, r);
        }
        info
    }
}

impl VelocitySpaceMethod for VelocityNewton {
    fn units(&mut self) -> &mut BodiesUnits {
        &mut self.units
    }

    fn solve_in_own_units(
        &mut self,
        problem: &BodiesProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let mut measure = std::mem::take(&mut self.measure);
        let solved = measure.prepare(problem).map(|()| {
            let error = measure.of(problem, r, u);
            self.best.begin(r, error);
            let info = self.improve(problem, &mut measure, r);
            let status = match info.status {
                Status::Converged => measure.judge(problem, r, info.error, self.settings.tolerance),
                status => status,
            };
            self.best.offer(r, info.error);
            let stop = Stop { status, iterations: info.iterations };
            measure.finish(problem, &mut self.best, (r, u), self.settings.tolerance, stop)
        });
        self.measure = measure;
        solved
    }
}

impl Stage for VelocityNewton {
    fn set_budget(&mut self, budget: &Budget) {
        self.settings.max_iterations = budget.iterations;
        self.newton.set_max_iterations(budget.iterations);
    }
}

/// Description of the method, for tables and the command-line tool.
pub(in crate::contact) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "velocity-newton",
    siconos: "NSN_AC (607)",
    guarantee: Guarantee::in_words("near regular solutions"),
    storage: "any, with the bodies",
    reference: "Alart, Curnier (1991)",
};

impl Solver for VelocityNewton {
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
