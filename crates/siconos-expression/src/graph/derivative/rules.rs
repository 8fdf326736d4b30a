//! Derivative of each operation, from the derivatives of its operands.

use std::f64::consts::{LN_2, LN_10};

use super::gradients::{Forward, Gradient, Partial};
use crate::expression::{Binary, Unary};
use crate::graph::Id;

impl Forward<'_> {
    pub(super) fn of_unary(&mut self, unary: Unary, id: Id, a: Id, of_a: Gradient) -> Gradient {
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
            // The formula 1 - tanh^2 is inaccurate for large arguments.
            Unary::Tanh => {
                let cosh = self.graph.unary(Unary::Cosh, a);
                Partial::Over(self.graph.power(cosh, 2))
            }
            // The square of a large argument would overflow.
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

    pub(super) fn of_binary(
        &mut self,
        binary: Binary,
        id: Id,
        a: Id,
        of_a: Gradient,
        b: Id,
        of_b: Gradient,
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
            // a' - n b', where n is the integer for which the remainder is a - n b. Rounding can raise the
            // quotient a / b to the next integer.
            Binary::Remainder => {
                let multiple = self.graph.binary(Binary::Subtract, a, id);
                let quotient = self.graph.binary(Binary::Divide, multiple, b);
                let whole = self.graph.unary(Unary::Round, quotient);
                let by_b = self.chain(of_b, &Partial::Times(whole));
                self.difference(of_a, by_b)
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

    /// Returns the term b a^(b - 1) a' in the derivative of a^b. It is also correct at a = 0.
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

    /// Returns the term a^b ln(a) b' in the derivative of a^b. The term is zero if the power is zero or the
    /// exponent is constant. (A negative base requires a constant integer exponent.)
    fn by_exponent(&mut self, power: Id, a: Id, of_b: Gradient) -> Gradient {
        if of_b.is_empty() {
            return of_b;
        }
        let logarithm = self.graph.unary(Unary::Ln, a);
        let product = self.times(power, logarithm);
        let zero = self.graph.number(0.0);
        let is_zero = self.graph.binary(Binary::Equal, power, zero);
        let partial = self.graph.select(is_zero, zero, product);
        self.steep_chain(of_b, &Partial::Times(partial))
    }

    /// Adds a binary operation whose first operand is 1.
    fn one(&mut self, binary: Binary, a: Id) -> Id {
        let one = self.graph.number(1.0);
        self.graph.binary(binary, one, a)
    }

    /// Adds 1 - a^2, computed as (1 - a)(1 + a), which is accurate if a is close to 1.
    fn one_minus_square(&mut self, a: Id) -> Id {
        let (below, above) = (self.one(Binary::Subtract, a), self.one(Binary::Add, a));
        self.graph.binary(Binary::Multiply, below, above)
    }

    fn scaled(&mut self, factor: f64, a: Id) -> Id {
        let factor = self.graph.number(factor);
        self.times(factor, a)
    }
}
