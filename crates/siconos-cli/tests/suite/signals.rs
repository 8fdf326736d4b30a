//! Runs that are interrupted by signals write a snapshot. The resumed run gives byte-for-byte identical
//! output.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use super::kills::{command, finish, folder, models, words};

/// Arguments of a run that takes some seconds and writes to a file.
fn run(output: &str) -> Vec<String> {
    let model = models().join("column_of_beads.toml").display().to_string();
    words(&["run", &model, "--set", "simulation.end=40", "--output", output])
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()), "a signal can be sent");
}

/// Returns a command that handles Ctrl-C as on a terminal. A shell without a terminal makes background
/// programs ignore it.
fn on_a_terminal(folder: &Path, arguments: &[String]) -> Command {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or("0");
    let ignored = u64::from_str_radix(mask.trim(), 16).expect("a bit for each signal");
    let is_interrupt_ignored = ignored & 0b10 != 0;
    if !is_interrupt_ignored {
        return command(folder, arguments);
    }
    let mut command = Command::new("env");
    command.args(["--default-signal=INT", env!("CARGO_BIN_EXE_siconos-rs")]).args(arguments);
    command.current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Sends a signal to a program during its run, and returns what the program printed. `told` is a part of it.
fn asked_to_end(signal: &str, folder: &Path, arguments: &[String], whole: Duration, told: &str) -> String {
    // On a busy machine the program may have ended or finished a point by then, or may not have started.
    for part in [0.3, 0.5, 0.2, 0.7, 0.1] {
        let mut child = on_a_terminal(folder, arguments).spawn().expect("the program runs");
        thread::sleep(whole.mul_f64(part));
        if child.try_wait().expect("our own").is_none() {
            send(signal, &child);
        }
        let output = child.wait_with_output().expect("the program ends");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.status.code() == Some(130) && text.contains(told) {
            return text;
        }
    }
    panic!("{signal} does not interrupt the program with the message {told:?}");
}

#[test]
fn a_run_that_is_asked_to_end_leaves_a_snapshot_and_goes_on() {
    let folder = folder("terminated");
    let whole = finish(&folder, &run("whole.csv"));
    for signal in ["-TERM", "-INT"] {
        let arguments = [run("cut.csv"), words(&["--force"])].concat();
        let told = asked_to_end(signal, &folder, &arguments, whole, "--resume cut.csv.snapshot");
        assert!(told.contains("interrupted"), "{told}");
        finish(&folder, &[run("cut.csv"), words(&["--resume", "cut.csv.snapshot"])].concat());
        let read = |file: &str| fs::read(folder.join(file)).expect("a table");
        assert!(read("whole.csv") == read("cut.csv"), "{signal}: the tables differ");
    }
}

#[test]
fn a_sweep_that_is_asked_to_end_goes_on_by_the_same_command() {
    let folder = folder("interrupted_sweep");
    let model = models().join("cam_follower.toml").display().to_string();
    let vary = ["--vary", "rpm=300:339:1", "--set", "simulation.end=0.2"];
    let sweep = |output| words(&[&["study", &model, "--output", output], &vary[..]].concat());
    let whole = finish(&folder, &sweep("whole.csv"));
    for signal in ["-INT", "-TERM"] {
        let arguments = [sweep("cut.csv"), words(&["--force"])].concat();
        let told = asked_to_end(signal, &folder, &arguments, whole, "of 40");
        assert!(told.contains("resume with the same command"), "{told}");
        assert!(!folder.join("cut.csv").exists(), "there is no table before all of its points");
        finish(&folder, &sweep("cut.csv"));
        let read = |file: &str| fs::read(folder.join(file)).expect("a table");
        assert!(read("whole.csv") == read("cut.csv"), "{signal}: the tables differ");
        fs::remove_file(folder.join("cut.csv")).expect("it is there");
    }
}

/// A study ends within the run of a point, and resumes within it.
#[test]
fn a_point_under_way_is_resumed() {
    let folder = folder("interrupted_points");
    let model = models().join("column_of_beads.toml").display().to_string();
    for rows in ["last", "all"] {
        let study = |output: &str| {
            let vary = ["--vary", "simulation.end=40", "--rows", rows, "--output", output];
            words(&[&["study", &model], &vary[..]].concat())
        };
        let whole = finish(&folder, &[study("whole.csv"), words(&["--force"])].concat());
        let arguments = [study("cut.csv"), words(&["--force"])].concat();
        let told = asked_to_end("-INT", &folder, &arguments, whole, "0 of 1");
        assert!(told.contains("resume with the same command"), "{told}");
        let snapshot = folder.join("cut.csv.point-0.snapshot");
        assert!(snapshot.exists(), "the point was under way");
        finish(&folder, &study("cut.csv"));
        assert!(!snapshot.exists());
        let read = |file: &str| fs::read(folder.join(file)).expect("a table");
        assert!(read("whole.csv") == read("cut.csv"), "{rows}: the tables differ");
        fs::remove_file(folder.join("cut.csv")).expect("it is there");
    }
}

#[test]
fn a_signal_that_is_to_be_ignored_is_ignored() {
    let folder = folder("ignored");
    let whole = finish(&folder, &run("whole.csv"));
    // On a busy machine a run may end before the signal arrives.
    for part in [0.5, 0.3, 0.2, 0.1] {
        let mut shell = Command::new("sh");
        // This is what `nohup` does.
        let ignoring = r#"trap "" HUP; exec "$@""#;
        shell.args(["-c", ignoring, "sh", env!("CARGO_BIN_EXE_siconos-rs")]);
        shell.args(run("not_cut.csv")).arg("--force").current_dir(&folder);
        let mut child = shell.spawn().expect("the program runs");
        thread::sleep(whole.mul_f64(part));
        if child.try_wait().expect("our own").is_some() {
            continue;
        }
        send("-HUP", &child);
        let was_on_its_way = child.try_wait().expect("our own").is_none();
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(output.status.code(), Some(0));
        let read = |file: &str| fs::read(folder.join(file)).expect("a table");
        assert!(read("whole.csv") == read("not_cut.csv"), "the tables differ");
        if was_on_its_way {
            return;
        }
    }
    panic!("each run was at its end before the signal came");
}
