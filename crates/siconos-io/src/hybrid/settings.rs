//! Settings of the engine and of its integrator, in one table.

use siconos_hybrid::{EventIterate, EventPre, HybridSettings};
use siconos_ode::{MOST_SAMPLES, Method, Tolerance};

use super::names::Names;
use crate::document::{Condition, Faults, Node, Table, Value};

const METHODS: [(&str, Method); 4] = [
    ("auto", Method::Auto),
    ("explicit", Method::Explicit),
    ("high_order", Method::HighOrder),
    ("stiff", Method::Stiff),
];
const PRE: [(&str, EventPre); 4] = [
    ("iteration", EventPre::Iteration),
    ("initial", EventPre::Initial),
    ("assignment", EventPre::Assignment),
    ("change", EventPre::Change),
];
const ITERATE: [(&str, EventIterate); 2] =
    [("trigger", EventIterate::Trigger), ("prechange", EventIterate::PreChange)];

const POSITIVE: Condition =
    Condition { holds: |value| value.is_finite() && value > 0.0, in_words: "finite and above 0" };
const ABOVE_ZERO: Condition = Condition { holds: |value| value > 0.0, in_words: "above 0" };
const NOT_NEGATIVE: Condition =
    Condition { holds: |value| value.is_finite() && value >= 0.0, in_words: "finite and at least 0" };
const RELATIVE: Condition =
    Condition { holds: |value| value.is_finite() && value >= 1e-14, in_words: "finite and at least 1e-14" };

pub(super) const KEYS: [&str; 19] = [
    "method",
    "relative_tolerance",
    "absolute_tolerance",
    "h_initial",
    "h_max",
    "max_steps",
    "samples",
    "root_tolerance",
    "event_maxiter",
    "event_iterate",
    "event_pre",
    "event_initial",
    "double_cross",
    "impacts",
    "window",
    "most_impacts",
    "tick",
    "gap",
    "restart_every",
];

/// Reads the table of settings. Missing settings have their defaults, which depend on the time span of the
/// integration \[s\] if it is known.
pub(super) fn read(
    table: Table<'_>,
    span: Option<f64>,
    names: &Names,
    faults: &mut Faults<'_>,
) -> HybridSettings {
    let mut settings = span.map_or_else(HybridSettings::default, HybridSettings::for_span);
    let ode = &mut settings.ode;
    for (place, value) in table.fields(faults, KEYS).into_iter().enumerate() {
        let Some(value) = value else { continue };
        match KEYS[place] {
            "method" => set(&mut ode.method, method(&value, names, faults)),
            "relative_tolerance" => {
                set(&mut ode.relative_tolerance, tolerance(&value, RELATIVE, names, faults));
            }
            "absolute_tolerance" => {
                set(&mut ode.absolute_tolerance, tolerance(&value, POSITIVE, names, faults));
            }
            "h_initial" => ode.h_initial = value.number(faults, POSITIVE),
            "h_max" => set(&mut ode.h_max, value.number(faults, ABOVE_ZERO)),
            "max_steps" => set(&mut ode.max_steps, value.count(faults, 1)),
            "samples" => set(&mut ode.samples, at_most(MOST_SAMPLES, value.count(faults, 1), &value, faults)),
            "root_tolerance" => set(&mut ode.root_tolerance, value.number(faults, POSITIVE)),
            "event_maxiter" => set(&mut settings.event_maxiter, value.count(faults, 1)),
            "event_iterate" => set(&mut settings.event_iterate, value.word(faults, &ITERATE)),
            "event_pre" => set(&mut settings.event_pre, value.word(faults, &PRE)),
            "event_initial" => set(&mut settings.event_initial, value.boolean(faults)),
            "double_cross" => set(&mut settings.double_cross, value.number(faults, NOT_NEGATIVE)),
            "impacts" => set(&mut settings.accumulation.impacts, value.count(faults, 3)),
            "window" => set(&mut settings.accumulation.window, value.number(faults, POSITIVE)),
            "most_impacts" => set(&mut settings.accumulation.most_impacts, value.count(faults, 3)),
            "tick" => set(&mut settings.instant.tick, value.number(faults, POSITIVE)),
            "restart_every" => settings.restart_every = value.number(faults, POSITIVE),
            "gap" => {
                let gap = at_most(u32::MAX as usize, value.count(faults, 0), &value, faults);
                set(&mut settings.instant.gap, gap.and_then(|gap| u32::try_from(gap).ok()));
            }
            _ => (),
        }
    }
    settings
}

/// Changes a setting, unless its value has an error.
fn set<T>(setting: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *setting = value;
    }
}

fn method(value: &Value<'_>, names: &Names, faults: &mut Faults<'_>) -> Option<Method> {
    let method = value.word(faults, &METHODS)?;
    let has_algebraic = names.continuous.len() > names.states;
    if has_algebraic && matches!(method, Method::Explicit | Method::HighOrder) {
        faults.note(&value.span, "the model has algebraic equations, which need `stiff` or `auto`");
        return None;
    }
    Some(method)
}

/// Reads one number, or an array with one for each continuous variable.
fn tolerance(
    value: &Value<'_>,
    condition: Condition,
    names: &Names,
    faults: &mut Faults<'_>,
) -> Option<Tolerance> {
    let Node::Array(values) = &value.node else { return value.number(faults, condition).map(Tolerance::All) };
    let (needed, found) = (names.continuous.len(), values.len());
    if needed != found {
        let all = names.continuous.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        faults.note(&value.span, format_args!("expected {needed} tolerances, of {all}; found {found}"));
        return None;
    }
    values.iter().map(|value| value.number(faults, condition)).collect::<Option<_>>().map(Tolerance::Each)
}

/// Returns a count, unless it is above the largest one, which is reported.
fn at_most(most: usize, count: Option<usize>, value: &Value<'_>, faults: &mut Faults<'_>) -> Option<usize> {
    let count = count?;
    if count > most {
        faults.note(&value.span, format_args!("this is {count}; it must be at most {most}"));
        return None;
    }
    Some(count)
}
