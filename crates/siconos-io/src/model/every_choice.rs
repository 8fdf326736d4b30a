//! Tests that every law, integrator, solver and policy of the kernel can be written to a file and read back
//! unchanged. The choices are listed by their types, so that a new choice is tested without a change here.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use siconos_expression::Scope;
use siconos_kernel::integrator::Integrator;
use siconos_kernel::model::{NonSmoothLaw, NormalCone, Relay};
use siconos_kernel::ndarray::arr2;
use siconos_kernel::simulation::{
    EventDrivenSettings, EventIntegrator, EventSettings, NewtonSettings, OnNonConvergence,
};
use siconos_numerics::avi::AviMethod;
use siconos_numerics::contact::ContactMethod;
use siconos_numerics::gmp::GmpMethod;
use siconos_numerics::lcp::LcpMethod;
use siconos_numerics::mlcp::MlcpMethod;
use siconos_numerics::relay::RelayMethod;

use super::laws;
use super::registry::Registry;
use super::scopes::Scopes;
use super::table_writer::TableWriter;
use crate::document::{
    Diagnostics, Node, Shape, Table, VALUE, Value, read_text, settings, shape_of, snake_case, toml,
};

/// Numbers for samples. They are tried in order until the type accepts the sample.
const NUMBERS: [f64; 4] = [0.5, 1.0, 2.0, 0.0];
const COUNTS: [usize; 3] = [3, 2, 8];

/// Returns sample values of a shape. Each choice in the shape occurs in at least one of them.
fn samples(shape: &Shape, number: f64, count: usize) -> Vec<Value<'static>> {
    let of = |shape: &Shape| samples(shape, number, count);
    match shape {
        Shape::Number => vec![Value::of_number(number)],
        Shape::Count => vec![Value::of_count(count)],
        Shape::Boolean => vec![Value::of_boolean(true), Value::of_boolean(false)],
        Shape::Text => vec![Value::of_text("word")],
        Shape::Array(entry) => {
            of(entry).into_iter().map(|entry| Value::of_array([entry.clone(), entry])).collect()
        }
        Shape::Table { keys, .. } => tables(keys, None, &of),
        Shape::ByForm => {
            let number = Value::of_number(number);
            vec![number.clone(), Value::of_array([number.clone(), number])]
        }
        Shape::Choice(variants) => {
            variants.iter().flat_map(|(name, inner)| variant(name, inner.as_ref(), &of)).collect()
        }
        Shape::Other => Vec::new(),
    }
}

type Of<'o> = &'o dyn Fn(&Shape) -> Vec<Value<'static>>;

/// Returns tables that contain all keys. Each sample of each key occurs in at least one of the tables.
fn tables(keys: &[(&'static str, Shape)], kind: Option<&str>, of: Of<'_>) -> Vec<Value<'static>> {
    let columns: Vec<_> = keys.iter().map(|(key, shape)| (*key, of(shape))).collect();
    let count = columns.iter().map(|(_, samples)| samples.len()).max().unwrap_or(0).max(1);
    let table = |row: usize| {
        let kind = kind.map(|kind| ("kind", Value::of_text(kind)));
        let entries = columns.iter().filter(|(_, samples)| !samples.is_empty());
        let entries = entries.map(|(key, samples)| (*key, samples[row % samples.len()].clone()));
        Value::of_table(kind.into_iter().chain(entries))
    };
    (0..count).map(table).collect()
}

/// Returns samples of a variant: its name, or tables with its name and its settings or value.
fn variant(name: &str, inner: Option<&Shape>, of: Of<'_>) -> Vec<Value<'static>> {
    let word = snake_case(name);
    match inner {
        None => vec![Value::of_text(word)],
        Some(Shape::Table { keys, .. }) => tables(keys, Some(&word), of),
        Some(other) => {
            let kind = || ("kind", Value::of_text(word.clone()));
            of(other).into_iter().map(|held| Value::of_table([kind(), (VALUE, held)])).collect()
        }
    }
}

/// Writes a value to a file, reads it back and returns the result.
fn through_a_file<T: DeserializeOwned>(value: Value<'static>) -> Option<T> {
    let Value { node: Node::Table(root), .. } = Value::of_table([("own", value)]) else {
        return None;
    };
    let text = toml(&root).expect("it can be written");
    let read = |root: Table<'_>, diagnostics: &mut Diagnostics<'_>| {
        settings::<T>(root.get("own")?, &Scope::new(), diagnostics)
    };
    read_text((&text, "own.toml"), None, &[], read).ok()
}

/// Checks that each choice is read back unchanged. Returns the number of values that were tested.
fn assert_all<T: Serialize + DeserializeOwned + PartialEq + Debug>() -> usize {
    let shape = shape_of::<T>();
    let name = std::any::type_name::<T>();
    let mut count = 0;
    for row in 0..samples(&shape, 0.5, 3).len() {
        let tried = NUMBERS.iter().flat_map(|number| COUNTS.map(|count| (*number, count)));
        let read = tried.filter_map(|(number, count)| {
            let value = samples(&shape, number, count).into_iter().nth(row)?;
            settings::<T>(&value, &Scope::new(), &mut Diagnostics::new("", ""))
        });
        let own = read.into_iter().next().unwrap_or_else(|| {
            let value = samples(&shape, 0.5, 3).remove(row);
            let mut diagnostics = Diagnostics::new("", "");
            let _none: Option<T> = settings(&value, &Scope::new(), &mut diagnostics);
            panic!("{name}, {row}: {:?}: {:?}", value, diagnostics.check(None::<()>).map(drop))
        });
        let written = Value::of_settings(&own, None).unwrap_or_else(|| panic!("{own:?} cannot be written"));
        assert_eq!(through_a_file::<T>(written).as_ref(), Some(&own), "{name}");
        count += 1;
    }
    count
}

#[test]
fn every_choice_of_a_simulation_is_written_and_read() {
    let counts = [
        assert_all::<Integrator>(),
        assert_all::<EventIntegrator>(),
        assert_all::<EventDrivenSettings>(),
        assert_all::<EventSettings>(),
        assert_all::<NewtonSettings>(),
        assert_all::<OnNonConvergence>(),
        assert_all::<LcpMethod>(),
        assert_all::<MlcpMethod>(),
        assert_all::<RelayMethod>(),
        assert_all::<AviMethod>(),
        assert_all::<ContactMethod>(),
        assert_all::<GmpMethod>(),
    ];
    assert!(counts.iter().sum::<usize>() > 50, "{counts:?}");
}

#[test]
fn every_law_is_written_and_read() {
    let Shape::Choice(variants) = shape_of::<NonSmoothLaw>() else { panic!("laws are a choice") };
    for (name, inner) in &variants {
        let word = snake_case(name);
        let all: Vec<NonSmoothLaw> = match &word[..] {
            "relay" => {
                let bounds = Relay::new(vec![-1.0, f64::NEG_INFINITY], vec![f64::INFINITY, 0.5]);
                let bounds = bounds.expect("a law");
                let with_gain = bounds.clone().with_gain(2.5).expect("a law");
                vec![bounds.into(), with_gain.into()]
            }
            "normal_cone" => {
                let h = arr2(&[[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]);
                vec![NormalCone::new(h, vec![0.0, 0.0, -1.0]).expect("a law").into()]
            }
            _ => {
                let tried = NUMBERS.iter().flat_map(|number| COUNTS.map(|count| (*number, count)));
                let values = tried.flat_map(|(number, count)| {
                    variant(name, inner.as_ref(), &|shape: &Shape| samples(shape, number, count))
                });
                values
                    .filter_map(|value| settings(&value, &Scope::new(), &mut Diagnostics::new("", "")))
                    .collect()
            }
        };
        assert!(!all.is_empty(), "{word}");
        for law in all {
            assert_eq!(law_of_file(&law).as_ref(), Some(&law), "{word}");
        }
    }
}

/// Writes a law to a file, reads it back and returns the result.
fn law_of_file(law: &NonSmoothLaw) -> Option<NonSmoothLaw> {
    let [_, _, key, ..] = &super::interactions::KEYS;
    let mut unwritten = Vec::new();
    let mut table_writer = TableWriter::new("law".to_owned(), &mut unwritten);
    laws::write(law, key, &mut table_writer);
    let Node::Table(root) = table_writer.table().node else { return None };
    let text = toml(&root).ok()?;
    assert!(unwritten.is_empty(), "{unwritten:?}");
    let scopes = Scopes::new(Scope::new(), Scope::new(), Vec::new());
    let read = |root: Table<'_>, diagnostics: &mut Diagnostics<'_>| {
        let value = root.get(key.name)?;
        let written = laws::of_interaction(value, &laws::NamedLaws::new(), &scopes, diagnostics)?;
        written.for_size(law.size(), &value.span, diagnostics)?.build(&[], &Registry::new()).ok()
    };
    read_text((&text, "law.toml"), None, &[], read).ok()
}
