//! Snapshots: whatever happens to the newest file, one of the last two is there.

use std::fs;
use std::path::{Path, PathBuf};

use siconos_io::model::ModelFile;
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

/// The run after so many steps.
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

fn scratch(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    for ending in ["", ".before"] {
        // There is none at the first time.
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
    let path = scratch("cut.snapshot");
    let (first, second) = (after(10), after(20));
    first.write(&path).expect("a file");
    second.write(&path).expect("a file");
    let whole = fs::read(&path).expect("a file");
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).expect("a file");
        let found = Snapshot::read(&path).expect("the one before");
        assert_eq!(found.snapshot, first, "cut at {length}");
        let cause = found.instead_of.expect("it is told").to_string();
        assert!(cause.contains("damaged") || cause.contains("no snapshot"), "cut at {length}: {cause}");
    }
    fs::remove_file(&path).expect("it is there");
    assert_eq!(Snapshot::read(&path).expect("the one before").snapshot, first);
    fs::write(&path, &whole).expect("a file");
    let found = Snapshot::read(&path).expect("the newest");
    assert!(found.instead_of.is_none() && found.snapshot == second);
}

#[test]
fn no_changed_byte_goes_unseen() {
    let whole = after(3).to_bytes();
    for place in 0..whole.len() {
        for bit in [1, 128] {
            let mut changed = whole.clone();
            changed[place] ^= bit;
            let read = Snapshot::from_bytes(&changed, Path::new("x"));
            assert!(read.is_err(), "byte {place} with bit {bit} changed");
        }
    }
}

#[test]
fn newer_formats_are_refused_with_both_numbers() {
    let path = scratch("newer.snapshot");
    after(1).write(&path).expect("a file");
    after(2).write(&path).expect("a file");
    let mut bytes = fs::read(&path).expect("a file");
    bytes[16] = 7;
    fs::write(&path, &bytes).expect("a file");
    let error = Snapshot::read(&path).expect_err("a newer format");
    assert!(matches!(error, SnapshotError::Newer { found: 7, known: Snapshot::FORMAT, .. }), "{error}");
}

/// One file of each format before the present one is kept; all are of the ball after 60 steps.
#[test]
fn older_formats_are_read() {
    for format in 1..Snapshot::FORMAT {
        let name = format!("snapshots/format_{format}.snapshot");
        let found = Snapshot::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect("a snapshot");
        assert!(found.instead_of.is_none());
        let (old, new) = (found.snapshot, after(60));
        assert_eq!((old.state, old.overrides), (new.state, new.overrides));
        // How far it has come is all that is there; NaN is no time of it.
        assert_eq!(old.recorded, new.recorded);
    }
}

#[test]
fn the_first_difference_of_models_is_named() {
    let snapshot = after(1);
    let set = [snapshot.overrides[0].clone()];
    assert!(snapshot.check_model((BALL, "ball.toml"), &set).is_ok());
    // How the model is written does not count, nor how it is called.
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
        ("mass = 1", "mass = 2", "systems.ball.mass is 2 in the model, 1 in the snapshot"),
        ("q = 1\n", "q = 1\nv = 0\n", "systems.ball.v is 0 in the model, not there in the snapshot"),
        ("\"-g\"", "\"g\"", "systems.ball.external_force is `g` in the model, `-g` in the snapshot"),
    ] {
        let other = BALL.replace(from, to);
        let error = snapshot.check_model((&other, "ball.toml"), &set).expect_err("another model").to_string();
        assert!(error.ends_with(expected), "{error}");
    }
}
