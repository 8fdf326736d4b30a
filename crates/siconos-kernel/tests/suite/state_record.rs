//! States that are written in one process and read in another, and records of other models.

use std::path::PathBuf;
use std::process::Command;

use ndarray::{Array2, array};
use siconos_kernel::model::DynamicalSystem;
use siconos_kernel::prelude::*;
use siconos_models::{ColumnOfBeads, DoublePendulum};

/// Difference between a model and the model of the record.
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
    Systems,
    Name,
    Stiffness,
    Constant,
    Family,
    TimeScale,
}

/// Creates two balls over a floor with a force that is a parameter, and a diode in a circuit.
fn build(other: Other) -> NonSmoothDynamicalSystem {
    let mut model = NonSmoothDynamicalSystem::new();
    let push = model.add_parameter("push", vec![0.0]).unwrap();
    let mass = if other == Other::Mass { 1.5 } else { 2.0 };
    let ball = |height: f64, mass: f64| -> DynamicalSystem {
        if other == Other::Family {
            return Lagrangian::new(vec![height], vec![0.0], array![mass]).into();
        }
        let ball = LagrangianLinear::new(vec![height], vec![0.0], array![mass]);
        match other {
            Other::Function => ball,
            Other::Constant => ball.with_constant_external_force(vec![-9.81 * mass]),
            Other::Stiffness => ball
                .with_stiffness(array![1.0])
                .with_external_force(move |at, f| f[0] = at[push][0] - 9.81 * mass),
            _ => ball.with_external_force(move |at, f| f[0] = at[push][0] - 9.81 * mass),
        }
        .into()
    };
    let (first, second) = match other {
        Other::Order => (ball(0.7, 3.0), ball(1.0, mass)),
        _ => (ball(1.0, mass), ball(0.7, 3.0)),
    };
    let (first, second) = (model.add_named_system("ball", first).unwrap(), model.add_system(second).unwrap());
    let (a, b) = match other {
        Other::Order | Other::Systems => (second, first),
        _ => (first, second),
    };
    if other == Other::TimeScale {
        model.set_time_scale(0.5).unwrap();
    }
    let e = if other == Other::Restitution { 0.5 } else { 0.6 };
    let gap = if other == Other::Gap { 0.01 } else { 0.0 };
    let floor = LagrangianLinearRelation::new(array![[1.0]]).with_offset(vec![gap]);
    model.add_named_interaction("floor", [a], floor.clone(), NewtonImpact::new(e).unwrap()).unwrap();
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

/// Returns the bits of all numbers of a state.
fn bits(model: &NonSmoothDynamicalSystem, state: &State) -> Vec<u64> {
    let mut all = vec![state.t.to_bits(), state.step() as u64];
    for id in model.systems().ids() {
        let parts = [
            state.q(id),
            state.v(id),
            state.x(id),
            state.impulse(id),
            state.v_at(EventSide::Before, id),
            state.x_at(EventSide::Before, id),
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

/// Simulates one of the cases to half of the time, makes a record, and simulates the rest.
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
        // A new simulation restarts its integration, in both processes.
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

/// Program of the second process, started by the next test.
#[test]
#[ignore = "run by a_state_goes_on_in_another_process"]
fn other_process() {
    let Some(file) = std::env::var_os(FILE).map(PathBuf::from) else { return };
    // Use some stamps, so that the stamps differ from those in the first process.
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

/// A model in another process may have the same stamps, so that only the fingerprints distinguish these
/// models.
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
        (Other::Mass, "dynamical system `ball` does not match the record: its constant M is different"),
        (
            Other::Restitution,
            "the law of interaction `floor` does not match the record: its restitution is `0.5`, but `0.6` in the record",
        ),
        (Other::Order, "dynamical system `ball` does not match the record: its constant M is different"),
        (
            Other::Function,
            "dynamical system `ball` does not match the record: its function F_ext is only in the record",
        ),
        (
            Other::Gap,
            "the relation of interaction `floor` does not match the record: its constant b is different",
        ),
        (
            Other::Law,
            "the law of interaction #1 does not match the record: its kind is `ComplementarityCondition`, but \
             `NewtonImpact` in the record",
        ),
        (
            Other::Systems,
            "interaction `floor` does not match the record: its list of systems is #1, but `ball` in the record",
        ),
        (
            Other::Name,
            "dynamical system `ball` does not match the record: its name is `ball`, but `bead` in the record",
        ),
        (
            Other::Stiffness,
            "dynamical system `ball` does not match the record: its constant K is not in the record",
        ),
        (
            Other::Constant,
            "dynamical system `ball` does not match the record: its F_ext is a constant, but a function of unknown \
             origin in the record",
        ),
        (
            Other::Family,
            "dynamical system `ball` does not match the record: its kind is `Lagrangian`, but `LagrangianLinear` in the record",
        ),
        (
            Other::TimeScale,
            "the model does not match the record: its time scale is `0.5`, but `1.0` in the record",
        ),
    ] {
        let text = serde_json::to_string(&record).unwrap();
        let text = if other == Other::Name { text.replace("\"ball\"", "\"bead\"") } else { text };
        let refused = State::restore(&build(other), &serde_json::from_str(&text).unwrap()).unwrap_err();
        assert!(matches!(refused, ModelError::RecordStructureMismatch(_)), "{other:?}");
        assert_eq!(refused.to_string(), expected, "{other:?}");
    }
    // A name that only one of the two has is not a difference.
    let text = serde_json::to_string(&record).unwrap().replace("\"name\":\"ball\"", "\"name\":null");
    assert!(State::restore(&model, &serde_json::from_str(&text).unwrap()).is_ok());
    let refused = State::restore(&build(Other::Sizes), &record).unwrap_err();
    assert_eq!(refused, ModelError::RecordCountMismatch { what: "dynamical systems", recorded: 2, found: 3 });
    // A record can be made for the model of the state only. Later changes of this model are adopted.
    assert_eq!(state.record(&build(Other::Nothing)), Err(ModelError::StateOfOtherModel));
    let mut more = model.clone();
    more.add_system(LagrangianLinear::new(vec![5.0], vec![0.0], array![1.0])).unwrap();
    let grown = State::restore(&more, &state.record(&more).unwrap()).unwrap();
    assert_eq!(more.systems().ids().map(|id| grown.q(id)[0]).collect::<Vec<_>>(), [1.0, 0.7, 5.0]);
    assert_eq!(grown.parameter(push), [4.0]);
}

/// For many equal contacts, the record has one fingerprint of each kind.
#[test]
fn equal_contacts_have_one_fingerprint() {
    let mut model = NonSmoothDynamicalSystem::new();
    for i in 0..1000 {
        let ball = model.add_system(LagrangianLinear::new(vec![0.1], vec![0.0], array![1.0])).unwrap();
        let floor = LagrangianLinearRelation::new(array![[1.0]]);
        let e = if i < 500 { 0.5 } else { 0.7 };
        model.add_interaction([ball], floor, NewtonImpact::new(e).unwrap()).unwrap();
    }
    let record = State::new(&model, 0.0).record(&model).unwrap();
    let json = serde_json::to_value(&record).unwrap();
    // Fingerprints of the model, the balls, the floors, and two laws.
    assert_eq!(json["fingerprints"].as_array().unwrap().len(), 5);
    assert_eq!(json["interactions"][999]["law"], 4);
    assert!(State::restore(&model, &record).is_ok());
}

/// A format without field names, as in snapshots.
#[test]
fn a_record_comes_back_from_a_format_without_names_with_the_same_bits() {
    let model = build(Other::Nothing);
    let mut sim = TimeStepping::builder(&model).discretisation(grid()).build().unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    while state.step() < 700 {
        sim.step(&model, &mut state).unwrap().unwrap();
    }
    let record = state.record(&model).unwrap();
    let bytes = postcard::to_allocvec(&record).unwrap();
    let again: StateRecord = postcard::from_bytes(&bytes).unwrap();
    assert_eq!(again, record);
    let restored = State::restore(&model, &again).unwrap();
    let all = bits(&model, &restored);
    assert_eq!(all, bits(&model, &state));
    assert!(all.len() > 20 && all.iter().all(|bits| !f64::from_bits(*bits).is_nan()));
}

#[test]
fn a_record_of_a_newer_format_is_refused_with_both_numbers() {
    let model = build(Other::Nothing);
    let record = State::new(&model, 0.0).record(&model).unwrap();
    let text = serde_json::to_string(&record).unwrap();
    // Without detected contacts, format 1 is written.
    let first = "{\"format\":1,";
    assert!(text.starts_with(first), "{text}");
    let newer = text.replacen(first, "{\"format\":7,", 1);
    let refused = serde_json::from_str::<StateRecord>(&newer).unwrap_err().to_string();
    assert!(
        refused.contains("has format 7") && refused.contains(&format!("up to {}", StateRecord::FORMAT)),
        "{refused}"
    );
    let none = text.replacen(first, "{\"format\":0,", 1);
    assert!(serde_json::from_str::<StateRecord>(&none).is_err());
    let without = text.replacen(first, "{", 1);
    assert!(serde_json::from_str::<StateRecord>(&without).is_err());
    // Only the version number is read, whatever follows it.
    let mut bytes = postcard::to_allocvec(&record).unwrap();
    assert_eq!(bytes[0], 1);
    bytes[0] = 9;
    bytes.truncate(1);
    assert!(postcard::from_bytes::<StateRecord>(&bytes).is_err());
}

/// Coupled systems are reordered in the state. A record has the order of the model.
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
        ("\"v\":[0.0]", "\"v\":[]", "must be 1 x 1, not 0 x 1"),
        ("\"q\":[1.0]", "\"q\":[1.0,2.0]", "must be 1 x 1, not 2 x 1"),
        ("\"closed\":[false]", "\"closed\":[]", "`closed`"),
        ("\"name\":\"push\"", "\"name\":\"pull\"", "no parameter `pull`"),
        ("\"model\":0", "\"model\":99", "refers to fingerprint 99, but has only"),
        ("\"values\":[0.0]", "\"values\":[0.0,1.0]", "`parameter` must be 1 x 1"),
    ] {
        assert!(text.contains(from), "{text}");
        let refused = restore(&text.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(refused.contains(expected), "{refused}");
    }
    assert!(serde_json::from_str::<StateRecord>(&text.replacen("\"t\":0.0", "\"t\":null", 1)).is_err());
}
