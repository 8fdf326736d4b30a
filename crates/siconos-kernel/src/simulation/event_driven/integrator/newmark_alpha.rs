//! Settings of the generalised-alpha method.

use serde::{Deserialize, Serialize};
use siconos_ode::RootLocation;

use crate::settings_error::{SettingsError, check_number, check_positive};

/// Generalised-alpha method (Chung and Hulbert 1993; with constraints: Arnold and Brüls 2007).
///
/// In addition to the positions, the velocities and the true acceleration $\ddot q$, the method uses an
/// *algorithmic* acceleration $a$. One step is
///
/// $$ q_{n+1} = q_n + h v_n + h^2 \bigl( \tfrac12 - \beta \bigr) a_n + h^2 \beta a_{n+1}, \qquad
///    v_{n+1} = v_n + h (1 - \gamma) a_n + h \gamma a_{n+1}, $$
///
/// $$ (1 - \alpha_m) a_{n+1} + \alpha_m a_n = (1 - \alpha_f) \ddot q_{n+1} + \alpha_f \ddot q_n, \qquad
///    M \ddot q_{n+1} = F + J^T \lambda, \qquad y = 0 \text{ on } I_2 . $$
///
/// In words: positions and velocities follow from Newmark's formulas with $a$. A weighted mean of $a$ at both
/// ends of the step equals a weighted mean of the true accelerations. The equations of motion and the
/// constraints hold at the end of the step.
///
/// The method is of second order in h, and unconditionally stable for linear problems. It damps oscillations
/// that are too fast for the step length: the amplitude of an infinitely fast oscillation is multiplied by
/// $\rho_\infty$ in each step.
///
/// All steps have the length h, with one exception: the last step before an event that can change forces ends
/// at the event. The acceleration $a$ belongs to a time $(\alpha_m - \alpha_f) h$ after the end of the step.
/// At the start and after each event, it is initialised with $\ddot q$ at this time (Arnold, Brüls and
/// Cardona 2015, "Error analysis of generalized-alpha Lie group time integration methods for constrained
/// mechanical systems"). If a step is shortened, $a$ is adjusted to its new time.
///
/// Newton's matrix contains mass, damping and stiffness of the systems and the Jacobian of the constraints.
/// The derivatives of M(q) and J(q), which have a factor $h^2$, are neglected. The matrix is factorised once
/// per step, and again if the iteration converges slowly. A step that does not converge is repeated with half
/// its length. If the number of degrees of freedom and constraints exceeds 24, the factorisation uses LAPACK,
/// which allocates memory.
///
/// ```
/// use siconos_kernel::simulation::{AlphaParameters, ConstraintLevel, NewmarkAlpha};
///
/// let scheme = NewmarkAlpha { level: ConstraintLevel::Velocity, ..NewmarkAlpha::new(1e-3) };
/// assert_eq!(scheme.parameters, AlphaParameters::RhoInfinity(0.8));
/// let [alpha_m, alpha_f, ..] = scheme.parameters.values();
/// assert!((alpha_m - 1.0 / 3.0).abs() < 1e-15 && (alpha_f - 4.0 / 9.0).abs() < 1e-15);
/// ```
#[doc(alias = "NewMarkAlphaOSI")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NewmarkAlpha {
    /// Step length \[s\]. Must be positive.
    pub h: f64,
    /// Parameters of the method. Default: [`AlphaParameters::RhoInfinity`] with $\rho_\infty = 0.8$.
    pub parameters: AlphaParameters,
    /// Level at which the constraints of closed contacts are imposed. Default: [`ConstraintLevel::Position`].
    pub level: ConstraintLevel,
    /// Tolerance of the Newton iteration. The iteration ends if each velocity v changes by at most this
    /// fraction of 1 + |v| (in the unit of v), or by at most its rounding error. Default: 1e-12. Must be
    /// positive.
    pub tolerance: f64,
    /// Maximum number of Newton iterations in a step. Default: 20. Must be at least 2.
    pub max_iterations: usize,
    /// Settings of root location.
    pub location: RootLocation,
    /// Maximum number of steps between two events. Default: 1 000 000. Must be at least 1.
    pub max_steps: usize,
}

/// Parameters of the generalised-alpha method.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum AlphaParameters {
    /// Spectral radius $\rho = \rho_\infty$ for infinitely fast oscillations, from 0 to 1. The amplitude of
    /// these oscillations is multiplied by $\rho$ in each step; $\rho = 1$ means no damping. The parameters
    /// are $\alpha_m = (2 \rho - 1) / (\rho + 1)$, $\alpha_f = \rho / (\rho + 1)$,
    /// $\gamma = 1/2 - \alpha_m + \alpha_f$, $\beta = (1 - \alpha_m + \alpha_f)^2 / 4$ (Chung and Hulbert
    /// 1993, equations 17, 20 and 25).
    RhoInfinity(f64),
    /// Individual parameters. Unconditional stability requires $\alpha_m \le \alpha_f \le 1/2$ and
    /// $\beta \ge 1/4 + (\alpha_f - \alpha_m) / 2$; order 2 requires $\gamma = 1/2 - \alpha_m + \alpha_f$.
    /// Parameters that violate these conditions are rejected. The trapezoidal rule has $\beta = 1/4$,
    /// $\gamma = 1/2$ and $\alpha_m = \alpha_f = 0$.
    Given {
        /// Weight of the algorithmic acceleration at the start of the step.
        alpha_m: f64,
        /// Weight of the true acceleration at the start of the step.
        alpha_f: f64,
        /// Newmark parameter in the position update.
        beta: f64,
        /// Newmark parameter in the velocity update.
        gamma: f64,
    },
}

/// Level at which the generalised-alpha method imposes the constraints of closed contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ConstraintLevel {
    /// $y = 0$ at the end of each step (index 3). Positions do not drift. Velocities have an error of order
    /// 2 in h, which is removed from the state at events.
    #[default]
    Position,
    /// $\dot y = 0$ at the end of each step (index 2). Positions drift by an error of order 2 in h, which is
    /// removed by projection at events.
    Velocity,
}

impl AlphaParameters {
    /// Returns $\alpha_m$, $\alpha_f$, $\beta$, $\gamma$.
    #[must_use]
    pub fn values(self) -> [f64; 4] {
        match self {
            Self::RhoInfinity(rho) => {
                let (alpha_m, alpha_f) = ((2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0));
                let shift = alpha_f - alpha_m;
                [alpha_m, alpha_f, 0.25 * (1.0 + shift) * (1.0 + shift), 0.5 + shift]
            }
            Self::Given { alpha_m, alpha_f, beta, gamma } => [alpha_m, alpha_f, beta, gamma],
        }
    }

    fn validate(self) -> Result<(), SettingsError> {
        let (alpha_m, alpha_f, beta, gamma) = match self {
            Self::RhoInfinity(rho) => {
                return check_number("rho_infinity", rho, |rho| (0.0..=1.0).contains(&rho), "from 0 to 1");
            }
            Self::Given { alpha_m, alpha_f, beta, gamma } => (alpha_m, alpha_f, beta, gamma),
        };
        let slack = 1e-12;
        let shift = alpha_f - alpha_m;
        let is_within = |low: f64, high: f64| {
            move |value: f64| value.is_finite() && value >= low - slack && value <= high + slack
        };
        let (least, order_2) = (0.25 + 0.5 * shift, 0.5 + shift);
        check_number("alpha_f", alpha_f, is_within(f64::NEG_INFINITY, 0.5), "finite and at most 1/2")?;
        check_number(
            "alpha_m",
            alpha_m,
            is_within(f64::NEG_INFINITY, alpha_f),
            "finite and at most alpha_f",
        )?;
        check_number("gamma", gamma, is_within(order_2, order_2), "1/2 - alpha_m + alpha_f for order 2")?;
        let must_be = "finite and at least 1/4 + (alpha_f - alpha_m) / 2";
        check_number("beta", beta, is_within(least, f64::INFINITY), must_be)
    }
}

impl NewmarkAlpha {
    /// Creates the method with steps of length h \[s\]. All other settings have their defaults.
    #[must_use]
    pub fn new(h: f64) -> Self {
        Self {
            h,
            parameters: AlphaParameters::RhoInfinity(0.8),
            level: ConstraintLevel::default(),
            tolerance: 1e-12,
            max_iterations: 20,
            location: RootLocation::default(),
            max_steps: 1_000_000,
        }
    }

    /// Replaces the parameters by the parameters for the given $\rho_\infty$, from 0 to 1.
    #[must_use]
    pub fn with_rho_infinity(mut self, rho: f64) -> Self {
        self.parameters = AlphaParameters::RhoInfinity(rho);
        self
    }

    pub(super) fn validate(&self) -> Result<(), SettingsError> {
        check_positive("h", self.h)?;
        check_positive("tolerance", self.tolerance)?;
        self.parameters.validate()?;
        self.location.check()?;
        check_number("max_iterations", self.max_iterations as f64, |count| count >= 2.0, "at least 2")?;
        check_number("max_steps", self.max_steps as f64, |count| count >= 1.0, "at least 1")
    }
}
