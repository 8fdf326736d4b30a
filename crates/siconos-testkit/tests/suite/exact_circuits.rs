//! Comparison of the exact circuits with their equations, laws, closed forms, energy and published
//! trajectories.

use std::f64::consts::PI;

use crate::switched_checks::{check_complementarity, check_continuity, check_equations};
use ndarray::{Array1, Array2, array};
use siconos_testkit::compare::worse;
use siconos_testkit::compare::{assert_close, assert_close_scalar};
use siconos_testkit::exact::{
    DiodeBridge, FilteredBridge, LinearFlow, LinearModel, Rlcd, Trajectory, impulse_rays, state_jump,
};
use siconos_testkit::reference::trajectory;

/// Checks at several times that the stored energy plus the dissipated energy equals the initial energy.
fn check_energy(
    motion: &Trajectory,
    stored: impl Fn(&Array1<f64>) -> f64,
    mut heat: impl FnMut(&Array1<f64>, &Array1<f64>) -> f64,
) {
    let all = stored(&motion.pieces[0].x);
    for k in 1..=20 {
        let t = motion.t_end * f64::from(k) / 20.0;
        let lost = motion.integral(&mut heat, 0.0, t);
        assert!(lost > 1e-6 * all, "t = {t}: the load must take something");
        assert_close_scalar("energy", stored(&motion.state(t)) + lost, all, 0.0, 1e-12);
    }
}

/// Returns the largest difference between a column of a reference trajectory and a function of time.
fn largest_difference(rows: &[Vec<f64>], column: usize, exact: impl Fn(f64) -> f64) -> f64 {
    // Row 0 is the initial state. Its multipliers belong to no step.
    let largest = rows.iter().skip(1).map(|row| (row[column] - exact(row[0])).abs()).fold(0.0, worse);
    println!("column {column}: {largest:e}");
    largest
}

#[test]
fn the_two_ways_to_compute_a_flow_agree() {
    let cases = [
        (array![[0.0, -1e6], [100.0, 0.0]], 1e-3),
        (array![[-1e3, -1e6], [100.0, 0.0]], 1e-3),
        (array![[0.0, 1.0], [-1.0, 0.0]], 7.0),
        (array![[-3.0, 1.0], [0.5, -2.0]], 2.0),
        (array![[-1.0, 1.0], [0.0, -1.0]], 1.5),
        (array![[0.3, 2.0], [-0.1, 0.2]], 4.0),
    ];
    for (a, s) in cases {
        let b = array![0.7, -0.4];
        // With a third state that is decoupled, the flow is computed by the series instead of the closed
        // form.
        let mut wide = Array2::zeros((3, 3));
        wide.slice_mut(ndarray::s![..2, ..2]).assign(&a);
        wide[[2, 2]] = -0.1 / s;
        let two = LinearFlow::new(a.clone(), b.clone());
        let three = LinearFlow::new(wide, array![b[0], b[1], 0.0]);
        let x = array![10.0, -0.2];
        for part in [1e-6, 0.01, 0.3, 1.0, -0.5] {
            let (u, v) = (two.state(part * s, &x), three.state(part * s, &array![10.0, -0.2, 5.0]));
            let balance = (a[[0, 1]] / a[[1, 0]]).abs().sqrt().clamp(1.0, 1e3);
            assert_close("flow", &[u[0], balance * u[1]], &[v[0], balance * v[1]], 1e-11, 0.0);
            assert_close_scalar("third state", v[2], 5.0 * (-0.1 * part).exp(), 1e-14, 0.0);
        }
        // The flow forward and back is the identity, and one step equals two half steps.
        let (there, half) =
            (three.state(s, &array![1.0, 1.0, 1.0]), three.state(0.5 * s, &array![1.0, 1.0, 1.0]));
        assert_close(
            "half",
            three.state(0.5 * s, &half).as_slice().unwrap(),
            there.as_slice().unwrap(),
            1e-9,
            1e-11,
        );
    }
}

#[test]
fn a_flow_without_regular_matrix_is_a_polynomial() {
    let chain =
        LinearFlow::new(array![[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]], array![0.0, 0.0, 6.0]);
    let x = chain.state(2.0, &array![1.0, 0.0, 0.0]);
    assert_close("cubic", x.as_slice().unwrap(), &[9.0, 12.0, 12.0], 1e-13, 0.0);
    assert_eq!(chain.fastest_rate(), 0.0);
    let lc = LinearFlow::new(array![[0.0, -1e6], [100.0, 0.0]], array![0.0, 0.0]);
    assert!((1e4..1.3e4).contains(&lc.fastest_rate()), "{}", lc.fastest_rate());
}

#[test]
fn the_rlcd_circuit_obeys_its_equations() {
    let circuit = Rlcd::default();
    let motion = circuit.solve(5e-3);
    let (v, i) = (10.0, 0.1);
    let checked = check_equations(&motion, &circuit.model(), 1e-7, &[v * 1e4, i * 1e4], &[v], 1e-9);
    assert!(checked > 300);
    check_complementarity(&motion, &[v], &[v / 1e3]);
    check_continuity(&motion, &[v, i]);
    check_energy(&motion, |x| circuit.stored_energy(x), |_, lambda| circuit.dissipation(lambda));
    // The multiplier is continuous as well.
    for k in 0..motion.pieces.len() - 1 {
        let (t, _, lambda, _) = motion.before_event(k);
        assert_close_scalar("lambda", lambda[0], motion.lambda(t)[0], 1e-15, 0.0);
    }
    // Half waves alternate: the diode blocks for pi sqrt(LC) and conducts for pi over the damped frequency.
    let events = motion.events();
    let damped = (1e8 - 500.0_f64.powi(2)).sqrt();
    for (k, pair) in events.windows(2).enumerate() {
        let half = if motion.mode_names()[k + 1] == "blocked" { PI / 1e4 } else { PI / damped };
        assert_close_scalar("half wave", pair[1] - pair[0], half, 1e-16, 1e-12);
    }
    assert_eq!(events.len(), 16);
}

#[test]
fn the_bridge_is_a_damped_oscillator_with_the_unique_multipliers() {
    let circuit = DiodeBridge { start: [10.0, 0.03], ..DiodeBridge::default() };
    let motion = circuit.solve(5e-3);
    let (v, i) = (10.0, 0.1);
    let checked = check_equations(
        &motion,
        &circuit.model(),
        1e-7,
        &[v * 1e4, i * 1e4],
        &[v / 1e3, v / 1e3, v, v],
        1e-9,
    );
    assert!(checked > 300);
    check_complementarity(&motion, &[v / 1e3, v / 1e3, v, v], &[v, v, v / 1e3, v / 1e3]);
    check_continuity(&motion, &[v, i]);
    check_energy(&motion, |x| circuit.stored_energy(x), |_, lambda| circuit.dissipation(lambda));
    for k in 0..=1000 {
        let t = 5e-6 * f64::from(k);
        let (x, exact) = (motion.state(t), circuit.state(t));
        assert_close("state", &[x[0], 100.0 * x[1]], &[exact[0], 100.0 * exact[1]], 1e-12, 0.0);
    }
    // With the initial state of opposite sign, the other pair of diodes conducts.
    let mirrored = DiodeBridge { start: circuit.start.map(|x| -x), ..circuit }.solve(5e-3);
    for k in 1..100 {
        let t = 4.9e-5 * f64::from(k);
        let (lambda, other) = (motion.lambda(t), mirrored.lambda(t));
        assert_close("mirror", &[lambda[0], lambda[2]], &[other[1], other[3]], 1e-12, 0.0);
    }
}

#[test]
fn the_filtered_bridge_obeys_its_equations_in_all_three_modes() {
    // The oscillation is large enough for the diodes to conduct again after the initial discharge.
    for (capacitance, resistance) in [(300e-9, 1e3), (300e-9, 2e4), (3e-6, 300.0)] {
        let circuit =
            FilteredBridge { filter_capacitance: capacitance, resistance, ..FilteredBridge::default() };
        let motion = circuit.solve(5e-3);
        let names = motion.mode_names();
        println!("{} pieces: {names:?}", names.len());
        assert!(["plus", "minus", "blocked"].iter().all(|name| names.contains(name)), "{names:?}");
        let (v, i) = (10.0, 0.1);
        let (voltages, currents) = ([v, i, v, v], [i, v, i, i]);
        let rates = [v * 1e4, i * 1e4, v * 1e4];
        let checked = check_equations(&motion, &circuit.model(), 1e-7, &rates, &voltages, 1e-9);
        assert!(checked > 250);
        check_complementarity(&motion, &voltages, &currents);
        check_continuity(&motion, &[v, i, v]);
        check_energy(&motion, |x| circuit.stored_energy(x), |x, _| circuit.dissipation(x));
        for k in 0..1000 {
            let x = motion.state(5e-6 * f64::from(k));
            assert!(x[2] >= x[0].abs() - 1e-12, "v_f = {} against v_C = {}", x[2], x[0]);
        }
    }
}

#[test]
fn charge_is_shared_where_a_diode_meets_an_empty_capacitor() {
    // By hand: C v+ + Cf v+ = C v-, so v+ = 10 / 1.3. The charge is Cf v+, and the lost energy is 1/2 C Cf /
    // (C + Cf) v-^2 for every path.
    let circuit = FilteredBridge::default();
    let jump = circuit.first_jump();
    let after = 10.0 / 1.3;
    assert_close("state", jump.x.as_slice().unwrap(), &[after, 0.0, after], 1e-14, 0.0);
    assert_close("charge", jump.sigma.as_slice().unwrap(), &[0.0, 0.0, 300e-9 * after, 0.0], 1e-20, 0.0);
    let lost = circuit.stored_energy(&circuit.model().x0) - circuit.stored_energy(&jump.x);
    assert_close_scalar("lost energy", lost, 0.5 * 0.3e-6 / 1.3 * 100.0, 0.0, 1e-12);
    // With the opposite sign the other pair of diodes conducts; the inductor current does not jump.
    let jump = FilteredBridge { start: [-4.0, 0.02, 1.0], ..circuit }.first_jump();
    let after = (4.0 + 0.3 * 1.0) / 1.3;
    assert_close("state", jump.x.as_slice().unwrap(), &[-after, 0.02, after], 1e-14, 0.0);
    assert_eq!((jump.sigma[0], jump.sigma[2]), (jump.sigma[3], 0.0));
    // |v_C| < v_f is consistent.
    let jump = FilteredBridge { start: [3.0, 0.02, 5.0], ..circuit }.first_jump();
    assert_eq!((jump.x, jump.sigma), (array![3.0, 0.02, 5.0], Array1::zeros(4)));
    // A negative filter voltage makes two diodes in series conduct: the filter is discharged, and so is the
    // capacitor.
    let jump = FilteredBridge { start: [0.0, 0.02, -2.0], ..circuit }.first_jump();
    assert_close("state", jump.x.as_slice().unwrap(), &[0.0, 0.02, 0.0], 1e-14, 0.0);
}

#[test]
fn jumps_without_direct_term_are_projections() {
    // A capacitor at -5 V across a diode: the diode discharges it, sigma = 5 C.
    let diode = LinearModel {
        a: array![[-1.0]],
        b: array![[1.0 / 2e-6]],
        c: array![[1.0]],
        d: array![[0.0]],
        x0: array![-5.0],
    };
    let jump = state_jump(&diode, &array![[2e-6]]);
    assert_close("state and charge", &[jump.x[0], jump.sigma[0] * 1e5], &[0.0, 1.0], 1e-15, 0.0);
    // A resistor in series with the diode prevents impulses, so nothing jumps.
    let with_resistor = LinearModel { d: array![[10.0]], ..diode };
    assert_eq!(state_jump(&with_resistor, &array![[2e-6]]).x, array![-5.0]);
    // In the plane with P = [[2, 1], [1, 1]], C = [1, 0]: P B = C^T gives B = (1, -1). From (-3, 5) to x_1 =
    // 0: sigma = 3, x = (0, 2). The nearest point in the Euclidean metric would be (0, 5).
    let skew = LinearModel {
        a: Array2::zeros((2, 2)),
        b: array![[1.0], [-1.0]],
        c: array![[1.0, 0.0]],
        d: array![[0.0]],
        x0: array![-3.0, 5.0],
    };
    let jump = state_jump(&skew, &array![[2.0, 1.0], [1.0, 1.0]]);
    assert_close("state", jump.x.as_slice().unwrap(), &[0.0, 2.0], 1e-14, 0.0);
    assert_close_scalar("impulse", jump.sigma[0], 3.0, 1e-14, 0.0);
    // Four loops of diodes span the impulses that the bridge with filter allows.
    assert_eq!(impulse_rays(&FilteredBridge::default().model().d).len(), 4);
    assert_eq!(impulse_rays(&Rlcd::default().model().d).len(), 0);
}

#[test]
fn no_consistent_state_is_nearer_than_the_one_after_the_jump() {
    let circuit = FilteredBridge { start: [2.0, 0.1, -7.0], ..FilteredBridge::default() };
    let (before, jump) = (circuit.model().x0, circuit.first_jump());
    let distance = |x: &Array1<f64>| circuit.stored_energy(&(x - &before));
    let mut tried = 0;
    for i in -60..=60 {
        for k in 0..=60 {
            let x = array![0.05 * f64::from(i), 0.1, 0.05 * f64::from(k)];
            if x[2] >= x[0].abs() {
                tried += 1;
                assert!(distance(&x) >= distance(&jump.x) * (1.0 - 1e-12), "{x} is nearer than {}", jump.x);
            }
        }
    }
    assert!(tried > 3000);
    let moved = circuit.model().b.dot(&jump.sigma);
    assert_close("B sigma", moved.as_slice().unwrap(), (&jump.x - &before).as_slice().unwrap(), 1e-12, 0.0);
}

/// The published trajectories are of first order, because their multiplier is fully implicit. They have omega
/// h = 0.01 for the bridges and 0.1 for the RLCD circuit. The differences are of the order of omega h times
/// the amplitudes 10 V and 0.1 A.
#[test]
fn published_trajectories_of_circuits_are_near() {
    if let Some(rows) = trajectory("DiodeBridge.ref") {
        let motion = DiodeBridge::default().solve(5e-3);
        assert!(largest_difference(&rows, 1, |t| motion.state(t)[0]) < 0.03);
        assert!(largest_difference(&rows, 2, |t| motion.state(t)[1]) < 3e-4);
        assert!(largest_difference(&rows, 3, |t| motion.y(t)[0]) < 3e-5);
        assert!(largest_difference(&rows, 4, |t| -motion.lambda(t)[0]) < 0.03);
        assert!(largest_difference(&rows, 5, |t| -motion.lambda(t)[1]) < 0.03);
        assert!(largest_difference(&rows, 6, |t| motion.lambda(t)[2]) < 3e-5);
    }
    if let Some(mut rows) = trajectory("DiodeBridgeCapFilter.ref") {
        let circuit = FilteredBridge::default();
        let motion = circuit.solve(5e-3);
        assert!(largest_difference(&rows, 1, |t| motion.state(t)[0]) < 0.3);
        assert!(largest_difference(&rows, 2, |t| motion.state(t)[1]) < 4e-3);
        assert!(largest_difference(&rows, 3, |t| motion.lambda(t)[0]) < 0.03);
        // The first step contains the jump. Its charge is its current multiplied by the step size.
        let charge = circuit.first_jump().sigma[2];
        assert_close_scalar("charge", rows[1][6] * 1e-6, charge, 0.0, 5e-3);
        rows.remove(1);
        assert!(largest_difference(&rows, 6, |t| motion.lambda(t)[2]) < 0.03);
    }
    if let Some(rows) = trajectory("CircuitRLCD.ref") {
        let motion = Rlcd::default().solve(5e-3);
        assert!(largest_difference(&rows, 1, |t| motion.state(t)[0]) < 0.5);
        assert!(largest_difference(&rows, 2, |t| motion.state(t)[1]) < 5e-3);
        assert!(largest_difference(&rows, 3, |t| -motion.y(t)[0]) < 0.5);
        assert!(largest_difference(&rows, 4, |t| motion.lambda(t)[0]) < 5e-4);
    }
}
