//! Interactions of a model: systems, relation and law.

use std::collections::BTreeMap;
use std::ops::Range;

use siconos_expression::Expression;
use siconos_kernel::model::{DynamicalSystem, InteractionId, NonSmoothDynamicalSystem};

use super::laws::{self, Law, NamedLaws};
use super::relations::{self, Relation};
use super::scopes::Scopes;
use super::systems::System;
use super::table_writer::{Names, TableWriter, UnwrittenPart, coordinate_count};
use super::values::sized;
use crate::document::{
    Diagnostics, Form, Key, TreeEntry, Value, check_plain, needed, note_unknown, optional,
};

pub(super) const KEYS: [Key; 5] = [
    needed("systems", Form::Names, "one or more systems, in the order in which the relation uses them"),
    needed(
        "relation",
        Form::Table,
        "definition of the output y and of the effect of the multiplier lambda on the systems",
    ),
    needed(
        "law",
        Form::Settings,
        "nonsmooth law between y and lambda: the name of a law in `[laws]`, or the law itself",
    ),
    optional(
        "lambda",
        Form::Vector,
        "multipliers at the start, for first-order systems and compliant contacts; default 0",
    ),
    optional(
        "y",
        Form::Vector,
        "expected outputs at the start; it is an error if the relation gives other values",
    ),
];

/// An interaction as described in the file.
#[derive(Debug)]
pub(super) struct Interaction {
    pub(super) name: String,
    /// Location of the interaction's name.
    pub(super) span: Range<usize>,
    /// Indices of its systems in the file.
    pub(super) systems: Vec<usize>,
    pub(super) relation: Relation,
    pub(super) law: Law,
    /// Multipliers at the start.
    pub(super) lambda: Option<Vec<Expression>>,
    /// Outputs at the start, and the location of their value.
    pub(super) y: Option<(Vec<Expression>, Range<usize>)>,
}

impl Interaction {
    /// Returns the number of components of each contact, or `None` if the interaction does not consist of
    /// contacts: its law is not a contact law, or its systems are of first order.
    pub(super) fn contact_block(&self, systems: &[System]) -> Option<usize> {
        let mut between = self.systems.iter().filter_map(|place| systems.get(*place));
        if between.any(System::is_first_order) { None } else { self.law.contact_block() }
    }

    /// Returns `true` if the multiplier at the level of positions can differ from 0. The multiplier of a
    /// rigid contact or joint is an impulse.
    pub(super) fn has_lambda(&self, systems: &[System]) -> bool {
        let mut between = self.systems.iter().filter_map(|place| systems.get(*place));
        between.any(System::is_first_order) || self.relation.is_compliant() || !self.law.is_rigid()
    }
}

/// Objects that interactions refer to.
pub(super) struct Known<'k> {
    pub(super) systems: &'k [System],
    pub(super) places: BTreeMap<&'k str, usize>,
    pub(super) laws: NamedLaws,
    pub(super) scopes: &'k Scopes,
}

impl<'k> Known<'k> {
    pub(super) fn new(systems: &'k [System], laws: NamedLaws, scopes: &'k Scopes) -> Self {
        let places = systems.iter().enumerate().map(|(place, system)| (&*system.name, place)).collect();
        Self { systems, places, laws, scopes }
    }
}

/// Reads an interaction. Returns `None` if it has an error.
pub(super) fn read(
    entry: TreeEntry<'_>,
    known: &Known<'_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Interaction> {
    let TreeEntry { key, key_span, value } = entry;
    let is_named = check_plain(&key, &key_span, diagnostics);
    if known.places.contains_key(&*key) {
        let message = format_args!(
            "there is also a system `{key}`, and outputs cannot distinguish them; use another name"
        );
        diagnostics.note(&key_span, message);
    }
    let [names, relation, law, lambda, y] = value.table(diagnostics)?.keyed(&KEYS, &key_span, diagnostics);
    let of_systems = names.as_ref().map_or_else(|| key_span.clone(), |names| names.span.clone());
    let places = names.map_or_else(Vec::new, |names| places(&names, known, diagnostics));
    let between: Vec<_> = match &places[..] {
        [] => vec![None],
        places => places.iter().map(|place| place.and_then(|place| known.systems.get(place))).collect(),
    };
    let law = law.and_then(|value| {
        laws::of_interaction(&value, &known.laws, known.scopes, diagnostics).map(|law| (law, value.span))
    });
    let law_size = law.as_ref().and_then(|(law, _)| law.size());
    let relation = relation.and_then(|value| {
        let span = value.span.clone();
        relations::read(value, &between, law_size, known.scopes, diagnostics).map(|relation| (relation, span))
    });
    let ((relation, of_relation), (law, of_law)) = relation.zip(law)?;
    if relation.size() == 0 {
        diagnostics.note(&of_relation, "this relation has no components");
        return None;
    }
    let found = places.len();
    if let Some(bodies) = relation.bodies().filter(|bodies| !bodies.contains(&found)) {
        let words = match (*bodies.start(), *bodies.end()) {
            (1, 1) => "one body",
            (2, 2) => "two bodies",
            _ => "one or two bodies",
        };
        diagnostics.note(&of_systems, format_args!("this relation requires {words}, found {found}"));
        return None;
    }
    // The derivative of y and the matrix of the one-step problem have these sizes, which are limited.
    let columns: usize = between.iter().flatten().filter_map(|system| system.coordinates.size()).sum();
    if !diagnostics.fill((relation.size(), columns.saturating_add(relation.size())), &of_relation) {
        return None;
    }
    let law = law.for_size(relation.size(), &of_law, diagnostics)?;
    let mut initial = |value: Option<Value<'_>>| {
        let size = relation.size();
        value.map_or(Some(None), |value| {
            let entries = sized(&value, size, &known.scopes.parameters, diagnostics)?;
            Some(Some((entries, value.span)))
        })
    };
    let (lambda, y) = (initial(lambda), initial(y));
    let systems = places.into_iter().collect::<Option<Vec<_>>>().filter(|_| is_named)?;
    let lambda = lambda?.map(|(lambda, _)| lambda);
    Some(Interaction { name: key.into_owned(), span: key_span, systems, relation, law, lambda, y: y? })
}

/// Returns the indices of the systems with these names. The entry of an unknown name is `None`.
fn places(names: &Value<'_>, known: &Known<'_>, diagnostics: &mut Diagnostics<'_>) -> Vec<Option<usize>> {
    let Some(listed) = names.names(diagnostics) else { return Vec::new() };
    if listed.is_empty() {
        diagnostics.note(&names.span, "an interaction requires at least one system");
    }
    let place = |(name, span): &(String, Range<usize>)| {
        let found = known.places.get(name.as_str()).copied();
        if found.is_none() {
            note_unknown(("system", name), span, known.places.keys().copied(), diagnostics);
        }
        found
    };
    listed.iter().map(place).collect()
}

/// Writes all interactions of a model with their names. `of_file` contains the laws whose numbers read
/// parameters.
pub(super) fn write(
    model: &NonSmoothDynamicalSystem,
    of_file: &BTreeMap<InteractionId, Value<'static>>,
    names: &Names,
    unwritten: &mut Vec<UnwrittenPart>,
) -> Value<'static> {
    let [systems, relation, law, lambda, _y] = &KEYS;
    let mut written = Vec::with_capacity(names.interactions().len());
    for (id, name) in names.interactions() {
        let Ok(own) = model.interaction(*id) else { continue };
        let object = || format!("interaction `{name}`");
        let between = own.systems();
        let of_velocities = own.relation().is_first_order();
        let count = |system: &DynamicalSystem| match of_velocities {
            true => system.degrees_of_freedom(),
            false => coordinate_count(system),
        };
        let columns = between.iter().filter_map(|id| model.system(*id).ok()).map(count);
        let mut of_relation = TableWriter::new(object(), unwritten);
        relations::write(own.relation(), columns.sum(), &mut of_relation);
        let of_relation = of_relation.table();
        let mut table_writer = TableWriter::new(object(), unwritten);
        table_writer
            .put(systems, Value::of_array(between.iter().map(|id| Value::of_text(names.system(*id)))));
        match of_file.get(id) {
            Some(own) => table_writer.put(law, own.clone()),
            None => laws::write(own.law(), law, &mut table_writer),
        }
        table_writer.put(relation, of_relation);
        if let Some(initial) = own.initial_lambda() {
            table_writer.vector(lambda, initial);
        }
        written.push((name.clone(), table_writer.table()));
    }
    Value::of_table(written)
}
