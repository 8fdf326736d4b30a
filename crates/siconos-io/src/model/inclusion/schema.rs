//! JSON Schemas of files of processes, generated from the lists of keys that the readers use.

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use siconos_numerics::cone::DykstraSettings;
use siconos_sweeping::dvi::{BoundarySettings, DviSettings};
use siconos_sweeping::{AdaptiveSettings, CatchingUpSettings};

use super::super::described::{Variant, settings as setting_keys};
use super::super::schema::{document, settings};
use super::keys::{
    ADAPTIVE, BOUNDARY, DVI, ENDS_OF_DVI, INEQUALITY, OF_DVI, OF_SWEEPING, OUTPUT, SETS, SIMULATION,
    STEPS_OF_DVI, SWEEPING,
};
use crate::document::FORMAT;
use crate::document::json_schema::{any_of, named, nothing, number, table, text, vector};
use crate::output::{COLUMN, of_output};

/// Returns the JSON Schema (draft 2020-12) of model files of kind `sweeping`. Editors use it to complete and
/// check a file while it is written. The schema does not check conditions on more than one key, such as the
/// number of bounds. Only the reader checks them.
///
/// ```
/// let schema = siconos_io::model::inclusion::sweeping_schema();
/// assert_eq!(schema["properties"]["kind"]["enum"][0], "sweeping");
/// ```
#[must_use]
pub fn sweeping_schema() -> Value {
    document("A sweeping process", &SWEEPING, &|key| match key {
        "process" => Some(table(&OF_SWEEPING, &nothing)),
        "simulation" => Some(any_of([table(&SIMULATION, &of_sweeping), table(&ADAPTIVE, &of_sweeping)])),
        other => of_both(other),
    })
}

/// Returns the JSON Schema (draft 2020-12) of model files of kind `dvi`. See
/// [`sweeping_schema`](sweeping_schema) for its use.
///
/// ```
/// let schema = siconos_io::model::inclusion::dvi_schema();
/// assert_eq!(schema["properties"]["kind"]["enum"][0], "dvi");
/// ```
#[must_use]
pub fn dvi_schema() -> Value {
    document("A differential variational inequality", &DVI, &|key| match key {
        "input" => Some(named(vector())),
        "process" => Some(table(&OF_DVI, &nothing)),
        "inequality" => Some(table(&INEQUALITY, &nothing)),
        "boundary" => Some(table(&BOUNDARY, &nothing)),
        "simulation" => Some(any_of([
            table(&STEPS_OF_DVI, &of_settings::<DviSettings>(setting_keys::DVI)),
            table(&ENDS_OF_DVI, &of_settings::<BoundarySettings>(setting_keys::BOUNDARY)),
        ])),
        other => of_both(other),
    })
}

fn of_both(key: &str) -> Option<Value> {
    Some(match key {
        "format" => json!({ "const": FORMAT }),
        "constants" => named(number()),
        "parameters" | "state" => named(vector()),
        "functions" => named(text()),
        "set" => any_of(
            SETS.iter().map(|keys| table(keys, &of_settings::<DykstraSettings>(setting_keys::DYKSTRA))),
        ),
        "output" => table(&OUTPUT, &of_output(&COLUMN)),
        _ => return None,
    })
}

fn of_sweeping(key: &str) -> Option<Value> {
    match key {
        "lengths" => Some(settings::<AdaptiveSettings>(setting_keys::ADAPTIVE)),
        "settings" => Some(settings::<CatchingUpSettings>(setting_keys::CATCHING_UP)),
        _ => None,
    }
}

/// Returns the schemas of a table whose key `settings` has type `T`.
fn of_settings<T: DeserializeOwned>(variants: &'static [Variant]) -> impl Fn(&str) -> Option<Value> {
    move |key| (key == "settings").then(|| settings::<T>(variants))
}
