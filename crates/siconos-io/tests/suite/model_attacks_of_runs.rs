//! Changes of a model that must not change its motion: other units, additional systems, many copies, another
//! syntax, a new process at every step.

use std::convert::Infallible;
use std::fs;

use siconos_io::document::convert;
use siconos_io::model::{AnyModel, BuiltModel, ModelFile};

use crate::same_bits::models;

/// Columns with their names, as bits.
pub(crate) struct Columns {
    names: Vec<String>,
    pub(crate) rows: Vec<Vec<f64>>,
}

pub(crate) fn file(text: &str, name: &str, set: &[String]) -> ModelFile {
    let set: Vec<_> = set.iter().map(|text| text.parse().expect("a value to set")).collect();
    match AnyModel::parse(text, name, &set).unwrap_or_else(|error| panic!("{error}")) {
        AnyModel::Model(model) => *model,
        other => panic!("{name} is no model: {other:?}"),
    }
}

/// Returns the first rows of a run.
pub(crate) fn rows(built: &mut BuiltModel, steps: usize) -> Vec<Vec<f64>> {
    let mut rows = Vec::new();
    for _ in 0..steps {
        let more = built.advance(|row| {
            rows.push(row.to_vec());
            Ok::<(), Infallible>(())
        });
        if !more.expect("a step") {
            break;
        }
    }
    rows
}

const STEPS: usize = 300;

pub(crate) fn run(text: &str, name: &str, set: &[String]) -> Columns {
    let mut built = file(text, name, set).build().unwrap_or_else(|error| panic!("{error}"));
    Columns { rows: rows(&mut built, STEPS), names: built.recorder.names().to_vec() }
}

impl Columns {
    /// Returns the bits of a column.
    pub(crate) fn column(&self, name: &str) -> Vec<u64> {
        let place =
            self.names.iter().position(|own| own == name).unwrap_or_else(|| panic!("no column {name}"));
        self.rows.iter().map(|row| row[place].to_bits()).collect()
    }
}

/// Checks that a column is not constant.
pub(crate) fn assert_moves(columns: &Columns, name: &str) {
    let moving = columns.column(name);
    assert!(moving.iter().any(|bits| *bits != moving[0]), "{name} does not move");
}

/// Name of a model, its text, and its columns with the exponents of m, l and s in their dimensions.
pub(crate) type Case<'c> = (&'c str, &'c str, &'c [(&'c str, [i32; 3])]);

/// Models in the units m, l, s, with their columns and dimensions.
const IN_UNITS: [Case<'static>; 3] = [
    (
        "beads",
        r#"
[systems.lower]
family = "lagrangian_linear"
q = "0.5 * l"
mass = "1.3 * m"
damping = "0.01 * m / s"
external_force = "-1.3 * 9.81 * m * l / s^2"

[systems.upper]
family = "lagrangian_linear"
q = "0.9 * l"
v = "-0.3 * l / s"
mass = "0.7 * m"
external_force = "-0.7 * 9.81 * m * l / s^2"

[interactions.floor]
systems = "lower"
relation = { kind = "rheonomous", h = "q - 0.1 * l - 0.01 * l * sin(7 * t / s)" }
law = { kind = "newton_impact", restitution = 0.6 }

[interactions.between]
systems = ["lower", "upper"]
relation = { kind = "lagrangian_linear", H = [[-1, 1]], offset = "-0.2 * l" }
law = { kind = "newton_impact", restitution = 0.8 }

[output.columns]
q = "lower.q"
v = "upper.q'"
p = "lower.impulse"
y = "floor.y"
"#,
        &[("q", [0, 1, 0]), ("v", [0, 1, -1]), ("p", [1, 1, -1]), ("y", [0, 1, 0])],
    ),
    (
        "ball",
        r#"
[systems.ball]
family = "newton_euler"
mass = "2 * m"
inertia = ["0.008 * m * l^2", "0.008 * m * l^2", "0.008 * m * l^2"]
position = [0, 0, "0.4 * l"]
velocity = ["l / s", 0, 0]
omega = [0, "3 / s", "1 / s"]
external_force = [0, 0, "-2 * 9.81 * m * l / s^2"]
internal_force = ["0.1 * x' * m / s", 0, 0, 0, 0, "0.02 * omega[2] * m * l^2 / s"]

[interactions.floor]
systems = "ball"
relation = { kind = "ball_and_plane", rows = "friction", radius = "0.1 * l", normal = [0, 0, 1] }
law = { kind = "newton_impact_friction", dimension = 3, restitution = 0.5, mu = 0.3 }

[output.columns]
x = "ball.x"
e = "ball.e[2]"
omega = "ball.omega[1]"
p = "floor.impulse[0]"
"#,
        &[("x", [0, 1, 0]), ("e", [0, 0, 0]), ("omega", [0, 0, -1]), ("p", [1, 1, -1])],
    ),
    (
        "rods",
        r#"
[systems.rod]
family = "newton_euler"
mass = "1.5 * m"
inertia = ["0.02 * m * l^2", "0.12 * m * l^2", "0.12 * m * l^2"]
position = ["0.5 * l", 0, 0]
external_force = [0, 0, "-1.5 * 9.81 * m * l / s^2"]

[systems.bob]
family = "newton_euler"
mass = "0.5 * m"
inertia = ["0.02 * m * l^2", "0.02 * m * l^2", "0.02 * m * l^2"]
position = ["1.2 * l", 0, 0]
external_force = [0, "0.5 * sin(t / s) * m * l / s^2", "-0.5 * 9.81 * m * l / s^2"]

[interactions.hinge]
systems = "rod"
relation = { kind = "revolute", point = [0, 0, 0], axis = [0, 1, 0] }
law = "equality"

[interactions.stops]
systems = "rod"
relation = { kind = "stops", joint = { kind = "revolute", point = [0, 0, 0], axis = [0, 1, 0] }, lower = -0.5, upper = 1.5 }
law = { kind = "newton_impact", restitution = 0.4 }

[interactions.brake]
systems = "rod"
relation = { kind = "angle", joint = { kind = "revolute", point = [0, 0, 0], axis = [0, 1, 0] } }
law = { kind = "relay", lower = "-0.2 * m * l^2 / s^2", upper = "0.2 * m * l^2 / s^2" }

[interactions.ball]
systems = ["rod", "bob"]
relation = { kind = "spherical", point = ["l", 0, 0] }
law = "equality"

[output.columns]
z = "rod.z"
omega = "rod.omega[1]"
x = "bob.x"
way = { sum = "abs(bob.x')" }
"#,
        &[("z", [0, 1, 0]), ("omega", [0, 0, -1]), ("x", [0, 1, 0]), ("way", [0, 1, -1])],
    ),
];

/// Adds the units, and steps in the unit of time.
fn in_units(text: &str) -> String {
    format!(
        "format = 1\nkind = \"model\"\n[constants]\nm = 1\nl = 1\ns = 1\n[simulation]\nkind = \"time_stepping\"\n\
         end = \"3 * s\"\nstep = \"0.01 * s\"\ntime_scale = \"s\"\n{text}"
    )
}

#[test]
fn units_change_no_bit() {
    for case in IN_UNITS {
        assert_has_no_units(case, in_units);
    }
}

/// Checks that columns scale with the units of their dimensions, to the last bit.
pub(crate) fn assert_has_no_units((name, text, columns): Case<'_>, around: fn(&str) -> String) {
    let text = around(text);
    let usual = run(&text, "model.toml", &[]);
    columns.iter().for_each(|(column, _)| assert_moves(&usual, column));
    for exponents in [[10, 0, 0], [0, -20, 0], [0, 0, 8], [-7, 5, -12], [40, -30, 20]] {
        let set = ["m", "l", "s"].iter().zip(exponents);
        let set: Vec<_> =
            set.map(|(unit, exponent)| format!("constants.{unit}={:?}", 2.0_f64.powi(exponent))).collect();
        let scaled = run(&text, "model.toml", &set);
        assert_eq!(scaled.rows.len(), usual.rows.len(), "{name}: {exponents:?}");
        for (column, dimension) in columns.iter().chain(&[("t", [0, 0, 1])]) {
            let unit: i32 = exponents.iter().zip(dimension).map(|(exponent, power)| exponent * power).sum();
            let expected: Vec<_> = usual
                .column(column)
                .into_iter()
                .map(|bits| (f64::from_bits(bits) * 2.0_f64.powi(unit)).to_bits())
                .collect();
            let first = scaled.column(column).iter().zip(&expected).position(|(a, b)| a != b);
            assert_eq!(first, None, "{name}: `{column}` in units {exponents:?} differs from this row on");
        }
    }
}

/// Returns a ball above its own floor.
pub(crate) fn ball(name: &str) -> String {
    format!(
        "[systems.{name}]\nfamily = \"lagrangian_linear\"\nq = \"0.3 * l\"\nmass = \"0.9 * m\"\n\
         external_force = \"-9.81 * m * l / s^2\"\n[interactions.{name}_on_floor]\nsystems = \"{name}\"\n\
         relation = {{ kind = \"lagrangian_linear\", H = 1 }}\n\
         law = {{ kind = \"newton_impact\", restitution = 0.7 }}\n"
    )
}

/// Returns a text with another system added before it, and added after it.
pub(crate) fn beside(text: &str) -> [String; 2] {
    let other = ball("other");
    [format!("{other}{text}"), format!("{text}{other}")]
}

/// Returns `count` balls, called `ball0`, `ball1`, ..
pub(crate) fn copies(head: &str, count: usize) -> String {
    let balls = (0..count).map(|copy| ball(&format!("ball{copy}")));
    std::iter::once(head.to_owned()).chain(balls).collect()
}

#[test]
fn what_has_nothing_to_do_with_a_system_changes_no_bit_of_it() {
    for (name, text, columns) in IN_UNITS {
        let alone = run(&in_units(text), "model.toml", &[]);
        for text in beside(text) {
            let both = run(&in_units(&text), "model.toml", &[]);
            for (column, _) in columns {
                assert_eq!(both.column(column), alone.column(column), "{name}: {column}");
            }
        }
    }
}

#[test]
fn many_copies_move_as_one() {
    let head = in_units("");
    let alone = run(&copies(&head, 1), "one.toml", &[]);
    assert_moves(&alone, "ball0.q");
    for count in [10, 100] {
        let all = run(&copies(&head, count), "many.toml", &[]);
        for copy in 0..count {
            for word in ["q", "q'"] {
                let name = format!("ball{copy}.{word}");
                assert_eq!(all.column(&name), alone.column(&format!("ball0.{word}")), "{name} of {count}");
            }
        }
    }
}

#[test]
fn a_new_process_at_every_step_changes_no_bit() {
    for (name, text, _) in IN_UNITS {
        let file = file(&in_units(text), "model.toml", &[]);
        let whole = rows(&mut file.build().expect("a model"), 100);
        let (mut built, mut found) = (file.build().expect("a model"), Vec::new());
        for _ in 0..100 {
            found.extend(rows(&mut built, 1));
            let (state, recorded) = built.record().expect("a record");
            built = file.build().expect("a model");
            built.resume(&state, &recorded).expect("the same model");
        }
        let bits = |rows: &[Vec<f64>]| -> Vec<u64> { rows.iter().flatten().map(|x| x.to_bits()).collect() };
        assert_eq!(bits(&found), bits(&whole), "{name}");
    }
}

#[test]
fn both_syntaxes_and_what_is_written_give_the_same_tables() {
    let mut count = 0;
    for path in models() {
        let name = path.display().to_string();
        let text = fs::read_to_string(&path).expect("a model");
        let Ok(AnyModel::Model(model)) = AnyModel::parse(&text, "model.toml", &[]) else { continue };
        let title = model.title().map(str::to_owned);
        let mut built = model.build().expect("it can be built");
        let written = built.written();
        let expected = (built.recorder.names().to_vec(), rows(&mut built, STEPS));
        let json =
            convert((&text, "model.toml"), "model.json").unwrap_or_else(|error| panic!("{name}: {error}"));
        let toml =
            convert((&json, "model.json"), "model.toml").unwrap_or_else(|error| panic!("{name}: {error}"));
        // JSON cannot represent infinity, which is a possible setting of integrators.
        let of_written = convert((&written.text, "model.toml"), "model.json").ok();
        let texts = [(&json, "model.json"), (&toml, "model.toml"), (&written.text, "written.toml")];
        for (text, syntax) in texts.into_iter().chain(of_written.iter().map(|text| (text, "written.json"))) {
            let model = ModelFile::parse(text, syntax).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(model.title(), title.as_deref(), "{name}, {syntax}");
            let mut built = model.build().unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(built.recorder.names(), expected.0, "{name}, {syntax}");
            let found = rows(&mut built, STEPS);
            assert_eq!(found.len(), expected.1.len(), "{name}, {syntax}");
            let different = found.iter().flatten().zip(expected.1.iter().flatten());
            let different = different.filter(|(a, b)| a.to_bits() != b.to_bits()).count();
            assert_eq!(different, 0, "{name}, {syntax}");
        }
        count += 1;
    }
    assert!(count >= 20, "{count} models");
}
