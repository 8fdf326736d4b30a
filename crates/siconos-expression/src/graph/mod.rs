//! Expressions as a graph in which each distinct value is stored once (value numbering).
//!
//! Values are numbered in topological order: operands precede the operations that use them. Operations on
//! constants are evaluated when they are added, with the operations of the run time, so the results are
//! bit-identical.

mod derivative;
mod lowering;

use std::collections::BTreeMap;

use crate::expression::{Binary, Expression, Operation, Ternary, Unary, is_true, product_exponent, truth};
use crate::symbol::Symbol;

/// Index of a value in its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Id(u32);

impl Id {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn number(self) -> u32 {
        self.0
    }
}

/// Value of a graph, identified by its operation and its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Value {
    /// Constant, stored as its bit pattern. True and false are 1 and 0.
    Number(u64),
    Input(Symbol),
    Unary(Unary, Id),
    Binary(Binary, Id, Id),
    /// Power that is computed as a product. The exponent is not 0 or 1.
    Power(Id, i32),
    /// Condition, then, otherwise.
    Select(Id, Id, Id),
}

impl Value {
    /// Iterates over the operands.
    pub(crate) fn operands(self) -> impl Iterator<Item = Id> {
        let (a, b, c) = match self {
            Self::Number(_) | Self::Input(_) => (None, None, None),
            Self::Unary(_, a) | Self::Power(a, _) => (Some(a), None, None),
            Self::Binary(_, a, b) => (Some(a), Some(b), None),
            Self::Select(a, b, c) => (Some(a), Some(b), Some(c)),
        };
        [a, b, c].into_iter().flatten()
    }
}

/// Distinct values in topological order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    values: Vec<Value>,
    ids: BTreeMap<Value, Id>,
}

impl Graph {
    /// Returns all values in order.
    pub(crate) fn values(&self) -> &[Value] {
        &self.values
    }

    pub(crate) fn value(&self, id: Id) -> Value {
        self.values[id.index()]
    }

    /// Iterates over all values with their ids.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Id, Value)> {
        (0..).map(Id).zip(self.values.iter().copied())
    }

    /// Returns the constant value of `id`, or `None` if the value is not constant.
    pub(crate) fn number_of(&self, id: Id) -> Option<f64> {
        match self.value(id) {
            Value::Number(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    fn id(&mut self, value: Value) -> Id {
        let values = &mut self.values;
        *self.ids.entry(value).or_insert_with(|| {
            // This limit cannot be reached: 2^32 distinct values would need 100 GB.
            let id = Id(u32::try_from(values.len()).unwrap_or(u32::MAX));
            values.push(value);
            id
        })
    }

    pub(crate) fn number(&mut self, number: f64) -> Id {
        self.id(Value::Number(number.to_bits()))
    }

    pub(crate) fn input(&mut self, symbol: Symbol) -> Id {
        self.id(Value::Input(symbol))
    }

    pub(crate) fn unary(&mut self, unary: Unary, a: Id) -> Id {
        match self.number_of(a) {
            Some(number) => self.number(unary.apply(number)),
            None => self.id(Value::Unary(unary, a)),
        }
    }

    pub(crate) fn binary(&mut self, binary: Binary, a: Id, b: Id) -> Id {
        if let (Some(a), Some(b)) = (self.number_of(a), self.number_of(b)) {
            return self.number(binary.apply(a, b));
        }
        if binary == Binary::Power
            && let Some(exponent) = self.number_of(b).and_then(product_exponent)
        {
            return self.power(a, exponent);
        }
        let (a, b) = if binary.is_commutative() && b < a { (b, a) } else { (a, b) };
        self.id(Value::Binary(binary, a, b))
    }

    /// Adds a power that is computed as a product.
    pub(crate) fn power(&mut self, base: Id, exponent: i32) -> Id {
        match (exponent, self.number_of(base)) {
            (0, _) => self.number(1.0),
            (1, _) => base,
            (_, Some(base)) => self.number(Binary::Power.apply(base, f64::from(exponent))),
            (_, None) => self.id(Value::Power(base, exponent)),
        }
    }

    pub(crate) fn select(&mut self, condition: Id, then: Id, otherwise: Id) -> Id {
        match self.number_of(condition) {
            Some(condition) if is_true(condition) => then,
            Some(_) => otherwise,
            None if then == otherwise => then,
            None => self.id(Value::Select(condition, then, otherwise)),
        }
    }

    fn clamp(&mut self, a: Id, low: Id, high: Id) -> Id {
        let is_below = self.binary(Binary::Less, a, low);
        let is_above = self.binary(Binary::Greater, a, high);
        let not_below = self.select(is_above, high, a);
        self.select(is_below, low, not_below)
    }

    /// Adds an expression, and returns the id of its value.
    pub(crate) fn insert(&mut self, expression: &Expression) -> Id {
        let mut open: Vec<Id> = Vec::new();
        for node in expression.nodes() {
            let (id, taken) = match (node.operation, open.as_slice()) {
                (Operation::Number(number), _) => (self.number(number), 0),
                (Operation::Boolean(boolean), _) => (self.number(truth(boolean)), 0),
                (Operation::Read(place), _) => (self.input(expression.variables()[place].symbol), 0),
                (Operation::Unary(unary), &[.., a]) => (self.unary(unary, a), 1),
                (Operation::Binary(binary), &[.., a, b]) => (self.binary(binary, a, b), 2),
                (Operation::Ternary(Ternary::Select), &[.., condition, then, otherwise]) => {
                    (self.select(condition, then, otherwise), 3)
                }
                (Operation::Ternary(Ternary::Clamp), &[.., a, low, high]) => (self.clamp(a, low, high), 3),
                _ => unreachable!("the parser puts operands before operations"),
            };
            open.truncate(open.len() - taken);
            open.push(id);
        }
        open.last().copied().unwrap_or_else(|| self.number(f64::NAN))
    }

    /// Returns, for each value, the number of its uses as an operand or an output.
    pub(crate) fn uses(&self, outputs: &[Id]) -> Vec<usize> {
        let mut uses = vec![0; self.values.len()];
        let operands = self.values.iter().flat_map(|value| value.operands());
        for id in operands.chain(outputs.iter().copied()) {
            uses[id.index()] += 1;
        }
        uses
    }
}
