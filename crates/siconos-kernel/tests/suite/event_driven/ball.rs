//! Bouncing ball: impact times, accumulation, rest.

use ndarray::array;
use siconos_kernel::model::InteractionId;
use siconos_kernel::prelude::*;

const G: f64 = 9.81;

fn ball(h0: f64, v0: f64, e: f64) -> (NonSmoothDynamicalSystem, DynamicalSystemId, InteractionId) {
    let mut model = NonSmoothDynamicalSystem::new();
    let ball = model
        .add_system(
            LagrangianLinear::new(vec![h0], vec![v0], array![1.0]).with_external_force(|_t, f| f[0] = -G),
        )
        .unwrap();
    let floor = model
        .add_interaction([ball], LagrangianLinearRelation::new(array![[1.0]]), NewtonImpact::new(e).unwrap())
        .unwrap();
    (model, ball, floor)
}

fn simulation(model: &NonSmoothDynamicalSystem, t: f64, h: f64) -> EventDriven {
    let grid = TimeDiscretisation::uniform(0.0, t, h).unwrap();
    EventDriven::builder(model).discretisation(grid).build().unwrap()
}

#[test]
fn twenty_impacts_are_at_their_times() {
    let (model, _, _) = ball(1.0, 0.0, 0.9);
    let mut sim = simulation(&model, 8.0, 0.005);
    let mut state = sim.initial_state(&model).unwrap();
    let mut times = Vec::new();
    sim.run(&model, &mut state, |report, _| {
        if !report.impacts.is_empty() {
            times.push(report.t);
        }
    })
    .unwrap();
    let mut t = (2.0 / G).sqrt();
    let mut v = G * t;
    for (k, found) in times.iter().take(20).enumerate() {
        assert!((found - t).abs() < 1e-10, "impact {k}: {:e}", found - t);
        v *= 0.9;
        t += 2.0 * v / G;
    }
    assert!(times.len() > 20);
}

#[test]
fn it_runs_through_its_accumulation_and_rests() {
    let (model, ball, floor) = ball(1.0, 0.0, 0.9);
    let mut sim = simulation(&model, 10.0, 0.005);
    let mut state = sim.initial_state(&model).unwrap();
    let mut found = None;
    sim.run(&model, &mut state, |report, _| {
        if let Some(accumulation) = report.accumulation {
            assert!(found.is_none());
            found = Some((report.t, accumulation.t, accumulation.contacts.len()));
        }
    })
    .unwrap();
    let exact = 19.0 * (2.0 / G).sqrt();
    let (t, estimate, contacts) = found.unwrap();
    assert!((estimate - exact).abs() < 1e-9, "{estimate} {exact}");
    assert!(t < exact && exact - t < 1e-6);
    assert_eq!(contacts, 1);
    assert_eq!((state.q(ball), state.v(ball)), (&[0.0][..], &[0.0][..]));
    assert_eq!(state.closed(floor), [true]);
    assert!((state.lambda(floor, Level::Acceleration)[0] - G).abs() < 1e-14);
    assert_eq!(state.t, 10.0);
}

#[test]
fn time_steps_take_it_through_its_accumulation() {
    let (model, ball, floor) = ball(1.0, 0.0, 0.5);
    let mut settings = EventDrivenSettings::default();
    settings.accumulation.policy = AccumulationPolicy::HandOver { h: 1e-4 };
    let grid = TimeDiscretisation::uniform(0.0, 2.0, 0.01).unwrap();
    let mut sim = EventDriven::builder(&model).discretisation(grid).settings(settings).build().unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    let mut accumulations = 0;
    sim.run(&model, &mut state, |report, _| accumulations += usize::from(report.accumulation.is_some()))
        .unwrap();
    assert_eq!(accumulations, 1);
    assert_eq!(state.t, 2.0);
    assert!(state.q(ball)[0].abs() < 1e-12 && state.v(ball)[0] == 0.0);
    assert_eq!(state.closed(floor), [true]);
}

#[test]
fn an_accumulation_may_end_the_simulation() {
    let (model, _, _) = ball(1.0, 0.0, 0.5);
    let mut settings = EventDrivenSettings::default();
    settings.accumulation.policy = AccumulationPolicy::Stop;
    let grid = TimeDiscretisation::uniform(0.0, 2.0, 0.01).unwrap();
    let mut sim = EventDriven::builder(&model).discretisation(grid).settings(settings).build().unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    let mut last = None;
    sim.run(&model, &mut state, |report, _| last = report.accumulation.map(|accumulation| accumulation.t))
        .unwrap();
    let exact = 3.0 * (2.0 / G).sqrt();
    assert!((last.unwrap() - exact).abs() < 1e-8);
    assert!(sim.step(&model, &mut state).unwrap().is_none());
}
