//! Event-driven simulations with impact laws based on compression: rows of balls, joints within the impact,
//! rest.

use ndarray::{Array2, array};
use siconos_kernel::prelude::*;
use siconos_testkit::compare::worse;

use crate::event_driven::common::{run, simulation};

const RADIUS: f64 = 0.05;

/// Creates a row of balls in contact. The first ball approaches them at 1 m/s from a distance.
fn row(laws: &[MultipleImpact]) -> (NonSmoothDynamicalSystem, Vec<DynamicalSystemId>) {
    let mut model = NonSmoothDynamicalSystem::new();
    let balls: Vec<_> = (0..=laws.len())
        .map(|k| {
            let (q, v) = if k == 0 { (-0.5, 1.0) } else { (2.0 * RADIUS * (k as f64 - 1.0), 0.0) };
            model.add_system(LagrangianLinear::new(vec![q], vec![v], array![1.0])).unwrap()
        })
        .collect();
    for (pair, law) in balls.windows(2).zip(laws) {
        let gap = LagrangianLinearRelation::new(array![[-1.0, 1.0]]).with_offset(vec![-2.0 * RADIUS]);
        model.add_interaction([pair[0], pair[1]], gap, *law).unwrap();
    }
    (model, balls)
}

/// Returns the velocities of the balls after the collision, and the number of impacts.
fn blow(laws: &[MultipleImpact]) -> (Vec<f64>, usize) {
    let (model, balls) = row(laws);
    let mut sim = simulation(&model, 1.0, 0.1);
    let mut state = sim.initial_state(&model).unwrap();
    let done = run(&model, &mut sim, &mut state, |_| {});
    (balls.iter().map(|&ball| state.v(ball)[0]).collect(), done.impacts.len())
}

fn off(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    found.iter().zip(expected).fold(0.0, |worst, (a, b)| worse(worst, (a - b).abs()))
}

#[test]
fn a_blow_goes_through_three_balls_as_through_springs() {
    let law = MultipleImpact::new(1.0).unwrap();
    let (found, impacts) = blow(&[law; 2]);
    assert_eq!(impacts, 1);
    assert!(off(&found, &[-0.130262, 0.150230, 0.980032]) < 1e-6, "{found:?}");
    // Hertz contact, with the results of Liu, Zhao and Brogliato.
    let (found, _) = blow(&[law.with_exponent(1.5).unwrap(); 2]);
    assert!(off(&found, &[-0.07095, 0.07640, 0.99455]) < 1e-4, "{found:?}");
    let harder = law.with_stiffness(10.0).unwrap();
    let (found, _) = blow(&[law, harder]);
    assert!(off(&found, &[-0.33099, 0.61717, 0.71382]) < 1e-4, "{found:?}");
}

#[test]
fn a_light_block_between_heavy_ones_moves_with_them() {
    for e in [0.0, 0.01, 0.1] {
        for light in [3e-3, 1e-5] {
            let law = MultipleImpact::new(e).unwrap();
            let mut model = NonSmoothDynamicalSystem::new();
            let masses = [1.0, light, 1.0];
            let blocks: Vec<_> = (0..3)
                .map(|k| {
                    let (q, v) = (k as f64, if k == 0 { 1.0 } else { 0.0 });
                    model.add_system(LagrangianLinear::new(vec![q], vec![v], array![[masses[k]]])).unwrap()
                })
                .collect();
            for pair in blocks.windows(2) {
                let gap = LagrangianLinearRelation::new(array![[-1.0, 1.0]]).with_offset(vec![-1.0]);
                model.add_interaction([pair[0], pair[1]], gap, law).unwrap();
            }
            let mut sim = simulation(&model, 0.1, 0.1);
            let mut state = sim.initial_state(&model).unwrap();
            run(&model, &mut sim, &mut state, |_| {});
            let found: Vec<_> = blocks.iter().map(|&block| state.v(block)[0]).collect();
            assert!(off(&found, &[1.0 / (2.0 + light); 3]) < 1e-9, "{e} {light}: {found:?}");
        }
    }
}

/// For a single contact, the law is equivalent to Newton's law with any exponent: the heights of a bouncing
/// ball agree.
#[test]
fn a_bouncing_ball_is_that_of_newton() {
    let law = MultipleImpact::new(0.7).unwrap().with_exponent(1.5).unwrap();
    let tracks = [law.into(), siconos_kernel::model::NonSmoothLaw::from(NewtonImpact::new(0.7).unwrap())]
        .map(|law| {
            let mut model = NonSmoothDynamicalSystem::new();
            let ball = LagrangianLinear::new(vec![1.0], vec![0.0], array![2.0]);
            let ball = model.add_system(ball.with_constant_external_force(vec![-2.0 * 9.81])).unwrap();
            model.add_interaction([ball], LagrangianLinearRelation::new(array![[1.0]]), law).unwrap();
            let mut sim = simulation(&model, 3.5, 0.01);
            let mut state = sim.initial_state(&model).unwrap();
            let mut track = Vec::new();
            let done = run(&model, &mut sim, &mut state, |state| track.push(state.q(ball)[0]));
            assert!(done.impacts.len() > 10 && !done.accumulations.is_empty());
            (track, state.q(ball)[0])
        });
    let [(by_compression, end), (of_newton, _)] = &tracks;
    let worst = by_compression.iter().zip(of_newton).fold(0.0, |worst, (a, b)| worse(worst, (a - b).abs()));
    assert!(worst < 1e-6 && end.abs() < 1e-12, "{worst} {end}");
}

/// Two masses connected by a joint are hit at one end by a third mass. They act as one body of their total
/// mass, also within the impact.
#[test]
fn joints_hold_within_the_impact() {
    let law = MultipleImpact::new(0.8).unwrap();
    let mut model = NonSmoothDynamicalSystem::new();
    let mass = |q: f64, v: f64, m: f64| LagrangianLinear::new(vec![q], vec![v], Array2::from_elem((1, 1), m));
    let hammer = model.add_system(mass(-0.5, 1.0, 1.0)).unwrap();
    let ends =
        [model.add_system(mass(0.0, 0.0, 0.5)).unwrap(), model.add_system(mass(1.0, 0.0, 2.0)).unwrap()];
    let apart = || LagrangianLinearRelation::new(array![[-1.0, 1.0]]);
    model.add_interaction([hammer, ends[0]], apart(), law).unwrap();
    let rod = apart().with_offset(vec![-1.0]);
    model.add_interaction(ends, rod, EqualityCondition::new(1).unwrap()).unwrap();
    let mut sim = simulation(&model, 1.0, 0.1);
    let mut state = sim.initial_state(&model).unwrap();
    run(&model, &mut sim, &mut state, |_| {});
    let common = (1.0 + 0.8) / (1.0 + 2.5);
    let found = [hammer, ends[0], ends[1]].map(|id| state.v(id)[0]);
    assert!(off(&found, &[1.0 - 2.5 * common, common, common]) < 1e-6, "{found:?}");
}

/// Creates a column of blocks that falls on the floor.
fn column() -> (NonSmoothDynamicalSystem, Vec<DynamicalSystemId>) {
    let law = MultipleImpact::new(0.5).unwrap();
    let mut model = NonSmoothDynamicalSystem::new();
    let blocks: Vec<_> = (0..4)
        .map(|k| {
            let block = LagrangianLinear::new(vec![0.3 + f64::from(k)], vec![0.0], array![1.0]);
            model.add_system(block.with_constant_external_force(vec![-9.81])).unwrap()
        })
        .collect();
    model.add_interaction([blocks[0]], LagrangianLinearRelation::new(array![[1.0]]), law).unwrap();
    for pair in blocks.windows(2) {
        let gap = LagrangianLinearRelation::new(array![[-1.0, 1.0]]).with_offset(vec![-1.0]);
        model.add_interaction([pair[0], pair[1]], gap, law).unwrap();
    }
    (model, blocks)
}

/// Returns `true` if the blocks rest on each other.
fn rests(state: &State, blocks: &[DynamicalSystemId]) -> bool {
    let lies = |(k, &id): (usize, &DynamicalSystemId)| {
        (state.q(id)[0] - k as f64).abs() < 1e-9 && state.v(id)[0].abs() < 1e-9
    };
    blocks.iter().enumerate().all(lies)
}

#[test]
fn a_column_comes_to_rest() {
    let (model, blocks) = column();
    let mut sim = simulation(&model, 3.0, 0.05);
    let mut state = sim.initial_state(&model).unwrap();
    let energy = |state: &State| -> f64 {
        blocks.iter().map(|&id| 0.5 * state.v(id)[0].powi(2) + 9.81 * state.q(id)[0]).sum()
    };
    let mut last = energy(&state);
    sim.run(&model, &mut state, |report, state| {
        let now = energy(state);
        assert!(now <= last + 1e-5, "t = {}: {last} to {now}", report.t);
        last = now;
    })
    .unwrap();
    assert!(rests(&state, &blocks), "{:?} {:?}", state.q(blocks[3]), state.v(blocks[3]));
}

#[test]
fn a_simulation_made_anew_for_every_event_comes_to_rest_as_well() {
    let (model, blocks) = column();
    let mut state = simulation(&model, 3.0, 0.05).initial_state(&model).unwrap();
    for _ in 0..2000 {
        if simulation(&model, 3.0, 0.05).step(&model, &mut state).unwrap().is_none() {
            assert!(rests(&state, &blocks), "{:?} {:?}", state.q(blocks[3]), state.v(blocks[3]));
            return;
        }
    }
    panic!("at t = {} it bounces without end", state.t);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let law = MultipleImpact::new(0.5).unwrap();
    let (mut model, balls) = row(&[law; 2]);
    let grid = || TimeDiscretisation::uniform(0.0, 1.0, 0.1).unwrap();
    let error =
        TimeStepping::builder(&model).discretisation(grid()).build().expect_err("refused").to_string();
    assert!(error.contains("impacts by compression; use NewtonImpact, or EventDriven"), "{error}");
    let wall = LagrangianLinearRelation::new(array![[-1.0]]).with_offset(vec![5.0]);
    model.add_interaction([balls[2]], wall, NewtonImpact::new(0.5).unwrap()).unwrap();
    let error = EventDriven::builder(&model).discretisation(grid()).build().expect_err("refused").to_string();
    assert!(error.contains("give all contacts of the model a MultipleImpact"), "{error}");
    for (what, refused) in [
        ("between 0 and 1", MultipleImpact::new(1.5)),
        ("the stiffness of a contact must be positive, not 0", law.with_stiffness(0.0)),
        ("the exponent of a contact must be at least 1, not 0.5", law.with_exponent(0.5)),
    ] {
        assert!(refused.expect_err("refused").to_string().contains(what));
    }
}
