//! Gradients of the values of a graph, and operations on gradients.

use std::collections::BTreeMap;

use crate::expression::{Binary, Unary};
use crate::graph::{Graph, Id};

/// Nonzero derivatives of a value. The key is the column of the variable in the Jacobian.
pub(super) type Gradient = BTreeMap<usize, Id>;

/// Forward-mode differentiation of a graph: gradients of the values, computed in the order of the values.
pub(super) struct Forward<'g> {
    pub(super) graph: &'g mut Graph,
    pub(super) gradients: Vec<Gradient>,
    /// For each value, the number of remaining uses of its gradient.
    pub(super) left: Vec<usize>,
}

/// Partial derivative of an operation with respect to an operand, as a factor or a divisor.
pub(super) enum Partial {
    Times(Id),
    /// Division by this value. Multiplication by its reciprocal would add a rounding error.
    Over(Id),
    MinusOver(Id),
}

impl Forward<'_> {
    /// Returns the gradient of an operand. At its last use the gradient is moved out, so that a sum of many
    /// terms is differentiated without copying gradients.
    pub(super) fn take(&mut self, id: Id) -> Gradient {
        let left = &mut self.left[id.index()];
        *left = left.saturating_sub(1);
        let gradient = &mut self.gradients[id.index()];
        if *left == 0 { std::mem::take(gradient) } else { gradient.clone() }
    }

    /// Adds the product a b. If a constant factor is 0, 1 or -1, the product is simplified. Therefore a
    /// derivative of 0 stays 0 even if the other factor is infinite.
    pub(super) fn times(&mut self, a: Id, b: Id) -> Id {
        match (self.graph.number_of(a), self.graph.number_of(b)) {
            (Some(0.0), _) | (_, Some(0.0)) => self.graph.number(0.0),
            (Some(1.0), _) => b,
            (_, Some(1.0)) => a,
            (Some(-1.0), _) => self.graph.unary(Unary::Negate, b),
            (_, Some(-1.0)) => self.graph.unary(Unary::Negate, a),
            _ => self.graph.binary(Binary::Multiply, a, b),
        }
    }

    pub(super) fn chain(&mut self, of_operand: Gradient, partial: &Partial) -> Gradient {
        self.mapped(of_operand, |forward, derivative| forward.product(derivative, partial))
    }

    /// Applies the chain rule for a function that can have an infinite derivative where its value is finite.
    pub(super) fn steep_chain(&mut self, of_operand: Gradient, partial: &Partial) -> Gradient {
        self.mapped(of_operand, |forward, derivative| {
            let product = forward.product(derivative, partial);
            if forward.graph.number_of(derivative).is_some() {
                return product;
            }
            let zero = forward.graph.number(0.0);
            let is_zero = forward.graph.binary(Binary::Equal, derivative, zero);
            forward.graph.select(is_zero, zero, product)
        })
    }

    fn product(&mut self, derivative: Id, partial: &Partial) -> Id {
        match partial {
            Partial::Times(factor) => self.times(*factor, derivative),
            Partial::Over(divisor) => self.graph.binary(Binary::Divide, derivative, *divisor),
            Partial::MinusOver(divisor) => {
                let minus = self.graph.unary(Unary::Negate, derivative);
                self.graph.binary(Binary::Divide, minus, *divisor)
            }
        }
    }

    pub(super) fn negated(&mut self, gradient: Gradient) -> Gradient {
        self.mapped(gradient, |forward, derivative| forward.graph.unary(Unary::Negate, derivative))
    }

    /// Applies `change` to all derivatives, and removes derivatives that have become a constant zero.
    fn mapped(&mut self, mut gradient: Gradient, mut change: impl FnMut(&mut Self, Id) -> Id) -> Gradient {
        gradient.retain(|_, derivative| {
            *derivative = change(self, *derivative);
            self.graph.number_of(*derivative) != Some(0.0)
        });
        gradient
    }

    pub(super) fn sum(&mut self, a: Gradient, b: Gradient) -> Gradient {
        // Addition is commutative, so the shorter gradient is added to the longer one.
        let (mut long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
        for (column, derivative) in short {
            long.entry(column)
                .and_modify(|sum| *sum = self.graph.binary(Binary::Add, *sum, derivative))
                .or_insert(derivative);
        }
        long
    }

    pub(super) fn difference(&mut self, mut a: Gradient, b: Gradient) -> Gradient {
        for (column, derivative) in b {
            let difference = match a.get(&column) {
                Some(first) => self.graph.binary(Binary::Subtract, *first, derivative),
                None => self.graph.unary(Unary::Negate, derivative),
            };
            a.insert(column, difference);
        }
        a
    }

    /// Returns the gradient of the branch that the condition selects.
    pub(super) fn chosen(&mut self, condition: Id, a: Gradient, mut b: Gradient) -> Gradient {
        let zero = self.graph.number(0.0);
        let mut chosen = Gradient::new();
        for (column, then) in a {
            let otherwise = b.remove(&column).unwrap_or(zero);
            chosen.insert(column, self.graph.select(condition, then, otherwise));
        }
        for (column, otherwise) in b {
            chosen.insert(column, self.graph.select(condition, zero, otherwise));
        }
        chosen
    }
}
