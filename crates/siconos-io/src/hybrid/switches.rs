//! Switches of equations: the times and roots at which an equation jumps or has a kink. They are detected
//! from the operations in the equation.

use std::ops::Range;

use siconos_expression::{Expression, Rate, Switch, SwitchValues, Symbol, Tape};
use siconos_hybrid::{Direction, HybridSystem, SwitchTime, View};

use super::slots::{CONTINUOUS, TIME, symbol};
use super::triggers::guard_function;

/// Distance from the current time to the start of a search for the next switch, counted in floating-point
/// numbers. The search thereby skips a switch at the current time. The distance is so short that the current
/// time and the start of the search count as one instant.
const BEHIND: u32 = 2;

/// Maximum distance between a switch and the time predicted from the slope, relative to the larger of the
/// predicted time and its distance from the start of the search.
const ROUNDING: f64 = 1e-6;

/// Declares the switches of equations: by their times if these can be computed in advance, otherwise by a
/// root function.
pub(super) fn declare(system: &mut HybridSystem, equations: &[&Expression]) {
    let mut timed = Vec::new();
    for switch in of_equations(equations) {
        let reads = |slot: u32| switch.function.symbols().any(|symbol| symbol.slot == slot);
        if reads(CONTINUOUS) || !switch.function.is_piecewise_affine(|symbol| symbol.slot == TIME) {
            system.switch(switch.function.to_string(), guard_function(&switch.zero_function()));
        } else {
            timed.push(Timed::new(&switch));
        }
    }
    for timed in timed {
        system.switch_times(move |view: View<'_>, direction| timed.next(view, direction));
    }
}

/// Returns the distinct switches of the equations, except equality comparisons and switches that depend
/// neither on the time nor on continuous variables.
pub(super) fn of_equations(equations: &[&Expression]) -> Vec<Switch> {
    let mut found: Vec<Switch> = Vec::new();
    for switch in equations.iter().flat_map(|equation| equation.switches()) {
        let varies = switch.function.symbols().any(|symbol| [TIME, CONTINUOUS].contains(&symbol.slot));
        if varies && switch.values != SwitchValues::Equal && !found.contains(&switch) {
            found.push(switch);
        }
    }
    found
}

/// Returns the locations of the equality comparisons in an equation, if the compared values vary between
/// events. The integration cannot detect the times at which these values are equal.
pub(super) fn equalities(equation: &Expression) -> Vec<Range<usize>> {
    let varies = |symbol: Symbol| [TIME, CONTINUOUS].contains(&symbol.slot);
    let is_unseen =
        |switch: &Switch| switch.values == SwitchValues::Equal && switch.function.symbols().any(varies);
    equation
        .switches()
        .iter()
        .filter(|switch| is_unseen(switch))
        .map(|switch| switch.function.span())
        .collect()
}

/// A switch whose function is piecewise linear in the time.
struct Timed {
    value: Tape,
    slope: Tape,
    values: SwitchValues,
}

impl Timed {
    fn new(switch: &Switch) -> Self {
        let time = [(symbol(TIME, 0), Rate::Number(1.0))];
        Self {
            value: Tape::compile(&[&switch.function]),
            slope: Tape::compile_along(&[&switch.function], &time, 1),
            values: switch.values,
        }
    }

    /// Returns the next switch after the time of `view`, searching forward or backward in time. Returns
    /// `None` if no switch is found, or if the function has a kink before the switch.
    fn next(&self, view: View<'_>, direction: Direction) -> Option<SwitchTime> {
        let sign = direction.sign();
        let parameters = view.parameters();
        let evaluate = |tape: &Tape, t: f64| {
            let mut out = [0.0];
            tape.evaluate(&[&[t], view.x, view.discrete, parameters], &mut out);
            out[0]
        };
        let start = (0..BEHIND).fold(view.t(), |t, _| next_number(t, sign));
        let (value, slope) = (evaluate(&self.value, start), sign * evaluate(&self.slope, start));
        let level = match self.values {
            SwitchValues::Whole if slope > 0.0 => value.floor() + 1.0,
            SwitchValues::Whole => value.ceil() - 1.0,
            SwitchValues::Zero | SwitchValues::Equal => 0.0,
        };
        let is_before = |t: f64| {
            let rest = level - evaluate(&self.value, t);
            if slope > 0.0 { rest > 0.0 } else { rest < 0.0 }
        };
        let is_behind = |t: f64| {
            let rest = level - evaluate(&self.value, t);
            if slope > 0.0 { rest < 0.0 } else { rest > 0.0 }
        };
        let expected = start + sign * (level - value) / slope;
        // The function is constant, or moves away from the value at which it switches.
        if !expected.is_finite() || sign * (expected - start) < 0.0 || !is_before(start) {
            return None;
        }
        // Search forward from the expected time for a time after the switch, then back to the last time
        // before it.
        let mut reach = (next_number(expected, sign) - expected).abs();
        let mut behind = expected;
        while !is_behind(behind) {
            if reach > ROUNDING * expected.abs().max((expected - start).abs()) {
                return None;
            }
            behind = expected + sign * reach;
            reach *= 2.0;
        }
        let last = boundary((start, behind), is_before);
        let at = next_number(last, sign);
        let first =
            if is_behind(at) { at } else { next_number(boundary((at, behind), |t| !is_behind(t)), sign) };
        Some(SwitchTime { last, at, first })
    }
}

/// Returns the next floating-point number in a direction.
fn next_number(t: f64, sign: f64) -> f64 {
    if sign > 0.0 { t.next_up() } else { t.next_down() }
}

/// Returns the last floating-point number between `holds` and `fails` at which a condition holds. The
/// condition must hold at `holds` and fail at `fails`.
fn boundary((mut holds, mut fails): (f64, f64), does_hold: impl Fn(f64) -> bool) -> f64 {
    loop {
        let middle = holds + 0.5 * (fails - holds);
        if middle == holds || middle == fails {
            return holds;
        }
        *(if does_hold(middle) { &mut holds } else { &mut fails }) = middle;
    }
}
