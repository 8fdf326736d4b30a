//! Tables of keys in the documentation. `keys.md` is generated from the lists of keys that the readers use.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use siconos_kernel::integrator::Integrator;
use siconos_kernel::model::NonSmoothLaw;
use siconos_kernel::simulation::{
    EventDrivenSettings, EventIntegrator, EventSettings, NewtonSettings, OnNonConvergence,
};
use siconos_numerics::cone::DykstraSettings;
use siconos_sweeping::dvi::{BoundarySettings, DviSettings};
use siconos_sweeping::{AdaptiveSettings, CatchingUpSettings};

use super::every_method::NO_KEYS;
use super::inclusion::keys as processes;
use super::{control, events, interactions, laws, outputs, read, relations, simulation, systems};
use crate::document::{Form, Key, Shape, shape_of, snake_case};

fn form(key: &Key) -> String {
    match key.form {
        Form::Number => "number".to_owned(),
        Form::Count => "whole number".to_owned(),
        Form::Boolean => "`true` or `false`".to_owned(),
        Form::Text => "text".to_owned(),
        Form::Word(words) => words.iter().map(|word| format!("`\"{word}\"`")).collect::<Vec<_>>().join(", "),
        Form::Vector => "vector".to_owned(),
        Form::Matrix => "matrix".to_owned(),
        Form::Function => "function".to_owned(),
        Form::VectorOrFunction => "vector, or function".to_owned(),
        Form::MatrixOrFunction => "matrix, or function".to_owned(),
        Form::Moments => "three numbers, or a matrix".to_owned(),
        Form::Names => "name, or array of names".to_owned(),
        Form::Table => "table".to_owned(),
        Form::Settings => "word or table".to_owned(),
        Form::Named => "table of named values".to_owned(),
        Form::Tables => "array of tables".to_owned(),
    }
}

fn table(page: &mut String, head: &str, keys: &[Key]) {
    write!(page, "\n{head}\n\n| key | value | meaning |\n|---|---|---|\n").expect("a string");
    for key in keys {
        let needed = if key.is_needed { ", required" } else { "" };
        writeln!(page, "| `{}` | {}{needed} | {} |", key.name, form(key), key.says).expect("a string");
    }
}

fn list(keys: &[(&str, Shape)]) -> String {
    keys.iter().map(|(key, _)| format!("`{key}`")).collect::<Vec<_>>().join(", ")
}

/// Writes the keys of settings whose keys follow from their Rust type. For a choice, writes the keys of each
/// variant.
fn settings(page: &mut String, head: &str, shape: &Shape) {
    match shape {
        Shape::Table { keys, .. } => writeln!(page, "\n{head}: {}.", list(keys)).expect("a string"),
        Shape::Choice(variants) => {
            write!(page, "\n{head}:\n\n| `kind` | its keys |\n|---|---|\n").expect("a string");
            for (variant, inner) in variants {
                let keys = match inner {
                    Some(Shape::Table { keys, .. }) => list(keys),
                    _ => String::new(),
                };
                writeln!(page, "| `{}` | {keys} |", snake_case(variant)).expect("a string");
            }
        }
        _ => panic!("{head}: neither keys nor choices"),
    }
}

/// Note on the values that cannot be functions.
const CONSTANT: &str = "\nMatrices that are constant in the kernel cannot be functions: M of `first_order_linear`, T of its `control`, \
                        all matrices of `lagrangian_linear` systems and relations, and F of a relation. `newton_euler` relations \
                        and contacts in `points` accept only expressions. Configuration spaces that a program defines have \
                        no name in files.\n";

fn page() -> String {
    let mut page = String::from("### Keys\n");
    let out = &mut page;
    table(out, "Keys of the file:", &read::KEYS);
    for keys in systems::KEYS {
        let Form::Word(words) = keys[0].form else { panic!("a word") };
        table(out, &format!("Keys of `{}` systems:", words[0]), keys);
    }
    table(out, "Keys of `attitude` as a table:", &systems::ORIENTATION);
    table(out, "Keys of `internal_derivative` and `gyroscopic_derivative`:", &systems::DERIVATIVES);
    table(out, "Keys of `control`:", &systems::CONTROL);
    table(out, "Keys of an interaction:", &interactions::KEYS);
    for keys in relations::KEYS {
        let Form::Word(words) = keys[0].form else { panic!("a word") };
        let words = words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
        table(out, &format!("Keys of {words} relations:"), keys);
    }
    for keys in relations::SHAPES.iter().chain(&relations::OBSTACLES[..1]) {
        let Form::Word(words) = keys[0].form else { panic!("a word") };
        let words = words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
        table(out, &format!("Keys of the shape {words} in `contact` and `planar_contact` relations:"), keys);
    }
    for keys in laws::KEYS {
        let Form::Word(words) = keys[0].form else { panic!("a word") };
        table(out, &format!("Keys of `{}` laws:", words[0]), keys);
    }
    let mut others = shape_of::<NonSmoothLaw>();
    if let Shape::Choice(variants) = &mut others {
        variants.retain(|(name, _)| !laws::has_keys(&snake_case(name)));
    }
    settings(out, "Keys of other laws", &others);
    for keys in control::KEYS {
        let Form::Word(words) = keys[0].form else { panic!("a word") };
        table(out, &format!("Keys of `{}` devices in `[control]`:", words[0]), keys);
    }
    table(out, "Keys of an event in `[events]`:", &events::KEYS);
    table(out, "Keys of a time-stepping `[simulation]`:", &simulation::TIME_STEPPING);
    settings(out, "Keys of `integrator` in a time-stepping simulation", &shape_of::<Integrator>());
    settings(out, "Keys of `newton`", &shape_of::<NewtonSettings>());
    settings(out, "Keys of `on_non_convergence`", &shape_of::<OnNonConvergence>());
    settings(out, "Keys of `events`", &shape_of::<EventSettings>());
    table(out, "Keys of an event-driven `[simulation]`:", &simulation::EVENT_DRIVEN);
    settings(out, "Keys of `integrator` in an event-driven simulation", &shape_of::<EventIntegrator>());
    settings(out, "Keys of `settings` in an event-driven simulation", &shape_of::<EventDrivenSettings>());
    table(out, "Keys of `[output]`:", &outputs::KEYS);
    out.push_str("\n### Methods of the kernel without a key\n\n| type | methods | reason |\n|---|---|---|\n");
    for (name, methods, why) in NO_KEYS {
        let methods = methods.iter().map(|method| format!("`{method}`")).collect::<Vec<_>>().join(", ");
        writeln!(out, "| `{name}` | {methods} | {why} |").expect("a string");
    }
    out.push_str(CONSTANT);
    page
}

/// Returns the page of sweeping processes and differential variational inequalities.
fn page_of_processes() -> String {
    let mut page = String::from("### Keys\n");
    let out = &mut page;
    table(out, "Keys of a `sweeping` file:", &processes::SWEEPING);
    table(out, "Keys of its `[process]`:", &processes::OF_SWEEPING);
    table(out, "Keys of its `[simulation]`:", &processes::SIMULATION);
    settings(out, "Keys of its `settings`", &shape_of::<CatchingUpSettings>());
    table(out, "Keys of its `[simulation]` with adaptive steps:", &processes::ADAPTIVE);
    settings(out, "Keys of its `lengths`", &shape_of::<AdaptiveSettings>());
    table(out, "Keys of a `dvi` file:", &processes::DVI);
    table(out, "Keys of its `[process]`:", &processes::OF_DVI);
    table(out, "Keys of `[inequality]`:", &processes::INEQUALITY);
    table(out, "Keys of `[boundary]`:", &processes::BOUNDARY);
    table(out, "Keys of its `[simulation]` with an initial state:", &processes::STEPS_OF_DVI);
    settings(out, "Keys of its `settings`", &shape_of::<DviSettings>());
    table(out, "Keys of its `[simulation]` with a table `[boundary]`:", &processes::ENDS_OF_DVI);
    settings(out, "Keys of its `settings`", &shape_of::<BoundarySettings>());
    for keys in processes::SETS {
        let Form::Word(words) = keys[0].form else { panic!("a word") };
        table(out, &format!("Keys of `{}` sets in `[set]`:", words[0]), keys);
    }
    settings(out, "Keys of `settings` of an intersection", &shape_of::<DykstraSettings>());
    table(out, "Keys of `[output]`:", &processes::OUTPUT);
    page
}

#[test]
fn the_pages_have_the_keys_that_are_read() {
    check_page("src/model/keys.md", &page());
    check_page("src/model/inclusion/keys.md", &page_of_processes());
}

fn check_page(file: &str, page: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    if std::env::var_os("SICONOS_BLESS").is_some() {
        fs::write(&file, page).expect("the sources can be written");
    }
    let written = fs::read_to_string(&file).unwrap_or_default();
    assert!(written == page, "{} is out of date; SICONOS_BLESS=1 rewrites it", file.display());
}
