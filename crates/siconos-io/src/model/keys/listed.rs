//! Tables of keys of all kinds of files, in the order of the documentation.

use super::super::described::{Variant, laws as law_keys, settings as setting_keys};
use super::super::inclusion::keys as inclusions;
use super::super::{control, events, interactions, laws, outputs, read, relations, simulation, systems};
use super::KeyTable;
use crate::document::Key;
use crate::hybrid;
use crate::output::COLUMN;

/// Returns one table for each list of keys.
fn each<'k>(
    file: &'static str,
    path: &'static str,
    lists: impl IntoIterator<Item = &'k &'k [Key]>,
) -> impl Iterator<Item = KeyTable> {
    lists.into_iter().map(move |keys| KeyTable::of(file, path, keys))
}

/// Returns one table for each variant of a type.
fn of_variants(
    file: &'static str,
    path: &'static str,
    variants: &'static [Variant],
) -> impl Iterator<Item = KeyTable> {
    let of = move |variant: &Variant| KeyTable {
        words: variant.word.into_iter().collect(),
        ..KeyTable::of(file, path, variant.keys).meaning(variant.says)
    };
    variants.iter().map(of)
}

/// Returns the tables of files of kind `model`.
pub(super) fn of_models() -> Vec<KeyTable> {
    const FILE: &str = "model";
    let of = |path, keys: &[Key]| KeyTable::of(FILE, path, keys);
    let mut tables = vec![of("", &read::KEYS)];
    tables.extend(each(FILE, "systems.NAME", &systems::KEYS));
    tables.push(of("systems.NAME.attitude", &systems::ORIENTATION));
    tables.push(of("systems.NAME.internal_derivative", &systems::DERIVATIVES));
    tables.push(of("systems.NAME.gyroscopic_derivative", &systems::DERIVATIVES));
    tables.push(of("systems.NAME.control", &systems::CONTROL));
    tables.push(of("interactions.NAME", &interactions::KEYS));
    tables.extend(each(FILE, "interactions.NAME.relation", &relations::KEYS));
    tables.extend(each(FILE, "interactions.NAME.relation.shape", &relations::SHAPES));
    tables.extend(each(FILE, "interactions.NAME.relation.against", &relations::OBSTACLES));
    let law = |keys: &&[Key]| of("laws.NAME", keys).meaning(law_keys::formula(keys));
    tables.extend(laws::KEYS.iter().map(law));
    tables.extend(of_variants(FILE, "laws.NAME", law_keys::LAWS));
    tables.extend(each(FILE, "control.NAME", &control::KEYS));
    tables.push(of("events.NAME", &events::KEYS));
    tables.push(of("simulation", &simulation::TIME_STEPPING));
    tables.extend(of_variants(FILE, "simulation.integrator", setting_keys::INTEGRATORS));
    tables.extend(of_variants(FILE, "simulation.newton", setting_keys::NEWTON));
    tables.extend(of_variants(FILE, "simulation.on_non_convergence", setting_keys::ON_NON_CONVERGENCE));
    tables.extend(of_variants(FILE, "simulation.events", setting_keys::EVENTS));
    tables.push(of("simulation", &simulation::EVENT_DRIVEN));
    tables.extend(of_variants(FILE, "simulation.integrator", setting_keys::EVENT_INTEGRATORS));
    tables.extend(of_variants(FILE, "simulation.settings", setting_keys::EVENT_DRIVEN));
    tables.push(of("output", &outputs::KEYS));
    tables.push(of("output.columns.NAME", &COLUMN));
    tables
}

/// Returns the tables of files of kind `hybrid`.
pub(super) fn of_hybrid() -> Vec<KeyTable> {
    let of = |path, keys: &[Key]| KeyTable::of("hybrid", path, keys);
    vec![
        of("", &hybrid::keys::ROOT),
        of("time", &hybrid::keys::TIME),
        of("variables.NAME", &hybrid::keys::VARIABLE),
        of("discrete.NAME", &hybrid::keys::DISCRETE),
        of("events", &hybrid::keys::EVENT),
        of("settings", &hybrid::keys::SETTINGS),
        of("output", &hybrid::outputs::KEYS),
        of("output.columns.NAME", &hybrid::outputs::COLUMN),
    ]
}

/// Returns the tables of files of kinds `sweeping` and `dvi`.
pub(super) fn of_inclusions() -> Vec<KeyTable> {
    let sweeping = |path, keys: &[Key]| KeyTable::of("sweeping", path, keys);
    let dvi = |path, keys: &[Key]| KeyTable::of("dvi", path, keys);
    let mut tables = vec![
        sweeping("", &inclusions::SWEEPING),
        sweeping("process", &inclusions::OF_SWEEPING),
        sweeping("simulation", &inclusions::SIMULATION),
    ];
    tables.extend(of_variants("sweeping", "simulation.settings", setting_keys::CATCHING_UP));
    tables.push(sweeping("simulation", &inclusions::ADAPTIVE));
    tables.extend(of_variants("sweeping", "simulation.lengths", setting_keys::ADAPTIVE));
    tables.extend(each("sweeping", "set", &inclusions::SETS));
    tables.extend(of_variants("sweeping", "set.settings", setting_keys::DYKSTRA));
    tables.push(sweeping("output", &inclusions::OUTPUT));
    tables.push(sweeping("output.columns.NAME", &COLUMN));
    tables.push(dvi("", &inclusions::DVI));
    tables.push(dvi("process", &inclusions::OF_DVI));
    tables.push(dvi("inequality", &inclusions::INEQUALITY));
    tables.push(dvi("boundary", &inclusions::BOUNDARY));
    tables.push(dvi("simulation", &inclusions::STEPS_OF_DVI));
    tables.extend(of_variants("dvi", "simulation.settings", setting_keys::DVI));
    tables.push(dvi("simulation", &inclusions::ENDS_OF_DVI));
    tables.extend(of_variants("dvi", "simulation.settings", setting_keys::BOUNDARY));
    tables.push(dvi("output", &inclusions::OUTPUT));
    tables.push(dvi("output.columns.NAME", &COLUMN));
    tables
}
