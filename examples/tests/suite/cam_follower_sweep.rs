//! Parameter study of the cam-follower: its results, and its resumption after an interruption.

use std::fs;
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use siconos_examples::cam_follower::bifurcation::{SpeedRecord, Sweep};
use siconos_examples::cam_follower::{CamFollower, SCHEMES, Sampling, Scheme, run_time_stepping};

fn file(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cam_follower_sweep");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    // The file may exist from an earlier run of this test.
    fs::remove_file(&path).ok();
    path
}

const SWEEP: Sweep = Sweep { lowest: 350.0, highest: 700.0, count: 6, transient: 3, turns: 5 };

fn sweep(scheme: Scheme, path: &Path) -> Vec<SpeedRecord> {
    SWEEP.run(&CamFollower::default(), scheme, path, &ProgressBar::hidden()).unwrap()
}

#[test]
fn a_sweep_that_was_stopped_goes_on_where_it_was() {
    let path = file("stopped.slog");
    let whole = sweep(SCHEMES[0], &path);
    assert_eq!(whole.iter().map(|record| record.rpm).collect::<Vec<_>>(), SWEEP.speeds());
    assert!(whole.iter().all(|record| record.distances.len() == 5 && !record.impact_angles.is_empty()));
    // Truncate the file in the middle of a record, as an interruption does. The records before it are
    // complete.
    let bytes = fs::read(&path).unwrap();
    let left = bytes.len() / 2 + 1;
    fs::write(&path, &bytes[..left]).unwrap();
    assert_eq!(sweep(SCHEMES[0], &path), whole);
    let kept = fs::read(&path).unwrap();
    // The rows of a point may be in the file after the rows of another point, which was computed faster.
    assert_eq!(kept.len(), bytes.len());
    let same = kept.iter().zip(&bytes).take_while(|(x, y)| x == y).count();
    assert!(same > bytes.len() / 4, "what was there is kept: {same} bytes of {left}");
    // If all points are in the file, no point is computed, so the failing scheme is not called.
    let failing = Scheme { simulate: |_, _| panic!("all speeds are in the file"), ..SCHEMES[0] };
    assert_eq!(sweep(failing, &path), whole);
}

#[test]
fn results_of_other_settings_are_not_mixed_in() {
    let path = file("settings.slog");
    let whole = sweep(SCHEMES[0], &path);
    let longer = Sweep { turns: 7, ..SWEEP };
    let other = longer.run(&CamFollower::default(), SCHEMES[0], &path, &ProgressBar::hidden());
    let error = other.unwrap_err().to_string();
    assert!(error.contains("5 turns") && error.contains("7 turns"), "{error}");
    assert_eq!(sweep(SCHEMES[0], &path), whole);
}

#[test]
fn a_folder_that_is_not_there_is_an_error() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("no_such_folder/sweep.slog");
    let error = SWEEP.run(&CamFollower::default(), SCHEMES[0], &path, &ProgressBar::hidden()).unwrap_err();
    assert!(error.to_string().contains("no_such_folder"), "{error}");
}

#[test]
fn samples_are_the_steps_of_the_simulation() {
    let example = CamFollower { t_end: 0.3, ..CamFollower::default() };
    let table = example.simulate(siconos_examples::cam_follower::Form::Translated).unwrap();
    let run = run_time_stepping(&example, Sampling::over(example.t_end, example.h)).unwrap();
    assert_eq!(run.t.len(), table.len());
    for ((row, q), v) in table.rows().zip(&run.q).zip(&run.v) {
        assert!((row[7] - q).abs() < 1e-12 && (row[8] - v).abs() < 1e-9, "t = {}", row[0]);
    }
    assert!(run.impacts.len() >= 4);
    for impact in &run.impacts {
        assert!((impact.v_plus + 0.8 * impact.v_minus).abs() < 1e-10, "{impact:?}");
    }
}
