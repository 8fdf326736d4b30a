//! Evaluation of a tree by the operations of Rust, with a test for kinks and jumps nearby.

use super::{Condition, Function, KINKED, OPERATORS, Tree};

/// Evaluation of a tree, with the largest intermediate value and the side of each kink and jump.
pub(crate) struct Evaluation<'e> {
    pub(crate) functions: &'e [Function],
    pub(crate) values: &'e [f64],
    pub(crate) sides: Vec<u64>,
    /// Largest magnitude of an intermediate value. It is NaN if an intermediate value is NaN, or if a power
    /// has a negative base and an exponent that is not a literal number: the derivative with respect to that
    /// exponent does not exist.
    pub(crate) largest: f64,
}

impl<'e> Evaluation<'e> {
    pub(crate) fn new(functions: &'e [Function], values: &'e [f64]) -> Self {
        Self { functions, values, sides: Vec::new(), largest: 0.0 }
    }

    /// Returns the value of a tree within a function that has these arguments.
    pub(crate) fn of(&mut self, tree: &Tree, arguments: &[f64]) -> f64 {
        let value = self.value(tree, arguments);
        if value.is_nan() || value.abs() > self.largest {
            self.largest = value.abs();
        }
        value
    }

    fn value(&mut self, tree: &Tree, arguments: &[f64]) -> f64 {
        match tree {
            Tree::Number(number) => *number,
            Tree::Name(place) => self.values[*place],
            Tree::Argument(place) => arguments[*place],
            Tree::Minus(a) => -self.of(a, arguments),
            Tree::Smooth((_, function), a) => function(self.of(a, arguments)),
            Tree::Kinked(place, a) => {
                let ((_, function), side) = KINKED[*place];
                let a = self.of(a, arguments);
                self.sides.push(side(a).to_bits());
                function(a)
            }
            Tree::Operator(place, of) => self.pair(OPERATORS[*place].0.1, of, arguments),
            Tree::Remainder(of) => {
                let [a, b] = self.two(of, arguments);
                self.sides.push(((a - a % b) / b).round().to_bits());
                a % b
            }
            Tree::Modulo(of) => {
                let [a, b] = self.two(of, arguments);
                self.sides.push((a / b).floor().to_bits());
                a - b * (a / b).floor()
            }
            Tree::Power(of) => {
                let [base, exponent] = self.two(of, arguments);
                if base < 0.0 && !of[1].is_constant() {
                    self.largest = f64::NAN;
                }
                power(base, exponent)
            }
            Tree::Pair((_, function), of) => self.pair(*function, of, arguments),
            Tree::Extreme((_, function), of) => {
                let [a, b] = self.two(of, arguments);
                self.sides.push(u64::from(a < b));
                function(a, b) + 0.0
            }
            Tree::Clamp(of) => {
                let [a, low, high] = [0, 1, 2].map(|place| self.of(&of[place], arguments));
                self.sides.extend([u64::from(a < low), u64::from(a > high)]);
                if a < low {
                    low
                } else if a > high {
                    high
                } else {
                    a
                }
            }
            Tree::Choice { condition, sides, .. } => {
                let holds = self.holds(condition, arguments);
                let [then, otherwise] = self.two(sides, arguments);
                if holds { then } else { otherwise }
            }
            Tree::Call(place, of) => {
                let of: Vec<f64> = of.iter().map(|it| self.of(it, arguments)).collect();
                let functions = self.functions;
                self.of(&functions[*place].body, &of)
            }
        }
    }

    fn holds(&mut self, condition: &Condition, arguments: &[f64]) -> bool {
        match condition {
            Condition::Truth(truth) => *truth,
            Condition::Compared((_, compare), of) => {
                let [a, b] = self.two(of, arguments);
                self.sides.extend([u64::from(a < b), u64::from(a == b)]);
                compare(a, b)
            }
            Condition::Not(of) => !self.holds(of, arguments),
            Condition::Word((.., word), of) => {
                let [a, b] = [0, 1].map(|place| self.holds(&of[place], arguments));
                word(a, b)
            }
        }
    }

    fn two(&mut self, of: &[Tree; 2], arguments: &[f64]) -> [f64; 2] {
        [0, 1].map(|place| self.of(&of[place], arguments))
    }

    fn pair(&mut self, function: fn(f64, f64) -> f64, of: &[Tree; 2], arguments: &[f64]) -> f64 {
        let [a, b] = self.two(of, arguments);
        function(a, b)
    }
}

/// The power as documented for tapes.
fn power(base: f64, exponent: f64) -> f64 {
    if exponent.fract() != 0.0 || exponent.abs() > 16.0 || exponent.is_nan() {
        return base.powf(exponent);
    }
    if exponent < 0.0 {
        return 1.0 / power(base, -exponent);
    }
    if exponent == 0.0 {
        1.0
    } else if exponent == 1.0 {
        base
    } else if exponent % 2.0 == 0.0 {
        power(base, exponent / 2.0) * power(base, exponent / 2.0)
    } else {
        power(base, exponent - 1.0) * base
    }
}
