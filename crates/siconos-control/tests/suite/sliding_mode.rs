//! Sliding modes: the implicit controller reaches the surface at the expected sample and stays there; the
//! explicit controller chatters with an amplitude proportional to the period.

use ndarray::{Array2, array};
use siconos_control::{
    Actuator, ActuatorId, ControlLoop, EquivalentControl, ExplicitLinearSlidingMode, FunctionActuator,
    HeldPlant, LinearSlidingMode, Sampling,
};
use siconos_testkit::compare::worse;

use super::plants::{Plant, all_states};

const ALPHA: f64 = 6.0;
const X0: [f64; 2] = [1.0, 0.5];

/// A damped oscillator with sigma = 2 q + v.
fn oscillator() -> (Array2<f64>, Array2<f64>, Array2<f64>) {
    (array![[0.0, 1.0], [-3.0, -0.4]], array![[0.0], [1.0]], array![[2.0, 1.0]])
}

/// Returns the samples of sigma and u over 6 s.
fn run(plant: &Plant, held: &HeldPlant, is_implicit: bool, kind: EquivalentControl) -> (Vec<f64>, Vec<f64>) {
    let (_, _, c) = oscillator();
    let sampling = Sampling::every(held.period());
    let mut control = ControlLoop::default();
    let x = control.add_sensor(sampling, all_states(plant, 2));
    let id: ActuatorId = if is_implicit {
        let actuator = LinearSlidingMode::new(held, c, &[ALPHA], kind).unwrap();
        control.add_actuator(sampling, actuator, x, plant.u).unwrap()
    } else {
        let actuator = ExplicitLinearSlidingMode::new(held, c, &[ALPHA], kind).unwrap();
        control.add_actuator(sampling, actuator, x, plant.u).unwrap()
    };
    plant.run(&mut control, 6.0, held.period());
    control.actuator(id).unwrap().samples().iter().map(|sample| (sample.terms[0], sample.value[0])).unzip()
}

fn simulate(h: f64, is_implicit: bool, kind: EquivalentControl) -> (Vec<f64>, Vec<f64>) {
    let (a, b, _) = oscillator();
    let held = HeldPlant::new(a.clone(), b.clone(), h).unwrap();
    run(&Plant::new(a, b, &X0), &held, is_implicit, kind)
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |largest, x| worse(largest, x.abs()))
}

#[test]
fn the_implicit_step_reaches_the_surface_when_it_should_and_stays() {
    let (a, b, c) = oscillator();
    for h in [0.1, 0.05, 0.025] {
        let held = HeldPlant::new(a.clone(), b.clone(), h).unwrap();
        let (sigma, _) = simulate(h, true, EquivalentControl::SecondOrder);
        // |sigma| falls by C Psi alpha per sample.
        let per_sample = c.dot(held.psi())[[0, 0]] * ALPHA;
        let expected = (sigma[0].abs() / per_sample).ceil() as usize;
        let reached = sigma.iter().position(|sigma| sigma.abs() < 1e-12).expect("it reaches the surface");
        assert_eq!(reached, expected, "h = {h}");
        for (k, sigma_k) in sigma.iter().enumerate().take(expected) {
            assert!((sigma_k - (sigma[0] - k as f64 * per_sample)).abs() < 1e-12);
        }
        assert!(largest(&sigma[reached..]) < 1e-12, "h = {h}: {:e}", largest(&sigma[reached..]));
    }
}

const ALL: [EquivalentControl; 4] = [
    EquivalentControl::Zero,
    EquivalentControl::FirstOrder,
    EquivalentControl::Held,
    EquivalentControl::SecondOrder,
];

#[test]
fn so_does_it_under_every_equivalent_control() {
    for kind in ALL {
        for h in [0.1, 0.05] {
            let (sigma, u) = simulate(h, true, kind);
            let reached = sigma.iter().position(|sigma| sigma.abs() < 1e-12).expect("it reaches the surface");
            assert!(reached < 40 && largest(&sigma[reached..]) < 1e-12, "{kind:?}, h = {h}: {reached}");
            // u does not chatter: x decays on the surface, and u decays with x.
            let late = &u[u.len() / 2..];
            let jump = late.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, worse);
            assert!(jump < 0.1 * h, "{kind:?}, h = {h}: {jump:e}");
        }
    }
}

#[test]
fn the_explicit_sign_chatters_in_proportion_to_the_period() {
    let amplitude = |h: f64| {
        let (sigma, u) = simulate(h, false, EquivalentControl::FirstOrder);
        let late = sigma.len() / 2;
        let switches = u[late..].windows(2).filter(|pair| (pair[1] - pair[0]).abs() > ALPHA).count();
        assert!(switches > (sigma.len() - late) * 3 / 4, "{switches}");
        largest(&sigma[late..])
    };
    let (coarse, fine) = (amplitude(0.05), amplitude(0.025));
    assert!(coarse > 0.25 * ALPHA * 0.05 && coarse < 1.5 * ALPHA * 0.05, "{coarse:e}");
    // The position within the band depends on where sigma enters. The width of the band is proportional to h.
    let width = |h: f64| {
        let (sigma, _) = simulate(h, false, EquivalentControl::FirstOrder);
        let late = &sigma[sigma.len() / 2..];
        late.iter().fold(f64::MIN, |m, x| m.max(*x)) - late.iter().fold(f64::MAX, |m, x| m.min(*x))
    };
    let ratio = width(0.05) / width(0.025);
    assert!((ratio - 2.0).abs() < 0.1, "{ratio}, {fine:e}");
}

/// A negligible switched part, and an unstable plant far from equilibrium: sigma stays constant.
#[test]
fn the_held_equivalent_control_keeps_sigma_where_it_is() {
    let (a, b) = (array![[0.0, 1.0], [19.0, -2.0]], array![[0.0], [1.0]]);
    let (c, h) = (array![[1.0, 1.0]], 0.05);
    let held = HeldPlant::new(a.clone(), b.clone(), h).unwrap();
    let drift = |kind| {
        let plant = Plant::new(a.clone(), b.clone(), &[-15.0, 20.0]);
        let mut control = ControlLoop::default();
        let x = control.add_sensor(Sampling::every(h), all_states(&plant, 2));
        let mut sliding = ExplicitLinearSlidingMode::new(&held, c.clone(), &[1e-300], kind).unwrap();
        let equivalent = FunctionActuator::new(2, 1, move |at, x, u| sliding.act(at, x, u).unwrap());
        control.add_actuator(Sampling::every(h), equivalent, x, plant.u).unwrap();
        let states = plant.run(&mut control, 1.0, h);
        let sigma: Vec<f64> = states.iter().map(|x| x[0] + x[1]).collect();
        sigma.iter().map(|value| (value - sigma[0]).abs()).fold(0.0, worse)
    };
    assert!(drift(EquivalentControl::Held) < 1e-12, "{:e}", drift(EquivalentControl::Held));
    assert!(drift(EquivalentControl::SecondOrder) < 1e-12);
    assert!(drift(EquivalentControl::FirstOrder) > 1e-2);
}

/// With a disturbance that the model does not contain, sigma is of the order h without an estimate of the
/// disturbance, and of the order h^2 with an estimate.
#[test]
fn the_second_order_rejects_a_smooth_disturbance() {
    let (a, b, _) = oscillator();
    let error = |h: f64, kind| {
        let held = HeldPlant::new(a.clone(), b.clone(), h).unwrap();
        let plant = Plant::disturbed(a.clone(), b.clone(), &X0, |t, source| source[1] += 0.5 * t.cos());
        let (sigma, _) = run(&plant, &held, true, kind);
        largest(&sigma[sigma.len() / 2..])
    };
    for (kind, order) in [(EquivalentControl::FirstOrder, 1.0), (EquivalentControl::SecondOrder, 2.0)] {
        let ratio = (error(0.02, kind) / error(0.01, kind)).log2();
        assert!((ratio - order).abs() < 0.1, "{kind:?}: {ratio}");
    }
}

/// Two inputs, and a surface with two rows.
#[test]
fn two_surfaces_at_once() {
    let a = array![[0.0, 1.0, 0.0], [0.2, -0.5, 1.0], [0.3, 0.1, 0.4]];
    let b = array![[0.0, 0.0], [1.0, 0.2], [0.1, 1.0]];
    let c = array![[1.0, 1.0, 0.0], [0.5, 0.0, 1.0]];
    let held = HeldPlant::new(a.clone(), b.clone(), 0.02).unwrap();
    let plant = Plant::new(a, b, &[1.0, -0.4, 0.7]);
    let sampling = Sampling::every(0.02);
    let mut control = ControlLoop::default();
    let x = control.add_sensor(sampling, all_states(&plant, 3));
    let actuator = LinearSlidingMode::new(&held, c, &[2.0, 3.0], EquivalentControl::SecondOrder).unwrap();
    let id = control.add_actuator(sampling, actuator, x, plant.u).unwrap();
    plant.run(&mut control, 2.0, 0.02);
    let samples = control.actuator(id).unwrap().samples();
    for sample in samples.iter().skip(60) {
        assert!(largest(&sample.terms[..2]) < 1e-12, "{sample:?}");
    }
    let first = samples.get(0).unwrap();
    assert_eq!(first.terms[2..], [-2.0, -3.0]);
}
