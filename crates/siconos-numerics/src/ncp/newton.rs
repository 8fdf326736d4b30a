//! Semismooth Newton for nonlinear complementarity.

use serde::{Deserialize, Serialize};

use super::{DifferentiableMap, Ncp, error};
use crate::cone::Interval;
use crate::error::{SettingsError, SolverError};
use crate::info::SolveInfo;
use crate::method::{Guarantee, Limits, MethodDescription, Solver};
use crate::ncp_function::NcpFunction;
use crate::semismooth_newton::{SemismoothNewton, SemismoothNewtonSettings};
use crate::vi::box_newton::{BoxNewton, Task};

/// Settings of [`Newton`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct NewtonSettings {
    /// Those of the loop; the tolerance is for the [`error`](super::error). Default: those of the loop.
    pub newton: SemismoothNewtonSettings,
    /// The complementarity function. Default [`NcpFunction::FischerBurmeister`].
    pub function: NcpFunction,
}

impl NewtonSettings {
    pub(crate) fn of_each_function() -> [Self; 2] {
        [NcpFunction::FischerBurmeister, NcpFunction::Minimum]
            .map(|function| Self { function, ..Self::default() })
    }
}

/// The semismooth Newton method with line search.
///
/// **Problem.** $0 \le z \perp F(z) \ge 0$ for a [`DifferentiableMap`].
///
/// **Method.** (1) With $\Phi_i = \varphi(z_i, F_i(z))$ and its derivatives a, b the generalised Jacobian is
/// diag(a) + diag(b) J. (2) Newton's direction, or the negative gradient of $\frac{1}{2} \lVert \Phi \rVert^2$ where that is none
/// of descent. (3) Halve the step until it brings enough decrease ([`crate::semismooth_newton`]). (4) End when the [`error`](super::error) is at or
/// below the tolerance.
///
/// **Guarantee.** With the Fischer-Burmeister function and a P0-function F every limit point solves the problem, and
/// the convergence is quadratic near a strongly regular solution (De Luca, Facchinei, Kanzow 1996; Facchinei and Pang
/// 2003, theorem 9.1.29). With the minimum it is the faster one near a solution, without a guarantee from afar.
///
/// **Result.** `Converged`. `MaxIterations`, `Stalled` (a minimum of the merit that is no solution, or rounding): the
/// best iterate. `Breakdown`: F is not finite at the guess.
///
/// ```
/// use siconos_numerics::Solver;
/// use siconos_numerics::ncp::{FromFunctions, Newton};
///
/// // F(z) = z^3 - 8 has its zero at 2.
/// let cube = FromFunctions::new(
///     1,
///     |z, f| f[0] = z[0].powi(3) - 8.0,
///     |z, mut j| j[[0, 0]] = 3.0 * z[0] * z[0],
/// );
/// let (mut z, mut w) = ([1.0], [0.0]);
/// let info = Newton::default().solve(&cube, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert!((z[0] - 2.0).abs() < 1e-10);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_NCP_NEWTON_FB_FBLSA (900)")]
#[doc(alias = "SICONOS_NCP_NEWTON_MIN_FBLSA (901)")]
#[derive(Clone, Debug, Default)]
pub struct Newton {
    function: NcpFunction,
    newton: SemismoothNewton,
    system: BoxNewton,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl Newton {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn new(settings: NewtonSettings) -> Result<Self, SettingsError> {
        let newton = SemismoothNewton::new(settings.newton)?;
        Ok(Self { function: settings.function, newton, ..Self::default() })
    }
}

/// What a table says of one of the methods.
const FISCHER_BURMEISTER: MethodDescription = MethodDescription {
    name: "newton-fischer-burmeister",
    siconos: "NEWTON_FB_FBLSA (900)",
    guarantee: Guarantee::in_words("P0-functions, for limit points").and("quadratic near a regular solution"),
    storage: "dense",
    reference: "De Luca, Facchinei, Kanzow (1996)",
};

/// What a table says of one of the methods.
const MINIMUM: MethodDescription = MethodDescription {
    name: "newton-minimum",
    siconos: "NEWTON_MIN_FBLSA (901)",
    guarantee: Guarantee::in_words("near a regular solution"),
    storage: "dense",
    reference: "Facchinei, Pang (2003), 9.2",
};

pub(super) fn describe(settings: &NewtonSettings) -> &'static MethodDescription {
    of_function(settings.function)
}

fn of_function(function: NcpFunction) -> &'static MethodDescription {
    match function {
        NcpFunction::FischerBurmeister => &FISCHER_BURMEISTER,
        NcpFunction::Minimum => &MINIMUM,
    }
}

impl Solver for Newton {
    type Class = Ncp;

    fn name(&self) -> &'static str {
        of_function(self.function).name
    }

    fn limits(&self) -> Limits {
        self.newton.limits()
    }

    fn solve(
        &mut self,
        map: &dyn DifferentiableMap,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.lower.clear();
        self.lower.resize(map.size(), 0.0);
        self.upper.clear();
        self.upper.resize(map.size(), f64::INFINITY);
        let bounds = Interval::new(&self.lower, &self.upper)?;
        let task = Task { map, bounds, function: self.function, error, scaled: false };
        self.system.solve(&task, &mut self.newton, None, z, w)
    }
}
