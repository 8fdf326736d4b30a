//! Comparison of phases of contact on a table, a cam and a slow press with closed forms, their laws and a
//! simple time-stepping scheme.

use siconos_testkit::compare::{assert_close, assert_close_scalar};
use siconos_testkit::exact::{
    Arc, BouncingBall, Cam, ContactMotion, End, ImpactOscillator, Obstacle, OscillatingTable, Oscillator,
    Phase, Scan,
};

/// Checks that the body is above the obstacle, that impacts satisfy Newton's law, and that the contact force
/// is nonnegative and 0 at take-off.
fn assert_laws(
    motion: &ContactMotion<'_>,
    obstacle: (&dyn Fn(f64) -> f64, &dyn Fn(f64) -> f64),
    e: f64,
    t_end: f64,
) {
    let (c, rate) = obstacle;
    assert_eq!(motion.end, End::TimeReached);
    for k in 0..=20_000 {
        let t = t_end * f64::from(k) / 2e4;
        let gap = motion.state(t).0 - c(t);
        assert!(gap > -1e-12, "gap {gap:e} at {t}");
        assert!(motion.force(t) >= 0.0, "force {} at {t}", motion.force(t));
    }
    for impact in motion.impacts() {
        let law = (impact.v_plus - rate(impact.t)) + e * (impact.v_minus - rate(impact.t));
        assert_close_scalar("Newton", law, 0.0, 1e-12, 0.0);
    }
}

#[test]
fn the_ball_takes_off_from_the_table_and_lands_as_in_closed_form() {
    let table = OscillatingTable::new(9.81, 0.02, 30.0);
    let (off, (landing, speed)) =
        (table.take_off().expect("18 > g"), table.landing().expect("it comes down"));
    let system = table.with_impacts(0.3);
    let motion = system.solve_with_contact(Arc { t: 0.0, u: 0.0, v: 0.6 }, 2.0);
    let first = motion.impacts().next().expect("it comes down");
    let (_, to) = motion.contacts().next().expect("it rests at first");
    assert_close_scalar("take-off", to, off, 1e-13, 0.0);
    assert_close("landing", &[first.t, first.v_minus], &[landing, speed], 1e-11, 0.0);
    let (z, v) = (|t| table.table(t).0, |t| table.table(t).1);
    assert_laws(&motion, (&z, &v), 0.3, 2.0);
    // The parabola meets the table at the landing time and not earlier.
    assert_close_scalar("on the table", table.state(landing).0, z(landing), 1e-13, 0.0);
    for k in 1..100 {
        let t = off + (landing - off) * f64::from(k) / 100.0;
        assert!(table.state(t).0 > z(t), "{t}");
    }
    assert_eq!(OscillatingTable::new(9.81, 0.01, 30.0).take_off(), None);
}

#[test]
fn a_bouncing_ball_comes_to_rest_and_stays() {
    let ball = BouncingBall::new(9.81, 0.6, 1.0, 0.0);
    let system = ImpactOscillator::new(
        Oscillator::new(2.0, 0.0, 0.0, -19.62),
        0.6,
        Obstacle::fixed(0.0),
        Scan::cells(1e-2),
    );
    let motion = system.solve_with_contact(Arc { t: 0.0, u: 1.0, v: 0.0 }, 4.0);
    let (from, to) = motion.contacts().next().expect("it rests");
    assert_close("contact", &[from, to], &[ball.accumulation_time().expect("e < 1"), 4.0], 1e-7, 0.0);
    assert_close_scalar("weight", motion.force(3.5), 19.62, 1e-14, 0.0);
    for k in 0..400 {
        let t = 0.01 * f64::from(k);
        let (u, v) = motion.state(t);
        assert_close("state", &[u, v], &[ball.position(t), ball.velocity(t)], 1e-9, 0.0);
    }
    assert_laws(&motion, (&|_| 0.0, &|_| 0.0), 0.6, 4.0);
}

#[test]
fn without_rebound_the_next_contact_begins_at_the_landing() {
    let table = OscillatingTable::new(9.81, 0.02, 30.0);
    let system = table.with_impacts(0.0);
    let motion = system.solve_with_contact(Arc { t: 0.0, u: 0.0, v: 0.6 }, 3.0);
    let (z, v) = (|t| table.table(t).0, |t| table.table(t).1);
    assert_laws(&motion, (&z, &v), 0.0, 3.0);
    let contacts: Vec<_> = motion.contacts().collect();
    assert!(contacts.len() > 5, "{contacts:?}");
    for (_, to) in &contacts[..contacts.len() - 1] {
        // The ball takes off at the phase of the closed form, or immediately after the landing.
        let phase = 30.0 * to % (2.0 * std::f64::consts::PI);
        let first = 30.0 * table.take_off().expect("18 > g");
        assert!(
            (phase - first).abs() < 1e-9 || motion.impacts().any(|impact| impact.t == *to),
            "{phase} {first}"
        );
    }
}

/// Computes the motion by Moreau's scheme with implicit velocity, in the coordinate relative to the cam. The
/// scheme does not locate events.
fn by_time_stepping(rpm: f64, h: f64, steps: usize, (mut q, mut v): (f64, f64)) -> Vec<(f64, f64)> {
    let (m, k, e, cam) = (1.221, 1430.8, 0.2, Cam::new(rpm));
    let force = |t: f64| -(m * cam.acceleration(t) + k * cam.position(t));
    let mut states = vec![(q, v)];
    for n in 0..steps {
        let middle = (n as f64 + 0.5) * h;
        let mass = m + 0.25 * h * h * k;
        let free = v + h * (force(middle) - k * q - 0.5 * h * k * v) / mass;
        let next = if q + 0.5 * h * v <= 0.0 { free.max(-e * v) } else { free };
        q += 0.5 * h * (v + next);
        v = next;
        states.push((q, v));
    }
    states
}

#[test]
fn the_slow_cam_is_followed_and_time_stepping_agrees() {
    // In each revolution at 150 rpm, the follower stays on the cam until the flank ends. It then flies,
    // bounces and comes to rest on the cam again.
    let (rpm, t_end) = (150.0, 1.2);
    let cam = Cam::new(rpm);
    let system = ImpactOscillator::new(
        Oscillator::new(1.221, 0.0, 1430.8, 0.0),
        0.2,
        Obstacle::cam(cam, t_end),
        Scan::cells(1e-4),
    );
    let motion = system.solve_with_contact(Arc { t: 0.0, u: cam.position(0.0), v: 0.0 }, t_end);
    let (c, rate) = (|t| cam.position(t), |t| cam.velocity(t));
    assert_laws(&motion, (&c, &rate), 0.2, t_end);
    let contacts = motion.contacts().count();
    assert!(contacts >= 4 && motion.impacts().count() > 10, "{contacts} {}", motion.impacts().count());
    let flights = motion.phases.iter().filter(|phase| matches!(phase, Phase::Flights(_))).count();
    assert!(flights >= 3, "{flights}");
    let error = |h: f64| {
        let steps = (t_end / h) as usize;
        let states = by_time_stepping(rpm, h, steps, (0.0, 0.0));
        let mean = |f: &dyn Fn(usize, f64) -> f64| {
            (0..steps).map(|n| f(n, n as f64 * h)).sum::<f64>() / steps as f64
        };
        mean(&|n, t| (states[n].0 + c(t) - motion.state(t).0).abs())
    };
    let (coarse, fine) = (error(2e-5), error(1e-6));
    println!("mean difference of position: {coarse:e} (h = 2e-5), {fine:e} (h = 1e-6)");
    assert!(fine < 2e-6 && coarse > 5.0 * fine, "{coarse:e} {fine:e}");
}
