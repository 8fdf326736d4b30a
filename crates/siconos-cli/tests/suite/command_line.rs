//! The command line for users and scripts: exit codes, messages with line and column, and the keys of the
//! JSON output.

use std::fs;
use std::io::Write;
use std::process::{Output, Stdio};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::answer;
use crate::program::{command, folder, scratch as file, siconos as run, text};

/// The solution is (4/3, 7/3).
const LCP: &str = "2\n0 2 2\n2 2\n2 1\n1 2\n-5 -6\na remark";
/// The same matrix with bounds; the solution is (1, 2.5).
const RELAY: &str = "2 0 2 2 2 2  2 1 1 2  -5 -6  0 0  1 100";
/// Two equalities, then one complementarity: the solution is (1, 2, 0).
const MLCP: &str = "1 0 2 1  0 2 3  0 1  0 3 3 3 3  1 0 0  0 1 0  0 0 1  -1 -2 3";

fn stdout(output: &Output) -> String {
    text(&output.stdout)
}

fn stderr(output: &Output) -> String {
    text(&output.stderr)
}

/// Parses the printed object, and checks that it has the keys of the interface, in order.
#[track_caller]
fn answer(output: &Output) -> Value {
    let text = stdout(output);
    assert_eq!(text.lines().count(), 1, "{text}{}", stderr(output));
    answer::parse(&text, &["z", "w"])
}

#[track_caller]
fn assert_near(numbers: &Value, expected: &[f64]) {
    answer::assert_near(numbers, expected, 1e-7);
}

#[test]
fn a_linear_problem() {
    let name = file("linear.dat", LCP);
    let output = run(&["solve", &name, "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let answer = answer(&output);
    assert_eq!(
        (&answer["class"], &answer["n"], &answer["status"]),
        (&"lcp".into(), &2.into(), &"Converged".into())
    );
    assert_near(&answer["z"], &[4.0 / 3.0, 7.0 / 3.0]);
    assert_near(&answer["w"], &[0.0, 0.0]);
    assert!(answer["error"].as_f64() <= answer["tolerance"].as_f64());
    assert!(answer["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0));
    assert!(answer["trace"].is_array());

    let text = stdout(&run(&["solve", &name]));
    for line in ["class       lcp, n = 2", "status      converged", "     i"] {
        assert!(text.lines().any(|found| found.starts_with(line)), "{line} in {text}");
    }
    assert!(text.contains("within the tolerance") && !text.contains("NOT"), "{text}");
}

#[test]
fn a_relay_problem() {
    let name = file("relay.dat", RELAY);
    let output = run(&["solve", &name]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(2), String::new()));
    assert_eq!(
        stderr(&output),
        "siconos-rs: relay.dat: this can be read as lcp and as relay; give the class (`--class` on the command line)\n"
    );
    let output = run(&["solve", &name, "--class", "relay", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let answer = answer(&output);
    assert_eq!(answer["class"], "relay");
    assert_near(&answer["z"], &[1.0, 2.5]);
    assert_near(&answer["w"], &[-0.5, 0.0]);
}

#[test]
fn a_mixed_problem() {
    let name = file("mixed.dat", MLCP);
    let output = run(&["solve", &name, "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let answer = answer(&output);
    assert_eq!(answer["class"], "mlcp");
    assert_near(&answer["z"], &[1.0, 2.0, 0.0]);
    assert_near(&answer["w"], &[0.0, 0.0, 3.0]);
}

#[test]
fn every_method_of_every_class_can_be_named() {
    let list: Value = serde_json::from_str(&stdout(&run(&["methods", "--format", "json"]))).expect("JSON");
    for (class, text) in [("lcp", LCP), ("mlcp", MLCP), ("relay", RELAY)] {
        let name = file(&format!("every_{class}.dat"), text);
        let of_class = |entry: &&Value| entry["class"] == class;
        let methods: Vec<_> = list.as_array().expect("a list").iter().filter(of_class).collect();
        assert_eq!(
            methods.iter().filter(|entry| entry["default"] == true).count(),
            1,
            "one default for {class}"
        );
        for entry in methods {
            let method = entry["name"].as_str().expect("a name");
            assert!(["guarantee", "storage"].iter().all(|key| entry[key] != ""), "{entry}");
            let output = run(&["solve", &name, "--class", class, "--method", method, "--format", "json"]);
            assert_eq!(
                output.status.code(),
                Some(0),
                "{class} {method}: {}{}",
                stdout(&output),
                stderr(&output)
            );
            assert_eq!(answer(&output)["method"], method);
        }
    }
}

#[test]
fn the_list_of_methods() {
    let text = stdout(&run(&["methods"]));
    let titles: Vec<_> = text.split_whitespace().take(2).collect();
    assert_eq!(titles, ["class", "method"], "{text}");
    let of_lcp = stdout(&run(&["methods", "lcp"]));
    assert!(of_lcp.lines().any(|line| line.contains("lemke") && line.contains("Cottle, Pang, Stone (1992)")));
    assert!(
        of_lcp
            .lines()
            .skip(1)
            .all(|line| line.starts_with("lcp ") || line.is_empty() || line.starts_with('*'))
    );
    let output = run(&["methods", "friction"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("there is no class `friction`; the classes are lcp"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn compressed_files_and_json() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(LCP.as_bytes()).expect("there is memory");
    fs::write(folder().join("linear.dat.gz"), encoder.finish().expect("there is memory"))
        .expect("a scratch file");
    let json = r#"{"class": "lcp", "m": {"dense": [[2, 1], [1, 2]]}, "q": [-5, -6]}"#;
    for name in ["linear.dat.gz", &file("linear.json", json)] {
        let output = run(&["solve", name, "--format", "json"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_near(&answer(&output)["z"], &[4.0 / 3.0, 7.0 / 3.0]);
    }
    let output = run(&["solve", "linear.json", "--class", "mlcp"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("the class is lcp, but mlcp was requested"));
}

#[test]
fn a_problem_without_unknowns() {
    let name = file("empty.dat", "0\n0 0 0\n0 0\n");
    let output = run(&["solve", &name, "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let answer = answer(&output);
    assert_eq!((&answer["n"], &answer["error"]), (&0.into(), &0.0.into()));
    assert_eq!(answer["z"], Value::Array(Vec::new()));
    assert_eq!(run(&["solve", &name]).status.code(), Some(0));
}

#[test]
fn what_is_not_solved_has_its_own_exit_code() {
    // w = -z - 1 is negative for all z >= 0.
    let name = file("unsolvable.dat", "1 0 1 1 1 1 -1 -1");
    let output = run(&["solve", &name, "--format", "json"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let answer = answer(&output);
    assert_ne!(answer["status"], "Converged");
    assert!(answer["error"].as_f64().is_none_or(|error| error > 1e-3), "{answer}");

    let name = file("one_sweep.dat", LCP);
    let arguments = ["solve", &name, "--method", "projected-gauss-seidel", "--max-iterations", "1"];
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stdout(&output).contains("NOT within the tolerance"));
    let loose = run(&[&arguments[..], &["--tolerance", "10"]].concat());
    assert_eq!(loose.status.code(), Some(0), "{}", stdout(&loose));
    assert!(stdout(&loose).contains("within the tolerance 1e1"), "{}", stdout(&loose));
}

#[test]
fn no_number_that_is_not_finite_is_printed() {
    // The products overflow, so the error and w are NaN.
    let name = file(
        "overflow.json",
        r#"{"class": "lcp", "m": {"dense": [[1e-308, 1e308], [1e308, 1e-308]]}, "q": [-1e308, -1e308]}"#,
    );
    let list: Value =
        serde_json::from_str(&stdout(&run(&["methods", "lcp", "--format", "json"]))).expect("JSON");
    for entry in list.as_array().expect("a list") {
        let method = entry["name"].as_str().expect("a name");
        let output = run(&["solve", &name, "--method", method, "--max-iterations", "20", "--format", "json"]);
        let text = stdout(&output);
        assert!(!text.contains("NaN") && !text.contains("inf"), "{method}: {text}");
        if output.status.code() != Some(2) {
            let answer = answer(&output);
            let good =
                answer["error"].as_f64().is_some_and(|error| Some(error) <= answer["tolerance"].as_f64());
            assert_eq!(output.status.code(), Some(if good { 0 } else { 1 }), "{method}: {text}");
        }
    }
}

#[test]
fn bad_input_is_told_with_its_place() {
    let name = file("broken.dat", LCP.replace("-6", "abc"));
    let output = run(&["solve", &name, "--class", "lcp"]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(2), String::new()));
    assert_eq!(
        stderr(&output),
        "siconos-rs: broken.dat:6:4: expected a number (entry 2 of q (of 2)), found `abc`\n"
    );
    let name = file("broken.json", "{\"class\": \"lcp\",\n \"m\": }");
    let output = run(&["solve", &name]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).starts_with("siconos-rs: broken.json:2:7: expected value"),
        "{}",
        stderr(&output)
    );

    let name = file("good.dat", LCP);
    for (arguments, expected) in [
        (vec!["nowhere.dat"], "nowhere.dat: cannot read"),
        (vec!["problem.txt"], "unknown file extension"),
        (vec![&name, "--method", "lemming"], "there is no method `lemming` for class lcp; the methods are"),
        (vec![&name, "--class", "friction"], "the classes are lcp, mlcp, relay"),
        (vec![&name, "--tolerance", "-1"], "setting `tolerance` is -1"),
        (vec![&name, "--tolerance", "nan"], "setting `tolerance` is NaN"),
        (vec![&name, "--max-iterations", "-1"], "--max-iterations"),
        (vec![&name, "--format", "xml"], "possible values: text, json"),
        (vec![], "FILE"),
    ] {
        let output = run(&[&["solve"][..], &arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(expected), "{arguments:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), "", "{arguments:?}");
    }
    assert!(
        stderr(&run(&["solve", &name, "--method", "lemming"])).contains("lemke"),
        "the known ones are listed"
    );
    // A storage that the method does not accept.
    let name = file("columns.dat", "1 2 1 1 2 v 1-by-1, nzmax: 1 nnz: 1 col 0 : locations 0 to 0 0 : 2 -1");
    let output = run(&["solve", &name, "--method", "lemke"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("does not support a sparse column matrix"), "{}", stderr(&output));
}

#[test]
fn help_tells_what_there_is() {
    let output = run(&["--help"]);
    assert_eq!(output.status.code(), Some(0));
    let text = stdout(&output);
    assert!(["solve", "methods", "Exit code"].iter().all(|word| text.contains(word)), "{text}");
    let text = stdout(&run(&["solve", "--help"]));
    for word in [
        "--class",
        "--method",
        "--tolerance",
        "--max-iterations",
        "--format",
        ".dat.gz",
        "Examples",
        "Exit code",
    ] {
        assert!(text.contains(word), "{word} in {text}");
    }
    assert_eq!(run(&[]).status.code(), Some(2));
    assert_eq!(run(&["--version"]).status.code(), Some(0));
}

#[test]
fn a_reader_that_leaves_early_is_no_fault() {
    // More data than a pipe holds, and a reader that has closed it.
    let n = 20_000;
    let ones = "1,".repeat(n);
    let ones = ones.trim_end_matches(',');
    let json = format!("{{\"class\": \"lcp\", \"m\": {{\"diagonal\": [{ones}]}}, \"q\": [{ones}]}}");
    let name = file("large.json", &json);
    let mut child = command(&["solve", &name, "--method", "projected-gauss-seidel", "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
}

/// Runs the program with the given standard input.
fn run_on(input: &[u8], arguments: &[&str]) -> Output {
    let mut command = command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program runs");
    child.stdin.take().expect("piped").write_all(input).expect("it listens");
    child.wait_with_output().expect("it ends")
}

#[test]
fn standard_input_shows_its_format() {
    let solved = |input: &[u8]| {
        let output = run_on(input, &["solve", "-", "--class", "lcp", "--format", "json"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_near(&answer(&output)["z"], &[4.0 / 3.0, 7.0 / 3.0]);
    };
    solved(LCP.as_bytes());
    let json = br#"  {"class": "lcp", "m": {"dense": [[2, 1], [1, 2]]}, "q": [-5, -6]}"#;
    solved(json);
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(json).expect("memory");
    solved(&gzip.finish().expect("memory"));
    let refused = run_on(json, &["solve", "-", "--class", "relay"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("lcp") && stderr(&refused).contains("relay"), "{}", stderr(&refused));
}

#[test]
fn an_answer_goes_to_a_file() {
    let (name, to) = (file("to_a_file.dat", LCP), "answer_in_a_file.json");
    let output = run(&["solve", &name, "--format", "json", "--output", to, "--force"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0), "{}", stderr(&output));
    let text = fs::read_to_string(folder().join(to)).expect("it was written");
    let answer: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((answer["format"].as_u64(), answer["stopped"].is_null()), (Some(1), true));
    assert_near(&answer["z"], &[4.0 / 3.0, 7.0 / 3.0]);
    let kept = run(&["solve", &name, "--output", to]);
    assert_eq!(kept.status.code(), Some(2));
    assert!(stderr(&kept).contains("this file already exists"), "{}", stderr(&kept));
    let refused = run(&["solve", &name, "--output", "no/such/folder/answer.txt"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("no/such/folder"), "{}", stderr(&refused));
}

#[test]
fn methods_go_by_the_names_and_numbers_of_siconos() {
    let name = file("by_siconos.dat", LCP);
    for (method, expected) in [
        ("LEMKE", "lemke"),
        ("SICONOS_LCP_LEMKE", "lemke"),
        ("200", "lemke"),
        ("psor", "projected-sor"),
        ("211", "regularised-gauss-seidel"),
    ] {
        let output = run(&["solve", &name, "--method", method, "--format", "json"]);
        assert_eq!(output.status.code(), Some(0), "{method}: {}", stderr(&output));
        assert_eq!(answer(&output)["method"], expected, "{method}");
    }
    let refused = run(&["solve", &name, "--method", "500"]);
    assert_eq!(refused.status.code(), Some(2), "500 is a method for friction");
}
