//! Names of a system, and the variables to which they refer.

use super::variable::Discrete;
use super::{DiscreteId, EventNumber, HybridError, Variable};

/// Name of the independent variable.
pub(super) const TIME: &str = "t";

/// Variable to which a name refers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Meaning {
    Variable(Variable),
    /// Name of a quantity that events must not assign, with the reason.
    NotAssignable(&'static str),
}

/// All names of a system.
#[derive(Clone, Copy, Debug)]
pub(super) struct Names<'a> {
    /// Names of the states (in a second-order system, with their derivatives) and of the algebraic variables.
    pub(super) continuous: &'a [String],
    pub(super) discrete: &'a [Discrete],
    /// `required[i]` is `true` if a root requires a value of discrete variable i.
    pub(super) required: &'a [bool],
    pub(super) parameters: &'a [String],
}

impl Names<'_> {
    /// Returns the meaning of a name, or `None` if the system has no such name.
    pub(super) fn meaning(&self, name: &str) -> Option<Meaning> {
        if name == TIME {
            return Some(Meaning::NotAssignable("the time; only the integration changes it"));
        }
        if let Some(index) = self.continuous.iter().position(|known| known == name) {
            return Some(Meaning::Variable(Variable::Continuous(index)));
        }
        if let Some(index) = self.discrete.iter().position(|variable| variable.name == name) {
            return Some(Meaning::Variable(Variable::Discrete(DiscreteId(index))));
        }
        if self.parameters.iter().any(|known| known == name) {
            return Some(Meaning::NotAssignable(
                "a parameter; use a discrete variable for a value that events change",
            ));
        }
        let is_derivative = name.strip_suffix('\'').is_some_and(|of| {
            self.continuous.iter().any(|known| known == of)
                || self.discrete.iter().any(|variable| variable.name == of)
        });
        is_derivative.then_some(Meaning::NotAssignable(
            "a derivative that follows from the equations; only derivatives below the order of an equation can be assigned",
        ))
    }

    pub(super) fn check_discrete(&self, event: EventNumber, id: DiscreteId) -> Result<(), HybridError> {
        let (index, count) = (id.0, self.discrete.len());
        if index < count { Ok(()) } else { Err(HybridError::UnknownDiscrete { event, index, count }) }
    }

    /// Returns the names of the continuous variables, formatted for an error message.
    pub(super) fn continuous_names(&self) -> String {
        self.continuous.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
    }
}
