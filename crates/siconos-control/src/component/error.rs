//! Why a controller cannot be made, or cannot go on.

use siconos_linalg::{ExponentialError, SingularMatrix};
use siconos_numerics::SolverError;

use super::{ActuatorId, ObserverId, SensorId};
use siconos_kernel::analysis::PProperty;
use siconos_kernel::model::ParameterId;
use siconos_kernel::{EventError, ModelError, SettingsError};

/// Why a controller cannot be made, or cannot go on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ControlError {
    /// A matrix or vector has the wrong shape or is not finite; or a system or a parameter is not of the
    /// model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A number is outside its range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A first time or a period cannot be scheduled.
    #[error(transparent)]
    Event(#[from] EventError),
    /// The plant model has no exact step of the period.
    #[error("the plant model cannot be discretised by hold: {0}")]
    Hold(#[from] ExponentialError),
    /// The one-step problem of an implicit controller was not solved.
    #[error("the one-step problem of the implicit controller: {0}")]
    OneStep(#[from] SolverError),
    /// The input does not act on the sliding variable as an equivalent control needs.
    #[error("there is no equivalent control, `{product}` is singular: {singular}; choose another surface C")]
    NoEquivalentControl {
        /// The product: C B or C Psi.
        product: &'static str,
        /// What showed it.
        singular: SingularMatrix,
    },
    /// Signs against the sliding variable would not have one answer for every state.
    #[error("`{product}` must be a P-matrix so that the implicit step has one solution, it is {verdict}")]
    NotMonotone {
        /// The product: C Psi, or C S G of an observer.
        product: &'static str,
        /// What was found.
        verdict: PProperty,
    },
    /// The input does not act on the rate of the output in its own direction.
    #[error(
        "the input must raise the rate of the output: `c A Psi` is {value}, it must be above 0; turn c round"
    )]
    NoTwist {
        /// c A Psi, per unit of input.
        value: f64,
    },
    /// A component was made for another period than it is sampled with.
    #[error(
        "{component} was made for a period of {made_for} s and is added with one of {sampled} s; they must be equal"
    )]
    OtherPeriod {
        /// Sensor, observer or actuator.
        component: &'static str,
        /// The period that it was made for \[s\].
        made_for: f64,
        /// The period that it was added with \[s\].
        sampled: f64,
    },
    /// The id is of another control loop.
    #[error("there is no sensor {id} in this control loop; the id is of another one")]
    UnknownSensor {
        /// The id.
        id: SensorId,
    },
    /// The id is of another control loop.
    #[error("there is no observer {id} in this control loop; the id is of another one")]
    UnknownObserver {
        /// The id.
        id: ObserverId,
    },
    /// The id is of another control loop.
    #[error("there is no actuator {id} in this control loop; the id is of another one")]
    UnknownActuator {
        /// The id.
        id: ActuatorId,
    },
    /// A component reads a signal of which there is no sample yet.
    #[error("{reader} reads {signal} at t = {time}, before its first sample; let it begin later")]
    NotSampledYet {
        /// What reads: observer or actuator, with its id.
        reader: String,
        /// What it reads: sensor or observer, with its id.
        signal: String,
        /// When \[s\].
        time: f64,
    },
    /// A sample falls inside a time step, at whose end it would be late.
    #[error(
        "a sample is due at t = {due}, and the step ends at t = {reached}: first times and periods must be whole multiples of \
         the step, from the first point of the grid on"
    )]
    BetweenPoints {
        /// The time of the sample \[s\].
        due: f64,
        /// The end of the step \[s\].
        reached: f64,
    },
    /// A record is of a loop with other devices.
    #[error("the record is of another control loop: it has {what}")]
    OtherLoop {
        /// What the record has, and the loop has not.
        what: String,
    },
    /// A component fails at a sample.
    #[error("t = {t}: {component}: {source}")]
    Component {
        /// Sensor, observer or actuator, with its id.
        component: String,
        /// The time of the sample \[s\].
        t: f64,
        /// The error of the component.
        source: Box<ControlError>,
    },
    /// Two actuators would set one input in turn.
    #[error("input {input} is set by actuator {by} already; an input has one actuator")]
    InputTaken {
        /// The input.
        input: ParameterId,
        /// The actuator that sets it.
        by: ActuatorId,
    },
    /// A component of the user refuses.
    #[error("{why}")]
    Refused {
        /// Why, in words.
        why: String,
    },
}
