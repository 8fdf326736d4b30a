//! Interfaces of sensors, observers and actuators.

use std::fmt::Debug;

use super::error::ControlError;
use siconos_kernel::State;
use siconos_kernel::model::{At, NonSmoothDynamicalSystem};

/// Device that measures y from the state x, for example a [`LinearSensor`](crate::LinearSensor).
pub trait Sensor: Debug + Send {
    /// Returns the number of entries of y.
    fn size(&self) -> usize;

    /// Checks that the sensor is compatible with a model, when the control loop is scheduled. Default: every
    /// model is accepted.
    ///
    /// # Errors
    ///
    /// [`ControlError`] if the sensor is not compatible with the model.
    fn check(&self, _model: &NonSmoothDynamicalSystem) -> Result<(), ControlError> {
        Ok(())
    }

    /// Measures the state at the time `state.t` and writes the measurement to `y`.
    ///
    /// # Errors
    ///
    /// [`ControlError`] if the measurement fails. The error ends the run.
    fn measure(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &State,
        y: &mut [f64],
    ) -> Result<(), ControlError>;

    /// Resets the internal state of the sensor before another run. Default: does nothing.
    fn restart(&mut self) {}

    /// Returns the internal state that the sensor keeps between samples, for a
    /// [record](crate::ControlRecord). Default: an empty vector.
    fn memory(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Restores an internal state returned by [`memory`](Self::memory). Returns `true` if the state is valid
    /// for the sensor. Default: only an empty state is valid.
    fn recall(&mut self, memory: &[f64]) -> bool {
        memory.is_empty()
    }
}

/// Numbers of inputs and outputs of a device, and the period for which it was created. `Taken` is the type of
/// the number of inputs: one number for an actuator, and two numbers for an observer, which are the numbers
/// of entries of y and of u.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ports<Taken = usize> {
    /// Number of inputs: the entries of the signal that an actuator reads, or of y and of u.
    pub takes: Taken,
    /// Number of outputs: the entries of u or of the estimate.
    pub gives: usize,
    /// Period for which the device was created \[s\], or `None` if it can be used with every period.
    pub period: Option<f64>,
}

/// Data from which an observer computes an estimate.
#[derive(Clone, Copy, Debug)]
pub struct ObserverInput<'a> {
    /// Time of the sample \[s\].
    pub t: f64,
    /// Latest measurement.
    pub y: &'a [f64],
    /// Input that has been held until this sample.
    pub u: &'a [f64],
}

/// Device that estimates x from y and u, for example [`LuenbergerObserver`](crate::LuenbergerObserver) or
/// [`SlidingReducedOrderObserver`](crate::SlidingReducedOrderObserver).
pub trait Observer: Debug + Send {
    /// Returns the numbers of entries of y, of u, and of the estimate. They must not change.
    fn ports(&self) -> Ports<[usize; 2]>;

    /// Computes an estimate of x from `known` and writes it to `estimate`.
    ///
    /// # Errors
    ///
    /// [`ControlError`] if the estimation fails. The error ends the run.
    fn estimate(&mut self, known: ObserverInput<'_>, estimate: &mut [f64]) -> Result<(), ControlError>;

    /// Resets the internal state of the observer before another run. Default: does nothing.
    fn restart(&mut self) {}

    /// Returns the internal state that the observer keeps between samples, for a
    /// [record](crate::ControlRecord). Default: an empty vector.
    fn memory(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Restores an internal state returned by [`memory`](Self::memory). Returns `true` if the state is valid
    /// for the observer. Default: only an empty state is valid.
    fn recall(&mut self, memory: &[f64]) -> bool {
        memory.is_empty()
    }
}

/// Device that sets an input as a function of time, parameters, and a measurement or an estimate. It can have
/// an internal state. [`Pid`](crate::Pid) is an actuator; [`FunctionActuator`](crate::FunctionActuator) makes
/// an actuator from a closure.
///
/// ```
/// use siconos_control::{Actuator, ControlError, Ports};
/// use siconos_kernel::model::At;
///
/// /// Switches heating on below one temperature and off above another.
/// #[derive(Debug)]
/// struct Thermostat {
///     between: [f64; 2],
///     power: f64,
/// }
///
/// impl Actuator for Thermostat {
///     fn ports(&self) -> Ports {
///         Ports { takes: 1, gives: 1, period: None }
///     }
///
///     fn act(&mut self, _at: At<'_>, measured: &[f64], u: &mut [f64]) -> Result<(), ControlError> {
///         if measured[0] < self.between[0] {
///             self.power = 1000.0;
///         } else if measured[0] > self.between[1] {
///             self.power = 0.0;
///         }
///         u[0] = self.power;
///         Ok(())
///     }
/// }
/// ```
pub trait Actuator: Debug + Send {
    /// Returns the number of entries that the actuator reads, and the number of entries of u. They must not
    /// change.
    fn ports(&self) -> Ports;

    /// Computes u, which is held until the next sample, and writes it to `u`. On entry, `u` contains the
    /// previous value. `measured` is the signal that the actuator reads. `at` contains the time of the sample
    /// and the parameters of the model before u is set.
    ///
    /// # Errors
    ///
    /// [`ControlError`] if the actuator fails. The error ends the run.
    fn act(&mut self, at: At<'_>, measured: &[f64], u: &mut [f64]) -> Result<(), ControlError>;

    /// Returns the values that are recorded together with u at the last sample, for example the sliding
    /// variable or the terms of a sum. The number of values must not change. Default: no values.
    fn terms(&self) -> &[f64] {
        &[]
    }

    /// Resets the internal state of the actuator before another run. Default: does nothing.
    fn restart(&mut self) {}

    /// Returns the internal state that the actuator keeps between samples, for a
    /// [record](crate::ControlRecord). Default: an empty vector.
    fn memory(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Restores an internal state returned by [`memory`](Self::memory). Returns `true` if the state is valid
    /// for the actuator. Default: only an empty state is valid.
    fn recall(&mut self, memory: &[f64]) -> bool {
        memory.is_empty()
    }
}
