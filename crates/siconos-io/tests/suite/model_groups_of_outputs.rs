//! Keys `states`, `contacts`, `energy`, `until` and the units of columns.

use siconos_io::model::{AnyModel, AnyRun, ModelFile};

use crate::same_bits::rows;

/// Returns a puck that is thrown onto a rough floor, with this simulation and these outputs.
fn puck(simulation: &str, output: &str) -> String {
    format!(
        r#"
format = 1
kind = "model"
[parameters]
m = 2.0
[systems.puck]
family = "lagrangian_linear"
q = [1, 0]
v = [0, 3]
mass = {{ diagonal = ["m", "m"] }}
external_force = ["-9.81 * m", 0]
[interactions.floor]
systems = "puck"
relation = {{ kind = "lagrangian_linear", H = [[1, 0], [0, 1]] }}
law = {{ kind = "newton_impact_friction", dimension = 2, restitution = 0.5, mu = 0.3 }}
[simulation]
{simulation}
[output]
{output}
"#
    )
}

const BY_STEPS: &str = "kind = \"time_stepping\"\nend = 2\nstep = 1e-3";
const BY_EVENTS: &str = "kind = \"event_driven\"\nend = 0.6\nstep = 0.1";

/// A ball without friction, which event-driven simulations support.
fn ball(simulation: &str, output: &str) -> String {
    let law = "{ kind = \"newton_impact\", restitution = 0.5 }";
    let friction = "{ kind = \"newton_impact_friction\", dimension = 2, restitution = 0.5, mu = 0.3 }";
    puck(simulation, output).replace(friction, law).replace("[[1, 0], [0, 1]]", "[[1, 0]]")
}

/// Runs a model, and returns the names of the columns and the rows.
fn table(text: &str) -> (Vec<String>, Vec<Vec<f64>>) {
    let built = ModelFile::parse(text, "puck.toml").and_then(|file| file.build());
    let built = built.unwrap_or_else(|error| panic!("{error}"));
    (built.recorder.names().to_vec(), rows(built))
}

fn refused(text: &str) -> String {
    let built = ModelFile::parse(text, "puck.toml").and_then(|file| file.build());
    built.err().map(|error| error.to_string()).expect("an error")
}

#[test]
fn groups_of_columns_are_added_to_those_of_the_file() {
    let states = ["puck.q[0]", "puck.q[1]", "puck.q[0]'", "puck.q[1]'"];
    let contacts = [
        "floor.gap",
        "floor.velocity[0]",
        "floor.velocity[1]",
        "floor.force[0]",
        "floor.force[1]",
        "floor.impulse[0]",
        "floor.impulse[1]",
    ];
    let energy = [
        "kinetic_energy",
        "potential_energy",
        "work_of_forces",
        "work_of_contacts",
        "work_of_friction",
        "work_of_joints",
        "work_of_scheme",
    ];
    let cases: [(&str, Vec<&str>); 5] = [
        ("", states.to_vec()),
        ("columns = { h = \"puck.q[0]\" }", vec!["h"]),
        ("states = true\ncolumns = { h = \"puck.q[0]\" }", [&states[..], &["h"]].concat()),
        ("contacts = [\"floor\"]", [&states[..], &contacts].concat()),
        (
            "states = false\nenergy = true\ncontacts = true\ncolumns = { h = 1 }",
            [&["h"], &contacts[..], &energy].concat(),
        ),
    ];
    for (output, expected) in cases {
        let (names, _rows) = table(&puck(BY_STEPS, output));
        assert_eq!(names, [&["t"][..], &expected].concat(), "{output}");
    }
}

/// The values of a contact are those that its interaction has, and the force is in newtons.
#[test]
fn contacts_have_gap_velocity_force_and_impulse() {
    let (names, rows) =
        table(&puck(BY_STEPS, "contacts = true\nstates = true\ncolumns = { y = \"floor.y[0]\" }"));
    let place = |name: &str| names.iter().position(|own| own == name).expect(name);
    for row in &rows {
        let value = |name: &str| row[place(name)].to_bits();
        assert_eq!(value("floor.gap"), value("y"));
        assert_eq!(value("floor.gap"), value("puck.q[0]"));
        assert_eq!(value("floor.velocity[1]"), value("puck.q[1]'"));
    }
    let last = rows.last().expect("a row");
    // The puck rests: the floor carries its weight, 2 kg times 9.81 m/s^2.
    assert!((last[place("floor.force[0]")] - 19.62).abs() < 1e-9, "{last:?}");
    assert!((last[place("floor.impulse[0]")] - 0.01962).abs() < 1e-12, "{last:?}");
}

/// The kinetic energy changes by the sum of all works, and the work of the weight is the loss of potential
/// energy.
#[test]
fn the_energy_balance_closes() {
    let (names, rows) = table(&puck(BY_STEPS, "states = false\nenergy = true"));
    let value = |row: &[f64], name: &str| row[names.iter().position(|own| own == name).expect(name)];
    let first = &rows[0];
    assert!((value(first, "kinetic_energy") - 9.0).abs() < 1e-14, "{first:?}");
    for row in &rows {
        let change = value(row, "kinetic_energy") - value(first, "kinetic_energy");
        let works = names.iter().filter(|name| name.starts_with("work_of_"));
        let sum: f64 = works.map(|name| value(row, name)).sum();
        assert!((change - sum).abs() < 1e-11, "{change} {sum}");
        let fall = value(first, "potential_energy") - value(row, "potential_energy");
        assert!((fall - value(row, "work_of_forces")).abs() < 1e-11, "{row:?}");
    }
    let last = rows.last().expect("a row");
    assert!((value(last, "work_of_friction") + 9.0).abs() < 1e-9, "friction stops the puck: {last:?}");
    assert!(value(last, "work_of_scheme").abs() < 1e-10, "{last:?}");
}

/// In an event-driven simulation, the rows before and after an impact have the energy before and after it.
#[test]
fn the_energy_of_an_impact_by_events() {
    let (names, rows) = table(&ball(BY_EVENTS, "states = false\nenergy = true"));
    assert_eq!(names, ["t", "kinetic_energy", "potential_energy"]);
    let pair = rows.windows(2).find(|pair| pair[0][0] == pair[1][0]).expect("an impact");
    let [before, after] = [pair[0][1], pair[1][1]];
    // The tangential velocity is 3 m/s, and the normal velocity is halved.
    assert!((before - (9.0 + 19.62)).abs() < 1e-9, "{before}");
    assert!((after - (9.0 + 19.62 / 4.0)).abs() < 1e-9, "{after}");
}

/// The potential energy of a linear spring is known; that of a general force is not.
#[test]
fn the_potential_energy_is_written_if_it_is_known() {
    let model = |system: &str| {
        format!(
            "format = 1\nkind = \"model\"\n[systems.body]\n{system}\n[simulation]\nkind = \"time_stepping\"\n\
             end = 1\nstep = 1e-3\nintegrator = {{ kind = \"moreau_jean\", theta = 0.5 }}\n[output]\n\
             states = false\nenergy = true\n"
        )
    };
    let spring = "family = \"lagrangian_linear\"\nq = [1, 2]\nmass = { diagonal = [1, 1] }\n\
                  stiffness = [[3, -1], [-1, 2]]\nexternal_force = [1, 0]";
    let (names, rows) = table(&model(spring));
    assert_eq!(names[1..3], ["kinetic_energy", "potential_energy"]);
    let potential = 0.5 * (3.0 - 4.0 + 8.0) - 1.0;
    assert!((rows[0][2] - potential).abs() < 1e-14, "{:?}", rows[0]);
    for row in &rows {
        assert!((row[1] + row[2] - potential).abs() < 1e-11, "{row:?}");
    }
    let unsymmetric = spring.replace("[-1, 2]", "[0, 2]");
    let pendulum = "family = \"lagrangian\"\nq = 1\nmass = 1\ninternal_force = \"9.81 * sin(q)\"";
    let driven = "family = \"lagrangian\"\nq = 1\nmass = 1\nexternal_force = \"sin(t)\"";
    for system in [&unsymmetric, pendulum, driven] {
        assert!(!table(&model(system)).0.contains(&"potential_energy".to_owned()), "{system}");
    }
    // A planar body and a body have their weight alone.
    let planar =
        "family = \"planar_body\"\nmass = 2\ninertia = 1\nposition = [0, 1]\nexternal_force = [0, -20]";
    let body = "family = \"newton_euler\"\nmass = 2\ninertia = [1, 1, 1]\nposition = [0, 0, 1]\n\
                external_force = [0, 0, -20]";
    for system in [planar, body] {
        let (_names, rows) = table(&model(system));
        assert!((rows[0][2] - 20.0).abs() < 1e-14, "{system}: {:?}", rows[0]);
        assert!(rows.iter().all(|row| (row[1] + row[2] - 20.0).abs() < 1e-10), "{system}");
    }
}

#[test]
fn rows_end_at_the_time_of_the_last_row() {
    let (_names, rows) = table(&puck(BY_STEPS, "from = 0.5\nuntil = 1\nevery = 100"));
    let times: Vec<_> = rows.iter().map(|row| (row[0] * 10.0).round() / 10.0).collect();
    assert_eq!(times, [0.5, 0.6, 0.7, 0.8, 0.9, 1.0]);
    // The run continues, and its last row is that of its end.
    let mut built = ModelFile::parse(&puck(BY_STEPS, "until = 1"), "puck.toml").and_then(|file| file.build());
    let built = built.as_mut().expect("a model");
    built.to_end(|_row| Ok::<_, std::convert::Infallible>(())).expect("it runs");
    assert!((built.recorder.last_row()[0] - 2.0).abs() < 1e-12);
    assert_eq!(built.recorder.rows(), 1001);
}

#[test]
fn one_component_can_have_an_index() {
    let columns =
        "columns = { a = \"floor.force\", b = \"floor.force[0]\", c = \"floor.y[0]'\", d = \"floor.y'\" }";
    let (_names, rows) = table(&ball(BY_STEPS, columns));
    assert!(rows.iter().all(|row| row[1] == row[2] && row[3] == row[4]));
}

#[test]
fn outputs_that_a_model_does_not_have_are_refused() {
    let cases = [
        ("contacts = \"ceiling\"", "there is no contact `ceiling`"),
        ("contacts = 1", "expected `true`, `false`, or names of interactions"),
        ("until = 1\nfrom = 2", "this is 1; `from` is 2, so the table would have no rows"),
        ("until = \"inf\"", "it must be finite"),
        ("contacts = true\ncolumns = { \"floor.gap\" = 1 }", "the table already has a column `floor.gap`"),
        (
            "columns = { x = \"floor.reaction\" }",
            "unknown name `floor.reaction`; did you mean `floor.force[0]`?",
        ),
        ("columns = { x = \"floor.lambda\" }", "did you mean `floor.force[0]`?"),
        ("columns = { x = { value = 1, sum = 1 } }", "a column has either `value` or `sum`"),
        ("columns = { x = { value = 1, unit = \"\" } }", "a unit must be a text of one line"),
    ];
    for (output, expected) in cases {
        let message = refused(&puck(BY_STEPS, output));
        assert!(message.contains(expected), "{output}: {message}");
    }
    let message = refused(&ball(BY_EVENTS, "columns = { w = \"work.forces\" }"));
    assert!(message.contains("unknown name `work.forces`"), "{message}");
    let circuit = "format = 1\nkind = \"model\"\n[systems.c]\nfamily = \"first_order_linear\"\nx = 1\nA = -1\n\
                   [simulation]\nkind = \"time_stepping\"\nend = 1\nstep = 0.1\n[output]\n";
    for (output, expected) in
        [("contacts = true", "has no contacts"), ("energy = true", "have a kinetic energy")]
    {
        let message = refused(&format!("{circuit}{output}"));
        assert!(message.contains(expected), "{message}");
    }
    let taken = puck(BY_STEPS, "energy = true")
        .replace("puck", "work")
        .replace("q = [1, 0]", "q = [1, 0]\ncoordinates = [\"forces\", \"x\"]");
    let message = refused(&taken);
    assert!(
        message.contains("`work.forces` is the name of an energy and also a name in this model"),
        "{message}"
    );
}

/// The energy balance does not change a run.
#[test]
fn outputs_do_not_change_the_motion() {
    let states = |output: &str| -> Vec<Vec<f64>> {
        let (_names, rows) = table(&puck(BY_STEPS, output));
        rows.into_iter().map(|row| row[..5].to_vec()).collect()
    };
    assert_eq!(states(""), states("energy = true\ncontacts = true\nstates = true"));
}

#[test]
fn columns_have_units() {
    let text = puck(BY_STEPS, "columns = { h = { value = \"puck.q[0]\", unit = \"m\" }, n = 1 }");
    let run = AnyModel::parse(&text, "puck.toml", &[]).expect("a model").run(None).expect("a run");
    assert_eq!(run.units(), ["", "m", ""]);
    let AnyRun::Model(built) = run else { panic!("a model") };
    let written = built.written().text;
    assert!(written.contains("unit = \"m\""), "{written}");
    assert_eq!(table(&written), table(&text));
}
