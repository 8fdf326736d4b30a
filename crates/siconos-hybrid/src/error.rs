//! Errors of hybrid systems.

use siconos_ode::OdeError;

use siconos_kernel::{ModelError, SettingsError};

/// Number of an event. Events are numbered from 1, in the order in which they are added.
pub type EventNumber = usize;

/// Error in the data of a hybrid system, or during its integration.
///
/// Events are identified by their [event numbers](EventNumber).
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HybridError {
    /// A setting is outside its range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A vector or matrix has the wrong shape or is not finite, or a parameter does not belong to the system.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The system has no variables.
    #[error("a hybrid system requires at least one variable")]
    NoVariables,
    /// Two variables have the same name, or a variable has the name of the time.
    #[error("the name `{name}` is already taken; each variable must have its own name, and `t` is the time")]
    NameTaken {
        /// Name.
        name: String,
    },
    /// No continuous variable has this name.
    #[error("event {event}: there is no continuous variable `{name}`; the continuous variables are {known}")]
    UnknownName {
        /// Event number.
        event: EventNumber,
        /// Name.
        name: String,
        /// Names of the continuous variables.
        known: String,
    },
    /// The system has no discrete variable with this index.
    #[error(
        "event {event}: there is no discrete variable with index {index}; {count} are declared, and indices start at 0"
    )]
    UnknownDiscrete {
        /// Event number.
        event: EventNumber,
        /// Index in the order of declaration, counted from 0.
        index: usize,
        /// Number of discrete variables.
        count: usize,
    },
    /// The initial value of a discrete variable is not valid for its type.
    #[error("the initial value of `{name}` is {value}; it must be {must_be}")]
    InitialValue {
        /// Name of the variable.
        name: String,
        /// Value.
        value: f64,
        /// Valid values, as text.
        must_be: &'static str,
    },
    /// An event assigns a value to a variable that events must not change.
    #[error("event {event} assigns `{target}`, which is {why}")]
    Assignment {
        /// Event number.
        event: EventNumber,
        /// Name of the variable.
        target: String,
        /// Reason.
        why: &'static str,
    },
    /// An action assigned a value that is not valid for the variable.
    #[error("event {event} at t = {t} assigns {value} to `{target}`, which must be {must_be}")]
    ValueFunction {
        /// Event number.
        event: EventNumber,
        /// Time \[s\].
        t: f64,
        /// Name of the variable.
        target: String,
        /// Value.
        value: f64,
        /// Valid values, as text.
        must_be: &'static str,
    },
    /// A time, period or limit of a trigger is outside its range.
    #[error("event {event}: `{name}` is {value}; it must be {must_be}")]
    Trigger {
        /// Event number.
        event: EventNumber,
        /// Name of the quantity.
        name: &'static str,
        /// Value of the quantity.
        value: f64,
        /// Valid range, as text.
        must_be: &'static str,
    },
    /// An option cannot be combined with the trigger or the action, or algebraic variables are added after
    /// other algebraic variables or after an event.
    #[error("event {event}: {why}")]
    Option {
        /// Event number.
        event: EventNumber,
        /// Reason and remedy.
        why: &'static str,
    },
    /// A trigger requires a value of a boolean variable, but the number of triggers that require the other
    /// value is not one.
    #[error(
        "event {event} requires `{variable}` to be {value}; exactly one partner must require it to be {}, \
         found {partners}",
        !value
    )]
    Unpaired {
        /// Event number.
        event: EventNumber,
        /// Name of the variable.
        variable: String,
        /// Required value of the variable.
        value: bool,
        /// Number of triggers that require the other value.
        partners: usize,
    },
    /// Two triggers require the same variable, but the sum or the difference of their arguments changes.
    #[error(
        "events {first} and {second} require `{variable}`; the {what} of their arguments must be constant, but was \
         {before} and is {now} at t = {t}"
    )]
    NotConstant {
        /// Event number of the first event.
        first: EventNumber,
        /// Event number of the second event.
        second: EventNumber,
        /// Name of the variable.
        variable: String,
        /// The word "sum" or "difference": the quantity that must be constant.
        what: &'static str,
        /// Sum or difference at the start.
        before: f64,
        /// Sum or difference at time t.
        now: f64,
        /// Time \[s\].
        t: f64,
    },
    /// The mass matrix is singular.
    #[error(
        "the mass matrix is singular; write each row without a derivative as an algebraic equation of a separate variable"
    )]
    SingularMass,
    /// The system has a mass matrix or algebraic equations, which the integration method does not support.
    #[error("the system has {what}, for which the method must be `Stiff` or `Auto`")]
    MethodNeedsStiff {
        /// The words "mass matrix" or "algebraic equations".
        what: &'static str,
    },
    /// A right-hand side is not finite.
    #[error("the right-hand side of `{variable}` is {value} at t = {t}")]
    Rate {
        /// Name of the variable.
        variable: String,
        /// Value.
        value: f64,
        /// Time \[s\].
        t: f64,
    },
    /// The value of a root function or a range function is not finite.
    #[error("the trigger of event {event} is {value} at t = {t}; it must be finite")]
    TriggerValue {
        /// Event number.
        event: EventNumber,
        /// Value.
        value: f64,
        /// Time \[s\].
        t: f64,
    },
    /// No consistent values of the algebraic variables were found.
    #[error(
        "no value of `{variable}` that solves its equation was found at t = {t}: the residual is {residual:e} after {iterations} iterations of \
         Newton's method"
    )]
    Inconsistent {
        /// Algebraic variable of the equation with the largest residual, relative to the terms of the
        /// equation.
        variable: String,
        /// Residual of the equation of this variable.
        residual: f64,
        /// Number of iterations.
        iterations: usize,
        /// Time \[s\].
        t: f64,
    },
    /// The algebraic equations do not determine the algebraic variables.
    #[error(
        "the algebraic equations do not determine `{variable}` at t = {t}: their Jacobian with respect to the algebraic variables is \
         singular, so the system is not of index 1 there"
    )]
    SingularIndex {
        /// Algebraic variable whose column has no pivot. If it is not known, the first algebraic variable.
        variable: String,
        /// Time \[s\].
        t: f64,
    },
    /// The event iteration has not ended after the maximum number of passes.
    #[error(
        "the event iteration at t = {t} has not ended after {limit} passes; in the last pass, {} fired{hint}",
        list(.events)
    )]
    EndlessIteration {
        /// Time \[s\].
        t: f64,
        /// Maximum number of passes.
        limit: usize,
        /// Event numbers of the events that fired in the last pass.
        events: Vec<EventNumber>,
        /// Possible cause, or an empty string.
        hint: &'static str,
    },
    /// The system has no event with this event number.
    #[error("there is no event {event}; the system has {count} events, counted from 1")]
    UnknownEvent {
        /// Given event number.
        event: EventNumber,
        /// Number of events.
        count: usize,
    },
    /// The time of the last firing is not defined for this type of event.
    #[error("the time at which event {event} last fired is not defined: {why}")]
    NoFiringTime {
        /// Event number.
        event: EventNumber,
        /// Reason.
        why: &'static str,
    },
    /// The direction of integration is not known, because nothing has been integrated yet.
    #[error("the direction has not been set; request a solution first, or call `set_direction`")]
    NoDirection,
    /// The requested time lies in a part of the solution that was not recorded.
    #[error(
        "the solution at t = {t} is no longer available, since the trajectory is not recorded; set `record`"
    )]
    NotRecorded {
        /// Requested time \[s\].
        t: f64,
    },
    /// The integrator failed.
    #[error("from t = {t}: {source}")]
    Integration {
        /// Last time that was reached \[s\].
        t: f64,
        /// Error of the integrator.
        source: OdeError,
    },
}

/// Lists the event numbers in a phrase.
fn list(events: &[EventNumber]) -> String {
    match events {
        [] => "no event".to_owned(),
        [one] => format!("event {one}"),
        [rest @ .., last] => {
            let rest: Vec<String> = rest.iter().map(ToString::to_string).collect();
            format!("events {} and {last}", rest.join(", "))
        }
    }
}
