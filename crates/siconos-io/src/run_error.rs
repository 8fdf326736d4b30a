//! Errors in setting a parameter, and in starting, stepping and resuming runs of all kinds of models.

use siconos_control::ControlError;
use siconos_expression::did_you_mean;
use siconos_hybrid::{Direction, HybridError, IntegrationOutcome};
use siconos_kernel::{ModelError, SimulationError};
use siconos_numerics::Status;
use siconos_sweeping::SweepingError;
use siconos_sweeping::dvi::DviError;

use crate::document::DocumentError;

/// Error in setting a parameter.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SetParameterError {
    /// The model has no parameter of this name.
    #[error("there is no parameter `{name}`{}", did_you_mean(.nearest.as_deref()))]
    Unknown {
        /// The name.
        name: String,
        /// The most similar name of a parameter of the model.
        nearest: Option<String>,
    },
    /// The number of values differs from the size of the parameter.
    #[error("the parameter `{name}` requires {expected} values, found {found}")]
    Count {
        /// The name.
        name: String,
        /// Number of values of the parameter.
        expected: usize,
        /// Number of values given.
        found: usize,
    },
    /// A size or a setting of the simulation reads the parameter, so it cannot change after the file was
    /// read.
    #[error(
        "the parameter `{name}` is read only once, by a size or a setting of the simulation; set it by an override when the \
         file is read"
    )]
    Fixed {
        /// The name.
        name: String,
    },
    /// A value is not finite.
    #[error("the parameter `{name}` must be finite, not {value}")]
    NotFinite {
        /// The name.
        name: String,
        /// The value.
        value: f64,
    },
}

/// Error at the start of a run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The model cannot be built, or has no solution at the start.
    #[error(transparent)]
    Model(#[from] DocumentError),
    /// No final time is given for a hybrid model.
    #[error("{name}: no end time is given; set `end` in [time]")]
    NoEnd {
        /// Name of the model file.
        name: String,
    },
    /// The given final time is not a finite number.
    #[error("the end is {end}; it must be a time in seconds")]
    End {
        /// The time.
        end: f64,
    },
    /// The end time of the model cannot be replaced.
    #[error(
        "this model has a fixed end: its time grid has explicit times, equal steps or an exact end, its steps are adaptive, or \
         it has conditions at both ends; set `simulation.end`"
    )]
    Fixed,
}

/// Error of a law with coefficients that are functions of parameters: a coefficient is out of range for the
/// current parameter values.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the law of `{interaction}` is invalid for the current parameter values: {message}")]
pub struct LawChangeError {
    /// Name of the interaction.
    pub interaction: String,
    /// Message of the law.
    pub message: String,
}

/// Error that ends a run early.
#[derive(Debug, thiserror::Error)]
pub enum RunError<E> {
    /// A step failed.
    #[error(transparent)]
    Step(SimulationError),
    /// A sensor, an observer or a controller failed. The step has been taken.
    #[error(transparent)]
    Control(ControlError),
    /// An event sets a parameter to a value that is not finite. The step has been taken.
    #[error(transparent)]
    Event(NotFinite),
    /// An event or a controller sets a parameter to a value for which a law is invalid. The step has been
    /// taken.
    #[error(transparent)]
    Law(LawChangeError),
    /// The integration of a hybrid system failed, for example because an algebraic equation has no solution
    /// or an iteration over events does not end.
    #[error(transparent)]
    Hybrid(HybridError),
    /// A step of a sweeping process or a differential variational inequality failed.
    #[error(transparent)]
    Inclusion(InclusionError),
    /// The solution of a hybrid system ends before the final time.
    #[error("{0}")]
    Ended(IntegrationOutcome),
    /// The function that receives the rows returned an error.
    #[error(transparent)]
    Row(E),
}

/// Error in resuming a run from a snapshot.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// The snapshot belongs to a different model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The snapshot belongs to a model with different sensors, observers or controllers.
    #[error(transparent)]
    Control(#[from] ControlError),
    /// A law of the model is invalid for the parameters in the snapshot.
    #[error(transparent)]
    Law(#[from] LawChangeError),
    /// The simulation cannot start.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// The data file of an array has changed since the snapshot.
    #[error("the file `{path}` of the model has {now}, but the snapshot was taken with {then}")]
    Data {
        /// The file, as named in the model.
        path: String,
        /// Current checksum of the file.
        now: String,
        /// Checksum in the snapshot.
        then: String,
    },
    /// The snapshot belongs to a different hybrid system.
    #[error(transparent)]
    Hybrid(HybridError),
    /// The snapshot belongs to a process with different variables.
    #[error("variable {place} is `{found}` in the model and `{kept}` in the snapshot")]
    Variable {
        /// Index of the variable, counted from 0.
        place: usize,
        /// Name in the snapshot.
        kept: String,
        /// Name in the model.
        found: String,
    },
    /// The time of the snapshot is not the end of a step of this model.
    #[error("the snapshot is at t = {t} after {step} steps, which is not a grid point of this model")]
    Time {
        /// The time of the snapshot \[s\].
        t: f64,
        /// Number of steps in the snapshot.
        step: usize,
    },
    /// The scheme cannot continue from the state in the snapshot.
    #[error(transparent)]
    Inclusion(#[from] InclusionError),
    /// The snapshot and the model are of different kinds.
    #[error("the snapshot belongs to a `{kept}` model, but this is a `{found}` model")]
    Kind {
        /// The kind of the snapshot.
        kept: &'static str,
        /// The kind of the model.
        found: &'static str,
    },
    /// The run that wrote the snapshot integrates in the opposite direction of time.
    #[error("the run of the snapshot integrates to the {kept}, away from t = {end}")]
    Direction {
        /// Direction of time in the run of the snapshot.
        kept: Direction,
        /// Final time of this run \[s\].
        end: f64,
    },
    /// The snapshot is after the final time.
    #[error("the snapshot is at t = {t}, beyond the end at t = {end}")]
    Behind {
        /// The time of the snapshot \[s\].
        t: f64,
        /// Final time of this run \[s\].
        end: f64,
    },
}

/// Event that sets a parameter to a value that is not finite.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("the event `{event}` sets the parameter `{parameter}` to {value}; it must be finite")]
pub struct NotFinite {
    /// Name of the event: NAME in `[events.NAME]`.
    pub event: String,
    /// Name of the parameter.
    pub parameter: String,
    /// Value that the event assigns.
    pub value: f64,
}

/// Error of a step of a process.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InclusionError {
    /// Error of a sweeping process.
    #[error(transparent)]
    Sweeping(#[from] SweepingError),
    /// Error of a differential variational inequality.
    #[error(transparent)]
    Dvi(#[from] DviError),
    /// No solution was found.
    #[error(
        "no solution was found in the step to t = {t}: {status}; there may be none, for example if the set is empty"
    )]
    Unsolved {
        /// Time at the end of the step \[s\].
        t: f64,
        /// Status of the solver.
        status: Status,
    },
    /// The number of attempted steps has reached the setting `max_steps`.
    #[error("{tried} steps were tried, which is the limit `max_steps`")]
    TooMany {
        /// Number of attempted steps.
        tried: usize,
    },
    /// No solution that satisfies the boundary conditions was found.
    #[error("no solution was found that meets the conditions at both ends: {status}")]
    Ends {
        /// Status of the solver.
        status: Status,
    },
}
