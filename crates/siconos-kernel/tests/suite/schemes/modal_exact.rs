//! Exact modal scheme, compared with closed forms and with the Moreau-Jean scheme.

use ndarray::array;
use siconos_kernel::prelude::*;
use siconos_testkit::compare::worse;
use siconos_testkit::convergence::observed_order;

use super::model::{Oscillator, simulation};

/// Returns the exact position of a mode under a constant force.
fn exact(of: &Oscillator, t: f64) -> f64 {
    let (sigma, k) = (0.5 * of.damping / of.mass, of.stiffness / of.mass);
    let rest = if of.stiffness == 0.0 { 0.0 } else { of.force / of.stiffness };
    let (x, v) = (of.start.0 - rest, of.start.1);
    let discriminant = k - sigma * sigma;
    let root = discriminant.abs().sqrt();
    // Each term is multiplied by the decay, so that none overflows.
    let decay = (-sigma * t).exp();
    let [fast, slow] = [(-(sigma + root) * t).exp(), (-(sigma - root) * t).exp()];
    let (cosine, sine) = match discriminant {
        0.0 => (decay, decay * t),
        d if d > 0.0 => (decay * (root * t).cos(), decay * (root * t).sin() / root),
        _ => (0.5 * (slow + fast), 0.5 * (slow - fast) / root),
    };
    rest + x * (cosine + sigma * sine) + v * sine
}

#[test]
fn a_damped_mode_is_exact_at_a_million_nodes() {
    let (omega, sigma, h) = (1.7_f64, 1e-4, 0.01);
    let mode = Oscillator {
        mass: 1.3,
        damping: 2.6 * sigma,
        stiffness: 1.3 * omega * omega,
        start: (0.8, -0.9),
        ..Oscillator::default()
    };
    let mut model = NonSmoothDynamicalSystem::new();
    let system = mode.add_to(&mut model);
    let mut simulation = simulation(&model, ModalExact::default(), 1e4, h);
    let mut state = simulation.initial_state(&model).unwrap();
    let (mut largest, mut nodes) = (0.0, 0);
    let recursion = [
        2.0 * (-sigma * h).exp() * ((omega * omega - sigma * sigma).sqrt() * h).cos(),
        (-2.0 * sigma * h).exp(),
    ];
    let (mut of_recursion, mut two) = (0.0, [f64::NAN, 0.8]);
    simulation
        .run(&model, &mut state, |report, state| {
            let q = state.q(system)[0];
            largest = worse(largest, (q - exact(&mode, h * report.step as f64)).abs());
            if report.step > 1 {
                of_recursion = worse(of_recursion, (q - recursion[0] * two[1] + recursion[1] * two[0]).abs());
            }
            two = [two[1], q];
            nodes += 1;
        })
        .unwrap();
    assert_eq!(nodes, 1_000_000);
    assert!(largest < 1e-9, "{largest}");
    assert!(of_recursion < 1e-14, "{of_recursion}");
    assert!(state.q(system)[0].abs() < 0.5, "damped");
}

#[test]
fn every_kind_of_mode_is_exact_whatever_the_step() {
    // Undamped, damped, critical, overdamped and free modes, heavy and light masses, and steps of many
    // periods.
    let cases =
        [(0.0, 9.0), (0.5, 9.0), (6.0, 9.0), (20.0, 9.0), (0.0, 4.0e6), (300.0, 4.0e6), (8.0e3, 4.0e6)];
    for (damping, stiffness) in cases {
        for (mass, force) in [(1.0, 0.0), (2.5, 3.0), (1.0 / 1024.0, -0.2)] {
            let of = Oscillator {
                mass,
                damping: mass * damping,
                stiffness: mass * stiffness,
                force,
                start: (0.3, 1.1),
                restitution: None,
            };
            for h in [0.001, 0.1, 0.7] {
                let nodes = of.run(ModalExact::default(), 40.0 * h, h);
                let size = 0.3 + 1.1 + (force / (mass * stiffness)).abs();
                for (k, node) in nodes.iter().enumerate() {
                    let expected = exact(&of, h * k as f64);
                    let error = (node.0 - expected).abs() / size;
                    // After many periods, the cosine is known only up to rounding.
                    let periods = stiffness.sqrt() * h * k as f64;
                    assert!(error < 1e-13 * (10.0 + periods), "{damping} {stiffness} {h}, {k}: {error}");
                }
            }
        }
    }
}

#[test]
fn a_mass_without_a_spring_falls_and_coasts_exactly() {
    let falling = Oscillator { mass: 2.0, force: -19.62, start: (1.0, 3.0), ..Oscillator::default() };
    for (k, node) in falling.run(ModalExact::default(), 2.0, 0.01).iter().enumerate() {
        let t = 0.01 * k as f64;
        assert!((node.0 - (1.0 + 3.0 * t - 4.905 * t * t)).abs() < 1e-13);
    }
    let braked =
        Oscillator { mass: 2.0, damping: 3.0, force: 1.2, start: (0.0, 5.0), ..Oscillator::default() };
    for (k, node) in braked.run(ModalExact::default(), 2.0, 0.01).iter().enumerate() {
        let t = 0.01 * k as f64;
        let (rate, end) = (1.5, 0.4);
        let expected = end * t + (5.0 - end) * (1.0 - (-rate * t).exp()) / rate;
        assert!((node.0 - expected).abs() < 1e-13, "{k}: {} {expected}", node.0);
    }
}

#[test]
fn impacts_of_a_mode_on_a_stop_have_order_one() {
    // Half waves, each with e times the amplitude of the previous one.
    let (omega, e) = (2.3_f64, 0.8_f64);
    let of = Oscillator { stiffness: omega * omega, restitution: Some(e), ..Oscillator::default() };
    let exact = |t: f64| {
        let waves = ((omega * t / std::f64::consts::PI) + 0.5).floor();
        e.powf(waves) * (omega * t).cos().abs()
    };
    let steps = siconos_testkit::convergence::steps(16, 2e-2, 1e-4);
    let error = |&h: &f64| {
        let nodes = of.run(ModalExact::default(), 6.0, h);
        nodes.iter().enumerate().map(|(k, node)| h * (node.0 - exact(h * k as f64)).abs()).sum::<f64>()
    };
    let errors: Vec<_> = steps.iter().map(error).collect();
    let observed = observed_order(&steps, &errors);
    assert!((observed.order - 1.0).abs() <= 0.3, "{observed:?} {errors:?}");
}

#[test]
fn a_string_of_modes_strikes_a_stop_as_it_does_under_moreau_and_jean() {
    // A string of 1 m under tension: mode j has the stiffness (j pi)^2. A stop is below x = 0.3.
    let modes = 12;
    let string = || {
        let stiffness: ndarray::Array1<f64> =
            (1..=modes).map(|j| (f64::from(j) * std::f64::consts::PI).powi(2)).collect();
        let mut start = vec![0.0; modes as usize];
        start[0] = 0.01;
        let mut model = NonSmoothDynamicalSystem::new();
        let string =
            LagrangianLinear::new(start, vec![0.0; modes as usize], ndarray::Array1::ones(modes as usize))
                .with_stiffness(stiffness);
        let string = model.add_system(string).unwrap();
        let shape = (1..=modes).map(|j| (0.3 * f64::from(j) * std::f64::consts::PI).sin());
        let row = ndarray::Array2::from_shape_vec((1, modes as usize), shape.collect()).unwrap();
        let stop = LagrangianLinearRelation::new(row).with_offset(vec![0.002]);
        model.add_interaction([string], stop, NewtonImpact::new(0.0).unwrap()).unwrap();
        (model, string)
    };
    let end = |integrator: Integrator, h: f64| {
        let (model, string) = string();
        let mut simulation = simulation(&model, integrator, 1.5, h);
        let mut state = simulation.initial_state(&model).unwrap();
        let mut impulse = 0.0;
        simulation.run(&model, &mut state, |_, state| impulse += state.impulse(string)[0]).unwrap();
        (state.q(string).to_vec(), impulse)
    };
    let (expected, impulse) = end(MoreauJean::default().into(), 2e-5);
    let (found, own_impulse) = end(ModalExact::default().into(), 2e-5);
    assert!(impulse > 1e-3, "{impulse}");
    assert!((own_impulse - impulse).abs() < 1e-2 * impulse, "{own_impulse} {impulse}");
    for (a, b) in found.iter().zip(&expected) {
        assert!((a - b).abs() < 2e-4, "{found:?} {expected:?}");
    }
}

#[test]
fn matrices_that_are_not_diagonal_are_refused() {
    let mut model = NonSmoothDynamicalSystem::new();
    let coupled = LagrangianLinear::new(vec![0.0; 2], vec![0.0; 2], array![1.0, 1.0])
        .with_stiffness(array![[2.0, -1.0], [-1.0, 2.0]]);
    model.add_system(coupled).unwrap();
    let grid = crate::common::grid(1.0, 0.1);
    let built = TimeStepping::builder(&model).discretisation(grid).integrator(ModalExact::default()).build();
    let text = built.expect_err("refused").to_string();
    assert!(text.contains("ModalExact") && text.contains("not diagonal"), "{text}");
    assert!(ModalExact { gamma: -1.0, ..ModalExact::default() }.validate().is_err());
}
