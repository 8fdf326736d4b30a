//! Semismooth Newton on velocities and reactions together.

mod system;

use serde::{Deserialize, Serialize};

use self::system::{Memory, System};
use super::mass::Mass;
use super::own_velocities::OwnVelocities;
use super::residual::Measure;
use super::units::{GlobalUnits, InOwnUnits, solve_by};
use super::{GlobalContact, GlobalProblem};
use crate::chain::{Allowance, Link};
use crate::contact::law::refuse_infinite_friction;
use crate::engine::semismooth_newton::{SemismoothNewton, SemismoothNewtonSettings};
use crate::error::{SettingsError, SolverError};
use crate::info::{SolveInfo, Status};
use crate::method::{Guarantee, Limits, MethodDescription, Solver};

/// Settings of [`GlobalNewton`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GlobalNewtonSettings {
    /// The [`global_error_of_point`](super::global_error_of_point) at which a point counts as a solution.
    /// Default 1e-10, above 0.
    pub tolerance: f64,
    /// The largest number of Newton steps. Default 200.
    pub max_iterations: usize,
    /// Number of the last merits of which the largest is compared with in the line search. Default 8, at
    /// least 1.
    pub memory: usize,
    /// The regularisation of the reactions is this times the error, up to an error of 1, and at least 1e-11.
    /// Default 1e-3, at or above 0.
    pub regularisation: f64,
}

impl Default for GlobalNewtonSettings {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 200, memory: 8, regularisation: 1e-3 }
    }
}

/// The semismooth Newton method on the whole system in v and r; it never forms W.
///
/// **Problem.** [`GlobalProblem`] with any law with finite coefficients, in any storage; M need not be
/// symmetric nor regular.
///
/// **Method.** The system is, with one $\rho_i > 0$ per contact, an estimate of its mass,
///
/// $$ M v - H r - f = 0, \qquad r_i - P_{K_i}\bigl(r_i - \rho_i (u_i + s_i(u_i) e_N)\bigr) = 0, \qquad u =
/// H^T v + w. $$
///
/// As plain text: M v - H r - f = 0 and r - P_K(r - rho (u + s(u) e_N)) = 0 for every contact. Rows are
/// divided by the root of their mass, so that the merit is an energy, and unknowns are roots of energies too,
/// so that a step down the gradient does not depend on the units of turning. (1) With D an element of the
/// generalised Jacobian of the projection, solve
///
/// $$ \begin{pmatrix} M & -H \cr \rho D (I + e_N \nabla s^T) H^T & I - D + \varepsilon I \end{pmatrix}
///    \begin{pmatrix} \Delta v \cr \Delta r \end{pmatrix} = -\Phi $$
///
/// by sparse LU, whose symbolic part is kept over the iterations. The regularisation $\varepsilon$, a
/// multiple of the error, makes the matrix regular where H has no full rank and reactions are not unique; it
/// falls with the error, down to 1e-11, so that convergence stays superlinear (as in Fan and Yuan 2005 for
/// the Levenberg-Marquardt method). (2) Halve the step until the merit decreases against the last ones
/// ([`SemismoothNewton`]). (Alart and Curnier 1991 for Newton on projections; Acary, Bremond, Huber 2018,
/// section 4, for the natural map; Qi and Sun 1993.)
///
/// **Guarantee.** Fast convergence near solutions where the generalised Jacobians are regular. None from
/// afar: the merit may have local minima.
///
/// **Result.** `Converged`; `MaxIterations`, `Stalled` (no step decreases the merit), `Breakdown`: the
/// iterate with the least error.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::contact::{ContactLawData, GlobalContactData, GlobalNewton};
///
/// // A particle of 2 kg on the ground, pressed on by 1 and pushed sideways by 2; friction of 0.5 gives way.
/// let (mass, h) = (array![2.0, 2.0], array![[1.0, 0.0], [0.0, 1.0]]);
/// let law = ContactLawData::coulomb(2, [0.5]);
/// let problem = GlobalContactData::new(mass, h, array![-1.0, 2.0], array![0.0, 0.0], law)?;
/// // z is the reactions and the velocities of the body.
/// let (mut z, mut u) = ([0.0; 4], [0.0; 2]);
/// let info = GlobalNewton::default().solve(&problem.view(), &mut z, &mut u)?;
/// assert!(info.status.is_success());
/// assert!((z[0] - 1.0).abs() < 1e-9 && (z[1] + 0.5).abs() < 1e-9 && (z[3] - 0.75).abs() < 1e-9);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_GLOBAL_FRICTION_3D_NSN_AC (607)")]
#[derive(Clone, Debug)]
pub struct GlobalNewton {
    units: GlobalUnits,
    settings: GlobalNewtonSettings,
    newton: SemismoothNewton,
    memory: Memory,
    mass: Mass,
    z: Vec<f64>,
}

impl Default for GlobalNewton {
    fn default() -> Self {
        Self::of_checked(GlobalNewtonSettings::default())
    }
}

fn of_loop(settings: &GlobalNewtonSettings) -> SemismoothNewtonSettings {
    SemismoothNewtonSettings {
        tolerance: settings.tolerance,
        max_iterations: settings.max_iterations,
        memory: settings.memory,
        ..SemismoothNewtonSettings::default()
    }
}

impl GlobalNewton {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn new(settings: GlobalNewtonSettings) -> Result<Self, SettingsError> {
        SettingsError::check_at_least("regularisation", settings.regularisation, 0.0, "at or above 0")?;
        SemismoothNewton::new(of_loop(&settings))?;
        Ok(Self::of_checked(settings))
    }

    /// Makes a solver with settings that [`new`](Self::new) accepts.
    pub(super) fn of_checked(settings: GlobalNewtonSettings) -> Self {
        let newton = SemismoothNewton::of_checked(of_loop(&settings));
        Self {
            settings,
            newton,
            memory: Memory::default(),
            mass: Mass::default(),
            z: Vec::new(),
            units: GlobalUnits::default(),
        }
    }

    /// Takes over the measure of a problem, before [`improve`](Self::improve).
    pub(super) fn measure_as(&mut self, measure: &Measure) {
        self.memory.measure.prepare_as(measure);
    }

    /// Iterates from `r` and `v` as they are, with the measure of the problem at hand; a point within the
    /// tolerance is still to be judged.
    pub(super) fn improve(
        &mut self,
        problem: &GlobalProblem<'_>,
        r: &mut [f64],
        v: &mut [f64],
        u: &mut [f64],
    ) -> SolveInfo {
        self.memory.prepare(problem, (r, v), &mut self.z);
        let mut system = System::new(problem, &mut self.memory, self.settings.regularisation);
        let mut info = self.newton.solve(&mut system, &mut self.z);
        if info.iterations > 0 {
            self.memory.point(&self.z, (r, v));
        }
        info.error = self.memory.measure.of(problem, r, v, u);
        info
    }
}

impl InOwnUnits for GlobalNewton {
    fn units(&mut self) -> &mut GlobalUnits {
        &mut self.units
    }

    fn solve_in_own_units(
        &mut self,
        problem: &GlobalProblem<'_>,
        z: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let (r, v) = z.split_at_mut(problem.size());
        let is_regular = super::start(problem, &mut self.mass, r, v);
        self.memory.measure.prepare(problem, is_regular.then_some(&mut self.mass));
        let mut info = self.improve(problem, r, v, u);
        if info.status == Status::Converged {
            info.status = self.memory.measure.judge(&problem.law(), r, info.error, self.settings.tolerance);
        }
        Ok(info)
    }
}

impl OwnVelocities for GlobalNewton {
    fn set_tolerance(&mut self, tolerance: f64) {
        self.settings.tolerance = tolerance;
        self.newton.set_tolerance(tolerance);
    }
}

impl Link for GlobalNewton {
    fn lend(&mut self, allowance: &Allowance) {
        self.settings.max_iterations = allowance.iterations;
        self.newton.set_max_iterations(allowance.iterations);
    }
}

/// What a table says of the method.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "newton",
    siconos: "NSN_AC (607)",
    guarantee: Guarantee::in_words("near regular solutions"),
    storage: "any",
    reference: "Alart, Curnier (1991)",
};

impl Solver for GlobalNewton {
    type Class = GlobalContact;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn solve(
        &mut self,
        problem: &GlobalProblem<'_>,
        z: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        refuse_infinite_friction(self.name(), &problem.law())?;
        solve_by(self, problem, z, u)
    }
}
