//! What conditions and actions of events read and write.

use std::ops::Index;

use super::variable::{Discrete, Variable};
use super::{DiscreteId, EventPre, View};
use siconos_kernel::model::At;

/// Why a value could not be assigned.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fault {
    pub(super) variable: Variable,
    pub(super) value: f64,
    pub(super) must_be: &'static str,
}

/// What an action must not write where the variable belongs to triggers.
pub(super) const BELONGS_TO_TRIGGERS: &str =
    "left alone: it belongs to the triggers that require it, which change it before their action";

/// The values at an event: of all variables now, and of what they were before.
///
/// Conditions read it, actions write it as well; each assignment is seen by those after it. `p[id]` is a
/// discrete variable, `p.x()[i]` a continuous one.
///
/// ```
/// use siconos_hybrid::{Action, Flow, Point};
///
/// // A ball is reflected, and stops after ten bounces.
/// let bounces = siconos_hybrid::DiscreteId::new(0);
/// let action = Action::function(move |p: &mut Point| {
///     p.set(1, -0.9 * p.x()[1]);
///     p.set(bounces, p[bounces] + 1.0);
///     if p[bounces] < 10.0 { Flow::Next } else { Flow::Halt }
/// });
/// # let _ = action;
/// ```
#[derive(Debug)]
pub struct Point<'a> {
    pub(super) at: At<'a>,
    /// All variables, continuous ones before discrete ones.
    pub(super) values: &'a mut [f64],
    pub(super) previous: &'a mut [f64],
    pub(super) temporaries: &'a mut [f64],
    /// The names of the temporaries of the action.
    pub(super) names: &'a [String],
    /// How many of the variables are continuous.
    pub(super) continuous: usize,
    pub(super) declared: &'a [Discrete],
    /// Discrete variables that belong to triggers.
    pub(super) required: &'a [bool],
    pub(super) mode: EventPre,
    pub(super) fault: Option<Fault>,
    /// Whether anything has another value now.
    pub(super) has_changed: bool,
}

impl<'a> Point<'a> {
    /// The time \[s\].
    #[must_use]
    pub fn t(&self) -> f64 {
        self.at.t
    }

    /// The time with the values of parameters.
    #[must_use]
    pub fn at(&self) -> At<'a> {
        self.at
    }

    /// The continuous variables: states, of a system of second order with their derivatives, and behind them
    /// algebraic variables.
    #[must_use]
    pub fn x(&self) -> &[f64] {
        &self.values[..self.continuous]
    }

    /// The discrete variables in the order of their declaration.
    #[must_use]
    pub fn discrete(&self) -> &[f64] {
        &self.values[self.continuous..]
    }

    /// The continuous variables, and behind them the discrete ones, as they were [before](EventPre).
    #[must_use]
    pub fn previous(&self) -> &[f64] {
        self.previous
    }

    /// The temporary variables of the action, in the order in which its text assigns them for the first time.
    #[must_use]
    pub fn temporaries(&self) -> &[f64] {
        self.temporaries
    }

    /// What equations and roots see of the point.
    #[must_use]
    pub fn view(&self) -> View<'_> {
        View { at: self.at, x: self.x(), discrete: self.discrete() }
    }

    /// The value of a variable.
    ///
    /// # Panics
    ///
    /// On a variable that the system does not have, which is an error of the program; so do all methods that
    /// take one.
    #[must_use]
    #[track_caller]
    pub fn get(&self, variable: impl Into<Variable>) -> f64 {
        self.values[self.place(variable.into())]
    }

    /// Whether a boolean variable is true.
    #[must_use]
    #[track_caller]
    pub fn is(&self, id: DiscreteId) -> bool {
        self.get(id) != 0.0
    }

    /// The value that a variable had [before](EventPre).
    #[must_use]
    #[track_caller]
    pub fn pre(&self, variable: impl Into<Variable>) -> f64 {
        self.previous[self.place(variable.into())]
    }

    /// Whether a variable is not what it was before.
    #[must_use]
    #[track_caller]
    pub fn change(&self, variable: impl Into<Variable>) -> bool {
        let variable = variable.into();
        self.get(variable) != self.pre(variable)
    }

    /// Whether a boolean variable was false and is true, or a number is larger than it was.
    #[must_use]
    #[track_caller]
    #[doc(alias = "edge")]
    pub fn rising_edge(&self, variable: impl Into<Variable>) -> bool {
        let variable = variable.into();
        self.pre(variable) < self.get(variable)
    }

    /// Whether a boolean variable was true and is false, or a number is smaller than it was.
    #[must_use]
    #[track_caller]
    pub fn falling_edge(&self, variable: impl Into<Variable>) -> bool {
        let variable = variable.into();
        self.pre(variable) > self.get(variable)
    }

    /// The value of a temporary variable of an action that is made of statements; NaN where it has not been
    /// assigned.
    ///
    /// # Panics
    ///
    /// On a name that the action does not assign, which is an error of the program.
    #[must_use]
    #[track_caller]
    pub fn temporary(&self, name: &str) -> f64 {
        match self.names.iter().position(|known| known == name) {
            Some(place) => self.temporaries[place],
            None => panic!("the action assigns no temporary variable `{name}`"),
        }
    }

    /// Assigns a variable.
    ///
    /// A value that does not fit the type, or a variable that triggers require, is an error with which the
    /// integration ends after the action; nothing is assigned from there on.
    #[track_caller]
    pub fn set(&mut self, variable: impl Into<Variable>, value: impl Into<f64>) {
        self.assign(variable.into(), value.into());
    }

    #[track_caller]
    pub(super) fn assign(&mut self, variable: Variable, value: f64) {
        let place = self.place(variable);
        let refusal = match variable {
            Variable::Continuous(_) => (!value.is_finite()).then_some("finite"),
            Variable::Discrete(DiscreteId(k)) if self.required[k] => Some(BELONGS_TO_TRIGGERS),
            Variable::Discrete(DiscreteId(k)) => self.declared[k].kind.refuses(value),
        };
        match refusal {
            _ if self.fault.is_some() => (),
            Some(must_be) => self.fault = Some(Fault { variable, value, must_be }),
            None => self.write(place, value),
        }
    }

    /// Writes a value that has been checked.
    pub(super) fn write(&mut self, place: usize, value: f64) {
        let old = std::mem::replace(&mut self.values[place], value);
        self.has_changed |= old != value;
        if self.mode == EventPre::Assignment || (self.mode == EventPre::Change && old != value) {
            self.previous[place] = old;
        }
    }

    #[track_caller]
    fn place(&self, variable: Variable) -> usize {
        let (place, known) = match variable {
            Variable::Continuous(index) => (index, index < self.continuous),
            Variable::Discrete(DiscreteId(k)) => (self.continuous + k, k < self.declared.len()),
        };
        assert!(known, "{variable:?} is not one of this system");
        place
    }
}

impl Index<DiscreteId> for Point<'_> {
    type Output = f64;

    /// The value of a discrete variable.
    ///
    /// # Panics
    ///
    /// On an id of another system, which is an error of the program.
    #[track_caller]
    fn index(&self, id: DiscreteId) -> &f64 {
        &self.values[self.place(id.into())]
    }
}
