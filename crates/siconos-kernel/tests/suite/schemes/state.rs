//! Mean velocities that schemes store in the state. A record contains them. They are discarded if the user or
//! another scheme changes a system, and kept if the model changes. Other changes leave the motion unchanged
//! to the last bit.

use ndarray::array;
use siconos_kernel::prelude::*;
use siconos_testkit::allocation::count_allocations;

use super::model::{Oscillator, simulation};
use crate::common::grid;

fn schemes() -> [Integrator; 3] {
    [SchatzmanPaoli::default().into(), ModalExact::default().into(), D1MinusLinear::default().into()]
}

fn bouncer() -> Oscillator {
    Oscillator { damping: 0.1, stiffness: 5.0, force: -4.0, restitution: Some(0.7), ..Oscillator::default() }
}

/// Makes a number of steps.
fn take(simulation: &mut TimeStepping, model: &NonSmoothDynamicalSystem, state: &mut State, steps: usize) {
    for _ in 0..steps {
        simulation.step(model, state).unwrap().expect("not at the end");
    }
}

fn bits(state: &State, of: DynamicalSystemId) -> [u64; 3] {
    [state.q(of)[0], state.v(of)[0], state.impulse(of)[0]].map(f64::to_bits)
}

#[test]
fn a_record_goes_on_to_the_last_bit() {
    for scheme in schemes() {
        let mut model = NonSmoothDynamicalSystem::new();
        let ball = bouncer().add_to(&mut model);
        let mut one = simulation(&model, scheme, 3.0, 0.01);
        let mut state = one.initial_state(&model).unwrap();
        take(&mut one, &model, &mut state, 123);
        let text = serde_json::to_string(&state.record(&model).unwrap()).unwrap();
        let mut again = State::restore(&model, &serde_json::from_str(&text).unwrap()).unwrap();
        let mut other = simulation(&model, scheme, 3.0, 0.01);
        take(&mut one, &model, &mut state, 150);
        take(&mut other, &model, &mut again, 150);
        assert_eq!(bits(&state, ball), bits(&again, ball), "{}", scheme.name());
    }
}

#[test]
fn a_state_that_was_set_begins_anew() {
    for scheme in schemes() {
        let mut model = NonSmoothDynamicalSystem::new();
        let ball = bouncer().add_to(&mut model);
        let mut simulation = simulation(&model, scheme, 3.0, 0.01);
        let fresh = |simulation: &mut TimeStepping| {
            let mut state = State::new(&model, 0.0);
            take(simulation, &model, &mut state, 1);
            bits(&state, ball)
        };
        let expected = fresh(&mut simulation);
        let mut state = State::new(&model, 0.0);
        take(&mut simulation, &model, &mut state, 80);
        // The user sets the initial state again.
        state.t = 0.0;
        state.set_position(ball, &[1.0]).unwrap();
        state.set_velocity(ball, &[0.0]).unwrap();
        take(&mut simulation, &model, &mut state, 1);
        assert_eq!(bits(&state, ball), expected, "{}", scheme.name());
    }
}

#[test]
fn another_scheme_in_between_makes_it_begin_anew() {
    let mut model = NonSmoothDynamicalSystem::new();
    let ball = Oscillator { stiffness: 5.0, ..Oscillator::default() }.add_to(&mut model);
    for scheme in schemes() {
        let mut own = simulation(&model, scheme, 3.0, 0.01);
        let mut other = simulation(&model, MoreauJean::default(), 3.0, 0.01);
        let mut state = State::new(&model, 0.0);
        take(&mut own, &model, &mut state, 50);
        take(&mut other, &model, &mut state, 50);
        let mut set = state.clone();
        let v = state.v(ball)[0];
        set.set_velocity(ball, &[v]).unwrap();
        take(&mut own, &model, &mut state, 1);
        take(&mut own, &model, &mut set, 1);
        assert_eq!(bits(&state, ball), bits(&set, ball), "{}", scheme.name());
    }
}

#[test]
fn strangers_that_come_and_go_change_no_bit() {
    for scheme in schemes() {
        let run = |with_strangers: bool| {
            let mut model = NonSmoothDynamicalSystem::new();
            let ball = bouncer().add_to(&mut model);
            let mut simulation = simulation(&model, scheme, 3.0, 0.01);
            let mut state = simulation.initial_state(&model).unwrap();
            for part in 0..5 {
                let stranger = with_strangers.then(|| Oscillator::default().add_to(&mut model));
                take(&mut simulation, &model, &mut state, 20 + part);
                if let Some(stranger) = stranger.filter(|_| part % 2 == 0) {
                    model.remove_system(stranger).unwrap();
                }
                take(&mut simulation, &model, &mut state, 20);
            }
            bits(&state, ball)
        };
        assert_eq!(run(true), run(false), "{}", scheme.name());
    }
}

#[test]
fn four_schemes_live_beside_each_other() {
    let mut model = NonSmoothDynamicalSystem::new();
    let balls = [(); 4].map(|()| bouncer().add_to(&mut model));
    let [first, second, third] = schemes();
    let mut mixed = TimeStepping::builder(&model)
        .discretisation(grid(3.0, 0.01))
        .integrator_for(balls[1], first)
        .integrator_for(balls[2], second)
        .integrator_for(balls[3], third)
        .build()
        .unwrap();
    let mut state = mixed.initial_state(&model).unwrap();
    take(&mut mixed, &model, &mut state, 250);
    for (ball, scheme) in balls.into_iter().zip([MoreauJean::default().into(), first, second, third]) {
        let mut alone = simulation(&model, scheme, 3.0, 0.01);
        let mut expected = alone.initial_state(&model).unwrap();
        take(&mut alone, &model, &mut expected, 250);
        assert_eq!(bits(&state, ball), bits(&expected, ball), "{}", scheme.name());
    }
}

#[test]
fn powers_of_two_of_mass_length_and_time_scale_to_the_last_bit() {
    for scheme in schemes() {
        let end = |mass: f64, length: f64, time: f64| {
            let of = Oscillator {
                mass,
                damping: 0.1 * mass / time,
                stiffness: 5.0 * mass / (time * time),
                force: -4.0 * mass * length / (time * time),
                start: (length, 0.25 * length / time),
                restitution: Some(0.7),
            };
            let (q, v) = *of.run(scheme, 3.0 * time, 0.01 * time).last().unwrap();
            [q / length, v * time / length].map(f64::to_bits)
        };
        let expected = end(1.0, 1.0, 1.0);
        for (mass, length, time) in
            [(1024.0, 1.0, 1.0), (1.0, 0.125, 1.0), (1.0, 1.0, 64.0), (0.25, 32.0, 0.5)]
        {
            assert_eq!(end(mass, length, time), expected, "{}: {mass} {length} {time}", scheme.name());
        }
    }
}

#[test]
fn a_steady_step_allocates_nothing() {
    for scheme in schemes() {
        let mut model = NonSmoothDynamicalSystem::new();
        bouncer().add_to(&mut model);
        let mut simulation = simulation(&model, scheme, 30.0, 0.01);
        let mut state = simulation.initial_state(&model).unwrap();
        take(&mut simulation, &model, &mut state, 500);
        let count = count_allocations(|| take(&mut simulation, &model, &mut state, 1000));
        assert_eq!(count, 0, "{}", scheme.name());
    }
}

#[test]
fn adaptive_steps_are_refused() {
    let mut model = NonSmoothDynamicalSystem::new();
    bouncer().add_to(&mut model);
    for scheme in schemes() {
        let mut simulation = simulation(&model, scheme, 3.0, 0.01);
        let mut state = simulation.initial_state(&model).unwrap();
        let mut adaptive = AdaptiveStepping::new(AdaptiveSettings::default()).unwrap();
        let text = adaptive.step(&mut simulation, &model, &mut state, 1.0).unwrap_err().to_string();
        assert!(text.contains(scheme.name()), "{text}");
    }
}

/// Each step stores the velocities, and the states of first-order systems, at its beginning.
#[test]
fn the_state_contains_the_velocity_at_the_beginning_of_the_step() -> Result<(), Error> {
    let mut model = NonSmoothDynamicalSystem::new();
    let ball =
        LagrangianLinear::new(vec![0.1], vec![-1.0], array![[2.0]]).with_constant_external_force(vec![-20.0]);
    let ball = model.add_system(ball)?;
    let floor = LagrangianLinearRelation::new(array![[1.0]]);
    model.add_interaction([ball], floor, NewtonImpact::new(0.5)?)?;
    let decay = model.add_system(FirstOrderLinear::new(vec![3.0], array![[-2.0]]))?;
    let mut simulation = TimeStepping::builder(&model).discretisation(grid(0.5, 1e-2)).build()?;
    let mut state = simulation.initial_state(&model)?;
    let before = |state: &State| [state.v_before(ball)[0], state.x_at(EventSide::Before, decay)[0]];
    let mut expected = [state.v(ball)[0], state.x(decay)[0]];
    let mut impacts = 0;
    assert_eq!(before(&state), expected);
    simulation.run(&model, &mut state, |_, state| {
        assert_eq!(before(state), expected);
        expected = [state.v(ball)[0], state.x(decay)[0]];
        impacts += usize::from(state.v_before(ball)[0] < 0.0 && state.v(ball)[0] > 0.0);
    })?;
    assert!(impacts > 1, "{impacts}");
    Ok(())
}
