//! Model files with interactions between first-order and Lagrangian systems.

use siconos_io::model::{AnyModel, AnyRun, ModelFile};

use crate::same_bits::bits_of_rows;

const MOTOR: &str = include_str!("../../../../examples/models/motor_with_stop.toml");

fn run(text: &str) -> AnyRun {
    AnyModel::parse(text, "motor.toml", &[]).expect("a model").run(None).expect("a run")
}

#[test]
fn a_motor_stalls_at_its_stop() {
    let mut run = run(&MOTOR.replace("end = 2", "end = 10"));
    bits_of_rows(&mut run, usize::MAX);
    let [_t, current, angle, speed, torque, stop] = run.last_row()[..] else { panic!("six columns") };
    assert!((current - 3.0).abs() < 1e-9 && (angle - 1.0).abs() < 1e-4 && speed == 0.0, "{current}, {angle}");
    assert!((torque - 2.4).abs() < 1e-9 && (stop - torque).abs() < 1e-9, "{torque}, {stop}");
}

#[test]
fn a_motor_resumes_bit_for_bit() {
    let whole = bits_of_rows(&mut run(MOTOR), usize::MAX);
    for steps in [1, 500, 740, 1300] {
        let mut first = run(MOTOR);
        let mut found = bits_of_rows(&mut first, steps);
        let (state, recorded) = first.record().expect("a state");
        let mut second = run(MOTOR);
        second.resume(&state, &recorded).expect("the same model");
        found.extend(bits_of_rows(&mut second, usize::MAX));
        assert!(found == whole, "after {steps} steps");
    }
}

#[test]
fn the_energy_balance_of_a_motor_closes() {
    let text = MOTOR.replace("[output.columns]", "[output]\nenergy = true\n[output.columns]");
    let mut run = run(&text);
    bits_of_rows(&mut run, usize::MAX);
    let value = |name: &str| run.last_row()[run.names().iter().position(|own| own == name).expect(name)];
    assert!(value("work_of_scheme").abs() < 1e-12, "{}", value("work_of_scheme"));
    let sum = value("work_of_forces") + value("work_of_contacts");
    assert!((sum - value("kinetic_energy")).abs() < 1e-12, "{sum}");
}

#[test]
fn what_does_not_fit_is_refused() {
    let cases = [
        (
            "C = [[1, 0], [0, 1]]",
            "C = [[1, 0, 0], [0, 1, 0]]",
            "this matrix is 2 x 3; it must be any number x 2",
        ),
        ("kind = \"time_stepping\"", "kind = \"event_driven\"", "use `time_stepping`"),
        (
            "systems = [\"circuit\", \"lever\"]",
            "systems = \"lever\"",
            "this relation requires first-order systems",
        ),
        (
            "step = 1e-3",
            "step = 1e-3\nintegrator = \"d1_minus_linear\"",
            "between first-order and Lagrangian systems",
        ),
    ];
    for (from, to, expected) in cases {
        let text = MOTOR.replace(from, to);
        let built = ModelFile::parse(&text, "motor.toml").and_then(|file| file.build());
        let message = built.expect_err(to).to_string();
        assert!(message.contains(expected), "{to}: {message}");
    }
}
