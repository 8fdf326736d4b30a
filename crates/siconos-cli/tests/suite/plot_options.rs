//! `siconos-rs plot`: selection of rows and columns, labels, sizes, and pictures of several files.

use std::fs;

use crate::program::{BALL, folder, fresh, scratch, siconos, text};

fn file(name: &str, text: &str) -> String {
    scratch(&format!("plot_options_{name}"), text)
}

/// Runs `plot`, and returns the picture and the output of the command.
fn picture(files: &[&str], options: &[&str]) -> (String, String) {
    let output = format!("{}.svg", files[0]);
    let answer = siconos(&[&["plot"], files, &["--output", &output], options].concat());
    assert_eq!((answer.status.code(), text(&answer.stderr)), (Some(0), String::new()), "{options:?}");
    (fs::read_to_string(folder().join(output)).expect("it was written"), text(&answer.stdout))
}

fn refused(arguments: &[&str]) -> String {
    let answer = siconos(&[&["plot", "--output", "plot_options_never.svg"], arguments].concat());
    assert_eq!((answer.status.code(), text(&answer.stdout)), (Some(2), String::new()), "{arguments:?}");
    text(&answer.stderr)
}

/// Returns the texts in a picture.
fn texts(svg: &str) -> Vec<&str> {
    svg.split("<text").skip(1).filter_map(|text| text.lines().nth(1)).collect()
}

/// Returns the number of panels whose horizontal axis is the time.
fn panels(svg: &str) -> usize {
    texts(svg).iter().filter(|text| **text == "t").count()
}

/// A table with the time, two positions, a constant, and the derivative of a position.
fn table(factor: f64) -> String {
    let row = |k: u32| {
        let t = 0.5 * f64::from(k);
        format!("{t},{},{},{},4\n", factor * t, factor * t * t, factor * 2.0 * t)
    };
    (0..=8).map(row).fold("t,q[0],q[1],q'[1],mass\n".to_owned(), |rows, row| rows + &row)
}

#[test]
fn only_rows_in_the_span_are_drawn() {
    let file = file("span.csv", &table(1.0));
    let (svg, told) = picture(&[&file], &["--from", "1", "--to", "2.5"]);
    assert!(told.contains("rows        4\n"), "{told}");
    let texts = texts(&svg);
    assert!(texts.contains(&"1.0") && texts.contains(&"2.4") && !texts.contains(&"2.6"), "{texts:?}");
    let (_, told) = picture(&[&file], &["--from", "3.5"]);
    assert!(told.contains("rows        2\n"), "{told}");
    let message = refused(&[&file, "--from", "5"]);
    assert!(message.contains("no row has `t` from 5.0 to inf; the rows have values from 0.0 to 4.0"));
}

#[test]
fn constant_columns_are_drawn_if_they_are_named() {
    let file = file("mass.csv", &table(1.0));
    let (svg, told) = picture(&[&file], &[]);
    assert_eq!(panels(&svg), 2);
    assert!(!texts(&svg).contains(&"mass"));
    assert!(told.contains("constant    mass (not drawn; use --columns)\n"), "{told}");
    for option in ["--columns", "--y"] {
        let (svg, told) = picture(&[&file], &[option, "mass"]);
        assert!(panels(&svg) == 1 && texts(&svg).contains(&"mass") && !told.contains("constant"));
    }
    let (svg, told) = picture(&[&file], &["--from", "4"]);
    assert!(panels(&svg) == 3 && !told.contains("constant"), "all columns are constant in one row");
}

#[test]
fn columns_are_arranged_in_panels() {
    let file = file("columns.csv", &table(1.0));
    let (svg, _) = picture(&[&file], &["--columns", "q'[1],q[1],q[0]"]);
    assert_eq!(panels(&svg), 2);
    // The label of the panel does not repeat the names in the legend.
    let names = ["q&apos;[1]", "q[1]", "q[0]", "q"]
        .map(|name| texts(&svg).iter().filter(|text| **text == name).count());
    assert_eq!(names, [1, 1, 1, 1]);
    let (svg, _) = picture(&[&file], &["--kind", "phase", "--columns", "q[1]"]);
    assert!(texts(&svg).contains(&"q[1]") && texts(&svg).contains(&"q&apos;[1]"));
    let (svg, _) = picture(&[&file], &["--kind", "phase", "--x", "q[0]", "--columns", "q[1],mass"]);
    assert!(texts(&svg).contains(&"mass"));
    let (svg, _) = picture(&[&file], &["--kind", "convergence", "--columns", "q[1]", "--from", "1"]);
    assert!(texts(&svg).contains(&"q[1]") && texts(&svg).contains(&"order 2"));
    assert!(!texts(&svg).contains(&"q[0]"));
    assert!(refused(&[&file, "--columns", "q[0]", "--y", "q[1]"]).contains("cannot be used with"));
    assert!(refused(&[&file, "--columns", "q[2]"]).contains("did you mean"));
}

#[test]
fn labels_and_sizes_are_those_of_the_options() {
    let file = file("labels.csv", &table(1.0));
    let options = ["--x-label", "time [min]", "--y-label", "position [m]", "--y-label", "velocity [m/min]"];
    let (svg, _) = picture(&[&file], &[&options[..], &["--title", "Labels", "--size", "640x480"]].concat());
    for label in ["time [min]", "position [m]", "velocity [m/min]", "Labels"] {
        assert!(texts(&svg).contains(&label), "{label}");
    }
    assert!(svg.starts_with("<svg width=\"640\" height=\"480\""), "{}", &svg[..80]);
    let (svg, _) = picture(&[&file], &["--y-label", "both"]);
    assert_eq!(texts(&svg).iter().filter(|text| **text == "both").count(), 2);
    let message = refused(&[&[&*file, "--columns", "q[0]"], &options[..]].concat());
    assert!(message.contains("there are 2 labels of vertical axes for 1 panels"), "{message}");
    for size in ["640", "0x480", "640x", "9999x480", "-640x480"] {
        let message = refused(&[&file, &format!("--size={size}")]);
        assert!(message.contains("expected WIDTHxHEIGHT, such as 1200x800"), "{message}");
    }
    assert!(refused(&[&file, "--size", "100x100"]).contains("is too small"));
    let (svg, _) = picture(&[&file], &["--size", "127x254mm"]);
    assert!(svg.contains("width=\"480\" height=\"960\""), "{}", &svg[..200]);
}

#[test]
fn the_extension_pdf_selects_pdf() {
    let file = file("pdf.csv", &table(1.0));
    let answer = siconos(&["plot", &file, "--output", "plot_options.pdf"]);
    assert_eq!(answer.status.code(), Some(0), "{}", text(&answer.stderr));
    assert!(fs::read(folder().join("plot_options.pdf")).expect("a file").starts_with(b"%PDF-"));
}

#[test]
fn several_files_share_the_panels() {
    let (slow, fast) = (file("slow.csv", &table(1.0)), file("fast.csv", &table(2.0)));
    let (svg, told) = picture(&[&slow, &fast], &["--columns", "q'[1]"]);
    assert!(panels(&svg) == 1 && told.contains("rows        18\n"), "{told}");
    for name in [&slow, &fast] {
        assert_eq!(texts(&svg).iter().filter(|text| *text == name).count(), 1, "only in the legend");
    }
    let (svg, _) = picture(&[&slow, &fast], &["--y", "q[0],q[1]"]);
    assert!(texts(&svg).contains(&&*format!("{fast}: q[1]")));
    for kind in ["phase", "map", "bifurcation", "convergence"] {
        let columns = ["--x", "q[0]", "--y", "q[1]", "--from", "0.5"];
        let (svg, _) = picture(&[&slow, &fast], &[&["--kind", kind], &columns[..]].concat());
        assert!(texts(&svg).contains(&&*slow) && texts(&svg).contains(&&*fast), "{kind}");
    }
    // A column that differs between the files is not constant.
    let heavy = file("heavy.csv", &table(1.0).replace(",4\n", ",5\n"));
    assert!(texts(&picture(&[&slow, &heavy], &[]).0).contains(&"mass"));

    let other = file("other.csv", "t,q[0]\n0,1\n1,2\n");
    assert_eq!(panels(&picture(&[&slow, &other], &[]).0), 1, "the column that both have");
    let message = refused(&[&slow, &other, "--y", "mass"]);
    assert!(message.contains(&format!("{other}: there is no column `mass`")), "{message}");
    let message = refused(&[&slow, &fast, "--kind", "energy", "--y", "q[0]"]);
    assert!(message.contains("--kind energy draws one file, but there are 2"), "{message}");
}

#[test]
fn the_points_of_a_study_are_named_by_their_parameters() {
    let model = scratch("plot_options_study.toml", BALL);
    let output = fresh("plot_options_study.csv".to_owned());
    let study = ["study", &model, "--vary", "g=2,8", "--rows", "all", "--output", &output];
    assert_eq!(siconos(&study).status.code(), Some(0));
    let (svg, _) = picture(&[&output], &[]);
    let texts = texts(&svg);
    for (label, count) in [("t", 2), ("ball.q", 1), ("ball.q&apos;", 1), ("g = 2", 1), ("g = 8", 1)] {
        assert_eq!(texts.iter().filter(|text| **text == label).count(), count, "{label} {texts:?}");
    }
    picture(&[&output], &["--kind", "phase"]);
}

#[test]
fn transients_are_omitted() {
    let row = |k: u32| format!("{},{},{}\n", k / 10, k % 10, f64::from(k % 10) + f64::from(k / 10));
    let rows = (0..50).map(row).fold("r,t,x\n".to_owned(), |rows, row| rows + &row);
    let file = file("transient.csv", &rows);
    let dots = |options: &[&str]| {
        let (svg, _) = picture(&[&file], &[&["--kind", "bifurcation", "--y", "x"], options].concat());
        svg.matches("<circle").count()
    };
    assert_eq!([dots(&[]), dots(&["--skip-transient", "8"])], [50, 10]);
    assert_eq!(dots(&["--skip-transient", "5", "--from", "8", "--to", "8"]), 5);
    assert!(
        refused(&[&file, "--skip-transient", "8"]).contains("--skip-transient is for --kind bifurcation")
    );
    assert!(refused(&[&file, "--period", "1"]).contains("--period is for --kind map"));
    let timeless = scratch("plot_options_timeless.csv", "r,x\n1,2\n2,3\n");
    let message = refused(&[&timeless, "--kind", "bifurcation", "--skip-transient", "1"]);
    assert!(message.contains("--skip-transient needs a column `t`"), "{message}");
}
