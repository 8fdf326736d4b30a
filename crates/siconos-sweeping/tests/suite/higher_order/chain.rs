//! Motions of the chain z_3' = lambda, compared with closed forms.

use siconos_testkit::compare::worse;
use siconos_testkit::convergence::observed_order;

use super::systems::{assert_step, chain};

const T: f64 = 3.0;

/// Largest error of z_1 at the points of a grid with `count` steps, and the sums of the measures.
fn run(start: [f64; 3], exact: impl Fn(f64) -> f64, count: usize) -> (f64, [f64; 3]) {
    let mut sweeping = chain(3);
    let mut state = sweeping.state(&start).unwrap();
    let h = T / count as f64;
    let (mut error, mut atoms) = (0.0, [0.0; 3]);
    for k in 1..=count {
        let before = state.clone();
        let report = sweeping.step(h, &mut state).unwrap();
        assert!(report.info.status.is_success());
        assert_step(&before, &state, report.mu);
        atoms.iter_mut().zip(report.mu.column(0)).for_each(|(sum, mu)| *sum += mu);
        error = worse(error, (state.y()[0] - exact(k as f64 * h)).abs());
    }
    (error, atoms)
}

/// Numbers of steps from 50 to 2000, over more than five doublings.
fn counts() -> impl Iterator<Item = usize> {
    (0..=32).map(|k| (50.0 * 40.0_f64.powf(f64::from(k) / 32.0)).round() as usize)
}

/// Checks the bounds of the errors for all numbers of steps, and fits the orders.
fn assert_converges(start: [f64; 3], exact: impl Fn(f64) -> f64 + Copy, atoms: [f64; 3]) {
    let (mut steps, mut of_z, mut of_atoms) = (Vec::new(), Vec::new(), Vec::new());
    let mut largest = [0.0_f64; 2];
    for count in counts() {
        let h = T / count as f64;
        let (error, found) = run(start, exact, count);
        let off = found.iter().zip(atoms).fold(0.0, |off, (mu, exact)| worse(off, (mu - exact).abs()));
        assert!(error <= 5.0 * h, "N = {count}: z_1 is off by {} h", error / h);
        assert!(off <= 3.0 * h, "N = {count}: the atoms {found:?} are off by {} h", off / h);
        largest = [largest[0].max(error / h), largest[1].max(off / h)];
        steps.push(h);
        of_z.push(error);
        of_atoms.push(off);
    }
    assert!(steps[0] / steps[steps.len() - 1] >= 32.0, "five doublings");
    let orders = [&of_z, &of_atoms].map(|errors| observed_order(&steps, errors));
    println!("{start:?}: at most {largest:.2?} h, {orders:.3?}");
    for order in orders {
        assert!(order.order >= 0.9, "{order:?}");
    }
}

#[test]
fn it_lands_with_a_jump_of_the_second_order_and_takes_off() {
    let contact = 2.0 - 2.0_f64.sqrt();
    let exact = move |t: f64| {
        if t < contact { 1.0 - 2.0 * t + 0.5 * t * t } else { 0.5 * (t - contact).powi(2) }
    };
    assert_converges([1.0, -2.0, 1.0], exact, [0.0, 2.0_f64.sqrt(), 0.0]);
}

#[test]
fn it_lands_with_jumps_of_the_second_and_third_order_and_rests() {
    let exact = |t: f64| (1.0 - 0.5 * t * t).max(0.0);
    assert_converges([1.0, 0.0, -1.0], exact, [0.0, 2.0_f64.sqrt(), 1.0]);
}

#[test]
fn at_rest_nothing_moves_and_all_derivatives_are_zero() {
    let mut sweeping = chain(3);
    let mut state = sweeping.state(&[1.0, 0.0, -1.0]).unwrap();
    for _ in 0..150 {
        let _ = sweeping.step(0.01, &mut state).unwrap();
    }
    for _ in 0..100 {
        let report = sweeping.step(0.01, &mut state).unwrap();
        assert!(report.mu.iter().all(|mu| *mu == 0.0));
        assert!(state.z().iter().all(|z| *z == 0.0), "{state:?}");
    }
}

#[test]
fn all_landings_with_two_hundred_velocities_are_within_their_bounds() {
    // z_1 = 1 + v t + a t^2 / 2 until the contact at t*, then a (t - t*)^2 / 2, or rest if a <= 0.
    let count = 400;
    let h = T / f64::from(count);
    for k in 0..200 {
        let v = -3.0 + 3.0 * f64::from(k) / 200.0;
        for a in [-1.0, 0.0, 0.5, 1.0] {
            let discriminant = v * v - 2.0 * a;
            let contact = if discriminant > 0.05 { 2.0 / (-v + discriminant.sqrt()) } else { f64::INFINITY };
            if discriminant.abs() <= 0.05 || (contact - T).abs() < 0.1 {
                // Within its error the scheme cannot decide whether there is a contact.
                continue;
            }
            let exact = |t: f64| {
                if t < contact {
                    1.0 + v * t + 0.5 * a * t * t
                } else {
                    0.5 * a.max(0.0) * (t - contact).powi(2)
                }
            };
            let (error, atoms) = run([1.0, v, a], exact, count as usize);
            let landed = contact < T;
            let second = if landed { discriminant.sqrt() } else { 0.0 };
            let third = if landed && a < 0.0 { -a } else { 0.0 };
            assert!(error <= 5.0 * h * (1.0 + v.abs()), "v = {v}, a = {a}: {} h", error / h);
            for (mu, exact) in atoms.iter().zip([0.0, second, third]) {
                assert!((mu - exact).abs() <= 5.0 * h * (1.0 + v.abs()), "v = {v}, a = {a}: {atoms:?}");
            }
        }
    }
}

#[test]
fn chains_of_any_length_come_to_rest_or_rise() {
    // If z_1 is positive and all derivatives are negative, everything is 0 soon after the contact.
    for r in 1..=10 {
        let mut sweeping = chain(r);
        let mut start = vec![-1.0; r];
        start[0] = 1.0;
        let mut state = sweeping.state(&start).unwrap();
        for _ in 0..200 {
            let before = state.clone();
            let report = sweeping.step(0.01, &mut state).unwrap();
            assert_step(&before, &state, report.mu);
        }
        if r > 1 {
            assert!(state.z().iter().all(|z| *z == 0.0), "{r}: {state:?}");
        } else {
            assert_eq!(state.y(), [1.0], "nothing moves it");
        }
        // With a positive last derivative z_1 rises as a power of time, to the order of the scheme.
        start.fill(0.0);
        start[r - 1] = 1.0;
        let mut state = sweeping.state(&start).unwrap();
        let mut exact = 1.0;
        for k in 1..=1000_u32 {
            let _ = sweeping.step(1e-3, &mut state).unwrap();
            assert!(k > 1 || state.y()[0] > 0.0);
        }
        for k in 1..r {
            exact /= k as f64;
        }
        assert!((state.y()[0] / exact - 1.0).abs() < 1e-3 * (r * r) as f64, "{r}: {} {exact}", state.y()[0]);
    }
}
