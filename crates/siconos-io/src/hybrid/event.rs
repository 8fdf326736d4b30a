//! Events: triggers, actions and options.

use std::ops::Range;

use siconos_expression::{Action, Control, Statement, Trigger, ValueKind, parse_action, parse_trigger};

use super::keys;
use super::names::{Names, Setting};
use super::slots::{CONTINUOUS, PREVIOUS_CONTINUOUS, TEMPORARIES, TIME};
use super::unread::note_unread;
use crate::document::{Diagnostics, Text, Value};

/// Values of the keys of an event.
#[derive(Debug, Default)]
pub(super) struct Fields<'s> {
    trigger: Option<Text<'s>>,
    action: Option<Text<'s>>,
    retrigger: Option<(bool, Range<usize>)>,
    fire_initial: Option<(bool, Range<usize>)>,
    pub(super) requires: Option<Requires>,
    is_enabled: bool,
}

/// Boolean variable that an event requires, its required value, and the location of its name in the file.
#[derive(Clone, Debug)]
pub(super) struct Requires {
    pub(super) name: String,
    pub(super) value: bool,
    pub(super) span: Range<usize>,
}

/// Event whose trigger and action have been parsed.
#[derive(Debug)]
pub(super) struct Event<'s> {
    pub(super) text: Text<'s>,
    pub(super) trigger: Trigger,
    pub(super) action: Action,
    pub(super) retrigger: Option<bool>,
    pub(super) fire_initial: Option<bool>,
    pub(super) requires: Option<Requires>,
    pub(super) is_enabled: bool,
}

impl<'s> Fields<'s> {
    /// Reads the keys of an event.
    pub(super) fn read(value: Value<'s>, diagnostics: &mut Diagnostics<'_>) -> Self {
        let span = value.span.clone();
        let Some(table) = value.table(diagnostics) else { return Self::default() };
        let [trigger, action, retrigger, fire_initial, requires, enabled] =
            table.fields(diagnostics, keys::names(&keys::EVENT));
        let option = |value: Option<Value<'_>>, diagnostics: &mut Diagnostics<'_>| {
            value.and_then(|value| Some((value.boolean(diagnostics)?, value.span)))
        };
        let trigger =
            diagnostics.required(trigger, "trigger", &span).and_then(|trigger| trigger.text(diagnostics));
        Self {
            trigger,
            action: action.and_then(|action| action.text(diagnostics)),
            retrigger: option(retrigger, diagnostics),
            fire_initial: option(fire_initial, diagnostics),
            requires: requires.and_then(|requires| Requires::read(requires, diagnostics)),
            is_enabled: option(enabled, diagnostics).is_none_or(|(is_enabled, _)| is_enabled),
        }
    }

    /// Parses the trigger and the action. All names must have been declared. Returns `None` if the event has
    /// an error. Parsing continues after an error in one string of the event, so that errors in its other
    /// strings are also reported.
    pub(super) fn parse(
        self,
        names: &Names,
        diagnostics: &mut Diagnostics<'_>,
        remarks: &mut Diagnostics<'_>,
    ) -> Option<Event<'s>> {
        let action = match &self.action {
            None => Some(Action::None),
            Some(text) => {
                let action = names.parse(Setting::AtEvents, text, 0, diagnostics, parse_action);
                action.filter(|action| is_sound(action, text, diagnostics)).inspect(|action| {
                    note_unread(action, text, names, remarks);
                })
            }
        };
        self.check_requires(names, diagnostics);
        let text = self.trigger.clone()?;
        let trigger = names.parse(Setting::AtEvents, &text, 0, diagnostics, parse_trigger)?;
        check_trigger(names, &text, &trigger, diagnostics);
        if self.requires.is_none() {
            check_moves(&text, &trigger, diagnostics);
        }
        self.check_options(&trigger, diagnostics);
        Some(Event {
            text,
            trigger,
            action: action?,
            retrigger: self.retrigger.map(|(retrigger, _)| retrigger),
            fire_initial: self.fire_initial.map(|(fire_initial, _)| fire_initial),
            requires: self.requires,
            is_enabled: self.is_enabled,
        })
    }

    fn check_requires(&self, names: &Names, diagnostics: &mut Diagnostics<'_>) {
        let Some(Requires { name, span, .. }) = &self.requires else { return };
        match names.get(name) {
            Some(known) if known.kind == ValueKind::Boolean => (),
            Some(known) => {
                let message =
                    format!("`{name}` is {}; `requires` must name a boolean variable", known.role.words());
                diagnostics.note(span, message);
            }
            None => {
                diagnostics.note(
                    span,
                    format_args!("unknown name `{name}`; `requires` must name a boolean variable"),
                );
            }
        }
    }

    /// Reports options that cannot be combined with the trigger or with each other.
    fn check_options(&self, trigger: &Trigger, diagnostics: &mut Diagnostics<'_>) {
        if let (Trigger::Time { .. }, Some((true, span))) = (trigger, &self.retrigger) {
            diagnostics.note(
                span,
                "`retrigger` cannot be combined with a timed trigger, which fires once at each time; remove it",
            );
        }
        let Some(Requires { span, .. }) = &self.requires else { return };
        match trigger {
            Trigger::Root { condition: None, side: None, .. } => (),
            Trigger::Root { .. } => {
                diagnostics.note(
                    span,
                    "`requires` can be used only with a plain root, without a condition or a side",
                );
            }
            _ => diagnostics.note(span, "`requires` can be used only with a root"),
        }
        if let Some((_, span)) = self.retrigger.as_ref().or(self.fire_initial.as_ref()) {
            diagnostics.note(span, "`requires` cannot be combined with another option; remove this one");
        }
    }
}

impl Requires {
    /// Reads `NAME` or `not NAME`.
    fn read(value: Value<'_>, diagnostics: &mut Diagnostics<'_>) -> Option<Self> {
        let text = value.text(diagnostics)?;
        let content = text.content.trim_end();
        let name = content.trim_start();
        let (name, value) =
            match name.strip_prefix("not").filter(|rest| rest.starts_with(char::is_whitespace)) {
                Some(negated) => (negated.trim_start(), false),
                None => (name, true),
            };
        let span = text.span_of(&(content.len() - name.len()..content.len()));
        Some(Self { name: name.to_owned(), value, span })
    }
}

/// Returns `true` if an action is valid; reports the error otherwise. An action is invalid if it does
/// nothing, or if it assigns a derivative that the model does not have.
fn is_sound(action: &Action, text: &Text<'_>, diagnostics: &mut Diagnostics<'_>) -> bool {
    let Action::Run { statements, .. } = action else { return true };
    if let Some((name, place)) = primed_temporary(statements) {
        let message =
            format!("no equation has a derivative `{name}`, and names of temporaries must not have primes");
        diagnostics.note(&text.span_of(&place), message);
        return false;
    }
    let [Statement::Control(Control::NoMark, place)] = &statements[..] else { return true };
    diagnostics
        .note(&text.span_of(place), "`no_mark` is not an action by itself; use it at the end of an action");
    false
}

/// Returns the first temporary whose name has primes, and the location of its assignment.
fn primed_temporary(statements: &[Statement]) -> Option<(&str, Range<usize>)> {
    statements.iter().find_map(|statement| match statement {
        Statement::Assign { name, target, span, .. } => {
            let is_meant = target.slot == TEMPORARIES && name.contains('\'');
            is_meant.then(|| (name.as_str(), span.start..span.start + name.len()))
        }
        Statement::If { then, otherwise, .. } => {
            primed_temporary(then).or_else(|| primed_temporary(otherwise))
        }
        Statement::Control(..) => None,
    })
}

/// Reports errors in a trigger that the grammar allows, but an event cannot have.
fn check_trigger(names: &Names, text: &Text<'_>, trigger: &Trigger, diagnostics: &mut Diagnostics<'_>) {
    match trigger {
        Trigger::Root { function, .. } => check_past(names, text, function.reads_previous(), diagnostics),
        Trigger::Range { function, lower, upper } => {
            check_past(names, text, function.reads_previous(), diagnostics);
            let ends = [lower, upper].map(|end| {
                let value = end.constant();
                if value.is_none() {
                    let message =
                        "the ends of a range must be constant; move the terms that vary into the function";
                    diagnostics.note(&text.span_of(&end.span()), message);
                }
                value
            });
            if let [Some(lower), Some(upper_value)] = ends
                && !(lower.is_finite() && upper_value.is_finite() && lower < upper_value)
            {
                let message = format!(
                    "the range is from {lower} to {upper_value}; its ends must be finite, and the first must be below the second"
                );
                diagnostics.note(&text.span_of(&upper.span()), message);
            }
        }
        Trigger::Time { .. } => (),
        Trigger::Discrete { condition } => {
            let is_told_apart = text.content.trim_start().starts_with('[');
            let varies = |slot| [TIME, CONTINUOUS, PREVIOUS_CONTINUOUS].contains(&slot);
            if let Some(symbol) =
                condition.symbols().find(|symbol| varies(symbol.slot)).filter(|_| !is_told_apart)
            {
                let name = names.name_of(symbol);
                let message = format!(
                    "this condition reads `{name}`, which changes between events; write `[root, condition]` for \
                     the root at which it must hold, or `[0, condition]` to test it at other events"
                );
                diagnostics.note(&text.span_of(&condition.span()), message);
            }
        }
    }
}

/// Reports a root trigger or range trigger if its function cannot change between events.
fn check_moves(text: &Text<'_>, trigger: &Trigger, diagnostics: &mut Diagnostics<'_>) {
    let (Trigger::Root { function, .. } | Trigger::Range { function, .. }) = trigger else { return };
    if function.symbols().any(|symbol| [TIME, CONTINUOUS].contains(&symbol.slot)) || function.reads_previous()
    {
        return;
    }
    let message = "this reads nothing that changes between events, so it never crosses zero; write a condition \
                   such as `n == 3`, which is tested at the other events";
    diagnostics.note(&text.span_of(&function.span()), message);
}

/// If `reads_previous` is `true`, reports that a root reads previous values. (The condition after the root
/// may read them.) To locate the error, the text is parsed without previous values, and parsing stops in the
/// root.
fn check_past(names: &Names, text: &Text<'_>, reads_previous: bool, diagnostics: &mut Diagnostics<'_>) {
    if reads_previous {
        let _refused = names.parse(Setting::BetweenEvents, text, 0, diagnostics, parse_trigger);
    }
}
