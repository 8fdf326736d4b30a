//! Names of a model, and the scopes in which its expressions are parsed.

use std::ops::Range;

use siconos_expression::{
    Expression, Name, ParseError, Role, Scope, ScopeError, Symbol, ValueKind, parse_number,
};
use siconos_hybrid::VariableType;

use super::constants::{Discrete, Parameter};
use super::reads::Reads;
use super::slots::{
    CONTINUOUS, DISCRETE, NOWHERE, PARAMETERS, PREVIOUS_CONTINUOUS, PREVIOUS_DISCRETE, TEMPORARIES, TIME,
    symbol,
};
use super::variables::Variable;
use crate::document::{Diagnostics, T, Text};

/// Names of a model in the order of the argument slots, and the scopes in which they are declared.
#[derive(Debug)]
pub(super) struct Names {
    /// States in the order of declaration, each followed by its derivatives, and after them the algebraic
    /// variables.
    pub(super) continuous: Vec<String>,
    /// Number of states.
    pub(super) states: usize,
    /// Discrete variables.
    discrete: Vec<String>,
    between_events: Scopes,
    at_events: Scopes,
}

/// Context in which an expression is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    /// Equations and roots, which cannot read previous values.
    BetweenEvents,
    /// Conditions and actions.
    AtEvents,
}

/// Scope of all names, and scope of the names that have values. The highest derivatives, which the equations
/// define, are declared for messages but have no values.
#[derive(Debug)]
struct Scopes {
    all: Scope,
    with_values: Scope,
}

/// Declarations of a model file.
pub(super) struct Declarations<'d, 's> {
    /// Scope with the constants alone.
    pub(super) constants: Scope,
    pub(super) variables: &'d [Variable<'s>],
    pub(super) discrete: &'d [Discrete],
    /// Names of discrete variables that events require.
    pub(super) required: &'d [String],
    pub(super) parameters: &'d [Parameter],
}

impl Names {
    /// Declares all names. Names that cannot be declared are reported.
    pub(super) fn declare(declarations: Declarations<'_, '_>, diagnostics: &mut Diagnostics<'_>) -> Self {
        let mut names = Declarer { scope: declarations.constants, diagnostics };
        names.declare_time();
        let mut continuous = Vec::new();
        for variable in declarations.variables.iter().filter(|variable| variable.order > 0) {
            let state = symbol(CONTINUOUS, continuous.len());
            names.declare(&variable.name, &variable.span, meaning(state, ValueKind::Real, Role::State));
            continuous.push(variable.name.clone());
            for primes in 1..variable.order {
                let derivative = symbol(CONTINUOUS, continuous.len());
                let name = names.declare_derivative(&variable.name, primes, derivative, Role::Derivative);
                continuous.push(name);
            }
        }
        let states = continuous.len();
        for variable in declarations.variables.iter().filter(|variable| variable.order == 0) {
            let algebraic = symbol(CONTINUOUS, continuous.len());
            names.declare(
                &variable.name,
                &variable.span,
                meaning(algebraic, ValueKind::Real, Role::Algebraic),
            );
            continuous.push(variable.name.clone());
        }
        for (index, Discrete { name, span, kind, .. }) in declarations.discrete.iter().enumerate() {
            let is_required = *kind == VariableType::Boolean && declarations.required.contains(name);
            let role = if is_required { Role::Required } else { Role::Discrete };
            names.declare(name, span, meaning(symbol(DISCRETE, index), kind_of(*kind), role));
        }
        for (index, Parameter { name, span, .. }) in declarations.parameters.iter().enumerate() {
            names.declare(name, span, meaning(symbol(PARAMETERS, index), ValueKind::Real, Role::Parameter));
        }
        let with_values = names.scope.clone();
        for variable in declarations.variables.iter().filter(|variable| variable.order > 0) {
            names.declare_derivative(
                &variable.name,
                variable.order,
                symbol(NOWHERE, 0),
                Role::HighestDerivative,
            );
        }
        let between_events = Scopes { all: names.scope, with_values };
        let at_events = Scopes {
            all: with_past(between_events.all.clone()),
            with_values: with_past(between_events.with_values.clone()),
        };
        let discrete = declarations.discrete.iter().map(|own| own.name.clone()).collect();
        Self { continuous, states, discrete, between_events, at_events }
    }

    /// Returns the names of all variables: the continuous variables followed by the discrete variables.
    pub(super) fn variables(&self) -> impl Iterator<Item = &str> {
        self.continuous.iter().chain(&self.discrete).map(String::as_str)
    }

    /// Returns the scope of the names that have a value between events.
    pub(super) fn with_values(&self) -> &Scope {
        &self.between_events.with_values
    }

    /// Parses `text` from byte `skipped` on. A derivative that an equation defines is reported as an error.
    pub(super) fn parse<T: Reads>(
        &self,
        setting: Setting,
        text: &Text<'_>,
        skipped: usize,
        diagnostics: &mut Diagnostics<'_>,
        parse: impl Fn(&str, &Scope) -> Result<T, ParseError>,
    ) -> Option<T> {
        let scopes = match setting {
            Setting::BetweenEvents => &self.between_events,
            Setting::AtEvents => &self.at_events,
        };
        let read = match parse(&text.content[skipped..], &scopes.all) {
            Ok(read) => read,
            Err(error) => {
                diagnostics.note_in(text, skipped, &error);
                return None;
            }
        };
        if !read.reads(|symbol| symbol.slot == NOWHERE) {
            return Some(read);
        }
        // The scope `with_values` has no highest derivatives, so the parser stops at the first of them.
        let place = match parse(&text.content[skipped..], &scopes.with_values) {
            Err(error) => error.span.start + skipped..error.span.end + skipped,
            Ok(_) => 0..text.content.len(),
        };
        let name = text.content.get(place.clone()).unwrap_or_default();
        let message = format!(
            "`{name}` is defined by its own equation; write the right-hand side of the equation instead"
        );
        diagnostics.note(&text.span_of(&place), message);
        None
    }

    /// Returns the expression that reads a continuous variable. Parsing succeeds, because the name has been
    /// declared.
    pub(super) fn read_continuous(&self, index: usize) -> Option<Expression> {
        parse_number(self.continuous.get(index)?, &self.between_events.with_values).ok()
    }

    /// Returns the declaration of a name.
    pub(super) fn get(&self, name: &str) -> Option<&Name> {
        self.between_events.with_values.get(name)
    }

    /// Returns the names that an action can assign.
    pub(super) fn assignable(&self) -> impl Iterator<Item = &str> {
        let all = self.between_events.with_values.iter();
        all.filter(|(_, name)| name.role.is_assignable()).map(|(name, _)| name)
    }

    /// Returns the name of a symbol that has a value.
    pub(super) fn name_of(&self, symbol: Symbol) -> &str {
        let present = match symbol.slot {
            PREVIOUS_CONTINUOUS => Symbol { slot: CONTINUOUS, ..symbol },
            PREVIOUS_DISCRETE => Symbol { slot: DISCRETE, ..symbol },
            _ => symbol,
        };
        let mut all = self.between_events.with_values.iter();
        all.find(|(_, name)| name.symbol == present).map_or("", |(name, _)| name)
    }
}

/// A scope under construction.
struct Declarer<'f, 's> {
    scope: Scope,
    diagnostics: &'f mut Diagnostics<'s>,
}

impl Declarer<'_, '_> {
    fn declare_time(&mut self) {
        let time = meaning(symbol(TIME, 0), ValueKind::Real, Role::Independent);
        let _first = self.scope.declare(T, time);
    }

    fn declare(&mut self, name: &str, span: &Range<usize>, meaning: Name) {
        let message = if name == T {
            format!("`{T}` is the time and cannot be declared")
        } else if name.contains('\'') {
            format!("`{name}` cannot be declared; primes denote derivatives, which follow from the equations")
        } else {
            match self.scope.declare(name, meaning) {
                Ok(()) => return,
                Err(ScopeError::Twice { .. }) => {
                    format!("`{name}` is defined twice")
                }
                Err(error) => error.to_string(),
            }
        };
        self.diagnostics.note(span, message);
    }

    /// Declares a derivative of a variable whose name has been declared or reported as invalid.
    fn declare_derivative(&mut self, of: &str, primes: usize, symbol: Symbol, role: Role) -> String {
        let name = format!("{of}{}", "'".repeat(primes));
        let _at_fault = self.scope.declare(&name, meaning(symbol, ValueKind::Real, role));
        name
    }
}

fn meaning(symbol: Symbol, kind: ValueKind, role: Role) -> Name {
    Name { symbol, kind, role }
}

fn kind_of(kind: VariableType) -> ValueKind {
    match kind {
        VariableType::Float => ValueKind::Real,
        VariableType::Integer => ValueKind::Integer,
        VariableType::Boolean => ValueKind::Boolean,
    }
}

/// Adds previous values, and temporaries of actions, to a scope. For a quantity that events cannot change,
/// the previous value is the current value.
fn with_past(scope: Scope) -> Scope {
    scope
        .with_previous(TIME, TIME)
        .with_previous(CONTINUOUS, PREVIOUS_CONTINUOUS)
        .with_previous(DISCRETE, PREVIOUS_DISCRETE)
        .with_previous(PARAMETERS, PARAMETERS)
        .with_temporaries(TEMPORARIES)
}
