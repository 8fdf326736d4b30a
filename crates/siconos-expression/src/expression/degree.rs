//! Degree of an expression as a polynomial.

use super::{Binary, Expression, Operation, Ternary, Unary, product_exponent};
use crate::symbol::Symbol;

/// Degree of a subexpression, and its value if it is a number.
#[derive(Clone, Copy)]
struct Part {
    /// Degree, or `None` if the subexpression is not a polynomial.
    degree: Option<usize>,
    number: Option<f64>,
}

impl Part {
    const CONSTANT: Self = Self { degree: Some(0), number: None };

    fn is_constant(&self) -> bool {
        self.degree == Some(0)
    }

    fn of_degree(degree: Option<usize>) -> Self {
        Self { degree, number: None }
    }
}

impl Expression {
    /// Returns the degree of the expression as a polynomial in the varying symbols, or `None` if it is not a
    /// polynomial. `varies` returns `true` for the varying symbols. The degree is determined from the
    /// expression as written; terms that cancel are not removed. A step function of a varying symbol, such as
    /// `sign`, is not a polynomial.
    ///
    /// ```
    /// use siconos_expression::{ValueKind, Name, Role, Scope, Symbol, parse_number};
    ///
    /// let mut scope = Scope::new();
    /// for (index, name) in [(0, "x"), (1, "k")] {
    ///     let symbol = Symbol { slot: 0, index };
    ///     scope.declare(name, Name { symbol, kind: ValueKind::Real, role: Role::State })?;
    /// }
    /// let degree = |text| parse_number(text, &scope).map(|it| it.degree(|symbol| symbol.index == 0));
    /// assert_eq!(degree("k^2 * (3 - x) / 2 + sin(k)")?, Some(1));
    /// assert_eq!(degree("(x^2 - 1)^3 * x")?, Some(7));
    /// assert_eq!((degree("sqrt(k)")?, degree("sign(x)")?, degree("k / x")?), (Some(0), None, None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn degree(&self, varies: impl Fn(Symbol) -> bool) -> Option<usize> {
        let mut parts: Vec<Part> = Vec::new();
        for node in &self.nodes {
            let operands = parts.split_off(parts.len().saturating_sub(node.operation.operands()));
            let part = match (node.operation, &operands[..]) {
                (Operation::Read(place), _) if varies(self.variables[place].symbol) => {
                    Part::of_degree(Some(1))
                }
                (Operation::Read(_) | Operation::Boolean(_), _) => Part::CONSTANT,
                (Operation::Number(number), _) => Part { number: Some(number), ..Part::CONSTANT },
                (Operation::Unary(Unary::Negate), [a]) => Part { number: a.number.map(|x| -x), ..*a },
                (Operation::Binary(Binary::Add | Binary::Subtract), [a, b]) => {
                    Part::of_degree(a.degree.zip(b.degree).map(|(a, b)| a.max(b)))
                }
                (Operation::Binary(Binary::Multiply), [a, b]) => {
                    Part::of_degree(a.degree.zip(b.degree).map(|(a, b)| a.saturating_add(b)))
                }
                (Operation::Binary(Binary::Divide), [a, b]) if b.is_constant() => Part::of_degree(a.degree),
                (Operation::Binary(Binary::Power), [a, b]) if !a.is_constant() => {
                    let exponent = b.number.and_then(product_exponent).filter(|exponent| *exponent >= 0);
                    let times = |(degree, exponent): (usize, i32)| {
                        degree.saturating_mul(exponent.unsigned_abs() as usize)
                    };
                    Part::of_degree(a.degree.zip(exponent).map(times))
                }
                (Operation::Ternary(Ternary::Select), [condition, a, b]) if condition.is_constant() => {
                    Part::of_degree(a.degree.zip(b.degree).map(|(a, b)| a.max(b)))
                }
                (_, operands) if operands.iter().all(Part::is_constant) => Part::CONSTANT,
                _ => Part::of_degree(None),
            };
            parts.push(part);
        }
        parts.last().map_or(Some(0), |part| part.degree)
    }

    /// Returns `true` if the expression, as written, is affine in the varying symbols, that is, if its
    /// [degree](Self::degree) is at most 1.
    pub fn is_affine(&self, varies: impl Fn(Symbol) -> bool) -> bool {
        self.degree(varies).is_some_and(|degree| degree <= 1)
    }
}
