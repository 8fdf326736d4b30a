//! Reports of tests that are skipped on this machine.

use std::env;
use std::fs::OpenOptions;
use std::io::Write;
use std::panic::Location;

/// Reports that a test, or a part of it, is skipped, with the reason. If the environment variable
/// `SICONOS_SKIPPED` names a file, a line is appended to it, so that skipped tests can be counted.
///
/// ```
/// siconos_testkit::skip::note("there is no Python");
/// ```
///
/// # Panics
///
/// If the file cannot be written.
#[track_caller]
pub fn note(why: &str) {
    let place = Location::caller();
    println!("skipped: {why} ({place})");
    if let Some(file) = env::var_os("SICONOS_SKIPPED") {
        let file = OpenOptions::new().create(true).append(true).open(file);
        file.and_then(|mut file| writeln!(file, "{place}: {why}")).expect("$SICONOS_SKIPPED can be written");
    }
}
