//! Internal states of devices. A device that restores the state of another one continues bit for bit, and
//! rejects states of another length.

use ndarray::{Array2, array};
use siconos_control::{
    Actuator, ControlError, ControlLoop, ControlRecord, EquivalentControl, ExplicitLinearSlidingMode,
    HeldPlant, LinearSlidingMode, LuenbergerObserver, Observer, ObserverInput, Pid, PidGains, Sampling,
    SlidingReducedOrderObserver, Twisting,
};

use super::plants::{Plant, all_states, double_integrator};

const H: f64 = 0.05;

fn plant() -> HeldPlant {
    let (a, b) = double_integrator();
    HeldPlant::new(a, b, H).unwrap()
}

/// Returns the measurement of sample k, which does not follow from the model.
fn measured(k: usize) -> [f64; 2] {
    let t = H * k as f64;
    [(3.0 * t).sin() + 0.25, (2.0 * t).cos() - 0.5 * t]
}

fn actuators() -> Vec<Box<dyn Actuator>> {
    let gains = PidGains {
        proportional: 2.0,
        integral: 1.0,
        derivative: 0.5,
        filter_time: 0.1,
        tracking_time: Some(0.2),
    };
    let pid = Pid::new(gains, H).unwrap().with_bounds(-1.0, 1.0).unwrap();
    let (c, order) = (array![[2.0, 1.0]], EquivalentControl::SecondOrder);
    vec![
        Box::new(pid),
        Box::new(LinearSlidingMode::new(&plant(), c.clone(), &[1.0], order).unwrap()),
        Box::new(ExplicitLinearSlidingMode::new(&plant(), c, &[1.0], order).unwrap()),
        Box::new(Twisting::implicit(&plant(), &[1.0, 0.0], [3.0, 2.0]).unwrap()),
    ]
}

fn observers() -> Vec<Box<dyn Observer>> {
    let (eye, first) = (Array2::eye(2), vec![0.5, 0.0]);
    let linear =
        LuenbergerObserver::new(&plant(), eye.clone(), array![[1.0, 0.0], [0.0, 2.0]], first.clone());
    let signs = SlidingReducedOrderObserver::new(&plant(), eye.clone(), eye, &[2.0, 3.0], first);
    vec![Box::new(linear.unwrap()), Box::new(signs.unwrap())]
}

/// Returns u and the terms of an actuator at a range of samples.
fn acts(actuator: &mut dyn Actuator, samples: std::ops::Range<usize>) -> Vec<u64> {
    let takes = actuator.ports().takes;
    let mut found = Vec::new();
    for k in samples {
        let mut u = [0.0];
        actuator.act((H * k as f64).into(), &measured(k)[..takes], &mut u).unwrap();
        found.extend(u.iter().chain(actuator.terms()).map(|number| number.to_bits()));
    }
    found
}

fn estimates(observer: &mut dyn Observer, samples: std::ops::Range<usize>) -> Vec<u64> {
    let mut found = Vec::new();
    for k in samples {
        let mut x = [0.0; 2];
        let known = ObserverInput { t: H * k as f64, y: &measured(k), u: &[measured(k)[0]] };
        observer.estimate(known, &mut x).unwrap();
        found.extend(x.map(f64::to_bits));
    }
    found
}

#[test]
fn actuators_go_on_from_what_others_kept() {
    for (mut one, mut other) in actuators().into_iter().zip(actuators()) {
        assert!(other.recall(&one.memory()), "{one:?} before the first sample");
        acts(&mut *one, 0..7);
        acts(&mut *other, 0..3);
        let memory = one.memory();
        assert!(other.recall(&memory), "{one:?}");
        assert_eq!(acts(&mut *one, 7..20), acts(&mut *other, 7..20), "{one:?}");
        assert!(!other.recall(&memory[1..]) && !other.recall(&[&memory[..], &[0.0]].concat()), "{one:?}");
    }
}

#[test]
fn observers_go_on_from_what_others_kept() {
    for (mut one, mut other) in observers().into_iter().zip(observers()) {
        assert!(other.recall(&one.memory()), "{one:?} before the first sample");
        estimates(&mut *one, 0..7);
        estimates(&mut *other, 0..3);
        let memory = one.memory();
        assert!(other.recall(&memory), "{one:?}");
        assert_eq!(estimates(&mut *one, 7..20), estimates(&mut *other, 7..20), "{one:?}");
        assert!(!other.recall(&memory[1..]) && !other.recall(&[&memory[..], &[0.0]].concat()), "{one:?}");
    }
}

#[test]
fn records_of_other_loops_are_refused() {
    let (a, b) = double_integrator();
    let plant = Plant::new(a, b, &[1.0, 0.3]);
    let with = |delay: usize| {
        let mut control = ControlLoop::default();
        control.add_sensor(Sampling::every(H), all_states(&plant, 2).with_delay(delay));
        control
    };
    let mut control = with(3);
    plant.run(&mut control, 1.0, H);
    let record = control.record();
    with(3).restore(&record).unwrap();
    for mut other in [with(2), ControlLoop::default()] {
        let refused = other.restore(&record).unwrap_err();
        assert!(matches!(refused, ControlError::OtherLoop { .. }), "{refused}");
    }
    let text = serde_json::to_string(&record).unwrap();
    assert_eq!(serde_json::from_str::<ControlRecord>(&text).unwrap(), record);
}
