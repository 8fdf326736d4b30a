//! Exact derivatives in forward mode. Each value is differentiated with respect to all variables on which it
//! depends.
//!
//! At a point at which a function is not differentiable, the derivative is defined by a formula: the
//! derivative of `abs` is `sign`, the derivative of `min`, `max` and `if` is the derivative of the selected
//! branch, and the derivatives of `floor`, `ceil`, `round` and `sign` are zero. If the derivative of an
//! argument is zero, the result is zero even if the function has an infinite slope. Examples are
//! `sqrt(max(x, 0))` for negative x, and `sqrt(x^2 + y^2)` at the origin.

mod gradients;
mod rules;

use std::collections::BTreeMap;

use super::{Graph, Id, Value};
use crate::symbol::Symbol;
use gradients::{Forward, Gradient, Partial};

/// Seeds of the differentiation in forward mode: the gradients of the symbols. A symbol without an entry is
/// constant.
type Seeds = BTreeMap<Symbol, Gradient>;

impl Graph {
    /// Differentiates the outputs with respect to the variables, and adds the derivatives to the graph.
    /// Returns the structurally nonzero derivatives of each output, keyed by column. A variable that is
    /// listed twice has two columns.
    pub(crate) fn derivatives(&mut self, outputs: &[Id], variables: &[Symbol]) -> Vec<Gradient> {
        let one = self.number(1.0);
        let mut seeds = Seeds::new();
        for (column, variable) in variables.iter().enumerate() {
            seeds.entry(*variable).or_default().insert(column, one);
        }
        self.forward(outputs, &seeds)
    }

    /// Adds the time derivatives of the outputs to the graph, for a motion in which the variables change at
    /// the given rates. Returns one derivative per output.
    pub(crate) fn derivatives_along(&mut self, outputs: &[Id], rates: &[(Symbol, Id)]) -> Vec<Id> {
        let moving = rates.iter().filter(|(_, rate)| self.number_of(*rate) != Some(0.0));
        let seeds = moving.map(|(variable, rate)| (*variable, Gradient::from([(0, *rate)]))).collect();
        let zero = self.number(0.0);
        let rows = self.forward(outputs, &seeds);
        rows.into_iter().map(|row| row.get(&0).copied().unwrap_or(zero)).collect()
    }

    fn forward(&mut self, outputs: &[Id], seeds: &Seeds) -> Vec<Gradient> {
        let mut forward = Forward { left: self.uses(outputs), gradients: Vec::new(), graph: self };
        let values: Vec<_> = forward.graph.iter().collect();
        for (id, value) in values {
            let gradient = match value {
                Value::Input(symbol) => seeds.get(&symbol).cloned().unwrap_or_default(),
                _ => forward.gradient(id, value),
            };
            forward.gradients.push(gradient);
        }
        let mut rows: Vec<Gradient> = outputs.iter().map(|output| forward.take(*output)).collect();
        for row in &mut rows {
            row.retain(|_, derivative| self.number_of(*derivative) != Some(0.0));
        }
        rows
    }
}

impl Forward<'_> {
    fn gradient(&mut self, id: Id, value: Value) -> Gradient {
        match value {
            Value::Number(_) | Value::Input(_) => Gradient::new(),
            Value::Unary(unary, a) => {
                let of_a = self.take(a);
                if of_a.is_empty() { of_a } else { self.of_unary(unary, id, a, of_a) }
            }
            Value::Power(a, exponent) => {
                let of_a = self.take(a);
                if of_a.is_empty() {
                    return of_a;
                }
                let power = self.graph.power(a, exponent - 1);
                let exponent = self.graph.number(f64::from(exponent));
                let partial = self.times(exponent, power);
                self.chain(of_a, &Partial::Times(partial))
            }
            Value::Binary(binary, a, b) => {
                let (of_a, of_b) = (self.take(a), self.take(b));
                if of_a.is_empty() && of_b.is_empty() {
                    return of_a;
                }
                self.of_binary(binary, id, a, of_a, b, of_b)
            }
            Value::Select(condition, a, b) => {
                self.take(condition);
                let (of_a, of_b) = (self.take(a), self.take(b));
                self.chosen(condition, of_a, of_b)
            }
        }
    }
}
