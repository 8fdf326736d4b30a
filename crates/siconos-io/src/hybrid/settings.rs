//! Settings of the engine and of its integrator, in one table.

use siconos_hybrid::{EventIterate, EventPre, HybridSettings};
use siconos_ode::{MAX_SAMPLES, Method, Tolerance};

use super::keys;
use super::names::Names;
use crate::document::{Condition, Diagnostics, Node, Table, Value};

pub(super) const METHODS: [(&str, Method); 4] = [
    ("auto", Method::Auto),
    ("explicit", Method::Explicit),
    ("high_order", Method::HighOrder),
    ("stiff", Method::Stiff),
];
pub(super) const PRE: [(&str, EventPre); 4] = [
    ("iteration", EventPre::Iteration),
    ("initial", EventPre::Initial),
    ("assignment", EventPre::Assignment),
    ("change", EventPre::Change),
];
pub(super) const ITERATE: [(&str, EventIterate); 2] =
    [("trigger", EventIterate::Trigger), ("prechange", EventIterate::PreChange)];

pub(super) const POSITIVE: Condition =
    Condition { holds: |value| value.is_finite() && value > 0.0, in_words: "finite and positive" };
const ABOVE_ZERO: Condition = Condition { holds: |value| value > 0.0, in_words: "positive" };
const NOT_NEGATIVE: Condition =
    Condition { holds: |value| value.is_finite() && value >= 0.0, in_words: "finite and nonnegative" };
const RELATIVE: Condition =
    Condition { holds: |value| value.is_finite() && value >= 1e-14, in_words: "finite and at least 1e-14" };

/// Reads the table of settings. Missing settings have their defaults. Some defaults depend on the time span
/// of the integration \[s\], if it is known.
pub(super) fn read(
    table: Table<'_>,
    span: Option<f64>,
    names: &Names,
    diagnostics: &mut Diagnostics<'_>,
) -> HybridSettings {
    let mut settings = span.map_or_else(HybridSettings::default, HybridSettings::for_span);
    let ode = &mut settings.ode;
    let keys = keys::names(&keys::SETTINGS);
    for (key, value) in keys.iter().zip(table.fields(diagnostics, keys)) {
        let Some(value) = value else { continue };
        match *key {
            "method" => set(&mut ode.method, method(&value, names, diagnostics)),
            "relative_tolerance" => {
                set(&mut ode.relative_tolerance, tolerance(&value, RELATIVE, names, diagnostics));
            }
            "absolute_tolerance" => {
                set(&mut ode.absolute_tolerance, tolerance(&value, POSITIVE, names, diagnostics));
            }
            "h_initial" => ode.h_initial = value.number(diagnostics, POSITIVE),
            "h_max" => set(&mut ode.h_max, value.number(diagnostics, ABOVE_ZERO)),
            "max_steps" => set(&mut ode.max_steps, value.count(diagnostics, 1)),
            "samples" => {
                set(&mut ode.samples, at_most(MAX_SAMPLES, value.count(diagnostics, 1), &value, diagnostics));
            }
            "root_tolerance" => set(&mut ode.root_tolerance, value.number(diagnostics, POSITIVE)),
            "event_maxiter" => set(&mut settings.event_maxiter, value.count(diagnostics, 1)),
            "event_iterate" => set(&mut settings.event_iterate, value.word(diagnostics, &ITERATE)),
            "event_pre" => set(&mut settings.event_pre, value.word(diagnostics, &PRE)),
            "event_initial" => set(&mut settings.event_initial, value.boolean(diagnostics)),
            "double_cross" => set(&mut settings.double_cross, value.number(diagnostics, NOT_NEGATIVE)),
            "impacts" => set(&mut settings.accumulation.impacts, value.count(diagnostics, 3)),
            "window" => set(&mut settings.accumulation.window, value.number(diagnostics, POSITIVE)),
            "most_impacts" => set(&mut settings.accumulation.most_impacts, value.count(diagnostics, 3)),
            "tick" => set(&mut settings.instant.tick, value.number(diagnostics, POSITIVE)),
            "restart_every" => settings.restart_every = value.number(diagnostics, POSITIVE),
            "gap" => {
                let gap = at_most(u32::MAX as usize, value.count(diagnostics, 0), &value, diagnostics);
                set(&mut settings.instant.gap, gap.and_then(|gap| u32::try_from(gap).ok()));
            }
            _ => (),
        }
    }
    settings
}

/// Assigns a value to a setting if the value is valid.
fn set<T>(setting: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *setting = value;
    }
}

fn method(value: &Value<'_>, names: &Names, diagnostics: &mut Diagnostics<'_>) -> Option<Method> {
    let method = value.word(diagnostics, &METHODS)?;
    let has_algebraic = names.continuous.len() > names.states;
    if has_algebraic && matches!(method, Method::Explicit | Method::HighOrder) {
        diagnostics.note(&value.span, "the model has algebraic equations, which require `stiff` or `auto`");
        return None;
    }
    Some(method)
}

/// Reads one number, or an array with one number for each continuous variable.
fn tolerance(
    value: &Value<'_>,
    condition: Condition,
    names: &Names,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Tolerance> {
    let Node::Array(values) = &value.node else {
        return value.number(diagnostics, condition).map(Tolerance::All);
    };
    let (needed, found) = (names.continuous.len(), values.len());
    if needed != found {
        let all = names.continuous.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        diagnostics.note(&value.span, format_args!("expected {needed} tolerances, for {all}; found {found}"));
        return None;
    }
    values
        .iter()
        .map(|value| value.number(diagnostics, condition))
        .collect::<Option<_>>()
        .map(Tolerance::Each)
}

/// Returns a count that is at most `most`. A larger count is reported.
fn at_most(
    most: usize,
    count: Option<usize>,
    value: &Value<'_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<usize> {
    let count = count?;
    if count > most {
        diagnostics.note(&value.span, format_args!("this is {count}; it must be at most {most}"));
        return None;
    }
    Some(count)
}
