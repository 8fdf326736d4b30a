//! Comparison of closed forms of systems with events with their equations, invariants and numerical
//! integration.

use std::f64::consts::PI;

use siconos_testkit::compare::{assert_close, assert_close_scalar};
use siconos_testkit::exact::{
    Arc, Cradle, Dome, End, ImpactOscillator, Obstacle, Oscillator, Pendulum, PendulumWithStop, RockingBlock,
    Scan, Until, WallOscillator, complete_elliptic, jacobi, simultaneous_impact,
};

/// Integrates x'' = f(x) by the classical Runge-Kutta method with `steps` steps.
fn runge_kutta(f: impl Fn(f64) -> f64, (mut x, mut v): (f64, f64), t: f64, steps: u32) -> (f64, f64) {
    let h = t / f64::from(steps);
    for _ in 0..steps {
        let (k1, l1) = (v, f(x));
        let (k2, l2) = (v + 0.5 * h * l1, f(x + 0.5 * h * k1));
        let (k3, l3) = (v + 0.5 * h * l2, f(x + 0.5 * h * k2));
        let (k4, l4) = (v + h * l3, f(x + h * k3));
        x += h / 6.0 * (k1 + 2.0 * (k2 + k3) + k4);
        v += h / 6.0 * (l1 + 2.0 * (l2 + l3) + l4);
    }
    (x, v)
}

#[test]
fn elliptic_functions_have_their_tabulated_values_and_identities() {
    // K as a function of m = k^2 (Abramowitz and Stegun 1964, table 17.1).
    for (m, expected) in [(0.0, 0.5 * PI), (0.5, 1.854_074_677_301_372), (0.9, 2.578_092_113_348_173)] {
        assert_close_scalar("K", complete_elliptic(f64::sqrt(m)), expected, 1e-14, 0.0);
    }
    for k in [0.0, 1e-9, 0.3, 0.9, 0.999_999] {
        for u in [-3.0, 0.0, 0.1, 1.0, 7.0] {
            let (sn, cn, dn) = jacobi(u, k);
            assert_close_scalar("sn^2 + cn^2", sn * sn + cn * cn, 1.0, 1e-15, 0.0);
            assert_close_scalar("k^2 sn^2 + dn^2", (k * sn).powi(2) + dn * dn, 1.0, 1e-14, 0.0);
            // The derivative sn' is cn dn.
            let d = 1e-5;
            let slope = (jacobi(u + d, k).0 - jacobi(u - d, k).0) / (2.0 * d);
            assert_close_scalar("sn'", slope, cn * dn, 1e-9, 0.0);
        }
        let quarter = jacobi(complete_elliptic(k), k);
        assert_close("at K", &[quarter.0, quarter.1], &[1.0, 0.0], 1e-13, 0.0);
    }
}

#[test]
fn the_pendulum_is_that_of_runge_kutta_and_keeps_its_energy() {
    for amplitude in [1e-3, 0.5, PI / 3.0, 3.0] {
        let pendulum = Pendulum::new(9.81, 0.7, amplitude);
        for t in [0.1, 0.77, 2.5] {
            let (angle, rate) = pendulum.state(t);
            let other = runge_kutta(|x| -9.81 / 0.7 * x.sin(), (amplitude, 0.0), t, 4000);
            assert_close("state", &[angle, rate], &[other.0, other.1], 1e-10, 0.0);
            let energy = 0.5 * rate * rate - 9.81 / 0.7 * (angle.cos() - amplitude.cos());
            assert_close_scalar("energy", energy, 0.0, 1e-13, 0.0);
        }
        let (angle, rate) = pendulum.state(pendulum.period());
        assert_close("one period", &[angle, rate], &[amplitude, 0.0], 1e-12, 0.0);
    }
    let rope = Pendulum::new(9.81, 1.0, PI / 3.0);
    assert_close_scalar("tension at rest", rope.tension_per_mass(9.81, 0.0), 9.81 * 0.5, 1e-14, 0.0);
    // The tension is m g + m v^2 / l with v^2 = 2 g l (1 - cos a).
    let lowest = rope.tension_per_mass(9.81, 0.25 * rope.period());
    assert_close_scalar("tension at the lowest point", lowest, 2.0 * 9.81, 1e-13, 0.0);
}

#[test]
fn the_pendulum_with_a_stop_bounces_at_the_lowest_point() {
    let stopped = PendulumWithStop::new(9.81, 1.0, 1.2, 0.8);
    for n in 1..12 {
        let (t, rate) = (stopped.impact_time(n), stopped.impact_rate(n));
        let (before, after) = (stopped.state(t - 1e-9), stopped.state(t + 1e-9));
        assert_close("before", &[before.0, before.1], &[1e-9 * rate, -rate], 1e-13, 1e-12);
        assert_close("after", &[after.0, after.1], &[0.8e-9 * rate, 0.8 * rate], 1e-13, 1e-12);
    }
    // The motion from impact 2 to impact 3 is integrated numerically.
    let swing = stopped.impact_time(3) - stopped.impact_time(2);
    let start = (0.0, 0.8 * stopped.impact_rate(2));
    let (angle, rate) = runge_kutta(|x| -9.81 * x.sin(), start, swing, 4000);
    assert_close("swing", &[angle, rate], &[0.0, -stopped.impact_rate(3)], 1e-11, 0.0);
    // Small swings equal the motion of the oscillator with a wall.
    let (small, wall) =
        (PendulumWithStop::new(9.0, 1.0, 1e-5, 0.7), WallOscillator::new(3.0, 0.7, 1e-5, 0.0));
    for t in [0.2, 1.0, 3.3, 8.0] {
        assert_close_scalar("small swing", small.state(t).0, wall.state(t).0, 1e-14, 0.0);
    }
}

#[test]
fn the_oscillator_at_its_wall_is_the_scanned_one() {
    for (u, v) in [(1.0, 0.0), (0.3, -2.0), (0.0, 1.5), (0.4, 0.9)] {
        let exact = WallOscillator::new(2.0, 0.75, u, v);
        let body = ImpactOscillator::new(
            Oscillator::new(1.0, 0.0, 4.0, 0.0),
            0.75,
            Obstacle::fixed(0.0),
            Scan::cells(1e-2),
        );
        let motion = body.solve(Arc { t: 0.0, u, v }, Until::Impacts { count: 15, latest: 100.0 });
        assert_eq!(motion.end, End::ImpactsReached);
        for (n, impact) in (1..).zip(&motion.impacts) {
            assert_close_scalar("time", impact.t, exact.impact_time(n), 1e-12, 0.0);
            assert_close_scalar("speed", -impact.v_minus, exact.impact_speed(n), 1e-12, 0.0);
        }
        for k in 0..100 {
            let t = 0.2 * f64::from(k) + 0.013;
            let (a, b) = (exact.state(t), motion.state(t));
            assert_close("state", &[a.0, a.1], &[b.0, b.1], 1e-11, 0.0);
        }
    }
}

#[test]
fn the_rocking_block_obeys_its_equation_and_accumulates() {
    let (p, alpha, tilt, r) = (2.1, 0.25, 0.2, 0.9);
    let block = RockingBlock::new(p, alpha, tilt, r);
    let (mut t, mut state) = (0.0, (tilt, 0.0));
    for n in 1..20 {
        let next = block.impact_time(n);
        state = runge_kutta(|x| p * p * (x - alpha), state, next - t, 4000);
        assert_close("impact", &[state.0, state.1], &[0.0, -block.rate_after(n) / r], 1e-11, 0.0);
        (t, state) = (next, (0.0, -r * state.1));
        let after = block.state(t * (1.0 + 1e-15));
        assert_close("after", &[after.0, after.1], &[0.0, state.1], 1e-11, 0.0);
        let top = t + 0.5 * (block.impact_time(n + 1) - t);
        let highest = block.state(top);
        assert_close("highest", &[highest.0, highest.1], &[block.amplitude(n), 0.0], 1e-13, 0.0);
    }
    let end = block.accumulation_time().expect("r < 1");
    assert_close_scalar("late impact", block.impact_time(400), end, 1e-13, 0.0);
    assert!(block.impact_time(50) < end && block.state(end) == (0.0, 0.0));
    assert_eq!(RockingBlock::new(p, alpha, tilt, 1.0).accumulation_time(), None);
    // For r = 1 the period is Housner's, four times acosh(1 / (1 - tilt / alpha)) / p.
    let elastic = RockingBlock::new(p, alpha, tilt, 1.0);
    let quarter = (1.0 / (1.0 - tilt / alpha)).acosh() / p;
    assert_close_scalar("period", elastic.impact_time(3) - elastic.impact_time(1), 4.0 * quarter, 1e-13, 0.0);
}

#[test]
fn a_slender_block_is_the_limit_of_a_stout_one() {
    let error = |alpha: f64| {
        let block = RockingBlock::new(2.0, alpha, 0.8 * alpha, 0.9);
        (block.amplitude(3) - block.amplitude_of_a_stout_block(3)).abs() / alpha
    };
    let (wide, slender) = (error(0.2), error(0.02));
    assert!(
        wide > 1e-5 && (wide / slender - 100.0).abs() < 5.0,
        "second order in alpha: {wide:e} {slender:e}"
    );
    let block = RockingBlock::new(1.5, 0.5, 0.3, 0.8);
    assert_close_scalar("without impacts", block.amplitude_of_a_stout_block(0), 0.3, 1e-15, 0.0);
    // Numerical integration ends at the turning point after the first impact. The amplitude was computed from
    // the energy.
    let rest = |x: f64| 1.5_f64.powi(2) * -(0.5 - x).sin();
    let rate = 0.8 * (2.0 * 1.5_f64.powi(2) * (0.2_f64.cos() - 0.5_f64.cos())).sqrt();
    let (mut state, mut t) = ((0.0, rate), 0.0);
    while state.1 > 0.0 {
        state = runge_kutta(rest, state, 1e-4, 1);
        t += 1e-4;
    }
    assert!(t > 0.1);
    assert_close_scalar("amplitude", state.0, block.amplitude_of_a_stout_block(1), 1e-8, 0.0);
}

#[test]
fn balls_that_meet_two_at_a_time_exchange_velocities_when_elastic() {
    let (x, v) = (vec![0.0, 0.3, 0.7, 1.2, 2.0], vec![1.0, 0.2, 0.1, -0.4, -1.1]);
    for (e, elastic) in [(1.0, true), (0.5, false)] {
        let collisions = Cradle::new(e, x.clone(), v.clone()).collisions(20.0);
        assert!(collisions.len() >= 8, "{}", collisions.len());
        let mut energy = v.iter().map(|v| v * v).sum::<f64>();
        for collision in &collisions {
            let now = collision.velocities.iter().map(|v| v * v).sum::<f64>();
            assert_close_scalar("momentum", collision.velocities.iter().sum(), -0.2, 1e-14, 0.0);
            if elastic {
                assert_close_scalar("energy", now, energy, 1e-14, 0.0);
            } else {
                assert!(now < energy, "{now} {energy}");
            }
            energy = now;
            let gaps: Vec<f64> = collision.positions.windows(2).map(|pair| pair[1] - pair[0]).collect();
            assert!(gaps.iter().all(|gap| *gap > -1e-14) && gaps[collision.left].abs() < 1e-14, "{gaps:?}");
        }
        if elastic {
            // Points that exchange their velocities move as if they passed through each other. Their
            // positions are sorted straight lines.
            assert_eq!(
                collisions.len(),
                10,
                "each pair meets once, for the velocities fall from left to right"
            );
            let (found, _) = Cradle::new(e, x.clone(), v.clone()).state(3.0);
            let mut lines: Vec<f64> = x.iter().zip(&v).map(|(x, v)| x + 3.0 * v).collect();
            lines.sort_by(f64::total_cmp);
            assert_close("lines", &found, &lines, 1e-13, 0.0);
        }
    }
}

#[test]
fn the_simultaneous_law_satisfies_its_complementarity() {
    for (e, others) in [(1.0, 1), (1.0, 2), (1.0, 6), (0.5, 3), (0.0, 4)] {
        let v = simultaneous_impact(e, 2.0, others);
        assert_eq!(v.len(), others as usize + 1);
        assert_close_scalar("momentum", v.iter().sum(), 2.0, 1e-14, 0.0);
        let energy: f64 = v.iter().map(|v| v * v).sum();
        assert!(if e == 1.0 { (energy - 4.0).abs() < 1e-13 } else { energy < 4.0 }, "{energy}");
        // Impulse i equals the momentum gained by the balls to its right, and y'+ + e y'- = 0 in every
        // contact.
        for i in 0..others as usize {
            let impulse: f64 = v[i + 1..].iter().sum();
            let before = if i == 0 { -2.0 } else { 0.0 };
            assert!(impulse > 0.0);
            assert_close_scalar("law", v[i + 1] - v[i] + e * before, 0.0, 1e-14, 0.0);
        }
    }
}

#[test]
fn the_dome_is_left_at_two_thirds_of_the_height() {
    let (g, radius, start) = (9.81, 1.4, 0.15);
    let dome = Dome::new(g, radius, start);
    let t = dome.take_off();
    let (angle, rate) = dome.angle(t);
    assert_close_scalar("angle", angle, dome.take_off_angle(), 1e-13, 0.0);
    assert_close_scalar("force", dome.force_per_mass(angle), 0.0, 1e-12, 0.0);
    assert_close_scalar("force by the motion", g * angle.cos() - radius * rate * rate, 0.0, 1e-12, 0.0);
    for part in [0.3, 0.7, 1.0] {
        let (angle, rate) = dome.angle(part * t);
        let other = runge_kutta(|x| g / radius * x.sin(), (start, 0.0), part * t, 4000);
        assert_close("slide", &[angle, rate], &[other.0, other.1], 1e-11, 0.0);
    }
    let energy = |t: f64| {
        let (q, v) = dome.state(t);
        0.5 * (v[0] * v[0] + v[1] * v[1]) + g * q[1]
    };
    for t in [0.0, 0.5 * t, t, t + 0.1, t + 0.4] {
        assert_close_scalar("energy", energy(t), g * radius * start.cos(), 1e-12, 0.0);
    }
    let ([x, y], _) = dome.state(t + 0.2);
    assert!(x.hypot(y) > radius + 1e-3, "it flies outside of the dome");
}
