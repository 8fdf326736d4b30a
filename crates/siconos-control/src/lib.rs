//! Sampled control: sensors, observers and actuators around a plant.
//!
//! The plant is a model under any simulation that reports events. The simulation uses
//! [`ZeroOrderHold`](siconos_kernel::integrator::ZeroOrderHold) or any other time-stepping scheme whose steps
//! end at the sampling times, or is event-driven. The inputs of the plant are parameters of the model. A
//! [`ControlLoop`] samples the components around the plant, each with its own period, and records the
//! samples.
//!
//! | component | function |
//! |---|---|
//! | [`LinearSensor`] | measures y = C x + D u, optionally delayed by some samples |
//! | [`LuenbergerObserver`] | estimates x from y and u, at a rate determined by the gain L |
//! | [`SlidingReducedOrderObserver`] | drives C xhat to y in finite time, and estimates the other states |
//! | [`Pid`] | proportional, integral and filtered derivative action, with bounds and anti-windup |
//! | [`LinearSlidingMode`] | sliding mode with an implicit step, without chattering |
//! | [`ExplicitLinearSlidingMode`] | sliding mode with the sign at the sample, with chattering |
//! | [`Twisting`] | second-order sliding mode: implicit, explicit, or regularised |
//! | [`FunctionActuator`] | user function of time, parameters and measurement |
//!
//! User-defined components implement [`Sensor`], [`Observer`] or [`Actuator`]. [`HeldPlant`] is the plant
//! model that controllers and observers use. It is allowed to differ from the actual plant.
//!
//! The results do not depend on the units of x, y, u or time.

#![deny(missing_docs)]

mod component;
mod control_loop;
mod function_actuator;
mod held_model;
mod held_plant;
mod linear;
mod linear_sensor;
mod luenberger;
mod pid;
mod record;
mod samples;
mod sampling;
mod sign_relay;
mod sliding_mode;
mod sliding_observer;
mod twisting;

pub use component::{
    Actuator, ActuatorId, Component, ControlError, Observer, ObserverId, ObserverInput, Ports, Sensor,
    SensorId, SignalId,
};
pub use control_loop::ControlLoop;
pub use function_actuator::FunctionActuator;
pub use held_plant::HeldPlant;
pub use linear_sensor::LinearSensor;
pub use luenberger::LuenbergerObserver;
pub use pid::{Pid, PidGains};
pub use record::ControlRecord;
pub use samples::{Sample, Samples};
pub use sampling::Sampling;
pub use sliding_mode::{EquivalentControl, ExplicitLinearSlidingMode, LinearSlidingMode};
pub use sliding_observer::SlidingReducedOrderObserver;
pub use twisting::Twisting;

/// Doc tests of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
