//! Texts that are designed to break the reader of models: each gives a model or diagnostics in bounded time.

use std::fmt::Write;
use std::fs;
use std::time::{Duration, Instant};

use siconos_io::document::{Diagnostic, DocumentError};
use siconos_io::model::{AnyModel, ModelFile};

/// Start of a model file. The systems follow it, and [`TAIL`] follows the systems.
const HEAD: &str = "format = 1\nkind = \"model\"\n";
const TAIL: &str = "\n[simulation]\nkind = \"time_stepping\"\nend = 1\nstep = 0.1\n";

/// Time limit that is exceeded only if the effort grows with the square of the length of the text.
const LONG: Duration = Duration::from_secs(60);

fn faults(text: &str, name: &str) -> Vec<Diagnostic> {
    match AnyModel::parse(text, name, &[]) {
        Ok(_) => panic!("{name} is a model"),
        Err(DocumentError::Diagnostics { diagnostics, .. }) => diagnostics,
        Err(other) => panic!("{name}: {other}"),
    }
}

fn first(text: &str, name: &str) -> String {
    faults(text, name)[0].message.clone()
}

/// Returns a model with these lines as its systems.
fn with_systems(systems: &str) -> String {
    format!("{HEAD}{systems}{TAIL}")
}

#[test]
fn what_is_nested_deeply_is_refused() {
    const DEPTH: usize = 10_000;
    let (open, close) = ("[".repeat(DEPTH), "]".repeat(DEPTH));
    first(&format!("{HEAD}a = {open}{close}"), "arrays.toml");
    first(&format!("{{\"a\": {open}{close}}}"), "arrays.json");
    first(&format!("{HEAD}a = {open}"), "open.toml");
    first(&format!("{{\"a\": {open}"), "open.json");
    let (open, close) = ("{ a = ".repeat(DEPTH), " }".repeat(DEPTH));
    first(&format!("{HEAD}a = {open}1{close}"), "tables.toml");
    let (open, close) = ("{\"a\": ".repeat(DEPTH), "}".repeat(DEPTH));
    first(&format!("{open}1{close}"), "objects.json");
    let dotted = vec!["a"; DEPTH].join(".");
    first(&format!("{HEAD}{dotted} = 1\n"), "keys.toml");
    first(&format!("{HEAD}[{dotted}]\n"), "headers.toml");
    first(&format!("{HEAD}[[{dotted}]]\n"), "headers_of_arrays.toml");
    let nested = format!("{}1{}", "(".repeat(DEPTH), ")".repeat(DEPTH));
    let text = with_systems(&format!("[systems.a]\nfamily = \"lagrangian\"\nq = \"{nested}\"\nmass = 1\n"));
    assert!(first(&text, "parentheses.toml").contains("nested more than"));
}

#[test]
fn very_long_expressions_are_refused_unread() {
    let sum = vec!["1"; 5 << 20].join("+");
    let text = with_systems(&format!("[systems.a]\nfamily = \"lagrangian\"\nq = \"{sum}\"\nmass = 1\n"));
    let found = faults(&text, "long.toml");
    assert_eq!(found.len(), 1);
    assert!(found[0].message.contains("bytes; the limit is"), "{}", found[0].message);
}

#[test]
fn functions_of_functions_are_counted_written_out() {
    let mut functions = String::from("[functions]\nf0 = \"x -> x + x\"\n");
    for place in 1..16 {
        writeln!(functions, "f{place} = \"x -> f{}(x) + f{}(x)\"", place - 1, place - 1).expect("a string");
    }
    let mut text = format!("{HEAD}{functions}");
    for place in 0..200 {
        let system = "family = \"lagrangian\"\nq = 1\nmass = 1\nexternal_force = \"f15(t)\"";
        write!(text, "[systems.s{place}]\n{system}\n").expect("a string");
    }
    let found = faults(&format!("{text}{TAIL}"), "functions.toml");
    assert_eq!(found.len(), 1, "{}", found[1].message);
    assert!(found[0].message.contains("with all functions expanded"), "{}", found[0].message);
}

#[test]
fn announced_sizes_take_no_memory() {
    let mut text = HEAD.to_owned();
    for place in 0..1000 {
        let stiffness = "stiffness = { rows = 1000, columns = 1000, entries = [] }";
        write!(text, "[systems.s{place}]\nfamily = \"lagrangian_linear\"\nq = 1\nmass = 1\n{stiffness}\n")
            .expect("a string");
    }
    let found = faults(&format!("{text}{TAIL}"), "announced.toml");
    assert!(found.len() >= 1000, "{}", found.len());

    let steps = with_systems("[systems.a]\nfamily = \"lagrangian_linear\"\nq = 1\nmass = 1\n");
    let steps = steps.replace("end = 1", "steps = 1000000000000000");
    let model = ModelFile::parse(&steps, "steps.toml").expect("a model");
    let mut built = model.build().expect("it can be built");
    assert_eq!(built.steps(), Some(1_000_000_000_000_000));
    assert!(built.advance(|_| Ok::<_, ()>(())).expect("a step"));
}

#[test]
fn large_files_take_time_in_proportion() {
    const COUNT: usize = 10_000;
    let mut text = HEAD.to_owned();
    for place in 0..COUNT {
        write!(text, "[systems.s{place}]\nfamily = \"lagrangian_linear\"\nq = 1\nmass = 1\n")
            .expect("a string");
    }
    for place in 0..COUNT {
        let relation = "relation = { kind = \"lagrangian_linear\", H = 1 }\nlaw = \"complementarity\"";
        write!(text, "[interactions.i{place}]\nsystems = \"s{place}\"\n{relation}\n").expect("a string");
    }
    let begin = Instant::now();
    ModelFile::parse(&format!("{text}{TAIL}"), "large.toml").expect("a model");
    assert!(begin.elapsed() < LONG, "{:?}", begin.elapsed());

    // Each interaction has an error, and its nearest name is searched among all systems.
    let text = text.replace("systems = \"s", "systems = \"z");
    let begin = Instant::now();
    let found = faults(&format!("{text}{TAIL}"), "faults.toml");
    assert!(begin.elapsed() < LONG, "{:?}", begin.elapsed());
    assert_eq!(found.len(), 1001);
    assert!(found[1000].message.contains("9000 more errors"), "{}", found[1000].message);

    let keys: Vec<_> = (0..2 * COUNT).map(|place| format!("\"k{place}\": 1")).collect();
    let text = format!("{{{}}}", keys.join(", "));
    let begin = Instant::now();
    let found = faults(&text, "keys.json");
    assert!(begin.elapsed() < LONG, "{:?}", begin.elapsed());
    assert!(found.len() < 1002, "{}", found.len());
}

#[test]
fn names_may_be_anything_that_the_syntax_allows() {
    for name in
        ["", " ", "a.b", "a'", "a''", "a\\\"b", "\\n", "\\u0000", "é", "日本", "🙂", "-", "1", "a[0]", "true"]
    {
        for table in
            ["systems", "interactions", "parameters", "constants", "functions", "laws", "output.columns"]
        {
            let text = with_systems(&format!("[{table}.\"{name}\"]\nfamily = \"lagrangian\"\n"));
            let error = match AnyModel::parse(&text, "names.toml", &[]) {
                Ok(_) => panic!("{table}.{name}"),
                Err(error) => error.to_string(),
            };
            assert!(error.starts_with("names.toml:"), "{error}");
        }
    }
}

#[test]
fn what_is_no_text_is_told() {
    let folder = std::env::temp_dir().join(format!("siconos-attacks-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let is_io = |path: &std::path::Path| matches!(AnyModel::read(path, &[]), Err(DocumentError::Io { .. }));
    assert!(is_io(&folder), "a folder");
    assert!(is_io(&folder.join("none.toml")), "nothing");
    let bytes = folder.join("bytes.toml");
    fs::write(&bytes, [0xff, 0xfe, 0x00]).expect("a file");
    assert!(is_io(&bytes), "bytes");
    fs::remove_dir_all(&folder).expect("it was made here");
    for text in ["\u{feff}", "\0", "#", "\r", "\u{2028}"] {
        faults(text, "odd.toml");
        faults(text, "odd.json");
    }
}
