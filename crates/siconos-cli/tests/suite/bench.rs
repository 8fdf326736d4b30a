//! `siconos-rs bench`: the table, bench.json, and the picture.

use std::fs;
use std::process::Output;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::program::{folder, scratch, siconos, text};

const LCP: &str = "2\n0 2 2\n2 2\n2 1\n1 2\n-5 -6\na remark";
const FC2D: &str = "2 1\n0 2 2\n2 2\n1 0\n0 1\n-1 0.5\n0.3\n";
/// w = -z - 1 is negative for all z >= 0.
const UNSOLVABLE: &str = "1 0 1 1 1 1 -1 -1";

fn run(arguments: &[&str]) -> Output {
    siconos(&[&["bench"], arguments].concat())
}

fn file(name: &str, text: &str) -> String {
    scratch(&format!("bench_{name}"), text)
}

/// Returns the contents of the output folder after a run with exit code 0.
fn report(output: &Output, folder_name: &str) -> (Value, String) {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let read =
        |name: &str| fs::read_to_string(folder().join(folder_name).join(name)).expect("it was written");
    (serde_json::from_str(&read("bench.json")).expect("JSON"), read("profile.svg"))
}

#[test]
fn several_classes_and_methods() {
    let files = [file("a.dat", LCP), file("b.dat", FC2D), file("c.dat", UNSOLVABLE)];
    let mut arguments: Vec<&str> = files.iter().map(String::as_str).collect();
    arguments.extend([
        "--methods",
        "lemke,nonsmooth-gauss-seidel,projected-gauss-seidel",
        "--tolerance",
        "1e-7",
    ]);
    arguments.extend(["--repeat", "3", "--output", "bench_report/several"]);
    let output = run(&arguments);
    let (json, svg) = report(&output, "bench_report/several");
    assert_eq!((&json["tolerance"], &json["repeat"]), (&1e-7.into(), &3.into()));
    let classes: Vec<_> =
        json["files"].as_array().expect("a list").iter().map(|file| &file["class"]).collect();
    assert_eq!(classes, ["lcp", "fc2d", "lcp"]);

    let runs = json["runs"].as_array().expect("a list");
    assert_eq!(runs.len(), 9);
    let of = |file: usize, method: &str| {
        runs.iter().find(|run| run["file"] == file && run["method"] == method).expect("it was run")
    };
    for (file, method) in [(0, "lemke"), (0, "projected-gauss-seidel"), (1, "nonsmooth-gauss-seidel")] {
        let run = of(file, method);
        assert_eq!((&run["outcome"], &run["solved"]), (&"measured".into(), &true.into()), "{run}");
        assert!(run["error"].as_f64().is_some_and(|error| error <= 1e-7), "{run}");
        assert!(run["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0 && seconds < 1.0), "{run}");
    }
    for (file, method) in [(1, "lemke"), (0, "nonsmooth-gauss-seidel")] {
        let run = of(file, method);
        assert_eq!(run["outcome"], "skipped", "{run}");
        assert!(run["note"].as_str().is_some_and(|note| note.starts_with("not for class")), "{run}");
    }
    assert_eq!(of(2, "lemke")["solved"], false, "there is no solution");

    // The fastest method on the first file has ratio 1, and so has the only method that solves the second
    // file.
    let profile = json["profile"].as_array().expect("a list");
    let ratios = |method: &str| {
        let of_method = profile.iter().find(|profile| profile["method"] == method).expect("it is there");
        let ratios = of_method["ratios"].as_array().expect("a list").iter();
        ratios.map(|ratio| ratio.as_f64().expect("a number")).collect::<Vec<_>>()
    };
    assert_eq!(ratios("nonsmooth-gauss-seidel"), [1.0]);
    let (lemke, gauss_seidel) = (ratios("lemke"), ratios("projected-gauss-seidel"));
    assert_eq!((lemke.len(), gauss_seidel.len()), (1, 1));
    assert_eq!(lemke[0].min(gauss_seidel[0]), 1.0);

    let table = text(&output.stdout);
    assert_eq!(table.lines().filter(|line| line.starts_with("bench_")).count(), 9, "{table}");
    assert!(
        table.contains("skipped: not for class fc2d") && table.contains("lemke: solved 1 of 3"),
        "{table}"
    );
    for word in ["Performance profile", "least time of any method", "lemke (1 of 3)", "</svg>"] {
        assert!(svg.contains(word), "{word}");
    }
    assert!(svg.matches("<polyline").count() >= 6, "three curves and three lines of the legend");
}

#[test]
fn all_methods_without_a_choice() {
    let name = file("all.dat", LCP);
    let output = run(&[&name, "--output", "bench_report/all"]);
    let (json, svg) = report(&output, "bench_report/all");
    for profile in json["profile"].as_array().expect("a list") {
        let name = profile["method"].as_str().expect("a name");
        assert!(svg.contains(&format!("\n{name} (")), "{name} is in the legend");
    }
    let solved = json["runs"].as_array().expect("a list").iter().filter(|run| run["solved"] == true).count();
    assert!(solved > 10, "{solved} methods solve it");
}

#[test]
fn a_method_that_takes_too_long_is_stopped() {
    // A pivoting method needs far more time than the limit for this dense problem.
    let n = 1500;
    let mut dat = format!("{n}\n0 {n} {n}\n{n} {n}\n");
    for j in 0..n {
        for i in 0..n {
            dat += if i == j { "4 " } else { "1 " };
        }
        dat += "\n";
    }
    dat += &"-1 ".repeat(n);
    let name = file("long.dat", &dat);
    let begin = Instant::now();
    let arguments = [&name, "--class", "lcp", "--methods", "lemke", "--time-limit", "0.001"];
    let output = run(&[&arguments[..], &["--output", "bench_report/long"]].concat());
    let (json, _) = report(&output, "bench_report/long");
    assert_eq!(json["runs"][0]["outcome"], "time_limit", "{}", json["runs"][0]);
    assert!(begin.elapsed() < Duration::from_secs(120), "{:?}", begin.elapsed());
    assert!(text(&output.stdout).contains("time limit"));
}

#[test]
fn bad_input() {
    let good = file("good.dat", LCP);
    let broken = file("broken.dat", &LCP.replace("-6", "abc"));
    for (arguments, expected) in [
        (vec![&*good, &*broken, "--class", "lcp", "--output", "bench_report/bad"], "bench_broken.dat:6:4: "),
        (
            vec![&*good, "--methods", "lemming", "--output", "bench_report/bad"],
            "there is no method `lemming` for any",
        ),
        (vec![&*good, "--time-limit", "0", "--output", "bench_report/bad"], "--time-limit is 0"),
        (vec![&*good], "--output"),
        (vec![&*good, "--repeat", "0", "--output", "bench_report/bad"], "--repeat"),
        (vec!["--output", "bench_report/bad"], "FILES"),
        (vec![&*good, "--output", &*good], "cannot create bench_good.dat"),
    ] {
        let output = run(&arguments);
        let complaint = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {complaint}");
        assert!(complaint.contains(expected), "{arguments:?}: {complaint}");
    }
}
