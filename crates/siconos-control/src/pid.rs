//! Sampled PID controller.

use super::{Actuator, ControlError, Ports};
use siconos_kernel::SettingsError;
use siconos_kernel::engine::Closure;
use siconos_kernel::engine::{check_number, check_positive};
use siconos_kernel::model::At;

/// Gains and time constants of a [`Pid`] controller.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PidGains {
    /// Proportional gain $K_p$ \[unit of u / unit of y\]. Default: 0.
    pub proportional: f64,
    /// Integral gain $K_i$ \[unit of u / (unit of y s)\]. Default: 0.
    pub integral: f64,
    /// Derivative gain $K_d$ \[unit of u s / unit of y\]. Default: 0.
    pub derivative: f64,
    /// Time constant $T_f$ of the derivative filter \[s\]. Default: 0, which means no filter. Must not be
    /// negative.
    pub filter_time: f64,
    /// Tracking time $T_t$ \[s\]. While u is at a bound, the integral follows u with this time constant.
    /// Default: the period. Must be at least the period.
    pub tracking_time: Option<f64>,
}

/// PID controller with one measurement and one input, sampled with the period h. With $e_k = r(t_k) - y_k$,
///
/// $$ D_k = \frac{T_f D_{k-1} + K_d (e_k - e_{k-1})}{T_f + h}, \qquad
/// v_k = K_p e_k + I_k + D_k, \qquad u_k = \min(\max(v_k, u_{min}), u_{max}), $$
/// $$ I_{k+1} = I_k + h K_i e_k + \frac{h}{T_t} (u_k - v_k), $$
///
/// with $I_0 = 0$ and $D_0 = 0$. As plain text: D_k = (Tf D_{k-1} + Kd (e_k - e_{k-1})) / (Tf + h),
/// v_k = Kp e_k + I_k + D_k, u_k is v_k limited to its bounds,
/// I_{k+1} = I_k + h Ki e_k + (h / Tt) (u_k - v_k). The integral is computed by the left rectangle rule, the
/// derivative by the backward Euler method for Kd s / (1 + Tf s). Back-calculation prevents windup of the
/// integral while u is at a bound. Within the bounds, the transfer function from e to u is
/// Kp + h Ki / (z - 1) + Kd (z - 1) / ((Tf + h) z - Tf).
///
/// The [terms](Actuator::terms) are the three summands $K_p e_k$, $I_k$, $D_k$.
///
/// ```
/// use siconos_control::{Actuator, Pid, PidGains};
///
/// let gains = PidGains { proportional: 2.0, integral: 10.0, ..PidGains::default() };
/// let mut pid = Pid::new(gains, 0.1)?.with_reference(1.0)?.with_bounds(-5.0, 5.0)?;
/// let mut u = [0.0];
/// pid.act(0.0.into(), &[0.0], &mut u)?;
/// assert_eq!(u, [2.0]);
/// pid.act(0.1.into(), &[0.0], &mut u)?;
/// assert_eq!(u, [3.0]);
/// # Ok::<(), siconos_control::ControlError>(())
/// ```
///
/// Reference: K. J. Astrom, T. Hagglund (2006), "Advanced PID Control", ISA, sections 3.5 (windup) and 13.4
/// (discretisation).
#[derive(Clone, Debug)]
pub struct Pid {
    gains: PidGains,
    period: f64,
    /// h / Tt.
    tracking: f64,
    reference: Reference,
    bounds: [f64; 2],
    error_before: Option<f64>,
    integral: f64,
    /// Proportional, integral and derivative terms of the last sample.
    terms: [f64; 3],
}

/// Reference for y.
#[derive(Clone, Debug)]
enum Reference {
    Constant(f64),
    Function(Closure<dyn Fn(At<'_>) -> f64 + Send + Sync>),
}

impl Pid {
    /// Creates a controller with the given period \[s\], with reference 0 and without bounds.
    ///
    /// # Errors
    ///
    /// [`SettingsError::OutOfRange`] if a gain is not finite, the period is not positive, the filter time is
    /// negative, or the tracking time is less than the period.
    pub fn new(gains: PidGains, period: f64) -> Result<Self, SettingsError> {
        for (name, gain) in [
            ("proportional", gains.proportional),
            ("integral", gains.integral),
            ("derivative", gains.derivative),
        ] {
            check_number(name, gain, f64::is_finite, "finite")?;
        }
        check_positive("period", period)?;
        let is_time = |time: f64| time >= 0.0 && time.is_finite();
        check_number("filter_time", gains.filter_time, is_time, "finite and nonnegative")?;
        let tracking_time = gains.tracking_time.unwrap_or(period);
        let is_long = |time: f64| time >= period && time.is_finite();
        check_number("tracking_time", tracking_time, is_long, "finite and at least the period")?;
        Ok(Self {
            gains,
            period,
            tracking: period / tracking_time,
            reference: Reference::Constant(0.0),
            bounds: [f64::NEG_INFINITY, f64::INFINITY],
            error_before: None,
            integral: 0.0,
            terms: [0.0; 3],
        })
    }

    /// Sets a constant reference for y. Default: 0.
    ///
    /// # Errors
    ///
    /// [`SettingsError::OutOfRange`] if the reference is not finite.
    pub fn with_reference(mut self, reference: f64) -> Result<Self, SettingsError> {
        check_number("reference", reference, f64::is_finite, "finite")?;
        self.reference = Reference::Constant(reference);
        Ok(self)
    }

    /// Sets the reference for y as a function of the time \[s\] and the parameters of the model.
    ///
    /// If the closure is first assigned to a variable, its argument needs an explicit type.
    #[must_use]
    pub fn with_reference_function(
        mut self,
        reference: impl Fn(At<'_>) -> f64 + Send + Sync + 'static,
    ) -> Self {
        self.reference = Reference::Function(Closure::new(std::sync::Arc::new(reference)));
        self
    }

    /// Limits u to an interval. Either bound can be infinite.
    ///
    /// # Errors
    ///
    /// [`SettingsError::OutOfRange`] if the upper bound is below the lower bound, or a bound is NaN.
    pub fn with_bounds(mut self, lower: f64, upper: f64) -> Result<Self, SettingsError> {
        check_number("lower", lower, |lower| lower < f64::INFINITY, "a number below infinity")?;
        let is_above = |upper: f64| upper >= lower && upper > f64::NEG_INFINITY;
        check_number("upper", upper, is_above, "at least the lower bound")?;
        self.bounds = [lower, upper];
        Ok(self)
    }
}

impl Actuator for Pid {
    fn ports(&self) -> Ports {
        Ports { takes: 1, gives: 1, period: Some(self.period) }
    }

    fn act(&mut self, at: At<'_>, measured: &[f64], u: &mut [f64]) -> Result<(), ControlError> {
        let (gains, h) = (&self.gains, self.period);
        let reference = match &self.reference {
            Reference::Constant(reference) => *reference,
            Reference::Function(function) => function.0(at),
        };
        let error = reference - measured[0];
        let change = error - self.error_before.unwrap_or(error);
        let filter = gains.filter_time;
        let derivative = (filter * self.terms[2] + gains.derivative * change) / (filter + h);
        self.terms = [gains.proportional * error, self.integral, derivative];
        let wanted: f64 = self.terms.iter().sum();
        u[0] = wanted.max(self.bounds[0]).min(self.bounds[1]);
        self.integral += h * gains.integral * error + self.tracking * (u[0] - wanted);
        self.error_before = Some(error);
        Ok(())
    }

    fn terms(&self) -> &[f64] {
        &self.terms
    }

    fn restart(&mut self) {
        self.error_before = None;
        self.integral = 0.0;
        self.terms = [0.0; 3];
    }

    /// Control error, integral and terms at the last sample; empty before the first sample.
    fn memory(&self) -> Vec<f64> {
        let of_samples = |error| [&[error, self.integral], &self.terms[..]].concat();
        self.error_before.map_or_else(Vec::new, of_samples)
    }

    fn recall(&mut self, memory: &[f64]) -> bool {
        self.restart();
        if let [error, integral, proportional, of_integral, derivative] = *memory {
            self.error_before = Some(error);
            self.integral = integral;
            self.terms = [proportional, of_integral, derivative];
            return true;
        }
        memory.is_empty()
    }
}
