//! Snapshots: one of the last two can be read, whatever happens to the newest file.

use std::fs;
use std::path::{Path, PathBuf};

use siconos_io::model::{AnyModel, ModelFile};
use siconos_io::snapshot::{Snapshot, SnapshotError};

const BALL: &str = r#"
format = 1
kind = "model"

[parameters]
g = 9.81

[systems.ball]
family = "lagrangian_linear"
q = 1
mass = 1
external_force = "-g"

[interactions.floor]
systems = ["ball"]
relation = { kind = "lagrangian_linear", H = 1 }
law = { kind = "newton_impact", restitution = 0.5 }

[simulation]
kind = "time_stepping"
end = 1
step = 0.01

[output.columns]
q = "ball.q"
way = { sum = "abs(ball.q')" }
"#;

/// Returns a snapshot of the run after a number of steps.
fn after(steps: usize) -> Snapshot {
    let file = ModelFile::parse(BALL, "ball.toml").expect("a model");
    let mut built = file.build().expect("it can be built");
    for _ in 0..steps {
        built.advance(|_| Ok::<(), std::convert::Infallible>(())).expect("a step");
    }
    let (state, recorded) = built.record().expect("a record");
    Snapshot {
        program: "test".to_owned(),
        host: "here".to_owned(),
        model_name: "ball.toml".to_owned(),
        model: BALL.to_owned(),
        overrides: vec!["g=9.81".parse().expect("a value")],
        state,
        recorded,
        output: Some("table.csv".to_owned()),
    }
}

const SAW: &str = "format = 1\nkind = \"hybrid\"\n[time]\nend = 4\n[parameters]\nrate = 1\n\
    [variables]\nx = { initial = 0, equation = \"x' = rate + x / 8\" }\n\
    [discrete]\nn = { type = \"integer\", initial = 0 }\n\
    [[events]]\ntrigger = \"x - 1\"\naction = \"x = 0; n = n + 1\"\n";

/// Returns a snapshot of the run of a hybrid model after a number of steps.
fn hybrid_after(steps: usize) -> Snapshot {
    let mut run = AnyModel::parse(SAW, "saw.toml", &[]).expect("a model").run(None).expect("it begins");
    for _ in 0..steps {
        run.advance(|_| Ok::<(), std::convert::Infallible>(())).expect("a step");
    }
    let (state, recorded) = run.record().expect("a record");
    let (model_name, model) = ("saw.toml".to_owned(), SAW.to_owned());
    Snapshot { model_name, model, overrides: Vec::new(), state, recorded, ..after(1) }
}

fn scratch(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    for ending in ["", ".before"] {
        // The file does not exist in the first run.
        let _absent = fs::remove_file(format!("{}{ending}", path.display()));
    }
    path
}

#[test]
fn what_is_written_is_read() {
    let snapshot = after(40);
    assert_eq!(Snapshot::from_bytes(&snapshot.to_bytes(), Path::new("x")).expect("it is whole"), snapshot);
    assert_eq!(snapshot.recorded.rows, 41);
    assert!(snapshot.recorded.sums[2] > 0.0);
}

#[test]
fn a_cut_at_any_byte_leaves_the_one_before() {
    assert_cut_leaves_the_one_before("cut.snapshot", after(10), after(20));
    let [first, second] = [100, 250].map(hybrid_after);
    assert!(first.state.t() > 0.5 && second.state.t() > first.state.t());
    assert_cut_leaves_the_one_before("cut_hybrid.snapshot", first, second);
}

fn assert_cut_leaves_the_one_before(name: &str, first: Snapshot, second: Snapshot) {
    let path = scratch(name);
    first.write(&path).expect("a file");
    second.write(&path).expect("a file");
    let whole = fs::read(&path).expect("a file");
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).expect("a file");
        let found = Snapshot::read(&path).expect("the one before");
        assert_eq!(found.snapshot, first, "cut at {length}");
        let cause = found.instead_of.expect("it is told").to_string();
        assert!(cause.contains("damaged") || cause.contains("not a snapshot"), "cut at {length}: {cause}");
    }
    fs::remove_file(&path).expect("it is there");
    assert_eq!(Snapshot::read(&path).expect("the one before").snapshot, first);
    fs::write(&path, &whole).expect("a file");
    let found = Snapshot::read(&path).expect("the newest");
    assert!(found.instead_of.is_none() && found.snapshot == second);
}

#[test]
fn no_changed_byte_goes_unseen() {
    for whole in [after(3).to_bytes(), hybrid_after(120).to_bytes()] {
        assert_no_change_goes_unseen(&whole);
    }
}

fn assert_no_change_goes_unseen(whole: &[u8]) {
    for place in 0..whole.len() {
        for bit in [1, 128] {
            let mut changed = whole.to_vec();
            changed[place] ^= bit;
            let read = Snapshot::from_bytes(&changed, Path::new("x"));
            assert!(read.is_err(), "byte {place} with bit {bit} changed");
        }
    }
}

#[test]
fn models_of_another_kind_are_refused() {
    let (ball, saw) = (after(1), hybrid_after(1));
    let run =
        |text: &str| AnyModel::parse(text, "x.toml", &[]).expect("a model").run(None).expect("it begins");
    let refused = |text: &str, from: &Snapshot| {
        run(text).resume(&from.state, &from.recorded).expect_err("another kind").to_string()
    };
    assert_eq!(refused(BALL, &saw), "the snapshot belongs to a `hybrid` model, but this is a `model` model");
    assert_eq!(refused(SAW, &ball), "the snapshot belongs to a `model` model, but this is a `hybrid` model");
    let faster = ["rate=2".parse().expect("a value")];
    let error = saw.check_model((SAW, "saw.toml"), &faster).expect_err("another rate").to_string();
    assert!(error.ends_with("parameters.rate is 2 in the model, but 1 in the snapshot"), "{error}");
}

#[test]
fn other_formats_are_refused_with_both_numbers() {
    let path = scratch("newer.snapshot");
    after(1).write(&path).expect("a file");
    after(2).write(&path).expect("a file");
    let mut bytes = fs::read(&path).expect("a file");
    for format in [0, 4, 7] {
        bytes[16] = format;
        fs::write(&path, &bytes).expect("a file");
        let error = Snapshot::read(&path).expect_err("another format");
        let SnapshotError::OtherFormat { found, known, .. } = error else { panic!("{error}") };
        assert_eq!((found, known), (format.into(), Snapshot::FORMAT));
    }
}

#[test]
fn the_first_difference_of_models_is_named() {
    let snapshot = after(1);
    let set = [snapshot.overrides[0].clone()];
    assert!(snapshot.check_model((BALL, "ball.toml"), &set).is_ok());
    // The formatting and the name of the model are ignored.
    let json = r#"{
        "format": 1, "kind": "model", "title": "another",
        "parameters": {"g": 9.81},
        "systems": {"ball": {"family": "lagrangian_linear", "q": 1, "mass": 1, "external_force": "-g"}},
        "interactions": {"floor": {"systems": ["ball"],
            "relation": {"kind": "lagrangian_linear", "H": 1},
            "law": {"kind": "newton_impact", "restitution": 0.5}}},
        "simulation": {"kind": "time_stepping", "end": 1, "step": 0.01},
        "output": {"columns": {"q": "ball.q", "way": {"sum": "abs(ball.q')"}}}
    }"#;
    snapshot.check_model((json, "ball.json"), &[]).expect("the same model");
    for (from, to, expected) in [
        (
            "step = 0.01",
            "step = 0.01\nintegrator = \"schatzman_paoli\"",
            "simulation.integrator is `schatzman_paoli` in the model, but missing in the snapshot",
        ),
        ("mass = 1", "mass = 2", "systems.ball.mass is 2 in the model, but 1 in the snapshot"),
        ("q = 1\n", "q = 1\nv = 0\n", "systems.ball.v is 0 in the model, but missing in the snapshot"),
        ("\"-g\"", "\"g\"", "systems.ball.external_force is `g` in the model, but `-g` in the snapshot"),
    ] {
        let other = BALL.replace(from, to);
        let error = snapshot.check_model((&other, "ball.toml"), &set).expect_err("another model").to_string();
        assert!(error.ends_with(expected), "{error}");
    }
}
