//! Observers: each sample multiplies the error by the matrix of the error dynamics. The error decays at the
//! rate of the spectral radius of this matrix.

use ndarray::{Array1, Array2, array};
use siconos_control::{
    ControlLoop, FunctionActuator, HeldPlant, LinearSensor, LuenbergerObserver, Observer, Sampling,
    SlidingReducedOrderObserver,
};
use siconos_linalg::eigenvalues;

use super::plants::Plant;

const H: f64 = 0.05;
const SAMPLING: Sampling = Sampling::every(H);

/// A system with three states, of which the first is measured.
fn system() -> (Array2<f64>, Array2<f64>, Array2<f64>) {
    let a = array![[0.0, 1.0, 0.0], [-2.0, -0.3, 1.0], [0.0, -1.0, -0.2]];
    (a, array![[0.0], [1.0], [0.5]], array![[1.0, 0.0, 0.0]])
}

/// Returns the errors of the estimates for a plant with an input that depends on time.
fn errors(observer: impl Observer + 'static, feedthrough: Option<Array2<f64>>) -> Vec<Array1<f64>> {
    let (a, b, c) = system();
    let plant = Plant::new(a, b, &[1.0, -0.5, 0.8]);
    let mut control = ControlLoop::default();
    let mut sensor = LinearSensor::new([plant.x], c).unwrap();
    if let Some(d) = feedthrough {
        sensor = sensor.with_feedthrough(d, plant.u).unwrap();
    }
    let y = control.add_sensor(SAMPLING, sensor);
    let estimate = control.add_observer(SAMPLING, observer, y, [plant.u]).unwrap();
    let input = FunctionActuator::new(1, 1, |at, _, u| u[0] = (2.0 * at.t).sin());
    control.add_actuator(SAMPLING, input, y, plant.u).unwrap();
    let states = plant.run(&mut control, 12.0, H);
    let samples = control.observer(estimate).unwrap().samples();
    assert_eq!(samples.len(), states.len());
    let error = |(x, sample): (&Vec<f64>, siconos_control::Sample<'_>)| {
        x.iter().zip(sample.value).map(|(x, estimate)| x - estimate).collect()
    };
    states.iter().zip(samples.iter()).map(error).collect()
}

fn spectral_radius(matrix: &Array2<f64>) -> f64 {
    eigenvalues(matrix.view()).unwrap().iter().fold(0.0, |radius: f64, (re, im)| radius.max(re.hypot(*im)))
}

fn norm(x: &Array1<f64>) -> f64 {
    x.dot(x).sqrt()
}

/// Checks that the errors from a sample on follow the powers of the matrix, and decay at the rate of its
/// spectral radius.
fn check(errors: &[Array1<f64>], from: usize, dynamics: &Array2<f64>) {
    let mut expected = errors[from].clone();
    for (k, error) in errors.iter().enumerate().skip(from) {
        assert!(norm(&(error - &expected)) < 1e-12, "sample {k}: {error} {expected}");
        expected = dynamics.dot(&expected);
    }
    let radius = spectral_radius(dynamics);
    let (early, late) = (from + 40, from + 100);
    let rate = (norm(&errors[late]) / norm(&errors[early])).powf(1.0 / (late - early) as f64);
    assert!(radius < 0.97 && (rate / radius - 1.0).abs() < 2e-3, "{rate} {radius}");
    assert!(norm(errors.last().unwrap()) < 1e-6);
}

#[test]
fn the_observer_of_luenberger_converges_at_the_rate_of_its_matrix() {
    let (a, b, c) = system();
    let held = HeldPlant::new(a, b, H).unwrap();
    let gain = array![[12.0], [37.0], [24.0]];
    let observer = LuenbergerObserver::new(&held, c.clone(), gain.clone(), vec![0.0; 3]).unwrap();
    let dynamics = observer.error_dynamics();
    assert_eq!(dynamics, held.phi() - &held.integral().dot(&gain).dot(&c));
    check(&errors(observer.clone(), None), 0, &dynamics);
    // The observer knows the feedthrough of the input to the measurement.
    let observer = observer.with_feedthrough(array![[0.7]]).unwrap();
    check(&errors(observer, Some(array![[0.7]])), 0, &dynamics);
}

#[test]
fn the_sliding_observer_slides_and_estimates_the_rest() {
    let (a, b, c) = system();
    let held = HeldPlant::new(a, b, H).unwrap();
    let g = array![[1.0], [7.0], [6.5]];
    let observer =
        SlidingReducedOrderObserver::new(&held, c.clone(), g.clone(), &[8.0], vec![0.0; 3]).unwrap();
    let dynamics = observer.error_dynamics().unwrap();
    let errors = errors(observer, None);
    let reached = errors.iter().position(|error| error[0].abs() < 1e-12).unwrap();
    assert!((1..20).contains(&reached), "{reached}");
    assert!(errors[reached..].iter().all(|error| error[0].abs() < 1e-12));
    check(&errors, reached, &dynamics);
    // Before the surface is reached, v has full amplitude: e+ = Phi e - S G alpha.
    let push = held.integral().dot(&g).column(0).to_owned() * 8.0;
    let expected = held.phi().dot(&errors[0]) - push;
    assert!(norm(&(&errors[1] - &expected)) < 1e-13);
    // The eigenvalue of the measured direction is 0.
    let smallest =
        eigenvalues(dynamics.view()).unwrap().iter().map(|(re, im)| re.hypot(*im)).fold(1.0, f64::min);
    assert!(smallest < 1e-12);
}
