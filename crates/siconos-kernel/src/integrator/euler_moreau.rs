//! Time-stepping schemes of first-order systems, each for a class of solutions.

use serde::{Deserialize, Serialize};

use super::description::Takes;
use super::scheme::Scheme;
use super::{HeldSource, IntegratorDescription, Unknown, Weights};
use crate::settings_error::SettingsError;

/// The theta scheme, for **absolutely continuous** solutions: x without jumps, lambda of bounded variation.
///
/// $$ M (x_{k+1} - x_k) = h \bigl( \theta f_{k+1} + (1 - \theta) f_k + r_{k+1} \bigr), \qquad
///    y_{k+1} = h(t_{k+1}, x_{k+1}, \lambda_{k+1}), \qquad r_{k+1} = g(t_{k+1}, x_{k+1}, \lambda_{k+1}), $$
///
/// with the law between $y_{k+1}$ and $\lambda_{k+1}$. As plain text: M (x' - x) = h (theta f' + (1 - theta)
/// f + r'), where the prime is the end of the step; the multiplier is fully implicit.
///
/// Order 1 in h, in the L1 norm of lambda; no better with theta = 1/2, which only keeps the energy of the
/// smooth part. With theta = 1 the smooth part is damped most, and state jumps come out right at the cost of
/// a lambda of size 1/h; use [`MeasureEuler`] where the state jumps. For linear complementarity systems the
/// matrix of the one-step problem is $D + h C (M - h \theta A)^{-1} B$, which tends to D.
///
/// **Sliding modes.** Where y = 0 holds for some time and lambda acts on the second derivative of y only, as
/// with the super-twisting algorithm, each step multiplies the error of lambda by $-(1 - \theta) / \theta$.
/// With theta = 1/2 lambda alternates about its value without damping, and with less it grows; take theta =
/// 1, which damps it in one step. A simulation warns once of each interaction that alternates, see
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
    /// Implicitness of the smooth part in \[0, 1\]. Default 1/2.
    pub theta: f64,
}

impl Default for EulerMoreau {
    fn default() -> Self {
        Self { theta: 0.5 }
    }
}

impl EulerMoreau {
    /// The scheme with the given theta.
    ///
    /// # Errors
    ///
    /// [`SettingsError::OutOfRange`] when theta is not in \[0, 1\].
    pub fn new(theta: f64) -> Result<Self, SettingsError> {
        Self { theta }.scheme().weights.validate()?;
        Ok(Self { theta })
    }
}

/// The theta-gamma scheme, for **continuously differentiable** solutions: lambda is continuous.
///
/// $$ M (x_{k+1} - x_k) = h \bigl( \theta f_{k+1} + (1 - \theta) f_k + r_{k+\gamma} \bigr), \qquad
///    y_{k+\gamma} = h(t_{k+\gamma}, x_{k+\gamma}, \lambda_{k+\gamma}), \qquad
///    x_{k+\gamma} = (1 - \gamma) x_k + \gamma x_{k+1}, $$
///
/// with the law between $y_{k+\gamma}$ and $\lambda_{k+\gamma}$, which are what the state keeps: values at
/// $t_k + \gamma h$. As plain text: the multiplier and the output are those at t + gamma h.
/// [`State::output`](crate::State::output) evaluates y at the end of the step.
///
/// Order 2 with theta = gamma = 1/2, where the energy balance of a passive system holds exactly. On solutions
/// that are only absolutely continuous it oscillates unless gamma = 1, and a state jump comes out wrong:
/// write [`EulerMoreau`] or [`MeasureEuler`] there. The matrix of the one-step problem is
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
    /// Implicitness of the smooth part in \[0, 1\]. Default 1/2.
    pub theta: f64,
    /// Where in the step the law holds, in \[0, 1\]. Default 1/2.
    pub gamma: f64,
}

impl Default for ThetaGamma {
    fn default() -> Self {
        Self { theta: 0.5, gamma: 0.5 }
    }
}

impl ThetaGamma {
    /// The scheme with the given parameters.
    ///
    /// # Errors
    ///
    /// [`SettingsError::OutOfRange`] when one is not in \[0, 1\].
    pub fn new(theta: f64, gamma: f64) -> Result<Self, SettingsError> {
        Self { theta, gamma }.scheme().weights.validate()?;
        Ok(Self { theta, gamma })
    }
}

/// The scheme in measures, for solutions of **bounded variation**: x may jump, and lambda is a measure.
///
/// $$ M (x_{k+1} - x_k) = h \bigl( \theta f_{k+1} + (1 - \theta) f_k \bigr) + B \sigma_{k+1}, \qquad
///    y_{k+1} = C x_{k+1} + \tfrac{1}{h} D \sigma_{k+1} + e, $$
///
/// where $\sigma_{k+1}$ is the measure of the step by the differential of the multiplier, with the law
/// between $y_{k+1}$ and $\sigma_{k+1}$ (a bound u of lambda becomes h u). As plain text: the unknown is
/// sigma = h lambda, which stays bounded at a jump, where lambda is of size 1/h. The state keeps sigma as
/// `Level::Velocity` and sigma / h as `Level::Position`.
///
/// With D = 0 and C B regular the matrix of the one-step problem, $C (M - h \theta A)^{-1} B$, tends to C B
/// and so stays regular as h goes to 0; a D that is not zero enters as D / h. Order 1 in h, in the L1 norm.
/// Take theta = 1 where the initial state is inconsistent: the explicit part would be that before the jump.
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
    /// Implicitness of the smooth part in \[0, 1\]. Default 1.
    pub theta: f64,
}

impl Default for MeasureEuler {
    fn default() -> Self {
        Self { theta: 1.0 }
    }
}

impl MeasureEuler {
    /// The scheme with the given theta.
    ///
    /// # Errors
    ///
    /// [`SettingsError::OutOfRange`] when theta is not in \[0, 1\].
    pub fn new(theta: f64) -> Result<Self, SettingsError> {
        Self { theta }.scheme().weights.validate()?;
        Ok(Self { theta })
    }
}

/// Backward Euler, for passive linear complementarity systems with **absolutely continuous** solutions:
///
/// $$ \frac{x_{k+1} - x_k}{h} = A x_{k+1} + B \lambda_{k+1}, \qquad y_{k+1} = C x_{k+1} + D \lambda_{k+1},
/// \qquad
///    0 \le \lambda_{k+1} \perp y_{k+1} \ge 0. $$
///
/// As plain text: (x' - x) / h = A x' + B lambda'. It is [`EulerMoreau`] with theta = 1, by itself because of
/// what is proved for it: when D is nonnegative definite, and C x0 >= 0 if the relative degree is 1,
/// subsequences of the approximations converge weakly to a solution, provided that the steps have solutions
/// that stay bounded; these they have when (A, B, C) is minimal and (A, B, C, D) positive real.
/// [`ConvergenceReport`](crate::analysis::ConvergenceReport) checks it.
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

/// The fully implicit scheme, for **absolutely continuous** solutions of nonlinear systems: theta weighs the
/// vector field, $\theta_r$ the input.
///
/// $$ M (x_{k+1} - x_k) = h \theta f_{k+1} + h (1 - \theta) f_k + h \theta_r r_{k+1} + h (1 - \theta_r) r_k,
/// \qquad
///    y_{k+1} = h(t_{k+1}, x_{k+1}, \lambda_{k+1}), \qquad r_{k+1} = g(t_{k+1}, x_{k+1}, \lambda_{k+1}). $$
///
/// As plain text: M (x' - x) = h theta f' + h (1 - theta) f + h theta_r r' + h (1 - theta_r) r. Newton's
/// linearisation of all three equations gives one mixed problem per iteration, with the matrix
/// $D + h \theta_r C (M - h \theta \nabla f - h \theta_r K)^{-1} B$; see [`simulation`](crate::simulation).
/// An input with $\theta_r < 1$ carries the error of $r_k$ on: it is of order 2 with both at 1/2 where lambda
/// is smooth, and rings where lambda jumps. The first step takes $r_0$ from the lambda of the state, which is
/// 0 unless [`State::set_lambda`](crate::State::set_lambda) says otherwise.
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
    /// Weight of the vector field at the end of the step, in \[0, 1\]. Default 1/2.
    pub theta: f64,
    /// Weight of the input at the end of the step, in \[0, 1\]. With 0 the matrix of the one-step problem is
    /// D alone. Default 1.
    pub theta_r: f64,
}

impl Default for FullyImplicit {
    fn default() -> Self {
        Self { theta: 0.5, theta_r: 1.0 }
    }
}

impl FullyImplicit {
    /// The scheme with the given parameters.
    ///
    /// # Errors
    ///
    /// [`SettingsError::OutOfRange`] when one is not in \[0, 1\].
    pub fn new(theta: f64, theta_r: f64) -> Result<Self, SettingsError> {
        Self { theta, theta_r }.scheme().weights.validate()?;
        Ok(Self { theta, theta_r })
    }
}

/// Zero-order hold, for linear systems under a multiplier that is **constant over each step**: a sampled
/// controller.
///
/// $$ x_{k+1} = e^{A h} x_k + \int_0^h e^{A s} ds \thinspace (b_k + B \lambda_{k+1}), \qquad
///    y_{k+1} = C x_{k+1} + D \lambda_{k+1}. $$
///
/// As plain text: x' = exp(A h) x + (integral of exp(A s) over the step) (b + B lambda'); b may be that of
/// $t_{k+1}$ by choice. With M, A and b stand for $M^{-1} A$ and $M^{-1} b$. The smooth motion is exact to
/// rounding at the points of the grid whatever h is, when the source is constant over each step; only systems
/// with constant A and M can be held. The exponential is computed anew, in memory of its own, whenever the
/// step length changes.
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
    /// Where in the step the source b is taken. Default: at its beginning. A source that is not constant over
    /// the step enters with an error of order 1 in h either way, early by half a step or late.
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
        takes: Takes { bodies: false, nonlinear: false, coupled: true },
        ..IntegratorDescription::of_first_order("ZeroOrderHold")
    };

    pub(super) fn scheme(self) -> Scheme {
        Scheme::new(&Self::DESCRIPTION, Weights { hold: Some(self.source), ..Weights::implicit(1.0) })
    }
}
