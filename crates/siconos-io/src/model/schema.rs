//! JSON Schema of model files, generated from the lists of keys that the readers use and from the Rust types
//! of settings.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use siconos_kernel::integrator::Integrator;
use siconos_kernel::model::NonSmoothLaw;
use siconos_kernel::simulation::{
    EventDrivenSettings, EventIntegrator, EventSettings, NewtonSettings, OnNonConvergence,
};
use siconos_numerics::avi::AviMethod;
use siconos_numerics::contact::ContactMethod;
use siconos_numerics::gmp::GmpMethod;
use siconos_numerics::lcp::LcpMethod;
use siconos_numerics::method::Method;
use siconos_numerics::mlcp::MlcpMethod;
use siconos_numerics::relay::RelayMethod;

use super::described::{Variant, laws as law_keys, settings as setting_keys};
use super::{control, events, interactions, laws, outputs, read, relations, simulation, systems};
use crate::document::json_schema::{
    Inner, any_of, array, boolean, named, nothing, number, object, of_file, table, text, vector,
};
use crate::document::{self, FORMAT, Key, Node, Shape, VALUE, shape_of, snake_case};
use crate::output::{COLUMN, of_output};

/// Returns the JSON Schema (draft 2020-12) of model files of kind `model`. Editors use it to complete and
/// check a file while it is written. The schema does not check conditions on more than one key, such as the
/// shape of a matrix. Only the reader checks them.
///
/// ```
/// let schema = siconos_io::model::schema();
/// assert_eq!(schema["properties"]["format"]["const"], 1);
/// assert!(schema["properties"]["systems"].is_object());
/// ```
#[must_use]
pub fn schema() -> Value {
    document("A model of a nonsmooth dynamical system", &read::KEYS, &of_root)
}

/// Returns the schema of a whole file.
pub(super) fn document(title: &str, keys: &[Key], inner: Inner<'_>) -> Value {
    let mut root = table(keys, inner);
    root["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    root["title"] = json!(title);
    root
}

fn of_root(key: &str) -> Option<Value> {
    Some(match key {
        "format" => json!({ "const": FORMAT }),
        "constants" => named(number()),
        "parameters" => named(vector()),
        "functions" => named(text()),
        "systems" => named(any_of(systems::KEYS.iter().map(|keys| table(keys, &of_system)))),
        "laws" => named(law()),
        "interactions" => named(table(&interactions::KEYS, &of_interaction)),
        "simulation" => any_of([
            table(&simulation::TIME_STEPPING, &of_time_stepping),
            table(&simulation::EVENT_DRIVEN, &of_event_driven),
        ]),
        "control" => named(any_of(control::KEYS.iter().map(|keys| table(keys, &nothing)))),
        "events" => named(table(&events::KEYS, &of_event)),
        "output" => table(&outputs::KEYS, &of_model_output),
        _ => return None,
    })
}

fn of_system(key: &str) -> Option<Value> {
    match key {
        "attitude" => Some(any_of([array(number()), table(&systems::ORIENTATION, &nothing)])),
        "control" => Some(table(&systems::CONTROL, &nothing)),
        "internal_derivative" | "gyroscopic_derivative" => Some(table(&systems::DERIVATIVES, &nothing)),
        _ => None,
    }
}

fn of_interaction(key: &str) -> Option<Value> {
    match key {
        "relation" => Some(any_of(relations::KEYS.iter().map(|keys| table(keys, &of_relation)))),
        // The name of a law in `[laws]` can be any string.
        "law" => Some(any_of([text(), law()])),
        _ => None,
    }
}

fn of_relation(key: &str) -> Option<Value> {
    match key {
        "rows" => {
            let in_plane = object(
                json!({ "kind": { "enum": relations::ROWS_IN_PLANE }, "axis": vector() }),
                &["kind", "axis"],
            );
            Some(any_of([json!({ "enum": relations::ROWS }), in_plane]))
        }
        "shape" => Some(any_of(relations::SHAPES.iter().map(|keys| table(keys, &nothing)))),
        "against" => Some(any_of(relations::OBSTACLES.iter().map(|keys| table(keys, &nothing)))),
        "joint" | "first_joint" | "second_joint" => {
            let keys = [&relations::REVOLUTE, &relations::WITH_AXIS];
            Some(any_of(keys.map(|keys| table(keys, &nothing))))
        }
        _ => None,
    }
}

/// Returns the schema of a law. A law is a table, or only a name if it takes its size from the relation. The
/// keys of the table are in `laws::KEYS`, or follow from the Rust type of the law.
fn law() -> Value {
    let words: Vec<_> = laws::SIZED.iter().map(|(word, _)| *word).collect();
    let of_relation = object(json!({ "kind": { "enum": words } }), &["kind"]);
    let of_types =
        choices(&shape_of::<NonSmoothLaw>(), &Map::new(), &|name| (!laws::has_keys(name)).then(Vec::new));
    let of_types = described(of_types, law_keys::LAWS);
    let by_keys = laws::KEYS.iter().map(|keys| {
        let mut law = table(keys, &nothing);
        law["description"] = json!(law_keys::formula(keys));
        law
    });
    any_of([json!({ "enum": words }), of_relation].into_iter().chain(by_keys).chain([of_types]))
}

fn of_event(key: &str) -> Option<Value> {
    (key == "set").then(|| named(vector()))
}

fn of_model_output(key: &str) -> Option<Value> {
    match key {
        "contacts" => Some(any_of([boolean(), text(), array(text())])),
        _ => of_output(&COLUMN)(key),
    }
}

fn of_both(key: &str) -> Option<Value> {
    match key {
        "solver" => Some(solver()),
        "events" => Some(settings::<EventSettings>(setting_keys::EVENTS)),
        _ => None,
    }
}

fn of_time_stepping(key: &str) -> Option<Value> {
    match key {
        "integrator" => Some(settings::<Integrator>(setting_keys::INTEGRATORS)),
        "integrators" => Some(named(settings::<Integrator>(setting_keys::INTEGRATORS))),
        "newton" => Some(settings::<NewtonSettings>(setting_keys::NEWTON)),
        "on_non_convergence" => Some(settings::<OnNonConvergence>(setting_keys::ON_NON_CONVERGENCE)),
        other => of_both(other),
    }
}

fn of_event_driven(key: &str) -> Option<Value> {
    match key {
        "integrator" => Some(settings::<EventIntegrator>(setting_keys::EVENT_INTEGRATORS)),
        "settings" => Some(settings::<EventDrivenSettings>(setting_keys::EVENT_DRIVEN)),
        other => of_both(other),
    }
}

/// Returns the schema of a solver: a method of any problem class, with the name of this class.
fn solver() -> Value {
    any_of([
        methods::<LcpMethod>("lcp"),
        methods::<MlcpMethod>("mlcp"),
        methods::<RelayMethod>("relay"),
        methods::<AviMethod>("avi"),
        methods::<ContactMethod>("contact"),
        methods::<GmpMethod>("gmp"),
    ])
}

/// Returns the schema of the methods of a problem class, each with all of its aliases.
fn methods<M: Method + Serialize + DeserializeOwned>(class: &str) -> Value {
    let variant_of = |method: &M| match document::Value::of_settings(method, None)?.short().node {
        Node::Text(text) => Some(text.content.into_owned()),
        Node::Table(table) => match &table.get("kind")?.node {
            Node::Text(text) => Some(text.content.clone().into_owned()),
            _ => None,
        },
        _ => None,
    };
    let mut names: BTreeMap<String, Vec<&'static str>> = BTreeMap::new();
    for method in M::all() {
        let of_method = std::iter::once(method.name()).chain(method.description().other_names());
        names.entry(variant_of(&method).unwrap_or_default()).or_default().extend(of_method);
    }
    let mut beside = Map::new();
    beside.insert("class".to_owned(), json!({ "const": class }));
    choices(&shape_of::<M>(), &beside, &|variant| Some(names.get(variant).cloned().unwrap_or_default()))
}

/// Returns the schema of a type whose keys are described by `variants`.
pub(super) fn settings<T: DeserializeOwned>(variants: &[Variant]) -> Value {
    described(of_shape(&shape_of::<T>()), variants)
}

/// Adds the definitions of variants and the meanings of their keys to a schema.
fn described(mut schema: Value, variants: &[Variant]) -> Value {
    for Variant { word, says, keys } in variants {
        let Some(word) = word else {
            describe(&mut schema, keys);
            continue;
        };
        let tables = schema["anyOf"].as_array_mut().into_iter().flatten();
        let is_variant = |table: &&mut Value| {
            let names = table["properties"]["kind"]["enum"].as_array();
            names.is_some_and(|names| names.iter().any(|name| name == word))
        };
        for table in tables.filter(is_variant) {
            table["description"] = json!(says);
            describe(table, keys);
        }
    }
    schema
}

/// Adds the meanings of keys to the schema of a table.
fn describe(table: &mut Value, keys: &[Key]) {
    for key in keys {
        table["properties"][key.name]["description"] = json!(key.says);
    }
}

fn of_shape(shape: &Shape) -> Value {
    match shape {
        Shape::Number => number(),
        // An expression with a whole number as its value is written as a string.
        Shape::Count => json!({ "type": ["integer", "string"] }),
        Shape::Boolean => boolean(),
        Shape::Text => text(),
        Shape::Array(entry) => any_of([array(of_shape(entry)), of_file()]),
        Shape::Table { .. } => of_keys(shape, Map::new()),
        Shape::ByForm => vector(),
        Shape::Choice(_) => choices(shape, &Map::new(), &|_| Some(Vec::new())),
        Shape::Other => json!({}),
    }
}

/// Returns the schema of a table with the keys of `shape` and further required keys.
fn of_keys(shape: &Shape, beside: Map<String, Value>) -> Value {
    let mut needed: Vec<String> = beside.keys().cloned().collect();
    let mut properties = beside;
    if let Shape::Table { keys, needed: first } = shape {
        properties.extend(keys.iter().map(|(key, shape)| ((*key).to_owned(), of_shape(shape))));
        needed.extend(first.map(str::to_owned));
    }
    object(properties, &needed)
}

/// Returns the schema of the variants of a choice. A variant is a table with the name of the variant, or only
/// this name if the variant needs no other key. `other_names` returns the aliases of a variant, or `None` if
/// the variant is omitted.
fn choices(
    shape: &Shape,
    beside: &Map<String, Value>,
    other_names: &dyn Fn(&str) -> Option<Vec<&'static str>>,
) -> Value {
    let Shape::Choice(variants) = shape else { return json!({}) };
    let (mut words, mut all) = (Vec::new(), Vec::new());
    for (variant, inner) in variants {
        let name = snake_case(variant);
        let Some(others) = other_names(&name) else { continue };
        let needs_nothing = matches!(inner, None | Some(Shape::Table { needed: None, .. }));
        // The reader also accepts the names that the variants have in the code.
        let mut names = vec![name.clone(), (*variant).to_owned()];
        names.extend(others.into_iter().map(str::to_owned));
        names.sort();
        names.dedup();
        if needs_nothing {
            words.extend([name, (*variant).to_owned()]);
        }
        let mut beside = beside.clone();
        beside.insert("kind".to_owned(), json!({ "enum": names }));
        if let Some(held) = inner.as_ref().filter(|inner| !matches!(inner, Shape::Table { .. })) {
            beside.insert(VALUE.to_owned(), of_shape(held));
        }
        all.push(of_keys(inner.as_ref().unwrap_or(&Shape::Other), beside));
    }
    words.dedup();
    if beside.is_empty() {
        all.insert(0, json!({ "enum": words }));
    }
    any_of(all)
}
