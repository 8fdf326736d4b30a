//! Runs of model files resume from a snapshot bit for bit.

use std::convert::Infallible;
use std::fs;
use std::path::Path;

use siconos_io::model::{AnyModel, AnyRun};
use siconos_io::snapshot::Snapshot;
use siconos_testkit::compare::worse;

/// Reads the model of a file in which a line is inserted after the header of a table.
fn model(name: &str, line: Option<(&str, &str)>) -> AnyModel {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("models").join(format!("{name}.toml"));
    let mut text = fs::read_to_string(path).expect("a file");
    if let Some((table, line)) = line {
        assert!(text.contains(table), "{name}: no {table}");
        text = text.replace(table, &format!("{table}{line}\n"));
    }
    AnyModel::parse(&text, "test.toml", &[]).unwrap_or_else(|error| panic!("{error}"))
}

fn begun(model: &AnyModel) -> AnyRun {
    model.run(None).expect("it begins")
}

/// Takes `steps` steps, or all remaining steps. Returns `true` if the run has not ended, and the bits of the
/// rows.
fn advance(run: &mut AnyRun, steps: usize) -> (bool, Vec<Vec<u64>>) {
    let mut rows = Vec::new();
    for _ in 0..steps {
        let more = run.advance(|row| {
            rows.push(row.iter().map(|x| x.to_bits()).collect());
            Ok::<(), Infallible>(())
        });
        if !more.expect("a step") {
            return (false, rows);
        }
    }
    (true, rows)
}

fn snapshot(model: &AnyModel, run: &AnyRun) -> Snapshot {
    let (state, recorded) = run.record().expect("a record");
    let snapshot = Snapshot {
        program: "test".to_owned(),
        host: "here".to_owned(),
        model_name: model.name().to_owned(),
        model: model.text().to_owned(),
        overrides: Vec::new(),
        state,
        recorded,
        output: None,
    };
    Snapshot::from_bytes(&snapshot.to_bytes(), Path::new("test")).expect("what was written is read")
}

/// Checks that a run that is interrupted after some steps, and again a few steps later, has the same rows as
/// an uninterrupted run. Returns the largest number of rows that were computed twice.
#[track_caller]
fn assert_goes_on(name: &str, line: Option<(&str, &str)>, stops: &[usize]) -> usize {
    let model = model(name, line);
    let (_, whole) = advance(&mut begun(&model), usize::MAX);
    let mut most_again = 0;
    for &stop in stops {
        let mut run = begun(&model);
        let mut rows = Vec::new();
        for steps in [stop, 3] {
            rows.extend(advance(&mut run, steps).1);
            let snapshot = snapshot(&model, &run);
            let kept = snapshot.recorded.rows as usize;
            most_again = most_again.max(rows.len() - kept);
            rows.truncate(kept);
            run = begun(&model);
            run.resume(&snapshot.state, &snapshot.recorded).expect("the same model");
        }
        rows.extend(advance(&mut run, usize::MAX).1);
        assert_eq!(rows.len(), whole.len(), "{name} at {stop}");
        let different = rows.iter().zip(&whole).position(|(a, b)| a != b);
        assert_eq!(different, None, "{name}: stopped after {stop} steps, it differs from this row on");
        assert_eq!(run.rows(), whole.len() as u64, "{name} at {stop}");
    }
    most_again
}

const STOPS: [usize; 8] = [0, 1, 2, 7, 40, 90, 150, 300];

const STEPS: [&str; 10] = [
    "bouncing_ball",
    "column_of_beads",
    "double_pendulum",
    "diode_bridge",
    "filtered_bridge",
    "buck_converter",
    "relay_oscillator",
    "nonlinear_relation",
    "spinning_disk",
    "cam_follower",
];
const DEVICES: [&str; 4] = ["sampled_pid", "sliding_mode", "observed_cart", "braked_ball_ed"];
const EVENTS: [&str; 6] = [
    "bouncing_ball_ed",
    "two_contacts_ed",
    "bead_column_ed",
    "simple_pendulum_ed",
    "pendulum_with_stop_ed",
    "double_pendulum_ed",
];
const HYBRID: [&str; 5] = ["counted_impacts", "neuron", "sample_and_hold", "swap", "thermostat"];
const PROCESSES: [&str; 8] = [
    "sweeping_disc",
    "sweeping_square",
    "sweeping_hysteresis",
    "sweeping_plastic_chain",
    "bridge_rectifier",
    "bridge_rectifier_periodic",
    "bounded_control",
    "dry_friction",
];

#[test]
fn time_steps_go_on_to_the_same_bits() {
    for name in STEPS {
        assert_goes_on(name, None, &STOPS);
    }
}

/// Devices resume with their samples, estimates and integrals.
#[test]
fn devices_go_on_to_the_same_bits() {
    for name in DEVICES {
        assert_goes_on(name, None, &STOPS);
    }
}

#[test]
fn events_go_on_to_the_same_bits() {
    for name in EVENTS {
        assert_goes_on(name, None, &STOPS);
    }
}

#[test]
fn hybrid_models_go_on_to_the_same_bits() {
    for name in HYBRID {
        assert_goes_on(name, None, &STOPS);
    }
}

/// Sweeping processes restart after a number of steps that does not depend on interruptions.
#[test]
fn processes_go_on_to_the_same_bits() {
    for name in PROCESSES {
        assert_goes_on(name, None, &STOPS);
    }
}

/// Every model that no other test of this file covers resumes after a single interruption.
#[test]
fn other_models_go_on_to_the_same_bits() {
    let tested = [&STEPS[..], &DEVICES, &EVENTS, &HYBRID, &PROCESSES].concat();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let files = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("a file").path());
    let mut names: Vec<_> = files
        .map(|path| path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned())
        .filter(|name| !tested.contains(&name.as_str()))
        .collect();
    names.sort();
    for name in ["block_on_slope", "chain_of_joints", "slider_crank_clearance", "tippe_top"] {
        assert!(names.iter().any(|other| other == name), "{name} has friction, and is not tested");
    }
    for name in &names {
        assert_goes_on(name, None, &[50]);
    }
}

/// With restarts, a resumed run repeats only the interval since the last restart instead of the whole smooth
/// motion.
#[test]
fn long_smooth_stretches_are_cut_by_restarts() {
    let of_model = ("[simulation]\n", "settings = { restart_every = 0.1 }");
    let of_hybrid = ("format = 1\n", "settings = { restart_every = 0.1 }");
    for (name, line) in [
        ("simple_pendulum_ed", of_model),
        ("double_pendulum_ed", of_model),
        ("bouncing_ball_ed", of_model),
        ("thermostat", of_hybrid),
        ("swap", of_hybrid),
    ] {
        let with = assert_goes_on(name, Some(line), &STOPS);
        let without = assert_goes_on(name, None, &STOPS);
        assert!(with < without, "{name}: {with} rows were made again, {without} without restarts");
    }
}

/// The bits of a motion depend on the restarts. The number of output points does not depend on them.
#[test]
fn a_restart_is_no_point_of_output() {
    let line = ("[simulation]\n", "settings = { restart_every = 0.013 }");
    let rows = |line| {
        let mut rows = Vec::new();
        let push = |row: &[f64]| {
            rows.push(row.to_vec());
            Ok::<(), Infallible>(())
        };
        begun(&model("simple_pendulum_ed", line)).to_end(push).expect("it goes to its end");
        rows
    };
    let (with, without) = (rows(Some(line)), rows(None));
    assert_eq!(with.len(), without.len());
    let mut worst = 0.0;
    for (a, b) in with.iter().flatten().zip(without.iter().flatten()) {
        worst = worse(worst, (a - b).abs());
    }
    assert!(worst > 0.0 && worst < 1e-8, "{worst:e}");
}
