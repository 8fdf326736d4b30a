//! Twisting: the implicit controller comes to rest at the origin, the explicit controller does not.

use ndarray::array;
use siconos_control::{Actuator, ControlLoop, HeldPlant, Sampling, Twisting};
use siconos_kernel::siconos_numerics::relay::{RelayProblem, error_of_point};
use siconos_testkit::compare::worse;

use super::plants::{Plant, all_states, double_integrator};

const GAINS: [f64; 2] = [3.0, 2.0];

fn states(h: f64, x0: [f64; 2], twisting: impl Fn(&HeldPlant) -> Twisting) -> Vec<Vec<f64>> {
    let (a, b) = double_integrator();
    let held = HeldPlant::new(a.clone(), b.clone(), h).unwrap();
    let plant = Plant::new(a, b, &x0);
    let mut control = ControlLoop::default();
    let x = control.add_sensor(Sampling::every(h), all_states(&plant, 2));
    control.add_actuator(Sampling::every(h), twisting(&held), x, plant.u).unwrap();
    plant.run(&mut control, 10.0, h)
}

fn size(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |size, x| worse(size, x.abs()))
}

/// Returns the largest state in the last two seconds.
fn at_the_end(states: &[Vec<f64>]) -> f64 {
    states[states.len() * 4 / 5..].iter().map(|x| size(x)).fold(0.0, worse)
}

fn implicit(held: &HeldPlant) -> Twisting {
    Twisting::implicit(held, &[1.0, 0.0], GAINS).unwrap()
}

fn explicit(held: &HeldPlant) -> Twisting {
    Twisting::explicit(held, &[1.0, 0.0], GAINS).unwrap()
}

#[test]
fn the_implicit_one_reaches_the_origin_and_stays() {
    for h in [0.1, 0.05, 0.01] {
        for x0 in [[1.0, 0.0], [-0.3, 2.0], [0.013, -0.4], [2.0, 1.0]] {
            let states = states(h, x0, implicit);
            let reached = states.iter().position(|x| size(x) < 1e-12).expect("it reaches the origin");
            let rest = states[reached..].iter().map(|x| size(x)).fold(0.0, worse);
            assert!(rest < 1e-12, "h = {h}, {x0:?}: at sample {reached}, then {rest:e}");
        }
    }
}

#[test]
fn the_explicit_one_chatters_in_proportion_to_the_period() {
    let of = |h| states(h, [1.0, 0.0], explicit);
    // The velocity changes by up to (r1 + r2) h per sample.
    let velocity = |h: f64| {
        let states = of(h);
        states[states.len() / 2..].iter().map(|x| x[1].abs()).fold(0.0, worse)
    };
    let (coarse, fine) = (velocity(0.02), velocity(0.01));
    assert!(coarse > 0.02 && coarse < 20.0 * 0.02, "{coarse:e}");
    assert!((coarse / fine - 2.0).abs() < 0.5, "{}", coarse / fine);
}

#[test]
fn the_regularised_one_is_in_between() {
    let regularised = |held: &HeldPlant| Twisting::regularised(held, &[1.0, 0.0], GAINS, [0.1, 0.1]).unwrap();
    let h = 0.01;
    let [implicit, regularised, explicit] = [
        states(h, [1.0, 0.0], implicit),
        states(h, [1.0, 0.0], regularised),
        states(h, [1.0, 0.0], explicit),
    ]
    .map(|states| at_the_end(&states));
    assert!(
        implicit < 1e-12 && regularised > 1e-12 && regularised < 0.1 * explicit,
        "{implicit:e} {regularised:e} {explicit:e}"
    );
}

/// The closed-form solution of a sample solves the relay problem with two unknowns.
#[test]
fn the_median_solves_the_relay_problem() {
    let plants = [
        double_integrator(),
        (array![[0.0, 1.0], [-2.0, -0.7]], array![[0.0], [1.5]]),
        (array![[0.3, 1.0], [2.0, -0.7]], array![[0.1], [0.8]]),
    ];
    let mut seed = 1_u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    for (a, b) in plants {
        let h = 0.1;
        let held = HeldPlant::new(a.clone(), b, h).unwrap();
        let mut twisting = Twisting::implicit(&held, &[1.0, 0.0], GAINS).unwrap();
        let rate = a.row(0).to_owned();
        let on = array![1.0, 0.0].dot(&held.psi().column(0)) / rate.dot(&held.psi().column(0));
        let first = array![1.0, 0.0] + (h - on) * &rate;
        for scale in [1e-3, 0.1, 1.0] {
            for _ in 0..300 {
                let x = array![scale * random(), scale * random()];
                let mut u = [0.0];
                twisting.act(0.0.into(), x.as_slice().unwrap(), &mut u).unwrap();
                let next = held.phi().dot(&x) + held.psi().column(0).to_owned() * u[0];
                let sigma = [first.dot(&next), rate.dot(&next)];
                // u = r1 z1 + r2 z2 with z in [-1, 1]. z_i is the negative sign of sigma_i; if sigma_i is 0,
                // z_i is determined by the remainder.
                let is_zero = sigma.map(|sigma| sigma.abs() < 1e-13);
                let [z1, z2] = sigma.map(|sigma| -sigma.signum());
                let z = match is_zero {
                    [false, false] => [z1, z2],
                    [true, false] => [(u[0] - GAINS[1] * z2) / GAINS[0], z2],
                    [false, true] => [z1, (u[0] - GAINS[0] * z1) / GAINS[1]],
                    [true, true] => [u[0] / (GAINS[0] + GAINS[1]); 2],
                };
                assert!((GAINS[0] * z[0] + GAINS[1] * z[1] - u[0]).abs() < 1e-12);
                let gain = held.psi().column(0).to_owned();
                let m = array![
                    [first.dot(&gain) * GAINS[0], first.dot(&gain) * GAINS[1]],
                    [rate.dot(&gain) * GAINS[0], rate.dot(&gain) * GAINS[1]]
                ];
                let free = held.phi().dot(&x);
                let q = [first.dot(&free), rate.dot(&free)];
                let problem = RelayProblem::new(&m, &q, &[-1.0; 2], &[1.0; 2]).unwrap();
                let error = error_of_point(&problem, &z, &mut [0.0; 2]);
                assert!(error < 1e-12, "{x}: {error:e}");
            }
        }
    }
}
