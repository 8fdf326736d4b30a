//! Points at which an expression jumps or has a kink.

use super::{Binary, Expression, Node, Operation, Ternary, Unary};
use crate::symbol::{Symbol, Type};

/// Switch of an expression: a function and the values of the function at which the expression can jump or
/// have a kink. Each switch belongs to one operation of the expression; elsewhere the expression is smooth.
#[derive(Clone, Debug, PartialEq)]
pub struct Switch {
    /// Function of the symbols that the expression reads.
    pub function: Expression,
    /// Values of the function at which the switch occurs.
    pub values: SwitchValues,
}

/// Values of the function of a [`Switch`] at which the switch occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwitchValues {
    /// Crossings of zero.
    Zero,
    /// Crossings of any integer.
    Whole,
    /// The value zero itself, as in a comparison for equality. The expression has one value at zero and
    /// another value on both sides of zero.
    Equal,
}

impl Switch {
    /// Returns a function that crosses zero at the switch. For [`SwitchValues::Whole`], it is the sine of pi
    /// times [`function`](Self::function).
    pub fn zero_function(&self) -> Expression {
        if self.values != SwitchValues::Whole {
            return self.function.clone();
        }
        let span = self.function.span();
        let node = |operation| Node { operation, value_type: Type::Number, span: span.clone() };
        let mut nodes = self.function.nodes.clone();
        nodes.push(node(Operation::Number(std::f64::consts::PI)));
        nodes.push(node(Operation::Binary(Binary::Multiply)));
        nodes.push(node(Operation::Unary(Unary::Sin)));
        Expression::new(nodes, &self.function.variables)
    }
}

impl Expression {
    /// Returns the switches of all operations, without duplicates, in the order in which they are written.
    /// Operations with switches are comparisons, `abs`, `sign`, `min`, `max`, `clamp`, `floor`, `ceil`,
    /// `round`, `mod`, `%` and `atan2`. Both branches of an `if` are included.
    ///
    /// ```
    /// use siconos_expression::{ValueKind, Name, Role, Scope, SwitchValues, Symbol, parse_number};
    ///
    /// let mut scope = Scope::new();
    /// scope.declare("t", Name { symbol: Symbol { slot: 0, index: 0 }, kind: ValueKind::Real, role: Role::Independent })?;
    /// let pulse = parse_number("if t > 20 and mod(t, 2) < 1 then 5 else abs(t)", &scope)?;
    /// let found: Vec<_> = pulse.switches().iter().map(|it| (it.function.to_string(), it.values)).collect();
    /// assert_eq!(found[0], ("t - 20.0".to_owned(), SwitchValues::Zero));
    /// assert_eq!(found[1], ("t / 2.0".to_owned(), SwitchValues::Whole));
    /// assert_eq!(found[2], ("mod(t, 2.0) - 1.0".to_owned(), SwitchValues::Zero));
    /// assert_eq!(found[3], ("t".to_owned(), SwitchValues::Zero));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn switches(&self) -> Vec<Switch> {
        let mut found: Vec<Switch> = Vec::new();
        // Index of the first node of each operand.
        let mut begins: Vec<usize> = Vec::new();
        for (place, node) in self.nodes.iter().enumerate() {
            let first = begins.len().saturating_sub(node.operation.operands());
            let bounds: Vec<usize> = begins.drain(first..).chain([place]).collect();
            let operands: Vec<&[Node]> =
                bounds.windows(2).map(|pair| &self.nodes[pair[0]..pair[1]]).collect();
            begins.push(bounds[0]);
            for switch in self.switches_of(node, &operands) {
                if !found.contains(&switch) {
                    found.push(switch);
                }
            }
        }
        found
    }

    fn switches_of(&self, node: &Node, operands: &[&[Node]]) -> Vec<Switch> {
        let made = |parts: &[&[Node]], operation: Option<Operation>, values| {
            let last = operation.map(|operation| Node {
                operation,
                value_type: Type::Number,
                span: node.span.clone(),
            });
            let nodes = parts.iter().flat_map(|part| part.iter().cloned()).chain(last).collect();
            Switch { function: Self::new(nodes, &self.variables), values }
        };
        let subtract = Some(Operation::Binary(Binary::Subtract));
        let half = || {
            vec![Node {
                operation: Operation::Number(0.5),
                value_type: Type::Number,
                span: node.span.clone(),
            }]
        };
        let is_number = |operand: &[Node]| operand.last().is_some_and(|it| it.value_type == Type::Number);
        match (node.operation, operands) {
            (Operation::Unary(Unary::Abs | Unary::Sign), [a]) => vec![made(&[a], None, SwitchValues::Zero)],
            (Operation::Unary(Unary::Floor | Unary::Ceil), [a]) => {
                vec![made(&[a], None, SwitchValues::Whole)]
            }
            (Operation::Unary(Unary::Round), [a]) => {
                let half = half();
                vec![made(&[a, &half], Some(Operation::Binary(Binary::Add)), SwitchValues::Whole)]
            }
            (
                Operation::Binary(
                    Binary::Less
                    | Binary::LessEqual
                    | Binary::Greater
                    | Binary::GreaterEqual
                    | Binary::Min
                    | Binary::Max,
                ),
                [a, b],
            ) => vec![made(&[a, b], subtract, SwitchValues::Zero)],
            (Operation::Binary(Binary::Equal | Binary::NotEqual), [a, b]) if is_number(a) => {
                vec![made(&[a, b], subtract, SwitchValues::Equal)]
            }
            (Operation::Binary(Binary::Remainder | Binary::Modulo), [a, b]) => {
                vec![made(&[a, b], Some(Operation::Binary(Binary::Divide)), SwitchValues::Whole)]
            }
            // The result jumps if y changes its sign and x is negative. If x is positive, the expression is
            // smooth at this switch.
            (Operation::Binary(Binary::Atan2), [y, _]) => vec![made(&[y], None, SwitchValues::Zero)],
            (Operation::Ternary(Ternary::Clamp), [x, low, high]) => vec![
                made(&[x, low], subtract, SwitchValues::Zero),
                made(&[x, high], subtract, SwitchValues::Zero),
            ],
            _ => Vec::new(),
        }
    }

    /// Returns `true` if the expression is piecewise affine in the varying symbols: between its
    /// [switches](Self::switches) it is a polynomial of degree at most 1, and the functions of the switches
    /// are piecewise affine.
    pub fn is_piecewise_affine(&self, varies: impl Fn(Symbol) -> bool) -> bool {
        // `Some(true)`: the subexpression varies. `None`: it is not piecewise affine.
        let mut parts: Vec<Option<bool>> = Vec::new();
        for node in &self.nodes {
            let operands = parts.split_off(parts.len().saturating_sub(node.operation.operands()));
            let any =
                || operands.iter().copied().try_fold(false, |any, part| part.map(|varies| any || varies));
            let part = match (node.operation, &operands[..]) {
                (Operation::Read(place), _) => Some(varies(self.variables[place].symbol)),
                (Operation::Number(_) | Operation::Boolean(_), _) => Some(false),
                (Operation::Unary(Unary::Negate | Unary::Abs), [a]) => *a,
                (
                    Operation::Unary(Unary::Not | Unary::Sign | Unary::Floor | Unary::Ceil | Unary::Round),
                    [Some(_)],
                ) => Some(false),
                (Operation::Binary(Binary::Add | Binary::Subtract | Binary::Min | Binary::Max), _) => any(),
                (Operation::Binary(Binary::Multiply), [Some(false), b]) => *b,
                (Operation::Binary(Binary::Multiply), [a, Some(false)]) => *a,
                (
                    Operation::Binary(Binary::Divide | Binary::Remainder | Binary::Modulo),
                    [a, Some(false)],
                ) => *a,
                (Operation::Binary(binary), [Some(_), Some(_)]) if binary.is_condition() => Some(false),
                (Operation::Ternary(_), _) => any(),
                _ if any() == Some(false) => Some(false),
                _ => None,
            };
            parts.push(part);
        }
        parts.last().is_none_or(Option::is_some)
    }
}
