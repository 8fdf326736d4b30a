//! Jacobians: the derivatives of expressions by some of their variables, compiled to a tape.

use crate::expression::Expression;
use crate::graph::{Derivatives, Graph};
use crate::scope::Symbol;
use crate::tape::Tape;

/// The matrix of the derivatives of expressions (rows) by variables (columns).
///
/// Derivatives are exact but for roundings. Where there is none, the formula decides: that of `abs` is
/// `sign`, those of `min`, `max` and `if` are of the side that is taken (the first where both are equal),
/// those of `floor`, `ceil`, `round`, `sign` and of conditions are zero.
///
/// ```
/// use siconos_expression::{Jacobian, Kind, Name, Role, Scope, Symbol, parse_number};
///
/// let mut scope = Scope::new();
/// let [x, y] = [0, 1].map(|index| Symbol { bank: 0, index });
/// scope.declare("x", Name { symbol: x, kind: Kind::Real, role: Role::State })?;
/// scope.declare("y", Name { symbol: y, kind: Kind::Real, role: Role::State })?;
///
/// let f = parse_number("y", &scope)?;
/// let g = parse_number("x^2 * y", &scope)?;
/// let jacobian = Jacobian::compile(&[&f, &g], &[x, y]);
/// assert_eq!(jacobian.entries(), [(0, 1), (1, 0), (1, 1)]);
///
/// let mut dense = [0.0; 4];
/// jacobian.evaluate(&[&[3.0, 5.0]], &mut dense);
/// assert_eq!(dense, [0.0, 1.0, 30.0, 9.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Jacobian {
    tape: Tape,
    entries: Vec<(usize, usize)>,
    rows: usize,
    columns: usize,
}

impl Jacobian {
    /// Differentiates and compiles. A variable that no expression reads has a column of zeros.
    pub fn compile(expressions: &[&Expression], variables: &[Symbol]) -> Self {
        let mut graph = Graph::default();
        let outputs: Vec<_> = expressions.iter().map(|expression| graph.insert(expression)).collect();
        let derivatives = Derivatives::new(&mut graph, &outputs, variables);

        let mut entries = Vec::new();
        let mut values = Vec::new();
        for (row, gradient) in derivatives.rows.iter().enumerate() {
            for (column, derivative) in gradient {
                entries.push((row, *column));
                values.push(*derivative);
            }
        }
        let (rows, columns) = (expressions.len(), variables.len());
        let places: Vec<_> = entries.iter().map(|(row, column)| row * columns + column).collect();
        Self { tape: Tape::of_graph(&graph, &values, &places), entries, rows, columns }
    }

    /// The number of expressions.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of variables.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Row and column, from 0, of the entries that are not zero by structure, row by row.
    pub fn entries(&self) -> &[(usize, usize)] {
        &self.entries
    }

    /// Writes the entries that are not zero by structure into a dense matrix, row by row. All others stay as
    /// they are: the caller sets them to zero once. After the first evaluation on a thread, nothing is
    /// allocated.
    ///
    /// # Panics
    ///
    /// When a symbol lies outside the banks, or `dense` is shorter than the matrix up to its last entry.
    pub fn evaluate(&self, banks: &[&[f64]], dense: &mut [f64]) {
        self.tape.evaluate(banks, dense);
    }
}
