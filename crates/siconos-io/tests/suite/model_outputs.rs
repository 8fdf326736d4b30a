//! Sums count each instant once, independent of the rows that are written. Rows of time steps contain
//! accelerations and forces.

use siconos_io::model::{AnyModel, ModelFile};

use crate::same_bits::rows;

/// Returns a ball that falls from 1 m with restitution 1/2 for 1 s, with these simulation and output
/// settings.
fn ball(simulation: &str, output: &str) -> String {
    format!(
        r#"
format = 1
kind = "model"
[systems.ball]
family = "lagrangian_linear"
q = 1
mass = 1
external_force = -9.81
[interactions.floor]
systems = "ball"
relation = {{ kind = "lagrangian_linear", H = [[1]] }}
law = {{ kind = "newton_impact", restitution = 0.5 }}
[simulation]
{simulation}
[output]
{output}
[output.columns]
hits = {{ sum = "if floor.impulse > 0 then 1 else 0" }}
impulse = {{ sum = "floor.impulse" }}
time = {{ sum = "h" }}
"#
    )
}

const BY_EVENTS: &str = "kind = \"event_driven\"\nend = 1\nstep = 0.1";
const BY_STEPS: &str = "kind = \"time_stepping\"\nend = 1\nstep = 1e-3";

fn run(text: &str) -> Vec<Vec<f64>> {
    rows(ModelFile::parse(text, "ball.toml").and_then(|file| file.build()).expect("a model"))
}

fn last(rows: &[Vec<f64>]) -> Vec<f64> {
    rows.last().expect("a row").clone()
}

/// Returns the sum of the impulses: the velocity at the floor is `sqrt(2 g)`, and half of it at the second
/// impact.
fn exact_impulse() -> f64 {
    let fall = (2.0 * 9.81_f64).sqrt();
    1.5 * fall + 1.5 * 0.5 * fall
}

#[test]
fn an_impact_counts_once_whichever_rows_are_written() {
    for output in [
        "",
        "sides = \"after\"",
        "rows = \"grid\"",
        "rows = \"grid\"\nsides = \"after\"",
        "every = 2",
        "start = false",
        "start = false\nrows = \"grid\"",
    ] {
        let [t, hits, impulse, time] = last(&run(&ball(BY_EVENTS, output)))[..] else { panic!("{output}") };
        assert_eq!(hits, 2.0, "{output}");
        assert!((impulse - exact_impulse()).abs() < 1e-9, "{output}: {impulse}");
        assert!((time - t).abs() < 1e-14, "{output}: {time} at {t}");
    }
    for output in ["", "start = false", "every = 2"] {
        let [t, hits, impulse, time] = last(&run(&ball(BY_STEPS, output)))[..] else { panic!("{output}") };
        assert_eq!(hits, 2.0, "{output}");
        assert!((impulse - exact_impulse()).abs() < 0.05, "{output}: {impulse}");
        assert!((time - t).abs() < 1e-14 && (t - 1.0).abs() < 1e-14, "{output}: {time} at {t}");
    }
}

#[test]
fn the_row_before_an_impact_has_the_sum_without_it() {
    let found = run(&ball(BY_EVENTS, ""));
    let jumps: Vec<_> = found.windows(2).filter(|pair| pair[0][0] == pair[1][0]).collect();
    assert_eq!(jumps.len(), 2);
    for (number, pair) in jumps.iter().enumerate() {
        assert_eq!([pair[0][1], pair[1][1]], [number as f64, number as f64 + 1.0]);
        // The time up to the impact belongs to the instant of the impact, which ends with the row after it.
        assert!(pair[0][3] < pair[1][3] && (pair[1][3] - pair[1][0]).abs() < 1e-14, "{pair:?}");
    }
}

/// An impact between two output times is counted if it is not before `from`.
#[test]
fn sums_begin_at_the_first_time_that_is_written() {
    let [_t, hits, _impulse, _time] = last(&run(&ball(BY_EVENTS, "from = 0.5")))[..] else { panic!("a row") };
    assert_eq!(hits, 1.0);
}

/// The step length is known in the first row, even without a row at the start.
#[test]
fn the_first_step_has_its_length_without_a_row_of_the_start() {
    let model = |kind: &str, also: &str| {
        format!(
            "format = 1\nkind = \"model\"\n[systems.b]\nfamily = \"lagrangian_linear\"\nq = 0\nmass = 1\n\
             external_force = -9.81\n\
             [interactions.floor]\nsystems = \"b\"\nrelation = {{ kind = \"lagrangian_linear\", H = [[1]] }}\n\
             law = {{ kind = \"newton_impact\", restitution = 0 }}\n\
             [simulation]\nkind = \"{kind}\"\nend = 1\nstep = 0.25\n\
             [output]\nstart = false\n[output.columns]\nh = \"h\"\nforce = \"floor.impulse / h\"\n{also}"
        )
    };
    let found = run(&model("time_stepping", ""));
    assert_eq!(found.len(), 4);
    for row in &found {
        assert_eq!(row[1], 0.25);
        assert!((row[2] - 9.81).abs() < 1e-12, "{row:?}");
    }
    let event = "[parameters]\np = 0\n[events.at_start]\ntimes = [0]\nset = { p = 1 }\n";
    for kind in ["time_stepping", "event_driven"] {
        let found = run(&model(kind, event));
        assert!(found.iter().filter(|row| row[0] > 0.0).all(|row| row[1] == 0.25), "{kind}: {found:?}");
    }
}

/// Accelerations and forces are mean values over a step. The test compares free fall and rest on the floor.
#[test]
fn rows_of_time_steps_have_accelerations_and_forces() {
    let text = |integrator: &str| {
        format!(
            r#"
format = 1
kind = "model"
[systems.ball]
family = "lagrangian_linear"
q = 10
mass = 2
external_force = -19.62
[systems.rest]
family = "lagrangian_linear"
q = 0
mass = 2
external_force = -19.62
[interactions.floor]
systems = "rest"
relation = {{ kind = "lagrangian_linear", H = [[1]] }}
law = {{ kind = "newton_impact", restitution = 0 }}
[interactions.below]
systems = "ball"
relation = {{ kind = "lagrangian_linear", H = [[1]] }}
law = {{ kind = "newton_impact", restitution = 0 }}
[simulation]
kind = "time_stepping"
end = 0.1
step = 0.01
integrator = "{integrator}"
[output.columns]
acceleration = "ball.q''"
gap_acceleration = "below.y''"
floor_acceleration = "floor.y''"
force = "floor.force"
"#
        )
    };
    for integrator in ["moreau_jean", "d1_minus_linear"] {
        let found = run(&text(integrator));
        assert_eq!(found[0][1..], [0.0; 4], "{integrator}: no step has been taken");
        for row in &found[1..] {
            let [_t, fall, gap, floor, force] = row[..] else { panic!("five columns") };
            assert!((fall + 9.81).abs() < 1e-11 && (gap + 9.81).abs() < 1e-11, "{integrator}: {row:?}");
            assert!(floor.abs() < 1e-11 && (force - 19.62).abs() < 1e-9, "{integrator}: {row:?}");
        }
    }
}

/// x' = -x + lambda with 0 <= x + lambda - 1, complementary: lambda = 1 - x, and the multiplier of the step
/// is the force.
#[test]
fn rows_of_first_order_systems_have_rates() {
    let text = "format = 1\nkind = \"model\"\n\
                [systems.lag]\nfamily = \"first_order_linear\"\nx = 0.5\nA = -1\n\
                [interactions.valve]\nsystems = \"lag\"\nlaw = \"complementarity\"\n\
                relation = { kind = \"first_order_linear\", C = 1, B = 1, D = 1, offset = -1 }\n\
                [simulation]\nkind = \"time_stepping\"\nend = 1\nstep = 0.125\n\
                [output.columns]\nx = \"lag.x\"\nlambda = \"valve.lambda\"\nforce = \"valve.force\"\n";
    let found = run(text);
    for pair in found.windows(2) {
        let [_, x, lambda, force] = pair[1][..] else { panic!("four columns") };
        assert!((lambda - (1.0 - x)).abs() < 1e-12 && (force - lambda).abs() < 1e-14, "{pair:?}");
    }
}

/// The sum of a process includes the start, whether its row is written or not.
#[test]
fn sums_of_a_process_do_not_depend_on_the_row_of_the_start() {
    let text = |start: &str| {
        format!(
            "format = 1\nkind = \"sweeping\"\n[state]\nx = 1\n[set]\nkind = \"box\"\nlower = -1\nupper = 1\n\
             [simulation]\nkind = \"time_stepping\"\nend = 1\nstep = 0.25\n[output]\nstart = {start}\n\
             [output.columns]\nsum = {{ sum = \"x + h\" }}\n"
        )
    };
    let last_row = |start: &str| {
        let model = AnyModel::parse(&text(start), "process.toml", &[]).unwrap_or_else(|e| panic!("{e}"));
        let mut run = model.run(None).expect("it begins");
        run.to_end(|_row| Ok::<_, std::convert::Infallible>(())).expect("it ends");
        run.last_row().to_vec()
    };
    assert_eq!(last_row("true"), [1.0, 6.0]);
    assert_eq!(last_row("false"), [1.0, 6.0]);
}
