//! Functions of the program at all places where they are allowed. The motion is the same as with expressions.

use std::fs;
use std::path::Path;

use siconos_io::model::{BuiltModel, Function, ModelFile, Registry};
use siconos_testkit::compare::worse;

use super::same_bits::rows;

/// Returns a model with these texts at its placeholders, given by name.
fn text(places: &[(&str, &str)]) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/functions_everywhere.toml");
    let template = fs::read_to_string(file).expect("the model");
    places.iter().fold(template, |text, (name, place)| {
        let hole = format!("\"<{name}>\"");
        assert!(text.contains(&hole), "no place {name}");
        text.replace(&hole, place)
    })
}

/// Texts of the placeholders: expressions, and the names of functions with their sizes.
const EXPRESSIONS: [(&str, &str); 17] = [
    ("mass", r#"[[2, "cos(a - b)"], ["cos(a - b)", 1]]"#),
    ("T", r#"[["1 + a * a"], [0]]"#),
    ("u", r#""-a - load * a'""#),
    ("force", r#"["sin(t)", 0, "-load"]"#),
    ("moment", r#"[0, "0.1 * cos(t)", 0]"#),
    ("moment in body", r#"["0.01 * t", 0, 0]"#),
    ("A", r#"[["-1 - 0.1 * t", 1], [0, "-load"]]"#),
    ("u of time", r#"["sin(t)", "load"]"#),
    ("mass of state", r#"[["1 + x * x"]]"#),
    ("C", r#"[[1, "t"], [0, 1]]"#),
    ("B", r#"[[1, 0], ["t", 1]]"#),
    ("D", r#"{ diagonal = [1, "2 + t"] }"#),
    ("offset", r#"["sin(t)", "-load"]"#),
    ("z", r#"["cos(t)", "t"]"#),
    ("h", r#""x + z * lambda + x * lambda * lambda - 1""#),
    ("g", r#""lambda * (1 + x * x)""#),
    ("bounds", r#"lower = "-1 - t", upper = "load""#),
];

const NAMES: [(&str, &str); 17] = [
    ("mass", r#"{ function = "mass" }"#),
    ("T", r#"{ function = "T" }"#),
    ("u", r#"{ function = "u" }"#),
    ("force", r#"{ function = "force" }"#),
    ("moment", r#"{ function = "moment" }"#),
    ("moment in body", r#"{ function = "moment in body" }"#),
    ("A", r#"{ function = "A" }"#),
    ("u of time", r#"{ function = "u of time", size = 2 }"#),
    ("mass of state", r#"{ function = "mass of state" }"#),
    ("C", r#"{ function = "C", size = 2 }"#),
    ("B", r#"{ function = "B" }"#),
    ("D", r#"{ function = "D" }"#),
    ("offset", r#"{ function = "offset" }"#),
    ("z", r#"{ function = "z" }"#),
    ("h", r#"{ function = "h" }"#),
    ("g", r#"{ function = "g" }"#),
    ("bounds", r#"bounds = { function = "bounds" }"#),
];

fn registry() -> Registry {
    let h = Function::of_point_with_derivatives(
        |at, y| y[0] = at.x[0] + at.z[0] * at.lambda[0] + at.x[0] * at.lambda[0] * at.lambda[0] - 1.0,
        |at, by_x| by_x[0] = 1.0 + at.lambda[0] * at.lambda[0],
        |at, by_lambda| by_lambda[0] = at.z[0] + 2.0 * at.x[0] * at.lambda[0],
    );
    Registry::new()
        .with(
            "mass",
            Function::of_state(|_, q, m| {
                let cosine = (q[0] - q[1]).cos();
                m.copy_from_slice(&[2.0, cosine, cosine, 1.0]);
            }),
        )
        .with("T", Function::of_state(|_, q, t| t.copy_from_slice(&[1.0 + q[0] * q[0], 0.0])))
        .with("u", Function::of_motion(|at, q, v, u| u[0] = -q[0] - at.parameters().values()[0] * v[0]))
        .with(
            "force",
            Function::of_time(|at, f| f.copy_from_slice(&[at.t.sin(), 0.0, -at.parameters().values()[0]])),
        )
        .with("moment", Function::of_time(|at, m| m[1] = 0.1 * at.t.cos()))
        .with("moment in body", Function::of_time(|at, m| m[0] = 0.01 * at.t))
        .with(
            "A",
            Function::of_time(|at, a| {
                a.copy_from_slice(&[-1.0 - 0.1 * at.t, 1.0, 0.0, -at.parameters().values()[0]]);
            }),
        )
        .with(
            "u of time",
            Function::of_time(|at, u| u.copy_from_slice(&[at.t.sin(), at.parameters().values()[0]])),
        )
        .with("mass of state", Function::of_state(|_, x, m| m[0] = 1.0 + x[0] * x[0]))
        .with("C", Function::of_time(|at, c| c.copy_from_slice(&[1.0, at.t, 0.0, 1.0])))
        .with("B", Function::of_time(|at, b| b.copy_from_slice(&[1.0, 0.0, at.t, 1.0])))
        .with("D", Function::of_time(|at, d| d.copy_from_slice(&[1.0, 0.0, 0.0, 2.0 + at.t])))
        .with(
            "offset",
            Function::of_time(|at, e| e.copy_from_slice(&[at.t.sin(), -at.parameters().values()[0]])),
        )
        .with("z", Function::of_time(|at, z| z.copy_from_slice(&[at.t.cos(), at.t])))
        .with("h", h)
        .with("g", Function::of_point(|at, r| r[0] = at.lambda[0] * (1.0 + at.x[0] * at.x[0])))
        .with(
            "bounds",
            Function::of_bounds(|at, lower, upper| {
                (lower[0], upper[0]) = (-1.0 - at.t, at.parameters().values()[0]);
            }),
        )
}

fn built(text: &str, registry: &Registry) -> BuiltModel {
    let file = ModelFile::parse(text, "model.toml").unwrap_or_else(|error| panic!("{error}"));
    file.build_with(registry).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn each_place_takes_a_function_of_the_program() {
    let of_expressions = rows(built(&text(&EXPRESSIONS), &Registry::new()));
    let all = rows(built(&text(&NAMES), &registry()));
    assert!(all.len() > 50 && all.len() == of_expressions.len());
    let off = |found: &[Vec<f64>]| {
        let pairs = of_expressions.iter().flatten().zip(found.iter().flatten());
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, worse)
    };
    // With derivatives by finite differences, errors within the tolerance of Newton's method remain.
    assert!(off(&all) < 1e-9, "{:e}", off(&all));
    for (place, name) in EXPRESSIONS.iter().enumerate().map(|(place, _)| (place, NAMES[place])) {
        let mut one = EXPRESSIONS;
        one[place] = name;
        let found = off(&rows(built(&text(&one), &registry())));
        assert!(found < 1e-9, "{}: {found:e}", name.0);
    }
}

#[test]
fn each_place_is_written_by_its_name() {
    let first = built(&text(&NAMES), &registry());
    let written = first.written();
    assert_eq!(written.unwritten, [], "{}", written.text);
    for (place, name) in NAMES {
        assert!(written.text.contains(name), "{place}\n{}", written.text);
    }
    let again = built(&written.text, &registry());
    assert_eq!(again.written().text, written.text);
    let bits = |rows: Vec<Vec<f64>>| rows.concat().into_iter().map(f64::to_bits).collect::<Vec<_>>();
    assert!(bits(rows(first)) == bits(rows(again)));
}

#[test]
fn a_function_that_reads_something_else_is_refused_in_each_place() {
    let other = Registry::new().with("other", Function::of_bounds(|_, _, _| {}));
    let of_time = Registry::new().with("other", Function::of_time(|_, _| {}));
    for (place, (name, own)) in NAMES.iter().enumerate() {
        let mut one = EXPRESSIONS;
        let renamed = own.replace(&format!("function = \"{name}\""), "function = \"other\"");
        one[place].1 = &renamed;
        let file = ModelFile::parse(&text(&one), "model.toml").unwrap_or_else(|error| panic!("{error}"));
        let registry = if *name == "bounds" { &of_time } else { &other };
        let error = file.build_with(registry).expect_err(name).to_string();
        assert!(
            error.contains("the function `other` is a function of")
                && error.contains("; expected a function of"),
            "{error}"
        );
        let error = file.build().expect_err(name).to_string();
        assert!(error.contains("which the command-line tool does not have"), "{error}");
    }
}

#[test]
fn sizes_of_functions_take_no_memory() {
    for (name, size) in [("C", 2), ("u of time", 2)] {
        let large = text(&NAMES)
            .replace(&format!("\"{name}\", size = {size}"), &format!("\"{name}\", size = 1000000"));
        let error = ModelFile::parse(&large, "large.toml").expect_err(name).to_string();
        assert!(
            error.contains("1000000 numbers of a function, with 1000000 derivatives each, are too many"),
            "{error}"
        );
    }
}
