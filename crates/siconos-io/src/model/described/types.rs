//! Tests that the listed keys of laws and settings are the keys that their Rust types read, with their
//! defaults.

use serde::Serialize;
use serde::de::DeserializeOwned;
use siconos_expression::Scope;
use siconos_kernel::integrator::Integrator;
use siconos_kernel::model::NonSmoothLaw;
use siconos_kernel::simulation::{
    EventDrivenSettings, EventIntegrator, EventSettings, NewtonSettings, OnNonConvergence,
};
use siconos_numerics::cone::DykstraSettings;
use siconos_sweeping::dvi::{BoundarySettings, DviSettings};
use siconos_sweeping::{AdaptiveSettings, CatchingUpSettings};

use super::super::laws as readers;
use super::{Variant, laws, settings};
use crate::document::{Node, Numbers, Shape, Table, Value, settings_or_message, shape_of, snake_case};

/// Checks the keys of a type against the keys that it reads.
fn check<T: DeserializeOwned + Serialize + PartialEq>(listed: &[Variant]) {
    let name = std::any::type_name::<T>();
    let read: Vec<(Option<String>, Option<Shape>)> = match shape_of::<T>() {
        Shape::Choice(variants) => variants
            .into_iter()
            .map(|(word, inner)| (Some(snake_case(word)), inner))
            .filter(|(word, _)| !word.as_deref().is_some_and(readers::has_keys))
            .collect(),
        shape => vec![(None, Some(shape))],
    };
    assert_eq!(listed.len(), read.len(), "{name}");
    for (variant, (word, shape)) in listed.iter().zip(read) {
        assert_eq!(variant.word.map(str::to_owned), word, "{name}");
        let (read, first_needed) = match shape {
            Some(Shape::Table { keys, needed }) => (keys, needed),
            _ => (Vec::new(), None),
        };
        let read: Vec<_> = read.iter().map(|(key, _)| *key).collect();
        assert_eq!(variant.keys.iter().map(|key| key.name).collect::<Vec<_>>(), read, "{name}, {word:?}");
        // The reader gives these laws the size of their relation before it reads the type.
        let first_needed =
            first_needed.filter(|_| !readers::SIZED.iter().any(|(sized, _)| Some(*sized) == variant.word));
        let needed = variant.keys.iter().find(|key| key.is_needed).map(|key| key.name);
        assert_eq!(needed, first_needed, "{name}, {word:?}");
        check_defaults::<T>(variant);
    }
}

/// Checks that the description of each key gives the default that the type has.
fn check_defaults<T: DeserializeOwned + Serialize + PartialEq>(variant: &Variant) {
    let kind = variant.word.map(|word| ("kind", Value::of_text(word)));
    let Ok(usual) = settings_or_message::<T>(&Value::of_table(kind), Numbers::from(&Scope::default())) else {
        return;
    };
    let written = Value::of_settings(&usual, None).expect("settings can be written");
    let Node::Table(table) = &written.node else { return };
    for key in variant.keys {
        let Some(default) = default_of(table, key.name) else { continue };
        let ending = format!("default {default}");
        assert!(
            key.says.contains(&ending),
            "{:?}, `{}`: {} has not {ending}",
            variant.word,
            key.name,
            key.says
        );
    }
}

/// Returns the text of a number or a word in a table.
fn default_of(table: &Table<'static>, key: &str) -> Option<String> {
    match &table.get(key)?.clone().short().node {
        Node::Text(text) => Some(text.content.clone().into_owned()),
        Node::Number { value, .. } => Some(format!("{value:?}").trim_end_matches(".0").to_owned()),
        _ => None,
    }
}

#[test]
fn the_listed_keys_and_defaults_are_those_of_the_types() {
    check::<NonSmoothLaw>(laws::LAWS);
    check::<Integrator>(settings::INTEGRATORS);
    check::<NewtonSettings>(settings::NEWTON);
    check::<OnNonConvergence>(settings::ON_NON_CONVERGENCE);
    check::<EventSettings>(settings::EVENTS);
    check::<EventIntegrator>(settings::EVENT_INTEGRATORS);
    check::<EventDrivenSettings>(settings::EVENT_DRIVEN);
    check::<CatchingUpSettings>(settings::CATCHING_UP);
    check::<AdaptiveSettings>(settings::ADAPTIVE);
    check::<DykstraSettings>(settings::DYKSTRA);
    check::<DviSettings>(settings::DVI);
    check::<BoundarySettings>(settings::BOUNDARY);
}
