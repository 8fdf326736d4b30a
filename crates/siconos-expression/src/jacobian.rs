//! Jacobians: the derivatives of expressions by some of their variables, compiled to a tape.

use crate::expression::Expression;
use crate::graph::Graph;
use crate::symbol::Symbol;
use crate::tape::Tape;

/// The matrix of the derivatives of expressions (rows) by variables (columns).
///
/// Derivatives are found forward through the operations of the expressions, and are exact but for roundings:
/// no differences are taken. Where there is none, the formula decides, and the branch that is taken:
///
/// | function | its derivative at a kink or jump |
/// | --- | --- |
/// | `abs(x)` | `sign(x)`, which is 0 at 0 |
/// | `min(a, b)`, `max(a, b)` | that of the one that is taken, the first where both are equal |
/// | `if c then a else b` | that of the side that is taken |
/// | `clamp(x, lo, hi)` | that of x where x is in the range or at an end of it, else that of the end |
/// | `floor`, `ceil`, `round`, `sign`, conditions | 0 |
/// | `a % b`, `mod(a, b)` | `a' - n b'` with the whole number n for which the value is `a - n b` |
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
///
/// // What is known of the entries without any values.
/// assert!(jacobian.is_zero(0, 0) && !jacobian.is_zero(1, 0));
/// assert_eq!([0, 1].map(|column| jacobian.constant_entry(0, column)), [Some(0.0), Some(1.0)]);
/// assert_eq!(jacobian.constant_entry(1, 0), None);
/// assert_eq!(Jacobian::compile(&[&f], &[x, y]).constant(), Some(vec![0.0, 1.0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Jacobian {
    tape: Tape,
    entries: Vec<(usize, usize)>,
    /// The values of the entries that are constant.
    constants: Vec<Option<f64>>,
    rows: usize,
    columns: usize,
}

impl Jacobian {
    /// Differentiates and compiles. A variable that no expression reads has a column of zeros.
    pub fn compile(expressions: &[&Expression], variables: &[Symbol]) -> Self {
        let mut graph = Graph::default();
        let outputs: Vec<_> = expressions.iter().map(|expression| graph.insert(expression)).collect();
        let derivatives = graph.derivatives(&outputs, variables);

        let mut entries = Vec::new();
        let mut values = Vec::new();
        for (row, gradient) in derivatives.iter().enumerate() {
            for (column, derivative) in gradient {
                entries.push((row, *column));
                values.push(*derivative);
            }
        }
        let (rows, columns) = (expressions.len(), variables.len());
        let places: Vec<_> = entries.iter().map(|(row, column)| row * columns + column).collect();
        let constants = values.iter().map(|value| graph.number_of(*value)).collect();
        Self { tape: Tape::of_graph(&graph, &values, &places), entries, constants, rows, columns }
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

    /// Whether an entry is zero by structure, as those outside the matrix are.
    pub fn is_zero(&self, row: usize, column: usize) -> bool {
        self.place(row, column).is_none()
    }

    /// The value of an entry, if it reads no symbol: 0 where it is zero by structure. That two terms cancel
    /// is not seen: `x^2 - x * x` has a derivative that is constant, and is not said to be.
    pub fn constant_entry(&self, row: usize, column: usize) -> Option<f64> {
        self.place(row, column).map_or(Some(0.0), |place| self.constants[place])
    }

    /// The matrix, dense and row by row, if [all entries are constant](Self::constant_entry).
    pub fn constant(&self) -> Option<Vec<f64>> {
        let values = self.constants.iter().copied().collect::<Option<Vec<_>>>()?;
        let mut dense = vec![0.0; self.rows * self.columns];
        for ((row, column), value) in self.entries.iter().zip(values) {
            dense[row * self.columns + column] = value;
        }
        Some(dense)
    }

    /// The distinct symbols that the entries read, in their order. Where these are parameters alone, the
    /// matrix is constant as long as these are.
    pub fn symbols(&self) -> &[Symbol] {
        self.tape.symbols()
    }

    /// The place of an entry among those that are not zero by structure.
    fn place(&self, row: usize, column: usize) -> Option<usize> {
        self.entries.binary_search(&(row, column)).ok()
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
