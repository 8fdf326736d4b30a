//! The tests of `model_attacks_of_runs` with event-driven simulations: other units, additional systems, many
//! copies, a new process at each restart of the integration.

use std::convert::Infallible;

use siconos_testkit::compare::worse;

use super::model_attacks_of_runs::{
    Case, Columns, assert_has_no_units, assert_moves, beside, copies, file, rows, run,
};

/// Models in the units m, l, s, with their columns and dimensions. For systems with one coordinate, the state
/// of the integrator contains the positions followed by the velocities. The first step is given, because the
/// default estimate of Hairer, Norsett and Wanner depends on the unit of time.
const IN_UNITS: [Case<'static>; 3] = [
    (
        "one ball",
        r#"
[systems.ball]
family = "lagrangian_linear"
q = "0.5 * l"
mass = "1.3 * m"
damping = "0.05 * m / s"
external_force = "-1.3 * 9.81 * m * l / s^2"

[interactions.floor]
systems = "ball"
relation = { kind = "rheonomous", h = "q - 0.1 * l - 0.01 * l * sin(7 * t / s)" }
law = { kind = "newton_impact", restitution = 0.6 }

[simulation.integrator]
kind = "ode"
absolute_tolerance = ["1e-12 * l", "1e-12 * l / s"]
root_tolerance = "1e-13 * s"
h_initial = "1e-3 * s"

[output.columns]
q = "ball.q"
v = "ball.q'"
p = "floor.impulse"
force = "floor.force"
"#,
        &[("q", [0, 1, 0]), ("v", [0, 1, -1]), ("p", [1, 1, -1]), ("force", [1, 1, -2])],
    ),
    (
        "two beads",
        r#"
[systems.lower]
family = "lagrangian"
q = "0.5 * l"
mass = "1.3 * m"
internal_force = "20 * m / s^2 * (q - 0.3 * l) * (1 + (q / l) * (q / l))"

[systems.upper]
family = "lagrangian_linear"
q = "0.9 * l"
v = "-0.3 * l / s"
mass = "0.7 * m"
external_force = "-0.7 * 9.81 * m * l / s^2"

[interactions.between]
systems = ["lower", "upper"]
relation = { kind = "lagrangian_linear", H = [[-1, 1]], offset = "-0.2 * l" }
law = { kind = "newton_impact", restitution = 0.8 }

[simulation.integrator]
kind = "ode"
method = "high_order"
absolute_tolerance = ["1e-12 * l", "1e-12 * l", "1e-12 * l / s", "1e-12 * l / s"]
root_tolerance = "1e-13 * s"
h_initial = "1e-3 * s"

[output.columns]
q = "lower.q"
v = "upper.q'"
p = "between.impulse"
"#,
        &[("q", [0, 1, 0]), ("v", [0, 1, -1]), ("p", [1, 1, -1])],
    ),
    (
        "diode",
        r#"
[systems.plant]
family = "first_order_linear"
x = ["2 * l", "-l"]
A = [["-0.3 / s", "-9 / s"], ["9 / s", "-0.3 / s"]]

[interactions.diode]
systems = "plant"
relation = { kind = "first_order_linear", C = [[1, 0]], B = [["4 / s"], [0]], D = 1 }
law = "complementarity"

[simulation.integrator]
kind = "ode"
absolute_tolerance = ["1e-12 * l", "1e-12 * l"]
root_tolerance = "1e-13 * s"
h_initial = "1e-3 * s"

[output.columns]
x = "plant.x[0]"
y = "plant.x[1]"
u = "diode.lambda"
"#,
        &[("x", [0, 1, 0]), ("y", [0, 1, 0]), ("u", [0, 1, 0])],
    ),
];

/// Adds the units, output times in the unit of time, and the tolerances of contacts in their units.
fn in_units(text: &str) -> String {
    format!(
        "format = 1\nkind = \"model\"\n[constants]\nm = 1\nl = 1\ns = 1\n[simulation]\nkind = \"event_driven\"\n\
         end = \"3 * s\"\nstep = \"0.05 * s\"\ntime_scale = \"s\"\n[simulation.settings]\n\
         gap_tolerance = \"1e-10 * l\"\nvelocity_tolerance = \"1e-10 * l / s\"\n\
         acceleration_tolerance = \"1e-9 * l / s^2\"\nrestart_every = \"0.7 * s\"\n\
         [simulation.settings.accumulation.criterion]\nwindow = \"1e-6 * s\"\n\
         [simulation.events]\ntick = \"1e-16 * s\"\n{text}"
    )
}

#[test]
fn units_change_no_bit() {
    for case in IN_UNITS {
        assert_has_no_units(case, in_units);
    }
}

/// Returns the largest difference of two tables in a column.
fn off(first: &Columns, second: &Columns, column: &str) -> f64 {
    let (first, second) = (first.column(column), second.column(column));
    assert_eq!(first.len(), second.len());
    let pairs = first.into_iter().zip(second);
    pairs.map(|(a, b)| (f64::from_bits(a) - f64::from_bits(b)).abs()).fold(0.0, worse)
}

/// All systems share one step length, which depends on the root mean square of their errors. An additional
/// system changes this step length. The motion of the other systems changes only within the tolerance.
#[test]
fn what_has_nothing_to_do_with_a_system_changes_it_by_its_tolerance_only() {
    let (name, text, columns) = IN_UNITS[1];
    let lengths = "[\"1e-12 * l\", \"1e-12 * l\", \"1e-12 * l / s\", \"1e-12 * l / s\"]";
    assert!(text.contains(lengths));
    let text = text.replace(lengths, "1e-12\nrelative_tolerance = 1e-12");
    let around = |text: &str| format!("{}[output]\nrows = \"grid\"\n", in_units(text));
    let alone = run(&around(&text), "model.toml", &[]);
    for text in beside(&text) {
        let both = run(&around(&text), "model.toml", &[]);
        for (column, _) in columns.iter().filter(|(column, _)| *column != "p") {
            assert_moves(&alone, column);
            let off = off(&both, &alone, column);
            assert!(off < 1e-9, "{name}: {column} is off by {off:e}");
        }
    }
}

/// All copies have the same bits. They differ from a single copy by the rounding of the mean error, which
/// determines the step length.
#[test]
fn many_copies_move_as_one() {
    let head = in_units("[output]\nrows = \"grid\"\n");
    let alone = run(&copies(&head, 1), "one.toml", &[]);
    assert_moves(&alone, "ball0.q");
    for count in [10, 100] {
        let all = run(&copies(&head, count), "many.toml", &[]);
        for word in ["q", "q'"] {
            let first = format!("ball0.{word}");
            let off = off(&all, &alone, &first);
            assert!(off < 1e-11, "{first} of {count} is off by {off:e}");
            for copy in 1..count {
                let name = format!("ball{copy}.{word}");
                assert_eq!(all.column(&name), all.column(&first), "{name} of {count}");
            }
        }
    }
}

#[test]
fn a_new_process_wherever_the_integration_begins_anew_changes_no_bit() {
    for (name, text, _) in IN_UNITS {
        let file = file(&in_units(text), "model.toml", &[]);
        let whole = rows(&mut file.build().expect("a model"), usize::MAX);
        let (mut built, mut found, mut restarts) = (file.build().expect("a model"), Vec::new(), Vec::new());
        loop {
            let more = built.advance(|row| {
                found.push(row.to_vec());
                Ok::<(), Infallible>(())
            });
            if !more.expect("an event") {
                break;
            }
            let (state, recorded) = built.record().expect("a record");
            if restarts.last() != Some(&state.t()) && state.t() > 0.0 {
                restarts.push(state.t());
                built = file.build().expect("a model");
                built.resume(&state, &recorded).expect("the same model");
            }
        }
        assert!(restarts.len() > 4, "{name} begins anew at {restarts:?}");
        let bits = |rows: &[Vec<f64>]| -> Vec<u64> { rows.iter().flatten().map(|x| x.to_bits()).collect() };
        assert_eq!(bits(&found), bits(&whole), "{name}");
    }
}
