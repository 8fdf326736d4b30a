//! Exact derivatives, forward: each value carries those of its derivatives that are not zero by structure.
//!
//! Where a function has no derivative its formula decides: that of `abs` is `sign`, those of `min`, `max` and
//! `if` are of the side that is taken, those of `floor`, `ceil`, `round` and `sign` are zero. What does not
//! move has the derivative zero, though a function of it be infinitely steep: `sqrt(max(x, 0))` where x is
//! negative, `sqrt(x^2 + y^2)` at the origin.

use std::collections::BTreeMap;
use std::f64::consts::{LN_2, LN_10};

use super::{Graph, Id, Value};
use crate::expression::{Binary, Unary};
use crate::scope::Symbol;

/// Derivatives by the column of the variable.
type Gradient = BTreeMap<usize, Id>;

/// The derivatives of some outputs.
pub(crate) struct Derivatives {
    /// For each output those that are not zero by structure.
    pub(crate) rows: Vec<Gradient>,
}

impl Derivatives {
    /// Adds the derivatives of the outputs to the graph. A variable that is named twice has two columns.
    pub(crate) fn new(graph: &mut Graph, outputs: &[Id], variables: &[Symbol]) -> Self {
        let mut columns: BTreeMap<Symbol, Vec<usize>> = BTreeMap::new();
        for (column, variable) in variables.iter().enumerate() {
            columns.entry(*variable).or_default().push(column);
        }
        let mut forward = Forward { left: graph.uses(outputs), gradients: Vec::new(), graph };
        let values: Vec<_> = forward.graph.iter().collect();
        for (id, value) in values {
            let gradient = match value {
                Value::Input(symbol) => {
                    let one = forward.graph.number(1.0);
                    columns.get(&symbol).into_iter().flatten().map(|column| (*column, one)).collect()
                }
                _ => forward.gradient(id, value),
            };
            forward.gradients.push(gradient);
        }
        let mut rows: Vec<Gradient> = outputs.iter().map(|output| forward.take(*output)).collect();
        for row in &mut rows {
            row.retain(|_, derivative| graph.number_of(*derivative) != Some(0.0));
        }
        Self { rows }
    }
}

struct Forward<'g> {
    graph: &'g mut Graph,
    gradients: Vec<Gradient>,
    /// How often the gradient of each value is still asked for.
    left: Vec<usize>,
}

/// What the derivative of an operand is multiplied with.
enum Partial {
    Times(Id),
    /// Divided by, which spares a rounding.
    Over(Id),
    MinusOver(Id),
}

impl Forward<'_> {
    /// The gradient of an operand, which is kept only while it is asked for: sums of many terms then hand on
    /// one gradient from term to term.
    fn take(&mut self, id: Id) -> Gradient {
        let left = &mut self.left[id.index()];
        *left = left.saturating_sub(1);
        let gradient = &mut self.gradients[id.index()];
        if *left == 0 { std::mem::take(gradient) } else { gradient.clone() }
    }

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
                self.of_binary(binary, id, (a, of_a), (b, of_b))
            }
            Value::Select(condition, a, b) => {
                self.take(condition);
                let (of_a, of_b) = (self.take(a), self.take(b));
                self.chosen(condition, of_a, of_b)
            }
        }
    }

    fn of_unary(&mut self, unary: Unary, id: Id, a: Id, of_a: Gradient) -> Gradient {
        let partial = match unary {
            Unary::Negate => return self.negated(of_a),
            Unary::Not | Unary::Sign | Unary::Floor | Unary::Ceil | Unary::Round => return Gradient::new(),
            Unary::Sin => Partial::Times(self.graph.unary(Unary::Cos, a)),
            Unary::Cos => {
                let sine = self.graph.unary(Unary::Sin, a);
                Partial::Times(self.graph.unary(Unary::Negate, sine))
            }
            Unary::Tan => {
                let square = self.graph.power(id, 2);
                Partial::Times(self.one(Binary::Add, square))
            }
            Unary::Asin | Unary::Acos => {
                let square = self.one_minus_square(a);
                let root = self.graph.unary(Unary::Sqrt, square);
                if unary == Unary::Asin { Partial::Over(root) } else { Partial::MinusOver(root) }
            }
            Unary::Atan => {
                let square = self.graph.power(a, 2);
                Partial::Over(self.one(Binary::Add, square))
            }
            Unary::Sinh => Partial::Times(self.graph.unary(Unary::Cosh, a)),
            Unary::Cosh => Partial::Times(self.graph.unary(Unary::Sinh, a)),
            // 1 - tanh^2 would have few digits far out.
            Unary::Tanh => {
                let cosh = self.graph.unary(Unary::Cosh, a);
                Partial::Over(self.graph.power(cosh, 2))
            }
            // No square that overflows.
            Unary::Asinh => Partial::Over(self.one(Binary::Hypot, a)),
            Unary::Acosh => {
                let one = self.graph.number(1.0);
                let (below, above) =
                    (self.graph.binary(Binary::Subtract, a, one), self.graph.binary(Binary::Add, a, one));
                let (below, above) =
                    (self.graph.unary(Unary::Sqrt, below), self.graph.unary(Unary::Sqrt, above));
                Partial::Over(self.graph.binary(Binary::Multiply, below, above))
            }
            Unary::Atanh => Partial::Over(self.one_minus_square(a)),
            Unary::Exp => Partial::Times(id),
            Unary::Ln => Partial::Over(a),
            Unary::Log2 => Partial::Over(self.scaled(LN_2, a)),
            Unary::Log10 => Partial::Over(self.scaled(LN_10, a)),
            Unary::Sqrt => Partial::Over(self.scaled(2.0, id)),
            Unary::Cbrt => {
                let square = self.graph.power(id, 2);
                Partial::Over(self.scaled(3.0, square))
            }
            Unary::Abs => Partial::Times(self.graph.unary(Unary::Sign, a)),
        };
        match unary {
            Unary::Sqrt | Unary::Cbrt | Unary::Asin | Unary::Acos | Unary::Acosh => {
                self.steep_chain(of_a, &partial)
            }
            _ => self.chain(of_a, &partial),
        }
    }

    fn of_binary(
        &mut self,
        binary: Binary,
        id: Id,
        (a, of_a): (Id, Gradient),
        (b, of_b): (Id, Gradient),
    ) -> Gradient {
        match binary {
            Binary::Add => self.sum(of_a, of_b),
            Binary::Subtract => self.difference(of_a, of_b),
            Binary::Multiply => {
                let by_a = self.chain(of_a, &Partial::Times(b));
                let by_b = self.chain(of_b, &Partial::Times(a));
                self.sum(by_a, by_b)
            }
            // (a' - (a / b) b') / b
            Binary::Divide => {
                let by_b = self.chain(of_b, &Partial::Times(id));
                let numerator = self.difference(of_a, by_b);
                self.chain(numerator, &Partial::Over(b))
            }
            Binary::Power => {
                let by_a = self.by_base(a, b, of_a);
                let by_b = self.by_exponent(id, a, of_b);
                self.sum(by_a, by_b)
            }
            // (a' b - b' a) / (a^2 + b^2)
            Binary::Atan2 => {
                let by_a = self.chain(of_a, &Partial::Times(b));
                let by_b = self.chain(of_b, &Partial::Times(a));
                let numerator = self.difference(by_a, by_b);
                let (square_a, square_b) = (self.graph.power(a, 2), self.graph.power(b, 2));
                let squares = self.graph.binary(Binary::Add, square_a, square_b);
                self.chain(numerator, &Partial::Over(squares))
            }
            Binary::Hypot => {
                let by_a = self.chain(of_a, &Partial::Times(a));
                let by_b = self.chain(of_b, &Partial::Times(b));
                let numerator = self.sum(by_a, by_b);
                self.steep_chain(numerator, &Partial::Over(id))
            }
            Binary::Max | Binary::Min => {
                let is_first = self.graph.binary(Binary::Equal, id, a);
                self.chosen(is_first, of_a, of_b)
            }
            // a' - floor(a / b) b'
            Binary::Modulo => {
                let quotient = self.graph.binary(Binary::Divide, a, b);
                let whole = self.graph.unary(Unary::Floor, quotient);
                let by_b = self.chain(of_b, &Partial::Times(whole));
                self.difference(of_a, by_b)
            }
            Binary::Less
            | Binary::LessEqual
            | Binary::Greater
            | Binary::GreaterEqual
            | Binary::Equal
            | Binary::NotEqual
            | Binary::And
            | Binary::Or
            | Binary::Xor
            | Binary::Implies => Gradient::new(),
        }
    }

    /// The part b a^(b - 1) a' of the derivative of a^b, which is right at a = 0 as well.
    fn by_base(&mut self, a: Id, b: Id, of_a: Gradient) -> Gradient {
        if of_a.is_empty() {
            return of_a;
        }
        let one = self.graph.number(1.0);
        let lower = self.graph.binary(Binary::Subtract, b, one);
        let power = self.graph.binary(Binary::Power, a, lower);
        let partial = self.times(b, power);
        self.steep_chain(of_a, &Partial::Times(partial))
    }

    /// The part a^b ln(a) b' of the derivative of a^b, zero where the power is.
    fn by_exponent(&mut self, power: Id, a: Id, of_b: Gradient) -> Gradient {
        if of_b.is_empty() {
            return of_b;
        }
        let logarithm = self.graph.unary(Unary::Ln, a);
        let product = self.times(power, logarithm);
        let zero = self.graph.number(0.0);
        let is_zero = self.graph.binary(Binary::Equal, power, zero);
        let partial = self.graph.select(is_zero, zero, product);
        self.chain(of_b, &Partial::Times(partial))
    }

    /// 1 and a value under an operation.
    fn one(&mut self, binary: Binary, a: Id) -> Id {
        let one = self.graph.number(1.0);
        self.graph.binary(binary, one, a)
    }

    /// 1 - a^2, as (1 - a)(1 + a), which keeps its digits where a is near 1.
    fn one_minus_square(&mut self, a: Id) -> Id {
        let (below, above) = (self.one(Binary::Subtract, a), self.one(Binary::Add, a));
        self.graph.binary(Binary::Multiply, below, above)
    }

    fn scaled(&mut self, factor: f64, a: Id) -> Id {
        let factor = self.graph.number(factor);
        self.times(factor, a)
    }

    /// A product in which a constant factor of 0, 1 or -1 is no multiplication: what does not depend on a
    /// variable has the derivative 0, even where the other factor is infinite.
    fn times(&mut self, a: Id, b: Id) -> Id {
        match (self.graph.number_of(a), self.graph.number_of(b)) {
            (Some(0.0), _) | (_, Some(0.0)) => self.graph.number(0.0),
            (Some(1.0), _) => b,
            (_, Some(1.0)) => a,
            (Some(-1.0), _) => self.graph.unary(Unary::Negate, b),
            (_, Some(-1.0)) => self.graph.unary(Unary::Negate, a),
            _ => self.graph.binary(Binary::Multiply, a, b),
        }
    }

    fn chain(&mut self, of_operand: Gradient, partial: &Partial) -> Gradient {
        self.mapped(of_operand, |forward, derivative| forward.product(derivative, partial))
    }

    /// The chain rule for a function that is finite where its derivative is infinite.
    fn steep_chain(&mut self, of_operand: Gradient, partial: &Partial) -> Gradient {
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

    fn negated(&mut self, gradient: Gradient) -> Gradient {
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

    fn sum(&mut self, a: Gradient, b: Gradient) -> Gradient {
        // Sums are the same either way round: the shorter goes into the longer.
        let (mut long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
        for (column, derivative) in short {
            long.entry(column)
                .and_modify(|sum| *sum = self.graph.binary(Binary::Add, *sum, derivative))
                .or_insert(derivative);
        }
        long
    }

    fn difference(&mut self, mut a: Gradient, b: Gradient) -> Gradient {
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
    fn chosen(&mut self, condition: Id, a: Gradient, mut b: Gradient) -> Gradient {
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
