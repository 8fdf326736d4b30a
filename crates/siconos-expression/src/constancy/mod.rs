//! Proofs that a sum of two expressions does not depend on the symbols that vary.

mod polynomial;

use std::collections::BTreeMap;

use crate::expression::{Binary, Expression, Unary};
use crate::graph::{Graph, Id, Value};
use crate::symbol::{Symbol, Type};
use polynomial::{Atom, Polynomial};

/// Returns `true` if it can be proved that a + b (or a - b if `subtract` is set) depends only on constant
/// symbols.
///
/// Both expressions are expanded into sums of products of symbols and function calls. Each distinct function
/// call counts as an unknown. The sum is constant if all products with varying unknowns cancel. Products also
/// cancel if their coefficients differ by a few rounding errors. The result is `false` if the expansion has
/// more than a thousand products, or if the proof needs more than the rules for sums, products and quotients,
/// as for `sin(x)^2 + cos(x)^2`. The result is also `false` for conditions.
///
/// ```
/// use siconos_expression::{ValueKind, Name, Role, Scope, Symbol, is_constant_sum, parse_number};
///
/// let mut scope = Scope::new();
/// let x = Symbol { slot: 0, index: 0 };
/// scope.declare("x", Name { symbol: x, kind: ValueKind::Real, role: Role::State })?;
///
/// let rising = parse_number("(sin(x) - 1) * 2", &scope)?;
/// let falling = parse_number("3 - sin(x) * 2", &scope)?;
/// assert!(is_constant_sum(&rising, &falling, false, |_| false));
/// assert!(!is_constant_sum(&rising, &falling, true, |_| false));
/// assert!(is_constant_sum(&rising, &falling, true, |symbol| symbol == x));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn is_constant_sum(
    a: &Expression,
    b: &Expression,
    subtract: bool,
    constant: impl Fn(Symbol) -> bool,
) -> bool {
    if a.value_type() != Type::Number || b.value_type() != Type::Number {
        return false;
    }
    let mut graph = Graph::default();
    let (a, b) = (graph.insert(a), graph.insert(b));
    let sum = graph.binary(if subtract { Binary::Subtract } else { Binary::Add }, a, b);
    let (graph, outputs) = graph.lowered(&[sum]);

    let mut expansion = Expansion::new(&graph, &outputs, constant);
    let Some(()) = expansion.expand(&graph) else { return false };
    outputs.iter().all(|output| {
        let sum = expansion.take(*output);
        sum.atoms().all(|atom| expansion.is_constant(atom))
    })
}

/// Unknown of the polynomials: a symbol, or an operation on polynomials in other unknowns.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Meaning {
    Symbol(Symbol),
    Reciprocal(Key),
    Unary(Unary, Key),
    Binary(Binary, Key, Key),
    Select(Key, Key, Key),
}

/// Key of a polynomial. Equal polynomials have equal keys.
type Key = polynomial::Key;

struct Expansion<C> {
    polynomials: Vec<Polynomial>,
    /// For each value of the graph, the number of remaining uses of its polynomial.
    left: Vec<usize>,
    atoms: BTreeMap<Meaning, Atom>,
    constant_atoms: Vec<bool>,
    constant: C,
}

impl<C: Fn(Symbol) -> bool> Expansion<C> {
    fn new(graph: &Graph, outputs: &[Id], constant: C) -> Self {
        let left = graph.uses(outputs);
        Self { polynomials: Vec::new(), left, atoms: BTreeMap::new(), constant_atoms: Vec::new(), constant }
    }

    /// Expands all values. Returns `None` if a value has too many products or a coefficient is not finite.
    fn expand(&mut self, graph: &Graph) -> Option<()> {
        for value in graph.values() {
            let polynomial = self.polynomial(*value)?;
            self.polynomials.push(polynomial);
        }
        Some(())
    }

    fn is_constant(&self, atom: Atom) -> bool {
        self.constant_atoms[atom]
    }

    /// Returns the polynomial of an operand. At its last use the polynomial is moved out, so that a sum of
    /// many terms is built up without copying.
    fn take(&mut self, id: Id) -> Polynomial {
        let left = &mut self.left[id.index()];
        *left = left.saturating_sub(1);
        let polynomial = &mut self.polynomials[id.index()];
        if *left == 0 { std::mem::take(polynomial) } else { polynomial.clone() }
    }

    fn polynomial(&mut self, value: Value) -> Option<Polynomial> {
        match value {
            Value::Number(bits) => Polynomial::number(f64::from_bits(bits)),
            Value::Input(symbol) => {
                let is_constant = (self.constant)(symbol);
                Some(self.atom(Meaning::Symbol(symbol), is_constant))
            }
            Value::Unary(Unary::Negate, a) => Some(self.take(a).negated()),
            Value::Unary(unary, a) => {
                let (a, is_constant) = self.key(a);
                Some(self.atom(Meaning::Unary(unary, a), is_constant))
            }
            Value::Binary(Binary::Add, a, b) => self.take(a).plus(self.take(b)),
            Value::Binary(Binary::Subtract, a, b) => self.take(a).plus(self.take(b).negated()),
            Value::Binary(Binary::Multiply, a, b) => self.take(a).times(&self.take(b)),
            Value::Binary(Binary::Divide, a, b) => {
                let (a, b) = (self.take(a), self.take(b));
                if let Some(divisor) = b.as_number() {
                    return a.over(divisor);
                }
                let is_constant = self.depends_on_constants(&b);
                let reciprocal = self.atom(Meaning::Reciprocal(b.key()), is_constant);
                a.times(&reciprocal)
            }
            Value::Binary(binary, a, b) => {
                let ((a, a_is_constant), (b, b_is_constant)) = (self.key(a), self.key(b));
                Some(self.atom(Meaning::Binary(binary, a, b), a_is_constant && b_is_constant))
            }
            Value::Select(condition, then, otherwise) => {
                let [condition, then, otherwise] = [condition, then, otherwise].map(|id| self.key(id));
                let is_constant = condition.1 && then.1 && otherwise.1;
                Some(self.atom(Meaning::Select(condition.0, then.0, otherwise.0), is_constant))
            }
            // Lowered graphs have no powers.
            Value::Power(..) => None,
        }
    }

    fn depends_on_constants(&self, polynomial: &Polynomial) -> bool {
        polynomial.atoms().all(|atom| self.is_constant(atom))
    }

    /// Returns the key of an argument of a function call, and `true` if the argument is constant.
    fn key(&mut self, id: Id) -> (Key, bool) {
        let polynomial = self.take(id);
        (polynomial.key(), self.depends_on_constants(&polynomial))
    }

    fn atom(&mut self, meaning: Meaning, is_constant: bool) -> Polynomial {
        let constant_atoms = &mut self.constant_atoms;
        let atom = *self.atoms.entry(meaning).or_insert_with(|| {
            constant_atoms.push(is_constant);
            constant_atoms.len() - 1
        });
        Polynomial::atom(atom)
    }
}
