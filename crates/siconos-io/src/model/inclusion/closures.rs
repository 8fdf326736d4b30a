//! Functions of time and one vector, made of expressions whose parameters are fixed.

use ndarray::{Array2, ArrayViewMut2};
use siconos_expression::{Expression, Tape};

use super::super::functions::{Derivative, dense};
use super::super::scopes::{FIRST, TIME, symbols};

/// A tape of all entries.
fn tape(entries: &[Expression]) -> Tape {
    Tape::compile(&entries.iter().collect::<Vec<_>>())
}

/// Whether an entry reads a bank.
pub(super) fn reads(entries: &[Expression], bank: u32) -> bool {
    entries.iter().any(|entry| entry.symbols().any(|symbol| symbol.bank == bank))
}

/// A vector of time.
pub(super) fn of_time(entries: &[Expression]) -> impl Fn(f64, &mut [f64]) + Send + Sync + use<> {
    let tape = tape(entries);
    move |t: f64, out: &mut [f64]| tape.evaluate(&[&[t]], out)
}

/// A vector of time and one vector.
pub(super) fn of_vector(entries: &[Expression]) -> impl Fn(f64, &[f64], &mut [f64]) + Send + Sync + use<> {
    let tape = tape(entries);
    move |t: f64, x: &[f64], out: &mut [f64]| tape.evaluate(&[&[t], &[], x], out)
}

/// A matrix of time and one vector.
pub(super) fn matrix_of_vector(
    entries: &[Expression],
) -> impl Fn(f64, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync + use<> {
    let tape = tape(entries);
    move |t: f64, x: &[f64], out: &mut ArrayViewMut2<'_, f64>| {
        dense(out, |out| tape.evaluate(&[&[t], &[], x], out));
    }
}

/// A vector of time and one vector of n numbers, as what can be known of it.
pub(super) enum Map {
    /// The product with a constant matrix, and a vector that does not depend on the other one.
    Affine(Array2<f64>, Offset),
    /// Anything else, with its derivative by the vector.
    Any(Box<Derivative>),
}

/// What an affine function has beside its matrix.
pub(super) enum Offset {
    Constant(Vec<f64>),
    /// The function [at the zero vector](at_zero).
    OfTime,
}

impl Map {
    /// Looks at entries that read the time and a vector of n numbers.
    pub(super) fn of(entries: &[Expression], n: usize) -> Self {
        let derivative = Derivative::of(entries, &symbols(FIRST, n));
        // A derivative of 0 may be that of a step as well.
        let is_affine = entries.iter().all(|entry| entry.is_affine(|symbol| symbol.bank == FIRST));
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

/// The value of an affine function at the zero vector of n numbers.
pub(super) fn at_zero(entries: &[Expression], n: usize) -> impl Fn(f64, &mut [f64]) + Send + Sync + use<> {
    let (tape, zero) = (tape(entries), vec![0.0; n]);
    move |t: f64, out: &mut [f64]| tape.evaluate(&[&[t], &[], &zero], out)
}
