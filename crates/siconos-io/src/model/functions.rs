//! Functions of a model, given by expressions or by functions of a registry.

use std::sync::Arc;

use ndarray::{Array2, ArrayViewMut2};
use siconos_expression::{Expression, Jacobian as Derivatives, Symbol, Tape};
use siconos_kernel::model::{At, Jacobian, NewtonEuler, Parameters, RelationPoint};

use super::positions::Positions;
use super::registry::Closure;
use super::scopes::{FIRST, symbols};
use super::values::{Grid, is_constant};

/// Vector, or matrix in row-major order, that can be evaluated.
pub(super) enum Evaluation {
    Expressions(Box<Tape>),
    /// A function of a registry.
    Registered(Arc<Closure>),
}

impl Evaluation {
    /// Compiles all entries.
    pub(super) fn of(entries: &[Expression]) -> Self {
        Self::Expressions(Box::new(Tape::compile(&entries.iter().collect::<Vec<_>>())))
    }

    /// Writes the value for given time, parameters and vectors. Vectors that are not read can be empty.
    fn write(&self, at: At<'_>, [first, second, third]: [&[f64]; 3], out: &mut [f64]) {
        match self {
            Self::Expressions(tape) => {
                tape.evaluate(&[&[at.t], at.parameters().values(), first, second, third], out);
            }
            Self::Registered(own) => own(at, [first, second, third], out),
        }
    }
}

/// Returns arguments with the time NaN, for a function that does not depend on the time.
fn steadily(parameters: &Parameters) -> At<'_> {
    At::new(f64::NAN, parameters)
}

/// Returns a vector as a function of time and parameters.
pub(super) fn of_time(own: Evaluation) -> impl Fn(At<'_>, &mut [f64]) + Send + Sync {
    move |at: At<'_>, out: &mut [f64]| own.write(at, [&[]; 3], out)
}

/// Returns a matrix as a function of time and parameters.
pub(super) fn matrix_of_time(own: Evaluation) -> impl Fn(At<'_>, &mut ArrayViewMut2<'_, f64>) + Send + Sync {
    move |at: At<'_>, out: &mut ArrayViewMut2<'_, f64>| dense(out, |out| own.write(at, [&[]; 3], out))
}

/// Returns a vector as a function of time, parameters and one vector.
pub(super) fn of_first(own: Evaluation) -> impl Fn(At<'_>, &[f64], &mut [f64]) + Send + Sync {
    move |at: At<'_>, x: &[f64], out: &mut [f64]| own.write(at, [x, &[], &[]], out)
}

/// Returns a vector as a function of time, parameters and two vectors.
pub(super) fn of_both(own: Evaluation) -> impl Fn(At<'_>, &[f64], &[f64], &mut [f64]) + Send + Sync {
    move |at: At<'_>, x: &[f64], y: &[f64], out: &mut [f64]| own.write(at, [x, y, &[]], out)
}

/// Returns a vector as a function of the arguments of a nonlinear relation of first-order systems.
pub(super) fn of_point(own: Evaluation) -> impl Fn(RelationPoint<'_>, &mut [f64]) + Send + Sync {
    move |point: RelationPoint<'_>, out: &mut [f64]| {
        own.write(point.at(), [point.x, point.lambda, point.z], out);
    }
}

/// Returns a matrix as a function of the arguments of a nonlinear relation of first-order systems.
pub(super) fn matrix_of_point(
    own: Evaluation,
) -> impl Fn(RelationPoint<'_>, &mut ArrayViewMut2<'_, f64>) + Send + Sync {
    move |point: RelationPoint<'_>, out: &mut ArrayViewMut2<'_, f64>| {
        dense(out, |out| own.write(point.at(), [point.x, point.lambda, point.z], out));
    }
}

/// Returns a vector as a function of parameters and one vector, without the time.
pub(super) fn steady(own: Evaluation) -> impl Fn(&Parameters, &[f64], &mut [f64]) + Send + Sync {
    move |parameters: &Parameters, x: &[f64], out: &mut [f64]| {
        own.write(steadily(parameters), [x, &[], &[]], out);
    }
}

/// Returns a matrix as a function of parameters and one vector, without the time.
pub(super) fn steady_matrix(
    own: Evaluation,
) -> impl Fn(&Parameters, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync {
    move |parameters: &Parameters, x: &[f64], out: &mut ArrayViewMut2<'_, f64>| {
        dense(out, |out| own.write(steadily(parameters), [x, &[], &[]], out));
    }
}

/// Returns a vector as a function of parameters and two vectors, without the time.
pub(super) fn steady_of_both(
    own: Evaluation,
) -> impl Fn(&Parameters, &[f64], &[f64], &mut [f64]) + Send + Sync {
    move |parameters: &Parameters, x: &[f64], y: &[f64], out: &mut [f64]| {
        own.write(steadily(parameters), [x, y, &[]], out);
    }
}

/// Returns a matrix as a function of time, parameters and one vector.
pub(super) fn matrix_of_first(
    own: Evaluation,
) -> impl Fn(At<'_>, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync {
    move |at: At<'_>, x: &[f64], out: &mut ArrayViewMut2<'_, f64>| {
        dense(out, |out| own.write(at, [x, &[], &[]], out));
    }
}

/// Returns a derivative of a force as a matrix function of time, parameters and two vectors.
pub(super) fn jacobian_of_both(own: Evaluation) -> Jacobian {
    Jacobian::function(move |at: At<'_>, x: &[f64], y: &[f64], out: &mut ArrayViewMut2<'_, f64>| {
        dense(out, |out| own.write(at, [x, y, &[]], out));
    })
}

/// Derivative of entries with respect to variables: a matrix that can depend on all argument slots.
pub(super) struct Derivative {
    derivatives: Derivatives,
}

impl Derivative {
    /// Differentiates all entries with respect to all variables.
    pub(super) fn of(entries: &[Expression], variables: &[Symbol]) -> Self {
        Self { derivatives: Derivatives::compile(&entries.iter().collect::<Vec<_>>(), variables) }
    }

    /// Returns `true` if no entry depends on any variable.
    pub(super) fn is_zero(&self) -> bool {
        self.derivatives.entries().is_empty()
    }

    /// Returns the matrix if it does not depend on any argument.
    pub(super) fn constant(&self) -> Option<Array2<f64>> {
        let shape = (self.derivatives.rows(), self.derivatives.columns());
        Array2::from_shape_vec(shape, self.derivatives.constant()?).ok()
    }

    /// Writes the matrix row by row to a slice.
    pub(super) fn write_rows(&self, slots: &[&[f64]], out: &mut [f64]) {
        self.derivatives.evaluate(slots, out);
    }

    /// Writes the matrix to a view.
    pub(super) fn write(&self, slots: &[&[f64]], out: &mut ArrayViewMut2<'_, f64>) {
        dense(out, |out| self.derivatives.evaluate(slots, out));
    }
}

/// Returns the derivative of a force with respect to one of its arguments: zero, constant, or a function.
pub(super) fn jacobian(entries: &[Expression], variables: &[Symbol]) -> Jacobian {
    let derivative = Derivative::of(entries, variables);
    if derivative.is_zero() {
        return Jacobian::Zero;
    }
    if let Some(constant) = derivative.constant() {
        return Jacobian::Constant(constant);
    }
    Jacobian::function(move |at: At<'_>, x: &[f64], y: &[f64], out: &mut ArrayViewMut2<'_, f64>| {
        derivative.write(&[&[at.t], at.parameters().values(), x, y], out);
    })
}

/// Returns the derivative of a force with respect to the positions. Column j is the derivative in the
/// direction in which the positions move if velocity j is 1 and all other velocities are 0.
pub(super) fn jacobian_along(entries: &[Expression], positions: &Positions) -> Jacobian {
    let directions = positions.directions();
    if positions.are_vectors() {
        return jacobian(entries, &symbols(FIRST, directions.len()));
    }
    let moved: Vec<_> = directions.iter().flatten().map(|(own, _)| *own).collect();
    if Derivative::of(entries, &moved).is_zero() {
        return Jacobian::Zero;
    }
    let tape = Tape::compile_directions(&entries.iter().collect::<Vec<_>>(), &directions);
    jacobian_of_both(Evaluation::Expressions(Box::new(tape)))
}

/// Returns the 6 by 6 derivative of six entries with respect to the motion of a body: the derivative with
/// respect to the seven coordinates, times the matrix T of $\dot q = T(q) v$.
pub(super) fn jacobian_of_body(entries: &[Expression]) -> Jacobian {
    let derivative = Derivative::of(entries, &symbols(FIRST, 7));
    if derivative.is_zero() {
        return Jacobian::Zero;
    }
    Jacobian::function(move |at: At<'_>, q: &[f64], v: &[f64], out: &mut ArrayViewMut2<'_, f64>| {
        let Ok(position) = q.try_into() else { return };
        let tangent = NewtonEuler::tangent(position);
        let mut by_coordinates = [0.0; 42];
        derivative.write_rows(&[&[at.t], at.parameters().values(), q, v], &mut by_coordinates);
        for ((i, j), out) in out.indexed_iter_mut() {
            let row = by_coordinates[7 * i..7 * i + 7].iter();
            *out = row.zip(&tangent).map(|(by, along)| by * along[j]).sum();
        }
    })
}

/// Returns a derivative that the file gives by expressions. It is constant if all entries are constant.
pub(super) fn given_jacobian(grid: &Grid) -> Jacobian {
    if is_constant(&grid.entries)
        && grid.entries.iter().all(|entry| entry.constant().is_some())
        && let Some(values) = grid.values(&[])
    {
        return Jacobian::Constant(values);
    }
    jacobian_of_both(Evaluation::of(&grid.entries))
}

/// Calls `write` with the entries of a matrix in row-major order, for any storage format of the matrix.
pub(super) fn dense(out: &mut ArrayViewMut2<'_, f64>, write: impl FnOnce(&mut [f64])) {
    if let Some(rows) = out.as_slice_mut() {
        return write(rows);
    }
    let mut rows = vec![0.0; out.len()];
    write(&mut rows);
    out.iter_mut().zip(rows).for_each(|(out, value)| *out = value);
}
