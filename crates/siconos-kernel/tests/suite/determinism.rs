//! Two runs agree to the last bit. A run also agrees with its continuation from a copy, from a snapshot, or
//! with a new simulation.

use siconos_kernel::prelude::*;
use siconos_models::{ColumnOfBeads, DoublePendulum};

/// Returns a record of the whole state, in which numbers are written exactly.
fn bits(model: &NonSmoothDynamicalSystem, state: &State) -> String {
    serde_json::to_string(&state.record(model).unwrap()).unwrap()
}

fn column() -> (NonSmoothDynamicalSystem, ColumnOfBeads) {
    let column = ColumnOfBeads { t_end: 1.2, ..ColumnOfBeads::default() };
    let (mut model, beads) = column.model().unwrap();
    for i in 0..beads.len() {
        column.add_contact(&mut model, &beads, i).unwrap();
    }
    (model, column)
}

#[test]
fn two_runs_agree_to_the_last_bit() {
    let runs = [(), ()].map(|()| {
        let mut bits = Vec::new();
        let read = |state: &State, beads: &[DynamicalSystemId]| {
            let states = beads.iter().flat_map(|&bead| [state.q(bead)[0], state.v(bead)[0]]);
            bits.extend(states.map(f64::to_bits));
        };
        ColumnOfBeads::default().run(read).unwrap();
        bits
    });
    assert_eq!(runs[0], runs[1]);
    let runs = [(), ()].map(|()| {
        let example = DoublePendulum { t_end: 2.0, ..DoublePendulum::default() };
        let (model, pendulum, _) = example.model().unwrap();
        let mut simulation = example.simulation(&model).unwrap();
        let mut state = simulation.initial_state(&model).unwrap();
        let mut bits = Vec::new();
        let read = |_: &StepReport<'_>, state: &State| {
            bits.extend(state.q(pendulum).iter().chain(state.v(pendulum)).map(|x| x.to_bits()));
        };
        simulation.run(&model, &mut state, read).unwrap();
        bits
    });
    assert_eq!(runs[0], runs[1]);
}

#[test]
fn a_run_goes_on_from_a_copy_a_snapshot_and_a_new_simulation() {
    let (model, example) = column();
    let mut simulation = example.simulation(&model).unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    while state.step() < 1500 {
        simulation.step(&model, &mut state).unwrap();
    }
    let (mut copy, snapshot) = (state.clone(), bits(&model, &state));
    simulation.run(&model, &mut state, |_, _| ()).unwrap();
    let end = bits(&model, &state);

    simulation.run(&model, &mut copy, |_, _| ()).unwrap();
    assert_eq!(bits(&model, &copy), end, "the same simulation, back at the copy");

    let record = serde_json::from_str(&snapshot).unwrap();
    let mut restored = State::restore(&model, &record).unwrap();
    assert_eq!(bits(&model, &restored), snapshot);
    let mut fresh = example.simulation(&model).unwrap();
    fresh.run(&model, &mut restored, |_, _| ()).unwrap();
    assert_eq!(bits(&model, &restored), end, "another simulation, from the snapshot");

    let clone = model.clone();
    let mut elsewhere = example.simulation(&clone).unwrap();
    let mut state = State::restore(&clone, &record).unwrap();
    elsewhere.run(&clone, &mut state, |_, _| ()).unwrap();
    assert_eq!(bits(&model, &state), end, "a clone of the model");
}

#[test]
fn the_order_in_which_two_free_systems_are_added_does_not_matter() {
    let run = |swap: bool| {
        let mut model = NonSmoothDynamicalSystem::new();
        let mut add = |height: f64| {
            let ball = LagrangianLinear::new(vec![height], vec![0.0], ndarray::array![1.0])
                .with_external_force(|_, f| f[0] = -9.81);
            let id = model.add_system(ball).unwrap();
            let floor = LagrangianLinearRelation::new(ndarray::array![[1.0]]);
            model.add_interaction([id], floor, NewtonImpact::new(0.7).unwrap()).unwrap();
            id
        };
        let (a, b) = if swap {
            let b = add(2.0);
            (add(1.0), b)
        } else {
            (add(1.0), add(2.0))
        };
        let grid = TimeDiscretisation::uniform(0.0, 2.0, 1e-3).unwrap();
        let mut simulation = TimeStepping::builder(&model).discretisation(grid).build().unwrap();
        let mut state = simulation.initial_state(&model).unwrap();
        simulation.run(&model, &mut state, |_, _| ()).unwrap();
        [state.q(a)[0].to_bits(), state.v(a)[0].to_bits(), state.q(b)[0].to_bits(), state.v(b)[0].to_bits()]
    };
    assert_eq!(run(false), run(true));
}
