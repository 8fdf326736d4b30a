//! Check of the events that require a value of a boolean variable. Each of these events must have a partner:
//! exactly one event that requires the other value of the same variable. The sum or the difference of the
//! root functions of the two triggers must be constant.

use siconos_expression::{Direction, Expression, Trigger, ValueKind, is_constant_sum};

use super::event::{Event, Requires};
use super::names::Names;
use super::slots::PARAMETERS;
use crate::document::Diagnostics;

/// Reports events without a partner, and pairs of events for which the sum or difference cannot be proved to
/// be constant. An event that has an error of another kind still counts as a partner.
pub(super) fn check(
    requirements: &[Option<Requires>],
    events: &[Option<Event<'_>>],
    names: &Names,
    diagnostics: &mut Diagnostics<'_>,
) {
    let is_boolean =
        |requires: &&Requires| names.get(&requires.name).is_some_and(|it| it.kind == ValueKind::Boolean);
    let requiring: Vec<_> = requirements
        .iter()
        .enumerate()
        .filter_map(|(place, requires)| Some((place, requires.as_ref().filter(is_boolean)?)))
        .collect();
    for (place, requires) in &requiring {
        let is_partner = |other: &Requires| other.name == requires.name && other.value != requires.value;
        let partners: Vec<_> = requiring.iter().filter(|(_, other)| is_partner(other)).collect();
        match partners[..] {
            [(partner, _)] if place < partner => {
                if let (Some(first), Some(second)) = (&events[*place], &events[*partner]) {
                    check_pair(place + 1, first, partner + 1, second, diagnostics);
                }
            }
            [_] => (),
            _ => {
                let (negation, found) = (if requires.value { "not " } else { "" }, partners.len());
                let name = &requires.name;
                let message =
                    format!("exactly one other event must require `{negation}{name}`, found {found}");
                diagnostics.in_event(place + 1, |diagnostics| diagnostics.note(&requires.span, message));
            }
        }
    }
}

fn check_pair(
    first_number: usize,
    first: &Event<'_>,
    second_number: usize,
    second: &Event<'_>,
    diagnostics: &mut Diagnostics<'_>,
) {
    let (Some((f, f_falls)), Some((g, g_falls))) = (root(&first.trigger), root(&second.trigger)) else {
        return;
    };
    let subtract = f_falls != g_falls;
    if is_constant_sum(f, g, subtract, |symbol| symbol.slot == PARAMETERS) {
        return;
    }
    let what = if subtract { "difference" } else { "sum" };
    let message = format!(
        "no proof was found that the {what} of `{f}` in event {first_number} and `{g}` in event {second_number} is \
         constant; it must be constant for two events that require the same variable"
    );
    diagnostics
        .in_event(second_number, |diagnostics| diagnostics.note(&second.text.span_of(&g.span()), message));
}

/// Returns the root function of a trigger, and `true` if the trigger fires only when the function decreases.
fn root(trigger: &Trigger) -> Option<(&Expression, bool)> {
    match trigger {
        Trigger::Root { function, direction, .. } => Some((function, *direction == Direction::Decreasing)),
        _ => None,
    }
}
