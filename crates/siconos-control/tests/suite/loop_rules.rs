//! The loop itself: delays, order of samples, records, allocations, and bitwise repetition.

use ndarray::array;
use siconos_control::{
    Actuator, ControlError, ControlLoop, EquivalentControl, FunctionActuator, HeldPlant, LinearSensor,
    LinearSlidingMode, LuenbergerObserver, Ports, Sampling, SlidingReducedOrderObserver, Twisting,
};
use siconos_kernel::prelude::*;
use siconos_testkit::allocation::count_allocations;

use super::grid;
use super::plants::{Plant, all_states, double_integrator};

const H: f64 = 0.05;
const SAMPLING: Sampling = Sampling::every(H);

fn plant() -> Plant {
    let (a, b) = double_integrator();
    Plant::new(a, b, &[1.0, 0.3])
}

#[test]
fn a_delay_is_so_many_samples() {
    for delay in [0, 1, 3] {
        let plant = plant();
        let mut control = ControlLoop::default();
        let now = control.add_sensor(SAMPLING, all_states(&plant, 2));
        let late = control.add_sensor(SAMPLING, all_states(&plant, 2).with_delay(delay));
        let feedback = FunctionActuator::new(2, 1, |_, x, u| u[0] = -x[0] - x[1]);
        control.add_actuator(SAMPLING, feedback, late, plant.u).unwrap();
        // After a restart, the delayed measurements are empty again.
        for _ in 0..2 {
            control.restart();
            plant.run(&mut control, 2.0, H);
            let [now, late] = [now, late].map(|id| control.sensor(id).unwrap().samples());
            assert_eq!(now.len(), 41);
            for k in 0..41_usize {
                let known = now.get(k.saturating_sub(delay)).unwrap();
                assert_eq!(late.get(k).unwrap().value, known.value, "delay {delay}, sample {k}");
            }
        }
    }
}

/// A controller with a component of each kind.
fn everything(plant: &Plant) -> ControlLoop {
    let (a, b) = double_integrator();
    let held = HeldPlant::new(a, b, H).unwrap();
    let mut control = ControlLoop::default();
    let y =
        control.add_sensor(SAMPLING, LinearSensor::new([plant.x], array![[1.0, 0.0]]).unwrap().with_delay(1));
    let c = array![[1.0, 0.0]];
    let luenberger = LuenbergerObserver::new(&held, c.clone(), array![[8.0], [16.0]], vec![0.0; 2]).unwrap();
    let luenberger = control.add_observer(SAMPLING, luenberger, y, [plant.u]).unwrap();
    let sliding =
        SlidingReducedOrderObserver::new(&held, c, array![[1.0], [2.0]], &[4.0], vec![0.0; 2]).unwrap();
    control.add_observer(SAMPLING, sliding, y, [plant.u]).unwrap();
    let twisting = Twisting::implicit(&held, &[1.0, 0.0], [3.0, 2.0]).unwrap();
    control.add_actuator(SAMPLING, twisting, luenberger, plant.u).unwrap();
    let sliding =
        LinearSlidingMode::new(&held, array![[1.0, 1.0]], &[2.0], EquivalentControl::SecondOrder).unwrap();
    control.add_actuator(SAMPLING, sliding, luenberger, plant.spare).unwrap();
    control
}

#[test]
fn without_records_nothing_is_allocated_in_steady_state() {
    let plant = plant();
    let mut control = everything(&plant);
    control.set_recording(false);
    let mut sim = TimeStepping::builder(&plant.model)
        .discretisation(grid(20.0, H))
        .integrator(ZeroOrderHold::default())
        .build()
        .unwrap();
    control.schedule(&plant.model, sim.events_mut()).unwrap();
    let mut state = sim.initial_state(&plant.model).unwrap();
    let mut steps = |count: usize| {
        for _ in 0..count {
            let report = sim.step(&plant.model, &mut state).unwrap().unwrap();
            control.process(report.events, &plant.model, &mut state).unwrap();
        }
    };
    // The number of past events that are kept is limited.
    steps(300);
    assert_eq!(count_allocations(|| steps(90)), 0);
}

#[test]
fn two_runs_have_the_same_bits() {
    let plant = plant();
    let mut control = everything(&plant);
    let first = plant.run(&mut control, 5.0, H);
    control.restart();
    let again = plant.run(&mut control, 5.0, H);
    let anew = plant.run(&mut everything(&plant), 5.0, H);
    let bits = |states: &[Vec<f64>]| states.iter().flatten().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&first), bits(&again));
    assert_eq!(bits(&first), bits(&anew));
}

/// A component that is sampled before the signal that it reads, and a sample between two points of the grid.
#[test]
fn samples_out_of_time_are_refused() {
    let run = |sensor: Sampling, actuator: Sampling, h: f64| {
        let plant = plant();
        let mut control = ControlLoop::default();
        let x = control.add_sensor(sensor, all_states(&plant, 2));
        let feedback = FunctionActuator::new(2, 1, |_, x, u| u[0] = -x[0]);
        control.add_actuator(actuator, feedback, x, plant.u).unwrap();
        let mut sim = TimeStepping::builder(&plant.model)
            .discretisation(grid(1.0, h))
            .integrator(ZeroOrderHold::default())
            .build()
            .unwrap();
        control.schedule(&plant.model, sim.events_mut()).unwrap();
        let mut state = sim.initial_state(&plant.model).unwrap();
        while let Some(report) = sim.step(&plant.model, &mut state).unwrap() {
            control.process(report.events, &plant.model, &mut state)?;
        }
        Ok(())
    };
    let late = Sampling { first: H, period: H };
    let error = run(late, SAMPLING, H).unwrap_err();
    assert!(matches!(error, ControlError::NotSampledYet { time: 0.0, .. }), "{error}");
    assert_eq!(run(SAMPLING, late, H), Ok(()));
    let error = run(SAMPLING, SAMPLING, 0.02).unwrap_err();
    assert_eq!(error, ControlError::BetweenPoints { due: 0.05, reached: 0.06 });
    assert!(error.to_string().contains("multiples"));
}

/// A user-defined actuator that reports an error, and one whose value is not finite.
#[test]
fn what_an_actuator_says_reaches_the_caller() {
    #[derive(Debug)]
    struct Refuses;
    impl Actuator for Refuses {
        fn ports(&self) -> Ports {
            Ports { takes: 2, gives: 1, period: None }
        }
        fn act(&mut self, at: At<'_>, _: &[f64], _: &mut [f64]) -> Result<(), ControlError> {
            Err(ControlError::Refused { why: format!("not at t = {}", at.t) })
        }
    }
    fn first_error(actuator: impl Actuator + 'static) -> String {
        let plant = plant();
        let mut control = ControlLoop::default();
        let x = control.add_sensor(SAMPLING, all_states(&plant, 2));
        control.add_named_actuator("motor", SAMPLING, actuator, x, plant.u).unwrap();
        let mut sim = TimeStepping::builder(&plant.model)
            .discretisation(grid(1.0, H))
            .integrator(ZeroOrderHold::default())
            .build()
            .unwrap();
        control.schedule(&plant.model, sim.events_mut()).unwrap();
        let mut state = sim.initial_state(&plant.model).unwrap();
        let report = sim.step(&plant.model, &mut state).unwrap().unwrap();
        control.process(report.events, &plant.model, &mut state).unwrap_err().to_string()
    }
    let refused = first_error(Refuses);
    assert_eq!(refused, "t = 0: actuator `motor`: not at t = 0");
    let not_finite = first_error(FunctionActuator::new(2, 1, |_, _, u| u[0] = f64::NAN));
    assert_eq!(not_finite, "t = 0: actuator `motor`: `u` must be finite, but entry 0 is NaN");
}

/// A second actuator of an input would overwrite the first, and two devices with one name could not be
/// distinguished.
#[test]
fn an_input_has_one_actuator_and_a_name_one_device() {
    let plant = plant();
    let mut control = ControlLoop::default();
    let x = control.add_named_sensor("gauge", SAMPLING, all_states(&plant, 2)).unwrap();
    let taken = control.add_named_sensor("gauge", SAMPLING, all_states(&plant, 2));
    assert!(matches!(taken, Err(ControlError::Model(ModelError::NameTaken { .. }))), "{taken:?}");
    let feedback = || FunctionActuator::new(2, 1, |_, x, u| u[0] = -x[0]);
    let first = control.add_actuator(SAMPLING, feedback(), x, plant.u).unwrap();
    let second = control.add_actuator(SAMPLING, feedback(), x, plant.u);
    assert_eq!(second, Err(ControlError::InputTaken { input: plant.u, by: first }));
}
