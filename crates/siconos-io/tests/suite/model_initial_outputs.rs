//! Multipliers and outputs of interactions at the start.

use siconos_io::model::ModelFile;
use siconos_io::ndarray::arr2;
use siconos_io::siconos_kernel::integrator::FullyImplicit;
use siconos_io::siconos_kernel::prelude::*;
use siconos_testkit::compare::worse;

use crate::same_bits::{assert_same, assert_same_as_in_rust, read, rows};

/// x' = -x + lambda with x + lambda = 1.5 cos t + 0.5 sin t, so that lambda = cos t.
fn text(start: &str, step: f64) -> String {
    format!(
        r#"
format = 1
kind = "model"
[systems.lag]
family = "first_order_linear"
x = 0.5
A = -1
[interactions.input]
systems = ["lag"]
relation = {{ kind = "first_order_linear", B = 1, C = 1, D = 1, offset = "-1.5 * cos(t) - 0.5 * sin(t)" }}
law = "equality"
{start}
[simulation]
kind = "time_stepping"
end = 0.5
step = {step}
integrator = {{ kind = "fully_implicit", theta = 0.5, theta_r = 0.5 }}
[output.columns]
x = "lag.x"
"#
    )
}

fn file(start: &str, step: f64) -> ModelFile {
    ModelFile::parse(&text(start, step), "start.toml").unwrap_or_else(|error| panic!("{error}"))
}

fn refused(start: &str) -> String {
    match ModelFile::parse(&text(start, 0.1), "start.toml") {
        Err(error) => error.to_string(),
        Ok(file) => file.build().map(|_| ()).expect_err("it does not fit").to_string(),
    }
}

/// With the multiplier of the solution at the start, the midpoint rule has order 2; without it, order 1.
#[test]
fn the_first_step_begins_with_the_multiplier_of_the_file() {
    let error = |start: &str, step: f64| {
        let rows = rows(file(start, step).build().expect("a model"));
        let off = |row: &Vec<f64>| (row[1] - 0.5 * (row[0].sin() + row[0].cos())).abs();
        rows.iter().map(off).fold(0.0, worse)
    };
    for (start, ratio) in [("lambda = 1", 4.0), ("lambda = [1]\ny = 0", 4.0), ("", 2.0), ("lambda = 0", 2.0)]
    {
        let found = error(start, 0.025) / error(start, 0.0125);
        assert!((found / ratio - 1.0_f64).abs() < 0.1, "{start}: {found}");
    }
}

#[test]
fn a_multiplier_at_the_start_is_that_of_a_model_in_rust() {
    let mut model = NonSmoothDynamicalSystem::new();
    let lag = FirstOrderLinearTi::new(vec![0.5], arr2(&[[-1.0]]));
    let lag = model.add_named_system("lag", lag).expect("a system");
    let relation = FirstOrderLinearRelation::new(arr2(&[[1.0]]), arr2(&[[1.0]]))
        .with_d(arr2(&[[1.0]]))
        .with_offset_function(|at, e| e[0] = -1.5 * at.t.cos() - 0.5 * at.t.sin());
    let law = EqualityCondition::new(1).expect("a law");
    let input = model.add_named_interaction("input", [lag], relation, law).expect("an interaction");
    model.set_initial_lambda(input, &[0.75]).expect("it fits");
    let grid = TimeDiscretisation::uniform(0.0, 0.5, 0.1).expect("a grid");
    let scheme = FullyImplicit { theta: 0.5, theta_r: 0.5 };
    let simulation =
        TimeStepping::builder(&model).discretisation(grid).integrator(scheme).build().expect("it fits");
    let built = file("lambda = 0.75", 0.1).build().expect("a model");
    assert_same_as_in_rust(&model, simulation, built, "lambda");
}

#[test]
fn a_multiplier_at_the_start_is_written() {
    let first = file("lambda = 0.75", 0.1).build().expect("a model");
    let written = first.written();
    assert_eq!(written.unwritten, []);
    assert!(written.text.contains("lambda = 0.75"), "{}", written.text);
    let second = read(&written, "written");
    assert_eq!(second.written(), written);
    assert_same(first, second, "written");
}

#[test]
fn outputs_at_the_start_are_those_of_the_relation() {
    // x = 0.5, e = -1.5, and lambda.
    for (start, y) in [("", "-1.0"), ("lambda = 0.25", "-0.75"), ("lambda = 1", "0")] {
        assert!(file(&format!("{start}\ny = {y}"), 0.1).build().is_ok(), "{start}");
        let text = refused(&format!("{start}\ny = 0.1"));
        let message = format!(
            "the relation gives {:?} for component 0 of y at the start, not 0.1",
            y.parse::<f64>().expect("a number")
        );
        assert!(text.contains(&message), "{text}");
    }
    // Rounding errors are not reported.
    assert!(file("lambda = 1\ny = 1e-12", 0.1).build().is_ok());
    assert!(file("lambda = 1\ny = 1e-6", 0.1).build().is_err());
}

#[test]
fn wrong_numbers_at_the_start_are_refused() {
    for (start, column) in [("lambda = [1, 2]", 10), ("y = [0, 0]", 5)] {
        let message = format!("start.toml:12:{column}: this has 2 numbers; it must have 1");
        let text = refused(start);
        assert!(text.contains(&message), "{text}");
    }
    let text = refused("lambda = nan");
    assert!(text.contains("start.toml:12:10: this is NaN; it must be finite"), "{text}");
}
