//! Where tapes read: the slices that the engine has, numbered.

use siconos_expression::{Symbol, Tape};
use siconos_kernel::hybrid::{Point, View};

pub(super) const TIME: u32 = 0;
pub(super) const CONTINUOUS: u32 = 1;
pub(super) const DISCRETE: u32 = 2;
pub(super) const PARAMETERS: u32 = 3;
pub(super) const TEMPORARIES: u32 = 4;
pub(super) const PREVIOUS_CONTINUOUS: u32 = 5;
pub(super) const PREVIOUS_DISCRETE: u32 = 6;
/// Not there: names that have a meaning but no value.
pub(super) const NOWHERE: u32 = 7;

/// The symbol at a place of a bank.
pub(super) fn symbol(bank: u32, index: usize) -> Symbol {
    // A file with more than 2^32 names would not fit in memory.
    Symbol { bank, index: u32::try_from(index).unwrap_or(u32::MAX) }
}

/// Evaluates between events, where nothing has a past.
#[inline]
pub(super) fn evaluate(tape: &Tape, view: View<'_>, out: &mut [f64]) {
    tape.evaluate(&[&[view.at.t], view.x, view.discrete, view.at.parameters().values()], out);
}

/// Evaluates one number between events.
#[inline]
pub(super) fn value(tape: &Tape, view: View<'_>) -> f64 {
    let mut out = [0.0];
    evaluate(tape, view, &mut out);
    out[0]
}

/// Evaluates one number, or a condition as 1 or 0, at an event.
pub(super) fn value_at(tape: &Tape, point: &Point<'_>) -> f64 {
    let (continuous, discrete) = point.previous().split_at(point.x().len());
    let banks = [
        &[point.t()],
        point.x(),
        point.discrete(),
        point.at().parameters().values(),
        point.temporaries(),
        continuous,
        discrete,
    ];
    let mut out = [0.0];
    tape.evaluate(&banks, &mut out);
    out[0]
}
