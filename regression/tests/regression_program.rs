//! Command line of the program: its output and exit codes.

use std::path::Path;
use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_siconos-regression"));
    // The report of a complete run must not be replaced.
    command.env("CARGO_TARGET_DIR", env!("CARGO_TARGET_TMPDIR"));
    command.args(arguments).output().expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_list_has_scenarios_and_batteries_that_the_filter_selects() {
    let all = run(&["--list"]);
    assert_eq!(all.status.code(), Some(0));
    for name in ["bouncing_ball", "complementarity_lcp", "contact_fc3d", "battery_contact"] {
        assert!(text(&all.stdout).contains(name), "{}", text(&all.stdout));
    }
    let some = text(&run(&["--list", "--filter", "bouncing_ball"]).stdout);
    assert!(some.contains("bouncing_ball") && !some.contains("battery_contact"), "{some}");
}

#[test]
fn the_exit_code_says_what_went_wrong() {
    let nothing = run(&["--filter", "there is no such scenario"]);
    assert_eq!(nothing.status.code(), Some(4), "{}", text(&nothing.stderr));
    let unknown = run(&["--blessed"]);
    assert_eq!(unknown.status.code(), Some(2), "{}", text(&unknown.stderr));
    assert!(text(&unknown.stderr).contains("--blessed"), "{}", text(&unknown.stderr));
    let reasonless = run(&["--bless", "bouncing_ball"]);
    assert_eq!(reasonless.status.code(), Some(2), "{}", text(&reasonless.stderr));
}

#[test]
fn a_scenario_passes() {
    let output = run(&["--filter", "double_pendulum_ed"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("1 passed, 0 failed"), "{}", text(&output.stdout));
    // The page of a filtered run contains a note and does not replace the complete report.
    let reports = Path::new(env!("CARGO_TARGET_TMPDIR")).join("regress");
    let page = std::fs::read_to_string(reports.join("part.html")).expect("it is written");
    assert!(page.contains("Only what has <code>double_pendulum_ed</code> in its name was run."));
    assert!(!reports.join("report.html").exists());
}
