//! Tables of keys in the documentation. `keys.md` is generated from the lists by which files are read.

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
        Form::Named => "table of what the file names".to_owned(),
        Form::Tables => "array of tables".to_owned(),
    }
}

fn table(page: &mut String, head: &str, keys: &[Key]) {
    write!(page, "\n{head}\n\n| key | value | what it is |\n|---|---|---|\n").expect("a string");
    for key in keys {
        let needed = if key.is_needed { ", needed" } else { "" };
        writeln!(page, "| `{}` | {}{needed} | {} |", key.name, form(key), key.says).expect("a string");
    }
}

fn list(keys: &[(&str, Shape)]) -> String {
    keys.iter().map(|(key, _)| format!("`{key}`")).collect::<Vec<_>>().join(", ")
}

/// Writes the keys of settings that are read by their types, or the keys of each choice.
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
const CONSTANT: &str = "\nMatrices that the kernel takes as constant have no functions: M of `first_order_linear`, T of its `control`, \
                        all matrices of `lagrangian_linear` systems and relations, and F of a relation. `newton_euler` relations \
                        and contacts in `points` take expressions only. Spaces of positions that the program brings have \
                        no word.\n";

fn page() -> String {
    let mut page = String::from("### Keys\n");
    let out = &mut page;
    table(out, "Of the file:", &read::KEYS);
    for keys in systems::KEYS {
        let Form::Word(words) = keys[0].form else { panic!("a word") };
        table(out, &format!("Of a system of the family `{}`:", words[0]), keys);
    }
    table(out, "Of `attitude`, where it is a table:", &systems::TURN);
    table(out, "Of `internal_derivative` and `gyroscopic_derivative`:", &systems::DERIVATIVES);
    table(out, "Of `control`:", &systems::CONTROL);
    table(out, "Of an interaction:", &interactions::KEYS);
    for keys in relations::KEYS {
        let Form::Word(words) = keys[0].form else { panic!("a word") };
        let words = words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
        table(out, &format!("Of a relation of the kind {words}:"), keys);
    }
    for keys in laws::KEYS {
        let Form::Word(words) = keys[0].form else { panic!("a word") };
        table(out, &format!("Of a law of the kind `{}`:", words[0]), keys);
    }
    let mut others = shape_of::<NonSmoothLaw>();
    if let Shape::Choice(variants) = &mut others {
        variants.retain(|(name, _)| !laws::has_keys(&snake_case(name)));
    }
    settings(out, "Of other laws", &others);
    for keys in control::KEYS {
        let Form::Word(words) = keys[0].form else { panic!("a word") };
        table(out, &format!("Of a device of `[control]` of the kind `{}`:", words[0]), keys);
    }
    table(out, "Of an event of `[events]`:", &events::KEYS);
    table(out, "Of `[simulation]` by time steps:", &simulation::TIME_STEPPING);
    settings(out, "Of `integrator`, by time steps", &shape_of::<Integrator>());
    settings(out, "Of `newton`", &shape_of::<NewtonSettings>());
    settings(out, "Of `on_non_convergence`", &shape_of::<OnNonConvergence>());
    settings(out, "Of `events`", &shape_of::<EventSettings>());
    table(out, "Of `[simulation]` from event to event:", &simulation::EVENT_DRIVEN);
    settings(out, "Of `integrator`, from event to event", &shape_of::<EventIntegrator>());
    settings(out, "Of `settings`, from event to event", &shape_of::<EventDrivenSettings>());
    table(out, "Of `[output]`:", &outputs::KEYS);
    out.push_str("\n### What of the kernel has no key\n\n| of | methods | why |\n|---|---|---|\n");
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
    table(out, "Of a file of the kind `sweeping`:", &processes::SWEEPING);
    table(out, "Of its `[process]`:", &processes::OF_SWEEPING);
    table(out, "Of its `[simulation]`:", &processes::SIMULATION);
    settings(out, "Of `settings` there", &shape_of::<CatchingUpSettings>());
    table(out, "Of its `[simulation]` in steps that choose their length:", &processes::ADAPTIVE);
    settings(out, "Of `lengths` there", &shape_of::<AdaptiveSettings>());
    table(out, "Of a file of the kind `dvi`:", &processes::DVI);
    table(out, "Of its `[process]`:", &processes::OF_DVI);
    table(out, "Of `[inequality]`:", &processes::INEQUALITY);
    table(out, "Of `[boundary]`:", &processes::BOUNDARY);
    table(out, "Of its `[simulation]` from an initial state:", &processes::STEPS_OF_DVI);
    settings(out, "Of `settings` there", &shape_of::<DviSettings>());
    table(out, "Of its `[simulation]` between conditions at both ends:", &processes::ENDS_OF_DVI);
    settings(out, "Of `settings` there", &shape_of::<BoundarySettings>());
    for keys in processes::SETS {
        let Form::Word(words) = keys[0].form else { panic!("a word") };
        table(out, &format!("Of a `[set]` of the kind `{}`:", words[0]), keys);
    }
    settings(out, "Of `settings` of an intersection", &shape_of::<DykstraSettings>());
    table(out, "Of `[output]`:", &processes::OUTPUT);
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
    assert!(written == page, "{} is not what the lists say; SICONOS_BLESS=1 writes it anew", file.display());
}
