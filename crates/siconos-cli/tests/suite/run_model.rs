//! `siconos-rs run` and `study` for models: overrides, outputs and snapshots.

use std::fs;
use std::process::Output;

use crate::program::{self, BALL, folder, scratch, siconos, text};

/// Creates a model file for one test.
fn file(name: &str) -> String {
    scratch(&format!("model_{name}.toml"), BALL)
}

fn fresh(name: &str) -> String {
    program::fresh(format!("model_{name}"))
}

fn read(name: &str) -> String {
    fs::read_to_string(folder().join(name)).expect("a file")
}

#[track_caller]
fn assert_done(output: &Output) {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

/// Returns the rows of a table as numbers.
fn rows(name: &str) -> Vec<Vec<f64>> {
    let text = read(name);
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines.map(|line| line.split(',').map(|x| x.parse().expect("a number")).collect()).collect()
}

#[test]
fn values_of_a_file_are_set() {
    let (model, table) = (file("set"), fresh("set.csv"));
    assert_done(&siconos(&["run", &model, "--output", &table]));
    // Moreau's scheme computes the velocity of a free fall exactly.
    assert_eq!(rows(&table)[1], [0.5, 99.0, -4.0]);
    let set = ["--set", "g=2", "--set", "systems.ball.q=50.0", "--set", "simulation.end=1"];
    assert_done(&siconos(&[&["run", &model, "--output", &table, "--force"], &set[..]].concat()));
    let fall = rows(&table);
    // Settings that the file leaves at their defaults.
    let set = ["--set", "simulation.integrator.kind=moreau_jean", "--set", "simulation.integrator.theta=1.0"];
    let set = [&set[..], &["--set", "systems.*.q=50.0", "--set", "g=2", "--set", "output.every=2"]].concat();
    assert_done(&siconos(&[&["run", &model, "--output", &table, "--force"], &set[..]].concat()));
    assert_eq!(rows(&table)[1], [1.0, 50.0 - 0.5 - 1.0, -2.0]);
    assert_eq!((fall.len(), fall[1].as_slice()), (3, &[0.5, 49.75, -1.0][..]));
    for (set, expected) in [
        ("h=1", "parameters.h: there is no `h` in [parameters]; it has `g`"),
        ("systems.bal.q=1", "systems.bal.q: there is no `bal` in [systems]; did you mean `ball`?"),
        ("title=1", "parameters.title: there is no `title` in [parameters]"),
        ("simulation=3", "parameters.simulation: there is no `simulation` in [parameters]"),
        ("simulation.tolerence=1e-9", "unknown key `tolerence`"),
        ("simulation.newton.tolerence=1e-9", "unknown key `tolerence`"),
        ("interactions.*.mass=1", "interactions.*.mass: there is no `*` in [interactions]"),
        ("interactions.floor.law=true", "this is a table in the file and cannot be set to true"),
        ("g", "`g` is not an assignment"),
        ("g=nan", "this is NaN; it must be finite"),
    ] {
        let output = siconos(&["run", &model, "--set", set]);
        assert_eq!(output.status.code(), Some(2), "{set}");
        assert!(text(&output.stderr).contains(expected), "{set}: {}", text(&output.stderr));
    }
}

#[test]
fn an_output_that_exists_is_kept() {
    let (model, table) = (file("exists"), fresh("exists.csv"));
    fs::write(folder().join(&table), "precious").expect("a file");
    let output = siconos(&["run", &model, "--output", &table]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("--force"), "{}", text(&output.stderr));
    assert_eq!(read(&table), "precious");
}

#[test]
fn a_run_goes_on_from_a_snapshot_of_the_same_model_alone() {
    let (model, table) = (file("resume"), fresh("resume.csv"));
    let snapshot = format!("{table}.snapshot");
    assert_done(&siconos(&["run", &model, "--output", &table, "--checkpoint", "3"]));
    let whole = read(&table);
    // The snapshot was taken after six of eight steps. The rows after it are computed again.
    assert_done(&siconos(&["run", &model, "--resume", &snapshot]));
    assert_eq!(read(&table), whole);
    for (set, expected) in [
        ("g=2", "parameters.g is 2 in the model, but 8 in the snapshot"),
        ("simulation.step=0.25", "simulation.step is 0.25 in the model, but 0.5 in the snapshot"),
        (
            "interactions.floor.law.restitution=0.25",
            "restitution is 0.25 in the model, but 0.5 in the snapshot",
        ),
    ] {
        let output = siconos(&["run", &model, "--resume", &snapshot, "--set", set]);
        assert_eq!(output.status.code(), Some(2), "{set}");
        assert!(text(&output.stderr).contains(expected), "{}", text(&output.stderr));
    }
    let other = BALL.replace("[simulation]\n", "[simulation]\nintegrator = \"schatzman_paoli\"\n");
    let output = siconos(&["run", &scratch("model_other_integrator.toml", other), "--resume", &snapshot]);
    assert_eq!(output.status.code(), Some(2));
    let expected = "simulation.integrator is `schatzman_paoli` in the model, but missing in the snapshot";
    assert!(text(&output.stderr).contains(expected), "{}", text(&output.stderr));
    assert_eq!(read(&table), whole);
    // If the newest snapshot is damaged, the previous one is used and a message reports it.
    let path = folder().join(&snapshot);
    let bytes = fs::read(&path).expect("a snapshot");
    fs::write(&path, &bytes[..bytes.len() - 1]).expect("a snapshot");
    let output = siconos(&["run", &model, "--resume", &snapshot]);
    assert_done(&output);
    assert!(text(&output.stderr).contains("from the previous snapshot"), "{}", text(&output.stderr));
    assert_eq!(read(&table), whole);
    // A snapshot of another format is refused.
    let mut newer = bytes;
    newer[16] = 99;
    fs::write(&path, newer).expect("a snapshot");
    let output = siconos(&["run", &model, "--resume", &snapshot]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("this is format 99; this program reads format 5"));
}

#[test]
fn other_formats_are_made_at_the_end() {
    let (model, table) = (file("formats"), fresh("formats.dat"));
    assert_done(&siconos(&["run", &model, "--output", &table]));
    assert_eq!(read(&table).lines().filter(|line| !line.starts_with('#')).count(), 9);
    assert!(!folder().join(format!("{table}.slog")).exists(), "the log has gone into the table");
}

/// A full disk ends a run with a message, and existing files are kept.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let model = file("full");
    let link = folder().join("model_full.csv");
    let _absent = fs::remove_file(&link);
    std::os::unix::fs::symlink("/dev/full", &link).expect("a link");
    let output = siconos(&["run", &model, "--output", "model_full.csv", "--force"]);
    assert_eq!(output.status.code(), Some(2));
    let told = text(&output.stderr);
    assert!(told.contains("model_full.csv") && told.contains("No space left"), "{told}");
}

#[test]
fn a_sweep_has_the_points_in_their_order() {
    let (model, table) = (file("sweep"), fresh("sweep.csv"));
    let vary = ["--vary", "g=1:2:0.5", "--vary", "simulation.end=1,2"];
    assert_done(&siconos(&[&["study", &model, "--output", &table], &vary[..]].concat()));
    let points: Vec<_> = rows(&table).iter().map(|row| (row[0], row[1], row[2])).collect();
    let expected = [1.0, 1.5, 2.0].map(|g| [(g, 1.0, 1.0), (g, 2.0, 2.0)]).concat();
    assert_eq!(points, expected);
    for (vary, expected) in [
        ("g=1:2:0", "steps of 0 do not lead from 1 to 2"),
        ("g=1:2:-1", "steps of -1 do not lead from 1 to 2"),
        ("g=a", "is not a range FROM:TO:STEP, a range FROM:TO/COUNT or a comma-separated list of numbers"),
        ("f=1:2:1", "there is no `f` in [parameters]"),
    ] {
        let output = siconos(&["study", &model, "--vary", vary, "--output", "model_none.csv"]);
        assert_eq!(output.status.code(), Some(2), "{vary}");
        assert!(text(&output.stderr).contains(expected), "{vary}: {}", text(&output.stderr));
    }
}

/// A ball with nonlinear drag, for which Newton's method is limited to one iteration.
const STARVED: &str = r#"
format = 1
kind = "model"

[parameters]
drag = 1.0

[systems.ball]
family = "lagrangian"
coordinates = ["z"]
q = [0.0]
v = [1.0]
mass = 1.0
internal_force = "drag * z' * z' * z'"

[simulation]
kind = "time_stepping"
end = 4.0
step = 0.5
integrator = { kind = "moreau_jean", theta = 1.0 }
newton = { max_iterations = 1 }
on_non_convergence = "warn"
"#;

#[test]
fn steps_that_did_not_converge_are_told() {
    let folder = folder();
    fs::write(folder.join("starved.toml"), STARVED).expect("a scratch file");
    let warned = siconos(&["run", "starved.toml", "--format", "json"]);
    assert_eq!(warned.status.code(), Some(1));
    let answer: serde_json::Value = serde_json::from_slice(&warned.stdout).expect("an object");
    assert_eq!(answer["not_converged"], serde_json::json!({ "steps": 8, "first": 0.5 }), "{answer}");
    let lines = text(&warned.stderr);
    let warnings: Vec<_> = lines.lines().collect();
    let (counted, in_full) = warnings.split_last().expect("warnings");
    assert_eq!(in_full.len(), 5, "{lines}");
    for (step, warning) in (1..).zip(in_full) {
        let start = format!("siconos-rs: warning: step {step}, t = ");
        assert!(
            warning.starts_with(&start) && warning.contains("Newton's method did not converge"),
            "{warning}"
        );
    }
    let start = "siconos-rs: 3 more warnings like the first: step 1, t = ";
    assert!(counted.starts_with(start), "{counted}");

    // With "continue", only the result reports these steps.
    let silent = STARVED.replace("\"warn\"", "\"continue\"");
    fs::write(folder.join("starved_silent.toml"), silent).expect("a scratch file");
    let told = siconos(&["run", "starved_silent.toml"]);
    assert_eq!(told.status.code(), Some(1));
    assert!(text(&told.stdout).contains("8 steps, the first to t = 0.5"), "{}", text(&told.stdout));
    assert_eq!(text(&told.stderr), "");

    // A resumed run also counts the unconverged steps before the snapshot. One snapshot is after six steps,
    // one at the end.
    for (checkpoint, left) in [("3", 2), ("8", 0)] {
        let table = fresh(&format!("starved_{left}.csv"));
        let run = ["run", "starved_silent.toml", "--output", &table, "--checkpoint", checkpoint];
        assert_eq!(siconos(&run).status.code(), Some(1));
        let snapshot = format!("{table}.snapshot");
        let info = siconos(&["info", &snapshot, "--format", "json"]);
        let info: serde_json::Value = serde_json::from_slice(&info.stdout).expect("an object");
        assert_eq!(info["not_converged"], serde_json::json!({ "steps": 8 - left, "first": 0.5 }), "{info}");
        let resumed = siconos(&["run", "starved_silent.toml", "--resume", &snapshot, "--format", "json"]);
        assert_eq!(resumed.status.code(), Some(1), "{left} steps left");
        let answer: serde_json::Value = serde_json::from_slice(&resumed.stdout).expect("an object");
        assert_eq!(answer["not_converged"], serde_json::json!({ "steps": 8, "first": 0.5 }), "{answer}");
    }

    // In a parameter study, each row contains the number of unconverged steps.
    let table = fresh("starved.csv");
    let vary = ["--vary", "drag=0:1:1", "--output", &table];
    assert_done(&siconos(&[&["study", "starved_silent.toml"], &vary[..]].concat()));
    let header = read(&table).lines().find(|line| line.starts_with("drag")).map(str::to_owned);
    assert!(header.expect("names").ends_with(",not_converged"));
    let last: Vec<_> = rows(&table).iter().map(|row| row[row.len() - 1]).collect();
    assert_eq!(last, [0.0, 8.0]);
}

/// A super-twisting observer of an oscillator. It slides at y = 0, where lambda acts on the second derivative
/// of y: there x_2' = z_2', so that 1.1 lambda = x_1 = sin t.
const OBSERVER: &str = r#"format = 1
kind = "model"

[systems.s]
family = "first_order_nonlinear"
coordinates = ["x1", "x2", "z1", "z2"]
x = [0, 1, 1, 0]
f = ["x2", "-x1", "z2", 0]

[interactions.sign]
systems = ["s"]
relation = { kind = "first_order_nonlinear", h = ["x1 - z1"], g = [0, 0, "-1.5 * sqrt(abs(x1 - z1)) * lambda", "-1.1 * lambda"] }
law = { kind = "relay", lower = [-1], upper = [1] }

[simulation]
kind = "time_stepping"
end = 10
step = 1e-3

[output.columns]
lambda = "sign.lambda"
"#;

#[test]
fn an_alternating_multiplier_is_reported_by_name() {
    let folder = folder();
    fs::write(folder.join("observer.toml"), OBSERVER).expect("a scratch file");
    let trapezoidal = siconos(&["run", "observer.toml"]);
    let warnings = text(&trapezoidal.stderr);
    assert_eq!(warnings.lines().count(), 1, "{warnings}");
    assert!(warnings.contains("multiplier of interaction `sign`"), "{warnings}");
    assert!(warnings.contains("use theta above 1/2"), "{warnings}");

    let implicit = "step = 1e-3\nintegrator = { kind = \"euler_moreau\", theta = 1 }\n";
    fs::write(folder.join("observer_damped.toml"), OBSERVER.replace("step = 1e-3\n", implicit))
        .expect("a file");
    let table = fresh("observer.csv");
    let damped = siconos(&["run", "observer_damped.toml", "--output", &table]);
    assert_eq!(text(&damped.stderr), "");
    let lambda = rows(&table).last().and_then(|row| row.last().copied()).expect("a last row");
    // The multiplier lags by a few steps of 1e-3.
    assert!((lambda - 10.0_f64.sin() / 1.1).abs() < 5e-3, "{lambda}");
}

/// A run with another end has the same rows up to the earlier end, and a snapshot is resumed to a later end.
#[test]
fn the_end_of_the_file_can_be_replaced() {
    let (model, short, long) = (file("to"), fresh("to_short.csv"), fresh("to_long.csv"));
    assert_done(&siconos(&["run", &model, "--output", &short]));
    assert_done(&siconos(&["run", &model, "--output", &long, "--to", "30"]));
    let (first, all) = (rows(&short), rows(&long));
    assert!(all.len() > first.len() && all.starts_with(&first));
    assert_eq!(all.last().map(|row| row[0]), Some(30.0));
    let cut = fresh("to_cut.csv");
    assert_done(&siconos(&["run", &model, "--output", &cut, "--to", "1"]));
    assert!(first.starts_with(&rows(&cut)));
    let log = fresh("to.slog");
    let snapshot = format!("{log}.snapshot");
    assert_done(&siconos(&["run", &model, "--output", &log, "--checkpoint", "3"]));
    assert_done(&siconos(&["run", &model, "--resume", &snapshot, "--to", "30"]));
    let table = fresh("to_resumed.csv");
    assert_done(&siconos(&["convert", &log, &table]));
    assert_eq!(rows(&table), all);
    for (end, expected) in
        [("0", "must be at least one step after `start`"), ("nan", "it must be a time in seconds")]
    {
        let refused = siconos(&["run", &model, "--to", end]);
        assert_eq!(refused.status.code(), Some(2), "{end}");
        assert!(text(&refused.stderr).contains(expected), "{end}: {}", text(&refused.stderr));
    }
    for set in ["simulation.exact_end=true", "simulation.steps=7"] {
        let refused = siconos(&["run", &model, "--set", set, "--to", "30"]);
        assert_eq!(refused.status.code(), Some(2), "{set}");
    }
    let text_of_file =
        read(&model).replace("step = ", "# step = ").replace("end = ", "times = [0, 1, 3]\n# end = ");
    let fixed = scratch("model_to_times.toml", text_of_file);
    let refused = siconos(&["run", &fixed, "--to", "30"]);
    assert!(text(&refused.stderr).contains("--to: this model has a fixed end"), "{}", text(&refused.stderr));
}
