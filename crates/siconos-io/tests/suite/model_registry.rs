//! Functions of the program that are named in models: the same bits as in models built in Rust from these
//! functions.

use siconos_io::document::DocumentError;
use siconos_io::model::{BuiltModel, Function, ModelFile, Registry};

use super::same_bits::rows;

/// Returns a pendulum with a stop, a load that is switched on, and a first-order system, with these
/// functions.
fn text([swing, push, stop, f, source]: [&str; 5]) -> String {
    format!(
        r#"
format = 1
kind = "model"

[parameters]
gravity = 9.81

[systems.pendulum]
family = "lagrangian"
q = 1
mass = 1
internal_force = {swing}

[systems.cart]
family = "lagrangian_linear"
q = [0, 1]
mass = {{ diagonal = [1, 2] }}
external_force = {push}

[systems.spring]
family = "first_order_nonlinear"
x = [1, 0]
f = {f}

[systems.lag]
family = "first_order_linear"
x = 1
A = -2
source = {source}

[interactions.stop]
systems = "pendulum"
relation = {{ kind = "scleronomous", h = {stop} }}
law = {{ kind = "newton_impact", restitution = 0.5 }}

[simulation]
kind = "time_stepping"
end = 2
step = 0.01
"#
    )
}

const EXPRESSIONS: [&str; 5] = [
    r#""gravity * sin(q) + 0.1 * q'""#,
    r#"["gravity * sin(3 * t)", "-gravity"]"#,
    r#""q * q + 0.5 * q""#,
    r#"["x[1]", "-x[0] - x[0] * x[0] * x[0]"]"#,
    r#""cos(t)""#,
];

const NAMES: [&str; 5] = [
    r#"{ function = "swing" }"#,
    r#"{ function = "push" }"#,
    r#"{ function = "stop" }"#,
    r#"{ function = "hard spring" }"#,
    r#"{ function = "source" }"#,
];

fn registry() -> Registry {
    let swing = Function::of_motion_with_derivatives(
        |at, q, v, out| out[0] = at.parameters().values()[0] * q[0].sin() + 0.1 * v[0],
        |at, q, _, out| out[0] = at.parameters().values()[0] * q[0].cos(),
        |_, _, _, out| out[0] = 0.1,
    );
    let push = Function::of_time(|at, out| {
        let gravity = at.parameters().values()[0];
        out.copy_from_slice(&[gravity * (3.0 * at.t).sin(), -gravity]);
    });
    let stop = Function::of_state_with_derivative(
        |_, q, out| out[0] = q[0] * q[0] + 0.5 * q[0],
        |_, q, out| out[0] = q[0] + q[0] + 0.5,
    );
    let spring = Function::of_state_with_derivative(
        |_, x, out| out.copy_from_slice(&[x[1], -x[0] - x[0] * x[0] * x[0]]),
        |_, x, out| {
            let along = x[0] * x[0] + x[0] * (x[0] + x[0]);
            out.copy_from_slice(&[0.0, 1.0, -1.0 - along, 0.0]);
        },
    );
    Registry::new()
        .with("swing", swing)
        .with("push", push)
        .with("stop", stop)
        .with("hard spring", spring)
        .with("source", Function::of_time(|at, out| out[0] = at.t.cos()))
}

fn built(text: &str, registry: &Registry) -> BuiltModel {
    let file = ModelFile::parse(text, "model.toml").unwrap_or_else(|error| panic!("{error}"));
    file.build_with(registry).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns all messages of building a text.
fn said(names: [&str; 5], registry: &Registry) -> Vec<(usize, String)> {
    let file = ModelFile::parse(&text(names), "model.toml").unwrap_or_else(|error| panic!("{error}"));
    match file.build_with(registry) {
        Err(DocumentError::Diagnostics { diagnostics, .. }) => {
            diagnostics.into_iter().map(|fault| (fault.excerpt.line, fault.message)).collect()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn functions_of_the_program_are_as_expressions() {
    let of_expressions = rows(built(&text(EXPRESSIONS), &Registry::new()));
    let of_registry = rows(built(&text(NAMES), &registry()));
    assert_eq!(of_expressions.len(), of_registry.len());
    // The derivatives may be rounded differently; the effect is below the tolerance of Newton's method.
    let worst = of_expressions.iter().flatten().zip(of_registry.iter().flatten());
    let worst = worst.map(|(a, b)| (a - b).abs()).fold(0.0, siconos_testkit::compare::worse);
    assert!(worst < 1e-11, "{worst:e}");
}

#[test]
fn they_are_written_by_their_names() {
    let first = built(&text(NAMES), &registry());
    let written = first.written();
    assert_eq!(written.unwritten, [], "{}", written.text);
    for name in NAMES {
        assert!(written.text.contains(name), "{name}\n{}", written.text);
    }
    let again = built(&written.text, &registry());
    assert_eq!(again.written().text, written.text);
    let bits = |rows: Vec<Vec<f64>>| rows.concat().into_iter().map(f64::to_bits).collect::<Vec<_>>();
    assert!(bits(rows(first)) == bits(rows(again)));
}

#[test]
fn what_the_registry_has_not_is_said_at_its_place() {
    let without = said(NAMES, &Registry::new());
    let lines: Vec<_> = without.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [12, 18, 23, 29, 33], "{without:?}");
    assert!(
        without.iter().all(|(_, said)| said.contains("the command-line tool does not have")),
        "{without:?}"
    );

    let mut misspelt = NAMES;
    misspelt[1] = r#"{ function = "psh" }"#;
    let found = said(misspelt, &registry());
    let expected = "there is no function `psh` in the registry; did you mean `push`?";
    assert_eq!(found, [(18, expected.to_owned())]);

    let mut swapped = NAMES;
    (swapped[0], swapped[2]) = (NAMES[1], NAMES[0]);
    let found = said(swapped, &registry());
    let push = "the function `push` is a function of the time (`Function::of_time`); expected a function of time, \
                positions and velocities (`Function::of_motion`)";
    let swing = "the function `swing` is a function of time, positions and velocities (`Function::of_motion`); expected a \
                 function of time and one vector (`Function::of_state`)";
    assert_eq!(found, [(12, push.to_owned()), (33, swing.to_owned())]);
}

#[test]
fn tables_of_functions_have_their_keys_only() {
    let parsed = |names| ModelFile::parse(&text(names), "model.toml").map(|_| ());
    for (name, expected) in [
        (r#"{ function = "swing", size = 1 }"#, "unknown key `size`"),
        (r#"{ function = 1 }"#, "expected a string, found a number"),
        (r#"{ funtcion = "swing" }"#, "expected a number or an expression, found a table"),
    ] {
        let [_, push, stop, f, source] = NAMES;
        let error = parsed([name, push, stop, f, source]).expect_err(name).to_string();
        assert!(error.contains(expected), "{error}");
    }
    let [swing, push, _, f, source] = NAMES;
    let error = parsed([swing, push, r#"{ function = "stop", size = 0 }"#, f, source]).expect_err("no rows");
    assert!(error.to_string().contains("it must be a whole number from 1"), "{error}");
    parsed([swing, push, r#"{ function = "stop", size = 1 }"#, f, source]).expect("a model");
}
