//! Page `docs/model-files.md`: the rules of model files, and all keys. `SICONOS_BLESS=1` writes it.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use super::super::ModelFile;
use super::super::every_method::NO_KEYS;
use super::usage::used_keys;
use super::{KeyTable, RULES, tables};
use crate::problem::Problem;

/// Title and table of contents.
const HEAD: &str = include_str!("head.md");

/// Rules of the other kinds of files, which are also in the documentation of their modules.
const OTHER_RULES: [(&str, &str); 2] = [
    ("Rules of hybrid systems", include_str!("../../hybrid/files.md")),
    ("Rules of sweeping processes and variational inequalities", include_str!("../inclusion/files.md")),
];

/// JSON forms of problems, and what follows the keys.
const PROBLEMS: &str = include_str!("problems.md");

/// Kinds of files with their titles.
const KINDS: [(&str, &str); 4] = [
    ("model", "Keys of models"),
    ("hybrid", "Keys of hybrid systems"),
    ("sweeping", "Keys of sweeping processes"),
    ("dvi", "Keys of differential variational inequalities"),
];

/// Folders of models, relative to the root of the workspace. The models in the second folder use the keys
/// that the examples do not need.
const FOLDERS: [&str; 2] = ["examples/models", "examples/keys"];

/// Example model, with its folder and name.
struct Example {
    folder: &'static str,
    name: String,
    model: toml::Table,
}

/// Reads the models in [`FOLDERS`], in the order of their names.
fn examples() -> Vec<Example> {
    FOLDERS.into_iter().flat_map(examples_in).collect()
}

fn examples_in(folder: &'static str) -> Vec<Example> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let mut files: Vec<_> =
        fs::read_dir(path).expect("the models").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    let read = |path: &std::path::PathBuf| Example {
        folder,
        name: path.file_stem().expect("a name").to_string_lossy().into_owned(),
        model: fs::read_to_string(path).expect("a text").parse().expect("TOML"),
    };
    files.iter().map(read).collect()
}

/// Returns the name of the first example that uses most keys of a table.
fn best_example<'e>(examples: &'e [Example], table: &KeyTable) -> Option<&'e Example> {
    let count = |example: &Example| used_keys(&example.model, table).len();
    let most = examples.iter().map(count).max().filter(|count| *count > 0)?;
    examples.iter().find(|example| count(example) == most)
}

fn page() -> String {
    let examples = examples();
    let mut page = HEAD.to_owned();
    page.push_str(&format!("\n{RULES}").replace("\n### ", "\n## "));
    for (title, rules) in OTHER_RULES {
        write!(page, "\n## {title}\n\n{rules}").expect("a string");
    }
    for (file, title) in KINDS {
        write!(page, "\n## {title}\n").expect("a string");
        let of_file: Vec<_> = tables().into_iter().filter(|table| table.file == file).collect();
        for group in of_file.chunk_by(|one, next| one.path == next.path && !next.words.is_empty()) {
            write_group(&mut page, group, &examples);
        }
    }
    page.push_str("\n## Methods of the kernel without a key\n\n| type | methods | reason |\n|---|---|---|\n");
    for (name, methods, why) in NO_KEYS {
        let methods = methods.iter().map(|method| format!("`{method}`")).collect::<Vec<_>>().join(", ");
        writeln!(page, "| `{name}` | {methods} | {why} |").expect("a string");
    }
    page.push_str(PROBLEMS);
    page
}

/// Writes the tables of one place in the file.
fn write_group(page: &mut String, group: &[KeyTable], examples: &[Example]) {
    let place = match group[0].path {
        "" => "Top of the file".to_owned(),
        path => format!("`[{path}]`"),
    };
    write!(page, "\n### {place}\n").expect("a string");
    for table in group {
        write_table(page, table, best_example(examples, table));
    }
}

fn write_table(page: &mut String, table: &KeyTable, example: Option<&Example>) {
    let words = table.words.iter().map(|word| format!("**`{word}`**")).collect::<Vec<_>>().join(", ");
    match (words.is_empty(), table.meaning.is_empty()) {
        (true, true) => (),
        (true, false) => write!(page, "\n{}\n", table.meaning).expect("a string"),
        (false, _) => write!(page, "\n{words}: {}\n", table.meaning).expect("a string"),
    }
    let selects = |name: &str| matches!(name, "kind" | "family") && !table.words.is_empty();
    if let Some(Example { folder, name, .. }) = example {
        write!(page, "\nExample: [`{name}`](../{folder}/{name}.toml)\n").expect("a string");
    }
    let keys: Vec<_> = table.keys.iter().filter(|key| !selects(key.name)).collect();
    if keys.is_empty() {
        return;
    }
    page.push_str("\n| key | value | meaning |\n|---|---|---|\n");
    for key in keys {
        let required = if key.is_required { ", required" } else { "" };
        writeln!(page, "| `{}` | {}{required} | {} |", key.name, key.value, key.meaning).expect("a string");
    }
}

#[test]
fn the_page_has_the_keys_that_are_read() {
    let (file, page) = (Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/model-files.md"), page());
    if std::env::var_os("SICONOS_BLESS").is_some() {
        fs::write(&file, &page).expect("the documentation can be written");
    }
    let written = fs::read_to_string(&file).unwrap_or_default();
    assert!(written == page, "docs/model-files.md is out of date; SICONOS_BLESS=1 rewrites it");
}

/// Returns the contents of the code blocks of a language.
fn blocks<'p>(page: &'p str, language: &str) -> Vec<&'p str> {
    let start = format!("```{language}\n");
    page.split(start.as_str()).skip(1).filter_map(|block| block.split("```").next()).collect()
}

#[test]
fn the_models_on_the_page_run() {
    let page = page();
    let models = blocks(&page, "toml");
    assert_eq!(models.len(), 4);
    let run = |text: &str| {
        let mut run = ModelFile::parse(text, "page.toml").and_then(|file| file.build()).expect("a model");
        let mut rows: Vec<Vec<f64>> = Vec::new();
        run.to_end(|row| {
            rows.push(row.to_vec());
            Ok::<_, std::convert::Infallible>(())
        })
        .expect("a run");
        rows
    };
    let last = |text: &str| run(text).pop().expect("a row");
    // A ball that is dropped from 1 m with e = 0.9 bounces for longer than 3 s.
    let [t, height, _, _] = last(models[0])[..] else { panic!("four columns") };
    assert!((t - 3.0).abs() < 1e-9 && height > 0.0 && height < 1.0, "{height}");
    // The heater holds the temperature at 20, which takes a power of 20.
    let [_, temperature, power] = last(models[1])[..] else { panic!("three columns") };
    assert!((temperature - 20.0).abs() < 1e-9 && (power - 20.0).abs() < 1e-9, "{temperature}, {power}");
    // A motor without load turns until it induces the voltage of the source.
    let [_, current, speed, torque] = last(models[2])[..] else { panic!("four columns") };
    assert!(
        (speed - 6.0 / 0.8).abs() < 1e-2 && current.abs() < 1e-2 && (torque - 0.8 * current).abs() < 1e-9,
        "{speed}"
    );
    // In the steady state, the mean voltage of the coil is 0, so the mean voltage while the switch is open
    // for half of the period is twice the voltage of the source.
    let rows = run(models[3]);
    let mean = rows[rows.len() - 50..].iter().map(|row| row[2]).sum::<f64>() / 50.0;
    assert!((mean - 24.0).abs() < 0.02, "{mean}");
}

/// Returns a model with a law of the page in the situation that the page describes, and the multipliers on
/// the page.
fn situation(law: &str) -> (String, Vec<f64>) {
    let kind = law.split('"').nth(1).expect("a kind");
    let body = |q: &str, v: &str, force: &str, h: &str, columns: &str| {
        format!(
            "[systems.body]\nfamily = \"lagrangian_linear\"\nq = {q}\nv = {v}\nmass = {{ diagonal = [1, 1] }}\n\
             external_force = {force}\n[interactions.own]\nsystems = \"body\"\n\
             relation = {{ kind = \"lagrangian_linear\", H = {h} }}\nlaw = {law}\n[output.columns]\n{columns}"
        )
    };
    let plant = |relation: &str, size: usize| {
        let columns: String = (0..size).map(|k| format!("l{k} = \"own.lambda[{k}]\"\n")).collect();
        format!(
            "[systems.plant]\nfamily = \"first_order_linear\"\nx = 3\nA = 0\n[interactions.own]\n\
             systems = \"plant\"\nrelation = {{ kind = \"first_order_linear\", {relation} }}\nlaw = {law}\n\
             [output.columns]\n{columns}"
        )
    };
    let (normal, force) = ("[[1, 0]]", "f = \"own.force[0]\"");
    match kind {
        "relay" if law.contains("gain") => {
            (body("[0, 0]", "[0.125, 0]", "[0, 0]", normal, force), vec![-1.25])
        }
        "relay" => (body("[0, 0]", "[0.5, 0]", "[0, 0]", normal, force), vec![-2.0]),
        "spring" => (body("[0.02, 0]", "[0, 0]", "[0, 0]", normal, force), vec![-2.0]),
        "equality" | "complementarity" => (body("[0, 0]", "[0, 0]", "[-10, 0]", normal, force), vec![10.0]),
        "newton_impact" => {
            let columns = "p = \"own.impulse\"\nv = \"own.velocity\"";
            (body("[0, 0]", "[-2, 0]", "[0, 0]", normal, columns), vec![3.0, 1.0])
        }
        "newton_impact_friction" => {
            let columns = "normal = \"own.force[0]\"\ntangential = \"own.force[1]\"";
            (body("[0, 0]", "[0, 0.2]", "[-10, 0]", "[[1, 0], [0, 1]]", columns), vec![10.0, -5.0])
        }
        "normal_cone" => (plant("C = 1, B = 1", 1), vec![-1.0]),
        "mixed_complementarity" => {
            (plant("C = [[0], [0]], B = [[0, 0]], D = [[1, 0], [0, 1]], offset = [-2, 3]", 2), vec![2.0, 0.0])
        }
        "cone" => (
            plant(
                "C = [[0], [0], [0]], B = [[0, 0, 0]], D = [[1, 0, 0], [0, 1, 0], [0, 0, 1]], offset = [-10, -3, -4]",
                3,
            ),
            vec![10.0, 3.0, 4.0],
        ),
        other => panic!("no situation for {other}"),
    }
}

/// The multipliers in the table of laws are those of a short step.
#[test]
fn the_laws_on_the_page_have_these_signs() {
    let laws: Vec<_> =
        HEAD.lines().filter_map(|line| line.strip_prefix("| `{ kind")?.split_once("` |")).collect();
    assert_eq!(laws.len(), 10);
    for (law, _) in laws {
        let (model, expected) = situation(&format!("{{ kind{law}"));
        let text = format!(
            "format = 1\nkind = \"model\"\n{model}\n[simulation]\nkind = \"time_stepping\"\nsteps = 1\nstep = 1e-6\n"
        );
        let mut run = ModelFile::parse(&text, law).and_then(|file| file.build()).expect("a model");
        run.to_end(|_row| Ok::<_, std::convert::Infallible>(())).expect("a run");
        let found = &run.recorder.last_row()[1..];
        assert_eq!(found.len(), expected.len(), "{law}");
        let is_near = found.iter().zip(&expected).all(|(found, expected)| (found - expected).abs() < 1e-3);
        assert!(is_near, "{law}: {found:?} {expected:?}");
    }
}

/// Keys that require a function of the program, which a file without a program does not have.
const OF_PROGRAMS: [(&str, &str); 1] = [("laws.NAME", "bounds")];

/// Every key is used by a model in [`FOLDERS`]. Other tests run these models.
#[test]
fn every_key_has_an_example() {
    let examples = examples();
    let mut missing = Vec::new();
    for table in tables() {
        let used: BTreeSet<_> =
            examples.iter().flat_map(|example| used_keys(&example.model, &table)).collect();
        let unused = table.keys.iter().filter(|key| !used.contains(key.name));
        let unused = unused.filter(|key| !OF_PROGRAMS.contains(&(table.path, key.name)));
        missing.extend(
            unused.map(|key| format!("{} {} {:?}: {}", table.file, table.path, table.words, key.name)),
        );
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn the_problems_on_the_page_are_the_same() {
    let page = page();
    let read = |text: &str| Problem::from_json(text.as_bytes()).expect("a problem");
    let problems: Vec<_> = blocks(&page, "json").into_iter().map(read).collect();
    let all = |problem: &Problem| match problem {
        Problem::Lcp(lcp) => (lcp.view().m().to_dense(), lcp.view().q().to_vec()),
        other => panic!("an LCP, not {:?}", other.class()),
    };
    let [dense, sparse] = &problems[..] else { panic!("two problems, not {}", problems.len()) };
    assert_eq!(all(dense), all(sparse));
}
