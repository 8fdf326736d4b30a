//! Settings: all names, and errors in their values.

use siconos_hybrid::{EventIterate, EventPre};
use siconos_ode::{Method, Tolerance};

use super::{assert_refused, model};

const VARIABLES: &str = "[variables]\ny = { initial = [1, 0], equation = \"y'' = -y\" }\n[settings]\n";

#[test]
fn every_setting_is_read() {
    let settings = model(&format!(
        r#"{VARIABLES}
method = "high_order"
relative_tolerance = 1e-9
absolute_tolerance = [1e-9, 1e-8]
h_initial = 0.01
h_max = inf
max_steps = 100
samples = 4
root_tolerance = 1e-12
event_maxiter = 7
event_iterate = "prechange"
event_pre = "assignment"
event_initial = true
double_cross = 1e-3
impacts = 5
window = 1e-5
most_impacts = 50
tick = 1e-15
gap = 10
"#
    ))
    .settings;
    assert_eq!(settings.ode.method, Method::HighOrder);
    assert_eq!(settings.ode.relative_tolerance, Tolerance::All(1e-9));
    assert_eq!(settings.ode.absolute_tolerance, Tolerance::Each(vec![1e-9, 1e-8]));
    assert_eq!((settings.ode.h_initial, settings.ode.h_max), (Some(0.01), f64::INFINITY));
    assert_eq!((settings.ode.max_steps, settings.ode.samples, settings.ode.root_tolerance), (100, 4, 1e-12));
    assert_eq!((settings.event_maxiter, settings.event_initial, settings.double_cross), (7, true, 1e-3));
    assert_eq!((settings.event_iterate, settings.event_pre), (EventIterate::PreChange, EventPre::Assignment));
    let accumulation = settings.accumulation;
    assert_eq!((accumulation.impacts, accumulation.window, accumulation.most_impacts), (5, 1e-5, 50));
    assert_eq!((settings.instant.tick, settings.instant.gap), (1e-15, 10));
}

#[test]
fn values_of_settings_have_their_ranges() {
    for (line, width, message) in [
        ("relative_tolerance = 1e-15", 5, "this is 1e-15; it must be finite and at least 1e-14"),
        ("absolute_tolerance = 0", 1, "this is 0.0; it must be finite and positive"),
        ("absolute_tolerance = [1e-9]", 6, "expected 2 tolerances, for `y`, `y'`; found 1"),
        ("h_max = nan", 3, "this is NaN; it must be positive"),
        ("max_steps = 1.5", 3, "this is 1.5; it must be a whole number from 1 up to 2^53"),
        ("event_maxiter = 0", 1, "this is 0; it must be a whole number from 1 up to 2^53"),
        ("event_initial = 1", 1, "expected true or false, found a number"),
        ("samples = 9007199254740992", 16, "this is 9007199254740992; it must be at most 100000"),
        ("double_cross = -1", 2, "this is -1.0; it must be finite and nonnegative"),
        ("restart_every = 0", 1, "this is 0.0; it must be finite and positive"),
        ("gap = 4294967296", 10, "this is 4294967296; it must be at most 4294967295"),
        (
            "event_pre = \"inital\"",
            8,
            "expected one of `iteration`, `initial`, `assignment`, `change`, found `inital`; did you mean `initial`?",
        ),
        ("method = 1", 1, "expected one of `auto`, `explicit`, `high_order`, `stiff`, found a number"),
    ] {
        let before = line.find('=').map_or(0, |equals| equals + 2);
        let expected = format!(
            "test.toml:6:{}: {message}\n  |\n6 | {line}\n  | {:before$}{:^<width$}",
            before + 1,
            "",
            ""
        );
        assert_refused(&format!("{VARIABLES}{line}\n"), &expected);
    }
}

#[test]
fn algebraic_equations_need_a_stiff_method() {
    let text = "[variables]\nx = { initial = 1, equation = \"x' = -z\" }\nz = { initial = 1, equation = \"0 = z - x\" }\n\
                [settings]\nmethod = \"explicit\"\n";
    assert_refused(
        text,
        r#"
test.toml:7:10: the model has algebraic equations, which require `stiff` or `auto`
  |
7 | method = "explicit"
  |          ^^^^^^^^^^"#,
    );
}
