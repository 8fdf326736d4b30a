//! Runs that are asked to end by signals: they leave a snapshot, and go on to the same bytes.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output};
use std::thread;
use std::time::Duration;

use super::kills::{command, finish, folder, models, words};

/// A run of some seconds that writes to a file.
fn run(output: &str) -> Vec<String> {
    let model = models().join("column_of_beads.toml").display().to_string();
    words(&["run", &model, "--set", "simulation.end=40", "--output", output])
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()), "a signal can be sent");
}

/// What a run says that gets a signal in its midst.
fn asked_to_end(signal: &str, folder: &Path, whole: Duration) -> Output {
    // On a machine with other work a run may be at its end by then, or not have begun.
    for part in [0.3, 0.5, 0.2, 0.7, 0.1] {
        let arguments = [run("cut.csv"), words(&["--force"])].concat();
        let child = command(folder, &arguments).spawn().expect("the program runs");
        thread::sleep(whole.mul_f64(part));
        send(signal, &child);
        let output = child.wait_with_output().expect("the program ends");
        if output.status.code() == Some(130) {
            return output;
        }
    }
    panic!("{signal} ends no run with a snapshot");
}

/// The others may be ignored by whoever started the tests, and then they are here.
#[test]
fn a_run_that_is_asked_to_end_leaves_a_snapshot_and_goes_on() {
    let folder = folder("terminated");
    let whole = finish(&folder, &run("whole.csv"));
    let output = asked_to_end("-TERM", &folder, whole);
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.contains("interrupted") && told.contains("--resume cut.csv.snapshot"), "{told}");
    finish(&folder, &[run("cut.csv"), words(&["--resume", "cut.csv.snapshot"])].concat());
    let read = |file: &str| fs::read(folder.join(file)).expect("a table");
    assert!(read("whole.csv") == read("cut.csv"), "the tables differ");
}

#[test]
fn a_signal_that_is_to_be_ignored_is_ignored() {
    let folder = folder("ignored");
    let whole = finish(&folder, &run("whole.csv"));
    let mut shell = Command::new("sh");
    // As `nohup` does.
    let ignoring = r#"trap "" HUP; exec "$@""#;
    shell.args(["-c", ignoring, "sh", env!("CARGO_BIN_EXE_siconos-rs")]);
    let child = shell.args(run("not_cut.csv")).current_dir(&folder).spawn().expect("the program runs");
    thread::sleep(whole.mul_f64(0.5));
    send("-HUP", &child);
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(0));
    let read = |file: &str| fs::read(folder.join(file)).expect("a table");
    assert!(read("whole.csv") == read("not_cut.csv"), "the tables differ");
}
