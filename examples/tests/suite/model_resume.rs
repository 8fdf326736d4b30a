//! Runs of model files that go on in another process: from a snapshot to the same bits.

use std::convert::Infallible;
use std::path::Path;

use siconos_io::model::{AnyModel, BuiltModel, ModelFile};
use siconos_io::snapshot::Snapshot;

fn model(name: &str) -> ModelFile {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("models").join(format!("{name}.toml"));
    match AnyModel::read(path, &[]).unwrap_or_else(|error| panic!("{error}")) {
        AnyModel::Model(model) => *model,
        AnyModel::Hybrid(_) => panic!("{name} is hybrid"),
    }
}

/// Takes so many steps, or all that there are; the rows as bits.
fn advance(built: &mut BuiltModel, steps: usize) -> (bool, Vec<Vec<u64>>) {
    let mut rows = Vec::new();
    for _ in 0..steps {
        let more = built.advance(|row| {
            rows.push(row.iter().map(|x| x.to_bits()).collect());
            Ok::<(), Infallible>(())
        });
        if !more.expect("a step") {
            return (false, rows);
        }
    }
    (true, rows)
}

fn snapshot(file: &ModelFile, built: &BuiltModel) -> Snapshot {
    let (state, recorded) = built.record().expect("a record");
    let snapshot = Snapshot {
        program: "test".to_owned(),
        host: "here".to_owned(),
        model_name: file.name().to_owned(),
        model: file.text().to_owned(),
        overrides: Vec::new(),
        state,
        recorded,
        output: None,
    };
    Snapshot::from_bytes(&snapshot.to_bytes(), Path::new("test")).expect("what was written is read")
}

/// All rows of a run, with the rows of runs that were taken up again at some steps.
fn assert_goes_on(name: &str, stops: &[usize]) {
    let file = model(name);
    let (_, whole) = advance(&mut file.build().expect("a model"), usize::MAX);
    for &stop in stops {
        let mut first = file.build().expect("a model");
        let (_, mut rows) = advance(&mut first, stop);
        let snapshot = snapshot(&file, &first);
        let mut second = file.build().expect("a model");
        second.resume(&snapshot.state, &snapshot.recorded).expect("the same model");
        rows.truncate(snapshot.recorded.rows as usize);
        rows.extend(advance(&mut second, usize::MAX).1);
        assert_eq!(rows.len(), whole.len(), "{name} at {stop}");
        let different = rows.iter().zip(&whole).position(|(a, b)| a != b);
        assert_eq!(different, None, "{name}: stopped after {stop} steps, it differs from this row on");
    }
}

const STOPS: [usize; 8] = [0, 1, 2, 7, 40, 90, 150, 300];

#[test]
fn time_steps_go_on_to_the_same_bits() {
    for name in [
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
    ] {
        assert_goes_on(name, &STOPS);
    }
}

/// Devices keep what they have measured, estimated and summed up.
#[test]
fn devices_go_on_to_the_same_bits() {
    for name in ["sampled_pid", "sliding_mode", "observed_cart", "braked_ball_ed"] {
        assert_goes_on(name, &STOPS);
    }
}

#[test]
fn events_go_on_to_the_same_bits() {
    for name in [
        "bouncing_ball_ed",
        "two_contacts_ed",
        "bead_column_ed",
        "simple_pendulum_ed",
        "pendulum_with_stop_ed",
        "double_pendulum_ed",
    ] {
        assert_goes_on(name, &STOPS);
    }
}
