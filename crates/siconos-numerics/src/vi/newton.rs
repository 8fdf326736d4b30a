//! Newton's method for variational inequalities over a box, with a differentiable map.

use serde::{Deserialize, Serialize};

use super::{BoxVi, BoxViProblem, box_error};
use crate::box_constraints::NewtonSettings;
use crate::engine::semismooth_newton::SemismoothNewtonSettings;
use crate::error::{SettingsError, SolverError};
use crate::info::SolveInfo;
use crate::map::{MapNewton, Task};
use crate::method::{Guarantee, Limits, MethodDescription, Solver};
use crate::ncp_function::NcpFunction;
use crate::relay::{Auto, AutoSettings, Relay};

/// Search direction of [`Newton`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum BoxDirection {
    /// Newton's direction, which leads to the zero of the linearised equations.
    #[default]
    Newton,
    /// Full steps to the solution y of the linearised inequality $l \le y \le u$,
    /// $-(F(z) + J (y - z)) \in N_{[l, u]}(y)$, which is a relay problem (Josephy 1979). When a step reduces
    /// the error by less than a tenth, the method continues with [`Newton`](Self::Newton). The linearised
    /// inequality can be solvable where Newton's direction fails because the Jacobian is singular, as in
    /// sliding modes.
    #[doc(alias = "SICONOS_VI_BOX_AVI_LSA (1021)")]
    LinearisedInequality,
}

/// Settings of [`Newton`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BoxNewtonSettings {
    /// Settings of the iteration. The tolerance applies to the [`box_error`](super::box_error). Default:
    /// [`SemismoothNewtonSettings::default`].
    pub newton: SemismoothNewtonSettings,
    /// Complementarity function. Default: [`NcpFunction::FischerBurmeister`].
    pub function: NcpFunction,
    /// Search direction. Default: [`BoxDirection::Newton`].
    pub direction: BoxDirection,
}

impl BoxNewtonSettings {
    pub(super) fn of_each_direction() -> [Self; 2] {
        [BoxDirection::Newton, BoxDirection::LinearisedInequality]
            .map(|direction| Self { direction, ..Self::default() })
    }

    pub(super) fn description(&self) -> &'static MethodDescription {
        of_direction(self.direction)
    }
}

/// The semismooth Newton method over a box, with line search.
///
/// **Problem.** [`BoxViProblem`].
///
/// **Method.** Solve $\varphi(z_i - l_i, -\varphi(u_i - z_i, -F_i(z))) = 0$ for all i, as plain text phi(z -
/// l, -phi(u - z, -F)) = 0. z and the bounds are multiplied by the diagonal of the Jacobian at the initial
/// guess, so that both arguments have the unit of F. (1) The derivatives a, b of the equations with respect
/// to z and F give the generalised Jacobian diag(a) + diag(b) J. (2) Compute Newton's direction (after the
/// steps of [`BoxDirection::LinearisedInequality`], if selected). If it is not a descent direction of the
/// merit function, use the negative gradient. (3) Halve the step until the merit function decreases enough
/// ([`crate::engine::semismooth_newton`]). (4) Stop when the [`box_error`](super::box_error) is at or below
/// the tolerance.
///
/// **Guarantee.** Converges quadratically near a solution with regular generalised Jacobians. With the
/// Fischer-Burmeister function every stationary point of the merit function is a solution if F is a
/// P0-function and the bounds are finite; with infinite bounds the conditions of the complementarity problem
/// apply (Billups 1995, section 3.2; Qi 1999, who calls functions of this kind regular pseudo-smooth).
///
/// **Result.** `Converged`: the solution. `MaxIterations`, `Stalled`: the best iterate. `Breakdown`: F is not
/// finite at the initial guess.
///
/// ```
/// use siconos_numerics::Solver;
/// use siconos_numerics::ncp::FromFunctions;
/// use siconos_numerics::vi::{BoxViProblem, Newton};
///
/// // F(z) = exp(z) - 2: the zero, log 2, is inside [0, 1] and above [-1, 0.5].
/// let map = FromFunctions::new(1, |z, f| f[0] = z[0].exp() - 2.0, |z, mut j| j[[0, 0]] = z[0].exp());
/// let mut newton = Newton::default();
/// let (mut z, mut w) = ([0.0], [0.0]);
/// assert!(newton.solve(&BoxViProblem::new(&map, &[0.0], &[1.0])?, &mut z, &mut w)?.status.is_success());
/// assert!((z[0] - 2.0_f64.ln()).abs() < 1e-9);
/// assert!(newton.solve(&BoxViProblem::new(&map, &[-1.0], &[0.5])?, &mut z, &mut w)?.status.is_success());
/// assert!((z[0] - 0.5).abs() < 1e-9);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
///
/// Reference: L. Qi (1999), "Regular pseudo-smooth NCP and BVIP functions and globally and quadratically
/// convergent generalized Newton methods for complementarity and variational inequality problems",
/// Mathematics of Operations Research 24, 440-471. The function used here is due to Billups; Qi's own
/// function has a different form with the same zeros.
#[doc(alias = "SICONOS_VI_BOX_QI (1020)")]
#[derive(Clone, Debug, Default)]
pub struct Newton {
    direction: BoxDirection,
    newton: MapNewton,
    linearised: Auto,
}

impl Newton {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range.
    pub fn new(settings: BoxNewtonSettings) -> Result<Self, SettingsError> {
        let BoxNewtonSettings { newton, function, direction } = settings;
        let newton = MapNewton::new(NewtonSettings { newton, function, merit: function })?;
        Ok(Self { direction, newton, linearised: Auto::new(AutoSettings::default())? })
    }
}

const ZERO: MethodDescription = MethodDescription {
    name: "newton",
    siconos: "BOX_QI (1020)",
    guarantee: Guarantee::in_words("P0-functions between finite bounds, for limit points")
        .and("quadratic near a regular solution"),
    storage: "dense",
    reference: "Billups (1995), 3.2; Qi (1999)",
};

const LINEARISED_INEQUALITY: MethodDescription = MethodDescription {
    name: "josephy-newton",
    siconos: "BOX_AVI_LSA (1021)",
    guarantee: Guarantee::in_words("near a regular solution").and("singular Jacobians, as of sliding modes"),
    storage: "dense",
    reference: "Josephy (1979)",
};

fn of_direction(direction: BoxDirection) -> &'static MethodDescription {
    match direction {
        BoxDirection::Newton => &ZERO,
        BoxDirection::LinearisedInequality => &LINEARISED_INEQUALITY,
    }
}

impl Solver for Newton {
    type Class = BoxVi;

    fn name(&self) -> &'static str {
        of_direction(self.direction).name
    }

    fn limits(&self) -> Limits {
        self.newton.limits()
    }

    fn solve(
        &mut self,
        problem: &BoxViProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let error = |z: &[f64], w: &[f64]| box_error(problem, z, w);
        let task = Task { map: problem.map(), bounds: problem.bounds(), error, scaled: true };
        let linearised: Option<&mut dyn Solver<Class = Relay>> = match self.direction {
            BoxDirection::Newton => None,
            BoxDirection::LinearisedInequality => Some(&mut self.linearised),
        };
        self.newton.solve(&task, linearised, z, w)
    }
}
