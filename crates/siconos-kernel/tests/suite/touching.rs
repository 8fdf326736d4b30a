//! Bodies in contact up to rounding count as touching, in both kinds of simulation.

use ndarray::array;
use siconos_kernel::prelude::*;

const BALLS: usize = 5;

/// Creates Newton's cradle: balls of radius 0.1 at multiples of 0.2, the first with 1 m/s. The gaps are of
/// the size of rounding errors.
fn cradle(e: f64) -> (NonSmoothDynamicalSystem, Vec<DynamicalSystemId>) {
    let mut model = NonSmoothDynamicalSystem::new();
    let balls: Vec<_> = (0..BALLS)
        .map(|k| {
            let v = if k == 0 { 1.0 } else { 0.0 };
            model.add_system(LagrangianLinear::new(vec![0.2 * k as f64], vec![v], array![1.0])).unwrap()
        })
        .collect();
    for pair in balls.windows(2) {
        let gap = LagrangianLinearRelation::new(array![[-1.0, 1.0]]).with_offset(vec![-0.2]);
        model.add_interaction([pair[0], pair[1]], gap, NewtonImpact::new(e).unwrap()).unwrap();
    }
    (model, balls)
}

fn energy(state: &State, balls: &[DynamicalSystemId]) -> f64 {
    balls.iter().map(|&ball| 0.5 * state.v(ball)[0].powi(2)).sum()
}

#[test]
fn both_schemes_agree_on_newtons_cradle() {
    for e in [0.0, 0.5, 0.8, 1.0] {
        let (model, balls) = cradle(e);
        let grid = TimeDiscretisation::uniform(0.0, 0.5, 1e-3).unwrap();
        let mut steps = TimeStepping::builder(&model).discretisation(grid.clone()).build().unwrap();
        let mut state = steps.initial_state(&model).unwrap();
        let gap = |id| state.y(id, Level::Position)[0];
        let gaps: Vec<_> = model.interactions().iter().map(|(id, _)| gap(id)).collect();
        assert!(gaps.iter().any(|gap| *gap > 0.0) && gaps.iter().all(|gap| *gap < 1e-15), "{gaps:?}");
        steps.run(&model, &mut state, |_, _| ()).unwrap();
        let by_steps = energy(&state, &balls);
        let mut events = EventDriven::builder(&model).discretisation(grid).build().unwrap();
        let mut state = events.initial_state(&model).unwrap();
        events.run(&model, &mut state, |_, _| ()).unwrap();
        let by_events = energy(&state, &balls);
        println!("e = {e}: {by_steps} {by_events}");
        assert!((by_steps - by_events).abs() < 1e-12, "e = {e}: {by_steps} {by_events}");
    }
}

#[test]
fn a_threshold_that_is_given_is_taken_literally() {
    let first_active = |threshold: Option<f64>| {
        let (model, _) = cradle(0.8);
        let grid = TimeDiscretisation::uniform(0.0, 0.5, 1e-3).unwrap();
        let mut sim = TimeStepping::builder(&model)
            .discretisation(grid)
            .integrator(MoreauJean { activation_threshold: threshold, ..MoreauJean::default() })
            .build()
            .unwrap();
        let mut state = sim.initial_state(&model).unwrap();
        sim.step(&model, &mut state).unwrap().unwrap().active.len()
    };
    assert_eq!(first_active(None), BALLS - 1);
    assert!(first_active(Some(0.0)) < BALLS - 1, "a gap of 1e-17 is open");
    assert_eq!(first_active(Some(1e-12)), BALLS - 1);
    assert_eq!(first_active(Some(-1e-3)), 0);
}

#[test]
fn a_number_given_for_one_body_decides_for_its_contacts() {
    let (model, balls) = cradle(0.8);
    let build = |thresholds: [Option<f64>; 2]| {
        let mut builder = TimeStepping::builder(&model)
            .discretisation(TimeDiscretisation::uniform(0.0, 0.5, 1e-3).unwrap());
        for (&ball, activation_threshold) in balls.iter().zip(thresholds) {
            let scheme = MoreauJean { activation_threshold, ..MoreauJean::default() };
            builder = builder.integrator_for(ball, scheme);
        }
        builder.build()
    };
    let mut sim = build([None, Some(-1e-3)]).unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    assert_eq!(sim.step(&model, &mut state).unwrap().unwrap().active.len(), BALLS - 3);
    let message = build([Some(1e-3), Some(-1e-3)]).unwrap_err().to_string();
    assert!(message.contains("activation_threshold"), "{message}");
}

/// Three blocks on top of each other, each at the origin of its coordinate, so that positions do not indicate
/// the size of rounding errors.
#[test]
fn a_stack_at_the_origin_rests_for_ever() {
    let integrators: [(&str, Integrator); 5] = [
        ("Moreau-Jean", MoreauJean::default().into()),
        ("theta 1", MoreauJean { theta: 1.0, ..MoreauJean::default() }.into()),
        ("direct", MoreauJean { projection: Some(Projection::Direct), ..MoreauJean::default() }.into()),
        ("combined", MoreauJean { projection: Some(Projection::Combined), ..MoreauJean::default() }.into()),
        ("D1-minus", D1MinusLinear::default().into()),
    ];
    for (name, integrator) in integrators {
        for masses in [[3.0, 0.5, 2.0], [1.0, 100.0, 0.7], [1e-3, 1.0, 30.0]] {
            let mut model = NonSmoothDynamicalSystem::new();
            let blocks = masses.map(|m| {
                let block = LagrangianLinear::new(vec![0.0], vec![0.0], array![m])
                    .with_constant_external_force(vec![-9.81 * m]);
                model.add_system(block).unwrap()
            });
            let law = NewtonImpact::new(0.8).unwrap();
            model.add_interaction([blocks[0]], LagrangianLinearRelation::new(array![[1.0]]), law).unwrap();
            for pair in blocks.windows(2) {
                let between = LagrangianLinearRelation::new(array![[-1.0, 1.0]]);
                model.add_interaction([pair[0], pair[1]], between, law).unwrap();
            }
            let grid = TimeDiscretisation::uniform(0.0, 100.0, 0.01).unwrap();
            let mut simulation =
                TimeStepping::builder(&model).discretisation(grid).integrator(integrator).build().unwrap();
            let mut state = simulation.initial_state(&model).unwrap();
            simulation
                .run(&model, &mut state, |report, state| {
                    for block in blocks {
                        let (q, v) = (state.q(block)[0], state.v(block)[0]);
                        assert!(
                            v.abs() < 1e-12 && q.abs() < 1e-11,
                            "{name}, {masses:?}, step {}: {q} {v}",
                            report.step
                        );
                    }
                })
                .unwrap();
        }
    }
}
