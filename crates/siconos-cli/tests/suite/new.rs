//! `siconos-rs new`: files to start from, each of which runs and draws a picture.

use std::fs;

use crate::program::{folder, siconos, text};

#[test]
fn every_file_runs_and_draws_a_picture() {
    for kind in ["bouncing-ball", "circuit", "mechanism", "hybrid"] {
        let file = folder().join(format!("new_{kind}.toml"));
        let (picture, name) = (file.with_extension("svg"), file.display().to_string());
        let written = siconos(&["new", &name, "--kind", kind, "--force"]);
        assert_eq!(written.status.code(), Some(0), "{}", text(&written.stderr));
        let next = format!("{name} was written; next: siconos-rs run {name} --plot\n");
        assert_eq!(text(&written.stdout), next);
        let content = fs::read_to_string(&file).expect("the file");
        assert!(content.contains(&format!("siconos-rs run new_{kind}.toml --plot")), "{content}");
        let checked = siconos(&["check", &name]);
        assert_eq!(checked.status.code(), Some(0), "{}", text(&checked.stderr));
        let run = siconos(&["run", &name, "--plot", &picture.display().to_string()]);
        assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
        assert_eq!(text(&run.stderr), "", "{kind}");
        assert!(fs::read_to_string(&picture).expect("a picture").contains("<svg"), "{kind}");
    }
}

#[test]
fn the_problem_is_solved() {
    let file = folder().join("new_problem");
    let written = siconos(&["new", &file.display().to_string(), "--kind", "problem", "--force"]);
    assert_eq!(written.status.code(), Some(0), "{}", text(&written.stderr));
    let solved = siconos(&["solve", &file.with_extension("json").display().to_string()]);
    assert_eq!(solved.status.code(), Some(0), "{}", text(&solved.stderr));
}

#[test]
fn nothing_is_replaced_unasked() {
    let file = folder().join("new_twice.toml").display().to_string();
    siconos(&["new", &file, "--force"]);
    let again = siconos(&["new", &file]);
    assert_eq!(again.status.code(), Some(2));
    let expected = format!("siconos-rs: {file}: this file already exists; use --force to replace it\n");
    assert_eq!(text(&again.stderr), expected);
    let wrong = siconos(&["new", "ball.json"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("must be .toml, not .json"), "{}", text(&wrong.stderr));
}

/// Without a file, the picture is in the current folder and has the name of the model.
#[test]
fn a_picture_without_a_name_is_named_after_the_model() {
    let here = folder().join("new_here");
    fs::create_dir_all(&here).expect("a folder");
    let run = |arguments: &[&str]| {
        std::process::Command::new(env!("CARGO_BIN_EXE_siconos-rs"))
            .args(arguments)
            .current_dir(&here)
            .output()
            .expect("the program")
    };
    run(&["new", "ball", "--force"]);
    let drawn = run(&["run", "ball.toml", "--plot"]);
    assert_eq!(drawn.status.code(), Some(0), "{}", text(&drawn.stderr));
    assert!(text(&drawn.stdout).contains("picture     ball.svg"), "{}", text(&drawn.stdout));
    assert!(here.join("ball.svg").is_file());
}
