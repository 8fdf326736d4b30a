//! `siconos-rs plot`: the picture of each kind, and the errors for columns that do not exist.

use std::fs;
use std::path::Path;

use crate::program::{folder, scratch, siconos, text};

fn file(name: &str, text: &str) -> String {
    scratch(&format!("plot_{name}"), text)
}

/// Returns the picture of a file with some options.
fn picture(file: &str, options: &[&str]) -> String {
    let output = format!("{file}.svg");
    let all = [&["plot", file, "--output", &output][..], options].concat();
    let answer = siconos(&all);
    assert_eq!((answer.status.code(), text(&answer.stderr)), (Some(0), String::new()), "{all:?}");
    assert!(text(&answer.stdout).starts_with(&format!("picture     {output}\n")));
    fs::read_to_string(folder().join(output)).expect("it was written")
}

fn refused(arguments: &[&str]) -> String {
    let answer = siconos(&[&["plot"], arguments].concat());
    assert_eq!((answer.status.code(), text(&answer.stdout)), (Some(2), String::new()), "{arguments:?}");
    text(&answer.stderr)
}

/// Returns the texts in a picture.
fn texts(svg: &str) -> Vec<&str> {
    svg.split("<text").skip(1).filter_map(|text| text.lines().nth(1)).collect()
}

/// A ball under gravity 2 that hits the floor at t = 1 and keeps half of its speed.
fn ball() -> String {
    let mut rows = String::from("# t in seconds\nt,q,q',floor.gap,floor.impulse,kinetic,potential\n");
    let mut row = |t: f64, q: f64, v: f64, p: f64| {
        rows += &format!("{t},{q},{v},{q},{p},{},{}\n", 0.5 * v * v, 2.0 * q);
    };
    for k in 0..=20 {
        let t = f64::from(k) / 20.0;
        row(t, 1.0 - t * t, -2.0 * t, 0.0);
    }
    for k in 0..=20 {
        let s = f64::from(k) / 20.0;
        row(1.0 + s, s - s * s, 1.0 - 2.0 * s, if k == 0 { 3.0 } else { 0.0 });
    }
    rows
}

#[test]
fn each_kind_has_its_axes() {
    let ball = file("ball.csv", &ball());
    let has = |options: &[&str], labels: &[&str]| {
        let svg = picture(&ball, options);
        let texts = texts(&svg).into_iter().map(str::to_owned).collect::<Vec<_>>();
        for label in labels {
            assert!(texts.iter().any(|text| text == label), "{options:?}: no `{label}` in {texts:?}");
        }
        svg
    };
    // There are six panels. The jump of the velocity is drawn in its colour mixed halfway with white.
    let svg = has(&[], &["plot_ball.csv", "time t [s]", "q", "q&apos;", "floor.gap", "floor.impulse"]);
    assert_eq!(texts(&svg).iter().filter(|text| **text == "time t [s]").count(), 6);
    let svg =
        has(&["--y", "q,floor.gap", "--y", "q'", "--title", "Two panels"], &["Two panels", "floor.gap"]);
    assert_eq!(texts(&svg).iter().filter(|text| **text == "time t [s]").count(), 2);
    assert!(svg.contains("#7FB8D8"), "the velocity jumps");
    assert!(!picture(&ball, &["--y", "q"]).contains("#7FB8D8"), "the height does not");
    has(&["--kind", "phase"], &["q", "q&apos;"]);
    has(&["--kind", "phase", "--x", "q'", "--y", "kinetic"], &["q&apos;", "kinetic"]);
    let svg = has(&["--kind", "map", "--period", "0.5"], &["q", "q&apos;"]);
    assert_eq!(svg.matches("<circle").count(), 5, "t = 0, 1/2, 1, 3/2, 2");
    assert_eq!(picture(&ball, &["--kind", "map"]).matches("<circle").count(), 42);
    has(&["--kind", "bifurcation", "--x", "q", "--y", "kinetic"], &["q", "kinetic"]);
    has(&["--kind", "energy"], &["time t [s]", "energy", "sum", "kinetic", "potential"]);
    let svg = has(&["--kind", "gap"], &["time t [s]", "gap", "impulse"]);
    assert_eq!(svg.matches("<circle").count(), 2, "one impact, and the sample beside the name");
    assert_eq!(picture(&ball, &["--kind", "gap", "--y", "q,floor.impulse"]).matches("<circle").count(), 1);
}

#[test]
fn a_time_without_a_unit_has_none() {
    let plain = file("plain.csv", "t,x\n0,1\n1,2\n");
    let texts = picture(&plain, &[]);
    assert!(texts.contains("\nt\n") && !texts.contains("[s]"));
}

#[test]
fn errors_show_their_orders() {
    let mut rows = String::from("h,euler,midpoint\n");
    for k in 1..8 {
        let h = 0.5_f64.powi(k);
        rows += &format!("{h},{},{}\n", 2.0 * h * (1.0 + 0.1 * h), 0.3 * h * h);
    }
    let svg = picture(&file("errors.csv", &rows), &["--kind", "convergence"]);
    for label in ["h", "error", "euler", "midpoint", "order 1", "order 2"] {
        assert!(texts(&svg).contains(&label), "{label}");
    }
}

#[test]
fn unknown_columns_are_told_with_the_nearest() {
    let ball = file("columns.csv", &ball());
    let said = |options: &[&str]| refused(&[&[&*ball, "--output", "plot_never.svg"], options].concat());
    let before = "siconos-rs: plot_columns.csv: ";
    assert_eq!(
        said(&["--y", "q,kinetik"]),
        format!("{before}there is no column `kinetik`; did you mean `kinetic`?\n")
    );
    assert_eq!(
        said(&["--x", "temperature"]),
        format!(
            "{before}there is no column `temperature`; the columns are t, q, q', floor.gap, floor.impulse, \
             kinetic, potential\n"
        )
    );
    assert_eq!(
        said(&["--kind", "phase", "--x", "kinetic"]),
        format!(
            "{before}there is no column `kinetic'`, the derivative of `kinetic`; choose columns with --y\n"
        )
    );
    assert_eq!(
        said(&["--kind", "phase", "--y", "q"]),
        format!("{before}choose the column of the horizontal axis with --x\n")
    );
    assert!(said(&["--kind", "gap", "--y", "q"]).contains("they must be pairs"));
    assert!(said(&["--kind", "map", "--period", "-1"]).contains("it must be positive"));
    assert!(!folder().join("plot_never.svg").exists());
}

#[test]
fn files_that_cannot_be_drawn_are_bad_input() {
    assert!(refused(&["not_there.csv", "--output", "a.svg"]).starts_with("siconos-rs: not_there.csv: "));
    let empty = file("empty.csv", "t,x\n");
    assert_eq!(
        refused(&[&empty, "--output", "a.svg"]),
        "siconos-rs: plot_empty.csv: there are no rows to draw\n"
    );
    let message = refused(&[&empty, "--output", "a.eps"]);
    assert!(message.starts_with("siconos-rs: a.eps: unknown file extension; use .svg, .png or .pdf"));
    let nameless = file("names.csv", "t,x\n0,1\n1,2\n");
    for (kind, expected) in [
        ("phase", "no two columns are a variable and its derivative"),
        ("gap", "no columns have the names of a gap and its impulse"),
        ("energy", "no column has the name of an energy"),
    ] {
        let message = refused(&[&nameless, "--kind", kind, "--output", "a.svg"]);
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn more_columns_than_panels_are_said() {
    let names: Vec<String> = ('a'..='o').map(String::from).collect();
    let row = |x: usize| vec![x.to_string(); names.len() + 1].join(",");
    let many = file("many.csv", &format!("t,{}\n{}\n{}\n", names.join(","), row(0), row(1)));
    let svg = picture(&many, &[]);
    assert!(texts(&svg).contains(&"plot_many.csv (12 of 15 panels)"));
    assert_eq!(texts(&svg).iter().filter(|text| **text == "t").count(), 12);
}

/// The commands of the README, which start from the model file of the cam-follower.
#[test]
fn the_speed_of_the_cam_is_changed_and_the_motion_drawn() {
    let readme = include_str!("../../README.md");
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/models");
    fs::copy(models.join("cam_follower.toml"), folder().join("cam_follower.toml")).expect("a copy");
    let commands: Vec<&str> =
        readme.lines().filter(|line| line.contains("cam.csv") && line.starts_with("siconos-rs")).collect();
    assert_eq!(commands.len(), 3, "{commands:?}");
    for command in commands {
        let words = command.split('#').next().unwrap_or_default().split_whitespace().skip(1);
        // Replaces the files of an earlier test run.
        let words: Vec<&str> = words.chain(command.contains(" run ").then_some("--force")).collect();
        let answer = siconos(&words);
        assert_eq!((answer.status.code(), text(&answer.stderr)), (Some(0), String::new()), "{command}");
    }
    let svg = fs::read_to_string(folder().join("cam.svg")).expect("the picture");
    for label in ["t", "u", "c", "u, c"] {
        assert!(texts(&svg).contains(&label), "{label}");
    }
}

/// The largest and the smallest numbers.
#[test]
fn numbers_of_every_size_are_drawn() {
    let (least, most) = (f64::from_bits(1), f64::MAX);
    for (name, values) in [
        ("wide", [-1e308, 1e308]),
        ("widest", [-most, most]),
        ("subnormal", [least, 2.0 * least]),
        ("tiny", [-least, least]),
        ("small", [1e-310, 9e-305]),
        ("largest", [most, most]),
        ("far", [least, most]),
    ] {
        let [a, b] = values;
        let file = file(&format!("{name}.csv"), &format!("t,a\n{a:e},{a:e}\n{a:e},{a:e}\n{b:e},{b:e}\n"));
        for options in [&[][..], &["--kind", "map", "--x", "a", "--y", "t"]] {
            let svg = picture(&file, options);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}");
        }
        if a > 0.0 {
            picture(&file, &["--log", "xy"]);
        }
        if name.contains("wide") || name == "subnormal" {
            let png = format!("{file}.png");
            assert_eq!(siconos(&["plot", &file, "--output", &png]).status.code(), Some(0), "{name}");
        }
    }
}

/// Values that cannot be drawn on an axis are reported, and no axis is drawn for them.
#[test]
fn values_without_a_place_are_reported() {
    let nan = file("nan.csv", "t,a,b\n0,nan,1\n1,nan,2\n");
    let drawn = siconos(&["plot", &nan, "--output", "nan.svg"]);
    assert_eq!(drawn.status.code(), Some(0));
    let told = "the panel `a` has no value that can be drawn";
    assert_eq!(text(&drawn.stderr), format!("siconos-rs: {nan}: {told}\n"));
    let svg = fs::read_to_string(folder().join("nan.svg")).expect("it was written");
    assert_eq!(texts(&svg).iter().filter(|text| **text == "no value can be drawn").count(), 1);
    assert!(refused(&[&nan, "--output", "none.svg", "--y", "a"]).contains("no value that can be drawn"));
    assert!(!folder().join("none.svg").exists());

    let signs = file("signs.csv", "t,a\n0,-1\n1,0\n2,3\n3,4\n");
    let drawn = siconos(&["plot", &signs, "--output", "signs.svg", "--log", "y", "--format", "json"]);
    assert_eq!(drawn.status.code(), Some(0));
    let told =
        "points of the panel `a` that are not drawn because they are not positive on a logarithmic axis: 2";
    assert_eq!(text(&drawn.stderr), format!("siconos-rs: {signs}: {told}\n"));
    assert!(
        text(&drawn.stdout).contains(&format!("\"warnings\": [\n    \"{told}\"")),
        "{}",
        text(&drawn.stdout)
    );
    // A ball is at rest at its start and at its highest point.
    let ball = file("ball_log.csv", &ball());
    let drawn = siconos(&["plot", &ball, "--output", "log.svg", "--y", "kinetic", "--log", "y"]);
    assert!(text(&drawn.stderr).ends_with("logarithmic axis: 2\n"), "{}", text(&drawn.stderr));
    let svg = fs::read_to_string(folder().join("log.svg")).expect("it was written");
    assert!(texts(&svg).contains(&"10⁻²"));
    let negative = file("negative.csv", "t,a\n1,-1\n2,-2\n");
    assert!(
        refused(&[&negative, "--output", "none.svg", "--log", "y"])
            .contains("positive on a logarithmic axis")
    );
}
