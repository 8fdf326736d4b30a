//! One controller in three simulations: zero-order hold, event-driven, and time-stepping of a mass.

use ndarray::array;
use siconos_control::{
    ControlLoop, EquivalentControl, HeldPlant, LinearSensor, LinearSlidingMode, Pid, PidGains, Sampling,
    Twisting,
};
use siconos_kernel::prelude::*;

use super::grid;
use super::plants::{Plant, all_states, difference, double_integrator};

const H: f64 = 0.05;

fn loops() -> Vec<(Plant, ControlLoop)> {
    let sampling = Sampling::every(H);
    let plant = || {
        let (a, b) = double_integrator();
        Plant::new(a, b, &[1.0, 0.3])
    };
    let (a, b) = double_integrator();
    let held = HeldPlant::new(a, b, H).unwrap();
    let mut all = Vec::new();
    {
        let (plant, mut control) = (plant(), ControlLoop::default());
        let q = control.add_sensor(sampling, LinearSensor::new([plant.x], array![[1.0, 0.0]]).unwrap());
        let gains = PidGains { proportional: 3.0, integral: 0.5, derivative: 2.0, ..PidGains::default() };
        let pid = Pid::new(gains, H).unwrap().with_bounds(-1.5, 1.5).unwrap();
        control.add_actuator(sampling, pid, q, plant.u).unwrap();
        all.push((plant, control));
    }
    {
        let (plant, mut control) = (plant(), ControlLoop::default());
        let x = control.add_sensor(sampling, all_states(&plant, 2));
        let sliding =
            LinearSlidingMode::new(&held, array![[1.0, 1.0]], &[2.0], EquivalentControl::FirstOrder).unwrap();
        control.add_actuator(sampling, sliding, x, plant.u).unwrap();
        all.push((plant, control));
    }
    {
        let (plant, mut control) = (plant(), ControlLoop::default());
        let x = control.add_sensor(sampling, all_states(&plant, 2));
        let twisting = Twisting::implicit(&held, &[1.0, 0.0], [3.0, 2.0]).unwrap();
        control.add_actuator(sampling, twisting, x, plant.u).unwrap();
        all.push((plant, control));
    }
    all
}

#[test]
fn a_plant_by_events_gives_the_samples_of_the_plant_by_hold() {
    let mut by_events = loops();
    for (k, (plant, mut control)) in loops().into_iter().enumerate() {
        let hold = plant.run(&mut control, 5.0, H);
        let (plant, control) = &mut by_events[k];
        let events = plant.run_by_events(control, 5.0, H);
        let off = difference(&hold, &events);
        assert!(off < 1e-9, "loop {k}: {off:e}");
    }
}

/// A mass under the scheme of Moreau and Jean, in steps of a fifth of the period, with a sensor of (q, v).
#[test]
fn so_does_a_mass_under_time_stepping() {
    let (plant, mut control) = loops().remove(0);
    let hold = plant.run(&mut control, 5.0, H);

    let mut model = NonSmoothDynamicalSystem::new();
    let u = model.add_parameter("u", vec![0.0]).unwrap();
    let mass = LagrangianLinear::new(vec![1.0], vec![0.3], array![1.0])
        .with_external_force(move |at, f| f[0] = at[u][0]);
    let mass = model.add_system(mass).unwrap();
    let mut control = ControlLoop::default();
    let q = control.add_sensor(Sampling::every(H), LinearSensor::new([mass], array![[1.0, 0.0]]).unwrap());
    let gains = PidGains { proportional: 3.0, integral: 0.5, derivative: 2.0, ..PidGains::default() };
    let pid = Pid::new(gains, H).unwrap().with_bounds(-1.5, 1.5).unwrap();
    control.add_actuator(Sampling::every(H), pid, q, u).unwrap();
    let mut sim = TimeStepping::builder(&model).discretisation(grid(5.0, H / 5.0)).build().unwrap();
    control.schedule(&model, sim.events_mut()).unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    while let Some(report) = sim.step(&model, &mut state).unwrap() {
        control.process(report.events, &model, &mut state).unwrap();
    }
    let seen: Vec<_> = control.sensor(q).unwrap().samples().iter().map(|y| y.value.to_vec()).collect();
    let expected: Vec<_> = hold.iter().map(|x| vec![x[0]]).collect();
    assert!(difference(&seen, &expected) < 1e-12);
}
