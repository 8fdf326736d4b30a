//! Steps to times between the points of the grid, and changes of the grid between steps.

use ndarray::array;
use siconos_kernel::prelude::*;

/// Creates a ball on a spring above a floor, with smooth motion and impacts.
fn model() -> Result<(NonSmoothDynamicalSystem, DynamicalSystemId), Error> {
    let mut model = NonSmoothDynamicalSystem::new();
    let ball = LagrangianLinear::new(vec![0.3], vec![0.0], array![2.0])
        .with_stiffness(array![5.0])
        .with_constant_external_force(array![-9.0]);
    let ball = model.add_system(ball)?;
    let floor = LagrangianLinearRelation::new(array![[1.0]]);
    model.add_interaction([ball], floor, NewtonImpact::new(0.7)?)?;
    Ok((model, ball))
}

fn simulation(model: &NonSmoothDynamicalSystem, h: f64) -> Result<(TimeStepping, State), Error> {
    let grid = TimeDiscretisation::uniform(0.0, 1.0, h)?;
    let mut simulation = TimeStepping::builder(model).discretisation(grid).build()?;
    let state = simulation.initial_state(model)?;
    Ok((simulation, state))
}

fn bits(state: &State, ball: DynamicalSystemId) -> [u64; 3] {
    [state.t, state.q(ball)[0], state.v(ball)[0]].map(f64::to_bits)
}

#[test]
fn from_point_to_point_it_is_the_step_of_the_grid() -> Result<(), Error> {
    let (model, ball) = model()?;
    let (mut by_grid, mut expected) = simulation(&model, 0.01)?;
    let (mut by_time, mut state) = simulation(&model, 0.01)?;
    while by_grid.step(&model, &mut expected)?.is_some() {
        let report = by_time.step_to(&model, &mut state, expected.t)?;
        assert_eq!(report.step, expected.step());
        assert_eq!(bits(&state, ball), bits(&expected, ball));
    }
    Ok(())
}

#[test]
fn steps_between_the_points_are_those_of_a_grid_that_has_them() -> Result<(), Error> {
    let (model, ball) = model()?;
    let times: Vec<f64> = (0..=40).map(|k| (f64::from(k) / 40.0).powi(2)).collect();
    let uneven = TimeDiscretisation::from_times(times.clone())?;
    let mut on_them = TimeStepping::builder(&model).discretisation(uneven).build()?;
    let mut expected = on_them.initial_state(&model)?;
    let (mut beside, mut state) = simulation(&model, 0.25)?;
    for &t in &times[1..] {
        on_them.step(&model, &mut expected)?;
        let report = beside.step_to(&model, &mut state, t)?;
        assert_eq!(report.step, (t / 0.25).floor() as usize, "the last point of the grid until {t}");
        assert_eq!(bits(&state, ball), bits(&expected, ball));
    }
    Ok(())
}

#[test]
fn events_take_place_once_in_the_step_that_they_lie_in() -> Result<(), Error> {
    let (model, _) = model()?;
    let (mut simulation, mut state) = simulation(&model, 0.25)?;
    simulation.events_mut().schedule_periodic(EventKind::Sensor, 0.1, 0.1)?;
    let start = state.clone();
    let mut seen = Vec::new();
    let times = [0.05, 0.15, 0.25, 0.26, 0.39, 0.41, 0.5, 0.95, 1.0];
    for t in times {
        let report = simulation.step_to(&model, &mut state, t)?;
        seen.push(report.events.len());
    }
    assert_eq!(seen, [0, 1, 1, 0, 1, 1, 1, 4, 1]);
    // If the state is set back, its events occur again.
    state = start;
    let again = simulation.step_to(&model, &mut state, 0.15)?.events.len();
    let rest = simulation.step_to(&model, &mut state, 1.0)?.events.len();
    assert_eq!((again, rest), (1, 9));
    Ok(())
}

#[test]
fn a_time_that_is_not_ahead_or_off_the_grid_is_refused_and_nothing_is_lost() -> Result<(), Error> {
    let (model, ball) = model()?;
    let (mut simulation, mut state) = simulation(&model, 0.25)?;
    simulation.step_to(&model, &mut state, 0.4)?;
    let before = bits(&state, ball);
    for t in [0.4, 0.1, -1.0, f64::NAN, f64::INFINITY] {
        let refused = simulation.step_to(&model, &mut state, t).map(|_| ()).expect_err("not ahead");
        assert!(matches!(refused, SimulationError::NotAhead { now: 0.4, .. }), "{refused}");
    }
    let refused = simulation.step_to(&model, &mut state, 1.5).map(|_| ()).expect_err("behind the end");
    let outside = EventError::OutsideGrid { time: 1.5, first: 0.0, last: 1.0 };
    assert_eq!(refused, SimulationError::Event(outside));
    let refused = simulation.step(&model, &mut state).map(|_| ()).expect_err("no point of the grid");
    assert_eq!(refused, SimulationError::OtherTime { t: 0.4, nearest: 0.5 });
    assert_eq!(bits(&state, ball), before);
    Ok(())
}

#[test]
fn another_grid_goes_on_from_the_present_time_with_the_events_to_come() -> Result<(), Error> {
    let (model, ball) = model()?;
    let (mut simulation, mut state) = simulation(&model, 0.25)?;
    simulation.events_mut().schedule_periodic(EventKind::Sensor, 0.3, 0.3)?;
    simulation.step(&model, &mut state)?;
    simulation.step(&model, &mut state)?;
    // The new grid extends beyond the old one, and starts after the past event at 0.3.
    simulation.set_discretisation(TimeDiscretisation::uniform(0.5, 2.0, 0.125)?)?;
    let mut seen = Vec::new();
    simulation.run(&model, &mut state, |report, _| {
        assert_eq!(report.h, 0.125);
        seen.extend(report.events.iter().map(Event::time));
    })?;
    let expected = [0.6, 0.9, 1.2, 1.5, 1.8];
    assert_eq!(seen.len(), expected.len(), "{seen:?}");
    assert!(seen.iter().zip(expected).all(|(t, expected)| (t - expected).abs() < 1e-12), "{seen:?}");
    assert_eq!(state.t, 2.0);

    let before = bits(&state, ball);
    let behind = simulation.set_discretisation(TimeDiscretisation::uniform(0.0, 1.0, 0.1)?);
    assert!(matches!(behind, Err(Error::Event(EventError::OutsideGrid { time: 2.0, .. }))), "{behind:?}");
    assert_eq!(simulation.discretisation().time(0), Some(0.5), "the grid is as it was");
    assert!(simulation.step(&model, &mut state)?.is_none());
    assert_eq!(bits(&state, ball), before);
    Ok(())
}

#[test]
fn an_event_driven_simulation_goes_on_over_another_grid_with_the_same_motion() -> Result<(), Error> {
    let (model, ball) = model()?;
    let path = |grids: [TimeDiscretisation; 2]| {
        let [first, second] = grids;
        let mut simulation = EventDriven::builder(&model).discretisation(first).build()?;
        let mut state = simulation.initial_state(&model)?;
        let mut impacts = Vec::new();
        let mut note = |report: &EventReport<'_>, state: &State| {
            impacts.extend((!report.impacts.is_empty()).then(|| bits(state, ball)));
        };
        simulation.run(&model, &mut state, &mut note)?;
        simulation.set_discretisation(second)?;
        simulation.run(&model, &mut state, &mut note)?;
        Ok::<_, Error>((impacts, bits(&state, ball)))
    };
    let grid = |t0, t_end, h| TimeDiscretisation::uniform(t0, t_end, h);
    let expected = path([grid(0.0, 1.5, 0.1)?, grid(0.0, 1.5, 0.1)?])?;
    assert!(expected.0.len() > 3, "{} impacts", expected.0.len());
    for grids in [
        [grid(0.0, 0.5, 0.125)?, grid(0.0, 1.5, 0.25)?],
        [grid(0.0, 1.0, 1.0)?, grid(1.0, 1.5, 0.01)?],
        [grid(0.0, 0.75, 0.01)?, grid(0.25, 1.5, 1.25)?],
    ] {
        let (impacts, end) = path(grids)?;
        assert!(impacts == expected.0, "{} impacts of {}", impacts.len(), expected.0.len());
        assert_eq!(end, expected.1);
    }
    Ok(())
}
