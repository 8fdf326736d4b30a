//! Gradients as lists of values of the graph, and what is done with them.

use std::collections::BTreeMap;

use crate::expression::{Binary, Unary};
use crate::graph::{Graph, Id};

/// Derivatives by the column of the variable.
pub(super) type Gradient = BTreeMap<usize, Id>;

/// The derivatives of the values of a graph, as they are found one after another.
pub(super) struct Forward<'g> {
    pub(super) graph: &'g mut Graph,
    pub(super) gradients: Vec<Gradient>,
    /// How often the gradient of each value is still asked for.
    pub(super) left: Vec<usize>,
}

/// What the derivative of an operand is multiplied with.
pub(super) enum Partial {
    Times(Id),
    /// Divided by, which spares a rounding.
    Over(Id),
    MinusOver(Id),
}

impl Forward<'_> {
    /// The gradient of an operand, which is kept only while it is asked for: sums of many terms then hand on
    /// one gradient from term to term.
    pub(super) fn take(&mut self, id: Id) -> Gradient {
        let left = &mut self.left[id.index()];
        *left = left.saturating_sub(1);
        let gradient = &mut self.gradients[id.index()];
        if *left == 0 { std::mem::take(gradient) } else { gradient.clone() }
    }

    /// A product in which a constant factor of 0, 1 or -1 is no multiplication: what does not depend on a
    /// variable has the derivative 0, even where the other factor is infinite.
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

    /// The chain rule for a function that is finite where its derivative is infinite.
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

    /// Changes all derivatives, and leaves out what a constant factor of zero has made zero.
    fn mapped(&mut self, mut gradient: Gradient, mut change: impl FnMut(&mut Self, Id) -> Id) -> Gradient {
        gradient.retain(|_, derivative| {
            *derivative = change(self, *derivative);
            self.graph.number_of(*derivative) != Some(0.0)
        });
        gradient
    }

    pub(super) fn sum(&mut self, a: Gradient, b: Gradient) -> Gradient {
        // Sums are the same either way round: the shorter goes into the longer.
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

    /// The derivatives of the side that a condition chooses.
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
