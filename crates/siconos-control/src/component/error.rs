//! Errors of control loops.

use siconos_linalg::{ExponentialError, SingularMatrix};
use siconos_numerics::SolverError;

use super::{ActuatorId, ObserverId, SensorId};
use siconos_kernel::analysis::PProperty;
use siconos_kernel::model::ParameterId;
use siconos_kernel::{EventError, ModelError, SettingsError};

/// Error of a control loop or of one of its components.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ControlError {
    /// A matrix or vector has the wrong shape or is not finite, or a system or parameter does not belong to
    /// the model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A setting is outside its range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The first sampling time or the period of a component cannot be scheduled.
    #[error(transparent)]
    Event(#[from] EventError),
    /// The matrix exponential of the plant model over a period cannot be computed.
    #[error("the plant model cannot be discretised by a zero-order hold: {0}")]
    Hold(#[from] ExponentialError),
    /// The one-step problem of an implicit controller was not solved.
    #[error("cannot solve the one-step problem of the implicit controller: {0}")]
    OneStep(#[from] SolverError),
    /// The equivalent control is not defined, because the matrix by which the input acts on the sliding
    /// variable is singular.
    #[error(
        "there is no equivalent control, because `{product}` is singular: {singular}; choose another surface C"
    )]
    NoEquivalentControl {
        /// Singular matrix: C B, C Psi, or C S G of an observer.
        product: &'static str,
        /// Description of the singularity.
        singular: SingularMatrix,
    },
    /// For some state, the implicit step has no solution or more than one.
    #[error("`{product}` must be a P-matrix so that the implicit step has one solution; it is {verdict}")]
    NotMonotone {
        /// Matrix of the step: C Psi, or C S G of an observer.
        product: &'static str,
        /// Result of the test for a P-matrix.
        verdict: PProperty,
    },
    /// A positive input does not increase the rate of the output.
    #[error(
        "the input must increase the rate of the output: `c A Psi` must be positive, not {value}; change the sign of c"
    )]
    NoTwist {
        /// Value of c A Psi, per unit of input.
        value: f64,
    },
    /// The period of a component differs from the period with which it is sampled.
    #[error(
        "{component} was created for a period of {made_for} s, but is added with a period of {sampled} s; they must be equal"
    )]
    OtherPeriod {
        /// Sensor, observer or actuator.
        component: &'static str,
        /// Period for which the component was created \[s\].
        made_for: f64,
        /// Period with which the component was added \[s\].
        sampled: f64,
    },
    /// The control loop has no sensor with this id.
    #[error("there is no sensor {id} in this control loop; the id belongs to another loop")]
    UnknownSensor {
        /// The id, which belongs to another loop.
        id: SensorId,
    },
    /// The control loop has no observer with this id.
    #[error("there is no observer {id} in this control loop; the id belongs to another loop")]
    UnknownObserver {
        /// The id, which belongs to another loop.
        id: ObserverId,
    },
    /// The control loop has no actuator with this id.
    #[error("there is no actuator {id} in this control loop; the id belongs to another loop")]
    UnknownActuator {
        /// The id, which belongs to another loop.
        id: ActuatorId,
    },
    /// A component reads a signal that has not been sampled yet.
    #[error(
        "{reader} reads {signal} at t = {time}, before its first sample; use a later first time for the reader"
    )]
    NotSampledYet {
        /// Observer or actuator that reads the signal, with its id.
        reader: String,
        /// Sensor or observer that is read, with its id.
        signal: String,
        /// Time \[s\].
        time: f64,
    },
    /// A sample is due inside a time step, so at the end of the step it would be late.
    #[error(
        "a sample is due at t = {due}, but the step ends at t = {reached}: first times and periods must be whole multiples of \
         the step, counted from the first point of the grid"
    )]
    BetweenPoints {
        /// Time of the sample \[s\].
        due: f64,
        /// End of the step \[s\].
        reached: f64,
    },
    /// A record belongs to a control loop with different devices.
    #[error("the record belongs to another control loop: it has {what}")]
    OtherLoop {
        /// First difference between the record and the loop.
        what: String,
    },
    /// A component fails at a sample.
    #[error("t = {t}: {component}: {source}")]
    Component {
        /// Sensor, observer or actuator, with its id.
        component: String,
        /// Time of the sample \[s\].
        t: f64,
        /// Error of the component.
        source: Box<ControlError>,
    },
    /// Two actuators set the same input.
    #[error("input {input} is already set by actuator {by}; an input must have only one actuator")]
    InputTaken {
        /// Input that both actuators set.
        input: ParameterId,
        /// Actuator that already sets this input.
        by: ActuatorId,
    },
    /// A user-defined component reports an error.
    #[error("{why}")]
    Refused {
        /// Reason, as a sentence.
        why: String,
    },
}
