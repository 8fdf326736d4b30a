//! The PID controller: comparison with the sampled solution of a double integrator, by powers of one matrix.

use ndarray::{Array1, Array2, array};
use siconos_control::{Actuator, ControlLoop, LinearSensor, Pid, PidGains, Sampling};
use siconos_testkit::compare::worse;

use super::plants::{Plant, difference, double_integrator};

const H: f64 = 0.05;
const GAINS: PidGains =
    PidGains { proportional: 6.0, integral: 2.0, derivative: 4.0, filter_time: 0.02, tracking_time: None };

/// Returns the matrix of one period of the closed loop without bounds, for (q, v, I, D, previous e, r), with
/// the formulas of the documentation of `Pid`.
fn period() -> Array2<f64> {
    let PidGains { proportional, integral, derivative, filter_time, .. } = GAINS;
    // Rows of the new values as functions of (q, v, I, D, e, r).
    let error = array![-1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    let before = array![0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let filtered = array![0.0, 0.0, 0.0, filter_time, 0.0, 0.0];
    let d: Array1<f64> = (filtered + derivative * (&error - &before)) / (filter_time + H);
    let i = array![0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    let u = proportional * &error + &i + &d;
    let q = array![1.0, H, 0.0, 0.0, 0.0, 0.0] + 0.5 * H * H * &u;
    let v = array![0.0, 1.0, 0.0, 0.0, 0.0, 0.0] + H * &u;
    let next = i + H * integral * &error;
    let reference = array![0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    ndarray::stack(ndarray::Axis(0), &[&q, &v, &next, &d, &error, &reference].map(|row| row.view())).unwrap()
}

fn controlled(
    plant: &Plant,
    pid: Pid,
    t_end: f64,
) -> (Vec<Vec<f64>>, ControlLoop, siconos_control::ActuatorId) {
    let mut control = ControlLoop::default();
    let q = control.add_sensor(Sampling::every(H), LinearSensor::new([plant.x], array![[1.0, 0.0]]).unwrap());
    let id = control.add_actuator(Sampling::every(H), pid, q, plant.u).unwrap();
    let states = plant.run(&mut control, t_end, H);
    (states, control, id)
}

#[test]
fn the_closed_loop_is_a_power_of_one_matrix() {
    let (a, b) = double_integrator();
    let plant = Plant::new(a, b, &[0.2, -0.3]);
    let pid = Pid::new(GAINS, H).unwrap().with_reference(1.0).unwrap();
    let (states, _, _) = controlled(&plant, pid, 10.0);
    let period = period();
    let mut power = Array2::eye(6);
    // The previous error of the first sample equals the first error.
    let begin = array![0.2, -0.3, 0.0, 0.0, 0.8, 1.0];
    let mut exact = Vec::new();
    for _ in 0..=200 {
        let x: Array1<f64> = power.dot(&begin);
        exact.push(vec![x[0], x[1]]);
        power = power.dot(&period);
    }
    let off = difference(&states, &exact);
    assert!(off < 1e-12, "{off:e}");
    assert!((states[200][0] - 1.0).abs() < 0.1, "it has settled near the reference");
}

/// With bounds, the integral does not wind up: the overshoot is far smaller than without tracking.
#[test]
fn bounds_hold_and_the_integral_follows() {
    let (a, b) = double_integrator();
    let plant = Plant::new(a, b, &[0.0, 0.0]);
    let overshoot = |tracking_time: f64| {
        let gains = PidGains { tracking_time: Some(tracking_time), ..GAINS };
        let pid = Pid::new(gains, H).unwrap().with_reference(5.0).unwrap().with_bounds(-1.0, 1.0).unwrap();
        let (states, control, id) = controlled(&plant, pid, 20.0);
        let samples = control.actuator(id).unwrap().samples();
        assert!(samples.iter().all(|sample| sample.value[0].abs() <= 1.0));
        assert!(samples.iter().any(|sample| sample.value[0] == -1.0 || sample.value[0] == 1.0));
        for (sample, next) in samples.iter().zip(samples.iter().skip(1)) {
            let [p, i, d] = sample.terms else { panic!("three terms") };
            let expected = i
                + H * GAINS.integral * p / GAINS.proportional
                + H / tracking_time * (sample.value[0] - (p + i + d));
            assert!((next.terms[1] - expected).abs() < 1e-12 * (1.0 + i.abs()));
        }
        states.iter().map(|x| x[0]).fold(0.0, worse)
    };
    let (tracked, wound_up) = (overshoot(H), overshoot(1e9));
    assert!(tracked < 7.0 && wound_up > tracked + 1.0, "{tracked} {wound_up}");
}

/// The reference is a ramp. With a double integrator, the integral action removes the error.
#[test]
fn a_reference_of_time() {
    let (a, b) = double_integrator();
    let plant = Plant::new(a, b, &[0.0, 0.0]);
    let pid = Pid::new(GAINS, H).unwrap().with_reference_function(|at| 0.5 * at.t);
    let (states, _, _) = controlled(&plant, pid, 60.0);
    let last = states.last().unwrap();
    assert!((last[0] - 30.0).abs() < 1e-6 && (last[1] - 0.5).abs() < 1e-6, "{last:?}");
}

/// The response to an impulse has the transfer function in the documentation of `Pid`.
#[test]
fn the_controller_alone_is_its_transfer_function() {
    let mut pid = Pid::new(GAINS, H).unwrap();
    let mut u = [0.0];
    let PidGains { proportional, integral, derivative, filter_time, .. } = GAINS;
    let mut impulse = 0.0;
    let mut pulse = vec![0.0, 1.0];
    pulse.extend([0.0; 20]);
    for (k, e) in pulse.iter().enumerate() {
        pid.act(0.0.into(), &[-e], &mut u).unwrap();
        // Kd (z - 1) / ((Tf + h) z - Tf) contributes its powers, h Ki / (z - 1) a step that is delayed by one
        // sample.
        let pole = filter_time / (filter_time + H);
        if k >= 1 {
            let n = i32::try_from(k).unwrap() - 1;
            let before = if n == 0 { 0.0 } else { pole.powi(n - 1) };
            let d = derivative / (filter_time + H) * (pole.powi(n) - before);
            let p = if n == 0 { proportional } else { 0.0 };
            impulse = p + d + if n == 0 { 0.0 } else { H * integral };
        }
        assert!((u[0] - impulse).abs() < 1e-13, "{k}: {} {impulse}", u[0]);
    }
}
