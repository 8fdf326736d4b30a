//! Values that conditions and actions of events read and write.

use std::ops::Index;

use super::variable::{Discrete, Variable};
use super::{DiscreteId, EventPre, View};
use siconos_kernel::model::At;

/// Assignment that was rejected, with the reason.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fault {
    pub(super) variable: Variable,
    pub(super) value: f64,
    pub(super) must_be: &'static str,
}

/// Reason in the error if an action assigns a variable that a root requires.
pub(super) const BELONGS_TO_TRIGGERS: &str =
    "left to the triggers that require it; they change it before their action";

/// Values of all variables at an event: the current values and the previous values.
///
/// Conditions read the values; actions read and write them. An assignment is visible to all later reads.
/// `p[id]` is a discrete variable, and `p.x()[i]` is a continuous variable.
///
/// ```
/// use siconos_hybrid::{Action, Flow, EventPoint};
///
/// // A ball is reflected, and the tenth bounce halts the integration.
/// let bounces = siconos_hybrid::DiscreteId::new(0);
/// let action = Action::function(move |p: &mut EventPoint| {
///     p.set(1, -0.9 * p.x()[1]);
///     p.set(bounces, p[bounces] + 1.0);
///     if p[bounces] < 10.0 { Flow::Next } else { Flow::Halt }
/// });
/// # let _ = action;
/// ```
#[derive(Debug)]
pub struct EventPoint<'a> {
    pub(super) at: At<'a>,
    /// All variables: the continuous variables followed by the discrete variables.
    pub(super) values: &'a mut [f64],
    pub(super) previous: &'a mut [f64],
    pub(super) temporaries: &'a mut [f64],
    /// Names of the temporary variables of the action.
    pub(super) names: &'a [String],
    /// Number of continuous variables.
    pub(super) continuous: usize,
    pub(super) declared: &'a [Discrete],
    /// `required[i]` is `true` if a root requires a value of discrete variable i.
    pub(super) required: &'a [bool],
    pub(super) mode: EventPre,
    pub(super) fault: Option<Fault>,
    /// `true` if a variable has changed its value.
    pub(super) has_changed: bool,
}

impl<'a> EventPoint<'a> {
    /// Returns the time \[s\].
    #[must_use]
    pub fn t(&self) -> f64 {
        self.at.t
    }

    /// Returns the time and the values of the parameters.
    #[must_use]
    pub fn at(&self) -> At<'a> {
        self.at
    }

    /// Returns the continuous variables: the states (in a second-order system, with their derivatives),
    /// followed by the algebraic variables.
    #[must_use]
    pub fn x(&self) -> &[f64] {
        &self.values[..self.continuous]
    }

    /// Returns the discrete variables in the order of declaration.
    #[must_use]
    pub fn discrete(&self) -> &[f64] {
        &self.values[self.continuous..]
    }

    /// Returns the [previous](EventPre) values of all variables: the continuous variables followed by the
    /// discrete variables.
    #[must_use]
    pub fn previous(&self) -> &[f64] {
        self.previous
    }

    /// Returns the temporary variables of the action, in the order in which its statements first assign them.
    #[must_use]
    pub fn temporaries(&self) -> &[f64] {
        self.temporaries
    }

    /// Returns the values in the form of the arguments of equations and roots.
    #[must_use]
    pub fn view(&self) -> View<'_> {
        View { at: self.at, x: self.x(), discrete: self.discrete() }
    }

    /// Returns the value of a variable.
    ///
    /// # Panics
    ///
    /// If the system has no such variable, which is a programming error. All methods that take a variable
    /// panic in this case.
    #[must_use]
    #[track_caller]
    pub fn get(&self, variable: impl Into<Variable>) -> f64 {
        self.values[self.place(variable.into())]
    }

    /// Returns `true` if a boolean variable is true.
    #[must_use]
    #[track_caller]
    pub fn is(&self, id: DiscreteId) -> bool {
        self.get(id) != 0.0
    }

    /// Returns the [previous](EventPre) value of a variable.
    #[must_use]
    #[track_caller]
    pub fn pre(&self, variable: impl Into<Variable>) -> f64 {
        self.previous[self.place(variable.into())]
    }

    /// Returns `true` if the value of a variable differs from its [previous](EventPre) value.
    #[must_use]
    #[track_caller]
    pub fn change(&self, variable: impl Into<Variable>) -> bool {
        let variable = variable.into();
        self.get(variable) != self.pre(variable)
    }

    /// Returns `true` if a boolean variable has changed from false to true, or if a numeric variable is
    /// larger than its [previous](EventPre) value.
    #[must_use]
    #[track_caller]
    #[doc(alias = "edge")]
    pub fn rising_edge(&self, variable: impl Into<Variable>) -> bool {
        let variable = variable.into();
        self.pre(variable) < self.get(variable)
    }

    /// Returns `true` if a boolean variable has changed from true to false, or if a numeric variable is
    /// smaller than its [previous](EventPre) value.
    #[must_use]
    #[track_caller]
    pub fn falling_edge(&self, variable: impl Into<Variable>) -> bool {
        let variable = variable.into();
        self.pre(variable) > self.get(variable)
    }

    /// Returns the value of a temporary variable, or NaN if the variable has not been assigned. Only actions
    /// that consist of statements have temporary variables.
    ///
    /// # Panics
    ///
    /// If no statement of the action assigns a variable with this name, which is a programming error.
    #[must_use]
    #[track_caller]
    pub fn temporary(&self, name: &str) -> f64 {
        match self.names.iter().position(|known| known == name) {
            Some(place) => self.temporaries[place],
            None => panic!("the action assigns no temporary variable `{name}`"),
        }
    }

    /// Assigns a value to a variable.
    ///
    /// An assignment is rejected if the value is not valid for the variable, or if a root requires the
    /// variable. After a rejected assignment, all later assignments are ignored, and the integration ends
    /// with an error after the action.
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

    /// Writes a checked value to the variable with index `place`.
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
        assert!(known, "{variable:?} does not belong to this system");
        place
    }
}

impl Index<DiscreteId> for EventPoint<'_> {
    type Output = f64;

    /// Returns the value of a discrete variable.
    ///
    /// # Panics
    ///
    /// If the system has no such variable, which is a programming error.
    #[track_caller]
    fn index(&self, id: DiscreteId) -> &f64 {
        &self.values[self.place(id.into())]
    }
}
