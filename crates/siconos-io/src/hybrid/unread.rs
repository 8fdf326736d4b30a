//! Temporary variables of actions that are never read. Most of them are misspelt names of variables.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use siconos_expression::{Action, Statement, Symbol, did_you_mean, nearest};

use super::names::Names;
use super::slots::TEMPORARIES;
use crate::document::{Diagnostics, Text};

/// Reports each temporary that an action assigns and never reads. Suggests the most similar name of a
/// variable.
pub(super) fn note_unread(action: &Action, text: &Text<'_>, names: &Names, remarks: &mut Diagnostics<'_>) {
    let Action::Run { statements, .. } = action else { return };
    let mut usage = Usage::default();
    usage.add(statements);
    for (name, place) in usage.assigned.into_iter().filter_map(|(symbol, assigned)| {
        let is_read = usage.read.contains(&symbol);
        (!is_read).then_some(assigned)
    }) {
        let hint = did_you_mean(nearest(name, names.assignable()).as_deref());
        remarks.note(&text.span_of(&place), format_args!("`{name}` is assigned but never read{hint}"));
    }
}

/// Names that an action reads, and the location of the first assignment of each temporary.
#[derive(Default)]
struct Usage<'a> {
    read: BTreeSet<Symbol>,
    assigned: BTreeMap<Symbol, (&'a str, Range<usize>)>,
}

impl<'a> Usage<'a> {
    fn add(&mut self, statements: &'a [Statement]) {
        for statement in statements {
            match statement {
                Statement::Assign { name, target, value, span, .. } => {
                    self.read.extend(value.symbols());
                    if target.slot == TEMPORARIES {
                        let place = span.start..span.start + name.len();
                        self.assigned.entry(*target).or_insert((name, place));
                    }
                }
                Statement::If { condition, then, otherwise } => {
                    self.read.extend(condition.symbols());
                    self.add(then);
                    self.add(otherwise);
                }
                Statement::Control(..) => (),
            }
        }
    }
}
