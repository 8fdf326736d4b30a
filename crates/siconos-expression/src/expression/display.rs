//! Conversion of expressions to text. The text has no unnecessary parentheses and is parsed to an equal tree.

use std::fmt;

use super::{Binary, Expression, Node, Operation, Ternary, Unary, Variable};

/// Precedences of the operators, in ascending order.
pub(crate) mod binding {
    /// Whole expression, including `if`.
    pub(crate) const WHOLE: u8 = 0;
    pub(crate) const IMPLIES: u8 = 1;
    pub(crate) const OR: u8 = 2;
    pub(crate) const XOR: u8 = 3;
    pub(crate) const AND: u8 = 4;
    pub(crate) const NOT: u8 = 5;
    pub(crate) const COMPARISON: u8 = 6;
    pub(crate) const SUM: u8 = 7;
    pub(crate) const PRODUCT: u8 = 8;
    pub(crate) const MINUS: u8 = 9;
    pub(crate) const POWER: u8 = 10;
    /// Names, numbers, calls, and expressions in parentheses.
    pub(crate) const TIGHTEST: u8 = 11;
}

/// Returns the precedence of an operator, followed by the minimum precedences of its left and right operands.
/// Returns `None` for a function.
pub(crate) fn bindings(operator: Binary) -> Option<(u8, u8, u8)> {
    let left_to_right = |level| Some((level, level, level + 1));
    match operator {
        Binary::Implies => Some((binding::IMPLIES, binding::IMPLIES + 1, binding::IMPLIES)),
        Binary::Or => left_to_right(binding::OR),
        Binary::Xor => left_to_right(binding::XOR),
        Binary::And => left_to_right(binding::AND),
        Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => {
            Some((binding::COMPARISON, binding::SUM, binding::SUM))
        }
        Binary::Equal | Binary::NotEqual => Some((binding::COMPARISON, binding::SUM, binding::SUM)),
        Binary::Add | Binary::Subtract => left_to_right(binding::SUM),
        Binary::Multiply | Binary::Divide | Binary::Remainder => left_to_right(binding::PRODUCT),
        // The exponent can have a minus sign.
        Binary::Power => Some((binding::POWER, binding::TIGHTEST, binding::MINUS)),
        Binary::Atan2 | Binary::Hypot | Binary::Max | Binary::Min | Binary::Modulo => None,
    }
}

fn binding_of(operation: Operation) -> u8 {
    match operation {
        Operation::Ternary(Ternary::Select) => binding::WHOLE,
        Operation::Unary(Unary::Not) => binding::NOT,
        Operation::Unary(Unary::Negate) => binding::MINUS,
        Operation::Binary(operator) => bindings(operator).map_or(binding::TIGHTEST, |(own, ..)| own),
        _ => binding::TIGHTEST,
    }
}

/// Returns the nesting depth that the printed form of the nodes has in the parser.
pub(crate) fn levels(nodes: &[Node], variables: &[Variable]) -> usize {
    // Depth and precedence of each operand that is not yet used by an operation.
    let mut open: Vec<(usize, u8)> = Vec::new();
    let in_place = |(levels, own): (usize, u8), needed: u8| levels + usize::from(own < needed);
    for node in nodes {
        let binding = binding_of(node.operation);
        let levels = match (node.operation, open.as_slice()) {
            (Operation::Read(place), _) => usize::from(variables[place].is_previous),
            (Operation::Unary(Unary::Negate | Unary::Not), [.., a]) => 1 + in_place(*a, binding),
            (Operation::Binary(operator), [.., a, b]) => match bindings(operator) {
                Some((_, left, right)) => in_place(*a, left).max(1 + in_place(*b, right)),
                None => 1 + a.0.max(b.0),
            },
            (Operation::Unary(_), [.., a]) => 1 + a.0,
            (Operation::Ternary(_), [.., a, b, c]) => 1 + a.0.max(b.0).max(c.0),
            _ => 0,
        };
        open.truncate(open.len() - node.operation.operands());
        open.push((levels, binding));
    }
    open.last().map_or(0, |(levels, _)| 1 + levels)
}

/// Item of the output that has not been printed yet.
enum Piece {
    Text(&'static str),
    /// A node, and the minimum precedence that it needs to be printed without parentheses.
    Node(usize, u8),
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let starts = self.starts();
        let mut pieces = match self.nodes.len() {
            0 => Vec::new(),
            length => vec![Piece::Node(length - 1, binding::WHOLE)],
        };
        while let Some(piece) = pieces.pop() {
            match piece {
                Piece::Text(text) => f.write_str(text)?,
                Piece::Node(node, needed) if binding_of(self.nodes[node].operation) < needed => {
                    f.write_str("(")?;
                    pieces.extend([Piece::Text(")"), Piece::Node(node, binding::WHOLE)]);
                }
                Piece::Node(node, _) => self.open(f, node, &starts, &mut pieces)?,
            }
        }
        Ok(())
    }
}

impl Expression {
    /// Returns, for each node, the index of the first node of its subtree.
    fn starts(&self) -> Vec<usize> {
        let mut open: Vec<usize> = Vec::new();
        let mut starts = Vec::with_capacity(self.nodes.len());
        for (place, node) in self.nodes.iter().enumerate() {
            let kept = open.len() - node.operation.operands();
            let start = open.get(kept).copied().unwrap_or(place);
            open.truncate(kept);
            open.push(start);
            starts.push(start);
        }
        starts
    }

    /// Prints a number or a name, or pushes the pieces of an operation in reverse order.
    fn open(
        &self,
        f: &mut fmt::Formatter<'_>,
        node: usize,
        starts: &[usize],
        pieces: &mut Vec<Piece>,
    ) -> fmt::Result {
        let last = node.wrapping_sub(1);
        // The preceding operand ends before the subtree of this operand.
        let before = |operand: usize| starts[operand].wrapping_sub(1);
        match self.nodes[node].operation {
            Operation::Number(number) => write!(f, "{number:?}"),
            Operation::Boolean(boolean) => write!(f, "{boolean}"),
            Operation::Read(variable) => match &self.variables[variable] {
                Variable { name, is_previous: true, .. } => write!(f, "pre({name})"),
                Variable { name, .. } => f.write_str(name),
            },
            Operation::Unary(operator @ (Unary::Negate | Unary::Not)) => {
                pieces.push(Piece::Node(last, binding_of(self.nodes[node].operation)));
                f.write_str(operator.name())
            }
            Operation::Unary(function) => {
                pieces.extend([Piece::Text(")"), Piece::Node(last, binding::WHOLE)]);
                write!(f, "{}(", function.name())
            }
            Operation::Binary(binary) => {
                match bindings(binary) {
                    Some((_, left, right)) => {
                        let space = if binary == Binary::Power { "" } else { " " };
                        pieces.extend([
                            Piece::Node(last, right),
                            Piece::Text(space),
                            Piece::Text(binary.name()),
                            Piece::Text(space),
                            Piece::Node(before(last), left),
                        ]);
                    }
                    None => {
                        write!(f, "{}(", binary.name())?;
                        pieces.extend([
                            Piece::Text(")"),
                            Piece::Node(last, binding::WHOLE),
                            Piece::Text(", "),
                            Piece::Node(before(last), binding::WHOLE),
                        ]);
                    }
                }
                Ok(())
            }
            Operation::Ternary(Ternary::Clamp) => {
                let low = before(last);
                f.write_str("clamp(")?;
                pieces.extend([
                    Piece::Text(")"),
                    Piece::Node(last, binding::WHOLE),
                    Piece::Text(", "),
                    Piece::Node(low, binding::WHOLE),
                    Piece::Text(", "),
                    Piece::Node(before(low), binding::WHOLE),
                ]);
                Ok(())
            }
            Operation::Ternary(Ternary::Select) => {
                let then = before(last);
                f.write_str("if ")?;
                pieces.extend([
                    Piece::Node(last, binding::WHOLE),
                    Piece::Text(" else "),
                    Piece::Node(then, binding::WHOLE),
                    Piece::Text(" then "),
                    Piece::Node(before(then), binding::WHOLE),
                ]);
                Ok(())
            }
        }
    }
}
