//! Jacobian matrices of expressions, compiled to a tape.

use crate::expression::Expression;
use crate::graph::Graph;
use crate::symbol::Symbol;
use crate::tape::Tape;

/// Jacobian matrix: derivatives of expressions (rows) with respect to variables (columns).
///
/// The derivatives are computed by automatic differentiation in forward mode, so they are exact except for
/// rounding errors. At a point at which a function is not differentiable, the derivative is defined as
/// follows:
///
/// | function | derivative at a kink or jump |
/// | --- | --- |
/// | `abs(x)` | `sign(x)`, which is 0 at 0 |
/// | `min(a, b)`, `max(a, b)` | derivative of the selected argument; if both are equal, of the first |
/// | `if c then a else b` | derivative of the selected branch |
/// | `clamp(x, lo, hi)` | derivative of x if lo <= x <= hi, otherwise of the selected bound |
/// | `floor`, `ceil`, `round`, `sign`, conditions | 0 |
/// | `a % b`, `mod(a, b)` | `a' - n b'` with the integer n for which the value is `a - n b` |
///
/// ```
/// use siconos_expression::{Jacobian, ValueKind, Name, Role, Scope, Symbol, parse_number};
///
/// let mut scope = Scope::new();
/// let [x, y] = [0, 1].map(|index| Symbol { slot: 0, index });
/// scope.declare("x", Name { symbol: x, kind: ValueKind::Real, role: Role::State })?;
/// scope.declare("y", Name { symbol: y, kind: ValueKind::Real, role: Role::State })?;
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
/// // Properties of the entries that hold for all values.
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
    /// For each structurally nonzero entry, its value if it is constant.
    constants: Vec<Option<f64>>,
    rows: usize,
    columns: usize,
}

impl Jacobian {
    /// Differentiates and compiles expressions. The column of a variable that no expression reads is zero.
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

    /// Returns the number of expressions.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of variables.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the positions (row, column), counted from 0, of the structurally nonzero entries, row by row.
    pub fn entries(&self) -> &[(usize, usize)] {
        &self.entries
    }

    /// Returns `true` if an entry is structurally zero or outside the matrix.
    pub fn is_zero(&self, row: usize, column: usize) -> bool {
        self.place(row, column).is_none()
    }

    /// Returns the value of an entry that reads no symbol, or `None` if the entry reads a symbol. The value
    /// of a structurally zero entry is 0. Terms that cancel are not detected: the derivative of `x^2 - x * x`
    /// is constant, but its value is not returned.
    pub fn constant_entry(&self, row: usize, column: usize) -> Option<f64> {
        self.place(row, column).map_or(Some(0.0), |place| self.constants[place])
    }

    /// Returns the dense matrix, row by row, or `None` if an [entry is not constant](Self::constant_entry).
    pub fn constant(&self) -> Option<Vec<f64>> {
        let values = self.constants.iter().copied().collect::<Option<Vec<_>>>()?;
        let mut dense = vec![0.0; self.rows * self.columns];
        for ((row, column), value) in self.entries.iter().zip(values) {
            dense[row * self.columns + column] = value;
        }
        Some(dense)
    }

    /// Returns the distinct symbols that the entries read, in ascending order. If all of them are parameters,
    /// the matrix changes only with the parameters.
    pub fn symbols(&self) -> &[Symbol] {
        self.tape.symbols()
    }

    /// Returns the index of an entry in the list of structurally nonzero entries.
    fn place(&self, row: usize, column: usize) -> Option<usize> {
        self.entries.binary_search(&(row, column)).ok()
    }

    /// Writes the structurally nonzero entries to a dense matrix, row by row. The other entries are not
    /// changed, so set them to zero before the first call. Only the first evaluation on a thread allocates
    /// memory.
    ///
    /// # Panics
    ///
    /// If a symbol is outside `slots`, or if `dense` is too short for the structurally nonzero entries.
    pub fn evaluate(&self, slots: &[&[f64]], dense: &mut [f64]) {
        self.tape.evaluate(slots, dense);
    }
}
