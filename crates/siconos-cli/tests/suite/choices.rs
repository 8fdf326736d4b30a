//! Options other than the method: a time limit, the initial guess, and the maximum size of a decompressed
//! file. Problem classes that few files have.

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
#[cfg(unix)]
use siconos_testkit::skip;

use crate::answer;
use crate::program::{command, scratch, text};

const LCP: &str = "2\n0 2 2\n2 2\n2 1\n1 2\n-5 -6\n";

fn run(arguments: &[&str]) -> Output {
    // If another test starts a program while this test writes an HDF5 file, that program holds the lock of
    // the file for a moment.
    command(arguments).env("HDF5_USE_FILE_LOCKING", "FALSE").output().expect("the program runs")
}

fn file(name: &str, text: impl AsRef<[u8]>) -> String {
    scratch(&format!("choices_{name}"), text)
}

fn complaint(output: &Output) -> String {
    text(&output.stderr)
}

/// Returns the output of a solve that succeeds.
#[track_caller]
fn answer(arguments: &[&str]) -> Value {
    let output = run(&[&["solve"], arguments, &["--format", "json"]].concat());
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {text}{}", complaint(&output));
    serde_json::from_str(&text).expect("JSON")
}

#[track_caller]
fn assert_near(numbers: &Value, expected: &[f64]) {
    answer::assert_near(numbers, expected, 1e-7);
}

/// A problem with 2^24 bases to enumerate: w = -z - 1 is negative for all z >= 0.
fn long_problem() -> String {
    let n = 24;
    let mut dat = format!("{n}\n0 {n} {n}\n{n} {n}\n");
    for j in 0..n {
        (0..n).for_each(|i| dat += if i == j { "-1 " } else { "0 " });
    }
    dat + &"-1 ".repeat(n)
}

/// Returns the output of the program after a SIGINT. The signal is repeated a few seconds later, because on a
/// busy machine the first may arrive before the program has started.
#[cfg(unix)]
fn interrupted(arguments: &[&str]) -> Output {
    let mut child =
        command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs");
    let mut wait = 700;
    while child.try_wait().expect("the program is there").is_none() {
        std::thread::sleep(Duration::from_millis(wait));
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()), "a signal can be sent");
        // The program has usually ended by then.
        std::thread::sleep(Duration::from_millis(300));
        wait = 3000;
    }
    child.wait_with_output().expect("the program ends")
}

/// Returns `true` if this process ignores SIGINT, as background jobs of a shell do. Programs that it starts
/// ignore the signal too.
#[cfg(unix)]
fn ignores_interrupts() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask & 0b10 != 0)
}

#[cfg(unix)]
#[test]
fn ctrl_c_prints_the_point_so_far_and_leaves_an_answer_that_is_there() {
    if ignores_interrupts() {
        return skip::note("this process ignores SIGINT");
    }
    let name = file("interrupted.dat", long_problem());
    let arguments = ["solve", &name, "--class", "lcp", "--method", "enumeration", "--format", "json"];
    let output = interrupted(&[&arguments[..], &["--max-iterations", "100000000"]].concat());
    assert_eq!(output.status.code(), Some(130), "{}", complaint(&output));
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        (answer["stopped"].as_str(), &answer["status"]),
        (Some("interrupted"), &"MaxIterations".into())
    );
    assert!(answer["iterations"].as_u64().is_some_and(|bases| (1..1 << 24).contains(&bases)), "{answer}");

    // The first of many repetitions finds the solution long before the signal.
    let name = file("repeated.dat", LCP);
    let output = interrupted(&["solve", &name, "--repeat", "2000000000", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(answer["stopped"].is_null() && answer["error"].as_f64() <= Some(1e-10), "{answer}");
}

#[test]
fn a_solve_is_stopped_at_its_time_limit() {
    let name = file("long.dat", long_problem());
    let arguments = ["solve", &name, "--class", "lcp", "--method", "enumeration"];
    let begin = Instant::now();
    let output = run(&[&arguments[..], &["--max-iterations", "100000000", "--time-limit", "0.002"]].concat());
    assert_eq!(
        output.status.code(),
        Some(3),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        complaint(&output)
    );
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("status      stopped at the time limit: ") && text.contains("NOT within"),
        "{text}"
    );
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
    // A solve that ends within the limit is not affected.
    let name = file("short.dat", LCP);
    assert_near(&answer(&[&name, "--time-limit", "1000", "--repeat", "3"])["z"], &[4.0 / 3.0, 7.0 / 3.0]);
    for limit in ["0", "-1", "nan", "inf"] {
        let output = run(&["solve", &name, "--time-limit", limit]);
        assert_eq!(output.status.code(), Some(2), "{limit}");
        assert!(complaint(&output).contains("--time-limit"), "{}", complaint(&output));
    }
}

#[test]
fn a_gzip_file_may_expand_to_its_limit() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let long = LCP.to_owned() + &" ".repeat(3 << 20);
    encoder.write_all(long.as_bytes()).expect("there is memory");
    let name = file("blanks.dat.gz", encoder.finish().expect("there is memory"));
    assert_eq!(answer(&[&name])["n"], 2);
    assert_eq!(answer(&[&name, "--gzip-limit", "4"])["n"], 2);
    let output = run(&["solve", &name, "--gzip-limit", "3"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(complaint(&output).contains("more than 3145728 bytes"), "{}", complaint(&output));
}

#[test]
fn a_start_other_than_zero_needs_a_file_with_guesses() {
    let name = file("no_guess.dat", LCP);
    let output = run(&["solve", &name, "--start", "guess"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(complaint(&output).contains("only .hdf5 files have guesses"), "{}", complaint(&output));
    assert_eq!(answer(&[&name, "--start", "zero"])["n"], 2);
}

#[cfg(feature = "hdf5")]
#[test]
fn a_guess_is_where_the_method_starts() {
    use siconos_io::fclib::{ContactState, FclibFile};
    use siconos_io::problem::{Problem, ProblemClass};

    // W = 1, q = (-1, 0.5), mu = 0.3: the contact slides, r = (1, -0.3).
    let text = "2 1\n0 2 2\n2 2\n1 0\n0 1\n-1 0.5\n0.3\n";
    let problem = Problem::from_dat(text.as_bytes(), Some(ProblemClass::Fc2d)).expect("a good problem");
    let path = crate::program::folder().join("choices_guess.hdf5");
    let mut fclib = FclibFile::from(problem);
    fclib.guesses.push(ContactState { r: vec![1.0, -0.3], u: vec![0.0, 0.2], v: Vec::new() });
    fclib.write(&path).expect("a scratch file");
    let of = |start| {
        let method = ["--method", "extragradient", "--start", start];
        answer(&[&["choices_guess.hdf5"], &method[..]].concat())
    };
    let (zero, guess) = (of("zero"), of("guess"));
    assert_near(&zero["reaction"], &[1.0, -0.3]);
    assert_near(&guess["reaction"], &[1.0, -0.3]);
    let iterations = |answer: &Value| answer["iterations"].as_u64().expect("a number");
    assert!(iterations(&guess) < iterations(&zero), "{guess}, {zero}");

    fclib.guesses.clear();
    fclib.write(&path).expect("a scratch file");
    let output = run(&["solve", "choices_guess.hdf5", "--start", "guess"]);
    assert!(complaint(&output).contains("has no guess"), "{}", complaint(&output));
}

#[test]
fn rolling_friction_in_global_form() {
    // One wheel per degree of freedom: M v = r + f, so u = v and W = 1/M. The contact slides, and the rolling
    // moment is at its bound.
    let text =
        "3 1\n0 3 3\n3 3\n2 0 0 0 2 0 0 0 2\n0 3 3\n3 3\n1 0 0 0 1 0 0 0 1\n-2 4 0.5\n0 0 0\n0.5\n0.1\n";
    let name = file("wheel.dat", text);
    let answer = answer(&[&name, "--class", "grolling"]);
    assert_near(&answer["reaction"], &[2.0, -1.0, -0.2]);
    assert_near(&answer["global_velocity"], &[0.0, 1.5, 0.15]);
    assert_near(&answer["velocity"], &[0.0, 1.5, 0.15]);
    let output = run(&["methods", "grolling"]);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_mixed_problem_with_more_equalities_than_free_unknowns() {
    // z_0 = z_2, z_0 + z_2 = 1, w_2 = z_0 + z_2 - 1; z_1 has no influence.
    let text = "1 1 1 1  0 1 2  0 1  0 3 2  3 2  1 -1 1  -1 -1 1  0 1  1 1 -1 1 0 -1";
    let answer = answer(&[&file("tall.dat", text), "--class", "mlcp"]);
    let z = answer["z"].as_array().expect("a list");
    assert!([0, 2].into_iter().all(|i| (z[i].as_f64().expect("a number") - 0.5).abs() < 1e-9), "{answer}");
    assert_near(&answer["w"], &[0.0; 3]);
}
