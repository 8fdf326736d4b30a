//! Adaptive time steps, compared with closed forms and with fixed steps.

use ndarray::array;
use siconos_kernel::prelude::*;

use crate::common::{SI, Units};

const GRAVITY: f64 = 10.0;

fn ball(restitution: f64, units: Units) -> Result<(NonSmoothDynamicalSystem, DynamicalSystemId), Error> {
    let mut model = NonSmoothDynamicalSystem::new();
    let Units { mass, length, time } = units;
    model.set_time_scale(time)?;
    let ball = LagrangianLinear::new(vec![length], vec![0.0], array![mass])
        .with_constant_external_force(vec![-GRAVITY * mass * length / (time * time)]);
    let ball = model.add_system(ball)?;
    let floor = LagrangianLinearRelation::new(array![[1.0]]);
    model.add_interaction([ball], floor, NewtonImpact::new(restitution)?)?;
    Ok((model, ball))
}

/// Returns the height of a ball that is released at 1 m.
fn exact_height(t: f64, restitution: f64) -> f64 {
    let mut impact = f64::sqrt(2.0 / GRAVITY);
    if t <= impact {
        return 1.0 - 0.5 * GRAVITY * t * t;
    }
    let mut speed = GRAVITY * impact * restitution;
    while speed > 1e-12 {
        let flight = 2.0 * speed / GRAVITY;
        if t <= impact + flight {
            let since = t - impact;
            return since * (speed - 0.5 * GRAVITY * since);
        }
        impact += flight;
        speed *= restitution;
    }
    0.0
}

fn simulation(model: &NonSmoothDynamicalSystem, t_end: f64) -> Result<(TimeStepping, State), Error> {
    let grid = TimeDiscretisation::uniform(0.0, t_end, t_end)?;
    let mut simulation = TimeStepping::builder(model).discretisation(grid).build()?;
    let state = simulation.initial_state(model)?;
    Ok((simulation, state))
}

/// Returns the L1 error of the height, computed from samples, and the number of steps including rejected
/// steps.
fn adaptive_ball(tolerance: f64) -> Result<(f64, usize), Error> {
    let (restitution, t_end, samples) = (0.7, 4.0, 4000);
    let (model, ball) = ball(restitution, SI)?;
    let (mut simulation, mut state) = simulation(&model, t_end)?;
    let mut adaptive = AdaptiveStepping::new(AdaptiveSettings::of_tolerance(tolerance))?;
    let (mut error, mut next) = (0.0, 1);
    let mut deepest = 0.0_f64;
    adaptive.run(&mut simulation, &model, &mut state, t_end, |adaptive, _, state| {
        deepest = deepest.min(state.q(ball)[0]);
        while next <= samples && f64::from(next) / 1000.0 <= state.t {
            let t = f64::from(next) / 1000.0;
            let q = adaptive.position_at(state, ball, t).expect("within the step")[0];
            error += (q - exact_height(t, restitution)).abs() / 1000.0;
            next += 1;
        }
    })?;
    assert_eq!((next, state.t), (samples + 1, t_end), "all samples");
    assert!(deepest > -2.0 * tolerance, "a gap of {deepest} at {tolerance}");
    let (taken, refused) = adaptive.steps();
    Ok((error, taken + refused))
}

fn fixed_ball(h: f64) -> Result<f64, Error> {
    let (model, ball) = ball(0.7, SI)?;
    let grid = TimeDiscretisation::uniform(0.0, 4.0, h)?;
    let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
    let mut state = simulation.initial_state(&model)?;
    let mut error = 0.0;
    simulation.run(&model, &mut state, |report, state| {
        error += (state.q(ball)[0] - exact_height(report.t, 0.7)).abs() * report.h;
    })?;
    Ok(error)
}

#[test]
fn the_error_of_a_bouncing_ball_follows_the_tolerance_at_a_fifth_of_the_work() -> Result<(), Error> {
    for tolerance in [1e-3, 1e-4, 1e-5, 1e-6] {
        let (error, work) = adaptive_ball(tolerance)?;
        // There are about ten impacts. Each may change the motion after it by a few tolerances.
        assert!(error < 40.0 * tolerance, "an error of {error} at {tolerance}");
        let fixed = fixed_ball(4.0 / (5 * work) as f64)?;
        assert!(fixed > error, "{work} steps: {error}; five times as many fixed steps: {fixed}");
    }
    Ok(())
}

#[test]
fn steps_are_those_of_step_to_whatever_was_refused_before_them() -> Result<(), Error> {
    let (model, ball) = ball(0.7, SI)?;
    let (mut simulated, mut state) = simulation(&model, 3.0)?;
    let mut adaptive = AdaptiveStepping::new(AdaptiveSettings::of_tolerance(1e-4))?;
    let mut path = Vec::new();
    adaptive.run(&mut simulated, &model, &mut state, 3.0, |_, _, state| {
        path.push((state.t, state.q(ball)[0].to_bits(), state.v(ball)[0].to_bits()));
    })?;
    assert!(adaptive.steps().1 > 20, "{:?}", adaptive.steps());
    let (mut again, mut state) = simulation(&model, 3.0)?;
    for (t, q, v) in path {
        again.step_to(&model, &mut state, t)?;
        assert_eq!((state.q(ball)[0].to_bits(), state.v(ball)[0].to_bits()), (q, v), "at {t}");
    }
    Ok(())
}

#[test]
fn other_units_change_no_bit() -> Result<(), Error> {
    let path = |units: Units| {
        let (model, ball) = ball(0.7, units)?;
        let (mut simulation, mut state) = simulation(&model, 3.0 * units.time)?;
        let settings = AdaptiveSettings::of_tolerance(1e-4);
        let mut adaptive = AdaptiveStepping::new(AdaptiveSettings {
            absolute_tolerance: settings.absolute_tolerance * units.length,
            first_step: settings.first_step * units.time,
            smallest_step: settings.smallest_step * units.time,
            ..settings
        })?;
        let mut path = Vec::new();
        adaptive.run(&mut simulation, &model, &mut state, 3.0 * units.time, |_, _, state| {
            path.push([state.t / units.time, state.q(ball)[0] / units.length].map(f64::to_bits));
        })?;
        Ok::<_, Error>(path)
    };
    let expected = path(SI)?;
    assert!(expected.len() > 100);
    let power = f64::exp2;
    for (mass, length, time) in [
        (1024.0, 1.0, 1.0),
        (1.0, power(-12.0), 1.0),
        (1.0, 1.0, power(10.0)),
        (power(-30.0), power(20.0), power(-15.0)),
    ] {
        let units = Units { mass, length, time };
        assert!(path(units)? == expected, "masses times {mass}, lengths times {length}, times times {time}");
    }
    Ok(())
}

/// Simulates x'' = -x from (1, 0), with the solution cos t.
fn oscillator(theta: f64, tolerance: f64) -> Result<([f64; 3], usize), Error> {
    let mut model = NonSmoothDynamicalSystem::new();
    let mass = LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0]).with_stiffness(array![1.0]);
    let mass = model.add_system(mass)?;
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, 10.0, 10.0)?)
        .integrator(MoreauJean { theta, ..MoreauJean::default() })
        .build()?;
    let mut state = simulation.initial_state(&model)?;
    let mut adaptive = AdaptiveStepping::new(AdaptiveSettings::of_tolerance(tolerance))?;
    let mut errors = [0.0_f64; 3];
    adaptive.run(&mut simulation, &model, &mut state, 10.0, |adaptive, report, state| {
        assert!(report.is_smooth);
        let middle = report.step.t - 0.5 * report.step.h;
        let at = |t| adaptive.position_at(state, mass, t).expect("within the step")[0];
        let v = adaptive.velocity_at(state, mass, middle).expect("within the step")[0];
        let here = [at(state.t) - state.t.cos(), at(middle) - middle.cos(), v + middle.sin()];
        errors.iter_mut().zip(here).for_each(|(error, here)| *error = error.max(here.abs()));
        assert_eq!(adaptive.position_at(state, mass, state.t + 1.0), None);
    })?;
    Ok((errors, adaptive.steps().0))
}

#[test]
fn on_a_smooth_arc_errors_between_and_at_the_steps_follow_the_tolerance() -> Result<(), Error> {
    for (theta, order) in [(0.5, 3.0), (1.0, 2.0)] {
        let (coarse, few) = oscillator(theta, 1e-4)?;
        let (fine, many) = oscillator(theta, 1e-7)?;
        // The error of a step of length h is h^order. For a given error per step, the number of steps is
        // proportional to the tolerance to the power -1 / order.
        let growth = many as f64 / few as f64;
        let expected = f64::powf(1e3, 1.0 / order);
        assert!((0.6 * expected..1.4 * expected).contains(&growth), "{few}, {many}, theta = {theta}");
        // The errors of N steps add up.
        for (errors, tolerance, steps) in [(coarse, 1e-4, few), (fine, 1e-7, many)] {
            let most = 2.0 * tolerance * steps as f64;
            assert!(errors.iter().all(|&error| error < most), "{errors:?} of {most}, theta = {theta}");
        }
    }
    Ok(())
}

#[test]
fn steps_end_at_the_events_of_the_user_and_parameters_may_change_there() -> Result<(), Error> {
    let mut model = NonSmoothDynamicalSystem::new();
    let push = model.add_parameter("push", vec![1.0])?;
    let mass = LagrangianLinear::new(vec![0.0], vec![0.0], array![1.0])
        .with_external_force(move |at: At<'_>, f: &mut [f64]| f[0] = at[push][0]);
    let mass = model.add_system(mass)?;
    let (mut simulation, mut state) = simulation(&model, 3.0)?;
    simulation.events_mut().schedule(EventKind::Actuator, 1.0)?;
    let mut adaptive = AdaptiveStepping::new(AdaptiveSettings::of_tolerance(1e-8))?;
    let mut switched = false;
    while state.t < 3.0 {
        let report = adaptive.step(&mut simulation, &model, &mut state, 3.0)?;
        assert!(report.step.t <= 1.0 || switched, "a step over the event: to {}", report.step.t);
        if !report.step.events.is_empty() {
            assert_eq!(report.step.t, 1.0);
            state.set_parameter(push, &[-1.0])?;
            switched = true;
        }
    }
    // The acceleration is 1 m/s2 for one second, then -1 m/s2 for two seconds.
    assert!((state.v(mass)[0] + 1.0).abs() < 1e-12 && (state.q(mass)[0] - 0.5).abs() < 1e-12);
    Ok(())
}

#[test]
fn a_rate_that_jumps_in_a_circuit_is_met_by_short_steps_and_the_error_falls_with_the_tolerance()
-> Result<(), Error> {
    // A capacitor that discharges through a diode only while its voltage is above the source voltage sin t.
    let run = |tolerance: Option<f64>, h: f64| {
        let mut model = NonSmoothDynamicalSystem::new();
        let condenser = FirstOrderLinear::new(vec![0.0], array![[-0.2]]);
        let condenser = model.add_system(condenser)?;
        let diode = FirstOrderLinearRelation::new(array![[1.0]], array![[1.0]])
            .with_d(array![[0.3]])
            .with_offset_function(|at: At<'_>, e: &mut [f64]| e[0] = -at.t.sin());
        model.add_interaction([condenser], diode, ComplementarityCondition::new(1)?)?;
        let mut simulation = TimeStepping::builder(&model)
            .discretisation(TimeDiscretisation::uniform(0.0, 12.0, h)?)
            .integrator(ThetaGamma::default())
            .build()?;
        let mut state = simulation.initial_state(&model)?;
        let Some(tolerance) = tolerance else {
            simulation.run(&model, &mut state, |_, _| {})?;
            return Ok((state.x(condenser)[0], 0));
        };
        let settings = AdaptiveSettings { largest_step: 0.5, ..AdaptiveSettings::of_tolerance(tolerance) };
        let mut adaptive = AdaptiveStepping::new(settings)?;
        adaptive.run(&mut simulation, &model, &mut state, 12.0, |_, _, _| {})?;
        let (taken, refused) = adaptive.steps();
        Ok::<_, Error>((state.x(condenser)[0], taken + refused))
    };
    let (reference, _) = run(None, 1e-4)?;
    let mut errors = Vec::new();
    for tolerance in [1e-3, 1e-4, 1e-5, 1e-6] {
        let (x, steps) = run(Some(tolerance), 12.0)?;
        let error = (x - reference).abs();
        // Each step and each kink adds a few tolerances to the error.
        assert!(error < 50.0 * tolerance, "{error} at {tolerance}");
        assert!(steps < 500, "{steps} steps at {tolerance}");
        errors.push(error);
    }
    assert!(errors[3] < 0.05 * errors[0], "{errors:?}");
    Ok(())
}

#[test]
fn what_cannot_be_is_refused_with_the_number() -> Result<(), Error> {
    let (model, _) = ball(0.5, SI)?;
    let (mut simulation, mut state) = simulation(&model, 1.0)?;
    let mut adaptive = AdaptiveStepping::new(AdaptiveSettings::default())?;
    for until in [0.0, -1.0, f64::NAN] {
        let refused = adaptive.step(&mut simulation, &model, &mut state, until).map(|_| ());
        assert!(matches!(refused, Err(SimulationError::NotAhead { now: 0.0, .. })), "{refused:?}");
    }
    let refused = adaptive.run(&mut simulation, &model, &mut state, 2.0, |_, _, _| {});
    assert!(matches!(refused, Err(SimulationError::Event(EventError::OutsideGrid { .. }))), "{refused:?}");
    let settings = AdaptiveSettings::default();
    for wrong in [
        AdaptiveSettings { relative_tolerance: -1.0, ..settings },
        AdaptiveSettings { absolute_tolerance: f64::NAN, ..settings },
        AdaptiveSettings::of_tolerance(0.0),
        AdaptiveSettings { first_step: 0.0, ..settings },
        AdaptiveSettings { smallest_step: f64::INFINITY, ..settings },
        AdaptiveSettings { largest_step: f64::NAN, ..settings },
    ] {
        assert!(AdaptiveStepping::new(wrong).is_err(), "{wrong:?}");
    }
    Ok(())
}

#[test]
fn an_error_leaves_the_last_step_to_be_looked_at_and_no_step_shows_nothing() -> Result<(), Error> {
    let mut model = NonSmoothDynamicalSystem::new();
    let spring = Lagrangian::new(vec![0.1], vec![0.0], array![1.0]).with_internal_force(
        |at, q, _, f| f[0] = if at.t > 0.5 { f64::NAN } else { q[0].sin() },
        Jacobian::function(|_, q, _, j| j[[0, 0]] = q[0].cos()),
        Jacobian::Zero,
    );
    let spring = model.add_system(spring)?;
    let (mut simulation, mut state) = simulation(&model, 1.0)?;
    let settings = AdaptiveSettings { smallest_step: 1e-3, ..AdaptiveSettings::of_tolerance(1e-4) };
    let mut adaptive = AdaptiveStepping::new(settings)?;
    assert_eq!(adaptive.position_at(&State::new(&model, 0.0), spring, 0.0), None);
    let mut last = (0.0, 0);
    loop {
        let before = (adaptive.position_at(&state, spring, state.t), format!("{state:?}"));
        if adaptive.step(&mut simulation, &model, &mut state, 1.0).is_err() {
            assert_eq!((adaptive.position_at(&state, spring, state.t), format!("{state:?}")), before);
            assert_eq!(before.0, Some(state.q(spring).to_vec()));
            // The motion continues smoothly, so that the next step does not restart from the length of the
            // first step.
            let to = state.t + 0.4 * (0.5 - state.t);
            assert!(last.1 > 5 && adaptive.step(&mut simulation, &model, &mut state, to).is_ok());
            assert!(state.t - last.0 > 1e-5, "from {} to {}", last.0, state.t);
            return Ok(());
        }
        last = (state.t, last.1 + 1);
    }
}

/// The solution of v' = sqrt(4 - v), v(0) = 0 is v = 4 - (2 - t/2)^2. The force is NaN for v > 4, and the
/// iterates of long steps have v > 4.
#[test]
fn a_trial_step_whose_force_is_not_finite_is_shortened() -> Result<(), Error> {
    let mut model = NonSmoothDynamicalSystem::new();
    let mass = Lagrangian::new(vec![0.0], vec![0.0], array![1.0]).with_internal_force(
        |_, _, v, f| f[0] = -(4.0 - v[0]).sqrt(),
        Jacobian::Zero,
        Jacobian::function(|_, _, v, j| j[[0, 0]] = 0.5 / (4.0 - v[0]).sqrt()),
    );
    let mass = model.add_system(mass)?;
    let (mut simulation, mut state) = simulation(&model, 3.0)?;
    let settings = AdaptiveSettings { first_step: 3.0, ..AdaptiveSettings::of_tolerance(1e-6) };
    let mut adaptive = AdaptiveStepping::new(settings)?;
    adaptive.run(&mut simulation, &model, &mut state, 3.0, |_, _, _| ())?;
    assert!((state.v(mass)[0] - 3.75).abs() < 1e-4, "{}", state.v(mass)[0]);
    assert!(adaptive.steps().1 > 0);
    Ok(())
}

#[test]
fn events_at_the_first_point_are_reported_before_anything_moves() -> Result<(), Error> {
    let (model, ball) = ball(0.5, SI)?;
    let (mut simulation, mut state) = simulation(&model, 1.0)?;
    simulation.events_mut().schedule_periodic(EventKind::Sensor, 0.0, 0.25)?;
    let mut adaptive = AdaptiveStepping::new(AdaptiveSettings::default())?;
    let mut times = Vec::new();
    while state.t < 1.0 {
        let q = state.q(ball)[0];
        let report = adaptive.step(&mut simulation, &model, &mut state, 1.0)?.step;
        if !report.events.is_empty() {
            times.push((report.t, report.h == 0.0 && state.q(ball)[0] == q));
        }
    }
    assert_eq!(times, [(0.0, true), (0.25, false), (0.5, false), (0.75, false), (1.0, false)]);
    Ok(())
}
