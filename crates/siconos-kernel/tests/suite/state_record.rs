//! A state that is written in one process and read in another, and models that it does not belong to.

use std::path::PathBuf;
use std::process::Command;

use ndarray::{Array2, array};
use siconos_examples::column_of_beads::ColumnOfBeads;
use siconos_examples::double_pendulum::DoublePendulum;
use siconos_kernel::prelude::*;

/// What is built differently from the model that a record was made of.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Other {
    Nothing,
    Mass,
    Restitution,
    Order,
    Function,
    Gap,
    Sizes,
    Law,
}

/// Two balls over a floor under a push that is a parameter, and a diode in a circuit.
fn build(other: Other) -> NonSmoothDynamicalSystem {
    let mut model = NonSmoothDynamicalSystem::new();
    let push = model.add_parameter("push", vec![0.0]).unwrap();
    let mass = if other == Other::Mass { 1.5 } else { 2.0 };
    let mut ball = |height: f64, mass: f64| {
        let ball = LagrangianLinear::new(vec![height], vec![0.0], array![mass]);
        let ball = match other {
            Other::Function => ball,
            _ => ball.with_external_force(move |at, f| f[0] = at[push][0] - 9.81 * mass),
        };
        model.add_system(ball).unwrap()
    };
    let (a, b) = if other == Other::Order {
        let b = ball(0.7, 3.0);
        (ball(1.0, mass), b)
    } else {
        (ball(1.0, mass), ball(0.7, 3.0))
    };
    let e = if other == Other::Restitution { 0.5 } else { 0.6 };
    let gap = if other == Other::Gap { 0.01 } else { 0.0 };
    let floor = LagrangianLinearRelation::new(array![[1.0]]).with_offset(vec![gap]);
    model.add_interaction([a], floor.clone(), NewtonImpact::new(e).unwrap()).unwrap();
    match other {
        Other::Law => model.add_interaction([b], floor, ComplementarityCondition::new(1).unwrap()).unwrap(),
        _ => model.add_interaction([b], floor, NewtonImpact::new(0.3).unwrap()).unwrap(),
    };
    if other == Other::Sizes {
        model.add_system(LagrangianLinear::new(vec![0.0; 2], vec![0.0; 2], Array2::eye(2))).unwrap();
    }
    model
}

fn grid() -> TimeDiscretisation {
    TimeDiscretisation::uniform(0.0, 2.0, 1e-3).unwrap()
}

/// Every number of a state, by its bits.
fn bits(model: &NonSmoothDynamicalSystem, state: &State) -> Vec<u64> {
    let mut all = vec![state.t.to_bits(), state.step() as u64];
    for id in model.systems().ids() {
        let parts = [
            state.q(id),
            state.v(id),
            state.x(id),
            state.impulse(id),
            state.v_at(Side::Before, id),
            state.x_at(Side::Before, id),
            state.acceleration(id),
        ];
        all.extend(parts.into_iter().flatten().map(|x| x.to_bits()));
    }
    for id in model.interactions().ids() {
        for level in [Level::Position, Level::Velocity, Level::Acceleration] {
            all.extend(state.y(id, level).iter().chain(state.lambda(id, level)).map(|x| x.to_bits()));
        }
        all.extend(state.closed(id).iter().map(|closed| u64::from(*closed)));
    }
    all
}

/// One of the runs: its model, a simulation to half of the time and the rest.
fn go_on(case: &str, record: Option<&StateRecord>) -> (StateRecord, Vec<u64>) {
    let model = match case {
        "column" => {
            let (mut model, beads) = column().model().unwrap();
            (0..beads.len()).for_each(|i| column().add_contact(&mut model, &beads, i).map(|_| ()).unwrap());
            model
        }
        "pendulum" => DoublePendulum::default().model().unwrap().0,
        _ => build(Other::Nothing),
    };
    if case == "events" {
        let mut sim = EventDriven::builder(&model).discretisation(grid()).build().unwrap();
        let mut state = match record {
            Some(record) => State::restore(&model, record).unwrap(),
            None => sim.initial_state(&model).unwrap(),
        };
        while state.t < 0.9 {
            sim.step(&model, &mut state).unwrap().unwrap();
        }
        let middle = state.record(&model).unwrap();
        // A simulation that is built anew begins its integration anew: so it does in both processes.
        let mut sim = EventDriven::builder(&model).discretisation(grid()).build().unwrap();
        while sim.step(&model, &mut state).unwrap().is_some() {}
        return (middle, bits(&model, &state));
    }
    let mut sim = match case {
        "column" => column().simulation(&model).unwrap(),
        "pendulum" => DoublePendulum::default().simulation(&model).unwrap(),
        _ => TimeStepping::builder(&model).discretisation(grid()).build().unwrap(),
    };
    let mut state = match record {
        Some(record) => State::restore(&model, record).unwrap(),
        None => sim.initial_state(&model).unwrap(),
    };
    let half = sim.discretisation().steps() / 2;
    while state.step() < half {
        sim.step(&model, &mut state).unwrap().unwrap();
        if let Some(push) = model.parameter_named("push") {
            state.set_parameter(push, &[(0.01 * state.step() as f64).sin()]).unwrap();
        }
    }
    let middle = state.record(&model).unwrap();
    sim.run(&model, &mut state, |_, _| ()).unwrap();
    (middle, bits(&model, &state))
}

fn column() -> ColumnOfBeads {
    ColumnOfBeads { t_end: 1.2, ..ColumnOfBeads::default() }
}

const FILE: &str = "SICONOS_STATE_RECORD";

/// The other process: not a test of its own, but what the test below starts.
#[test]
#[ignore = "run by a_state_goes_on_in_another_process"]
fn other_process() {
    let Some(file) = std::env::var_os(FILE).map(PathBuf::from) else { return };
    // Other stamps than in the first process.
    for _ in 0..7 {
        build(Other::Order);
    }
    let (case, record): (String, StateRecord) =
        serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let (again, end) = go_on(&case, Some(&record));
    assert_eq!(again, record, "written again, it is the same");
    std::fs::write(file, serde_json::to_string(&end).unwrap()).unwrap();
}

#[test]
fn a_state_goes_on_in_another_process() {
    for case in ["balls", "events", "column", "pendulum"] {
        let (middle, end) = go_on(case, None);
        let file = std::env::temp_dir().join(format!("siconos_state_{case}_{}.json", std::process::id()));
        std::fs::write(&file, serde_json::to_string(&(case, &middle)).unwrap()).unwrap();
        let mut command = Command::new(std::env::current_exe().unwrap());
        let status = command
            .args(["--ignored", "--exact", "state_record::other_process"])
            .env(FILE, &file)
            .output()
            .unwrap();
        assert!(status.status.success(), "{case}: {}", String::from_utf8_lossy(&status.stdout));
        let theirs: Vec<u64> = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        std::fs::remove_file(&file).unwrap();
        assert!(end.len() > 10);
        assert_eq!(theirs, end, "{case}");
    }
}

/// Each of these would have been taken for the right model: in a process of its own its stamps are the same.
#[test]
fn a_record_is_refused_for_another_model() {
    let model = build(Other::Nothing);
    let mut state = State::new(&model, 0.25);
    let push = model.parameter_named("push").unwrap();
    state.set_parameter(push, &[4.0]).unwrap();
    let record = state.record(&model).unwrap();
    let restored = State::restore(&build(Other::Nothing), &record).unwrap();
    assert_eq!(restored.t, 0.25);
    for (other, expected) in [
        (Other::Mass, ("dynamical system", 0)),
        (Other::Restitution, ("interaction", 0)),
        (Other::Order, ("dynamical system", 0)),
        (Other::Function, ("dynamical system", 0)),
        (Other::Gap, ("interaction", 0)),
        (Other::Law, ("interaction", 1)),
    ] {
        let (what, index) = expected;
        let refused = State::restore(&build(other), &record).unwrap_err();
        assert_eq!(refused, ModelError::OtherStructure { what, index }, "{other:?}");
    }
    let refused = State::restore(&build(Other::Sizes), &record).unwrap_err();
    assert_eq!(refused, ModelError::OtherCount { what: "dynamical systems", recorded: 2, found: 3 });
    // A state is recorded for its own model, and what has changed in that since is adopted.
    assert_eq!(state.record(&build(Other::Nothing)), Err(ModelError::OtherModel));
    let mut more = model.clone();
    more.add_system(LagrangianLinear::new(vec![5.0], vec![0.0], array![1.0])).unwrap();
    let grown = State::restore(&more, &state.record(&more).unwrap()).unwrap();
    assert_eq!(more.systems().ids().map(|id| grown.q(id)[0]).collect::<Vec<_>>(), [1.0, 0.7, 5.0]);
    assert_eq!(grown.parameter(push), [4.0]);
}

/// Systems that a relation couples lie elsewhere in the state than in the model; a record has the order of
/// the model.
#[test]
fn a_record_has_the_order_of_birth() {
    let build = || {
        let mut model = NonSmoothDynamicalSystem::new();
        let mut add = |x: f64| model.add_system(FirstOrderLinearTi::new(vec![x], array![[-1.0]])).unwrap();
        let [a, _, c] = [1.0, 2.0, 3.0].map(&mut add);
        let relation = FirstOrderNonlinearRelation::new(
            1,
            |at, y| y[0] = at.x[0] + at.x[1] + at.lambda[0],
            |at, r| (r[0], r[1]) = (at.lambda[0] * at.x[1], at.lambda[0]),
        )
        .with_c(RelationJacobian::FiniteDifference)
        .with_d(RelationJacobian::FiniteDifference)
        .with_k(RelationJacobian::FiniteDifference)
        .with_b(RelationJacobian::FiniteDifference);
        model.add_interaction([a, c], relation, ComplementarityCondition::new(1).unwrap()).unwrap();
        model
    };
    let model = build();
    let ids: Vec<_> = model.systems().ids().collect();
    let record = State::new(&model, 0.0).record(&model).unwrap();
    let again = build();
    let state = State::restore(&again, &record).unwrap();
    assert_eq!(again.systems().ids().map(|id| state.x(id)[0]).collect::<Vec<_>>(), [1.0, 2.0, 3.0]);
    assert_eq!(ids.len(), 3);
}

#[test]
fn a_file_that_was_changed_is_refused() {
    let model = build(Other::Nothing);
    let text = serde_json::to_string(&State::new(&model, 0.0).record(&model).unwrap()).unwrap();
    let restore = |text: &str| State::restore(&model, &serde_json::from_str(text).unwrap());
    assert!(restore(&text).is_ok());
    for (from, to, expected) in [
        ("\"v\":[0.0]", "\"v\":[]", "must be 1 x 1, it is 0 x 1"),
        ("\"q\":[1.0]", "\"q\":[1.0,2.0]", "must be 1 x 1, it is 2 x 1"),
        ("\"closed\":[false]", "\"closed\":[]", "`closed`"),
        ("\"name\":\"push\"", "\"name\":\"pull\"", "no parameter `pull`"),
        ("\"values\":[0.0]", "\"values\":[0.0,1.0]", "`parameter` must be 1 x 1"),
    ] {
        assert!(text.contains(from), "{text}");
        let refused = restore(&text.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(refused.contains(expected), "{refused}");
    }
    assert!(serde_json::from_str::<StateRecord>(&text.replacen("\"t\":0.0", "\"t\":null", 1)).is_err());
}
