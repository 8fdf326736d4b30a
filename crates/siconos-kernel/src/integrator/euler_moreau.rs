//! Time-stepping schemes for first-order systems, each for a class of solutions.

use serde::{Deserialize, Serialize};

use super::description::SupportedSystems;
use super::scheme::Scheme;
use super::{HeldSource, IntegratorDescription, Unknown, Weights};
use crate::settings_error::SettingsError;

/// Theta scheme for **absolutely continuous** solutions: x has no jumps, lambda has bounded variation.
///
/// $$ M (x_{k+1} - x_k) = h \bigl( \theta f_{k+1} + (1 - \theta) f_k + r_{k+1} \bigr), \qquad
///    y_{k+1} = h(t_{k+1}, x_{k+1}, \lambda_{k+1}), \qquad r_{k+1} = g(t_{k+1}, x_{k+1}, \lambda_{k+1}), $$
///
/// The law holds between $y_{k+1}$ and $\lambda_{k+1}$. As plain text: M (x' - x) = h (theta f' + (1 - theta)
/// f + r'), where the prime denotes the end of the step. The multiplier is fully implicit.
///
/// The order is 1 in h, in the L1 norm of lambda. theta = 1/2 does not increase the order; it only conserves
/// the energy of the smooth part. theta = 1 has the largest damping of the smooth part. It also computes
/// state jumps correctly, but lambda is then of the order of 1/h; use [`MeasureEuler`] if the state jumps.
/// For linear complementarity systems, the matrix of the one-step problem is
/// $D + h C (M - h \theta A)^{-1} B$, which tends to D as h goes to 0.
///
/// **Sliding modes.** If y = 0 holds for some time and lambda acts only on the second derivative of y, as in
/// the super-twisting algorithm, each step multiplies the error of lambda by $-(1 - \theta) / \theta$. With
/// theta = 1/2, lambda alternates about its correct value without damping; with a smaller theta, the error
/// grows. Use theta = 1, which removes the error in one step. A simulation warns once for each interaction
/// with an alternating multiplier, see
/// [`alternating_multipliers`](crate::simulation::TimeStepping::alternating_multipliers).
///
/// References: Acary and Brogliato (2008), section 9.5; Acary, Bonnefon and Brogliato (2011), chapter 2. This
/// is the default integrator of first-order systems.
///
/// ```
/// use siconos_kernel::integrator::EulerMoreau;
///
/// assert_eq!(EulerMoreau::default().theta, 0.5);
/// assert!(EulerMoreau::new(-0.1).is_err());
/// ```
#[doc(alias = "EulerMoreauOSI")]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EulerMoreau {
    /// Implicitness parameter of the smooth terms, in \[0, 1\]. Default: 1/2.
    pub theta: f64,
}

impl Default for EulerMoreau {
    fn default() -> Self {
        Self { theta: 0.5 }
    }
}

impl EulerMoreau {
    /// Creates the scheme with the given theta.
    ///
    /// # Errors
    ///
    /// If theta is not in \[0, 1\]: [`SettingsError::OutOfRange`].
    pub fn new(theta: f64) -> Result<Self, SettingsError> {
        Self { theta }.scheme().weights.validate()?;
        Ok(Self { theta })
    }
}

/// Theta-gamma scheme for **continuously differentiable** solutions: lambda is continuous.
///
/// $$ M (x_{k+1} - x_k) = h \bigl( \theta f_{k+1} + (1 - \theta) f_k + r_{k+\gamma} \bigr), \qquad
///    y_{k+\gamma} = h(t_{k+\gamma}, x_{k+\gamma}, \lambda_{k+\gamma}), \qquad
///    x_{k+\gamma} = (1 - \gamma) x_k + \gamma x_{k+1}, $$
///
/// The law holds between $y_{k+\gamma}$ and $\lambda_{k+\gamma}$, that is, between the output and the
/// multiplier at t + gamma h. The state stores these two values. [`State::output`](crate::State::output)
/// evaluates y at the end of the step.
///
/// The order is 2 with theta = gamma = 1/2, and the energy balance of a passive system then holds exactly. On
/// solutions that are only absolutely continuous, the scheme oscillates unless gamma = 1, and state jumps are
/// wrong: use [`EulerMoreau`] or [`MeasureEuler`] for them. The matrix of the one-step problem is
/// $D + h \gamma C (M - h \theta A)^{-1} B$.
///
/// References: Acary and Brogliato (2008), section 9.5; Acary, Bonnefon and Brogliato (2011), chapter 2;
/// Greenhalgh, Acary and Brogliato (2013), "On preserving dissipativity properties of linear complementarity
/// dynamical systems with the theta-method".
///
/// ```
/// use siconos_kernel::integrator::ThetaGamma;
///
/// let midpoint = ThetaGamma::default();
/// assert_eq!((midpoint.theta, midpoint.gamma), (0.5, 0.5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ThetaGamma {
    /// Implicitness parameter of the smooth terms, in \[0, 1\]. Default: 1/2.
    pub theta: f64,
    /// Relative time in the step at which the law holds, in \[0, 1\]. Default: 1/2.
    pub gamma: f64,
}

impl Default for ThetaGamma {
    fn default() -> Self {
        Self { theta: 0.5, gamma: 0.5 }
    }
}

impl ThetaGamma {
    /// Creates the scheme with the given parameters.
    ///
    /// # Errors
    ///
    /// If a parameter is not in \[0, 1\]: [`SettingsError::OutOfRange`].
    pub fn new(theta: f64, gamma: f64) -> Result<Self, SettingsError> {
        Self { theta, gamma }.scheme().weights.validate()?;
        Ok(Self { theta, gamma })
    }
}

/// Scheme in terms of measures, for solutions of **bounded variation**: x can jump, and lambda is a measure.
///
/// $$ M (x_{k+1} - x_k) = h \bigl( \theta f_{k+1} + (1 - \theta) f_k \bigr) + B \sigma_{k+1}, \qquad
///    y_{k+1} = C x_{k+1} + \tfrac{1}{h} D \sigma_{k+1} + e, $$
///
/// where $\sigma_{k+1}$ is the integral of the differential measure of the multiplier over the step. The law
/// holds between $y_{k+1}$ and $\sigma_{k+1}$ (a bound u of lambda becomes h u). As plain text: the unknown
/// is sigma = h lambda. At a jump, sigma stays bounded, whereas lambda is of the order of 1/h. The state
/// stores sigma as `Level::Velocity` and sigma / h as `Level::Position`.
///
/// If D = 0 and C B is regular, the matrix of the one-step problem, $C (M - h \theta A)^{-1} B$, tends to C B
/// and stays regular as h goes to 0; a nonzero D enters as D / h. The order is 1 in h, in the L1 norm. Use
/// theta = 1 if the initial state is inconsistent, because with theta < 1 the explicit term would be
/// evaluated at the state before the jump.
///
/// References: Moreau (1977), "Evolution problem associated with a moving convex set in a Hilbert space";
/// Acary and Brogliato (2008), section 9.5; Acary, Brogliato and Goeleven (2008), "Higher order Moreau's
/// sweeping process".
///
/// ```
/// use siconos_kernel::integrator::MeasureEuler;
///
/// assert_eq!(MeasureEuler::default().theta, 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MeasureEuler {
    /// Implicitness parameter of the smooth terms, in \[0, 1\]. Default: 1.
    pub theta: f64,
}

impl Default for MeasureEuler {
    fn default() -> Self {
        Self { theta: 1.0 }
    }
}

impl MeasureEuler {
    /// Creates the scheme with the given theta.
    ///
    /// # Errors
    ///
    /// If theta is not in \[0, 1\]: [`SettingsError::OutOfRange`].
    pub fn new(theta: f64) -> Result<Self, SettingsError> {
        Self { theta }.scheme().weights.validate()?;
        Ok(Self { theta })
    }
}

/// Backward Euler scheme for passive linear complementarity systems with **absolutely continuous** solutions:
///
/// $$ \frac{x_{k+1} - x_k}{h} = A x_{k+1} + B \lambda_{k+1}, \qquad y_{k+1} = C x_{k+1} + D \lambda_{k+1},
/// \qquad
///    0 \le \lambda_{k+1} \perp y_{k+1} \ge 0. $$
///
/// As plain text: (x' - x) / h = A x' + B lambda'. The scheme is [`EulerMoreau`] with theta = 1. It has its
/// own type because of its convergence theorem: if D is nonnegative definite, and C x0 >= 0 for relative
/// degree 1, subsequences of the approximations converge weakly to a solution, provided that the steps have
/// bounded solutions. They have bounded solutions if (A, B, C) is minimal and (A, B, C, D) is positive real.
/// [`ConvergenceReport`](crate::analysis::ConvergenceReport) checks these conditions.
///
/// Reference: Camlibel, Heemels and Schumacher (2002), "Consistency of a time-stepping method for a class of
/// piecewise-linear networks".
///
/// ```
/// use siconos_kernel::integrator::{BackwardEuler, Integrator};
///
/// assert_eq!(Integrator::from(BackwardEuler).name(), "BackwardEuler");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackwardEuler;

/// Fully implicit scheme for **absolutely continuous** solutions of nonlinear systems. At the end of the
/// step, the vector field has the weight theta and the input has the weight $\theta_r$.
///
/// $$ M (x_{k+1} - x_k) = h \theta f_{k+1} + h (1 - \theta) f_k + h \theta_r r_{k+1} + h (1 - \theta_r) r_k,
/// \qquad
///    y_{k+1} = h(t_{k+1}, x_{k+1}, \lambda_{k+1}), \qquad r_{k+1} = g(t_{k+1}, x_{k+1}, \lambda_{k+1}). $$
///
/// As plain text: M (x' - x) = h theta f' + h (1 - theta) f + h theta_r r' + h (1 - theta_r) r. Newton's
/// linearisation of all three equations gives one mixed problem per iteration, with the matrix
/// $D + h \theta_r C (M - h \theta \nabla f - h \theta_r K)^{-1} B$; see [`simulation`](crate::simulation).
///
/// With $\theta_r < 1$, the error of $r_k$ enters the next step. If lambda is smooth and both weights are
/// 1/2, the order is 2; if lambda jumps, the solution oscillates. The first step computes $r_0$ from the
/// lambda of the state, which is 0 unless it was set with [`State::set_lambda`](crate::State::set_lambda).
///
/// Reference: developer's notes of Siconos, 8.2 to 8.24; Acary and Brogliato (2008), section 9.5.
///
/// ```
/// use siconos_kernel::integrator::FullyImplicit;
///
/// let scheme = FullyImplicit::new(0.5, 1.0)?;
/// assert_eq!(scheme, FullyImplicit::default());
/// # Ok::<(), siconos_kernel::SettingsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FullyImplicit {
    /// Weight of the vector field at the end of the step, in \[0, 1\]. Default: 1/2.
    pub theta: f64,
    /// Weight of the input at the end of the step, in \[0, 1\]. If it is 0, the matrix of the one-step
    /// problem is D. Default: 1.
    pub theta_r: f64,
}

impl Default for FullyImplicit {
    fn default() -> Self {
        Self { theta: 0.5, theta_r: 1.0 }
    }
}

impl FullyImplicit {
    /// Creates the scheme with the given parameters.
    ///
    /// # Errors
    ///
    /// If a parameter is not in \[0, 1\]: [`SettingsError::OutOfRange`].
    pub fn new(theta: f64, theta_r: f64) -> Result<Self, SettingsError> {
        Self { theta, theta_r }.scheme().weights.validate()?;
        Ok(Self { theta, theta_r })
    }
}

/// Zero-order hold for linear systems with a multiplier that is **constant over each step**, as with a
/// sampled controller.
///
/// $$ x_{k+1} = e^{A h} x_k + \int_0^h e^{A s} ds \thinspace (b_k + B \lambda_{k+1}), \qquad
///    y_{k+1} = C x_{k+1} + D \lambda_{k+1}. $$
///
/// As plain text: x' = exp(A h) x + (integral of exp(A s) over the step) (b + B lambda'). Optionally, b is
/// taken at $t_{k+1}$. With a matrix M, A and b denote $M^{-1} A$ and $M^{-1} b$. If the source is constant
/// over each step, the smooth motion is exact up to rounding error at the grid points, for any h. Only
/// systems with constant A and M are supported. The exponential is recomputed whenever the step length
/// changes, and allocates memory.
///
/// Reference: Franklin, Powell and Workman (1998), "Digital control of dynamic systems", section 4.3; Van
/// Loan (1978) for the integral.
///
/// ```
/// use siconos_kernel::integrator::{Integrator, ZeroOrderHold};
///
/// assert_eq!(Integrator::from(ZeroOrderHold::default()).name(), "ZeroOrderHold");
/// ```
#[doc(alias = "ZeroOrderHoldOSI")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ZeroOrderHold {
    /// Time in the step at which the source b is evaluated. Default: the beginning. If the source varies over
    /// the step, either choice has an error of order 1 in h, because the source acts half a step late or half
    /// a step early.
    pub source: HeldSource,
}

impl EulerMoreau {
    const DESCRIPTION: IntegratorDescription = IntegratorDescription::of_first_order("EulerMoreau");

    pub(super) fn scheme(self) -> Scheme {
        Scheme::new(&Self::DESCRIPTION, Weights::implicit(self.theta))
    }
}

impl ThetaGamma {
    const DESCRIPTION: IntegratorDescription = IntegratorDescription::of_first_order("ThetaGamma");

    pub(super) fn scheme(self) -> Scheme {
        Scheme::new(&Self::DESCRIPTION, Weights { gamma: self.gamma, ..Weights::implicit(self.theta) })
    }
}

impl MeasureEuler {
    const DESCRIPTION: IntegratorDescription = IntegratorDescription::of_first_order("MeasureEuler");

    pub(super) fn scheme(self) -> Scheme {
        let weights = Weights { unknown: Unknown::Measure, ..Weights::implicit(self.theta) };
        Scheme::new(&Self::DESCRIPTION, weights)
    }
}

impl BackwardEuler {
    const DESCRIPTION: IntegratorDescription = IntegratorDescription::of_first_order("BackwardEuler");

    pub(super) fn scheme(self) -> Scheme {
        Scheme::new(&Self::DESCRIPTION, Weights::implicit(1.0))
    }
}

impl FullyImplicit {
    const DESCRIPTION: IntegratorDescription = IntegratorDescription::of_first_order("FullyImplicit");

    pub(super) fn scheme(self) -> Scheme {
        Scheme::new(&Self::DESCRIPTION, Weights { theta_r: self.theta_r, ..Weights::implicit(self.theta) })
    }
}

impl ZeroOrderHold {
    const DESCRIPTION: IntegratorDescription = IntegratorDescription {
        takes: SupportedSystems { bodies: false, nonlinear: false, coupled: true },
        ..IntegratorDescription::of_first_order("ZeroOrderHold")
    };

    pub(super) fn scheme(self) -> Scheme {
        Scheme::new(&Self::DESCRIPTION, Weights { hold: Some(self.source), ..Weights::implicit(1.0) })
    }
}
