//! Different sampling periods: plant h, control 2 h, observer 5 h. The motion over a common period of 10 h is
//! compared with one product of matrices.

use ndarray::{Array2, array, s};
use siconos_control::{ControlLoop, FunctionActuator, HeldPlant, LinearSensor, LuenbergerObserver, Sampling};

use super::plants::{Plant, difference, double_integrator};

const H: f64 = 0.02;
const FEEDBACK: [f64; 2] = [2.0, 2.5];

/// Number of variables: x (2), estimate (2), innovation (1), u (1).
const SIZE: usize = 6;

/// Step of the plant over h with u held.
fn plant_step() -> Array2<f64> {
    let (a, b) = double_integrator();
    let held = HeldPlant::new(a, b, H).unwrap();
    let mut step = Array2::eye(SIZE);
    step.slice_mut(s![..2, ..2]).assign(held.phi());
    step.slice_mut(s![..2, 5..]).assign(held.psi());
    step
}

/// Sample of the observer: the prediction, followed by the innovation of the measurement.
fn observer_step(held: &HeldPlant, gain: &Array2<f64>, predicts: bool) -> Array2<f64> {
    let mut predict = Array2::eye(SIZE);
    if predicts {
        predict.slice_mut(s![2..4, 2..4]).assign(held.phi());
        predict.slice_mut(s![2..4, 4..5]).assign(&held.integral().dot(gain));
        predict.slice_mut(s![2..4, 5..]).assign(held.psi());
    }
    let mut measure = Array2::eye(SIZE);
    measure.slice_mut(s![4, ..]).assign(&array![1.0, 0.0, -1.0, 0.0, 0.0, 0.0]);
    measure.dot(&predict)
}

fn control_step() -> Array2<f64> {
    let mut step = Array2::eye(SIZE);
    step.slice_mut(s![5, ..]).assign(&array![0.0, 0.0, -FEEDBACK[0], -FEEDBACK[1], 0.0, 0.0]);
    step
}

#[test]
fn three_rates_are_one_matrix_per_period() {
    let (a, b) = double_integrator();
    let held = HeldPlant::new(a.clone(), b.clone(), 5.0 * H).unwrap();
    let (c, gain) = (array![[1.0, 0.0]], array![[6.0], [8.0]]);
    let plant = Plant::new(a, b, &[1.0, -0.2]);

    let mut control = ControlLoop::default();
    let sensor = LinearSensor::new([plant.x], c.clone()).unwrap();
    let y = control.add_sensor(Sampling::every(H), sensor);
    let observer = LuenbergerObserver::new(&held, c, gain.clone(), vec![0.5, 0.0]).unwrap();
    let slow = Sampling::every(5.0 * H);
    let estimate = control.add_observer(slow, observer, y, [plant.u]).unwrap();
    let feedback = FunctionActuator::new(2, 1, |_, x, u| u[0] = -FEEDBACK[0] * x[0] - FEEDBACK[1] * x[1]);
    let id = control.add_actuator(Sampling::every(2.0 * H), feedback, estimate, plant.u).unwrap();
    let states = plant.run(&mut control, 8.0, H);

    // One matrix maps the variables after the samples at t = 0 to the variables after the samples at 10 h.
    let (move_on, act) = (plant_step(), control_step());
    let observe = observer_step(&held, &gain, true);
    let mut period: Array2<f64> = Array2::eye(SIZE);
    for k in 1..=10 {
        period = move_on.dot(&period);
        if k % 5 == 0 {
            period = observe.dot(&period);
        }
        if k % 2 == 0 {
            period = act.dot(&period);
        }
    }
    let begin = act.dot(&observer_step(&held, &gain, false)).dot(&array![1.0, -0.2, 0.5, 0.0, 0.0, 0.0]);
    let mut exact = begin.clone();
    let mut all = Vec::new();
    let every_tenth: Vec<_> = states.iter().step_by(10).cloned().collect();
    let mut u = Vec::new();
    for _ in 0..every_tenth.len() {
        all.push(vec![exact[0], exact[1]]);
        u.push(vec![exact[5]]);
        exact = period.dot(&exact);
    }
    assert_eq!(all.len(), 41);
    let off = difference(&every_tenth, &all);
    assert!(off < 1e-12, "{off:e}");
    let inputs: Vec<_> = control
        .actuator(id)
        .unwrap()
        .samples()
        .iter()
        .step_by(5)
        .map(|sample| sample.value.to_vec())
        .collect();
    assert!(difference(&inputs, &u) < 1e-12);
    let counts = [control.sensor(y).unwrap().samples(), control.observer(estimate).unwrap().samples()];
    assert_eq!(counts.map(siconos_control::Samples::len), [401, 81]);
}
