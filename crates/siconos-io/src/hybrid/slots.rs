//! Argument slots of compiled expressions (tapes). Each slot is one slice of values from the engine.

use siconos_expression::{Enclosure, Interval, Symbol, Tape};
use siconos_hybrid::{CourseView, EventPoint, View};
use siconos_ode::{Bounds, ValueBounds};

pub(super) const TIME: u32 = 0;
pub(super) const CONTINUOUS: u32 = 1;
pub(super) const DISCRETE: u32 = 2;
pub(super) const PARAMETERS: u32 = 3;
pub(super) const TEMPORARIES: u32 = 4;
pub(super) const PREVIOUS_CONTINUOUS: u32 = 5;
pub(super) const PREVIOUS_DISCRETE: u32 = 6;
/// Slot of names that are declared but have no value.
pub(super) const NOWHERE: u32 = 7;

/// Returns the symbol for the entry `index` of an argument slot.
pub(super) fn symbol(slot: u32, index: usize) -> Symbol {
    // A file with more than 2^32 names would not fit in memory.
    Symbol { slot, index: u32::try_from(index).unwrap_or(u32::MAX) }
}

/// Evaluates a tape between events, where previous values do not exist.
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

/// Bounds the value of an expression over an interval of time between events.
pub(super) fn course(enclosure: &Enclosure, view: &CourseView<'_>) -> ValueBounds {
    let of_symbol = |Symbol { slot, index }: Symbol| {
        let index = index as usize;
        match slot {
            TIME => expression_course(view.time()),
            CONTINUOUS => expression_course((view.x)(index)),
            DISCRETE => siconos_expression::ValueAndSlopeBounds::constant(view.discrete[index]),
            _ => siconos_expression::ValueAndSlopeBounds::constant(view.parameters[index]),
        }
    };
    let found = enclosure.course(view.reach(), of_symbol);
    let bounds = |interval: Interval| Bounds { lower: interval.lower, upper: interval.upper };
    ValueBounds {
        range: bounds(found.range),
        middle: bounds(found.middle),
        slope: bounds(found.slope),
        is_continuous: found.is_continuous,
    }
}

/// Converts bounds of a value to the corresponding type of the expression language.
fn expression_course(course: ValueBounds) -> siconos_expression::ValueAndSlopeBounds {
    let interval = |bounds: Bounds| Interval::new(bounds.lower, bounds.upper);
    siconos_expression::ValueAndSlopeBounds {
        range: interval(course.range),
        middle: interval(course.middle),
        slope: interval(course.slope),
        is_continuous: course.is_continuous,
    }
}

/// Evaluates one number, or a condition as 1 or 0, at an event.
pub(super) fn value_at(tape: &Tape, point: &EventPoint<'_>) -> f64 {
    let (continuous, discrete) = point.previous().split_at(point.x().len());
    let slots = [
        &[point.t()],
        point.x(),
        point.discrete(),
        point.at().parameters().values(),
        point.temporaries(),
        continuous,
        discrete,
    ];
    let mut out = [0.0];
    tape.evaluate(&slots, &mut out);
    out[0]
}
