//! Feedback by functions, and references that read parameters: the same bits as equivalent formulations.

use siconos_io::model::{BuiltModel, Function, ModelFile, Registry};

use super::same_bits::rows;

/// Returns a cart on a slope with a sensor of its state, and these devices and events.
fn text(around: &str) -> String {
    format!(
        r#"
format = 1
kind = "model"

[parameters]
motor = 0
target = 0
gains = [4, 3]

[systems.cart]
family = "lagrangian_linear"
q = 0.25
mass = 1
external_force = "motor - 0.5"

[control.state]
kind = "linear_sensor"
systems = "cart"
C = {{ diagonal = [1, 1] }}
period = 0.0625

[simulation]
kind = "time_stepping"
end = 4
step = 0.015625

[output.columns]
q = "cart.q"
v = "cart.q'"
motor = "motor"
{around}
"#
    )
}

fn built(text: &str, registry: &Registry) -> BuiltModel {
    let file = ModelFile::parse(text, "cart.toml").unwrap_or_else(|error| panic!("{error}"));
    file.build_with(registry).unwrap_or_else(|error| panic!("{error}"))
}

fn bits(text: &str, registry: &Registry) -> Vec<u64> {
    rows(built(text, registry)).concat().into_iter().map(f64::to_bits).collect()
}

fn feedback(u: &str) -> String {
    text(&format!(
        "[control.drive]\nkind = \"function\"\nsignal = \"state\"\ninput = \"motor\"\nu = {u}\nperiod = 0.0625\n"
    ))
}

const LAW: &str = "\"gains[0] * (sin(t) - y[0]) - gains[1] * y[1] + 0.5 * motor\"";

#[test]
fn a_feedback_of_expressions_is_an_event_that_sets_its_parameter() {
    let event = "[events.drive]\nevery = 0.0625\n\
                 set = { motor = \"gains[0] * (sin(t) - cart.q) - gains[1] * cart.q' + 0.5 * motor\" }\n";
    let (expected, found) = (bits(&text(event), &Registry::new()), bits(&feedback(LAW), &Registry::new()));
    assert!(found.len() == expected.len() && found.len() > 700);
    assert!(found == expected);
}

#[test]
fn a_feedback_of_the_program_is_that_of_its_expressions() {
    let drive = Function::of_state(|at, y, u| {
        let [motor, _target, first, second] = *at.parameters().values() else { return };
        u[0] = first * (at.t.sin() - y[0]) - second * y[1] + 0.5 * motor;
    });
    let registry = Registry::new().with("drive", drive);
    let named = feedback("{ function = \"drive\" }");
    assert!(bits(&named, &registry) == bits(&feedback(LAW), &Registry::new()));
    let written = built(&named, &registry).written();
    assert!(written.text.contains("{ function = \"drive\" }"), "{}", written.text);
    assert!(bits(&written.text, &registry) == bits(&named, &registry));
    let error = ModelFile::parse(&named, "cart.toml").expect("a model").build().expect_err("no registry");
    assert!(error.to_string().contains("the command-line tool does not have"), "{error}");
}

#[test]
fn what_is_written_of_a_feedback_is_read_again() {
    let first = built(&feedback(LAW), &Registry::new());
    let written = first.written();
    assert_eq!(written.unwritten, []);
    assert!(bits(&written.text, &Registry::new()) == bits(&feedback(LAW), &Registry::new()));
}

#[test]
fn a_run_with_feedback_goes_on_from_each_step() {
    let file = ModelFile::parse(&feedback(LAW), "cart.toml").expect("a model");
    let whole = rows(file.build().expect("a model"));
    let (mut built, mut found) = (file.build().expect("a model"), Vec::new());
    loop {
        let more = built.advance(|row| {
            found.push(row.to_vec());
            Ok::<(), std::convert::Infallible>(())
        });
        if !more.expect("a step") {
            break;
        }
        let (state, recorded) = built.record().expect("a record");
        built = file.build().expect("a model");
        built.resume(&state, &recorded).expect("the same model");
    }
    let bits = |rows: &[Vec<f64>]| -> Vec<u64> { rows.iter().flatten().map(|x| x.to_bits()).collect() };
    assert!(bits(&found) == bits(&whole));
}

#[test]
fn a_reference_follows_its_parameter() {
    let pid = |reference: &str, rest: &str| {
        let around = format!(
            "[control.place]\nkind = \"linear_sensor\"\nsystems = \"cart\"\nC = [[1, 0]]\nperiod = 0.0625\n\
             [control.drive]\nkind = \"pid\"\nsignal = \"place\"\ninput = \"motor\"\nreference = {reference}\n\
             proportional = 4\nintegral = 1\nderivative = 3\nperiod = 0.0625\n{rest}"
        );
        bits(&text(&around), &Registry::new())
    };
    // At the same instant, controllers act before events.
    let of_time = pid("\"if t <= 1 then 0 else if t <= 2 then 1 else sin(t)\"", "");
    let events =
        "[events.first]\ntimes = 1\nset = { target = 1 }\n[events.second]\ntimes = 2\nset = { target = 2 }\n";
    let of_parameter = pid("\"if target == 2 then sin(t) else target\"", events);
    assert!(of_time == of_parameter);
    assert!(of_time != pid("0", ""));
}

#[test]
fn a_feedback_that_does_not_fit_is_told() {
    for (own, expected) in [
        ("\"y[2]\"", "unknown name `y[2]`"),
        ("\"x\"", "unknown name `x`"),
        ("[1, 2]", "the input of an actuator"),
        ("{ function = \"drive\", size = 0 }", "it must be a whole number from 1"),
    ] {
        let said = match ModelFile::parse(&feedback(own), "cart.toml") {
            Ok(file) => file.build().expect_err(own).to_string(),
            Err(error) => error.to_string(),
        };
        assert!(said.contains(expected), "{own}: {said}");
    }
}
