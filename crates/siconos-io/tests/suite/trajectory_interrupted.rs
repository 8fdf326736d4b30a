//! Interrupted runs: a full disk, a limit on the file size, a kill.

use std::env;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use siconos_io::trajectory::{Table, TableErrorKind as Kind, TableWriter};
use siconos_testkit::allocation::peak_bytes;

use crate::trajectory_writer::{ENDINGS, bytes_of, first, scratch, table};

/// Returns the path of a device that is always full, with a given extension.
fn full_disk(ending: &str) -> PathBuf {
    let path = scratch(&format!("full.{ending}"));
    std::os::unix::fs::symlink("/dev/full", &path).expect("a scratch link");
    path
}

#[test]
fn a_full_disk_is_an_error_and_memory_stays_bounded() {
    // A file without rows has a head, except for JSON lines.
    for ending in ["csv", "slog"] {
        let error = TableWriter::replace(full_disk(ending), &table(0)).map(|_| ()).expect_err("no place");
        assert!(matches!(&error.kind, Kind::Io(error) if error.kind() == ErrorKind::StorageFull), "{error}");
    }
    let path = full_disk("jsonl");
    let peak = peak_bytes(|| {
        let mut writer = TableWriter::replace(&path, &table(0)).expect("nothing to write yet");
        let refused = (0..100_000).filter(|_| writer.push_row(&[1.0, 2.0, 3.0]).is_err()).count();
        assert!((95_000..100_000).contains(&refused), "{refused}");
        assert_eq!(writer.rows(), 100_000 - refused as u64);
        let error = writer.finish().expect_err("no place");
        assert_eq!(error.path.as_deref(), Some(path.as_path()));
    });
    assert!(peak < 1 << 18, "{peak} bytes");
    for ending in ["csv", "jsonl", "slog", "npz", "ref"] {
        let error = table(3).write(full_disk(ending)).expect_err("no place");
        assert!(matches!(&error.kind, Kind::Io(error) if error.kind() == ErrorKind::StorageFull), "{error}");
    }
}

/// Returns a command that runs an ignored test of this module in another process; a variable contains the
/// path of its file.
fn in_a_process(test: &str, script: &str, variable: &str, path: &Path) -> Command {
    let test = format!("{}::{test}", module_path!());
    let test = test.split_once("::").map_or(&*test, |(_, test)| test);
    let mut command = Command::new("sh");
    command.args(["-c", script]).arg(env::current_exe().expect("this program"));
    command.args(["--exact", test, "--ignored"]).env(variable, path);
    command
}

const LIMITED: &str = "SICONOS_TEST_LIMITED_FILE";

/// Run by the test below in another process with a file size limit of 64 blocks of 512 or 1024 bytes.
#[test]
#[ignore = "run by another test with a limit on the size of files"]
fn writes_up_to_the_limit() {
    let Some(path) = env::var_os(LIMITED) else { return };
    let table = table(0);
    let mut writer = TableWriter::create(&path, &table).expect("a scratch file");
    let error = (0..100_000).find_map(|k| writer.push_row(&[f64::from(k), 0.0, 1.0]).err());
    let error = error.expect("the limit");
    assert!(matches!(&error.kind, Kind::Io(error) if error.kind() == ErrorKind::FileTooLarge), "{error}");
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error() {
    for ending in ENDINGS {
        let path = scratch(&format!("limited.{ending}"));
        let script = "trap '' XFSZ; ulimit -f 64; exec \"$0\" \"$@\"";
        let run = in_a_process("writes_up_to_the_limit", script, LIMITED, &path).output().expect("a shell");
        let said = String::from_utf8_lossy(&run.stdout);
        assert!(run.status.success() && said.contains("1 passed"), "{said}");

        // Complete rows are in the file, and a run can resume after them.
        let length = fs::metadata(&path).expect("it is there").len();
        assert!((1 << 15..=1 << 16).contains(&length), "{length}");
        let mut writer = TableWriter::resume(&path, &table(0), 400).expect("so many rows");
        writer.push_row(&[1.0, 2.0, 3.0]).expect("there is place");
        writer.finish().expect("there is place");
        assert_eq!(Table::read(&path).expect("whole rows").len(), 401, "{ending}");
    }
}

const KILLED: &str = "SICONOS_TEST_KILLED_FILE";
const ROWS: u64 = 30_000;

/// Returns a row of the run that is killed.
fn row(number: u64) -> [f64; 3] {
    let t = 1e-3 * number as f64;
    [t, t.sin(), -t]
}

/// Run by the test below in another process: resumes a run from its last snapshot, which is the number of
/// rows.
#[test]
#[ignore = "run by another test, which kills it"]
fn goes_on_from_the_snapshot() {
    let Some(path) = env::var_os(KILLED).map(PathBuf::from) else { return };
    let (snapshot, next) = (path.with_extension("snapshot"), path.with_extension("next"));
    let rows = fs::read_to_string(&snapshot).map_or(0, |text| text.parse().expect("a number"));
    let mut writer = TableWriter::resume(&path, &table(0), rows).expect("so many rows");
    while writer.rows() < ROWS {
        writer.push_row(&row(writer.rows())).expect("there is place");
        if writer.rows().is_multiple_of(100) {
            writer.flush().expect("there is place");
            fs::write(&next, writer.rows().to_string()).expect("there is place");
            fs::rename(&next, &snapshot).expect("it is there");
        }
    }
    writer.finish().expect("there is place");
}

#[test]
fn a_run_that_is_killed_loses_nothing_before_its_snapshot() {
    let mut whole = table(0);
    for number in 0..ROWS {
        whole.push_row(&row(number)).expect("three columns");
    }
    for ending in ENDINGS {
        let path = scratch(&format!("killed.{ending}"));
        let snapshot = path.with_extension("snapshot");
        // The file does not exist in the first run.
        let _absent = fs::remove_file(&snapshot);
        let start = || in_a_process("goes_on_from_the_snapshot", "exec \"$0\" \"$@\"", KILLED, &path);
        let recorded = || fs::read_to_string(&snapshot).map_or(0, |text| text.parse().expect("a number"));
        let (mut kills, mut ended) = (0, 0);
        while kills < 15 {
            let before: usize = recorded();
            let mut run = start().stdout(Stdio::null()).spawn().expect("a shell");
            // Each process resumes from the previous snapshot and writes one of its own.
            while recorded() == before && run.try_wait().expect("our own").is_none() {
                thread::sleep(Duration::from_micros(100));
            }
            thread::sleep(Duration::from_micros(137 * (kills * kills % 11)));
            let has_ended = run.try_wait().expect("our own").is_some();
            run.kill().expect("it is our own");
            run.wait().expect("it was killed");
            if has_ended {
                // Start again from the beginning.
                fs::remove_file(&snapshot).expect("it is there");
                ended += 1;
                assert!(ended < 50, "{ending}: it ends before it is killed");
                continue;
            }
            kills += 1;
            let rows = recorded();
            assert!(rows > before, "{ending}: {rows} rows are recorded, {before} were");
            let kept = bytes_of(&first(&whole, rows), ending);
            assert!(fs::read(&path).expect("it is there").starts_with(&kept), "{ending}: {rows} rows");
        }
        let run = start().output().expect("a shell");
        let said = String::from_utf8_lossy(&run.stdout);
        assert!(run.status.success() && said.contains("1 passed"), "{ending}: {said}");
        let found = fs::read(&path).expect("it is there");
        assert!(found == bytes_of(&whole, ending), "{ending}: {} bytes", found.len());
    }
}

/// Returns an empty folder.
fn empty_folder(name: &str) -> PathBuf {
    let folder = scratch(name);
    // The folder does not exist in the first run.
    let _absent = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

const WHOLE: [&str; 8] = ["csv", "csv.gz", "json", "jsonl", "ref", "dat", "slog", "npz"];

/// Run by the test below in another process with a file size limit of 64 blocks of 512 or 1024 bytes.
#[test]
#[ignore = "run by another test with a limit on the size of files"]
fn writes_a_table_beyond_the_limit() {
    let Some(path) = env::var_os(LIMITED) else { return };
    table(20_000).write(&path).expect_err("the limit");
}

#[test]
fn a_table_that_cannot_be_written_leaves_what_was_there() {
    for ending in WHOLE {
        let folder = empty_folder(&format!("whole_{ending}"));
        let path = folder.join(format!("table.{ending}"));
        let write = || {
            let script = "trap '' XFSZ; ulimit -f 64; exec \"$0\" \"$@\"";
            let test = "writes_a_table_beyond_the_limit";
            let run = in_a_process(test, script, LIMITED, &path).output().expect("a shell");
            let said = String::from_utf8_lossy(&run.stdout).into_owned();
            assert!(run.status.success() && said.contains("1 passed"), "{ending}: {said}");
        };
        let files = || fs::read_dir(&folder).expect("a folder").count();
        write();
        assert_eq!(files(), 0, "{ending}");
        table(3).write(&path).expect("there is place");
        let before = fs::read(&path).expect("it is there");
        write();
        assert!(fs::read(&path).expect("it is there") == before, "{ending}");
        assert_eq!(files(), 1, "{ending}");
    }
}

/// Run by the test below in another process: writes two tables alternately without end.
#[test]
#[ignore = "run by another test, which kills it"]
fn writes_two_tables_in_turn() {
    let Some(path) = env::var_os(KILLED) else { return };
    for rows in [3000, 7000].into_iter().cycle() {
        table(rows).write(&path).expect("there is place");
    }
}

#[test]
fn a_table_is_whole_whenever_its_writer_is_killed() {
    let path = empty_folder("whole_when_killed").join("table.csv");
    let tables = [3000, 7000].map(|rows| bytes_of(&table(rows), "csv"));
    for kill in 0..10 {
        let mut run = in_a_process("writes_two_tables_in_turn", "exec \"$0\" \"$@\"", KILLED, &path)
            .stdout(Stdio::null())
            .spawn()
            .expect("a shell");
        while !path.exists() {
            assert!(run.try_wait().expect("our own").is_none(), "it writes until it is killed");
            thread::sleep(Duration::from_micros(500));
        }
        thread::sleep(Duration::from_micros(20_000 + 1370 * (kill * kill % 11)));
        run.kill().expect("it is our own");
        run.wait().expect("it was killed");
        assert!(tables.contains(&fs::read(&path).expect("it is there")), "kill {kill}");
    }
}

/// A replaced file keeps its permissions, and a link remains.
#[test]
fn a_link_leads_to_the_new_table() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = empty_folder("whole_link");
    let (path, link) = (folder.join("table.csv"), folder.join("link.csv"));
    symlink("table.csv", &link).expect("a link");
    // The link is dangling at first.
    table(1).write(&link).expect("there is place");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("our own");
    table(2).write(&link).expect("there is place");
    assert!(link.is_symlink());
    assert_eq!(fs::metadata(&path).expect("it is there").permissions().mode() & 0o777, 0o600);
    assert!(fs::read(&path).expect("it is there") == bytes_of(&table(2), "csv"));
}
