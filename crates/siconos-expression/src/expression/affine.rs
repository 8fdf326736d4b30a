//! Whether an expression is a sum of variables with factors.

use super::{Binary, Expression, Operation, Ternary, Unary};
use crate::scope::Symbol;

/// How a value depends on what varies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Degree {
    Constant,
    Affine,
    Other,
}

impl Degree {
    /// Of a product.
    fn times(self, other: Self) -> Self {
        match (self, other) {
            (Self::Constant, degree) | (degree, Self::Constant) => degree,
            _ => Self::Other,
        }
    }

    /// Of a function that is not a sum or a product.
    fn of_function(operands: &[Self]) -> Self {
        if operands.iter().all(|degree| *degree == Self::Constant) { Self::Constant } else { Self::Other }
    }
}

impl Expression {
    /// Whether it is, as it is written, a sum of varying symbols with factors in which none varies, and of
    /// what does not vary. That terms cancel is not seen. A function with a derivative of 0, as `sign`, is
    /// none.
    ///
    /// ```
    /// use siconos_expression::{Kind, Name, Role, Scope, Symbol, parse_number};
    ///
    /// let mut scope = Scope::new();
    /// for (index, name) in [(0, "x"), (1, "k")] {
    ///     let symbol = Symbol { bank: 0, index };
    ///     scope.declare(name, Name { symbol, kind: Kind::Real, role: Role::State })?;
    /// }
    /// let is_affine = |text| parse_number(text, &scope).map(|it| it.is_affine(|symbol| symbol.index == 0));
    /// assert!(is_affine("k^2 * (3 - x) / 2 + sin(k)")?);
    /// assert!(!is_affine("x * x")? && !is_affine("sign(x)")? && !is_affine("k / x")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_affine(&self, varies: impl Fn(Symbol) -> bool) -> bool {
        let mut degrees: Vec<Degree> = Vec::new();
        for node in &self.nodes {
            let operands = degrees.split_off(degrees.len().saturating_sub(node.operation.operands()));
            let degree = match (node.operation, &operands[..]) {
                (Operation::Read(place), _) if varies(self.variables[place].symbol) => Degree::Affine,
                (Operation::Number(_) | Operation::Boolean(_) | Operation::Read(_), _) => Degree::Constant,
                (Operation::Unary(Unary::Negate), [a]) => *a,
                (Operation::Binary(Binary::Add | Binary::Subtract), [a, b]) => *a.max(b),
                (Operation::Binary(Binary::Multiply), [a, b]) => a.times(*b),
                (Operation::Binary(Binary::Divide), [a, Degree::Constant]) => *a,
                (Operation::Ternary(Ternary::Select), [Degree::Constant, a, b]) => *a.max(b),
                (_, operands) => Degree::of_function(operands),
            };
            degrees.push(degree);
        }
        degrees.last().is_none_or(|degree| *degree != Degree::Other)
    }
}
