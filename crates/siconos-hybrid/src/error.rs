//! Why a hybrid system cannot be built, or its integration cannot go on.

use siconos_ode::OdeError;

use siconos_kernel::{ModelError, SettingsError};

/// Number of an event, from 1, in the order in which events are added.
pub type EventNumber = usize;

/// Data of a hybrid system that do not fit together, or an integration that ended where no answer is to be
/// had.
///
/// Events are named by their numbers, from 1 in the order in which they were added.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HybridError {
    /// A setting is outside its range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A vector or matrix is of the wrong shape or not finite, or a parameter is not of the system.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// There is nothing to integrate.
    #[error("a hybrid system needs at least one variable")]
    NoVariables,
    /// Two variables have one name, or one has that of the time.
    #[error("the name `{name}` is taken; each variable needs one of its own, and `t` is the time")]
    DoubledName {
        /// The name.
        name: String,
    },
    /// A name that no variable has.
    #[error("event {event}: there is no continuous variable `{name}`; there are {known}")]
    UnknownName {
        /// The event.
        event: EventNumber,
        /// The name.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// A discrete variable that the system does not have.
    #[error("event {event}: there is no discrete variable {index}; {count} are declared, counted from 0")]
    UnknownDiscrete {
        /// The event.
        event: EventNumber,
        /// Its place in the order of declaration.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// The initial value of a discrete variable does not fit its type.
    #[error("the initial value of `{name}` is {value}; it must be {must_be}")]
    InitialValue {
        /// The variable.
        name: String,
        /// The value.
        value: f64,
        /// What fits.
        must_be: &'static str,
    },
    /// An assignment to what no event may change.
    #[error("event {event} assigns `{target}`, {why}")]
    Assignment {
        /// The event.
        event: EventNumber,
        /// What it assigns.
        target: String,
        /// Why that cannot be.
        why: &'static str,
    },
    /// An action assigned a value that does not fit.
    #[error("event {event} at t = {t} assigns {value} to `{target}`, which must be {must_be}")]
    Value {
        /// The event.
        event: EventNumber,
        /// When.
        t: f64,
        /// The variable.
        target: String,
        /// The value.
        value: f64,
        /// What fits.
        must_be: &'static str,
    },
    /// A number of a trigger is outside its range.
    #[error("event {event}: `{name}` is {value}; it must be {must_be}")]
    Trigger {
        /// The event.
        event: EventNumber,
        /// The number.
        name: &'static str,
        /// Its value.
        value: f64,
        /// The range in words.
        must_be: &'static str,
    },
    /// An option that does not go with the trigger or the action.
    #[error("event {event}: {why}")]
    Option {
        /// The event.
        event: EventNumber,
        /// What does not go with what, and what would.
        why: &'static str,
    },
    /// A trigger that requires a variable has no partner.
    #[error(
        "event {event} requires `{variable}` to be {value}; it needs exactly one partner that requires it to be {}, \
         there are {partners}",
        !value
    )]
    Unpaired {
        /// The event.
        event: EventNumber,
        /// The variable.
        variable: String,
        /// What the variable has to be.
        value: bool,
        /// How many partners there are.
        partners: usize,
    },
    /// The arguments of two triggers that require a variable do not add up to a constant.
    #[error(
        "events {first} and {second} require `{variable}`; the {what} of their arguments must be constant, it was \
         {before} and is {now} at t = {t}"
    )]
    NotConstant {
        /// The first event.
        first: EventNumber,
        /// The second event.
        second: EventNumber,
        /// The variable.
        variable: String,
        /// Sum or difference.
        what: &'static str,
        /// What it was at the start.
        before: f64,
        /// What it is.
        now: f64,
        /// When.
        t: f64,
    },
    /// The mass matrix is singular.
    #[error(
        "the mass matrix is singular; write a row without a derivative as an algebraic equation of a variable of its own"
    )]
    SingularMass,
    /// A method without mass matrices for a system that has one, or algebraic equations.
    #[error("the system has {what}, for which the method must be `Stiff` or `Auto`")]
    MethodNeedsStiff {
        /// What it has.
        what: &'static str,
    },
    /// A right-hand side is not finite.
    #[error("the right-hand side of `{variable}` is {value} at t = {t}")]
    Rate {
        /// The variable.
        variable: String,
        /// The value.
        value: f64,
        /// When.
        t: f64,
    },
    /// A root function or range is not finite.
    #[error("the trigger of event {event} is {value} at t = {t}; it must be finite")]
    TriggerValue {
        /// The event.
        event: EventNumber,
        /// The value.
        value: f64,
        /// When.
        t: f64,
    },
    /// No consistent values of the algebraic variables were found.
    #[error(
        "no value of `{variable}` solves its equation at t = {t}: it leaves {residual:e} after {iterations} iterations of \
         Newton's method"
    )]
    Inconsistent {
        /// The algebraic variable of the equation that is furthest from zero.
        variable: String,
        /// What it leaves.
        residual: f64,
        /// Iterations made.
        iterations: usize,
        /// When.
        t: f64,
    },
    /// The algebraic equations do not determine the algebraic variables.
    #[error(
        "the algebraic equations do not determine `{variable}` at t = {t}: their derivative by the algebraic variables is \
         singular, and the system not of index 1 there"
    )]
    SingularIndex {
        /// The variable in whose column there is no pivot, or the first one.
        variable: String,
        /// When.
        t: f64,
    },
    /// The iteration over the events does not end.
    #[error(
        "the iteration over the events at t = {t} has not ended after {limit} passes; in the last one {} fired{hint}",
        list(.events)
    )]
    EndlessIteration {
        /// When.
        t: f64,
        /// How many passes are allowed.
        limit: usize,
        /// The events that fired in the last pass.
        events: Vec<EventNumber>,
        /// What else may be the reason.
        hint: &'static str,
    },
    /// An event that the system does not have.
    #[error("there is no event {event}; the system has {count}, counted from 1")]
    UnknownEvent {
        /// The number given.
        event: EventNumber,
        /// How many there are.
        count: usize,
    },
    /// A question about when an event fired that has no answer.
    #[error("event {event} has no time at which it fired last: {why}")]
    NoFiringTime {
        /// The event.
        event: EventNumber,
        /// Why not.
        why: &'static str,
    },
    /// The direction of the integration is not known yet.
    #[error("the direction is not known yet; ask for a solution, or call `set_direction`")]
    NoDirection,
    /// A time that has been passed, where the trajectory is not kept.
    #[error("the solution at t = {t} is no longer there, since the trajectory is not kept; set `record`")]
    NotRecorded {
        /// The time asked for.
        t: f64,
    },
    /// The integrator cannot go on.
    #[error("from t = {t}: {source}")]
    Integration {
        /// The last time that was reached.
        t: f64,
        /// What it said.
        source: OdeError,
    },
}

/// Numbers of events as words.
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
