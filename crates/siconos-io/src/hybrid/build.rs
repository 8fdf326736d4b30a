//! Construction of a hybrid system from the content of a model file that has no errors.

use ndarray::ArrayViewMut2;
use siconos_expression::{Expression, Jacobian, Tape};
use siconos_hybrid::{DiscreteId, EventNumber, EventOptions, HybridError, HybridSystem, View};
use siconos_kernel::model::ParameterId;

use super::constants::{Discrete, Parameter};
use super::event::Event;
use super::names::Names;
use super::slots::{CONTINUOUS, evaluate, symbol};
use super::variables::Variable;
use super::{statements, switches, triggers};

/// Content of a model file that has no errors.
pub(super) struct HybridParts<'p, 's> {
    pub(super) names: &'p Names,
    pub(super) variables: &'p [Variable<'s>],
    /// Right-hand sides of the equations of the variables.
    pub(super) equations: Vec<Expression>,
    pub(super) discrete: &'p [Discrete],
    pub(super) parameters: &'p [Parameter],
    pub(super) events: Vec<Event<'s>>,
}

/// Built system, with the other data of its model.
pub(super) struct BuiltModel {
    pub(super) system: HybridSystem,
    pub(super) initial: Vec<f64>,
    pub(super) parameters: Vec<(String, ParameterId)>,
    pub(super) triggers: Vec<String>,
    pub(super) disabled: Vec<EventNumber>,
}

/// Builds the system.
pub(super) fn build(parts: &HybridParts<'_, '_>) -> Result<BuiltModel, HybridError> {
    let mut system = equations(parts)?;
    for variable in parts.discrete {
        system.discrete(&variable.name, variable.kind, variable.initial)?;
    }
    let mut parameters = Vec::new();
    for parameter in parts.parameters {
        let id = system.parameter(&parameter.name, vec![parameter.value])?;
        parameters.push((parameter.name.clone(), id));
    }
    for event in &parts.events {
        let requires = event.requires.as_ref().and_then(|requires| {
            let place = parts.discrete.iter().position(|variable| variable.name == requires.name)?;
            Some((DiscreteId::new(place), requires.value))
        });
        let Event { retrigger, fire_initial, .. } = *event;
        let options = EventOptions { retrigger, fire_initial, requires };
        let trigger = triggers::trigger(&event.trigger, parts.names);
        system.event_with(trigger, statements::action(&event.action), options)?;
    }
    let events = (1..).zip(&parts.events);
    Ok(BuiltModel {
        system,
        initial: initial_values(parts.variables),
        parameters,
        triggers: parts.events.iter().map(|event| event.text.content.trim().to_owned()).collect(),
        disabled: events.filter(|(_, event)| !event.is_enabled).map(|(number, _)| number).collect(),
    })
}

/// Returns the initial values of the first-order system: each state followed by its derivatives, then all
/// algebraic variables.
fn initial_values(variables: &[Variable<'_>]) -> Vec<f64> {
    let of = |is_meant: fn(usize) -> bool| {
        variables
            .iter()
            .filter(move |variable| is_meant(variable.order))
            .flat_map(|it| it.initial.iter().copied())
    };
    of(|order| order > 0).chain(of(|order| order == 0)).collect()
}

/// Returns the equations as one first-order system. The rate of each state is its derivative. The right-hand
/// side of an equation of order n is the rate of the derivative of order n - 1.
fn equations(parts: &HybridParts<'_, '_>) -> Result<HybridSystem, HybridError> {
    let names = parts.names;
    let with_order = || parts.variables.iter().zip(&parts.equations);
    let mut rates = Vec::new();
    for (variable, equation) in with_order().filter(|(variable, _)| variable.order > 0) {
        for _below_the_order in 1..variable.order {
            rates.extend(names.read_continuous(rates.len() + 1));
        }
        rates.push(equation.clone());
    }
    let algebraic = with_order().filter(|(variable, _)| variable.order == 0);
    let residuals: Vec<_> = algebraic.map(|(_, equation)| equation).collect();
    let rates: Vec<&Expression> = rates.iter().collect();

    let variables: Vec<_> = (0..names.continuous.len()).map(|index| symbol(CONTINUOUS, index)).collect();
    let jacobian = Jacobian::compile(&[&rates[..], &residuals[..]].concat(), &variables);
    let rate_tape = Tape::compile(&rates);
    let states = names.continuous[..names.states].iter().cloned();
    let system =
        HybridSystem::first_order(states, move |p: View<'_>, out: &mut [f64]| evaluate(&rate_tape, p, out))?;
    let mut system = if residuals.is_empty() {
        system
    } else {
        let residual_tape = Tape::compile(&residuals);
        let names = names.continuous[names.states..].iter().cloned();
        system.with_algebraic(names, move |p: View<'_>, out: &mut [f64]| evaluate(&residual_tape, p, out))?
    };
    switches::declare(&mut system, &[&rates[..], &residuals[..]].concat());
    Ok(system.with_jacobian(move |p: View<'_>, mut matrix: ArrayViewMut2<'_, f64>| {
        if let Some(dense) = matrix.as_slice_mut() {
            let slots = [&[p.at.t], p.x, p.discrete, p.at.parameters().values()];
            jacobian.evaluate(&slots, dense);
        }
    }))
}
