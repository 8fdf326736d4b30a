//! Tests that cannot do their work on this machine, counted.

use std::env;
use std::fs::OpenOptions;
use std::io::Write;
use std::panic::Location;

/// Says that a test is skipped, at least in part, and why; adds a line to the file that `SICONOS_SKIPPED`
/// names, so that skips can be counted.
///
/// ```
/// siconos_testkit::skip::note("there is no Python");
/// ```
///
/// # Panics
///
/// When that file cannot be written.
#[track_caller]
pub fn note(why: &str) {
    let place = Location::caller();
    println!("skipped: {why} ({place})");
    if let Some(file) = env::var_os("SICONOS_SKIPPED") {
        let file = OpenOptions::new().create(true).append(true).open(file);
        file.and_then(|mut file| writeln!(file, "{place}: {why}")).expect("$SICONOS_SKIPPED can be written");
    }
}
