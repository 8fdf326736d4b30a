//! An expression: a tree whose nodes lie in a row, operands before what is done with them.
//!
//! Nothing here calls itself, so that a sum of 100 000 terms is as safe as one of two.

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

/// What a node does with the values of the nodes before it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operation {
    /// A number, never negative: the minus before it is an operation.
    Number(f64),
    Boolean(bool),
    /// The place of a variable in the list of the expression.
    Read(usize),
    Unary(Unary),
    Binary(Binary),
    Ternary(Ternary),
}

impl Operation {
    /// How many operands it takes.
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

/// A node, with its type and the bytes of the text that it was made of.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) operation: Operation,
    pub(crate) value_type: Type,
    pub(crate) span: Range<usize>,
}

/// A variable that an expression reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    pub(crate) name: String,
    /// Where it is read; of a previous value, where that is.
    pub(crate) symbol: Symbol,
    pub(crate) is_previous: bool,
}

/// An expression whose names are known and whose types are right.
///
/// Made by [`parse_expression`](crate::parse_expression) and its kin. `Display` prints it so that it is
/// parsed to an equal one, where the text is no longer than [`LONGEST`](crate::LONGEST); two are equal when
/// their trees are, wherever they stood in a text. Calls of [functions of the
/// user](crate::FunctionDefinition) have been replaced by what these stand for.
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
    /// In the order in which they first stand in the expression.
    variables: Vec<Variable>,
}

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        let operations = |nodes: &[Node]| nodes.iter().map(|node| node.operation).collect::<Vec<_>>();
        self.variables == other.variables && operations(&self.nodes) == operations(&other.nodes)
    }
}

impl Expression {
    /// Takes nodes whose reads point into `variables`, some of which may be read no longer.
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

    /// The last node, which stands for the whole. There is always one.
    fn root(&self) -> Option<&Node> {
        self.nodes.last()
    }

    /// Whether it is a number or a condition.
    pub fn value_type(&self) -> Type {
        self.root().map_or(Type::Number, |node| node.value_type)
    }

    /// How many operations and operands it has, with functions of the user written out: at most
    /// [`MOST_NODES`](crate::MOST_NODES). What reads many texts may want a limit on their sum.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// The bytes of the text that it was made of.
    pub fn span(&self) -> Range<usize> {
        self.root().map_or(0..0, |node| node.span.clone())
    }

    /// The distinct symbols that it reads, in the order in which they first stand in it. A previous value is
    /// a symbol of the bank where it is kept.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> {
        let mut seen = BTreeSet::new();
        let symbols = self.variables.iter().map(|variable| variable.symbol);
        // Two names may stand for one symbol.
        symbols.filter(move |symbol| seen.insert(*symbol))
    }

    /// Whether it reads a previous value.
    pub fn reads_previous(&self) -> bool {
        self.variables.iter().any(|variable| variable.is_previous)
    }

    /// The symbol, if the expression is a variable alone.
    pub fn variable(&self) -> Option<Symbol> {
        match self.nodes.as_slice() {
            [Node { operation: Operation::Read(variable), .. }] => Some(self.variables[*variable].symbol),
            _ => None,
        }
    }

    /// Its value, if it reads no variable. True is 1, false is 0.
    pub fn constant(&self) -> Option<f64> {
        self.variables.is_empty().then(|| self.evaluate(&[]))
    }

    /// Its value, node by node, for a check or for once; a [`Tape`](crate::Tape) is faster. True is 1, false
    /// is 0.
    ///
    /// # Panics
    ///
    /// When a symbol lies outside the banks.
    pub fn evaluate(&self, banks: &[&[f64]]) -> f64 {
        let mut values: Vec<f64> = Vec::new();
        for node in &self.nodes {
            let value = match (node.operation, values.as_slice()) {
                (Operation::Number(number), _) => number,
                (Operation::Boolean(boolean), _) => truth(boolean),
                (Operation::Read(variable), _) => {
                    let Symbol { bank, index } = self.variables[variable].symbol;
                    banks[bank as usize][index as usize]
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
