//! Functions of time and one vector, compiled from expressions. Parameters have been replaced by their
//! values.

use ndarray::{Array2, ArrayViewMut2};
use siconos_expression::{Expression, Tape};

use super::super::functions::{Derivative, dense};
use super::super::scopes::{FIRST, TIME, symbols};

/// Compiles all entries.
fn tape(entries: &[Expression]) -> Tape {
    Tape::compile(&entries.iter().collect::<Vec<_>>())
}

/// Returns `true` if an entry reads an argument slot.
pub(super) fn reads(entries: &[Expression], slot: u32) -> bool {
    entries.iter().any(|entry| entry.symbols().any(|symbol| symbol.slot == slot))
}

/// Returns a vector as a function of time.
pub(super) fn of_time(entries: &[Expression]) -> impl Fn(f64, &mut [f64]) + Send + Sync + use<> {
    let tape = tape(entries);
    move |t: f64, out: &mut [f64]| tape.evaluate(&[&[t]], out)
}

/// Returns a vector as a function of time and one vector.
pub(super) fn of_vector(entries: &[Expression]) -> impl Fn(f64, &[f64], &mut [f64]) + Send + Sync + use<> {
    let tape = tape(entries);
    move |t: f64, x: &[f64], out: &mut [f64]| tape.evaluate(&[&[t], &[], x], out)
}

/// Returns a matrix as a function of time and one vector.
pub(super) fn matrix_of_vector(
    entries: &[Expression],
) -> impl Fn(f64, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync + use<> {
    let tape = tape(entries);
    move |t: f64, x: &[f64], out: &mut ArrayViewMut2<'_, f64>| {
        dense(out, |out| tape.evaluate(&[&[t], &[], x], out));
    }
}

/// Function of time and of a vector with n components, classified by its structure.
pub(super) enum Map {
    /// Product of a constant matrix with the vector, plus an offset that does not depend on the vector.
    Affine(Array2<f64>, Offset),
    /// Any other function, with its derivative with respect to the vector.
    Any(Box<Derivative>),
}

/// Offset of an affine function.
pub(super) enum Offset {
    Constant(Vec<f64>),
    /// Function of time, which [`at_zero`] returns.
    OfTime,
}

impl Map {
    /// Classifies entries that read the time and a vector with n components.
    pub(super) fn of(entries: &[Expression], n: usize) -> Self {
        let derivative = Derivative::of(entries, &symbols(FIRST, n));
        // A constant derivative is not sufficient: the derivative of a step function is 0.
        let is_affine = entries.iter().all(|entry| entry.is_affine(|symbol| symbol.slot == FIRST));
        let Some(matrix) = derivative.constant().filter(|_| is_affine) else {
            return Self::Any(Box::new(derivative));
        };
        if reads(entries, TIME) {
            return Self::Affine(matrix, Offset::OfTime);
        }
        let mut constant = vec![0.0; entries.len()];
        at_zero(entries, n)(0.0, &mut constant);
        Self::Affine(matrix, Offset::Constant(constant))
    }
}

/// Returns the value of an affine function at the zero vector with n components.
pub(super) fn at_zero(entries: &[Expression], n: usize) -> impl Fn(f64, &mut [f64]) + Send + Sync + use<> {
    let (tape, zero) = (tape(entries), vec![0.0; n]);
    move |t: f64, out: &mut [f64]| tape.evaluate(&[&[t], &[], &zero], out)
}
