//! Files and runs that belong to a snapshot.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use siconos_io::snapshot::Snapshot;

use crate::kills::{command, folder, models, words};
use crate::program::{BALL, text};

/// Runs the program in a folder.
fn siconos(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, &words(arguments)).output().expect("the program runs")
}

#[track_caller]
fn assert_done(output: &Output) {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

/// Checks that a command is refused with a message.
#[track_caller]
fn assert_refused(folder: &Path, arguments: &[&str], expected: &str) {
    let output = siconos(folder, arguments);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
    assert!(told.contains(expected), "{arguments:?}: {told}");
}

/// Creates a folder with a ball that has run, its output, and a snapshot after six of eight steps.
fn with_a_run(name: &str) -> PathBuf {
    let folder = folder(name);
    fs::write(folder.join("ball.toml"), BALL).expect("a model");
    assert_done(&siconos(&folder, &["run", "ball.toml", "--output", "ball.csv", "--checkpoint", "3"]));
    folder
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).expect("a file")
}

#[test]
fn a_run_goes_on_in_its_own_output_alone() {
    let folder = with_a_run("own_output");
    let whole = read(&folder, "ball.csv");
    // The table has the same columns, and more rows than were written before the snapshot.
    let other = whole.replace("99.0", "98.0");
    assert_ne!(other, whole);
    fs::write(folder.join("other.csv"), &other).expect("a table");
    let resume = ["run", "ball.toml", "--resume", "ball.csv.snapshot", "--output"];
    let expected = "the output of the run of the snapshot is `ball.csv`, not `other.csv`";
    assert_refused(&folder, &[&resume[..], &["other.csv"]].concat(), expected);
    assert_refused(&folder, &[&resume[..], &["other.csv", "--force"]].concat(), expected);
    assert_eq!(read(&folder, "other.csv"), other);
    // Other names of the same file are accepted.
    let absolute = folder.join("ball.csv").display().to_string();
    for same in ["ball.csv", "./ball.csv", &absolute] {
        assert_done(&siconos(&folder, &[&resume[..], &[same]].concat()));
        assert_eq!(read(&folder, "ball.csv"), whole);
    }
}

/// If no event precedes the snapshot, no rows were written before it, and no table is emptied.
#[test]
fn another_table_is_not_emptied() {
    let folder = folder("not_emptied");
    let model = BALL.replace("time_stepping", "event_driven").replace("end = 4.0", "end = 2.0");
    fs::write(folder.join("ball.toml"), model).expect("a model");
    assert_done(&siconos(&folder, &["run", "ball.toml", "--output", "ball.csv", "--checkpoint", "1"]));
    let info = siconos(&folder, &["info", "ball.csv.snapshot"]);
    assert!(text(&info.stdout).contains("rows        0"), "{}", text(&info.stdout));
    fs::write(folder.join("other.csv"), "precious").expect("a file");
    let resume = ["run", "ball.toml", "--resume", "ball.csv.snapshot", "--output", "other.csv"];
    assert_refused(&folder, &resume, ", not `other.csv`");
    assert_eq!(read(&folder, "other.csv"), "precious");
}

#[test]
fn a_run_without_an_output_has_none_later() {
    let folder = with_a_run("no_output");
    let whole = read(&folder, "ball.csv");
    assert_done(&siconos(&folder, &["run", "ball.toml", "--checkpoint", "3"]));
    let resume = ["run", "ball.toml", "--resume", "ball.toml.snapshot", "--output", "ball.csv", "--force"];
    let expected =
        "ball.toml.snapshot: the run of the snapshot has no output, so it cannot be continued in `ball.csv`";
    assert_refused(&folder, &resume, expected);
    assert_eq!(read(&folder, "ball.csv"), whole);
}

/// The output next to the snapshot is found from any folder, even if both files were moved.
#[test]
fn an_output_is_found_beside_its_snapshot() {
    let folder = with_a_run("beside");
    let whole = read(&folder, "ball.csv");
    let moved = folder.join("moved");
    fs::create_dir(&moved).expect("a folder");
    for name in ["ball.csv", "ball.csv.snapshot"] {
        fs::rename(folder.join(name), moved.join(name)).expect("it is there");
    }
    fs::write(folder.join("ball.csv"), "precious").expect("a file");
    let cut: String = whole.lines().take(10).map(|line| format!("{line}\n")).collect();
    for output in [&[][..], &["--output", "moved/ball.csv"]] {
        fs::write(moved.join("ball.csv"), &cut).expect("a table");
        let resume = ["run", "ball.toml", "--resume", "moved/ball.csv.snapshot"];
        assert_done(&siconos(&folder, &[&resume[..], output].concat()));
        assert_eq!(read(&moved, "ball.csv"), whole);
    }
    assert_eq!(read(&folder, "ball.csv"), "precious");
}

#[test]
fn a_picture_without_the_rows_before_says_so() {
    let folder = with_a_run("picture");
    assert_done(&siconos(&folder, &["run", "ball.toml", "--checkpoint", "3"]));
    let drawn =
        siconos(&folder, &["run", "ball.toml", "--resume", "ball.toml.snapshot", "--plot", "late.svg"]);
    assert_done(&drawn);
    let expected = "late.svg: the picture begins after t = 3.0; the rows before this time were not stored";
    assert!(text(&drawn.stderr).contains(expected), "{}", text(&drawn.stderr));
    assert!(read(&folder, "late.svg").contains("</svg>"));
    // With an output, the picture has all rows.
    let drawn = siconos(&folder, &["run", "ball.toml", "--resume", "ball.csv.snapshot", "--plot", "all.svg"]);
    assert_done(&drawn);
    assert_eq!(text(&drawn.stderr), "");
}

#[test]
fn a_run_that_begins_anew_removes_the_snapshots_of_the_one_before() {
    let folder = with_a_run("anew");
    let snapshots = ["ball.csv.snapshot", "ball.csv.snapshot.before"];
    assert!(snapshots.iter().all(|name| folder.join(name).exists()));
    assert_refused(&folder, &["run", "ball.toml", "--output", "ball.csv"], "--force");
    assert!(snapshots.iter().all(|name| folder.join(name).exists()));
    assert_done(&siconos(&folder, &["run", "ball.toml", "--output", "ball.csv", "--force"]));
    assert!(!snapshots.iter().any(|name| folder.join(name).exists()));
    assert_refused(
        &folder,
        &["run", "ball.toml", "--resume", "ball.csv.snapshot"],
        "cannot read the snapshot",
    );
    assert!(!folder.join("ball.csv.snapshot.lock").exists());
}

#[test]
fn snapshots_are_removed_by_force_alone_and_once_the_run_begins() {
    let folder = with_a_run("kept_snapshots");
    let snapshots =
        || ["", ".before"].map(|end| fs::read(folder.join(format!("ball.csv.snapshot{end}"))).ok());
    let kept = snapshots();
    assert!(kept.iter().all(Option::is_some));
    let again = ["run", "ball.toml", "--output", "ball.csv"];
    // The table was moved away; the snapshots, from which it can be continued, are kept.
    fs::rename(folder.join("ball.csv"), folder.join("moved.csv")).expect("a table");
    assert_refused(&folder, &again, "there is a snapshot of an earlier run; use --resume to continue it");
    // A folder has the name of the output, so nothing can be written.
    fs::create_dir(folder.join("ball.csv")).expect("a folder");
    assert_refused(&folder, &[&again[..], &["--force"]].concat(), "ball.csv");
    assert_eq!(snapshots(), kept);
    fs::remove_dir(folder.join("ball.csv")).expect("a folder");
    assert_done(&siconos(&folder, &[&again[..], &["--force"]].concat()));
    assert_eq!(snapshots(), [None, None]);
}

#[test]
fn the_snapshot_before_and_a_copy_lead_to_the_output_of_their_run() {
    let folder = with_a_run("of_their_run");
    let whole = read(&folder, "ball.csv");
    let elsewhere = folder.join("elsewhere");
    fs::create_dir(&elsewhere).expect("a folder");
    // The current folder has a table with the same name and columns.
    fs::write(elsewhere.join("ball.csv"), whole.replace("99.0", "98.0")).expect("a table");
    fs::copy(folder.join("ball.csv.snapshot"), elsewhere.join("copy.snapshot")).expect("a snapshot");
    for snapshot in ["../ball.csv.snapshot.before", "copy.snapshot"] {
        fs::write(folder.join("ball.csv"), &whole).expect("a table");
        assert_done(&siconos(&elsewhere, &["run", "../ball.toml", "--resume", snapshot]));
        assert_eq!(read(&folder, "ball.csv"), whole, "{snapshot}");
        assert_eq!(read(&elsewhere, "ball.csv"), whole.replace("99.0", "98.0"), "{snapshot}");
    }
}

/// Starts a run of many seconds, and waits until it holds its lock.
fn begun(folder: &Path, arguments: &[String], lock: &str) -> Child {
    let mut command = command(folder, arguments);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program runs");
    while !folder.join(lock).exists() {
        assert!(child.try_wait().expect("our own").is_none(), "{arguments:?} has ended");
        thread::sleep(Duration::from_millis(1));
    }
    child
}

/// If two runs would write the same snapshots or the same table, the second is refused. It starts once the
/// first has been killed.
#[test]
fn two_runs_do_not_share_their_files() {
    let folder = folder("two_runs");
    let model = models().join("column_of_beads.toml").display().to_string();
    let run = |end: &str| words(&["run", &model, "--set", &format!("simulation.end={end}")]);
    for (options, name) in [
        (&["--checkpoint", "1000"][..], "column_of_beads.toml"),
        (&["--output", "two.csv"], "two.csv"),
        (&["--output", "two.dat"], "two.dat"),
        (&["--output", "two.npz"], "two.npz"),
    ] {
        let lock = format!("{name}.snapshot.lock");
        let mut first = begun(&folder, &[run("400"), words(options)].concat(), &lock);
        let second = [run("0.1"), words(options), words(&["--force"])].concat();
        let refused = command(&folder, &second).output().expect("the program runs");
        let told = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{options:?}: {told}");
        assert!(told.contains(&format!("{name}.snapshot: another run writes its snapshots")), "{told}");
        assert!(first.try_wait().expect("our own").is_none(), "{options:?}: the first has ended");
        first.kill().expect("our own");
        first.wait().expect("it was killed");
        assert_done(&command(&folder, &second).output().expect("the program runs"));
        assert!(!folder.join(lock).exists());
    }
}

/// A disk that becomes full ends a run with a message. The last snapshot is complete, and the run can be
/// resumed.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_may_not_grow_leaves_the_last_snapshot() {
    let folder = folder("limited");
    let model = models().join("column_of_beads.toml").display().to_string();
    for ending in ["csv", "slog"] {
        let (whole, cut) = (format!("whole.{ending}"), format!("cut.{ending}"));
        let run = |output: &str| words(&["run", &model, "--set", "simulation.end=4", "--output", output]);
        assert_done(&command(&folder, &run(&whole)).output().expect("the program runs"));
        let mut shell = Command::new("sh");
        // The limit is in blocks of 512 or 1024 bytes. The signal XFSZ would end the program.
        let limited = r#"trap "" XFSZ; ulimit -f 64; exec "$@""#;
        shell.args(["-c", limited, "sh", env!("CARGO_BIN_EXE_siconos-rs")]);
        shell.args(run(&cut)).args(["--checkpoint", "20"]).current_dir(&folder);
        let output = shell.output().expect("the program runs");
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains(&cut) && told.contains("File too large"), "{told}");
        let snapshot = folder.join(format!("{cut}.snapshot"));
        let found = Snapshot::read(&snapshot).expect("a snapshot");
        assert!(found.instead_of.is_none() && found.snapshot.recorded.rows >= 20, "{ending}");
        let resume = ["--resume", &format!("{cut}.snapshot")];
        assert_done(
            &command(&folder, &[run(&cut), words(&resume)].concat()).output().expect("the program runs"),
        );
        let read = |name: &str| fs::read(folder.join(name)).expect("a table");
        assert!(read(&whole) == read(&cut), "{ending}: the tables differ");
    }
}
