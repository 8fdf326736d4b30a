//! The interactions of a model: which systems, which relation, which law.

use std::ops::Range;

use siconos_expression::nearest;
use siconos_kernel::model::NonSmoothDynamicalSystem;

use super::laws::{self, Law};
use super::relations::{self, Relation};
use super::scopes::Scopes;
use super::systems::System;
use super::write::{Names, Sheet, Unwritten};
use crate::document::{Entry, Faults, Form, Key, Node, Table, Value, needed};

pub(super) const KEYS: [Key; 3] = [
    needed("systems", Form::Names, "the systems that it is between, in the order of the relation"),
    needed("relation", Form::Table, "what y and lambda are"),
    needed("law", Form::Settings, "the law between them: the name of one in `[laws]`, or the law itself"),
];

/// An interaction as its file describes it.
#[derive(Debug)]
pub(super) struct Interaction {
    pub(super) name: String,
    /// Of its name.
    pub(super) span: Range<usize>,
    /// Places in the list of systems.
    pub(super) systems: Vec<usize>,
    pub(super) relation: Relation,
    pub(super) law: Law,
}

/// Reads the interaction under a name; nothing where it is at fault.
pub(super) fn read(
    entry: Entry<'_>,
    systems: &[System],
    named_laws: &Table<'_>,
    scopes: &Scopes,
    faults: &mut Faults<'_>,
) -> Option<Interaction> {
    let Entry { key, key_span, value } = entry;
    let [names, relation, law] = value.table(faults)?.keyed(&KEYS, &key_span, faults);
    let places = names.and_then(|names| places(&names, systems, faults));
    let (Some(places), Some(relation)) = (places, relation) else { return None };
    let between: Vec<_> = places.iter().map(|place| &systems[*place]).collect();
    // What a system is cannot be known where it is at fault, which has been told.
    if between.iter().any(|system| system.is_at_fault()) {
        return None;
    }
    let relation = relations::read(relation, &between, scopes, faults);
    let law = named(law?, named_laws, faults);
    let relation = relation?;
    let law = laws::read(&law?, relation.size(), scopes, faults)?;
    Some(Interaction { name: key.into_owned(), span: key_span, systems: places, relation, law })
}

/// The systems of these names.
fn places(names: &Value<'_>, systems: &[System], faults: &mut Faults<'_>) -> Option<Vec<usize>> {
    let listed = names.names(faults)?;
    if listed.is_empty() {
        faults.note(&names.span, "an interaction needs a system at least");
        return None;
    }
    let place = |(name, span): &(String, Range<usize>), faults: &mut Faults<'_>| {
        let found = systems.iter().position(|system| system.name == *name);
        if found.is_none() {
            let near = nearest(name, systems.iter().map(|system| system.name.as_str()));
            let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            faults.note(span, format_args!("there is no system `{name}`{near}"));
        }
        found
    };
    let all: Vec<_> = listed.iter().map(|name| place(name, faults)).collect();
    all.into_iter().collect()
}

/// The law that a name stands for. The names of laws that need no settings are laws as well.
fn named<'s>(law: Value<'s>, named_laws: &Table<'s>, faults: &mut Faults<'_>) -> Option<Value<'s>> {
    let Node::Text(name) = &law.node else { return Some(law) };
    match named_laws.get(&name.content) {
        Some(found) => Some(found.clone()),
        None if named_laws.entries.is_empty() || laws::is_word(&name.content) => Some(law),
        None => {
            let near = nearest(&name.content, named_laws.entries.iter().map(|entry| &*entry.key));
            let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            faults.note(&law.span, format_args!("there is no law `{}` in [laws]{near}", name.content));
            None
        }
    }
}

/// Writes all interactions of a model, each by its name.
pub(super) fn write(
    model: &NonSmoothDynamicalSystem,
    names: &Names,
    unwritten: &mut Vec<Unwritten>,
) -> Value<'static> {
    let [systems, relation, law] = &KEYS;
    let mut written = Vec::with_capacity(names.interactions().len());
    for (id, name) in names.interactions() {
        let Ok(own) = model.interaction(*id) else { continue };
        let object = || format!("interaction `{name}`");
        let between = own.systems();
        let columns = between
            .iter()
            .filter_map(|id| model.system(*id).ok())
            .map(|system| if system.is_first_order() { system.x0().len() } else { system.q0().len() });
        let mut of_relation = Sheet::new(object(), unwritten);
        relations::write(own.relation(), columns.sum(), &mut of_relation);
        let of_relation = of_relation.table();
        let mut sheet = Sheet::new(object(), unwritten);
        sheet.put(systems, Value::of_array(between.iter().map(|id| Value::of_text(names.system(*id)))));
        laws::write(own.law(), law, &mut sheet);
        sheet.put(relation, of_relation);
        written.push((name.clone(), sheet.table()));
    }
    Value::of_table(written)
}
