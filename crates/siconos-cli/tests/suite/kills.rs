//! Runs and parameter studies that are killed at random times can be resumed. Their final output is
//! byte-for-byte identical to the output of an uninterrupted run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use siconos_io::snapshot::Snapshot;
use siconos_io::trajectory::log::LogReader;

pub(super) fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/models")
}

/// Creates an empty folder for one test.
pub(super) fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("kills_{name}"));
    // The folder does not exist in the first test run.
    let _absent = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

pub(super) fn command(folder: &Path, arguments: &[String]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_siconos-rs"));
    command.args(arguments).current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs a command to its end, and returns its duration.
#[track_caller]
pub(super) fn finish(folder: &Path, arguments: &[String]) -> Duration {
    let begin = Instant::now();
    let output = command(folder, arguments).output().expect("the program runs");
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {complaint}");
    begin.elapsed()
}

/// Pseudorandom numbers, identical in every test run (the multiplier is Knuth's).
struct Moments(u64);

impl Moments {
    /// Returns a fraction of a duration, from none to all of it.
    fn of(&mut self, time: Duration) -> Duration {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        time.mul_f64((self.0 >> 40) as f64 / (1_u64 << 24) as f64)
    }
}

/// Starts the program, waits until something has happened, and kills it `after` a further time. Returns
/// `true` if the program had ended before.
fn killed(folder: &Path, arguments: &[String], after: Duration, has_happened: impl Fn() -> bool) -> bool {
    let mut child = command(folder, arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let child = child.as_mut().expect("the program runs");
    while !has_happened() && child.try_wait().expect("the program is there").is_none() {
        thread::sleep(Duration::from_micros(500));
    }
    thread::sleep(after);
    let has_ended = child.try_wait().expect("the program is there").is_some();
    // The program may end in between.
    let _ended = child.kill();
    child.wait().expect("it ends");
    has_ended
}

pub(super) fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(ToString::to_string).collect()
}

/// Returns the number of complete rows of a table after a kill.
fn whole_rows(path: &Path) -> u64 {
    if path.extension().is_some_and(|ending| ending == "slog") {
        let (table, _cut) = LogReader::open(path).expect("a log").whole_rows();
        return table.len() as u64;
    }
    let text = fs::read_to_string(path).expect("a table");
    let lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n') && !line.starts_with('#'));
    // The first line is the header.
    lines.skip(1).count() as u64
}

/// A run is killed `kills` times, and resumes from its snapshot each time. Then it runs to its end.
#[track_caller]
fn assert_run_survives(name: &str, model: &str, set: &[&str], (output, every): (&str, &str), kills: usize) {
    let folder = folder(name);
    let model = models().join(model).display().to_string();
    let mut run = words(&["run", &model]);
    for set in set {
        run.extend(words(&["--set", set]));
    }
    // This run takes no snapshots; they do not change the output.
    let whole = finish(&folder, &[&run[..], &words(&["--output", &format!("whole{output}")])].concat());
    let killed_output = format!("killed{output}");
    let to = words(&["--output", &killed_output, "--checkpoint", every]);
    let table = folder.join(&killed_output);
    let snapshot = table.with_added_extension("snapshot");
    let resume = words(&["--resume", &format!("{killed_output}.snapshot")]);
    let mut moments = Moments(kills as u64);
    let (mut done, mut begun, mut went_on, mut reached) = (0, 0, 0, 0);
    let mut needs_restart = true;
    while done < kills {
        let written = || fs::metadata(&snapshot).and_then(|snapshot| snapshot.modified()).ok();
        let before = written();
        // A run that starts from the beginning is killed after its first snapshot, so that the next run
        // resumes from it. Every second resumed run is killed after its first snapshot too: reading a long
        // table may take most of the time before a kill.
        let how = if needs_restart { words(&["--force"]) } else { resume.clone() };
        let waits = needs_restart || done % 2 == 0;
        let has_happened = || !waits || written().is_some_and(|time| Some(time) != before);
        if killed(&folder, &[&run[..], &to, &how].concat(), moments.of(whole / 3), has_happened) {
            // The run has ended, so it starts from the beginning again.
            needs_restart = true;
            begun += 1;
            assert!(begun < 20 + kills, "{name}: it ends before it is killed");
            continue;
        }
        done += 1;
        let recorded = Snapshot::read(&snapshot).expect("a snapshot").snapshot.recorded;
        let found = whole_rows(&table);
        assert!(found >= recorded.rows, "{name}: {found} rows are left of {}", recorded.rows);
        went_on += usize::from(needs_restart || recorded.rows > reached);
        reached = recorded.rows;
        needs_restart = false;
    }
    // Most killed runs have advanced further than the run before.
    assert!(4 * went_on > kills, "{name}: {went_on} of {kills} starts came to a snapshot of their own");
    let how = if needs_restart { words(&["--force"]) } else { resume };
    // A kill during the writing of a snapshot leaves a file like this.
    fs::write(folder.join(format!(".{killed_output}.snapshot.Ab3dEf.unfinished")), "half").expect("a file");
    finish(&folder, &[&run[..], &to, &how].concat());
    let left = fs::read_dir(&folder).expect("a folder").filter(|entry| {
        entry.as_ref().expect("an entry").file_name().to_string_lossy().ends_with(".unfinished")
    });
    assert_eq!(left.count(), 0, "{name}: temporary files are left");
    let read = |file: &str| fs::read(folder.join(file)).expect("a table");
    // The table does not contain its own name.
    assert!(read(&format!("whole{output}")) == read(&killed_output), "{name}: the tables differ");
}

/// Returns the number of points stored with all their rows in the journal of a part of a study.
fn noted(journal: &Path) -> usize {
    let Ok(reader) = LogReader::open(journal) else { return 0 };
    let (table, _cut) = reader.whole_rows();
    let is_last = |row: &&[f64]| row[1] + 1.0 == row[2];
    table.rows().filter(is_last).count()
}

fn assert_sweep_survives(name: &str, kills: usize, points: usize) {
    let folder = folder(name);
    let model = models().join("cam_follower.toml").display().to_string();
    let vary = format!("rpm=300:{}:1", 299 + points);
    let sweep = |output: &str| {
        words(&[
            "study",
            &model,
            "--vary",
            &vary,
            "--set",
            "simulation.end=0.2",
            "--rows",
            "all",
            "--output",
            output,
        ])
    };
    let whole = finish(&folder, &sweep("whole.csv"));
    finish(&folder, &[sweep("threads.csv"), words(&["--jobs", "2"])].concat());
    let shard = |k: usize| [sweep("shards.csv"), words(&["--shard", &format!("{k}/7")])].concat();
    let mut moments = Moments(7);
    for k in 1..=7 {
        if k <= 2 {
            let journal = folder.join(format!("shards.csv.part-{k}-of-7.slog"));
            let (mut done, mut begun) = (0, 0);
            while done < kills.div_ceil(2) {
                let before = noted(&journal);
                let moment = moments.of(whole / (2 * points as u32));
                if killed(&folder, &shard(k), moment, || noted(&journal) > before) {
                    // The part has ended, so it starts from the beginning again.
                    fs::remove_file(&journal).expect("it is there");
                    begun += 1;
                    assert!(begun < 20 + kills, "{name}: it ends before it is killed");
                } else {
                    done += 1;
                    assert!(noted(&journal) > before, "{name}: a point that was noted is lost");
                }
            }
        }
        if k != 5 {
            finish(&folder, &shard(k));
        }
    }
    let merge = [sweep("shards.csv"), words(&["--merge"])].concat();
    let output = command(&folder, &merge).output().expect("the program runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stdout).contains("missing     part 5 of 7"));
    finish(&folder, &shard(5));
    finish(&folder, &merge);
    let read = |file: &str| fs::read(folder.join(file)).expect("a table");
    let whole = read("whole.csv");
    assert!(whole == read("threads.csv") && whole == read("shards.csv"), "{name}: the tables differ");
}

#[test]
fn time_steps_survive_being_killed() {
    assert_run_survives("steps_csv", "column_of_beads.toml", &["simulation.end=4"], (".csv", "200"), 3);
    assert_run_survives("steps_log", "double_pendulum.toml", &["simulation.end=4"], (".slog", "0.01s"), 3);
}

#[test]
fn events_survive_being_killed() {
    assert_run_survives("events", "two_contacts_ed.toml", &["simulation.step=1e-4"], (".csv", "500"), 3);
}

#[test]
fn hybrid_models_survive_being_killed() {
    assert_run_survives("hybrid", "neuron.toml", &["time.end=2000"], (".csv", "100"), 3);
}

#[test]
fn processes_survive_being_killed() {
    let steps = &["simulation.steps=60000"][..];
    assert_run_survives("process", "sweeping_plastic_chain.toml", steps, (".csv", "500"), 3);
}

#[test]
fn sweeps_survive_being_killed() {
    assert_sweep_survives("sweep", 2, 20);
}

#[test]
#[ignore = "minutes; `cargo xtask battery` runs it"]
fn battery_of_kills() {
    let long = &["simulation.end=100"][..];
    assert_run_survives("many_steps_csv", "column_of_beads.toml", long, (".csv", "1000"), 60);
    assert_run_survives("many_steps_log", "column_of_beads.toml", long, (".slog", "0.05s"), 60);
    // An event-driven run resumes at its last impact. There are thousands of impacts, and the ball never
    // rests.
    let impacts = &["laws.hit.restitution=1", "simulation.end=10000"][..];
    assert_run_survives("many_events_csv", "two_contacts_ed.toml", impacts, (".csv", "500"), 30);
    assert_run_survives("many_events_log", "two_contacts_ed.toml", impacts, (".slog", "0.05s"), 30);
    assert_sweep_survives("many_sweep", 20, 400);
}
