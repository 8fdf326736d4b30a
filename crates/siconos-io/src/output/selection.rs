//! Selection of the rows that are written.

use std::ops::Range;

use siconos_expression::{Expression, Scope};

use super::{EVERY, FROM, START, UNTIL};
use crate::document::{Diagnostics, Value, expression};

/// Keys of `[output]` that select rows in files of every kind.
#[derive(Clone, Debug)]
pub(crate) struct Selection {
    /// `true` if there is a row before the first step or event.
    pub(crate) has_start: bool,
    from: Option<Time>,
    until: Option<Time>,
    every: usize,
}

/// Time \[s\] as an expression of the parameters, with its location.
type Time = (Expression, Range<usize>);

/// Values of a [`Selection`] for a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    /// Time of the first row \[s\].
    from: Option<f64>,
    /// Time of the last row \[s\].
    until: Option<f64>,
    /// Every `every`-th row in the window is written.
    pub(super) every: u64,
    /// 1, or -1 for a run backward in time.
    pub(crate) sign: f64,
}

impl Window {
    /// Returns `true` if a row at the time `t` \[s\] is in the window.
    pub(super) fn contains(&self, t: f64) -> bool {
        self.from.is_none_or(|from| self.sign * (t - from) >= 0.0)
            && self.until.is_none_or(|until| self.sign * (until - t) >= 0.0)
    }
}

impl Selection {
    /// Reads the values of the keys `start`, `from`, `until` and `every`. The times can read the names in
    /// `scope`, which are constants and parameters.
    pub(crate) fn read(
        [start, from, until, every]: [Option<Value<'_>>; 4],
        scope: &Scope,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Option<Self> {
        let has_start = start.map_or(Some(true), |start| start.boolean(diagnostics));
        let mut time = |value: Option<Value<'_>>| match value {
            None => Some(None),
            Some(value) => expression(&value, scope, diagnostics).map(|time| Some((time, value.span))),
        };
        let (from, until) = (time(from), time(until));
        let every = every.map_or(Some(1), |every| every.count(diagnostics, 1));
        Some(Self { has_start: has_start?, from: from?, until: until?, every: every? })
    }

    /// Returns the window for a run forward in time with these values of the parameters.
    pub(crate) fn window(&self, parameters: &[f64]) -> Window {
        let time = |time: &Time| time.0.evaluate(&[&[], parameters]);
        Window {
            from: self.from.as_ref().map(time),
            until: self.until.as_ref().map(time),
            every: self.every as u64,
            sign: 1.0,
        }
    }

    /// Reports times that are not finite, and a last row before the first one.
    pub(crate) fn check(&self, window: Window, diagnostics: &mut Diagnostics<'_>) {
        for (time, own) in [(window.from, &self.from), (window.until, &self.until)] {
            if let (Some(time), Some((_, span))) = (time, own)
                && !time.is_finite()
            {
                diagnostics.note(span, format_args!("this is {time}; it must be finite"));
            }
        }
        if let (Some(from), Some(until), Some((_, span))) = (window.from, window.until, &self.until)
            && !window.contains(from)
            && from.is_finite()
            && until.is_finite()
        {
            let message = format_args!("this is {until}; `from` is {from}, so the table would have no rows");
            diagnostics.note(span, message);
        }
    }

    /// Returns the keys whose values are not the defaults, for a model file.
    pub(crate) fn written(&self) -> impl Iterator<Item = (&'static str, Value<'static>)> {
        let start = (!self.has_start).then(|| (START.name, Value::of_boolean(false)));
        let time = |key: &'static str, time: &Option<Time>| {
            time.as_ref().map(|(time, _)| (key, Value::of_entry(&time.to_string())))
        };
        let every = (self.every != 1).then(|| (EVERY.name, Value::of_count(self.every)));
        [start, time(FROM.name, &self.from), time(UNTIL.name, &self.until), every].into_iter().flatten()
    }
}
