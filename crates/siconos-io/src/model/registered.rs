//! Functions of a registry that a file refers to by name: `{ function = "drag" }`.

use std::ops::Range;
use std::sync::Arc;

use ndarray::Array2;
use siconos_expression::{Expression, Scope, did_you_mean, nearest};
use siconos_kernel::model::Jacobian;

use super::functions::{self, Evaluation};
use super::registry::{Arguments, Bounds, FUNCTION, Function, Kept, Registry, SIZE};
use super::values::{Grid, matrix, row_count, sized, vector};
use crate::document::{Diagnostics, Node, Table, Value};

/// Vector-valued function.
#[derive(Clone, Debug)]
pub(super) enum VectorFunction {
    Expressions(Vec<Expression>),
    Registered(Registered),
}

/// Reference to a function of a registry: its name, its arguments, and its number of values.
#[derive(Clone, Debug)]
pub(super) struct Registered {
    pub(super) name: String,
    span: Range<usize>,
    arguments: Arguments,
    pub(super) size: usize,
}

impl VectorFunction {
    /// Reads expressions, or the name of a function with the given arguments. If `size` is known, the
    /// function must have `size` values.
    pub(super) fn sized(
        value: &Value<'_>,
        size: Option<usize>,
        scope: &Scope,
        arguments: Arguments,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Option<Self> {
        match named(value) {
            Some(table) => {
                let [name] = table.clone().fields(diagnostics, [FUNCTION]);
                let registered = read(name?, &value.span, size, arguments, diagnostics)?;
                Some(Self::Registered(registered))
            }
            None => sized(value, size, scope, diagnostics).map(Self::Expressions),
        }
    }

    /// Reads expressions, or the name of a function. The file determines the number of values.
    pub(super) fn of_any_size(
        value: &Value<'_>,
        scope: &Scope,
        arguments: Arguments,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Option<Self> {
        match named(value) {
            Some(table) => {
                let (name, size) = name_and_size(table, diagnostics);
                let registered = read(name?, &value.span, size, arguments, diagnostics)?;
                Some(Self::Registered(registered))
            }
            None => vector(value, scope, diagnostics).map(Self::Expressions),
        }
    }

    /// Returns the number of values.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Expressions(entries) => entries.len(),
            Self::Registered(registered) => registered.size,
        }
    }

    pub(super) fn expressions(&self) -> Option<&[Expression]> {
        match self {
            Self::Expressions(entries) => Some(entries),
            Self::Registered(_) => None,
        }
    }

    pub(super) fn registered(&self) -> Option<&Registered> {
        match self {
            Self::Expressions(_) => None,
            Self::Registered(registered) => Some(registered),
        }
    }

    /// Returns the values if all of them are constant.
    pub(super) fn constant(&self) -> Option<Vec<f64>> {
        self.expressions()?.iter().map(Expression::constant).collect()
    }

    /// Returns the function to evaluate, or `None` if the registry does not contain it.
    pub(super) fn evaluation(&self, registry: &Registry) -> Option<Evaluation> {
        match self {
            Self::Expressions(entries) => Some(Evaluation::of(entries)),
            Self::Registered(own) => own.evaluation(registry),
        }
    }
}

/// Matrix-valued function.
#[derive(Debug)]
pub(super) enum MatrixFunction {
    Expressions(Grid),
    /// Function of a registry, with the number of rows and the number of columns of the matrix that it
    /// writes.
    Registered(Registered, [usize; 2]),
}

impl MatrixFunction {
    /// Reads a matrix of expressions, or the name of a function that writes the matrix row by row. If other
    /// data do not determine the number of rows of a function, the key `size` gives this number. Default: 1.
    pub(super) fn read(
        value: &Value<'_>,
        (rows, columns): (Option<usize>, Option<usize>),
        scope: &Scope,
        arguments: Arguments,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Option<Self> {
        let Some(table) = named(value) else {
            return matrix(value, (rows, columns), scope, diagnostics).map(Self::Expressions);
        };
        let (name, rows) = match rows {
            Some(_) => {
                let [name] = table.clone().fields(diagnostics, [FUNCTION]);
                (name, rows)
            }
            None => name_and_size(table, diagnostics),
        };
        let (rows, columns) = rows.zip(columns)?;
        let size = rows.saturating_mul(columns);
        let registered = read(name?, &value.span, Some(size), arguments, diagnostics)?;
        Some(Self::Registered(registered, [rows, columns]))
    }

    /// Returns the number of rows.
    pub(super) fn rows(&self) -> usize {
        match self {
            Self::Expressions(grid) => grid.rows,
            Self::Registered(_, [rows, _]) => *rows,
        }
    }

    pub(super) fn expressions(&self) -> Option<&[Expression]> {
        match self {
            Self::Expressions(grid) => Some(&grid.entries),
            Self::Registered(..) => None,
        }
    }

    pub(super) fn registered(&self) -> Option<&Registered> {
        match self {
            Self::Expressions(_) => None,
            Self::Registered(registered, _) => Some(registered),
        }
    }

    /// Returns the matrix for these parameters, or `None` if an entry reads a name that is not a parameter.
    pub(super) fn values(&self, parameters: &[f64]) -> Option<Array2<f64>> {
        match self {
            Self::Expressions(grid) => grid.values(parameters),
            Self::Registered(..) => None,
        }
    }

    /// Returns the matrix if all of its entries are constant.
    pub(super) fn constant(&self) -> Option<Array2<f64>> {
        let reads_nothing = self.expressions()?.iter().all(|entry| entry.constant().is_some());
        reads_nothing.then(|| self.values(&[])).flatten()
    }

    /// Returns the function to evaluate, which writes the matrix row by row, or `None` if the registry does
    /// not contain it.
    pub(super) fn evaluation(&self, registry: &Registry) -> Option<Evaluation> {
        match self {
            Self::Expressions(grid) => Some(Evaluation::of(&grid.entries)),
            Self::Registered(own, _) => own.evaluation(registry),
        }
    }
}

/// Returns the number of entries of a vector, or the number of rows of a matrix, if the value determines it.
pub(super) fn count(value: &Value<'_>) -> Option<usize> {
    let Some(table) = named(value) else { return row_count(value) };
    match table.get(SIZE).map(|size| &size.node) {
        Some(Node::Number { value, is_whole: true }) => Some(*value as usize),
        Some(_) => None,
        None => Some(1),
    }
}

/// Returns the name of a function, and its number of values or rows. Default: 1.
fn name_and_size<'s>(
    table: &Table<'s>,
    diagnostics: &mut Diagnostics<'_>,
) -> (Option<Value<'s>>, Option<usize>) {
    let [name, size] = table.clone().fields(diagnostics, [FUNCTION, SIZE]);
    (name, size.map_or(Some(1), |size| size.count(diagnostics, 1)))
}

/// Returns the number of entries that follow from the size n of a function, and a description for messages.
/// The number is n^2, because a function with n values has a matrix of n^2 derivatives with respect to n
/// multipliers.
pub(super) fn announced(table: &Table<'_>) -> Option<(usize, String)> {
    table.get(FUNCTION)?;
    match table.get(SIZE)?.node {
        Node::Number { value, is_whole: true } if value >= 1.0 => {
            let size = value as usize;
            Some((
                size.saturating_mul(size),
                format!("{size} numbers of a function, with {size} derivatives each,"),
            ))
        }
        _ => None,
    }
}

pub(super) fn named<'v, 's>(value: &'v Value<'s>) -> Option<&'v Table<'s>> {
    match &value.node {
        Node::Table(table) if table.get(FUNCTION).is_some() => Some(table),
        _ => None,
    }
}

fn read(
    name: Value<'_>,
    span: &Range<usize>,
    size: Option<usize>,
    arguments: Arguments,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Registered> {
    let name = name.text(diagnostics)?.content.into_owned();
    Some(Registered { name, span: span.clone(), arguments, size: size? })
}

impl Registered {
    /// Reads the name of a function of the program, for a key that does not accept expressions. The key
    /// `size` gives the number of values. Default: 1.
    pub(super) fn read(
        value: &Value<'_>,
        arguments: Arguments,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Option<Self> {
        let Some(table) = named(value) else {
            return value.refused(diagnostics, "a function of the program, `{ function = .. }`");
        };
        let (name, size) = name_and_size(table, diagnostics);
        read(name?, &value.span, size, arguments, diagnostics)
    }

    /// Reports an error if the registry does not contain the function, or if its function of this name has
    /// other arguments.
    pub(super) fn check(&self, registry: &Registry, diagnostics: &mut Diagnostics<'_>) {
        let name = &self.name;
        let message = match registry.get(name) {
            Some(function) if function.arguments == self.arguments => return,
            Some(function) => format!(
                "the function `{name}` is a function {}; expected a function {}",
                function.arguments.words(),
                self.arguments.words()
            ),
            None if registry.names().next().is_none() => format!(
                "there is no function `{name}`: the model is built without a registry of functions; build it in a program \
                 with a registry, which the command-line tool does not have"
            ),
            None => {
                let near = did_you_mean(nearest(name, registry.names()).as_deref());
                format!("there is no function `{name}` in the registry{near}")
            }
        };
        diagnostics.note(&self.span, message);
    }

    fn function<'r>(&self, registry: &'r Registry) -> Option<&'r Function> {
        registry.get(&self.name).filter(|function| function.arguments == self.arguments)
    }

    /// Returns the function to evaluate, or `None` if the registry does not contain it.
    fn evaluation(&self, registry: &Registry) -> Option<Evaluation> {
        match &self.function(registry)?.value {
            Kept::Vector(own) => Some(Evaluation::Registered(Arc::clone(own))),
            Kept::Bounds(_) => None,
        }
    }

    /// Returns the function of the registry that computes bounds.
    pub(super) fn bounds(&self, registry: &Registry) -> Option<Arc<Bounds>> {
        match &self.function(registry)?.value {
            Kept::Bounds(own) => Some(Arc::clone(own)),
            Kept::Vector(_) => None,
        }
    }

    /// Returns the derivative with respect to vector argument 0 or 1, if the registry contains the
    /// derivative.
    pub(super) fn derivative(&self, registry: &Registry, variable: usize) -> Option<Evaluation> {
        self.function(registry)?.derivatives.get(variable)?.clone().map(Evaluation::Registered)
    }

    /// Returns the derivative with respect to vector argument 0 or 1. If the registry does not contain the
    /// derivative, it is approximated by finite differences.
    pub(super) fn jacobian(&self, registry: &Registry, variable: usize) -> Jacobian {
        self.derivative(registry, variable).map_or(Jacobian::FiniteDifference, functions::jacobian_of_both)
    }
}
