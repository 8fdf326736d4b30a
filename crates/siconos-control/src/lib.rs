//! Sampled control: sensors, observers and actuators around a plant.
//!
//! The plant is a model, under any simulation that reports events: by hold
//! ([`ZeroOrderHold`](siconos_kernel::integrator::ZeroOrderHold)), by any other time-stepping scheme whose
//! steps end at the samples, or by events. Its inputs are parameters of the model. A [`ControlLoop`] samples
//! what is around it, each component with a period of its own, and records it.
//!
//! | component | what it does |
//! |---|---|
//! | [`LinearSensor`] | y = C x + D u, late by whole samples if so set |
//! | [`LuenbergerObserver`] | estimates x from y and u, at a rate that the gain L sets |
//! | [`SlidingReducedOrderObserver`] | brings C xhat to y in finite time, and estimates the rest |
//! | [`Pid`] | proportional, integral and filtered derivative, between bounds, without windup |
//! | [`LinearSlidingMode`] | sliding mode by an implicit step: without chattering |
//! | [`ExplicitLinearSlidingMode`] | sliding mode by the sign at the sample: chatters |
//! | [`Twisting`] | a sliding mode of second order: implicit, explicit, or regularised |
//! | [`FunctionActuator`] | any function of time, parameters and measurement |
//!
//! [`Sensor`], [`Observer`] and [`Actuator`] are for those of the user. [`HeldPlant`] is what controllers and
//! observers take the plant for; it need not be what the plant is.
//!
//! No result depends on the units of x, y, u or time.

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
    Actuator, ActuatorId, Component, ControlError, Knowledge, Observer, ObserverId, Ports, Sensor, SensorId,
    SignalId,
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

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
