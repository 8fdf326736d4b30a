//! Expressions: trees whose nodes are stored in postfix order (operands before operations).
//!
//! None of the functions is recursive, so a sum of 100 000 terms cannot overflow the stack.

mod degree;
mod display;
mod operation;
mod switches;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

pub(crate) use display::{binding, bindings, levels};
pub use switches::{Switch, SwitchValues};

pub(crate) use operation::{Binary, Ternary, Unary, is_true, product_exponent, truth};

use crate::symbol::{Symbol, Type};

/// Operation of a node. Its operands are preceding nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operation {
    /// Nonnegative number. A minus sign is a separate operation.
    Number(f64),
    Boolean(bool),
    /// Value of a variable, given by its index in the variables of the expression.
    Read(usize),
    Unary(Unary),
    Binary(Binary),
    Ternary(Ternary),
}

impl Operation {
    /// Returns the number of operands.
    fn operands(self) -> usize {
        match self {
            Self::Number(_) | Self::Boolean(_) | Self::Read(_) => 0,
            Self::Unary(_) => 1,
            Self::Binary(_) => 2,
            Self::Ternary(_) => 3,
        }
    }
}

impl PartialEq for Operation {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => a.to_bits() == b.to_bits(),
            (Self::Boolean(a), Self::Boolean(b)) => a == b,
            (Self::Read(a), Self::Read(b)) => a == b,
            (Self::Unary(a), Self::Unary(b)) => a == b,
            (Self::Binary(a), Self::Binary(b)) => a == b,
            (Self::Ternary(a), Self::Ternary(b)) => a == b,
            _ => false,
        }
    }
}

/// Node, with its type and its byte range in the text.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) operation: Operation,
    pub(crate) value_type: Type,
    pub(crate) span: Range<usize>,
}

/// Variable that an expression reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    pub(crate) name: String,
    /// Location of the value that is read, which can be a previous value.
    pub(crate) symbol: Symbol,
    pub(crate) is_previous: bool,
}

/// Expression whose names are known and whose types have been checked.
///
/// Created by [`parse_expression`](crate::parse_expression) and similar functions. Two expressions are equal
/// if their trees are equal, regardless of their positions in the source text. `Display` prints an expression
/// as text that is parsed to an equal expression, unless the text is longer than
/// [`MAX_TEXT_BYTES`](crate::MAX_TEXT_BYTES). Calls of [user-defined functions](crate::FunctionDefinition)
/// are stored and printed in expanded form.
///
/// ```
/// use siconos_expression::{Scope, parse_expression};
///
/// let sum = parse_expression("1 + (2 * 3)^2", &Scope::new())?;
/// assert_eq!(sum.to_string(), "1.0 + (2.0 * 3.0)^2.0");
/// assert_eq!(sum.constant(), Some(37.0));
/// # Ok::<(), siconos_expression::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Expression {
    nodes: Vec<Node>,
    /// Variables, in the order of their first use.
    variables: Vec<Variable>,
}

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        let operations = |nodes: &[Node]| nodes.iter().map(|node| node.operation).collect::<Vec<_>>();
        self.variables == other.variables && operations(&self.nodes) == operations(&other.nodes)
    }
}

impl Expression {
    /// Creates an expression from nodes that refer to `variables`. Variables that no node reads are dropped.
    pub(crate) fn new(mut nodes: Vec<Node>, variables: &[Variable]) -> Self {
        let mut places = BTreeMap::new();
        let mut used = Vec::new();
        for node in &mut nodes {
            if let Operation::Read(variable) = &mut node.operation {
                *variable = *places.entry(*variable).or_insert_with(|| {
                    used.push(variables[*variable].clone());
                    used.len() - 1
                });
            }
        }
        Self { nodes, variables: used }
    }

    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub(crate) fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// Returns the last node, which is the root of the tree. It always exists.
    fn root(&self) -> Option<&Node> {
        self.nodes.last()
    }

    /// Returns the type of the expression: a number or a condition.
    pub fn value_type(&self) -> Type {
        self.root().map_or(Type::Number, |node| node.value_type)
    }

    /// Returns the number of operations and operands, with user-defined functions expanded. It is at most
    /// [`MAX_NODES`](crate::MAX_NODES). A program that parses many expressions can limit the sum of these
    /// numbers.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the byte range of the expression in the source text.
    pub fn span(&self) -> Range<usize> {
        self.root().map_or(0..0, |node| node.span.clone())
    }

    /// Iterates over the distinct symbols that the expression reads, in the order of their first use. For a
    /// previous value, the symbol is the location of the previous value.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> {
        let mut seen = BTreeSet::new();
        let symbols = self.variables.iter().map(|variable| variable.symbol);
        // Two names can refer to the same symbol.
        symbols.filter(move |symbol| seen.insert(*symbol))
    }

    /// Returns `true` if the expression reads a previous value, as in `pre(x)`.
    pub fn reads_previous(&self) -> bool {
        self.variables.iter().any(|variable| variable.is_previous)
    }

    /// Returns the symbol of the variable if the expression is a single variable, otherwise `None`.
    pub fn variable(&self) -> Option<Symbol> {
        match self.nodes.as_slice() {
            [Node { operation: Operation::Read(variable), .. }] => Some(self.variables[*variable].symbol),
            _ => None,
        }
    }

    /// Returns the value of the expression, or `None` if the expression reads a variable. A true condition is
    /// 1, a false condition is 0.
    pub fn constant(&self) -> Option<f64> {
        self.variables.is_empty().then(|| self.evaluate(&[]))
    }

    /// Evaluates the expression node by node. This is intended for checks and single evaluations; a
    /// [`Tape`](crate::Tape) is faster. A true condition is 1, a false condition is 0.
    ///
    /// # Panics
    ///
    /// If the slot or the index of a symbol is outside `slots`.
    pub fn evaluate(&self, slots: &[&[f64]]) -> f64 {
        let mut values: Vec<f64> = Vec::new();
        for node in &self.nodes {
            let value = match (node.operation, values.as_slice()) {
                (Operation::Number(number), _) => number,
                (Operation::Boolean(boolean), _) => truth(boolean),
                (Operation::Read(variable), _) => {
                    let Symbol { slot, index } = self.variables[variable].symbol;
                    slots[slot as usize][index as usize]
                }
                (Operation::Unary(unary), [.., a]) => unary.apply(*a),
                (Operation::Binary(binary), [.., a, b]) => binary.apply(*a, *b),
                (Operation::Ternary(ternary), [.., a, b, c]) => ternary.apply(*a, *b, *c),
                _ => unreachable!("the parser puts operands before operations"),
            };
            values.truncate(values.len() - node.operation.operands());
            values.push(value);
        }
        values.last().copied().unwrap_or(f64::NAN)
    }
}
