//! Schema of model files: it accepts the models of the repository and refuses models with an invalid
//! structure.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use siconos_io::model::AnyModel;

use crate::json_schema;

/// Models of `bad/` that the schema accepts. Their errors are in expressions, names, sizes, values of the
/// right type, or combinations of keys.
const OF_RIGHT_SHAPE: [&str; 76] = [
    "07_matrix_of_wrong_shape",
    "09_circular_functions",
    "101_sets_that_cannot_be",
    "102_empty_set",
    "103_set_that_is_empty_at_the_start",
    "104_states_that_are_none",
    "105_process_of_wrong_sizes",
    "106_metric_that_is_none",
    "107_a_frame_has_what_moves",
    "108_bounds_that_cross",
    "109_frame_that_is_none_at_the_start",
    "10_too_few_arguments",
    "111_nothing_is_swept",
    "112_force_that_is_no_number",
    "113_dvi_of_wrong_sizes",
    "115_conditions_that_depend_on_each_other",
    "116_ends_before_it_begins",
    "117_set_without_a_point",
    "11_circular_constants",
    "12_constants_that_read_what_is_not_constant",
    "140_sizes_beyond_all_memory",
    "141_names_that_hide_others",
    "142_bodies_of_contacts",
    "143_step_that_is_handed_over",
    "144_stops_of_two_turns",
    "146_directions_of_nothing",
    "147_axis_along_the_normal",
    "148_keys_without_effect",
    "149_scheme_that_nobody_takes",
    "150_integrator_twice",
    "151_event_that_sets_what_is_no_number",
    "152_hybrid_that_cannot_begin",
    "153_hybrid_of_no_number",
    "154_event_without_a_time",
    "155_circles_of_constants",
    "156_two_controllers_of_one_input",
    "157_gains_of_relays",
    "159_joints_that_leave_the_plane",
    "25_names_that_clash",
    "26_names_that_are_none",
    "27_event_words",
    "28_assignment",
    "29_unknown_name",
    "30_what_must_not_depend_on_time",
    "32_output_of_what_is_at_fault",
    "34_relay_whose_bounds_cross",
    "35_law_of_another_size",
    "36_restitution_out_of_range",
    "37_friction_out_of_range",
    "38_singular_mass",
    "39_body_without_mass",
    "40_step_of_zero",
    "41_end_before_start",
    "42_times_that_decrease",
    "43_end_and_steps",
    "45_times_and_step",
    "50_law_that_is_not_there",
    "53_large_matrix",
    "55_vectors_of_wrong_length",
    "57_bodies",
    "59_conditions_and_numbers",
    "60_integrators_of_unknown_systems",
    "65_nothing_to_see",
    "67_system_that_is_given_twice",
    "68_scheme_that_does_not_fit",
    "69_start_within_the_floor",
    "70_setting_out_of_range",
    "71_too_deep",
    "78_bodies_that_cannot_be",
    "79_masses_of_nothing",
    "81_stops_that_cross",
    "92_devices_that_cannot_be",
    "94_functions_without_registry",
    "96_restarts_of_no_length",
    "97_restarts_that_go_back",
    "98_restarts_in_words",
];

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let all = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("a file").path());
    let is_model = |path: &PathBuf| path.extension().is_some_and(|end| end == "toml" || end == "json");
    let mut models: Vec<_> = all.filter(is_model).collect();
    models.sort();
    models
}

/// Returns a file as a tree; `None` if its syntax is invalid.
fn tree(path: &Path) -> Option<Value> {
    let text = fs::read_to_string(path).expect("a model");
    match path.extension().is_some_and(|end| end == "json") {
        true => serde_json::from_str(&text).ok(),
        false => toml::from_str(&text).ok(),
    }
}

/// Returns the schema for the kind of a file.
fn schema_for(model: &Value) -> Value {
    match model["kind"].as_str() {
        Some("hybrid") => siconos_io::hybrid::schema(),
        Some("sweeping") => siconos_io::model::inclusion::sweeping_schema(),
        Some("dvi") => siconos_io::model::inclusion::dvi_schema(),
        _ => siconos_io::model::schema(),
    }
}

#[test]
fn shipped_models_are_valid() {
    let mut count = 0;
    for path in files("../../../examples/models").into_iter().chain(files("../../../examples/keys")) {
        let model = tree(&path).expect("a model");
        assert_eq!(json_schema::offence(&schema_for(&model), &model), None, "{}", path.display());
        count += 1;
    }
    assert_eq!(count, 90);
}

#[test]
fn shipped_models_can_be_built() {
    for path in files("../../../examples/models") {
        match AnyModel::read(&path, &[]) {
            Ok(AnyModel::Model(model)) => drop(model.build().unwrap_or_else(|error| panic!("{error}"))),
            Ok(AnyModel::Inclusion(model)) => drop(model.run().unwrap_or_else(|error| panic!("{error}"))),
            Ok(AnyModel::Hybrid(model)) => drop(model.solution().unwrap_or_else(|error| panic!("{error}"))),
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn the_fuzz_corpus_has_models_of_each_kind() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../fuzz/corpus/read_model");
    let files = fs::read_dir(folder).expect("the corpus").map(|entry| entry.expect("a file").path());
    let texts: Vec<_> = files.filter_map(|path| fs::read_to_string(path).ok()).collect();
    for kind in ["model", "hybrid", "sweeping", "dvi"] {
        let of_kind = texts.iter().filter(|text| text.contains(&format!("kind = \"{kind}\"")));
        let sound = of_kind.filter(|text| AnyModel::parse(text, "test.toml", &[]).is_ok());
        assert!(sound.count() >= 2, "{kind}");
    }
}

#[test]
fn models_of_another_shape_are_not_valid() {
    let mut valid = Vec::new();
    for path in files("bad") {
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
        if tree(&path).is_some_and(|model| json_schema::offence(&schema_for(&model), &model).is_none()) {
            valid.push(name);
        }
    }
    assert_eq!(valid, OF_RIGHT_SHAPE);
}

/// Every key in the tables of the documentation has its meaning in the schemas, so that editors show it.
#[test]
fn every_key_is_described() {
    let schemas = [
        ("model", siconos_io::model::schema()),
        ("hybrid", siconos_io::hybrid::schema()),
        ("sweeping", siconos_io::model::inclusion::sweeping_schema()),
        ("dvi", siconos_io::model::inclusion::dvi_schema()),
    ];
    for table in siconos_io::model::keys::tables() {
        let (_, schema) = schemas.iter().find(|(file, _)| *file == table.file).expect("a schema");
        for key in table.keys {
            let is_described = has_description(schema, key.name, key.meaning);
            assert!(is_described, "{}, {}, {:?}: `{}`", table.file, table.path, table.words, key.name);
        }
    }
}

/// Returns `true` if a schema contains a table with a key of this name and description.
fn has_description(schema: &Value, name: &str, description: &str) -> bool {
    match schema {
        Value::Object(entries) => {
            let found = entries.get("properties").and_then(|properties| properties.get(name));
            found.is_some_and(|key| key["description"] == description)
                || entries.values().any(|inner| has_description(inner, name, description))
        }
        Value::Array(values) => values.iter().any(|inner| has_description(inner, name, description)),
        _ => false,
    }
}
