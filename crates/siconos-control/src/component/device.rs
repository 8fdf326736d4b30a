//! What sensors, observers and actuators are.

use std::fmt::Debug;

use super::error::ControlError;
use siconos_kernel::State;
use siconos_kernel::model::{At, NonSmoothDynamicalSystem};

/// What measures the state: y from x. [`LinearSensor`](crate::LinearSensor) is one.
pub trait Sensor: Debug + Send {
    /// How many numbers y is.
    fn size(&self) -> usize;

    /// Looks whether the sensor fits a model; called when the loop is scheduled. By default it does.
    ///
    /// # Errors
    ///
    /// [`ControlError`] that says what does not fit.
    fn check(&self, _model: &NonSmoothDynamicalSystem) -> Result<(), ControlError> {
        Ok(())
    }

    /// Measures the state at `state.t`: writes y.
    ///
    /// # Errors
    ///
    /// [`ControlError`] where it cannot; the run then ends.
    fn measure(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &State,
        y: &mut [f64],
    ) -> Result<(), ControlError>;

    /// Forgets what it keeps from sample to sample, for another run. By default it keeps nothing.
    fn restart(&mut self) {}

    /// What it keeps from sample to sample, as numbers, for a [record](crate::ControlRecord). By default
    /// nothing.
    fn memory(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Takes over what [`memory`](Self::memory) gave; whether that fits. By default nothing does but nothing.
    fn recall(&mut self, memory: &[f64]) -> bool {
        memory.is_empty()
    }
}

/// How many numbers a device takes and gives, and the period that it was made for. `Taken` is one number for
/// an actuator, and two for an observer: of y, of u.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ports<Taken = usize> {
    /// How many numbers it takes.
    pub takes: Taken,
    /// How many numbers it gives: those of u, or of the estimate.
    pub gives: usize,
    /// The period that it was made for \[s\], where that matters.
    pub period: Option<f64>,
}

/// What an observer knows when it estimates.
#[derive(Clone, Copy, Debug)]
pub struct Knowledge<'a> {
    /// The time of the sample \[s\].
    pub t: f64,
    /// The latest measurement.
    pub y: &'a [f64],
    /// The input that has been held until now.
    pub u: &'a [f64],
}

/// What estimates x from y and u: [`LuenbergerObserver`](crate::LuenbergerObserver),
/// [`SlidingReducedOrderObserver`](crate::SlidingReducedOrderObserver).
pub trait Observer: Debug + Send {
    /// How many numbers it takes, of y and of u, and how many the estimate is. Always the same.
    fn ports(&self) -> Ports<[usize; 2]>;

    /// Writes the estimate.
    ///
    /// # Errors
    ///
    /// [`ControlError`] where it cannot; the run then ends.
    fn estimate(&mut self, known: Knowledge<'_>, estimate: &mut [f64]) -> Result<(), ControlError>;

    /// Forgets what it keeps from sample to sample, for another run. By default it keeps nothing.
    fn restart(&mut self) {}

    /// What it keeps from sample to sample, as numbers, for a [record](crate::ControlRecord). By default
    /// nothing.
    fn memory(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Takes over what [`memory`](Self::memory) gave; whether that fits. By default nothing does but nothing.
    fn recall(&mut self, memory: &[f64]) -> bool {
        memory.is_empty()
    }
}

/// What sets an input: a function of time, parameters and what was measured or estimated, with a memory
/// where it needs one. [`Pid`](crate::Pid) is one, [`FunctionActuator`](crate::FunctionActuator) makes one of
/// a closure.
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
    /// How many numbers it takes, and how many u is. Always the same.
    fn ports(&self) -> Ports;

    /// Writes u, which is held from now on until the next sample. On entry u is what it was; `at` has the
    /// time of the sample, and the parameters of the model as they are before u is set.
    ///
    /// # Errors
    ///
    /// [`ControlError`] where it cannot; the run then ends.
    fn act(&mut self, at: At<'_>, measured: &[f64], u: &mut [f64]) -> Result<(), ControlError>;

    /// What is recorded beside u, of the last sample: the sliding variable, the terms of a sum. Always as
    /// many numbers. By default none.
    fn terms(&self) -> &[f64] {
        &[]
    }

    /// Forgets what it keeps from sample to sample, for another run. By default it keeps nothing.
    fn restart(&mut self) {}

    /// What it keeps from sample to sample, as numbers, for a [record](crate::ControlRecord). By default
    /// nothing.
    fn memory(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Takes over what [`memory`](Self::memory) gave; whether that fits. By default nothing does but nothing.
    fn recall(&mut self, memory: &[f64]) -> bool {
        memory.is_empty()
    }
}
